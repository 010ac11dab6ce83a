"""A game begins: header, secrets, the adopted position; and what to post before the first move."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem import __version__, chance, yamlfile
from pbem.errors import BadLog, Refused
from pbem.folder import Lock
from pbem.gamelog import GAME
from pbem.moderator import Moderator

COLOURS = ("red", "blue", "yellow", "black", "green")


def begin(folder: Path, ident: str, seats: Mapping[str, str], adopted: Path | None, *, windows: str, polls: str,
          chosen: tuple[str, ...], deadlines: Mapping[str, int], by_hand: bool, write: bool) -> str:
    """Found a game in a folder; returns what to post."""
    if (folder / GAME).exists():
        raise BadLog("game_exists", file=str(folder / GAME), line=0, what="there is a game in this folder already")
    if adopted is None:
        raise Refused("4", "not_written", verb="new")
    header = header_of(ident, seats, windows=windows, polls=polls, chosen=chosen, deadlines=deadlines)
    private: dict[str, Any] = {}
    if not by_hand:
        secrets = chance.new_secrets(ident)
        private["secrets"] = secrets.plain()
        header["chance"] = {"scheme": 1, **secrets.commitments(), "links": secrets.links,
                            "words": dict.fromkeys(seats, ""), "beacon": "none"}
    position = dict(yamlfile.load(adopted))
    if "hands" in position and any(isinstance(hand, list) for hand in position["hands"].values()):
        private["cards"] = {"hands": position["hands"], "deck": position.pop("deck_order", [])}
        position["hands"] = {seat: len(hand) for seat, hand in position["hands"].items()}
    if write:
        folder.mkdir(parents=True, exist_ok=True)
        with Lock(folder):
            Moderator.found(folder, header, position, private, reason=f"adopted from {adopted.name}")
    return posts(header, folder)


def header_of(ident: str, seats: Mapping[str, str], *, windows: str, polls: str, chosen: tuple[str, ...],
              deadlines: Mapping[str, int]) -> dict[str, Any]:
    for colour in seats:
        if colour not in COLOURS:
            raise Refused("4.5", "unknown_seat", seat=colour, known=list(COLOURS))
    if not 2 <= len(seats) <= 5:
        raise Refused("4.4", "players_2_to_5", players=len(seats))
    rules: dict[str, Any] = {"edition": "fourth", "windows": windows, "polls": polls}
    if chosen:
        rules["options"] = list(chosen)
    if deadlines:
        rules["deadlines"] = dict(deadlines)
    return {"game": ident, "engine": __version__, "rules": rules,
            "seats": {colour: {"name": name} for colour, name in seats.items()}}


def posts(header: Mapping[str, Any], folder: Path) -> str:
    """The start post: who plays, by which rules, and the promises that make the dice checkable."""
    rules = header["rules"]
    lines = [f"{header['game']}: a game of Successors, rules of the 4th edition.",
             "Seats, in seating order: " + ", ".join(f"{one['name']} ({colour.capitalize()})"
                                                     for colour, one in header["seats"].items()) + ".",
             "Reactions are declared " + ("one player after the other." if rules["polls"] == "strict"
                                          else "sealed and opened together."),
             "Card windows: " + ("nothing waits; a card acts only if it was filed before." if rules["windows"] == "held"
                                 else "everybody who could hold the card is asked for a fixed time.")]
    if rules.get("options"):
        lines.append("In force besides: " + ", ".join(rules["options"]) + ".")
    if "chance" in header:
        made = header["chance"]
        lines += ["", f"Deck promised: {made['deck']}", f"Dice promised: {made['dice']} ({made['links']} links), no beacon.",
                  "Anybody can check every die with `pbem verify` when its Game Turn is over."]
    else:
        lines += ["", "Dice and cards come from a table elsewhere; every report marks them."]
    return "\n".join([*lines, "", f"Next: pbem status {folder}"])
