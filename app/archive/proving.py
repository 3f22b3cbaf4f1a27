"""Proving: whether a table's record holds together: its chain, its dice, its rules.

What comes out is for people who were not there. The chain shows that entries fit each other; the dice that
nobody chose them; the replay that each fact is what the rules make of choices and dice. None of them
shows who sat there. Belongs here: findings. Does not belong here: hashes (app.engine.record), the
re-deciding itself (replaying).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from app.archive.replaying import Replay, replay
from app.engine.dice import commitment, verify
from app.engine.log import Entry, WordSaid
from app.engine.record import first_stored_fault
from app.tables.live import LiveTable


class Finding(msgspec.Struct, frozen=True):
    """What came of a check. `right` is None where it could not be made; `text` says it in a sentence."""

    right: bool | None
    text: str


class Proof(msgspec.Struct, frozen=True):
    """All that was checked of a record."""

    chain: Finding
    dice: Finding
    replay: Finding

    @property
    def verified(self) -> bool:
        """Whether everything that can be checked is right."""
        return all(one.right is not False for one in (self.chain, self.dice, self.replay))

    @property
    def findings(self) -> tuple[tuple[str, Finding], ...]:
        """The findings by their names."""
        return (("Chain", self.chain), ("Dice", self.dice), ("Replay", self.replay))


def proof_of(table: LiveTable, rows: Sequence[Mapping[str, Any]]) -> Proof:
    """Check a table against its rows."""
    return Proof(chain_finding(rows), dice_finding(table), replay_finding(replay(table)))


def chain_finding(rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Whether no entry is missing, added or altered."""
    fault = first_stored_fault(rows)
    if fault is not None:
        return Finding(False, f"{fault.why[:1].upper()}{fault.why[1:]}.")
    return Finding(True, f"All {len(rows)} entries follow from each other.")


class WrongDie(msgspec.Struct, frozen=True):
    """A die that is not what the seed gives, or numbers that are missing before it: `why`, for people."""

    seq: int
    why: str


def wrong_dice(table: LiveTable) -> Iterator[WrongDie]:
    """Each of a table's own dice that its seed does not give, whether the game is over or not.

    Dice before the table branched off are another seed's and are passed over, as those thrown by hand are.
    """
    seed, published = table.cup.seed, table.commitment or ""
    fits = commitment(seed) == published
    words: list[str] = []
    expected: int | None = None
    for entry in table.entries:
        if isinstance(entry.event, WordSaid):
            words.append(entry.event.word)
        dice = entry.dice
        if dice is None or dice.index is None:
            continue
        if expected is not None and dice.index != expected:
            yield WrongDie(entry.seq, f"dice {expected} to {dice.index - 1} are missing before it")
        expected = dice.index + len(dice.faces)
        if not own_dice(table, entry):
            continue
        if not fits:
            yield WrongDie(entry.seq, "the seed is not the one that was committed to")
            continue
        for wrong in verify(seed, published, [(dice, words)]):
            why = f"die {wrong.index} shows {wrong.recorded}, the seed gives {wrong.computed}"
            yield WrongDie(entry.seq, why)


def own_dice(table: LiveTable, entry: Entry) -> bool:
    """Whether an entry's dice follow from this table's seed: not those from before it branched off."""
    return entry.seq > table.branched


def dice_finding(table: LiveTable) -> Finding:
    """Whether each die is what the seed gives, and none is missing."""
    thrown = [entry for entry in table.entries if entry.dice is not None]
    server = [e for e in thrown if e.dice is not None and e.dice.index is not None]
    own = [entry for entry in server if own_dice(table, entry)]
    bad = list(wrong_dice(table))
    if bad:
        return Finding(False, f"Entry {bad[0].seq}: {bad[0].why}.")
    said: list[str] = []
    if table.commitment is not None:
        count = sum(len(entry.dice.faces) for entry in own if entry.dice is not None)
        said.append(f"{count} dice are what the seed gives, none is missing.")
    other = len(server) - len(own)
    if other:
        said.append(
            f"{other} rolls up to entry {table.branched} are another seed's and can be checked "
            "only with the table that they fell at."
        )
    by_hand = len(thrown) - len(server)
    if by_hand:
        said.append(f"{by_hand} rolls were thrown by hand and can't be checked.")
    right = None if table.commitment is None else True
    return Finding(right, " ".join(said) or "No die was thrown.")


def replay_finding(done: Replay) -> Finding:
    """Whether the rules make each fact of its choice and dice."""
    if done.first is not None:
        one = done.first
        return Finding(
            False,
            f"Entry {one.seq} differs: it says {_short(one.kept)}; these rules make {_short(one.now)}.",
        )
    said = f"{done.decided} entries were decided again, all came out the same."
    if done.unknown:
        said += f" Of {done.unknown} older decisions the choice is not kept, so they were taken as they are."
    return Finding(True, said)


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:300]}…"
