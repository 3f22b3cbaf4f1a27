"""Times in words. Counted on the server, so that a visitor's wrong clock does not matter."""

from datetime import UTC, datetime

from app.tables.clock import now

_STEPS = (
    (60, "minute"),
    (3_600, "hour"),
    (86_400, "day"),
    (7 * 86_400, "week"),
)


def ago(milliseconds: int) -> str:
    """How long ago a time was, roughly; it is in milliseconds since 1970."""
    seconds = max(0, now() - milliseconds) // 1000
    if seconds < 60:
        return "just now"
    size, unit = next(step for step in reversed(_STEPS) if seconds >= step[0])
    number = seconds // size
    return f"{number} {unit}{'' if number == 1 else 's'} ago"


def day(milliseconds: int) -> str:
    """The day of a time, in UTC: servers and their visitors are in many places."""
    when = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{when.day} {when:%b %Y}"
