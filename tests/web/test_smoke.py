import random
import pytest
from tests.web.house import House
pytestmark = pytest.mark.anyio

@pytest.mark.parametrize("game", ["skirmish", "envelopes", "osaaf"])
async def test_it(games_house: House, game: str):
    ann = await games_house.visitor()
    t = await ann.sit(game)
    n = await t.play(random.Random(1), 300)
    v = await t.view()
    print(n, v["version"], v["finished"], v["result"] if v["finished"] else "")
    await ann.page(t.page)
    s = await ann.stream(t.page + "/frames")
    m = await s.event()
    print(len(m.data))
