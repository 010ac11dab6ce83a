"""The whole games that come with the program: what their people sent makes their logs, and everything can be read off them."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from at_the_shell import said

from pbem.base import yamlfile
from pbem.base.folder import Lock
from pbem.base.paths import games_dir, languages
from pbem.desk import requesting
from pbem.desk.beginning import SET_UP
from pbem.desk.tray import Tray
from pbem.log import gamelog
from pbem.mail import requests
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.request import AT_DESK, Request

GAMES = ("duel", "regency")
LARGEST = 600_000

# What the program of today writes otherwise than that which made the games, by entry; a receipt's digest has in it all before.
# A note of the program's own has `says`, for readers of other languages; who fails to intercept holds up nobody's lines, and so
# the next step was taken eight hours earlier (11.2). Each step of a route says what is left of it, also
# after somebody was asked.
SINCE = {"duel": {117: {"do"}, 243: {"says"}}, "regency": {439: {"says"}, 831: {"due"}}}
SAID = re.compile(r"(press [\s\S]*?)\n/press\n|(.+)\n")             # a letter, or a line


def mails(game: str) -> list[dict[str, Any]]:
    return yamlfile.parse("mails:\n" + (games_dir() / game / "mails.yaml").read_text("utf-8"))["mails"]


def given(desk: MailDesk, mail: dict[str, Any]) -> None:
    """What a mail says, line by line; what the clock closed; what the moderator did."""
    desk.now = datetime.fromisoformat(mail["at"])
    seat = mail["from"]
    if "close" in mail:
        desk.close(mail["close"], by=seat)
    elif "undo" in mail:
        desk.undo(mail["undo"], mail["reason"])
    elif "ruling" in mail:
        desk.ruling(**{"text" if key == "ruling" else key: value for key, value in mail.items() if key not in ("at", "from")})
    for letter, line in re.findall(SAID, mail.get("text", "")):
        if letter or requesting.split(line)[0] not in ("", "standing"):
            requests.answer(Request(desk, None, Sender(seat, "desk"), [], [], AT_DESK), letter or line)
        else:
            desk.order(seat, line)
        if not letter:
            desk.run()


@pytest.mark.parametrize("game", GAMES)
def test_what_they_sent_makes_the_game_once_more(game: str, tmp_path: Path) -> None:
    kept = gamelog.read_game(games_dir() / game)
    shipped = MailDesk(games_dir() / game).tray
    tray = Tray(secrets=shipped.secrets, absences=shipped.absences)
    with Lock(tmp_path):
        desk = MailDesk.found(tmp_path, dict(kept.header), SET_UP, tray)
    for place, mail in enumerate(mails(game)):
        if not place:
            desk.now = datetime.fromisoformat(mail["at"])
            desk.run()
        given(desk, mail)
    assert desk.match.g.over and len(desk.game.entries) == len(kept.entries)
    differs = {place: {key for key in {*made, *old} if made.get(key) != old.get(key)} - {"receipts"}
               for place, (made, old) in enumerate(zip(desk.game.entries, kept.entries, strict=True), 1)}
    assert {place: keys for place, keys in differs.items() if keys} == SINCE[game]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_holds_and_is_told_in_every_language(game: str, tmp_path: Path) -> None:
    """Opened, checked, told, drawn; with letters, standing orders, an undo and a ruling in it."""
    folder = tmp_path / game
    assert str(folder) in said("games", game, "-o", folder)
    assert said("games").count("\n") == 4
    said("verify", folder, "--details")
    told = {language: said("report", folder, "--since", "1", "--language", language) for language in languages()}
    assert len(set(told.values())) == len(told) and all(len(one) > 20_000 for one in told.values())
    assert "</svg>" in said("map", folder)
    entries, texts = gamelog.read_game(folder).entries, "".join(mail.get("text", "") for mail in mails(game))
    assert {"undo", "ruling", "close"} <= {key for entry in entries for key in entry}
    assert all(word in texts for word in ("press ", "standing: ", "file ", "undo "))
    assert sum(path.stat().st_size for path in (games_dir() / game).iterdir()) < LARGEST
