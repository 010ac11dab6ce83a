"""How a desk speaks to a reader: the words, the view, and what is said of a game that no report or question is."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.base.clock import to_the_minute
from pbem.base.errors import PbemError
from pbem.base.language import fill, wrapped
from pbem.base.paths import spoken
from pbem.desk.deadline import Closing
from pbem.desk.desk import Desk
from pbem.editions.books import BOOK
from pbem.play.match import MARKED
from pbem.rules.war import MODERATOR
from pbem.table.events import Event
from pbem.telling import views
from pbem.telling.words import Words

if TYPE_CHECKING:
    from pbem.desk.publishing import Published
    from pbem.desk.seeding import Post, Status
    from pbem.log.gamelog import Edit


PUBLIC = "public"
NUMBERED = frozenset((*MARKED, "undone"))          # what quotes the number of its entry


def plain_words(wish: object = "", book: str = BOOK) -> Words:
    """Words for what is said while no game is open."""
    from pbem.components.catalogue import facts
    from pbem.orders.names import names_of

    return Words(spoken(wish), names_of(facts(), {}), facts(), book=book)


def words(desk: Desk, reader: str = PUBLIC) -> Words:
    """The words of a reader: names of this game's people, the reader's language and time zone."""
    seats = desk.match.seats
    people = {seat: str(who.get("name") or "") for seat, who in seats.items()}
    who = seats.get(reader) or {}
    language, zone = spoken(desk.language or desk.match.language_of(reader)), str(who.get("zone") or "UTC")
    known = desk.voices.get((language, zone))
    if known is None or known.names is not desk.match.names:        # others, as soon as a thing or somebody is called otherwise
        known = desk.voices[language, zone] = Words(language, desk.match.names, desk.match.g.facts, people=people, zone=zone,
                                                    book=desk.match.g.rules.book)
    return known


def seen(desk: Desk, reader: str) -> dict[str, Any]:
    """The view of a reader: `public`, `moderator` or a seat."""
    match, question = desk.match, desk.match.question
    secret = match.g.secret
    return views.view(
        match.g, None if reader == PUBLIC else reader, question,
        hand=secret.hand(reader) if secret is not None and reader in match.seats else (),
        due=match.told_due(question) if question is not None else "",
        answered=tuple(desk.sealed(question)) if question is not None and reader == MODERATOR else (),
        title=title(desk), head=desk.game.head(),
        entries=len(desk.game.entries), marks=[numbered(number, event) for number, event in match.marks], stopped=match.stopped)


def faced(desk: Desk, seat: str) -> dict[str, Any]:
    """As much of it as is needed to put the open question to a seat."""
    match, question = desk.match, desk.match.question
    assert question is not None
    return views.of_question(match.g, seat, question, due=match.told_due(question), title=title(desk), stopped=match.stopped)


def title(desk: Desk) -> str:
    return str(desk.game.header.get("title") or desk.game.header["game"])


def promise(post: "Post", said: Words | None = None) -> str:
    """What binds the moderator, and why everybody adds a word, as long as anybody can."""
    from pbem.chance import scheme

    said = said or plain_words()
    facts = {**post._asdict(), "longest": scheme.LONGEST_WORD,
             "seats": [{"seat": seat, "name": name} for seat, name in post.seats.items()]}
    rows = [line for row in ("deck", "dice", "links", "seats", *(() if post.begun else ("words",)), "beacon", "format")
            for line in wrapped(f"  {said.term(row, 'promise'):<8}{said.phrase(f'promise_{row}', **facts)}", 10)]
    asked = [] if post.begun else [fill(said.phrase("promise_word", **facts))]
    is_last_free = not post.begun and post.beacon == scheme.NO_BEACON[0]
    cannot = [said.phrase("promise_cannot"), *([said.phrase("promise_last")] if is_last_free else [])]
    return "\n\n".join([fill(said.phrase("promise", **facts)), fill(said.phrase("promise_binds")), "\n".join(rows),
                        *asked, fill(said.phrase("promise_proves")), fill(" ".join(cannot))]) + "\n"


def ceremony(so_far: "Status", said: Words | None = None) -> list[str]:
    """How far the ceremony has come, a line each."""
    said = said or plain_words()
    if not so_far.seeded:
        return [str(said.phrase("ceremony_nothing", game=so_far.game))]
    kept = {None: "unknown", True: "kept", False: "broken"}[so_far.fits]
    return [str(line) for line in (
        said.phrase("ceremony_stage", game=so_far.game, begun=so_far.begun, deadline=so_far.deadline),
        *(said.phrase("ceremony_word", seat=seat, word=word) for seat, word in so_far.words.items()),
        said.phrase("ceremony_missing", seats=so_far.missing), said.phrase(f"ceremony_{kept}"))]


def numbered(number: int, event: Event) -> Event:
    """A ruling, or an undo, is quoted by the number of its entry."""
    return event._replace(facts={**event.facts, "number": number}) if event.key in NUMBERED else event


def seats(desk: Desk) -> str:
    """Who sits where now, and who did before."""
    said = words(desk)
    return "\n".join(said.phrase("seat_row", seat=seat, history=who["history"], more=[
        str(who[key]) for key in ("people", "language", "channel", "zone") if who.get(key)])
        for seat, who in seats_data(desk).items())


def seats_data(desk: Desk) -> dict[str, dict[str, Any]]:
    """What is said of each seat, and who has played it from which entry on; an empty name is nobody."""
    found = {seat: {**who, "history": [{"entry": 0, "name": str(desk.game.header["seats"][seat].get("name", ""))}]}
             for seat, who in desk.match.seats.items()}
    for number, event in desk.match.history:
        if event.key in ("seat_changed", "seat_neutral"):
            name = str(event.facts.get("name", ""))
            past = found[event.facts["seat"]]["history"]
            if past[-1]["name"] != name:
                past.append({"entry": number, "name": name})
    return found


def closing(stands: Closing, said: Words) -> str:
    """Why silence does not close the open question now."""
    at = to_the_minute(stands.at) if stands.at is not None else ""
    return str(said.phrase(f"closing_{stands.state}", at=at, seats=stands.seats, rule=stands.rule))


def printed(desk: Desk, said: Words, thing: str) -> str:
    part, _, id = thing.partition(".")
    return str(said.phrase("printed_card" if part == "cards" else "printed_ability", id=id, text=desk.tray.printed[thing].text))


def sentence(error: PbemError, said: Words | None = None) -> str:
    """What went wrong, for a person."""
    said = said or plain_words()
    text = said.refusal(error)
    if error.entry and "entry" not in error.facts:
        text = said.phrase("in_entry", entry=error.entry, said=text)
    if not error.place:
        return str(text)
    parted = [said.phrase("log_parted", entry=error.parted)] if error.parted < error.entry else []
    return "\n".join(map(str, [text, *edited(error.place, error.edits, said, accepts=False), *parted,
                               said.phrase("log_stops", place=error.place, entry=error.parted)]))


def edited(place: "Path | str", edits: "Iterable[Edit]", said: Words, *, accepts: bool = True) -> list[str]:
    """What somebody has changed in the log by hand; what can be played can be accepted."""
    return [str(said.phrase("line_edited", place=place, entry=one.entry, line=one.line, was=one.was, accepts=accepts))
            for one in edits]


def published(made: "Published", said: Words) -> str:
    """What a public copy is made of."""
    return "\n".join([
        *(said.phrase("published_file", file=file, written=made.written) for file in made.files),
        *(said.phrase("published_removed", file=file, written=made.written) for file in made.removed),
        *([said.phrase("published_opened", opened=made.opened)] if made.opened else []),
        said.phrase("published_head", entries=made.entries, head=made.head),
        *([said.phrase("published_comments", comments=made.comments)] if made.comments else []),
        *([said.phrase("published_stray", stray=made.stray)] if made.stray else [])])
