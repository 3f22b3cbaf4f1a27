"""`1.0` is the integer 1, wherever plain data comes in; `true` is none."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.engine.numbers import MOST, whole
from app.engine.sequence import canonical

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-MOST + 1, MOST - 1)
    | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False).filter(
        lambda number: not number.is_integer()
    )
)
PLAIN = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner)
)


def floated(value: Any) -> Any:
    """The same, each integer as scripts in some languages write it."""
    if type(value) is int:
        return float(value)
    if isinstance(value, dict):
        return {key: floated(one) for key, one in value.items()}
    return [floated(one) for one in value] if isinstance(value, list) else value


@given(PLAIN)
def test_integers_come_back_and_nothing_else_changes(value: Any) -> None:
    read = whole(json.loads(json.dumps(floated(value))))
    assert json.dumps(read) == json.dumps(value)
    assert json.dumps(whole(value)) == json.dumps(value)
    assert canonical(floated(value)) == canonical(value)


def test_what_may_be_several_integers_stays() -> None:
    assert type(whole(float(MOST))) is float
    assert whole(float("inf")) == float("inf")
    assert type(whole(-0.0)) is int
