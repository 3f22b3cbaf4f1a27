"""A process that thinks: it takes one question after another and tells what the bot chose.

Belongs here: all that runs in that process. Whatever a bot does to it, the server ends it and
starts another.
"""

import contextlib
import os
import random
import socket
import traceback
from pathlib import Path

from app.bots import asked_in, chosen, seated
from app.games import registry
from app.processes import end_with_parent, go_first, limit_memory, step_back
from app.thinking.wire import MOST_TOLD, Cut, Told, encoded, framed, receive, unpacked

NICENESS = 5
"""How far bots step back behind those who serve people."""

MOST_ASKED = 256 * 1024 * 1024
"""Bytes of a question. Only the server asks."""


def think(data: bytes) -> Told:
    """What the bot that is asked chooses, or what went wrong. Raises nothing."""
    try:
        question = unpacked(data)
        game = registry.load(question.game)
        bot = seated(game, {question.seat: question.bot})[question.seat]
        decision = asked_in(game, question.seen, question.seat, question.offer)
        return Told(chosen(question.seen, decision, bot, random.Random(question.seed)))
    except MemoryError:
        # What filled it is still there, as caches are; the next process begins with none.
        return Told(wrong="it took more memory than a bot may", spent=True)
    except Exception as error:
        return Told(wrong=described(error))
    except BaseException as error:  # sys.exit, for one
        return Told(wrong=described(error), spent=True)


def described(error: BaseException) -> str:
    """What went wrong and where, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).parent.name}/{Path(last.filename).name}:{last.lineno}"
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words[:500]} ({place})"


def answered(data: bytes) -> bytes:
    """The answer to a question, both as they are sent. Raises nothing."""
    told = think(data)
    try:
        answer = encoded(told)
    except Exception as error:  # a choice may be anything
        return encoded(Told(wrong=f"it answers what is no plain data: {error}"))
    if len(answer) > MOST_TOLD:
        return encoded(Told(wrong=f"what it answers is {len(answer):,} bytes long"))
    return answer


def serve(sock: socket.socket) -> None:
    """Answer one question after another until the server is gone."""
    with contextlib.suppress(Cut, OSError):
        while True:
            sock.sendall(framed(answered(receive(sock, MOST_ASKED))))


def begin(sock: socket.socket, megabytes: int) -> None:
    """Be such a process from here on. Does not return."""
    sock.setblocking(True)
    go_first()
    limit_memory(megabytes)
    step_back(NICENESS)
    try:
        serve(sock)
    finally:
        os._exit(0)


def begin_alone(sock: socket.socket, megabytes: int) -> None:
    """The same, started by multiprocessing: where nothing can be forked."""
    end_with_parent()
    begin(sock, megabytes)
