"""Whether what is left to chance falls alike in each run of the tests.

In CI it does, so that a red run means a change and not bad luck. Anywhere else it is new each time, and
finds what nobody thought of.
"""

import os
import random
from collections import defaultdict
from collections.abc import Callable

import pytest

IN_CI = os.environ.get("CI", "") not in ("", "false", "0")


class _Drawn(defaultdict[str, random.Random]):
    def __missing__(self, test: str) -> random.Random:
        self[test] = random.Random(test)
        return self[test]


def fall_alike(patch: pytest.MonkeyPatch, test: Callable[[], str]) -> None:
    """In CI, draw the dice of tables, and what bots decide by, from the name of the test that is under way."""
    if IN_CI:
        drawn = _Drawn()
        patch.setattr("app.tables.opening.new_seed", lambda: drawn[test()].randbytes(32))
        patch.setattr(
            "app.tables.autoplay.new_chance", lambda: random.Random(drawn[test()].randbytes(32))
        )
