"""The skirmish as a plug-in with a table page: `tests.skirmish`, and templates for it beside this file."""

from tests.skirmish import META, load

__all__ = ["META", "load"]
