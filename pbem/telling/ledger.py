"""What has changed between two reports, seat by seat, and who gained what by which act: told from events alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.play.history import TOTALS
from pbem.table.events import Event

Parts = dict[str, int]

WON = {"general_arrived": "general", "general_joined": "general", "general_recruited": "general", "general_succeeded": "new"}
# What a total may change by: the act is told beside what it brought.
ACTS = frozenset("""
    siege_completed pc_removed pc_placed battle_won battle_drawn naval_battle_fought buried married isolated general_killed
    champion_lost card_played surprise_played card_revealed royal_lost royal_gained royal_killed heir_assassinated condemned
    condemnation_lifted capital_completed capital_lost cart_lost oracle_spoke fleet_upgraded fleet_dispersed ruling
""".split())


class Total(NamedTuple):
    """L or VP of a seat: from, to, and what came and went."""

    old: int
    new: int
    parts: list[tuple[str, int]]


class Change(NamedTuple):
    """What has become different for one seat."""

    seat: str
    totals: dict[str, Total]            # by L and VP, if they are not what they were
    spaces: tuple[list[str], list[str]]                # won, lost
    generals: tuple[list[str], list[str]]              # won, lost
    champion: str                       # "", "lost" or "again"


class Gain(NamedTuple):
    """A line of the ledger: when, whose total, by how much and why, and the act before it."""

    turn: int
    round: int
    seat: str
    what: str
    by: int
    parts: list[tuple[str, int]]
    act: Event | None


def changes(events: Iterable[Event], before: Iterable[Event] = ()) -> list[Change]:
    """`before` is what was told earlier: the parts of a total are compared with those that were known last."""
    known, told = _last_parts(before), list(events)
    seats = list(dict.fromkeys(seat for event in told for seat in (event.facts.get("seat"), event.facts.get("owner"))
                               if seat))
    return [one for one in (_of(seat, told, known) for seat in seats) if _tells(one)]


def _of(seat: str, told: Sequence[Event], known: Mapping[tuple[str, str], Parts]) -> Change:
    totals: dict[str, Total] = {}
    for key, what in TOTALS.items():
        mine = [event.facts for event in told if event.key == key and event.facts["seat"] == seat]
        if mine and mine[0]["old"] != mine[-1]["new"]:
            totals[what] = Total(mine[0]["old"], mine[-1]["new"],
                                 difference(known.get((key, seat)), dict(map(tuple, mine[-1]["parts"]))))
    spaces, generals, champion = dict[str, bool](), dict[str, bool](), ""
    for event in told:
        facts = event.facts
        mine_now = facts.get("seat") == seat
        if event.key == "pc_placed" and mine_now:
            _flip(spaces, facts["space"], True)
        elif event.key in ("pc_removed", "siege_completed") and facts["owner"] == seat or event.key == "isolated" and mine_now:
            _flip(spaces, facts["space"], False)
        elif event.key in WON and mine_now:
            _flip(generals, facts[WON[event.key]], True)
        elif event.key == "general_killed" and mine_now:
            _flip(generals, facts["general"], False)
        elif event.key in ("champion_lost", "champion_again") and mine_now:
            champion = event.key.removeprefix("champion_")
    return Change(seat, totals, _split(spaces), _split(generals), champion)


def _flip(ruled: dict[str, bool], name: str, won: bool) -> None:
    """What is won and lost again is no change."""
    if ruled.get(name, won) != won:
        del ruled[name]
    else:
        ruled[name] = won


def _split(ruled: Mapping[str, bool]) -> tuple[list[str], list[str]]:
    return [name for name, won in ruled.items() if won], [name for name, won in ruled.items() if not won]


def _tells(one: Change) -> bool:
    return bool(one.totals or any(one.spaces) or any(one.generals) or one.champion)


def _last_parts(events: Iterable[Event]) -> dict[tuple[str, str], Parts]:
    return {(event.key, event.facts["seat"]): dict(map(tuple, event.facts["parts"])) for event in events if event.key in TOTALS}


def difference(old: Parts | None, new: Parts) -> list[tuple[str, int]]:
    """What came and went; nothing where nobody knows what there was."""
    if old is None:
        return []
    went = {name: new.get(name, 0) - old.get(name, 0) for name in {**new, **old}}
    return [(name, by) for name, by in went.items() if by]


def ledger(events: Iterable[Event], before: Iterable[Event] = ()) -> Iterator[Gain]:
    """Every change of a total, with the last act before it that may have brought it."""
    earlier = list(before)
    known = _last_parts(earlier)
    turn = next((event.facts["turn"] for event in reversed(earlier) if event.key == "turn_began"), 0)
    round_ = next((event.facts["round"] for event in reversed(earlier) if event.key == "player_turn_began"), 0)
    act: Event | None = None
    for event in events:
        if event.key == "turn_began":
            turn, round_ = event.facts["turn"], 0
        elif event.key == "player_turn_began":
            round_ = event.facts["round"]
        elif event.key in ACTS:
            act = event
        elif event.key in TOTALS:
            facts, which = event.facts, (event.key, event.facts["seat"])
            parts = dict[str, int](map(tuple, facts["parts"]))
            yield Gain(turn, round_, facts["seat"], TOTALS[event.key], facts["new"] - facts["old"],
                       difference(known.get(which), parts), act)
            known[which] = parts


def touched(events: Iterable[Event]) -> set[str]:
    """The spaces where something happened."""
    found: set[str] = set()
    for event in events:
        way = event.facts.get("path") or ()
        for value in (*(event.facts.get(name) for name in ("space", "at", "origin", "target")), *way[-1:]):
            if isinstance(value, str):
                found.add(value.partition("/")[0])
    return found
