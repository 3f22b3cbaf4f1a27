"""Records of persons who outlive a table: the campaign book and the hall of fame.

Belongs here: what is kept of persons, and how tables get them and give them back. Does not belong here:
what a mission makes of a person (each game says that), HTTP, HTML.
"""
