"""A line on the terminal for what takes longer than a second: which command, for how long, how much of it is done.

It stands on stderr, and only where that is a terminal: pipes, cron and `--quiet` see nothing of it. It has no colour, and it
is gone before anything else is printed.
"""

import sys
from collections.abc import Iterable, Iterator
from threading import Event, Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Self, TextIO, TypeVar

import click

AFTER, EVERY = 1.0, 0.5                     # seconds until the line is shown, and between two of it
CLEAR = "\r\033[K"

T = TypeVar("T")
quiet_option = click.option("--quiet", is_flag=True, help="Show no progress on the terminal.")


class Working:
    """`with Working("verify", quiet) as work:` what takes long; what it says meanwhile goes through `work.echo`."""

    def __init__(self, name: str, quiet: bool = False, *, stream: TextIO | None = None, after: float = AFTER) -> None:
        self.name, self.stream, self.after = name, stream or sys.stderr, after
        self.is_shown = not quiet and self.stream.isatty()
        self.done, self.of = 0, 0
        self.over, self.writing, self.line = Event(), Lock(), ""

    def __enter__(self) -> Self:
        self.begun = monotonic()
        if self.is_shown:
            self.thread = Thread(target=self._tick, daemon=True)
            self.thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.over.set()
        if self.is_shown:
            self.thread.join()
            self._clear()

    def _tick(self) -> None:
        pause = self.after
        while not self.over.wait(pause):
            pause = min(EVERY, self.after)
            count = f"  {self.done}{f'/{self.of}' if self.of else ''}" if self.done else ""
            with self.writing:
                self.line = f"pbem {self.name}  {monotonic() - self.begun:.0f} s{count}"
                self.stream.write(f"{CLEAR}{self.line}")
                self.stream.flush()

    def _clear(self) -> None:
        if self.line:
            self.stream.write(CLEAR)
            self.stream.flush()
            self.line = ""

    def echo(self, text: object) -> None:
        """Something is said before all is done."""
        with self.writing:
            self._clear()
            click.echo(text)

    def counted(self, things: Iterable[T], of: int = 0) -> Iterator[T]:
        """As they come; how many there were stands in the line."""
        self.of = of
        for thing in things:
            self.done += 1
            yield thing
