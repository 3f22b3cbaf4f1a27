"""The engine: what every game stands on, and nothing that any one game knows.

Belongs here: the sequence of decisions, rolls and effects; the log and its fold; dice from a seed;
secrets; citations; hexes. All of it is pure: no clock, no randomness, no input or output, and nothing
but the standard library and msgspec.
Does not belong here: a rule of a game, a table's storage, a page.
"""
