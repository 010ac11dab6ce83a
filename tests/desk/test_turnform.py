"""The question that invites a turn is a form of it: sent back as it stands, it is a turn."""

from pathlib import Path
from typing import Any

import pytest
from small_game import MARCH, again, found

from pbem.base.paths import languages
from pbem.desk import turnform
from pbem.desk.desk import Desk
from pbem.desk.posing import question_text
from pbem.orders import Order
from pbem.telling.words import Words

SURRENDER = {**MARCH, "segment": {"player": "red", "kind": "surrender"}, "spaces": {"halikarnassos": "blue", "sardeis": "blue"}}


def test_a_form_sent_back_as_it_stands_is_a_turn(tmp_path: Path) -> None:
    """Everything that is filled in is taken; what stands behind # is a remark."""
    game = found(tmp_path / "g", SURRENDER, cards=True)
    lines = turnform.form(game, "red")
    assert [line for line in lines if line.startswith("# play")] == ["# play 1 as ops"]
    assert "roll" in lines and lines.count("end segment") == 3 and "# march Antigonos > " in lines
    filled = [line.replace("# play 1", "play 1") for line in lines]
    outcomes = game.order("red", "\n".join(filled))
    assert not [one.line for one in outcomes if one.error is not None]
    assert game.match.g.player == "blue"
    done = [entry["do"] for entry in game.game.entries if entry.get("by") == "red"]
    assert "play 1 as ops" in done and "roll" in done


def test_whoever_can_play_no_card_finds_the_discard_filled_in(tmp_path: Path) -> None:
    game = found(tmp_path / "g", SURRENDER, cards={"red": ["57", "58"]})
    lines = turnform.form(game, "red")
    assert lines[-2:] == ["end segment", "discard 57"]
    assert not [one.line for one in game.order("red", "\n".join(lines)) if one.error is not None]
    assert game.match.question is not None and game.match.question.kind == "tyche"      # what he drew he may play


@pytest.mark.parametrize("language", languages())
def test_so_it_is_in_every_language(tmp_path: Path, language: str) -> None:
    game = found(tmp_path / "g", SURRENDER, cards=True)
    said = Words(language, game.match.names, game.match.g.facts)
    lines = turnform.form(game, "red", said)
    assert len(lines) == len(turnform.form(game, "red"))
    card = str(said.order(Order("play", card="1", how="ops")))
    filled = [card if line == f"# {card}" else line for line in lines]
    own = "# " + str(said.order(Order("march", general="antigonos", path=())))
    aside = str(said.retold("standing"))
    assert own in lines and [line.startswith(f"{aside}: ") for line in lines[:3]] == [True, True, False]
    assert not [one.line for one in game.order("red", "\n".join(filled)) if one.error is not None]
    assert game.match.g.player == "blue"


def test_it_stands_in_the_question_of_his_own_turn_and_nowhere_else(tmp_path: Path) -> None:
    game = found(tmp_path / "g", SURRENDER, cards=True)
    assert "# play 1 as ops" in question_text(game, "red")
    assert "# play" not in question_text(game, "red", "bgg")
    assert "# march Antigonos &gt; " in question_text(game, "red", "html")
    march = found(tmp_path / "h")
    assert turnform.form(march, "red")[-3:] == ["roll", "# march Antigonos > ", "end segment"]
    march.order("red", "roll\nmarch Antigonos > Ephesos")
    assert march.match.question is not None and march.match.question.sealed
    assert turnform.form(march, "blue") == turnform.form(march, "red") == []


@pytest.mark.parametrize("kept", [True, False])
def test_who_keeps_a_standing_order_for_his_losses_finds_none_in_it(tmp_path: Path, kept: bool) -> None:
    game = found(tmp_path / "g")
    if kept:
        game.order("red", "standing: lose mercenary, always")
    assert any(line.startswith("standing: lose") for line in turnform.form(game, "red")) is not kept


def at(folder: Path, kind: str, *, hand: list[str] | None = None, **more: Any) -> Desk:
    start = {**MARCH, "segment": {"player": "red", "kind": kind}, **more}
    return found(folder, start, cards={"red": hand} if hand is not None else False)


def test_it_is_for_whoever_orders_and_for_nobody_while_something_goes_on(tmp_path: Path) -> None:
    game = at(tmp_path / "g", "activation", mp={"antigonos": 4})
    assert turnform.form(game, "red") and turnform.form(game, "blue") == []
    game.order("red", "activate Antigonos")
    assert turnform.form(game, "red") == []
    game.order("red", "end activation")
    assert turnform.form(game, "red")
    game.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert turnform.form(game, "red") == []


def test_what_is_asked_outside_of_the_segments_has_no_form_nor_has_a_card_whose_points_are_spent(tmp_path: Path) -> None:
    start = {key: value for key, value in MARCH.items() if key != "segment"}
    game = found(tmp_path / "g", {**start, "phase": "preparations"})
    assert game.match.question is not None and game.match.question.sides == ("red",)
    assert game.match.question.kind == "first_player" and turnform.form(game, "red") == []
    game = at(tmp_path / "h", "tyche", hand=["1"])
    game.order("red", "play 1 as ops")
    assert game.match.question is not None and game.match.question.kind == "tyche" and turnform.form(game, "red") == []


def test_a_siege_that_costs_nothing_besides_is_filled_in(tmp_path: Path) -> None:
    """Whoever loses his Champion status by it says so himself."""
    games = [at(tmp_path / name, "surrender", spaces={"halikarnassos": "blue"}, champions=champions)
             for name, champions in (("g", {"red": "no"}), ("h", {}))]
    freely, dearly = (turnform.form(game, "red") for game in games)
    assert "siege Halikarnassos regardless" in freely and not any(line.startswith("siege") for line in dearly)


def test_a_log_alone_knows_of_no_hand(tmp_path: Path) -> None:
    at(tmp_path / "g", "tyche", hand=["1"])
    lines = turnform.form(again(tmp_path / "g", published=True), "red")
    assert not any("play" in line for line in lines) and "end segment" in lines


def test_it_begins_with_the_segment_that_is_open(tmp_path: Path) -> None:
    cart = {"spaces": {"pella": "red"}, "cart": {"at": "pella", "owner": "red"},
            "forces": [{"owner": "red", "at": "pella", "generals": ["antigonos"], "cus": {"loyal": 3}}]}
    games = [at(tmp_path / kind, kind, hand=["1"], **cart) for kind in ("tyche", "activation", "forage")]
    orders = [[line for line in turnform.form(game, "red") if not line.startswith("standing")] for game in games]
    assert orders[0][0] == "# play 1 as ops" and orders[1][0] == "roll" and orders[2] == ["# bury Alexander", "end segment"]
    assert not any("bury" in line for line in orders[0] + orders[1])


def test_whoever_has_rolled_is_offered_no_roll_and_only_who_commands_leads(tmp_path: Path) -> None:
    forces = [{"owner": "red", "at": "halikarnassos", "generals": ["antigonos", "krateros"], "cus": {"loyal": 2}}]
    game = at(tmp_path / "g", "activation", forces=forces)
    assert len([line for line in turnform.form(game, "red") if line.startswith("# march")]) == 1
    game.order("red", "roll")
    assert "roll" not in turnform.form(game, "red")


@pytest.mark.parametrize("hand", [[], None])
def test_whoever_has_no_cards_or_is_not_known_to_have_any_ends_the_segment(tmp_path: Path, hand: list[str] | None) -> None:
    game = at(tmp_path / "g", "tyche", hand=hand)
    lines = [line for line in turnform.form(game, "red") if not line.startswith("standing")]
    assert lines[:2] == ["end segment", "roll"]


def test_what_can_be_placed_is_filled_in_and_nothing_is_where_nothing_can(tmp_path: Path) -> None:
    forces = [{"owner": "red", "at": "ephesos", "generals": ["antigonos"], "cus": {"mercenary": 3}}]
    placed = turnform.form(at(tmp_path / "g", "surrender", spaces={"halikarnassos": "red"}, forces=forces), "red")
    assert "place pc at Ephesos" in placed
    assert not any(line.startswith("place") for line in turnform.form(found(tmp_path / "h", SURRENDER), "red"))
