"""Repeats all chance of a game from its log: commitments, words, links, dice, shuffles, openings, heads."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.chance import scheme

OK = "ok"
FAILED = "failed"
CLOSED = "not open yet"
HAND = "by hand"

MOST_LINKS = 10_000
SHORTEST_HEAD = 8
TURN = re.compile(r"T(0|[1-9][0-9]{0,3})")
DIE_MARKS = {"sides", "by", "reads", "reason"}

Verdict = tuple[str, str, Mapping[str, Any]]


class Wrong(ValueError):
    """What a check has found; `key` names the sentence, `facts` fill it."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


class Check(NamedTuple):
    """`entry` counts from 1; 0 is the header. `detail` names a sentence, `facts` fill it."""

    entry: int
    what: str
    state: str
    detail: str = ""
    facts: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        told = " ".join([self.detail, *(str(fact) for fact in self.facts.values())]).strip()
        where = f"entry {self.entry}" if self.entry else "header"
        return f"{where}: {self.what}: {self.state}{': ' if told else ''}{told}"


def verdict(state: str, detail: str = "", **facts: Any) -> Verdict:
    return state, detail, facts


def check_game(log: Mapping[str, Any], heads: Sequence[str] = ()) -> Iterator[Check]:
    """All checks in the order of the log. `heads` are what mails and posts showed of it, oldest first."""
    header = {key: value for key, value in log.items() if key != "log"}
    entries = log.get("log")
    sound = judged(0, "chance", header_verdict, header, entries)
    yield sound
    if sound.state == FAILED or not isinstance(entries, list):
        return
    yield judged(0, "words", words_verdict, header)
    seen = Witnessed(header, entries)
    chain = [scheme.first_head(seen.game, header)]
    for at, entry in enumerate(entries, 1):
        yield from seen.checks(at, entry)
        public, sealed = b"", b""
        try:
            public = scheme.canonical(entry)
            sealed = scheme.unhex(entry["sealed"]) if isinstance(entry, dict) and "sealed" in entry else b""
        except ValueError as problem:
            yield Check(at, "sealed" if public else "entry", FAILED, "said", {"what": str(problem)})
        chain.append(scheme.head(chain[-1], public, sealed))
    yield Check(len(entries), "head", OK, "said", {"what": chain[-1].hex()})
    yield from head_checks([head.hex() for head in chain], heads)


def failures(checks: Iterator[Check]) -> list[Check]:
    return [check for check in checks if check.state == FAILED]


def judged(at: int, what: str, judge: Callable[..., Verdict], *told: Any) -> Check:
    """What the judge says; a log that cannot even be read is a failed check, never a crash."""
    try:
        return Check(at, what, *judge(*told))
    except Wrong as problem:
        return Check(at, what, FAILED, problem.key, problem.facts)
    except ValueError as problem:
        return Check(at, what, FAILED, "said", {"what": str(problem)})
    except (TypeError, KeyError, AttributeError, IndexError, OverflowError) as problem:
        return Check(at, what, FAILED, "unreadable", {"what": f"{type(problem).__name__} {problem}"})


# --- The header ---------------------------------------------------------------


def header_verdict(header: Mapping[str, Any], entries: Any) -> Verdict:
    """Without all this there is nothing to check."""
    promised, seats, game = header["chance"], header["seats"], header["game"]
    words, links = promised["words"], promised["links"]
    if promised["scheme"] != 1:
        raise Wrong("scheme_unknown", scheme=promised["scheme"])
    if type(links) is not int or not 1 <= links <= MOST_LINKS:
        raise Wrong("links_unfit", links=links, most=MOST_LINKS)
    if not isinstance(entries, list):
        raise Wrong("no_log")
    if not all(isinstance(text, str) for text in [game, *seats, *words, *words.values()]):
        raise Wrong("not_text")
    scheme.unhex(promised["deck"])
    scheme.unhex(promised["dice"])
    scheme.canonical(header)
    return verdict(OK)


def mixed_of(header: Mapping[str, Any]) -> bytes:
    """The entropy E: seats without a word count as silent."""
    words = header["chance"]["words"]
    return scheme.entropy(header["game"], {seat: words.get(seat, "") for seat in header["seats"]})


def words_verdict(header: Mapping[str, Any]) -> Verdict:
    words, seats = header["chance"]["words"], header["seats"]
    for seat, word in words.items():
        if seat not in seats:
            raise Wrong("word_without_seat", seat=seat)
        if word and scheme.normal_word(word) != word:
            raise Wrong("word_not_normal", seat=seat)
    if header["chance"].get("entropy", mixed_of(header).hex()) != mixed_of(header).hex():
        raise Wrong("other_entropy")
    silent = [seat for seat in seats if not words.get(seat)]
    return verdict(OK, "silent", seats=silent) if silent else verdict(OK)


# --- Entries ------------------------------------------------------------------


class Witnessed:
    """What the whole log opens, and what stood in it before the entry that is looked at."""

    def __init__(self, header: Mapping[str, Any], entries: Sequence[Any]) -> None:
        promised = header["chance"]
        self.game: str = header["game"]
        self.links: int = promised["links"]
        self.deck_commitment = scheme.unhex(promised["deck"])
        self.dice_commitment = scheme.unhex(promised["dice"])
        self.beacon_rule = str(promised.get("beacon", "none"))
        self.mixed = mixed_of(header)
        self.entries = entries
        # An epoch that was opened is spent, also when the entry that opened it was taken back.
        self.spent = 0
        self.decks: dict[str, tuple[bytes, int]] = {}
        self.opened: dict[int, bytes] = {}
        self.secret: bytes | None = None
        self.beacons: dict[int, scheme.Beacon] = {}
        for entry in entries:
            self.gather(entry)

    def gather(self, entry: Any) -> None:
        """Later openings serve earlier dice. What is wrong is left out here and told at its own entry."""
        if not isinstance(entry, dict):
            return
        told: Any = entry.get("open")
        beacon = entry.get("beacon")
        if judged(0, "", self.link_verdict, told).state == OK:
            self.opened[told["epoch"]] = scheme.unhex(told["link"])
        if judged(0, "", self.secret_verdict, told).state == OK:
            self.secret = scheme.unhex(told["deck_secret"])
        if judged(0, "", beacon_named, beacon).state == OK:
            self.beacons.setdefault(*read_beacon(beacon))

    def beacon(self, epoch: int) -> scheme.Beacon:
        if self.beacon_rule == "none":
            return scheme.NO_BEACON
        if epoch not in self.beacons:
            raise Wrong("beacon_missing", epoch=epoch)
        return self.beacons[epoch]

    def deck_key(self) -> bytes | None:
        return self.secret and scheme.deck_key(self.secret, self.game, self.mixed, self.beacon(0))

    def checks(self, at: int, entry: Any) -> Iterator[Check]:
        try:
            yield from self.checks_of(at, entry)
        except (TypeError, KeyError, AttributeError) as problem:
            yield Check(at, "entry", FAILED, "unreadable", {"what": f"{type(problem).__name__} {problem}"})

    def checks_of(self, at: int, entry: Mapping[str, Any]) -> Iterator[Check]:
        if "beacon" in entry:
            told = entry["beacon"]
            yield judged(at, label("beacon", told, "epoch"), self.beacon_verdict, told)
        for roll in entry.get("dice", ()):
            yield judged(at, label("die", roll, 0), self.die_verdict, roll)
        if "deck" in entry:
            told = entry["deck"]
            yield judged(at, label("deck", told, "name"), self.deck_verdict, told)
        if "openings" in entry:
            name = entry["openings"]["deck"]
            for shown in entry["openings"]["cards"]:
                yield judged(at, label(f"opening {name}", shown, 0), self.opening_verdict, name, shown)
        if "open" in entry:
            told = entry["open"]
            if told.keys() != {"deck_secret"}:
                yield judged(at, label("link", told, "epoch"), self.link_verdict, told)
            if "deck_secret" in told:
                yield judged(at, "deck secret", self.secret_verdict, told)
            if type(epoch := told.get("epoch")) is int and epoch <= self.links:
                self.spent = max(self.spent, epoch)
        for index, told in entry.get("blinds", {}).items():
            yield judged(at, f"blind {index}", self.blind_verdict, index, told)
        for index, part in entry.get("private", {}).items():
            told = entry["blinds"].get(index)
            yield judged(at, f"private {index}", self.private_verdict, index, told, part)

    def beacon_verdict(self, told: Any) -> Verdict:
        epoch, beacon = read_beacon(told)
        if self.beacon_rule == "none":
            raise Wrong("beacon_unannounced")
        if self.beacons[epoch] != beacon:
            raise Wrong("beacon_other")
        return verdict(OK, "said", what=beacon[0])

    def link_verdict(self, told: Any) -> Verdict:
        epoch, link = told["epoch"], scheme.unhex(told["link"])
        if type(epoch) is not int or not 1 <= epoch <= self.links:
            raise Wrong("links_of_chain", links=self.links)
        if not scheme.is_link(self.game, link, epoch, self.dice_commitment):
            raise Wrong("link_unpromised")
        return verdict(OK)

    def secret_verdict(self, told: Any) -> Verdict:
        if scheme.deck_commitment(self.game, scheme.unhex(told["deck_secret"])) != self.deck_commitment:
            raise Wrong("secret_unpromised")
        return verdict(OK)

    def die_verdict(self, roll: Any) -> Verdict:
        name, value, marks = roll if len(roll) == 3 else (*roll, {})
        if marks.keys() - DIE_MARKS:
            raise Wrong("die_marks", known=sorted(DIE_MARKS))
        values = value if isinstance(value, list) else [value]
        sides = marks.get("sides", 6)
        if not values or not all(type(number) is int for number in [*values, sides]):
            raise Wrong("die_no_number")
        if "by" in marks:
            return by_hand(marks)
        parts = name.split(",")
        if not (turn := TURN.fullmatch(parts[0])):
            raise Wrong("die_no_turn")
        epoch = scheme.epoch_of(int(turn[1]), self.spent)
        if epoch > self.links:
            raise Wrong("links_too_few", links=self.links, epoch=epoch)
        if epoch not in self.opened:
            return verdict(CLOSED, "epoch", epoch=epoch)
        key = scheme.dice_key(self.opened[epoch], self.game, self.mixed, epoch, self.beacon(epoch))
        drawn = scheme.dice(key, self.game, ("dice", *parts), len(values), sides)
        if values != drawn:
            raise Wrong("die_other", epoch=epoch, found=shown_as(values), drawn=shown_as(drawn))
        return verdict(OK, "said", what=shown_as(drawn))

    def deck_verdict(self, told: Any) -> Verdict:
        name, cards, root = told["name"], told["cards"], scheme.unhex(told["root"])
        if self.decks.setdefault(name, (root, len(cards))) != (root, len(cards)):
            raise Wrong("deck_other")
        if not (key := self.deck_key()):
            return verdict(CLOSED, "cards", count=len(cards))
        if scheme.Deck.shuffled(key, self.game, name.split(","), cards).root != root:
            raise Wrong("deck_root")
        return verdict(OK, "cards", count=len(cards))

    def opening_verdict(self, name: Any, shown: Any) -> Verdict:
        opening = scheme.Opening.from_plain(shown)
        if name not in self.decks:
            raise Wrong("opening_no_deck")
        root, size = self.decks[name]
        if not scheme.check_opening(root, size, self.game, name.split(","), opening):
            raise Wrong("opening_other", card=opening.card)
        return verdict(OK, "said", what=opening.card)

    def blind_verdict(self, index: Any, told: Any) -> Verdict:
        if not (key := self.deck_key()):
            return verdict(CLOSED)
        if scheme.blind(key, self.game, str(index)).hex() != told:
            raise Wrong("blind_other")
        return verdict(OK)

    def private_verdict(self, index: Any, told: Any, private: Any) -> Verdict:
        """A private part that was shown must fit the digest that stood in its entry."""
        digest = scheme.inner_digest(scheme.unhex(told), scheme.canonical(private)).hex()
        if int(index) < 1 or self.entries[int(index) - 1].get("sealed") != digest:
            raise Wrong("sealed_other")
        return verdict(OK)


def label(kind: str, told: Any, key: Any) -> str:
    """The check by its name, as far as the log lets it be read."""
    try:
        return f"{kind} {told[key]}"
    except (TypeError, KeyError, IndexError):
        return kind


def shown_as(values: Sequence[int]) -> str:
    return " ".join(str(value) for value in values)


def by_hand(marks: Mapping[str, Any]) -> Verdict:
    if marks["by"] != "hand":
        raise Wrong("die_by", by=marks["by"])
    return verdict(HAND, "by_hand", reason=str(marks.get("reason", "")))


def read_beacon(told: Any) -> tuple[int, scheme.Beacon]:
    epoch, named, value = told["epoch"], told["id"], told["value"]
    if type(epoch) is not int or not isinstance(named, str) or bytes.fromhex(value).hex() != value:
        raise Wrong("beacon_unfit")
    return epoch, (named, bytes.fromhex(value))


def beacon_named(told: Any) -> Verdict:
    return verdict(OK, "said", what=read_beacon(told)[1][0])


# --- Heads --------------------------------------------------------------------


def head_checks(chain: Sequence[str], heads: Sequence[str]) -> Iterator[Check]:
    """A head that is missing tells of a change after the last one that was found."""
    found = 0
    for head in heads:
        at = next((index for index, own in enumerate(chain) if own.startswith(head)), None)
        if len(head) < SHORTEST_HEAD:
            yield Check(found, f"head {head}", FAILED, "head_short", {"least": SHORTEST_HEAD})
        elif at is None:
            yield Check(found, f"head {head}", FAILED, "head_unknown")
        else:
            found = at
            yield Check(at, f"head {head}", OK)
