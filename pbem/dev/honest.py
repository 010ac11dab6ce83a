"""Honest logs of all kinds, in memory: whatever an entry can promise, draw, take back, override or open comes up in them.

Beside a log stands what players keep of it: heads, receipts, hands with their openings, the block of each Game Turn.
"""

from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from pbem.base import clock
from pbem.chance import receipts, scheme
from pbem.chance.beacon import Unannounced
from pbem.chance.course import Course
from pbem.chance.draws import Keys, Live
from pbem.chance.hidden import Hidden
from pbem.chance.receipts import Receipt
from pbem.desk import openings
from pbem.desk.beginning import SET_UP
from pbem.desk.opengame import bind_cards, taken_in
from pbem.desk.tray import Cards
from pbem.dev.games import MOST_STEPS, Swift, Wanted, beginning, chosen, prepared
from pbem.dev.secrecy import BEGAN
from pbem.dev.stages import Step
from pbem.dev.will import Will
from pbem.editions import EDITIONS
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.play.match import QUIET, Match
from pbem.table import position
from pbem.table.events import Event

WORDS = ("first snow in Pella", "λόγος", "42 elephants", "снег", "été", "\U0001f418 late")
LENGTHS = (80, 150, 250, 400)           # decisions; one game of LONG goes on for as many as it has
LONG = 20
CARDS = ("hands", "face_down", "deck", "discards", "out")
STRANGE = ("rebased", "deck stated", "dice by hand")    # after some of the games comes one of these, and a while of play
ENDED = 0.6                             # how often a game that is broken off ends by agreement: then all is open
AGAIN = 25                              # after so many decisions something happens that players seldom do


class Thrown(Live):
    """Dice that fall on a table elsewhere."""

    def __init__(self, keys: Keys | None, course: Course, rng: Random) -> None:
        super().__init__(keys, course)
        self.rng = rng

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        self.thrown = [(self.rng.randint(1, sides), "") for _ in range(count)]
        return super().draw(name, count, sides)


class Honest(Swift):
    """Owes and opens what a desk would, with a beacon, fresh words, receipts and cards that were adopted."""

    def __init__(self, header: dict[str, Any], secrets: scheme.Secrets, rng: Random, start: Mapping[str, Any] = SET_UP,
                 cards: Cards | None = None) -> None:
        self.rng = rng
        self.chain: list[bytes] = []
        self.kept: list[dict[str, Any]] = []
        self.answered: dict[str, Receipt] = {}              # the last of each seat for the open question
        self.began: dict[str, Any] = {}                     # the position in which the first Game Turn began
        self.throws = False                                 # do the dice fall elsewhere?
        super().__init__(header, secrets, start, cards)
        self.first = len(self.entries)                      # nothing is taken back that is older

    # --- what is written -----------------------------------------------------------------------------------------

    def draws(self) -> Live:
        return Thrown(self.keys, self.course, self.rng) if self.throws else super().draws()

    def write(self, entry: dict[str, Any]) -> list[Event]:
        assert self.keys is not None
        if not self.entries:
            self.hear()
        bind_cards(entry, self.header, self.keys, self.tray, self.course)
        try:
            told = super().write(entry)
        except Unannounced as wanted:                       # the entry waits for the value of a round
            self.match = self.folded()
            at = BEGAN + timedelta(days=30 + len(self.entries))
            self.hear({"announce": wanted.epoch, "at": clock.to_the_minute(at)})
            return self.write(entry)
        if "turn_end" in entry and "open" in entry:
            self.kept.append({"turn": {"game": self.header["game"], "turn": entry["turn_end"], "entries": len(self.entries),
                                       "head": self.head[:32], **entry["open"]}})
        return told

    def hear(self, *entries: dict[str, Any]) -> None:
        """What announces a round, and then the values of all that are announced."""
        listening = self.keys.listening if self.keys is not None else None
        if listening is None:
            return
        for entry in entries:
            self.add(entry)
            listening.take_in(entry)
        for epoch, there in listening.rounds.items():
            if epoch not in listening.heard:
                value = scheme.H(str(there).encode()).hex()
                self.hear({"beacon": {"epoch": epoch, "id": str(there), "value": value}})

    def folded(self) -> Match:
        match = self.blank()
        match.fold(self.entries, gamelog.survivors(self.entries))
        return match

    def add(self, entry: dict[str, Any]) -> None:
        """An entry that moves nothing."""
        taken_in(self.match, entry, len(self.entries) + 1, Live(self.keys, self.course))
        self.course.take_in(entry)

    @property
    def head(self) -> str:
        """That of the log as it is now."""
        game = self.header["game"]
        if not self.chain:
            self.chain.append(scheme.first_head(game, self.header))
        for entry in self.entries[len(self.chain) - 1:]:
            self.chain.append(scheme.head(self.chain[-1], scheme.canonical(entry)))
        return self.chain[-1].hex()

    # --- what is opened ------------------------------------------------------------------------------------------

    def open_what_is_due(self) -> None:
        for entry in openings.due(self.entries, self.match, self.keys):
            self.add(entry)
        if self.g.over and not self.course.ended:
            last = max(self.course.used, self.g.turn)
            link = {"epoch": last, "link": self.secrets.link(last).hex()} if last > self.course.spent else {}
            orders = {"orders": self.tray.cards.orders} if self.tray.cards is not None and self.tray.cards.orders else {}
            self.add({"open": {**link, "deck_secret": self.secrets.deck.hex(), **orders}})

    # --- what players do -----------------------------------------------------------------------------------------

    def take(self, step: Step) -> list[Event]:
        question = self.match.question
        if not self.began and self.g.turn and len(self.table.stack) == 1:
            self.began = position.written(self.g)
        if question is None or step.order is not None or step.kind != "answer" or not question.sealed:
            return super().take(step)
        self.enter({"ask": question.id})
        texts = {side: self.match.say(answer) for side, answer in step.answers.items()}
        given = {side: text for side, text in texts.items() if self.rng.random() < 0.8}
        self.answered = {}
        for side, text in given.items():
            self.receive(question, side, text)
        if given and self.rng.random() < 0.2:               # somebody changes his mind
            side = self.rng.choice(sorted(given))
            self.receive(question, side, given[side])
        digests = {side: one.digest for side, one in self.answered.items()}
        if question.kind in QUIET:
            digests |= {side: receipts.nobodys(self.secrets, self.header["game"], question.id, side, len(self.entries))
                        for side in question.sides if side not in digests}
        quiet = question.kind in QUIET
        return self.enter({"close": question.id, "answers": {
            side: text for side, text in texts.items() if not quiet or step.answers[side] != question.default},
            "closed": "complete", **({"receipts": digests} if digests else {})})

    def receive(self, question: Question, side: str, text: str) -> None:
        before = self.answered.get(side)
        self.answered[side] = made = receipts.given(self.secrets, Receipt(
            self.header["game"], question.id, side, before.number + 1 if before is not None else 1, len(self.entries),
            self.head[:32], "2026-01-01T12:00Z", text, "", before.digest if before is not None else "", "", ""))
        self.kept.append(made.plain())

    def undo(self, entry: int) -> None:
        while entry > 1 and {"turn_end", "openings", "open", "beacon", "announce"} & self.entries[entry - 1].keys():
            entry -= 1
        stain, course = self.course.stain(entry), self.course
        asked = course.to_consent(entry) if stain else []
        words = {seat: self.rng.choice(WORDS[:3]) for seat in asked} if course.opens(entry) else {}
        everybody = sorted(self.g.seats) if self.rng.random() < 0.8 else asked
        agreed: dict[str, Any] = {"override": "yes"}
        if self.rng.random() < 0.8:
            agreed = {"consent": everybody, **({"words": words} if words else {})}
        self.course.take_in({"undo": entry, "reason": "a slip", **({"stain": stain} if stain else {}),
                             **(agreed if stain and asked else {})})
        self.match = self.folded()
        self.skipped()

    # --- what players seldom do ----------------------------------------------------------------------------------

    def seldom(self) -> None:
        """A note, a seat given up, a ruling about hands, a deep undo or one of an undo; a hand is sent."""
        rng, seats = self.rng, sorted(self.g.seats)
        seat = rng.choice(seats)
        self.send_hand(seat)
        what = rng.choice(("note", "seat", "hands", "back", "back", "far back", "undo of an undo"))
        if what == "note":
            self.add({"note": "“</script>” \\ \u2028 " + rng.choice(WORDS)})
        elif what == "seat" and rng.random() < 0.5:
            self.add({"seat": seat, "name": rng.choice(WORDS[:3])})
        elif what == "hands" and rng.random() < 0.15 and isinstance(self.g.secret, Hidden):
            self.enter({"ruling": "as it lies at the table", "facts": {"hands": {seat: self.g.hands[seat]}}})
        elif what == "undo of an undo":
            if undone := [number for number in self.course.taken(self.first + 1) if "undo" in self.entries[number - 1]]:
                self.undo(undone[-1])
        elif what in ("back", "far back"):
            standing = self.course.taken(self.first + 1)
            ends = [number for number in standing if "turn_end" in self.entries[number - 1]]
            if what == "far back" and ends and rng.random() < 0.3:
                self.undo(ends[-1])
            elif standing:
                self.undo(rng.choice(standing[-8:]))

    def send_hand(self, seat: str) -> None:
        if (part := openings.hand(self.entries, self.match, self.keys, seat)) is not None:
            self.kept.append(part)

    def does(self, strange: str) -> bool:
        """Whether it can be done now, when nothing is under way, and is."""
        g = self.g
        if g.over:
            return False
        if strange == "rebased":                            # the link is open, and nobody is asked for fresh words
            if self.course.spent < self.began.get("turn", MOST_STEPS):
                return False
            now = position.written(g)                       # who holds what nobody states otherwise than it is
            stands = {key: value for key, value in self.began.items() if key not in CARDS}
            self.enter({"rebase": "as it stood", "position": {**stands, **{key: now[key] for key in CARDS if key in now}}})
        elif strange == "deck stated":
            if not g.deck_name:
                return False
            stated = {"name": g.deck_name, "cards": list(g.deck_cards), "left": g.deck}
            self.enter({"ruling": "as it lies at the table", "facts": {"deck": stated}})
        else:
            self.throws = True
        return True


# --- one of them -------------------------------------------------------------------------------------------------


class Log(NamedTuple):
    """An honest log, and what players kept of the game."""

    log: dict[str, Any]
    heads: list[str]
    kept: list[dict[str, Any]]
    kinds: tuple[str, ...]              # what is particular about it


def honest(seed: int) -> Log:
    """The log of a seed: of each edition in turn, with whatever else chance adds to it."""
    rng = Random(f"honest {seed}")
    edition = sorted(EDITIONS)[seed % len(EDITIONS)]
    numbers = sorted(EDITIONS[edition].instant_points)
    wanted = Wanted(seed, rng.choice(numbers), edition, chosen(seed, edition) if rng.random() < 0.5 else ())
    _, sheet = prepared(wanted)
    header, secrets = beginning(wanted, sheet.rules)
    told = header["chance"]
    told["words"] = {seat: rng.choice(("", *WORDS)) for seat in header["seats"]}
    if listens := rng.random() < 0.35:
        told["beacon"] = f"drand:quicknet:{rng.randrange(1, 10**8)}"
    scene = Honest(header, secrets, rng)
    if adopts := rng.random() < 0.3:
        go_on(scene, rng, rng.choice((60, 200)))
        scene = adopted(scene, rng)
    go_on(scene, rng, rng.choice(LENGTHS) if rng.randrange(LONG) else MOST_STEPS)
    strange = Random(f"strange {seed}").choice(("", *STRANGE))
    if strange and settled(scene, rng).does(strange):
        go_on(scene, rng, LENGTHS[0])
    else:
        strange = ""
    if not scene.g.over and rng.random() < ENDED:
        scene.enter({"ruling": "The game ends by agreement.", "facts": {"over": {"by": "agreement"}}})
    kinds = (edition, f"{sheet.rules['windows']} windows", f"{wanted.players} players", f"{sheet.rules['polls']} polls",
             *(["beacon"] if listens else []), *(["adopted"] if adopts else []),
             *([strange] if strange else []), *(["over"] if scene.g.over else []))
    head = scene.head
    assert head
    return Log({**header, "log": list(scene.entries)}, [one.hex() for one in scene.chain], scene.kept, kinds)


def adopted(scene: Honest, rng: Random) -> Honest:
    """Another game that goes on from the position of this one, with its cards."""
    secret = settled(scene, rng).g.secret
    assert isinstance(secret, Hidden)
    cards = Cards({seat: list(hand) for seat, hand in secret.hands.items()}, list(secret.deck), list(secret.face_down))
    dealt = cards if secret.deck or any(secret.hands.values()) else None
    return Honest(scene.header, scene.secrets, rng, position.written(scene.g), dealt)


def settled(scene: Honest, rng: Random) -> Honest:
    """Played on until nothing is under way."""
    while scene.match.question is not None and (len(scene.table.stack) > 1 or scene.g.activation is not None):
        go_on(scene, rng, 1)
    return scene


def go_on(scene: Honest, rng: Random, most: int) -> None:
    """Play to the end, or until so many decisions were made."""
    will = Will(rng)
    segment: tuple[Any, ...] = ()
    for _ in range(most):
        g, question = scene.g, scene.match.question
        if question is None:
            return
        if segment != (segment := (g.turn, g.round, g.player, g.segment, g.phase)):
            will.begin_segment()
        if rng.randrange(AGAIN) == 0:
            scene.seldom()
            continue
        scene.take(will.next_step(g, question))
