"""The Flight Phase (GS-FLT) and the flight rules (GS-F)."""
