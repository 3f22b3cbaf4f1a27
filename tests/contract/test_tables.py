"""A table in memory keeps what its views share: it is what the log alone comes to, and frames show what the page shows."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from app.engine.game import Game
from app.engine.log import PhaseBegan, live
from app.engine.secret import Viewer, redact
from app.games import registry
from app.tables.live import Claim, LiveTable
from app.tables.looking import page_of
from app.web.templating import Pages
from tests.contract.player import Sitting, play_tape

ABOUT = {"id": "table", "name": "A table", "owner": "ann", "listed": True}


def played(game: Game[Any], commands: int) -> Iterator[tuple[LiveTable, Sitting]]:
    """A table after each command of a game by chance, with take-backs; and the same game by other means."""
    rng = random.Random(7)
    tape = [rng.randrange(1000) for _ in range(commands)]
    setup = next(iter(game.scenarios.values())).setup
    table: LiveTable | None = None
    for sitting in play_tape(game, setup, {}, 7, tape, rewinds=True):
        if table is None:
            claims = [Claim(seat, "", "ann", "hash") for seat in sitting.seats]
            table = LiveTable(game, ABOUT, claims, bytes(32), sitting.entries)
        else:
            table.added(sitting.entries[table.version :])
        table.held = sitting.held
        yield table, sitting


def viewers(table: LiveTable) -> list[Viewer]:
    seats = [seat.id for seat in table.seats]
    return [frozenset(), frozenset(seats), *(frozenset({seat}) for seat in seats)]


def last_told(table: LiveTable, phase: str) -> Any:
    """The last entry of the turn's phase, found by walking back what counts of the log."""
    for entry in reversed(live(table.entries)):
        told = entry.kind != "table" and not isinstance(entry.event, PhaseBegan)
        if told and entry.turn != table.state.turn:
            return None
        if entry.phase == phase and told:
            return entry
    return None


def test_past_moments_are_those_that_were(game: Game[Any]) -> None:
    for table, sitting in played(game, 40):
        for seq in range(max(1, table.version - 80), table.version + 1):
            assert table.state_at(seq) == sitting.states[seq], seq


def test_what_is_seen_is_seen_anew_after_each_command(game: Game[Any]) -> None:
    for table, _ in played(game, 40):
        for viewer in viewers(table):
            for _again in range(2):
                seen = game.view(redact(table.state, viewer), viewer)
                assert table.position.seen_state(viewer) == seen


def test_the_last_word_of_a_phase_is_found_as_by_walking_back(game: Game[Any]) -> None:
    for table, _ in played(game, 60):
        for phase in game.phases:
            found = table.position.last_in(phase.id, frozenset(table.claims))
            assert found == last_told(table, phase.id), (table.version, phase.id)


@pytest.mark.parametrize("game_id", registry.metas())
def test_frames_show_what_the_page_shows(game_id: str) -> None:
    """Pieces are kept by some of what they are made of; a page is made without keeping any."""
    pages = Pages()
    for n, (table, _) in enumerate(played(registry.load(game_id), 45)):
        for viewer in viewers(table):
            page = page_of(table, viewer)
            pieces = pages.fragments(page)
            if n % 15 != 14:
                continue
            fresh = Pages()
            context = {"lines": [], "earlier": None, "since": "", "invites": (), "watch_url": ""}
            whole = fresh.page("table/page.html", page=page, fresh=False, word=False, **context)
            shown = " ".join(whole.split())
            for key, piece in pieces.items():
                assert _plain(str(piece.html)) in _plain(shown), (table.version, key)


def _plain(html: str) -> str:
    return html.replace("> ", ">").replace(" <", "<")
