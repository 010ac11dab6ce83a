"""The moderator's list: who waits for what, what to post, what to rule, what to type next; and as much as others may read."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from small_game import MARCH, NOON, SEATS, Desk, again, at_window, found

from pbem.components.corrections import as_written
from pbem.desk import beginning, overview, seeding, wishes
from pbem.desk.showing import PUBLIC
from pbem.desk.tray import Printed
from pbem.log import gamelog
from pbem.rules.war import MODERATOR

LATE = NOON + timedelta(days=30)


pytestmark = pytest.mark.usefixtures("noon")


def listed(desk: Desk) -> dict[str, str]:
    """What stands in the list, under its labels."""
    rows: dict[str, str] = {}
    label = ""
    for line in overview.status(desk).split("\n\n", 1)[1].splitlines():
        label = line[:10].strip() or label
        rows[label] = f"{rows.get(label, '')} {line[10:].strip()}".strip()
    return rows


def asking_the_moderator(folder: Path, **tray: Printed) -> Desk:
    """A General can do what only the moderator can read."""
    desk = found(folder)
    says = {"text": "He may retire.", "params": {"says": "He may retire."}, "key": "retire", "on_by_default": True}
    desk.amend(as_written([{"datum": "generals.antigonos.ability", "value": says}]), "read off the card")
    desk.tray.printed = dict(tray)
    desk.order("red", "use ability of Antigonos")
    return desk


# --- who is waited for -----------------------------------------------------------------------------------------------


def test_the_list_says_who_is_asked_since_when_who_has_answered_and_what_silence_means(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.order("blue", "pass")
    rows = listed(again(tmp_path / "g", now=NOON + timedelta(hours=3)))
    assert rows["waiting"] == ("T2.R1.red.3: interception at Ephesos Bruno (Blue) (answered) and Chiara (Yellow) (asked 3 h "
                               "ago) due Fri 20 Nov, 12:00 UTC, then: pass")
    assert rows["to rule"] == "nothing" and rows["next"] == f"pbem options {tmp_path}/g"
    assert [one["answered"] for one in overview.to_do(desk, MODERATOR)["waiting"]] == [True, False]


def test_what_was_asked_before_says_nothing_about_this_question(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert desk.tray.asked is not None
    desk.tray.asked = replace(desk.tray.asked, id="T1.R1.red.9", at="2026-11-01T00:00:00Z")
    assert {one["asked_since"] for one in overview.to_do(desk, MODERATOR)["waiting"]} == {"2026-11-18T12:00:00Z"}
    desk.tray.asked = None
    assert {one["asked_since"] for one in overview.to_do(desk, MODERATOR)["waiting"]} == {"2026-11-18T12:00:00Z"}


def test_a_copy_of_the_log_lists_what_everybody_knows(tmp_path: Path) -> None:
    at_window(tmp_path / "g").order("blue", "pass")
    alone = again(tmp_path / "g", published=True)
    assert listed(alone)["waiting"] == "T2.R1.red.3: interception at Ephesos due Fri 20 Nov, 12:00 UTC"
    assert listed(alone)["to post"] == "nothing" and "next" not in listed(alone)
    assert overview.to_do(alone, PUBLIC) == {
        "now": "2026-11-18T12:00:00Z", "waiting": [], "to_rule": [], "held": [], "next": ""}
    assert overview.status(again(tmp_path / "g"), PUBLIC) == overview.status(alone)


@pytest.mark.parametrize(("kind", "then"), [("tyche", ""), ("activation", "end segment")])
def test_where_silence_is_a_card_that_nobody_has_seen_it_is_not_listed(tmp_path: Path, kind: str, then: str) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": kind}}, cards=True)
    assert [one["then"] for one in overview.to_do(desk, MODERATOR)["waiting"]] == [then]


def test_when_the_game_is_over_nobody_is_waited_for(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert listed(desk)["waiting"] == "The game is over: nobody has won (by agreement of the players)."
    assert "next" not in listed(desk) and overview.status_data(desk)["question"] is None
    assert overview.status_data(desk)["over"] == {"by": "agreement"}


def test_programs_read_the_same_with_the_fingerprint_of_what_everybody_sees(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    data, alone = overview.status_data(desk), overview.status_data(again(tmp_path / "g", published=True))
    assert data["position"] == alone["position"] and data["head"] == alone["head"] == desk.game.head()
    assert (data["question"], data["turn"], data["player"], data["secrets"]) == ("T2.R1.red.3", 2, "red", "")
    assert data["to_post"] and "to_post" not in alone


# --- what to rule, and what is held ----------------------------------------------------------------------------------


def test_what_the_moderator_is_asked_stands_under_what_to_rule(tmp_path: Path) -> None:
    desk = asking_the_moderator(tmp_path / "g")
    (ruled,) = overview.to_do(desk, MODERATOR)["to_rule"]
    assert "Antigonos" in ruled["what"] and ruled["command"] == f"pbem ruling {tmp_path}/g ..."
    assert overview.to_do(desk, MODERATOR)["waiting"] == []
    assert listed(desk)["next"].startswith("pbem ruling") and overview.suggestion(desk).startswith(f"pbem ruling {tmp_path}/g ")


def test_what_the_box_says_stands_beside_it_if_its_form_had_it(tmp_path: Path) -> None:
    printed = Printed("He may retire to his tent.", "00" * 16)
    bare, told, other = (overview.to_do(asking_the_moderator(tmp_path / str(number), **tray), MODERATOR)["to_rule"][0]["what"]
                         for number, tray in enumerate(({}, {"generals.antigonos": printed}, {"cards.1": printed})))
    assert "to his tent" in told and told.startswith(bare) and other == bare


def test_a_card_that_the_moderator_plays_stands_there_as_it_is_printed(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", {**MARCH, "segment": {"player": "red", "kind": "tyche"}}, cards={"red": ["12", "57"]})
    says = {"effect_key": "by_ruling", "params": {"says": "Two towns open their gates."}, "effect": ""}
    desk.amend(as_written([{"datum": "cards.12", "value": says}]), "read off the card")
    desk.tray.printed = {"cards.12": Printed("Two towns of Lydia open their gates to you.", "00" * 16)}
    desk.order("red", "play 12 as event")
    (ruled,) = overview.to_do(desk, MODERATOR)["to_rule"]
    assert "Two towns of Lydia" in ruled["what"]


def test_lines_that_are_held_are_counted_and_the_next_command_lets_them_go_on(tmp_path: Path) -> None:
    """Lysimachos comes with one CU and is ridden down, which Red could not foresee."""
    desk = found(tmp_path / "g", {**MARCH, "mp": {"antigonos": 4}, "champions": {"red": "no"}})
    desk.order("red", "standing: stay at Ephesos, once")
    desk.order("red", "march Antigonos > Ephesos > Halikarnassos\nactivate Antigonos")
    assert overview.to_do(desk, MODERATOR)["held"] == []
    desk.order("blue", "intercept Lysimachos with 1 mercenary")
    desk.order("yellow", "pass", throws=[(6, "")], reason="a test")
    desk.run()
    assert overview.to_do(desk, MODERATOR)["held"] == [{"seat": "red", "count": 2}]
    assert overview.suggestion(desk) == f"pbem run {tmp_path}/g --release red"


def test_a_wish_to_take_back_stands_under_what_to_rule(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    wishes.wish(desk, "red", 4, "the wrong General")
    (wished,) = overview.to_do(desk, MODERATOR)["to_rule"]
    assert "the wrong General" in wished["what"] and wished["command"].startswith(f"pbem undo {tmp_path}/g 4 ")


# --- what comes next -------------------------------------------------------------------------------------------------


def test_an_overdue_question_is_closed_by_the_next_command(tmp_path: Path) -> None:
    at_window(tmp_path / "g")
    late = again(tmp_path / "g", now=LATE)
    assert overview.suggestion(late) == f"pbem run {tmp_path}/g --overdue"
    assert "closing" not in overview.to_do(late, MODERATOR)


def test_why_silence_has_not_closed_an_overdue_question_is_said(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g", silence={"interception": "moderator"})
    assert "closing" not in overview.to_do(desk, MODERATOR) and overview.to_do(desk, MODERATOR)["to_rule"] == []
    late = overview.to_do(again(tmp_path / "g", now=LATE), MODERATOR)
    assert late["closing"] and late["to_rule"][-1]["command"] == f'pbem run {tmp_path}/g --close T2.R1.red.3 --reason "..."'


def test_a_game_that_waits_for_its_players_asks_nothing_of_the_moderator(tmp_path: Path) -> None:
    at_window(tmp_path / "g", silence={"interception": "hold"})
    late = overview.to_do(again(tmp_path / "g", now=LATE), MODERATOR)
    assert late["closing"] and late["to_rule"] == []


def test_what_was_posted_is_posted(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert listed(desk)["to post"] == (f"entries 1 to 5: pbem report {tmp_path}/g when it stands there: "
                                       f"pbem posted {tmp_path}/g 5")
    desk.mark_posted(5)
    assert listed(desk)["to post"] == "nothing"
    desk.enter({"note": "hello"})
    assert listed(desk)["to post"].startswith("entries 6 to ")


# --- the files ---------------------------------------------------------------------------------------------------------


def test_whoever_has_lost_the_secrets_is_told_what_still_works(tmp_path: Path) -> None:
    at_window(tmp_path / "g")
    assert overview.without_secrets(again(tmp_path / "g")) == ""
    assert overview.without_secrets(again(tmp_path / "g", published=True)) == ""
    shutil.move(tmp_path / "g" / gamelog.PRIVATE, tmp_path / "kept")
    gone = again(tmp_path / "g")
    assert "private.yaml is missing here" in overview.without_secrets(gone)
    assert "missing here" in listed(gone)["secrets"] and "missing here" not in overview.status(gone, PUBLIC)
    shutil.copytree(tmp_path / "g", tmp_path / "copy")
    (tmp_path / "copy" / gamelog.MIRROR).unlink()
    elsewhere = overview.without_secrets(again(tmp_path / "copy"))
    assert elsewhere and "missing here" not in elsewhere
    (tmp_path / "copy" / gamelog.PRIVATE).write_text("tray: 2\nadopts: photo.yaml\n")
    by_hand = overview.without_secrets(again(tmp_path / "copy"))
    assert by_hand and by_hand != elsewhere


def test_before_a_game_by_hand_begins_no_secrets_are_missing(tmp_path: Path) -> None:
    beginning.found(tmp_path / "g", "hand", SEATS, {"edition": "fourth"}, by_hand=True, words_until="", write=True)
    assert overview.without_secrets(again(tmp_path / "g")) == ""


def test_a_line_that_somebody_has_changed_is_told_of_and_so_are_corrections_beside_the_log(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    assert overview.noticed(desk) == []
    (tmp_path / "g" / gamelog.OVERRIDES).write_text("- {datum: generals.krateros.battle, value: 2}\n")
    (told,) = overview.noticed(again(tmp_path / "g"))
    assert "overrides.yaml" in told
    (tmp_path / "g" / gamelog.OVERRIDES).unlink()
    path = tmp_path / "g" / gamelog.GAME
    path.write_text(path.read_text().replace("first snow", "last snow"))
    (told,) = overview.noticed(again(tmp_path / "g", published=True))
    assert told.startswith("entry 0 (line 1 of the file) is not as it was written")


# --- before the game -----------------------------------------------------------------------------------------------


def test_before_the_game_the_words_that_are_missing_are_listed(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    beginning.found(folder, "dark", SEATS, {"edition": "fourth"}, by_hand=False, words_until="2026-11-20T09:00Z", write=True)
    seeding.enter_word(folder, "red", "snow")
    rows = listed(again(folder))
    assert rows["words"] == 'word of Red: "snow" no word from Blue, Yellow and Black the secrets here keep the promise'
    assert rows["to enter"].startswith(f'pbem seed word {folder} blue "..."') and f"pbem seed post {folder}" in rows["to post"]
    assert "next" not in rows and overview.status_data(again(folder))["next"] == ""
    assert overview.status_data(again(folder))["ceremony"]["missing"] == ["blue", "yellow", "black"]
    assert listed(again(folder, now=LATE))["next"] == f"pbem begin {folder}"
    for seat in ("blue", "yellow", "black"):
        seeding.enter_word(folder, seat, "rain")
    assert listed(again(folder))["next"] == f"pbem begin {folder}"


def test_a_game_that_adopts_a_position_begins_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    beginning.found(folder, "dark", SEATS, {"edition": "fourth"}, by_hand=True, words_until="", write=True)
    desk = again(folder)
    desk.tray.adopts = "photo.yaml"
    assert overview.suggestion(desk) == f"pbem begin {folder} --position photo.yaml"
    data = overview.status_data(again(folder))
    assert data["entries"] == 0 and data["question"] is None


def test_a_game_by_hand_has_only_to_begin(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    beginning.found(folder, "hand", SEATS, {"edition": "fourth"}, by_hand=True, words_until="", write=True)
    assert overview.status(again(folder)) == f"hand - not begun\n\nnext      pbem begin {folder}\n"
