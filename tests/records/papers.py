"""Documents of persons, as they come from elsewhere."""

import json
from typing import Any


def paper(**changes: Any) -> str:
    """A document that can be brought in, with changes."""
    return json.dumps(fields(**changes))


def fields(**changes: Any) -> dict[str, Any]:
    """The same as data."""
    made: dict[str, Any] = {
        "contrail": "person 1",
        "game": "f14-tomcats",
        "name": "Ann Other",
        "call_sign": "Zed",
        "status": "active",
        "abandoned": 0,
        "record": {"missions": 1},
        "deeds": [{"at": 1_700_000_000_000, "title": "Mission failed, landed"}],
    }
    return {**made, **changes}
