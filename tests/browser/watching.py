"""What goes wrong in a page without anybody seeing it: errors in the console, and requests that leave the machine."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_OF_SCREENSHOTS = r"Applying inline style violates .* \(\)$"
"""What hides the tools is against the policy of our pages; their own styles would have an address."""

_LOCAL = ("127.0.0.1", "localhost", "")


class Watch:
    """Collects the troubles of all pages of a browser context."""

    def __init__(self, context):
        self.troubles = []
        self._allowed = [re.compile(_OF_SCREENSHOTS)]
        context.on("console", self._console)
        context.on("weberror", lambda event: self.troubles.append(f"exception: {event.error}"))
        context.on("request", self._request)

    def begin(self):
        """Forget what was seen and what was allowed."""
        self.troubles.clear()
        self._allowed[1:] = []

    def allow(self, pattern):
        """Name a trouble that a test brings about on purpose."""
        self._allowed.append(re.compile(pattern))

    def check(self):
        unexpected = [text for text in self.troubles if not any(p.search(text) for p in self._allowed)]
        assert not unexpected, "\n".join(unexpected)

    def _console(self, message):
        if message.type == "error":
            self.troubles.append(f"console: {message.text} ({message.location.get('url')})")

    def _request(self, request):
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in _LOCAL:
            self.troubles.append(f"request to {parts.hostname}: {request.url}")
