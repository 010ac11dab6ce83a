"""Letters between players: to one, some or all; at once or with the next report; without a name where the game allows it.

`press blue yellow: text`, `press all held: text`, `press blue anonymous: text`. What follows on the next lines belongs to it,
up to a line that is only `/press`, or to the end. The moderator is shown counts, not texts.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from pbem.base.language import PLAIN, Safe, fill
from pbem.desk import showing
from pbem.mail.desk import MailDesk
from pbem.mail.issuing import title, token_now
from pbem.mail.letters import footer, to_all
from pbem.mail.outbox import Letter
from pbem.mail.request import NotMet, Request
from pbem.mail.sentences import mailed
from pbem.telling.words import Words

DAILY = 5
LONGEST = 6000
END = "/press"
LEAD = re.compile(r"press\s+([^:\n]{1,100}):[ \t]*(.*)", re.IGNORECASE | re.DOTALL)


def block(lines: Sequence[str]) -> list[str]:
    """A letter and its lines."""
    for number, line in enumerate(lines):
        if number and line.strip().casefold() == END:
            return list(lines[:number + 1])
    return list(lines)


def rules(desk: MailDesk) -> dict[str, Any]:
    """What this game allows: on, anonymous, held, how many a day."""
    said = (desk.private.get("settings") or {}).get("press") or {}
    return {"off": said.get("off") == "yes", "anonymous": said.get("anonymous") == "yes",
            "held": said.get("when") == "held", "daily": int(said.get("daily", DAILY))}


def ruled(desk: MailDesk, **said: str | None) -> str:
    """The moderator says what this game allows; what he leaves out stays as it is."""
    desk.private.setdefault("settings", {}).setdefault("press", {}).update(
        {name: value for name, value in said.items() if value is not None})
    return mailed(showing.words(desk), "press_ruled", **rules(desk), sent=dict(desk.mail.get("press_total") or {}))


def write(ask: Request, rest: str) -> str:
    """Take a letter and pass it on."""
    desk = ask.desk
    said = showing.words(desk, ask.seat)
    allowed = rules(desk)
    if allowed["off"]:
        raise NotMet(mailed(said, "press_off"))
    found = LEAD.fullmatch(f"press {rest}".strip())
    to, flags = _readers(desk, ask.seat, found[1]) if found else ([], set())
    if found is None or not to:
        raise NotMet(mailed(said, "press_unread", known=[seat for seat in desk.match.seats if seat != ask.seat]))
    anonymous = "anonymous" in flags
    if anonymous and not allowed["anonymous"]:
        raise NotMet(mailed(said, "press_no_anonymous"))
    counted = desk.mail.setdefault("press_count", {})
    day = f"{ask.desk.now:%Y-%m-%d}"
    if counted.get("day") != day:
        counted.clear()
        counted["day"] = day
    counted[ask.seat] = counted.get(ask.seat, 0) + 1
    if counted[ask.seat] > allowed["daily"]:
        raise NotMet(mailed(said, "press_limit", limit=allowed["daily"]))
    text = "\n".join(line for line in found[2].splitlines() if line.strip().casefold() != END).strip()[:LONGEST]
    gathered = "held" in flags or (allowed["held"] and "now" not in flags)
    letter = {"from": "" if anonymous else ask.seat, "to": to, "text": text}
    at_once = [] if gathered else [seat for seat in to if reads_mail(desk, seat)]
    carry(ask, letter, at_once)
    if waits := [seat for seat in to if seat not in at_once]:
        desk.mail.setdefault("press", []).append({**letter, "for": waits})
    total = desk.mail.setdefault("press_total", {})
    total[ask.seat] = total.get(ask.seat, 0) + 1
    return fill(mailed(said, "press_sent", to=to, held=gathered, anonymous=anonymous))


def reads_mail(desk: MailDesk, seat: str) -> bool:
    """Can a letter go at once? Who reads the thread finds it in the list of what is to be pasted."""
    return (desk.match.seats[seat].get("channel") or "mail") == "mail" and bool(desk.addresses(seat))


def carry(ask: Request, letter: dict[str, Any], to: Sequence[str]) -> None:
    """Letters that go at once: one mail for each reader."""
    for place, seat in enumerate(to):
        said = showing.words(ask.desk, seat)
        token = token_now(ask.desk, seat)
        text = "\n".join([shown(ask.desk, letter, seat), footer(ask.desk, said, token)])
        subject = mailed(said, "subject_press", title=title(ask.desk), who=letter["from"])
        name = f"{ask.sender.id}-{len(ask.mails)}-{place}-{seat}"
        ask.mails.extend(to_all(ask.desk, ask.config, seat, Letter("press", name, subject, text, token)))


def opening(said: Words, letter: dict[str, Any]) -> Safe:
    """Who writes to whom."""
    named = bool(letter["from"]) and len(letter["to"]) > 1         # who is not on the list could be the one who has no name
    return mailed(said, "press_from", who=letter["from"], to=letter["to"] if named else [])


def shown(desk: MailDesk, letter: dict[str, Any], reader: str) -> str:
    """A letter as its reader sees it."""
    lead = opening(showing.words(desk, reader), letter)
    lines = [f"    {PLAIN.escape(line)}".rstrip() for line in str(letter["text"]).splitlines()]
    return "\n".join([fill(lead), "", *lines, ""])


def for_reader(desk: MailDesk, seat: str, written: Callable[[MailDesk, dict[str, Any], str], str] = shown) -> list[str]:
    """The letters that wait for this reader's next report."""
    return [written(desk, letter, seat) for letter in desk.mail.get("press") or [] if seat in letter["for"]]


def delivered(desk: MailDesk, seat: str) -> None:
    """They went out with a report."""
    kept = []
    for letter in desk.mail.get("press") or []:
        letter["for"] = [one for one in letter["for"] if one != seat]
        if letter["for"]:
            kept.append(letter)
    if kept:
        desk.mail["press"] = kept
    else:
        desk.mail.pop("press", None)


def _readers(desk: MailDesk, seat: str, text: str) -> tuple[list[str], set[str]]:
    """Whom it is for, by colour or by name; and what else is said of how it goes."""
    words = re.findall(r"\w+", text.casefold())
    flags = {word for word in words if word in ("held", "now", "anonymous")}
    seats = desk.match.seats
    if "all" in words:
        return [one for one in seats if one != seat], flags
    names = {str(who.get("name") or "").casefold(): one for one, who in seats.items()}
    to = [names.get(word, word) for word in words if word not in flags and word not in ("to", "and")]
    if any(one not in seats for one in to):
        return [], flags
    return [one for one in dict.fromkeys(to) if one != seat], flags
