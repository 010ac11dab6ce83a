"""Seats without e-mail: orders out of forum posts, and texts to be pasted into the thread, in BGG markup.

In a post the bold lines outside of quotes are orders; everything else is talk. What such a seat has to be told waits in a list,
split where a post would be too long, until it is ticked off with the number of the post that shows it. A thread is read by
everybody: what depends on a hand goes into a message to its player.
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem import showing
from pbem.errors import NotNow, PbemError, Refused
from pbem.folder import Lock
from pbem.mail import outbox, press, speaking
from pbem.mail.desk import MailDesk
from pbem.mail.ledger import stamp
from pbem.mail.letters import mailed
from pbem.mail.outbox import Item, Outbox
from pbem.match import CARD_WINDOWS
from pbem.moderator import Moderator
from pbem.words import clean

FROM_THE_HAND = (*CARD_WINDOWS, "tyche", "reaction_card", "turn_up")     # questions whose offers name cards
THREAD = "thread"                       # where everybody reads
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


def to_paste(subject: str, text: str) -> list[str]:
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


def readers(desk: MailDesk) -> list[str]:
    """The seats that read the thread."""
    return [seat for seat, who in desk.match.seats.items() if who.get("channel") == "paste"]


def is_asked(desk: MailDesk, seat: str, before: Mapping[str, Any]) -> bool:
    """Is there a question that this seat has not been shown?"""
    return desk.asks(seat) and (before.get(seat) or {}).get("question") != desk.open_as


def post(desk: MailDesk, before: Mapping[str, Any]) -> str:
    """What everybody reads: what happened, and the questions whose answers depend on nobody's hand. Made without secrets."""
    published = Moderator(desk.folder, published=True, now=desk.now)
    question, since = desk.match.question, int((before.get(THREAD) or {}).get("entry", 0))
    asked = [seat for seat in readers(desk) if is_asked(desk, seat, before)]
    news = speaking.has_news(published, showing.PUBLIC, since) or (asked and len(desk.game.entries) > since)
    parts = [showing.report(published, showing.PUBLIC, since + 1, "text")] if news else []
    if question is not None and question.kind not in FROM_THE_HAND:
        parts += [showing.question_text(published, seat) for seat in asked]
    return "\n".join(parts)


def message(desk: MailDesk, seat: str, before: Mapping[str, Any]) -> str:
    """What only this player may read: cards, letters, a question that names what he holds."""
    said, secret = showing.words(desk, seat), desk.match.g.secret
    since = int((before.get(seat) or {}).get("entry", 0))
    own = [str(said.event(event)) for event in showing.told(desk, seat, since + 1) if not event.for_seat(None)]
    question = desk.match.question
    if question is not None and question.kind in FROM_THE_HAND and is_asked(desk, seat, before):
        own.append(showing.question_text(desk, seat))
    if own and secret is not None and (hand := secret.hand(seat)):
        own.append(mailed(said, "hand", cards=[said.phrase("hand_card", card=card) for card in hand]))
    letters = press.for_reader(desk, seat)
    return "\n\n".join([*own, *letters])


def pending(desk: MailDesk, now: datetime) -> list[Item]:
    """What is to be pasted since the last list: one text for the thread, and one for each who may know more."""
    game, number, before = str(desk.game.header["game"]), len(desk.game.entries), box(desk.folder).told()
    found: list[Item] = []
    if not readers(desk):
        return found

    def add(kind: str, seat: str, subject: str, text: str) -> None:
        digest = hashlib.sha256(text.encode()).hexdigest()[:6]
        for part, body in enumerate(to_paste(subject, text), 1):
            found.append({"key": outbox.key(kind, seat or THREAD, f"{number}-{part}-{digest}"), "kind": kind, "seat": seat,
                          "to": "", "text": body, "subject": subject, "state": "queued", "made": stamp(now),
                          "next": stamp(now), "tries": 0, "window": "", "game": game})

    if text := post(desk, before):
        add("post", "", game, text)
    for seat in readers(desk):
        if text := message(desk, seat, before):
            add("message", seat, f"{game}: for {desk.match.seats[seat].get('name') or seat}", text)
    return found


def told(desk: MailDesk) -> None:
    """What was listed is kept: the next list goes on from here."""
    number = len(desk.game.entries)
    now: dict[str, dict[str, Any]] = {THREAD: {"entry": number}}
    for seat in readers(desk):
        press.delivered(desk, seat)
        now[seat] = {"entry": number, **({"question": desk.open_as} if desk.asks(seat) else {})}
    box(desk.folder).tell(now)


def listed(place: Path, now: datetime) -> str:
    """The to-paste list."""
    folder = place if place.is_dir() else place.parent
    kept = box(folder)
    with Lock(folder):
        desk = MailDesk(folder, now=now)
        desk.begin()
        for one in pending(desk, now):
            kept.put(one)
        told(desk)
        desk.commit()
    waiting = sorted(kept.waiting(), key=lambda one: (one["made"], one["kind"] != "post", one["key"]))
    if not waiting:
        return "Nothing is to be pasted."
    return "\n\n".join(f"--- {one['key']}: {where(desk, one)}, then: pbem paste {place} --done {one['key']} --post NUMBER\n"
                       f"{one['text']}" for one in waiting)


def where(desk: MailDesk, one: Item) -> str:
    """Where a text belongs."""
    if one["kind"] == "post":
        return "post this in the thread"
    return f"send this to {desk.match.seats[one['seat']].get('name') or one['seat']} alone, never into the thread"


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
