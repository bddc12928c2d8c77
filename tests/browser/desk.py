"""The window in which the tests open one notebook after the other: to load JupyterLab takes eight times as long."""

from __future__ import annotations

from itertools import count

from .lab import DRIVER
from .servers import PATIENCE
from .watching import Watch

SIZE = {"width": 1280, "height": 1000}


def new_context(browser):
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_init_script(path=DRIVER)
    return context


class Desk:
    """One page with JupyterLab; after a test that failed the next one begins with another."""

    def __init__(self, browser, lab):
        self._browser, self._lab = browser, lab
        self._numbers = count(1)
        self._page = self._watch = None

    @property
    def page(self):
        if self._page is None:
            context = new_context(self._browser)
            self._watch = Watch(context)
            self._page = context.new_page()
            self._lab.show(self._page, f"desk{next(self._numbers)}")
        return self._page

    @property
    def watch(self):
        """What goes wrong in the page, for all tests: none forgives what another one brought about."""
        return self._watch

    def tidy(self):
        """Leave the page as a test expects to find it."""
        for page in self.page.context.pages:
            if page is not self.page:
                page.close()
        self.page.set_viewport_size(SIZE)
        self.page.mouse.move(0, 0)
        self._watch.begin()

    def clear(self):
        if self._page is not None:
            self._page.context.close()
        self._page = self._watch = None
