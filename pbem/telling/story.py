"""What happened, as a story: events by player turn and segment, several of them in one sentence where that reads better."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.base.language import Safe, sentences
from pbem.table.events import ALL, Event
from pbem.telling.formats import Format
from pbem.telling.words import Words

Numbers = Mapping[int, int]                     # events, by their identity, that are on a map under a number
UNNUMBERED: Numbers = {}


class Told(NamedTuple):
    """What becomes a sentence: its key and facts, is it for this reader alone, and its numbers on the map."""

    key: str
    facts: dict[str, Any]
    private: bool
    numbers: tuple[int, ...] = ()


# What the next sentence, a table or the question says better.
UNSAID = frozenset(("local_troops",))
# Of a draft it matters what everybody has in the end: where, with whom, and what that is worth.
DRAFTED = ("general_arrived", "royal_gained", "province_changed", "fleet_changed", "legitimacy_changed", "points_changed")
TURNS = frozenset(("turn_began", "player_turn_began", "phase_began"))
HEADINGS = TURNS | {"segment_began"}
DRAFT = 3                       # so many Generals arrive together only in a set-up
BREAKS = frozenset(("activated", "activation_ended"))
# What belongs to a Land Battle: once it is told, or its table, nothing of this says again where.
OF_A_BATTLE = frozenset((
    "battle_began", "overrun_began", "prestige_compared", "legitimacy_compared", "royals_set_apart", "elephants_rolled",
    "elephants_harmless", "changed_sides", "cavalry_columns", "battle_bonus", "ability_used", "battle_won", "battle_drawn",
    "general_killed", "general_saved", "command_taken", "command_lost", "eliminated", "attrition_rolled", "cus_dispersed",
    "general_dispersed", "minor_removed", "royals_defected", "royal_lost", "royal_gained", "independents_beaten"))
PLACED = frozenset(("champion_lost", "battle_began", "overrun_began"))      # these say where
ASIDES = frozenset(("interception_barred", "interception_barred*"))         # said after a march, and no break in it


# --- several events, one sentence --------------------------------------------------------------------------------


def both(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    return {**first, **second}


def along(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """One march of several steps."""
    path = first.get("path") or [first["origin"], first["target"]]
    return {**second, "path": [*path, second["target"]], "cost": first["cost"] + second["cost"]}


def summed(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Losses one after the other."""
    return {**first, "cus": dict(Counter(first["cus"]) + Counter(second["cus"]))}


def first_only(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """The second says nothing new."""
    return dict(first)


def handed_over(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    return {**second, "old": first["seat"]}


def others_too(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """The same for several players."""
    return {**second, "seats": [*(first.get("seats") or [first["seat"]]), second["seat"]]}


def provinces_too(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Several Provinces that go the same way."""
    return {**second, "provinces": [*(first.get("provinces") or [first["province"]]), second["province"]]}


def spaces_too(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """The same in several spaces, or in one of them again."""
    return {**second, "spaces": list(dict.fromkeys([*(first.get("spaces") or [first["space"]]), second["space"]]))}


def royals_too(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Several of the Royal Family who go the same way."""
    return {**second, "royals": [*(first.get("royals") or [first["royal"]]), second["royal"]]}


def cards_too(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Several cards that come together."""
    return {**second, "cards": [*(first.get("cards") or [first["card"]]), second["card"]]}


def always(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    return True


def beaten_together(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """The General of an Army that was beaten shares its fate where it stood."""
    return bool(first["why"] == "beaten" and first["at"] == second["space"])


def ends_a_championship(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """It is this attack that does it."""
    return bool(first["seat"] == second["attacker"])


def to_another(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Who lost it and has it again has had both happen."""
    return bool(first["seat"] != second["seat"])


class Join(NamedTuple):
    """What two events become: the key of the sentence, the facts that must agree, the facts it has."""

    key: str
    same: tuple[str, ...]
    facts: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]] = both
    near: bool = True                           # right after each other; else what was declared waits for its die
    fits: Callable[[Mapping[str, Any], Mapping[str, Any]], bool] = always


TROOP = ("general", "generals", "cus", "royals")
DECLARED, ROLLED = "interception_declared", "interception_rolled"
PASSED = "royal_lost+royal_gained"
JOINS = {
    ("marched", "marched"): Join("marched*", TROOP, along),
    ("marched*", "marched"): Join("marched*", TROOP, along),
    ("sailed", "sailed"): Join("sailed*", ("general",), along),
    ("sailed*", "sailed"): Join("sailed*", ("general",), along),
    (DECLARED, ROLLED): Join(f"{DECLARED}+{ROLLED}", ("seat", "general", "space"), near=False),
    (DECLARED, "interception_cancelled"):
        Join(f"{DECLARED}+interception_cancelled", ("seat", "general", "space"), near=False),
    (f"{DECLARED}+{ROLLED}", "intercepted"): Join(f"{DECLARED}+{ROLLED}+intercepted", ("seat", "general", "space")),
    ("evasion_declared", "evasion_rolled"): Join("evasion_declared+evasion_rolled", ("seat", "general"), near=False),
    ("eliminated", "eliminated"): Join("eliminated", ("seat", "at", "why"), summed),
    ("attrition_rolled", "eliminated"): Join("attrition_rolled+eliminated", ("seat", "at")),
    ("attrition_rolled+eliminated", "eliminated"): Join("attrition_rolled+eliminated", ("seat", "at", "why"), summed),
    ("siege_rolled", "siege_points_changed"): Join("siege_rolled+siege_points_changed", ("seat", "space")),
    ("battle_strength", "battle_rolled"): Join("battle_strength+battle_rolled", ("seat", "space", "general"), near=False),
    ("royal_lost", "royal_gained"): Join(PASSED, ("royal", "at"), handed_over, near=False, fits=to_another),
    (PASSED, PASSED): Join(f"{PASSED}*", ("old", "seat", "at"), royals_too),
    (f"{PASSED}*", PASSED): Join(f"{PASSED}*", ("old", "seat", "at"), royals_too),
    ("general_loss_rolled", "general_killed"): Join("general_loss_rolled", ("seat", "general"), first_only),
    ("cus_dispersed", "general_dispersed"): Join("cus_dispersed+general_dispersed", ("seat",), fits=beaten_together),
    ("champion_lost", "battle_began"): Join("champion_lost+battle_began", ("space",), near=False, fits=ends_a_championship),
    ("prestige_compared", "prestige_compared"): Join("prestige_compared", ("space", "sides"), first_only, near=False),
    ("pc_placed", "pc_placed"): Join("pc_placed*", ("seat",), spaces_too),
    ("pc_placed*", "pc_placed"): Join("pc_placed*", ("seat",), spaces_too),
    ("isolated", "isolated"): Join("isolated*", ("seat", "cus", "pcs"), spaces_too),
    ("isolated*", "isolated"): Join("isolated*", ("seat", "cus", "pcs"), spaces_too),
    ("dealt", "dealt"): Join("dealt*", ("count",), others_too),
    ("dealt*", "dealt"): Join("dealt*", ("count",), others_too),
    ("card_seen", "card_seen"): Join("card_seen*", ("seat",), cards_too),
    ("card_seen*", "card_seen"): Join("card_seen*", ("seat",), cards_too),
    ("province_changed", "province_changed"): Join("province_changed*", ("old", "new"), provinces_too),
    ("province_changed*", "province_changed"): Join("province_changed*", ("old", "new"), provinces_too),
    ("mercenary_raised", "reinforced"): Join("mercenary_raised", ("seat", "at"), first_only, near=False),
    ("interception_barred", "interception_barred"): Join("interception_barred*", ("seats", "why", "rule"), spaces_too),
    ("interception_barred*", "interception_barred"): Join("interception_barred*", ("seats", "why", "rule"), spaces_too),
    ("surprise_played", "card_drawn"): Join("surprise_played+card_drawn", ("seat",)),
    ("card_discarded", "card_drawn"): Join("card_discarded+card_drawn", ("seat",)),
    ("card_discarded+card_drawn", "card_discarded"): Join("card_discarded*", ("seat",), cards_too),
    ("card_discarded*", "card_discarded"): Join("card_discarded*", ("seat",), cards_too),
    ("card_discarded*", "card_drawn"): Join("card_discarded*", ("seat",), first_only),
    ("pc_removed", "pc_placed"): Join("pc_removed+pc_placed", ("seat", "space")),
}
_FIRST = {second: [first for first, other in JOINS if other == second] for _, second in JOINS}


def joined(events: Iterable[Event], numbers: Numbers = UNNUMBERED) -> list[Told]:
    """The events of a paragraph, as many of them together as make one sentence."""
    told: list[Told] = []
    for event in events:
        number = (numbers[id(event)],) if id(event) in numbers else ()
        _add(told, Told(event.key, event.facts, event.audience != ALL, number))
    return told


def _add(told: list[Told], one: Told) -> None:
    """As part of what is told already, if it goes with that; what comes of it may go with something else."""
    for first in _FIRST.get(one.key, ()):
        join = JOINS[first, one.key]
        place = _partner(told, join, first, one)
        if place is not None:
            before = told.pop(place)
            made = Told(join.key, join.facts(before.facts, one.facts), before.private, (*before.numbers, *one.numbers))
            if join.near:
                told.insert(place, made)
            else:
                _add(told, made)
            return
    told.append(one)


def _partner(told: Sequence[Told], join: Join, first: str, one: Told) -> int | None:
    for place in reversed(range(len(told))):
        key, facts, private, _ = told[place]
        if key == first and private == one.private and all(
                facts[name] == one.facts[name] for name in join.same) and join.fits(facts, one.facts):
            return place
        if join.near and key not in ASIDES:
            break
    return None


def drafted(events: Sequence[Event]) -> list[Event]:
    """A set-up told as a draft: who came where, then whose what is, and of the totals only what they came to."""
    if sum(event.key == "general_arrived" for event in events) < DRAFT:
        return list(events)
    last = {(event.key, event.facts["seat"]): event for event in events if event.key in DRAFTED[-2:]}
    first = {(event.key, event.facts["seat"]): event for event in reversed(events) if event.key in DRAFTED[-2:]}
    totals = [event._replace(facts={**event.facts, "old": first[which].facts["old"]}) for which, event in last.items()]
    settled = sorted((event for event in events if event.key in DRAFTED[:-2]),
                     key=lambda event: (DRAFTED.index(event.key), event.facts.get("new")))
    return [event for event in events if event.key not in DRAFTED] + settled + sorted(totals, key=lambda event: event.key)


# --- paragraphs --------------------------------------------------------------------------------------------------


class Section(NamedTuple):
    """A player turn, or what happened outside of any: a heading and what stands below it."""

    heading: Safe
    blocks: list[Safe]


def story(events: Iterable[Event], words: Words, form: Format, numbers: Numbers = UNNUMBERED) -> list[Section]:
    """Everything that happened, in the sequence in which it happened; with the numbers that it has on a map."""
    sections = [Section(Safe(), [])]
    lead, paragraph = Safe(), list[Event]()

    def end_paragraph() -> None:
        nonlocal lead
        shown = drafted([event for place, event in enumerate(paragraph) if event.key not in BREAKS | UNSAID
                         and not (event.key == "mps_counted" and _goes_on(event, paragraph[place + 1:]))])
        if shown:
            sections[-1].blocks.extend(blocks(shown, lead, words, form, numbers))
            lead = Safe()
        paragraph.clear()

    for event in events:
        if event.key in HEADINGS or event.key in BREAKS:
            end_paragraph()
        if event.key == "segment_began":
            lead = Safe(form.ink.strong(words.phrase("segment", **event.facts)))
        elif event.key == "phase_began":
            lead = Safe(form.ink.strong(words.phrase("phase", **event.facts)))
        elif event.key in HEADINGS:
            lead = Safe()
            sections.append(Section(words.phrase(event.key, **event.facts), []))
        else:
            paragraph.append(event)
    end_paragraph()
    return [section for section in sections if section.blocks]


def going_on(before: Iterable[Event], told: Sequence[Event]) -> list[Event]:
    """The headings below which a story goes on that begins in the middle of a turn, of a segment."""
    found: dict[str, Event] = {}
    for event in before if told and told[0].key not in TURNS else ():
        if event.key in TURNS:
            found = {"turn": event}
        elif event.key == "segment_began":
            found["segment"] = event
    if told and told[0].key in HEADINGS:
        found.pop("segment", None)
    return list(found.values())


def _goes_on(counted: Event, later: Iterable[Event]) -> bool:
    """Is it said later how many Movement Points this General has left?"""
    return any("left" in event.facts and event.facts.get("general") == counted.facts["general"] for event in later)


def blocks(events: Iterable[Event], lead: Safe, words: Words, form: Format, numbers: Numbers = UNNUMBERED) -> list[Safe]:
    """Sentences as paragraphs; many events of one kind as a table between them."""
    tables = sentences(words.language, "tables")
    out: list[Safe] = []
    said: list[Safe] = [lead] if lead else []
    fought = ""                                 # where the fight is that is told
    for key, run in runs(joined(events, numbers)):
        if key in tables and len(run) >= tables[key]["rows"]:
            if said:
                out.append(form.paragraph(" ".join(said)))
                said = []
            out.append(table(key, run, words, form))
            fought = run[0].facts["space"] if key == "battle_strength" else fought
            continue
        for one in run:
            sentence = words.tell("events", one.key, one.facts)
            if key in OF_A_BATTLE and fought in (one.facts.get("space"), one.facts.get("at")):
                sentence = Safe(re.sub(rf" {re.escape(words.at(fought))}(?!\w)", "", sentence))
            fought = one.facts["space"] if key in PLACED else fought
            sentence = Safe(_number(one) + sentence)
            said.append(words.phrase("private", said=sentence) if one.private else sentence)
    if said:
        out.append(form.paragraph(" ".join(said)))
    return out


def runs(told: Iterable[Told]) -> list[tuple[str, list[Told]]]:
    """What is of one kind, however much else was told with it, goes together."""
    out: list[tuple[str, list[Told]]] = []
    for one in told:
        key = one.key.partition("+")[0]
        if out and out[-1][0] == key:
            out[-1][1].append(one)
        else:
            out.append((key, [one]))
    return out


def _number(one: Told) -> str:
    """What stands before a sentence, or a row, that is on a map."""
    return f"({', '.join(map(str, dict.fromkeys(one.numbers)))}) " if one.numbers else ""


def table(key: str, rows: Sequence[Told], words: Words, form: Format) -> Safe:
    """Dice of one kind, side by side."""
    columns = sentences(words.language, "tables")[key]["columns"]
    head = [words.tell("tables", f"{key}.columns.{name}.head", rows[0].facts) for name in columns]
    cells = [[words.tell("tables", f"{key}.columns.{name}.cell", one.facts) for name in columns] for one in rows]
    return form.table(head, [[Safe(_number(one) + first), *others] for one, (first, *others) in zip(rows, cells, strict=True)])
