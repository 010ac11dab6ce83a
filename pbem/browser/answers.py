"""The protocol between a page and the engine behind it: a request names what it asks, and each has one function here.

`open` hands the log over, and what it answers is the game as it stands; all others are about lines that a seat would send: the
desk is tried with them, as `pbem check` tries it, and nothing that was tried stays.
"""

import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from pbem import __version__
from pbem.base.errors import Costly, PbemError
from pbem.browser import beside, in_advance
from pbem.browser.opened import FromPage, lined
from pbem.browser.reach import reach
from pbem.desk import answering, chances, posing, showing, turnform
from pbem.desk.desk import Desk, Trial
from pbem.orders.asking import END, word_of
from pbem.table.state import SEGMENTS
from pbem.telling.chart import chart
from pbem.telling.offers import by_verb, lettered
from pbem.telling.words import Words

VERSION = 1                             # of the protocol
MOST_OF_A_VERB = 60                     # offers of one verb that are written out
Row = dict[str, Any]


class Engine:
    """The game that a page has opened. Whatever else an answer rests on stands in its request."""

    def __init__(self) -> None:
        self.desk: Desk | None = None

    def answer(self, text: str) -> str:
        """One request, one answer under the same number; what is wrong with it is a sentence in the reader's language."""
        asked = json.loads(text, object_hook=lined)
        answer: Row = {"pbem": VERSION, "number": asked.get("number", 0)}
        language = str(asked.get("language") or "")
        try:
            if asked.get("pbem") != VERSION:
                raise PbemError("page_of_another_version", version=str(asked.get("pbem")), known=VERSION)
            if asked["ask"] == "open":
                self.desk = FromPage(asked["log"])
            assert self.desk is not None
            self.desk.language = language
            answer |= ASKED[asked["ask"]](self.desk, asked)
        except PbemError as error:
            answer["error"] = showing.sentence(error, self.words(language))
        return json.dumps(answer, ensure_ascii=False)

    def words(self, language: str) -> Words:
        """In which to say what is wrong, though no game may be open yet."""
        if self.desk is None:
            return showing.plain_words(language)
        self.desk.language = language
        return showing.words(self.desk)


def tried(desk: Desk, asked: Mapping[str, Any]) -> tuple[Trial, Row]:
    """The desk after some lines of a seat, and what became of each: by the way that `pbem check` goes."""
    hand = list(asked["hand"]) if asked.get("hand") else None
    trial = desk.trial(asked["seat"], hand)
    *apart, orders = beside.parts(str(asked.get("lines") or ""))
    told = [beside.judged(trial, asked["seat"], one) for one in apart]
    also: Row = {"beside": [{"line": one.text, "text": one.said, "refused": one.refused} for one in told],
                 "thread": "\n".join(found for one in (*apart, orders) if (found := one.public))}
    if not any(line.strip() for line in orders.text.splitlines()):
        return trial, {"lines": [], "text": "", "priced": [], "branches": [], **also}
    first = len(desk.game.entries) + 1
    outcomes = trial.order(asked["seat"], orders.text)
    return trial, {**answering.receipt_data(trial, outcomes), "text": answering.receipt(trial, outcomes, first),
                   "priced": [one.line for one in outcomes if isinstance(one.error, Costly)],
                   "branches": [one._asdict() for one in in_advance.branches(trial, asked["seat"], outcomes)], **also}


def opened(desk: Desk, asked: Mapping[str, Any]) -> Row:
    """Whose game it is, how far it has come, whom it asks."""
    question = desk.match.question
    return {"game": str(desk.game.header["game"]), "engine": __version__, "entries": len(desk.game.entries),
            "head": desk.game.head(), "seats": list(desk.match.seats),
            "asked": list(question.sides) if question is not None else [],
            "question": question.id if question is not None else ""}


def check(desk: Desk, asked: Mapping[str, Any]) -> Row:
    """What these lines would do: each with its refusal, its price, its odds; where it stops; the position then."""
    trial, told = tried(desk, asked)
    return {**told, "position": chart(trial.match, None, head=desk.game.head(), since=len(desk.game.entries) + 1)}


def question(desk: Desk, asked: Mapping[str, Any]) -> Row:
    """What a seat is asked behind its lines, in words, and what it may send: verb by verb, in words that may be sent."""
    trial, _ = tried(desk, asked)
    seat, open_now = asked["seat"], trial.match.question
    said = showing.words(trial, seat)
    form = turnform.form(trial, seat, said)                 # a button writes it, instead of words on how to copy it
    text = posing.question_text(trial, seat).removesuffix(posing.turn_form("text", posing.turn_lines(trial, seat), said))
    letters = {one: str(said.typed(f"press {one}:")) for one in ("all", *desk.match.seats) if one != seat}
    told: Row = {"question": "", "text": text, "offers": [], "form": form,
                 "letters": {**letters, "end": word_of(said.language, "press", END)},
                 "requests": [one._asdict() for one in in_advance.requests(trial, seat)],
                 "ahead": [{"sort": sort, "lines": lines} for sort, lines in in_advance.offered(trial, seat) if lines]}
    if open_now is None or seat not in open_now.sides:
        return told
    if open_now.kind in SEGMENTS:
        offers = [{"verb": verb, "lines": [{"letter": "", "text": str(said.order(one))} for one in orders[:MOST_OF_A_VERB]]}
                  for verb, orders in by_verb(open_now, seat).items()]
    else:
        named = lettered(open_now, seat)
        offers = [{"verb": "", "lines": [{"letter": letter, "text": str(said.order(answer))} for letter, answer in named]}]
        known = [answer for _, answer in named]
        more = islice((one for one in open_now.offers(seat) if one not in known), MOST_OF_A_VERB)
        offers += [{"verb": "more", "lines": found}] if (
            found := [{"letter": "", "text": str(said.order(answer))} for answer in more]) else []
    return {**told, "question": open_now.id, "offers": offers}


def reached(desk: Desk, asked: Mapping[str, Any]) -> Row:
    """Where a General could march behind these lines, for how much; and why not elsewhere."""
    trial, _ = tried(desk, asked)
    return reach(trial, asked["seat"], asked["general"])


def odds(desk: Desk, asked: Mapping[str, Any]) -> Row:
    """`intercept Lysimachos Ephesos`, `battle Antigonos Lysimachos Ephesos`: exact chances behind these lines."""
    trial, _ = tried(desk, asked)
    return {"text": chances.said(trial, chances.rows(trial, [asked["words"]]), showing.words(trial))}


ASKED: dict[str, Callable[[Desk, Mapping[str, Any]], Row]] = {
    "open": opened, "check": check, "question": question, "reach": reached, "odds": odds}
