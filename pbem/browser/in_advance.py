"""What a seat can lay down for moments to come, and what it can do between orders: in words that may be sent.

Standing orders, Surprise cards for their moment, free acts; and where the desk stops because others decide, the lines that
answer what they may do. Everything that is offered was judged by those who will read it.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from pbem.base.errors import PbemError
from pbem.desk import filing, showing, standing, standing_words
from pbem.desk.desk import Trial
from pbem.desk.requesting import FORMS
from pbem.desk.submission import Outcome
from pbem.kernel.procedures import Question
from pbem.orders import Condition, Order, read_line
from pbem.orders.lines import say_condition, say_orders
from pbem.orders.tongues import SPOKEN
from pbem.play.match import Match
from pbem.rules import effects, surprise
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.rules.generals import FREE_ACTS
from pbem.rules.war import MODERATOR
from pbem.table.state import General, space_of
from pbem.telling.spoken import Spoken

MOST = 60                               # of a sort
LOSE = f"lose {', '.join(CHEAPEST_FIRST[:-1])}, always"

MARCHING = frozenset(("march", "embark", "sail", "disembark", "siege", "remove_pc"))
# Where others are asked this may be answered in advance, by the kind of their question.
THEN = {
    "interception": ("withdraw at {space}, once", "stay at {space}, once"), "free_passage": ("honour, once", "break, once"),
    "evasion": (LOSE,), "battle_cards": (LOSE,), "route": ("withdraw, once", "stay, once"), "counterstroke": (LOSE,),
    "city_choice": (LOSE,), "join_battle": (LOSE,), "losses": (LOSE,),
}


def offered(trial: Trial, seat: str) -> Iterator[tuple[str, list[str]]]:
    """What may be sent besides the answer to the open question, by sort."""
    said = showing.words(trial, seat)
    yield "free", [str(said.order(order)) for order in islice(free_acts(trial.match, seat), MOST)]
    yield "surprise", [str(said.order(order)) for order in islice(surprises(trial.match, seat), MOST)]
    yield "standing", [standing_words.retold_line(f"standing: {text}", said) for text in
                       islice(kept(trial.match, standings(trial.match, seat)), MOST)]
    yield "file", [str(said.typed(f"file {moment}: {trial.match.say(Order('play', card=card, how='surprise'))}"))
                   for card in hand_of(trial.match, seat) for moment in filing.moments_of(trial.match, card)]


def hand_of(match: Match, seat: str) -> Iterable[str]:
    return match.g.secret.hand(seat) if match.g.secret is not None else ()


def free_acts(match: Match, seat: str) -> Iterator[Order]:
    """7.1 C, 7.2 F At one's own questions in one's own turn."""
    g, question = match.g, match.question
    if seat != g.player or question is None or question.sealed or question.sides not in ((seat,), (MODERATOR,)):
        return
    for act in FREE_ACTS.values():
        for order in act.candidates(g, seat):
            with suppress(PbemError):
                yield act.judge(g, seat, order)


def surprises(match: Match, seat: str) -> Iterator[Order]:
    """6.2 Surprise cards of one's hand that may be played this very moment."""
    g = match.g
    for card in hand_of(match, seat):
        known = effects.effect_of(g, card)
        if g.facts.cards[card]["kind"] == "surprise" and known is not None:
            for order in known.targets(g, seat):
                with suppress(PbemError):
                    yield surprise.judge(g, seat, order.but(card=card))


# --- standing orders -------------------------------------------------------------------------------------------------


def standings(match: Match, seat: str) -> Iterator[str]:
    """What could be meant to last, from what stands on the map; his own pieces first."""
    g, names = match.g, match.names
    others = [names.say("seat", one) for one in g.turn_order if one != seat]
    yield from (LOSE, "honour, always", "withdraw, once", "stay, once")
    armies = [one for one in g.generals_of(seat) if g.on_map(one) and one is g.commander(one.at, seat)]
    for one in armies:
        yield from (f"intercept anybody into {names.say('space', space)} with {names.say('general', one.name)}, all, once"
                    for space in beside(match, one))
    yield from (f"evade at {names.say('space', space)}, once" for space in dict.fromkeys(space_of(one.at) for one in armies))
    for other in others:
        yield from (f"grant {other}, always", f"refuse {other}, always", f"naval battle with all against {other}, once",
                    f"pass on interception against {other}, always")
    yield from (f"inside all at {names.say('space', space)}, once" for space in g.board.spaces
                if g.board.kind(space) == "major" and g.controller(space) == seat)
    yield "pass on naval battle, always"


def beside(match: Match, one: General) -> Iterable[str]:
    return match.g.board.land_paths(space_of(one.at))


def kept(match: Match, texts: Iterable[str]) -> Iterator[str]:
    """Those that can be kept, as they are then."""
    for text in texts:
        with suppress(PbemError):
            yield standing.read(text, match.names).text


# --- requests ----------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A request: what comes of it, and how it may be written."""

    told: str
    lines: list[str]


def requests(trial: Trial, seat: str) -> Iterator[Asked]:
    """All of the table that a player may write, in his own words."""
    said = showing.words(trial, seat)
    for word in FORMS:
        if lines := [str(said.typed(one)) for one in written(trial, word)]:
            yield Asked(str(said.tell("mail", f"help_{word}", {})), lines)


def written(trial: Trial, word: str) -> tuple[str, ...]:
    """As the table shows it, but with days and entries of this game; letters, cards and standing orders are composed beside."""
    last, day = len(trial.game.entries), trial.now.date()
    own = {"absent": (f"absent {day + timedelta(1)} to {day + timedelta(8)}",), "check": (), "press": (),
           "file": ("file", "file back 1"), "standing": ("standing", "standing: cancel 1"),
           "history": ("history", f"history {last}", "history whole"),
           "undo": ("undo: the wrong General", f"undo {last}: the wrong General", "undo yes", "undo no")}
    return own.get(word, FORMS[word].written)


# --- what others may do where the desk stops ---------------------------------------------------------------------------


class Branch(NamedTuple):
    """Lines to be written: below the others, or in the place of one."""

    text: str
    instead: str = ""


def branches(trial: Trial, seat: str, outcomes: Sequence[Outcome]) -> list[Branch]:
    """Lines for what the others who are asked now may do: how to answer it, and that the march goes on all the same."""
    question = trial.match.question
    if question is None or seat in question.sides or question.sides == (MODERATOR,) or trial.match.g.player != seat:
        return []
    said = showing.words(trial, seat)
    answers = (standing_words.retold_line(f"standing: {text}", said) for text in kept(trial.match, then(trial.match, question)))
    return [*map(Branch, dict.fromkeys(answers)), *going_on(trial, seat, question, outcomes)]


def then(match: Match, question: Question) -> Iterator[str]:
    space = question.about.get("space", "")
    named = match.names.say("space", space_of(space)) if space else ""
    yield from (text.format(space=named) for text in THEN.get(question.kind, ()) if named or "{space}" not in text)


def going_on(trial: Trial, seat: str, question: Question, outcomes: Sequence[Outcome]) -> Iterator[Branch]:
    """The first line that waits, or what waits of it: to be done if the General is there after all, whatever has happened."""
    general, space = question.about.get("general", ""), space_of(question.about.get("space", ""))
    one, rest = next((one for one in outcomes if one.state == "waiting"), None), trial.waiting(seat)
    if not general or not space or one is None or not rest:
        return
    words = showing.words(trial, seat)
    said = Spoken(words) if words.language in SPOKEN else words.names
    with suppress(PbemError):
        line = read_line(rest[0] if one.entries else one.line, trial.match.names)
        if line is not None and line.condition is None and line.orders[0].verb in MARCHING:
            there = say_condition(Condition("general", general, "at", space), said)
            held = f"{said.word('if')} {there}: {say_orders(line.orders, said)} {said.word('regardless')}"
            yield Branch("\n".join([*(words.retold(done) for done in one.did if one.entries), held]), one.line)
