"""A published game as data: who sat where, who held what, which dice fell; step by step what was done and what came of it.

The names are those of its edition, in any of the spellings that the file lists; what it leaves open stands as null, and what it
assumes under `assume`. `tests/replays` has one; its head says how such a file is written.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base.errors import BadLog, PbemError
from pbem.dev.replay.vocabulary import CANONICAL
from pbem.editions import EDITIONS
from pbem.orders.names import Names
from pbem.play.match import Match
from pbem.table.state import Game

FORMAT = 1
PROFILES = {"3": "third", "4": "fourth", "draft": "draft"}
UNITS = {"royal": "royal", "loyal": "loyal", "mercenary": "mercenary", "elephant": "elephant", "silver_shields": "silver",
         "cavalry": "cavalry"}
SEGMENTS = {"surrender": "surrender", "tyche": "tyche", "movement": "activation", "activation": "activation",
            "forage": "forage", "phase": "phase"}
KINDS = ("spaces", "provinces", "generals", "royals", "cards")
CART = "funeral cart"
Step = Mapping[str, Any]


class Untold(Exception):
    """The script says something that cannot be done or shown, or does not say what is needed; no player would hear of it."""


class Place(NamedTuple):
    """A space that the script names, or a Province in which it leaves the space open."""

    space: str = ""
    province: str = ""


class Script:
    """What stands in the file; names become ids when a game is there whose names they are."""

    def __init__(self, file: Path) -> None:
        import yaml

        try:
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            told = yaml.load(file.read_bytes(), Loader=loader)
            if told["format"] != FORMAT:
                raise BadLog("unreadable_replay", file=str(file), problem=f"format {told['format']}")
            self.told: Mapping[str, Any] = told
            self.ident = str(told["replay"])
            self.edition = PROFILES[str(told["rules"]["profile"])]
            self.options = tuple(str(one) for one in told["rules"].get("optional") or ())
            self.players = {one["id"]: one for one in told["players"]}
            self.seats = {one["id"]: one["colour"] for one in told["players"]}
            self.steps: list[Step] = [canonical(step) for step in told["steps"]]
            self.lines = lines_of(yaml.compose(file.read_bytes(), Loader=loader))
            self.setup: Mapping[str, Any] = told["setup"]
            self.circle = [self.seats[one] for one in self.setup["players_in_seat_order"]]
            self.spellings = {kind: {one["name"]: one for one in told["names"].get(kind) or ()} for kind in KINDS}
        except (OSError, yaml.YAMLError, KeyError, TypeError, UnicodeDecodeError) as problem:
            raise BadLog("unreadable_replay", file=str(file), problem=f"{type(problem).__name__} {problem}") from problem

    @property
    def book(self) -> str:
        return EDITIONS[self.edition].book

    def player(self, seat: str) -> str:
        return next((player for player, colour in self.seats.items() if colour == seat), seat)

    def after(self, index: int) -> Iterator[Step]:
        """The steps behind one of the same player and segment."""
        here = self.steps[index]
        for step in self.steps[index + 1:]:
            if any(step.get(key) != here.get(key) for key in ("turn", "round", "player", "segment")):
                return
            yield step


def canonical(step: Step) -> Step:
    """By the name of its action that the program knows it by; a Surprise card that is played is one, wherever it is said."""
    action = CANONICAL.get(step["action"], step["action"])
    return {**step, "action": "surprise" if action == "play_card" and step.get("use") == "surprise" else action}


def lines_of(node: Any) -> dict[tuple[str, str], int]:
    """In which line a step, and each word in it, stands; the words of a part by `expect vp`."""
    steps = next(value for key, value in node.value if key.value == "steps")
    found = {}
    for step in steps.value:
        ident = next(value.value for key, value in step.value if key.value == "id")
        found[ident, ""] = step.start_mark.line + 1
        for key, value in step.value:
            found[ident, key.value] = key.start_mark.line + 1
            if key.value in ("expect", "derived"):
                found |= {(ident, f"{key.value} {word.value}"): word.start_mark.line + 1 for word, _ in value.value}
    return found


class Spelt:
    """The names of a script as the ids of a game."""

    def __init__(self, script: Script, match: Callable[[], Match]) -> None:
        self.script, self.match = script, match
        self.minors: dict[str, str] = {}                    # minor M1 -> who he is on the map

    @property
    def g(self) -> Game:
        return self.match().g

    @property
    def names(self) -> Names:
        return self.match().names

    def id(self, kind: str, name: str) -> str:
        """By the name itself, or by another spelling that the script has for it."""
        fact = self.script.spellings.get(f"{kind}s", {}).get(name, {})
        others = [fact.get("latin"), *(fact.get("also") or ()), fact.get("name_4e"), *str(fact.get("ru") or "").split(" / ")]
        for text in [name, *others]:
            try:
                if text:
                    return self.names.resolve(kind, str(text))
            except PbemError:
                continue
        raise Untold(f"there is no {kind} {name}")

    def cards(self, name: str) -> list[str]:
        """All cards of that name, in the order of the deck."""
        one = self.first_card(name)
        return [card for card, fact in self.g.facts.cards.items() if fact["name"] == self.g.facts.cards[one]["name"]]

    def first_card(self, name: str) -> str:
        fact = self.script.spellings["cards"].get(name, {})
        for text in (name, fact.get("latin"), fact.get("name_4e"), *str(fact.get("ru") or "").split(" / ")):
            for card, printed in self.g.facts.cards.items():
                spoken = [printed["name"], *printed["aliases"], (printed["third"] or {}).get("name")]
                if text and any(folded(str(text)) == folded(str(one)) for one in spoken if one):
                    return card
        return self.id("card", name)

    def royal(self, name: str) -> str:
        return "cart" if name.casefold() == CART else self.id("royal", name)

    def general(self, name: str) -> str:
        if name.startswith("minor "):
            if name not in self.minors:
                raise Untold(f"{name} has not come yet")
            return self.minors[name]
        return self.id("general", name)

    def place(self, text: str, assumed: Mapping[str, Any]) -> Place:
        """`Trikka`, `Thessalia: minor city 1`, `Thessalia`, `with Leonnatos`, `with Antipatros in Thrake`."""
        if text.startswith("with "):
            return Place(space=self.g.generals[self.general(text.removeprefix("with ").partition(" in ")[0])].at)
        said = assumed.get(text) or assumed.get("space")
        if said and text not in self.script.spellings["spaces"]:
            return Place(space=self.id("space", str(said)))
        province, colon, _ = text.partition(":")
        if colon or text in self.script.spellings["provinces"]:
            return Place(province=self.id("province", province))
        return Place(space=self.id("space", text))

    def units(self, given: Mapping[str, Any] | None) -> dict[str, int]:
        return {UNITS[kind]: number for kind, number in (given or {}).items() if kind in UNITS and number}

    def named_spaces(self) -> set[str]:
        """Every space that any step names: where one is left open it is none of these."""
        found = set()
        for step in self.script.steps:
            for text in texts(step):
                if text in self.script.spellings["spaces"]:
                    try:
                        found.add(self.id("space", text))
                    except Untold:
                        continue
        return found


def folded(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def texts(value: Any) -> Iterable[str]:
    """Every text in a step."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
