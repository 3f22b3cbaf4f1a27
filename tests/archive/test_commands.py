"""The operator's commands: check, show, replay, verify-dice, export, import, fork. P-17, R-05, R-08, S-01."""

import asyncio
import json
import random
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from typer.testing import CliRunner

from app.cli import cli
from app.engine.record import link
from app.engine.secret import redact
from app.engine.sequence import Decision
from app.games import registry
from app.migrate import migration_engine
from app.owner import owning
from tests.migrations.test_migrations import config
from tests.web.conftest import plug_ins
from tests.web.house import House, Table, open_house, settings_for, small_duel

pytestmark = pytest.mark.anyio

__all__ = ["plug_ins"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def data(tmp_path: Path, plug_ins: None) -> Path:
    return tmp_path / "data"


async def run(data: Path, *words: str, status: int = 0) -> str:
    """What a command prints, its errors too."""
    arguments = [*words, "--data", str(data)]
    done = await asyncio.to_thread(CliRunner().invoke, cli, arguments)
    assert done.exit_code == status, (done.output, done.exception)
    assert "Traceback" not in done.output
    return done.output


async def table_of(
    house: House, game: str = "osaaf", *, over: bool = False, steps: int = 8, **order: Any
) -> Table:
    """A table some commands into its game, or over."""
    visitor = await house.visitor()
    if game == "osaaf":
        order.setdefault("setup", small_duel())
    table = await visitor.sit(game, **order)
    await table.play(random.Random(3), steps)
    if over and not (await table.view())["finished"]:
        await visitor.post(f"{table.url}/close")
    return table


def change(data: Path, statement: str, *values: Any) -> None:
    with sqlite3.connect(data / "contrail.db") as stored:
        assert stored.execute(statement, values).rowcount > 0
    stored.close()


async def test_check_finds_nothing_where_nothing_changed(data: Path) -> None:
    """Beside a running server, in the middle of games of every kind; and it writes nothing."""
    async with open_house(data) as house:
        for game in (
            "osaaf",
            "war-in-space",
            "gunslingers",
            "f14-tomcats",
            "skirmish",
            "envelopes",
        ):
            await table_of(house, game)
        await table_of(house, over=True)
        before = (data / "contrail.db").read_bytes()
        said = await run(data, "check")
        assert "7 tables checked, none with trouble" in said
        assert "older version" not in said
        assert (data / "contrail.db").read_bytes() == before


async def test_check_lists_what_is_damaged_or_asked_otherwise(data: Path) -> None:
    async with open_house(data) as house:
        asked = await table_of(house)
        fine = await table_of(house)
        broken = await table_of(house, name="Broken")
    change(data, "UPDATE log_entry SET phase = 'x' WHERE table_id = ? AND seq = 3", broken.id)
    change(data, "UPDATE game_table SET question = '1:0' WHERE id = ?", asked.id)
    said = await run(data, "check", status=1)
    assert "3 tables checked, 2 with trouble" in said
    lines = {line.split()[0]: line for line in said.splitlines() if "  " in line}
    assert set(lines) == {asked.id, broken.id}
    assert "another question would be open" in lines[asked.id]
    assert "entry 3 is not as it was written" in lines[broken.id]
    assert fine.id not in said


async def test_check_lists_what_other_rules_would_ask_or_not_read(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-05: a version of a game that allows less, and one that knows an event no more."""
    async with open_house(data) as house:
        skirmish = await table_of(house, "skirmish", steps=5)
        other = await table_of(house)
        view = await skirmish.view()
        assert len(view["offers"][0]["options"]) > 1
    game, real = registry.load("skirmish"), registry.load

    def stricter(asking: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def todo(state: Any) -> Any:
            step = asking(state)
            if not isinstance(step, Decision):
                return step
            return replace(step, options=lambda: step.all_options[:1])

        return todo

    phases = tuple(replace(phase, todo=stricter(phase.todo)) for phase in game.phases)
    newer = replace(game, phases=phases)
    monkeypatch.setattr(registry, "load", lambda one: newer if one == "skirmish" else real(one))
    said = await run(data, "check", status=1)
    assert "another question would be open" in said
    assert said.startswith(skirmish.id)
    newer = replace(game, events=game.events[1:])
    said = await run(data, "check", status=1)
    assert said.startswith(skirmish.id)
    assert "can't" in said
    assert other.id not in said


async def test_check_works_on_a_copy_and_on_an_older_schema(data: Path, tmp_path: Path) -> None:
    """A copy may be of the version before: it is brought up to date in a copy of its own."""
    async with open_house(data) as house:
        await table_of(house)
    copy = tmp_path / "copy.db"
    copy.write_bytes((data / "contrail.db").read_bytes())
    engine = migration_engine(f"sqlite:///{copy}")
    with engine.connect() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, "3ad0267a8557")
    engine.dispose()
    before = copy.read_bytes()
    said = await run(data, "check", str(copy))
    assert "1 tables in play an older version has not kept what was asked" in said
    assert copy.read_bytes() == before
    assert "no database" in await run(data, "check", str(tmp_path / "none.db"), status=2)
    (tmp_path / "text.db").write_text("not a database")
    await run(data, "check", str(tmp_path / "text.db"), status=2)


async def test_show_tells_a_table(data: Path) -> None:
    async with open_house(data) as house:
        table = await table_of(house, setup=small_duel(), name="Over the ridge")
        log = await table.log()
        said = await run(data, "show", table.id)
        whole = await run(data, "show", table.id, "--log")
        shown = json.loads(await run(data, "show", table.id, "--json"))
    assert said.startswith("Over the ridge, a table of Our Space Age Air Force")
    assert "Blue" in said
    last = next(one for one in reversed(log) if one["type"] != "PhaseBegan")
    assert f"{last['seq']:>5}  " in said
    assert len(whole.splitlines()) > len(said.splitlines())
    assert shown["log"][-1]["seq"] == log[-1]["seq"]
    assert shown["view"]["id"] == table.id
    assert "no such table" in await run(data, "show", "nothing", status=2)


async def test_show_and_export_keep_secrets_unless_asked(data: Path, tmp_path: Path) -> None:
    """S-01 for the operator: he must say that he wants to see."""
    async with open_house(data) as house:
        table = await table_of(house, "envelopes", steps=3)
        live = await house.site.service.get(table.id)
        shown = await run(data, "show", table.id, "--json")
        opened = await run(data, "show", table.id, "--json", "--secrets")
        assert shown != opened
        assert "what players hide" in opened
        assert redact(live.state, frozenset()) != live.state
        plain, whole = tmp_path / "plain.json", tmp_path / "whole.json"
        await run(data, "export", table.id, str(plain))
        await run(data, "export", table.id, str(whole), "--whole")
        assert json.loads(plain.read_text())["kind"] == "view"
        assert json.loads(whole.read_text())["kind"] == "whole"
        assert live.cup.seed.hex() not in plain.read_text() + whole.read_text()
        assert "is there already" in await run(data, "export", table.id, str(plain), status=2)


async def test_replay_and_verify_say_what_differs(data: Path, tmp_path: Path) -> None:
    """A table as it is; one whose die was changed by hand, with all hashes made again; and files."""
    async with open_house(data) as house:
        table = await table_of(house, over=True)
        going = await table_of(house)
        document = await next(iter(table.seats.values())).get(f"{table.url}/export")
    assert "came out the same" in await run(data, "replay", table.id)
    assert "came out the same" in await run(data, "replay", going.id)
    assert "none is missing" in await run(data, "verify-dice", table.id)
    assert "in play" in await run(data, "verify-dice", going.id, status=2)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(document))
    assert "none is missing" in await run(data, "verify-dice", str(file))
    before = ""
    rolled = [entry for entry in document["log"] if entry["kind"] == "roll"][2]
    rolled["dice"]["faces"] = [face % 6 + 1 for face in rolled["dice"]["faces"]]
    for entry in document["log"]:
        before = entry["hash"] = link(before, entry)
    file.write_text(json.dumps(document))
    said = await run(data, "verify-dice", str(file), status=1)
    assert f"Entry {rolled['seq']}: die" in said
    said = await run(data, "replay", str(file), status=1)
    assert f"WRONG: Entry {rolled['seq']} differs" in said
    document["log"][4]["phase"] = "x"
    file.write_text(json.dumps(document))
    assert "changed after it was written" in await run(data, "verify-dice", str(file), status=2)


async def test_import_and_fork_go_by_the_same_service(data: Path, tmp_path: Path) -> None:
    """What they make is there when the server starts; free seats have invitations."""
    async with open_house(data) as house:
        table = await table_of(house)
        done = await table_of(house, over=True)
        version = await table.version()
    whole, over = tmp_path / "whole.json", tmp_path / "over.json"
    await run(data, "export", table.id, str(whole), "--whole")
    await run(data, "export", done.id, str(over))
    restored = await run(data, "import", str(whole))
    looked = await run(data, "import", str(over))
    forked = await run(data, "fork", table.id, "--at", "10")
    again = await run(data, "import", str(over))
    assert "there already" in again
    assert "no such table" in await run(data, "fork", "nothing", status=2)
    assert "moments 1 to" in await run(data, "fork", table.id, "--at", "9999", status=2)
    (tmp_path / "bad.json").write_text("{}")
    assert "no record" in await run(data, "import", str(tmp_path / "bad.json"), status=2)
    async with open_house(data) as house:
        ann = await house.visitor()
        for said, at in ((restored, version), (forked, 10)):
            invite = next(line for line in said.splitlines() if "/join/" in line).split()[-1]
            answer = await ann.form("/join/" + invite.rpartition("/")[2], {}, 303, htmx=False)
            here = answer.headers["location"]
            log = await ann.get(f"/api{here}/log", limit=1000)
            parted = next(e for e in log if e["type"] in ("Forked", "Restored"))
            assert (parted["seq"], parted["data"]["at"]) == (at + 1, at)
            view = await ann.get(f"/api{here}")
            assert view["seat"]
            assert parted["data"].get("by", "the operator") == "the operator"
        where = next(word for word in looked.split() if "/tables/" in word).rpartition("/")[2]
        assert (await ann.get(f"/api/tables/{where}"))["finished"]


async def test_import_and_fork_refuse_a_folder_that_is_served(data: Path, tmp_path: Path) -> None:
    """They would write past the server; what only reads goes on."""
    async with open_house(data) as house:
        table = await table_of(house, over=True)
        file = tmp_path / "record.json"
        await run(data, "export", table.id, str(file))
        with owning(settings_for(data), "http://127.0.0.1:8000"):
            # A lock is a process's: another one asks.
            for words in (("import", str(file)), ("fork", table.id, "--at", "5")):
                asked = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "app", *words, "--data", str(data),
                    stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                )  # fmt: skip
                _, error = await asked.communicate()
                assert asked.returncode == 1
                assert b"belongs to another server" in error
            await run(data, "show", table.id)
            await run(data, "check")


async def test_a_folder_without_a_database_is_said(tmp_path: Path) -> None:
    for name in ("show", "export", "replay", "verify-dice"):
        said = await run(tmp_path, name, "x", status=2)
        assert "no contrail.db" in said
    assert not await asyncio.to_thread(lambda: list(tmp_path.iterdir()))
