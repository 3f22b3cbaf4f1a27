"""Tests of many games between bots, with real processes."""
