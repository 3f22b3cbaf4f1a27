"""Writes all golden texts anew: `python -m tests.golden`. What changed is to be read as a diff."""

from tests.golden import stored
from tests.golden.render import path_of, text_of


def main() -> None:
    """All of them."""
    for name in stored.names():
        path = path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(stored.read(name)), "utf-8")


main()
