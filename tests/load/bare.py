"""The least that does the same job: FastAPI, sqlite3 in WAL with FULL, a stream of frames.

It has no rules, no views, no identities: a POST writes one row in a writer thread and pushes one small
fragment to everybody at the table. So it shows what the framework, the disk and the machine cost alone;
the driver plays it with the same code as the real server. Run: `python -m tests.load.bare FOLDER`.
"""

import asyncio
import json
import secrets
import socket
import sqlite3
import sys
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import uvicorn
from fastapi import FastAPI, Form, HTTPException
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

RING = 64


class Command(BaseModel):
    """A choice."""

    version: int
    offer: str
    choice: Any = None


class Board:
    """A table: its version, the last frames, and one future for all who wait for the next."""

    def __init__(self, table_id: str) -> None:
        self.id = table_id
        self.version = 1
        self.lock = asyncio.Lock()
        self.ring: deque[bytes] = deque([self.frame()], maxlen=RING)
        self.count = 1
        self.next: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def frame(self) -> bytes:
        """A fragment that offers two choices."""
        return (
            f"id: {self.version}\n"
            f'data: <data id="version" value="{self.version}"></data><section id="now">'
            f'<form action="/tables/{self.id}/commands"><input name="version" '
            f'value="{self.version}"><input name="offer" value="turn:one">'
            '<div class="opt"><label><input type="radio" name="choice" value="1">Left</label></div>'
            '<div class="opt"><label><input type="radio" name="choice" value="2">Right</label></div>'
            "</form></section>\n\n"
        ).encode()

    def publish(self) -> None:
        """Give everybody the new frame."""
        self.ring.append(self.frame())
        self.count += 1
        self.next.set_result(None)
        self.next = asyncio.get_running_loop().create_future()

    async def frames(self) -> AsyncIterator[bytes]:
        """The newest frame, then all that follow."""
        sent = self.count - 1
        while True:
            missed = min(self.count - sent, len(self.ring))
            if missed:
                sent = self.count
                yield b"".join(list(self.ring)[-missed:])
            else:
                await asyncio.shield(self.next)


def create_app(folder: Path) -> FastAPI:
    """The application with its database in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = ThreadPoolExecutor(max_workers=1)
    database = sqlite3.connect(folder / "bare.db", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute(
        "CREATE TABLE event (table_id TEXT, seq INTEGER, data TEXT, PRIMARY KEY (table_id, seq))"
    )
    boards: dict[str, Board] = {}
    app = FastAPI(docs_url=None, redoc_url=None)

    def write(table_id: str, seq: int, data: str) -> None:
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO event VALUES (?, ?, ?)", (table_id, seq, data))
        database.execute("COMMIT")

    async def play(table_id: str, command: Command) -> int:
        board = boards[table_id]
        async with board.lock:
            if command.version != board.version:
                raise HTTPException(409)
            data = json.dumps({"offer": command.offer, "choice": command.choice})
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(writer, write, table_id, board.version, data)
            board.version += 1
        board.publish()
        return board.version

    @app.post("/api/tables")
    async def open_table(order: dict[str, Any]) -> dict[str, Any]:
        table_id = secrets.token_urlsafe(9)
        boards[table_id] = Board(table_id)
        return {"id": table_id, "seats": [{"id": "one"}, {"id": "two", "invite": "x"}]}

    @app.post("/api/tables/{table_id}/seats/{seat}/claim")
    async def claim(table_id: str, seat: str, body: dict[str, Any]) -> dict[str, Any]:
        return {"seat": seat, "token": table_id}

    @app.post("/tables/{table_id}/commands", status_code=204)
    async def by_form(
        table_id: str,
        version: Annotated[int, Form()],
        offer: Annotated[str, Form()],
        choice: Annotated[str, Form()],
    ) -> Response:
        await play(table_id, Command(version=version, offer=offer, choice=json.loads(choice)))
        return Response(status_code=204)

    @app.post("/api/tables/{table_id}/commands")
    async def by_json(table_id: str, body: Command) -> dict[str, int]:
        return {"version": await play(table_id, body)}

    @app.get("/tables/{table_id}/frames")
    async def frames(table_id: str) -> StreamingResponse:
        return StreamingResponse(boards[table_id].frames(), media_type="text/event-stream")

    return app


def main() -> None:
    """Serve on a free port of loopback, and say which."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(2048)
    config = uvicorn.Config(
        create_app(Path(sys.argv[1])),
        loop="uvloop",
        http="httptools",
        ws="none",
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    print(f"Bare is at http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
