"""What comes of an attack at a table that settles guns or missiles itself (the switches `guns` and `missiles`)."""
