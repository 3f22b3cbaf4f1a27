"""The form of what a game writes in its logs, kept as a file beside its rules, so that no change passes unseen.

`events.schema.json` in a game's folder has the JSON Schema of each event of its edition, and of what events are
made of; "earlier" has the types that were another form in earlier editions. The engine's folder has the same of
the events of every table. `python -m app schema` writes them again. Belongs here: making, comparing and writing
these files. Does not belong here: reading old events (app.engine.editions).
"""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import msgspec
import typer

from app.engine.editions import TABLE_UPCASTERS, Upcasters
from app.engine.log import TABLE_EDITION, TABLE_EVENTS
from app.games import registry

NAME = "events.schema.json"
EVERY_TABLE = "table"
"""What the file of the events of every table is called among the games."""

Types = Mapping[str, Any]
"""JSON Schemas by the names of their types."""


class SchemaFile(msgspec.Struct, frozen=True):
    """What such a file holds. `events` are the names of the types that are events."""

    edition: int
    events: tuple[str, ...]
    types: Types
    earlier: Mapping[str, Types] = {}

    def types_of(self, edition: int) -> Types:
        """The types as they were in an edition."""
        types = dict(self.types)
        for later in sorted((int(one) for one in self.earlier), reverse=True):
            if later >= edition:
                types.update(self.earlier[str(later)])
        return types


def schema_of(events: tuple[type[Any], ...], edition: int) -> SchemaFile:
    """What the file of these events should hold, as far as this edition goes."""
    _, types = msgspec.json.schema_components(events, ref_template="{name}")
    plain: dict[str, Any] = json.loads(json.dumps(_silent(types)))
    return SchemaFile(
        edition, tuple(sorted(kind.__name__ for kind in events)), dict(sorted(plain.items()))
    )


def _silent(schema: Any) -> Any:
    """A schema without its prose, which changes nothing of the form."""
    if isinstance(schema, dict):
        rows = cast("dict[str, Any]", schema)
        return {
            key: _silent(value)
            for key, value in rows.items()
            if not (key == "description" and isinstance(value, str))
        }
    if isinstance(schema, list | tuple):
        return [_silent(one) for one in cast("list[Any]", schema)]
    return schema


def current(game: str) -> SchemaFile:
    """The same for the events of a game, or of every table."""
    if game == EVERY_TABLE:
        return schema_of(TABLE_EVENTS, TABLE_EDITION)
    loaded = registry.load(game)
    return schema_of(loaded.events, loaded.rules)


def place_of(game: str) -> Path:
    """Where the file is."""
    folder = files("app.engine") if game == EVERY_TABLE else registry.folder(game)
    return Path(str(folder)) / NAME


def kept(game: str) -> SchemaFile | None:
    """What the file holds now; None where there is none yet."""
    place = place_of(game)
    if not place.exists():
        return None
    return msgspec.json.decode(place.read_bytes(), type=SchemaFile)


def renewed(before: SchemaFile | None, now: SchemaFile) -> SchemaFile:
    """The file after a change: what another edition had otherwise stays as an earlier form."""
    if before is None:
        return now
    earlier = dict(before.earlier)
    if before.edition < now.edition:
        changed = {
            name: schema for name, schema in before.types.items() if now.types.get(name) != schema
        }
        if changed:
            earlier[str(before.edition)] = changed
    return msgspec.structs.replace(now, earlier=earlier)


def unread(schema: SchemaFile, upcasters: Upcasters) -> Iterator[tuple[int, str]]:
    """Events of earlier editions that would not be read: the edition, and the event that needs an upcaster."""
    for edition in sorted(int(one) for one in schema.earlier):
        then = schema.types_of(edition)
        for name in then:
            if not _is_event(then[name]) or _reads(name, then, schema.types):
                continue
            if not any(since > edition and name in steps for since, steps in upcasters.items()):
                yield edition, name


def _is_event(schema: Any) -> bool:
    tag = schema.get("properties", {}).get("type", {})
    return "enum" in tag and tag["enum"] == [schema.get("title")]


def _reads(name: str, then: Types, now: Types) -> bool:
    return name in now and _fits(then[name], now[name], then, now, set())


def _fits(old: Any, new: Any, then: Types, now: Types, seen: set[tuple[str, str]]) -> bool:
    """Whether all that was written by one schema can be read by another. In doubt, no."""
    if "$ref" in old and "$ref" in new:
        pair = (str(old["$ref"]), str(new["$ref"]))
        if pair in seen:
            return True
        seen.add(pair)
        return pair[1] in now and _fits(then[pair[0]], now[pair[1]], then, now, seen)
    if "anyOf" in old:
        return all(_fits(one, new, then, now, seen) for one in old["anyOf"])
    if "anyOf" in new:
        return any(_fits(old, one, then, now, seen) for one in new["anyOf"])
    if "enum" in old and "enum" in new:
        return set(old["enum"]) <= set(new["enum"])
    if "properties" in old and "properties" in new:
        was, can = old["properties"], new["properties"]
        given = set(old.get("required", ())) >= set(new.get("required", ()))
        return given and all(
            name in can and _fits(was[name], can[name], then, now, seen) for name in was
        )
    for part in ("items", "additionalProperties"):
        was, can = old.get(part), new.get(part)
        if isinstance(was, dict) and isinstance(can, dict):
            inner = _fits(cast("Any", was), cast("Any", can), then, now, seen)
            return inner and _without(old, part) == _without(new, part)
    return _without(old) == _without(new)


def _without(schema: Any, *more: str) -> Any:
    """A schema without what says nothing of the form."""
    silent = {"default", "title", "description", *more}
    return {key: value for key, value in schema.items() if key not in silent}


def upcasters_of(game: str) -> Upcasters:
    """How earlier editions of these events are read."""
    return TABLE_UPCASTERS if game == EVERY_TABLE else registry.load(game).upcasters


def text_of(schema: SchemaFile) -> str:
    """The file's text: a line for each type, so that a change is seen in a diff."""
    whole = msgspec.to_builtins(schema)
    lines = [
        "{",
        f' "edition": {schema.edition},',
        f' "events": {json.dumps(whole["events"])},',
        f' "types": {_block(whole["types"])},',
        ' "earlier": {',
        ",\n".join(f'  "{one}": {_block(types)}' for one, types in whole["earlier"].items()),
        " }",
        "}",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _block(types: Mapping[str, Any]) -> str:
    rows = [f'   "{name}": {json.dumps(one, ensure_ascii=False)}' for name, one in types.items()]
    return "{\n" + ",\n".join(rows) + "\n  }"


def write(game: str | None, unreleased: bool) -> None:
    """Write the file of a game, or of all; see the command. Ends it with a line where an edition must be raised."""
    for one in [game] if game else [EVERY_TABLE, *registry.metas()]:
        before, now = kept(one), current(one)
        changed = before is not None and (before.types, before.events) != (now.types, now.events)
        if before is not None and changed and before.edition == now.edition and not unreleased:
            print(
                f"{one}: the events have changed and the edition has not. Raise it (RULES, or "
                f"TABLE_EDITION) to {now.edition + 1}, name an upcaster for what would not be read, and "
                "run this again; --unreleased where nobody has tables of this edition yet."
            )
            raise typer.Exit(1)
        made = renewed(before, now)
        place_of(one).write_text(text_of(made), "utf-8")
        print(f"{one}: edition {made.edition}, {len(made.events)} events")
        for edition, name in unread(made, upcasters_of(one)):
            print(f"{one}: {name} of edition {edition} would not be read; it needs an upcaster")
