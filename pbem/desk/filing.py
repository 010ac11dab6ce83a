"""Cards filed in advance: for which moment, and what is played then, with alternatives.

A filed card is a sealed answer to a card window that has not opened yet. It lies in the private file until it is used,
and is looked at when such a window closes: at its fixed time where windows are asked, at once where they are held. What
has become pointless or illegal is not spent. Nobody but its owner learns of it before it is played.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.base.errors import Refused, Unreadable
from pbem.desk.submission import reading
from pbem.kernel.procedures import Question
from pbem.orders import Alternative, read_answer, say_answer
from pbem.orders.names import Names
from pbem.play.match import CARD_WINDOWS
from pbem.rules import hand, windows

if TYPE_CHECKING:
    from pbem.desk.desk import Desk

# The word for a moment -> the window that opens in it.
MOMENTS = {"battle": "battle_cards", "sea": "naval_cards", "card": "surprise", "death": "death_cards", "defeat": "defeat_cards"}
ABOUT = ("seat", "general", "space", "card")
LINKS = {"seat": "by ", "general": "of ", "space": "at ", "card": ""}
MOST_FALLEN = 200                       # what an undo can still give back
ANY_TIME = "any_time_strategy_phase"
_TRIGGER = r"(?is)\s*(?:(?:in|on|before|after|when) )?(?:a |the )?(\w+)\b(.*?):(.*)"
_LINK = r"(?i)\b(?:at|off|of|by|against|from|with|near)\b"
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


def read_trigger(text: str, names: Names) -> Trigger:
    """`battle at Larisa`, `card 57 by red`, `death of Antigonos`, `sea`, `defeat of blue`."""
    word, _, rest = text.strip().partition(" ")
    if word.lower() not in MOMENTS:
        raise Unreadable("unreadable_trigger", text=text, suggestions=EXAMPLES)
    parts = (part.strip(" ,") for part in re.split(_LINK, rest))
    return Trigger(word.lower(), tuple(names.resolve_any(ABOUT, part) for part in parts if part))


# --- filing and taking back --------------------------------------------------------------------------------------


def file(desk: "Desk", seat: str, text: str) -> dict[str, Any]:
    """Put a card aside for a moment; what is written down is returned, to be echoed to its owner."""
    found = re.fullmatch(_TRIGGER, text)
    if found is None:
        raise Unreadable("unreadable_trigger", text=text, suggestions=EXAMPLES)
    names = desk.match.names
    trigger = read_trigger(found[1] + found[2], names)
    alternatives = tuple(judged(desk, seat, trigger, one) for one in reading(desk, seat, read_answer, found[3].strip()))
    made = {"trigger": trigger.text(names), "text": say_answer(alternatives, names), "turn": desk.match.g.turn}
    desk.private.setdefault("filed", {}).setdefault(seat, []).append(made)
    return made


def judged(desk: "Desk", seat: str, trigger: Trigger, one: Alternative) -> Alternative:
    """Surprise cards of this seat that may be played in such a moment; whether they may in the very one is seen then."""
    g = desk.match.g
    for order in one.orders:
        fact = g.facts.cards[order.card] if order.verb == "play" else {}
        if fact.get("kind") != "surprise":
            raise Refused("6.2", "file_surprise_cards")
        hand.judge_holds(g, seat, order.card)
        kinds = {windows.TIMINGS[timing] for timing in fact["timing"]}
        if MOMENTS[trigger.moment] not in kinds and not (trigger.moment == "battle" and ANY_TIME in fact["timing"]):
            raise Refused("6.2", "card_for_another_moment", card=order.card,
                          moments=[word for word, kind in MOMENTS.items() if kind in kinds])
    return one._replace(orders=tuple(order.but(how="surprise") for order in one.orders))


def take_back(desk: "Desk", seat: str, number: int) -> None:
    """Forget one of the cards filed, by its number in the list."""
    filed = of(desk.private, seat)
    if not 0 < number <= len(filed):
        raise Refused("6.2", "nothing_filed", number=number, count=len(filed))
    put(desk.private, seat, [one for place, one in enumerate(filed, 1) if place != number])


def of(private: Mapping[str, Any], seat: str) -> list[dict[str, Any]]:
    """What a seat has filed, the first to be tried first."""
    found: list[dict[str, Any]] = (private.get("filed") or {}).get(seat) or []
    return found


def put(private: dict[str, Any], seat: str, filed: list[dict[str, Any]]) -> None:
    """Write down what a seat has filed now."""
    private["filed"] = {**(private.get("filed") or {}), seat: filed}
    if not filed:
        del private["filed"][seat]
    if not private["filed"]:
        del private["filed"]


# --- when a window closes ----------------------------------------------------------------------------------------


def answer(desk: "Desk", question: Question, seat: str) -> str:
    """What a seat has filed for this window, one alternative after the other; empty for nothing."""
    if question.kind not in CARD_WINDOWS:
        return ""
    match = desk.match
    return " else ".join(one["text"] for one in of(desk.private, seat)
                         if one["turn"] == match.g.turn and read_trigger(one["trigger"], match.names).fits(question))


def tidy(desk: "Desk", entry: int) -> None:
    """What was filed falls with the hand that it was filed from (5.3), and with its last card that is still there.

    With which entry it fell is kept, for as long as an undo may give it back.
    """
    for seat in list(desk.private.get("filed") or {}):
        filed = of(desk.private, seat)
        left = [one for one in filed if stands(desk, seat, one)]
        gone = [{"entry": entry, "seat": seat, "place": place, "was": one}
                for place, one in enumerate(filed) if one not in left]
        if gone:
            keep_fallen(desk.private, [*(desk.private.get("fallen") or ()), *gone])
            put(desk.private, seat, left)


def give_back(private: dict[str, Any], entry: int) -> None:
    """What fell from this entry on is filed again, at its old place in the list."""
    fallen = private.get("fallen") or []
    undone = [one for one in fallen if one["entry"] >= entry]
    for one in sorted(undone, key=lambda one: (-int(one["entry"]), int(one["place"]))):
        filed, place = of(private, one["seat"]), int(one["place"])
        put(private, one["seat"], [*filed[:place], one["was"], *filed[place:]])
    keep_fallen(private, [one for one in fallen if one["entry"] < entry])


def keep_fallen(private: dict[str, Any], fallen: list[dict[str, Any]]) -> None:
    private["fallen"] = fallen[-MOST_FALLEN:]
    if not fallen:
        del private["fallen"]


def stands(desk: "Desk", seat: str, one: Mapping[str, Any]) -> bool:
    g = desk.match.g
    alternatives = read_answer(one["text"], desk.match.names)
    return one["turn"] == g.turn and any(
        all(is_held(desk, seat, order.card) for order in alternative.orders) for alternative in alternatives)


def is_held(desk: "Desk", seat: str, card: str) -> bool:
    g = desk.match.g
    return hand.could_hold(g, seat, card) and (g.secret is None or g.secret.holds(seat, card))


def waits(desk: "Desk", question: Question | None) -> bool:
    """Does this window stay open until its time? Held games let none wait; where dice come by hand they have to."""
    held = desk.game.header["rules"].get("windows") == "held" and desk.keys is not None
    return question is None or question.kind not in CARD_WINDOWS or not held
