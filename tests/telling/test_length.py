"""How long it takes to tell, as plain text in a file and in a mail: a fight at most ten lines, a quiet player turn three."""

from collections.abc import Iterator
from functools import cache, partial

import pytest
from test_told import match

from pbem.base.language import Safe
from pbem.base.paths import games_dir, languages
from pbem.desk.desk import Desk
from pbem.mail.outbox import folded
from pbem.play.match import Match
from pbem.table.events import Event
from pbem.telling.formats import FORMATS, text_table
from pbem.telling.story import BREAKS, HEADINGS, story
from pbem.telling.words import Words

GAMES = ("duel", "regency", "options")          # the two that come with the program, and one with all optional rules
FIGHT, QUIET = 10, 3                            # lines
BEGINS = frozenset(("battle_began", "overrun_began", "naval_battle_declared", "siege_rolled"))
# What is said of a fight before it has begun: it counts too.
BEFORE = frozenset(("champion_lost", "prestige_compared", "legitimacy_compared", "joined_battle", "stayed_inside"))
# What is no part of it: totals and whose what is, which any act may change and which are told in full, and the next act.
TOTALS = frozenset((
    "legitimacy_changed", "points_changed", "popularity_gained", "province_changed", "fleet_changed", "royal_lost",
    "royal_gained", "royals_defected", "threshold"))
# Nor what comes on top of it: a Surprise card that somebody plays in the midst of it, and what that does; and which Minor
# Generals of the optional rule leave the map.
BESIDE = frozenset(("surprise_played", "card_drawn", "card_taken", "general_saved", "changed_sides", "minor_removed"))
NEXT = HEADINGS | BREAKS | {"pc_placed", "marched", "sailed", "disembarked", "picked_up", "mps_counted", "minor_placed"}
# In a quiet turn nobody does anything but throw the die for movement; to play a card is to do something.
NOTHING = frozenset(("segment_began", "movement_rolled", "activated", "activation_ended"))
# The head of a table counts as little as blank lines do: it says what any table says.
LINES = {fmt: FORMATS[fmt]._replace(table=partial(lambda width, head, rows: Safe(
    text_table(head, rows, width).partition("\n")[2]), FORMATS[fmt].ink.width)) for fmt in ("text", "mail")}


@cache
def game(name: str) -> Match:
    return match() if name == "options" else Desk(games_dir() / name).match


@cache
def happened(name: str) -> list[Event]:
    return [event for _, event in game(name).history if event.for_seat(None)]


def fights(events: list[Event]) -> Iterator[list[Event]]:
    """Land Battles, Naval Battles, Overruns and sieges, from what leads to them to what comes of them."""
    for place, event in enumerate(events):
        if event.key in BEGINS:
            first, end = place, place + 1
            while events[first - 1].key in BEFORE:
                first -= 1
            while end < len(events) and events[end].key not in NEXT | BEGINS:
                end += 1
            yield [one for one in events[first:end] if one.key not in TOTALS | BESIDE]


def quiet(events: list[Event]) -> Iterator[list[Event]]:
    """Each player turn as if nobody had done anything in it: few are, and each might have been."""
    turns = [place for place, event in enumerate(events) if event.key in ("player_turn_began", "turn_began", "phase_began")]
    for place, end in zip(turns, [*turns[1:], len(events)], strict=True):
        if events[place].key == "player_turn_began":
            yield [event for event in events[place + 1:end] if event.key in NOTHING]


def lines(name: str, language: str, told: list[Event], fmt: str = "text") -> list[str]:
    """As they stand in a file, or as a mail is folded."""
    one = game(name)
    blocks = [block for section in story(told, Words(language, one.names, one.g.facts), LINES[fmt]) for block in section.blocks]
    return [line for block in blocks for line in (folded(block) if fmt == "mail" else block).splitlines() if line]


@pytest.mark.parametrize("fmt", LINES)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_a_fight_takes_ten_lines_at_most(name: str, language: str, fmt: str) -> None:
    told = [lines(name, language, one, fmt) for one in fights(happened(name))]
    assert len(told) > 20
    assert ["\n".join(one) for one in told if len(one) > FIGHT] == []


@pytest.mark.parametrize("language", languages())
def test_a_quiet_turn_takes_three_lines_at_most(language: str) -> None:
    told = [lines(name, language, one, fmt) for name in GAMES for one in quiet(happened(name)) for fmt in LINES]
    assert len(told) > 5
    assert ["\n".join(one) for one in told if len(one) > QUIET] == []


def test_a_table_is_a_list_of_its_rows_only_where_it_is_too_broad() -> None:
    head, rows = ["who", "cards"], [["red", "2"]]
    assert text_table(head, rows, 10) == "who  cards\nred      2" and text_table(head, rows, 9) == "who:\n- red:\n  cards 2"
