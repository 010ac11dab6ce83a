"""`pbem dev prove`: everything that is proved by numbers, in full numbers. Each part says what it did and how long it took.

It takes hours. With a folder of counts the long parts can be broken off and gone on with: what they have looked at is noted
there, and which state of the program it was. What went wrong is tried again then: it may have been mended.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pbem.base.errors import PbemError
from pbem.base.folder import write_whole
from pbem.dev import between, boxes, cases, covered, desks, fuzz, many, pictures, play, tampering, trials
from pbem.dev.marked import marked_game
from pbem.dev.pages import paged_game
from pbem.dev.processes import in_many
from pbem.dev.secrecy import secret_game
from pbem.dev.underway import earlier_game
from pbem.editions import EDITIONS, USUAL

AT_ONCE = 5000                          # order lines that one process tries in a row
ENOUGH = 1000                           # games in which each option and each use of a card has to come up often
FULL = 5000                             # what `--games` stands at for the full counts
TESTS = Path(__file__).resolve().parents[2] / "tests"
Echo = Callable[[str], None]
Run = Callable[[int, Echo, Path | None], tuple[str, list[str]]]


class Part(NamedTuple):
    """One proof: how often it runs at full count, and what it does; it tells what it did and what went wrong. The long ones
    go on from their file of counts, if there is to be one."""

    name: str
    full: int
    run: Run


def prove(count: int, echo: Echo, only: str = "", counts: Path | None = None) -> bool:
    """The parts whose name contains this, in numbers that are to their full ones as `count` to 5,000; False if any failed."""
    fine = True
    if counts is not None:
        counts.mkdir(parents=True, exist_ok=True)
    if not any(only in one.name for one in PARTS):
        raise PbemError("nothing_of_that_name", text=only, known=[one.name for one in PARTS])
    for part in (one for one in PARTS if only in one.name):
        wanted = max(1, part.full * count // FULL) if part.full else 0
        began = perf_counter()
        echo(f"{part.name}: {wanted or 'all'} ...")
        did, wrong = part.run(wanted, echo, counts and counts / f"{part.name.replace(',', '').replace(' ', '-')}.json")
        took = perf_counter() - began
        apiece = f", {took / wanted:.2f} s each" if wanted else ""
        echo(f"{part.name}: {did}; {took:.0f} s{apiece}: {'FAILED' if wrong else 'fine'}")
        for line in wrong[:20]:
            echo(f"    {line}")
        fine = fine and not wrong
    return fine


# --- the parts ---------------------------------------------------------------------------------------------------


def rule_cases(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    """Every case there is; unknown is not enough."""
    verdicts = cases.run([*sorted((TESTS / "cases").glob("*.yaml")), *sorted((TESTS / "cards").glob("*.yaml"))])
    told = Counter(one.verdict for one in verdicts)
    return (f"{len(verdicts)} cases: " + ", ".join(f"{number} {verdict}" for verdict, number in told.most_common()),
            [str(one) for one in verdicts if one.verdict in ("fail", "unknown")])


def coming_between(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    """Whatever may come on top of an open question, on the questions of all cases; the suite tries one case for each pair."""
    found = between.all_tried(covered.all_cases(), count)
    return (f"{len(found)} things on top of {len({one.kind for one in found})} kinds of questions",
            [f"{one.case}: {one.what} upon {one.kind}: {'; '.join(one.wrong)}" for one in found if one.wrong])


def marches(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    summary = play.play(count)
    return (f"{summary.games} games of marches, {summary.steps} decisions",
            [f"march_game({one.seed}, {one.players}): {'; '.join(one.wrong)}" for one in summary.wrong])


def whole(edition: str, *, options: bool = False) -> Run:
    """Whole games by these rules. What random play never came to is told; with options, in many games, what it seldom came to
    is a failure."""
    def run(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
        summary = many.play_games(count, edition=edition, options=options, counts=counts, progress=every_hundred(echo))
        for what, names in many.unmet(summary).items():
            if names:
                echo(f"    never {what}: {', '.join(names)}")
        rare = [f"{name} came up {number} times" for name, number in many.seldom(summary).items()]
        strict = options and count >= ENOUGH
        if rare and not strict:
            echo(f"    seldom: {', '.join(rare)}")
        won = ", ".join(f"{by} {number}" for by, number in summary.won.most_common())
        ties = ", ".join(f"{by} {number}" for by, number in summary.ties.most_common()) or "none"
        return (f"{summary.games} whole games, {summary.steps} decisions, {summary.undone} undone, won by {won}; ties: {ties}; "
                f"{looked_at(summary.programs)}",
                [str(one) for one in summary.failures]
                + (rare if strict else []))

    return run


def each(game: Callable[[int], list[str]], did: str) -> Run:
    """One game for each seed: `game(seed)` says what is wrong with it."""
    def run(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
        name, progress, state = game.__name__, every_hundred(echo), many.program()
        kept: dict[str, Any] = {"games": 0, "wrong": {}, "programs": {}}
        if counts is not None and counts.exists():
            kept = json.loads(counts.read_text(encoding="utf-8"))
            kept["wrong"] = {seed: lines for seed in kept["wrong"] if (lines := game(int(seed)))}       # or it was mended
        for seed, lines in enumerate(in_many(game, range(kept["games"], count)), kept["games"]):
            kept["games"] = seed + 1
            kept["wrong"] |= {str(seed): lines} if lines else {}
            kept["programs"][state] = kept["programs"].get(state, 0) + 1
            if counts is not None:
                write_whole(counts, json.dumps(kept, indent=1).encode())
            progress(seed + 1, count)
        wrong = [f"{name}({seed}): {line}" for seed, lines in kept["wrong"].items() for line in lines]
        return f"{kept['games']} {did}; {looked_at(kept['programs'])}", wrong

    return run


def looked_at(programs: Mapping[str, int]) -> str:
    """Whether one state of the program has been looked at, or several one after the other."""
    if len(programs) == 1:
        return f"state {next(iter(programs))}"
    return "states " + ", ".join(f"{state} ({number})" for state, number in programs.items())


def every_hundred(echo: Echo) -> Callable[[int, int], None]:
    def progress(done: int, of: int) -> None:
        if done % 100 == 0:
            echo(f"    {done} of {of}")

    return progress


def verifying(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    total = tampering.counted(count, counts, every_hundred(echo))
    return (f"{total.games} honest games of all editions and {total.forgeries.total()} forgeries, each seen by all three; "
            f"{looked_at(total.programs)}", total.lines)


def bytewise(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    """Every byte of a small game."""
    done = tampering.changed_bytes()
    idle = ", ".join(f"{what} {number}" for what, number in done.idle.most_common())
    return (f"{done.tried} bytes changed one at a time: {done.unreadable} make the file unreadable at their line, {done.found} "
            f"are found in their entry by both verifiers, the rest changes nothing ({idle})", done.wrong)


def mails(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    found = fuzz.mails(count)
    return f"{count} mutated mails read", list(found.failures)


def lines(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    each = min(count, AT_ONCE)
    told = in_many(partial(line_failures, each), range(count // each))
    return f"{count} order lines that nobody would type", [line for lines in told for line in lines]


def line_failures(count: int, seed: int) -> list[str]:
    """For other processes, which find it by its name."""
    return [f"order_lines({count}, {seed}): {line}" for line in fuzz.order_lines(count, seed).failures]


def turns(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    found = trials.whole_turns(count)
    ends = ", ".join(f"{what} {number}" for what, number in found.classes.items())
    return f"{count} whole turns tried and then ordered ({ends})", list(found.failures)


def two_desks(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    found = desks.compared(count)
    return str(found), list(found.failures)


def properties(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    """The tests of what holds whatever is written, on as many texts each, drawn anew; the suite always tries the same."""
    files = [str(file) for file in sorted(TESTS.rglob("test_*.py")) if "from hypothesis" in file.read_text(encoding="utf-8")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=short", "-n", "auto", "-m", "hypothesis",
         "--hypothesis-profile=prove", *files],
        cwd=TESTS.parent, env={**os.environ, "PBEM_EXAMPLES": str(count)}, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines() or done.stderr.splitlines()
    wrong = [line for line in told if line.startswith(("E  ", "FAILED", "ERROR"))] or told
    return f"{count} texts each: {told[-1]}", wrong if done.returncode else []


def drawings(count: int, echo: Echo, counts: Path | None) -> tuple[str, list[str]]:
    """Positions of the kept games, in all languages, read from their finished pictures."""
    logs = sorted((TESTS / "log/kept").glob("*.gz"))
    looked = [pictures.looked_at(log, max(1, count // len(logs))) for log in logs]
    return f"{sum(done for done, _ in looked)} pictures looked at", [fault for _, faults in looked for fault in faults]


PARTS = (
    Part("cases", 0, rule_cases),
    Part("between", 10, coming_between),
    Part("marches", 5000, marches),
    Part("whole games", 500, whole(USUAL)),
    Part("whole games with options", 2000, whole(USUAL, options=True)),
    *(Part(f"whole games, {edition}", 100, whole(edition, options=True)) for edition in EDITIONS if edition != USUAL),
    Part("games under way", 300, each(earlier_game, "whole games by the rules as they were when fewer had been mended")),
    Part("boxes", 500, each(boxes.box_game, "whole games on drawn boxes, filled in, verified and told in every language")),
    Part("secrecy", 200, each(secret_game, "games played with other cards in the dark and read without the private file")),
    Part("pages", 100, each(paged_game, "games whose pages were made with and without the private file")),
    Part("marks", 200, each(marked_game, "whole games opened by their marks and folded from the beginning, on the way")),
    Part("verify", 1000, verifying),
    Part("changed bytes", 0, bytewise),
    Part("pictures", 1008, drawings),
    Part("mails", 50_000, mails),
    Part("order lines", 200_000, lines),
    Part("properties", 5_000, properties),
    Part("trials", 2_000, turns),
    Part("two desks", 500, two_desks),
)
