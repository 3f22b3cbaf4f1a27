"""Ties: who has still to roll off. Shared by initiative and the order of movement.

A jet's key is what it has so far, best first: a value, then its roll-offs. Jets with the same key are
tied; each of them rolls once more, and so on until no two keys are the same.
"""

from collections.abc import Mapping
from typing import Any

Keys = Mapping[str, tuple[Any, ...]]


def next_to_roll(keys: Keys) -> str | None:
    """The first jet, in the order of `keys`, that has to roll off; None when no tie is left."""
    depth = 1
    tied = list(keys)
    while tied:
        groups: dict[tuple[Any, ...], list[str]] = {}
        for jet in tied:
            groups.setdefault(keys[jet][:depth], []).append(jet)
        tied = [jet for jet in tied if len(groups[keys[jet][:depth]]) > 1]
        for jet in tied:
            if len(keys[jet]) == depth:
                return jet
        depth += 1
    return None


def tied_with(keys: Keys, jet: str) -> tuple[str, ...]:
    """The other jets whose key is the one that `jet` has, its own later rolls left out."""
    mine = keys[jet]
    return tuple(other for other in keys if other != jet and keys[other][: len(mine)] == mine)
