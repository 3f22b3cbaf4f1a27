"""The Air to Air Missile Launch Phase (GS-AAM) and missiles in flight (GS-C-20 to GS-C-26)."""
