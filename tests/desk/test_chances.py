"""Chances asked for by hand."""

import sys
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from small_game import MARCH, again, at_window, found

from pbem.base.errors import PbemError, Refused, Unreadable
from pbem.components.corrections import as_written
from pbem.components.shipped import shipped
from pbem.desk import chances, showing
from pbem.desk.desk import Desk
from pbem.play import span


@pytest.mark.parametrize("words, said", [
    ("battle Antigonos Lysimachos", "Red attacks Blue at Sardeis: Red wins "),
    ("battle antigonos against lysimachos at Ephesos", "Red attacks Blue at Ephesos: Red wins "),
    ("intercept Lysimachos into Ephesos", "Lysimachos intercepts into Ephesos with 4+: 50%."),
    ("evade Lysimachos from red", "Lysimachos gets away from Sardeis with 3+: 67%."),
    ("siege Antigonos Sardeis", "Siege of Sardeis: it falls at once "),
])
def test_the_command_says_it_in_one_sentence(tmp_path, words, said):
    desk = found(tmp_path / "g")
    assert chances.said(desk, chances.rows(desk, words.split()), showing.words(desk)).startswith(said)
    public = again(tmp_path / "g", published=True)
    assert chances.said(public, chances.rows(public, [words]), showing.words(public)).startswith(said)


@pytest.mark.parametrize("words, error", [
    ("", Unreadable), ("battle", Unreadable), ("storm Pella", Unreadable), ("battle red blue Pella", Refused),
    ("evade red", Unreadable), ("siege", Unreadable), ("intercept Lysimachos", Unreadable), ("battle Pela red", PbemError),
    ("siege red Halikarnassos", Refused), ("siege Sardeis", Unreadable), ("battle red black", Unreadable),
])
def test_what_it_cannot_read_it_says_kindly(tmp_path, words, error):
    with pytest.raises(error):
        chances.rows(found(tmp_path / "g"), words.split())


@pytest.mark.parametrize("words", [
    "battle Ptolemaios Lysimachos Sardeis", "battle Lysimachos Ptolemaios", "battle red Ptolemaios", "siege Ptolemaios Sardeis",
    "evade Ptolemaios", "evade Leosthenes red", "intercept Ptolemaios Sardeis"])
def test_whoever_is_not_on_the_map_comes_to_no_battle_and_gets_away_from_none(tmp_path, words):
    with pytest.raises(Refused, match="general not on map") as refused:
        chances.rows(found(tmp_path / "g"), words.split())
    assert refused.value.rule == ("12.1" if words.startswith("evade") else "11.2")


def test_where_both_sides_stand_they_fight(tmp_path):
    desk = at_window(tmp_path / "g")
    desk.order("blue", "intercept Lysimachos from Sardeis")
    desk.order("yellow", "pass", throws=[(6, "")], reason="a test")
    (key, facts), = chances.rows(desk, ["battle red blue"])
    assert (key, facts["at"], facts["attacker"], facts["defender"]) == ("battle", "ephesos", "red", "blue")


def test_who_intercepts_fights_only_if_he_can_come_and_somebody_is_there(tmp_path):
    """Eumenes has nobody with him; Philoxenos is still to be placed."""
    alone = {"owner": "black", "at": "pella", "generals": ["eumenes"], "cus": {}}
    desk = found(tmp_path / "g", {**MARCH, "forces": [*MARCH["forces"], alone]})
    asked = {one: [key for key, _ in chances.rows(desk, [f"intercept {one}"])] for one in (
        "Antigonos Sardeis", "Antigonos Ephesos", "Philoxenos Sardeis", "Eumenes Sardeis")}
    assert asked == {"Antigonos Sardeis": ["intercept", "arrives"], "Antigonos Ephesos": ["intercept"],
                     "Philoxenos Sardeis": ["intercept"], "Eumenes Sardeis": ["intercept"]}


def test_who_evades_does_not_go_where_the_mover_comes_from(tmp_path: Path) -> None:
    """What is left to Lysimachos in Kyrene is a Transit Point, for which the 3rd edition takes one off the die."""
    forces = [{**MARCH["forces"][0], "at": "euesperides"}, {**MARCH["forces"][1], "at": "kyrene", "cus": {"mercenary": 1}}]
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "spaces": {"euesperides": "blue"}, "forces": forces},
                 edition="third")
    desk.order("red", "march Antigonos > Kyrene yes")
    assert desk.match.question is not None and desk.match.question.about["needed"] == {"lysimachos": 5}
    assert [needed(desk, f"evade Lysimachos{mover}") for mover in ("", " from red", " from Antigonos", " from yellow")] == [
        5, 5, 5, 4]


def test_whoever_is_under_way_elsewhere_is_in_nobodys_way(tmp_path: Path) -> None:
    """Kassandros in Gaza may go to Petra, where Antigonos has come from who stands in Aila."""
    forces = [{**MARCH["forces"][0], "at": "petra"}, {**MARCH["forces"][1], "at": "aila", "cus": {"mercenary": 1}},
              {**MARCH["forces"][2], "at": "gaza"}]
    spaces = {"petra": "yellow", "hierosolyma": "black", "ake": "black"}
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "spaces": spaces, "forces": forces}, edition="third")
    desk.order("red", "march Antigonos > Aila yes")
    assert desk.match.question is not None and desk.match.question.about["origin"] == "petra"
    assert [needed(desk, f"evade {one}") for one in ("Kassandros", "Kassandros from red", "Lysimachos")] == [4, 4, 5]


def test_who_is_harder_to_get_away_from_is_so_whether_he_is_named_or_has_come(tmp_path: Path) -> None:
    """Leonnatos takes one off their dice, once his card has been read."""
    def ready(at: str) -> Desk:
        forces = [{**MARCH["forces"][0], "generals": ["leonnatos"], "at": at}, {**MARCH["forces"][1], "at": "ephesos"}]
        desk = found(tmp_path / at, {**MARCH, "mp": {"leonnatos": 4}, "forces": forces})
        desk.amend(as_written([{"datum": "generals.leonnatos.ability.on_by_default", "value": True}]), "read off the card")
        return desk

    beside, come = ready("ephesos"), ready("halikarnassos")
    come.order("red", "march Leonnatos > Ephesos yes")
    asked = ("evade Lysimachos", "evade Lysimachos from red", "evade Lysimachos from yellow")
    assert [needed(beside, line) for line in asked] == [3, 4, 3]        # nobody in particular, where nobody is under way
    assert [needed(come, line) for line in asked] == [4, 4, 3]


def needed(desk: Desk, line: str) -> int:
    (key, facts), = chances.rows(desk, [line])
    assert key == "evade" and isinstance(facts["needed"], int)
    return facts["needed"]


def test_a_siege_is_of_whoever_stands_there_and_does_not_hold_it(tmp_path):
    desk = found(tmp_path / "g", {**MARCH, "spaces": {"sardeis": "yellow"}})
    (key, facts), = chances.rows(desk, ["siege Sardeis"])
    assert (key, facts["space"]) == ("siege", "sardeis")
    desk = found(tmp_path / "h")
    with pytest.raises(Unreadable):
        chances.rows(desk, ["siege Sardeis"])


@pytest.mark.parametrize("words", ["battle Antigonos Antigonos", "battle red Antigonos", "battle red red Halikarnassos"])
def test_nobody_fights_himself(tmp_path, words):
    with pytest.raises(Unreadable) as refused:
        chances.rows(found(tmp_path / "g"), words.split())
    assert refused.value.facts["suggestions"] == ["battle ATTACKER DEFENDER [SPACE]"]


def test_the_chance_of_a_battle_has_a_span_until_somebody_has_read_the_battle_table(tmp_path):
    """The rules name eight cells; what lies between them is a guess."""
    desk = found(tmp_path / "g")
    said = showing.words(desk)
    assert "nobody has confirmed" not in chances.said(desk, chances.rows(desk, ["battle Antigonos Lysimachos"]), said)
    desk.match.header["data"] = 2                           # as every game that begins now
    desk.match.mark_doubts()
    (key, facts), = chances.rows(desk, ["battle Antigonos Lysimachos"])
    least, most = facts["span"]
    assert key == "battle" and 0 < least <= facts["win"] <= most < 1
    assert f"({least:.0%} to {most:.0%}: nobody has confirmed the Battle Table)" in chances.said(desk, [(key, facts)], said)
    desk.match.confirmed = ["tables.battle"]
    desk.match.mark_doubts()
    (_, facts), = chances.rows(desk, ["battle Antigonos Lysimachos"])
    assert facts["span"] is None


def test_a_table_that_nobody_has_read_is_named_to_whom_it_concerns_and_to_nobody_else(tmp_path):
    desk = found(tmp_path / "g")
    desk.match.header["data"] = 2
    desk.match.mark_doubts()

    def told(line):
        return chances.said(desk, chances.rows(desk, [line]), showing.words(desk)).splitlines()[1:]

    assert told("battle Antigonos Lysimachos") == ["Not confirmed from the box: the Battle Table."]
    assert told("evade Kassandros") == []
    desk.match.confirmed = ["tables.battle"]
    desk.match.mark_doubts()
    assert told("battle Antigonos Lysimachos") == []


@pytest.mark.parametrize("ours", [2, 4, 5])
@pytest.mark.parametrize("theirs", [2, 3, 6])
def test_the_chance_lies_in_its_span(ours: int, theirs: int, tmp_path):
    """The tutorial told of 23 %, somewhere from 2 to 21."""
    red, blue = ({**one, "cus": {"loyal": number}} for one, number in zip(MARCH["forces"], (ours, theirs), strict=False))
    desk = found(tmp_path / "g", {**MARCH, "forces": [red, blue]})
    desk.match.header["data"] = 2
    desk.match.mark_doubts()
    for one in ("battle Antigonos Lysimachos", "battle Lysimachos Antigonos"):
        (_, facts), = chances.rows(desk, [one])
        least, most = facts["span"]
        assert least <= facts["win"] <= most


def test_tables_that_lie_farthest_apart_have_the_cells_that_the_rules_name():
    columns = shipped()["tables"]["battle"]["columns"]
    labels, rolls = tuple(str(column["label"]) for column in columns), tuple(range(2, 13))
    known = span.known_cells()
    assert len(known) == 8
    for table in span.allowed(labels, rolls):
        for (label, roll), score in known.items():
            assert table[labels.index(label)][rolls.index(roll)] == score
        assert all(a <= b for column in table for a, b in pairwise(column))             # never falls with a better roll
        assert all(a <= b for row in zip(*table, strict=True) for a, b in pairwise(row))    # nor with a greater strength


def test_a_span_is_what_its_tables_give_way_by_way():
    table, rng = shipped()["tables"]["battle"], Random(2)
    columns, rolls = table["columns"], tuple(range(2, 13))
    ours_is = tuple(tuple(column["scores"]) for column in columns)
    tables = (ours_is, *span.allowed(tuple(str(column["label"]) for column in columns), rolls))

    def score(one: span.Table, strength: int, roll: int) -> int:
        at = next(at for at, column in enumerate(columns) if column["max"] is None or strength <= column["max"])
        return one[at][min(max(roll, 2), 12) - 2] if strength > 0 else table["strength_zero_score"]

    for _ in range(5):
        ours, theirs = (Counter({(rng.randint(0, 30), rng.randint(1, 14)): rng.randint(1, 3) for _ in range(9)})
                        for _ in range(2))
        wins = [Fraction(sum(ours[one] * theirs[other] for one in ours for other in theirs
                             if score(made, *one) > score(made, *other)), ours.total() * theirs.total()) for made in tables]
        assert span.won(table, ours, theirs) == (min(wins), max(wins))


def test_to_count_a_battle_nothing_is_read_anew_that_came_in_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """That took longer than all the rest of a question about a battle."""
    monkeypatch.delitem(sys.modules, "pbem.components.sources", raising=False)
    assert span.known_cells()
    assert "pbem.components.sources" not in sys.modules


def test_what_our_own_table_says_lies_in_the_span():
    """Of the tables farthest apart none need be the one in between that makes the fewest draws."""
    table, rng = shipped()["tables"]["battle"], Random(1)

    def score(strength: int, roll: int) -> int:
        column = next(one for one in table["columns"] if one["max"] is None or strength <= one["max"])
        return int(column["scores"][roll - 2])

    for _ in range(40):
        ours, theirs = (Counter({(rng.randint(1, 20), rng.randint(2, 12)): 1 for _ in range(6)}) for _ in range(2))
        wins = Fraction(sum(score(*one) > score(*other) for one in ours for other in theirs), ours.total() * theirs.total())
        least, most = span.won(table, ours, theirs)
        assert least <= wins <= most
