"""The games. Each subpackage is one plug-in; `registry` finds them, and nothing here knows their rules."""
