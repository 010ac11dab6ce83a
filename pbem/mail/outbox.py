"""What goes out: kept as files until it is sent, and after. queued -> sending -> sent, each step on disk before the next.

A mail is named by what it is about (`receipt-<mail>`, `question-<id>-<seat>`): making it twice makes it once. Its Message-ID
is made with it and stays, so that a mail repeated after a crash is the same mail for whoever got it.
"""

import hashlib
import json
import re
import smtplib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, formataddr
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base.clock import moment, stamp
from pbem.base.folder import write_together
from pbem.base.language import WIDTH, clean
from pbem.mail.config import Config

if TYPE_CHECKING:
    from jinja2 import Template

Item = dict[str, Any]

RETRIES = (1, 5, 15, 60)                # minutes; then every four hours for two days
LATER = 240
GIVE_UP = timedelta(days=2)
MOST_A_DAY = 20                         # automatic answers per seat and day
CONFIRM, MOST_CONFIRMED = "confirm", 5  # questions whether a mail is his, per seat and day
OUTAGE = timedelta(hours=2)             # what waited longer is told in one mail
ANSWERS = ("receipt", "answer", "refusal")
TIMELY = ("question", "reminder")       # pointless when their question is closed
WAITING = ("queued", "sending", "tomorrow")
LOOP = "X-Pbem-Loop"
KEY = re.compile(r"[^A-Za-z0-9.]+")
_ID = re.compile(r"<[!-;=?-~]{3,200}>")
_IDS = ("message-id", "in-reply-to", "references")


class Policy(EmailPolicy):
    """Ids are written as they are: the library would encode long ones, which breaks threads."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name.lower() in _IDS:
            ids = "\r\n ".join(str(value).split())
            return f"{name}: {ids}\r\n".encode("ascii", "replace")
        return super().fold_binary(name, value)


WRITTEN = Policy(linesep="\r\n", max_line_length=78, utf8=False, cte_type="7bit")


def key(kind: str, *parts: str) -> str:
    """The name of a mail, fit to be a file's name whatever it is made of."""
    made = "-".join(KEY.sub("_", part) for part in (kind, *parts))
    return made if len(made) <= 120 else f"{made[:100]}-{hashlib.sha256(made.encode()).hexdigest()[:12]}"


def message_id(domain: str, name: str, token: str = "") -> str:
    """From game, window, audience and version, all of which are in the name; with the token that answers bring back."""
    digest = hashlib.sha256(f"{token}/{name}".encode()).hexdigest()[:16]
    return f"<{token + '.' if token else ''}{digest}@{domain}>"


def item(
    config: Config,
    kind: str,
    name: str,
    to: str,
    subject: str,
    text: str,
    now: datetime,
    *,
    game: str = "",
    seat: str = "",
    token: str = "",
    window: str = "",
    reply_to: str = "",
    thread: str = "",
    auto: str = "auto-generated",
    **more: Any,
) -> Item:
    """A mail for one reader, complete; nothing in it depends on when it will be sent."""
    made = key(kind, name)
    reply_to = reply_to.strip("<>")
    reply_to = f"<{reply_to}>" if _ID.fullmatch(f"<{reply_to}>") else ""
    root = message_id(config.domain, f"{game}/{thread or seat or to}/thread")
    return {
        "key": made, "kind": kind, "game": game, "seat": seat, "window": window, "to": to, "subject": clean(subject)[:200],
        "text": folded(text), "message_id": message_id(config.domain, f"{game}/{made}/{to}", token),
        "in_reply_to": reply_to or root, "references": " ".join([root, reply_to] if reply_to else [root]),
        "reply_to": config.plus(token) if token else "", "auto": auto, "state": "queued", "tries": 0, "next": stamp(now),
        "made": stamp(now), **more,
    }


def folded(text: str) -> str:
    """Lines that every mail program shows as they are."""
    from textwrap import wrap

    lines: list[str] = []
    for line in text.splitlines():
        plain = (line if line.isprintable() else "".join(
            sign if sign == "\t" or sign.isprintable() else " " for sign in line)).rstrip()
        if len(plain) <= WIDTH:
            lines.append("-- " if line == "-- " else plain)
        else:
            indent = " " * (len(plain) - len(plain.lstrip()))
            lines += wrap(plain, WIDTH, subsequent_indent=indent, break_long_words=True, replace_whitespace=False)
    return "\n".join(lines) + "\n"


def message(one: Mapping[str, Any], config: Config) -> bytes:
    """The mail as it goes over the wire: plain text and HTML, marked as automatic, threaded."""
    mail = EmailMessage(policy=WRITTEN)
    mail["From"] = formataddr((config.name, config.address))
    mail["To"] = one["to"]
    mail["Subject"] = one["subject"]
    mail["Date"] = format_datetime(moment(one["made"]))
    mail["Message-ID"] = one["message_id"]
    if one["in_reply_to"]:
        mail["In-Reply-To"] = one["in_reply_to"]
        mail["References"] = one["references"]
    if one["reply_to"]:
        mail["Reply-To"] = one["reply_to"]
    mail["Auto-Submitted"] = one["auto"]
    mail[LOOP] = config.address
    mail.set_content(one["text"], cte="quoted-printable")
    mail.add_alternative(_html(one), subtype="html", cte="quoted-printable")
    return mail.as_bytes()


def _html(one: Mapping[str, Any]) -> str:
    """The same text in a fixed font; nothing is fetched from anywhere when it is shown."""
    return _page().render(subject=one["subject"], text=one["text"])


@cache
def _page() -> "Template":
    from jinja2 import Environment, StrictUndefined

    from pbem.base.paths import templates_dir

    source = (templates_dir() / "layouts" / "mail.html.j2").read_text()
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(source)


class Outbox:
    """The mails of one game, or of the mailbox itself, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sent = folder / "sent"

    def put(self, one: Item) -> bool:
        """Queue a mail unless it was queued before."""
        new = not self.has(one["key"])
        if new:
            self._write(self._queued([one]))
        return new

    def take(self, mails: Iterable[Item], now: datetime) -> list[Item]:
        """Queue mails, note which report and question each reader has got, count what is answered today; all of it in one go.

        Of automatic answers the second refusal of a kind, and all beyond the day's number, wait for tomorrow together; these
        are given back, whether they are new or not.
        """
        path = self.folder / "told" / "today.json"
        found: Item = _read(path) if path.exists() else {}
        today: dict[str, dict[str, str]] = found["answers"] if found.get("day") == stamp(now)[:10] else {}
        told = self.told()
        late: list[Item] = []
        fresh: list[Item] = []
        for one in mails:
            known = self.get(one["key"])
            if known is None:
                fresh.append(one)
                if one["kind"] in ANSWERS and _is_too_much(today.setdefault(one["seat"] or one["to"], {}), one):
                    one.update(state="tomorrow", next=stamp((now + timedelta(days=1)).replace(hour=0, minute=0, second=0)))
            if (known or one)["state"] == "tomorrow":
                late.append(one)
            if one["kind"] in ("report", "question") and one["seat"]:
                reader = told.setdefault(one["seat"], {})
                reader.update({"entry": one["entries"], "at": one["made"]} if one["kind"] == "report" else {})
                reader.update({"question": one["window"]} if one["window"] else {})
        files = {path: _dump({"day": stamp(now)[:10], "answers": today}), self.folder / "told" / "last.json": _dump(told)}
        self._write({**files, **self._queued(fresh)})
        return late

    def _queued(self, mails: Iterable[Item]) -> dict[Path, bytes]:
        return {self.folder / f"{one['key']}.json": _dump(one) for one in mails}

    def _write(self, files: Mapping[Path, bytes]) -> None:
        for folder in dict.fromkeys(path.parent for path in files):
            folder.mkdir(parents=True, exist_ok=True)
        write_together(files, 0o600)

    def has(self, name: str) -> bool:
        return (self.folder / f"{name}.json").exists() or (self.sent / f"{name}.json").exists()

    def get(self, name: str) -> Item | None:
        for folder in (self.sent, self.folder):
            if (folder / f"{name}.json").exists():
                return _read(folder / f"{name}.json")
        return None

    def waiting(self) -> list[Item]:
        """What is not sent, oldest first."""
        found = [_read(path) for path in self.folder.glob("*.json")] if self.folder.exists() else []
        return sorted((one for one in found if one["state"] in WAITING and not self._is_sent(one)),
                      key=lambda one: (one["made"], one["key"]))

    def failed(self) -> list[Item]:
        found = [_read(path) for path in self.folder.glob("*.json")] if self.folder.exists() else []
        return [one for one in found if one["state"] == "failed"]

    def past(self) -> list[Item]:
        """What was sent, oldest first."""
        found = [_read(path) for path in self.sent.glob("*.json")] if self.sent.exists() else []
        return sorted(found, key=lambda one: (one["made"], one["key"]))

    def _is_sent(self, one: Item) -> bool:
        """Killed between writing down that it is sent and taking it out of the queue."""
        if not (self.sent / f"{one['key']}.json").exists():
            return False
        (self.folder / f"{one['key']}.json").unlink()
        return True

    def change(self, one: Item, state: str, **more: Any) -> None:
        one.update(state=state, **more)
        if state in ("sent", "merged", "dropped"):
            self._write({self.sent / f"{one['key']}.json": _dump(one)})
            (self.folder / f"{one['key']}.json").unlink(missing_ok=True)
        else:
            self._write(self._queued([one]))

    # --- what a reader got last --------------------------------------------------------------------------------------

    def told(self) -> dict[str, Any]:
        path = self.folder / "told" / "last.json"
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return found

    def tell(self, readers: Mapping[str, Mapping[str, Any]]) -> None:
        """Where each reader stands: the last entry reported, the question asked."""
        told = self.told()
        before = _dump(told)
        for reader, what in readers.items():
            told.setdefault(reader, {}).update(what)
        if _dump(told) != before:
            self._write({self.folder / "told" / "last.json": _dump(told)})


def _is_too_much(given: dict[str, str], one: Item) -> bool:
    """Is this answer, the next of what its reader was given today, to wait? Asked twice it counts once."""
    given.setdefault(one["key"], one.get("refusal") or one["kind"])
    earlier = list(given.values())[:list(given).index(one["key"])]
    if given[one["key"]] == CONFIRM:            # anybody can write in his name: that uses up none of his own answers
        return earlier.count(CONFIRM) >= MOST_CONFIRMED
    return len(earlier) - earlier.count(CONFIRM) >= MOST_A_DAY or one.get("refusal", "") in earlier


def _read(path: Path) -> Item:
    found: Item = json.loads(path.read_text())
    return found


def _dump(one: Mapping[str, Any]) -> bytes:
    """A line for each key."""
    rows = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in one.items()]
    return ("{\n" + ",\n".join(rows) + "\n}").encode()


# --- sending ---------------------------------------------------------------------------------------------------------


class Sent(NamedTuple):
    """What became of a round of sending."""

    sent: int
    waiting: int
    failed: list[Item]
    problem: str


def merge(outbox: Outbox, config: Config, now: datetime) -> None:
    """After an outage, and for what was put off to today: one mail per reader instead of many.

    Of questions, reports and reminders only the last of each kind tells the present state; answers are all kept.
    """
    readers: dict[tuple[str, str], list[Item]] = {}
    for one in outbox.waiting():
        if one["state"] == "tomorrow" and moment(one["next"]) > now:
            continue
        if one["state"] != "sending":           # it may have arrived: only the same mail may go again
            readers.setdefault((one["seat"], one["to"]), []).append(one)
    for (seat, _), found in readers.items():
        late = any(one["state"] == "tomorrow" or now - moment(one["made"]) > OUTAGE for one in found)
        if len(found) < 2 or not late:
            for one in found:
                if one["state"] == "tomorrow":
                    outbox.change(one, "queued")
            continue
        last = {one["kind"]: one for one in found}
        kept = [one for one in found if one["kind"] in ANSWERS or last[one["kind"]] is one]
        digest = hashlib.sha256(" ".join(one["key"] for one in found).encode()).hexdigest()[:12]
        newest = found[-1]
        text = "\n".join(f"{one['subject']}\n{'=' * min(len(one['subject']), WIDTH)}\n\n{one['text']}" for one in kept)
        whole = {
            **newest,
            "key": key("merged", seat or "reader", digest),
            "kind": "merged",
            "text": text,
            "state": "queued",
            "tries": 0,
            "next": stamp(now),
            "made": stamp(now),
            "subject": newest["subject"] if len(kept) == 1 else f"{newest['subject']} (+{len(kept) - 1})",
            "message_id": message_id(config.domain, f"merged/{digest}", newest["reply_to"].partition("+")[2].partition("@")[0]),
        }
        outbox.put(whole)
        for one in found:
            outbox.change(one, "merged", into=whole["key"])


def drop_pointless(outbox: Outbox) -> None:
    """A question or a reminder need not go out any more when another question is open by now, or when it was answered."""
    game = outbox.told().get("_game") or {}
    for one in outbox.waiting() if game else ():
        is_closed = one["window"] not in ("", game["question"])
        is_answered = one["kind"] == "reminder" and one["seat"] not in game["awaited"]
        if one["kind"] in TIMELY and (is_closed or is_answered) and one["state"] != "sending":
            outbox.change(one, "dropped")


def send(config: Config, boxes: Iterable[Outbox], now: datetime,
         connect: Callable[[Config], smtplib.SMTP] | None = None) -> Sent:
    """Send what is due. A server that cannot be reached changes nothing; a mail it refuses is tried again, or told."""
    done, problem = 0, ""
    failed: list[Item] = []
    server: smtplib.SMTP | None = None
    left = 0
    try:
        for outbox in boxes:
            drop_pointless(outbox)
            merge(outbox, config, now)
            for one in outbox.waiting():
                if moment(one["next"]) > now or problem:
                    left += 1
                    continue
                try:
                    server = server or (connect or login)(config)
                except (OSError, smtplib.SMTPException) as trouble:
                    problem = said(trouble)
                    left += 1
                    continue
                outbox.change(one, "sending")
                try:
                    server.sendmail(config.address, [one["to"]], message(one, config))
                except smtplib.SMTPRecipientsRefused as trouble:
                    code, reply = trouble.recipients[one["to"]]
                    _refused(outbox, one, now, code, reply, failed)
                except smtplib.SMTPResponseException as trouble:
                    _refused(outbox, one, now, trouble.smtp_code, trouble.smtp_error, failed)
                except (OSError, smtplib.SMTPException) as trouble:
                    _refused(outbox, one, now, 0, said(trouble).encode(), failed)
                    server = None
                else:
                    outbox.change(one, "sent", sent=stamp(now))
                    done += 1
                left += one["state"] == "queued"
    finally:
        if server is not None:
            try:
                server.quit()
            except (OSError, smtplib.SMTPException):
                server.close()
    return Sent(done, left, failed, problem)


def _refused(outbox: Outbox, one: Item, now: datetime, code: int, reply: bytes | str, failed: list[Item]) -> None:
    """4xx and lost connections: again, later and later, for two days. 5xx: never again, and somebody is told."""
    what = f"{code} {reply.decode(errors='replace') if isinstance(reply, bytes) else reply}"[:300]
    first = moment(one.get("first", stamp(now)))
    if code >= 500 or now - first > GIVE_UP:
        outbox.change(one, "failed", error=what)
        failed.append(one)
        return
    wait = RETRIES[one["tries"]] if one["tries"] < len(RETRIES) else LATER
    outbox.change(
        one, "queued", tries=one["tries"] + 1, first=stamp(first), next=stamp(now + timedelta(minutes=wait)), error=what
    )


def login(config: Config) -> smtplib.SMTP:
    """A session with TLS; nothing is said in clear."""
    from pbem.mail.box import tls

    server, wait = config.smtp, config.limits["read"]
    if server.tls == "tls":
        session: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=wait, context=tls(config))
    else:
        session = smtplib.SMTP(server.host, server.port, timeout=wait)
    try:
        if server.tls == "starttls":
            session.starttls(context=tls(config))
        if server.user and config.is_oauth:
            secret = config.secret()
            session.auth("XOAUTH2", lambda challenge=None: f"user={server.user}\x01auth=Bearer {secret}\x01\x01")
        elif server.user:
            session.login(server.user, config.secret())
    except BaseException:
        session.close()
        raise
    return session


def said(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"[:200]
