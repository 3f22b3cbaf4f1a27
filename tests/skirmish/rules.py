"""The phases. Each says what it has still to do, first thing first; None once it is through."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from app.engine.chance import Chain, Chance, Odds
from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.game import Phase, PhaseStep
from app.engine.hexes import COMPASS, Hex, distance, parse_label
from app.engine.log import Event, Finished, Result
from app.engine.secret import Secret
from app.engine.sequence import Blocked, Decision, Draft, Effect, Option, Roll, Todo, Toggle
from tests.skirmish import events as e
from tests.skirmish.model import LABELS, SEATS, STEPS, Plane, Plot, Snap, State, other

TURNS = {"ahead": 0, "left": -1, "right": 1}
SIDES = ("On the line", "To the right", "To the right", "On the line", "To the left", "To the left")
TOKENS = {"A": 0, "L": -1, "R": 1}
MOST_TOKENS = 4


def muster(s: State) -> Todo:
    """1.1, before the first turn only."""
    return tuple(
        Decision(
            id=f"reserve-{side.seat}",
            seat=side.seat,
            title="Declare a reserve",
            options=lambda: [Option(n, f"{n} in reserve") for n in range(4)],
            happen=partial(_reserve, side.seat),
            cite="skirmish-1.1",
            sealed=True,
            initial=1,
        )
        for side in s.sides
        if side.reserve is None
    )


def _reserve(seat: str, reserve: int) -> Event:
    return e.ReserveDeclared(seat, Secret(reserve, (seat,)))


def plot(s: State) -> Todo:
    """2.1 to 2.4."""
    if any(side.shown is not None for side in s.sides):
        return None
    if open_ := tuple(_plot(s, side.seat) for side in s.sides if side.plot is None):
        return open_
    plots = {
        side.seat: side.plot.value
        for side in s.sides
        if side.plot is not None and side.plot.value is not None
    }
    return Effect(e.PlotsShown(plots), "skirmish-2.3", "Plots are shown")


def _plot(s: State, seat: str) -> Decision:
    reserve = s.side(seat).reserve
    broke = reserve is not None and reserve.value == 0

    def options() -> list[Option]:
        listed: list[Option] = []
        for plan, steps in STEPS.items():
            for decoy in (False, True):
                blocked = None
                if plan == "dash" and broke:
                    blocked = Blocked("There is no reserve left.", "skirmish-2.2")
                elif plan == "hold" and decoy:
                    blocked = Blocked("A decoy needs a press or a dash.", "skirmish-2.4")
                listed.append(
                    Option(
                        {"plan": plan, "decoy": decoy},
                        plan.capitalize(),
                        f"{steps} step{'s' * (steps > 1)}",
                        cost="-1 reserve" if plan == "dash" else "",
                        cite="skirmish-2.2" if plan == "dash" else None,
                        blocked=blocked,
                    )
                )
        return listed

    return Decision(
        id=f"plot-{s.turn}-{seat}",
        seat=seat,
        title="Plot this turn",
        options=options,
        happen=partial(_plotted, seat),
        cite="skirmish-2.1",
        sealed=True,
        initial={"plan": "press", "decoy": False},
        toggle=Toggle("decoy", "With a decoy", "Shots at you need 1 more"),
        action="Plot",
    )


def _plotted(seat: str, value: Mapping[str, Any]) -> Event:
    return e.Plotted(seat, Secret(Plot(value["plan"], value["decoy"]), (seat,)))


def smoke(s: State) -> Todo:
    """3.1, one side after the other: any hex of the map, so the choice has a schema."""
    for side in s.sides:
        if side.smoke > 0 and not side.smoke_asked:
            return Decision(
                id=f"smoke-{s.turn}-{side.seat}",
                seat=side.seat,
                title="Lay smoke",
                options=lambda: [Option({"hex": None}, "None"), *_smoke_examples(s)],
                happen=partial(e.SmokeLaid, side.seat),
                cite="skirmish-3.1",
                schema={
                    "type": "object",
                    "properties": {
                        "hex": {
                            "type": ["string", "null"],
                            "pattern": "^[0-9]{4}$",
                            "format": "hex",
                        },
                    },
                    "required": ["hex"],
                    "additionalProperties": False,
                },
                read=partial(_read_smoke, s),
            )
    return None


def _smoke_examples(s: State) -> list[Option]:
    """A few of them: the hexes that planes look at."""
    ahead = {plane.hex.ahead(plane.facing): plane for plane in s.planes}
    return [
        Option({"hex": place.label}, f"Ahead of {plane.name}", place=place.label)
        for place, plane in ahead.items()
        if place in s.board and not s.taken(place) and place not in s.smoke
    ]


def _read_smoke(s: State, choice: Any) -> Any:
    cite = "skirmish-3.1"
    if not isinstance(choice, dict) or set(choice) != {"hex"}:
        raise Illegal("Smoke is laid on a hex, or nowhere: {hex: label or null}.", cite)
    label = choice["hex"]
    if label is None:
        return None
    if not isinstance(label, str):
        raise Illegal("A hex is named by its label.", cite)
    place = parse_label(label)
    if place not in s.board:
        raise Illegal(f"{label} is not on the map.", cite)
    if s.taken(place) or place in s.smoke:
        raise Illegal(f"{label} is not free.", cite)
    return place


def flight(s: State) -> Todo:
    """4 and 5. What is owed comes first: a shot interrupts a flight, a wingman follows its leader."""
    if (over := ending(s)) is not None:
        return over
    if s.order is None:
        return _order(s)
    if s.snaps:
        return _snap(s, s.snaps[0])
    for seat in SEATS:
        if not any(plane.leader for plane in s.of(seat)):
            heir = s.of(seat)[0]
            return Effect(e.Promoted(heir.id), "skirmish-4.7", seat=seat, unit=heir.id, step="fly")
    if s.followers:
        return _follow(s, s.plane(s.followers[0]))
    if not s.order:
        return None
    plane = s.plane(s.order[0])
    if s.move is None:
        shown = s.side(plane.seat).shown
        steps = STEPS[shown.plan] if shown is not None else 1
        return Effect(
            e.MoveBegan(plane.id, steps),
            "skirmish-2.1",
            seat=plane.seat,
            unit=plane.id,
            step="fly",
        )
    if s.move.left > 0:
        return _step(s, plane)
    return Effect(_end(s, plane), "skirmish-4.2", seat=plane.seat, unit=plane.id, step="fly")


def _order(s: State) -> Roll:
    seven = 7 if s.rulings["seven"] == "first" else 6

    def first(faces: tuple[int, ...]) -> bool:
        return sum(faces) <= seven

    def happen(faces: tuple[int, ...]) -> Event:
        seats = SEATS if first(faces) else SEATS[::-1]
        leaders = [plane.id for seat in seats for plane in s.of(seat) if plane.leader]
        return e.OrderFixed(sum(faces), tuple(leaders))

    return Roll(
        id=f"order-{s.turn}",
        seat=SEATS[0],
        title="Who flies first",
        pool=Pool(2),
        happen=happen,
        cite="skirmish-4.1",
        step="order",
        odds=Odds(
            "Red flies first", Chance(Pool(2), first, ("skirmish", "first", seven)), yes=True
        ),
    )


def _step(s: State, plane: Plane) -> Decision:
    assert s.move is not None

    def options() -> list[Option]:
        listed: list[Option] = []
        for name, turn in TURNS.items():
            facing = (plane.facing + turn) % 6
            to = plane.hex.ahead(facing)
            blocked = None
            off = to not in s.board
            if off and s.rulings["edge"] == "wall":
                blocked = Blocked("The map ends there.", "skirmish-4.5")
            elif s.taken(to):
                blocked = Blocked("There is a plane.", "skirmish-4.4")
            listed.append(
                Option(
                    name,
                    name.capitalize(),
                    "off the map" if off else f"to {to.label}",
                    cite="skirmish-4.5" if off else "skirmish-4.2",
                    odds=None if off or blocked else _danger(s, plane, to),
                    blocked=blocked,
                    place=None if off else to.label,
                    path=() if off else (to.label,),
                    facing=facing,
                )
            )
        must = s.move is not None and s.move.flown == 0
        if must and any(option.blocked is None for option in listed):
            listed.append(Option("stop", "Stop", blocked=Blocked("Fly first.", "skirmish-4.3")))
        else:
            listed.append(Option("stop", "Stop", "end the flight here", cite="skirmish-4.3"))
        return listed

    return Decision(
        id=f"step-{s.turn}-{plane.id}-{s.move.flown}",
        seat=plane.seat,
        title=f"Fly {plane.name}",
        options=options,
        happen=partial(_stepped, s, plane),
        cite="skirmish-4.2",
        unit=plane.id,
        why=f"{s.move.left} step{'s' * (s.move.left > 1)} left",
        step="fly",
        initial="ahead",
        action="Fly",
    )


def _stepped(s: State, plane: Plane, name: str) -> Event:
    if name == "stop":
        return _end(s, plane)
    facing = (plane.facing + TURNS[name]) % 6
    to = plane.hex.ahead(facing)
    if to not in s.board:
        return e.FlewOff(plane.id)
    return e.Stepped(plane.id, to, facing, tuple(one.id for one in s.threats(plane.seat, to)))


def _end(s: State, plane: Plane) -> Event:
    behind = tuple(one.id for one in s.of(plane.seat) if not one.leader)
    return e.MoveEnded(plane.id, behind)


def _danger(s: State, plane: Plane, to: Hex) -> Odds | None:
    """How likely at least one snap shot hits there: a chain, as each shot may be the last."""
    needed = s.needed(plane.seat, to)
    shots = sum(1 for _ in s.threats(plane.seat, to))
    if not shots:
        return None
    key = ("skirmish", "danger", shots, needed)
    return Odds(
        "Hit if all fire", Chain(("left", shots), partial(next_shot, needed), key), yes=True
    )


def next_shot(needed: int, position: Any) -> Chance | None:
    """The next shot of a chain. Positions are ("left", shots), then True or False."""
    if isinstance(position, bool):
        return None
    left = position[1] - 1
    missed = ("left", left) if left else False
    return Chance(Pool(2), lambda faces: True if sum(faces) >= needed else missed)


def _snap(s: State, snap: Snap) -> Todo:
    shooter, target = s.plane(snap.shooter), s.plane(snap.target)
    needed = s.needed(target.seat, target.hex)
    if snap.hit:
        return Roll(
            id=f"damage-{s.turn}-{shooter.id}-{target.id}",
            seat=shooter.seat,
            title=f"What the hit does to {target.name}",
            pool=Pool(1),
            happen=lambda faces: e.Damaged(
                target.id, faces[0], lost=_damage(target.shaken, faces) == "lost"
            ),
            cite="skirmish-5.3",
            unit=target.id,
            step="fire",
            odds=Odds("What the hit does", _damage_chance(target.shaken)),
        )
    if snap.fires:
        return Roll(
            id=f"shot-{s.turn}-{shooter.id}-{target.id}",
            seat=shooter.seat,
            title=f"{shooter.name} fires at {target.name}",
            pool=Pool(2),
            happen=lambda faces: e.ShotRolled(
                shooter.id, target.id, needed, sum(faces), hit=sum(faces) >= needed
            ),
            cite="skirmish-5.2",
            unit=shooter.id,
            step="fire",
            odds=Odds("What the shot does", _shot_chance(needed, target.shaken)),
            terms=s.terms(target.seat, target.hex),
        )
    flown = s.move.flown if s.move is not None else 0
    return Decision(
        id=f"snap-{s.turn}-{target.id}-{flown}-{shooter.id}",
        seat=shooter.seat,
        title=f"Fire at {target.name}?",
        options=lambda: [
            Option(
                True,
                "Fire",
                f"hits on {needed} or more",
                cite="skirmish-5.2",
                odds=Odds("What the shot does", _shot_chance(needed, target.shaken)),
                terms=s.terms(target.seat, target.hex),
            ),
            Option(False, "Hold fire"),
        ],
        happen=lambda fire: (
            e.Fired(shooter.id, target.id) if fire else e.HeldFire(shooter.id, target.id)
        ),
        cite="skirmish-5.1",
        unit=shooter.id,
        why=f"{target.name} flew into its front",
        step="fire",
    )


def _shot_chance(needed: int, shaken: bool) -> Chance:
    hit = _damage_chance(shaken)
    return Chance(
        Pool(2),
        lambda faces: hit if sum(faces) >= needed else "miss",
        ("skirmish", "shot", needed, shaken),
    )


def _damage_chance(shaken: bool) -> Chance:
    return Chance(Pool(1), partial(_damage, shaken), ("skirmish", "damage", shaken))


def _damage(shaken: bool, faces: tuple[int, ...]) -> str:
    return "lost" if shaken or faces[0] >= 4 else "shaken"


def _follow(s: State, plane: Plane) -> Todo:
    """4.6: nearer if it can, so often only one hex is left and nobody is asked."""
    leader = next(one for one in s.of(plane.seat) if one.leader)
    now = distance(plane.hex, leader.hex)
    free = [
        place
        for facing in range(6)
        if (place := plane.hex.ahead(facing)) in s.board and not s.taken(place)
    ]
    nearer = [place for place in free if distance(place, leader.hex) < now]
    if not nearer:
        stays = e.Followed(plane.id, plane.hex)
        return Effect(stays, "skirmish-4.6", seat=plane.seat, unit=plane.id, step="fly")

    def options() -> list[Option]:
        far = Blocked(f"{leader.name} has to come nearer.", "skirmish-4.6")
        return [
            Option(
                place.label,
                f"To {place.label}",
                blocked=None if place in nearer else far,
                place=place.label,
                path=(place.label,),
                facing=plane.facing,
            )
            for place in free
        ]

    return Decision(
        id=f"follow-{s.turn}-{plane.id}",
        seat=plane.seat,
        title=f"{plane.name} follows",
        options=options,
        happen=lambda label: e.Followed(plane.id, parse_label(label)),
        cite="skirmish-4.6",
        unit=plane.id,
        why=f"{leader.name} has moved",
        step="fly",
    )


def dusk(s: State) -> Todo:
    """6: the smoke (perhaps no dice at all), then both sides at once and openly, then the last turn's end."""
    if not s.thinned:
        pool = Pool(len(s.smoke))
        return Roll(
            id=f"thin-{s.turn}",
            seat=SEATS[0],
            title="Smoke drifts away",
            pool=pool,
            happen=lambda faces: e.SmokeThinned(_thin(faces)),
            cite="skirmish-6.1",
            odds=Odds("Smokes gone", Chance(pool, _thin, ("skirmish", "thin", pool.count))),
        )
    if open_ := tuple(_regroup(s, side.seat) for side in s.sides if not side.regrouped):
        return open_
    for side in s.sides:
        if not side.woven:
            return _weave(s, side.seat)
    return ending(s) if s.turn < s.turns else _time(s)


def _thin(faces: tuple[int, ...]) -> int:
    return sum(face <= 2 for face in faces)


def _regroup(s: State, seat: str) -> Decision:
    plane = s.of(seat)[-1]

    def options() -> list[Option]:
        about = Blocked("It can't turn right about.", "skirmish-6.3")
        return [
            Option(
                facing,
                f"Face {COMPASS[facing]}",
                blocked=about
                if s.rulings["about"] == "no" and facing == (plane.facing + 3) % 6
                else None,
                place=plane.hex.label,
                facing=facing,
                group=SIDES[(facing - plane.facing) % 6],
            )
            for facing in range(6)
        ]

    return Decision(
        id=f"regroup-{s.turn}-{seat}",
        seat=seat,
        title=f"Turn {plane.name}",
        options=options,
        happen=partial(e.Regrouped, seat, plane.id),
        cite="skirmish-6.2",
        unit=plane.id,
        initial=plane.facing,
    )


def _weave(s: State, seat: str) -> Decision:
    """6.4."""
    plane = s.of(seat)[-1]
    read = partial(_read_weave, s, plane)

    def happen(line: str) -> Event:
        flown = read(line)
        path = tuple(parse_label(label) for label in flown.path)
        facing = plane.facing if flown.facing is None else flown.facing
        return e.Woven(seat, plane.id, line, path, facing)

    def options() -> list[Option]:
        lines = {"": "Stay", "A": "Straight on", "A,A": "Straight on, twice"}
        return [
            Option(line, label, blocked=read(line).fault, cite="skirmish-6.4")
            for line, label in lines.items()
        ]

    return Decision(
        id=f"weave-{s.turn}-{seat}",
        seat=seat,
        title=f"{plane.name} may weave",
        options=options,
        happen=happen,
        cite="skirmish-6.4",
        unit=plane.id,
        why="the last plane of its side",
        action="Weave",
        draft=read,
    )


def _read_weave(s: State, plane: Plane, text: str) -> Draft:
    """6.4 and 6.5. Capitals don't matter, nor spaces, nor a comma at the end: it is being typed."""
    tokens = text.upper().replace(" ", "").rstrip(",").split(",")
    done: list[str] = []
    at, facing, path, told = plane.hex, plane.facing, [], []
    fault = None
    for token in tokens if tokens != [""] else ():
        fault = _no_weave(s, at, facing, done, token)
        if fault is not None:
            break
        done.append(token)
        facing = (facing + TOKENS[token]) % 6
        if token == "A":
            at = at.ahead(facing)
            path.append(at.label)
        told.append(f"to {at.label}" if token == "A" else f"turns to {COMPASS[facing]}")
    following: list[Option] = []
    for token in TOKENS if len(done) < MOST_TOKENS else ():
        turned = (facing + TOKENS[token]) % 6
        to = at.ahead(turned).label if token == "A" else at.label
        following.append(
            Option(
                ",".join([*done, token]),
                token,
                f"to {to}" if token == "A" else f"face {COMPASS[turned]}",
                blocked=_no_weave(s, at, facing, done, token),
                group="Fly" if token == "A" else "Turn",
                place=to if token == "A" else None,
                facing=turned,
            )
        )
    return Draft(
        text=",".join(done),
        next=tuple(following),
        whole=not done or done[-1] == "A",
        fault=fault,
        path=tuple(path),
        facing=facing,
        figures=(("Ends in", at.label), ("Tokens left", str(MOST_TOKENS - len(done)))),
        told=tuple(told),
    )


def _no_weave(s: State, at: Hex, facing: int, done: list[str], token: str) -> Blocked | None:
    """Why a token can't follow: a turn needs a hex ahead of it for the A that ends the line."""
    if token not in TOKENS:
        return Blocked(f"{token or 'Nothing'} is no token: A, L or R.", "skirmish-6.4")
    if len(done) + (token != "A") >= MOST_TOKENS:
        return Blocked(f"A weave has {MOST_TOKENS} tokens and ends with A.", "skirmish-6.4")
    if token != "A" and done and done[-1] != "A":
        return Blocked("Two turns running are too many.", "skirmish-6.5")
    to = at.ahead((facing + TOKENS[token]) % 6)
    if to not in s.board:
        return Blocked("The map ends there.", "skirmish-6.5")
    if s.taken(to):
        return Blocked("There is a plane.", "skirmish-6.5")
    return None


def ending(s: State) -> Effect | None:
    """7.1 and 7.2, asked before anything else in a flight."""
    for seat in SEATS:
        if not s.of(seat):
            text = f"{LABELS[seat]} has no plane left."
            result = Result("elimination", text, (other(seat),))
            return Effect(Finished(result), "skirmish-7.1", "The end")
    for plane in s.planes:
        busy = s.move is not None and s.move.plane == plane.id
        if plane.leader and not busy and plane.hex == s.homes[other(plane.seat)]:
            text = f"{plane.name} holds {LABELS[other(plane.seat)]}'s home."
            result = Result("home", text, (plane.seat,))
            return Effect(Finished(result), "skirmish-7.2", "The end")
    return None


def _time(s: State) -> Effect:
    """7.3. Reserves are secret until then, so showing them is a fact of its own."""
    if s.reserves is None:
        left = {
            side.seat: side.reserve.value
            for side in s.sides
            if side.reserve is not None and side.reserve.value is not None
        }
        return Effect(e.ReservesShown(left), "skirmish-7.3", "Reserves are shown")
    scores = {seat: 3 * len(s.of(seat)) + s.reserves.get(seat, 0) for seat in SEATS}
    best = max(scores.values())
    winners = tuple(seat for seat in SEATS if scores[seat] == best)
    result = Result("time", "The last turn is over.", winners if len(winners) == 1 else (), scores)
    return Effect(Finished(result), "skirmish-7.3", "The end")


PHASES: tuple[Phase[State], ...] = (
    Phase("muster", "Muster", muster, "skirmish-1.1"),
    Phase("plot", "Plot", plot, "skirmish-2.1"),
    Phase("smoke", "Smoke", smoke, "skirmish-3.1"),
    Phase(
        "flight",
        "Flight",
        flight,
        "skirmish-4.2",
        (
            PhaseStep("order", "Order"),
            PhaseStep("fly", "Fly"),
            PhaseStep("fire", "Snap shots"),
        ),
    ),
    Phase("dusk", "Dusk", dusk, "skirmish-6.2"),
)
