"""What the moderator sees and does: ledger, outbox, quarantine; letting a mail through, turning it away."""

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import clock
from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.base.language import Safe, clean
from pbem.desk import showing
from pbem.desk import tray as trays
from pbem.desk.notes import note
from pbem.desk.tray import Waits
from pbem.log import gamelog
from pbem.mail import ledger as ledgers
from pbem.mail import outbox, resting, routing, sending, waiting, way
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.known import KnownGames
from pbem.mail.ledger import HELD, Ledger, Row
from pbem.mail.outbox import Outbox
from pbem.mail.run import MAILBOX_OUT, Run, State, understood
from pbem.mail.sentences import mailed, why_of_class
from pbem.telling.words import Words

Facts = dict[str, Any]                  # of a sentence, or for programs
SHOWN = ("key", "to", "subject", "state", "next", "tries", "error")
SEALED = ("received", "applied", "unclear")      # what a player sent, and the moderator has nothing to decide about


def data(config: Config, games: Iterable[Path], now: datetime | None = None) -> dict[str, Any]:
    """Ledger, outbox and quarantine for programs."""
    ledger = Ledger(config.folder)
    counts: dict[str, int] = {}
    for row in ledger.mails.values():
        counts[row.state] = counts.get(row.state, 0) + 1
    boxes = {"": Outbox(config.folder / MAILBOX_OUT)}
    found: list[dict[str, Any]] = []
    for place in games:
        tray = trays.read(place)
        mail = tray.mail
        boxes[place.name] = outbox.of_game(place)
        found.append({"game": place.name, "unreachable": sorted(mail.unreachable),
                      "unheard": tray.unheard(), "stuck": mail.stuck,
                      "press": dict(mail.press_total), "observers_asked": list(mail.observers_asked),
                      **pace(place, mail.waits, now)})
    state = State.read(config.folder)
    return {
        "last_run": state.last_run, "ledger": counts, "left": state.left, "missing": sorted(state.tries, key=int),
        "held": [_facts(row) for row in ledger.held()],
        "waiting": [_facts(row) for row in ledger.received()],
        "outbox": [{"game": game, **{name: getattr(one, name) for name in SHOWN}}
                   for game, box in boxes.items() for one in [*box.unsent(), *box.failed()]],
        "games": found,
    }


def pace(place: Path, waits: Waits, now: datetime | None) -> Facts:
    """Where the days went, what would have saved them, how many are still to come."""
    with suppress(PbemError):
        return waiting.summed_up(waits, MailDesk(place, now=now))
    return waiting.summed_up(waits)


def _facts(row: Row) -> Facts:
    """What is known of a mail, harmless on a terminal."""
    known = ("id", "state", "at", *(("sender", "subject") if row.sort else ()))
    more = [name for name in ("game", "seat", "why") if getattr(row, name)]
    return {"n": row.n, **{name: clean(getattr(row, name)) for name in (*known, *more)}}


def text(config: Config, games: Iterable[Path], now: datetime | None = None) -> str:
    """The same for people."""
    found, said = data(config, games, now), showing.plain_words()
    lines: list[str] = [mailed(said, "status_run", **found)]
    if found["left"]:
        lines.append(mailed(said, "status_left", **found))
    for row in found["held"]:
        lines += [mailed(said, "status_held", **row), "    " + mailed(said, "status_decide", **row)]
    lines += [mailed(said, "status_next", **row) for row in found["waiting"]]
    lines += [mailed(said, f"status_{'given_up' if row['state'] == 'failed' else 'outbox'}", **row) for row in found["outbox"]]
    for game in found["games"]:
        lines += [f"{game['game']}: {line}" for line in of_game(said, game)]
    return "\n".join(lines)


def of_game(said: Words, game: Facts) -> list[Safe]:
    """What holds a game up, and where its days went."""
    lines = [mailed(said, f"status_{key}", **game) for key in ("unreachable", "unheard", "stuck", "press") if game[key]]
    lines += [mailed(said, "status_observer", address=address) for address in game["observers_asked"]]
    return lines + waiting.lines(said, game)


def find(ledger: Ledger, name: str) -> Row:
    row = ledger.find(name)
    if row is None:
        raise PbemError("mail_unknown", name=name)
    return row


def show(config: Config, name: str, *, games: Iterable[Path] = (), look: bool = False, now: datetime | None = None) -> str:
    """A mail as it was understood, harmless on a terminal.

    What a player sent that was taken in may be sealed, or a letter: a look at it is told to everybody.
    """
    ledger, said = Ledger(config.folder), showing.plain_words()
    row = find(ledger, name)
    mail = understood(config, ledger.bytes_of(row))
    row = row.looked_at(mail)                   # perhaps no run has come to it yet
    if (seats := whose(config, row, games)) and (row.state in SEALED or plays_blind(seats)):
        if not look:
            return "\n".join(mailed(said, f"show_{key}", **_facts(row) | {"seat": seats[0][1]}) for key in ("sealed", "look"))
        for place, seat in seats:
            note_look(place, seat, row.at, now)
    facts = {"why": "", **_facts(row), "mail": mail, "seen": why_of_class(mail.why)}
    lines = [*(mailed(said, f"show_{key}", **facts) for key in ("mail", "state", "from", "subject", "class")), ""]
    rows = [f"    {line}" for line in mail.lines[:200]]
    rows += [f"  > {next(iter(one.text.splitlines()), '')[:70]} ({said.term(one.reason, 'cut')})"
             for one in mail.removed[:20]]
    return "\n".join([*lines, *(clean(row).rstrip() for row in rows)])


def whose(config: Config, row: Row, games: Iterable[Path]) -> list[tuple[Path, str]]:
    """The games a mail may be for, and whose it is there."""
    known = KnownGames(config.folder)
    rosters = [(place, routing.roster(place, known.of(place, resting.marks(place)))) for place in games]
    return [(place, seat) for place, roster in rosters
            if (seat := roster.seat_of(row.sender)) and row.game in ("", roster.game)]


def plays_blind(seats: Iterable[tuple[Path, str]]) -> bool:
    """Does the moderator play in one of these games, and not the seat that wrote?"""
    return any(trays.read(place).blind not in ("", seat) for place, seat in seats)


def note_look(place: Path, seat: str, at: str, now: datetime | None) -> None:
    """The log says that the moderator has read what a player sent."""
    with Lock(place):
        desk = MailDesk(place, now=now)
        note(desk, "looked_at", seat=seat, at=clock.to_the_minute(clock.moment(at)))
        desk.commit()


class Whose(NamedTuple):
    """What the moderator says of a mail of which nobody can tell it."""

    game: str = ""
    seat: str = ""


def release(
    config: Config, games: Iterable[Path], name: str, whose: Whose = Whose(), now: datetime | None = None  # noqa: B008
) -> str:
    """Let a held mail through, as if nothing had been wrong with its sender."""
    now = (now or clock.now()).replace(microsecond=0)
    with ExitStack() as stack:
        run = Run(config, games, now, stack)
        run.know(run.places)
        row = find(run.ledger, name)
        if row.state not in (*HELD, "old"):
            raise PbemError("mail_settled", name=name, state=row.state)
        became = way.let_through(run, row, whose.game or row.game, whose.seat or row.seat)
        run.settle()
        return became


def reject(config: Config, name: str) -> str:
    """Turn a held mail away; nobody is answered."""
    ledger = Ledger(config.folder)
    row = find(ledger, name)
    if row.state not in HELD:
        raise PbemError("mail_settled", name=name, state=row.state)
    ledger.put(row._replace(state="rejected"))
    ledger.settle()
    return showing.plain_words().term("rejected", "mail")


def resend(config: Config, games: Iterable[Path], name: str, now: datetime) -> str:
    """What was given up goes once more with the next run: one mail, or all."""
    config.folder.mkdir(parents=True, exist_ok=True)
    with Lock(config.folder):
        found = [one for box in [Outbox(config.folder / MAILBOX_OUT), *map(outbox.of_game, games)]
                 for one in sending.again(box, now, name)]
    if name and not found:
        raise PbemError("mail_unknown", name=name)
    return mailed(showing.plain_words(), "resent_again", mails=len(found))


def rebuild(config: Config, games: Iterable[Path]) -> Ledger:
    """The ledger anew, from the raw mails and from what the games say of them."""
    known: dict[str, tuple[str, str]] = {}
    for place in games:
        game = gamelog.read_game(place)
        name = str(game.header["game"])
        known.update({str(entry["via"]): ("applied", name) for entry in game.entries if entry.get("via")})
        known.update({id: (state, name) for id, state in trays.read(place).mail.taken.items()})
    state = State.read(config.folder)
    return ledgers.rebuild(config.folder, state.where, state.began, known, lambda raw: understood(config, raw))
