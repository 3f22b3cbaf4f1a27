"""Movement (MV), part 4 of the text; with it stalls (ST), aerobatics (AE) and edges (ED). Rulebook order.

The order is set once, then each jet flies its whole move, hex by hex: a turn may be tried before each.
Belongs here: the order, the turn roll, the move, leaving the board.
"""

from collections.abc import Sequence
from functools import partial

from app.engine.chance import Chain, Chance, Odds
from app.engine.dice import Pool
from app.engine.hexes import COMPASS, Board, Hex
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Step, Todo
from app.games.osaaf.events import (
    Crashed,
    Flew,
    LeftBoard,
    MoveChoice,
    MoveChosen,
    MoveOrderSet,
    MoveTieRolled,
    SpeedLost,
    StallDropped,
    StuntRolled,
    TurnRolled,
)
from app.games.osaaf.model import (
    LOWEST,
    Edge,
    Jet,
    Maneuverability,
    Place,
    Quality,
    Side,
    State,
)
from app.games.osaaf.ties import next_to_roll, tied_with

ONE_DIE = Pool(1)
TURN_DICE = Pool(3)
SIDES: Sequence[Side] = ("left", "right")
STUNT_SPEED = 2
"""The least Speed for aerobatics (OSAAF-AE-1)."""


def todo(state: State) -> Todo:
    """What Movement has still to do, first thing first; None once every jet is through."""
    if state.places is None:
        return _order(state)
    jet = next_to_move(state)
    return None if jet is None else _next(state, jet)


# The order (MV-1 to MV-4, MV-12).


def _order(state: State) -> Step:
    """OSAAF-MV-1 to OSAAF-MV-3: lowest first, then the farthest from the sun, then a die."""
    keys = {jet.id: (_standing(state, jet), *jet.tie) for jet in state.flying()}
    tied = next_to_roll(keys)
    if tied is None:
        placed = sorted(state.flying(), key=lambda jet: keys[jet.id])
        places = tuple(_place(state, jet) for jet in placed)
        sun = None if state.night else state.sun
        return Effect(MoveOrderSet(places, sun), "OSAAF-MV-1", "Order of Movement")
    jet = state.jets[tied]
    others = ", ".join(state.jets[other].name for other in tied_with(keys, tied))
    return Roll(
        id=f"move-tie:{tied}:{len(jet.tie)}",
        seat=jet.seat,
        title=f"{jet.name}: roll for the order of movement",
        pool=ONE_DIE,
        happen=partial(_tie_rolled, tied),
        cite="OSAAF-MV-3",
        unit=tied,
        why=f"tied with {others}" if others else "tied",
    )


def _standing(state: State, jet: Jet) -> tuple[int, int]:
    """What puts jets in order before any die: altitude, then OSAAF-MV-2, the farthest from the sun."""
    from_sun = distance_from_sun(state, jet.hex)
    return jet.altitude, 0 if from_sun is None else -from_sun


def distance_from_sun(state: State, place: Hex) -> int | None:
    """OSAAF-MV-4: exact, in half hexes from a north or south edge, in hexes else; None at night."""
    if state.night or state.sun is None:
        return None
    return distance_from_edge(state.board, state.sun, place)


def distance_from_edge(board: Board, edge: Edge, place: Hex) -> int:
    """OSAAF-MV-4: straight from a hex's centre to an edge, comparable among hexes of one board."""
    match edge:
        case "N":
            return place.southing
        case "S":
            return 2 * board.rows + 3 - place.southing
        case "W":
            return place.column
        case "E":
            return board.columns + 1 - place.column


def _tie_rolled(jet: str, faces: tuple[int, ...]) -> MoveTieRolled:
    return MoveTieRolled(jet, faces[0])


def _place(state: State, jet: Jet) -> Place:
    from_sun = distance_from_sun(state, jet.hex)
    if jet.tie:
        return Place(jet.id, jet.altitude, from_sun, jet.tie, "die")
    same = sum(other.altitude == jet.altitude for other in state.flying())
    return Place(jet.id, jet.altitude, from_sun, (), "sun" if same > 1 else "altitude")


def next_to_move(state: State) -> Jet | None:
    """The jet whose move is on. OSAAF-MV-12: the order stands, and a jet that is gone is skipped."""
    for place in state.places or ():
        jet = state.jets[place.jet]
        if jet.status == "flying" and not through(state, jet):
            return jet
    return None


def through(state: State, jet: Jet) -> bool:
    """Whether a jet on the board has nothing left to do in this phase once the order is set."""
    if falls(state, jet):
        return jet.move.dropped
    return jet.hexes_left == 0 and not jet.move.slowed


def falls(state: State, jet: Jet) -> bool:
    """OSAAF-ST-1, OSAAF-ST-2: a stalled jet does not move; it loses altitude instead."""
    return jet.stalled and state.rulings.stall == "on"


# The move (MV-5 to MV-11).


def _next(state: State, jet: Jet) -> Step:
    """What the moving jet does next."""
    if falls(state, jet):
        return _fall(jet)
    if jet.hexes_left == 0:
        event = SpeedLost(jet.id, slowed(jet))
        return Effect(event, "OSAAF-AE-2", f"{jet.name} slows down", jet.seat, jet.id)
    heading = jet.move.heading
    if heading == "":
        return _decide(state, jet)
    if heading != "ahead" and not jet.move.tried:
        return _turn(jet, heading) if jet.move.sides == 1 else _stunt(jet, heading)
    return _fly(state, jet)


def _fall(jet: Jet) -> Effect:
    """OSAAF-ST-2."""
    if jet.altitude > LOWEST:
        event = StallDropped(jet.id, jet.altitude - 1)
        return Effect(event, "OSAAF-ST-2", f"{jet.name} falls", jet.seat, jet.id)
    event = Crashed(jet.id, jet.hex)
    return Effect(event, "OSAAF-ST-2", f"{jet.name} crashes", jet.seat, jet.id)


def _fly(state: State, jet: Jet) -> Step:
    """OSAAF-MV-5, OSAAF-MV-8: into the hex ahead; straight on to the end if that was chosen."""
    straight = jet.move.heading == "ahead" and jet.move.standing
    path = ahead(state.board, jet.hex, jet.facing, jet.hexes_left if straight else 1)
    if not path:
        return _leave(state, jet)
    event = Flew(jet.id, path, jet.facing, jet.hexes_left - len(path))
    cite = "OSAAF-MV-8" if jet.move.tried else "OSAAF-MV-5"
    return Effect(event, cite, f"{jet.name} flies", jet.seat, jet.id)


def ahead(board: Board, place: Hex, facing: int, hexes: int) -> tuple[Hex, ...]:
    """The next hexes off the nose, as far as they are on the board."""
    path: list[Hex] = []
    for n in range(1, hexes + 1):
        one = place.ahead(facing, n)
        if one not in board:
            break
        path.append(one)
    return tuple(path)


# Aerobatics (AE), a switch: two or three hex-sides before one hex.


def _stunt(jet: Jet, side: Side) -> Roll:
    """OSAAF-AE-1: one turn roll for each hex-side; after one that fails there is no need for the others."""
    sides, number = jet.move.sides, jet.move.won + 1
    return Roll(
        id=f"stunt:{jet.id}:{jet.move.flown}:{number}",
        seat=jet.seat,
        title=f"{jet.name}: turn by {60 * sides}°, roll {number} of {sides}",
        pool=TURN_DICE,
        happen=partial(stunt_roll, jet, side),
        cite="OSAAF-AE-1",
        unit=jet.id,
        why=_must_beat(jet),
        odds=Odds("Chance of this roll", turn_chance(jet), yes=True),
    )


def stunt_roll(jet: Jet, side: Side, faces: tuple[int, ...]) -> StuntRolled:
    """OSAAF-AE-1: each roll as in OSAAF-MV-6 and OSAAF-MV-7. OSAAF-AE-2: all succeed, or no turn."""
    rolled, sides = turn_roll(jet, side, faces), jet.move.sides
    number = jet.move.won + 1
    done = rolled.success and number == sides
    return StuntRolled(
        jet=jet.id,
        side=side,
        sides=sides,
        roll=number,
        dice=faces,
        kept=rolled.kept,
        face=rolled.face,
        bonus=rolled.bonus,
        speed=rolled.speed,
        success=rolled.success,
        over=done or not rolled.success,
        facing=turned(jet.facing, side, sides) if done else jet.facing,
    )


def stunt_chance(jet: Jet, sides: int) -> Chain:
    """The chance that all of the rolls succeed: True or False."""
    once = turn_chance(jet)

    def step(won: int | bool) -> Chance | None:
        if isinstance(won, bool):
            return None
        after: int | bool = True if won + 1 == sides else won + 1
        return Chance(once.pool, lambda faces: after if once.outcome(faces) else False)

    return Chain(0, step, ("osaaf-stunt", sides, once.key))


def stunt_blocked(jet: Jet) -> Blocked | None:
    """OSAAF-AE-1: once a move, with Speed 2 or more; and no roll that can't succeed."""
    if jet.move.stunt:
        return Blocked("one aerobatic turn a move", "OSAAF-AE-1")
    if jet.speed < STUNT_SPEED:
        return Blocked(f"needs Speed {STUNT_SPEED} or more", "OSAAF-AE-1")
    return turn_blocked(jet)


def slowed(jet: Jet) -> int:
    """OSAAF-AE-2: Speed after an aerobatic turn that failed. A stall counts only from the next turn on."""
    return max(0, jet.speed - 1)


# Edges of the board (ED).


def _leave(state: State, jet: Jet) -> Step:
    """OSAAF-ED-1: the next hex is off the board. OSAAF-ED-2: it may leave for good, or has to."""
    if state.rulings.edge == "off":
        event = _left(state, jet, "disengage")
        return Effect(event, "OSAAF-ED-2", f"{jet.name} leaves the board", jet.seat, jet.id)
    return Decision(
        id=f"leave:{jet.id}",
        seat=jet.seat,
        title="Leaves the board: come back or disengage",
        options=partial(_leave_options, state, jet),
        happen=partial(_left, state, jet),
        cite="OSAAF-ED-2",
        unit=jet.id,
        why="the hex ahead is off the board; the rest of its move is lost",
        initial="return",
        action="Leave",
    )


def _leave_options(state: State, jet: Jet) -> list[Option]:
    facing = COMPASS[turned(jet.facing, "right", 3)]
    back = f"at the start of turn {back_in(state)} in {jet.hex.label}, facing {facing}"
    if (back_in(state) or 0) > state.turns:
        back = f"off the board when the game ends, after turn {state.turns}"
    out = "out of the game; counts 1 point for the enemy"
    if state.rulings.victory == "off":
        out = "out of the game"
    return [
        Option("return", "Come back", back, cite="OSAAF-ED-1"),
        Option("disengage", "Disengage for good", out, cite="OSAAF-ED-2"),
    ]


def _left(state: State, jet: Jet, choice: str) -> LeftBoard:
    back = back_in(state) if choice == "return" else None
    return LeftBoard(jet.id, jet.hex, back, slowed(jet) if jet.move.slowed else None)


def back_in(state: State) -> int | None:
    """OSAAF-ED-1: the turn at whose start a jet that leaves now returns; None: it is out for good."""
    return state.turn + 2 if state.rulings.edge == "on" else None


# The turn roll (MV-6 to MV-11, MV-13).


def turned(facing: int, side: Side, sides: int = 1) -> int:
    """So many hex-sides to the left or the right (OSAAF-CO-7)."""
    return (facing + (sides if side == "right" else -sides)) % 6


def keep_one(grade: Maneuverability | Quality, faces: tuple[int, ...]) -> int:
    """OSAAF-MV-6: which of three dice counts, by its place: low keeps the lowest, high the highest."""
    rising = sorted(range(len(faces)), key=lambda n: faces[n])
    return rising[{"low": 0, "medium": 1, "high": 2}[grade]]


def turns(
    maneuverability: Maneuverability, hard_turns: int, speed: int, faces: tuple[int, ...]
) -> bool:
    """OSAAF-MV-7: the die that counts and the hard turns together must be above Speed."""
    return faces[keep_one(maneuverability, faces)] + hard_turns > speed


def turn_roll(jet: Jet, side: Side, faces: tuple[int, ...]) -> TurnRolled:
    """OSAAF-MV-6, OSAAF-MV-7, OSAAF-MV-9: success turns the jet to the side it named.

    OSAAF-MV-10: failure keeps the heading. OSAAF-MV-11: Speed is the one set this turn.
    """
    kept = keep_one(jet.aircraft.maneuverability, faces)
    success = turns(jet.aircraft.maneuverability, jet.hard_turns, jet.speed, faces)
    return TurnRolled(
        jet=jet.id,
        side=side,
        dice=faces,
        kept=tuple(n == kept for n in range(len(faces))),
        face=faces[kept],
        bonus=jet.hard_turns,
        speed=jet.speed,
        success=success,
        facing=turned(jet.facing, side) if success else jet.facing,
    )


def turn_chance(jet: Jet) -> Chance:
    """The chance of a turn roll: True or False."""
    card, bonus, speed = jet.aircraft, jet.hard_turns, jet.speed
    key = ("osaaf-turn", card.maneuverability, bonus, speed)
    return Chance(TURN_DICE, partial(turns, card.maneuverability, bonus, speed), key)


def turn_blocked(jet: Jet) -> Blocked | None:
    """OSAAF-MV-13: nobody turns at Speed 6 plus hard turns or more."""
    bonus, speed = jet.hard_turns, jet.speed
    if speed < 6 + bonus:
        return None
    best = f"a 6 with +{bonus}" if bonus else "a 6"
    reason = f"not even {best} is above Speed {speed}"
    return Blocked(reason, "OSAAF-MV-7")


def _turn(jet: Jet, side: Side) -> Roll:
    return Roll(
        id=f"turn:{jet.id}:{jet.move.flown}",
        seat=jet.seat,
        title=f"{jet.name}: turn {side}",
        pool=TURN_DICE,
        happen=partial(turn_roll, jet, side),
        cite="OSAAF-MV-7",
        unit=jet.id,
        why=_must_beat(jet),
        odds=Odds("Chance to turn", turn_chance(jet), yes=True),
    )


def _must_beat(jet: Jet) -> str:
    return f"must beat Speed {jet.speed}" + (f" with +{jet.hard_turns}" * bool(jet.hard_turns))


# What can be chosen before a hex.


def _decide(state: State, jet: Jet) -> Decision:
    flown = jet.move.flown
    return Decision(
        id=f"move:{jet.id}:{flown}",
        seat=jet.seat,
        title=f"Fly hex {flown + 1} of {jet.speed}",
        options=partial(_move_options, state, jet),
        happen=partial(_move_chosen, jet),
        cite="OSAAF-MV-6",
        unit=jet.id,
        why=place_reason(state, jet.id),
        initial="ahead",
        action="Fly",
    )


def _move_chosen(jet: Jet, choice: MoveChoice) -> MoveChosen:
    return MoveChosen(jet.id, choice, jet.hexes_left)


def place_reason(state: State, jet: str) -> str:
    """Why a jet moves when it does, in a few words; "" before the order is set."""
    places = state.places or ()
    place = next((place for place in places if place.jet == jet), None)
    if place is None:
        return ""
    lowest = place.altitude == min(other.altitude for other in places)
    reason = f"{'lowest' if lowest else 'next lowest'} altitude ({place.altitude})"
    if place.by == "altitude":
        return reason
    if place.by == "die":
        return f"{reason}, then by die: {', '.join(str(face) for face in place.rolls)}"
    same = [other for other in places if other.altitude == place.altitude]
    return f"{reason}, then from down-sun: {same.index(place) + 1} of {len(same)}"


def _move_options(state: State, jet: Jet) -> list[Option]:
    """OSAAF-MV-8: one hex after each try, so with one hex left there is one choice to make."""
    options = [_ahead_option(state, jet), *(_turn_option(state, jet, side) for side in SIDES)]
    if jet.hexes_left > 1:
        options.append(_straight_option(state, jet))
        options += [_keep_turning_option(state, jet, side) for side in SIDES]
    if state.rulings.aerobatics == "on":
        options += [_stunt_option(state, jet, *stunt) for stunt in STUNTS]
    return options


def _ahead_option(state: State, jet: Jet) -> Option:
    path = ahead(state.board, jet.hex, jet.facing, 1)
    return Option(
        value="ahead",
        label="Straight ahead",
        detail=_leads_to(state, path, jet.facing),
        cite="OSAAF-MV-5",
        place=path[-1].label if path else None,
        path=_labels(path),
        facing=jet.facing,
    )


def _straight_option(state: State, jet: Jet) -> Option:
    hexes = jet.hexes_left
    path = ahead(state.board, jet.hex, jet.facing, hexes)
    whole = len(path) == hexes
    return Option(
        value="ahead-all",
        label=f"Straight ahead for all {hexes} hexes",
        detail=_leads_to(state, path if whole else (), jet.facing),
        cite="OSAAF-MV-5",
        place=path[-1].label if whole else None,
        path=_labels(path),
        facing=jet.facing,
    )


def _turn_option(state: State, jet: Jet, side: Side) -> Option:
    facing = turned(jet.facing, side)
    path = ahead(state.board, jet.hex, facing, 1)
    failed = ahead(state.board, jet.hex, jet.facing, 1)
    blocked = turn_blocked(jet)
    success, failure = _leads_to(state, path, facing), _leads_to(state, failed, jet.facing)
    return Option(
        value=side,
        label=f"Try to turn {side} to {COMPASS[facing]}",
        detail=f"{success}; if it fails, {failure}",
        cite="OSAAF-MV-7",
        odds=None if blocked else Odds("Chance to turn", turn_chance(jet), yes=True),
        blocked=blocked,
        place=path[-1].label if path else None,
        path=_labels(path),
        facing=facing,
    )


def _keep_turning_option(state: State, jet: Jet, side: Side) -> Option:
    blocked = turn_blocked(jet)
    path, facing = _if_all_succeed(state.board, jet, side)
    return Option(
        value=f"{side}-all",
        label=f"Keep trying {side} before each of {jet.hexes_left} hexes",
        detail="no more questions until the move is over",
        cite="OSAAF-MV-7",
        odds=None if blocked else Odds("Chance to turn at each try", turn_chance(jet), yes=True),
        blocked=blocked,
        path=_labels(path),
        facing=facing,
    )


STUNTS: Sequence[tuple[MoveChoice, Side, int]] = (
    ("left-2", "left", 2),
    ("right-2", "right", 2),
    ("about", "right", 3),
)
"""To turn about, either side is as good."""


def _stunt_option(state: State, jet: Jet, value: MoveChoice, side: Side, sides: int) -> Option:
    facing = turned(jet.facing, side, sides)
    path = ahead(state.board, jet.hex, facing, 1)
    failed = ahead(state.board, jet.hex, jet.facing, 1)
    blocked = stunt_blocked(jet)
    success, failure = _leads_to(state, path, facing), _leads_to(state, failed, jet.facing)
    which = "about" if sides == 3 else f"120° {side}"
    return Option(
        value=value,
        label=f"Aerobatics: turn {which} to {COMPASS[facing]}",
        detail=f"{sides} turn rolls, {success}; if one fails, {failure} and −1 Speed at the end",
        cite="OSAAF-AE-1",
        odds=None if blocked else Odds("Chance to turn", stunt_chance(jet, sides), yes=True),
        blocked=blocked,
        place=path[-1].label if path else None,
        path=_labels(path),
        facing=facing,
    )


def _if_all_succeed(board: Board, jet: Jet, side: Side) -> tuple[tuple[Hex, ...], int]:
    """The hexes flown, as far as the board goes, and the last facing, if every try succeeds."""
    path: list[Hex] = []
    place, facing = jet.hex, jet.facing
    for _ in range(jet.hexes_left):
        facing = turned(facing, side)
        place = place.ahead(facing)
        if place not in board:
            break
        path.append(place)
    return tuple(path), facing


def _leads_to(state: State, path: tuple[Hex, ...], facing: int) -> str:
    if path:
        return f"to {path[-1].label} facing {COMPASS[facing]}"
    back = back_in(state)
    if back is None:
        return "off the board, out for good"
    if back > state.turns:
        return "off the board until the game ends"
    return f"off the board, back at the start of turn {back} or out for good"


def _labels(path: tuple[Hex, ...]) -> tuple[str, ...]:
    return tuple(place.label for place in path)
