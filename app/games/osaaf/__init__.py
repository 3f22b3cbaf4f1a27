"""Our Space Age Air Force: jets of the 1950s and 1960s trade height, speed and a tight turn.

Belongs here: what the home page shows, and the parts of the game put together in the order of the turn.
Read the rules beside `rulebook.toml`: `initiative`, `energy`, `movement`, `combat`, `ending`, in that order.
`model` has the nouns, `setup` builds the first position, `events` are the facts and the bookkeeping they
make, `tell` and `view` are for people, `bandit` and `ace` are the bots.
"""

from typing import TYPE_CHECKING

from app.engine.game import Game, Meta, Phase

if TYPE_CHECKING:
    from app.games.osaaf.model import State

META = Meta(
    id="osaaf",
    title="Our Space Age Air Force",
    summary="Jets of the 1950s and 1960s trade height and speed for the inside of a turn.",
    credit="After the homebrew rules of the author of the blog Solipsist Gaming, 2015",
    players="1-2",
    minutes="20-60",
)

RULES = 3
"""2 brought combat, fuel, aerobatics and points, 3 cards that are kept with the table."""


def load() -> "Game[State]":
    """The game, with its rules and data read. Raises ValueError when a data file is broken."""
    from app.games.osaaf import (
        ace,
        aids,
        bandit,
        combat,
        data,
        earlier,
        editing,
        ending,
        energy,
        events,
        initiative,
        movement,
        view,
    )
    from app.games.osaaf.model import State
    from app.games.osaaf.setup import Setup, board, cards, names, seats, start
    from app.games.osaaf.tell import tell

    return Game(
        meta=META,
        rules=RULES,
        rulebook=data.rulebook(),
        scenarios=data.scenarios(),
        setup=Setup,
        state=State,
        seats=seats,
        start=start,
        phases=(
            Phase("initiative", "Initiative", initiative.todo, "OSAAF-SQ-1"),
            Phase("energy", "Energy", energy.todo, "OSAAF-SQ-1", energy.STEPS),
            Phase("movement", "Movement", movement.todo, "OSAAF-SQ-1"),
            Phase("combat", "Combat", combat.todo, "OSAAF-SQ-2"),
            Phase("end", "End", ending.todo, "OSAAF-SQ-2"),
        ),
        events=events.EVENTS,
        evolve=events.evolve,
        tell=tell,
        units=view.units,
        names=names,
        board=board,
        endings=ending.ENDINGS,
        aids=aids.AIDS,
        facts=view.facts,
        marks=view.marks,
        fates=view.fates,
        bots=(bandit.BOT, ace.BOT),
        editor=editing.EDITOR,
        cards=cards,
        upcasters=earlier.UPCASTERS,
    )
