"""The whole suite, as a plug-in's author has it in a file of his own."""

from app.testing.suite import *  # noqa: F403
