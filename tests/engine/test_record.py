"""The record: whoever has an export can prove it with Python's own JSON and SHA-256; what is amiss is found."""

import hashlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.dice import Pool, Rolled
from app.engine.log import Entry, Event
from app.engine.record import (
    FIELDS,
    chained,
    fields_of,
    first_fault,
    first_stored_fault,
    link,
)


class Thing(Event, frozen=True):
    """A fact with every form of value that JSON has."""

    what: Any
    also: str = ""


def strangers_hashes(entries: list[dict[str, Any]]) -> list[str]:
    """As the module's docstring tells a stranger to compute them."""
    before, made = "", list[str]()
    for entry in entries:
        fields = {name: value for name, value in entry.items() if name != "hash"}
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
        made.append(before)
    return made


def stored(entries: list[Entry]) -> list[dict[str, Any]]:
    """The entries as the database has them."""
    return [
        {
            **{name: getattr(entry, name) for name in FIELDS},
            "event": msgspec.json.encode(entry.event).decode(),
            "dice": None if entry.dice is None else msgspec.json.encode(entry.dice).decode(),
            "choice": None if entry.choice is None else msgspec.json.encode(entry.choice).decode(),
            "hash": entry.hash,
        }
        for entry in entries
    ]


def log_of(*facts: Any) -> list[Entry]:
    """A log of these facts."""
    return chained(
        Entry(
            seq=number,
            at=1_790_000_000_000 + number,
            turn=1,
            phase="move",
            kind="decision",
            event=Thing(fact),
            seat="blue" if number % 2 else None,
            dice=Rolled(Pool(2), (3, 4), index=number) if number % 3 else None,
            command=number,
            choice=fact if number % 2 else None,
        )
        for number, fact in enumerate(facts, start=1)
    )


texts = st.text(
    st.characters(exclude_categories=["Cs"])
)  # no half characters: JSON in UTF-8 has none
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(values, min_size=1, max_size=4))
def test_a_stranger_computes_the_same_hashes(facts: list[Any]) -> None:
    rows = stored(log_of(*facts))
    export = json.loads(json.dumps([fields_of(row) for row in rows]))
    assert strangers_hashes(export) == [row["hash"] for row in rows]
    assert first_fault(export) is None
    assert first_stored_fault(rows) is None


def test_events_keep_the_text_they_were_written_in() -> None:
    """An older log has its keys in another order and other forms of numbers: its hashes hold as well."""
    rows = stored(log_of({"b": 1e16, "a": 2}))
    rows[0]["event"] = '{"type": "Thing", "what": {"b": 1E16, "a": 2}}'
    assert first_stored_fault(rows) is None


FACTS = ["one", {"two": 2.5}, "three", 4, "five"]


def test_what_is_missing_is_found() -> None:
    rows = stored(log_of(*FACTS))
    for gone in range(4):
        fault = first_stored_fault(rows[:gone] + rows[gone + 1 :])
        assert fault is not None
        assert fault.after == gone
        assert f"entry {gone + 1} is missing" in fault.why


@pytest.mark.parametrize("field", [*FIELDS, "choice", "hash"])
def test_what_was_altered_is_found(field: str) -> None:
    """In each field of an entry, both as it is kept and as it is exported."""
    rows = stored(log_of(*FACTS))
    row = rows[2]
    if field == "seq":
        row[field] = 7
    elif isinstance(row[field], int):
        row[field] ^= 1 << 10
    elif field == "choice":
        row[field] = '"thrEe"'
    elif field in ("event", "dice"):
        row[field] = '{"type":"Thing","what":"thrEe"}'
    else:
        row[field] = "x" + (row[field] or "")[1:]
    for fault in (first_stored_fault(rows), first_fault(fields_of(row) for row in rows)):
        assert fault is not None
        assert fault.after == 2


@pytest.mark.parametrize("choice", [None, '"put in"'])
def test_a_choice_that_was_taken_out_or_put_in_is_found(choice: str | None) -> None:
    for number in (2, 3):
        rows = stored(log_of(*FACTS))
        if (rows[number]["choice"] is None) == (choice is None):
            continue
        rows[number]["choice"] = choice
        fault = first_stored_fault(rows)
        assert fault is not None
        assert fault.after == number


@pytest.mark.parametrize("field", ["event", "dice", "choice"])
@pytest.mark.parametrize(
    "value", ['{"type":"Thing","what":', "\udce2", b"\x00\xff", None, 7], ids=str
)
def test_what_is_no_json_is_found(value: Any, field: str) -> None:
    rows = stored(log_of(*FACTS))
    rows[4][field] = value
    fault = first_stored_fault(rows)
    assert fault is not None
    assert fault.after == 4


def test_entries_of_two_logs_are_not_exchanged() -> None:
    """An entry proves all that was before it, not only itself."""
    one, two = stored(log_of("a", "b", "c")), stored(log_of("A", "b", "c"))
    fault = first_stored_fault([one[0], two[1], two[2]])
    assert fault is not None
    assert fault.after == 1


def test_an_entry_without_a_choice_has_the_hash_that_it_always_had() -> None:
    fields: dict[str, Any] = dict.fromkeys(FIELDS)
    assert link("", fields) == link("", {**fields, "choice": None})
    assert link("", fields) != link("", {**fields, "choice": False})


def test_the_hash_is_what_it_was() -> None:
    """It stands in exports that others keep, so it never changes. This one is from sha256sum."""
    fields = {"seq": 1, "at": 0, "turn": 0, "phase": "", "kind": "table", "event": {"type": "X"}}
    made = link("", {**fields, "command": 0, "hash": "does not count"})
    assert made == "7d7e93af9671ad0b75e34a5acc1ce15f912fcb5a7ddaebcfc0f4d630598dd61c"
