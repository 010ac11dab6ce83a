"""Sending what lies in an outbox: what a server's refusal means, when a mail is tried again, when it is given up.

Only what the recipient's own server says of its own mailbox, and a mail that is too large, is final. Everything else - a limit
of ours, a full mailbox, a rule, a fault - may be over tomorrow, whatever class of code it comes with. Given up is not thrown
away: it stays in the outbox, is shown, and goes again when somebody says so.
"""

import hashlib
import re
import smtplib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.base.clock import moment, stamp
from pbem.base.errors import PbemError
from pbem.mail.body import paragraphs
from pbem.mail.config import Config
from pbem.mail.outbox import SIGNATURE, UNSENT, WIDEST, Item, Outbox, key, message, message_id, unfolded

RETRIES = (1, 5, 15, 60)                # minutes; then every four hours for two days
LATER = 240
GIVE_UP = timedelta(days=2)
OUTAGE = timedelta(hours=2)             # what waited longer is told in one mail
NEWS = ("report", "question", "reminder")
TIMELY = ("question", "reminder")       # pointless when their question is closed
HANGS = 2                               # connections lost one after the other: then the server is left alone until the next run

UNKNOWN, TOO_LARGE, FULL, LIMIT, POLICY, LOST, OTHER = (
    "unknown", "too_large", "full", "limit", "policy", "lost", "other")
TO, FROM, DATA = "rcpt", "mail", "data"         # at which command a refusal came

# What an enhanced status code (RFC 3463) is about; its class says no more than the three digits before it.
SUBJECTS = (
    (r"1\.(?:1|2|3|6|10)|2\.1", UNKNOWN), (r"2\.3|3\.4", TOO_LARGE), (r"2\.2|3\.1", FULL), (r"4\.5|7\.28", LIMIT),
    (r"7\.\d+", POLICY),
)
WORDS = (
    (r"(?:daily|hourly|sending|message|rate|submission|recipients?).{0,30}(?:limit|quota)|too many|rate.?limit|throttl", LIMIT),
    (r"mailbox.{0,20}full|over.?quota|quota exceeded|insufficient (?:system )?storage|out of space", FULL),
    (r"message.{0,20}(?:too (?:large|big)|size exceeds|exceeds.{0,20}size)", TOO_LARGE),
    (r"(?:user|mailbox|recipient|address|account|local.part)[^.;]{0,40}"
     r"(?:unknown|not found|not exist|doesn't exist|disabled|invalid|rejected)"
     r"|(?:unknown|invalid|no such|not a valid) (?:local )?(?:user|mailbox|recipient|address|account|person)|no mailbox",
     UNKNOWN),
    (r"spam|block|black.?list|reputation|policy|spf|dkim|dmarc|relay|denied|not permitted|authenticat", POLICY),
)


class Reply(NamedTuple):
    """What a server said to which command."""

    at: str
    code: int
    text: str

    @property
    def what(self) -> str:
        return f"{self.code} {self.text}"[:300]


def meaning(reply: Reply) -> str:
    """What a refusal is about: by its enhanced code if it has one, else by its words."""
    if not reply.code:
        return LOST
    enhanced = re.match(r"\s*[45]\.(\d{1,3}\.\d{1,3})\b", reply.text)
    found = next((kind for pattern, kind in SUBJECTS if enhanced and re.fullmatch(pattern, enhanced[1])), "")
    worded = next((kind for pattern, kind in WORDS if re.search(pattern, reply.text, re.IGNORECASE)), OTHER)
    if found in ("", UNKNOWN) and worded == LIMIT:              # some call their own limit an unknown mailbox
        found = LIMIT
    return found or worded


def is_final(reply: Reply) -> bool:
    """Is it the recipient's own last word, or a mail that no second try makes smaller?"""
    kind = meaning(reply)
    if reply.code < 500:
        return False
    return kind == TOO_LARGE or (kind == UNKNOWN and reply.at != FROM)


class Sent(NamedTuple):
    """What became of a round of sending."""

    sent: int
    left: int
    failed: list[Item]
    problem: str
    faults: list[PbemError]             # of outboxes that cannot be read


def merge(outbox: Outbox, config: Config, now: datetime) -> None:
    """One mail to a reader instead of many: a receipt with the news of the same run; after an outage, or a day's rest, all.

    Of questions, reports and reminders only the last of each kind tells the present state, and of those before it what no other
    mail says; receipts, letters and notices are all kept. Whether a mail is his, or where a letter ends, somebody is always
    asked alone: what he answers is brought home by the token of that question.
    """
    readers: dict[tuple[str, str], list[Item]] = {}
    unsent = outbox.unsent()
    told = {part: one.key for one in unsent for part in one.parts}      # where a run was cut off just here
    for one in unsent:
        if one.key in told:
            outbox.change(one._replace(state="merged", into=told[one.key]))
            continue
        if one.state == "tomorrow" and moment(one.next) > now:
            continue
        if one.state != "sending":              # it may have arrived: only the same mail may go again
            readers.setdefault((one.seat, one.to), []).append(one)
    for found in readers.values():
        late = any(one.state == "tomorrow" or now - moment(one.made) > OUTAGE for one in found)
        one_mail = [one for one in found if one.kind != "answer"] if late else of_one_run(found)
        if len(one_mail) > 1:
            whole = in_one(outbox, one_mail, config, now)
            outbox.put(whole)
        for one in found:
            if len(one_mail) > 1 and one in one_mail:
                outbox.change(one._replace(state="merged", into=whole.key))
            elif one.state == "tomorrow":
                outbox.change(one._replace(state="queued"))


def of_one_run(found: Sequence[Item]) -> list[Item]:
    """The last receipt, and what is new since: without a receipt there is nothing to put together."""
    fresh = [one for one in found if not one.tries]
    receipts = [one for one in fresh if one.kind == "receipt"][-1:]
    news = [one for one in fresh if one.kind in NEWS and all(one.made >= receipt.made for receipt in receipts)]
    return [*receipts, *news] if receipts else []


def in_one(outbox: Outbox, mails: Sequence[Item], config: Config, now: datetime) -> Item:
    """Several mails to a reader as one, which takes the place of the newest: first what answers him, then what is new."""
    single = sorted((part for one in mails for part in taken_apart(outbox, one)), key=lambda one: one.kind in NEWS)
    last = {one.kind: one for one in single}
    kept = [one for one in single if one.kind not in NEWS or last[one.kind] is one or one.story]
    told = [beside(one, last) for one in kept]
    digest, newest = hashlib.sha256(" ".join(one.key for one in mails).encode()).hexdigest()[:12], mails[-1]
    lead = next((one for one in kept if one.failed), newest)
    first = kept[0]
    return newest._replace(
        key=key("merged", newest.seat or "reader", digest), kind="merged", state="queued", tries=0, next=stamp(now),
        first=min((one.first for one in mails if one.first), default=""),       # two days are over once
        made=stamp(now), subject=lead.subject, failed=lead.failed, story="", story_html="", in_reply_to=first.in_reply_to,
        references=first.references, auto=first.auto,
        window=next((one.window for one in reversed(single) if one.window and one.kind != "reminder"), ""),
        text="\n".join([*(f"{above(one)}\n\n{'=' * WIDEST}\n" for one in told[:-1]), told[-1].text]),
        html="\n<hr>\n".join(one.html or paragraphs(unfolded(above(one))) for one in told),
        pictures=tuple(dict.fromkeys(name for one in told for name in one.pictures)), parts=tuple(one.key for one in mails),
        guide=any(one.guide for one in single),
        message_id=message_id(config.domain, f"merged/{digest}", newest.reply_to.partition("+")[2].partition("@")[0]))


def taken_apart(outbox: Outbox, one: Item) -> list[Item]:
    """What a mail was put together of, before it could be sent, if all of it is still here; any other is its only part."""
    parts = [part for name in one.parts if (part := outbox.get(name)) is not None]
    if not parts or len(parts) < len(one.parts):
        return [one]
    return [single for part in parts for single in taken_apart(outbox, part)]


def beside(one: Item, last: Mapping[str, Item]) -> Item:
    """What is left to say of a mail that goes together with the last of each kind."""
    if one.kind in NEWS:
        return one if last[one.kind] is one else one._replace(text=one.story, html=one.story_html, pictures=())
    return shorter(one) if "report" in last and last["report"].made >= one.made else one


def above(one: Item) -> str:
    """What a mail says, without its signature: that of the last is enough."""
    text, line, below = one.text.rpartition(f"\n{SIGNATURE}\n")
    return (text if line else below).rstrip("\n")


def shorter(one: Item) -> Item:
    """A receipt without what a report tells as well: the story, what is kept, the question."""
    if not one.story:
        return one
    return one._replace(text=one.text.replace(f"{one.story}\n", "", 1), html=one.html.replace(one.story_html, "", 1))


def drop_pointless(outbox: Outbox) -> None:
    """A question or a reminder need not go out any more when another question is open by now, or when it was answered; unless
    it says something that no other mail does."""
    game = outbox.open()
    if game is None:
        return
    for one in outbox.unsent():
        is_closed = one.window not in ("", game.question)
        is_answered = one.kind == "reminder" and one.seat not in game.awaited
        if one.kind in TIMELY and (is_closed or is_answered) and not one.story and one.state != "sending":
            outbox.change(one._replace(state="dropped"))


class Round:
    """One round of sending. A server that cannot be reached, hangs, or takes nothing more is left alone for its rest."""

    def __init__(self, config: Config, now: datetime) -> None:
        self.config, self.now = config, now
        self.problem = ""
        self._server: smtplib.SMTP | None = None
        self._losses = 0

    def try_one(self, outbox: Outbox, one: Item) -> Item:
        """A mail that is due goes out, or waits, or is given up; each step is on the disk."""
        try:
            self._server = self._server or login(self.config)
        except (OSError, smtplib.SMTPException) as trouble:
            self.problem = said(trouble)
            return one
        outbox.change(one._replace(state="sending"))
        reply = self._sent(outbox, one)
        became = one._replace(state="sent", sent=stamp(self.now), error="") if reply is None else refused(one, self.now, reply)
        outbox.change(became)
        if reply is not None:
            kind = meaning(reply)
            self._losses = self._losses + 1 if kind == LOST else 0
            if self._losses >= HANGS or kind == LIMIT or reply.code == 421 or (reply.at == FROM and kind != TOO_LARGE):
                self.problem = reply.what
        return became

    def _sent(self, outbox: Outbox, one: Item) -> Reply | None:
        assert self._server is not None
        if not one.to.isascii():                # it would end the round and never go
            return Reply(TO, 553, "5.1.3 not an address in ASCII")
        try:
            self._server.sendmail(self.config.address, [one.to], message(one, self.config, outbox.pictures_of(one)))
            return None
        except smtplib.SMTPRecipientsRefused as trouble:
            return _reply(TO, *trouble.recipients[one.to])
        except smtplib.SMTPSenderRefused as trouble:
            return _reply(FROM, trouble.smtp_code, trouble.smtp_error)
        except smtplib.SMTPResponseException as trouble:
            return _reply(DATA, trouble.smtp_code, trouble.smtp_error)
        except (OSError, smtplib.SMTPException) as trouble:
            self._server.close()
            self._server = None
            return Reply(DATA, 0, said(trouble))

    def end(self) -> None:
        if self._server is not None:
            try:
                self._server.quit()
            except (OSError, smtplib.SMTPException):
                self._server.close()


def _reply(at: str, code: int, text: bytes | str) -> Reply:
    return Reply(at, code, text.decode(errors="replace") if isinstance(text, bytes) else text)


def send(config: Config, boxes: Iterable[Outbox], now: datetime) -> Sent:
    """Send what is due. A server that cannot be reached changes nothing; a mail it refuses is tried again, or told."""
    became: list[Item] = []
    faults: list[PbemError] = []
    going = Round(config, now)
    try:
        for outbox in boxes:
            try:
                became.extend(tried(outbox, going))
            except PbemError as fault:          # one game never stops the others
                faults.append(fault)
    finally:
        going.end()
    states = [one.state for one in became]
    failed = [one for one in became if one.state == "failed"]
    return Sent(states.count("sent"), sum(map(states.count, UNSENT)), failed, going.problem, faults)


def tried(outbox: Outbox, going: Round) -> Iterator[Item]:
    """What becomes of each mail that lies there."""
    drop_pointless(outbox)
    merge(outbox, going.config, going.now)
    for one in outbox.unsent():
        yield one if moment(one.next) > going.now or going.problem else going.try_one(outbox, one)
    outbox.tidy()


def refused(one: Item, now: datetime, reply: Reply) -> Item:
    """Again, later and later, for two days; what is final, or not taken by then, is given up."""
    first = one.first or stamp(now)
    if is_final(reply) or now - moment(first) > GIVE_UP:
        return one._replace(state="failed", error=reply.what)
    wait = RETRIES[one.tries] if one.tries < len(RETRIES) else LATER
    return one._replace(
        state="queued", tries=one.tries + 1, first=first, next=stamp(now + timedelta(minutes=wait)), error=reply.what)


def again(outbox: Outbox, now: datetime, name: str = "") -> list[Item]:
    """Mails that were given up go once more, as if they had never been tried: one, or all of them."""
    found = [one for one in outbox.failed() if name in ("", one.key)]
    for one in found:
        outbox.change(one._replace(state="queued", tries=0, first="", next=stamp(now)))
    return found


def login(config: Config) -> smtplib.SMTP:
    """A session with TLS; nothing is said in clear."""
    from pbem.mail.box import tls

    server, wait = config.smtp, config.limits["read"]
    secret = config.secret() if server.user else ""
    if server.tls == "tls":
        session: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=wait, context=tls(config))
    else:
        session = smtplib.SMTP(server.host, server.port, timeout=wait)
    try:
        if server.tls == "starttls":
            session.starttls(context=tls(config))
        if server.user and config.is_oauth:
            session.auth("XOAUTH2", lambda challenge=None: f"user={server.user}\x01auth=Bearer {secret}\x01\x01")
        elif server.user:
            session.login(server.user, secret)
    except BaseException:
        session.close()
        raise
    return session


def said(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"[:200]
