"""Receipts: what became of each line that somebody sent, with what proves that it was taken."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.base.errors import clipped
from pbem.base.language import WIDTH, wrapped
from pbem.desk.desk import Desk
from pbem.desk.posing import waits
from pbem.desk.reporting import came_of, events_for
from pbem.desk.showing import PUBLIC, printed, words
from pbem.desk.submission import Outcome
from pbem.telling.words import Words

STEPPED, OPENLY = ("march ", "sail "), " openly"             # orders that are done step by step; of those a whole way was told


def news(desk: Desk, seat: str) -> list[str]:
    """What an undo has done to what this seat had sent, for its own eyes."""
    said = words(desk, seat)
    return [str(said.phrase(f"slip_{one.became}", undo=one.undo, lines=[*map(said.retold, one.lines)], question=one.question))
            for one in desk.tray.news_for(seat)]


def receipt(desk: Desk, outcomes: Sequence[Outcome], since: int = 0) -> str:
    """Each line with what became of it; what happened from an entry on; then what the game waits for."""
    said = words(desk)
    lines: list[str] = []
    for number, one in enumerate(outcomes, 1):
        lines += [*told_of(said, number, one, became(said, one)), *kept_of(said, one)]
    for block in came_of(desk, PUBLIC, since) if since else ():
        lines += ["", block]
    lines += [*([""] if since and len(lines) > len(outcomes) else []), *wrapped(waits(desk, said), 0)]
    return "\n".join(lines)


def turn_proof(desk: Desk, reader: str, since: int) -> list[str]:
    """At the end of a Game Turn what the log was, the same for everybody: two players who compare it catch two logs."""
    from pbem.log import gamelog

    game = desk.game
    if not any("turn_end" in entry for entry in game.entries[max(0, since - 1):]):       # the whole log need not be read
        return []
    ended = [place for place in gamelog.survivors(game.entries) if "turn_end" in game.entries[place] and place + 1 >= since]
    if not ended:
        return []
    entry, opened = game.entries[ended[-1]], game.entries[ended[-1]].get("open") or {}
    told = {"game": game.header["game"], "turn": entry["turn_end"], "entries": ended[-1] + 1,
            "head": game.head(ended[-1] + 1)[:32], **{key: opened[key] for key in ("epoch", "link") if key in opened}}
    return ["", *wrapped(words(desk, reader).phrase("turn_proof", turn=entry["turn_end"]), 0), *block({"turn": told})]


def hand_proof(desk: Desk, seat: str, since: int = 0) -> list[str]:
    """The openings of a hand, for its owner alone; if asked, only when a card has come to it from an entry on."""
    from pbem.desk import openings

    heard = events_for(desk, seat, since) if since else ()
    news = [event for event in heard if not event.for_seat(None) and "card" in event.facts]
    if since and not news:
        return []
    shown = openings.hand(desk.game.entries, desk.match, desk.keys, seat)
    proof = ["", *wrapped(words(desk, seat).phrase("hand_proof"), 0), *block(shown)] if shown else []
    return [*in_own_words(desk, seat), *proof]


def in_own_words(desk: Desk, seat: str) -> list[str]:
    """What the box says word for word of the cards in a hand and of a seat's Generals, as far as its form had it."""
    g, said = desk.match.g, words(desk, seat)
    own = [*(f"cards.{card}" for card in (g.secret.hand(seat) if g.secret is not None else ())),
           *(f"generals.{one.name}" for one in g.generals_of(seat))]
    return [line for thing in own if thing in desk.tray.printed for line in wrapped(printed(desk, said, thing), 0)]


def line_of(said: Words, one: Outcome) -> str:
    """A line as it came; a step that was spelt out of one as its reader writes it himself."""
    return said.retold(one.line) if one.is_step else one.line


def told_of(said: Words, number: int, one: Outcome, became: str, width: int = WIDTH) -> list[str]:
    """A line as it came, and under it what became of it and what it costs besides."""
    return wrapped(f"{number}  {clipped(line_of(said, one))}", 3, width=width) + [
        row for line in rows_of(said, one, became) for row in wrapped(line, 5, "   ", width)]


def kept_of(said: Words, one: Outcome, width: int = WIDTH) -> list[str]:
    """What proves that an answer was taken, if it was sealed."""
    return [] if one.receipt is None else [*wrapped(said.phrase("receipt_kept"), 2, "", width), *block(one.receipt.plain())]


def rows_of(said: Words, one: Outcome, became: str) -> list[str]:
    prices = [str(said.price(remark.key, remark.facts, remark.rule)) for remark in one.remarks]
    return [line for text in (became, *prices) for line in text.splitlines()]


def block(kept: Mapping[str, Any]) -> list[str]:
    """What a checker reads, in lines that a mail program leaves alone. Blanks may become line breaks, and back."""
    from json import dumps

    return wrapped(dumps(kept, ensure_ascii=False), 1)


def became(said: Words, one: Outcome) -> str:
    if one.error is not None:
        why = said.refusal(one.error)
        return str(said.phrase("line_broken_off", did=[*map(said.retold, on_the_way(one.did))], why=why) if one.did else why)
    if one.state == "answered":
        return "\n".join(one.did)
    return besides(said, one, str(said.phrase(f"line_{one.state}", waiting=one.waiting, entries=one.entries,
                                              did=meant(said, one))))


def besides(said: Words, one: Outcome, told: str) -> str:
    """Which question a bare letter answered, and whose place a sealed answer took."""
    lead = said.phrase("line_question", id=one.question) + " " if one.question else ""
    return lead + told + (f" {said.phrase('line_replaces', text=said.retold(one.replaced))}" if one.replaced else "")


def meant(said: Words, one: Outcome) -> list[str]:
    """How a line was understood, where that is not what it says."""
    written = one.line.strip().casefold()
    return [own for text in on_the_way(one.did) if (own := said.retold(text)).casefold() != written != text.casefold()]


def on_the_way(did: Iterable[str]) -> list[str]:
    """What was done step by step as it would be written: the steps of one march, or of one voyage, are one order."""
    told = list[str]()
    for text in did:
        lead, _, step = text.partition(" > ")
        goes_on = lead.startswith(STEPPED) and bool(told) and told[-1].startswith(f"{lead} > ") and OPENLY not in told[-1]
        told[-1:] = [f"{told[-1]} > {step}"] if goes_on else [*told[-1:], text]
    return told


def receipt_data(desk: Desk, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    said = words(desk)
    question = desk.match.question
    return {"lines": [{"line": one.line, "state": one.state, "entries": one.entries, "waiting": one.waiting,
                       "text": became(said, one), "rule": getattr(one.error, "rule", ""),
                       **(one.receipt.plain() if one.receipt is not None else {})} for one in outcomes],
            "question": question.id if question is not None else None,
            "sides": list(question.sides) if question is not None else []}
