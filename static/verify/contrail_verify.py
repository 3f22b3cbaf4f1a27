#!/usr/bin/env python3
"""Check the dice of a Contrail table. One file, Python 3.6 or newer, nothing to install.

    python contrail_verify.py contrail-dice-TABLE.json
    python contrail_verify.py contrail-dice-TABLE.json --seed HEX --commitment HEX
    python contrail_verify.py log.json --seed HEX

The file is the one that the table's dice page offers, or a copy of the table's whole log from the JSON
interface. The seed is in the former once the game is over; the dice page shows it, too. If you wrote down the commitment (fingerprint) when the game began, give it too: then you trust nothing but
your own note. How a die is made: HMAC-SHA256, keyed by the seed, over "index:block:words" (the words
joined by line feeds, block from 0); its bytes are read in order, those at or above the largest multiple
of the number of sides are passed over, and the first other one, modulo the sides, plus 1, is the face.

Exit status: 0 all dice are right, 1 some are not, 2 the file can't be checked.
"""

import argparse
import hashlib
import hmac
import json
import sys


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


def as_audit(document):
    """The dice of a file: those of the dice page as they are, those of a log picked out of it."""
    if not isinstance(document, list):
        return document
    audit = {"commitment": None, "seed": None, "words": [], "rolls": []}
    for entry in document:
        if entry["type"] == "Opened":
            audit["commitment"] = entry["data"]["commitment"]
        elif entry["type"] == "WordSaid":
            audit["words"].append(entry["data"]["word"])
        dice = entry.get("dice")
        if dice:
            roll = {"entry": entry["seq"], "words": len(audit["words"]), "index": dice.get("index")}
            roll.update(pool=dice["pool"], faces=dice["faces"], by=dice["by"])
            audit["rolls"].append(roll)
    return audit


def problems(audit, seed):
    """A line for each thing that is wrong with the dice of an audit."""
    expected = 0
    for roll in audit["rolls"]:
        if roll["by"] != "server":
            continue
        first, entry = roll["index"], roll["entry"]
        if first != expected:
            yield f"entry {entry}: dice {expected} to {first - 1} are missing before it"
        sides = int(roll["pool"].split("d")[1])
        for n, face in enumerate(roll["faces"]):
            right = die(seed, audit["words"][: roll["words"]], first + n, sides)
            if right != face:
                yield f"entry {entry}: die {first + n} shows {face}, the seed gives {right}"
        expected = first + len(roll["faces"])


def main(arguments=None):
    """Check one file. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Check the dice of a Contrail table.")
    parser.add_argument("file")
    parser.add_argument("--seed", help="the seed in hex, if the file has none")
    parser.add_argument("--commitment", help="the fingerprint you noted when the game began")
    given = parser.parse_args(arguments)
    try:
        with open(given.file, encoding="utf-8") as file:
            audit = as_audit(json.load(file))
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
        checked = sum(len(r["faces"]) for r in audit["rolls"] if r["by"] == "server")
        by_hand = sum(len(r["faces"]) for r in audit["rolls"] if r["by"] != "server")
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        print(f"This file can't be checked: {error!r}")
        return 2
    for line in found:
        print("WRONG: " + line)
    if found:
        return 1
    print(f"Right: {checked} dice are what the seed gives, none is missing.")
    if by_hand:
        print(f"{by_hand} more were thrown by hand and can't be checked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
