"""What a case says -> what a player would have sent: the orders and answers of the order language."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.dev.given import Case, NotKnown, Stage
from pbem.kernel.procedures import Question
from pbem.orders import NONE, Order, Pieces
from pbem.orders.names import CUS
from pbem.rules import activation
from pbem.rules.interception import everything as interceptors
from pbem.table.state import space_of


class NotWritten(Exception):
    """The case goes beyond what the engine has rules for; the message is their number."""


# --- pieces and targets -------------------------------------------------------------------------------------------


def pieces(stage: Stage, step: Case, side: str, at: str | None = None, generals: str = "generals") -> Pieces:
    """The pieces that are named, and no others."""
    named = [stage.general(name, at, side) for name in step.get(generals, ())]
    return Pieces.of(named, step.get("cus"), step.get("family", ()))


def company(stage: Stage, step: Case, name: str | None) -> Pieces | None:
    """Who goes along on a march: all that may come, where the case does not say otherwise."""
    if not step.keys() & {"cus", "with", "family"}:
        return None
    usual = activation.may_come(stage.game, stage.game.generals[name]) if name else NONE
    others = [stage.general(one, step["path"][0], step["by"]) for one in step.get("with", usual.generals)]
    return Pieces.of(others, step.get("cus", dict(usual.cus)), step.get("family", usual.royals))


def target(stage: Stage, name: str) -> tuple[str, str]:
    """What a card is played on, with its sort."""
    g = stage.game
    if name.endswith("-minor"):
        return "general", stage.general(name)
    for kind, known in (("seat", g.seats), ("general", g.generals), ("royal", g.royals), ("space", g.board.index),
                        ("fleet", g.fleets)):
        if name in known:
            return kind, name
    if name in CUS:
        return "cu", name
    for card in stage.hands.called_so(name):
        return "card", card
    raise NotKnown(f"target {name}")


def general_at(stage: Stage, step: Case, at: str | None) -> str | None:
    """The General that an order names, if it names one."""
    return stage.general(step["general"], at, step["by"]) if "general" in step else None


# --- orders -------------------------------------------------------------------------------------------------------


def activate(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("activate", general=general_at(stage, step, None))


def pick_up(stage: Stage, step: Case) -> Iterator[Order]:
    if "general" in step and stage.game.activation is None:
        yield from activate(stage, step)
    yield Order("pick_up", pieces=pieces(stage, step, step["by"]))


def drop(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("drop", pieces=pieces(stage, step, step["by"]), loc=step.get("loc"),
                minor="any" if step.get("with_minor") else None)


def split(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("split", location=stage.location(step["at"]), pieces=Pieces.of(cus=step["leave"]),
                minor="any" if step.get("with") == "minor" else None)


def shift(stage: Stage, step: Case) -> Iterator[Order]:
    named = step.keys() & {"cus", "generals", "family"}
    yield Order("shift", general=general_at(stage, step, step.get("at")), at=step.get("at"), to=step["to"],
                pieces=pieces(stage, step, step["by"], step.get("at")) if named else None)


def siege(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("siege", space=step["at"], general=general_at(stage, step, step["at"]),
                pieces=Pieces.of(cus=step["cus"]) if "cus" in step else None,
                card=stage.hands.card(step["by"], step["card"]) if "card" in step else None)


def spaces(at: str | list[str]) -> list[str]:
    """One space or several."""
    return [at] if isinstance(at, str) else at


def remove_pc(stage: Stage, step: Case) -> Iterator[Order]:
    for space in spaces(step["at"]):
        yield Order("remove_pc", space=space, general=general_at(stage, step, space),
                    pieces=Pieces.of(cus=step["cus"]) if "cus" in step else None)


def place_pc(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("place_pc", spaces=tuple(spaces(step["at"])))


# What a case says a card does here, whatever its die shows: the purpose of that die.
EFFECTS = {"remove-the-only-cu": "desertions"}


def play_card(stage: Stage, step: Case) -> Iterator[Order]:
    if "effect" in step:
        if step["effect"] not in EFFECTS:
            raise NotKnown(f"effect {step['effect']}")
        stage.dice.whatever.add(EFFECTS[step["effect"]])
    if step.get("resolver", step["by"]) != step["by"]:
        raise NotKnown("a card that another than its player resolves")
    card = stage.hands.card(step["by"], step["card"])
    if step["as"] == "upgrade_fleet":
        yield Order("upgrade_fleet", fleet=step["fleet"], card=card)
        return
    if step["as"] == "finish_cart":
        yield Order("finish_cart", card=card)
        return
    if step["as"] == "retrieve_fleet":
        yield Order("retrieve_fleet", fleet=step["fleet"], card=card)
        return
    if step["as"] == "recruit":
        yield Order("recruit", general=step["general"], card=card, pc=step.get("pc"),
                    at=stage.location(step["at"]) if "at" in step else None)
        return
    if step["as"] not in ("event", "ops", "bonus", "surprise"):
        raise NotWritten(f"a card as {step['as']}")
    named = [step[key] for key in ("target", "general", "fleet", "cancels") if key in step]
    yield Order("play", card=card, how=step["as"],
                target=target(stage, named[0]) if named else None,
                spaces=tuple(spaces(step["spaces"])) if "spaces" in step else None,
                at=stage.location(step["at"], step.get("loc")) if "at" in step else None, kind=step.get("take"),
                minor="any" if step.get("with_minor") else None, pc=step.get("pc"))


def independent_move(stage: Stage, step: Case) -> Iterator[Order]:
    """9.5 Step by step along the path; out of the box over the first entry where the case leaves it open."""
    name = step["general"]
    if "place_pc" in step:
        yield Order("independent_move", general=name, space=step["place_pc"])
    entries = stage.facts.independents.get(name, {}).get("entries", ())
    for space in step.get("path", ())[1:]:
        yield Order("independent_move", general=name, path=(entries[0] if space == "first-space" else space,))


def embark(stage: Stage, step: Case) -> Iterator[Order]:
    """What the case does not name comes along as far as it may; the escort is what it names."""
    name = general_at(stage, step, None)
    leave = Pieces.of(cus=step["leave"]) if "leave" in step else None
    named = None
    if step.keys() & {"cus", "with", "family"}:
        usual = activation.may_come(stage.game, stage.game.generals[name]) if name else NONE
        others = [stage.general(one, None, step["by"]) for one in step.get("with", usual.generals)]
        named = Pieces.of(others, step.get("cus", dict(usual.cus)), step.get("family", usual.royals))
    yield Order("embark", general=name, pieces=named, leave=leave, fleets=tuple(step.get("fleets", ())))


def sail(stage: Stage, step: Case) -> Iterator[Order]:
    """One port after the other."""
    for target in step["path"][1:]:
        yield Order("sail", general=general_at(stage, step, None), path=(target,))


def disembark(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("disembark", general=general_at(stage, step, None), loc=step.get("loc"))


def force_march(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("force_march", general=general_at(stage, step, None), number=step["ops"])


def discard(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("discard", card=stage.hands.card(step["by"], step["card"]))


def raise_mercenary(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("raise_mercenary", location=stage.location(step["at"], step.get("loc")))


def train(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("train", kind=step["type"], number=step["ops"], then=step.get("then"))


def reinforce(stage: Stage, step: Case) -> Iterator[Order]:
    generals = [name for name in step.get("generals", ()) if name != "minor"]
    yield Order("reinforce", location=stage.location(step["at"], step.get("loc")),
                pieces=Pieces.of(generals, step.get("cus")), minor="any" if "minor" in step.get("generals", ()) else None)


def choose_first(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("first_player", seat=step["player"], direction=step["direction"])


def choose_generals(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("give_back", general=step["discard"])


def place_start(stage: Stage, step: Case) -> Iterator[Order]:
    """Who has one start space only stands there already."""
    if stage.game.generals[step["general"]].at != step["at"]:
        yield Order("deploy", general=step["general"], at=step["at"])


def place_minor(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("place_minor", at=stage.location(step["at"], step.get("loc")), minor=step.get("name"),
                from_=step.get("from"))


def remove_minor(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("remove_minor", minor=step.get("name"), at=step.get("at"))


def upgrade_fleet(stage: Stage, step: Case) -> Iterator[Order]:
    yield from play_card(stage, {**step, "as": "upgrade_fleet"})


def recruit(stage: Stage, step: Case) -> Iterator[Order]:
    yield from play_card(stage, {**step, "as": "recruit"})


def loot(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("loot", space=step.get("at"))


def command(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("command", general=general_at(stage, step, None))


def build_capital(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("build_capital", space=step["at"])


def disband(stage: Stage, step: Case) -> Iterator[Order]:
    yield Order("disband", location=stage.location(step["at"]), number=step["royal"])


def plain(verb: str) -> Callable[[Stage, Case], Iterator[Order]]:
    """An order that has nothing to say beyond itself."""
    return lambda stage, step: iter((Order(verb),))


ORDERS: dict[str, Callable[[Stage, Case], Iterator[Order]]] = {
    "roll_movement": plain("roll"),
    "end_activation": plain("end_activation"),
    "end_segment": plain("end"),
    "activate": activate,
    "pick_up": pick_up,
    "drop": drop,
    "split": split,
    "shift": shift,
    "siege": siege,
    "remove_pc": remove_pc,
    "place_pc": place_pc,
    "play_card": play_card,
    "upgrade_fleet": upgrade_fleet,
    "recruit": recruit,
    "train": train,
    "reinforce": reinforce,
    "bury": plain("bury"),
    "build_capital": build_capital,
    "choose_first": choose_first,
    "choose_generals": choose_generals,
    "place_start": place_start,
    "independent_move": independent_move,
    "embark": embark,
    "sail": sail,
    "disembark": disembark,
    "force_march": force_march,
    "discard": discard,
    "raise_mercenary": raise_mercenary,
    "place_minor": place_minor,
    "remove_minor": remove_minor,
    "loot": loot,
    "disband": disband,
    "command": command,
}


# What an order may say in a case: anything else would go unheard.
PARAMETERS = {
    "move": {"general", "path", "cus", "with", "family", "leave"},
    "ask_passage": {"of"},
    "roll_movement": set(),
    "end_activation": set(),
    "end_segment": set(),
    "activate": {"general"},
    "pick_up": {"general", "generals", "cus", "family"},
    "drop": {"generals", "cus", "family", "loc", "with_minor"},
    "split": {"at", "leave", "with"},
    "shift": {"general", "at", "to", "cus", "generals", "family"},
    "siege": {"at", "general", "cus", "card"},
    "remove_pc": {"at", "general", "cus"},
    "place_pc": {"at"},
    "play_card": {"card", "as", "target", "general", "fleet", "at", "loc", "pc", "spaces", "take", "with_minor", "effect",
                  "cancels", "resolver"},
    "upgrade_fleet": {"card", "fleet"},
    "recruit": {"card", "general", "at", "loc", "pc"},
    "loot": {"at"},
    "train": {"ops", "type", "then"},
    "reinforce": {"at", "loc", "generals", "cus"},
    "bury": {"at"},
    "build_capital": {"at"},
    "choose_first": {"player", "direction"},
    "choose_generals": {"discard"},
    "place_start": {"general", "at"},
    "independent_move": {"general", "path", "place_pc"},
    "embark": {"general", "fleets", "cus", "with", "family", "leave"},
    "sail": {"general", "path"},
    "disembark": {"general", "loc"},
    "force_march": {"ops", "general"},
    "discard": {"card"},
    "raise_mercenary": {"at", "loc"},
    "place_minor": {"at", "loc", "from", "name"},
    "remove_minor": {"at", "name"},
    "disband": {"at", "royal"},
    "command": {"general"},
}


def judge_parameters(step: Case) -> None:
    """Everything that the step says is understood."""
    strange = step.keys() - PARAMETERS[step["do"]] - {"by", "do", "upon"}
    if strange:
        raise NotKnown(f"{step['do']} with {', '.join(sorted(strange))}")


# --- answers in windows -------------------------------------------------------------------------------------------


def interception(stage: Stage, side: str, question: Question, said: Any) -> tuple[Order, ...]:
    return tuple(attempt(stage, side, one) for one in (said if isinstance(said, list) else [said]))


def attempt(stage: Stage, side: str, said: Mapping[str, Any]) -> Order:
    """One attempt; a Minor General placed for it leads it if he is named, and stays behind if another is."""
    if "discard" in said:
        return paying(stage, side, said, Order("intercept", general=said["general"], from_=stage.location(said["from"])))
    if "stay_behind" in said:
        said = without_those(stage, side, said)
    g, minor, role = stage.game, None, None
    if said.get("place_minor") and said["general"].endswith("minor"):
        off = g.minors_off_map(side)
        general = minor = off[0].name if off else stage.general(said["general"], said["from"], side)
        role = "lead"
    else:
        general = stage.general(said["general"], said["from"], side)
        if said.get("place_minor"):
            minor, role = "any", "stay"
    here = g.generals[general].at
    origin = here if role != "lead" and space_of(here) == space_of(said["from"]) else stage.location(said["from"])
    named = said.keys() & {"cus", "with", "family"}
    return Order("intercept", general=general, from_=origin, minor=minor, minor_role=role,
                 pieces=pieces(stage, said, side, said["from"], "with") if named else None)


def without_those(stage: Stage, side: str, said: Mapping[str, Any]) -> Mapping[str, Any]:
    """`stay_behind`: a Minor General who is placed for it, or which of the pieces there do not come along."""
    staying = said["stay_behind"]
    said = {key: value for key, value in said.items() if key != "stay_behind"}
    if staying in (True, "minor", f"{side}-minor"):
        return {**said, "place_minor": True}
    g, at = stage.game, stage.location(said["from"])
    named = staying if isinstance(staying, Mapping) else {"generals": [staying] if isinstance(staying, str) else staying}
    usual = interceptors(g, side, at, g.generals[stage.general(said["general"], said["from"], side)])
    out = {stage.general(name, said["from"], side) for name in named.get("generals", ())}
    return {**said, "cus": said.get("cus", dict(Counter(dict(usual.cus)) - Counter(named.get("cus", {})))),
            "with": said.get("with", [name for name in usual.generals if name not in out]),
            "family": said.get("family", [name for name in usual.royals if name not in named.get("family", ())])}


def paying(stage: Stage, side: str, said: Mapping[str, Any], order: Order) -> Order:
    """16.11 An Independent General's attempt; the card that is discarded for it is asked for later."""
    stage.hands.paying.setdefault(side, []).append(stage.hands.card(side, said["discard"]))
    return order.but(discarding=True)


def withdrawal(stage: Stage, side: str, question: Question, said: Any) -> Order:
    return Order(said)


def evasion(stage: Stage, side: str, question: Question, said: Any) -> tuple[Order, ...]:
    if isinstance(said, Mapping):
        return (paying(stage, side, said, Order("evade", general=said["general"])),)
    return (Order("evade", general=stage.general(said, question.about["space"], side)),)


def city_choice(stage: Stage, side: str, question: Question, said: Any) -> tuple[Order, ...]:
    """Those who go out first make room for those who go in."""
    space = space_of(question.about["space"])
    return tuple(Order(f"sort_{where}", pieces=pieces(stage, said[where], side, space))
                 for where in ("outside", "inside") if where in said)


def free_passage(stage: Stage, side: str, question: Question, said: Any) -> tuple[Order, ...]:
    return (Order("grant" if said == "granted" else "refuse"),)


def passage_honoured(stage: Stage, side: str, question: Question, said: Any) -> Order:
    return Order("honour" if said == "honoured" else "break")


def losses(stage: Stage, side: str, question: Question, said: Any) -> Order:
    return Order("lose", pieces=Pieces.of(cus={kind: number for kind, number in said.items() if kind != "at"}))


def join_battle(stage: Stage, side: str, question: Question, said: Any) -> Order:
    if said == "all":
        return Order("sort_outside", pieces=Pieces((), (), (), True))
    return Order("sort_outside", pieces=pieces(stage, said, side, question.about["space"]))


def replacement(stage: Stage, side: str, question: Question, said: Any) -> Order:
    """A Minor General, perhaps from elsewhere on the map; a Major General who is there takes over by himself."""
    where = said if isinstance(said, dict) else {}
    named = said if said in question.about["minors"] else "any"
    return Order("place_minor", minor=named, at=question.about["at"], from_=where.get("from"))


def naval_battle(stage: Stage, side: str, question: Question, said: Any) -> tuple[Order, ...]:
    return (Order("naval_battle", fleets=tuple(name.rstrip("+") for name in said)),)


def truce(stage: Stage, side: str, question: Question, said: Any) -> Order:
    return Order("grant" if said == "granted" else "refuse")


def window_card(stage: Stage, side: str, question: Question, said: Any) -> tuple[Order, ...]:
    """A Surprise card by its name, in the moment that it names."""
    return (Order("play", card=stage.hands.card(side, said), how="surprise"),)


WINDOWS: dict[str, Callable[[Stage, str, Question, Any], Any]] = {
    "battle_cards": window_card,
    "naval_cards": window_card,
    "death_cards": window_card,
    "defeat_cards": window_card,
    "surprise": window_card,
    "truce": truce,
    "join_battle": join_battle,
    "replacement": replacement,
    "interception": interception,
    "withdrawal": withdrawal,
    "evasion": evasion,
    "city_choice": city_choice,
    "free_passage": free_passage,
    "passage_honoured": passage_honoured,
    "counterstroke": lambda stage, side, question, said: Order("attack" if said == "attack" else "pass"),
    "losses": losses,
    "naval_battle": naval_battle,
}
