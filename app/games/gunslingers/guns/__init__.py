"""Guns and damage to aircraft (GS-C-1 to GS-C-12)."""
