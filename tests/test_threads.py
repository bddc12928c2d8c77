"""Threads of the process."""

from types import SimpleNamespace

import pytest

from graphne_viz import _threads


@pytest.fixture
def blas(monkeypatch):
    """Stand for a library of linear algebra with two threads."""

    def limit(limits, user_api):
        assert user_api == "blas"
        before, library.threads = library.threads, limits
        return SimpleNamespace(restore_original_limits=lambda: setattr(library, "threads", before))

    library = SimpleNamespace(threads=2, limit=limit)
    monkeypatch.setattr(_threads, "_blas", lambda: library)
    return library


def test_the_limit_on_blas_is_lifted_by_the_last_who_wants_it(blas):
    first, second = _threads.one_blas_thread(), _threads.one_blas_thread()
    first.__enter__()
    second.__enter__()
    assert blas.threads == 1
    first.__exit__(None, None, None)
    assert blas.threads == 1
    second.__exit__(None, None, None)
    assert blas.threads == 2


def test_an_error_lifts_the_limit_on_blas(blas):
    with pytest.raises(ZeroDivisionError), _threads.one_blas_thread():
        _ = blas.threads / 0
    assert blas.threads == 2
