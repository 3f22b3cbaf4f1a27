"""What stands in docs, README and CHANGELOG, held to the code."""
