"""Which processes there are, as the kernel tells it."""

import time
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="no /proc to look for processes in"
)


def children(pid: int) -> set[int]:
    """The processes below one, at any depth, that run."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _fields(stat)
        if fields and fields[0] != "Z":
            parents[int(stat.parent.name)] = int(fields[1])
    found, new = set[int](), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def alive(pid: int) -> bool:
    """Whether it runs."""
    fields = _fields(Path(f"/proc/{pid}/stat"))
    return bool(fields) and fields[0] != "Z"


def niceness(pid: int) -> int:
    """How far it steps back behind others."""
    return int(_fields(Path(f"/proc/{pid}/stat"))[16])


def players(pid: int) -> set[int]:
    """Those below a process that play games."""
    return {child for child in children(pid) if "spawn_main" in _command(child)}


def wait_until_gone(pids: set[int], patience: float = 10.0) -> None:
    """Fails when one of them is still there after a while."""
    deadline = time.monotonic() + patience
    while left := {pid for pid in pids if alive(pid)}:
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.02)


def wait_for_players(pid: int, count: int, patience: float = 20.0) -> set[int]:
    """The players of a process, once there are so many."""
    deadline = time.monotonic() + patience
    while len(found := players(pid)) < count:
        assert time.monotonic() < deadline, f"only {found}"
        time.sleep(0.02)
    return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def _fields(stat: Path) -> list[str]:
    """What follows the name, which may hold anything."""
    try:
        return stat.read_text().rpartition(")")[2].split()
    except OSError:
        return []
