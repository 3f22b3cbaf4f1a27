"""The Order of Flight Determination Phase (GS-OOF), and the order as it is walked and shown."""
