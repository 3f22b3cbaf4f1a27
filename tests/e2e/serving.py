"""The server of the browser tests: `python -m app`, but in CI its dice fall alike in each run."""

import pytest

from app.cli import main
from tests.chance import fall_alike

if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        fall_alike(patch, "browser tests")
        main()
