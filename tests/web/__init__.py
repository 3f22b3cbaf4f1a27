"""The doors, tested from outside: pages, the JSON interface, streams, and a server as a process."""
