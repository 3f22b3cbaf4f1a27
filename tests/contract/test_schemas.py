"""The form of what each game writes is kept as a file, and no change of it passes unseen."""

from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from typer.testing import CliRunner

from app import schema
from app.cli import cli
from app.engine.editions import unchanged
from app.engine.log import Event
from app.games import registry

GAMES = (schema.EVERY_TABLE, *registry.metas())


class Jump(Event, frozen=True):
    """An event of the first edition of a game that is none."""

    jet: str
    height: int
    how: Literal["up", "down"] = "up"


class Hop(Event, frozen=True, tag="Jump"):
    """The same event with a field that is called otherwise."""

    jet: str
    levels: int
    how: Literal["up", "down"] = "up"


class Leap(Event, frozen=True, tag="Jump"):
    """The same with more that can be said, all of which need not be."""

    jet: str
    height: int
    how: Literal["up", "down", "across"] = "up"
    far: int = 0


def kept(kind: type[Any], edition: int) -> schema.SchemaFile:
    """The file of a game with one event."""
    return schema.schema_of(
        (msgspec.defstruct("Jump", _fields(kind), bases=(Event,), tag="Jump", frozen=True),),
        edition,
    )  # type: ignore[arg-type]


def _fields(kind: type[Any]) -> list[Any]:
    return [
        (one.name, one.type, one.default)
        if one.default is not msgspec.NODEFAULT
        else (one.name, one.type)
        for one in msgspec.structs.fields(kind)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_file_says_what_is_written(game: str) -> None:
    """When this fails: raise the edition, name upcasters, and run `python -m app schema`."""
    file, now = schema.kept(game), schema.current(game)
    assert file is not None
    assert file.edition == now.edition
    assert file.events == now.events
    assert file.types == now.types


@pytest.mark.parametrize("game", GAMES)
def test_what_earlier_editions_wrote_is_read(game: str) -> None:
    file = schema.kept(game)
    assert file is not None
    assert list(schema.unread(file, schema.upcasters_of(game))) == []


def test_a_field_that_is_called_otherwise_needs_an_upcaster() -> None:
    made = schema.renewed(kept(Jump, 1), kept(Hop, 2))
    assert list(schema.unread(made, {})) == [(1, "Jump")]
    assert list(schema.unread(made, {2: {"Jump": unchanged}})) == []
    later = schema.renewed(made, kept(Hop, 3))
    assert list(schema.unread(later, {})) == [(1, "Jump")]


def test_an_event_that_is_gone_needs_one_too() -> None:
    made = schema.renewed(kept(Jump, 1), schema.SchemaFile(2, (), {}))
    assert list(schema.unread(made, {})) == [(1, "Jump")]


def test_what_can_be_said_in_addition_needs_none() -> None:
    assert list(schema.unread(schema.renewed(kept(Jump, 1), kept(Leap, 2)), {})) == []
    narrower = schema.renewed(kept(Leap, 1), kept(Jump, 2))
    assert list(schema.unread(narrower, {})) == [(1, "Jump")]


def test_the_command_keeps_an_edition_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change within an edition is refused; with another edition the old form stays in the file."""
    place = tmp_path / schema.NAME
    now = kept(Jump, 1)

    def current(game: str) -> schema.SchemaFile:
        del game
        return now

    def where(game: str) -> Path:
        del game
        return place

    monkeypatch.setattr(schema, "place_of", where)
    monkeypatch.setattr(schema, "current", current)
    run = CliRunner().invoke
    assert run(cli, ["schema", "table"]).exit_code == 0
    first = place.read_text("utf-8")
    now = kept(Hop, 1)
    refused = run(cli, ["schema", "table"])
    assert refused.exit_code == 1
    assert "Raise it" in refused.output
    assert place.read_text("utf-8") == first
    now = kept(Hop, 2)
    done = run(cli, ["schema", "table"])
    assert done.exit_code == 0
    assert "Jump of edition 1 would not be read" in done.output
    file = msgspec.json.decode(place.read_bytes(), type=schema.SchemaFile)
    assert file.types_of(1)["Jump"] == kept(Jump, 1).types["Jump"]
