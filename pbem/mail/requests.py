"""Who answers what players may ask. How it is written, and what becomes of it on each way it comes, stands in the table of
`pbem.desk.requesting`; together they also make the answer to `help` and docs/requests.md.
"""

from collections.abc import Callable
from typing import NamedTuple

from pbem.base.errors import NotNow, PbemError, clipped
from pbem.base.language import wrapped
from pbem.desk import showing, standing_words
from pbem.desk.requesting import FORMS, REFUSED, is_whole, split
from pbem.mail import body, commands, press, reading, undoing
from pbem.mail.body import Piece
from pbem.mail.desk import MailDesk
from pbem.mail.request import AT_DESK, BY_MAIL, BY_POST, NotMet, Request
from pbem.mail.sentences import mailed
from pbem.orders import Order
from pbem.orders.asking import ends_a_letter
from pbem.table.state import SEGMENTS, space_of
from pbem.telling.offers import by_verb, lettered
from pbem.telling.words import Words

WIDEST = 32                             # of how a request is written, before what it does
MOST_EXAMPLES = 6

Answer = Callable[[Request, str], str | Piece]


class Kind(NamedTuple):
    """Who answers a request, and its row in the table of how it is written (`pbem.desk.requesting`)."""

    answer: Answer
    written: tuple[str, ...]
    whole: str
    post: str
    mail: str
    desk: str
    strict: bool


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
    return str(said.typed(text))


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
    steps = ((one, there) for one in g.generals_of(seat) if g.on_map(one) for there in g.board.adjacent(space_of(one.at)))
    own, there = next(steps, (None, ""))
    if own is None:                                     # nobody is on the map, or all of them on islands
        return [str(said.typed("status"))]
    march = str(said.order(Order("march", general=own.name, path=(there,))))
    other = names.say("seat", next(one for one in g.turn_order if one != seat))
    ahead = f"standing: intercept {other} into {names.say('space', there)} with {names.say('general', own.name)}, all, once"
    return [march, f"{said.retold('if MP >= 3:')} {march}",
            standing_words.retold_line(ahead, said)]


def standing_(ask: Request, rest: str) -> str:
    """A standing order, the list, or a farewell."""
    return standing_words.answered(ask.desk, ask.seat, rest.lstrip(": "))


# --- the table --------------------------------------------------------------------------------------------------------------


ANSWERS: dict[str, Answer] = {
    "help": help_,
    "status": commands.status,
    "options": commands.options,
    "hand": commands.hand,
    "map": commands.map_,
    "guide": commands.guide,
    "history": commands.history,
    "resend": commands.resend,
    "proof": commands.proof,
    "check": commands.check,
    "standing": standing_,
    "file": commands.file,
    "reserve": commands.reserve,
    "undo": undoing.ask,
    "press": press.write,
    "absent": commands.absent,
    "reports": commands.reports,
    "word": commands.word,
    "observe": commands.observe,
}
COMMANDS: dict[str, Kind] = {word: Kind(answer, *FORMS[word]) for word, answer in ANSWERS.items()}


def way(kind: Kind, channel: str) -> str:
    """What becomes of a request that came by a channel."""
    return {BY_MAIL: kind.mail, BY_POST: kind.post, AT_DESK: kind.desk}[channel]


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
        return told if isinstance(told, Piece) else body.piece_of(*told.splitlines())
    except (PbemError, NotMet) as why:
        ask.failed.append(line)
        told = showing.sentence(why, ask.said) if isinstance(why, PbemError) else str(why)
        return body.piece_of(clipped(line.partition("\n")[0]), told)
