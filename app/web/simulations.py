"""Simulations: a form, the progress of a job, and its results. All of it works without JavaScript.

Belongs here: what is asked and shown. Does not belong here: playing, counting, and how jobs are bounded
(`app.simulation`).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.engine.errors import Illegal, Missing, NotYourSeat
from app.engine.game import Game, Scenario
from app.games import registry
from app.simulation.figures import percent
from app.simulation.jobs import Job, Jobs
from app.simulation.orders import MOST_MISSIONS, MOST_SEED, Order, compared, order_for
from app.simulation.playing import converted
from app.simulation.results import asked_for, careers, counted, figures_of, plain
from app.simulation.tables import tables_of
from app.simulation.writing import command_line
from app.web.deps import Caller, CallerDep, SiteDep, name_of
from app.web.page import GameId, Htmx

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

JobId = Annotated[str, Path(max_length=24)]

USUAL_GAMES = 200
MOST_SHOWN = 10
"""So many games that failed are shown; the CSV has all."""


async def _jobs(request: Request) -> Jobs:
    found: Jobs = request.app.state.simulations
    return found


JobsDep = Annotated[Jobs, Depends(_jobs)]


@dataclass(frozen=True)
class Asked:
    """What the form shows as chosen."""

    scenario: str
    games: int
    seed: int
    career: int
    picked: "Picked"


@dataclass(frozen=True)
class Picked:
    """Fields that depend on the game: `bots` by the place of their seat, from 1; `compared` where there is one.

    What was left empty is as usual.
    """

    bots: Mapping[str, str]
    compared: Sequence[str]
    rulings: Mapping[str, str]

    @classmethod
    def of(cls, fields: Sequence[tuple[str, str]]) -> "Picked":
        """From the address or the form: `bot.1`, `bot.2` …, `compare`, and `ruling.<id>`."""
        chosen = [(key, value) for key, value in fields if value]
        return cls(
            {key[4:]: value for key, value in chosen if key.startswith("bot.")},
            [value for key, value in chosen if key == "compare"],
            {key[7:]: value for key, value in chosen if key.startswith("ruling.")},
        )


@router.get("/games/{game}/simulate")
async def form(
    game: GameId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    jobs: JobsDep,
    scenario: Annotated[str, Query(max_length=60)] = "",
    games: Annotated[int, Query(ge=1, le=2**31)] = USUAL_GAMES,
    career: Annotated[int, Query(ge=0, le=MOST_MISSIONS)] = 0,
) -> HTMLResponse:
    """What to play, filled in as asked for by the address."""
    loaded = _with_bots(game)
    known = scenario if scenario in loaded.scenarios else next(iter(loaded.scenarios))
    picked = Picked.of(request.query_params.multi_items())
    most = site.settings.simulation_games
    # Another seed each time, so that running again is not the same again; the results name it.
    seed = secrets.randbelow(1_000_000)
    return HTMLResponse(
        site.pages.page(
            "simulations/form.html",
            meta=loaded.meta,
            scenarios=[(one, _seats(loaded, one)) for one in loaded.scenarios.values()],
            sides=_sides(loaded),
            bots=loaded.bots,
            rulings=list(loaded.rulebook.rulings.values()),
            asked=Asked(known, min(games, most), seed, career, picked),
            rivals=loaded.rivals,
            careers=loaded.next_setup is not None,
            most=most,
            most_missions=MOST_MISSIONS,
            most_seed=MOST_SEED,
            seconds=round(site.settings.simulation_seconds),
            running=jobs.unfinished_of(name_of(who)),
        )
    )


@router.post("/games/{game}/simulate")
async def start(
    game: GameId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    jobs: JobsDep,
    scenario: Annotated[str, Form(max_length=60)] = "",
    games: Annotated[int, Form()] = USUAL_GAMES,
    seed: Annotated[int, Form(ge=0, le=MOST_SEED)] = 1,
    career: Annotated[int, Form(ge=0, le=MOST_MISSIONS)] = 0,
) -> Response:
    """Start a job and go to it. Further fields: `bot.1`, `bot.2` …, `compare`, and `ruling.<id>`."""
    site.limits.command(name_of(who))
    owner = _owner(who)
    loaded = _with_bots(game)
    if not 1 <= games <= site.settings.simulation_games:
        raise Illegal(f"From 1 to {site.settings.simulation_games} games can be played here.")
    form = (await request.form()).multi_items()
    picked = Picked.of([(key, value) for key, value in form if isinstance(value, str)])
    chosen = _scenario(loaded, scenario)
    seats = _seats(loaded, chosen)
    # In one seat bots are compared; one that is ticked alone just plays.
    ticked = list(picked.compared) if seats == 1 else []
    bots = [picked.bots.get(str(n)) for n in range(1, seats + 1)]
    order = order_for(
        game,
        scenario=chosen.id,
        bots=ticked[:1] or bots,
        rulings=picked.rulings,
        games=games,
        seed=seed,
        missions=career,
    )
    orders = compared(order, ticked) if len(ticked) > 1 else (order,)
    _check_total(orders, site.settings.simulation_games)
    job = jobs.start(orders, owner, name_of(who))
    return RedirectResponse(f"/simulations/{job.id}", status_code=303)


@router.get("/simulations/{job_id}")
async def show(job_id: JobId, site: SiteDep, who: CallerDep, jobs: JobsDep) -> HTMLResponse:
    """How far a job is, or what came of it."""
    job = jobs.get(job_id)
    order = job.orders[0]
    game = registry.load(order.game)
    titles = _titles(game, job.orders)
    about: dict[str, Any] = {
        "job": job,
        "order": order,
        "bots": titles,
        "players": _players(job.orders, titles, rivals=game.rivals),
        "meta": game.meta,
        "title": game.scenarios[order.scenario].title,
        "asked_for": asked_for(job.orders),
        "command": command_line(job.orders),
    }
    if job.unfinished:
        page = site.pages.page(
            "simulations/running.html",
            **about,
            ahead=jobs.ahead_of(job),
            yours=job.owner == who.identity,
        )
    else:
        page = site.pages.page("simulations/results.html", **about, **_results(job, game, titles))
    return HTMLResponse(page, headers={"cache-control": "no-store"})


@router.get("/simulations/{job_id}/progress")
async def progress(
    job_id: JobId,
    site: SiteDep,
    jobs: JobsDep,
    hx_request: Htmx = None,
) -> Response:
    """The part of the page that changes while a job runs. Once it is over, the page is loaded anew."""
    if not hx_request:
        return RedirectResponse(f"/simulations/{job_id}", status_code=303)
    try:
        job = jobs.get(job_id)
    except Missing:
        job = None
    if job is None or not job.unfinished:
        return Response(status_code=204, headers={"hx-refresh": "true"})
    return HTMLResponse(
        site.pages.page("simulations/progress.html", job=job, ahead=jobs.ahead_of(job))
    )


@router.post("/simulations/{job_id}/cancel")
async def cancel(job_id: JobId, site: SiteDep, who: CallerDep, jobs: JobsDep) -> Response:
    """Stop a job of one's own."""
    site.limits.command(name_of(who))
    jobs.cancel(job_id, _owner(who))
    return RedirectResponse(f"/simulations/{job_id}", status_code=303)


@router.get("/simulations/{job_id}/games.csv")
async def games_csv(job_id: JobId, jobs: JobsDep) -> Response:
    """One row a game."""
    job = jobs.get(job_id)
    if job.unfinished:
        raise Missing("This simulation is not over yet.")
    order = job.orders[0]
    name = f"{order.game}-{order.scenario}-{order.seed}.csv"
    return Response(
        job.csv,
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


def _owner(who: Caller) -> str:
    if who.identity is None:
        raise NotYourSeat("A seat's token plays at its table; a simulation needs an identity.")
    return who.identity


def _with_bots(game_id: str) -> Game[Any]:
    game = registry.load(game_id)
    if not game.bots:
        raise Missing(f"{game.meta.title} has no bots, so nobody could play these games.")
    return game


def _scenario(game: Game[Any], scenario: str) -> Scenario:
    if not scenario:
        return next(iter(game.scenarios.values()))
    if scenario not in game.scenarios:
        known = ", ".join(game.scenarios)
        raise Missing(f"{game.meta.title} has the scenarios {known}; not {scenario[:60]!r}.")
    return game.scenarios[scenario]


def _seats(game: Game[Any], scenario: Scenario) -> int:
    return len(game.seats(converted(game, scenario.setup)))


def _check_total(orders: Sequence[Order], most: int) -> None:
    """Raise Illegal for more games in all than may be played here."""
    total = sum(order.all_games for order in orders)
    if total > most:
        order = orders[0]
        factors = [f"{order.games} games", f"{order.missions} missions", f"{len(orders)} bots"]
        number = " × ".join(
            one
            for one, counts in zip(factors, (1, order.missions, len(orders) > 1), strict=True)
            if counts
        )
        raise Illegal(f"At most {most} games can be played here; {number} are {total}.")


def _titles(game: Game[Any], orders: Sequence[Order]) -> dict[str, str]:
    """What each bot is called. Raises Missing where a result was kept of what the game has no more."""
    titles = {bot.id: bot.title for bot in game.bots}
    played = {bot for order in orders for bot in order.bots.values()}
    if orders[0].scenario not in game.scenarios or not titles.keys() >= played:
        raise Missing(
            "This simulation was of a scenario or a bot that the game does not have any more."
        )
    return titles


def _players(orders: Sequence[Order], titles: Mapping[str, str], *, rivals: bool) -> str:
    """Who plays against or with whom, or who is compared to whom."""
    if len(orders) == 1:
        return (" against " if rivals else " with ").join(
            titles[bot] for bot in orders[0].bots.values()
        )
    *first, last = [titles[bot] for order in orders for bot in order.bots.values()]
    return f"{', '.join(first)} and {last} compared"


def _sides(game: Game[Any]) -> list[str]:
    """What the seats are called, by place; in general words where scenarios call them differently."""
    labels = [
        [seat.label for seat in game.seats(converted(game, scenario.setup))]
        for scenario in game.scenarios.values()
    ]
    places = [
        {seats[n] for seats in labels if n < len(seats)} for n in range(max(map(len, labels)))
    ]
    return [
        names.pop() if len(names) == 1 else f"Side {n}" for n, names in enumerate(places, start=1)
    ]


def _results(job: Job, game: Game[Any], titles: Mapping[str, str]) -> dict[str, Any]:
    """What the page of a job that is over needs beside the job."""
    order, results = job.orders[0], job.results
    finished = bool(results) and all(result.games for result in results)
    failures = [(result.order, one) for result in results for one in result.failures]
    return {
        "counted": counted(results) if results else "",
        "done": sum(result.games for result in results),
        "finished": finished,
        "games": plain(results) if finished else [],
        "careers": careers(results) if finished else [],
        "rivals": game.rivals,
        "tables": tables_of(results, titles) if finished else (),
        "figures": figures_of(results, titles) if finished else (),
        "percent": percent,
        "endings": game.endings,
        "again": _again(job.orders),
        "failed": len(failures),
        "failures": [
            (failure, command_line((whose,), games=1, seed=failure.seed))
            for whose, failure in failures[:MOST_SHOWN]
        ],
        "seconds": sum(result.speed.seconds for result in results),
        "whole": all(result.whole for result in results),
        "missions": order.missions,
    }


def _again(orders: Sequence[Order]) -> list[tuple[str, str]]:
    """The fields of the form, as they were."""
    order = orders[0]
    fields = [("scenario", order.scenario), ("games", str(order.games))]
    if order.missions:
        fields.append(("career", str(order.missions)))
    if len(order.bots) == 1:
        fields += [("compare", bot) for one in orders for bot in one.bots.values()]
    else:
        fields += [(f"bot.{n}", bot) for n, bot in enumerate(order.bots.values(), start=1)]
    return fields + [(f"ruling.{key}", value) for key, value in order.rulings.items()]
