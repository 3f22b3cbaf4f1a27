"""The notation of a move (6.7): one token a flight point, or a thing done between two.

Belongs here: reading and writing tokens, kindly. Does not belong here: whether one may be flown.

    H  HD  U           ahead; ahead and the free level down; ahead unloaded
    C1 C2  D1 D2 D3    climb or dive so many levels
    SLL SLR            slide; DRL DRR displacement roll; LRL LRR lag roll, to a side
    HTR/H              declare a hard turn right, and fly ahead in it
    H/R  H/RR          face right 30 or 60 degrees at its end
    -  G  VRL120       no flight point: stop the turn, fire the gun, roll vertically
"""

import re
from functools import lru_cache
from typing import Literal, cast

from msgspec import Struct

from app.engine.errors import Illegal
from app.games.gunslingers.model import Rate, Side

Kind = Literal["H", "HD", "U", "C", "D", "SL", "DR", "LR", "VR", "-", "G", ""]

MOST_TOKENS = 60
"""Longest line that is read: more than any move has."""

_CITE = "GS-F-1"
_TOKEN = re.compile(
    r"(?:(?P<rate>EZ|TT|HT|BT|ET)(?P<turn>[LR])/?)?"
    r"(?:(?P<ahead>HD|H|U)|(?P<climb>[CD])(?P<levels>[123])|(?P<manoeuvre>SL|DR|LR)(?P<side>[LR]))?"
    r"(?:/?(?P<face>LL|RR|L|R))?"
)
_ROLL = re.compile(r"VR(?P<side>[LR])(?P<degrees>\d{1,3})", re.ASCII)
_MANY = re.compile(r"(?P<times>\d{1,2})(?P<what>\D.*)", re.ASCII)


class Token(Struct, frozen=True, kw_only=True):
    """A token. `kind` "" is a turn declared and the flight point still to be written ("HTR/").

    `number` is levels or, of a vertical roll, degrees; `side` a manoeuvre's. `rate` and `turn` declare a turn,
    `face` and `steps` are the facing change at its end, in steps of 30 degrees.
    """

    kind: Kind
    number: int = 0
    side: Side | None = None
    rate: Rate | None = None
    turn: Side | None = None
    face: Side | None = None
    steps: int = 0

    @property
    def text(self) -> str:
        """In its normal form."""
        declared = f"{self.rate}{self.turn}/" if self.rate else ""
        facing = f"/{(self.face or '') * self.steps}" if self.steps else ""
        return f"{declared}{self.kind}{self.side or ''}{self.number or ''}{facing}"

    @property
    def spends(self) -> bool:
        """Whether it spends a flight point."""
        return self.kind not in ("-", "G", "VR", "")

    @property
    def horizontal(self) -> bool:
        """Whether it spends an HFP."""
        return self.spends and self.kind not in ("C", "D")

    @property
    def rolls(self) -> bool:
        """Whether it is a roll of any kind (GS-F-17)."""
        return self.kind in ("DR", "LR", "VR")


STOP = Token(kind="-")
GUN = Token(kind="G")
AHEAD = Token(kind="H")


@lru_cache(4096)
def read_token(text: str) -> Token:
    """One token, in upper or lower case, without slashes if need be. Raises Illegal when it is none."""
    text = text.strip().upper()
    if text in ("-", "G"):
        return STOP if text == "-" else GUN
    roll = _ROLL.fullmatch(text)
    if roll:
        degrees = int(roll["degrees"])
        if degrees % 30 or not 30 <= degrees <= 180:
            raise Illegal(f"{text}: a vertical roll is 30, 60 … 180 degrees.", "GS-F-17")
        return Token(kind="VR", side=cast(Side, roll["side"]), number=degrees)
    match = _TOKEN.fullmatch(text)
    if match is None or not text:
        raise Illegal(_unread(text), _CITE)
    return _token(match)


def _token(match: re.Match[str]) -> Token:
    face = match["face"] or ""
    kind = match["ahead"] or match["climb"] or match["manoeuvre"]
    return Token(
        # A facing change alone is one at the end of a flight point straight ahead.
        kind=cast(Kind, kind or ("H" if face else "")),
        number=int(match["levels"] or 0),
        side=cast("Side | None", match["side"]),
        rate=cast("Rate | None", match["rate"]),
        turn=cast("Side | None", match["turn"]),
        face=cast("Side | None", face[:1] or None),
        steps=len(face),
    )


_HINTS = {
    "C": "say how many levels: C1 or C2",
    "D": "say how many levels: D1, D2 or D3",
    "SL": "say to which side: SLL or SLR",
    "DR": "say to which side: DRL or DRR",
    "LR": "say to which side: LRL or LRR",
    "VR": "say to which side and how far: VRL120",
    **{rate: f"say to which side: {rate}L or {rate}R" for rate in ("EZ", "TT", "HT", "BT", "ET")},
}


def _unread(text: str) -> str:
    hint = _HINTS.get(text, "write H, C1, D2, HTR/H, H/R, SLL, DRL, LRL, VRL60, U, G or -")
    return f"{text or 'Nothing'}: {hint}."


def read_line(text: str) -> tuple[tuple[Token, ...], Illegal | None]:
    """The tokens of a line as far as it can be read, and what is wrong with the next, if anything.

    Tokens stand between commas or blanks; "3H" and "HHH" are three. A turn declared by itself belongs to the
    flight point after it.
    """
    tokens: list[Token] = []
    try:
        for word in _words(text):
            token = read_token(word)
            if tokens and tokens[-1].kind == "":
                token = _joined(tokens.pop(), token)
            tokens.append(token)
            if len(tokens) > MOST_TOKENS:
                raise Illegal("That is longer than any move.", _CITE)
    except Illegal as wrong:
        return tuple(tokens), wrong
    return tuple(tokens), None


def _words(text: str) -> list[str]:
    found: list[str] = []
    for word in re.split(r"[,;\s]+", re.sub(r"\s*/\s*", "/", text.upper())):
        many = _MANY.fullmatch(word)
        if many:
            found += [many["what"]] * min(int(many["times"]), MOST_TOKENS)
        elif len(word) > 1 and set(word) == {"H"}:
            found += list(word)
        elif word:
            found.append(word)
    return found


def _joined(declared: Token, token: Token) -> Token:
    """A declaration and the flight point that follows it as one token."""
    if not token.spends or token.rate:
        raise Illegal(
            f"{declared.text}: a turn is declared before a flight point, as in {declared.text}H.",
            "GS-F-11",
        )
    return Token(
        kind=token.kind,
        number=token.number,
        side=token.side,
        rate=declared.rate,
        turn=declared.turn,
        face=token.face,
        steps=token.steps,
    )


def line(tokens: "tuple[Token, ...] | list[Token]") -> str:
    """A line in its normal form."""
    return ",".join(token.text for token in tokens)
