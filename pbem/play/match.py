"""A game in play: the fold of its log. Knows no files, no clock, no secrets but those it is handed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from pbem import editions
from pbem.base.clock import later
from pbem.base.errors import Diverged, NotNow, PbemError, Refused
from pbem.base.yamlfile import uncollected
from pbem.cards import EFFECTS
from pbem.chance.draws import Live, Recorded, Unthrown
from pbem.chance.hidden import Hidden
from pbem.components import catalogue
from pbem.components.board import board
from pbem.components.shipped import back_to, box_of
from pbem.kernel.procedures import Procedure, Question, Table
from pbem.log.entries import PLAY, bound, kind_of
from pbem.log.header import TELLING, format_of
from pbem.orders import Alternative, Order, parse, say
from pbem.orders.names import names_of
from pbem.play import amending, notes
from pbem.play.history import History
from pbem.rules import company, ruled, sequence, surprise, victory
from pbem.rules.acts import Price
from pbem.rules.generals import FREE_ACTS
from pbem.rules.war import MODERATOR
from pbem.table import position
from pbem.table.events import ALL, Event, event
from pbem.table.state import Game

Source = Recorded | Live | Unthrown
# The word for a moment -> the window for cards that opens in it.
MOMENTS = {"battle": "battle_cards", "sea": "naval_cards", "card": "surprise", "death": "death_cards", "defeat": "defeat_cards"}
CARD_WINDOWS = tuple(MOMENTS.values())
DISCARDING = ("tyche", "reaction_card")     # questions to which a discarded card is an answer
QUIET = (*CARD_WINDOWS, "route")       # only real plays stand in the log: of cards, and of what was filed for later
MARKED = ("hand_dice", "ruling", "rebased", "datum_corrected", "data_corrected", "line_accepted")
DICE_TABLES = ("battle", "attrition", "siege")
LEVELS = ("step", "activation", "segment", "phase")


class Match:
    """Header and entries of a log become a position and the question it waits at."""

    def __init__(self, header: Mapping[str, Any], corrections: Iterable[Mapping[str, Any]] = (),
                 hidden: Callable[[], Hidden] | None = None) -> None:
        self.header = header
        box = header.get("box") or {}
        self.corrections = [*back_to(header.get("data", 1)), *box.get("corrections", ()), *corrections]
        self.began_with = len(self.corrections)                 # before the log brought any
        self.confirmed = list(box.get("confirmed", ()))         # which data were read from a box
        rules = header["rules"]
        self.box = box_of(str(rules.get("edition", editions.USUAL)), header.get("data", 1))
        facts = catalogue.facts(self.corrections, self.box)
        self.seats = {seat: dict(who or {}) for seat, who in header["seats"].items()}
        self.take_names(facts)
        played = editions.ruleset(rules.get("edition", editions.USUAL), tuple(str(one) for one in rules.get("options", ())),
                                  header.get("fixes", 0))
        if rules.get("seating") != "chosen":        # the header itself names the seats in their order
            played = played._replace(seats_chosen=False)
        self.g = Game(facts, board(facts), played, self.seats, EFFECTS)
        self.g.secret = hidden() if hidden is not None else None
        self.strict = rules.get("polls") == "strict"
        self.table: Table | None = None
        self.tells = format_of(header) >= TELLING   # entries say which hidden cards moved, and how the game ended
        self.number = 0                             # of the last entry taken in
        self.due: dict[str, str] = {}               # question id -> deadline, as the log tells it
        self.last_due = ""
        self.addressed: tuple[str, ...] = ()        # whom the last line that asked something asked
        self.asked_kind = ""                        # and what kind of question that was
        self.is_silent = False                      # the last thing that was done was what silence means
        self.goes_on = ""                           # the first question of those that a side was asked with nobody else between
        self.stopped = ""                              # why the clock stands still
        self.stopped_since = ""
        self.reserved: dict[str, tuple[str, ...]] = {}          # the moments in which a seat wishes to be asked for cards
        self.history = History()                    # every event with the entry that caused it
        self.marks: list[tuple[int, Event]] = []    # what every later report has to mention
        self.mark_doubts()
        self.told: list[Event] = []                 # what the last entry caused
        self.moves: list[list[Any]] = []            # the hidden cards that it moved
        self.ended: dict[str, Any] = {}             # how it ended the game, if it did
        self.check_positions = False                # compare every written position and hash (`verify`)

    def take_names(self, facts: catalogue.Facts) -> None:
        """What things and seats are called from now on; what was read by other names is read anew."""
        self.names = names_of(facts, self.seats)
        self.known: dict[str, tuple[Order, ...]] = {}

    def mark_doubts(self) -> None:
        """As long as nobody has confirmed the tables that decide most, every report says so; games of before never did."""
        self.marks = [(number, one) for number, one in self.marks if one.key != "not_confirmed"]
        self.g.doubted = frozenset(self.unconfirmed())
        if doubts := self.unconfirmed():
            self.marks.append((0, event("not_confirmed", ALL, {"tables": doubts})))

    def unconfirmed(self) -> list[str]:
        """The tables of dice that no box has confirmed."""
        if self.header.get("data", 1) == 1:
            return []
        return [table for table in DICE_TABLES if f"tables.{table}" not in self.confirmed
                and not any(one.startswith(f"tables.{table}.") for one in self.confirmed)]

    def language_of(self, reader: str) -> str:
        """What a reader wishes to read: the language of the seat, or else that of the game."""
        return str(self.seats.get(reader, {}).get("language") or self.header.get("language") or "")

    # --- the question ------------------------------------------------------------------------------------------

    @property
    def question(self) -> Question | None:
        return self.table.question if self.table is not None else None

    def due_of(self, question: Question) -> str:
        """Until when: its own deadline, or that of the first of several like it to the same side."""
        return self.due.get(question.id) or (self.last_due if self.addressed == question.sides else "")

    def told_due(self, question: Question) -> str:
        """Until when, for those who are told: while the clock stands still there is no such moment."""
        return "" if self.stopped else self.due_of(question)

    def begin(self) -> None:
        """The procedures start from the position as it stands."""
        self.table = Table(sequence.play(self.g), self.g.next_question, strict=self.strict)

    @property
    def neutral(self) -> frozenset[str]:
        """Seats that nobody plays any more: silence answers for them at once."""
        return frozenset(seat for seat, who in self.seats.items() if who.get("neutral"))

    # --- entries -----------------------------------------------------------------------------------------------

    def apply(self, entry: Mapping[str, Any], number: int, source: Source | None = None) -> None:
        """Take in one entry. With a source the draws are made and stand in it, else they are read from it."""
        chance = source or Recorded(entry, number)
        self.g.chance = chance
        self.number = number
        over = bool(self.g.over)
        if handler := HANDLERS.get(kind_of(entry)):     # openings and the like change nothing in the position
            handler(self, entry)
        chance.finish()
        self.moves, self.g.moves = self.g.moves, []
        self.ended = {} if over or not self.g.over else plain(self.g.over)
        if self.tells and source is None:
            self.judge_told(entry)
        self.told, self.g.events = self.g.events, []
        for item in chance.made:
            if len(item) > 2 and item[2].get("by") == "hand":
                self.told.append(event("hand_dice", ALL, {"name": item[0], "value": item[1], "reason": item[2]["reason"]}))
        for one in self.told:
            self.history.append((number, one))
            if one.key in MARKED:
                self.marks.append((number, one))

    def judge_told(self, entry: Mapping[str, Any]) -> None:
        """An entry says which hidden cards it moves and that it ends the game: neither more nor less than the rules do."""
        if (told := plain(entry.get("cards") or [])) != self.moves:
            raise Diverged("other_cards", entry=self.number, wanted=said(self.moves), found=said(told))
        if (told := plain(entry.get("over") or {})) != self.ended:
            raise Diverged("other_end", entry=self.number, wanted=said([self.ended]), found=said([told]))

    def fold(self, entries: Sequence[Mapping[str, Any]], standing: Iterable[int], first: int = 1,
             last: int | None = None) -> None:
        """Take in all entries that stand, from one on and up to another; `standing` are places in the list."""
        with uncollected():
            for place in standing:
                try:
                    self.apply(entries[place], place + 1)
                except PbemError as error:
                    error.entry = place + 1
                    raise
                except Exception as fault:
                    raise Diverged("entry_unplayable", entry=place + 1, what=f"{type(fault).__name__}: {fault}") from fault
        for number, entry in enumerate(entries[first - 1:last], first):
            if "undo" in entry:
                mark = number, undone(entry, number)
                self.marks.append(mark)
                self.history.append(mark)
        self.history.sort()                             # what was taken back is told where it was
        self.marks.sort(key=itemgetter(0))

    # --- answers -----------------------------------------------------------------------------------------------

    def read(self, seat: str, order: Order) -> tuple[str, Order]:
        """Judge one order of a seat against the open question: how it will be taken, and the order in full."""
        question = self.question
        if question is None:
            raise NotNow("game_over" if self.table is not None else "not_begun")
        if order.verb == "play" and (order.how == "surprise" or self.is_surprise(order)):
            if self.answers_window(question, seat, order):
                return "answer", question.read(seat, (order,))[0]
            return "interrupt", surprise.judge(self.g, seat, order.but(how="surprise"))
        if order.verb == "discard" and self.g.rules.discards_at_any_time and not (
                seat in question.sides and question.kind in DISCARDING):
            return "interrupt", surprise.judge_discard(self.g, seat, order)
        if order.verb in FREE_ACTS and seat == self.g.player and not (
                self.g.turns_over and question.legal(seat, order) is not None):     # 14.8 after it a place is but an answer
            if question.sealed or question.sides[0] not in (seat, MODERATOR):
                raise NotNow("others_are_asked", id=question.id, sides=list(question.sides))
            return "interrupt", FREE_ACTS[order.verb].judge(self.g, seat, order)
        if seat not in question.sides:
            if order.verb in FREE_ACTS:
                FREE_ACTS[order.verb].judge(self.g, seat, order)        # 7.1 C says in whose turn
            raise NotNow("not_your_question", seat=seat, id=question.id, kind=question.kind, sides=list(question.sides))
        if takes_several(question):
            raise NotNow("answer_wanted", id=question.id)
        read: Order = question.read(seat, order)
        return "answer", read

    def on_top(self, seat: str, order: Order) -> Procedure[None]:
        """What comes between: a card out of turn, or a free act of the player whose turn it is."""
        if order.verb in FREE_ACTS:
            return FREE_ACTS[order.verb].do(self.g, order)
        return surprise.OUT_OF_TURN[order.verb](self.g, seat, order)

    def costs(self, seat: str, how: str, order: Order) -> list[Price]:
        """What an order that was read costs besides what everybody sees."""
        question = self.question
        if how == "interrupt":
            return FREE_ACTS[order.verb].costs(self.g, seat, order) if order.verb in FREE_ACTS else []
        return list(question.costs(seat, order)) if question is not None and question.costs is not None else []

    def is_surprise(self, order: Order) -> bool:
        return bool(self.g.facts.cards[order.card]["kind"] == "surprise") and order.how is None

    def is_answer(self, question: Question, seat: str, orders: Sequence[Order]) -> bool:
        """Do these orders answer a window, rather than interrupt it with a card that it did not ask for?"""
        if not takes_several(question) or seat not in question.sides or orders and orders[0].verb in FREE_ACTS:
            return False
        return not (orders and orders[0].verb == "play" and not self.answers_window(question, seat, orders[0]))

    @staticmethod
    def answers_window(question: Question, seat: str, order: Order) -> bool:
        """Is this card what a card window asks this seat for?"""
        return question.sealed and seat in question.sides and question.legal(seat, (order.but(how="surprise"),)) is not None

    def do(self, seat: str, said: str | tuple[Order, ...]) -> None:
        """{by, do}: one order or answer, as the log has it."""
        table = self.table
        assert table is not None
        orders = self.parsed(said)
        question = table.question
        if question is not None and self.is_answer(question, seat, orders):
            table.answer({seat: question.read(seat, orders)})
            return
        for order in orders:
            how, read = self.read(seat, order)
            if how == "interrupt":
                table.interrupt(self.on_top(seat, read))
            else:
                table.answer({seat: read})

    def parsed(self, said: str | tuple[Order, ...]) -> tuple[Order, ...]:
        """A log says the same in the same words, again and again; in one that nobody is going to read orders need no words."""
        if isinstance(said, tuple):
            return said
        orders = self.known.get(said)
        if orders is None:
            orders = self.known[said] = parse(said, self.names)
        return orders

    def say(self, answer: Any) -> str:
        """An answer, one order or several, as the log writes it."""
        orders = answer if isinstance(answer, tuple) else (answer,)
        return "; ".join(say(order, self.names) for order in orders)


def declaration(question: Question, seat: str, alternatives: Iterable[Alternative], before: Mapping[str, Any]) -> Any:
    """Of a sealed answer the first alternative whose condition is met and that is still legal; else what silence means.

    `before` is what those declared who come earlier in Turn Order.
    """
    for one in alternatives:
        if one.at not in (None, question.about.get("space")):
            continue
        if one.condition is not None:
            who = str(one.condition.who)
            acted = before.get(who, question.silence(who)) != question.default
            if acted != (one.condition.op == "acts"):
                continue
        answer = question.legal(seat, one.orders)
        if answer is not None:
            return answer
    return question.silence(seat)


def takes_several(question: Question) -> bool:
    """Is the answer a list of orders? So it is in every poll, and where a city's owner sorts his pieces."""
    return question.sealed or question.kind == "city_choice"


def said(parts: Sequence[Any]) -> str:
    """Moves, or how a game ended, for a message."""
    return "; ".join(" ".join(map(str, one.values() if isinstance(one, Mapping) else one)) for one in parts if one) or "none"


def undone(entry: Mapping[str, Any], number: int) -> Event:
    """What is said of an undo, which is entry `number`: what it took back, why, and when."""
    return event("undone", ALL, {"entry": entry["undo"], "last": number - 1, "at": str(entry.get("at", "")),
                                 "reason": str(entry.get("reason", "")),
                                 "stain": list(entry.get("stain", ())), "consent": list(entry.get("consent", ())),
                                 "override": str(entry.get("override", "")), "words": dict(entry.get("words") or {})})


def in_force(header: Mapping[str, Any], rules: editions.Ruleset) -> Event:
    """16 By which rules this game is played: frozen at the start."""
    table = header["rules"]
    return event("rules_in_force", ALL, {
        "edition": rules.name, "rules": list(rules.options), "polls": str(table.get("polls") or "sealed"),
        "windows": str(table.get("windows") or "asked")})


def opening(header: Mapping[str, Any], rules: editions.Ruleset) -> list[Event]:
    """What the first report has to say before anything happens: the rules, and the words that made the dice."""
    told = [in_force(header, rules)]
    if "chance" in header:
        words = header["chance"].get("words") or {}
        told.append(event("words_given", ALL, {"words": {seat: str(words.get(seat) or "") for seat in header["seats"]}}))
    return told


# --- one function per kind of entry ------------------------------------------------------------------------------


def _position(match: Match, entry: Mapping[str, Any]) -> None:
    """A position adopted at the start of a player turn or phase."""
    if match.table is not None:                         # who goes on from elsewhere rebases, and every report says so
        raise NotNow("log_has_begun", entries=match.number - 1)
    g = match.g
    g.events += opening(match.header, g.rules)
    position.state(g, entry["position"])
    if "stated" in entry.get("deck", ()):
        g.moves += stated(entry["deck"]["name"], g)
    match.begin()


def stated(name: str, g: Game) -> list[list[Any]]:
    """An adopted deck begins with the hands, seat after seat, and with what lies on the table."""
    return [["deck", name], *(["deal", seat, g.hands[seat]] for seat in g.hands if g.hands[seat]),
            *([["lay", g.face_down]] if g.face_down else [])]


def _by(match: Match, entry: Mapping[str, Any]) -> None:
    if entry.get("as") == "silent":
        told = next((one for _, one in reversed(match.history) if one.key in ("silent", "player_turn_began")), None)
        facts = {"seats": [entry["by"]], "reason": str(entry.get("reason", "")), "early": entry.get("closed") == "early"}
        if told is None or told.key != "silent" or told.facts != facts:         # a quiet turn is several orders
            match.g.tell(ALL, "silent", **facts)
    elif entry.get("as") == "standing":
        match.g.tell((entry["by"],), "stood_in", seats=[entry["by"]])
    match.is_silent = entry.get("as") == "silent"
    match.do(entry["by"], entry["do"])


def _ask(match: Match, entry: Mapping[str, Any]) -> None:
    question = match.question
    if question is None or question.id != entry["ask"]:
        raise Diverged("other_question", entry=match.number, wanted=entry["ask"], found=question and question.id)
    if question.sealed or match.addressed != question.sides or not match.goes_on:
        match.goes_on = question.id
    match.addressed, match.asked_kind, match.last_due = question.sides, question.kind, entry.get("due", "")
    match.due[entry["ask"]] = match.last_due


def _close(match: Match, entry: Mapping[str, Any]) -> None:
    """The declarations of a poll, in Turn Order; who is not named passed."""
    question, table, match.goes_on = match.question, match.table, ""
    if question is None or table is None or question.id != entry["close"]:
        raise Diverged("other_question", entry=match.number, wanted=entry["close"], found=question and question.id)
    answers = {}
    for side in question.sides:
        text = (entry.get("answers") or {}).get(side)
        answers[side] = question.read(side, match.parsed(text)) if text else question.silence(side)
    silent, early = [seat for seat in entry.get("silent") or () if seat not in match.neutral], entry.get("closed") == "early"
    if silent or early:
        match.g.tell(ALL, "silent", seats=silent, reason=str(entry.get("reason", "")), early=early)
    if entry.get("standing"):
        match.g.tell(tuple(entry["standing"]), "stood_in", seats=list(entry["standing"]))
    table.answer(answers)
    if "now" in entry and match.check_positions and entry["now"] != position.fingerprint(match.g):
        raise Diverged("other_position", entry=match.number, wanted=entry["now"], found=position.fingerprint(match.g))


def _ruling(match: Match, entry: Mapping[str, Any]) -> None:
    """The moderator states facts, adjusts totals, and may abandon the running procedure up to a level."""
    g, table = match.g, match.table
    assert table is not None
    company.stated(g, entry.get("facts") or {})
    for seat, change in (entry.get("adjust") or {}).items():
        for what, value in change.items():
            g.adjusted[position.seat_of(g, seat), what] += value
    if "roll" not in entry and "choice" not in entry:           # those prepare what will be decided
        ruled.settles(g, match.question)
    g.tell(ALL, "ruling", text=str(entry["ruling"]), reason=str(entry.get("reason", "")))
    ruled.throw(g, entry.get("roll", 0))
    table.interrupt(victory.settling(g))
    if g.over:
        table.finish()
    elif entry.get("abandon"):
        if entry["abandon"] not in LEVELS:
            raise Refused("2", "unknown_level", level=entry["abandon"], known=list(LEVELS))
        table.abandon(entry["abandon"])
    elif choice := entry.get("choice"):
        table.interrupt(ruled.choice(g, position.seat_of(g, choice["seat"]), str(entry["ruling"]), choice["of"]))
    else:
        table.remake()


def _amend(match: Match, entry: Mapping[str, Any]) -> None:
    """Corrected data count from here on; an accepted hand edit only explains itself."""
    if isinstance(entry["amend"], Mapping):
        match.g.tell(ALL, "line_accepted", entry=entry["amend"].get("entry", 0), reason=str(entry.get("reason", "")))
        return
    given = amending.corrections_of(entry)
    corrections = [*match.corrections, *given]
    g = match.g
    facts = catalogue.facts(corrections, match.box)
    amending.judge(g, facts)
    match.corrections = corrections
    if "box" in entry:
        match.confirmed = list(entry["box"].get("confirmed", ()))
        match.mark_doubts()
    amending.follow(g, facts)
    g.use_facts(facts, board(facts))
    match.take_names(facts)
    if isinstance(entry["amend"], list):
        g.tell(ALL, "data_corrected", datums=[str(one["datum"]) for one in given], reason=str(entry.get("reason", "")),
               by=str((entry.get("box") or {}).get("by", "")))
    else:
        g.tell(ALL, "datum_corrected", datum=given[0]["datum"], value=str(given[0]["value"]),
               reason=str(entry.get("reason", "")))
    if match.table is not None:
        match.table.interrupt(victory.settling(g))
        match.table.remake()


def _fixes(match: Match, entry: Mapping[str, Any]) -> None:
    """Rules that were mended since the game began count from here on."""
    before = match.g.rules.fixes
    rules = match.g.rules
    if entry["fixes"] <= before:                        # what was mended stays so
        raise Refused("0", "fixes_backwards", fixes=entry["fixes"], before=before)
    match.g.rules = editions.ruleset(rules.name, rules.options, entry["fixes"])
    if match.g.rules.ranks != rules.ranks:
        match.g.take_grades()
    match.g.tell(ALL, "rules_mended", numbers=[str(one) for one in range(before + 1, entry["fixes"] + 1)],
                 reason=str(entry.get("reason", "")))
    if match.table is not None:
        match.table.interrupt(victory.settling(match.g))
        match.table.remake()


def _turn_end(match: Match, entry: Mapping[str, Any]) -> None:
    """The public position, so that a divergence becomes a readable difference."""
    if match.check_positions:
        found, wanted = plain(position.written(match.g)), plain(entry["position"])
        if found != wanted:
            keys = [key for key in {**found, **wanted} if found.get(key) != wanted.get(key)]
            raise Diverged("other_turn_end", entry=match.number, what=keys)


def _rebase(match: Match, entry: Mapping[str, Any]) -> None:
    """Go on from a stated position, whatever the log would give; marked in every later report."""
    old = match.g
    match.g = Game(catalogue.facts(match.corrections, match.box), old.printed, old.rules, old.seats, old.effects)
    match.g.chance, match.g.secret = old.chance, old.secret
    position.state(match.g, entry["position"])
    match.g.tell(ALL, "rebased", reason=str(entry.get("reason") or entry["rebase"]))
    match.begin()


def _seat(match: Match, entry: Mapping[str, Any]) -> None:
    if entry["seat"] not in match.seats:
        raise Refused("2", "unknown_seat", seat=entry["seat"], known=list(match.seats))
    seat = match.seats[entry["seat"]]
    if "name" in entry or "people" in entry:        # somebody plays it again
        seat.pop("neutral", None)
    seat.update({key: entry[key] for key in ("name", "people", "language", "channel", "zone", "neutral") if key in entry})
    match.take_names(match.g.facts)
    if entry.get("neutral"):
        match.g.tell(ALL, "seat_neutral", seat=entry["seat"], reason=str(entry.get("reason", "")))
    else:
        match.g.tell(ALL, "seat_changed", seat=entry["seat"], name=str(seat.get("name", "")))


def _reserve(match: Match, entry: Mapping[str, Any]) -> None:
    """Whoever wishes to be asked at some moments says so to everybody, and need hold nothing."""
    if entry["reserve"] not in match.seats:
        raise Refused("2", "unknown_seat", seat=entry["reserve"], known=list(match.seats))
    moments = tuple(moment for moment in MOMENTS if moment in entry["moments"])
    match.reserved[entry["reserve"]] = moments
    match.g.tell(ALL, "reserved", seat=entry["reserve"], moments=list(moments))


def _hold(match: Match, entry: Mapping[str, Any]) -> None:
    match.stopped, match.stopped_since = str(entry["hold"]), str(entry.get("since") or "")
    match.g.tell(ALL, "held", reason=match.stopped)


def _resume(match: Match, entry: Mapping[str, Any]) -> None:
    """Everybody has as much time left as when the clock was stopped."""
    match.stopped = match.stopped_since = ""
    match.g.tell(ALL, "resumed", reason=str(entry.get("resume") or ""))
    if "moved" in entry and match.table is not None:
        minutes = int(entry["moved"])
        for id in [frame.id for frame in match.table.stack if frame.id in match.due]:
            match.due[id] = later(match.due[id], minutes)
        match.last_due = later(match.last_due, minutes)
    if "due" in entry and match.question is not None:
        match.due[match.question.id] = entry["due"]


def _note(match: Match, entry: Mapping[str, Any]) -> None:
    match.g.tell(ALL, "note", text=str(entry["note"]), noted=notes.facts_of(entry, match.seats))


def plain(value: Any) -> Any:
    """Read from a file or made by the engine, the same data compare equal."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if value in ("true", "false"):
        return value == "true"
    return value


HANDLERS: Mapping[str, Callable[[Match, Mapping[str, Any]], None]] = bound(PLAY, {
    "position": _position, "by": _by, "ask": _ask, "close": _close, "ruling": _ruling, "amend": _amend,
    "fixes": _fixes, "turn_end": _turn_end, "rebase": _rebase, "seat": _seat, "reserve": _reserve, "hold": _hold,
    "resume": _resume, "note": _note,
})
