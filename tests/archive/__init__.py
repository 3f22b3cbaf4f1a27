"""The archive on the command line."""
