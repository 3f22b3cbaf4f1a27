"""Stored tables of past editions: whole games as their rows were written then, and how they are read here.

Each file of `logs/GAME/` is a table: `EDITION-NAME.jsonl`. Its first line says what the table's other rows said,
each further line is a row of the log. They are never written again: tables of that time are still on
people's disks. Belongs here: reading the files. Does not belong here: what is expected of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.engine.game import Game
from app.games import registry
from app.tables.codec import event_decoder, from_row
from app.tables.live import Claim, LiveTable

LOGS = Path(__file__).with_name("logs")
OLDEST = Path(__file__).parents[1] / "games" / "osaaf" / "old_log.json"
"""A table of the first edition of Our Space Age Air Force, with every kind of fact that there was."""

COLUMNS = (
    "seq",
    "at",
    "turn",
    "phase",
    "kind",
    "seat",
    "unit",
    "cite",
    "command",
    "receipt",
    "dice",
    "event",
)
"""What a line holds. Times are milliseconds after the line before; dice are pool, faces, and number of the first."""


class Row(dict[str, Any]):
    """A row of the log. Columns that came after it was written hold nothing."""

    def __missing__(self, column: str) -> None:
        return None


@dataclass(frozen=True)
class Stored:
    """A table as it is kept.

    `name` is that of its file, with its game's folder. `claims` are its seats, each with who held it.
    """

    name: str
    game: str
    edition: int
    about: Mapping[str, Any]
    seed: bytes
    claims: Sequence[Sequence[str | None]]
    rows: Sequence[Row]

    @property
    def loaded(self) -> Game[Any]:
        """Its game, as it is today."""
        return registry.load(self.game)

    def live(self, game: Game[Any] | None = None) -> LiveTable:
        """The table as this version loads it."""
        game = game or self.loaded
        decoder = event_decoder(game, self.rows[0]["event"])
        claims = [
            Claim(str(seat), f"invite-{seat}", who, None, name or "")
            for seat, who, name in self.claims
        ]
        entries = [from_row(row, decoder) for row in self.rows]
        return LiveTable(game, self.about, claims, self.seed, entries)


def names() -> list[str]:
    """Every stored table."""
    files = sorted(LOGS.glob("*/*.jsonl"))
    return [f"{file.parent.name}/{file.stem}" for file in files] + ["osaaf/1-all-facts"]


@lru_cache
def read(name: str) -> Stored:
    """The stored table of a name."""
    if name == "osaaf/1-all-facts":
        return _oldest(name)
    head, *lines = map(json.loads, (LOGS / f"{name}.jsonl").read_text("utf-8").splitlines())
    at = head["at"]
    rows: list[Row] = []
    for line in lines:
        row = Row(zip(COLUMNS, line, strict=True))
        at += row["at"]
        dice = row["dice"]
        rows.append(
            Row(row, at=at, dice=None if dice is None else _dice(*dice), event=_text(row["event"]))
        )
    return Stored(
        name,
        head["game"],
        head["edition"],
        _about(name, head["game"], head["name"], head["mode"], head["listed"], head["owner"]),
        bytes.fromhex(head["seed"]),
        head["claims"],
        rows,
    )


def _oldest(name: str) -> Stored:
    old = json.loads(OLDEST.read_text("utf-8"))
    rows = [
        Row(
            {"command": 0, **entry},
            dice=_text(entry["dice"]) if "dice" in entry else None,
            event=_text(entry["event"]),
        )
        for entry in old["entries"]
    ]
    claims = [["blue", "ann", ""], ["red", "bob", ""]]
    about = _about(name, "osaaf", "Old", "shared", False, "ann")
    return Stored(name, "osaaf", 1, about, bytes(32), claims, rows)


def _about(
    name: str, game: str, title: str, mode: str, listed: bool, owner: str
) -> Mapping[str, Any]:
    return {
        "id": name.replace("/", "-"),
        "game": game,
        "name": title,
        "mode": mode,
        "listed": listed,
        "owner": owner,
        "created_at": 0,
    }


def _dice(pool: str, faces: Sequence[int], index: int | None) -> str:
    count, sides = map(int, pool.split("d"))
    dice: dict[str, Any] = {"pool": {"count": count, "sides": sides}, "faces": faces}
    return _text(dice | ({"by": "hand"} if index is None else {"index": index}))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
