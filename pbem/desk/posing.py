"""Questions: what a seat is asked, what it may answer and until when, as text or plain data."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from pbem.base.language import Safe, fill, wrapped
from pbem.desk import turnform
from pbem.desk.desk import Desk
from pbem.desk.showing import faced, words
from pbem.kernel.procedures import Question
from pbem.orders.language import tidied
from pbem.table.state import SEGMENTS
from pbem.telling import views
from pbem.telling.offers import MOST_OFFERS, lettered
from pbem.telling.putting import put
from pbem.telling.words import Words

PRIVATE = frozenset(("text", "mail", "html"))   # formats that nobody but their reader sees
Reply = Callable[[str], str]                    # what would be answered, to the address of a link that does


def is_asked(desk: Desk, reader: str) -> bool:
    question = desk.match.question
    return question is not None and reader in question.sides and reader in desk.match.seats


def question_text(desk: Desk, seat: str, fmt: str = "text", view: dict[str, Any] | None = None,
                  reply: Reply | None = None) -> str:
    """The open question as it goes to a seat, under its subject."""
    from pbem.telling.formats import FORMATS

    question, form = desk.match.question, FORMATS[fmt]
    said = words(desk, seat).inked(form.question[1])
    if question is None:
        return str(said.phrase("nobody_awaited"))
    if not is_asked(desk, seat):
        return str(said.phrase("not_asked_now", seat=seat, sides=list(question.sides)))
    view = view or faced(desk, seat)
    subject = said.phrase("subject", title=view["title"], id=question.id, what=said.waiting(view["question"]))
    lead = f"[{subject}]" if said.ink.strong(subject) == subject else said.ink.strong(subject)
    return f"{lead}\n\n{question_body(desk, seat, fmt, view, reply)}"


def question_body(desk: Desk, seat: str, fmt: str, view: dict[str, Any] | None = None, reply: Reply | None = None) -> str:
    """What a seat is asked, what it may answer, until when; `reply` is the address of a link that answers."""
    return bodies(desk, seat, (fmt,), view, reply)[0]


def bodies(desk: Desk, seat: str, formats: Sequence[str], view: dict[str, Any] | None = None,
           reply: Reply | None = None) -> list[str]:
    """The same in several formats."""
    from pbem.telling.formats import FORMATS

    question, found = desk.match.question, list[str]()
    assert question is not None
    view = view or faced(desk, seat)
    lines = turn_lines(desk, seat) if not PRIVATE.isdisjoint(formats) else []
    for fmt in formats:
        layout, ink = FORMATS[fmt].question
        said = words(desk, seat).inked(ink)
        found.append(put(said, question, seat, view, layout, public=fmt == "bgg" and not desk.tray,
                         p=Safe if fmt == "mail" else fill, reply=reply) + turn_form(fmt, lines, said))
    return found


def turn_lines(desk: Desk, seat: str) -> list[str]:
    """The whole of one's own turn as lines to be sent back."""
    return turnform.form(desk, seat, words(desk, seat)) if desk.tray else []


def turn_form(fmt: str, lines: list[str], said: Words) -> str:
    """These lines behind the question. Only in private, for they name cards."""
    if not lines or fmt not in PRIVATE:
        return ""
    hint = said.phrase("turn_form", mark="#")
    if fmt == "html":
        from html import escape

        return f"\n<p>{hint}</p>\n<pre>{escape(chr(10).join(lines))}</pre>\n"
    return "\n\n".join(["", hint if fmt == "mail" else fill(hint), "\n".join(lines)])


def all_offers(desk: Desk, seat: str, which: str = "") -> str:
    """Whatever a seat may answer now, or all of one kind of order, written out: nothing is cut."""
    question, said = desk.match.question, words(desk, seat)
    if question is None or not is_asked(desk, seat):
        return question_text(desk, seat)
    letters = {said.order(answer): letter for letter, answer in lettered(question, seat)}
    own_turn = question.kind in SEGMENTS
    wanted = tidied(which).casefold()
    rows, count = list[str](), 0
    for answer in islice(question.offers(seat), MOST_OFFERS):
        if desk.match.say(answer).casefold().startswith(wanted):
            text, count = said.order(answer), count + 1
            rows += wrapped(f"  {'' if own_turn else letters.get(text, ' ') + '  '}{text}", 6)
    head = said.phrase("offers_all", id=question.id, count=count, which=said.retold(wanted))
    return "\n".join([*wrapped(head, 0), *rows])


def question_data(desk: Desk, seat: str, *, in_full: bool = False) -> dict[str, Any]:
    """The open question for programs; `in_full` with every answer there is, not only those under letters."""
    question = desk.match.question
    if question is None or not is_asked(desk, seat):
        return {"seat": seat, "question": None}
    return {"seat": seat, "question": question.id, "kind": question.kind, "rule": question.rule,
            "due": desk.match.told_due(question), "offers": offers(desk, question, seat),
            "default": desk.match.say(question.silence(seat)),
            **({"all": [desk.match.say(one) for one in islice(question.offers(seat), MOST_OFFERS)]} if in_full else {})}


def offers(desk: Desk, question: Question, seat: str) -> dict[str, str]:
    return {letter: desk.match.say(answer) for letter, answer in lettered(question, seat)}


def waits(desk: Desk, said: Words) -> str:
    question = desk.match.question
    if desk.match.g.over:
        return str(said.phrase("game_over", **desk.match.g.over))
    if not desk.game.entries and (chance := desk.game.header.get("chance") or {}).get("deck"):
        return str(said.phrase("words_awaited", seats=[seat for seat in desk.game.header["seats"]
                                                       if not (chance.get("words") or {}).get(seat)]))
    if question is None:
        return str(said.phrase("nobody_awaited"))
    asked = views.asked(desk.match.g, question, desk.match.told_due(question))
    return str(said.phrase("waiting_for", sides=list(question.sides), what=said.waiting(asked), due=asked["due"]))
