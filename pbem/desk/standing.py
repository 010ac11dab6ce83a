"""Standing orders: answers to windows that a player decides in advance, with a trigger, conditions and a budget.

    standing: intercept red into Lamia with Lysimachos, all, once
    standing: evade red at Lamia, unless I win 60 %, always
    standing: lose mercenary, elephant, always

They lie in the private file, and the log hears of one only when it has answered. A window that opens finds the first
one that fits. Whoever answers by hand while others are still awaited is free to: then nothing is used up. When what it
was about has changed (a General it names has moved, a space it names has changed hands) an order disarms itself.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base.clock import stamp
from pbem.base.errors import Costly, NotNow, PbemError, Refused, Unreadable
from pbem.kernel.procedures import Question
from pbem.log import gamelog
from pbem.orders import Order, Pieces, parse, read_line, say
from pbem.orders.names import Names
from pbem.play import odds
from pbem.play.match import Match
from pbem.rules import interception, routes
from pbem.rules.attrition import CHEAPEST_FIRST
from pbem.table.state import SEGMENTS, Activation, Game, Way, space_of

if TYPE_CHECKING:
    from pbem.desk.desk import Desk

Record = dict[str, Any]

FLEEING = "escape"                  # the question where to, after an evasion
ALWAYS = 0                          # what is left of a budget without an end
MOST_ORDERS = 30                    # of one seat
MOST_USED = 200                     # answers that an undo can still give back
MOST_TOLD = 6                       # past windows that are written out

# first words -> the kind of question that it answers
KINDS = {
    "intercept": "interception", "evade": "evasion", "grant": "free_passage", "refuse": "free_passage",
    "honour": "passage_honoured", "honor": "passage_honoured", "break": "passage_honoured", "inside": "city_choice",
    "outside": "city_choice", "naval battle": "naval_battle", "lose": "losses", "withdraw": "withdrawal", "stay": "withdrawal",
}
PASSES = {"interception": "interception", "evasion": "evasion", "the city": "city_choice", "naval battle": "naval_battle"}
EXAMPLES = ["intercept SEAT into SPACE with GENERAL, PIECES, once", "evade SEAT at SPACE unless I win 60 %, always",
            "grant SEAT at SPACE", "inside PIECES at SPACE", "naval battle with FLEETS against SEAT at SPACE",
            "lose mercenary, elephant, always", "withdraw at SPACE", "pass on interception against SEAT"]

_START = r"(?i)\s*standing(?: orders?)?\b\s*:?\s*(.*)"
_BUDGET = r"(?i)(.*?)[ ,;]+(once|twice|always|every time|(\d{1,2}) times)"
_CONDITION = r"(?i)(.*?)[ ,;]+(if|unless) ((?:(?! (?:if|unless) ).)+)"
_WIN = r"(?i)(?:i|we) (?:would )?win (?:at least )?(\d{1,3}) ?%?"
_CUS = r"(?i)(?:he|she|they) (?:has|have|come with|comes with) (at least|at most|more than|fewer than) (\d{1,2}) ?cus?"
_CLAUSES = r"(?i)\s+(into|at|in|against|with|on|>)\s+"
_ANYBODY = r"(?i)(?:anybody|anyone|everybody|everyone|anywhere|everywhere|)"
_AMOUNTS = {"once": 1, "twice": 2, "always": ALWAYS, "every time": ALWAYS}


# --- reading -----------------------------------------------------------------------------------------------------


def body(line: str) -> str | None:
    """What a line that begins with `standing` says, or None where it is another line."""
    found = re.fullmatch(_START, line)
    return found[1].strip() if found else None


def read(text: str, names: Names) -> Record:
    """A standing order as it is kept, without its number and without what it is about."""
    rest, yes = _confirmed(" ".join(text.split()))
    left, told = 1, "once"
    if found := re.fullmatch(_BUDGET, rest):
        rest, told = found[1], found[2].lower()
        left = int(found[3]) if found[3] else _AMOUNTS[told]
        if found[3] and not left:
            raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES[:3])
        rest, also = _confirmed(rest)
        yes = yes or also
    conditions: list[str] = []
    while found := re.fullmatch(_CONDITION, rest):
        rest = found[1]
        conditions.insert(0, f"{found[2].lower()} {found[3].rstrip(' ,;')}")
    record = {**_head(rest, text, names), "if": conditions, "left": left, **({"yes": 1} if yes else {})}
    for condition in conditions:
        judge_condition(record, condition, names)
    record["text"] = ", ".join([_said(record, names), *conditions, *(["yes"] if yes else []), told])
    return record


def _confirmed(text: str) -> tuple[str, bool]:
    """A price that the answer has is paid by whoever ends with `yes`."""
    text = text.rstrip(" .!,;")
    return (text[:-4].rstrip(" ,;"), True) if text.casefold().endswith(" yes") else (text, False)


def _head(rest: str, text: str, names: Names) -> Record:
    """The order itself: verb, whom it is against, where, and with what."""
    first, *clauses = re.split(_CLAUSES, f" {rest} ".replace("naval battle with", "naval battle  with"))
    verb = next((verb for verb in (*KINDS, "pass") if f"{first.strip().casefold()} ".startswith(f"{verb} ")), "")
    if not verb:
        raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES)
    given: dict[str, list[str]] = {}
    for word, what in zip(clauses[::2], clauses[1::2], strict=True):
        given.setdefault({"into": "at", "in": "at"}.get(word.lower(), word.lower()), []).append(what.strip())
    direct = first.strip()[len(verb):].strip(" ,")
    against, at = " ".join(given.get("against", [])), " ".join(given.get("at", []))
    if verb in ("intercept", "evade", "grant", "refuse", "withdraw", "stay", "naval battle", "honour", "honor", "break"):
        against = against or direct.removeprefix("from ")
    record: Record = {"kind": KINDS.get(verb, "")}
    if not re.fullmatch(_ANYBODY, against):
        record["against"] = names.resolve("seat", against)
    if not re.fullmatch(_ANYBODY, at):
        record["space"] = names.resolve("space", at)
    company = ", ".join(given.get("with", []))
    if verb == "pass":
        wanted = " ".join(given.get("on", [direct])).casefold()
        record["kind"] = next((kind for word, kind in PASSES.items() if wanted and word.startswith(wanted)), "")
    if not record["kind"] or verb == "intercept" and not company:
        raise Unreadable("unreadable_order", text=text, suggestions=EXAMPLES)
    if verb == "lose":
        kinds = [kind for kind in re.split(r"(?i)\s*(?:,|>|\bthen\b)\s*", ", ".join([direct, *given.get(">", [])])) if kind]
        return {**record, "lose": [names.resolve("cu", kind) for kind in kinds]}
    if verb == "evade" and given.get(">"):
        path = parse(f"evade > {' > '.join(given['>'])}", names)[0].path
        record["path"] = list(path)
    return {**record, "answer": "; ".join(say(order, names) for order in parse(_answer(verb, direct, company), names))}


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


def _said(record: Record, names: Names) -> str:
    """The order in one spelling, to be echoed."""
    at = f" at {names.say('space', record['space'])}" if "space" in record else ""
    against = f" against {names.say('seat', record['against'])}" if "against" in record else ""
    if "lose" in record:
        return f"lose {', '.join(names.say('cu', kind) for kind in record['lose'])}{at}"
    if record["answer"] == "pass":
        return f"pass on {next(word for word, kind in PASSES.items() if kind == record['kind'])}{against}{at}"
    seat = against.replace(" against", "", 1)
    if record["kind"] == "interception":
        lead, _, pieces = record["answer"].removeprefix("intercept ").partition(" with ")
        return f"intercept{seat}{at.replace(' at ', ' into ', 1)} with {lead}, {pieces}"
    if record["kind"] in ("evasion", "free_passage"):
        verb, _, lead = record["answer"].partition(" ")
        way = "".join(f" > {names.say('space', space)}" for space in record.get("path", ()))
        return f"{verb}{seat}{at}{f' with {lead}' if lead else ''}{way}"
    return f"{record['answer']}{against}{at}"


def judge_condition(record: Record, condition: str, names: Names) -> None:
    """A condition can be read, and fits what is answered."""
    _, _, what = condition.partition(" ")
    if re.fullmatch(_WIN, what) or re.fullmatch(_CUS, what):
        return
    line = read_line(f"if {what}: pass", names)
    if line is None or line.condition is None:
        raise Unreadable("unreadable_condition", text=condition, suggestions=["if I win 50 %", "if he has at most 5 CUs"])
    if line.condition.subject == "seat" and record["kind"] not in ("interception", "evasion", "free_passage", "naval_battle"):
        raise Refused("0", "conduct_not_asked", text=condition)


# --- keeping -----------------------------------------------------------------------------------------------------


def orders_of(private: Mapping[str, Any], seat: str) -> list[Record]:
    return [dict(record) for record in (private.get("standing") or {}).get(seat) or ()]


def keep(private: dict[str, Any], seat: str, records: list[Record]) -> None:
    """Put the orders of a seat in the place of those there were; what others may still look at is not changed."""
    standing = {**(private.get("standing") or {}), seat: records}
    private["standing"] = {seat: records for seat, records in standing.items() if records}
    if not private["standing"]:
        del private["standing"]


def file(desk: "Desk", seat: str, text: str) -> Record:
    """Take in a standing order. It counts from the next window on: the open one is there to be answered."""
    match, g = desk.match, desk.match.g
    record = read(text, match.names)
    for name in generals_of(record, match.names):
        if g.generals[name].seat != seat:
            raise Refused("2", "general_not_yours", general=name, owner=g.generals[name].seat)
    records = orders_of(desk.private, seat)
    if len([one for one in records if "off" not in one]) >= MOST_ORDERS:
        raise Refused("0", "standing_orders_full", most=MOST_ORDERS)
    record["no"] = max((one["no"] for one in records), default=0) + 1
    record["about"] = about(record, g, match.names)
    if match.question is not None:
        record["after"] = match.question.id
    keep(desk.private, seat, [one for one in records if "off" not in one] + [record])
    return record


def cancel(desk: "Desk", seat: str, number: int) -> Record:
    """Take a standing order back."""
    records = orders_of(desk.private, seat)
    found = next((one for one in records if one["no"] == number), None)
    if found is None:
        raise Refused("0", "no_such_standing_order", number=number, known=[one["no"] for one in records])
    keep(desk.private, seat, [one for one in records if one["no"] != number])
    keep_used(desk.private, [one for one in desk.private.get("standing_used") or () if (
        one["seat"], one["record"]["text"]) != (seat, found["text"])])      # what its owner took back stays away
    return found


def generals_of(record: Record, names: Names) -> list[str]:
    return [name for order in parse(record.get("answer", "pass"), names)
            for name in (order.general, *(order.pieces.generals if order.pieces is not None else ())) if name]


def about(record: Record, g: Game, names: Names) -> dict[str, str]:
    """What the order rests on, as everybody can see it: where its Generals stand, who holds its space."""
    found = {name: g.generals[name].at for name in generals_of(record, names)}
    return {**found, **({record["space"]: g.controller(record["space"]) or "nobody"} if "space" in record else {})}


def disarm(desk: "Desk") -> None:
    """Orders whose subject has changed answer nothing any more; their owner finds them marked."""
    question = desk.match.question
    moves_on = question is None or question.kind in (*SEGMENTS, "evasion")
    for seat in list(desk.private.get("standing") or ()):
        before = orders_of(desk.private, seat)
        records = [record for record in before if not (moves_on and record["kind"] == FLEEING)]
        changed = records != before
        for record in records:
            now = about(record, desk.match.g, desk.match.names)
            what = [name for name, was in record["about"].items() if now.get(name) != was]
            if what and "off" not in record:
                record["off"], changed = what[0], True
        if changed:
            keep(desk.private, seat, records)


# --- answering ---------------------------------------------------------------------------------------------------


def opponents(question: Question) -> tuple[str, ...]:
    """Whom a question is about, beside the one who is asked."""
    facts = question.about
    return (facts["mover"],) if "mover" in facts else tuple(facts.get("against") or facts.get("of") or ())


def fits(record: Record, question: Question) -> bool:
    """Is this the window that the order was written for?"""
    kinds = (record["kind"], FLEEING) if record.get("path") else (record["kind"],)
    place = space_of(str(question.about.get("space") or question.about.get("at") or ""))
    return (question.kind in kinds and record.get("after") != question.id
            and record.get("space", place) == place
            and (question.kind == "losses" or record.get("against") is None or record["against"] in opponents(question)))


def answer_of(record: Record, question: Question, names: Names) -> Any:
    """What it answers, before it is judged: one Order or several, as the question wants it."""
    if question.kind == FLEEING:
        return Order("evade", path=tuple(record["path"]))
    if question.kind == "losses":
        kinds, number = question.about["kinds"], question.about["number"]
        cus = {}
        for kind in dict.fromkeys((*record["lose"], *CHEAPEST_FIRST)):
            cus[kind] = min(number, kinds.get(kind, 0))
            number -= cus[kind]
        return Order("lose", pieces=Pieces.of(cus=cus))
    orders = parse(record["answer"], names)
    return orders if isinstance(question.default, tuple) else orders[0]


class Reply(NamedTuple):
    """The answer of a standing order, as it is judged and as the log writes it."""

    orders: Any
    text: str


def reply(match: Match, seat: str, question: Question, record: Record) -> Reply | None:
    """The answer that an order has for a question, or None where its trigger or a condition is not met, or where it
    would not be allowed or has a price that its owner did not say yes to."""
    if "off" in record or not fits(record, question):
        return None
    try:
        answer = question.read(seat, answer_of(record, question, match.names))
        if question.costs is not None and question.costs(seat, answer) and "yes" not in record:
            return None
        conducts = []
        for condition in record["if"]:
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
    word, _, what = condition.partition(" ")
    wanted = word == "if"
    if found := re.fullmatch(_WIN, what):
        chance = odds.of_answer(match.g, question, seat, answer)
        return chance is not None and (100 * chance >= int(found[1])) is wanted
    if found := re.fullmatch(_CUS, what):
        place = str(question.about.get("space") or "")
        there = sum(match.g.count(place, side) for side in opponents(question))
        number = int(found[2])
        return {"at least": there >= number, "at most": there <= number, "more than": there > number,
                "fewer than": there < number}[found[1].lower()] is wanted
    line = read_line(f"if {what}: pass", match.names)
    assert line is not None and line.condition is not None
    if line.condition.subject == "seat":
        return None
    return routes.condition_holds(match.g, seat, line.condition) is wanted


def consult(desk: "Desk") -> list[int] | None:
    """Answer the open question from the standing orders: polls are filed like any sealed answer, and close when all
    are in; what one player alone decides is done at once. Returns the entries written, None where nothing was."""
    if not desk.private.get("standing"):
        return None
    disarm(desk)
    question = desk.match.question
    if question is None:
        return None
    answered = desk.sealed(question) if question.sealed else {}
    for seat in question.sides:
        for record in orders_of(desk.private, seat) if seat not in answered else ():
            found = reply(desk.match, seat, question, record)
            if found is None:
                continue
            if not question.sealed:
                return act(desk, seat, question, record, found)
            sealed = desk.private.setdefault("sealed", {}).setdefault(question.id, {})
            sealed[seat] = {"text": found.text, "at": stamp(desk.now), "standing": record["no"],
                            "does": desk.match.say(found.orders)}
            break
    return None


def act(desk: "Desk", seat: str, question: Question, record: Record, found: Reply) -> list[int] | None:
    """What the seat alone decides, done in its name and marked as such."""
    before: Record = {key: desk.private[key] for key in ("standing", "standing_used") if key in desk.private}
    if record["kind"] == question.kind:                     # an evasion was used when it was declared, not by running
        use_up(desk.private, seat, record["no"], len(desk.game.entries) + 1)
    try:
        return desk.enter({"by": seat, "do": found.text, "as": "standing"})
    except PbemError:
        keep_used(desk.private, [])
        desk.private.update(before)
        return None


def answered_by(desk: "Desk", question: Question) -> list[str]:
    """The seats whose standing orders are what is going to be opened: the closing entry names them."""
    kept = (desk.private.get("sealed") or {}).get(question.id) or {}
    return [seat for seat in question.sides if "standing" in kept.get(seat, {})]


def spend(private: dict[str, Any], entry: Mapping[str, Any], number: int) -> None:
    """A poll was closed: what has answered is used, unless others made its condition fail."""
    kept = (private.get("sealed") or {}).get(entry.get("close", "")) or {}
    for seat in entry["standing"]:
        if entry["answers"][seat] == kept[seat]["does"]:
            use_up(private, seat, kept[seat]["standing"], number)


def use_up(private: dict[str, Any], seat: str, number: int, entry: int) -> None:
    """One less of a budget. Who evades for the last time may still have to be told where to."""
    records = []
    for record in orders_of(private, seat):
        if record["no"] == number and record["left"] != ALWAYS:
            used = private.get("standing_used") or []
            keep_used(private, [*used, {"entry": entry, "seat": seat, "record": dict(record)}])
            record["left"] -= 1
            if record["left"] < 1 and record["kind"] == "evasion" and record.get("path"):
                record.update(kind=FLEEING, left=1)
            elif record["left"] < 1:
                continue
        records.append(record)
    keep(private, seat, records)


def give_back(private: dict[str, Any], entry: int) -> None:
    """What answered from this entry on was taken back: the orders are as they were before they answered."""
    used = private.get("standing_used") or []
    for one in reversed([one for one in used if one["entry"] >= entry]):
        records, before = orders_of(private, one["seat"]), one["record"]
        known = [record for record in records if record["no"] == before["no"] and record["text"] == before["text"]]
        if not known and any(record["no"] == before["no"] for record in records):
            before = {**before, "no": max(record["no"] for record in records) + 1}
        others = [record for record in records if record not in known]
        keep(private, one["seat"], sorted([*others, dict(before)], key=lambda record: int(record["no"])))
    keep_used(private, [one for one in used if one["entry"] < entry])


def keep_used(private: dict[str, Any], used: list[Record]) -> None:
    """What has answered and when, for as long as an undo may give it back."""
    private["standing_used"] = used[-MOST_USED:]
    if not used:
        del private["standing_used"]


# --- trying it out -----------------------------------------------------------------------------------------------


class Past(NamedTuple):
    """A window that an order would have answered: the entry that closed it, its question, the answer."""

    entry: int
    question: str
    answer: str


def rehearsal(desk: "Desk", seat: str, record: Record, turns: int = 2) -> list[Past]:
    """The windows of this Game Turn and the one before that an order would have answered, budget and all.

    The public log is played again, and the order looks at each window as it would have opened.
    """
    first = desk.match.g.turn - turns + 1
    tried = {key: value for key, value in record.items() if key not in ("off", "after")}
    found = [Past(number, question.id, answer.text) for number, match, question in windows(desk)
             if match.g.turn >= first and seat in question.sides
             and (answer := reply(match, seat, question, tried)) is not None and question.kind != FLEEING]
    return found[:record["left"]] if record["left"] != ALWAYS else found


def windows(desk: "Desk") -> Iterator[tuple[int, Match, Question]]:
    """Every question of the log that was answered, with the game as it stood then."""
    match = Match(desk.game.header, desk.corrections)
    entries = desk.game.entries
    standing = gamelog.survivors(entries, str(desk.game.path))
    match.spoil_decks(entries, standing)
    for place in standing:
        question = match.question
        if question is not None and ("close" in entries[place] or "by" in entries[place] and not question.sealed):
            yield place + 1, match, question
        match.apply(entries[place], place + 1)


def doubt(desk: "Desk", seat: str, record: Record) -> PbemError | None:
    """Why it would be refused as things stand, as far as that can be seen before the window opens."""
    match, question = desk.match, desk.match.question
    if record["kind"] == "interception" and "space" in record and record["answer"] != "pass":
        g = odds.supposed(match.g)
        mover = record.get("against") or next(side for side in g.turn_order if side != seat)
        lead = next((one for one in g.generals_of(mover) if g.on_map(one)), None)
        if lead is None:
            return None
        g.activation = g.activation or Activation(lead.name, mover, lead.at, frozenset(), None)
        try:
            interception.judge_attempts(g, seat, Way(lead.name, mover, lead.at, record["space"], "land"),
                                        parse(record["answer"], match.names))
        except PbemError as error:
            return error
    if question is not None and seat in question.sides and fits({**record, "after": ""}, question):
        try:
            answer = question.read(seat, answer_of(record, question, match.names))
            costs = question.costs(seat, answer) if question.costs is not None and "yes" not in record else []
            return Costly(costs[0][0], costs[0][1], order=match.say(answer), **costs[0][2]) if costs else None
        except PbemError as error:
            return error
    return None


# --- told to its owner -------------------------------------------------------------------------------------------


def told(desk: "Desk", seat: str, text: str) -> str:
    """What `standing: ...` says back: the order as it is kept, what it would have done, or the list, or a farewell."""
    from pbem.base.paths import spoken
    from pbem.telling.words import Words

    said = Words(spoken(desk.match.language_of(seat)), desk.match.names, desk.match.g.facts, book=desk.match.g.rules.book)
    words = text.casefold().split()
    if words in ([], ["list"], ["show"]):
        return "\n".join(listed(desk, seat, said))
    if words[0] in ("cancel", "stop", "delete"):
        if len(words) != 2 or not words[1].isdecimal():
            raise Unreadable("unreadable_order", text=f"standing: {text}", suggestions=["standing: cancel 2"])
        return str(said.phrase("standing_cancelled", order=cancel(desk, seat, int(words[1]))["text"]))
    record = file(desk, seat, text)
    lines = [said.phrase("standing_kept", no=record["no"], order=record["text"], about=list(record["about"]))]
    past = rehearsal(desk, seat, record)
    lines.append(said.phrase("standing_past", count=len(past), turn=max(1, desk.match.g.turn - 1),
                             answers=[f"{one.question}: {one.answer}" for one in islice(past, MOST_TOLD)]))
    if (error := doubt(desk, seat, record)) is not None:
        lines.append(said.phrase("standing_doubt", why=said.refusal(error)))
    return " ".join(map(str, lines))


def listed(desk: "Desk", seat: str, said: Any) -> list[str]:
    """The standing orders of a seat, those that disarmed themselves among them."""
    disarm(desk)
    rows = [str(said.phrase("standing_row", no=record["no"], order=record["text"], left=record["left"],
                            off=record.get("off", "")))
            for record in orders_of(desk.private, seat) if record["kind"] != FLEEING]
    return rows or [str(said.phrase("standing_none"))]


def take_lines(desk: "Desk", seat: str, lines: list[str]) -> tuple[list[tuple[str, str | PbemError]], list[str]]:
    """Of a submission, the standing orders with what became of each, and the lines that are something else."""
    became: list[tuple[str, str | PbemError]] = []
    rest = []
    for line in lines:
        text = body(line)
        if text is None:
            rest.append(line)
            continue
        try:
            if not desk.private:
                raise NotNow("published_only")
            became.append((line, told(desk, seat, text)))
        except PbemError as error:
            became.append((line, error))
    return became, rest
