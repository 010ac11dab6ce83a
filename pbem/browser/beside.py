"""What a text says besides orders: cards put aside for their moment, letters, requests to the game. They have ways of their own
by mail; none of those goes into the thread that would tell everybody there what is for one."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from pbem.base.errors import PbemError
from pbem.desk import showing, standing
from pbem.desk.desk import Trial
from pbem.desk.requesting import FORMS, REFUSED, command_of, lists_standing, split
from pbem.orders.asking import ends_a_letter, requested
from pbem.telling.words import Words

LETTER = re.compile(r"\s*press\s+([^:\n]{1,100}):[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
FLAGS = frozenset(("held", "now", "anonymous", "to", "and"))


class Part(NamedTuple):
    """Some lines that belong together: `orders` counts standing orders, too."""

    kind: str                           # orders | file | press | request
    text: str

    @property
    def public(self) -> str:
        """The lines that everybody may read; remarks, which may name a card, are not among them."""
        if self.kind == "request":
            return "" if FORMS[split(self.text)[0]].post == REFUSED else self.text
        lines = self.text.splitlines() if self.kind == "orders" else []
        return "\n".join(line for line in lines if standing.body(line) is None and not line.lstrip().startswith("#"))


class Told(NamedTuple):
    """What became of a part that is no order."""

    text: str
    said: str
    refused: bool


def parts(text: str) -> Iterator[Part]:
    """A letter goes on up to a line that is only /press, or to the end; what is only to be tried, up to the next request."""
    lines, orders = text.splitlines(), list[str]()
    while lines:
        line = lines.pop(0)
        word, kind = split(line)[0], kind_of(line)
        if kind == "orders":
            orders.append(line)
            continue
        own = [line]
        while lines and (kind == "press" and (len(own) == 1 or not ends_a_letter(own[-1]))
                         or word == "check" and not command_of(lines[0])):
            own.append(lines.pop(0))
        yield Part(kind, "\n".join(own))
    yield Part("orders", "\n".join(orders))


def kind_of(line: str) -> str:
    """The list of what lies put aside is asked for like anything else that only the game knows."""
    word, rest = split(line)
    if lists_standing(line) or word == "file" and not rest:
        return "request"
    return "orders" if word in ("", "standing") else word if word in JUDGES else "request"


def judged(trial: Trial, seat: str, part: Part) -> Told:
    """By the mailbox's own rules, as far as a page knows them."""
    said = showing.words(trial, seat)
    try:
        return Told(part.text, JUDGES[part.kind](trial, seat, requested(part.text)[0], said), False)
    except PbemError as error:
        return Told(part.text, showing.sentence(error, said), True)
    except NotRead as why:
        others = [one for one in trial.match.seats if one != seat]
        return Told(part.text, str(said.phrase(f"beside_letter_{why}", known=others)), True)


class NotRead(Exception):
    """A letter that the mailbox would not carry, and what is wrong with it."""


def filed(trial: Trial, seat: str, text: str, said: Words) -> str:
    rest = split(text)[1]
    if re.fullmatch(r"(?i)back \d+", rest):
        return str(said.phrase("beside_taken_back"))
    one = trial.file(seat, rest)
    return str(said.phrase("beside_filed", what=said.typed(f"file {one.trigger}: {one.text}")))


def letter(trial: Trial, seat: str, text: str, said: Words) -> str:
    found = LETTER.fullmatch(text)
    if found is None:
        raise NotRead("to")
    words = [word for word in re.findall(r"\w+", found[1].casefold()) if word not in FLAGS]
    to = [one for one in trial.match.seats if one != seat] if "all" in words else [readers(trial, word) for word in words]
    body = [line for line in found[2].splitlines() if line.strip()]
    if not to or "" in to or seat in to:
        raise NotRead("to")
    if not body or not ends_a_letter(body[-1]):
        raise NotRead("open")
    if not body[:-1]:
        raise NotRead("empty")
    return str(said.phrase("beside_letter", to=to, lines=len(body) - 1))


def readers(trial: Trial, word: str) -> str:
    """A seat by its colour or by who plays it; empty where nobody is meant."""
    named: dict[str, str] = {str(who.get("name") or "").casefold(): one for one, who in trial.match.seats.items()}
    if word in named:
        return named[word]
    with suppress(PbemError):
        return str(trial.match.names.resolve("seat", word))
    return ""


def request(trial: Trial, seat: str, text: str, said: Words) -> str:
    """What comes of it, as the mailbox says it in its answer to `help`."""
    word = split(text)[0]
    return str(said.phrase("beside_request", what=said.tell("mail", f"help_{word}", {}), private=FORMS[word].post == REFUSED))


JUDGES = {"file": filed, "press": letter, "request": request}
