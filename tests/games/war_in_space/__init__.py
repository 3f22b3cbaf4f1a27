"""War In Space: its rules, played through the engine."""
