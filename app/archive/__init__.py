"""The archive: tables that leave this server, come to it, or go on by another way; and what proves them.

Belongs here: reading, writing and checking of kept games, over the same service as the pages. Does not belong
here: how a table is played (app.tables), hashes (app.engine.record), copies of a whole server.

    document    the file: one JSON document with a format number
    exporting   from a table to a document: whole, or as a seat sees it
    importing   from a document to a table
    forking     from a moment of a table to another table
    replaying   deciding a log again, with its own choices and dice
    proving     whether chain, dice and rules agree
    checking    which tables a new version would not go on with
    telling     a table as lines of text
    command     all this on the command line
"""
