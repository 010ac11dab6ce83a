"""Nothing public depends on what is secret."""

import pytest

from pbem.dev.secrecy import secret_game
from pbem.events import ALL
from pbem.rules import tyche


@pytest.mark.parametrize("seed, players", [(seed, 2 + seed % 4) for seed in range(6)])
def test_public_texts_are_the_same_with_and_without_the_private_side(seed, players):
    assert secret_game(seed, players) == []


def test_an_event_that_shows_a_drawn_card_to_everybody_is_found(monkeypatch):
    def leaky(g, seat):
        """As `draw`, but telling everybody."""
        if g.deck:
            g.deck -= 1
            g.hands[seat] += 1
            if g.secret is not None:
                g.tell(ALL, "card_seen", seat=seat, card=g.secret.draw(seat))

    monkeypatch.setattr(tyche, "draw", leaky)
    assert any(secret_game(seed, 2 + seed % 4) for seed in range(8))
