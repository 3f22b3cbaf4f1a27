"""Processes of our own: what holds for each of them, whatever it is for.

Belongs here: that a process ends with the one that started it, how much memory it may take, and how
far it steps back behind others. Does not belong here: what it does (`app.thinking`,
`app.simulation`).
"""

import contextlib
import os
import sys
import threading
from multiprocessing import parent_process
from pathlib import Path

MEGABYTE = 1024 * 1024


def end_with_parent() -> None:
    """Watch the process that started this one by multiprocessing, and end when it is gone."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # there is nobody left to tell anything


def step_back(niceness: int) -> None:
    """Leave the processor to others first, 19 being furthest, where there is such a thing."""
    if sys.platform != "win32":
        os.nice(niceness)


def go_first() -> None:
    """Ask to be the one that is ended when the machine has no memory left, and not the server."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")


def limit_memory(megabytes: int) -> None:
    """Allow this process so much more memory than it has now; beyond that, MemoryError is raised.

    Nothing happens where the system does not tell how much that is: outside Linux.
    """
    if sys.platform == "win32":
        return
    import resource  # there is none on Windows

    mapped = _mapped()
    if mapped is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = mapped + megabytes * MEGABYTE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _mapped() -> int | None:
    """The bytes of address space that this process has; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
