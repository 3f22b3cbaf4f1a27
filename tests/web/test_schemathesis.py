"""Nonsense at each route of the JSON interface: no server error, and only answers that it promises."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from app.main import create_app
from tests.web.house import any_choice, faces_for, prepare, settings_for, small_duel

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


class Ground:
    """Tables of different kinds, and somebody who holds seats at all of them."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.tables: list[str] = []
        self.invites: list[str] = []
        self.token = client.post("/api/token", json={}).json()["token"]
        for mode, dice in (("solo", "server"), ("shared", "server"), ("solo", "hand")):
            body = {"game": "osaaf", "setup": small_duel(), "mode": mode, "dice": dice}
            opened = client.post("/api/tables", json=body).json()
            self.tables.append(opened["id"])
            self.invites += [seat["invite"] for seat in opened["seats"] if "invite" in seat]

    def look(self, table: str) -> Any:
        """A table now."""
        return self.client.get(f"/api/tables/{table}").json()


GROUND: list[Ground] = []


@pytest.fixture(scope="module")
def web_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The document of an application in which something is going on."""
    configuration = settings_for(tmp_path_factory.mktemp("schemathesis") / "data")
    prepare(configuration)
    app = create_app(configuration)
    with TestClient(app, base_url="http://localhost") as client:
        GROUND.append(Ground(client))
        yield schemathesis.openapi.from_asgi("/openapi.json", app)
        GROUND.clear()


def aim(case: schemathesis.Case) -> None:
    """Mostly tables that there are and questions that are open, so that calls get beyond "not found"."""
    ground, rng = GROUND[0], random.Random(repr((case.path_parameters, case.query, case.body)))
    path: Any = case.path_parameters
    if path and rng.random() < 0.8:
        for name, values in (
            ("table_id", ground.tables),
            ("seat", ["blue", "red"]),
            ("game", ["osaaf"]),
            ("scenario", ["duel"]),
        ):
            if name in path:
                path[name] = rng.choice(values)
    body: Any = case.body
    if not isinstance(body, dict) or rng.random() < 0.3:
        return
    if "invite" in body:
        body["invite"] = rng.choice(ground.invites)
    if "game" in body:
        body["game"] = "osaaf"
    if path and path.get("table_id") in ground.tables and "version" in body:
        view = ground.look(path["table_id"])
        body["version"] = view["version"]
        if "offer" in body and view["offers"]:
            offer = view["offers"][0]
            body["offer"] = offer["id"]
            if offer["kind"] == "roll":
                body["dice"] = faces_for(offer["pool"], rng)
            elif rng.random() < 0.6:
                body.pop("dice", None)
                body["choice"] = any_choice(rng, offer)


def test_every_call_answers_as_promised(web_api: Any) -> None:
    operations = [result.ok() for result in web_api.get_all_operations()]
    # The stream has no end; test_streams is about it.
    operations = [one for one in operations if one.path != "/tables/{table_id}/stream"]
    assert len(operations) > 12
    operations.sort(key=lambda one: one.method == "delete")  # the others need what it deletes
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        def answers(case: schemathesis.Case) -> None:
            aim(case)
            response = case.call(headers={"authorization": f"Bearer {GROUND[0].token}"})
            case.validate_response(response, checks=CHECKS)

        answers()
