"""Thinking: bots of a server's tables choose in processes that can be ended.

A bot is a plug-in's code. It may never return, exit, take all memory or answer nonsense; here that
costs its own question an answer and nobody else anything. Belongs here: those processes and what is
sent to them. Does not belong here: what a bot may see (`app.bots`), whose turn it is and what is
played instead (`app.tables`).

    pool        the server's side: who thinks about what, for how long, and what becomes of those that hang
    starting    starts the processes, from a small one that was forked while the server was young
    thinker     a process that thinks: its loop, in that process
    wire        what goes to and fro between the two
"""
