"""Gunslingers."""
