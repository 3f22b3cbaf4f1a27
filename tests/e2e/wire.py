"""What a browser is sent, byte by byte: bodies of answers, and streams while they are open."""

import base64
from typing import Any

from playwright.sync_api import Page


class Wire:
    """Listens between a page and the server, from before the page is opened; for one page, not for a walk.

    `heard` is all that has come, as text; `news` what has come since it was last asked.
    """

    def __init__(self, page: Page) -> None:
        self.heard = ""
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

    def news(self) -> str:
        """What has come since the last time; a ping, which says only that the stream lives, left out."""
        self._page.wait_for_timeout(150)  # what is on its way
        while self._streams:
            asked = {"requestId": self._streams.pop(0)}
            before = self._session.send("Network.streamResourceContent", asked)
            self._chunks.append(base64.b64decode(before["bufferedData"]))
        while self._ended:
            body = self._session.send("Network.getResponseBody", {"requestId": self._ended.pop(0)})
            if not body["base64Encoded"]:
                self._chunks.append(body["body"].encode())
        came = b"".join(self._chunks).decode()
        self._chunks.clear()
        self.heard += came
        return "".join(one for one in came.split("\n\n") if one and "event: ping" not in one)
