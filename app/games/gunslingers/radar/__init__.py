"""The Air Radar Search and Lock-on Phase (GS-RAD)."""
