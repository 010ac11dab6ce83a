"""What a given reader may know, field by field: the only thing that a template ever sees.

Everything here is built from public fields of the position; the hidden side of the cards is never asked. What a seat
knows beyond that, its own hand, is handed in by whoever may know it.
"""

from collections.abc import Collection, Iterable
from typing import Any

from pbem.base.errors import Refused
from pbem.kernel.procedures import Question
from pbem.rules import activation, interception, naval_battle, victory
from pbem.table.events import Event
from pbem.table.state import Game, Way
from pbem.telling import lasting

MODERATOR = "moderator"
NEAR = 3                        # so close to an instant victory a report warns

# What a question is about, as far as everybody may know it; a fact that is not named here reaches no template.
PUBLIC = {
    kind: tuple(facts.split()) for kind, facts in {
        "interception": "mover general space origin owner route needed",
        "route": "mover general origin route",
        "evasion": "mover general space origin generals needed exits",
        "escape": "general space mover paths die",
        "withdrawal": "space origin general against",
        "free_passage": "mover general space left breakable",
        "passage_honoured": "of space general",
        "counterstroke": "general mover space",
        "city_choice": "mover general space origin inside outside limit",
        "losses": "number at why kinds",
        "surprise": "seat card",
        "naval_battle": "mover general space origin cus escort strength fleets ports route",
        "naval_cards": "mover general space against",
        "burial": "at turn pella last",
        "first_player": "turn points orders",
        "join_battle": "attacker defender inside space",
        "battle_cards": "attacker defender space",
        "death_cards": "general owner space",
        "defeat_cards": "loser space",
        "elephant_reroll": "space strengths",
        "replacement": "at minors space",
        "reinforcement_choice": "general places cus generals phase spaces",
        "independent_move": "active called left movable places mps homes westward",
        "ruling": "what mover foe space card seat",
        "card_ruling": "card general seat says",
        "ruling_choice": "text choices",
        "turn_up": "left round",
        "revealed": "card round",
        "unrest": "card spaces provinces",
        "give_back": "dealt",
        "seating": "dealt order",
        "deployment": "generals spaces",
        "reaction_card": "general space",
        "truce": "seat turn",
        "surrender": "segment turn round",
        "tyche": "segment turn round card ops active left marching due points_first throws",
        "activation": "segment turn round roll active left stronghold",
        "forage": "segment turn round",
    }.items()
}


def view(
    g: Game, reader: str | None, question: Question | None = None, *, hand: Iterable[str] = (), due: str = "",
    answered: Collection[str] = (), title: str = "", head: str = "", entries: int = 0, marks: Iterable[Event] = (),
    stopped: str = "",
) -> dict[str, Any]:
    """The game for one reader: None is the public, a seat knows its own hand, the moderator who has answered."""
    seen: dict[str, Any] = {
        "reader": reader, "title": title, "edition": g.rules.name, "held": stopped, **sequence(g),
        "question": asked(g, question, due) if question is not None else None,
        "standings": standings(g), "near": near(g), "armies": armies(g),
        "marks": lasting.lines(g, lasting.MARKS), "places": lasting.lines(g, lasting.PLACES),
        "log": {"head": head, "entries": entries, "marks": [event for event in marks if event.for_seat(reader)]},
    }
    if reader in g.seats:
        seen["hand"] = list(hand)
        seen["odds"] = chances(g, reader, question)
    if reader == MODERATOR and seen["question"] is not None:
        seen["question"]["answered"] = [seat for seat in seen["question"]["sides"] if seat in answered]
    return seen


def of_question(g: Game, seat: str, question: Question, *, due: str = "", title: str = "", stopped: str = "") -> dict[str, Any]:
    """As much of it as a seat needs that is asked something."""
    return {"title": title, "held": stopped, "question": asked(g, question, due), "armies": armies(g),
            "odds": chances(g, seat, question)}


def chances(g: Game, seat: str, question: Question | None) -> list[dict[str, Any]]:
    from pbem.play import odds  # nobody but a seat is told any

    return odds.of_question(g, question, seat) if question is not None else []


# --- whose move it is --------------------------------------------------------------------------------------------


def sequence(g: Game) -> dict[str, Any]:
    """Where the game stands in the sequence of play."""
    act = g.activation
    return {
        "turn": g.turn, "round": g.round, "phase": g.phase, "turn_order": list(g.turn_order),
        "player": g.player if g.phase == "strategy" else "", "segment": g.segment if g.phase == "strategy" else "",
        "movement_roll": g.movement_roll, "over": dict(g.over),
        "active": {"general": act.key, "at": act.here, "left": activation.mps_left(g)} if act is not None else None,
    }


def asked(g: Game, question: Question, due: str) -> dict[str, Any]:
    """The open question as everybody may know it: what, whose, until when; never who has answered."""
    return {
        "id": question.id, "kind": question.kind, "rule": question.rule, "sides": list(question.sides), "due": due,
        "sealed": question.sealed,
        "about": {name: question.about[name] for name in PUBLIC[question.kind] if name in question.about},
        "not_asked": NOT_ASKED[question.kind](g, question) if question.kind in NOT_ASKED else [],
    }


def not_asked(g: Game, question: Question) -> list[dict[str, Any]]:
    """11.1 Who has a General beside the space and may not try all the same, and why."""
    about = question.about
    way = Way(about["general"], about["mover"], about["origin"], about["space"], "land")
    return [{"seat": seat, "rule": why.rule, "key": why.key, "facts": why.facts}
            for seat, why in interception.barred(g, way) if seat not in question.sides]


def not_at_sea(g: Game, question: Question) -> list[dict[str, Any]]:
    """13.3 A Who has Fleets and may not come out all the same, and why."""
    out = []
    for seat in g.turn_order:
        if seat in (*question.sides, question.about["mover"]) or not any(fleet.seat == seat for fleet in g.fleets.values()):
            continue
        try:
            naval_battle.judge_reach(g, seat, question.about["space"])
        except Refused as why:
            out.append({"seat": seat, "rule": why.rule, "key": why.key, "facts": why.facts})
    return out


NOT_ASKED = {"interception": not_asked, "naval_battle": not_at_sea}


# --- where everybody stands --------------------------------------------------------------------------------------


def standings(g: Game) -> list[dict[str, Any]]:
    """L and VP of each seat with their parts, in Turn Order."""
    return [
        {
            "seat": seat, "champion": g.champion[seat], "usurper": g.usurper == seat,
            "L": victory.legitimacy(g, seat), "L_parts": [list(part) for part in victory.legitimacy_parts(g, seat)],
            "VP": victory.points(g, seat), "VP_parts": [list(part) for part in victory.points_parts(g, seat)],
            "hand": g.hands[seat],
        }
        for seat in g.turn_order
    ]


def near(g: Game) -> list[dict[str, Any]]:
    """3.1 Who is close to an instant victory, which cannot be won in Game Turn I."""
    out = []
    for seat in g.turn_order if g.turn > 1 else ():
        for what, total, needed in (("L", victory.legitimacy(g, seat), g.rules.instant_legitimacy),
                                    ("VP", victory.points(g, seat), g.rules.instant_points[len(g.seats)])):
            if 0 < needed - total <= NEAR:
                out.append({"seat": seat, "what": what, "left": needed - total})
    return out


# --- pieces ------------------------------------------------------------------------------------------------------


def armies(g: Game) -> list[dict[str, Any]]:
    """Every stack on the map: whose, where, who leads, what CUs, which Royal Family Members."""
    stacks: dict[tuple[str, str], dict[str, Any]] = {}

    def stack(seat: str, at: str) -> dict[str, Any]:
        return stacks.setdefault((seat, at), {"seat": seat, "at": at, "generals": [], "cus": {}, "royals": []})

    for at, there in g.cus.items():
        for seat in there:
            stack(seat, at)["cus"] = dict(sorted(g.kinds(at, seat).items()))
    for one in g.generals.values():
        if g.on_map(one):
            stack(one.seat, one.at)["generals"] = [other.name for other in g.generals_at(one.at, one.seat)]
    for royal in g.royals.values():
        if (royal.seat, royal.at) in stacks:
            stacks[royal.seat, royal.at]["royals"].append(royal.name)
    order = [*g.turn_order, *(seat for seat, _ in stacks if seat not in g.turn_order)]
    return sorted(stacks.values(), key=lambda one: (order.index(one["seat"]), -sum(one["cus"].values()), one["at"]))
