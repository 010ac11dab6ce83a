"""Mutation: a condition, a refusal or a number is changed, one at a time, and somebody has to notice.

Of the rules it is the rule cases that have to notice, of what stands around them the tests. All of these witnesses run
once while it is written down which lines each of them reaches. A mutant then meets only those that reach it, the quickest
first, in a fork in which the code of the functions concerned has been exchanged, and is dead at the first that ends
otherwise. What nobody notices survives: it wants a case or a test, or a reason in `ARGUED`. A reason stands only as long
as its mutant does, and as nobody notices it.
"""

import gc
import importlib
import math
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import PbemError
from pbem.dev import cases
from pbem.dev.changes import PACKAGE, Mutant, functions, module_of, mutants, put_in_force, remembered
from pbem.editions import USUAL

if TYPE_CHECKING:
    import pytest

ROOT = PACKAGE.parent
ARGUED = ROOT / "tests/dev/argued"      # a file a room; a reason: the names of those that nobody can or has to notice
SECONDS = 20                            # longer than any witness takes: what runs on has noticed the change
PATIENCE = 30.0                         # seconds of tests that one mutant meets

Line = tuple[str, int]
Echo = Callable[[str], None]


class Witness(NamedTuple):
    """A rule case or a test that passes, the file it stands in, the lines that it reaches, and how long it takes."""

    passes: Callable[[], bool]
    file: str
    lines: frozenset[Line]
    seconds: float


class Court(NamedTuple):
    """Which modules are changed, in what, who has to notice it, and for how long witnesses come to a mutant."""

    sources: tuple[str, ...]
    kinds: tuple[str, ...]
    witnesses: tuple[str, ...]
    patience: float
    hold: "Callable[[Court, Callable[[list[Witness]], Summary]], Summary]"

    def files(self) -> list[Path]:
        return [file for pattern in self.sources for file in sorted(PACKAGE.glob(pattern))]

    def mutants(self) -> Iterator[Mutant]:
        return (mutant for file in self.files() for mutant in mutants(file) if mutant.kind in self.kinds)


class Summary(NamedTuple):
    """The changes that are noticed, and those that are not. No witness ever comes to the lines of `unreached`."""

    killed: list[Mutant]
    survived: list[Mutant]
    unreached: list[Mutant]

    def __str__(self) -> str:
        reasons = argued()
        kinds = dict.fromkeys(one.kind for all_of in self for one in all_of)
        quiet = [("survived", one) for one in self.survived] + [("never reached", one) for one in self.unreached]
        return "\n".join([
            self.row(""), *(f"  {kind:12}{self.row(kind)}" for kind in sorted(kinds) if len(kinds) > 1),
            *(f"  {how:15}{one}" for how, one in quiet if one.name not in reasons),
            *(f"  noticed, in spite of {reasons[one.name]!r}: {one}" for one in self.killed if one.name in reasons)])

    def row(self, kind: str) -> str:
        """The counts, of one kind or of all."""
        killed, survived, unreached = ([one for one in all_of if kind in ("", one.kind)] for all_of in self)
        number, known = len(killed + survived + unreached), argued()
        reasons = sum(one.name in known for one in survived + unreached)
        return (f"{number} mutants: {len(killed)} killed, {len(survived)} survived, {len(unreached)} never reached"
                + (f", {reasons} of these argued" if reasons else ""))


@cache
def argued() -> dict[str, str]:
    """The reason why a mutant need not be noticed, by its name."""
    tables: list[dict[str, list[str]]] = [yamlfile.parse(file.read_text(encoding="utf-8"), file.name)
                                          for file in sorted(ARGUED.glob("*.yaml"))]
    return {name: reason for table in tables for reason, names in table.items() for name in names}


def without_mutant() -> list[str]:
    """What is argued and can not be changed any more."""
    known = {mutant.name for court in COURTS.values() for mutant in court.mutants()}
    return [name for name in argued() if name not in known]


def mutate(by: str, only: str | None = None, *, sample: int | None = None, seed: int = 0, witnesses: tuple[str, ...] = (),
           jobs: int = 2, echo: Echo = print) -> Summary:
    """Try every mutant, or those whose line in the list contains a text, or some of them at random."""
    court = COURTS[by]
    if strange := [one for one in witnesses if not one or not (ROOT / one.partition("::")[0]).exists()]:
        raise PbemError("nothing_of_that_name", text=strange[0], known=court.witnesses)
    court = court._replace(witnesses=witnesses or court.witnesses)
    chosen = [mutant for mutant in court.mutants() if only is None or only in str(mutant)]
    if sample is not None and sample < len(chosen):
        chosen = random.Random(seed).sample(chosen, sample)
    if not chosen:
        raise PbemError("nothing_of_that_name", text=only or "", known=[])
    for file in court.files():
        importlib.import_module(module_of(file.relative_to(PACKAGE).as_posix()))
    return court.hold(court, lambda known: tried(chosen, known, court.patience, jobs, echo))


# --- the rule cases ----------------------------------------------------------------------------------------------


def with_cases(court: Court, then: Callable[[list[Witness]], Summary]) -> Summary:
    """Every case in these files."""
    notes = Notes(court)
    for file in [file for pattern in court.witnesses for file in sorted(ROOT.glob(pattern))]:
        for case in cases.load(file):
            notes.hear(partial(is_passed, case), file.name)
    return then(notes.witnesses())


def is_passed(case: dict[str, Any]) -> bool:
    return cases.judge(case).verdict == "pass"


# --- the tests ---------------------------------------------------------------------------------------------------


def with_tests(court: Court, then: Callable[[list[Witness]], Summary]) -> Summary:
    """The tests are gathered by pytest and run by its parts; what they share, a server, each fork makes for itself."""
    import pytest

    held = Session(court, then)
    with tempfile.TemporaryDirectory(prefix="m-") as scratch, pytest.MonkeyPatch.context() as patch:
        Path(scratch).chmod(0o755)          # a mail server is another user
        patch.setattr(tempfile, "tempdir", scratch)
        pytest.main([*court.witnesses, *SILENT, "--rootdir", str(ROOT), "--basetemp", f"{scratch}/tests"], [held])
    if held.summary is None:
        raise AssertionError("pytest could not gather the tests")
    return held.summary


SILENT = ("-s", "-pno:terminal", "-pno:cacheprovider", "-pno:xdist", "-oaddopts=", "-otmp_path_retention_policy=none")


class Session:
    """What pytest asks instead of running all tests and telling of it."""

    def __init__(self, court: Court, then: Callable[[list[Witness]], Summary]) -> None:
        self.court, self.then = court, then
        self.summary: Summary | None = None

    def pytest_runtestloop(self, session: "pytest.Session") -> bool:
        notes = Notes(self.court)
        for item in session.items:
            notes.hear(partial(passes, item), item.path.name)
        session._setupstate.teardown_exact(None)
        self.summary = self.then(notes.witnesses())
        return True


def passes(item: "pytest.Item") -> bool:
    """What is made once for all tests is kept, nothing else."""
    from _pytest.runner import runtestprotocol

    return all(report.passed for report in runtestprotocol(item, log=False, nextitem=item.session))      # type: ignore[arg-type]


# --- what each of them reaches -----------------------------------------------------------------------------------


class Notes:
    """Runs what may become a witness, and writes down the lines of the sources that it comes to."""

    def __init__(self, court: Court) -> None:
        self.names = {str(file): file.relative_to(PACKAGE).as_posix() for file in court.files()}
        self.found: list[Witness] = []

    def hear(self, passes: Callable[[], bool], file: str) -> None:
        reached: set[Line] = set()

        def in_function(frame: FrameType, event: str, value: object) -> Callable[..., Any]:
            reached.add((self.names[frame.f_code.co_filename], frame.f_lineno))
            return in_function

        def on_call(frame: FrameType, event: str, value: object) -> Callable[..., Any] | None:
            return in_function if frame.f_code.co_filename in self.names else None

        begun = time.monotonic()
        sys.settrace(on_call)
        try:
            passed = passes()
        finally:
            sys.settrace(None)
        if passed:
            self.found.append(Witness(passes, file, frozenset(reached), time.monotonic() - begun))

    def witnesses(self) -> list[Witness]:
        """The quickest of each file, then the second of each: those of one file are much alike."""
        before = Counter[str]()
        ranked = []
        for one in sorted(self.found, key=lambda one: one.seconds):
            ranked.append((before[one.file], one))
            before[one.file] += 1
        return [one for _, one in sorted(ranked, key=lambda pair: (pair[0], pair[1].seconds))]


# --- the run -----------------------------------------------------------------------------------------------------


def tried(chosen: list[Mutant], known: list[Witness], patience: float, jobs: int, echo: Echo) -> Summary:
    echo(f"{len(chosen)} mutants, {len(known)} witnesses")
    killed, survived, unreached, running = list[Mutant](), list[Mutant](), list[Mutant](), dict[int, Mutant]()
    gc.unfreeze()                           # what was set aside before is looked through as well
    functions()
    remembered()
    gc.freeze()
    for number, mutant in enumerate(chosen, 1):
        some = list(called(mutant, known, patience))
        if not some:
            unreached.append(mutant)
            continue
        while len(running) >= jobs:
            ended(running, killed, survived)
        running[started(mutant, some)] = mutant
        if number % 100 == 0:
            echo(f"  {number} of {len(chosen)}, {len(survived)} survived")
    while running:
        ended(running, killed, survived)
    gc.unfreeze()
    return Summary(killed, sorted(survived, key=lambda one: (one.file, one.line)), unreached)


def called(mutant: Mutant, known: list[Witness], patience: float) -> Iterator[Witness]:
    """Who reaches the mutant, as many as there is time for, one at least."""
    wanted = {(mutant.file, line) for line in mutant.lines}
    time_left = patience
    for one in known:
        if time_left > 0 and (not wanted or not wanted.isdisjoint(one.lines)):
            time_left -= one.seconds
            yield one


def is_noticed(mutant: Mutant, some: list[Witness]) -> bool:
    try:
        put_in_force(mutant)
    except Exception:                       # the module can be loaded no more
        return True
    for one in some:
        signal.alarm(max(SECONDS, round(5 * one.seconds)))
        if not one.passes():
            return True
    return False


def started(mutant: Mutant, some: list[Witness]) -> int:
    """The number of a new process in which the mutant meets its witnesses; it ends with 0 where none has noticed it."""
    child = os.fork()
    if child:
        return child
    code = 2
    os.setpgid(0, 0)
    try:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        signal.signal(signal.SIGALRM, lambda number, frame: os._exit(1))
        code = int(is_noticed(mutant, some))
    finally:
        os._exit(code)


def ended(running: dict[int, Mutant], killed: list[Mutant], survived: list[Mutant]) -> None:
    """Wait until one of the processes is done; a server that a test has started in it ends with it."""
    child, status = os.waitpid(-1, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    mutant = running.pop(child)
    code = os.waitstatus_to_exitcode(status)
    if code == 2:
        raise AssertionError(f"no verdict on {mutant}")
    (killed if code else survived).append(mutant)


COURTS = {
    "cases": Court(("rules/*.py", f"editions/{USUAL}.py"), ("refusal", "border", "number", "point"),
                   ("tests/cases/*.yaml", "tests/cards/*.yaml"), math.inf, with_cases),
    "tests": Court(("desk/*.py", "log/*.py", "mail/*.py", "telling/*.py", "base/records.py", "base/clock.py"),
                   ("refusal", "condition", "part", "border", "number"),
                   ("tests/base", "tests/desk", "tests/log", "tests/telling", "tests/mail", "tests/cli"), PATIENCE,
                   with_tests),
}
