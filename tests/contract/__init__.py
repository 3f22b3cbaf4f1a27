"""What every game must keep, tried on all registered games and on the skirmish; and on what the suite itself asks."""
