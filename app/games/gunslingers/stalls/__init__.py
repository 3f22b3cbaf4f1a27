"""The Stalled Aircraft Phase (GS-STL)."""
