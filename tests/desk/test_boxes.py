"""Games with a box: begun with a filled form, or taking a newer one while they are under way."""

import re
from pathlib import Path

import pytest
from small_game import MARCH, found

from pbem.base.errors import BadLog, Refused
from pbem.components import form
from pbem.components.corrections import as_written
from pbem.components.shipped import shipped
from pbem.desk import answering, beginning, boxes, deadline, overview, reporting, showing
from pbem.desk.desk import Desk
from pbem.log import gamelog
from pbem.play import verify
from pbem.rules import effects, marriage

SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": "Cora"}, "black": {"name": "Dora"}}
BLANK = form.written(shipped(), shipped(), by="Anna", on="2026-11-20")


def filled(place: Path, *changes: tuple[str, str], ticked: bool = False) -> Path:
    text = re.sub(r"^  \[[ =]\]", "  [x]", BLANK, flags=re.MULTILINE).replace("as ours: ?", "as ours: y") if ticked else BLANK
    for old, new in changes:
        assert re.search(old, text), old
        text = re.sub(old, new, text, count=1)
    place.write_text(text)
    return place


ELDER = {"name": "Attalos the Elder", "seniority": 21, "initiative": 3, "battle": 2}


def begun(place: Path, box: str) -> beginning.Founded:
    return beginning.found(place, "g", SEATS, {"edition": "fourth"}, by_hand=True, words_until="", write=True, box=box)


KRATEROS = (r"\[.\] Krateros .*", "[x] Krateros 4 2 | none")


def test_a_game_begins_with_a_box_and_the_head_vouches_for_it(tmp_path: Path) -> None:
    box = filled(tmp_path / "box.yaml", KRATEROS)
    for name, path in (("with", str(box)), ("without", "none")):
        posted = begun(tmp_path / name, path)
        assert ("Anna read off the box on 2026-11-20" in str(posted)) == (name == "with")
        assert "Not confirmed from the box: the Battle Table" in str(posted)
    game = Desk(tmp_path / "with")
    assert game.match.g.generals["krateros"].battle == 2
    assert {"datum": "generals.krateros.battle", "value": 2} in game.game.header["box"]["corrections"]
    assert game.game.heads()[0] != Desk(tmp_path / "without").game.heads()[0]


def test_the_usual_place_counts_for_every_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert boxes.chosen("") is None
    (tmp_path / "pbem").mkdir()
    filled(tmp_path / "pbem" / "box.yaml", KRATEROS)
    assert (boxes.chosen("") or pytest.fail()).corrections and boxes.chosen("none") is None


def test_the_usual_place_is_named_by_pbem_box_or_lies_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("PBEM_BOX", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert boxes.usual_place() == tmp_path / ".config" / "pbem" / "box.yaml"
    monkeypatch.setenv("PBEM_BOX", str(tmp_path / "ours.yaml"))
    assert boxes.usual_place() == tmp_path / "ours.yaml"
    assert boxes.usual_place("third") == tmp_path / "ours.third.yaml"


def test_a_game_by_another_edition_takes_the_form_of_its_own_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "pbem").mkdir()
    filled(tmp_path / "pbem" / "box.yaml", KRATEROS)
    assert boxes.chosen("", "third") is None
    with pytest.raises(BadLog) as refused:
        boxes.chosen(str(tmp_path / "pbem" / "box.yaml"), "third")
    assert (refused.value.key, refused.value.facts["wanted"]) == ("box_of_another", "third")
    third = shipped("third")
    text = form.written(third, third, edition="third").replace("[ ] generals.perdikkas.third.stars: 3",
                                                               "[x] generals.perdikkas.third.stars: 2")
    (tmp_path / "pbem" / "box.third.yaml").write_text(text)
    seats = {colour: {"name": colour} for colour in ("blue", "red", "green", "yellow")}
    beginning.found(tmp_path / "g", "g", seats, {"edition": "third"}, by_hand=True, words_until="", write=True, box="")
    assert Desk(tmp_path / "g").match.g.facts.stars("perdikkas") == 2


def test_a_form_with_faults_begins_nothing(tmp_path: Path) -> None:
    box = filled(tmp_path / "box.yaml", (r"\[.\] Krateros .*", "[x] Krateros nine"))
    with pytest.raises(BadLog) as refused:
        begun(tmp_path / "g", str(box))
    assert refused.value.facts["line"] > 0 and not (tmp_path / "g").exists()


def test_a_confirmed_table_is_doubted_no_more(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.game.header["data"] = 2
    assert Desk(tmp_path / "g").match.unconfirmed() == []           # a log of before never said so
    boxes.change_to(game, filled(tmp_path / "box.yaml", ticked=True), "the evening is done", yes=True)
    assert "tables.battle" in game.match.confirmed
    assert game.match.unconfirmed() == []
    again = Desk(tmp_path / "g")
    assert again.match.confirmed == game.match.confirmed and len(again.game.entries) == len(game.game.entries)


def test_a_game_under_way_takes_a_newer_form_by_one_entry(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    before = len(game.game.entries)
    box = filled(tmp_path / "box.yaml", KRATEROS, (r"\[.\] Trikka .*", "[x] Trikka stronghold | mountain Lamia; land Larisa"))
    boxes.change_to(game, box, "the box was here", yes=True)
    entry = game.game.entries[before]
    assert entry["box"]["by"] == "Anna" and {one["datum"] for one in entry["amend"]} >= {
        "generals.krateros.battle", "generals.krateros.ability", "spaces.trikka.kind"}
    again = Desk(tmp_path / "g")
    assert again.match.g.generals["krateros"].battle == 2 and again.match.g.board.kind("trikka") == "stronghold"
    assert "data are corrected as Anna read them off the box" in reporting.report(again, "public", None, "md")
    with pytest.raises(Refused, match="nothing to amend"):
        boxes.change_to(again, box, "once more")


def test_a_form_that_only_confirms_or_only_corrects_is_taken(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    boxes.change_to(game, filled(tmp_path / "corrects.yaml", KRATEROS), "the box was here", yes=True)
    confirmed = list(game.match.confirmed)
    boxes.change_to(game, filled(tmp_path / "other.yaml", (KRATEROS[0], "[x] Krateros 4 3 | none")), "read once more", yes=True)
    assert game.match.g.generals["krateros"].initiative == 4 and sorted(game.match.confirmed) == sorted(confirmed)
    ticked = filled(tmp_path / "confirms.yaml", (KRATEROS[0], "[x] Krateros 4 3 | none"), (r"\[.\] Trikka", "[x] Trikka"))
    boxes.change_to(game, ticked, "one more line is ticked")
    assert len(game.match.confirmed) > len(confirmed)
    with pytest.raises(Refused, match="nothing to amend"):
        boxes.change_to(game, ticked, "once more")


def test_data_that_go_together_are_amended_together(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    port, path = {"datum": "spaces.issos.port", "value": "yes"}, {"datum": "paths.issos-tarsos", "value": ["land", "sea"]}
    for alone in (port, path):
        with pytest.raises(BadLog):
            game.amend([alone], "")
    game.amend([port, path], "read off the board")
    assert Desk(tmp_path / "g").match.g.board.is_port("issos")


def test_what_it_does_to_the_position_is_told_before_it_is_done(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "provinces": {"krete": "yellow"}})
    entries, g = len(game.game.entries), game.match.g
    assert g.province_controller("krete") == "yellow"
    points = g.tallies["yellow"][1]
    with pytest.raises(Refused) as refused:
        game.amend([{"datum": "provinces.krete.vp", "value": 9}], "")
    assert f"and {points + 8} VP, not" in showing.sentence(refused.value) and len(game.game.entries) == entries
    game.amend([{"datum": "provinces.krete.vp", "value": 9}], "", yes=True)
    assert game.match.g.tallies["yellow"][1] == points + 8


def test_a_province_that_changes_hands_by_it_is_named(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "spaces": {**MARCH["spaces"], "kydonia": "yellow"}})
    assert game.match.g.province_controller("krete") == ""
    with pytest.raises(Refused) as refused:
        game.amend([{"datum": "provinces.krete.majority", "value": 1}], "")
    assert "Krete goes from nobody to Yellow" in showing.sentence(refused.value)


def test_a_space_with_pieces_cannot_go_and_one_without_goes(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    at = next(space for space in game.match.g.cus if "/" not in space)
    with pytest.raises((Refused, BadLog)) as refused:
        game.amend([{"datum": f"spaces.{at}", "value": None}], "", yes=True)
    assert refused.value.key in ("still_in_play", "corrections_contradict", "named_in_rules")
    game.amend([{"datum": "spaces.megalopolis", "value": None}], "", yes=True)
    game.amend([{"datum": "spaces.onchestos", "value": {"name": "Onchestos", "kind": "minor", "province": "hellas"}},
                {"datum": "paths.onchestos-boiotia", "value": "land"},
                {"datum": "generals.attalos2", "value": ELDER}], "", yes=True)
    again = Desk(tmp_path / "g").match
    assert "megalopolis" not in again.g.board.spaces and again.names.resolve("space", "Onchestos") == "onchestos"
    assert again.g.generals["attalos2"].at == "not in play"


def test_a_list_in_a_file_is_read_with_its_lines(tmp_path: Path) -> None:
    game, file = found(tmp_path / "g"), tmp_path / "list.yaml"
    file.write_text("- {datum: spaces.issos.port, value: yes}\n- {datum: paths.issos-tarsos, value: [land, sea]}\n")
    assert len(boxes.listed(game, file)) == 2
    file.write_text("- {datum: spaces.issos.port, value: yes}\n- {datum: paths.issos-tarsos}\n")
    with pytest.raises(BadLog) as refused:
        boxes.listed(game, file)
    assert refused.value.facts["line"] == 2


@pytest.mark.parametrize("text", ["just words\n", "7\n", "", "[]\n", "{datum: spaces.issos.port, value: yes}\n",
                                  "- {datum: spaces.issos.port, value: yes}\n- issos\n"])
def test_what_is_no_list_of_corrections_is_told_to_be_none(tmp_path: Path, text: str) -> None:
    game, file = found(tmp_path / "g"), tmp_path / "list.yaml"
    file.write_text(text)
    with pytest.raises(BadLog) as refused:
        boxes.listed(game, file)
    assert refused.value.key == "no_list" and "list.yaml, line 1: " in showing.sentence(refused.value)


def test_a_list_corrects_what_an_earlier_correction_brought(tmp_path: Path) -> None:
    game, file = found(tmp_path / "g"), tmp_path / "list.yaml"
    game.amend([{"datum": "generals.attalos2", "value": ELDER}], "", yes=True)
    file.write_text("- {datum: generals.attalos2.battle, value: 3}\n- {datum: generals.kassandros.battle, value: 4}\n")
    game.amend(boxes.listed(game, file), "read off the card", yes=True)
    generals = Desk(tmp_path / "g").match.g.generals
    assert (generals["attalos2"].battle, generals["kassandros"].battle) == (3, 4)


def test_a_list_corrects_what_only_the_box_of_the_games_edition_has(tmp_path: Path) -> None:
    seats, file = {colour: {"name": colour} for colour in ("blue", "red", "green", "yellow")}, tmp_path / "list.yaml"
    beginning.found(tmp_path / "g", "g", seats, {"edition": "third"}, by_hand=True, words_until="", write=True, box="none")
    file.write_text("- {datum: cards.61.name, value: Another title}\n")
    assert boxes.listed(Desk(tmp_path / "g"), file)
    with pytest.raises(BadLog) as refused:
        boxes.listed(found(tmp_path / "h"), file)
    assert refused.value.key == "unknown_datum"


def test_the_log_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    boxes.change_to(game, filled(tmp_path / "box.yaml", KRATEROS), "", yes=True)
    read = gamelog.read_game(tmp_path / "g")
    assert read.entries[-1]["amend"] if "amend" in read.entries[-1] else read.entries[-2]["amend"]


# --- cards that the moderator plays -------------------------------------------------------------------------------

SAYS = {"effect_key": "by_ruling", "params": {"says": "Two towns open their gates."}, "effect": ""}
RULED = {"datum": "cards.12", "value": SAYS}


def test_a_card_by_ruling_stops_until_the_moderator_has_ruled(tmp_path: Path) -> None:
    tyche = {**MARCH, "segment": {"player": "red", "kind": "tyche"}, "hands": {"red": 2}}
    game = found(tmp_path / "g", tyche, cards={"red": ["12", "57"]})
    game.amend([RULED], "read off the card")
    done = game.order("red", "play 12 as event")
    assert [one.state for one in done] == ["done"]
    question = game.match.question
    assert (question.kind, question.sides) == ("card_ruling", ("moderator",))
    told = {"by": "red", "card": "12", "rule": "6.2A", **question.about}
    assert "Two towns open their gates." in showing.words(game).tell("questions", "card_ruling.what", told)
    assert "pbem ruling" in overview.status(game)
    assert deadline.closing(game) is None                           # no silence answers for the moderator
    game.ruling("Lamia and Larisa open their gates", reason="the card", facts={"spaces": {"larisa": "red"}})
    assert game.match.question.kind == "tyche" and game.match.g.controller("larisa") == "red"
    again = Desk(tmp_path / "g")
    assert again.match.question.id == game.match.question.id and again.match.g.ruled == set()


def test_a_surprise_card_by_ruling_keeps_to_its_moment(tmp_path: Path) -> None:
    game = found(tmp_path / "g", cards={"red": ["57", "52"]})
    value = {**SAYS, "timing": ["when_general_killed"]}
    game.amend([{"datum": "cards.57", "value": value}], "")
    (refused,) = game.order("red", "play 57 as surprise")
    assert refused.state == "refused"
    game.amend([{"datum": "cards.57", "value": {**value, "timing": ["any_time_strategy_phase"]}}], "")
    assert [one.state for one in game.order("red", "play 57 as surprise")] == ["done"]


def test_a_fault_in_overrides_or_in_a_list_has_its_line(tmp_path: Path) -> None:
    found(tmp_path / "g")
    (tmp_path / "g" / "overrides.yaml").write_text(
        "- {datum: generals.kassandros.battle, value: 4}\n- {datum: generals.kassandros.battle, value: nine}\n")
    with pytest.raises(BadLog) as refused:
        Desk(tmp_path / "g")
    said = showing.sentence(refused.value)
    assert "overrides.yaml, line 2: generals.kassandros.battle needs a whole number from 0 to 6, and nine is none" in said
    assert "for example 4" in said
    (tmp_path / "list.yaml").write_text(
        "- {datum: generals.kassandros.battle, value: 4}\n- {datum: cards.5.params, value: {cu: 2}}\n")
    with pytest.raises(BadLog) as refused:
        boxes.listed(found(tmp_path / "other"), tmp_path / "list.yaml")
    assert "list.yaml, line 2: cards.5.params.cu" in showing.sentence(refused.value)


@pytest.mark.parametrize("overrides", ["", "- {datum: generals.kassandros.battle, value: 4}\n"])
def test_a_fault_in_an_entry_is_none_of_the_file_of_corrections(tmp_path: Path, overrides: str) -> None:
    folder = found(tmp_path / "g").folder
    (folder / "overrides.yaml").write_text(overrides)
    with (folder / "game.yaml").open("a") as log:
        log.write("- {amend: generals.kassandros.battle, value: nine, reason: a slip}\n")
    with pytest.raises(BadLog) as refused:
        Desk(folder)
    assert "overrides.yaml" not in (said := showing.sentence(refused.value)) and "entry 2 of the log" in said


SAID = "He may retire before a battle."


def test_an_ability_by_ruling_is_put_to_the_moderator(tmp_path: Path) -> None:
    first, *others = MARCH["forces"]
    game = found(tmp_path / "g", {**MARCH, "forces": [{**first, "generals": ["antigonos", "eumenes"]}, *others]})
    (refused,) = game.order("red", "use ability of Antigonos")
    assert refused.error.key == "no_ability_to_rule_on"
    game.amend(as_written([{"datum": f"generals.{name}.ability", "value": {
        "key": "retire", "text": SAID, "params": {"says": SAID}, "on_by_default": True}} for name in ("antigonos", "eumenes")]),
        "read off the cards")
    (refused,) = game.order("blue", "use ability of Antigonos")
    assert refused.state == "refused"
    (refused,) = game.order("red", "use ability of Eumenes")
    assert refused.error.key == "ability_of_commander"
    (done,) = game.order("red", "use ability of Antigonos")
    assert done.state == "done" and game.match.question.kind == "card_ruling"
    assert SAID in " ".join(overview.status(game).split())
    assert "the ability of Antigonos" in reporting.report(game, "public", 1, "md")
    game.ruling("Antigonos retires to Lamia", facts={})
    assert game.match.question.kind == "activation" and game.match.g.ruled == set()
    assert Desk(tmp_path / "g").match.question.id == game.match.question.id


def test_a_ruling_may_throw_dice_and_ask_a_seat_before_it_decides(tmp_path: Path) -> None:
    game = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}, "hands": {"red": 2}},
                 cards={"red": ["12", "57"]})
    game.amend([RULED], "read off the card")
    game.order("red", "play 12 as event")
    game.ruling("How many towns", roll=2)
    assert game.match.question.kind == "card_ruling"
    (rolled,) = [one for _, one in game.match.history if one.key == "ruling_rolled"]
    name, values = game.game.entries[-1]["dice"][0][:2]
    assert "ruling" in str(name) and rolled.facts["dice"][0] in (values, *([values] if isinstance(values, int) else values))
    game.ruling("Do they open their gates to you?", choice={"seat": "blue", "of": ["the gates stay shut", "they open"]})
    question = game.match.question
    assert (question.kind, question.sides) == ("ruling_choice", ("blue",))
    for beyond in ("choose 3", "choose 0"):
        (refused,) = game.order("blue", beyond)
        assert refused.error.key == "choose_one"
    assert question.silence("blue").number == 1
    assert [one.state for one in game.order("blue", "b")] == ["done"]
    assert "Blue chose they open." in reporting.report(game, "public", 1, "md")
    assert game.match.question.kind == "card_ruling"
    game.ruling("Larisa opens its gates", facts={"spaces": {"larisa": "red"}})
    assert game.match.question.kind == "tyche"
    assert [one.what for one in verify.verify(tmp_path / "g") if one.state == "failed"] == []


def test_an_offer_of_marriage_that_leaves_the_game_with_its_event_leaves_it_when_it_lapses(tmp_path: Path) -> None:
    """8.2, 6.2 A It lies open before its player first."""
    game = found(tmp_path / "g", {**MARCH, "turn": 2, "segment": {"player": "red", "kind": "tyche"}, "hands": {"red": 2},
                                  "family": {"thessalonike": {"at": "pella"}}}, cards={"red": ["12", "57"]})
    offer = next(one for one in shipped()["cards"].values() if one["effect_key"] == "marriage")
    does = {key: offer[key] for key in ("effect_key", "params", "timing", "effect")}
    does = {**does, "params": {**offer["params"], "royal": "thessalonike"}, "remove_after_event": True}
    game.amend(as_written([{"datum": "cards.12", "value": {**shipped()["cards"]["12"], **does}}]), "")
    (done,) = game.order("red", "play 12 as event")
    g = game.match.g
    assert done.state == "done" and "12" in g.shown and "12" not in g.discards
    for card in marriage.lapse(g):
        effects.leave_game(g, card)
    assert "12" in g.out and "12" not in g.discards and not g.shown


SECRET = "Whoever plays this may take a walk by the sea"


def test_what_a_card_says_word_for_word_is_its_holders_and_the_moderators_alone(tmp_path: Path) -> None:
    does = ["as ours: n", "does: by ruling", "says: Two towns open their gates.", "when: own_tyche_segment", f"print: {SECRET}"]
    box = filled(tmp_path / "box.yaml", (r"\[.\] (12 .*)\n((?: +#.*\n)*) +as ours: \?",
                                         r"[x] \1\n\2" + "\n".join(f"      {line}" for line in does)))
    assert boxes.sound(box).printed == {"cards.12": SECRET}
    tyche = {**MARCH, "segment": {"player": "red", "kind": "tyche"}, "hands": {"red": 2}}
    game = found(tmp_path / "g", tyche, cards={"red": ["12", "57"]})
    boxes.change_to(game, box, "the evening is done", yes=True)
    game = Desk(tmp_path / "g")
    assert SECRET in " ".join(answering.in_own_words(game, "red")) and answering.in_own_words(game, "blue") == []
    game.order("red", "play 12 as event")
    game = Desk(tmp_path / "g")
    assert SECRET in " ".join(overview.status(game).split())
    public = Desk(tmp_path / "g", published=True)
    told = [(tmp_path / "g" / "game.yaml").read_text(), *(reporting.report(game, who, 1, "md") for who in ("public", "blue"))]
    assert not any(SECRET in one for one in told) and SECRET not in overview.status(public)
    private = tmp_path / "g" / "private.yaml"
    private.write_text(private.read_text().replace("by the sea", "by the lake"))
    with pytest.raises(BadLog) as refused:
        Desk(tmp_path / "g")
    assert refused.value.key == "printed_changed"


def test_a_form_with_other_words_on_a_card_is_taken_for_them_alone(tmp_path: Path) -> None:
    box = tmp_path / "box.yaml"
    game = found(tmp_path / "g")
    for said in (SECRET, SECRET.replace("sea", "lake")):
        box.write_text(form.written(shipped(), shipped(), printed={"cards.12": said, "generals.eumenes": SECRET}))
        boxes.change_to(game, box, "read off the card")
        assert {card: one.text for card, one in Desk(tmp_path / "g").tray.printed.items()} == {
            "cards.12": said, "generals.eumenes": SECRET}
    assert set(game.game.entries[-1]["box"]["printed"]) == {"cards.12"}
    with pytest.raises(Refused, match="nothing to amend"):
        boxes.change_to(game, box, "once more")


def test_a_form_that_quotes_no_card_leaves_nothing_of_it_in_the_log(tmp_path: Path) -> None:
    begun(tmp_path / "g", str(filled(tmp_path / "box.yaml", KRATEROS)))
    assert "printed" not in gamelog.read_game(tmp_path / "g").header["box"]


def test_a_form_keeps_what_cards_say_word_for_word(tmp_path: Path) -> None:
    text = form.written(shipped(), shipped(), printed={"cards.12": SECRET, "generals.eumenes": SECRET})
    box = tmp_path / "box.yaml"
    box.write_text(text)
    assert boxes.sound(box).printed == {"cards.12": SECRET, "generals.eumenes": SECRET}
    founded = begun(tmp_path / "g", str(box))
    header = gamelog.read_game(tmp_path / "g").header
    assert set(header["box"]["printed"]) == {"cards.12", "generals.eumenes"} and SECRET not in str(founded)
    assert Desk(tmp_path / "g").tray.printed["cards.12"].text == SECRET
