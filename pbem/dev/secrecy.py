"""Secrecy, over whole games: what is public never depends on what is not.

A game is played at a desk that has everything private. Beside it sits somebody who has the published log alone; whatever
is public is made at both places, and compared byte for byte. Then the same is done at a second desk where cards that
neither the public nor one of the seats has seen lie in each other's places, where players change their minds before a
window closes, and whatever else is private is other: it has to write the same log with the same deadlines, and to tell
the public, and that seat, the same; but for roots, digests and heads.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.chance import scheme
from pbem.chance.draws import Keys
from pbem.desk import overview, posing, reporting, showing
from pbem.desk.beginning import SET_UP
from pbem.desk.desk import Desk
from pbem.desk.opengame import keys_of
from pbem.desk.showing import PUBLIC
from pbem.desk.tray import SeatSettings, Tray, lying, promised
from pbem.dev.games import Kept, Wanted, beginning, chosen, on, prepared, told_of
from pbem.dev.stages import Step
from pbem.drawing.picture import picture
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.log.gamelog import GameFile
from pbem.play.match import CARD_WINDOWS, MOMENTS
from pbem.rules.windows import TIMINGS
from pbem.table import position
from pbem.table.events import Event
from pbem.telling.chart import chart
from pbem.telling.formats import FORMATS
from pbem.telling.offers import lettered

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
DIGEST = re.compile(r"\b[0-9a-f]{8,64}\b")
FILED = 0.04                            # how often somebody puts a card aside
RESERVED = ("battle", "sea", "card")    # moments for which the first seat wishes to be asked
MOST_LEAKS = 5                          # after so many a game has shown enough
NEVER = "standing: pass on interception if they have at least 99 CUs, always"
WORD_OF = {kind: word for word, kind in MOMENTS.items()}

Instead = Mapping[tuple[str, str], str]  # deck and card -> the card that lies there instead


# --- the desks ---------------------------------------------------------------------------------------------------


class Glass(Desk):
    """A desk in memory: nothing is kept in files, everything can be looked at."""

    def __init__(self, header: dict[str, Any], tray: Tray, keys: Keys | None) -> None:
        self.place = self.folder = Path(header["game"])
        self.now = BEGAN
        self.game = GameFile(header, [], "", Path(gamelog.GAME))
        self.tray, self.keys, self.corrections = tray, keys, []
        self.match = self._folded()
        self.voices = {}

    @classmethod
    def founded(cls, header: dict[str, Any], secrets: scheme.Secrets) -> "Glass":
        """A game at its first question."""
        tray = promised(secrets)
        desk = cls(header, tray, keys_of(header, tray))
        return begun(desk)

    def _write(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """As they would be read from the file again."""
        lines = "".join(f"- {gamelog.dump_entry(entry)}\n" for entry in entries)
        before, new = self.game, yamlfile.parse("log:\n" + lines)["log"] if lines else []
        self.game = GameFile(before.header, before.entries + new, "", before.path)
        self.game.follow(before, new)

    def keep(self) -> None:
        """Nothing is kept."""

    def read_on(self, game: GameFile) -> None:
        """Somebody with the published log takes in what it has more than before."""
        done, self.game = len(self.game.entries), game
        if any("undo" in entry for entry in game.entries[done:]):
            self.match = self._folded()
            return
        for number, entry in enumerate(game.entries[done:], done + 1):
            self.match.apply(entry, number)


def begun(desk: Glass) -> Glass:
    """The first entry, and where one can reserve somebody does so, whatever he will hold."""
    desk.enter({"position": dict(SET_UP)})
    if desk.header["rules"]["windows"] == "reserved":
        desk.reserve(next(iter(desk.match.seats)), RESERVED)
    return desk


class Exchanged(Keys):
    """The same keys, with some cards of each deck in each other's places."""

    def __init__(self, keys: Keys, words: Mapping[str, str], instead: Instead) -> None:
        super().__init__(keys.game, keys.secrets, words)
        self.instead = instead

    def shuffled(self, name: str, cards: Iterable[str]) -> scheme.Deck:
        deck = super().shuffled(name, cards)
        return scheme.Deck(self.deck, self.game, tuple(name.split(",")),
                           [self.instead.get((name, card), card) for card in deck.cards])


# --- what is told ------------------------------------------------------------------------------------------------


class Look(NamedTuple):
    """What everybody, and one seat, is told after so many entries."""

    entries: int
    public: dict[str, str]
    seat: dict[str, str]


def texts(desk: Desk, reader: str, fmt: str, since: int) -> dict[str, str]:
    """All that a reader gets: the report, for people and for programs, the questions, and who is awaited."""
    told = {"report": reporting.report(desk, reader, None, fmt),
            "data": as_lines(reporting.report_data(desk, reader, since))}
    told["position"], told["map"] = looked_at(desk, reader, since, fmt)
    if reader == PUBLIC:
        told["status"] = overview.status(desk, PUBLIC)
        told["to do"] = as_lines(overview.to_do(desk, PUBLIC))
    else:
        told["question"] = posing.question_text(desk, reader)
        told["offers"] = as_lines(posing.question_data(desk, reader))
    return told


def looked_at(desk: Desk, reader: str, since: int, fmt: str) -> tuple[str, str]:
    """The position as data, and beside every third report the picture of it."""
    data = chart(desk.match, None if reader == PUBLIC else reader, title=str(desk.game.header["game"]),
                 entry=len(desk.game.entries), head=desk.game.heads()[-1], since=since)
    return as_lines(data), picture(data, showing.words(desk, reader)) if fmt == "md" else ""


def as_lines(data: Any) -> str:
    """A line for every fact, by the quick encoder: an indented text is made by the slow one."""
    return json.dumps(data, sort_keys=True, default=str, separators=(",\n", ": "))


def without_digests(told: Mapping[str, str]) -> dict[str, str]:
    return {name: DIGEST.sub("#", text) for name, text in told.items()}


def unlike(wanted: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    """The texts that are not the same, each with the first line that differs."""
    for name, text in wanted.items():
        if text != found[name]:
            lines = zip_longest(text.split("\n"), found[name].split("\n"))
            ours, theirs = next(pair for pair in lines if pair[0] != pair[1])
            yield f"{name}: {ours!r} becomes {theirs!r}"


def shown(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """An entry without what hangs on the places of all cards in the deck: its root, and the paths up to it."""
    if "deck" in entry:
        return {**entry, "deck": {**entry["deck"], "root": ""}}
    if "openings" in entry:
        told = entry["openings"]
        return {**entry, "openings": {**told, "cards": [card[:3] for card in told["cards"]]}}
    if "receipts" in entry:                             # of whom there is one is public, what it says hangs on what was sent
        return {**entry, "receipts": list(entry["receipts"])}
    return entry


# --- the first time ----------------------------------------------------------------------------------------------


class First(Kept):
    """The game as it is played, with a reader of the published log beside the desk."""

    def __init__(self, header: dict[str, Any], secrets: scheme.Secrets, rng: Random, every: int) -> None:
        self.reader = Glass(header, Tray(), None)
        self.every, self.rng = every, rng
        self.other = rng.choice(list(header["seats"]))
        self.deeds: list[Any] = []                          # what was done, and in between a look at what was told
        self.seen: dict[str, set[str]] = {}                 # deck -> cards that the public or the other seat has seen
        self.deck, self.heard, self.looked = "", 0, 0
        self.leaks: list[str] = []
        super().__init__(Glass.founded(header, secrets))
        self.look()

    def take(self, step: Step) -> list[Event]:
        if self.rng.random() < FILED:
            self.put_aside()
        self.deeds.append(step)
        before = len(self.entries)
        told = super().take(step)
        self.look(window=any(entry.keys() & {"ask", "close"} for entry in self.entries[before:]))
        return told

    def send(self, seat: str, answer: Any) -> None:
        super().send(seat, answer)
        question = self.match.question
        lies = {one.question for one in lying(self.desk.tray.answers)}
        if question is not None and question.sealed and question.id in lies:
            self.compare(self.rng.choice(list(FORMATS)))    # who has answered is nobody's business

    def undo(self, entry: int) -> None:
        self.deeds.append(entry)
        super().undo(entry)
        self.heard, self.deck = len(self.match.history), self.g.deck_name
        self.look()

    def put_aside(self) -> None:
        """Some Surprise card of some hand, for some moment."""
        assert self.g.secret is not None
        cards = [(seat, card) for seat in self.g.seats for card in self.g.secret.hand(seat)
                 if any(TIMINGS[timing] in WORD_OF for timing in self.g.facts.cards[card]["timing"])]
        if not cards:
            return
        seat, card = self.rng.choice(cards)
        moments = [WORD_OF[TIMINGS[timing]] for timing in self.g.facts.cards[card]["timing"] if TIMINGS[timing] in WORD_OF]
        filed = (seat, f"{self.rng.choice(moments)}: play {card} as surprise")
        self.desk.file(*filed)
        self.seen.setdefault(self.deck, set()).add(card)
        self.deeds.append(filed)

    def look(self, *, window: bool = True) -> None:
        """Everything is compared where a window opens or closes and now and then; the position after every line."""
        self.listen()
        self.reader.read_on(self.desk.game)
        ours, theirs = self.desk.match, self.reader.match
        if position.fingerprint(ours.g) != position.fingerprint(theirs.g) or about(ours.question) != about(theirs.question):
            self.leaks.append(f"entry {len(self.entries)}: another position or question from the published log")
        if window or len(self.deeds) % self.every == 0:
            fmt = list(FORMATS)[len(self.entries) % len(FORMATS)]
            public = self.compare(fmt)
            seat = texts(self.desk, self.other, fmt, self.looked)
            self.deeds.append(Look(len(self.entries), without_digests(public), without_digests(seat)))
            self.looked = len(self.entries)

    def compare(self, fmt: str) -> dict[str, str]:
        """What is public, from the published log alone and at the desk."""
        public = texts(self.reader, PUBLIC, fmt, self.looked)
        self.leaks += (f"entry {len(self.entries)}, {fmt}: {line}"
                       for line in unlike(public, texts(self.desk, PUBLIC, fmt, self.looked)))
        return public

    def listen(self) -> None:
        """Which cards everybody comes to know, and from which deck they are; the other seat knows its own hand."""
        assert self.g.secret is not None
        for _, event in self.match.history[self.heard:]:
            if event.key == "deck_shuffled":
                self.deck = event.facts["deck"]
            if event.for_seat(None):
                named = {one for fact in event.facts.values() for one in (fact if isinstance(fact, list) else [fact])
                         if isinstance(one, str) and one in self.g.facts.cards}
                self.seen.setdefault(self.deck, set()).update(named)
        self.seen.setdefault(self.deck, set()).update(self.g.secret.hand(self.other))
        self.heard = len(self.match.history)


def about(question: Question | None) -> Any:
    return question and (question.id, question.kind, question.sides, question.sealed)


# --- the second time ---------------------------------------------------------------------------------------------


def exchange(first: First, rng: Random) -> Instead:
    """Of each deck, the cards that the public and the other seat never saw: those of a kind change places."""
    instead: dict[tuple[str, str], str] = {}
    facts = first.g.facts.cards
    for entry in first.entries:
        name, cards = (entry["deck"]["name"], entry["deck"]["cards"]) if "deck" in entry else ("", ())
        for kind in sorted({facts[card]["kind"] for card in cards}):
            unseen = [card for card in cards if facts[card]["kind"] == kind and card not in first.seen.get(name, ())]
            rng.shuffle(unseen)
            instead.update({(name, card): unseen[place - 1] for place, card in enumerate(unseen)})
    return instead


class Second(Kept):
    """The same deeds where other cards lie, and where more is private than before."""

    def __init__(self, first: First, instead: Instead, rng: Random) -> None:
        header, keys = first.desk.game.header, first.desk.keys
        assert keys is not None
        tray = replace(promised(keys.secrets), settings={first.other: SeatSettings(reports="digest")})
        desk = Glass(header, tray, Exchanged(keys, header["chance"]["words"], instead))
        super().__init__(begun(desk))
        self.first, self.rng, self.looked = first, rng, 0
        for seat in header["seats"]:
            desk.order(seat, NEVER)

    def again(self) -> Iterator[str]:
        """What comes out otherwise than at the first desk."""
        for deed in self.first.deeds:
            if isinstance(deed, Look):
                yield from self.compared(deed)
            elif isinstance(deed, Step):
                self.take(deed)
            elif isinstance(deed, tuple):
                self.desk.file(*deed)
            else:
                self.undo(deed)

    def send(self, seat: str, answer: Any) -> None:
        """Who is not the last to be awaited may change his mind as often as he likes."""
        question, desk = self.match.question, self.desk
        if question is not None and question.sealed and seat in question.sides:
            waited = set(question.sides) - desk.sealed(question).keys() - {seat}
            if waited or question.kind in CARD_WINDOWS:
                text = self.match.say(self.rng.choice([offer for _, offer in lettered(question, seat)]))
                desk.order(seat, f"{text} yes")
        super().send(seat, answer)

    def compared(self, look: Look) -> Iterator[str]:
        if len(self.entries) != look.entries:
            yield f"{look.entries} entries with the one deck, {len(self.entries)} with the other"
            return
        for place in range(self.looked, look.entries):
            ours, theirs = shown(self.entries[place]), shown(self.first.entries[place])
            if ours != theirs:
                yield f"entry {place + 1}: {theirs} becomes {ours}"
        fmt = list(FORMATS)[look.entries % len(FORMATS)]
        for reader, wanted in ((PUBLIC, look.public), (self.first.other, look.seat)):
            found = without_digests(texts(self.desk, reader, fmt, self.looked))
            yield from (f"entry {look.entries}, cards exchanged, for {reader}: {line}" for line in unlike(wanted, found))
        self.looked = look.entries


# --- one game ----------------------------------------------------------------------------------------------------


def secret_game(seed: int, *, most: int = 0, every: int = 20) -> list[str]:
    """The leaks of one random game, empty when there are none; one third each asks in card windows, holds or reserves them."""
    wanted = Wanted(seed, 2 + seed // 2 % 4, options=chosen(seed), most=most)
    rng, sheet = prepared(wanted)
    sheet.rules["windows"] = ("asked", "held", "reserved")[seed % 3]
    header, secrets = beginning(wanted, sheet.rules)
    found: list[str] = []
    try:
        first = First(header, secrets, Random(f"secret {seed}"), every)
        found += [*on(first, rng, [], sheet, most).met.wrong, *first.leaks]
        if not found:
            second = Second(first, exchange(first, Random(f"exchange {seed}")), Random(f"second {seed}"))
            found += islice(second.again(), MOST_LEAKS)
    except Exception as fault:          # a game that cannot be played again with other cards in the dark is a leak too
        found.append(told_of(fault))
    return found[:MOST_LEAKS]
