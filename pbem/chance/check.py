"""Repeats all chance of a game from its log: commitments, words, links, dice, decks, who drew what, undos, openings, heads.

docs/chance.md says what is checked, and why.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.chance import beacon as beacons
from pbem.chance import forms, scheme
from pbem.chance.course import Course
from pbem.chance.places import Place, Places, moved, stated
from pbem.chance.scheme import Wrong

OK = "ok"
FAILED = "failed"
CLOSED = "not open yet"
HAND = "by hand"
NOTHING = "unchecked"
WORD = "by word"                        # it rests on the moderator's word
LATE = "late"
REMARKS = (HAND, WORD, LATE)

MOST_LINKS = 10_000
SHORTEST_HEAD = 8
WHOLE_HEAD = 32                          # digits of a head as it is shown: 128 bits
TURN = re.compile(r"T(0|[1-9][0-9]{0,3})")
UNREADABLE = (TypeError, KeyError, AttributeError, IndexError, ValueError, OverflowError)
MOST_TOLD = 5
DIE_MARKS = {"sides", "by", "reads", "reason"}

Verdict = tuple[str, str, Mapping[str, Any]]


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
    promised = "chance" in header
    read = [entry if forms.entry(entry, at, promised=promised) else {} for at, entry in enumerate(entries, 1)]      # else empty
    if promised:
        yield judged(0, "words", words_verdict, header)
        seen, told = Witnessed(header, read), list[Check]()
        for at in range(1, len(entries) + 1):
            for check in seen.checks(at):
                told.append(check)
                yield check
        if seen.lying.over:
            yield Check(len(entries), "end", *seen.end_verdict(told))
    else:
        for at, entry in enumerate(read, 1):
            yield from unpromised_checks(at, entry)
    chain = [scheme.first_head(header["game"], header)]
    for at, entry in enumerate(entries, 1):
        public = b""
        try:
            public = scheme.canonical(entry)
        except ValueError:
            yield judged(at, "entry", canonical_verdict, entry)
        chain.append(scheme.head(chain[-1], public, bytes.fromhex(read[at - 1].get("sealed", ""))))
    yield Check(len(entries), "head", NOTHING, "said", {"what": chain[-1].hex()})
    yield from head_checks([head.hex() for head in chain], heads, whole=header.get("format", 1) >= 3)


def canonical_verdict(entry: Any) -> Verdict:
    return verdict(OK, "said", what=scheme.canonical(entry).decode())


def unpromised_checks(at: int, entry: Mapping[str, Any]) -> Iterator[Check]:
    """Of a game whose dice and cards come from a table elsewhere."""
    if not entry:
        yield Check(at, "entry", FAILED, "not_of_the_form")
    for roll in entry.get("dice", ()):
        yield judged(at, f"die {roll[0]}", unpromised_die, roll)
    if "deck" in entry:
        yield judged(at, f"deck {entry['deck']['name']}", unpromised_deck, entry["deck"])


def unpromised_die(roll: Any) -> Verdict:
    if len(roll) < 3 or roll[2].get("by") != "hand":
        raise Wrong("unpromised_die")
    return by_hand(roll[2])


def unpromised_deck(deck: Any) -> Verdict:
    """A deck that was shuffled at the table shows nothing of its order, not even a digest."""
    if deck.keys() != {"name", "cards", "by"} or deck["by"] != "hand":
        raise Wrong("unpromised")
    return by_hand(deck)


def failures(checks: Iterator[Check]) -> list[Check]:
    return [check for check in checks if check.state == FAILED]


def judged(at: int, what: str, judge: Callable[..., Verdict], *told: Any) -> Check:
    """What the judge says; a log that cannot even be read is a failed check, never a crash."""
    try:
        return Check(at, what, *judge(*told))
    except Wrong as problem:
        return Check(at, what, FAILED, problem.key, problem.facts)
    except UNREADABLE as problem:
        return Check(at, what, FAILED, "unreadable", {"what": f"{type(problem).__name__} {problem}"})


# --- The header ---------------------------------------------------------------


def header_verdict(header: Mapping[str, Any], entries: Any) -> Verdict:
    """Without all this there is nothing to check."""
    if not isinstance(entries, list):
        raise Wrong("no_log")
    if not forms.HEADER(header):
        raise Wrong("not_of_the_form")
    if "chance" not in header:
        scheme.canonical(header)
        return verdict(HAND, "all_by_hand")
    promised, links = header["chance"], header["chance"]["links"]
    if promised["scheme"] != (2 if header.get("format", 1) >= 3 else 1):
        raise Wrong("scheme_unknown", scheme=promised["scheme"])
    if not 1 <= links <= MOST_LINKS:
        raise Wrong("links_unfit", links=links, most=MOST_LINKS)
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
    return verdict(WORD, "silent", seats=silent) if silent else verdict(OK)


# --- Entries ------------------------------------------------------------------


class Witnessed:
    """What the whole log opens, and what stood in it before the entry that is looked at."""

    def __init__(self, header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> None:
        promised = header["chance"]
        self.game: str = header["game"]
        self.links: int = promised["links"]
        self.deck_commitment = scheme.unhex(promised["deck"])
        self.dice_commitment = scheme.unhex(promised["dice"])
        self.beacon_rule = str(promised.get("beacon", "none"))
        first = beacons.round_of(self.beacon_rule)
        self.listening = beacons.Listening(first) if first is not None else None
        self.entries = entries
        self.course = Course(header)                    # of the entries before
        self.mixed = self.course.mixed
        self.tells = self.course.version > 1
        self.turn = 0                                   # the last Game Turn that was finished before
        self.lying = Places()                           # where the hidden cards are
        self.lay = [self.lying]                         # after so many entries
        self.public: set[tuple[str, str]] = set()       # deck and card of all that was turned up
        self.decks: dict[str, tuple[bytes, int]] = {}
        self.mixes: dict[str, bytes] = {}               # deck -> E or F
        self.order = cache(self.order_of)
        # What the whole log opens: later openings serve earlier dice and cards.
        self.opened: dict[int, bytes] = {}
        self.secret: bytes | None = None
        self.beacons: dict[int, scheme.Beacon] = {}
        self.orders: dict[str, list[str]] = {}          # as the end tells them
        self.stated: dict[str, bool] = {}               # deck -> was it stated, and not shuffled?
        self.cards: dict[str, list[str]] = {}           # of each deck
        self.places: dict[tuple[str, str], int] = {}    # deck and card -> where it was opened
        for entry in self.entries:
            self.gather(entry)
        self.last_opened = max(self.opened, default=0)

    def gather(self, entry: Mapping[str, Any]) -> None:
        """What is wrong is left out here and told at its own entry."""
        told: Any = entry.get("open")
        beacon: Any = entry.get("beacon")
        shown: Any = entry.get("openings")
        deck: Any = entry.get("deck")
        if judged(0, "", self.link_leads, told).state == OK:
            epoch, link = told["epoch"], scheme.unhex(told["link"])
            while epoch and epoch not in self.opened:       # whoever has a link has all below it
                self.opened[epoch] = link
                epoch, link = epoch - 1, scheme.link_before(self.game, link)
        if judged(0, "", self.secret_leads, told).state == OK:
            self.secret = scheme.unhex(told["deck_secret"])
            self.orders |= told.get("orders") or {}
        if judged(0, "", beacon_named, beacon).state == OK:
            self.beacons.setdefault(*read_beacon(beacon))
        if deck is not None:
            self.decks.setdefault(deck["name"], (scheme.unhex(deck["root"]), len(deck["cards"])))
            self.cards.setdefault(deck["name"], deck["cards"])
            self.stated.setdefault(deck["name"], "stated" in deck)
        for one in shown["cards"] if shown is not None else ():
            if judged(0, "", self.opening_leads, shown["deck"], one).state == OK:
                self.places.setdefault((shown["deck"], one[1]), one[0])

    def beacon(self, epoch: int) -> scheme.Beacon:
        if self.beacon_rule == "none":
            return scheme.NO_BEACON
        if epoch not in self.beacons:
            raise Wrong("beacon_missing", epoch=epoch)
        return self.beacons[epoch]

    def deck_key(self, mixed: bytes = b"") -> bytes | None:
        """K_d, where the deck secret is open; with fresh words, that of decks that were shuffled with them."""
        if self.secret is None:
            return None
        if mixed in (b"", self.mixed):
            return scheme.deck_key(self.secret, self.game, self.mixed, self.beacon(0))
        return scheme.late_deck_key(self.secret, self.game, mixed, self.beacon(0))

    def order_of(self, deck: str) -> list[str]:
        """From the top, as the deck secret gives it, or as it was stated."""
        if self.stated[deck]:                           # that of a deck that was shuffled follows from the secret alone
            return self.orders.get(deck, [])
        key = self.deck_key(self.mixes[deck])
        assert key is not None
        return scheme.shuffle(key, self.game, ("deck", *deck.split(",")), self.cards[deck])

    def place(self, deck: str, card: str) -> Place:
        """Where the card lay, as far as the whole log tells it."""
        if self.secret is not None and deck in self.mixes and (self.beacon_rule == "none" or 0 in self.beacons):
            order = self.order(deck)
            return order.index(card) if card in order else None
        return self.places.get((deck, card))

    # --- entry by entry ------------------------------------------------------------------------------------------

    def checks(self, at: int) -> Iterator[Check]:
        if not (entry := self.entries[at - 1]):
            yield Check(at, "entry", FAILED, "not_of_the_form")
        yield from self.checks_of(at, entry)
        self.course.take_in(entry)
        if self.listening is not None:
            self.listening.take_in(entry)
        self.lay.append(self.lying)

    def checks_of(self, at: int, entry: Mapping[str, Any]) -> Iterator[Check]:
        if "beacon" in entry:
            told = entry["beacon"]
            yield judged(at, label("beacon", told, "epoch"), self.beacon_verdict, told)
        if "announce" in entry:
            yield judged(at, f"beacon {entry['announce']}", self.announced_verdict, entry)
        if "undo" in entry and self.tells:
            yield judged(at, f"undo {entry['undo']}", self.undo_verdict, entry)
            self.lying = self.lay[entry["undo"] - 1]
        for roll in entry.get("dice", ()):
            yield judged(at, label("die", roll, 0), self.die_verdict, roll)
        if "deck" in entry:
            told = entry["deck"]
            yield judged(at, label("deck", told, "name"), self.deck_verdict, told, entry)
        if self.tells:
            yield from self.card_checks(at, entry)
        if "openings" in entry:
            name = entry["openings"]["deck"]
            for shown in entry["openings"]["cards"]:
                yield judged(at, label(f"opening {name}", shown, 0), self.opening_verdict, name, shown, entry)
        if "open" in entry:
            told = entry["open"]
            if told.keys() - {"orders"} != {"deck_secret"}:
                yield judged(at, label("link", told, "epoch"), self.link_verdict, told, entry)
            if "deck_secret" in told:
                yield judged(at, "deck secret", self.secret_verdict, told, entry)
        if "turn_end" in entry and self.tells:
            yield from self.due_checks(at, entry)
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
        if self.listening is not None and beacon[0] != (wanted := str(self.listening.rounds.get(epoch, "-"))):
            raise Wrong("beacon_round", wanted=wanted)
        return verdict(OK, "said", what=beacon[0])

    def announced_verdict(self, entry: Mapping[str, Any]) -> Verdict:
        """Which round it will be follows from the moment alone."""
        if (first := beacons.round_of(self.beacon_rule)) is None:
            raise Wrong("beacon_unannounced")
        return verdict(OK, "said", what=str(beacons.Listening(first, [entry]).rounds[entry["announce"]]))

    def undo_verdict(self, entry: Mapping[str, Any]) -> Verdict:
        number, course, words = entry["undo"], self.course, entry.get("words", {})
        if number not in course.taken(number):
            raise Wrong("undo_of_nothing_standing")
        if entry.get("stain", []) != (stain := course.stain(number)):
            raise Wrong("other_stain", found=entry.get("stain", []), wanted=stain)
        for seat, word in words.items():
            if seat not in course.seats or scheme.normal_word(word) != word:
                raise Wrong("word_not_normal", seat=seat)
        needed = course.to_consent(number) if stain else []
        missing = [seat for seat in needed if seat not in entry.get("consent", [])
                   or course.opens(number) and not words.get(seat)]
        if missing and "override" not in entry:
            raise Wrong("nobody_asked", seats=missing)
        if missing:
            return verdict(WORD, "overridden", seats=missing)
        unasked = [seat for seat in course.seats if stain and seat not in entry.get("consent", [])]
        return verdict(WORD, "asked_by_word", seats=unasked) if unasked else verdict(OK)

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
        epoch = self.course.epoch(int(turn[1]))
        if epoch > self.links:
            raise Wrong("links_too_few", links=self.links, epoch=epoch)
        if epoch not in self.opened:
            return verdict(CLOSED, "epoch", epoch=epoch)
        drawn = scheme.dice(self.dice_key(epoch, int(turn[1]), self.course), self.game, ("dice", *parts), len(values), sides)
        if values != drawn:
            raise Wrong("die_other", epoch=epoch, found=shown_as(values), drawn=shown_as(drawn))
        return verdict(OK, "said", what=shown_as(drawn))

    def dice_key(self, epoch: int, turn: int, course: Course) -> bytes:
        if course.is_late(turn):
            return scheme.late_dice_key(self.opened[epoch], self.game, course.fresh, epoch, self.beacon(epoch))
        return scheme.dice_key(self.opened[epoch], self.game, self.mixed, epoch, self.beacon(epoch))

    def deck_verdict(self, told: Any, entry: Mapping[str, Any]) -> Verdict:
        name, cards, root = told["name"], told["cards"], scheme.unhex(told["root"])
        base, is_stated = ",".join(name.split(",")[:2]), "stated" in told
        self.mixes.setdefault(name, self.mixed if is_stated else self.course.key_of(base))
        if self.decks[name] != (root, len(cards)):
            raise Wrong("deck_other")
        if is_stated and ("position" not in entry or "turn_end" in entry or self.course.adopts):
            raise Wrong("deck_stated_late")
        if self.tells and (wanted := self.course.deck_name(base, cards, told["root"] if is_stated else "")) != name:
            raise Wrong("deck_other_name", wanted=wanted)
        if not (key := self.deck_key(self.mixes[name])):
            return verdict(CLOSED, "cards", count=len(cards))
        order = self.order(name)
        if sorted(order) != sorted(cards) or scheme.Deck(key, self.game, name.split(","), order).root != root:
            raise Wrong("deck_root")
        return verdict(WORD, "deck_foreseen") if self.tells and self.course.ended else verdict(OK, "cards", count=len(cards))

    def card_checks(self, at: int, entry: Mapping[str, Any]) -> Iterator[Check]:
        """Who drew what, folded without the rules."""
        if "position" in entry and "turn_end" not in entry:
            self.lying = stated(self.lying, entry["position"], whole=True)
        elif entry.get("facts"):
            self.lying = stated(self.lying, entry["facts"], whole=False)
        if "cards" in entry:
            yield judged(at, "cards", self.cards_verdict, entry)
        if "over" in entry:
            self.lying = self.lying._replace(over=True)

    def cards_verdict(self, entry: Mapping[str, Any]) -> Verdict:
        wrong, sure = list[Wrong](), True
        for move in entry["cards"]:
            done = moved(self.lying, move, entry, self.place)
            self.lying = done.after
            if move[0] in ("play", "up"):
                self.public.add((self.lying.deck, move[-1]))
            wrong += [Wrong(done.wrong, **done.facts)] if done.wrong else []
            sure = sure and done.sure
        if wrong:
            raise wrong[0]
        if sure:
            return verdict(OK)
        if self.lying.deck and self.secret is None:
            return verdict(CLOSED, "place_closed")
        return verdict(WORD, "place_by_word")

    def due_checks(self, at: int, entry: Mapping[str, Any]) -> Iterator[Check]:
        """What a finished Game Turn has to open."""
        turn = entry["turn_end"]
        self.turn = max(self.turn, turn)
        yield judged(at, f"due link {turn}", self.link_due, turn, (entry.get("open") or {}).get("epoch", 0))
        missing = [card for deck, card in self.lying.due if (deck, card) not in self.places]
        if self.lying.due:
            yield Check(at, "due openings", *(verdict(FAILED, "cards_unopened", cards=missing) if missing else verdict(OK)))
        self.lying = self.lying._replace(due=())

    def link_due(self, turn: int, opened: int) -> Verdict:
        if max(self.course.spent, opened) >= turn:
            return verdict(OK)
        if self.last_opened >= turn:
            return verdict(LATE, "link_late", turn=turn)
        raise Wrong("link_missing", turn=turn)

    def end_verdict(self, told: Sequence[Check]) -> Verdict:
        """A game that is over has nothing to hide."""
        closed = list(dict.fromkeys(check.what for check in told if check.state == CLOSED))
        if not self.course.ended or closed:
            return verdict(FAILED, "end_closed", what=closed[:MOST_TOLD])
        return verdict(OK)

    def opening_verdict(self, name: Any, shown: Any, entry: Mapping[str, Any]) -> Verdict:
        told = self.opening_leads(name, shown)
        ended = self.course.ended or "deck_secret" in (entry.get("open") or ())
        if self.tells and not ended and (name, shown[1]) not in self.public:
            raise Wrong("opening_early", card=shown[1])
        return told

    def opening_leads(self, name: Any, shown: Any) -> Verdict:
        opening = scheme.Opening.from_plain(shown)
        if name not in self.decks:
            raise Wrong("opening_no_deck")
        root, size = self.decks[name]
        if not scheme.check_opening(root, size, self.game, name.split(","), opening):
            raise Wrong("opening_other", card=opening.card)
        return verdict(OK, "said", what=opening.card)

    def link_verdict(self, told: Any, entry: Mapping[str, Any]) -> Verdict:
        """A link before its Game Turn is finished shows dice to come."""
        found = self.link_leads(told)
        turn = max(self.turn, entry.get("turn_end", 0))
        if self.tells and told["epoch"] > turn and "deck_secret" not in told:
            raise Wrong("link_early", turn=turn)
        return found

    def link_leads(self, told: Any) -> Verdict:
        epoch, link = told["epoch"], scheme.unhex(told["link"])
        if type(epoch) is not int or not 1 <= epoch <= self.links:
            raise Wrong("links_of_chain", links=self.links)
        if not scheme.is_link(self.game, link, epoch, self.dice_commitment):
            raise Wrong("link_unpromised")
        return verdict(OK)

    def secret_verdict(self, told: Any, entry: Mapping[str, Any]) -> Verdict:
        """Before the end it would show everybody what is still in play."""
        found = self.secret_leads(told)
        if self.tells and not self.course.over and "over" not in entry:
            raise Wrong("secret_early")
        return found

    def secret_leads(self, told: Any) -> Verdict:
        if scheme.deck_commitment(self.game, scheme.unhex(told["deck_secret"])) != self.deck_commitment:
            raise Wrong("secret_unpromised")
        return verdict(OK)

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


def head_checks(chain: Sequence[str], heads: Sequence[str], *, whole: bool) -> Iterator[Check]:
    """A head that is missing tells of a change after the last one that was found; `whole`: all texts showed 32 digits."""
    found = 0
    for head in heads:
        at = next((index for index, own in enumerate(chain) if own.startswith(head)), None)
        if len(head) < SHORTEST_HEAD:
            yield Check(found, f"head {head}", FAILED, "head_short", {"least": SHORTEST_HEAD})
        elif at is None:
            yield Check(found, f"head {head}", FAILED, "head_unknown")
        else:
            found = at
            few = whole and len(head) < WHOLE_HEAD
            yield Check(at, f"head {head}", WORD, "head_of_few_digits") if few else Check(at, f"head {head}", OK)
