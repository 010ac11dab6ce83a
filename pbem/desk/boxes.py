"""Filled forms in games: one for all that begin, a newer one for a game that is under way."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.base import yamlfile
from pbem.base.errors import BadLog, PbemError, Refused
from pbem.components import box
from pbem.components.corrections import Tree, as_written, correct
from pbem.components.schema import parts_of_box
from pbem.components.shipped import shipped
from pbem.desk import tray as trays

if TYPE_CHECKING:
    from pbem.desk.desk import Desk

NONE = "none"


def usual_place(edition: str = "") -> Path:
    """Where a form lies that counts for every new game; `box.third.yaml` beside it is for those by that edition."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    usual = Path(os.environ.get("PBEM_BOX") or Path(home) / "pbem" / "box.yaml")
    return usual.with_suffix(f".{edition}{usual.suffix}") if edition else usual


def chosen(path: str, edition: str = "") -> box.Box | None:
    """The form that a new game is played with: the one that is named, or the one in its usual place; `none` for none."""
    if path == NONE or not path and not usual_place(edition).is_file():
        return None
    found = sound(Path(path) if path else usual_place(edition))
    box.judge_edition(found, edition)
    return found


def sound(path: Path) -> box.Box:
    """A form without a fault; the first fault is told, and `pbem components check` tells all."""
    found = box.load(path)
    if found.faults:
        raise found.faults[0]
    return found


def sealed(found: box.Box) -> dict[str, trays.Printed]:
    """What the cards say word for word, for the tray; what binds it stands in the log."""
    return {card: trays.Printed(text, secrets.token_hex(16)) for card, text in found.printed.items()}


def bound(printed: Mapping[str, trays.Printed]) -> dict[str, Any]:
    """The digests of it, for the header or for the entry that takes a newer form."""
    return {"printed": {card: one.digest for card, one in printed.items()}} if printed else {}


def change_to(desk: "Desk", path: Path, reason: str, *, yes: bool = False) -> list[int]:
    """A game under way goes on with a newer form: one entry that lists whatever changes."""
    found = sound(path)
    box.judge_edition(found, desk.match.box)
    changes = as_written(box.difference(data_of(desk), found.tree))
    printed = {card: one for card, one in sealed(found).items()
               if card not in desk.tray.printed or desk.tray.printed[card].text != one.text}
    if not changes and not printed and sorted(desk.match.confirmed) == sorted(found.confirmed):
        raise Refused("0", "nothing_to_amend", file=str(path))
    told = {key: value for key, value in found.header().items() if key != "corrections"} | bound(printed)
    desk.tray.printed.update(printed)
    return desk.amend(changes, reason, box=told, yes=yes)


def data_of(desk: "Desk") -> Tree:
    """The data of the box that a game is played with, as it has corrected them so far."""
    now = shipped(desk.match.box)
    for correction in desk.match.corrections:
        correct(now, correction, parts_of_box(desk.match.box))
    return now


def listed(desk: "Desk", path: Path) -> list[Mapping[str, Any]]:
    """A list of corrections in a file, judged against what the game has by now."""
    given = yamlfile.load(path)
    if not isinstance(given, list) or not given or not all(isinstance(one, yamlfile.Mapping) for one in given):
        raise BadLog("no_list", file=str(path), line=1)
    tree = data_of(desk)
    for one in given:
        try:
            correct(tree, one, parts_of_box(desk.match.box))
        except PbemError as error:
            error.facts |= {"file": str(path), "line": one.line}
            raise
    return [dict(one) for one in given]
