"""What random play is played for: scenes in which a card that seldom finds its moment has found it."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from pbem.dev.games import Swift, Wanted, beginning, prepared
from pbem.dev.many import Summary, seldom
from pbem.dev.stages import Step
from pbem.dev.will import SCENES, Aim, Will, aimed
from pbem.orders import Order
from pbem.play import invariants
from pbem.rules import surprise


def with_card(card: str, segment: str, seed: int) -> Swift:
    """A game at the beginning of somebody's segment, with this card in his hand."""
    wanted = Wanted(5, 4, options=("O65", "O69"))
    rng, sheet = prepared(wanted)
    game, will = Swift(*beginning(wanted, sheet.rules)), Will(Random(seed))
    while game.match.question.kind != segment or game.g.round < 2:
        game.take(will.next_step(game.g, game.match.question))
        will.begin_segment()
    secret, player = game.g.secret, game.g.player
    for cards in (*secret.hands.values(), secret.deck, secret.face_down):
        if card in cards:
            cards[cards.index(card)] = secret.hands[player][0]
    secret.hands[player][0] = card
    return game


def arranged(card: str, games: int = 6) -> Iterator[tuple[Swift, Aim]]:
    """In most of so many games there is somebody for the scene."""
    segment, arrange = SCENES[card]
    for seed in range(games):
        game = with_card(card, segment, seed)
        found = arrange(game.g, game.g.player, card, Random(1))
        if found is not None:
            facts, aim = found
            game.take(Step("ruling", facts=facts))
            assert not list(invariants.broken(game.g))
            yield game, aim


def offered(game: Swift, aim: Aim) -> bool:
    question, player = game.match.question, game.g.player
    return any(question.legal(player, order) for order in aimed(game.g, question, player, aim))


@pytest.mark.parametrize("card", ["11", "14", "45", "47A", "49", "O65"])
def test_a_scene_makes_the_use_of_a_card_legal(card: str) -> None:
    assert any(offered(game, aim) for game, aim in arranged(card))


def test_a_port_under_siege_can_be_supplied() -> None:
    g = next(arranged("O69"))[0].g
    order = next(g.effects["remove_siege_points"].targets(g, g.player))
    assert surprise.judge(g, g.player, order.but(card="O69")).how == "surprise"


@pytest.mark.parametrize("card", ["48", "52"])
def test_an_army_waits_beside_the_movers(card: str) -> None:
    for game, aim in arranged(card):
        question, player = game.match.question, game.g.player
        game.take(Step("answer", {player: question.read(player, Order("roll"))}))
        if offered(game, aim):
            return
    raise AssertionError("nobody can march there")


def test_what_came_up_too_seldom_is_named() -> None:
    summary = Summary("fourth", games=40)
    cards = Counter({"14 event": 2, "14 ops": 1, "27 revealed": 2, "14 upgrade": 1, "15 upgrade": 1})
    rare = seldom(summary._replace(cards=cards, options=Counter({"16.2": 3, "O69": 1})))
    assert not {"14 event", "27 revealed", "upgrade", "16.2", "O62 event"} & set(rare)
    assert rare["14 ops"] == 1 and rare["45 bonus"] == 0 and rare["recruit"] == 0
    assert rare["O69"] == 1 and rare["16.9"] == 0 and rare["O69 surprise"] == 0
