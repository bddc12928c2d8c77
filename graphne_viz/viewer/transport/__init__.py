"""Bytes on their way to the browser, and messages from it."""
