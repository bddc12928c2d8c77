"""Changes of traits that are made in any thread and told later."""

from threading import Thread

import traitlets as t

from graphne_viz.viewer.trait_changes import TraitChanges


class Counter(t.HasTraits):
    number = t.Int()

    def __init__(self):
        super().__init__()
        self.heard = []
        self.observe(lambda change: self.heard.append((change.old, change.new, change.get("by_us"))), "number")


def test_observers_hear_of_changes_only_when_they_are_told_and_in_order():
    counter, changes = Counter(), TraitChanges("by_us")
    changes.set(counter, {"number": 1})
    changes.set(counter, {"number": 2})
    assert (counter.number, counter.heard) == (2, [])
    changes.notify(counter)
    counter.number = 3
    assert counter.heard == [(0, 1, True), (1, 2, True), (2, 3, None)]


def test_several_threads_tell_of_every_change_once():
    counter, changes = Counter(), TraitChanges("by_us")
    for number in range(1, 1001):
        changes.set(counter, {"number": number})
    threads = [Thread(target=changes.notify, args=(counter,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(new for _, new, _ in counter.heard) == list(range(1, 1001))
