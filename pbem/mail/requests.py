"""One table of what players may ask: how it is written, who answers it, and what becomes of it on each way it comes.

A line is a request when its first word is one of the table; everything else is for the order parser. The table also makes the
answer to `help` and docs/requests.md.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from pbem.base.errors import NotNow, PbemError, clipped
from pbem.base.language import wrapped
from pbem.desk import showing, standing, standing_words
from pbem.mail import body, commands, press, reading, undoing
from pbem.mail.body import Piece
from pbem.mail.desk import MailDesk
from pbem.mail.request import AT_DESK, BY_MAIL, BY_POST, NotMet, Request
from pbem.mail.sentences import mailed
from pbem.orders import Order
from pbem.orders.asking import ends_a_letter, requested
from pbem.orders.tongues import in_english
from pbem.table.state import SEGMENTS, space_of
from pbem.telling.offers import by_verb, lettered
from pbem.telling.words import Words

TAKEN, PRIVATE, REFUSED = "taken", "private", "refused"
WIDEST = 32                             # of how a request is written, before what it does
MOST_EXAMPLES = 6

Answer = Callable[[Request, str], str | Piece]


class Kind(NamedTuple):
    """A request. `whole` is what a line says behind its word that is nothing but the request."""

    answer: Answer
    written: tuple[str, ...]            # examples of how it is written; names of the game stand for others
    whole: str
    post: str = TAKEN                   # in a thread: taken before all eyes, answered in private, refused because it would tell
    mail: str = TAKEN
    desk: str = TAKEN                   # entered for a seat by the moderator
    strict: bool = False                # a line with anything else behind the word is no request


# --- what needs the table, or other rooms ---------------------------------------------------------------------------------


def help_(ask: Request, rest: str) -> str:
    """What can be written now, with examples of the reader's own pieces; then all requests of his channel."""
    said = ask.said
    lines = [mailed(said, "help_now"), *(f"  {one}" for one in examples(ask.desk, ask.seat)), "", mailed(said, "help_requests")]
    for word, kind in COMMANDS.items():
        if way(kind, ask.channel) != REFUSED:
            lines += row(as_written(kind.written[0], said), mailed(said, f"help_{word}"))
    private = [said.typed(word) for word, kind in COMMANDS.items() if way(kind, ask.channel) == REFUSED]
    if private:
        lines += ["", mailed(said, "help_private", words=private)]
    return "\n".join([*lines, "", mailed(said, "help_orders")])


def as_written(text: str, said: Words) -> str:
    """A request as its reader writes it himself."""
    return standing_words.retold_line(text, said) if standing.body(text) and "cancel" not in text else str(said.typed(text))


def row(written: str, told: str) -> list[str]:
    """A request and what it does."""
    return wrapped(f"  {written:<{WIDEST}}  {told}", WIDEST + 4) if len(written) <= WIDEST else [
        f"  {written}", *wrapped(told, WIDEST + 4, " " * (WIDEST + 4))]


def examples(desk: MailDesk, seat: str) -> list[str]:
    """Lines that this seat could write now, with pieces of its own."""
    question, names, said = desk.match.question, desk.match.names, showing.words(desk, seat)
    if question is not None and desk.asks(seat):
        if question.kind in SEGMENTS:
            return [str(said.order(found[0])) for found in by_verb(question, seat).values()][:MOST_EXAMPLES]
        return [f"{letter}  ({said.order(answer)})" for letter, answer in lettered(question, seat)][:MOST_EXAMPLES]
    g = desk.match.g
    own = next((one for one in g.generals_of(seat) if g.on_map(one)), None)
    if own is None:
        return [str(said.typed("status"))]
    there = next(iter(g.board.adjacent(space_of(own.at))))
    march = str(said.order(Order("march", general=own.name, path=(there,))))
    other = names.say("seat", next(one for one in g.turn_order if one != seat))
    ahead = f"standing: intercept {other} into {names.say('space', there)} with {names.say('general', own.name)}, all, once"
    return [march, f"{said.retold('if MP >= 3:')} {march}",
            standing_words.retold_line(ahead, said)]


def standing_(ask: Request, rest: str) -> str:
    """A standing order, the list, or a farewell."""
    return standing_words.answered(ask.desk, ask.seat, rest.lstrip(": "))


# --- the table --------------------------------------------------------------------------------------------------------------


COMMANDS: dict[str, Kind] = {
    "help": Kind(help_, ("help",), r"\S*", PRIVATE, strict=True),
    "status": Kind(commands.status, ("status",), r"\S*", strict=True),
    "options": Kind(commands.options, ("options", "options all", "options march"), r"(?:--)?\w*", PRIVATE, strict=True),
    "hand": Kind(commands.hand, ("hand",), r"\S*", PRIVATE, strict=True),
    "map": Kind(commands.map_, ("map Lydia", "map", "map off", "map focus", "map on"), r"|\S+(?: \S+){0,2}", strict=True),
    "guide": Kind(commands.guide, ("guide", "guide orders", "guide card"), r"|player|orders|card", PRIVATE),
    "history": Kind(commands.history, ("history", "history 120", "history whole"),
                    r"\d*\s*(?:whole)?", PRIVATE),
    "resend": Kind(commands.resend, ("resend",), r"\S*", PRIVATE, strict=True),
    "proof": Kind(commands.proof, ("proof",), r"\S*", PRIVATE, strict=True),
    "check": Kind(commands.check, ("check march Kassandros > Lamia",), r".*", REFUSED),
    "standing": Kind(
        standing_, ("standing: intercept Red into Lamia with Lysimachos, all, once", "standing", "standing: cancel 2"), r":?.*",
        REFUSED),
    "file": Kind(
        commands.file, ("file battle at Lamia: play 54 as surprise", "file 54", "file 54 battle at Lamia", "file",
                        "file back 1"), r"|back \d+|.*:.*|\w{2,3}(?: \w+)*", REFUSED),
    "reserve": Kind(commands.reserve, ("reserve battle, sea", "reserve nothing", "reserve"),
                    r"|nothing|none|(?:battle|sea|card|death|defeat|and|[ ,])+"),
    "undo": Kind(
        undoing.ask, ("undo: the wrong General", "undo 14: the wrong General", "undo yes", "undo no"),
        r"(?:last|\d+)?\s*(?::.*)?|yes|no", strict=True),
    "press": Kind(press.write, ("press blue and yellow: ...", "press all held: ..."), r".{1,100}:.*", REFUSED),
    "absent": Kind(commands.absent, ("absent 2026-12-01 to 2026-12-05",), r".*\d.*"),
    "reports": Kind(commands.reports, ("reports each turn", "reports daily", "reports at once"), "|".join(commands.HOW_OFTEN)),
    "word": Kind(commands.word, ("word first snow in Pella",), r".+"),
    "observe": Kind(commands.observe, ("observe friend@example.net",), r"stop|\S+@\S+", REFUSED),
}
STANDING = re.compile(r"(?i)\s*standing(?: orders?)?\s*(?::|\Z)")


def way(kind: Kind, channel: str) -> str:
    """What becomes of a request that came by a channel."""
    return {BY_MAIL: kind.mail, BY_POST: kind.post, AT_DESK: kind.desk}[channel]


@lru_cache(2000)                        # a line is looked at from many sides
def split(line: str) -> tuple[str, str]:
    """The word of the table with which a line begins, and what stands behind it; the word of another language only where the
    line is nothing but the request."""
    if standing.body(line) is not None:
        line = in_english(line)
    english, is_translated = requested(line)
    first, rest = (*english.split(maxsplit=1), "", "")[:2]
    name = first.rstrip(":?!.,").casefold()
    rest = f":{rest}" if name == "undo" and first.endswith(":") else rest
    kind = COMMANDS.get(name)
    if kind is None or (kind.strict or is_translated) and not re.fullmatch(
            kind.whole, rest.strip(" .!?"), re.IGNORECASE | re.DOTALL):            # a letter has lines
        return "", line
    return name, rest.strip()


def command_of(line: str) -> str:
    """The request that a line makes, if it makes one; a standing order goes with the orders."""
    name = split(line)[0]
    return "" if name == "standing" else name


def is_whole(line: str) -> bool:
    """Is a line a request as it stands, and no sentence that begins like one?"""
    name, rest = split(line)
    if name == "standing":
        return bool(STANDING.match(in_english(line)))
    return bool(name) and re.fullmatch(COMMANDS[name].whole, rest.strip(" .!?"), re.IGNORECASE) is not None


def could_be_meant(line: str) -> bool:
    """Could a line be for us, where no game is at hand: an order, a request, the end of a letter?"""
    return reading.could_be_order(line) or is_whole(line) or ends_a_letter(line)


def answer(ask: Request, line: str) -> Piece:
    """The answer to a line that is a request; what went wrong is an answer too."""
    name, rest = split(line)
    try:
        if way(COMMANDS[name], ask.channel) == REFUSED:
            raise NotNow("not_in_a_thread", word=name, seat=ask.seat)
        told = COMMANDS[name].answer(ask, rest)
        return told if isinstance(told, Piece) else body.said(*told.splitlines())
    except (PbemError, NotMet) as why:
        ask.failed.append(line)
        told = showing.sentence(why, ask.said) if isinstance(why, PbemError) else str(why)
        return body.said(clipped(line.partition("\n")[0]), told)
