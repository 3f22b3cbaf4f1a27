"""The clock of tables, and of what is kept beside them. Whoever notes a time is given one."""

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Milliseconds since 1970."""


def now() -> int:
    """The time."""
    return time.time_ns() // 1_000_000
