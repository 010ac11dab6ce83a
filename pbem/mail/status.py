"""What the moderator sees and does: ledger, outbox, quarantine; letting a mail through, turning it away."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem import gamelog, showing
from pbem.errors import PbemError
from pbem.folder import Lock
from pbem.mail import ledger as ledgers
from pbem.mail import reading, taking, waiting
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import HELD, Ledger
from pbem.mail.letters import mailed
from pbem.mail.loop import MAILBOX_OUT, Run, State
from pbem.mail.outbox import Outbox
from pbem.mail.routing import Roster
from pbem.words import clean

Row = dict[str, Any]
SEALED = ("received", "applied")         # what a player sent, and nobody has to decide about


def data(config: Config, games: Iterable[Path], now: datetime | None = None) -> dict[str, Any]:
    """Ledger, outbox and quarantine for programs."""
    ledger = Ledger(config.folder)
    counts: dict[str, int] = {}
    for mail in ledger.mails.values():
        counts[mail["state"]] = counts.get(mail["state"], 0) + 1
    state = State(config.folder).data
    boxes = {"": Outbox(config.folder / MAILBOX_OUT)}
    found: list[dict[str, Any]] = []
    for place in games:
        private = gamelog.read_private(place)
        mail = private.get("mail") or {}
        boxes[place.name] = Outbox(place / "out")
        found.append({"game": place.name, "unreachable": sorted(mail.get("unreachable") or {}), "stuck": mail.get("stuck", ""),
                      "press": dict(mail.get("press_total") or {}), "observers_asked": list(mail.get("observers_asked") or []),
                      **pace(place, mail.get("waits") or {}, now)})
    return {
        "last_run": state.get("last_run", ""), "ledger": counts,
        "held": [_row(mail) for mail in ledger.held()],
        "waiting": [_row(mail) for mail in ledger.waiting()],
        "outbox": [{"game": game, **{name: one[name] for name in ("key", "to", "subject", "state", "next", "tries")},
                    "error": one.get("error", "")} for game, box in boxes.items() for one in [*box.waiting(), *box.failed()]],
        "games": found,
    }


def pace(place: Path, waits: Mapping[str, Any], now: datetime | None) -> Row:
    """Where the days went, what would have saved them, how many are still to come."""
    left = None
    with suppress(PbemError):
        desk = MailDesk(place, now=now)
        left = waiting.days_left(desk, desk.now)
    return {"waits": waiting.figures(waits), "waited_hours": round(waits.get("minutes", 0) / 60),
            "savings": waiting.savings(waits), "days_left": left}


def _row(mail: Row) -> Row:
    names = ("n", "id", "state", "at", "sender", "subject", "game", "seat", "why")
    return {name: clean(mail[name]) if isinstance(mail[name], str) else mail[name] for name in names if name in mail}


def text(config: Config, games: Iterable[Path], now: datetime | None = None) -> str:
    """The same for people."""
    found = data(config, games, now)
    counts = ", ".join(f"{number} {state}" for state, number in sorted(found["ledger"].items()))
    lines = [f"last run {found['last_run'] or 'never'}; mails: {counts or 'none'}"]
    for row in found["held"]:
        lines += [
            f"held {row['n']}: {row.get('sender', '?')}: {row.get('subject', '')}",
            f"    {row['state']}: {row.get('why', '')}; pbem mail show {row['n']}, release {row['n']} or reject {row['n']}",
        ]
    for row in found["waiting"]:
        lines.append(f"for the next run: {row['n']} from {row.get('sender', '?')}")
    for one in found["outbox"]:
        lines.append(f"{one['state']}: {clean(one['subject'])} to {one['to']}, next try {one['next']}"
                     + (f" ({clean(one['error'])})" if one["error"] else ""))
    for game in found["games"]:
        if game["unreachable"]:
            lines.append(f"{game['game']}: mail does not reach {', '.join(game['unreachable'])}; the deadline is held")
        if game["stuck"]:
            lines.append(f"{game['game']}: silence does not close {game['stuck']}")
        if game["press"]:
            lines.append(f"{game['game']}: letters " + ", ".join(f"{seat} {number}" for seat, number in game["press"].items()))
        for address in game["observers_asked"]:
            lines.append(f"{game['game']}: {clean(address)} would like the public reports; pbem mail observer GAME ADDRESS")
        if game["days_left"] is not None:
            lines.append(f"{game['game']}: waited {game['waited_hours']} h so far; at this pace {game['days_left']} days to go")
        for row in game["waits"]:
            lines.append(f"{game['game']}: waited {row['total_hours']} h for {row['seat']}: "
                         f"{row['answers']} answer{'s' * (row['answers'] != 1)}, {row['in_time']} % in time, "
                         f"{row['hours']} h on average, {row['silent']} by silence;"
                         f" slowest {row['slowest']} ({row['slowest_hours']} h)")
        for row in game["savings"]:
            how = f"\"{row['standing']}\", which is what {row['seat']} did {row['answers']} times" if "standing" in row else (
                f"{row['seat']} announcing marches openly, so that all steps are asked at once")
            lines.append(f"{game['game']}: up to {row['hours']} h saved by {how}")
    return "\n".join(lines)


def find(ledger: Ledger, name: str) -> Row:
    mail = ledger.find(name)
    if mail is None:
        raise PbemError("mail_unknown", name=name)
    return mail


def show(config: Config, name: str, *, games: Iterable[Path] = (), look: bool = False, now: datetime | None = None) -> str:
    """A mail as it was understood, harmless on a terminal.

    What a player sent that was taken in may be sealed, or a letter: a look at it is told to everybody.
    """
    ledger = Ledger(config.folder)
    row = find(ledger, name)
    if row["state"] in SEALED and (seats := whose(row, games)):
        if not look:
            return (f"mail {row['n']} of {seats[0][1]}, received {row['at']}: {row['state']}."
                    " It may hold sealed answers or letters.\n"
                    f"To read it all the same, and have that noted in the log: pbem mail show {row['n']} --look")
        for place, seat in seats:
            note_look(place, seat, row["at"], now)
    mail = reading.understand(ledger.bytes_of(row), own_domain=config.domain, own_loop=config.address, server=config.authserv)
    lines = [f"mail {row['n']} ({row['id']}), received {row['at']}", f"{row['state']}: {row.get('why', '')}",
             f"from {mail.from_}", f"subject {mail.subject}", f"class {mail.class_} {mail.why}; DMARC {mail.dmarc}", ""]
    lines += [f"    {line}" for line in mail.lines[:200]]
    lines += [f"  > {one.text.splitlines()[0][:70] if one.text else ''} ({one.reason})" for one in mail.removed[:20]]
    return "\n".join(clean(line).rstrip() for line in lines)


def whose(row: Row, games: Iterable[Path]) -> list[tuple[Path, str]]:
    """The games a mail may be for, and whose it is there."""
    rosters = [(place, Roster.read(place)) for place in games]
    return [(place, seat) for place, roster in rosters if (seat := roster.seat_of(str(row.get("sender", "")))) and row.get(
        "game", roster.game) == roster.game]


def note_look(place: Path, seat: str, at: str, now: datetime | None) -> None:
    """The log says that the moderator has read what a player sent."""
    with Lock(place):
        desk = MailDesk(place, now=now)
        desk.begin()
        desk.enter({"note": str(mailed(showing.words(desk), "looked_at", seat=seat, at=at))})
        desk.commit()


def release(
    config: Config, games: Iterable[Path], name: str, *, game: str = "", seat: str = "", now: datetime | None = None
) -> str:
    """Let a held mail through, as if nothing had been wrong with its sender."""
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    with ExitStack() as stack:
        run = Run(config, games, now, stack)
        row = find(run.ledger, name)
        if row["state"] not in HELD:
            raise PbemError("mail_settled", name=name, state=row["state"])
        became = taking.let_through(run, row, game=game or str(row.get("game") or ""), seat=seat or str(row.get("seat") or ""))
        run.settle()
        return became


def reject(config: Config, name: str) -> str:
    """Turn a held mail away; nobody is answered."""
    ledger = Ledger(config.folder)
    row = find(ledger, name)
    if row["state"] not in HELD:
        raise PbemError("mail_settled", name=name, state=row["state"])
    ledger.note(row["id"], "rejected")
    ledger.settle()
    return "rejected"


def rebuild(config: Config, games: Iterable[Path]) -> Ledger:
    """The ledger anew, from the raw mails and from what the games say of them."""
    taken: dict[str, tuple[str, str]] = {}
    for place in games:
        game = gamelog.read_game(place)
        private = gamelog.read_private(place)
        name = str(game.header["game"])
        taken.update({str(entry["via"]): ("applied", name) for entry in game.entries if entry.get("via")})
        became = [one.split() for one in (private.get("mail") or {}).get("taken") or ()]
        taken.update({id: (state, name) for id, state in became})
    state = State(config.folder).data

    def understood(raw: bytes) -> Any:
        return reading.understand(raw, own_domain=config.domain, own_loop=config.address, server=config.authserv)

    return ledgers.rebuild(config.folder, str(state.get("where", "")), str(state.get("began", "")), taken, understood)
