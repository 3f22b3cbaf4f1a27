"""The plug-in, put together from its parts."""

import tomllib
from pathlib import Path

from app.engine.editing import Editor, Placed
from app.engine.game import Aid, Game, Scenario, Seat
from app.engine.hexes import Board
from app.engine.rulebook import read_rulebook
from tests.skirmish import META, model, show
from tests.skirmish.bots import BOTS
from tests.skirmish.events import EVENTS, evolve
from tests.skirmish.rules import PHASES

_HERE = Path(__file__).parent


def _scenarios() -> dict[str, Scenario]:
    data = tomllib.loads((_HERE / "scenarios.toml").read_text(encoding="utf-8"))
    return {one["id"]: Scenario(**one) for one in data["scenario"]}


def _seats(setup: model.Setup) -> tuple[Seat, ...]:
    return (Seat("red", "Red", "first"), Seat("blue", "Blue", "second"))


def _board(setup: model.Setup) -> Board:
    return Board(setup.columns, setup.rows)


GAME: Game[model.State] = Game(
    meta=META,
    rules=1,
    rulebook=read_rulebook(
        (_HERE / "rulebook.toml").read_text(encoding="utf-8"),
        (_HERE / "rulings.toml").read_text(encoding="utf-8"),
    ),
    scenarios=_scenarios(),
    setup=model.Setup,
    state=model.State,
    events=EVENTS,
    seats=_seats,
    start=model.start,
    phases=PHASES,
    evolve=evolve,
    tell=show.tell,
    units=show.units,
    names=show.names,
    board=_board,
    endings={
        "elimination": "One side has no plane left.",
        "home": "A leader reached the enemy's home.",
        "time": "The last turn was over; points decide.",
    },
    aids=(Aid("danger", "Danger", show.danger),),
    view=show.view,
    facts=show.facts,
    queue=show.queue,
    bots=BOTS,
    editor=Editor(labels={"planes[]": "plane"}, placed={"planes": Placed()}),
)
