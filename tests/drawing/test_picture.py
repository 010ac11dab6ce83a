"""Pictures of whole games and of crowds, read from the finished SVG."""

import copy
import re
from math import dist
from pathlib import Path
from typing import Any

import pytest
import small_game

from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.dev.pictures import looked_at, positions, seen, wrong
from pbem.drawing import picture as drawing
from pbem.drawing.drawn import drawn
from pbem.drawing.happened import carried
from pbem.drawing.layout import Layout, made
from pbem.drawing.picture import picture
from pbem.drawing.room import Room
from pbem.drawing.said import around, region, sentence, summary, within
from pbem.drawing.voice import Voice
from pbem.play.match import Match
from pbem.telling.changes import ROUTES
from pbem.telling.chart import chart
from pbem.telling.words import Words

KEPT = Path(__file__).parents[1] / "log/kept"
LOGS = sorted(KEPT.glob("*.gz"))


@pytest.fixture(scope="module")
def five() -> tuple[Match, dict[str, Any]]:
    """The end of a game of five."""
    return list(positions(KEPT / "five.yaml.gz", 3))[1]


@pytest.fixture(scope="module")
def fullest() -> tuple[Match, dict[str, Any]]:
    match, position = list(positions(KEPT / "five.yaml.gz", 2))[-1]
    return match, {**position, "changes": []}


def words(match: Match, language: str = "en", **people: str) -> Words:
    return Words(language, match.names, match.g.facts, people=people)


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.partition(".")[0])
def test_nothing_collides_nothing_is_left_out_and_all_is_there_once(log: Path) -> None:
    done, faults = looked_at(log, 8)
    assert done == 8 and faults == []


def test_the_look_finds_what_collides(fullest: tuple[Match, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Room, "free", lambda room, box: True)
    match, position = fullest
    assert any("collide" in fault for fault in wrong(picture(position, words(match)), position))


def test_the_look_finds_what_is_missing_or_there_twice(fullest: tuple[Match, dict[str, Any]]) -> None:
    match, position = fullest
    svg = picture(position, words(match))
    less = {**position, "armies": position["armies"][1:]}
    assert any("nowhere in the position" in fault for fault in wrong(svg, less))
    assert any("0 times, not 1" in fault for fault in wrong(picture(less, words(match)), position))
    assert any("2 times, not 1" in fault for fault in wrong(svg.replace("</svg>", '<g data-mark="cards"/></svg>'), position))


# --- crowds ------------------------------------------------------------------------------------------------------


def crowded(match: Match, position: dict[str, Any]) -> dict[str, Any]:
    """Five factions with three stacks each in the ten narrowest spaces around the Aegean."""
    spots = made()["spaces"]
    west = [
        space for space, one in spots.items() if one["at"][0] < 600 and 150 < one["at"][1] < 700 and one["kind"] != "transit"
    ]
    narrow = sorted(
        west,
        key=lambda space: sum(sorted(dist(spots[space]["at"], spots[other]["at"]) for other in spots if other != space)[:4]),
    )[:10]
    crowd = copy.deepcopy(position)
    crowd["armies"] = [army for army in crowd["armies"] if army["space"] not in narrow]
    names = list(match.g.generals)
    for space in narrow:
        for seat in (one["seat"] for one in crowd["seats"]):
            for part, cus in (
                ("outside", {"loyal": 2, "royal": 1, "mercenary": 3, "elephant": 1}),
                ("inside", {"mercenary": 2}),
                ("sea", {"loyal": 4}),
            ):
                who = [names[len(crowd["armies"]) % len(names)]] if part != "inside" else []
                crowd["armies"].append(
                    {"seat": seat, "space": space, "part": part, "generals": who, "cus": cus, "total": sum(cus.values())}
                )
    return crowd


@pytest.mark.parametrize("language", languages())
def test_a_crowd_is_spelled_out_below_the_map(fullest: tuple[Match, dict[str, Any]], language: str) -> None:
    match, position = fullest
    crowd = crowded(match, position)
    svg = picture(crowd, words(match, language))
    assert wrong(svg, crowd) == []
    assert len(seen(svg, 1120).bundles) >= 10


# --- what it may cost --------------------------------------------------------------------------------------------


def test_a_picture_is_small(five: tuple[Match, dict[str, Any]]) -> None:
    for match, position in (five, list(positions(KEPT / "five.yaml.gz", 4))[-1]):
        for language in languages():
            svg = picture(position, words(match, language))
            assert len(svg.encode()) <= 150_000 and seen(svg, 1120).elements <= 1500


def test_a_long_time_is_told_by_its_last_changes(five: tuple[Match, dict[str, Any]]) -> None:
    match, position = five
    assert len(position["changes"]) > 60
    told = seen(picture(position, words(match)), 1120).told
    assert len(told) == 30


def test_arrows_have_heads_and_changes_their_cus_points_and_dice() -> None:
    """All stand where they cover nothing; the list below has those that found no room."""
    moves = heads = flagged = flags = 0
    for log in LOGS:
        for match, position in positions(log, 4):
            changes = position["changes"][-20:]
            svg = picture({**position, "changes": changes}, words(match))
            moves += sum(row["what"] == "move" for row in changes)
            heads += len(re.findall("data-head", svg))
            flagged += sum(bool(carried(row)) for row in changes)
            flags += len(re.findall(r'data-number="\d+"><rect', svg))
    assert moves > 100 and heads >= 0.95 * moves and 0.8 * flagged <= flags <= flagged


@pytest.mark.parametrize("language", languages())
def test_nothing_of_the_margins_is_cut(fullest: tuple[Match, dict[str, Any]], language: str) -> None:
    match, position = fullest
    assert "…" not in picture(position, words(match, language))


# --- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["<b>&\"'", "שלום עולם", "محمد بن سلمان", "W" * 60, "\u202ereversed\x07"])
def test_names_that_players_have(fullest: tuple[Match, dict[str, Any]], name: str) -> None:
    match, position = fullest
    odd = {**position, "title": name, "seats": [{**one, "name": name} for one in position["seats"]]}
    svg = picture(odd, words(match, **{one["seat"]: name for one in position["seats"]}))
    assert wrong(svg, odd) == [] and "\u202e" not in svg and "<b>" not in svg


def test_the_names_are_those_of_language_and_edition(fullest: tuple[Match, dict[str, Any]]) -> None:
    match, position = fullest
    assert ">Pella<" in picture(position, words(match)) and ">Пелла<" in picture(position, words(match, "ru"))
    third = {**position, "edition": "third"}
    assert ">Smyrna<" in picture(third, words(match)) and ">MACEDON<" in picture(third, words(match, "de"))
    assert ">Пергам<" in picture(third, words(match, "ru"))


# --- parts, corrected boards -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "focus"),
    [("province", "lydia"), ("province", "aigyptos"), ("province", "rhodos"), ("province", "armenia"), ("space", "pella"),
     ("space", "rhodos"), ("space", "tp_sinai"), ("region", "europe"), ("region", "asia"), ("region", "islands")])
def test_a_focus_collides_no_more_than_the_whole(fullest: tuple[Match, dict[str, Any]], kind: str, focus: str) -> None:
    match, position = fullest
    made_of = drawn(match, words(match), title="g", head="ab" * 32, focus=(kind, focus))
    high = Layout(position["board"], around(position, kind, focus)).height
    found = seen(made_of.svg, high)
    assert not [fault for fault in wrong(made_of.svg, position, high) if "collide" in fault or "lies outside" in fault]
    for space in within(position, kind, focus):
        assert any(mark.startswith(f"space {space} ") for mark in found.marks)
    there = [f"army {army['seat']} {army['space']} {army['part']}" for army in position["armies"]
             if army["space"] in around(position, kind, focus)]
    assert all(found.marks[mark] == 1 for mark in there)
    assert set(within(position, kind, focus)) <= set(around(position, kind, focus))


def test_a_plain_map_has_no_panels(fullest: tuple[Match, dict[str, Any]]) -> None:
    match, position = fullest
    svg = picture(position, words(match), plain=True)
    assert "data-panel" not in svg and "standing" not in svg and 'data-mark="army' in svg


def test_a_corrected_board_is_drawn_as_corrected(tmp_path: Path) -> None:
    """In a game under way: kinds, paths and Provinces change, a space goes, others and a Province come in."""
    game = small_game.found(tmp_path / "g")
    corrections = [
        {"datum": "spaces.megalopolis", "value": None}, {"datum": "spaces.gordion.province", "value": "bithynia"},
        {"datum": "spaces.ankyra", "value": {"name": "Ankyra", "kind": "stronghold", "province": "phrygia"}},
        {"datum": "paths.ankyra-gordion", "value": "mountain"}, {"datum": "paths.pella-larisa", "value": "mountain"},
        {"datum": "provinces.lokris", "value": {"name": "Lokris", "vp": 1, "majority": 1, "region": "europe"}},
        {"datum": "spaces.lamia.province", "value": "lokris"},
        {"datum": "provinces.bithynia.majority", "value": 3}, {"datum": "provinces.phrygia.majority", "value": 3}]
    match = Match(game.game.header, corrections)
    match.fold(game.game.entries, range(len(game.game.entries)))
    data = chart(match, None, title="corrected", head="0" * 16)
    svg = picture(data, words(match))
    assert wrong(svg, data) == []
    assert ">Ankyra<" in svg and ">LOKRIS<" in svg and "megalopolis" not in svg
    assert set(re.findall('data-patch="(\\w+)"', svg)) == {"gordion", "ankyra", "lamia"}
    counts = dict(re.findall('data-path="(\\w+)" data-count="(\\d+)"', svg))
    assert sum(map(int, counts.values())) == len(data["board"]["paths"])


def test_every_path_is_drawn_in_its_kind(fullest: tuple[Match, dict[str, Any]]) -> None:
    match, position = fullest
    counts = dict(re.findall('data-path="(\\w+)" data-count="(\\d+)"', picture(position, words(match))))
    for kind in ("land", "mountain", "strait", "sea", "trans"):
        assert int(counts[kind]) == sum(path[2] == kind for path in position["board"]["paths"])
    patterns = [tuple((width, dash) for _, width, dash in lines) for lines in drawing.ground.LINES.values()]
    assert len(set(patterns)) == len(patterns)


# --- in words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_the_board_in_words_tells_of_every_army(fullest: tuple[Match, dict[str, Any]], language: str) -> None:
    match, position = fullest
    said = words(match, language)
    whole = "\n".join(region(position, said, list(position["board"]["spaces"])))
    short = "\n".join(summary(position, said))
    for army in position["armies"]:
        for general in army["generals"]:
            assert str(said.general(general)) in whole and str(said.general(general)) in short
    assert len(whole.splitlines()) == len(position["board"]["spaces"])
    assert short.startswith(sentence(position, said))
    assert all(str(row["VP"]) in sentence(position, said) for row in position["standings"])


def test_every_line_of_the_drawing_is_drawn() -> None:
    """No sentence that nothing uses: each key stands in the code, or is made of what happened."""
    code = "".join(path.read_text() for path in Path(drawing.__file__).parent.glob("*.py"))
    made_of = {"tried", *ROUTES, "fight_land", "fight_sea", "siege", "fell", "control", "province", "dropped", "cart", "tomb"}
    unused = [key for key in sentences("en", "drawing") if not re.search(rf"[\"']{key}(?=[\"'.])", code) and key not in made_of]
    assert unused == []


@pytest.mark.parametrize("language", languages())
def test_what_happened_can_be_said(five: tuple[Match, dict[str, Any]], language: str) -> None:
    match, _ = five
    voice = Voice(words(match, language), "fourth")
    row = {"seat": "red", "general": "antigonos", "path": ["pella", "larisa"], "cus": 3, "space": "pella", "generals": [],
           "royals": ["herakles"],
           "sides": ["red", "blue"], "winner": "", "points": 2, "rolled": "4 6 / 1 2", "spaces": ["pella", "larisa"],
           "province": "lydia", "old": ""}
    keys = ["tried", *ROUTES, "fight_land", "fight_sea", "siege", "fell", "control", "province", "dropped"]
    said = [voice.say(key, **{**row, **more}) for key in keys for more in ({}, {"winner": "red"}, {"seat": ""}, {"cus": None})]
    assert not [one for one in said if re.search(r"None|[{}]|  | [.,;:]", one)]


def test_rare_marks_are_drawn_too(fullest: tuple[Match, dict[str, Any]]) -> None:
    """The Helepolis before a city, a Capital, Cart and Tomb, a stack at sea, Siege Points that nobody besieges for."""
    match, position = fullest
    rare = copy.deepcopy(position)
    rare["marks"] += [{"what": "helepolis", "facts": {"space": "sousa", "seat": "red"}},
                      {"what": "capitals", "facts": {"space": "gordion", "seat": "black"}}]
    rare["board"]["spaces"]["gordion"]["kind"] = "major"
    rare["royals"] = [{"royal": "cart", "seat": "red", "space": "issos", "part": "outside"},
                      {"royal": "tomb", "seat": "", "space": "memphis", "part": "outside"}]
    rare["armies"].append({"seat": "red", "space": "kydonia", "part": "sea", "generals": ["antigonos"], "cus": {"silver": 2},
                           "total": 2})
    rare["sieges"] = [{"space": "sousa", "owner": "green", "by": [], "points": 2, "points_of": "red", "needed": 3,
                       "helepolis": True}]
    svg = picture(rare, words(match))
    assert wrong(svg, rare) == []
    assert ">2/3<" in svg and ">Helepolis<" in svg and ">Funeral Cart<" in svg and ">Tomb<" in svg
