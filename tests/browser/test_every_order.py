"""Every order of the order language can be composed at the desk of a page by its own buttons, where it may be given."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asked_once
import pytest
import small_game
from asked_once import begun, stands

from pbem.base import yamlfile
from pbem.browser.answers import VERSION, Engine
from pbem.browser.opened import log_of
from pbem.components.corrections import as_written
from pbem.desk.desk import Desk
from pbem.orders import parse, read_answer
from pbem.orders.table import VERBS

# Where play has come to it: a kept game, and after how many entries; or one kind of question that `asked_once` leads to.
DRAFT = {"train": 11, "embark": 14, "sail": 16, "disembark": 37, "march": 38, "remove_pc": 41, "drop": 68, "force_march": 77,
         "activate": 83, "end_activation": 104, "pick_up": 152, "shift": 155, "recruit": 1288}
NEVER = {"letter": "stands before every answer of a window, and the answer itself is what its button writes",
         "turn_up": "the game does so by itself; nobody who has a page is asked"}
TYCHE = {"player": "red", "kind": "tyche"}


def build_capital(folder: Path) -> Desk:
    return begun(folder, {"segment": {"player": "red", "kind": "surrender"}, "spaces": {"larisa": "red"},
                          "forces": [stands("red", "larisa", "antigonos", mercenary=1)]}, edition="draft", options=["19.8"])


def finish_cart(folder: Path) -> Desk:
    return begun(folder, {"turn": 1, "segment": TYCHE, "spaces": {"babylon": "red"}, "cart": {"at": "babylon", "owner": "red"},
                          "forces": small_game.MARCH["forces"]}, hands={"red": ["4"]},
                 options=["16.3"])


def retrieve_fleet(folder: Path) -> Desk:
    return begun(folder, {"segment": TYCHE, "spaces": {"halikarnassos": "red", "ephesos": "red"},
                          "forces": small_game.MARCH["forces"], "dispersed": {"red": {"fleets": ["karia"]}}},
                 hands={"red": ["4"]}, options=["16.10"])


def loot(folder: Path) -> Desk:
    return begun(folder, {"segment": TYCHE, "forces": [stands("red", "charax", "seleukos", loyal=1)]},
                 "red: play 40 as event on Seleukos", "red: march Seleukos > Sousa", hands={"red": ["40"]})


def command(folder: Path) -> Desk:
    desk = begun(folder, {"mp": {"perdikkas": 4, "krateros": 4}, "forces": [
        {"owner": "red", "at": "tarsos", "generals": ["perdikkas", "krateros"], "cus": {"loyal": 2}}]}, edition="third")
    desk.mend("of one rank")
    return desk


def use_ability(folder: Path) -> Desk:
    desk = begun(folder, {"forces": small_game.MARCH["forces"]})
    says = {"text": "He may retire.", "params": {"says": "He may retire."}, "key": "retire", "on_by_default": True}
    desk.amend(as_written([{"datum": "generals.antigonos.ability", "value": says}]), "read off the card")
    return desk


def minors(folder: Path) -> Desk:
    return begun(folder, {"mp": {"antigonos": 3}, "forces": [
        {"owner": "red", "at": "halikarnassos", "generals": ["antigonos", "philoxenos"], "cus": {"royal": 2, "mercenary": 2}}]})


LED: dict[str, Callable[[Path], Desk]] = {
    "build_capital": build_capital, "finish_cart": finish_cart, "retrieve_fleet": retrieve_fleet, "loot": loot,
    "command": command, "use_ability": use_ability, "remove_minor": minors, "disband": minors}


@pytest.fixture(scope="module")
def draft() -> dict[str, Any]:
    log, = [log for log in asked_once.LOGS if log.name.startswith("draft")]
    kept: dict[str, Any] = yamlfile.parse(gzip.decompress(log.read_bytes()).decode())
    return kept


def offered(desk: Desk, log: Any, seat: str) -> set[str]:
    """The verbs of all lines that its buttons write."""
    engine, facts = Engine(), {"pbem": VERSION, "seat": seat, "lines": ""}
    engine.answer(json.dumps({**facts, "ask": "open", "log": log}))
    told = json.loads(engine.answer(json.dumps({**facts, "ask": "question"})))
    assert "error" not in told, told
    lines = [line["text"] for group in told["offers"] for line in group["lines"]]
    lines += [line for group in told["ahead"] if group["sort"] == "free" for line in group["lines"]]
    names = desk.match.names
    try:
        return {order.verb for line in lines for order in parse(line, names)}
    except Exception:
        return {order.verb for line in lines for one in read_answer(line, names) for order in one.orders}


def test_every_order_of_the_language_can_be_composed(
        asked: dict[str, asked_once.Asked], draft: dict[str, Any], tmp_path: Path) -> None:
    """One that is added needs a place here where it is offered, or a reason why it never is."""
    found = set().union(*(offered(one.desk(), one.log, one.seat) for one in asked.values()))
    for verb, entries in DRAFT.items():
        if verb not in found:
            one = asked_once.Asked(verb, "", {**draft, "log": draft["log"][:entries]})
            desk = one.desk()
            assert desk.match.question is not None
            verbs = offered(desk, one.log, desk.match.question.sides[0])
            assert verb in verbs, (verb, verbs)
            found |= verbs
    for verb, lead in LED.items():
        desk = lead(tmp_path / verb)
        verbs = offered(desk, log_of(desk.game), "red")
        assert verb in verbs, (verb, verbs)
        found |= verbs
    assert VERBS.keys() - found == NEVER.keys()
