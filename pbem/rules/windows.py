"""6.2 Card windows: the moments that Surprise cards name, and who is asked in them.

A window follows what everybody knows. Asked is every seat that such a card could belong to as far as anybody can see,
where it could do something; never those who hold it. Battle cards have their window in 14.3, those against a Naval
Movement in 13.3, those that cancel a Surprise card in 6.2; here are the others, and what is common to all.
"""

from collections.abc import Iterable

from pbem.base.errors import Refused
from pbem.kernel.procedures import Builder, Poll, Procedure, Question
from pbem.orders import PASS, Order
from pbem.rules import hand, isolation, surprise
from pbem.table.state import Game, space_of

# The moment that a card names -> the question in which it is played. What has none is played with an order of one's own:
# in the Tyche Segment, with the Siege that it helps (15.2 B), or whenever one likes.
TIMINGS = {
    "own_tyche_segment": "tyche",
    "before_land_battle": "battle_cards",
    "naval_movement_step": "naval_cards",
    "naval_battle_before_dice": "naval_cards",
    "before_siege_roll": "",
    "after_surprise_card_played": "surprise",
    "when_general_killed": "death_cards",
    "after_land_battle": "defeat_cards",
    "any_time_strategy_phase": "",
}


def cards_naming(g: Game, timing: str) -> list[str]:
    """The cards that name this moment, in the order of the deck."""
    return g.facts.cards_by_timing.get(timing, [])


def could_play(g: Game, sides: Iterable[str], timing: str) -> list[str]:
    """Of these sides those that could hold such a card, on public facts."""
    cards = cards_naming(g, timing)
    return [side for side in sides if any(hand.could_hold(g, side, card) for card in cards)]


def plays(g: Game, builder: Builder) -> Procedure[None]:
    """6.2 Whoever plays does so in Turn Order; a card that an earlier one has made pointless is not spent."""
    while True:
        answers = yield builder
        orders = [(side, order) for side, said in (answers or {}).items() for order in said if order.verb == "play"]
        if not orders:
            return
        for side, order in orders:
            try:
                order = surprise.judge(g, side, order)
            except Refused:
                continue
            yield from surprise.play(g, side, order)


def read_play(
    g: Game, side: str, answer: tuple[Order, ...], cards: list[str], refusal: Refused | None = None,
) -> tuple[Order, ...]:
    """One of these cards, or nothing; a window of another chapter refuses in its own words."""
    if not answer or answer == PASS:
        return PASS
    if len(answer) > 1 or answer[0].verb != "play" or answer[0].card not in cards:
        raise refusal or Refused("6.2", "window_card_or_pass", cards=cards)
    return (surprise.judge(g, side, answer[0].but(how="surprise")),)


# --- 14.8, 7.1 B A Major General falls ---------------------------------------------------------------------------


def survives(g: Game, name: str) -> Procedure[bool]:
    """Before a Major General is gone for good his player may play a card that saves him."""
    if g.phase != "strategy":
        return False
    g.dying = name
    try:
        yield from plays(g, lambda: death_question(g, name))
        return g.dying != name
    finally:
        g.dying = ""


def death_question(g: Game, name: str) -> Question | None:
    """Asked is his own player; nobody once he is saved."""
    one = g.generals[name]
    if g.dying != name or one.seat not in g.seats:
        return None
    cards = cards_naming(g, "when_general_killed")
    return Poll(could_play(g, [one.seat], "when_general_killed"), "death_cards", "6.2",
                about={"general": name, "owner": one.seat, "space": space_of(one.at)},
                read=lambda side, answer: read_play(g, side, answer, cards), candidates=lambda side: surprise.candidates(cards),
                default=PASS)


def judge_death(g: Game, seat: str, card: str) -> None:
    """One of the player's own Major Generals has just been killed."""
    if not g.dying or g.generals[g.dying].seat != seat:
        raise Refused("6.2", "nobody_to_save", card=card)


# --- 14.9 After a Land Battle ------------------------------------------------------------------------------------


def after_battle(g: Game, loser: str, at: str) -> Procedure[None]:
    """Losses and Retreat are over: cards against whoever lost."""
    g.defeated = (loser, space_of(at))
    try:
        yield from plays(g, lambda: defeat_question(g))
    finally:
        g.defeated = ("", "")


def defeat_question(g: Game) -> Question | None:
    """Asked is everybody but the loser, and only if he has a PC there that the card would take."""
    loser, space = g.defeated
    asked = could_play(g, g.others(loser), "after_land_battle")
    if not asked or not cut_off(g):
        return None
    cards = cards_naming(g, "after_land_battle")
    return Poll(asked, "defeat_cards", "6.2",
                about={"loser": loser, "space": space},
                read=lambda side, answer: read_play(g, side, answer, cards), candidates=lambda side: surprise.candidates(cards),
                default=PASS)


def cut_off(g: Game) -> list[str]:
    """5.5 The isolated PCs of whoever has just lost, in the Province of the battle and in adjacent ones."""
    loser, space = g.defeated
    province = g.board.province_of(space) if space else ""
    if loser not in g.seats or not province:
        return []
    near = {province, *g.board.province_neighbours(province)}
    return isolation.isolated(g, loser, [pc for pc in g.pcs_of(loser) if g.board.province_of(pc) in near])


def judge_defeat(g: Game, seat: str, card: str) -> None:
    """Somebody else has just lost a Land Battle, and it has cut off a PC of his."""
    loser, space = g.defeated
    if not loser or loser == seat:
        raise Refused("6.2", "nobody_defeated", card=card)
    if not cut_off(g):
        raise Refused("6.2", "nothing_cut_off", card=card, seat=loser, space=space)
