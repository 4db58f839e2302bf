"""A progress bar for terminals."""

import sys
import time


class ProgressBar:
    """Call it with what is done and what there is to do; it draws on terminals only, and if work takes long.

    >>> with ProgressBar("scoring") as progress:  # nothing appears here: this is no terminal
    ...     progress(1, 2)
    """

    WIDTH = 30
    PATIENCE = 0.7  # seconds before the bar appears
    PAUSE = 0.1  # seconds between drawings

    def __init__(self, what: str, stream=None):
        self.what, self.stream = what, stream or sys.stderr
        self.shown = bool(getattr(self.stream, "isatty", lambda: False)())
        self.started = time.monotonic()
        self.due, self.drawn = self.started + self.PATIENCE, False

    def __enter__(self):
        return self

    def __call__(self, done: float, total: float) -> None:
        now = time.monotonic()
        if not self.shown or now < self.due or total <= 0:
            return
        share = min(max(done / total, 0.0), 1.0)
        left = f", {(now - self.started) * (1 - share) / share:.0f} s left" if share else ""
        bar = "#" * round(share * self.WIDTH)
        self.due, self.drawn = now + self.PAUSE, True  # before drawing: Ctrl-C may come at once, and the bar is to go
        self.stream.write(f"\r{self.what} [{bar:<{self.WIDTH}}] {share:4.0%}{left}\x1b[K")
        self.stream.flush()

    def __exit__(self, *_):
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
