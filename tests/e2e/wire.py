"""What a browser gets over the network: the body of every answer, and every byte of a stream as it comes.

Belongs here: listening. Does not belong here: what may be heard.
"""

import base64
from typing import Any

from playwright.sync_api import CDPSession, Page

PING = "event: ping\ndata: {}\n\n"


class Wire:
    """All that comes to a page, from the moment this is made. Make it before the page goes anywhere."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._heard: list[str] = []
        self._streams: set[str] = set()
        self._line: CDPSession = page.context.new_cdp_session(page)
        self._line.on("Network.responseReceived", self._begins)
        self._line.on("Network.dataReceived", self._comes)
        self._line.on("Network.loadingFinished", self._ends)
        self._line.send("Network.enable")

    def mark(self) -> int:
        """A moment, for `since`."""
        self._page.wait_for_timeout(150)  # what is under way arrives
        return len(self._heard)

    def since(self, mark: int = 0) -> str:
        """All that has come since a moment, without the pings that keep a stream alive."""
        now = self.mark()
        return "".join(self._heard[mark:now]).replace(PING, "")

    def _begins(self, event: dict[str, Any]) -> None:
        if event["response"]["mimeType"] == "text/event-stream":
            request = event["requestId"]
            self._streams.add(request)
            begun = self._line.send("Network.streamResourceContent", {"requestId": request})
            self._keep(begun["bufferedData"])

    def _comes(self, event: dict[str, Any]) -> None:
        if "data" in event:
            self._keep(event["data"])

    def _ends(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._streams:
            body = self._line.send("Network.getResponseBody", {"requestId": event["requestId"]})
            self._keep(body["body"]) if body["base64Encoded"] else self._heard.append(body["body"])

    def _keep(self, data: str) -> None:
        self._heard.append(base64.b64decode(data).decode("utf-8", "replace"))
