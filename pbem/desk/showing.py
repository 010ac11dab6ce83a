"""What the command line and the mails show of a game: a desk and a reader become text or plain data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.base.clock import stamp, to_the_minute
from pbem.base.errors import PbemError, clipped
from pbem.base.language import WIDTH, Safe, fill, sentences, wrapped
from pbem.base.paths import spoken
from pbem.desk import deadline, turnform, wishes
from pbem.desk import tray as trays
from pbem.desk.deadline import Closing
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.editions.books import BOOK
from pbem.kernel.procedures import Question
from pbem.orders.language import tidied
from pbem.play.match import MARKED
from pbem.rules.war import MODERATOR
from pbem.table.events import Event
from pbem.table.state import SEGMENTS
from pbem.telling import views
from pbem.telling.offers import MOST_OFFERS, lettered
from pbem.telling.words import Words, about_of

if TYPE_CHECKING:
    from pbem.chance.check import Check
    from pbem.desk.publishing import Published
    from pbem.desk.seeding import Post, Status
    from pbem.play.verify import Summary

PUBLIC = "public"
Reply = Callable[[str], str]                    # what would be answered, to the address of a link that does


def plain_words(wish: object = "", book: str = BOOK) -> Words:
    """Words for what is said while no game is open."""
    from pbem.components.catalogue import facts
    from pbem.orders.names import Names

    return Words(spoken(wish), Names(facts(), {}), facts(), book=book)


def words(desk: Desk, reader: str = PUBLIC) -> Words:
    """The words of a reader: names of this game's people, the reader's language and time zone."""
    seats = desk.match.seats
    people = {seat: str(who.get("name") or "") for seat, who in seats.items()}
    who = seats.get(reader) or {}
    language, zone = spoken(desk.language or desk.match.language_of(reader)), str(who.get("zone") or "UTC")
    known = desk.voices.get((language, zone))
    if known is None or known.people != people or known.names is not desk.match.names or known.facts is not desk.match.g.facts:
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
        title=str(desk.game.header.get("title") or desk.game.header["game"]), head=desk.game.head(),
        entries=len(desk.game.entries), marks=[numbered(number, event) for number, event in match.marks], held=match.held)


# --- before the game -------------------------------------------------------------------------------------------------


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


# --- reports -----------------------------------------------------------------------------------------------------


def last_turn(desk: Desk) -> int:
    """The entry at which the player turn began that ended last."""
    began = list(islice((number for number, event in reversed(desk.match.history) if event.key == "player_turn_began"), 2))
    goes_on = desk.match.g.phase == "strategy" and not desk.match.g.over and began
    return [*began, 1][1 if goes_on else 0]


def since_posted(desk: Desk, posted: int) -> int | None:
    """Where the next report begins: behind the last entry that was posted, if anything has happened since."""
    return posted + 1 if posted and any(event.for_seat(None) for _, event in desk.match.history.since(posted + 1)) else None


def told(desk: Desk, reader: str, since: int | None, until: int | None = None) -> list[Event]:
    """The events that a reader may hear of, from an entry on and up to one; if nobody says from where, with the player turn
    that ended last."""
    _, found, start = _found(desk, reader, since, until)
    return [event for _, event in found[start:]]


History = list[tuple[int, Event]]
BEGINNINGS = ("turn_began", "phase_began", "player_turn_began")


def heard(desk: Desk, reader: str, since: int | None, until: int | None = None) -> tuple[History, History]:
    """All that a reader may hear of, with the entries that caused it: what was before, as far as telling looks back, and
    what is told."""
    first, found, start = _found(desk, reader, since, until)
    return _for(reader, desk.match.history.up_to(first), until) + found[:start], found[start:]


def _found(desk: Desk, reader: str, since: int | None, until: int | None) -> tuple[int, History, int]:
    """From which entry on, all that he may hear of since then, and where of this begins what is told."""
    first, start = last_turn(desk) if since is None else since, 0
    found = _for(reader, desk.match.history.since(first), until)
    if since is None:                           # what ended the turn before belongs to that turn
        start = next((place for place, (number, event) in enumerate(found) if number == first and event.key in BEGINNINGS), 0)
    return first, found, start


def _for(reader: str, told: History, until: int | None) -> History:
    name = None if reader == PUBLIC else reader
    return [(number, numbered(number, event)) for number, event in told
            if event.for_seat(name) and (until is None or number <= until)]


def numbered(number: int, event: Event) -> Event:
    """A ruling, or an undo, is quoted by the number of its entry."""
    return event._replace(facts={**event.facts, "number": number}) if event.key in (*MARKED, "undone") else event


def report(desk: Desk, reader: str, since: int | None, fmt: str, *, until: int | None = None, whole: bool = False,
           reply: Reply | None = None, numbered: bool = False) -> str:
    """The report for one reader; `reply` is the address of a link that answers; `numbered` as on a map that goes along."""
    from pbem.telling.changes import numbers
    from pbem.telling.chart import course
    from pbem.telling.report import report as written

    view = seen(desk, reader)
    asked = [question_text(desk, reader, fmt, view, reply)] if is_asked(desk, reader) else []
    before, happened = heard(desk, reader, since, until)
    return written(view, [event for _, event in happened], asked, words(desk, reader), fmt,
                   numbers(happened) if numbered else {},
                   before=[event for _, event in before],
                   since=last_turn(desk) if since is None else since, whole=whole,
                   went=course(desk.match) if desk.match.g.over else ())


def posted(desk: Desk, reader: str, since: int | None, fmt: str, *, until: int | None = None, whole: bool) -> str:
    """The report as it is printed: for a forum in as many posts as it takes."""
    from pbem.telling.formats import posts

    text = report(desk, reader, since, fmt, until=until, whole=whole)
    return "\n\n".join(posts(seen(desk, reader)["title"], text)) if fmt == "bgg" else text


def ledger(desk: Desk, reader: str, since: int | None, until: int | None = None) -> str:
    """Who gained what by which act, a line each; of the present Game Turn, if nobody says from where."""
    from pbem.telling.ledger import ledger as gains

    said = words(desk, reader)
    if since is None:
        since = next((number for number, event in reversed(desk.match.history) if event.key == "turn_began"), 1)
    before, happened = heard(desk, reader, since, until)
    return "\n".join(line for gain in gains([event for _, event in happened], [event for _, event in before])
                     for line in wrapped(said.phrase(
                         "gained", **gain._replace(act=None)._asdict(), did=said.event(gain.act) if gain.act else ""), 2))


def bare_facts(desk: Desk, reader: str, since: int | None, until: int | None = None) -> str:
    """Every event as a bare line: its entry, its key, its facts."""
    return "\n".join(" ".join([str(number), event.key, *(f"{name}={_bare(value)}" for name, value in event.facts.items())])
                     for number, event in heard(desk, reader, since, until)[1])


def _bare(value: object) -> str:
    from json import dumps

    return value if isinstance(value, str) and value.isidentifier() else dumps(
        value._asdict() if hasattr(value, "_asdict") else value, ensure_ascii=False, default=str)


def report_data(desk: Desk, reader: str, since: int | None, until: int | None = None) -> dict[str, Any]:
    """The same for programs: the view, and the events with their facts."""
    said = words(desk, reader)
    return {"view": seen(desk, reader),
            "events": [{"key": event.key, "facts": event.facts, "text": str(said.event(event))}
                       for event in told(desk, reader, since, until)]}


# --- questions ---------------------------------------------------------------------------------------------------


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
    view = view or seen(desk, seat)
    subject = said.phrase("subject", title=view["title"], id=question.id, what=said.waiting(view["question"]))
    lead = f"[{subject}]" if said.ink.strong(subject) == subject else said.ink.strong(subject)
    return f"{lead}\n\n{question_body(desk, seat, fmt, view, reply)}"


def question_body(desk: Desk, seat: str, fmt: str, view: dict[str, Any] | None = None, reply: Reply | None = None) -> str:
    """What a seat is asked, what it may answer, until when; `reply` is the address of a link that answers."""
    from pbem.telling.formats import FORMATS

    question, form = desk.match.question, FORMATS[fmt]
    assert question is not None
    layout, ink = form.question
    said = words(desk, seat).inked(ink)
    put = said.question(
        question, seat, view or seen(desk, seat), layout, public=fmt == "bgg" and not desk.tray,
        p=Safe if fmt == "mail" else fill, reply=reply)
    return put + turn_form(desk, seat, fmt, said)


def turn_form(desk: Desk, seat: str, fmt: str, said: Words) -> str:
    """Behind the question of one's own turn: the whole of it as lines to be sent back. Only in private, for it names cards."""
    private = fmt in ("text", "mail", "html") and desk.tray
    lines = turnform.form(desk, seat, words(desk, seat)) if private else []
    if not lines:
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
    wanted = tidied(which).casefold() if which else ""
    rows, count = list[str](), 0
    for answer in islice(question.offers(seat), MOST_OFFERS):
        text, verb = said.order(answer), (answer[0] if isinstance(answer, tuple) else answer).verb
        if not wanted or verb.replace("_", " ").startswith(wanted):
            count += 1
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
            "default": desk.match.say(question.silence(seat)) if question.default is not None else "",
            **({"all": [desk.match.say(one) for one in islice(question.offers(seat), MOST_OFFERS)]} if in_full else {})}


def offers(desk: Desk, question: Question, seat: str) -> dict[str, str]:
    return {letter: desk.match.say(answer) for letter, answer in lettered(question, seat)}


# --- seats -------------------------------------------------------------------------------------------------------


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


# --- time -----------------------------------------------------------------------------------------------------------


def closing(stands: Closing, said: Words) -> str:
    """Why silence does not close the open question now."""
    at = to_the_minute(stands.at) if stands.at is not None else ""
    return str(said.phrase(f"closing_{stands.state}", at=at, seats=stands.seats, rule=stands.rule))


# --- what became of what a seat had sent --------------------------------------------------------------------------


def news(desk: Desk, seat: str) -> list[str]:
    """What an undo has done to what this seat had sent, for its own eyes."""
    said = words(desk, seat)
    return [str(said.phrase(f"slip_{one.became}", undo=one.undo, lines=[*map(said.retold, one.lines)], question=one.question))
            for one in desk.tray.news_for(seat)]


def came_of(desk: Desk, reader: str, since: int, fmt: str = "text") -> list[str]:
    """What has happened from an entry on, in the report's own sentences, as far as this reader may know it."""
    from pbem.telling.formats import FORMATS
    from pbem.telling.story import story

    said, form = words(desk, reader), FORMATS[fmt]
    sections = story(told(desk, reader, since), said.inked(form.ink), form)
    return [str(block) for section in sections for block in (*([section.heading] if section.heading else []), *section.blocks)]


# --- receipts ----------------------------------------------------------------------------------------------------


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

    news = [event for event in told(desk, seat, since) if not event.for_seat(None) and "card" in event.facts] if since else ()
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


def printed(desk: Desk, said: Words, thing: str) -> str:
    part, _, id = thing.partition(".")
    return str(said.phrase("printed_card" if part == "cards" else "printed_ability", id=id, text=desk.tray.printed[thing].text))


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


def waits(desk: Desk, said: Words) -> str:
    question = desk.match.question
    if desk.match.g.over:
        return str(said.phrase("game_over", **desk.match.g.over))
    if question is None and not desk.game.entries and (chance := desk.game.header.get("chance") or {}).get("deck"):
        return str(said.phrase("words_awaited", seats=[seat for seat in desk.game.header["seats"]
                                                       if not (chance.get("words") or {}).get(seat)]))
    if question is None:
        return str(said.phrase("nobody_awaited"))
    asked = views.asked(desk.match.g, question, desk.match.told_due(question))
    return str(said.phrase("waiting_for", sides=list(question.sides), what=said.waiting(asked), due=asked["due"]))


def receipt_data(desk: Desk, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    said = words(desk)
    question = desk.match.question
    return {"lines": [{"line": one.line, "state": one.state, "entries": one.entries, "waiting": one.waiting,
                       "text": became(said, one), "rule": getattr(one.error, "rule", ""),
                       **(one.receipt.plain() if one.receipt is not None else {})} for one in outcomes],
            "question": question.id if question is not None else None,
            "sides": list(question.sides) if question is not None else []}


def sentence(error: PbemError, said: Words | None = None) -> str:
    """What went wrong, for a person."""
    said = said or plain_words()
    text = said.refusal(error)
    return str(said.phrase("in_entry", entry=error.entry, said=text) if error.entry and "entry" not in error.facts else text)


def check(one: "Check", said: Words) -> str:
    """What a check of `pbem verify` has found."""
    return checked("check", one, said)


def summary(whole: "Summary", said: Words, *, more: bool) -> list[str]:
    """What was checked, what cannot be yet, what rests on the moderator's word, what is wrong; and the verdict."""
    rows = [said.tell("checks", f"summary_{part}", {"counts": counts})
            for part, counts in zip(("ok", "closed", "remarks", "failed"), whole, strict=False) if counts]
    return [str(row) for row in (*rows, said.tell("checks", "summary_verdict", {"verdict": whole.verdict, "more": more}))]


def checked(frame: str, one: "Check", said: Words) -> str:
    """A check on its own, or as a part of the row of its entry."""
    known = [kind for kind in sentences(said.language, "terms")["checked"] if f"{one.what} ".startswith(f"{kind} ")]
    kind = max(known, key=len, default=one.what.partition(" ")[0])
    what = said.term(kind, "checked") + one.what[len(kind):]
    return str(said.tell("checks", frame, {"entry": one.entry, "what": what, "state": one.state, "said": found(one, said)}))


def found(one: "Check", said: Words) -> str:
    """A refusal among the facts is said as any other, and so are the checks that make a row."""
    facts: dict[str, Any] = {name: said.refusal(fact) if isinstance(fact, PbemError) else fact
                             for name, fact in one.facts.items()}
    if "parts" in facts:
        facts["parts"] = [checked("part", part, said) for part in facts["parts"]]
    return str(said.tell("checks", one.detail, facts)) if one.detail else ""


def published(made: "Published", said: Words) -> str:
    """What a public copy is made of."""
    return "\n".join([
        *(said.phrase("published_file", file=file, written=made.written) for file in made.files),
        *(said.phrase("published_removed", file=file, written=made.written) for file in made.removed),
        *([said.phrase("published_opened", opened=made.opened)] if made.opened else []),
        said.phrase("published_head", entries=made.entries, head=made.head),
        *([said.phrase("published_comments", comments=made.comments)] if made.comments else []),
        *([said.phrase("published_stray", stray=made.stray)] if made.stray else [])])


# --- the moderator's to-do list ----------------------------------------------------------------------------------


def status(desk: Desk, reader: str = "") -> str:
    """Who waits for what, what to post, what to rule, what to type next."""
    from pbem.chance import beacon
    from pbem.telling.report import status as written

    awaited = desk.awaited
    waits = [sentence(beacon.waits(awaited), words(desk, reader or MODERATOR))] if awaited is not None else []
    if desk.match.table is None:
        return "\n\n".join([*waits, before_the_game(desk)])
    missing = "" if reader else without_secrets(desk)
    reader = reader or (MODERATOR if desk.tray else PUBLIC)
    told = written(seen(desk, reader), {**to_do(desk, reader), "secrets": missing}, words(desk, reader))
    return "\n\n".join([*waits, told])


def noticed(desk: Desk) -> list[str]:
    """What somebody has changed in the files since they were written: said by the next command, whatever it does."""
    from pbem.log import gamelog

    said, state = words(desk, MODERATOR), gamelog.overrides_are(desk.game)
    found = [str(said.phrase(f"overrides_{state}", place=desk.folder))] if state else []
    return found + [str(said.phrase("line_edited", place=desk.folder, entry=edit.entry, line=edit.line, was=edit.was))
                    for edit in gamelog.hand_edits(desk.game)]


def without_secrets(desk: Desk) -> str:
    """What can still be done where the secrets of a game should be or could be, and are not."""
    from pbem.log import gamelog
    from pbem.log.promise import is_kept, private_is_gone

    if desk.keys is not None or not is_kept(desk.game) or trays.read(desk.place).secrets is not None:
        return ""
    said = words(desk)
    if private_is_gone(desk.game):
        return said.phrase("secrets_gone")
    return said.phrase("secrets_by_hand" if (desk.folder / gamelog.PRIVATE).exists() else "secrets_elsewhere")


def before_the_game(desk: Desk) -> str:
    """The start ceremony: what to post, whose word is missing, what to type next."""
    from pbem.desk.seeding import status as found

    place, so_far, said = desk.folder, found(desk.folder), words(desk)
    rows = [("words", line) for line in ceremony(so_far, said)[1:]]
    if so_far.seeded:
        rows.append(("to_post", said.phrase("with_command", what=said.phrase("posts"), command=f"pbem seed post {place}")))
        rows += [("to_enter", f'pbem seed word {place} {seat} "..."') for seat in so_far.missing]
    if command := suggestion(desk):
        rows.append(("next", command))
    lines = [f"{said.phrase(f'status_{label}'):<10}{text}" for label, text in rows]
    return "\n".join([said.phrase("not_begun", game=so_far.game), "", *lines]) + "\n"


STEPPED, OPENLY = ("march ", "sail "), " openly"             # orders that are done step by step; of those a whole way was told
SECRET_DEFAULTS = frozenset(("tyche", "turn_up"))           # what silence means there is a card that nobody has seen yet


def to_do(desk: Desk, reader: str) -> dict[str, Any]:
    """The same as data; everything a person has to type stands there as it has to be typed."""
    match, question, place = desk.match, desk.match.question, desk.folder
    if reader == PUBLIC:
        return {"now": stamp(desk.now), "waiting": [], "to_rule": [], "held": [], "next": ""}
    said = words(desk)
    items: dict[str, Any] = {"now": stamp(desk.now), "waiting": [], "to_rule": [], "held": []}
    items["to_post"] = to_post(desk, said)
    if question is not None and question.sides == (MODERATOR,):
        about = about_of(views.asked(match.g, question, ""))
        what: list[str] = [said.tell("questions", f"{question.kind}.what", about)]
        asked_on = f"cards.{about['card']}" if about.get("card") else f"generals.{about.get('general')}"
        what += [printed(desk, said, asked_on)] if asked_on in desk.tray.printed else []
        items["to_rule"] = [{"what": " ".join(what), "command": f"pbem ruling {place} ..."}]
    elif question is not None:
        asked = desk.tray.asked
        since = asked.at if asked is not None and asked.id == question.id else items["now"]
        answered = desk.sealed(question) if question.sealed else {}
        then = match.say(question.default) if question.default is not None and question.kind not in SECRET_DEFAULTS else ""
        items["waiting"] = [{"id": question.id, "kind": question.kind, "seat": seat, "asked_since": since,
                             "due": match.told_due(question), "answered": seat in answered, "then": then}
                            for seat in question.sides]
    stands = deadline.closing(desk)
    if stands is not None and stands.is_past_due and stands.state != deadline.CLOSES:
        items["closing"] = closing(stands, said)
    if stands is not None and stands.state == deadline.RULE and stands.rule == MODERATOR:
        items["to_rule"].append({"what": said.phrase("overdue_yours", id=stands.question.id),
                                 "command": f'pbem run {place} --close {stands.question.id} --reason "..."'})
    items["to_rule"] += [{"what": said.phrase("undo_wished", place=place, **asdict(one)), "command": wishes.command(desk, one)}
                         for one in wishes.all_open(desk)]
    for seat in match.seats:
        if desk.is_held(seat):
            items["held"].append({"seat": seat, "count": len(desk.waiting(seat))})
    items["next"] = suggestion(desk)
    return items


def to_post(desk: Desk, said: Words) -> list[dict[str, Any]]:
    """What has happened since the last report that was posted, and how the next one is marked."""
    since, last = since_posted(desk, desk.tray.posted), len(desk.game.entries)
    if since is None and desk.tray.posted:
        return []
    return [{"what": said.phrase("entries_since", first=since or 1, last=last), "command": f"pbem report {desk.folder}"},
            {"what": said.phrase("when_posted"), "command": f"pbem posted {desk.folder} {last}"}]


OVERDUE = {deadline.CLOSES: "pbem run {place} --overdue", deadline.UNLOOKED: "pbem mail run"}


def suggestion(desk: Desk) -> str:
    """The exact command that comes next, if one is due."""
    question, place = desk.match.question, desk.folder
    if desk.match.table is None:
        from pbem.desk import seeding

        so_far = seeding.status(desk.folder)
        if so_far.missing and seeding.is_open(so_far.deadline, desk.now):
            return ""                                           # `begin` would wait for the words, too
        return f"pbem begin {place}" + (f" --position {desk.tray.adopts}" if desk.tray.adopts else "")
    if question is None:
        return ""
    if held := [seat for seat in question.sides if desk.is_held(seat)]:
        return f"pbem run {place} --release {held[0]}"
    if (stands := deadline.closing(desk)) is not None and stands.state in OVERDUE:
        return OVERDUE[stands.state].format(place=place)
    if question.sides == (MODERATOR,):
        return f"pbem ruling {place} \"...\"{' --abandon step' * (question.kind == 'ruling')}"
    return f"pbem options {place}"


def status_data(desk: Desk) -> dict[str, Any]:
    """For programs; with the fingerprint of the public position."""
    from pbem.table.position import fingerprint

    reader = MODERATOR if desk.tray else PUBLIC
    view = seen(desk, reader)
    if desk.match.table is None:
        from pbem.desk.seeding import status as ceremony

        return {"entries": 0, "head": view["log"]["head"], "question": None, "next": suggestion(desk),
                "ceremony": ceremony(desk.folder)._asdict()}
    return {**to_do(desk, reader), "secrets": without_secrets(desk), "position": fingerprint(desk.match.g),
            "head": view["log"]["head"], "entries": view["log"]["entries"], "turn": view["turn"],
            "round": view["round"], "player": view["player"], "phase": view["phase"], "segment": view["segment"],
            "standings": view["standings"], "question": view["question"] and view["question"]["id"],
            "held_because": desk.match.held, "over": desk.match.g.over}
