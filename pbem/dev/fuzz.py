"""Mutated mails and order lines: nothing raises what it should not, nothing is believed that it should not."""

import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import PbemError
from pbem.components.catalogue import facts
from pbem.desk import answering, showing
from pbem.desk.submission import Outcome
from pbem.dev.games import Kept, Wanted, beginning, chosen, on, prepared
from pbem.dev.secrecy import Glass
from pbem.editions import EDITIONS
from pbem.kernel.procedures import Question
from pbem.mail import quotes, reading
from pbem.orders import CU_ORDER, Maybe, Node, Slot, parse, read_answer, read_line, say, say_answer, say_line
from pbem.orders.names import Names
from pbem.orders.table import STARTS
from pbem.orders.tongues import TONGUES, in_words_of
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.table.state import space_of
from pbem.telling.words import Words

CORPUS = Path(__file__).parents[2] / "tests" / "mail" / "corpus"
SLOW = 2.0                      # seconds for one mail
MOST_KEPT = 20

HEADERS = tuple(line.encode() for line in (
    "From: anna@example.org", "From: =?utf-8?q?a=40b?= <x@y.example>", "Subject: =?utf-8?b?####?=",
    "Subject: " + "=?a?q?" * 50,
    "Content-Type: multipart/mixed; boundary=x", "Content-Type: text/html; charset=utf-16",
    "Content-Type: text/plain; charset=punycode", "Content-Type: message/rfc822", "Content-Type: ; ;= ;",
    "Content-Type: text/plain; format=flowed; delsp=yes", "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable", "Content-Transfer-Encoding: x-uuencode", "Message-ID: <[x]@y>",
    "Date: 99999", "Authentication-Results: mx; dmarc=pass (((",
    "Content-Disposition: attachment; filename*=utf-7''%ff",
    "References: " + "<" * 99, "MIME-Version: 1.0", "Auto-Submitted: ", "Return-Path: <>",
    "To: a" + "+b" * 200 + "@c.example",
))
SCRAPS = (
    *HEADERS, b"<!--", b"<blockquote", b"&#99999999999999999999;", b"<div class=gmail_quote", b'style="', b"</div>" * 9,
    b"-----BEGIN PGP ", b"> ", b">>>> ", b"-- \n", b"END\n", b"\xff\xfe", b"\xf0\x9f", b"\x00", b"\x1b[2J", b"=\n", b"=?",
    b"?=", b"--x\n", b"--x--\n", b"\r", b"\n\n", "İ\u0307\u202e".encode(), b"Am 1.1.26 um 10:00 schrieb X:\n",
    b"From: a\nSent: b\nTo: c\nSubject: d\n", b"a [x] pass\n",
)


class Findings(NamedTuple):
    """How many were tried, and what was wrong with some."""

    what: str
    tried: int
    failures: list[str]
    classes: dict[str, int]

    def __str__(self) -> str:
        told = ", ".join(f"{count} {name}" for name, count in sorted(self.classes.items()))
        return f"{self.tried} {self.what} ({told}): {len(self.failures)} failures"


# --- mails ----------------------------------------------------------------------------------------

SAMPLE = b"""From: Anna <anna@example.org>
To: pbem@example.org
Subject: Re: [small T2.R3.red.5]
Message-ID: <1@example.org>
Content-Type: multipart/alternative; boundary=x

--x
Content-Type: text/plain; charset=utf-8; format=flowed

march Antigonos > Ephesos

On 18 Nov 2026 at 09:00, Desk wrote:
> a  pass
--
Anna
--x
Content-Type: text/html; charset=utf-8

<div>march Antigonos &gt; Ephesos</div><blockquote type="cite">a pass</blockquote>
--x--
"""


def samples(folder: Path = CORPUS) -> list[bytes]:
    """What the mutations start from: the corpus of the tests, where there is one."""
    return [path.read_bytes() for path in sorted(folder.rglob("*.eml"))] or [SAMPLE]


def mails(count: int, seed: int = 0, starts: Sequence[bytes] = ()) -> Findings:
    """Mutate mails and read them."""
    chance = random.Random(seed)
    starts = starts or samples()
    failures: list[str] = []
    classes: dict[str, int] = {}
    for number in range(count):
        raw = mutated(chance, starts)
        begin = time.process_time()
        try:
            mail = reading.understand(raw, own_domain="games.example", own_loop="pbem@games.example", server="mx.example")
            wrong = list(faults(mail))
        except Exception as fault:
            wrong = [f"{type(fault).__name__}: {fault}"]
        else:
            classes[mail.class_] = classes.get(mail.class_, 0) + 1
            if mail.why.key == "fault":
                wrong.append(mail.why.of)
        if time.process_time() - begin > SLOW:
            wrong.append("slow")
        failures += [f"mail {number} of seed {seed}: {one}" for one in wrong[:MOST_KEPT - len(failures)]]
    return Findings("mutated mails", count, failures, classes)


def mutated(chance: random.Random, starts: Sequence[bytes]) -> bytes:
    """A mail with a few things wrong with it."""
    raw = bytearray(chance.choice(starts))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 10))):
        place, other = sorted((chance.randrange(len(raw) + 1), chance.randrange(len(raw) + 1)))
        other = min(other, place + chance.choice((1, 10, 100, 1000)))
        match chance.randrange(8):
            case 0:
                raw[place:other] = b""
            case 1:
                raw[place:place] = raw[place:other] * chance.choice((1, 2, 30))
            case 2:
                raw[place:place + 1] = bytes([chance.randrange(256)])
            case 3:
                raw[place:place] = chance.choice(SCRAPS)
            case 4:
                line = raw.find(b"\n", place)
                raw[line + 1:line + 1] = chance.choice(SCRAPS) + b"\r\n"
            case 5:
                raw[:0] = chance.choice(HEADERS) + b"\r\n"
            case 6:
                piece = chance.choice(starts)
                begin = chance.randrange(len(piece) + 1)
                raw[place:other] = piece[begin:begin + 500]
            case _:
                raw[place:other] = bytes(chance.sample(bytes(raw[place:other]), other - place)) if other > place else b""
        del raw[200_000:]
    return bytes(raw)


UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def faults(mail: reading.Mail) -> Iterator[str]:
    """What must be true of every mail that was read."""
    for text in (*mail.lines, *mail.attached, mail.subject, mail.from_, mail.name, mail.message_id, *mail.to):
        if UNSEEN.search(text):
            yield f"control characters in {text!r}"
    if any(not line.strip() or len(line) > quotes.LONGEST_LINE for line in (*mail.lines, *mail.attached)):
        yield "a line that is blank or too long"
    if any(UNSEEN.search(cut.text.replace("\n", "")) for cut in mail.removed):
        yield "control characters in what was removed"
    if mail.class_ == "human" and (mail.from_.count("@") != 1 or re.search(r"[\s<>,;]", mail.from_)):
        yield f"a human without an address: {mail.from_!r}"
    if "END" in mail.lines or "--" in mail.lines:
        yield "lines behind the end"


# --- order lines ----------------------------------------------------------------------------------

PIECES = """
    > , ; : ( ) [x] # all none 2 -1 99999999999999999999 loyal mercenary, elephants royal with leaving under at to from inside
    outside if MP >= 3: unless blue does yes regardless a b standing: END -- ' " {{ }} !!python &a *a $(x) `id` ../..
    pella/inside Ἀ é 马
""".split() + ["\x00", "\\", "\u202e", "Alexandros' Body"]


def order_lines(count: int, seed: int = 0, each: int = 1000) -> Findings:
    """Order lines nobody would type, so many at a desk where some game is under way: refused kindly and nothing is changed,
    or read to what their canonical form reads to.
    """
    chance = random.Random(seed)
    words = vocabulary()
    failures: list[str] = []
    outcomes: dict[str, int] = {}
    desk = under_way(chance)
    for number in range(1, count + 1):
        if number % each == 0 or (question := desk.match.question) is None or question.sides == (MODERATOR,):
            desk = under_way(chance)
        seat = chance.choice([*desk.match.seats, *asked(desk).sides])
        text = line_of(chance, words, desk, seat)
        try:
            judged(text, desk.match.names)
            outcome = taken(desk, seat, text)
        except Exception as fault:
            outcome = "failed"
            failures += [f"{text!r}: {type(fault).__name__}: {fault}"][:MOST_KEPT - len(failures)]
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return Findings("order lines", count, failures, outcomes)


def under_way(chance: random.Random) -> Glass:
    """A desk with a random game of any edition that has come somewhere."""
    while True:
        seed, most = chance.randrange(1_000_000), chance.choice((20, 60, 100, 200))
        edition = chance.choice(tuple(EDITIONS))
        numbers = sorted(EDITIONS[edition].instant_points)
        wanted = Wanted(seed, numbers[seed % len(numbers)], edition, chosen(seed, edition), most=most)
        rng, sheet = prepared(wanted)
        desk = Glass.founded(*beginning(wanted, sheet.rules))
        on(Kept(desk), rng, [], sheet, most)
        if desk.match.question is not None and desk.match.question.sides != (MODERATOR,):
            return desk


def asked(desk: Glass) -> Question:
    assert desk.match.question is not None
    return desk.match.question


def vocabulary() -> list[str]:
    """Names of everything, and what stands between them."""
    known = facts()
    ids: Iterable[str] = (*known.spaces, *known.generals, *known.cards, *known.fleets)
    return [*(one.replace("_", " ") for one in ids), *PIECES]


FORMS = [form for forms in STARTS.values() for form in forms]
FRAMES = ("if {seat} passes: {line}", "if {general} at {space}: {line}", "{line} if MP >= 3", "{line} regardless", "{line} yes",
          "{line} always", "{line} else {line}", "{line} if {seat} acts else {line}", "at {space}: {line}",
          "standing: {line}, once", "{line} and {line}", "I will {line}")


def line_of(chance: random.Random, words: Sequence[str], desk: Glass, seat: str) -> str:
    """Something that is offered, orders filled in at random in any language, or a few words in a row; half of it damaged."""
    kind, question = chance.random(), asked(desk)
    if kind < 0.25 and seat in question.sides:
        text = desk.match.say(chance.choice(list(islice(question.candidates(seat), 40))))
    elif kind < 0.8:
        text = typed(Filling(chance, words, desk, seat))
    else:
        told = [chance.choice(words) for _ in range(chance.choice((1, 2, 3, 4, 6, 9, 15)))]
        text = chance.choice((" ", " ", " > ", ", ", "")).join(told)
    for _ in range(chance.choice((0, 0, 1, 1, 3))):
        place = chance.randrange(len(text) + 1)
        new = chance.choice(("", " ", chance.choice(PIECES), chr(chance.randrange(32, 0x3000))))
        text = text[:place] + new + text[place + 1:]
    return text


class Filling(NamedTuple):
    """What slots are filled from: most of the time with what belongs there, and half of it with what is at hand."""

    chance: random.Random
    words: Sequence[str]
    desk: Glass
    seat: str

    def name(self, kind: str) -> str:
        known = self.desk.match.g.facts
        ids: dict[str, Iterable[str]] = {
            "general": (*known.generals, *known.minors, *known.independents), "minor": known.minors, "royal": known.royals,
            "seat": (*self.desk.match.seats, "independent"), "space": known.spaces, "province": known.provinces,
            "card": known.cards, "fleet": known.fleets}
        some = self.chance.random() < 0.5 and self.at_hand().get(kind) or list(ids[kind])
        return self.desk.match.names.say("general" if kind == "minor" else kind, self.chance.choice(some))

    def at_hand(self) -> dict[str, list[str]]:
        """The Generals of this seat on the map, the spaces about them, its cards."""
        g = self.desk.match.g
        own = [one for one in g.generals_of(self.seat) if g.on_map(one)] if self.seat in g.seats else []
        spaces = [space_of(one.at) for one in own if space_of(one.at) in g.board.index]
        return {"general": [one.name for one in own], "space": [*spaces, *(to for at in spaces for to in g.board.adjacent(at))],
                "card": list(g.secret.hand(self.seat)) if g.secret is not None and own else []}

    def some(self, kind: str, between: str) -> str:
        return between.join(self.name(kind) for _ in range(self.chance.choice((1, 1, 2, 3))))

    def pieces(self) -> str:
        cus = f"{self.chance.randrange(4)} {self.chance.choice(CU_ORDER)}"
        return self.chance.choice(("all", "nothing", cus, f"{self.name('general')}, {cus}", self.name("royal")))

    def slot(self, slot: Slot) -> str:
        if self.chance.random() < 0.1:
            return self.chance.choice(self.words)
        if slot.words:
            return self.chance.choice(slot.words)
        match slot.kind:
            case "constant":
                return ""
            case "number":
                return str(self.chance.randrange(8))
            case "letter":
                return self.chance.choice("abcdefgh")
            case "pieces":
                return self.pieces()
            case "location":
                return self.chance.choice(("", "", "inside ", "at sea off ")) + self.name("space")
            case "path":
                return self.some("space", " > ")
            case "spaces" | "seats" | "fleets":
                return self.some(slot.kind[:-1], ", ")
            case "circle":
                return self.some("seat", ", ")
            case "target":
                return self.name(self.chance.choice(("seat", "general", "space", "card", "province")))
            case kind:
                return self.name(kind)

    def nodes(self, nodes: Iterable[Node]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, Maybe):
                yield from self.nodes(node.nodes) if self.chance.random() < 0.4 else ()
            else:
                yield node if isinstance(node, str) else self.slot(node)

    def filled(self) -> str:
        return " ".join(filter(None, self.nodes(self.chance.choice(FORMS).understood().nodes)))


def typed(fill: Filling) -> str:
    """One order or several, with what may stand around them, in the words of some language."""
    line = "; ".join(fill.filled() for _ in range(fill.chance.choice((1, 1, 1, 2, 3))))
    if fill.chance.random() < 0.4:
        other = fill.chance.choice(FRAMES).replace("{line}", line, 1).replace("{line}", fill.filled())
        line = re.sub(r"\{(\w+)\}", lambda found: fill.name(found[1]), other)
    return in_words_of(fill.chance.choice(("en", *TONGUES)), line)


def taken(desk: Glass, seat: str, text: str) -> str:
    """Hand a line to the desk. What is refused says why, and leaves everything as it was."""
    before = as_it_is(desk)
    try:
        outcomes = desk.order(seat, text)
    except PbemError as refusal:
        outcomes = [Outcome(text, "refused", refusal)]
    said = showing.words(desk, seat)
    for one in outcomes:
        if one.error is not None and one.error.key == "fault_of_the_program":
            raise AssertionError(str(one.error))
        answering.became(said, one)
    for language in TONGUES:
        owner = Words(language, desk.match.names, desk.match.g.facts)
        for line in (text, *desk.waiting(seat)):
            owner.retold(line)
    states = {one.state for one in outcomes}
    if not any(one.did for one in outcomes) and states <= {"refused", "unread", "condition"} and as_it_is(desk) != before:
        raise AssertionError("it was refused, and something has changed")
    return next((state for state in ("done", "held", "waiting", "sealed", "condition") if state in states), "refused")


def as_it_is(desk: Glass) -> tuple[int, str, str]:
    kept = {name: one for name, one in desk.tray.plain().items() if name != "priced"}      # that a "yes" would now be meant for
    return len(desk.game.entries), position.fingerprint(desk.match.g), yamlfile.dump(kept)


def judged(text: str, names: Names) -> None:
    """Read a line in both ways it may be meant; what is read must read the same again from its canonical form."""
    quotes.filled_in(text)
    quotes.is_left_empty(text)
    try:
        line = read_line(text, names)
    except PbemError:
        line = None
    if line is not None and line.orders:
        again = read_line(say_line(line, names), names)
        if again is None or again[:4] != line[:4]:
            raise AssertionError(f"reads back as {again}")
        for order in line.orders:
            if parse(say(order, names), names) != (order,):
                raise AssertionError(f"{order} is not what its own text says")
    try:
        answer = read_answer(text, names)
    except PbemError:
        return
    if all(one.orders for one in answer) and read_answer(say_answer(answer, names), names) != answer:
        raise AssertionError("an answer that reads back as another")
