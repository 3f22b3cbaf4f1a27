"""War In Space: warships split their energy by playing cards, and turn the harder the faster they go.

Belongs here: what the home page shows, and the parts of the game put together in the order of the turn.
Read the rules beside `rulebook.toml`: `order`, `energy`, `fire`, `movement`, `repair`, `ending`. `model` has
the nouns, `setup` builds the first position, `events` are the facts and the bookkeeping they make, `tell`,
`view`, `aids` and `editing` are for people, `captain` and `admiral` are bots, `measures` compares many games.
"""

from typing import TYPE_CHECKING

from app.engine.game import Game, Meta, Phase

if TYPE_CHECKING:
    from app.games.war_in_space.model import State

META = Meta(
    id="war-in-space",
    title="War In Space",
    summary="Warships share out their energy in secret: to fire, to shield, to turn, or to mend.",
    credit="After the homebrew rules of the author of the blog Solipsist Gaming, 2011",
    players="1-2",
    minutes="30-60",
)

RULES = 2
"""2 brought cards that are kept with the table."""


def load() -> "Game[State]":
    """The game, with its rules and data read. Raises ValueError when a data file is broken."""
    from app.games.war_in_space import (
        admiral,
        aids,
        captain,
        data,
        earlier,
        editing,
        ending,
        energy,
        events,
        fire,
        measures,
        movement,
        repair,
        view,
    )
    from app.games.war_in_space.model import State
    from app.games.war_in_space.setup import Setup, board, cards, names, seats, start
    from app.games.war_in_space.tell import tell

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
            Phase("energy", "Energy Allocation", energy.todo, "WIS-SQ-1", energy.STEPS),
            Phase("fire", "Weapons Fire", ending.settled(fire.todo), "WIS-SQ-1", fire.STEPS),
            Phase(
                "movement", "Movement", ending.watched(movement.todo), "WIS-SQ-1", movement.STEPS
            ),
            Phase(
                "repair", "Damage Control", ending.watched(ending.closing(repair.todo)), "WIS-SQ-1"
            ),
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
        queue=view.queue,
        fates=view.fates,
        bots=(captain.BOT, admiral.BOT),
        editor=editing.EDITOR,
        cards=cards,
        upcasters=earlier.UPCASTERS,
        measures=measures.measures,
    )
