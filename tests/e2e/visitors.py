"""People at browsers. Whatever a page of theirs complains of fails the test."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response


class Visitors:
    """Makes pages, each in a browser context of its own, and watches all of them.

    Trouble is: an error or warning in the console (a breach of the Content-Security-Policy is one), an
    exception that nobody caught, a request that failed, an answer from 400 up. A test that provokes
    trouble says so: `visitors.expect(r"503")`.
    """

    def __init__(self, browser: Browser, base_url: str) -> None:
        self._browser = browser
        self._base_url = base_url
        self._contexts: list[BrowserContext] = []
        self._expected: list[re.Pattern[str]] = []
        self.trouble: list[str] = []

    def __call__(self, **options: Any) -> Page:
        """A new person with an empty browser. `options` are those of `new_context`."""
        options = {"base_url": self._base_url, "viewport": {"width": 1366, "height": 800}} | options
        context = self._browser.new_context(**options)
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.trouble.append(f"exception: {error.error}"))
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)
        return context.new_page()

    def expect(self, pattern: str) -> None:
        """Trouble that matches is wanted."""
        self._expected.append(re.compile(pattern))

    def leave(self) -> None:
        """Close everything. Fails the test if there was trouble."""
        for context in self._contexts:
            context.close()
        unwanted = [one for one in self.trouble if not any(p.search(one) for p in self._expected)]
        if unwanted:
            pytest.fail("trouble in the browser:\n" + "\n".join(unwanted))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.trouble.append(f"console {message.type}: {message.text}")

    def _failed(self, request: Request) -> None:
        why = str(request.failure)
        if request.method == "GET" and "ERR_ABORTED" in why:
            return  # a page that is left drops what it waits for; a download is no page
        self.trouble.append(f"failed: {request.method} {request.url}: {why}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.trouble.append(f"answer {response.status}: {response.url}")
