"""The desk of a page against the moderator's: the same line, tried at both, has to be taken, refused and priced alike.

The one is what `pbem check` opens in the moderator's folder, private file and all; the other has the published log as data
and the hand of the seat that asks. What the seat is asked behind its line has to be the same, too, odds and all. Lines are
offered ones, and those of `pbem.dev.fuzz`, most of which are damaged.
"""

import json
import random
from itertools import islice
from typing import Any

from pbem.base.errors import PbemError
from pbem.browser.answers import VERSION, Engine
from pbem.browser.opened import log_of
from pbem.desk import answering, posing, showing
from pbem.desk.desk import Desk
from pbem.dev.fuzz import MOST_KEPT, Findings, asked, line_of, under_way, vocabulary
from pbem.rules.war import MODERATOR

LINES_OF_A_GAME = 25
TOLD = frozenset(("lines", "question", "sides", "text", "error"))              # at both


def compared(count: int, seed: int = 0) -> Findings:
    """So many lines in random positions of random games."""
    chance, words, engine = random.Random(seed), vocabulary(), Engine()
    failures, classes, desk = list[str](), dict[str, int](), under_way(chance)
    for number in range(count):
        question = desk.match.question
        if number % LINES_OF_A_GAME == 0 or question is None or question.sides == (MODERATOR,):
            desk = under_way(chance)
        seats = [*asked(desk).sides] if chance.random() < 0.8 else [*desk.match.seats]
        fresh = [one for one in seats if one != MODERATOR and one not in desk.sealed(asked(desk))]
        if not fresh:                                   # what a seat has sent before the page does not know
            desk = under_way(chance)
            fresh = [one for one in asked(desk).sides if one != MODERATOR]
        seat = chance.choice(fresh)
        text = offered(chance, desk, seat) if chance.random() < 0.6 else line_of(chance, words, desk, seat)
        own, page = at_the_moderators(desk, seat, text), at_the_pages(engine, desk, seat, text)
        if own != page:
            failures += [f"{text!r} of {seat}: {own} is {page} on the page"][:MOST_KEPT - len(failures)]
        kind = asked(desk).kind
        classes[f"at {kind}"] = classes.get(f"at {kind}", 0) + 1
        state = own["lines"][0]["state"] if own.get("lines") else "error" if "error" in own else "none"
        classes[state] = classes.get(state, 0) + 1
        if state in ("done", "sealed"):                 # on to another position
            desk.order(seat, text)
            desk.run()
    return Findings("lines at two desks", count, failures, classes)


def offered(chance: random.Random, desk: Desk, seat: str) -> str:
    """One of the answers that there are, or of the orders; nothing where this seat is not asked."""
    question = desk.match.question
    if question is None or seat not in question.sides:
        return "roll"
    return desk.match.say(chance.choice(list(islice(question.offers(seat), 40))))


def at_the_moderators(desk: Desk, seat: str, text: str) -> dict[str, Any]:
    """What `pbem check` tells, as data and in words."""
    trial = desk.trial(seat)
    try:
        outcomes = trial.order(seat, text)
    except PbemError as error:
        return {"error": showing.sentence(error, showing.words(desk))}
    if not text.strip():
        return {"lines": []}
    return json.loads(json.dumps({**answering.receipt_data(trial, outcomes),  # type: ignore[no-any-return]
                                  "text": answering.receipt(trial, outcomes, len(desk.game.entries) + 1),
                                  "asked": question_put(trial, seat)}))


def question_put(trial: Desk, seat: str) -> str:
    """What the seat is asked behind its lines, with its odds."""
    form = posing.turn_form("text", posing.turn_lines(trial, seat), showing.words(trial, seat))
    return posing.question_text(trial, seat).removesuffix(form)


def at_the_pages(engine: Engine, desk: Desk, seat: str, text: str) -> dict[str, Any]:
    """What a page tells that carries the published log."""
    secret = desk.match.g.secret
    hand = list(secret.hand(seat)) if secret is not None else []
    log = {"pbem": VERSION, "ask": "open", "log": log_of(desk.game)}
    engine.answer(json.dumps(log))
    assert engine.desk is not None
    engine.desk.now = desk.now
    asked_now = {"pbem": VERSION, "ask": "check", "seat": seat, "hand": hand, "lines": text}
    told = json.loads(engine.answer(json.dumps(asked_now)))
    put = json.loads(engine.answer(json.dumps({**asked_now, "ask": "question"})))
    also = {} if "error" in told or not text.strip() else {"asked": put["text"]}
    return {key: one for key, one in told.items() if key in TOLD} | also
