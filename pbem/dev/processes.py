"""The same work on many things, in as many processes as there are cores."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")


def in_many(run: Callable[[Given], Found], given: Sequence[Given], jobs: int | None = None) -> Iterator[Found]:
    """What comes of each, in their order. Other processes find `run` by its name; a few things are not worth starting them."""
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(given) < 2:
        yield from map(run, given)
        return
    from multiprocessing import get_context

    with get_context("spawn").Pool(jobs, gc.set_threshold, (50_000, 20, 20)) as pool:     # as in every command
        yield from pool.imap(run, given)
