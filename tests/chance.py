"""Whether what is left to chance falls alike in each run of the tests.

In CI it does, so that a red run means a change and not bad luck. Anywhere else it is new each time, and
finds what nobody thought of.
"""

import os
import random

import pytest

IN_CI = os.environ.get("CI", "") not in ("", "false", "0")


def fall_alike(patch: pytest.MonkeyPatch, name: str) -> None:
    """In CI, draw the dice of tables, and what bots decide by, from a name instead of from nowhere."""
    if IN_CI:
        drawn = random.Random(name)
        patch.setattr("app.tables.opening.new_seed", lambda: drawn.randbytes(32))
        patch.setattr("app.tables.autoplay.new_chance", lambda: random.Random(drawn.randbytes(32)))
