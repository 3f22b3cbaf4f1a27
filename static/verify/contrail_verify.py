#!/usr/bin/env python3
"""Check the dice of a Contrail table. One file, Python 3.6 or newer, nothing to install.

    python contrail_verify.py contrail-TABLE.json
    python contrail_verify.py contrail-dice-TABLE.json
    python contrail_verify.py contrail-dice-TABLE.json --seed HEX --commitment HEX
    python contrail_verify.py log.json --seed HEX

The file is the whole record that Export gives once the game is over, the one that the table's dice page offers, or a
copy of the table's whole log from the JSON interface. The seed is in the first two once the game is over; the dice
page shows it, too. If you wrote down the commitment (fingerprint) when the game began, give it too: then you trust
nothing but your own note.

Of a whole record the chain is checked as well: each entry has a hash over the hash of the one before it (nothing for
the first) and, after a line feed, over its own fields as JSON: FIELDS, keys sorted, no spaces, those that it does not
have as null, and its choice where it has one. So nothing was altered, left out or put in since, unless all that follows was made anew.

How a die is made: HMAC-SHA256, keyed by the seed, over "index:block:words" (the words
joined by line feeds, block from 0); its bytes are read in order, those at or above the largest multiple
of the number of sides are passed over, and the first other one, modulo the sides, plus 1, is the face.

Exit status: 0 all dice are right, 1 some are not, 2 the file can't be checked.
"""

import argparse
import hashlib
import hmac
import json
import sys

FIELDS = (
    "at", "cite", "command", "dice", "event", "kind", "phase", "receipt", "seat", "seq", "turn", "unit",
)  # fmt: skip


def die(seed, words, index, sides):
    """The face that the seed gives for die number `index`."""
    limit = 256 - 256 % sides
    said = "\n".join(words)
    block = 0
    while True:
        message = f"{index}:{block}:{said}".encode()
        for byte in hmac.new(seed, message, hashlib.sha256).digest():
            if byte < limit:
                return byte % sides + 1
        block += 1


def is_whole(document):
    """Whether a file is the whole record of a table."""
    return isinstance(document, dict) and document.get("kind") == "whole"


def as_audit(document):
    """The dice of a file: those of the dice page as they are, those of a log picked out of it."""
    if is_whole(document):
        audit = audit_of([facts(entry) for entry in document["log"]])
        audit["seed"] = document["dice"].get("seed")
        return audit
    return audit_of(document) if isinstance(document, list) else document


def facts(entry):
    """An entry of a whole record as the log of the JSON interface has it, as far as dice need it."""
    data = entry["event"]
    dice = entry.get("dice")
    if dice:
        pool = dice["pool"]
        sides = pool.get("sides", 6)
        dice = {**dice, "pool": f"{pool['count']}d{sides}", "by": dice.get("by", "server")}
    return {"seq": entry["seq"], "type": data["type"], "data": data, "dice": dice}


def audit_of(log):
    """The dice of a log. Those from before the table parted from another one are another seed's."""
    audit = {"commitment": None, "seed": None, "words": [], "rolls": []}
    for entry in log:
        if entry["type"] in ("Opened", "Forked", "Restored"):
            audit["commitment"] = entry["data"].get("commitment")
            for roll in audit["rolls"]:
                roll["other"] = True
        elif entry["type"] == "WordSaid":
            audit["words"].append(entry["data"]["word"])
        dice = entry.get("dice")
        if dice:
            roll = {"entry": entry["seq"], "words": len(audit["words"]), "index": dice.get("index")}
            roll.update(pool=dice["pool"], faces=dice["faces"], by=dice["by"])
            audit["rolls"].append(roll)
    return audit


def broken(log):
    """A line that says where the chain of a whole record breaks; None where it holds."""
    before = ""
    for number, entry in enumerate(log, start=1):
        if entry.get("seq") != number:
            return f"entry {number} is missing"
        fields = {name: entry.get(name) for name in FIELDS}
        if entry.get("choice") is not None:
            fields["choice"] = entry["choice"]
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
        if before != entry.get("hash"):
            return f"entry {number} is not as it was written"
    return None


def problems(audit, seed):
    """A line for each thing that is wrong with the dice of an audit."""
    expected = 0
    for roll in audit["rolls"]:
        if roll["by"] != "server":
            continue
        first, entry = roll["index"], roll["entry"]
        if first != expected:
            yield f"entry {entry}: dice {expected} to {first - 1} are missing before it"
        expected = first + len(roll["faces"])
        if roll.get("other"):
            continue
        sides = int(roll["pool"].split("d")[1])
        for n, face in enumerate(roll["faces"]):
            right = die(seed, audit["words"][: roll["words"]], first + n, sides)
            if right != face:
                yield f"entry {entry}: die {first + n} shows {face}, the seed gives {right}"


def main(arguments=None):
    """Check one file. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Check the dice of a Contrail table.")
    parser.add_argument("file")
    parser.add_argument("--seed", help="the seed in hex, if the file has none")
    parser.add_argument("--commitment", help="the fingerprint you noted when the game began")
    given = parser.parse_args(arguments)
    try:
        with open(given.file, encoding="utf-8") as file:
            document = json.load(file)
        if isinstance(document, dict) and document.get("kind") == "view":
            print("This is what one viewer saw; export the table again when the game is over.")
            return 2
        audit = as_audit(document)
        if is_whole(document):
            gap = broken(document["log"])
            if not gap and len(document["log"]) != document["table"]["entries"]:
                gap = "the end is missing"
            if gap:
                print(f"WRONG: {gap}.")
                return 1
            print(f"Right: {len(document['log'])} entries follow from each other.")
        if audit["rolls"] and all(roll["by"] == "hand" for roll in audit["rolls"]):
            print("This table rolled real dice: they were typed in and can't be checked.")
            return 0
        text = given.seed or audit["seed"]
        if not text:
            print("There is no seed in this file: it is shown once the game is over.")
            return 2
        seed = bytes.fromhex(text)
        published = given.commitment or audit["commitment"]
        if hashlib.sha256(seed).hexdigest() != published:
            print("WRONG: the seed is not the one that was committed to.")
            return 1
        found = list(problems(audit, seed))
        server = [roll for roll in audit["rolls"] if roll["by"] == "server"]
        checked = sum(len(roll["faces"]) for roll in server if not roll.get("other"))
        other = sum(len(roll["faces"]) for roll in server if roll.get("other"))
        by_hand = sum(len(r["faces"]) for r in audit["rolls"] if r["by"] != "server")
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        print(f"This file can't be checked: {error!r}")
        return 2
    for line in found:
        print("WRONG: " + line)
    if found:
        return 1
    print(f"Right: {checked} dice are what the seed gives, none is missing.")
    if other:
        print(
            f"{other} more fell at another table, before this one parted from it: check them there."
        )
    if by_hand:
        print(f"{by_hand} more were thrown by hand and can't be checked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
