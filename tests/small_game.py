"""A small game in a folder, for the tests of everything that works on folders."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.desk.desk import Desk
from pbem.desk.tray import Cards, Tray, promised
from pbem.log import gamelog
from pbem.rules.war import MODERATOR

NOON = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": "Chiara"}, "black": {"name": "Dora"}}
SECRETS = scheme.Secrets("small", bytes(range(32)), bytes(range(32, 64)), links=12)

# Red's Antigonos before Ephesos; Blue in Sardeis and Yellow in Pergamon may both come over.
MARCH = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"},
    "spaces": {"halikarnassos": "red", "sardeis": "blue", "pergamon": "yellow"},
    "forces": [
        {"owner": "red", "at": "halikarnassos", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}},
        {"owner": "blue", "at": "sardeis", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}},
        {"owner": "yellow", "at": "pergamon", "generals": ["kassandros"], "cus": {"mercenary": 2}},
        {"owner": "black", "at": "tarsos", "generals": ["demetrios"], "cus": {"loyal": 3}},
    ],
}
HANDS = {"red": ["1", "57"], "blue": ["50", "2"], "yellow": ["58", "4"], "black": ["5"]}


def header(**rules: Any) -> dict[str, Any]:
    words = {"red": "first snow", "blue": "", "yellow": "grapes", "black": ""}
    return {"game": "small", "format": 3, "engine": "0.1.0", "rules": {"edition": "fourth", **rules}, "seats": SEATS,
            "chance": {"scheme": 2, **SECRETS.commitments(), "links": 12, "words": words, "beacon": "none"}}


def found(folder: Path, adopted: dict[str, Any] | None = None, *, secrets: bool = True,
          cards: bool | dict[str, list[str]] = False, **rules: Any) -> Desk:
    """A game that waits at red's first order."""
    tray = promised(SECRETS) if secrets else Tray()
    start = dict(adopted or MARCH)
    if cards:
        hands = HANDS if cards is True else cards
        start["hands"] = {seat: len(hand) for seat, hand in hands.items()}
        deck = [str(number) for number in range(20, 40)]
        start["deck"] = {"name": "main,2", "cards": deck, "left": len(deck)}
        tray.cards = Cards(hands, deck)
    folder.mkdir(exist_ok=True)
    with Lock(folder):
        Desk.found(folder, header(**rules), start, tray)
    return again(folder)


def again(folder: Path, **more: Any) -> Desk:
    return Desk(folder, now=more.pop("now", NOON), **more)


def at_window(folder: Path, **rules: Any) -> Desk:
    """Red has marched into Ephesos; Blue and Yellow are asked whether they come."""
    game = found(folder, **rules)
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    return game


def private_of(folder: Path) -> dict[str, Any]:
    """What its private file says, as it stands there."""
    return gamelog.private_data(gamelog.private_text(folder), str(folder / gamelog.PRIVATE))


def go_on(desk: Desk, turn: int, round_: int = 1) -> None:
    """Everybody is silent until a round of the Strategy Phase of a Game Turn has begun; everybody rolls for movement."""
    for _ in range(400):
        g, question = desk.match.g, desk.match.question
        if g.turn >= turn and g.phase == "strategy" and g.round >= round_:
            return
        assert question is not None
        if question.sides == (MODERATOR,):
            desk.ruling("nothing happens here", abandon="segment" if g.phase == "strategy" else "phase",
                        reason="not in this story")
        elif question.kind == "activation" and g.movement_roll is None:
            desk.order(question.sides[0], "roll")
        else:
            desk.close(question.id, by="moderator")
    raise AssertionError("the game turn does not end")
