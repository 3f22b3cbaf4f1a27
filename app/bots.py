"""Bots: a seat's answer without a person. For tables and for simulations alike.

A bot gets what a person in its seat gets, nothing else: the state without other seats' secrets, the open
question with its options, exact odds, and dice of its own.
"""

import random
from collections.abc import Mapping
from typing import Any

from app.engine.errors import BrokenGame, Illegal
from app.engine.game import Bot, Game, Sight
from app.engine.secret import redact
from app.engine.sequence import Answer, Decision, open_decisions, shortest, todo, walk
from app.odds import exact


def bot_of(game: Game[Any], bot: str) -> Bot:
    """The bot of an id, or of one that it had formerly. Raises Illegal, naming those that there are."""
    found = _by_id(game).get(bot)
    if found is not None:
        return found
    known = ", ".join(one.id for one in game.bots) or "none"
    raise Illegal(f"{game.meta.title} has the bots {known}; not {bot!r}.")


def seated(game: Game[Any], bots: Mapping[str, str]) -> dict[str, Bot]:
    """The bots of a table by their seats.

    One that the game has no more keeps its seat under its id; it can't choose, as any bot may fail to.
    """
    known = _by_id(game)
    return {seat: known.get(bot) or Bot(bot, bot, "", _gone) for seat, bot in bots.items()}


def _by_id(game: Game[Any]) -> Mapping[str, Bot]:
    """By what they are called now before what another was called once."""
    formerly = {old: bot for bot in game.bots for old in bot.formerly}
    return formerly | {bot.id: bot for bot in game.bots}


def _gone(sight: Sight) -> Any:
    raise BrokenGame("this bot is not in the game any more")


def answer(
    game: Game[Any], state: Any, decision: Decision, bot: Bot, chance: random.Random
) -> Answer:
    """What a bot answers to a decision of its seat. Raises BrokenGame when that is none of the options."""
    seen = seen_from(game, state, decision.seat)
    return checked(game, decision, bot, chosen(seen, decision, bot, chance))


def seen_from(game: Game[Any], state: Any, seat: str) -> Any:
    """A position as the bot of a seat sees it: what a person there sees, and no more."""
    viewer = frozenset({seat})
    return game.view(redact(state, viewer), viewer)


def asked_in(game: Game[Any], seen: Any, seat: str, offer: str) -> Decision:
    """The open question of an id, as the rules ask it in what its seat sees. Raises BrokenGame.

    It is the same as in the whole position (tests hold each game to it): so whoever thinks elsewhere needs
    nothing but what the seat sees.
    """
    for decision in open_decisions(todo(game, seen)):
        if (decision.id, decision.seat) == (offer, seat):
            return decision
    raise BrokenGame(f"{game.meta.id}: what {seat} sees does not have the question {offer}")


def chosen(seen: Any, decision: Decision, bot: Bot, chance: random.Random) -> Any:
    """What a bot chooses, from what its seat sees. It may be no option, or raise anything."""
    sight = Sight(
        state=seen,
        seat=decision.seat,
        decision=decision,
        exact=exact,
        die=lambda sides: chance.randint(1, sides),
    )
    return bot.choose(sight)


def checked(game: Game[Any], decision: Decision, bot: Bot, choice: Any) -> Answer:
    """The answer that a bot's choice makes. Raises BrokenGame when it is none of the options."""
    try:
        decision.accept(choice)
    except Illegal as wrong:
        raise BrokenGame(
            f"{game.meta.id}: the bot {bot.id} answers what can't be: {wrong}"
        ) from wrong
    return Answer(decision.id, choice)


def plain_answer(game: Game[Any], decision: Decision) -> Answer:
    """The first option that is not blocked: what is answered for a bot that fails. Raises BrokenGame.

    Where the answer is a line of text that has no such option, the first token at each step.
    """
    for option in decision.all_options:
        if option.blocked is None:
            return Answer(decision.id, option.value)
    if decision.draft is not None:
        return Answer(decision.id, walk(decision, shortest))
    raise BrokenGame(f"{game.meta.id}: {decision.id} has no answer")
