"""The doors: pages and the JSON interface. They know HTTP, HTML and who is asking, and no rules.

Templates get views (app.tables.views), never a state.
"""
