"""Whatever a player can be asked he can answer at the desk of a page: with what it offers him, in his own language, by mail and
in the thread, to the same effect as at the command line."""

import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from asked_once import MODERATORS, Asked
from at_the_shell import said as pbem

from pbem.base.paths import languages
from pbem.browser.answers import VERSION, Engine
from pbem.dev.defaults import DEFAULTS
from pbem.mail import entered, paste
from pbem.orders import parse, read_answer, say_answer
from pbem.table.position import fingerprint
from pbem.table.state import SEGMENTS

KINDS = sorted(DEFAULTS.keys() - MODERATORS)            # of all questions that there are
TRIED = 6                                               # answers of a language


@cache
def engine_of(one: Asked) -> Any:
    """It has the game open."""
    engine = Engine()

    def ask(what: str, **facts: Any) -> dict[str, Any]:
        request = {"pbem": VERSION, "ask": what, "seat": one.seat, "lines": "", **facts}
        told: dict[str, Any] = json.loads(engine.answer(json.dumps(request)))
        assert "error" not in told, told
        return told

    ask("open", log=one.log)
    return ask


def offered(ask: Any, language: str) -> list[str]:
    """Some of each verb, as its buttons write them."""
    groups = ask("question", language=language)["offers"]
    return [line["text"] for group in groups for line in islice(group["lines"], 0, None, max(1, len(group["lines"]) // TRIED))]


def test_every_kind_of_question_is_tried(asked: dict[str, Asked]) -> None:
    """One that is added has a position, too: in `tests/asked_once.py` where no kept game has come to it."""
    assert asked.keys() == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_offered_is_taken_by_mail_and_in_the_thread_in_every_language(asked: dict[str, Asked], kind: str) -> None:
    """The same orders come out at the other end, whatever language they were composed in."""
    one = asked[kind]
    desk, ask = one.desk(), engine_of(one)
    names, log = desk.match.names, f"# pbem 0.1.0 {len(one.log['log'])} {desk.game.head()[:32]}"
    for language in languages():
        lines = offered(ask, language)
        assert lines
        for line, plain in zip(lines, offered(ask, "en"), strict=True):
            assert entered.orders_in(desk, one.seat, f"{line}\n{log}\n") == line
            assert paste.orders(f"[b]{line}[/b]\n[b]{log}[/b]\n")[0] == line
            if kind in SEGMENTS:
                assert parse(line, names) == parse(plain, names), line
            else:
                assert say_answer(read_answer(line, names), names) == say_answer(read_answer(plain, names), names), line


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_the_effect_that_the_command_line_tells(asked: dict[str, Asked], kind: str, tmp_path: Path) -> None:
    one = asked[kind]
    ask, folder = engine_of(one), one.folder(tmp_path / "g")
    for line in [*offered(ask, "en")][:2]:
        told = ask("check", lines=line)
        if told["priced"]:                              # its price was told, and a button pays it
            assert told["priced"] == [line]
            told = ask("check", lines=(line := f"{line} yes"))
        assert told["lines"][0]["state"] in ("done", "sealed", "waiting", "unknown"), told["text"]
        typed = json.loads(pbem("check", folder, one.seat, line, "--json"))
        assert [told["lines"], told["question"]] == [typed["lines"], typed["question"]]


def test_each_trial_goes_on_from_the_last_player_turn(asked: dict[str, Asked]) -> None:
    """And not from the first entry, which is what takes the time of a click."""
    one = asked["defeat_cards"]
    desk = one.desk()
    trial = desk.trial(one.seat)
    assert desk.game.mark is not None and trial.course.first == desk.game.mark.entries > len(one.log["log"]) - 100
    assert fingerprint(trial.match.g) == fingerprint(one.desk().match.g)
