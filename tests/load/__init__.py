"""The load driver: how fast the server is, measured from outside over loopback.

Belongs here: what starts servers, drives them by legal play and counts. Does not belong here: anything
that passes or fails by a time, which tells more of the machine than of the code.
"""
