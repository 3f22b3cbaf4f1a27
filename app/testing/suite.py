"""All of the tests in one module, for `from app.testing.suite import *` in a test file of one's own."""

import pytest

NAMES = (
    "bots",
    "drafts",
    "endings",
    "fuzz",
    "log",
    "luck",
    "odds",
    "offers",
    "people",
    "replay",
    "rulebook",
    "secrets",
    "showing",
    "tables",
)
for _name in NAMES:
    pytest.register_assert_rewrite(f"app.testing.test_{_name}")

# ruff: noqa: E402, F401, F403
from app.testing.fixtures import game, peopled, sittings  # pyright: ignore[reportUnusedImport]
from app.testing.test_bots import *
from app.testing.test_drafts import *
from app.testing.test_endings import *
from app.testing.test_fuzz import *
from app.testing.test_log import *
from app.testing.test_luck import *
from app.testing.test_odds import *
from app.testing.test_offers import *
from app.testing.test_people import *
from app.testing.test_replay import *
from app.testing.test_rulebook import *
from app.testing.test_secrets import *
from app.testing.test_showing import *
from app.testing.test_tables import *
