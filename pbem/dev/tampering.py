"""Logs that were tampered with: all three checkers have to find it, to say the same, and in which entry.

`tampered` takes an honest log of any kind and changes one thing after the other in it; `changed_bytes` goes through the file
of a small game byte by byte. A witness knows the heads: what changes no die, no deck and no
opening is found by them alone.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from pbem.base.errors import BadLog
from pbem.base.folder import write_whole
from pbem.chance import check, scheme, verify_min
from pbem.chance.check import FAILED, OK
from pbem.desk.opengame import keys_of
from pbem.desk.tray import promised
from pbem.dev import honest, page
from pbem.dev.forging import first_changed, forged, forged_part
from pbem.dev.games import told_of
from pbem.dev.many import program
from pbem.dev.processes import in_many
from pbem.dev.secrecy import Glass
from pbem.editions import USUAL
from pbem.log import gamelog
from pbem.log.header import FORMAT
from pbem.play import verify
from pbem.rules.war import MODERATOR

MEMORY = Path("/dev/shm")               # a disk is made to wait at every line
FORGERIES = 10                          # of a game
PARTS = 8                               # so many of what players kept are looked at with each game, and forged
KEPT = 10                               # the file of counts is written after so many games
ONLY_LONG = ("blind", "private", "changes", "changed", "position", "rules")  # what verify_min leaves to others
SAID: Mapping[Any, str] = {True: OK, False: FAILED}
UNREAD = -1
NO_PROMISE = (0, "chance", FAILED)
LATER = 5                               # so many lines after a stray quotation mark the file may break off

Log = dict[str, Any]
Told = list[tuple[int, str, str]]       # entry, check, state


# --- what the three say ------------------------------------------------------------------------------------------


def long_form(checks: Iterator[check.Check]) -> Told:
    """What the program finds, of the kinds that the short verifier knows."""
    return [(one.entry, one.what, one.state) for one in checks if one.what.split()[0] not in ONLY_LONG]


def short_form(log: Log, heads: Sequence[str] = (), kept: Sequence[Any] = ()) -> Told:
    """What the short one finds. Where it cannot read on it fails as a whole."""
    told: Told = []
    try:
        for at, what, right in verify_min.verify(log, heads, kept):
            told.append((at, what, SAID.get(right, str(right))))
    except verify_min.UNREADABLE as fault:
        told.append((UNREAD, f"cannot be read: {fault}", FAILED))
    return told


def failures(told: Told) -> Told:
    return [one for one in told if one[2] == FAILED]


class Seen(NamedTuple):
    """A log as the three saw it: what verify says, and where the others say something else."""

    checks: Told
    apart: list[str]


def seen_by_both(log: Log, heads: Sequence[str] = ()) -> Seen:
    """By the two that are written in Python. A log that the short one cannot read has to be wrong for the other as well."""
    checks = list(check.check_game(log, heads))
    long, short = long_form(iter(checks)), short_form(log, heads)
    if short[-1][0] == UNREAD and failures(long):
        short = long
    return Seen([(one.entry, one.what, one.state) for one in checks], list(otherwise(long, short, "verify_min")))


def seen(log: Log, heads: Sequence[str] = ()) -> Seen:
    """By all three."""
    both = seen_by_both(log, heads)
    shown = page.checks(scheme.canonical(log).decode(), heads)
    return both._replace(apart=[*both.apart, *otherwise(both.checks, shown, "the page")])


def kept_apart(log: Log, kept: Sequence[Any], *, honest: bool) -> Iterator[str]:
    """Where the short one and the page do not say the same of what players kept; and what of it is wrong, if it is honest."""
    text, short, alone = scheme.canonical(log).decode(), short_form(log, (), kept), short_form(log)
    shown = page.checks(text, (), kept)
    own = short[len(alone):]
    found = shown[len(page.checks(text)):]
    if own != found:
        at = next(place for place, (one, other) in enumerate(zip_longest(own, found)) if one != other)
        yield f"of what players kept verify_min says {own[at:at + 3]}, the page {found[at:at + 3]}"
    if honest:
        yield from (f"it was kept: {one}" for one in failures(own))


def otherwise(ours: Told, theirs: Told, who: str) -> Iterator[str]:
    if ours != theirs:
        yield f"verify says {sorted(set(ours) - set(theirs))[:5]}, {who} {sorted(set(theirs) - set(ours))[:5]}"


def not_found(by: Seen, at: int, heads: Sequence[str], what: str = "") -> Iterator[str]:
    """Entry `at` was changed. Whoever knows the head before it and the one after it finds the place, with each checker;
    and what is wrong in itself is wrong for all.
    """
    missing = (max(at - 1, 0), f"head {heads[at]}", FAILED)
    if missing not in by.checks and not (at == 0 and NO_PROMISE in by.checks):     # without a promise nothing else is looked at
        yield f"entry {at} was changed{what}, verify finds {failures(by.checks)}"
    yield from (f"entry {at} was changed{what}: {line}" for line in by.apart)


def known(at: int, heads: Sequence[str]) -> Sequence[str]:
    """The heads around that entry."""
    return heads[max(at - 1, 0):at + 1]


# --- random games ------------------------------------------------------------------------------------------------


class Tampered(NamedTuple):
    """One honest game and forgeries of its log, as the three have seen them."""

    entries: int
    kinds: tuple[str, ...]
    forgeries: Counter[str]             # by what was done
    found: Counter[str]                 # by the checks that failed besides the heads
    wrong: list[str]


def tampered(seed: int, forgeries: int = FORGERIES) -> Tampered:
    """All that the three do not find right in the honest game of a seed, or not wrong in forgeries of it."""
    rng, done, found = Random(f"forgeries {seed}"), Counter[str](), Counter[str]()
    try:
        game = honest.honest(seed)
        log = json.loads(scheme.canonical(game.log))
        told = seen(log, sorted(rng.sample(game.heads, 2), key=game.heads.index))
        wrong = [*told.apart, *(f"it was honest: {one}" for one in failures(told.checks))]
        kept = rng.sample(game.kept, min(len(game.kept), PARTS))
        wrong += kept_apart(log, game.kept, honest=True)
        wrong += kept_apart(log, [forged_part(part, rng) for part in kept], honest=False)
        for _ in range(forgeries):
            until = rng.choice((len(log["log"]), rng.randrange(len(log["log"])) + 1))
            part = {**log, "log": log["log"][:until]}
            forgery, how = forged(part, rng)
            if (at := first_changed(part, forgery)) is None:
                continue
            told = seen(forgery, known(at, game.heads))
            wrong += not_found(told, at, game.heads, f" ({how})")
            done[how] += 1
            kinds = {what.split()[0] for _, what, _ in failures(told.checks)}
            found.update(kinds - {"head"} or {"heads alone"})
    except Exception as fault:          # whatever it is, it has to be told together with its seed
        return Tampered(0, (), done, found, [told_of(fault)])
    return Tampered(len(log["log"]), game.kinds, done, found, [f"tampered({seed}): {line}" for line in wrong])


class Counted(NamedTuple):
    """Many of them."""

    games: int = 0
    entries: int = 0
    kinds: Counter[str] = Counter()
    forgeries: Counter[str] = Counter()
    found: Counter[str] = Counter()
    programs: Counter[str] = Counter()  # how many games each state of the program has looked at
    seconds: float = 0.0
    wrong: Mapping[str, Sequence[str]] = {}     # by the seed

    @property
    def lines(self) -> list[str]:
        return [line for lines in self.wrong.values() for line in lines]

    def __str__(self) -> str:
        of = {"games": self.kinds, "changed": self.forgeries, "found by": self.found, "programs": self.programs}
        return "\n".join([
            f"{self.games} honest games, {self.entries} entries, {self.forgeries.total()} forgeries, {self.seconds:.0f} s: "
            f"the three checkers {f'differ or err {len(self.lines)} times' if self.wrong else 'agree on all of them'}",
            *(f"{what:10}" + ", ".join(f"{name} {n}" for name, n in counts.most_common()) for what, counts in of.items()),
            *self.lines[:20]])


def counted(games: int, file: Path | None = None, progress: Callable[[int, int], None] | None = None) -> Counted:
    """The games from seed 0 on; with a file those that a former run has looked at are not looked at again, but for those in
    which something was wrong: it may have been mended."""
    total = taken_up(json.loads(file.read_text("utf-8"))) if file is not None and file.exists() else Counted()
    began = perf_counter() - total.seconds
    for one in in_many(tampered, range(total.games, games)):
        total = Counted(total.games + 1, total.entries + one.entries, total.kinds + Counter(one.kinds),
                        total.forgeries + one.forgeries, total.found + one.found, total.programs + Counter([program()]),
                        perf_counter() - began, {**total.wrong, **({str(total.games): one.wrong} if one.wrong else {})})
        if file is not None and (total.games % KEPT == 0 or total.games == games):
            write_whole(file, json.dumps(total._asdict(), indent=1).encode())
        if progress is not None:
            progress(total.games, games)
    return total


def taken_up(kept: Mapping[str, Any]) -> Counted:
    """What a former run has counted."""
    sums = {name: Counter(kept[name]) for name in ("kinds", "forgeries", "found", "programs")}
    return Counted(**{**kept, **sums, "wrong": {seed: lines for seed in kept["wrong"] if (lines := tampered(int(seed)).wrong)}})


# --- byte by byte ------------------------------------------------------------------------------------------------

START = {
    "turn": 2, "phase": "deal", "spaces": {"halikarnassos": "blue", "sardeis": "red"},
    "forces": [
        {"owner": "blue", "at": "halikarnassos", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}},
        {"owner": "red", "at": "sardeis", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}},
    ],
}


def small_game() -> Glass:
    """Two players, a march with its window, a whole Game Turn cut short, openings, a link, the deck secret."""
    secrets = scheme.Secrets("small", bytes(range(32)), bytes(range(32, 64)), 8)
    header: Log = {
        "game": "small", "format": FORMAT, "engine": "1.0.0", "rules": {"edition": USUAL, "windows": "asked"},
        "seats": {"blue": {"name": "Bruno"}, "red": {"name": "Anna"}},
        "chance": {"scheme": 2, **secrets.commitments(), "links": 8, "words": {"red": "first snow", "blue": "λόγος"},
                   "beacon": "none"}}
    tray = promised(secrets)
    desk = Glass(header, tray, keys_of(header, tray))
    desk.enter({"position": START})
    desk.enter({"note": "a slip"})
    desk.undo(len(desk.game.entries), "it was one")
    while (question := desk.match.question) is not None and question.kind != "activation":
        desk.close(question.id, by="moderator")
    for seat, text in (("blue", "roll"), ("blue", "march Antigonos > Ephesos"), ("red", "intercept Lysimachos with 2 loyal")):
        desk.order(seat, text)
    while desk.match.g.turn == 2 and (question := desk.match.question) is not None:
        if question.sides == (MODERATOR,) or question.kind == "tyche":
            desk.ruling("on to the next phase", abandon="phase")
        else:
            desk.close(question.id, by="moderator")
    desk.ruling("The game ends by agreement.", facts={"over": {"by": "agreement"}})
    return desk


class Bytes(NamedTuple):
    """What became of changed bytes: how many could not be read, were found, changed nothing; and what nobody found."""

    tried: int
    unreadable: int
    found: int
    idle: Counter[str]                  # what stood where a change means nothing
    wrong: list[str]


def changed_bytes(places: Sequence[int] | None = None, rng: Random | None = None) -> Bytes:
    """Change each of these bytes of the small game, one at a time; None is all of them."""
    rng = rng or Random("bytes")
    unreadable = found = 0
    idle, wrong = Counter[str](), list[str]()
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as kept:
        desk, folder = small_game(), Path(kept)
        honest = gamelog.create(folder, desk.game.header, desk.game.entries, desk.tray.plain())
        file, heads = folder / gamelog.GAME, honest.heads()
        data = honest.text.replace("log:\n", "log:  # all of it\n").encode()
        places = range(len(data)) if places is None else [at % len(data) for at in places]
        for at in places:
            sign = swapped(data[at:at + 1], rng)
            file.write_bytes(data[:at] + sign + data[at + 1:])
            line = data.count(b"\n", 0, at) + 1
            where = f"line {line}, {data[at - 15:at].decode(errors='replace')!r}, {data[at:at + 1]!r} to {sign!r}"
            try:
                game = gamelog.read_whole(file)
            except BadLog as fault:
                unreadable += 1
                if not (1 if line < honest.entries[0].line else line - 1) <= int(fault.facts["line"]) <= line + LATER:
                    wrong.append(f"{where}: told for line {fault.facts['line']}")
                continue
            if game.lines == honest.lines:
                idle[told_place(data, at)] += 1
                continue
            found += 1
            pairs = enumerate(zip([*game.lines, b""], [*honest.lines, b""], strict=False))
            first = next(number for number, (ours, theirs) in pairs if ours != theirs)
            log = json.loads(verify.json_of(game))
            place = min(first, len(heads) - 1)
            wrong += (f"{where}: {line}" for line in not_found(seen_by_both(log, known(place, heads)), place, heads))
    return Bytes(len(places), unreadable, found, idle, wrong)


def swapped(sign: bytes, rng: Random) -> bytes:
    """Another byte of its kind, if it has one."""
    for kind in (b"0123456789", b"abcdef", b"ghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"[]{}:,-#'\"", b" \n\t"):
        if sign in kind:
            return bytes([rng.choice([other for other in kind if other != sign[0]])])
    return bytes([sign[0] ^ 1])


def told_place(data: bytes, at: int) -> str:
    """Where a byte stands that may be changed freely: the log is what is read, not how it is laid out."""
    if b" #" in data[data.rfind(b"\n", 0, at) + 1:at + 1]:
        return "a comment"
    sign = data[at:at + 1].decode(errors="replace")
    return {" ": "a blank", "\n": "the end of a line"}.get(sign, sign)
