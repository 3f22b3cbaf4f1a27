"""File descriptors: how many this process may have, and what is said when there are none left.

Every connection takes one, and so does every file. Does not belong here: who is connected
(`connections`).
"""

import asyncio
import errno
import logging
import os
import time

RESERVED = 100
"""So many are kept for everything that is no connection."""

BETWEEN = 60.0
"""Seconds between two lines of the log that say that there are none."""

log = logging.getLogger("contrail")


def raise_descriptors() -> int | None:
    """Allow this process all that it may have. How many; None where there is no limit."""
    try:
        import resource  # there is none on Windows
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
        return wanted
    return None if soft == resource.RLIM_INFINITY else soft


def connections_for(wanted: int, descriptors: int | None) -> int:
    """How many connections can be had, and a line of the log where that is fewer than wanted."""
    if descriptors is None or descriptors - RESERVED >= wanted:
        return wanted
    possible = max(descriptors - RESERVED, descriptors // 2)
    log.warning(
        "this process may open %d files, so it takes %d connections and not %d; "
        "raise that with ulimit -n, or LimitNOFILE= of systemd",
        descriptors,
        possible,
        wanted,
    )
    return possible


async def watch_descriptors(every: float = 1.0) -> None:
    """Say in the log when there are no file descriptors left, and when there are some again."""
    out, said = False, -BETWEEN
    while True:
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            if time.monotonic() - said >= BETWEEN:
                log.error(
                    "no file descriptor is left (%s): nobody new can connect. Raise the limit "
                    "with ulimit -n, or LimitNOFILE= of systemd",
                    error.strerror,
                )
                out, said = True, time.monotonic()
        else:
            if out:
                log.warning("there are file descriptors again")
            out = False
        await asyncio.sleep(every)
