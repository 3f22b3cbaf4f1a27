"""The tests. A package, so that test games and helpers can be imported by name."""
