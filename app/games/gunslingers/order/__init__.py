"""The Order of Flight Determination Phase (GS-OOF)."""
