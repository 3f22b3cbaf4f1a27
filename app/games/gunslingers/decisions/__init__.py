"""The Aircraft Decisions Phase (GS-DEC)."""
