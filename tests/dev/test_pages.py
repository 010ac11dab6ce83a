"""Pages of random games hold what the published log gives and nothing else; what is wrong is found."""

import pytest

from pbem.dev import pages
from pbem.dev.pages import Paged, paged_game
from pbem.play import proof
from pbem.telling import views

MOST, EVERY = 75, 40                    # decisions, entries between two pages
FIRST = 20                              # of a game with a leak: the first of its pages shows it


@pytest.mark.parametrize("seed", range(3))
def test_the_page_of_everybody_is_made_of_the_published_log_alone(seed: int) -> None:
    assert paged_game(seed, most=MOST, every=EVERY) == []


def test_a_page_that_shows_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    real = views.standings
    monkeypatch.setattr(views, "standings", lambda g: [
        {**row, "hand": row["hand"] if g.secret is None else list(g.secret.hand(row["seat"]))} for row in real(g)])
    assert any("not what the published log gives" in line for line in paged_game(1, most=FIRST, every=FIRST))


@pytest.mark.parametrize("leak", ["secret", "standing order"])
def test_a_file_beside_the_page_that_has_what_is_private(monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    games: list[Paged] = []

    def look(self: Paged, *, window: bool = True) -> None:
        games.append(self)
        real(self, window=window)

    def told() -> str:
        keys = games[-1].desk.keys
        assert keys is not None
        return keys.secrets.deck.hex() if leak == "secret" else f"note: {pages.NEVER}"

    real, text = Paged.look, proof.log_text
    monkeypatch.setattr(Paged, "look", look)
    monkeypatch.setattr(proof, "log_text", lambda game: text(game) + "\n# " + told())
    assert any(line.startswith("entry") and "proof.json: " in line for line in paged_game(1, most=FIRST, every=FIRST))
