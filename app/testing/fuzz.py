"""Many random games: none may stop where nobody can move, and none may go on for ever.

    python -m app.testing.fuzz GAME --games 10000

plays them in two processes and prints one line. A failure names the scenario, the rulings and the seed
that play the same game again.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing import Pool
from typing import Any

from app.engine.game import Game
from app.engine.sequence import Pace
from app.testing.games import game_ids, load
from app.testing.player import Rulings, Sitting, pairwise, play_game, settlement


@dataclass
class Report:
    """What came of the games."""

    games: int = 0
    longest: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Both together."""
        self.games += other.games
        self.longest = max(self.longest, other.longest)
        self.endings += other.endings
        self.failures += other.failures


def play_number(
    game: Game[Any],
    scenario: str,
    number: int,
    rows: Sequence[Rulings],
    pace: Pace = "flow",
) -> Sitting:
    """Game number so and so of a scenario: rulings and dice follow from the number."""
    setup = game.scenarios[scenario].setup
    return play_game(game, setup, settlement(game, number, rows), number, pace=pace)


def fuzz(game: Game[Any], n: int, seed: int = 0, scenario: str | None = None) -> Report:
    """`n` games of each scenario (or of one), numbered from `seed`."""
    report = Report()
    rows = pairwise(game)
    for name in [scenario] if scenario else list(game.scenarios):
        for number in range(seed, seed + n):
            try:
                sitting = play_number(game, name, number, rows)
            except Exception as error:  # whatever went wrong, the report says in which game
                rulings = dict(settlement(game, number, rows))
                what = f"{type(error).__name__}: {error}"
                report.failures.append(f"{name} number {number} rulings {rulings}: {what}")
                continue
            report.games += 1
            report.longest = max(report.longest, len(sitting.moments))
            report.endings[sitting.state.result.reason] += 1
    return report


def _share(task: tuple[str, str, int, int]) -> Report:
    game, scenario, first, n = task
    return fuzz(load(game), n, first, scenario)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m app.testing.fuzz", description=__doc__)
    parser.add_argument("game", choices=game_ids())
    parser.add_argument("--games", type=int, default=10_000, help="of each scenario")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first game")
    asked = parser.parse_args()
    begun = time.monotonic()
    share = 100
    tasks = [
        (asked.game, scenario, asked.seed + first, min(share, asked.games - first))
        for scenario in load(asked.game).scenarios
        for first in range(0, asked.games, share)
    ]
    report = Report()
    with Pool(2) as workers:
        for part in workers.imap_unordered(_share, tasks):
            report.add(part)
    for failure in report.failures[:20]:
        print(failure, file=sys.stderr)  # noqa: T201 (a command prints)
    ends = ", ".join(f"{reason} {n}" for reason, n in report.endings.most_common())
    print(  # noqa: T201
        f"{asked.game}: {report.games} games, {len(report.failures)} failures, "
        f"longest {report.longest} commands, {time.monotonic() - begun:.0f} s; {ends}"
    )
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
