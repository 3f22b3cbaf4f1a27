"""The server of the browser tests: `python -m app`, but in CI its dice fall alike in each run.

Its first argument is the file that names the test under way, if there is one.
"""

import sys
from pathlib import Path

import pytest

from app.cli import main
from tests.chance import fall_alike

if __name__ == "__main__":
    named = Path(sys.argv.pop(1))
    with pytest.MonkeyPatch.context() as patch:
        fall_alike(patch, lambda: named.read_text() if named.exists() else "")
        main()
