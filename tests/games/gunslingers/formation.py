"""Aircraft in the air, made from little: for tests that need a position and no scenario."""

from typing import Any

from msgspec.structs import replace

from app.engine.hexes import Board
from app.engine.secret import Secret
from app.games.gunslingers.geometry import parse
from app.games.gunslingers.model import (
    Aircraft,
    BandLimits,
    Card,
    Crew,
    Ident,
    Own,
    Seen,
    State,
    Switches,
    eyes,
)

PLAIN = Card(
    id="plain",
    name="Plain",
    ap_m=1.5,
    ap_ab=3.5,
    idle_dp=1,
    brake_dp=1,
    cruise=5.5,
    climb_speed=5,
    bands={
        "LO": BandLimits(2, 8.5, 4, 2),
        "ML": BandLimits(2, 9, 4, 2),
        "MH": BandLimits(2.5, 10.5, 3, 2),
        "HI": BandLimits(3, 12.5, 3, 1),
        "VH": BandLimits(3.5, 13.5, 1, 1),
    },
    dive_bonus=1.5,
    ceiling=58,
    drag={"EZ": 0, "TT": 1, "HT": 2, "BT": 3.5, "ET": 5},
    turn_factor=1,
    roll_dp={"LR": 1, "DR": 0.5, "VR": 0.5},
    visibility=7,
    fuel_use={"AB": 12, "M": 4, "N": 2, "I": 1},
    vp=(24, 16, 8, 4),
)
"""The F-4E of the brief, as far as it flies."""

ENEMY = {"blue": "red", "red": "blue"}


def aircraft(
    id: str,
    place: str = "2015",
    facing: int = 0,
    altitude: int = 15,
    *,
    speed: float = 5.0,
    sighted: bool = True,
    crew: tuple[Crew, ...] = (Crew(),),
    own: dict[str, Any] | None = None,
    seen: dict[str, Any] | None = None,
    **fields: Any,
) -> Aircraft:
    """An aircraft; its side is "blue" if its id begins with b, else "red"."""
    side = "blue" if id.startswith("b") else "red"
    looks: dict[str, Any] = {"power": "M", "previous_power": "M", **(seen or {})}
    sheet: dict[str, Any] = {"next_speed": speed, "fuel": 150.0, "crew": crew, **(own or {})}
    return eyes(
        Aircraft(
            id=id,
            side=side,
            name=id.upper(),
            kind="fighter",
            pos=parse(place),
            facing=facing,
            altitude=altitude,
            seen=Secret(Seen(speed=speed, **looks), ()),
            ident=Secret(Ident("plain"), ()),
            own=Secret(Own(**sheet), ()),
            sighted_by=(ENEMY[side],) if sighted else (),
            **fields,
        )
    )


def position(
    *all_of_them: Aircraft, switches: dict[str, Any] | None = None, **fields: Any
) -> State:
    """A position of these, before the phase `fields["phase"]` has begun its first step."""
    state = State(
        board=Board(40, 30),
        switches=Switches(**(switches or {})),
        sides={"blue": "Blue", "red": "Red"},
        training={"blue": "average", "red": "average"},
        cards={"plain": PLAIN},
        missile_cards={},
        aircraft={one.id: one for one in all_of_them},
        turn=1,
    )
    return replace(state, **fields)
