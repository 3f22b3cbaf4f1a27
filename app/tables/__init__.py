"""Tables: the shell around the engine that keeps what happens.

Belongs here: opening tables, seats, the log in a database, what each viewer may see, telling watchers.
Does not belong here: rules of a game (app.games), pages and HTTP (app.web).

    live, service           a table in memory; all of them, in memory as in the database
    store, models, codec    the database: writing and reading, its rows, between rows and facts
    loading, lists          what is read from it: a whole table; lines of many
    orders, opening         what a new table should be, and making it
    setups, datatext, faults    set-ups that are kept; as text; what is wrong with them
    seating, persons        who takes a seat, and whom they bring
    playing, autoplay       what goes through the rules, of people and of bots
    takebacks, words, closing, rematches    what is done about a table; `commands` and `entries` serve them all
    looking, views          what a viewer is shown, and its shape; `history` and `luck` when a game is over
    frames                  what goes to those who watch
"""
