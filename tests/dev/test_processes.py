"""Work on many things: whatever the number of processes, what comes of each stands in its place."""

import gc
import os

import pytest

from pbem.dev.processes import in_many


def where(number: int) -> tuple[int, int, int]:
    return number, os.getpid(), gc.get_threshold()[0]


@pytest.mark.parametrize(("jobs", "count", "is_here"), [(1, 3, True), (2, 1, True), (2, 3, False)])
def test_each_is_done_once_and_stands_in_its_place(jobs: int, count: int, is_here: bool) -> None:
    done = list(in_many(where, range(count), jobs))
    assert [number for number, _, _ in done] == list(range(count))
    assert all((pid == os.getpid()) == is_here for _, pid, _ in done)
    assert is_here or {threshold for _, _, threshold in done} == {50_000}      # as in every command
