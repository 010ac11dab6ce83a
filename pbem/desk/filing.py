"""Cards filed in advance: for which moment, and what is played then, with alternatives.

A filed card is a sealed answer to a card window that has not opened yet. It lies in the private file until it is used,
and is looked at when such a window closes: at its fixed time where windows are asked, at once where they are held. In between
are reserved windows: held, but where somebody has said in public that he wishes to be asked. What has
become pointless or illegal is not spent. Nobody but its owner learns of it before it is played.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.base.errors import NotNow, Refused, Unreadable
from pbem.desk.tray import Filed, Tray, lying
from pbem.desk.typed import reading
from pbem.kernel.procedures import Question
from pbem.orders import Alternative, read_answer, say_answer
from pbem.orders.asking import word_of
from pbem.orders.names import Names
from pbem.orders.tongues import SPOKEN
from pbem.play.match import CARD_WINDOWS, MOMENTS, Match
from pbem.rules import hand, windows
from pbem.telling.spoken import Spoken
from pbem.telling.words import Words

ABOUT = ("seat", "general", "space", "card")
LINKS = {"seat": "by ", "general": "of ", "space": "at ", "card": ""}
ANY_TIME = "any_time_strategy_phase"
_TRIGGER = r"(?is)\s*(?:(?:in|on|before|after|when) )?(?:a |the )?(\w+)\b(.*?):(.*)"
_LINK = r"(?i)\b(?:at|in|off|of|by|against|from|with|near)\b"
EXAMPLES = ["battle at Larisa: play 48 as surprise", "card by red: play 50 as surprise"]


class Trigger(NamedTuple):
    """A moment, and what has to be part of it: a player, a General, a space, the card that was played."""

    moment: str
    about: tuple[tuple[str, str], ...]

    def fits(self, question: Question) -> bool:
        named = {value for value in question.about.values() if isinstance(value, str)}
        return MOMENTS[self.moment] == question.kind and all(id in named for _, id in self.about)

    def text(self, names: Names) -> str:
        said = (LINKS[kind] + (id if kind == "card" else names.say(kind, id)) for kind, id in self.about)
        return " ".join((self.moment, *said))

    def retold(self, words: Words) -> str:
        """As its owner would write it himself."""
        if words.language not in SPOKEN:
            return self.text(words.names)
        said = Spoken(words)
        parts = [word_of(words.language, "file", self.moment)]
        for kind, id in self.about:
            link = LINKS[kind].strip()
            parts += [word_of(words.language, "file", link), said.after(link).say(kind, id)] if link else [id]
        return " ".join(filter(None, parts))


def read_trigger(text: str, names: Names) -> Trigger:
    """`battle at Larisa`, `card 57 by red`, `death of Antigonos`, `sea`, `defeat of blue`."""
    word, _, rest = text.strip().partition(" ")
    if word.lower() not in MOMENTS:
        raise Unreadable("unreadable_trigger", text=text, suggestions=EXAMPLES)
    parts = (part.strip(" ,") for part in re.split(_LINK, rest))
    return Trigger(word.lower(), tuple(names.resolve_any(ABOUT, part) for part in parts if part))


# --- filing and taking back --------------------------------------------------------------------------------------


def file(match: Match, tray: Tray, seat: str, text: str, entries: int) -> Filed:
    """Put a card aside for a moment; what is written down is returned, to be echoed to its owner."""
    found = re.fullmatch(_TRIGGER, in_full(match, text))
    if found is None:
        raise Unreadable("unreadable_trigger", text=text, suggestions=EXAMPLES)
    trigger = read_trigger(found[1] + found[2], match.names)
    alternatives = tuple(judged(match, seat, trigger, one) for one in reading(match, seat, read_answer, found[3].strip()))
    made = Filed(seat=seat, trigger=trigger.text(match.names), text=say_answer(alternatives, match.names),
                 turn=match.g.turn, came=entries)
    tray.filed.append(made)
    return made


def in_full(match: Match, text: str) -> str:
    """`54`, `54 battle at Lamia`: a card and its moment say it all; without a moment it is the first of the card."""
    card, _, moment = text.strip().partition(" ")
    moments = moments_of(match, card.upper())
    return f"{moment.strip() or moments[0]}: play {card} as surprise" if moments else text


def moments_of(match: Match, card: str) -> list[str]:
    """The moments for which a card can be filed: none for what is no Surprise card."""
    timings = match.g.facts.cards.get(card, {"timing": ()})["timing"]
    kinds = {windows.TIMINGS[timing] for timing in timings}
    return [word for word, kind in MOMENTS.items() if kind in kinds or word == "battle" and ANY_TIME in timings]


def to_file(match: Match, tray: Tray, seat: str) -> list[tuple[str, str]]:
    """The Surprise cards of a hand that are not filed, each with a moment, where only those act that are."""
    if waits_always(match) or match.g.secret is None:
        return []
    filed = {order.card for one in of(tray, seat) for step in read_answer(one.text, match.names) for order in step.orders}
    return [(card, moments[0]) for card in match.g.secret.hand(seat)
            if card not in filed and (moments := moments_of(match, card))]


def judged(match: Match, seat: str, trigger: Trigger, one: Alternative) -> Alternative:
    """Surprise cards of this seat that may be played in such a moment; whether they may in the very one is seen then."""
    g = match.g
    for order in one.orders:
        fact = g.facts.cards[order.card] if order.verb == "play" else {}
        if fact.get("kind") != "surprise":
            raise Refused("6.2", "file_surprise_cards")
        hand.judge_holds(g, seat, order.card)
        if trigger.moment not in (moments := moments_of(match, order.card)):
            raise Refused("6.2", "card_for_another_moment", card=order.card, moments=moments)
    return one._replace(orders=tuple(order.but(how="surprise") for order in one.orders))


def unfile(tray: Tray, seat: str, number: int) -> None:
    """Forget one of the cards filed, by its number in the list."""
    filed = of(tray, seat)
    if not 0 < number <= len(filed):
        raise Refused("6.2", "nothing_filed", number=number, count=len(filed))
    tray.filed.remove(filed[number - 1])


def of(tray: Tray, seat: str) -> list[Filed]:
    """What a seat has filed, the first to be tried first."""
    return [one for one in lying(tray.filed) if one.seat == seat]


# --- when a window closes ----------------------------------------------------------------------------------------


def answer(match: Match, tray: Tray, question: Question, seat: str) -> str:
    """What a seat has filed for this window, one alternative after the other; empty for nothing."""
    return " else ".join(one.text for one in of(tray, seat)
                         if one.turn == match.g.turn and read_trigger(one.trigger, match.names).fits(question))


def tidy(match: Match, tray: Tray, entry: int) -> None:
    """What was filed goes with the hand that it was filed from (5.3), and with its last card that is still there: with
    the entry that has shown it, or with this one."""
    for one in lying(tray.filed):
        cards = {order.card for alternative in read_answer(one.text, match.names) for order in alternative.orders}
        if one.turn == match.g.turn and any(
                all(order.card in hand.possible(match.g, one.seat) for order in alternative.orders)
                for alternative in read_answer(one.text, match.names)):
            continue
        shown = [number for number, event in match.history.since(entry) if event.facts.get("card") in cards]
        one.went = max([entry, *shown])


def waits(match: Match, question: Question) -> bool:
    """Does this window stay open until its time? Held games let none wait, reserved ones those for which somebody who could
    play there has said so before it opened; what is open stays so. Where dice come by hand all have to."""
    if question.kind not in CARD_WINDOWS or waits_always(match):
        return True
    if match.header["rules"]["windows"] == "held":
        return False
    return question.id in match.due or any(
        MOMENTS[moment] == question.kind for side in question.sides for moment in match.reserved.get(side, ()))


def waits_always(match: Match) -> bool:
    """Are all windows asked?"""
    return match.header["rules"].get("windows", "asked") == "asked" or "chance" not in match.header


def judge_moments(match: Match, moments: Sequence[str]) -> None:
    """What a seat reserves is a moment that there is, in a game in which one can."""
    if match.header["rules"].get("windows") != "reserved":
        raise NotNow("nothing_to_reserve", windows=str(match.header["rules"].get("windows", "asked")))
    for moment in moments:
        if moment not in MOMENTS:
            raise Refused("6.2", "no_such_moment", moment=moment, known=list(MOMENTS))
