"""A package, so that its fixtures end with it: while Playwright runs, no other test may start an event loop."""
