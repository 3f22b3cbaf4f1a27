"""Simulations: a form, the progress of a job, and its results. All of it works without JavaScript.

Belongs here: what is asked and shown. Does not belong here: playing, counting, and how jobs are bounded
(`app.simulation`).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Header, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.engine.errors import Illegal, Missing, NotYourSeat
from app.engine.game import Game, Scenario
from app.games import registry
from app.simulation.charts import charts_of, percent
from app.simulation.jobs import Job, Jobs
from app.simulation.orders import MOST_SEED, order_for
from app.simulation.playing import converted
from app.simulation.writing import command_line
from app.web.deps import Caller, CallerDep, SiteDep, name_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

GameId = Annotated[str, Path(max_length=40)]
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
    """What the form shows as chosen. `bots` by the place of the seat, from 1."""

    scenario: str
    games: int
    seed: int
    bots: Mapping[str, str]
    rulings: Mapping[str, str]


@router.get("/games/{game}/simulate")
async def form(
    game: GameId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    jobs: JobsDep,
    scenario: Annotated[str, Query(max_length=60)] = "",
    games: Annotated[int, Query(ge=1, le=2**31)] = USUAL_GAMES,
) -> HTMLResponse:
    """What to play, filled in as asked for by the address."""
    loaded = _with_bots(game)
    known = scenario if scenario in loaded.scenarios else next(iter(loaded.scenarios))
    bots, rulings = _picked(list(request.query_params.items()))
    most = site.settings.simulation_games
    # Another seed each time, so that running again is not the same again; the results name it.
    seed = secrets.randbelow(1_000_000)
    return HTMLResponse(
        site.pages.page(
            "simulations/form.html",
            meta=loaded.meta,
            scenarios=list(loaded.scenarios.values()),
            sides=_sides(loaded),
            bots=loaded.bots,
            rulings=list(loaded.rulebook.rulings.values()),
            asked=Asked(known, min(games, most), seed, bots, rulings),
            most=most,
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
) -> Response:
    """Start a job and go to it. Further fields: `bot.1`, `bot.2` …, and `ruling.<id>`."""
    site.limits.command(name_of(who))
    owner = _owner(who)
    loaded = _with_bots(game)
    if not 1 <= games <= site.settings.simulation_games:
        raise Illegal(f"From 1 to {site.settings.simulation_games} games can be played here.")
    sent = [(k, v) for k, v in (await request.form()).items() if isinstance(v, str)]
    bots, rulings = _picked(sent)
    chosen = _scenario(loaded, scenario)
    seats = loaded.seats(converted(loaded, chosen.setup))
    order = order_for(
        game,
        scenario=chosen.id,
        bots=[bots.get(str(n)) for n in range(1, len(seats) + 1)],
        rulings=rulings,
        games=games,
        seed=seed,
    )
    job = jobs.start(order, owner, name_of(who))
    return RedirectResponse(f"/simulations/{job.id}", status_code=303)


@router.get("/simulations/{job_id}")
async def show(job_id: JobId, site: SiteDep, who: CallerDep, jobs: JobsDep) -> HTMLResponse:
    """How far a job is, or what came of it."""
    job = jobs.get(job_id)
    game = registry.load(job.order.game)
    titles = {bot.id: bot.title for bot in game.bots}
    about: dict[str, Any] = {
        "job": job,
        "bots": titles,
        "players": " against ".join(titles[bot] for bot in job.order.bots.values()),
        "meta": game.meta,
        "title": game.scenarios[job.order.scenario].title,
        "command": command_line(job.order),
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
    hx_request: Annotated[str | None, Header(alias="HX-Request")] = None,
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
    name = f"{job.order.game}-{job.order.scenario}-{job.order.seed}.csv"
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


def _picked(fields: Sequence[tuple[str, str]]) -> tuple[dict[str, str], dict[str, str]]:
    """The bots by the place of their seat, and the rulings. What was left empty is as usual."""
    chosen = [(key, value) for key, value in fields if value]
    return (
        {key[4:]: value for key, value in chosen if key.startswith("bot.")},
        {key[7:]: value for key, value in chosen if key.startswith("ruling.")},
    )


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
    order, summary = job.order, job.summary
    again = [("scenario", order.scenario), ("games", str(order.games))]
    again += [(f"bot.{n}", bot) for n, bot in enumerate(order.bots.values(), start=1)]
    again += [(f"ruling.{key}", value) for key, value in order.rulings.items()]
    failures = summary.failures[:MOST_SHOWN] if summary else ()
    return {
        "summary": summary,
        "charts": charts_of(summary, titles) if summary else None,
        "percent": percent,
        "endings": game.endings,
        "again": again,
        "failures": [
            (failure, command_line(order, games=1, seed=failure.seed)) for failure in failures
        ],
    }
