"""Words apart from rules: every sentence that people read, in one folder of templates per language.

The engine deals in keys and ids: a refusal says `too_few_mps` and who, an event says `marched` and where. Here
they become sentences, with names for the ids. How a name or a title is set off is the business of an `Ink`: the
same sentence goes into plain text, Markdown or whatever a report is written in.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

from pbem import orders
from pbem.base.errors import Costly, PbemError, Refused
from pbem.base.language import FILTERS, PLAIN, Ink, Safe, compiled, plural, sentences, shelf_of
from pbem.base.ready import Shelf
from pbem.base.saying import Environment, Saying
from pbem.components.catalogue import Facts
from pbem.editions.books import BOOK, printed, recited, shown
from pbem.orders import Order, Pieces
from pbem.orders.asking import REQUESTS, in_own_words
from pbem.orders.names import Names
from pbem.orders.tongues import SPOKEN, in_words_of
from pbem.table.events import Event
from pbem.telling.spoken import Spoken

Facts_ = Mapping[str, Any]
View = Mapping[str, Any]

ORDER_KINDS = ("surrender", "tyche", "activation", "forage")
DESK = "0"                  # the rule number of what the moderator's desk refuses, and no rule of the game
TO_A_HAND = ("deal", "draw", "take")    # moves of cards that nobody else sees
MOST_NAMED = 8              # names in a list, before it says how many more there are
EXAMPLES = ("unreadable_order", "unreadable_answer", "unreadable_condition")      # refusals that show how it is written


def minus(number: str) -> str:
    """With the sign of arithmetic before what is less than nothing, and no hyphen."""
    return number.replace("-", "−")


def several(one: str) -> Callable[..., Safe]:
    """The filter for a list of what another says one by one."""

    def said(words: "Words", ids: Iterable[str], joint: str = "and", form: str = "", most: int = MOST_NAMED) -> Safe:
        say = getattr(words, one)
        return words.all((say(id, form) if form else say(id) for id in ids), joint, most)

    return said


class Words:
    """The sentences of one language, for one game, in one format."""

    def __init__(
        self, language: str, names: Names, facts: Facts, *, people: Mapping[str, str] | None = None, zone: str = "UTC",
        ink: Ink = PLAIN, book: str = BOOK,
    ) -> None:
        self.language = language
        self.names = names
        self.facts = facts
        self.people = people or {}
        self.zone = zone
        self.ink = ink
        self.book = book                    # whose numbers rules are cited by
        self._environment: Environment | None = None
        self._made: dict[tuple[str, str], Saying | str] = {}
        self._layouts: dict[str, Saying] = {}
        self._inks: dict[tuple[Ink, str], Words] = {}
        self._located_before: dict[tuple[str, str], Safe] = {}

    def inked(self, ink: Ink, zone: str = "") -> "Words":
        """The same words for another format, or for a reader who lives elsewhere."""
        wanted = ink, zone or self.zone
        if wanted == (self.ink, self.zone):
            return self
        if wanted not in self._inks:
            self._inks[wanted] = Words(self.language, self.names, self.facts, people=self.people, zone=wanted[1], ink=ink,
                                       book=self.book)
        return self._inks[wanted]

    # --- sentences -----------------------------------------------------------------------------------------------

    def event(self, event: Event) -> Safe:
        """What happened."""
        return self.tell("events", event.key, event.facts)

    def refusal(self, error: PbemError) -> Safe:
        """Why an order does not count, by which rule, and what would."""
        if isinstance(error, Costly):
            facts = {name: value for name, value in error.facts.items() if name != "order"}
            return self.phrase("costly", said=self._price(error.key, facts, error.rule))
        facts = dict(error.facts)
        if error.key in EXAMPLES:
            facts["suggestions"] = [self.retold(one) for one in facts.get("suggestions", ())]
        if error.key == "unreadable_trigger":
            facts["suggestions"] = [self.typed(f"file {one}") for one in facts.get("suggestions", ())]
        said = self.tell("refusals", error.key, facts)
        if isinstance(error, Refused) and error.rule == DESK:
            return self.phrase("refused_desk", said=said)
        rule = self.rule(error.rule, error.key) if isinstance(error, Refused) else ""
        file, line = error.facts.get("file", ""), error.facts.get("line", 0)
        return self.phrase(f"refused_{type(error).__name__.lower()}", rule=rule, said=said, file=file, line=line)

    def flaws(self, errors: Iterable[PbemError]) -> Safe:
        """Several things that are wrong, a sentence each; of what nobody would read the number."""
        found = list(errors)
        said = [self.cap(self.tell("refusals", one.key, one.facts)) for one in found[:MOST_NAMED]]
        more = [self.phrase("more_flaws", count=len(found) - MOST_NAMED)] if len(found) > MOST_NAMED else []
        return Safe(" ".join([*said, *more]))

    def touched(self, found: Iterable[tuple[str, Facts_]]) -> Safe:
        """What a correction does to the position, a sentence each."""
        return Safe(" ".join(self.phrase(f"touches_{key}", **facts) for key, facts in found))

    def price(self, key: str, facts: Facts_, rule: str = "") -> Safe:
        """What a legal order costs that is easily overlooked."""
        return self.cap(self._price(key, facts, rule))

    def _price(self, key: str, facts: Facts_, rule: str) -> Safe:
        return self.phrase("price", said=self.tell("prices", key, facts), rule=rule)

    def phrase(self, key: str, /, **facts: Any) -> Safe:
        """The words around the sentences: headings, deadlines, what to do next."""
        return self.tell("phrases", key, facts)

    def tell(self, file: str, key: str, facts: Facts_) -> Safe:
        """A sentence, on one line."""
        template = self._made.get((file, key))
        if template is None:
            source: Any = sentences(self.language, file)
            for step in key.split("."):
                source = source[step]
            source = self.cited(source)
            template = self._made[file, key] = (
                self._template(source, shelf_of(self.language, f"{file}.yaml")) if "{" in source else source)
        return Safe(template if isinstance(template, str) else " ".join(template.render(facts).split()))

    def layout(self, name: str) -> Saying:
        """The frame of a whole text, the same for all languages."""
        if name not in self._layouts:
            shelf = shelf_of("layouts", f"{name}.j2")
            self._layouts[name] = self._template(shelf.path.read_text("utf-8"), shelf)
        return self._layouts[name]

    def _template(self, source: str, shelf: Shelf) -> Saying:
        return self.environment.saying(compiled(source, shelf))

    @property
    def environment(self) -> Environment:
        """What all that is said shares: the names and numbers of this game, and its ink."""
        if self._environment is None:
            filters = {name: getattr(self, name) for name in FILTERS}
            self._environment = Environment({**filters, "join": self._joined},
                                            {"company": self.company, "phrase": self.phrase}, self._inked)
        return self._environment

    def _joined(self, _: object, items: Iterable[object], by: str = "") -> Safe:
        """What stands beside each other: jinja's own would have all of it escaped once more."""
        return Safe(by.join(map(self._inked, items)))

    def _inked(self, value: object) -> str:
        return value if isinstance(value, Safe) else Safe(self.ink.escape(str(value)))

    # --- names ---------------------------------------------------------------------------------------------------

    def term(self, key: str, kind: str) -> str:
        """A word of the game in this language; what has no entry is said as it is."""
        found = sentences(self.language, "terms")[kind].get(key)
        return self.cited(found) if found is not None else key.replace("_", " ")

    def _safe(self, text: str) -> Safe:
        return Safe(self.ink.escape(text))

    def named(self, kind: str, id: str, case: str = "nom") -> str:
        """As a language writes it that has a name of its own for it, in a case, or as the 4th edition does."""
        terms = sentences(self.language, "terms")
        named = terms["name"].get(kind, {})
        own = named.get(f"{id} {self.book}") or named.get(id)       # another book may have another name for it
        if isinstance(own, list):
            return str(own[terms["cases"].index(case)])
        return str(own or self.names.say(kind, id))

    def _name(self, kind: str, id: str, form: str = "nom") -> Safe:
        """A name in a case, or as a language puts it behind `to` or whatever other words it has."""
        terms = sentences(self.language, "terms")
        return self._safe(self._shaped(terms["name_with"][form], kind, id) if form in terms["name_with"]
                          else self.named(kind, id, form))

    def _shaped(self, pattern: str | Mapping[str, str], kind: str, id: str) -> str:
        """A name in a pattern, as `ad {nom}`: one for all names, or by a group they are in or by how they begin."""
        cases = {case: self.named(kind, id, case) for case in sentences(self.language, "terms")["cases"]}
        return self._pattern(pattern, kind, id).format(**cases)

    def _pattern(self, pattern: str | Mapping[str, str], kind: str, id: str) -> str:
        """The one of several patterns that a name stands in."""
        if isinstance(pattern, str):
            return pattern
        groups, name = sentences(self.language, "terms")["groups"], self.named(kind, id)
        return next((made for start, made in pattern.items() if start and (
            id in groups.get(start, ()) or name.startswith(start))), pattern[""])

    def inflected(self, forms: Any, number: int, case: str) -> str:
        """The form of a word that goes with a number, in a case; what a language does not tell apart it writes once."""
        if isinstance(forms, Mapping):
            forms = forms.get(case) or forms["nom"]
        return str(forms if isinstance(forms, str) else forms[self._form(number)])

    def agree(self, who: str | Sequence[str], one: str, many: str) -> Safe:
        """The form of a verb that goes with who did it: a seat or several; some seats are many people."""
        known = sentences(self.language, "terms")["many"]
        single = who not in known if isinstance(who, str) else len(who) == 1 and who[0] not in known
        return self._safe(one if single else many)

    def seat(self, seat: str, form: str = "nom") -> Safe:
        """A seat, in a case."""
        cased = sentences(self.language, "terms")["seat_in"].get(form, {})
        return self._safe(cased.get(seat) or self.term(seat, "seat"))

    def whose(self, seat: str) -> Safe:
        """A seat as an owner."""
        whose = sentences(self.language, "terms")["whose"]
        return self._safe(whose.get(seat) or whose["of_seat"].format(name=self.term(seat, "seat")))

    def letter(self, seat: str) -> str:
        """By which a seat is known on the map, and wherever it is marked by its colour."""
        return str(sentences(self.language, "drawing")["letter"][seat])

    def player(self, seat: str) -> Safe:
        """The person on a seat, with the colour."""
        name = self.people.get(seat)
        known = name and name.casefold() not in (seat, self.term(seat, "seat").casefold())
        return self.phrase("player", name=name, seat=seat) if known else self.seat(seat)

    def general(self, id: str, form: str = "nom") -> Safe:
        return self._name("general", id, form)

    def royal(self, id: str, form: str = "nom") -> Safe:
        """By name; what is a thing has an article in some languages."""
        things = sentences(self.language, "terms")["royal"]
        return self._safe(self.inflected(things[id], 1, form)) if id in things else self._name("royal", id, form)

    def about(self, ids: Iterable[str]) -> Safe:
        """Generals and spaces in one list."""
        return self.all((self.place(id) if id in self.facts.spaces else self.general(id) for id in ids), "or")

    def province(self, id: str, form: str = "nom") -> Safe:
        return self._name("province", id, form)

    def fleet(self, id: str, form: str = "nom") -> Safe:
        return self._name("fleet", id, form)

    def card(self, id: str) -> Safe:
        """The title of a card, as the format sets it off or between the quotation marks of the language."""
        title = self._name("card", id)
        bare = self.ink.title is PLAIN.title
        return Safe(sentences(self.language, "terms")["quoted"].format(title) if bare else self.ink.title(title))

    def effect(self, card: str) -> str:
        """What a card does: in the words of the data, or of a language that has its own."""
        terms = sentences(self.language, "terms")
        own = terms["effect_in"].get(self.book, {}).get(card)
        return str(own or terms["effect"].get(card) or self.facts.cards[card]["effect"])

    def ops(self, card: str) -> int:
        return int(self.facts.cards[card]["ops"] or 0)

    def piece(self, id: str) -> Safe:
        """A General, a Royal Family Member or a kind of CU."""
        words = sentences(self.language, "terms")["cu"]
        return self._safe(self._cu(id, 2)) if id in words else self.royal(id) if id in self.facts.royals else self.general(id)

    def mover(self, id: str) -> Safe:
        """Whose activation moved a piece; a stated position does not say."""
        known = id in self.facts.generals or id in self.facts.minors or id in self.facts.independents
        return self.general(id) if known else self._safe(self.term("another", "mover"))

    def place(self, location: str, form: str = "place") -> Safe:
        """A space; where it matters, the part of it. Another form says it in a case, or as a way `from` it or `to` it."""
        return self._located(form, location)

    def at(self, location: str) -> Safe:
        """Where something is."""
        return self._located("at", location)

    def _located(self, form: str, location: str) -> Safe:
        known = self._located_before.get((form, location))
        if known is None:
            forms = sentences(self.language, "terms")[form]
            space, _, part = location.partition("/")
            known = self._located_before[form, location] = self._safe(
                self._shaped(forms[part or "land"], "space", space) if space in self.facts.spaces
                else forms.get(location, location))
        return known

    seats, players, generals = several("seat"), several("player"), several("general")
    royals, provinces, fleets, cards = several("royal"), several("province"), several("fleet"), several("card")

    def places(self, ids: Iterable[str], joint: str = "and", form: str = "place", most: int = MOST_NAMED) -> Safe:
        """Spaces in one list. Neighbours may share a preposition: in Ake, Gaza and on Rhodos."""
        said, before, alike = [], "", sentences(self.language, "terms")["alike"]
        for location in ids:
            lead, told = self._lead(form, location), self._located(form, location)
            kind = alike.get(lead, lead)
            said.append(Safe(told[len(lead):]) if kind == before else told)
            before = kind
        return self.all(said, joint, most, form)

    def _lead(self, form: str, location: str) -> str:
        """What stands before the name of a space."""
        terms = sentences(self.language, "terms")
        return self._pattern(terms[form]["land"], "space", location).partition("{")[0] if location in self.facts.spaces else ""

    def path(self, ids: Iterable[str]) -> Safe:
        """Spaces one after the other."""
        return Safe(self._safe(" > ").join(map(self.place, ids)))

    def texts(self, items: Iterable[object], joint: str = "and") -> Safe:
        """Anything else as a list."""
        return self.all((self._safe(str(item)) for item in items), joint)

    def terms(self, ids: Iterable[str], kind: str, joint: str = "and") -> Safe:
        return self.all((self._safe(self.term(id, kind)) for id in ids), joint)

    def days(self, ids: Sequence[str]) -> Safe:
        """Days of the week; three or more in a row are told by the first and the last."""
        known, said = sentences(self.language, "terms"), []
        for due, run in groupby(known["day"].items(), lambda day: day[0] in ids):
            forms = [(day, day, day) if isinstance(day, str) else day for _, day in run if due]
            if len(forms) > 2:
                said.append(known["day_range"].format(first=forms[0][1], last=forms[-1][2]))
            else:
                said.extend(when for when, _, _ in forms)
        return self.all(map(self._safe, said))

    def all(self, items: Iterable[object], joint: str = "and", most: int = MOST_NAMED, form: str = "nom") -> Safe:
        """`a, b and c`; what is too long for a sentence is cut and counted."""
        said = [self._inked(item) for item in items]
        words = sentences(self.language, "terms")["joint"]
        if len(said) > most + 1:
            said = [*said[:most], self._inked(self.inflected(words["more"], 1, form).format(n=len(said) - most))]
        if len(said) < 2:
            return Safe("".join(said))
        before = words[joint]
        if not isinstance(before, str):                 # another word before a vowel
            before = next((word for start, word in before.items() if start and said[-1].startswith(start)), before[""])
        return Safe(f"{', '.join(said[:-1])} {before} {said[-1]}")

    # --- pieces and numbers --------------------------------------------------------------------------------------

    def of(self, number: int, noun: str, case: str = "nom") -> Safe:
        """A number and what it counts."""
        return self._safe(f"{number} {self.inflected(sentences(self.language, 'terms')['noun'][noun], number, case)}")

    def _form(self, number: int) -> int:
        """Which form of a noun goes with a number: every language has its own rule, in its terms."""
        return int(plural(self.language)(n=number))

    def cus(self, cus: Mapping[str, int] | Iterable[tuple[str, int]], case: str = "nom") -> Safe:
        """`2 loyal and 3 mercenary`."""
        counted = dict(cus)
        return self.all(f"{counted[kind]} {self._cu(kind, counted[kind], case)}" for kind in orders.CU_ORDER
                        if counted.get(kind))

    def _cu(self, kind: str, number: int, case: str = "nom") -> str:
        """A kind of CU behind its number."""
        return self.inflected(sentences(self.language, "terms")["counted"][kind], number, case)

    def force(self, cus: Mapping[str, int] | Iterable[tuple[str, int]], case: str = "nom") -> Safe:
        """`5 CUs (2 loyal, 3 mercenary)`, or `2 loyal CUs`."""
        counted = {kind: number for kind, number in dict(cus).items() if number}
        if len(counted) == 1:
            kind, number = next(iter(counted.items()))
            return self._safe(f"{number} {self.inflected(sentences(self.language, 'terms')['unit'][kind], number, case)}")
        said = self.of(sum(counted.values()), "cu", case)
        return Safe(f"{said} ({self._kinds(counted, case)})") if counted else said

    def strength(self, cus: Mapping[str, int] | Iterable[tuple[str, int]]) -> Safe:
        """`5 CUs: 2 loyal, 3 mercenary`, where brackets would be too many."""
        return Safe(self.force(cus).replace(" (", ": ").replace(")", ""))

    def _kinds(self, counted: Mapping[str, int], case: str = "nom") -> Safe:
        """The CUs of a force whose number was said before."""
        return self._safe(", ".join(f"{counted[kind]} {self._cu(kind, counted[kind], case)}" for kind in orders.CU_ORDER
                                    if counted.get(kind)))

    def pieces(self, pieces: Pieces, case: str = "nom") -> Safe:
        """Generals, CUs and Royal Family Members in one list."""
        words = sentences(self.language, "terms")["joint"]
        if pieces.everything:
            return self._safe(self.inflected(words["everything"], 1, case))
        return (self.company(pieces.generals, pieces.cus, pieces.royals, case)
                or self._safe(self.inflected(words["nothing"], 1, case)))

    def along(self, pieces: Pieces) -> Safe:
        """How somebody comes: with pieces, or without any."""
        terms = sentences(self.language, "terms")
        words = terms["joint"]
        return self._safe(words["alone"]) if pieces == orders.NONE else Safe(words["with"].format(
            **{case: self.pieces(pieces, case) for case in terms["cases"]}))

    def company(
        self, generals: Iterable[str], cus: Mapping[str, int] | Iterable[tuple[str, int]], royals: Iterable[str],
        case: str = "nom",
    ) -> Safe:
        """Who and what goes along; empty for nobody."""
        counted = dict(cus)
        return self.all([*(self.general(id, case) for id in generals),
                         *([self.force(counted, case)] if any(counted.values()) else []),
                         *(self.royal(id, case) for id in royals)])

    def known(self, stain: Iterable[str]) -> Safe:
        """What became known before an undo: dice, answers and cards, as the log notes them."""
        words = sentences(self.language, "terms")["known"]
        said = []
        for one in stain:
            what = next((start for start in words if one.startswith(start)), "")
            rest = one[len(what):].strip()
            parts = rest.split() or [""]
            name = (self.draw(rest) if what == "die" else self.seat(parts[0]) if what in TO_A_HAND
                    else self.card(parts[-1]) if what != "link" and parts[-1] in self.facts.cards else self._safe(rest))
            said.append(Safe(words[what].format(what=name)) if what else name)
        return self.all(dict.fromkeys(one for one in said if one))

    def checks(self, counts: Mapping[str, int]) -> Safe:
        """How many of what was checked: `die (57), deck (3)`."""
        return self._safe(", ".join(f"{self.term(what, 'checked')} ({count})" for what, count in counts.items()))

    def draw(self, name: str) -> Safe:
        """A die by what it was for: `movement, Game Turn III, round 1, Black`, out of `T3,R1,black,activation,movement,1`."""
        parts = name.split(",")
        terms = sentences(self.language, "terms")["draw"]
        what = [self._safe(terms[part]) for part in parts if part in terms]
        when = [self.phrase("draw_when", turn=int(parts[0][1:]), round=int(parts[1][1:]))
                ] if re.fullmatch(r"T[0-6],R\d.*", name) else []
        who = [self.seat(part) for part in parts if part in sentences(self.language, "terms")["seat"] and part][:1]
        return Safe(", ".join([*what[:1], *when, *who]) or self._safe(name))

    def leaked(self, found: Iterable[tuple[str, object]]) -> Safe:
        """What is private and would have been published."""
        words = sentences(self.language, "terms")["leak"]
        return self.texts(words[what].format(of=of) for what, of in found)

    def allowances(self, mps: Mapping[str, int]) -> Safe:
        """Movement Points, the many first: `Kassandros and Krateros have 4 MPs each; Philoxenos has 3 MPs`."""
        by_number: dict[int, list[str]] = {}
        for general, number in mps.items():
            by_number.setdefault(number, []).append(general)
        terms = sentences(self.language, "terms")
        return Safe("; ".join(terms["allowance"][min(len(who), 2) - 1].format(
            mps=self.of(number, "mp"), **{case: self.generals(who, form=case) for case in terms["cases"]})
            for number, who in sorted(by_number.items(), reverse=True)))

    def sources(self, parts: Mapping[str, Any] | Iterable[Sequence[Any]]) -> Safe:
        """The parts of a sum: `champion 3, Alexandros 5, condemned Generals −3`."""
        pairs = parts.items() if isinstance(parts, Mapping) else parts
        return Safe(", ".join(f"{self.source(one[0])} {self._safe(minus(str(one[1])))}" for one in pairs))

    def source(self, name: str) -> Safe:
        """Where Legitimacy or Victory Points come from."""
        for kind, known in (("province", self.facts.provinces), ("royal", self.facts.royals),
                            ("general", self.facts.generals), ("space", self.facts.spaces)):
            if name in known and name not in sentences(self.language, "terms")["source"]:
                return self._name(kind, name)
        return self._safe(self.term(name, "source"))

    def weighed(self, parts: Iterable[tuple[str, int, int]]) -> Safe:
        """What a strength is made of, with what it counts where that is not its number: `4 loyal (8) + 3 mercenary`."""
        def told(kind: str, number: int) -> str:
            counted = str(number), self._cu(kind, number)
            return " ".join(reversed(counted) if kind == "local_troops" else counted)       # points, and no pieces

        return self._safe(" + ".join(told(kind, number) + (f" ({weight})" if weight != number else "")
                                     for kind, number, weight in parts))

    def signed(self, parts: Iterable[Sequence[Any]]) -> Safe:
        """What is added to a die and why: `+1 Helepolis, −1 port`."""
        return Safe(", ".join(f"{self.change(value)} {self.source(name)}" for name, value in parts))

    def change(self, by: int) -> Safe:
        """How much more or less it is: `+2`, `−3`."""
        return self._safe(minus(f"{by:+}"))

    def totals(self, totals: Mapping[str, int]) -> Safe:
        """A number for each seat."""
        return self.all(Safe(f"{self.seat(seat)} {self._safe(str(number))}") for seat, number in totals.items())

    def chance(self, needed: int) -> Safe:
        """How likely one die is to show so much or more."""
        ways = min(6, max(0, 7 - needed))
        return self._percents(f"{(100 * ways + 3) // 6}")

    def _percents(self, number: str) -> Safe:
        return self._safe(sentences(self.language, "terms")["percent"].format(number))

    def percent(self, chance: float) -> Safe:
        """A chance in whole percents; what is nearly certain is not called certain."""
        number = round(100 * chance)
        return self._percents("<1" if not number and chance else ">99" if number == 100 and chance < 1 else f"{number}")

    def roman(self, number: int) -> str:
        """Game Turns are counted as on the turn track."""
        return ("0", "I", "II", "III", "IV", "V", "VI")[number]

    def rule(self, number: str, key: str = "") -> Safe:
        """9.3A is printed 9.3 A, and in the 3rd edition 9.3; or where that book says what a refusal tells."""
        found = printed(number, self.book, key)
        return self._safe(found) if found else self.phrase("rule_of_the_fourth", number=shown(number))

    def cited(self, text: str) -> str:
        """Rules that a sentence cites between parentheses, by the numbers of the book in play."""
        return text if self.book == BOOK else recited(text, self.rule)

    def cap(self, text: str) -> Safe:
        """As at the beginning of a sentence."""
        said = self._inked(text)
        return Safe(said[:1].upper() + said[1:])

    def bare(self, text: str) -> Safe:
        """What somebody wrote, without its full stop, for the middle of a sentence."""
        return self._safe(text.rstrip(" ."))

    def ended(self, text: str) -> Safe:
        """What somebody wrote, as a sentence of its own."""
        return self._safe(text if text.endswith((".", "!", "?", "…")) else f"{text}.")

    def short(self, digest: str) -> Safe:
        """As much of a digest as people compare."""
        return self._safe(digest[:8])

    def digest(self, digest: str) -> Safe:
        """As much of a digest as nobody forges."""
        return Safe(self.ink.code(self._safe(digest[:32])))

    def verb(self, verb: str) -> Safe:
        return self._safe(self.term(verb, "verb"))

    def date(self, moment: str, zone: str = "") -> Safe:
        """`Thu 20 Nov, 09:00 (Berlin)`; the log keeps universal time."""
        from datetime import UTC, datetime

        words = sentences(self.language, "terms")["date"]
        when = datetime.fromisoformat(moment).astimezone(UTC)
        zone = zone or self.zone
        if zone != "UTC":
            from zoneinfo import ZoneInfo

            when = when.astimezone(ZoneInfo(zone))
        city = zone.rpartition("/")[2].replace("_", " ")
        shown = words["zone"].format(city=words["cities"].get(city, city)) if zone != "UTC" else zone
        return self._safe(words["form"].format(
            weekday=words["weekdays"][when.weekday()], day=when.day, month=words["months"][when.month - 1],
            time=f"{when:%H:%M}", zone=shown))

    def day(self, date: str) -> Safe:
        """A day and no time of it: `Tue 1 Dec`."""
        from datetime import datetime

        words, when = sentences(self.language, "terms")["date"], datetime.fromisoformat(date)
        return self._safe(words["day"].format(
            weekday=words["weekdays"][when.weekday()], day=when.day, month=words["months"][when.month - 1]))

    def order(self, answer: Any) -> Safe:
        """One order or several, as their reader writes them himself."""
        given = (answer,) if isinstance(answer, Order) else answer
        speaker = self.names if self.language not in SPOKEN else Spoken(self)
        return self._safe("; ".join(orders.say(order, speaker) for order in given))

    def retold(self, text: str) -> str:
        """Orders, an answer or how one is written, as the log has them, as their reader writes them himself."""
        if self.language not in SPOKEN:
            return text
        with suppress(PbemError):
            return orders.say_answer(orders.read_answer(text, self.names), Spoken(self))
        with suppress(PbemError):
            if (line := orders.read_line(text, self.names)) is not None:
                return orders.say_line(line, Spoken(self))
        return in_words_of(self.language, text)

    def typed(self, text: str) -> Safe:
        """What is to be typed, as its reader writes it: a request in his words and with the names that he reads, an order."""
        if self.language not in SPOKEN:
            return self._safe(text)
        word, _, rest = text.partition(" ")
        if word == "check" and rest:
            return self._safe(f"{in_own_words(self.language, word)} {self.retold(rest)}")
        if word == "options" and rest != "all":
            lead = in_own_words(self.language, word)
            return self._safe(f"{in_words_of(self.language, lead)} {in_words_of(self.language, rest)}".strip())
        if word in ("undo", "word", "observe"):
            return self._safe(in_own_words(self.language, text))
        if word.rstrip(":") not in REQUESTS:
            return self._safe(self.retold(text))
        head, colon, tail = text.partition(":")
        if word == "file":
            tail = f" {self.retold(tail.strip())}"
        speaker = Spoken(self).after(word)
        head = re.sub(r"(?:\b(at|of|by) )?\b(\w+)", lambda found: found[0].removesuffix(found[2]) + self._own_name(
            speaker.after(found[1]) if found[1] else speaker, found[2]), head)
        return self._safe(in_own_words(self.language, f"{head}{colon}{tail}"))

    def _own_name(self, speaker: Spoken, name: str) -> str:
        """A colour, a place or a General that a request names."""
        if name in sentences("en", "terms")["seat"]:
            return speaker.say("seat", name)
        for kind in ("province", "space", "general", "seat") if name[:1].isupper() else ():
            with suppress(PbemError):
                return speaker.say(kind, self.names.resolve(kind, name))
        return name

    # --- questions -----------------------------------------------------------------------------------------------

    def waiting(self, question: View) -> Safe:
        """What is open, in words for everybody: from public facts alone."""
        return self.tell("questions", f"{question['kind']}.public", about_of(question))


def about_of(question: View) -> dict[str, Any]:
    """What the sentences of a question may draw on: nothing that is not public."""
    about = dict(question["about"])
    if "seat" in about:
        about["by"] = about.pop("seat")         # `seat` is the one who reads
    return {**about, "id": question["id"], "rule": question["rule"], "sides": question["sides"]}


def stacks_at(view: View, location: str | None) -> dict[str, Any]:
    """The armies at the place that a question is about, by seat."""
    return {stack["seat"]: stack for stack in view["armies"] if stack["at"] == location}
