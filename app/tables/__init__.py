"""Tables: the shell around the engine that keeps what happens.

Belongs here: opening tables, seats, the log in a database, what each viewer may see, telling watchers.
Does not belong here: rules of a game (app.games), pages and HTTP (app.web).
"""
