"""What a browser is sent, byte by byte: bodies of answers, and streams while they are open.

Belongs here: listening. Does not belong here: what may be heard.
"""

import base64
from typing import Any

from playwright.sync_api import Page

PING = "event: ping"


class Wire:
    """Listens between a page and the server, from before the page is opened; for one page, not for a walk."""

    def __init__(self, page: Page) -> None:
        self._came = ""
        self._asked = 0
        self._session = page.context.new_cdp_session(page)
        self._streams: list[str] = []
        self._whole: set[str] = set()
        self._ended: list[str] = []
        self._chunks: list[bytes] = []
        self._session.on("Network.responseReceived", self._begun)
        self._session.on("Network.dataReceived", self._data)
        self._session.on("Network.loadingFinished", self._finished)
        self._session.send("Network.enable")
        self._page = page

    @property
    def heard(self) -> str:
        """All that has come."""
        return self.since(0)

    def news(self) -> str:
        """What has come since it was last asked for."""
        news = self.since(self._asked)
        self._asked = len(self._came)
        return news

    def mark(self) -> int:
        """A moment, for `since`."""
        self._page.wait_for_timeout(150)  # what is on its way
        while self._streams:
            asked = {"requestId": self._streams.pop(0)}
            before = self._session.send("Network.streamResourceContent", asked)
            self._chunks.append(base64.b64decode(before["bufferedData"]))
        while self._ended:
            body = self._session.send("Network.getResponseBody", {"requestId": self._ended.pop(0)})
            if not body["base64Encoded"]:
                self._chunks.append(body["body"].encode())
        self._came += b"".join(self._chunks).decode()
        self._chunks.clear()
        return len(self._came)

    def since(self, mark: int) -> str:
        """What has come since a moment; a ping, which says only that the stream lives, left out."""
        now = self.mark()
        came = self._came[mark:now]
        return "".join(one for one in came.split("\n\n") if one and PING not in one)

    def _begun(self, event: Any) -> None:
        if event["response"]["mimeType"] == "text/event-stream":
            self._streams.append(event["requestId"])
        # Other statuses have no body here, and other things than these are the same for everybody.
        elif event["response"]["status"] == 200 and event["type"] in ("Document", "Fetch", "XHR"):
            self._whole.add(event["requestId"])

    def _data(self, event: Any) -> None:
        if "data" in event:  # only of streams that we asked for
            self._chunks.append(base64.b64decode(event["data"]))

    def _finished(self, event: Any) -> None:
        if event["requestId"] in self._whole:
            self._ended.append(event["requestId"])
