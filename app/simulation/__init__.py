"""Simulations: many whole games between bots, and what came of them.

Belongs here: playing games without people, in several processes, and counting. Does not belong here: tables,
pages, and anything about a particular game; what a bot is and sees is in `app.bots`.
"""
