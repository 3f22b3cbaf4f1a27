"""Tests of the engine alone, without any real game."""
