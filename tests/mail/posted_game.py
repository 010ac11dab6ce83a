"""A whole game by mail on a real server, to be read: `python tests/mail/posted_game.py regency OUT`.

Languages behind it are those of the seats, in their order: `... regency OUT de it ru en`.

What its people sent (`games/NAME/mails.yaml`) comes once more as mails, at the hours at which they sent it, on a clock that is
set by hand; the mailbox runs after each and every few hours between. OUT gets all mails that it sent, one file each, in order.
"""

import logging
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "dev")]

from smtp_server import SmtpSink  # noqa: E402 - the path has to be set first
from table import HOST, PEOPLE, Table, body, changed, imap_server  # noqa: E402
from test_samples import mails  # noqa: E402

from pbem.base.folder import Lock  # noqa: E402
from pbem.base.language import sentences  # noqa: E402
from pbem.base.paths import games_dir, languages  # noqa: E402
from pbem.desk import tray as trays  # noqa: E402
from pbem.desk.beginning import SET_UP  # noqa: E402
from pbem.desk.desk import Desk  # noqa: E402
from pbem.desk.tray import Tray  # noqa: E402
from pbem.log import gamelog  # noqa: E402

EVERY = timedelta(hours=6)
NUMBERED = re.compile(r"(\d+)  ")
UNREAD = [sentences(language, "phrases")["line_unread"] for language in languages()]


def begun(table: Table, game: str, tongues: Sequence[str]) -> None:
    """The game as it was begun, with people who can be reached."""
    shutil.rmtree(table.game)
    source, table.game = games_dir() / game, table.folder / "games" / game
    table.game.mkdir()
    header = gamelog.read_game(source).header
    for seat, language in zip(header["seats"].values(), tongues, strict=False):
        seat["language"] = language
    secrets = trays.read(source).secrets
    with Lock(table.game):
        Desk.found(table.game, header, SET_UP, Tray(secrets=secrets))
    with changed(table.game) as tray:
        tray.addresses = {seat: [address] for seat, address in PEOPLE.items() if seat in header["seats"]}


def not_looked_at(table: Table, seat: str, lines: list[str]) -> list[str]:
    """Behind a line that was refused: people send the rest again without it."""
    at, found = 0, []
    for row in body(table.inbox(seat)[-1]).splitlines():
        if number := NUMBERED.match(row):
            at = int(number[1])
        elif row.strip() in UNREAD and at <= len(lines):
            found.append(lines[at - 1])
    return found


def decided(table: Table, game: str, mail: dict[str, Any]) -> None:
    """What the moderator did; what the clock closed it closes by itself."""
    desk = table.desk()
    if "undo" in mail:
        meant = gamelog.read_game(games_dir() / game).entries[mail["undo"] - 1]["do"]
        desk.undo(max(number for number, entry in enumerate(desk.game.entries, 1) if entry.get("do") == meant), mail["reason"])
    elif "ruling" in mail:
        desk.ruling(mail["ruling"], reason=mail["reason"])
    desk.commit()


def posted(table: Table, game: str) -> Iterator[str]:
    table.now = datetime.fromisoformat(mails(game)[0]["at"])
    table.run()
    for mail in mails(game):
        at = datetime.fromisoformat(mail["at"])
        while table.now + EVERY < at:
            table.now += EVERY
            table.run()
        table.now = max(table.now, at)
        if "text" in mail:
            table.reply(mail["from"], mail["text"])
            table.run()
            if left := not_looked_at(table, mail["from"], mail["text"].splitlines()):
                table.later(minutes=20)
                table.reply(mail["from"], "\n".join(left))
        else:
            with Lock(table.game):
                decided(table, game, mail)
        yield f"{mail['at']} {mail['from']}: {table.run().text()}"
    table.later(hours=3)
    table.run()


def kept(sink: SmtpSink, out: Path) -> None:
    for number, one in enumerate(sink.messages, 1):
        (out / f"{number:04}-{one.recipients[0].partition('@')[0]}.eml").write_bytes(one.data)


def main(game: str, out: Path, tongues: Sequence[str]) -> None:
    logging.disable(logging.CRITICAL)
    out.mkdir(parents=True, exist_ok=True)
    with (imap_server() as imap, tempfile.TemporaryDirectory() as folder,
          SmtpSink(cert=imap.cafile, key=str(imap.root / "key.pem"), users={HOST: "pw"}, deliver=imap) as sink):
        table = Table(Path(folder), imap, sink)
        begun(table, game, tongues)
        try:
            for line in posted(table, game):
                print(line, flush=True)
        finally:
            kept(sink, out)
            shutil.copy(table.game / "game.yaml", out)
        print(len(sink.messages), "mails,", len(table.log()), "entries,", table.desk().match.g.over, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
