"""Browser tests: real servers, real Chromium, as many players as a test needs."""
