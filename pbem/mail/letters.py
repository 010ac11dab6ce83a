"""Letters: a desk and a reader become a mail. Each is made from what that reader may see, never cut out of a fuller one."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from pbem.base.language import PLAIN, Safe, fill
from pbem.desk import showing
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.mail import outbox, tokens
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Item
from pbem.telling.words import Words

MOST_ISSUED = 500


def mailed(words: Words, key: str, /, **facts: Any) -> Safe:
    """A sentence of the mailbox."""
    return words.tell("mail", key, facts)


def title(desk: MailDesk) -> str:
    return str(desk.game.header["game"])


# --- tokens ------------------------------------------------------------------------------------------------------------


def secret(desk: MailDesk) -> str:
    """The key from which the game's tokens are made."""
    if "secret" not in desk.mail:
        import secrets

        desk.mail["secret"] = secrets.token_hex(20)
    return str(desk.mail["secret"])


def turn_window(desk: MailDesk) -> str:
    """What a token is for that answers no window: this seat, this Game Turn; after an undo it is played anew."""
    return f"turn:{desk.match.g.turn}{desk.after_undo}"


def issue(desk: MailDesk, seat: str, window: str) -> str:
    """The token for an answer; that it was given is kept with the game."""
    issued = desk.mail.setdefault("issued", [])
    given = [seat, window, desk.window if desk.asks(seat) else ""]
    if given not in issued:
        issued.append(given)
        del issued[:-MOST_ISSUED]
    return tokens.make(secret(desk), title(desk), seat, window)


def token_now(desk: MailDesk, seat: str) -> str:
    """For the question this seat is asked; without one, for the turn."""
    question = desk.match.question
    return issue(desk, seat, desk.open_as if question is not None and desk.asks(seat) else turn_window(desk))


# --- the parts of a mail -----------------------------------------------------------------------------------------------


def footer(desk: MailDesk, said: Words, token: str = "") -> str:
    """The head of the log, and what brings an answer home."""
    lines = [mailed(said, "head", entries=len(desk.game.entries), head=desk.game.heads()[-1])]
    if token:
        lines.append(mailed(said, "reference", token=token))
    return "\n".join(["", "-- ", *(fill(line) for line in lines)])


def own_lines(desk: MailDesk, said: Words, seat: str) -> list[str]:
    """What of this seat's own orders still waits."""
    if not (lines := desk.waiting(seat)):
        return []
    return [fill(mailed(said, "held_lines" if desk.is_held(seat) else "kept_lines", lines=lines))]


def question_body(desk: MailDesk, seat: str) -> str:
    """The open question without its subject; that this seat has seen it is kept."""
    asked = desk.match.question
    if asked is not None and desk.asks(seat):
        desk.mail.setdefault("shown", {})[seat] = desk.open_as
    return showing.question_text(desk, seat).partition("\n\n")[2]


def what_is_open(desk: MailDesk, seat: str) -> str:
    question = showing.seen(desk, seat)["question"]
    return str(showing.words(desk, seat).waiting(question)) if question else ""


# --- mails -------------------------------------------------------------------------------------------------------------


def question(desk: MailDesk, config: Config, seat: str, now: datetime) -> list[Item]:
    """What a seat is asked."""
    asked = desk.match.question
    assert asked is not None
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    text = "\n".join([question_body(desk, seat), *own_lines(desk, said, seat), footer(desk, said, token)])
    subject = mailed(said, "subject_question", title=title(desk), window=asked.id, what=what_is_open(desk, seat))
    return to_all(desk, config, seat, "question", f"{desk.open_as}-{seat}", subject, text, now, token=token,
                  window=desk.open_as)


def invitation(desk: MailDesk, config: Config, seat: str, now: datetime) -> list[Item]:
    """Before the first entry: the promises, and the request for a word."""
    from pbem.desk import seeding

    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    text = "\n".join([showing.promise(seeding.post(desk.place), said), "",
                      fill(mailed(said, "word_wanted")), footer(desk, said, token)])
    subject = mailed(said, "subject_answer", title=title(desk), what=mailed(said, "invitation"))
    return to_all(desk, config, seat, "question", f"invitation-{seat}", subject, text, now, token=token)


def reminder(desk: MailDesk, config: Config, seat: str, now: datetime) -> list[Item]:
    asked = desk.match.question
    assert asked is not None
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    text = "\n".join([mailed(said, "reminder"), "", question_body(desk, seat), footer(desk, said, token)])
    subject = mailed(said, "subject_reminder", title=title(desk), window=asked.id, what=what_is_open(desk, seat))
    return to_all(desk, config, seat, "reminder", reminder_name(desk, seat), subject, text, now, token=token,
                  window=desk.open_as)


def reminder_name(desk: MailDesk, seat: str) -> str:
    """There is one for each deadline."""
    return f"{desk.window}~{desk.open_as.partition('~')[2]}-{seat}"


def report(desk: MailDesk, config: Config, seat: str, since: int, now: datetime, letters: Sequence[str] = ()) -> list[Item]:
    """What happened since this seat's last report; its question with it, if it is asked."""
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    parts = [showing.report(desk, seat, since, "text")]
    if letters:
        parts += [mailed(said, "press_heading"), "", *letters]
    text = "\n".join([*parts, *own_lines(desk, said, seat), footer(desk, said, token)])
    asked = desk.match.question
    window = asked.id if asked is not None and desk.asks(seat) else ""
    subject = mailed(said, "subject_question" if window else "subject_report", title=title(desk), window=window,
                     what=what_is_open(desk, seat) or said.phrase("nobody_awaited"))
    numbers = desk.mail.setdefault("reports", {})
    numbers[seat] = numbers.get(seat, 0) + 1
    return to_all(desk, config, seat, "report", f"{numbers[seat]}-{seat}", subject, text, now, token=token,
                  window=desk.open_as if window else "", entries=len(desk.game.entries))


def public_report(desk: MailDesk, config: Config, address: str, since: int, now: datetime) -> Item:
    """What happened, for somebody who plays no seat: made without a look at anything private."""
    published = Desk(desk.place, published=True, now=now)
    said = showing.words(published)
    text = showing.report(published, showing.PUBLIC, since, "text") + footer(desk, said)
    subject = mailed(said, "subject_report", title=title(desk), what=showing.waits(published, said))
    name = f"{len(desk.game.entries)}-{hashlib.sha256(address.encode()).hexdigest()[:12]}"
    return outbox.item(config, "report", f"public-{name}", address, subject, text, now, game=title(desk))


def receipt(
    desk: MailDesk,
    config: Config,
    seat: str,
    id: str,
    outcomes: Sequence[Outcome],
    notes: Iterable[str],
    now: datetime,
    *,
    version: int = 0,
    reply_to: str = "",
    answers: Iterable[str] = (),
    ask: bool = True,
    sender: str = "",
    answered: str = "",
    failed: bool = False,
) -> list[Item]:
    """Each line with what became of it, what was cut, until when it may be changed, what silence means."""
    said = showing.words(desk, seat)
    asked = desk.match.question
    token = token_now(desk, seat)
    lines: list[str] = []
    for number, one in enumerate(outcomes, 1):
        lines += showing.told_of(said, number, one, became(said, one))
    lines += [fill(note) for note in notes]
    lines += [*own_lines(desk, said, seat), ""]
    answers, waits = list(answers), fill(showing.waits(desk, said))
    lines += [part for answer in answers for part in (answer, "")]
    if not any(waits in answer for answer in answers):      # who asks for the status has just been told
        lines.append(waits)
    if asked is not None and desk.asks(seat):
        due = desk.match.due_of(asked)
        if asked.id == answered and any(one.state == "sealed" for one in outcomes):
            if due:
                lines.append(fill(mailed(said, "still_open", due=due)))
        elif ask:
            lines += ["", mailed(said, "now_asked", id=asked.id), "", question_body(desk, seat)]
        elif due and asked.default is not None:
            lines.append(fill(mailed(said, "on_silence", due=due, order=said.order(asked.default))))
    wrong = failed or any(one.state == "refused" for one in outcomes)
    subject = mailed(said, "subject_receipt", title=title(desk), window=desk.window if desk.asks(seat) else "", version=version)
    if wrong:
        subject = mailed(said, "failed", said=subject)
    text = "\n".join([*lines, footer(desk, said, token)])
    return to_one(desk, config, seat, "receipt", id, subject, text, now, token=token, reply_to=reply_to, auto="auto-replied",
                  sender=sender)


def became(said: Words, one: Outcome) -> str:
    """What became of a line. A sealed answer is told the same way whether others have answered or not."""
    if one.state in ("sealed", "prepared"):
        return mailed(said, f"line_{one.state}", did=showing.meant(one))
    return showing.became(said, one)


def refusal(
    desk: MailDesk,
    config: Config,
    seat: str,
    id: str,
    why: str,
    now: datetime,
    *,
    kind: str,
    reply_to: str = "",
    state: bool = True,
    sender: str = "",
) -> list[Item]:
    """Why a whole mail was not taken, and how things stand; of one `kind` there is one a day."""
    said = showing.words(desk, seat)
    token = token_now(desk, seat)
    parts = [fill(why), ""]
    if state:
        parts += [fill(showing.waits(desk, said))]
        if (asked := desk.match.question) is not None and desk.asks(seat):
            parts += ["", mailed(said, "now_asked", id=asked.id), "", question_body(desk, seat)]
    subject = mailed(said, "failed", said=mailed(said, "subject_refused", title=title(desk), window=""))
    text = "\n".join([*parts, footer(desk, said, token)])
    return to_one(desk, config, seat, "receipt", id, subject, text, now, token=token, reply_to=reply_to, auto="auto-replied",
                  sender=sender, refusal=kind)


def confirm(
    desk: MailDesk, config: Config, seat: str, id: str, lines: Sequence[str], now: datetime, reply_to: str
) -> list[Item]:
    """To the address on file: was this you?"""
    said = showing.words(desk, seat)
    token = issue(desk, seat, f"confirm:{id}")
    shown = [f"    {PLAIN.escape(line)[:200]}" for line in lines[:30]]
    text = "\n".join([fill(mailed(said, "confirm")), "", mailed(said, "confirm_text"), "", *shown, footer(desk, said, token)])
    subject = mailed(said, "subject_confirm", title=title(desk))
    return to_one(desk, config, seat, "answer", f"confirm-{id}", subject, text, now, token=token, reply_to=reply_to,
                  auto="auto-replied", refusal=outbox.CONFIRM)


def to_all(desk: MailDesk, config: Config, seat: str, kind: str, name: str, subject: str, text: str, now: datetime,
           **more: Any) -> list[Item]:
    """One mail for each person on a seat."""
    found = desk.addresses(seat)
    return [outbox.item(config, kind, name if place == 0 else f"{name}-{place}", address, subject, text, now, game=title(desk),
                        seat=seat, **more) for place, address in enumerate(found)]


def to_one(desk: MailDesk, config: Config, seat: str, kind: str, name: str, subject: str, text: str, now: datetime, *,
           sender: str = "", **more: Any) -> list[Item]:
    """To the person who wrote, if that address is on file; else to the seat's first."""
    found = desk.addresses(seat)
    address = next((one for one in found if one.casefold() == sender.casefold()), found[0] if found else "")
    if not address:
        return []
    return [outbox.item(config, kind, name, address, subject, text, now, game=title(desk), seat=seat, **more)]
