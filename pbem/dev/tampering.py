"""Logs that were tampered with: both verifiers have to find it, and to say in which entry.

`verified_game` plays a random game, lays its log down as a published copy, and changes one thing after the other in it;
`changed_bytes` goes through a small game byte by byte. A witness knows the heads: what changes no die, no deck and no
opening is found by them alone.
"""

import copy
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pbem.base.errors import BadLog
from pbem.chance import check, scheme, verify_min
from pbem.chance.check import FAILED, OK
from pbem.desk.opengame import keys_of
from pbem.desk.tray import promised
from pbem.dev.games import Kept, Wanted, beginning, chosen, on, prepared, told_of
from pbem.dev.secrecy import Glass
from pbem.editions import USUAL
from pbem.log import gamelog
from pbem.log.header import FORMAT
from pbem.play import verify
from pbem.rules.war import MODERATOR

MEMORY = Path("/dev/shm")               # a disk is made to wait at every line
FORGERIES = 12                          # of a game
LENGTHS = (80, 150, 300, 500)           # decisions of a game that is still played when it is looked at
ONLY_LONG = ("beacon", "blind", "private", "changes", "changed", "position", "rules")  # what verify_min leaves to others
SAID: Mapping[Any, str] = {True: OK, False: FAILED}
UNREAD = -1
NO_PROMISE = (0, "chance", FAILED)
LATER = 5                               # so many lines after a stray quotation mark the file may break off

Log = dict[str, Any]
Told = list[tuple[int, str, str]]       # entry, check, state


# --- what the two say --------------------------------------------------------------------------------------------


def long_form(checks: Iterator[check.Check]) -> Told:
    """What the program finds, of the kinds that the short verifier knows."""
    return [(one.entry, one.what, one.state) for one in checks if one.what.split()[0] not in ONLY_LONG]


def short_form(log: Log, heads: Sequence[str] = ()) -> Told:
    """What the short one finds. Where it cannot read on it fails as a whole."""
    told: Told = []
    try:
        for at, what, right in verify_min.verify(log, heads):
            told.append((at, what, SAID.get(right, str(right))))
    except verify_min.UNREADABLE as fault:
        told.append((UNREAD, f"cannot be read: {fault}", FAILED))
    return told


def failures(told: Told) -> Told:
    return [one for one in told if one[2] == FAILED]


def not_found(log: Log, at: int, heads: Sequence[str]) -> Iterator[str]:
    """Entry `at` was changed. Whoever knows the head before it and the one after it finds the place, with either verifier;
    and what is wrong in itself is wrong for both.
    """
    known = heads[max(at - 1, 0):at + 1]
    long, short = long_form(check.check_game(log, known)), short_form(log, known)
    missing, gave_up = (max(at - 1, 0), f"head {heads[at]}", FAILED), short[-1][0] == UNREAD
    if NO_PROMISE in long and (NO_PROMISE in short or gave_up) and at == 0:
        return                          # without what was promised nothing else can be looked at
    if missing not in long or missing not in short and not gave_up or failures(long) != failures(short) and not gave_up:
        yield f"entry {at} was changed, verify finds {failures(long)}, verify_min {failures(short)}"


# --- random games ------------------------------------------------------------------------------------------------


def verified_game(seed: int) -> list[str]:
    """What the verifiers do not find right in an honest game, or not wrong in a forged one."""
    rng = Random(f"verify {seed}")
    most = rng.choice((*LENGTHS, 0))
    wanted = Wanted(seed, 2 + seed % 4, options=chosen(seed), most=most)
    play, sheet = prepared(wanted)
    header, secrets = beginning(wanted, sheet.rules)
    header["chance"]["words"] = {seat: rng.choice(("", "first snow in Pella", "λόγος", "42")) for seat in header["seats"]}
    try:
        desk = Glass.founded(header, secrets)
        met = on(Kept(desk), play, [], sheet, most).met
        if not met.wrong and rng.random() < 0.5:
            desk.ruling("The game ends by agreement.", facts={"over": {"by": "agreement"}})
        return [*met.wrong, *published(desk, rng)]
    except Exception as fault:          # whatever it is, it has to be told together with its seed
        return [told_of(fault)]


def published(desk: Glass, rng: Random) -> Iterator[str]:
    """Both verifiers over the log as a file, then over forgeries of it."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        folder = Path(place)
        gamelog.create(folder, desk.game.header, desk.game.entries, desk.tray.plain())
        checks = list(verify.verify(folder))
        log = json.loads(verify.json_log(folder))
    long, short = long_form(iter(checks)), short_form(log)
    yield from (f"verify: {one}" for one in checks if one.state == FAILED)
    if long != short:
        yield f"verify says {sorted(set(long) - set(short))}, verify_min {sorted(set(short) - set(long))}"
    heads = desk.game.heads()
    for _ in range(FORGERIES):
        forgery, at = forged(log, rng)
        yield from not_found(forgery, at, heads)


def forged(log: Log, rng: Random) -> tuple[Log, int]:
    """The log with one text or number changed somewhere, and the entry where; 0 is the header."""
    at = rng.choice([0, *rng.sample(range(1, len(log["log"]) + 1), 3), *rng.sample(drawn(log), 3)])
    if at == 0:
        header = copy.deepcopy({key: value for key, value in log.items() if key != "log"})
        return {**bent(header, rng), "log": log["log"]}, 0
    entry = bent(copy.deepcopy(log["log"][at - 1]), rng)
    return {**log, "log": [*log["log"][:at - 1], entry, *log["log"][at:]]}, at


def drawn(log: Log) -> list[int]:
    """The entries with something of chance in them."""
    return [at for at, entry in enumerate(log["log"], 1) if entry.keys() & {"dice", "deck", "openings", "open"}]


def bent(part: Any, rng: Random) -> Any:
    """With one leaf changed."""
    here: Any = part
    while True:
        key: Any = rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        if not isinstance(here[key], dict | list) or not here[key]:
            here[key] = here[key] + 1 if isinstance(here[key], int) else other(str(here[key] or ""), rng)
            return part
        here = here[key]


def other(text: str, rng: Random) -> str:
    """A text with one sign changed."""
    at = rng.randrange(len(text)) if text else 0
    return text[:at] + rng.choice([sign for sign in "0123456789abcdef" if sign != text[at:at + 1]]) + text[at + 1:]


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
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        desk, folder = small_game(), Path(place)
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
                game = gamelog.read_game(file)
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
            wrong += (f"{where}: {line}" for line in not_found(log, min(first, len(heads) - 1), heads))
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
