"""Standing orders told to their owner, as he would write them himself; kept they are in English, as the log has orders."""

import re
from itertools import islice
from typing import NamedTuple

from pbem.base.errors import NotNow, PbemError, Unreadable
from pbem.base.paths import spoken
from pbem.desk import standing
from pbem.desk.opengame import OpenGame
from pbem.desk.tray import FLEEING, StandingOrder
from pbem.orders import Order, parse, read_condition, say
from pbem.orders.asking import NUMBER
from pbem.orders.lines import say_condition
from pbem.orders.tongues import SPOKEN, in_english, in_words_of
from pbem.telling.spoken import Spoken
from pbem.telling.words import Words

TOWARDS = {"evade": "evade from", "grant": "grant to", "refuse": "refuse to"}       # with a seat behind it


def retold(text: str, words: Words) -> str:
    """A standing order in the words of a language; what cannot be read any more at least between its names."""
    if words.language not in SPOKEN:
        return text
    try:
        return _Speech(words, Spoken(words)).order(standing.read(text, words.names), text)
    except PbemError:
        return in_words_of(words.language, text)


def retold_line(line: str, words: Words) -> str:
    """The same with `standing:` before it."""
    return f"{words.retold('standing')}: {retold(standing.body(line) or '', words)}"


class _Speech(NamedTuple):
    words: Words
    said: Spoken

    def order(self, order: StandingOrder, text: str) -> str:
        parts = [self._head(order), *map(self._condition, order.conditions)]
        if order.yes:
            parts.append(self.said.word("yes"))
        if order.until:
            parts.append(self.said.word("until the turn ends"))
        return ", ".join([*parts, self._budget(text.rpartition(", ")[2], order.left)])

    def _budget(self, told: str, left: int) -> str:
        return str(self.words.of(left, "time")) if told.endswith(" times") else self.said.word(
            "always" if told == "every time" else told)

    def _clause(self, word: str, kind: str, id: str | None) -> str:
        return "" if id is None else f" {self.said.word(word)} {self.said.after(word).say(kind, id)}"

    def _place(self, order: StandingOrder, word: str) -> str:
        return self._clause(word, "space", order.space) + self._clause(word, "province", order.province)

    def _toward(self, verb: str, seat: str | None) -> str:
        """The verb with whom it is against."""
        return self.said.word(verb) if seat is None else self._clause(TOWARDS.get(verb, verb), "seat", seat).strip()

    def _head(self, order: StandingOrder) -> str:
        said, names = self.said, self.words.names
        at, against = self._place(order, "at"), self._clause("against", "seat", order.against)
        if order.lose:
            return f"{said.word('lose')} {', '.join(said.after('lose').say('cu', kind) for kind in order.lose)}{at}"
        if order.answer == "pass":
            word = next(word for word, kind in standing.PASSES.items() if kind == order.kind)
            return f"{said.word(f'pass on {word}')}{against}{at}"
        if order.kind == "interception":
            who = said.word("intercept") if order.against is None else (
                f"{said.word('intercept')} {Spoken(self.words, 'acc').say('seat', order.against)}")
            return f"{who}{self._place(order, 'into')} {said.word('with')} {self._company(order)}"
        (answer, *_) = parse(order.answer, names)
        if order.kind in ("evasion", "free_passage"):
            lead = f" {said.word('with')} {said.after('with').say('general', answer.general)}" if answer.general else ""
            way = "".join(f" > {said.say('space', space)}" for space in order.path)
            return f"{self._toward(answer.verb, order.against)}{at}{lead}{way}"
        return f"{'; '.join(say(one, said) for one in parse(order.answer, names))}{against}{at}"

    def _company(self, order: StandingOrder) -> str:
        """Who intercepts, from where, and with what; or whoever can."""
        behind = self.said.after("with")
        if not order.answer:
            return f"{self.said.word('any General')}, {behind.word('all')}"
        one: Order = parse(order.answer, self.words.names)[0]
        lead, _, pieces = say(one, self.said).partition(f" {self.said.word('with')} ")
        return f"{lead.removeprefix(self.said.word('intercept')).strip()}, {pieces}"

    def _condition(self, condition: str) -> str:
        word, _, what = condition.partition(" ")
        return f"{self.said.word(word)} {self._what(what)}"

    def _what(self, what: str) -> str:
        said = self.said
        if found := re.fullmatch(standing.WIN, what):
            return f"{said.word('they win' if found[1] else 'I win')} {self.words.percent(int(found[2]) / 100)}"
        if found := re.fullmatch(standing.ODDS, what):
            share = int(found[3]) if found[3] else standing.SHARES[found[2].lower()]
            whose = "my" if found[1] else "his"
            return f"{said.word(f'{whose} odds are better than')} {self.words.percent(share / 100)}"
        if re.fullmatch(standing.LOSE, what):
            return said.word("I would lose")
        if found := re.fullmatch(standing.NEED, what):
            return f"{found[1]} {said.word('is enough')}"
        if found := re.fullmatch(standing.CUS, what):
            return f"{said.word(f'they have {found[1].lower()}')} {self.words.of(int(found[2]), 'cu')}"
        return say_condition(read_condition(what, self.words.names), said)


# --- told to its owner -------------------------------------------------------------------------------------------


def answered(desk: OpenGame, seat: str, text: str) -> str:
    """What `standing: ...` says back: the order as it is kept, what it would have done, or the list, or a farewell."""
    language = spoken(desk.language or desk.match.language_of(seat))
    said = Words(language, desk.match.names, desk.match.g.facts, book=desk.match.g.rules.book)
    text = in_english(text)
    words = text.casefold().split()
    if words in ([], ["list"], ["show"]):
        return "\n".join(listed(desk, seat, said))
    if words[0] in ("cancel", "stop", "delete"):
        if len(words) != 2 or not re.fullmatch(NUMBER, words[1]):
            raise Unreadable("unreadable_order", text=f"standing: {text}", suggestions=["standing: cancel 2"])
        return str(said.phrase("standing_cancelled", order=retold(standing.cancel(desk.tray, seat, int(words[1])).text, said)))
    order = standing.file(desk, seat, text)
    lines = [said.phrase("standing_kept", no=order.no, order=retold(order.text, said), about=list(order.about))]
    past = standing.rehearsal(desk, seat, order)
    answers = [f"{one.question}: {said.retold(one.answer)}" for one in islice(past, standing.MOST_TOLD)]
    lines.append(said.phrase("standing_past", count=len(past), turn=max(1, desk.match.g.turn - 1), answers=answers))
    if (error := standing.doubt(desk.match, seat, order)) is not None:
        lines.append(said.phrase("standing_doubt", why=said.refusal(error)))
    return " ".join(map(str, lines))


def listed(desk: OpenGame, seat: str, said: Words) -> list[str]:
    """The standing orders of a seat, those that disarmed themselves among them."""
    standing.disarm(desk.match, desk.tray)
    rows = [str(said.phrase("standing_row", no=one.no, order=retold(one.text, said), once=one.text.endswith("once"),
                            left=one.left, off=one.off))
            for one in standing.of(desk.tray, seat) if one.kind != FLEEING]
    return rows or [str(said.phrase("standing_none"))]


def from_lines(desk: OpenGame, seat: str, lines: list[str]) -> tuple[list[tuple[str, str | PbemError]], list[str]]:
    """Of a submission, the standing orders with what became of each, and the lines that are something else."""
    became: list[tuple[str, str | PbemError]] = []
    rest = []
    for line in lines:
        text = standing.body(line)
        if text is None:
            rest.append(line)
            continue
        try:
            if not desk.tray:
                raise NotNow("published_only")
            became.append((line, answered(desk, seat, text)))
        except PbemError as error:
            became.append((line, error))
    return became, rest
