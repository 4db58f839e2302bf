"""Linear algebra on one thread."""

import threading
from contextlib import contextmanager

_lock, _users, _limits = threading.Lock(), 0, None


@contextmanager
def one_thread():
    """BLAS and OpenMP on one thread while the block runs, and until the last of several such blocks has ended.

    The products of these clusterers are small: more threads gain little, and on a busy machine, where they
    wait for each other, they take many times as long. Without threadpoolctl nothing is changed.

    >>> with one_thread():
    ...     pass
    """
    global _users, _limits
    with _lock:
        _users += 1
        if _users == 1:
            _limits = _limited()
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _limits is not None:
                _limits.restore_original_limits()
                _limits = None


def _limited():
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return None
    return threadpool_limits(1)
