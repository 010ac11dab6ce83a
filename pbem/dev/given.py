"""A case's `given`: the words of the case made plain, and the position, the dice and the hands that it describes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem import editions
from pbem.base.errors import PbemError
from pbem.cards import EFFECTS
from pbem.components import catalogue
from pbem.components.board import Board
from pbem.components.catalogue import Facts
from pbem.components.shipped import PARTS, STATE, box_of
from pbem.kernel.procedures import at_once
from pbem.orders import Order
from pbem.rules import activation, victory
from pbem.rules.effects import Card
from pbem.table import position
from pbem.table.state import INDEPENDENT, OFF, Game, is_inside, space_of

Case = Mapping[str, Any]

PLAYERS = ("red", "blue", "yellow", "black", "green")
SIDES = (*PLAYERS, INDEPENDENT)
# What the position takes over as it stands in the case.
PLAIN = ("turn", "round", "turn_order", "champions", "usurper", "provinces", "forces", "family", "cart", "tomb",
         "fleets", "dispersed", "dead", "siege_points", "training", "dealt", "popularity", "naval_used", "moved",
         "spaces", "phase", "segment")
STAGED = frozenset((*PLAIN, "players", "seats", "edition", "options", "score", "mp", "hands", "deck", "condemned", "tokens",
                    "history", "minors_off_map", "active"))
FORCE = frozenset({"owner", "at", "loc", "general", "generals", "cus", "family"})


class NotKnown(Exception):
    """Something in the case that driver or engine cannot judge: the verdict is `unknown`."""


class NoDie(Exception):
    """The rules want a die that the case does not give."""


class NotBuilt(Exception):
    """The board says otherwise than the case: the verdict is `skip`."""


# --- what the case leans on ---------------------------------------------------------------------------------------

PATH = re.compile(r"(\w+) -(land|mountain|strait|sea|trans)- (\w+)")
KIND = re.compile(r"(\w+) kind (\w+)")
WITHIN = re.compile(r"(\w+) (not )?in (\w+)")
MPS = re.compile(r"(\w+) to (\w+) (\d) MPs?")


def assumption_holds(board: Board, text: str) -> bool:
    """Whether the board agrees; what is written too freely to be looked up is taken for true."""
    if found := PATH.fullmatch(text):
        here, kind, there = found.groups()
        if here not in board.index or there not in board.index:
            return True
        return kind in board.path_types(here, there)
    if (found := KIND.fullmatch(text)) and found[1] in board.index:
        return board.kind(found[1]) == found[2]
    if (found := WITHIN.fullmatch(text)) and found[1] in board.index and found[3] in board.provinces:
        return (board.province_of(found[1]) == found[3]) != bool(found[2])
    if (found := MPS.fullmatch(text)) and found[1] in board.index and found[2] in board.index:
        return board.distances(found[1]).get(found[2]) == int(found[3])
    return True


# --- the names in a case ------------------------------------------------------------------------------------------

NEIGHBOUR = re.compile(r"(?:another-)?land-neighbour-of-(\w+)")
MINOR_CITY = re.compile(r"some-minor-of-(\w+)")
HELLESPONT = re.compile(r"hellespont-(\d)")
TRANSIT = re.compile(r"transit-(\w+)-(\w+)")
BEYOND = re.compile(r"transit-beyond-(\w+)")


class Words:
    """Replaces the case's own names for spaces, always by the first that the case neither names nor occupies."""

    def __init__(self, board: Board, case: Case) -> None:
        self.board = board
        self.taken = {space_of(text) for text in _texts(case) if space_of(text) in board.index}
        self.chosen: dict[str, str] = {}

    def plain(self, value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            return self._space(value)
        if isinstance(value, list):
            return self._path(value) if key == "path" else [self.plain(item) for item in value]
        if isinstance(value, dict):
            return {self._space(name) if isinstance(name, str) else name: self.plain(item, str(name))
                    for name, item in value.items()}
        return value

    def _path(self, path: list[str]) -> list[str]:
        out: list[str] = []
        for name in path:
            if name == "next-space":
                name = self._first(name, (*self.board.land_paths(out[-1]), *self.board.adjacent(out[-1])))
            elif name == "next-port":
                name = self._first(name, self.board.sea_paths(out[-1]))
            out.append(self._space(name))
        return out

    def _space(self, text: str) -> str:
        if text in self.chosen:
            return self.chosen[text]
        board = self.board
        if found := NEIGHBOUR.fullmatch(text):
            near = board.land_paths(found[1])
            return self._first(text, sorted(near, key=board.is_transit))
        if found := MINOR_CITY.fullmatch(text):
            return self._first(text, [space for space in board.spaces_of(found[1]) if board.kind(space) == "minor"])
        if found := HELLESPONT.fullmatch(text):
            return board.hellespont[int(found[1]) - 1]
        points = [space for space in board.spaces if board.is_transit(space)]
        if found := BEYOND.fullmatch(text):
            return self._only(text, [one for one in points if "mountain" in board.path_types(found[1], one)])
        if found := TRANSIT.fullmatch(text):
            return self._only(text, [one for one in points
                                     if all("land" in board.path_types(end, one) for end in found.groups())])
        return text

    def _first(self, text: str, spaces: Any) -> str:
        for space in spaces:
            if space not in self.taken:
                self.taken.add(space)
                self.chosen[text] = space
                return str(space)
        raise NotBuilt(f"no space on the board fits {text}")

    def _only(self, text: str, spaces: list[str]) -> str:
        if len(spaces) != 1:
            raise NotBuilt(f"{len(spaces)} spaces on the board fit {text}")
        return spaces[0]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _texts(name)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


# --- cards --------------------------------------------------------------------------------------------------------

HISTORY = re.compile(r"([a-z0-9-]+) was (discarded|removed)")
STAND_IN = re.compile(r"(event|bonus)-(\d)|(surprise)-any")


def slug(name: str) -> str:
    """A card's name as cases write it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("&", "and")).strip("-")


BLANK = "nothing of its own"


def may_be_played(g: Game, seat: str, order: Order) -> Order:
    """A stand-in has no precondition."""
    return order


@at_once
def does_nothing(g: Game, seat: str, order: Order) -> None:
    """Nor an effect."""


STAND_INS = {BLANK: Card(may_be_played, does_nothing, lambda g, seat: iter(()))}


class Hands:
    """Who holds which cards, known to the last one; the hidden side of the game's cards."""

    def __init__(self, facts: Facts, given: Case) -> None:
        self.facts = facts
        self.called: dict[str, str] = {}                            # card -> what the case calls it
        self.paying: dict[str, list[str]] = {}                      # what players said they would discard (16.11)
        self.hands: dict[str, list[str]] = {}
        on_table = given.get("tokens", {}).get("table_cards", [])
        named = [name for cards in (*given.get("hands", {}).values(), given.get("deck", []), on_table) for name in cards]
        self.reserved = {card for name in named for card in self._cards_called(name)}
        for seat, cards in given.get("hands", {}).items():
            self.hands[seat] = [self.new(name) for name in cards]
        self.next = [self.new(name) for name in given.get("deck", [])]
        self.face_down = [self.new(name) for name in on_table]

    def called_so(self, name: str) -> list[str]:
        return self._cards_called(name)

    def _cards_called(self, name: str) -> list[str]:
        stem, _, number = name.rpartition("-")
        if number.upper() in self.facts.cards and slug(self.facts.cards[number.upper()]["name"]) == stem:
            return [number.upper()]                                 # one of several that share their name
        return [card for card, fact in self.facts.cards.items() if slug(fact["name"]) == name]

    def new(self, name: str) -> str:
        """One more card of that name, or of the kind and OPs that the name stands for."""
        if stand_in := STAND_IN.fullmatch(name):
            kind, ops = stand_in[1] or stand_in[3], stand_in[2]
            fit = [card for card, fact in self.facts.cards.items()
                   if card.isdecimal() and card not in self.reserved and fact["kind"] == kind
                   and (ops is None or fact["ops"] == int(ops))]
        else:
            fit = self._cards_called(name)
        card = next((one for one in fit if one not in self.called), None)
        if card is None:
            raise NotKnown(f"no card is called {name}")
        self.called[card] = name
        return card

    def card(self, seat: str, name: str) -> str:
        """The card that a player means: one in his hand if he has such a one."""
        for card in self.hands.get(seat, []):
            if self.called[card] == name:
                return card
        return next((card for card, other in self.called.items() if other == name), None) or self.new(name)

    def holds(self, seat: str, card: str) -> bool:
        return card in self.hands.get(seat, [])

    def hand(self, seat: str) -> tuple[str, ...]:
        return tuple(self.hands.get(seat, ()))

    def draw(self, seat: str) -> str:
        """The next card of the case's deck, and when that is used up an Event card of 3 OPs."""
        card = self.next.pop(0) if self.next else self.new("event-3")
        self.hands.setdefault(seat, []).append(card)
        return card

    def play(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)

    def steal(self, thief: str, victim: str, place: int) -> str:
        card = self.hands[victim].pop(place)
        self.hands.setdefault(thief, []).append(card)
        return card

    def on_table(self) -> tuple[str, ...]:
        return tuple(self.face_down)

    def turn_up(self) -> None:
        self.face_down.pop(0)

    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        """The order of a new deck is nothing a case depends on."""

    def lay_out(self, count: int) -> None:
        """Nor is it what lies on the table then."""


# --- dice ---------------------------------------------------------------------------------------------------------


class Dice:
    """The dice of a case, in the sequence in which it gives them; `rolls` are those that may fall now."""

    def __init__(self, people: Iterable[str]) -> None:
        self.people = frozenset(people)
        self.rolls: list[tuple[int, Case]] = []
        self.arranged: dict[str, list[int]] = {}                    # draws that the case states by their outcome
        self.whatever: set[str] = set()                             # dice of which any number does what the case wants
        self.fallen: dict[int, tuple[str, ...]] = {}                # step -> the name of the draw that took it
        self.readings: dict[tuple[str, ...], str] = {}

    def arrange(self, purpose: str, names: list[str], wanted: list[str]) -> None:
        """The draws that turn one sequence of cards into another, from the last place on."""
        names, self.arranged[purpose] = list(names), []
        for place in range(len(names) - 1, 0, -1):
            other = names.index(wanted[place], 0, place + 1)
            names[place], names[other] = names[other], names[place]
            self.arranged[purpose].append(other + 1)

    def draw(self, name: tuple[str, ...], count: int, sides: int) -> list[int]:
        if sides == 1:
            return [1] * count
        if self.arranged.get(name[4]):
            return [self.arranged[name[4]].pop(0)]
        player, purpose, about = name[2], name[4], name[5:-1]
        if purpose in self.whatever:
            return [1] * count
        for index, step in self.rolls:
            values = list(step["dice"]) if "dice" in step else [step["die"]]
            if index in self.fallen or step["roll"] != purpose or len(values) != count:
                continue
            if step["by"] not in ([side for side in about if side in SIDES] or [player]):
                continue
            if step.get("for") in self.people and step["for"] not in about and self.people & set(about):
                continue
            self.fallen[index] = name
            if "reads" in step:
                self.readings[name] = str(step["reads"])
            return values
        raise NoDie(" ".join(name[4:-1]))

    def reading(self, name: tuple[str, ...]) -> str | None:
        return self.readings.get(name)

    def deck_name(self, base: str, cards: tuple[str, ...]) -> str:
        return base

    def shuffle(self, name: str, cards: tuple[str, ...]) -> str:
        return ""


# --- the position -------------------------------------------------------------------------------------------------


def together(forces: Iterable[Case]) -> Iterator[dict[str, Any]]:
    """What stands in one location for one owner, however many entries say it."""
    stacks: dict[tuple[str, str], dict[str, Any]] = {}
    for force in forces:
        stack = stacks.setdefault((force["owner"], position.location(force)), {"generals": [], "cus": Counter(), "family": []})
        stack.update({key: force[key] for key in ("owner", "at", "loc") if key in force})
        stack["generals"] += [*force.get("generals", ()), *([force["general"]] if "general" in force else [])]
        stack["cus"].update(force.get("cus", {}))
        stack["family"] += force.get("family", ())
    return iter(stacks.values())


class Totals(NamedTuple):
    legitimacy: int
    points: int


class Stage:
    """The game of a case, ready for its first order."""

    def __init__(self, case: Case) -> None:
        facts = catalogue.facts(box=box_of(case["given"].get("edition", editions.USUAL), STATE))
        board = Board(facts)
        for text in case.get("assume", ()):
            if not assumption_holds(board, text):
                raise NotBuilt(f"the board says otherwise: {text}")
        words = Words(board, {part: case[part] for part in ("given", "when", "then")})
        self.given: dict[str, Any] = words.plain(case["given"])
        self.when: list[dict[str, Any]] = words.plain(case["when"])
        self.then: list[dict[str, Any]] = words.plain(case["then"])
        self._judge_words()
        seats = tuple(self.given.get("seats", PLAYERS[:self.given.get("players", 4)]))
        self.rules = editions.ruleset(self.given.get("edition", editions.USUAL), tuple(self.given.get("options", ())))
        self.facts = self._with_unrest(self._with_fleets(facts, board))
        self.game = Game(self.facts, board, self.rules, seats, {**EFFECTS, **STAND_INS})
        self.hands = Hands(self.facts, self.given)
        self.game.use_facts(self._without_effect(self.facts), board)
        self.dice = Dice(self.game.generals)
        self.game.secret, self.game.chance = self.hands, self.dice
        self._position()
        self.start = {seat: self.totals(seat) for seat in seats}

    def _judge_words(self) -> None:
        """Nothing in `given` may go unheard."""
        strange = {f"given.{key}" for key in self.given.keys() - STAGED}
        for force in self.given.get("forces", ()):
            strange |= {f"forces.{key}" for key in force.keys() - FORCE}
        for space in self.given.get("spaces", {}).values():
            strange |= {f"spaces.{key}" for key in space.keys() - {"pc"}}
        if strange:
            raise NotKnown(", ".join(sorted(strange)))

    def totals(self, seat: str) -> Totals:
        return Totals(victory.legitimacy(self.game, seat), victory.points(self.game, seat))

    def _without_effect(self, facts: Facts) -> Facts:
        """A Surprise card that stands for any of its kind may be played at any time and does nothing of its own."""
        blank = {card for card, name in self.hands.called.items() if name == "surprise-any"}
        if not blank:
            return facts
        cards = {card: {**fact, "effect_key": BLANK, "timing": ["any_time_strategy_phase"], "stand_in": False} if card in blank
                 else fact for card, fact in facts.cards.items()}
        return Facts({**{part: getattr(facts, part) for part in PARTS}, "cards": cards})

    def _with_fleets(self, facts: Facts, board: Board) -> Facts:
        """Fleets that the case hands out although their Province is not on stage follow no control."""
        stated = {name.rstrip("+"): seat for seat, names in self.given.get("fleets", {}).items() for name in names}
        for seat, box in self.given.get("dispersed", {}).items():
            stated.update((name, "" if seat == INDEPENDENT else seat) for name in box.get("fleets", ()))
        if not stated:
            return facts
        bare = Game(facts, board, self.rules, PLAYERS)
        position.state(bare, {key: self.given[key] for key in ("provinces", "spaces") if key in self.given})
        victory.fleets_follow_control(bare)
        loose = [name for name, seat in stated.items() if bare.fleets[name].seat != seat]
        if not loose:
            return facts
        fleets = {name: {**fact, "control": {"type": "card"}} if name in loose else fact
                  for name, fact in facts.fleets.items()}
        tree = {part: getattr(facts, part) for part in PARTS}
        return Facts({**tree, "fleets": fleets})

    def _with_unrest(self, facts: Facts) -> Facts:
        """The Province that the case wants a card of unrest to name."""
        province = self.given.get("tokens", {}).get("unrest_province")
        if province is None:
            return facts
        cards = {card: {**fact, "params": {**fact["params"], "provinces": [province]}}
                 if fact["effect_key"] == "place_independent_pc" else fact for card, fact in facts.cards.items()}
        return Facts({**{part: getattr(facts, part) for part in PARTS}, "cards": cards})

    def _position(self) -> None:
        g, given = self.game, self.given
        facts = {key: given[key] for key in PLAIN if key in given}
        shields = given.get("tokens", {}).get("silver_shields")
        silver = [{**shields, "cus": {"silver": shields.get("cus", 2)}}] if isinstance(shields, dict) else []
        facts["forces"] = list(together([*given.get("forces", ()), *silver]))
        facts.setdefault("turn", 1 if facts.get("phase") == "setup" else 2)
        facts.setdefault("turn_order", list(g.seats))
        facts.setdefault("phase", "strategy")
        facts["hands"] = {seat: len(cards) for seat, cards in given.get("hands", {}).items()}
        facts["out"] = [card for card in g.out if card not in self.hands.called]
        facts["deck"] = {"name": "case", "cards": [], "left": max(20, len(given.get("deck", [])))}
        if "condemned" in given:
            facts["condemned"] = {given["condemned"]: 3}
        facts.update(self._tokens())
        facts.update(self._setup())
        for name, fate in HISTORY.findall(given.get("history", "")):
            key = "discards" if fate == "discarded" else "out"
            facts[key] = [*facts.get(key, ()), *(card for card in self.hands.called_so(name) if card not in facts["out"])]
        # Fleets first of all are where control puts them, and only then where the case says.
        position.state(g, {key: facts.pop(key) for key in ("provinces", "spaces") if key in facts})
        victory.fleets_follow_control(g)
        position.state(g, facts)
        self._stand_apart()
        position.state(g, {"mp": dict(self._allowances())})
        if "active" in given:
            activation.begin(g, self.general(given["active"]))
        self._pad()

    def _setup(self) -> Iterator[tuple[str, Any]]:
        """4 Generals with one start space place themselves: those that the case does not place are held back."""
        placed = {step["general"] for step in self.when if step.get("do") == "place_start"}
        if placed:
            yield "dealt", {seat: [name for name in dealt if name in placed] for seat, dealt in self.given["dealt"].items()}
        if any(step.get("do") == "choose_generals" for step in self.when):
            yield "step", "swap"

    def _tokens(self) -> Iterator[tuple[str, Any]]:
        for token, value in self.given.get("tokens", {}).items():
            if token == "helepolis":
                yield "helepolis", position.location(value)
            elif token in ("capitals", "construction", "truces", "oracle"):
                yield token, value
            elif token == "table_cards":
                table, players = self.facts.tables["rounds_and_hands"], len(self.game.seats)
                later = table["face_down"][players] - self.given.get("round", 1) * table["revealed_per_round"][players]
                yield "face_down", len(value) + later
            elif token == "looted":
                yield "looted", value
            elif token == "ratings":
                self._rate(value)
            elif token not in ("unrest_province", "battle_strength", "silver_shields"):
                raise NotKnown(f"tokens.{token}")

    def _rate(self, ratings: Mapping[str, Any]) -> None:
        """Battle Ratings, or both ratings, that the case states for Generals."""
        for name, rating in ratings.items():
            one = self.game.generals[self.general(name)]
            stated = rating if isinstance(rating, Mapping) else {"battle": rating}
            one.initiative, one.battle = stated.get("initiative", one.initiative), stated.get("battle", one.battle)

    def _allowances(self) -> Iterator[tuple[str, int]]:
        for name, mps in self.given.get("mp", {}).items():
            seat, _, minor = name.partition("-")
            if minor == "minor":
                yield from ((one.name, mps) for one in self.game.generals_of(seat) if one.minor)
            else:
                yield name, mps

    def _stand_apart(self) -> None:
        """Minor Generals that are neither off map nor in the story stand far away, each with a CU of his own."""
        g = self.game
        touched = {space_of(text) for text in _texts([self.given, self.when, self.then])}
        near = {there for here in touched if here in g.board.index for there in g.board.adjacent(here)}
        far = (space for space in reversed(g.board.spaces) if space not in touched | near
               and g.board.kind(space) == "minor" and not g.board.is_port(space))
        for seat, number in self.given.get("minors_off_map", {}).items():
            for one in g.minors_off_map(seat)[number:]:
                position.state(g, {"forces": [{"owner": seat, "at": next(far), "generals": [one.name],
                                               "cus": {"mercenary": 1}}]})

    def _pad(self) -> None:
        """Totals that the case states are kept by a constant beside what stands on the stage."""
        g = self.game
        for seat, wanted in self.given.get("score", {}).items():
            if "L" in wanted:
                g.adjusted[seat, "L"] = wanted["L"] - sum(value for _, value in victory.legitimacy_parts(g, seat))
            if "VP" in wanted:
                g.adjusted[seat, "VP"] = wanted["VP"] - sum(value for _, value in victory.points_parts(g, seat))

    # --- who is meant ---------------------------------------------------------------------------------------------

    def location(self, at: str, loc: str | None = None) -> str:
        """A space and the part of it, as the game writes them."""
        space, _, part = at.partition("/")
        if space not in self.game.board.index:
            raise NotKnown(f"space {at}")
        return f"{space}/{loc or part}" if (loc or part) in ("inside", "sea") else space

    def minor(self, seat: str, at: str | None = None) -> str:
        """`red-minor`: red's Minor General in that space, else the only one on the map, else one that is off it."""
        minors = [one for one in self.game.generals_of(seat) if one.minor]
        here = [one for one in minors if at is not None and space_of(one.at) == space_of(at)]
        on_map = [one for one in minors if self.game.on_map(one)]
        active = self.game.activation.key if self.game.activation is not None else ""
        here.sort(key=lambda one: (one.name != active, is_inside(one.at)))
        found = here or [one for one in on_map if one.name == active] or on_map or [
            one for one in minors if one.at == OFF]
        if not found:
            raise NotKnown(f"{seat} has no Minor General")
        return found[0].name

    def general(self, name: str, at: str | None = None, owner: str = "") -> str:
        seat, _, minor = name.partition("-")
        if minor == "minor" and seat in self.game.seats:
            return self.minor(seat, at)
        if name == "minor" and owner:
            return self.minor(owner, at)
        if name not in self.game.generals:
            raise NotKnown(f"General {name}")
        return name


def staged(case: Case) -> Stage:
    """The case set up, or why that cannot be done."""
    try:
        return Stage(case)
    except PbemError as problem:
        if problem.key in ("unknown_optional_rule", "unknown_position_key"):
            raise NotKnown(str(problem)) from problem
        raise
