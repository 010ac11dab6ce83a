"""Every kind of question that a player can be asked, once each as a published log: out of kept games where play has put it,
else out of a small game that is led there by orders and rulings."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import small_game

from pbem.base import yamlfile
from pbem.browser.opened import FromPage, lined, log_of
from pbem.components.corrections import as_written
from pbem.desk.desk import Desk
from pbem.log import gamelog
from pbem.play.match import Match
from pbem.rules.war import MODERATOR
from pbem.telling.offers import lettered

TESTS = Path(__file__).parent
LOGS = sorted(TESTS.glob("log/kept/*.yaml.gz"))
MODERATORS = frozenset(("ruling", "card_ruling", "turn_up"))     # put to the moderator, who has no page
ACTIVATION = {"player": "red", "kind": "activation"}


class Asked(NamedTuple):
    """A question in the log of a game, and one of those whom it is put to."""

    kind: str
    seat: str
    log: Mapping[str, Any]
    forced: bool = False                        # there is one answer and no other

    def __hash__(self) -> int:
        return hash((self.kind, self.seat))

    def desk(self) -> Desk:
        return FromPage(json.loads(json.dumps(self.log), object_hook=lined))       # as a page hands it over

    def folder(self, folder: Path) -> Path:
        """As the moderator publishes it."""
        folder.mkdir()
        head = "".join(f"{key}: {yamlfile.dump(value)}\n" for key, value in self.log.items() if key != "log")
        (folder / gamelog.GAME).write_text(head + "log:\n" + "".join(
            f"- {gamelog.dump_entry(entry)}\n" for entry in self.log["log"]), "utf-8")
        return folder


def each(folder: Path) -> dict[str, Asked]:
    """By kind. Games that are led there lie in the folder."""
    found = dict[str, Asked]()
    for one in sorted((one for log in LOGS for one in of_log(log)), key=lambda one: one.forced):
        found.setdefault(one.kind, one)
    for kind, lead in LED.items():
        desk = lead(folder / kind)
        assert desk.match.question is not None and desk.match.question.kind == kind, desk.match.question
        found[kind] = Asked(kind, desk.match.question.sides[0], log_of(desk.game))
    return found


def of_log(log: Path) -> Iterator[Asked]:
    """The first of each kind in a kept game, as the log was then; better one that leaves a choice."""
    kept = yamlfile.parse(gzip.decompress(log.read_bytes()).decode())
    header, entries = {key: value for key, value in kept.items() if key != "log"}, kept["log"]
    match, met = Match(header), dict[str, bool]()
    for place in gamelog.survivors(entries):
        match.apply(entries[place], place + 1)
        question = match.question
        if question is None or met.get(question.kind) or question.sides[0] == MODERATOR:
            continue
        seat = question.sides[0]
        chosen = len(lettered(question, seat)) > 1
        if not chosen and question.kind in met:
            continue
        asked = Asked(question.kind, seat, {**header, "log": entries[:place + 1]}, not chosen)
        then = asked.desk().match.question              # what was undone later, still stood then
        if then is not None and then.id == question.id:
            met[question.kind] = chosen
            yield asked


# --- led there -------------------------------------------------------------------------------------------------------


def begun(folder: Path, adopted: dict[str, Any], *orders: str, hands: dict[str, list[str]] | None = None, **rules: Any) -> Desk:
    start = {"turn": 2, **({} if "phase" in adopted else {"segment": ACTIVATION}), **adopted}
    desk = small_game.found(folder, start, cards=hands or False, **rules)
    for order in orders:
        seat, _, line = order.partition(": ")
        assert {one.state for one in desk.order(seat, line)} <= {"done", "sealed"}, line
        desk.run()
    return desk


def stands(seat: str, at: str, general: str, **cus: int) -> dict[str, Any]:
    return {"owner": seat, "at": at, "generals": [general], "cus": cus}


def burial(folder: Path) -> Desk:
    return begun(folder, {"turn": 3, "phase": "turn_end", "spaces": {"pella": "red"},
                          "cart": {"at": "pella", "owner": "red"},
                          "forces": [stands("red", "pella", "antigonos", loyal=3)]})


def truce(folder: Path) -> Desk:
    return begun(folder, {"segment": {"player": "red", "kind": "tyche"}, "spaces": {"larisa": "red", "lamia": "blue"},
                          "forces": [stands("red", "larisa", "seleukos", mercenary=2),
                                     stands("blue", "lamia", "ptolemaios", mercenary=2)]},
                 "red: play O63 as event on Blue", hands={"red": ["O63"], "blue": ["5"]}, options=["O63"])


def reaction_card(folder: Path) -> Desk:
    return begun(folder, {"mp": {"kassandros": 3}, "forces": [
        stands("red", "pella", "kassandros", mercenary=2),
        {"owner": "independent", "at": "lamia", "generals": ["leosthenes"], "cus": {"independent": 6}}]},
        "red: march Kassandros > Larisa", "blue: intercept Leosthenes from Lamia discarding",
        hands={"red": ["1"], "blue": ["50"]}, options=["16.11"])


def counterstroke(folder: Path) -> Desk:
    return begun(folder, {"turn": 5, "mp": {"seleukos": 4}, "forces": [
        stands("red", "lamia", "seleukos", mercenary=3), stands("blue", "pella", "antigonos", mercenary=5)]},
        "red: march Seleukos > Larisa", "blue: intercept Antigonos from Pella with 5 mercenary", edition="third",
        options=["interceptor-attacks"])


def elephant_reroll(folder: Path) -> Desk:
    desk = begun(folder, {"mp": {"eumenes": 3}, "forces": [stands("red", "lamia", "eumenes", elephant=2),
                                                           stands("blue", "larisa", "ptolemaios", mercenary=3)]})
    desk.amend(as_written([{"datum": "generals.eumenes.ability", "value": {
        "key": "elephants", "text": "rerolls", "params": {"elephant_rerolls": 1}, "on_by_default": True}}]), "off the card")
    desk.order("red", "march Eumenes > Larisa yes")
    desk.order("blue", "pass")
    desk.run()
    return desk


def ruling_choice(folder: Path) -> Desk:
    desk = begun(folder, {"forces": small_game.MARCH["forces"]})
    says = {"text": "He may retire.", "params": {"says": "He may retire."}, "key": "retire", "on_by_default": True}
    desk.amend(as_written([{"datum": "generals.antigonos.ability", "value": says}]), "read off the card")
    desk.order("red", "use ability of Antigonos")
    desk.ruling("Do they open their gates to you?", choice={"seat": "blue", "of": ["the gates stay shut", "they open"]})
    return desk


LED: dict[str, Callable[[Path], Desk]] = {
    "burial": burial, "truce": truce, "reaction_card": reaction_card, "counterstroke": counterstroke,
    "elephant_reroll": elephant_reroll, "ruling_choice": ruling_choice}
