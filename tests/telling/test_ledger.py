"""What has changed between two reports, who gained what by which act, and how a long report is told."""

import re
from collections.abc import Iterable
from typing import Any

import commonmark
import markdown as python_markdown
import mistune
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pbem.base.paths import languages
from pbem.components import catalogue
from pbem.dev import sentences as samples
from pbem.orders.names import Names
from pbem.table.events import ALL, Event
from pbem.telling.formats import FORMATS, LONGEST_POST, MARKDOWN, block, posts
from pbem.telling.ledger import Total, changes, ledger, touched
from pbem.telling.report import changed
from pbem.telling.story import drafted, story
from pbem.telling.words import Words

FACTS = catalogue.facts()
WORDS = Words("en", Names(FACTS, {seat: {} for seat in ("red", "blue")}), FACTS)


def event(key: str, **facts: Any) -> Event:
    return Event(key, ALL, facts)


def points(seat: str, old: int, new: int, **parts: int) -> Event:
    return event("points_changed", seat=seat, old=old, new=new, parts=[list(part) for part in parts.items()])


def said(told: Iterable[Event], before: Iterable[Event] = ()) -> list[str]:
    return [str(changed(one, WORDS)) for one in changes(told, before)]


# --- what has changed ---------------------------------------------------------


def test_a_total_is_told_with_what_came_and_what_went() -> None:
    before = [points("red", 0, 5, makedonia=3, syria=2)]
    assert said([points("red", 5, 7, makedonia=3, syria=2, lydia=2), points("red", 7, 4, syria=2, lydia=2)], before) == [
        "Red: 4 VP (−1: +2 Lydia, −3 Makedonia)."]


def test_what_comes_back_to_what_it_was_is_no_change() -> None:
    assert said([points("red", 5, 7), points("red", 7, 5), event("pc_placed", seat="red", space="pella"),
                 event("pc_removed", seat="blue", owner="red", space="pella")]) == []


def test_spaces_and_generals_are_won_and_lost() -> None:
    told = [event("siege_completed", seat="red", space="pella", owner="blue", segment="activation"),
            event("pc_placed", seat="red", space="pella"),
            event("general_killed", seat="blue", general="krateros", space="pella"),
            event("general_joined", seat="red", general="kassandros"),
            event("champion_lost", seat="red", against="blue", rule="3.7", space="pella")]
    assert said(told) == ["Red: won Pella; Kassandros joined; no longer a Champion.", "Blue: lost Pella; Krateros fell."]


def test_the_ledger_names_the_act_before_each_change() -> None:
    told = [event("turn_began", turn=2), event("player_turn_began", seat="red", round=3),
            event("pc_placed", seat="red", space="pella"), points("red", 3, 5, syria=2)]
    (gain,) = ledger(told, [points("red", 0, 3)])
    assert (gain.turn, gain.round, gain.seat, gain.what, gain.by, gain.parts) == (2, 3, "red", "VP", 2, [("syria", 2)])
    assert gain.act is not None and gain.act.key == "pc_placed"


def test_what_isolation_took_is_lost_to_whom_it_was_taken_from() -> None:
    told = [event("isolated", seat="blue", space="pella", cus=[], pcs=1), event("pc_placed", seat="red", space="lamia")]
    assert said(told) == ["Blue: lost Pella.", "Red: won Lamia."]


def test_who_is_only_a_champion_no_more_has_changed_and_nobody_has_by_what_belongs_to_nobody() -> None:
    assert said([event("champion_lost", seat="red", against="blue", rule="3.7", space="pella")]) == [
        "Red: no longer a Champion."]
    assert said([event("pc_removed", seat="red", owner="", space="pella")]) == []


def test_each_seat_and_each_total_is_counted_for_itself() -> None:
    """Red's L and VP and Blue's VP stand in one report; only what differs is told, and of parts that nobody knew nothing."""
    def legitimacy(old: int, new: int, **parts: int) -> Event:
        return event("legitimacy_changed", seat="red", old=old, new=new, parts=[list(part) for part in parts.items()])

    told = [legitimacy(3, 0), points("red", 1, 2, syria=2), points("blue", 4, 6, syria=4, lydia=1),
            event("dealt", seat="red", count=4), legitimacy(0, 5, alexandros=5)]
    red, blue = changes(told, [points("blue", 0, 4, syria=2, karia=1)])
    assert (red.seat, red.totals) == ("red", {"L": Total(3, 5, []), "VP": Total(1, 2, [])})
    assert (blue.seat, blue.totals) == ("blue", {"VP": Total(4, 6, [("syria", 2), ("lydia", 1), ("karia", -1)])})
    gains = [(gain.seat, gain.what, gain.by, gain.parts) for gain in ledger(told, [points("blue", 0, 4, syria=2, karia=1)])]
    assert gains == [("red", "L", -3, []), ("red", "VP", 1, []), ("blue", "VP", 2, [("syria", 2), ("lydia", 1), ("karia", -1)]),
                     ("red", "L", 5, [("alexandros", 5)])]


@pytest.mark.parametrize(("told", "seat", "spaces", "generals", "champion"), [
    ([event("pc_placed", seat="red", space="pella")], "red", (["pella"], []), ([], []), ""),
    ([event("siege_completed", seat="red", owner="blue", space="pella")], "blue", ([], ["pella"]), ([], []), ""),
    ([event("pc_removed", seat="red", owner="blue", space="pella"), event("pc_placed", seat="blue", space="pella")], "blue",
     ([], []), ([], []), ""),
    ([event("pc_removed", seat="red", owner="blue", space="pella"), event("pc_placed", seat="red", space="pella")], "red",
     (["pella"], []), ([], []), ""),
    ([event("general_arrived", seat="red", general="krateros")], "red", ([], []), (["krateros"], []), ""),
    ([event("general_recruited", seat="red", general="krateros")], "red", ([], []), (["krateros"], []), ""),
    ([event("general_succeeded", seat="red", old="krateros", new="kassandros")], "red", ([], []), (["kassandros"], []), ""),
    ([event("general_joined", seat="red", general="krateros"), event("general_killed", seat="red", general="krateros")], "red",
     ([], []), ([], []), ""),
    ([event("general_killed", seat="blue", owner="red", general="krateros")], "red", ([], []), ([], []), ""),
    ([event("champion_again", seat="red")], "red", ([], []), ([], []), "again"),
    ([event("champion_lost", seat="red"), event("champion_again", seat="red")], "red", ([], []), ([], []), "again"),
    ([event("champion_lost", seat="blue", owner="red")], "red", ([], []), ([], []), "")])
def test_an_act_changes_what_it_is_about_for_whom_it_is_about(
        told: list[Event], seat: str, spaces: Any, generals: Any, champion: str) -> None:
    found = {one.seat: one[2:] for one in changes(told)}.get(seat, (([], []), ([], []), ""))
    assert found == (spaces, generals, champion)


def test_a_stack_is_new_where_something_happened_and_where_a_way_ended() -> None:
    told = [event("marched", origin="pella", target="larisa"), event("evaded", origin="lamia", path=["sparta", "korinthos"]),
            event("pc_placed", space="tyros", seat="red"), event("eliminated", at="rhodos/inside"), event("dealt", at=3)]
    assert touched(told) == {"pella", "larisa", "lamia", "korinthos", "tyros", "rhodos"}


def test_the_ledger_goes_on_in_the_turn_in_which_the_report_before_it_ended() -> None:
    earlier = [event("turn_began", turn=2), event("player_turn_began", seat="blue", round=1), event("turn_began", turn=3),
               event("player_turn_began", seat="red", round=2)]
    told = [points("red", 0, 1), event("turn_began", turn=4), points("red", 1, 2)]
    assert [(gain.turn, gain.round) for gain in ledger(told, earlier)] == [(3, 2), (4, 0)]
    assert [(gain.turn, gain.round) for gain in ledger(told)] == [(0, 0), (4, 0)]


# --- how it is told -----------------------------------------------------------


def test_a_set_up_is_told_as_a_draft() -> None:
    arrived = [event("general_arrived", seat="red", general=general, at=at)
               for general, at in (("perdikkas", "babylon"), ("krateros", "tarsos"), ("kassandros", "pella"))]
    totals = [points("red", 0, 4, babylonia=4), points("red", 4, 6, babylonia=4, kilikia=2)]
    told = drafted([arrived[0], totals[0], arrived[1], totals[1], arrived[2]])
    assert told == [*arrived, points("red", 0, 6, babylonia=4, kilikia=2)]
    assert drafted([arrived[0], *totals]) == [arrived[0], *totals]         # one who comes in mid-game is no draft


def test_the_die_and_what_came_of_it_are_one_sentence_of_a_siege() -> None:
    rolled = event("siege_rolled", seat="red", general="krateros", space="tyros", cus={"loyal": 3}, die=4, name="x",
                   modifiers=[], total=4, result="1", points=1, loss=0, rides_off=False)
    gained = event("siege_points_changed", seat="red", space="tyros", old=0, new=1, needed=3)
    (section,) = story([rolled, gained], WORDS, FORMATS["md"])
    assert section.blocks == ["Red, under Krateros, besieged Tyros with 3 loyal CUs: rolled 4, 1 Siege Point; now 1 of 3."]
    again = gained._replace(facts={**gained.facts, "old": 1, "new": 2})
    (section,) = story([rolled, gained, rolled, again], WORDS, FORMATS["md"])
    assert section.blocks[0].splitlines()[3] == "| Tyros | Red, Krateros | 4 | 1 (2 of 3) | 0 |"


def test_a_long_text_becomes_several_posts_cut_before_a_heading() -> None:
    paragraphs = [f"[u]Turn {number}[/u]\n\n[o]{'a march. ' * 60}\n\n{'a siege. ' * 60}[/o]" for number in range(60)]
    parts = posts("g", "\n\n".join(["[size=18]g[/size]", *paragraphs]))
    assert [part.partition("\n")[0] for part in parts] == [f"[u]g[/u] ({number}/5)" for number in range(1, 6)]
    for part in parts:
        assert len(part) < LONGEST_POST + 100 and part.count("[o]") == part.count("[/o]")      # no tag is left open
        assert not part.rstrip().endswith("[/u]")                          # and no heading alone
    assert posts("g", "short") == ["short"]
    assert [len(posts("g", "x" * length)) for length in (LONGEST_POST, LONGEST_POST + 1)] == [1, 2]


# --- Markdown -----------------------------------------------------------------

PROGRAMS = {
    "commonmark": commonmark.commonmark,
    "markdown-it": MarkdownIt("gfm-like", {"linkify": False}).render,
    "mistune": mistune.create_markdown(plugins=["strikethrough", "table"]),
}
NASTY = ["*bold*", "[a](http://x.example)", "<script>", "![x](y)", "`code`", "a | b", "# no heading", "~~gone~~", "_a_ b_c_d",
         "&lt;b&gt;", "&amp", "AT&T", "1. list", "9) list", "- list", "+1", "-2 Rhodos", "> quote", "===", "14.8", "4. Edition",
         "Pamphylia & Lykia", "a\\b", "**[x](http://evil.example)** | <b>"]


def arrived(html: str) -> str:
    """The text that a reader sees, and a sign wherever there is more than a paragraph."""
    from html import unescape

    return unescape(re.sub(r"<[^>]*>", "\0", re.sub(r"^<p>|</p>\s*$", "", html.strip())))


@pytest.mark.parametrize("program", PROGRAMS)
@given(st.one_of(st.sampled_from(NASTY), st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=30)))
@example("<b>")
@settings(max_examples=150, deadline=None)
def test_the_text_that_arrives_is_the_text_that_was_meant(program: str, text: str) -> None:
    text = " ".join(text.split())
    assert arrived(PROGRAMS[program](block(MARKDOWN.escape(text)))) == text


@pytest.mark.parametrize("language", languages())
def test_every_sentence_arrives_as_it_is_meant(language: str) -> None:
    """In three programs; `meant` has no emphasis, so a title stands between nothing there."""
    wrong = []
    inked = samples.words(language).inked(MARKDOWN)
    for plain, written in zip(samples.lines(language, ("events", "lasting")),
                              samples.lines(language, ("events", "lasting"), inked), strict=True):
        for name, program in PROGRAMS.items():
            html = re.sub(r"</?(?:em|strong|code)>", "", program(block(written.said)))
            meant = re.sub(r'[„“«»"]', "", plain.said)
            if re.sub(r'[„“«»"]', "", arrived(html)) != meant:
                wrong.append((name, plain.key, html, meant))
    assert wrong == []


@pytest.mark.parametrize("text", ["14.8", "4. Edition", "Pamphylia & Lykia", "-1 Rhodos", "11.1 B", "(10 J)", "50%", "a_b"])
def test_what_needs_no_escape_has_none(text: str) -> None:
    assert "\\" not in MARKDOWN.escape(text)


def test_nothing_is_escaped_twice() -> None:
    third = Words("en", WORDS.names, FACTS, book="third").inked(MARKDOWN)
    began = event("battle_began", attacker="red", defender="blue", space="pella", attackers=3, defenders=1, ratio=5)
    assert "\\" not in third.event(began) and "(9.6)" in third.event(began)
    html = WORDS.inked(FORMATS["html"].ink)
    part = html.phrase("changed_total", what="VP", total=Total(4, 6, [("pamphylia_lykia", 2)]))
    assert html.phrase("changed", seat="red", parts=[part, "<b>"]) == "Red: 6 VP (+2: +2 Pamphylia &amp; Lykia); &lt;b&gt;."


@pytest.mark.parametrize("program", [python_markdown.markdown, *PROGRAMS.values()])
def test_a_report_keeps_its_tables_and_headings_to_itself(program: Any) -> None:
    assert "<h" not in program(block(MARKDOWN.escape("# 1. x"))) and "<ol" not in program(block(MARKDOWN.escape("1. x")))


def test_cards_that_come_together_are_told_in_one_sentence() -> None:
    drawn = [Event("card_seen", ("red",), {"seat": "red", "card": card}) for card in ("57", "51", "23")]
    (section,) = story(drawn, WORDS, FORMATS["md"])
    assert section.blocks == ['Only for you: you now hold "The Gift of Oratory", "Cretan Liar" and "Major Campaign".']
