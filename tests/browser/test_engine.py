"""The engine behind a page: asked as a browser asks it, with the published log and one's own hand alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import small_game

from pbem.base.paths import languages
from pbem.browser.answers import ASKED, Engine
from pbem.browser.opened import log_of
from pbem.desk.desk import Desk
from pbem.dev.desks import compared


class Asking:
    """A page that asks its engine."""

    def __init__(self, desk: Desk) -> None:
        self.engine = Engine()
        self.begun = self("open", log=log_of(desk.game))

    def __call__(self, ask: str, **facts: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.engine.answer(json.dumps({"pbem": 1, "number": 7, "ask": ask, **facts})))
        assert told["number"] == 7
        return told


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    game = small_game.found(tmp_path / "g", cards=True)
    game.order("red", "roll")
    return game


def test_same_answers_at_both_desks() -> None:
    found = compared(30, 5)
    assert not found.failures
    assert {"done", "refused", "sealed"} <= found.classes.keys()


def test_open(desk: Desk) -> None:
    ask = Asking(desk)
    assert ask.begun["head"] == desk.game.head()
    assert (ask.begun["entries"], ask.begun["asked"], ask.begun["seats"]) == (3, ["red"], list(desk.match.seats))


def test_check_stops_where_others_are_asked_and_shows_the_position(desk: Desk) -> None:
    told = Asking(desk)("check", seat="red", lines="march Antigonos > Ephesos > Sardeis\nend")
    assert [one["state"] for one in told["lines"]] == ["waiting", "waiting"]
    assert told["sides"] == ["blue", "yellow"] and told["question"] == "T2.R1.red.3"
    assert "interception at Ephesos" in told["text"]
    assert any(one["space"] == "ephesos" for one in told["position"]["armies"])
    assert len(desk.game.entries) == 3


def test_reach_is_what_the_order_would_be(desk: Desk) -> None:
    """Each line it writes is taken by the desk; each refusal is that of the desk."""
    ask = Asking(desk)
    spaces = ask("reach", seat="red", general="antigonos")["spaces"]
    sardeis, = spaces["sardeis"]["ways"]
    assert sardeis["path"] == ["ephesos", "sardeis"] and sardeis["cost"] == 2
    for space, one in spaces.items():
        typed = f"march Antigonos > {desk.match.names.say('space', space)}"
        for line in [way["line"] for way in one.get("ways", ())] or [typed]:
            first = ask("check", seat="red", lines=line)["lines"][0]
            assert first["state"] in ("done", "waiting") if "ways" in one else first["text"] == one["why"]


@pytest.mark.parametrize("language", ["de", "it", "ru"])
def test_what_is_offered_may_be_sent(desk: Desk, language: str) -> None:
    ask = Asking(desk)
    offers = ask("question", seat="red", language=language)["offers"]
    assert [one["verb"] for one in offers][0] == "march"
    for one in offers:
        told = ask("check", seat="red", lines=one["lines"][0]["text"], hand=["1", "57"])
        assert told["lines"][0]["state"] in ("done", "waiting"), told["text"]


def test_a_window_is_answered_by_what_stands_under_its_letters(desk: Desk) -> None:
    desk.order("red", "march Antigonos > Ephesos")
    ask = Asking(desk)
    offers, more = ask("question", seat="blue", language="de")["offers"]
    assert more["verb"] == "more" and {one["letter"] for one in more["lines"]} == {""}      # with fewer CUs, say
    assert [one["letter"] for one in offers["lines"]][:2] == ["a", "b"]
    for one in offers["lines"]:
        assert ask("check", seat="blue", lines=one["text"])["lines"][0]["state"] == "sealed"


def test_odds_in_ones_own_language(desk: Desk) -> None:
    assert Asking(desk)("odds", seat="red", words="intercept Lysimachos Ephesos", language="it")["text"].startswith(
        "Lysimachos intercetta a Ephesos")


def test_another_version_is_told(desk: Desk) -> None:
    ask = Asking(desk)
    told = json.loads(ask.engine.answer(json.dumps({"pbem": 99, "ask": "open", "language": "de"})))
    assert "99" in told["error"] and "ask" not in told


def test_what_is_wrong_is_said_in_the_language_of_who_asks_now(desk: Desk) -> None:
    """Whether a game is open or not, and whatever language was spoken before."""
    def refused(engine: Engine, language: str) -> str:
        facts = {"pbem": 1, "ask": "open", "language": language, "log": {"log": []}}
        return str(json.loads(engine.answer(json.dumps(facts)))["error"])

    ask = Asking(desk)
    ask("question", seat="red", language="de")
    found = {language: refused(ask.engine, language) for language in languages()}
    assert found == {language: refused(Engine(), language) for language in languages()} and len({*found.values()}) == len(found)


def test_no_mailbox_and_no_terminal_is_loaded(desk: Desk) -> None:
    """Not even by an import inside a function: all that can be asked is asked where they cannot be had."""
    asks = [{"ask": "open", "log": log_of(desk.game)}, *(
        {"ask": one, "seat": "red", "lines": "march Antigonos > Ephesos", "general": "antigonos",
         "words": "intercept Lysimachos Ephesos"} for one in ASKED if one != "open")]
    code = ("import sys, json; sys.modules.update(dict.fromkeys(['click', 'imapclient', 'pbem.mail', 'pbem.cli']));"
            "from pbem.browser.answers import Engine; engine = Engine();"
            "print([line for line in sys.stdin if 'error' in json.loads(engine.answer(line))])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                          input="".join(json.dumps({"pbem": 1, **one}) + "\n" for one in asks))
    assert done.stdout.strip() == "[]", done.stderr
