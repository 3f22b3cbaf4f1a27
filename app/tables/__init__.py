"""Tables: the shell around the engine that keeps what happens.

Belongs here: opening tables, seats, the log in a database, what each viewer may see, telling watchers.
Does not belong here: rules of a game (app.games), pages and HTTP (app.web).

    position, past, telling     a table at one moment; what has happened at it; who is told what of that
    live, service               the desk, which puts one position after another; all desks of a server
    store, models, codec        the database: writing and reading, its rows, between rows and facts
    loading, damage             a whole table read from it; what is said where its record does not hold
    lists, listing              lines of many tables; as far as somebody may be told them
    questions                   the mark of what is open, kept with each table
    orders, opening             what a new table should be, and making it
    setups, datatext, faults    set-ups that are kept; as text; what is wrong with them
    seating, persons            who takes a seat, and whom they bring
    playing, autoplay           what goes through the rules, of people and of bots
    takebacks, words, adopting, closing, deleting, rematches    what is done about a table
    commands, entries, clock    what all that has in common
    looking, views              what a viewer is shown, and its shape; `history` and `luck` when a game is over
    frames                      what goes to those who watch
"""
