"""The stand-alone script that checks a table's dice, run as a player would run it."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.settings import resource
from tests.web.house import House, Table, Visitor

SCRIPT = resource("static") / "verify" / "contrail_verify.py"

Files = tuple[dict[str, Any], list[dict[str, Any]]]


@pytest.fixture
async def files(house: House, ann: Visitor) -> Files:
    """The dice file and the whole log of a finished game with a word said half way."""
    table = await ann.sit(scenario="route-package")
    rng = random.Random(5)
    await table.play(rng, 15)
    await ann.post(f"{table.url}/word", {"word": "Crécy 1346"})
    await table.play(rng, 15)
    await ann.post(f"{table.url}/close", {})
    dice = await ann.get(f"{table.page}/dice.json")
    return dice, await table.log(limit=1000)


def run(path: Path, document: Any, *options: str) -> tuple[int, str]:
    path.write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-I", str(SCRIPT), str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


async def test_right_dice_are_right(files: Files, tmp_path: Path) -> None:
    dice, log = files
    thrown = sum(len(roll["faces"]) for roll in dice["rolls"])
    assert thrown > 20
    assert len({roll["words"] for roll in dice["rolls"]}) == 2
    code, said = run(tmp_path / "dice.json", dice)
    assert (code, f"Right: {thrown} dice" in said) == (0, True), said
    code, said = run(tmp_path / "log.json", log, "--seed", dice["seed"])
    assert (code, f"Right: {thrown} dice" in said) == (0, True), said


async def test_anything_changed_is_found(files: Files, tmp_path: Path) -> None:
    dice, log = files
    path = tmp_path / "dice.json"
    late = max(n for n, roll in enumerate(dice["rolls"]) if roll["words"])
    changed = json.loads(json.dumps(dice))
    changed["rolls"][late]["faces"][0] = changed["rolls"][late]["faces"][0] % 6 + 1
    assert run(path, changed)[0] == 1
    assert run(path, {**dice, "words": ["Crecy 1346"]})[0] == 1
    assert run(path, {**dice, "rolls": dice["rolls"][:2] + dice["rolls"][3:]})[0] == 1
    assert run(path, {**dice, "seed": "00" * 32})[0] == 1
    assert run(path, dice, "--commitment", "0" * 64)[0] == 1
    assert run(path, [e for e in log if e["type"] != "WordSaid"], "--seed", dice["seed"])[0] == 1


async def test_what_cannot_be_checked_is_said(files: Files, tmp_path: Path) -> None:
    dice, log = files
    path = tmp_path / "dice.json"
    assert run(path, {**dice, "seed": None})[0] == 2
    assert run(path, log)[0] == 2
    assert run(path, {"rolls": 7})[0] == 2
    assert run(path, "dice")[0] == 2


async def test_a_whole_record_is_checked_by_a_stranger(
    house: House, ann: Visitor, tmp_path: Path
) -> None:
    """Its chain and its dice, with nothing but the file and the script."""
    table = await ann.sit(scenario="route-package", word="Crécy 1346")
    await table.play(random.Random(5), 20)
    path = tmp_path / "contrail.json"
    assert run(path, await ann.get(f"{table.url}/export"))[0] == 2
    await ann.post(f"{table.url}/close", {})
    record = await ann.get(f"{table.url}/export")
    code, said = run(path, record)
    assert code == 0, said
    assert f"{len(record['log'])} entries follow from each other" in said
    assert "none is missing" in said
    changed = json.loads(json.dumps(record))
    changed["log"][7]["at"] += 1
    assert run(path, changed) == (1, "WRONG: entry 8 is not as it was written.\n")
    changed = json.loads(json.dumps(record))
    chosen = next(entry for entry in changed["log"] if "choice" in entry)
    chosen["choice"] = "another"
    assert run(path, changed) == (1, f"WRONG: entry {chosen['seq']} is not as it was written.\n")
    for gap, words in ((7, "entry 8 is missing"), (-1, "the end is missing")):
        changed = json.loads(json.dumps(record))
        changed["log"].pop(gap)
        code, said = run(path, changed)
        assert (code, words in said) == (1, True), said
    assert run(path, {**record, "dice": {**record["dice"], "seed": "00" * 32}})[0] == 1
    assert run(path, record, "--commitment", "0" * 64)[0] == 1


async def test_a_forks_dice_are_checked_from_where_it_parted(
    house: House, ann: Visitor, tmp_path: Path
) -> None:
    """By the record, by the dice file and by the log: those before are said to be another table's."""
    table = await ann.sit(scenario="route-package")
    await table.play(random.Random(5), 12)
    made = await ann.post(f"{table.url}/fork", {}, 201)
    fork = Table(house, made["id"], made, dict.fromkeys(table.seats, ann))
    await fork.play(random.Random(6), 12)
    await ann.post(f"{fork.url}/close", {})
    dice = await ann.get(f"{fork.page}/dice.json")
    own = sum(len(roll["faces"]) for roll in dice["rolls"] if not roll.get("other"))
    other = sum(len(roll["faces"]) for roll in dice["rolls"] if roll.get("other"))
    assert own
    assert other
    log = await fork.log()
    for document, options in (
        (await ann.get(f"{fork.url}/export"), ()),
        (dice, ()),
        (log, ("--seed", dice["seed"])),
    ):
        code, said = run(tmp_path / "file.json", document, *options)
        assert code == 0, said
        assert f"Right: {own} dice" in said
        assert f"{other} more fell at another table" in said
