"""What a browser is sent, byte by byte: bodies of answers, and streams while they are open.

Belongs here: listening. Does not belong here: what may be heard.
"""

import base64
from typing import Any

from playwright.sync_api import Page

PING = "event: ping"


class Wire:
    """Listens between a page and the server, from before the page is opened. Bodies are taken as they come in."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._came = ""
        self._asked = 0
        self._bodies: set[str] = set()
        self._session = page.context.new_cdp_session(page)
        self._session.on("Network.responseReceived", self._begun)
        self._session.on("Network.dataReceived", self._data)
        self._session.on("Network.loadingFinished", self._finished)
        self._session.send("Network.enable")

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
        return len(self._came)

    def since(self, mark: int) -> str:
        """What has come since a moment; a ping, which says only that the stream lives, left out."""
        now = self.mark()
        came = self._came[mark:now]
        return "".join(one for one in came.split("\n\n") if one and PING not in one)

    def _begun(self, event: Any) -> None:
        asked = {"requestId": event["requestId"]}
        if event["response"]["mimeType"] == "text/event-stream":
            self._keep(self._session.send("Network.streamResourceContent", asked)["bufferedData"])
        # Other statuses have no body here, and other things than these are the same for everybody.
        elif event["response"]["status"] == 200 and event["type"] in ("Document", "Fetch", "XHR"):
            self._bodies.add(event["requestId"])

    def _data(self, event: Any) -> None:
        if "data" in event:  # only of streams that we asked for
            self._keep(event["data"])

    def _finished(self, event: Any) -> None:
        if event["requestId"] in self._bodies:
            asked = {"requestId": event["requestId"]}
            body = self._session.send("Network.getResponseBody", asked)
            if body["base64Encoded"]:
                self._keep(body["body"])
            else:
                self._came += body["body"]

    def _keep(self, data: str) -> None:
        self._came += base64.b64decode(data).decode("utf-8", "replace")
