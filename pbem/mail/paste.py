"""Seats without e-mail: orders out of forum posts, and texts to be pasted into the thread, in BGG markup.

In a post the bold lines outside of quotes are orders; everything else is talk. What such a seat has to be told waits in a list,
split where a post would be too long, until it is ticked off with the number of the post that shows it.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem import showing
from pbem.errors import NotNow, PbemError, Refused
from pbem.folder import Lock
from pbem.mail import outbox
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import stamp
from pbem.mail.outbox import Item, Outbox
from pbem.words import clean

LONGEST = 15_000                        # characters of a post
_TAG = re.compile(r"\[(/?)(q|quote|b|-|s|o|spoiler|c|code)(?:=[^\]\n]{0,100})?\]", re.IGNORECASE)
_OTHER = re.compile(r"\[/?[a-z*][^\]\n]{0,200}\]", re.IGNORECASE)
HIDES = ("q", "quote", "-", "s")        # quoted, or struck out


def orders(post: str) -> list[str]:
    """The bold lines of a post that are not quoted and not struck out, without any markup."""
    bold, hidden, at = 0, 0, 0
    found: list[str] = []

    def take(text: str) -> None:
        plain = _OTHER.sub("", text)
        found.append(plain if bold > 0 and hidden == 0 else re.sub(r"[^\n]", "", plain))

    for tag in _TAG.finditer(post):
        take(post[at:tag.start()])
        at = tag.end()
        name, step = tag[2].casefold(), -1 if tag[1] else 1
        if name == "b":
            bold = max(0, bold + step)
        elif name in HIDES:
            hidden = max(0, hidden + step)
    take(post[at:])
    return [clean(line).strip() for line in "".join(found).splitlines() if line.strip()]


def escaped(text: str) -> str:
    """Text in which BGG finds no markup: square brackets become round ones."""
    return text.replace("[", "(").replace("]", ")")


def take(place: Path, seat: str, number: str, post: str, now: datetime) -> str:
    """Orders of a seat out of a post; the number of the post is their provenance, and the same post counts once."""
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", number):
        raise PbemError("post_number", number=number)
    via = f"post-{number}"
    folder = place if place.is_dir() else place.parent
    with Lock(folder):
        desk = MailDesk(folder, now=now)
        if seat not in desk.match.seats:
            raise Refused("2", "unknown_seat", seat=seat, known=list(desk.match.seats))
        taken = desk.mail.setdefault("posts", [])
        if f"{seat} {via}" in taken:
            raise NotNow("post_taken", number=number, seat=seat)
        lines = orders(post)
        if not lines:
            raise PbemError("post_empty", number=number)
        desk.begin()
        outcomes = desk.order(seat, "\n".join(lines), via=via)
        outcomes += desk.run()
        taken.append(f"{seat} {via}")
        answer = showing.receipt(desk, outcomes)
        desk.commit()
    return answer


# --- what is to be pasted ----------------------------------------------------------------------------------------------


def to_paste(desk: MailDesk, seat: str, subject: str, text: str) -> list[str]:
    """A text for the thread: its title bold, the rest in a fixed font, in as many posts as it takes."""
    parts: list[list[str]] = [[]]
    length = 0
    for line in escaped(text).splitlines():
        if length + len(line) > LONGEST:
            parts.append([])
            length = 0
        parts[-1].append(line)
        length += len(line) + 1
    many = len(parts) > 1
    return [f"[b]{escaped(subject)}{f' ({number}/{len(parts)})' if many else ''}[/b]\n[c]" + "\n".join(lines) + "[/c]"
            for number, lines in enumerate(parts, 1)]


def box(place: Path) -> Outbox:
    return Outbox((place if place.is_dir() else place.parent) / "out" / "paste")


def pending(desk: MailDesk, now: datetime) -> list[Item]:
    """What the seats of the thread have to be told: a report after each advance, with the question if they are asked."""
    found: list[Item] = []
    kept = box(desk.folder)
    told = kept.told()
    for seat, who in desk.match.seats.items():
        if who.get("channel") != "paste":
            continue
        since = int((told.get(seat) or {}).get("entry", 0))
        number = len(desk.game.entries)
        if number <= since or not (showing.told(desk, showing.PUBLIC, since + 1) or desk.asks(seat)):
            continue
        # A thread is read by everybody: what goes there is what the public may know, and the question without a hand.
        text = showing.report(desk, showing.PUBLIC, since + 1, "text")
        if desk.asks(seat):
            text += "\n" + showing.question_text(desk, seat)
        subject = f"{desk.game.header['game']}: for {who.get('name') or seat}"
        for part, body in enumerate(to_paste(desk, seat, subject, text), 1):
            found.append({"key": outbox.key("paste", f"{seat}-{number}-{part}"), "kind": "paste", "seat": seat, "to": "",
                          "text": body,
                          "subject": subject, "state": "queued", "made": stamp(now), "next": stamp(now), "tries": 0,
                          "window": "", "game": str(desk.game.header["game"])})
        kept.tell({seat: {"entry": number}})
    return found


def listed(place: Path, now: datetime) -> str:
    """The to-paste list."""
    folder = place if place.is_dir() else place.parent
    kept = box(folder)
    with Lock(folder):
        for one in pending(MailDesk(folder, now=now), now):
            kept.put(one)
    waiting = kept.waiting()
    if not waiting:
        return "Nothing is to be pasted."
    return "\n\n".join(
        f"--- {one['key']}: paste this, then: pbem paste {place} --done {one['key']} --post NUMBER\n{one['text']}"
        for one in waiting
    )


def tick(place: Path, name: str, number: str) -> str:
    """It stands in the thread now."""
    kept = box(place)
    one: dict[str, Any] | None = next((one for one in kept.waiting() if one["key"] == name), None)
    if one is None:
        raise PbemError("nothing_to_paste", name=name)
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", number):
        raise PbemError("post_number", number=number)
    kept.change(one, "sent", post=number)
    return f"{name}: post {number}"
