"""Games that can be played: their scenarios, rulings and bots."""

from typing import Annotated, Any

import msgspec
from fastapi import Path
from starlette.responses import Response

from app.engine.errors import Missing
from app.engine.game import Game, Scenario
from app.engine.rulebook import RulingOption
from app.games import registry
from app.tables.live import setup_of
from app.web.api.calls import answer_doc, json_answer, new_router

router = new_router()


class SeatName(msgspec.Struct, frozen=True):
    """A side of a scenario."""

    id: str
    label: str


class ScenarioView(msgspec.Struct, frozen=True):
    """A scenario of a game."""

    id: str
    title: str
    summary: str
    seats: tuple[SeatName, ...]


class RulingView(msgspec.Struct, frozen=True):
    """A ruling and the ways to settle it."""

    id: str
    question: str
    default: str
    options: tuple[RulingOption, ...]
    rule: str
    reason: str
    house: bool


class BotView(msgspec.Struct, frozen=True):
    """A bot that can take a seat."""

    id: str
    title: str
    summary: str


class GameView(msgspec.Struct, frozen=True):
    """A game. The bots that can take its seats are listed from the plainest to the strongest.

    `people` is what those are called who outlive a table ("pilots"); "" where nobody does.
    """

    id: str
    title: str
    summary: str
    credit: str
    players: str
    minutes: str
    scenarios: tuple[ScenarioView, ...]
    rulings: tuple[RulingView, ...]
    bots: tuple[BotView, ...]
    people: str = ""


@router.get("/games", tags=["games"], responses=answer_doc(GameView, many=True))
async def games() -> Response:
    """The games of this server, with their scenarios and rulings."""
    return json_answer([_game(registry.load(game)) for game in registry.metas()])


@router.get(
    "/games/{game}/scenarios/{scenario}",
    tags=["games"],
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def scenario(
    game: Annotated[str, Path(max_length=40)], scenario: Annotated[str, Path(max_length=60)]
) -> Response:
    """A scenario's set-up as data, fit to edit and send back as `setup`."""
    found = registry.load(game).scenarios.get(scenario)
    if found is None:
        raise Missing(f"The game {game!r} has no scenario {scenario!r}.")
    return json_answer(found.setup)


def _game(game: Game[Any]) -> GameView:
    meta = game.meta
    return GameView(
        meta.id,
        meta.title,
        meta.summary,
        meta.credit,
        meta.players,
        meta.minutes,
        tuple(
            ScenarioView(s.id, s.title, s.summary, _seats(game, s)) for s in game.scenarios.values()
        ),
        tuple(
            RulingView(r.id, r.question, r.default, r.options, r.rule, r.reason, r.house)
            for r in game.rulebook.rulings.values()
        ),
        tuple(BotView(bot.id, bot.title, bot.summary) for bot in game.bots),
        "" if game.people is None else game.people.plural,
    )


def _seats(game: Game[Any], scenario: Scenario) -> tuple[SeatName, ...]:
    return tuple(SeatName(s.id, s.label) for s in game.seats(setup_of(game, scenario.setup)))
