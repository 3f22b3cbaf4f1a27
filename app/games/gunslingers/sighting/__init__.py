"""The Visual Sighting Phase (GS-VIS)."""
