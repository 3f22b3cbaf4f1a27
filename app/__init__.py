"""Contrail: a self-hosted web tabletop for hex-and-counter games of air combat."""

__version__ = "0.1.0"
