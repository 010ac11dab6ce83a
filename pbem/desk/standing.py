"""Standing orders: answers to windows that a player decides in advance, with a trigger, conditions and a budget.

    standing: intercept red into Lamia with Lysimachos, all, once
    standing: intercept red into Lamia
    standing: evade red at Lamia, unless I win 60 %, always
    standing: intercept red into Lamia with Lysimachos, all, at 3 or better, unless I would lose
    standing: lose mercenary, elephant, always

Where an answer is given it can be made to last in the same breath: `b always`, `pass always against Red unless I win 60 %`,
`grant always in Lydia until the turn ends`.

They lie in the private file, and the log hears of one only when it has answered. A window that opens finds the first
one that fits. Whoever answers by hand while others are still awaited is free to: then nothing is used up. When what it
was about has changed (a General it names has moved, a space it names has changed hands) an order disarms itself.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pbem.base.errors import Costly, PbemError, Refused, Unreadable
from pbem.desk.opengame import OpenGame
from pbem.desk.tray import ALWAYS, FLEEING, StandingOrder, Tray, lying
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.orders import Order, Pieces, parse, read_condition, say
from pbem.orders.names import Names
from pbem.orders.tongues import in_english
from pbem.play.match import Match
from pbem.rules import interception, routes
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.table.state import SEGMENTS, Activation, Game, Way, space_of

MOST_ORDERS = 30                    # of one seat
MOST_TOLD = 6                       # past windows that are written out
UNTIL_THE_TURN_ENDS = -1            # which one it is the desk knows

# first words -> the kind of question that it answers
KINDS = {
    "intercept": "interception", "evade": "evasion", "grant": "free_passage", "refuse": "free_passage",
    "honour": "passage_honoured", "honor": "passage_honoured", "break": "passage_honoured", "inside": "city_choice",
    "outside": "city_choice", "naval battle": "naval_battle", "lose": "losses", "withdraw": "withdrawal", "stay": "withdrawal",
}
PASSES = {"interception": "interception", "evasion": "evasion", "the city": "city_choice", "naval battle": "naval_battle"}
EXAMPLES = ["intercept SEAT into SPACE with GENERAL, PIECES, once", "evade SEAT at SPACE unless I win 60 %, always",
            "intercept SEAT into SPACE with GENERAL, all, if 3 is enough, unless I would lose",
            "grant SEAT at SPACE", "inside PIECES at SPACE", "naval battle with FLEETS against SEAT at SPACE",
            "lose mercenary, elephant, always", "withdraw at SPACE", "pass on interception against SEAT"]

_START = r"(?i)\s*standing(?: orders?)?\b\s*:?\s*(.*)"
_BUDGET = r"(?i)(.*?)[ ,;]+(once|twice|always|every time|(\d{1,2}) times)"
_CONDITION = r"(?i)(.*?)[ ,;]+(if|unless) ((?:(?! (?:if|unless) ).)+)"
WIN = r"(?i)(?:i|we|(he|she|they)) (?:would )?wins? (?:at least )?(\d{1,3}) ?%?"
ODDS = r"(?i)(?:(my|our)|his|her|their) odds are (?:better|more) than (?:a |one )?(quarter|third|half|two thirds|(\d{1,3}) ?%)"
SHARES = dict(zip("quarter third half".split(), (25, 33, 50), strict=True)) | {"two thirds": 66}
_LASTS = r"(?i)(.+?)[ ,;]+(?:always|every time)\b[ ,;]*(.*)"
_UNTIL = r"(?i)(.*?)[ ,;]+until the (?:game )?turn ends[ .,;]*(.*)"
LOSE = r"(?i)(?:i|we) would (?:probably |likely )?lose"
NEED = r"(?i)(?:(?:i|we) need )?(?:a )?([1-6]) (?:or (?:better|more|less) )?(?:is enough|suffices)"
_AT = r"(?i)[ ,;]+(?:only )?(?:at|on|needing|if (?:i|we) need) (?:a )?([1-6]) or (?:better|more|less|lower|higher)"
CUS = r"(?i)(?:he|she|they) (?:has|have|come with|comes with) (at least|at most|more than|fewer than) (\d{1,2}) ?cus?"
# what a verb takes besides `against` and `at`
TAKES = {"intercept": {"with"}, "evade": {"with", ">"}, "naval battle": {"with"}, "pass": {"on"}, "lose": {">"}}
_CLAUSES = r"(?i)\s+(into|at|in|against|with|on|>)\s+"
_ANYBODY = r"(?i)(?:anybody|anyone|everybody|everyone|anywhere|everywhere|)"
_WHOEVER = r"(?i)(?:(?:any general|whoever can|anybody|anyone|somebody|someone)?(?:, ?)?(?:all|everything)?)"
WHOEVER = "with any General, all"
_AMOUNTS = {"once": 1, "twice": 2, "always": ALWAYS, "every time": ALWAYS}


# --- reading -----------------------------------------------------------------------------------------------------


def body(line: str) -> str | None:
    """What a line that begins with `standing` says, or None where it is another line."""
    found = re.fullmatch(_START, in_english(line))
    return found[1].strip() if found else None


def read(text: str, names: Names) -> StandingOrder:
    """A standing order as it is kept, without its owner, its number and what it is about."""
    rest, yes = _confirmed(" ".join(in_english(text).split()))
    until = re.fullmatch(_UNTIL, rest)
    if until is not None:
        rest = ", ".join(part for part in until.groups() if part)
    left, told = 1, "once"
    if found := re.fullmatch(_BUDGET, rest):
        rest, told = found[1], found[2].lower()
        left = int(found[3]) if found[3] else _AMOUNTS[told]
        if found[3] and not left:
            raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES[:3])
        rest, also = _confirmed(rest)
        yes = yes or also
    rest = re.sub(_AT, r", if a \1 is enough", rest)
    conditions: list[str] = []
    while found := re.fullmatch(_CONDITION, rest):
        rest = found[1]
        conditions.insert(0, f"{found[2].lower()} {found[3].rstrip(' ,;')}")
    order = replace(_head(rest, text, names), conditions=conditions, left=left, yes=yes)
    for condition in conditions:
        judge_condition(order, condition, names)
    order.until = UNTIL_THE_TURN_ENDS if until is not None else 0
    order.text = ", ".join([_said(order, names), *conditions, *(["yes"] if yes else []),
                            *([] if until is None else ["until the turn ends"]), told])
    return order


def _confirmed(text: str) -> tuple[str, bool]:
    """A price that the answer has is paid by whoever ends with `yes`."""
    text = text.rstrip(" .!,;")
    return (text[:-4].rstrip(" ,;"), True) if text.casefold().endswith(" yes") else (text, False)


def _head(rest: str, text: str, names: Names) -> StandingOrder:
    """The order itself: verb, whom it is against, where, and with what."""
    first, *clauses = re.split(_CLAUSES, f" {rest} ".replace("naval battle with", "naval battle  with"))
    verb = next((verb for verb in (*KINDS, "pass") if f"{first.strip().casefold()} ".startswith(f"{verb} ")), "")
    if not verb:
        raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES)
    given: dict[str, list[str]] = {}
    for word, what in zip(clauses[::2], clauses[1::2], strict=True):
        given.setdefault({"into": "at", "in": "at"}.get(word.lower(), word.lower()), []).append(what.strip())
    if given.keys() - {"against", "at"} - TAKES.get(verb, set()):
        raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES)
    direct = first.strip()[len(verb):].strip(" ,")
    against, at = " ".join(given.get("against", [])), " ".join(given.get("at", []))
    if verb in ("intercept", "evade", "grant", "refuse", "withdraw", "stay", "naval battle", "honour", "honor", "break"):
        against = f"{against} {re.sub('^(?:from|to) ', '', direct)}".strip()
    order = StandingOrder(seat="", kind=KINDS.get(verb, ""))
    if not re.fullmatch(_ANYBODY, against):
        order.against = names.resolve("seat", against)
    if not re.fullmatch(_ANYBODY, at):
        kind, place = names.resolve_any(("space", "province"), at)
        order.space, order.province = (place, None) if kind == "space" else (None, place)
    company = ", ".join(given.get("with", []))
    if verb == "pass":
        wanted = " ".join(given.get("on", [direct])).casefold()
        order.kind = next((kind for word, kind in PASSES.items() if wanted and word.startswith(wanted)), "")
    kinds = [kind for kind in re.split(r"(?i)\s*(?:,|>|\bthen\b)\s*", ", ".join([direct, *given.get(">", [])])) if kind]
    if not order.kind or verb == "lose" and (against or not kinds):
        raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES)
    if verb == "lose":
        order.lose = [names.resolve("cu", kind) for kind in kinds]
        return order
    if verb == "intercept" and re.fullmatch(_WHOEVER, company):
        return order                                        # who it will be the window knows
    if given.get(">"):
        order.path = list(parse(f"evade > {' > '.join(given['>'])}", names)[0].path)
    order.answer = "; ".join(say(one, names) for one in parse(_answer(verb, direct, company), names))
    return order


def _answer(verb: str, direct: str, company: str) -> str:
    """The answer in the language of orders."""
    if verb == "intercept":
        lead, _, pieces = company.partition(",")
        return f"intercept {lead.strip()} with {pieces.strip() or 'all'}"
    if verb == "evade":
        return f"evade {company}".strip()
    if verb == "naval battle":
        return f"naval battle with {company or 'all'}"
    return f"{verb} {direct}" if verb in ("inside", "outside") else verb


def _said(order: StandingOrder, names: Names) -> str:
    """The order in one spelling, to be echoed."""
    at = (f" at {names.say('space', order.space)}" if order.space is not None else
          f" at {names.say('province', order.province)}" if order.province is not None else "")
    against = f" against {names.say('seat', order.against)}" if order.against is not None else ""
    if order.lose:
        return f"lose {', '.join(names.say('cu', kind) for kind in order.lose)}{at}"
    if order.answer == "pass":
        return f"pass on {next(word for word, kind in PASSES.items() if kind == order.kind)}{against}{at}"
    seat = against.replace(" against", "")
    if order.kind == "interception":
        lead, _, pieces = order.answer.removeprefix("intercept ").partition(" with ")
        return f"intercept{seat}{at.replace(' at ', ' into ')} {f'with {lead}, {pieces}' if order.answer else WHOEVER}"
    if order.kind in ("evasion", "free_passage"):
        verb, _, lead = order.answer.partition(" ")
        way = "".join(f" > {names.say('space', space)}" for space in order.path)
        return f"{verb}{seat}{at}{f' with {lead}' if lead else ''}{way}"
    return f"{order.answer}{against}{at}"


def judge_condition(order: StandingOrder, condition: str, names: Names) -> None:
    """A condition can be read, and fits what is answered."""
    _, _, what = condition.partition(" ")
    if re.fullmatch(NEED, what) and order.kind not in ("interception", "evasion"):
        raise Refused("0", "no_die_needed", text=condition)
    if any(re.fullmatch(known, what) for known in (WIN, ODDS, LOSE, NEED, CUS)):
        return
    acts = ("interception", "evasion", "free_passage", "naval_battle")
    if read_condition(what, names).subject == "seat" and order.kind not in acts:
        raise Refused("0", "conduct_not_asked", text=condition)


# --- an answer that lasts ------------------------------------------------------------------------------------------


class Lasting(NamedTuple):
    """An answer that is to be given every time: what it is, and against whom, where, if what."""

    answer: str
    terms: str


def lasting(question: Question | None, text: str) -> Lasting | None:
    """`b always against Red`: its two parts; None where a line says no such thing, or to no such question."""
    found = re.fullmatch(_LASTS, " ".join(in_english(text).split()))
    if found is None or question is None or question.kind not in KINDS.values():
        return None
    return Lasting(found[1], found[2])


def made_to_last(match: Match, question: Question, said: str, terms: str) -> str:
    """The standing order that an answer becomes, as it could have been typed."""
    try:
        first, *more = parse(said, match.names)
    except PbemError:
        first, more = None, []
    if first is None or more:
        raise Refused("0", "cannot_last", text=said)
    if first.verb == "pass":
        head = "refuse" if question.kind == "free_passage" else f"pass on {_word_for_passing(question.kind, said)}"
    elif first.verb == "lose":
        lost = dict(first.pieces.cus)
        head = "lose " + ", ".join(match.names.say("cu", kind) for kind in CHEAPEST_FIRST if kind in lost)
    elif first.verb == "intercept":
        head = say(first.but(from_=None, minor=None, minor_role=None), match.names).replace(" with ", ", ")
        head = head.replace("intercept ", "intercept with ")
    else:
        head = first.verb if first.verb == "evade" else say(first, match.names)
    return f"{head} {terms}, always"


def _word_for_passing(kind: str, said: str) -> str:
    word = next((word for word, passed in PASSES.items() if passed == kind), "")
    if not word:
        raise Refused("0", "cannot_last", text=said)
    return word


# --- keeping -----------------------------------------------------------------------------------------------------


def of(tray: Tray, seat: str) -> list[StandingOrder]:
    """The standing orders of a seat, by their numbers."""
    return sorted((one for one in lying(tray.standing) if one.seat == seat), key=lambda one: one.no)


def file(game: OpenGame, seat: str, text: str) -> StandingOrder:
    """Take in a standing order. It counts from the next window on: the open one is there to be answered."""
    match, tray, g = game.match, game.tray, game.match.g
    order = read(text, match.names)
    for name in generals_of(order, match.names):
        if g.generals[name].seat != seat:
            raise Refused("2", "general_not_yours", general=name, owner=g.generals[name].seat)
    if len([one for one in of(tray, seat) if not one.off]) >= MOST_ORDERS:
        raise Refused("0", "standing_orders_full", most=MOST_ORDERS)
    order.seat, order.came = seat, len(game.game.entries)
    order.no = max((one.no for one in tray.standing if one.seat == seat), default=0) + 1
    order.about = about(order, g, match.names)
    order.until = g.turn if order.until else 0
    if match.question is not None:
        order.after = match.question.id
    tray.standing[:] = [one for one in tray.standing if one.seat != seat or one.went or not one.off]
    tray.standing.append(order)
    return order


def cancel(tray: Tray, seat: str, number: int) -> StandingOrder:
    """Take a standing order back; what its owner took back stays away, whatever is undone."""
    found = next((one for one in of(tray, seat) if one.no == number), None)
    if found is None:
        raise Refused("0", "no_such_standing_order", number=number, known=[one.no for one in of(tray, seat)])
    tray.standing[:] = [one for one in tray.standing if (one.seat, one.no) != (seat, number)]
    return found


def generals_of(order: StandingOrder, names: Names) -> list[str]:
    return [name for one in parse(order.answer or "pass", names)
            for name in (one.general, *(one.pieces.generals if one.pieces is not None else ())) if name]


def about(order: StandingOrder, g: Game, names: Names) -> dict[str, str]:
    """What the order rests on, as everybody can see it: where its Generals stand, who holds its space."""
    found = {name: g.generals[name].at for name in generals_of(order, names)}
    return {**found, **({order.space: g.controller(order.space) or "nobody"} if order.space is not None else {})}


def disarm(match: Match, tray: Tray) -> None:
    """Orders whose subject has changed answer nothing any more; their owner finds them marked."""
    question = match.question
    moves_on = question is None or question.kind in (*SEGMENTS, "evasion")
    tray.standing[:] = [one for one in tray.standing
                        if one.went or not (moves_on and one.kind == FLEEING or 0 < one.until < match.g.turn)]
    for one in lying(tray.standing):
        now = about(one, match.g, match.names)
        what = [name for name, was in one.about.items() if now.get(name) != was]
        if what:
            one.off = what[0]


# --- answering ---------------------------------------------------------------------------------------------------


def opponents(question: Question) -> tuple[str, ...]:
    """Whom a question is about, beside the one who is asked."""
    facts = question.about
    return (facts["mover"],) if "mover" in facts else tuple(facts.get("against") or facts.get("of") or ())


def fits(order: StandingOrder, question: Question, g: Game) -> bool:
    """Is this the window that the order was written for?"""
    kinds = (order.kind, FLEEING) if order.path else (order.kind,)
    place = space_of(str(question.about.get("space", question.about.get("at", ""))))
    return (question.kind in kinds and not (order.after and order.after == question.id)
            and (order.space is None or order.space == place)
            and (order.province is None or place in g.board.index and order.province == g.board.province_of(place))
            # trays of older versions hold losses "against" somebody, whom they have never looked at
            and (question.kind == "losses" or order.against is None or order.against in opponents(question)))


def answer_of(order: StandingOrder, question: Question, names: Names, seat: str) -> Any:
    """What it answers, before it is judged: one Order or several, as the question wants it."""
    if order.kind == "interception" and not order.answer:
        return likeliest(question, seat)
    if question.kind == FLEEING:
        return Order("evade", path=tuple(order.path))
    if question.kind == "losses":
        kinds, number = question.about["kinds"], question.about["number"]
        cus = {}
        for kind in dict.fromkeys((*order.lose, *CHEAPEST_FIRST)):
            cus[kind] = min(number, kinds.get(kind, 0))
            number -= cus[kind]
        return Order("lose", pieces=Pieces.of(cus=cus))
    orders = parse(order.answer, names)
    return orders if isinstance(question.default, tuple) else orders[0]


def likeliest(question: Question, seat: str) -> Any:
    """11.2 Of the Generals that may come the one that needs the least, with all that he may bring."""
    needed = question.about["needed"]
    ones = [one for one in question.offers(seat)
            if len(one) == 1 and one[0].verb == "intercept" and not one[0].minor]
    if not ones:
        raise Refused("11.2", "intercept_or_pass")
    return min(ones, key=lambda one: (needed[one[0].general], -one[0].pieces.count()))


class Reply(NamedTuple):
    """The answer of a standing order, as it is judged and as the log writes it."""

    orders: Any
    text: str


def reply(match: Match, seat: str, question: Question, order: StandingOrder) -> Reply | None:
    """The answer that an order has for a question, or None where its trigger or a condition is not met, or where it
    would not be allowed or has a price that its owner did not say yes to."""
    if order.off or not fits(order, question, match.g):
        return None
    try:
        answer = question.read(seat, answer_of(order, question, match.names, seat))
        if question.costs is not None and question.costs(seat, answer) and not order.yes:
            return None
        conducts = []
        for condition in order.conditions:
            holds = met(match, seat, question, answer, condition)
            if holds is None:
                conducts.append(condition)
            elif not holds:
                return None
    except PbemError:
        return None
    return Reply(answer, match.say(answer) + "".join(f" {one}" for one in conducts))


def met(match: Match, seat: str, question: Question, answer: Any, condition: str) -> bool | None:
    """Does a condition hold? None where it is about what others do in the same window: that is seen when it closes."""
    from pbem.play import odds

    word, _, what = condition.partition(" ")
    wanted = word == "if"
    if found := re.fullmatch(WIN, what):
        chances = odds.odds_of(match.g, question, seat, answer)
        return (chances is not None and 100 * (chances.lose if found[1] else chances.win) >= int(found[2])) is wanted
    if found := re.fullmatch(ODDS, what):
        chances = odds.odds_of(match.g, question, seat, answer)
        share = int(found[3]) if found[3] else SHARES[found[2].lower()]
        return (chances is not None and 100 * (chances.win if found[1] else chances.lose) > share) is wanted
    if re.fullmatch(LOSE, what):                           # a defeat is likelier
        chances = odds.odds_of(match.g, question, seat, answer)
        return (chances is not None and chances.lose > chances.win) is wanted
    if found := re.fullmatch(NEED, what):
        if question.kind == FLEEING:
            return True                                    # it has been thrown
        needed = question.about["needed"]
        dice = [needed[one.general] for one in answer if one.general in needed]
        return bool(dice) and (max(dice) <= int(found[1])) is wanted
    if found := re.fullmatch(CUS, what):
        place = question.about.get("space", "")
        there = sum(match.g.count(place, side) for side in opponents(question))
        number = int(found[2])
        return {"at least": there >= number, "at most": there <= number, "more than": there > number,
                "fewer than": there < number}[found[1].lower()] is wanted
    asked = read_condition(what, match.names)
    if asked.subject == "seat":
        return None
    return routes.condition_holds(match.g, seat, asked) is wanted


def replies(game: OpenGame, question: Question) -> list[tuple[str, StandingOrder, Reply]]:
    """For each seat that has not answered, the first of its orders that has an answer to this question."""
    answered = game.sealed(question)
    found = []
    for seat in question.sides:
        for order in of(game.tray, seat) if seat not in answered else ():
            if (one := reply(game.match, seat, question, order)) is not None:
                found.append((seat, order, one))
                break
    return found


# --- trying it out -----------------------------------------------------------------------------------------------


class Past(NamedTuple):
    """A window that an order would have answered: its question, the answer."""

    question: str
    answer: str


def rehearsal(desk: OpenGame, seat: str, order: StandingOrder) -> list[Past]:
    """The windows of this Game Turn and the one before that an order would have answered, budget and all.

    The public log is played again, and the order looks at each window as it would have opened.
    """
    tried = replace(order, off="", after="")
    found = [Past(question.id, answer.text) for match, question in windows(desk)
             if match.g.turn >= desk.match.g.turn - 1 and seat in question.sides
             and (answer := reply(match, seat, question, tried)) is not None and question.kind != FLEEING]
    return found[:order.left] if order.left != ALWAYS else found


def windows(desk: OpenGame) -> Iterator[tuple[Match, Question]]:
    """Every question of the log that was answered, with the game as it stood then."""
    match = Match(desk.game.header, desk.corrections)
    entries = desk.game.entries
    standing = gamelog.survivors(entries, str(desk.game.path))
    for place in standing:
        question = match.question
        if question is not None and ("close" in entries[place] or "by" in entries[place] and not question.sealed):
            yield match, question
        match.apply(entries[place], place + 1)


def doubt(match: Match, seat: str, order: StandingOrder) -> PbemError | None:
    """Why it would be refused as things stand, as far as that can be seen before the window opens."""
    question = match.question
    if order.kind == "interception" and order.space is not None and order.answer not in ("", "pass"):
        from pbem.play import odds

        g = odds.supposed(match.g)
        mover = order.against or next(side for side in g.turn_order if side != seat)
        lead = next((one for one in g.generals_of(mover) if g.on_map(one)), None)
        if lead is None:
            return None
        g.activation = Activation(lead.name, mover, lead.at, frozenset(), None)
        try:
            interception.judge_attempts(g, seat, Way(lead.name, mover, lead.at, order.space, "land"),
                                        parse(order.answer, match.names))
        except PbemError as error:
            return error
    if question is not None and seat in question.sides and fits(replace(order, after=""), question, match.g):
        try:
            answer = question.read(seat, answer_of(order, question, match.names, seat))
            costs = question.costs(seat, answer) if question.costs is not None and not order.yes else []
            return Costly(costs[0][0], costs[0][1], order=match.say(answer), **costs[0][2]) if costs else None
        except PbemError as error:
            return error
    return None
