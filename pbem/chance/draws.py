"""Where dice and decks come from: the log on replay, the secrets in live play, a table far away, or nowhere.

All of them write what they gave into `made`, in the form that an entry of the log keeps.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from pbem.base.errors import Diverged, Refused, Unknown
from pbem.chance import scheme
from pbem.chance.beacon import Listening
from pbem.chance.course import Course, turn_of

Throw = tuple[int, str]             # a die rolled by hand, and the table reading stated with it


class Chance(Protocol):
    """Where dice come from: the log on replay, the secrets in live play, the case in a case."""

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]: ...

    def reading(self, name: tuple[str, ...]) -> str | None: ...

    def deck_name(self, base: str, cards: tuple[str, ...]) -> str: ...

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str: ...


class Recorded:
    """Replay: every draw has to be the next one of the entry, under the same name; none may be left over."""

    __slots__ = ("deck", "made", "number", "readings", "waiting")

    def __init__(self, entry: Mapping[str, Any], number: int) -> None:
        self.waiting = list(entry.get("dice", ()))
        deck = entry.get("deck")
        self.deck = None if deck and "stated" in deck else deck         # what was stated was not drawn
        self.number = number
        self.made: list[Any] = []
        self.readings: dict[tuple[str, ...], str] = {}

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        wanted = ",".join(name)
        if not self.waiting or self.waiting[0][0] != wanted:
            found = self.waiting[0][0] if self.waiting else "none"
            raise Diverged("other_dice", entry=self.number, wanted=wanted, found=found)
        item = self.waiting.pop(0)
        if len(item) > 2 and "reads" in item[2]:
            self.readings[name] = str(item[2]["reads"])
        self.made.append(item)
        return list(item[1]) if isinstance(item[1], list) else [item[1]]

    def reading(self, name: tuple[str, ...]) -> str | None:
        return self.readings.get(name)

    def deck_name(self, base: str, cards: tuple[str, ...]) -> str:
        """Whatever number it has: which one is due is no matter of the rules."""
        if self.deck is None or ",".join(self.deck["name"].split(",")[:2]) != base:
            raise Diverged("other_deck", entry=self.number, wanted=base, found=self.deck and self.deck["name"])
        return str(self.deck["name"])

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        if self.deck is None or self.deck["name"] != name or tuple(self.deck["cards"]) != cards:
            raise Diverged("other_deck", entry=self.number, wanted=name, found=self.deck and self.deck["name"])
        deck, self.deck = self.deck, None
        return str(deck.get("root", ""))                                # shuffled at a table it has none

    def finish(self) -> None:
        if self.waiting:
            raise Diverged("dice_left", entry=self.number, found=self.waiting[0][0])
        if self.deck is not None:
            raise Diverged("deck_left", entry=self.number, found=self.deck["name"])


class Keys:
    """The keys of a game, made from its secrets, from the players' words and, where one was announced, from a public beacon.

    `late` has the fresh words of decks that were shuffled with them, `orders` the decks that a moderator stated.
    """

    def __init__(self, game: str, secrets: scheme.Secrets, words: Mapping[str, str],
                 listening: Listening | None = None) -> None:
        self.game = game
        self.secrets = secrets
        self.mixed = scheme.entropy(game, words)
        self.listening = listening
        self.late: dict[str, bytes] = {}
        self.orders: Mapping[str, list[str]] = {}

    def beacon(self, epoch: int) -> scheme.Beacon:
        return self.listening.value(epoch) if self.listening is not None else scheme.NO_BEACON

    def knows(self, epoch: int) -> bool:
        """Is there a key of this epoch already? A beacon that is awaited gives none."""
        return self.listening is None or epoch in self.listening.heard

    @property
    def deck(self) -> bytes:
        return scheme.deck_key(self.secrets.deck, self.game, self.mixed, self.beacon(0))

    def dice(self, epoch: int) -> bytes:
        return scheme.dice_key(self.secrets.link(epoch), self.game, self.mixed, epoch, self.beacon(epoch))

    def late_dice(self, epoch: int, fresh: bytes) -> bytes:
        return scheme.late_dice_key(self.secrets.link(epoch), self.game, fresh, epoch, self.beacon(epoch))

    def shuffled(self, name: str, cards: Iterable[str]) -> "scheme.Deck":
        """The deck of this name in its order: drawn, or as it was stated."""
        parts = tuple(name.split(","))
        if name in self.orders:
            return scheme.Deck(self.deck, self.game, parts, self.orders[name])
        key = self.deck
        if name in self.late:
            key = scheme.late_deck_key(self.secrets.deck, self.game, self.late[name], self.beacon(0))
        return scheme.Deck.shuffled(key, self.game, parts, list(cards))


class Live:
    """Live play: dice follow from the secrets and the name; those thrown elsewhere are taken first, and marked."""

    def __init__(self, keys: Keys | None, course: Course | None, thrown: Iterable[Throw] = (), reason: str = "") -> None:
        self.keys = keys
        self.course = course
        self.thrown = list(thrown)
        self.given = len(self.thrown)
        self.reason = reason
        self.made: list[Any] = []
        self.deck: dict[str, Any] | None = None
        self.readings: dict[tuple[str, ...], str] = {}

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        marks: dict[str, Any] = {"sides": sides} if sides != 6 else {}
        if self.thrown:
            thrown, self.thrown = self.thrown[:count], self.thrown[count:]
            values = [value for value, _ in thrown]
            marks.update(by="hand", reason=self.reason or "rolled elsewhere")
            if thrown[0][1]:
                marks["reads"] = self.readings[name] = thrown[0][1]
            if len(values) < count or not all(1 <= value <= sides for value in values):
                raise Unknown("die_needed", name=",".join(name), count=count, sides=sides)
        elif self.keys is not None and self.course is not None:
            turn = turn_of(name[0])
            epoch, fresh = self.course.epoch(turn), self.course.fresh
            key = self.keys.late_dice(epoch, fresh) if self.course.is_late(turn) else self.keys.dice(epoch)
            values = scheme.dice(key, self.keys.game, ("dice", *name), count, sides)
        else:
            raise Unknown("die_needed", name=",".join(name), count=count, sides=sides)
        item: list[Any] = [",".join(name), values if count > 1 else values[0]]
        self.made.append([*item, marks] if marks else item)
        return values

    def reading(self, name: tuple[str, ...]) -> str | None:
        return self.readings.get(name)

    def deck_name(self, base: str, cards: tuple[str, ...]) -> str:
        return self.course.deck_name(base, cards) if self.course is not None else base

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        if self.course is not None and not self.course.promises:
            self.deck = {"name": name, "cards": list(cards), "by": "hand"}
            return ""
        if self.keys is None or self.course is None:
            raise Unknown("deck_needed", name=name)
        if (fresh := self.course.key_of(name)) != self.course.mixed:
            self.keys.late[name] = fresh
        root = self.keys.shuffled(name, cards).root.hex()
        self.deck = {"name": name, "cards": list(cards), "root": root}
        return root

    def finish(self) -> None:
        if self.thrown:
            raise Refused("0", "throws_left", given=self.given, used=self.given - len(self.thrown))


class Unthrown:
    """A dry run has no chance source at all: it stops at the first thing that it cannot know."""

    made: list[Any] = []
    deck: dict[str, Any] | None = None

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        raise Unknown("die_not_thrown", name=",".join(name))

    def reading(self, name: tuple[str, ...]) -> str | None:
        return None

    def deck_name(self, base: str, cards: tuple[str, ...]) -> str:
        raise Unknown("deck_not_shuffled", name=base)

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        raise Unknown("deck_not_shuffled", name=name)

    def finish(self) -> None:
        """Nothing was drawn."""
