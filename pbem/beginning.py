"""A game begins: the folder with its header and promises; then, when the words are in, the first entry."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem import __version__, editions, gamelog, seeding, showing, yamlfile
from pbem.errors import BadLog, NotNow, Refused
from pbem.folder import Lock
from pbem.match import in_force
from pbem.moderator import Moderator
from pbem.words import fill

SILENCE = ("default", "quiet", "hold", "moderator")
COLOURS = ("red", "blue", "yellow", "black", "green")
SET_UP = {"phase": "setup", "turn": 1}                          # 4: the main scenario


def found(folder: Path, ident: str, seats: Mapping[str, str], rules: Mapping[str, Any], *, by_hand: bool, words_until: str,
          write: bool) -> str:
    """Make the folder of a game and say what to post."""
    if (folder / gamelog.GAME).exists():
        raise BadLog("game_exists", file=str(folder / gamelog.GAME), line=0, what="there is a game in this folder already")
    header = header_of(ident, seats, rules)
    if not write:
        return invitation(header)
    folder.mkdir(parents=True, exist_ok=True)
    with Lock(folder):
        gamelog.create(folder, header)
        promised = "" if by_hand else str(seeding.new(folder, deadline=words_until))
    return "\n".join(part for part in (invitation(header), promised) if part)


def header_of(ident: str, seats: Mapping[str, str], rules: Mapping[str, Any]) -> dict[str, Any]:
    for colour in seats:
        if colour not in COLOURS:
            raise Refused("4.5", "unknown_seat", seat=colour, known=list(COLOURS))
    for how in (rules.get("silence") or {}).values():
        if how not in SILENCE:
            raise Refused("0", "unknown_silence", what=how, known=list(SILENCE))
    if not 2 <= len(seats) <= 5:
        raise Refused("4.4", "players_2_to_5", players=len(seats))
    editions.ruleset("fourth", tuple(str(one) for one in rules.get("options") or ()))    # refuses what cannot be played
    return {"game": ident, "engine": __version__, "rules": {"edition": "fourth", **{
        key: value for key, value in rules.items() if value}},
        "seats": {colour: {"name": name} for colour, name in seats.items()}}


def begin(folder: Path, adopted: Path | None) -> Moderator:
    """The first entry: the set-up of the main scenario, or an adopted position. The caller holds the lock."""
    desk = Moderator(folder)
    if desk.game.entries:
        raise NotNow("log_has_begun", entries=len(desk.game.entries))
    position: dict[str, Any] = dict(yamlfile.load(adopted)) if adopted is not None else dict(SET_UP)
    hands = position.get("hands") or {}
    if any(isinstance(hand, list) for hand in hands.values()):  # real cards: they are for the private file alone
        desk.private["cards"] = {"hands": hands, "deck": position.pop("deck_order", [])}
        position["hands"] = {seat: len(hand) for seat, hand in hands.items()}
        desk = desk.with_cards()
    desk.enter({"position": position, **({"reason": f"adopted from {adopted.name}"} if adopted is not None else {})})
    desk.run()
    return desk


def invitation(header: Mapping[str, Any]) -> str:
    """Who plays, by which rules."""
    said = showing.plain_words()
    rules = editions.ruleset(header["rules"]["edition"], tuple(map(str, header["rules"].get("options") or ())))
    seats = [{"seat": colour, **one} for colour, one in header["seats"].items()]
    lines = [said.phrase("invitation", game=header["game"], seats=seats), said.event(in_force(header, rules))]
    return "\n".join(fill(line) for line in lines) + "\n"
