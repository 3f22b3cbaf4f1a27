"""Autoplay: the bots' turns at tables.

Whenever a bot is to act at a table, one task plays there until a person or dice by hand are waited
for. Each decision is a command of its own, written before anybody sees it, so that people can
follow. A bot thinks elsewhere (app.thinking), from what its seat sees and nothing more; what it
decided about a moment that has passed meanwhile is dropped. Does not belong here: what a bot may
know (app.bots), how a command is carried out (playing).
"""

import asyncio
import contextlib
import logging
import random
import secrets

from app.bots import checked, plain_answer, seen_from
from app.engine.errors import Refused, Stale
from app.engine.sequence import Answer, Decision, open_decisions
from app.tables.live import LiveTable
from app.tables.playing import play_bot, stall
from app.tables.service import Service
from app.tables.store import Unavailable
from app.thinking.pool import Failed, Thinkers
from app.thinking.wire import Question

RETRY_SECONDS = 2.0
"""How long a bot waits before it tries again where its table was let go."""

log = logging.getLogger("contrail")


def bot_decision(table: LiveTable) -> Decision | None:
    """What a bot is to answer now, if anything.

    Nothing while a person asks to take back: what is played on would answer for those who are
    asked.
    """
    if table.asked is not None or table.stalled == table.version:
        return None
    answered = {one.offer for one in table.held}
    for decision in open_decisions(table.todo):
        if decision.seat in table.bots and decision.id not in answered:
            return decision
    return None


class Autoplay:
    """Plays the bots of one server's tables.

    Args:
        service: the tables; it wakes this.
        pause: seconds from one decision to the next while somebody watches.
        thinkers: where they think.
    """

    def __init__(self, service: Service, pause: float, thinkers: Thinkers) -> None:
        self._service = service
        self._pause = pause
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._thinkers = thinkers
        self._closed = False
        service.wake = self.wake

    @property
    def playing(self) -> int:
        """At how many tables bots are deciding."""
        return len(self._tasks)

    def wake(self, table: LiveTable) -> None:
        """Let the bots of a table play on, if one is to act and they are not at it already."""
        if not self._closed and table.id not in self._tasks and bot_decision(table) is not None:
            self._tasks[table.id] = asyncio.create_task(self._play(table.id))

    async def close(self) -> None:
        """Stop everywhere. Where a bot was deciding, it decides again when the table is next loaded."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        self._thinkers.close()

    async def _play(self, table_id: str) -> None:
        chance = new_chance()
        try:
            while True:
                table = await self._service.get(table_id)
                # No waiting between this and the end of the task: who changes the table later wakes anew.
                decision = bot_decision(table)
                if decision is None:
                    return
                with contextlib.suppress(Stale, Unavailable):
                    await self._decide(table, decision, chance)
                if table.lost:  # it could not be written, or had to leave memory
                    await asyncio.sleep(RETRY_SECONDS)
        except Refused as gone:
            log.warning("bots leave the table %s: %s", table_id, gone)
        finally:
            self._tasks.pop(table_id, None)

    async def _decide(self, table: LiveTable, decision: Decision, chance: random.Random) -> None:
        """Make one decision and play it. Raises Stale when it has come too late, Unavailable."""
        loop = asyncio.get_running_loop()
        version, due = table.version, loop.time() + self._pause
        try:
            made = await self._answer(table, decision, chance)
            if table.watchers:
                await asyncio.sleep(due - loop.time())
            await play_bot(self._service, table, decision.seat, made, version)
        except (Stale, Unavailable):
            raise
        except Exception as error:  # whatever is wrong with it, people must be able to take back
            log.error("no bot can go on at the table %s", table.id, exc_info=error)
            stall(self._service, table, version)

    async def _answer(self, table: LiveTable, decision: Decision, chance: random.Random) -> Answer:
        """What a bot answers; where it fails, the first option that is allowed: the game goes on."""
        game, bot = table.game, table.bots[decision.seat]
        try:
            # All that is the table's is taken before anything is waited for.
            seen = seen_from(game, table.state, decision.seat)
            question = Question(
                game.meta.id, bot.id, decision.seat, decision.id, chance.getrandbits(128), seen
            )
            choice = await self._thinkers.think(table.id, question)
            return checked(game, decision, bot, choice)
        except Failed as failed:
            why = str(failed)
        except (
            Exception
        ) as error:  # the rules' view of it is a plug-in's code too: anything may come
            why = f"{type(error).__name__}: {error}"
        log.error("the bot %s fails at the table %s: %s", bot.id, table.id, why)
        return plain_answer(game, decision)


def new_chance() -> random.Random:
    """The chance that bots decide by: their own, never the table's dice."""
    return random.Random(secrets.randbits(128))
