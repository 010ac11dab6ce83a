"""Nothing public depends on what is secret, and nothing that one player sees on what another holds."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.base.language import sentences
from pbem.desk import deadline, overview
from pbem.desk.desk import Desk
from pbem.desk.showing import PUBLIC
from pbem.desk.tray import Answer, SeatSettings, Turn
from pbem.dev.games import Kept, Wanted, beginning, on, prepared
from pbem.dev.secrecy import BEGAN, Glass, secret_game
from pbem.play.match import CARD_WINDOWS
from pbem.rules import hand
from pbem.table.events import ALL, events
from pbem.table.state import Game
from pbem.telling import views

MOST = 75                               # decisions


def leaks(seeds: range = range(4)) -> Iterator[str]:
    for seed in seeds:
        yield from secret_game(seed, most=MOST)


@pytest.mark.parametrize("seed", range(4))
def test_a_game_tells_the_public_and_a_seat_nothing_of_hidden_cards_and_sealed_answers(seed: int) -> None:
    """Even seeds ask in card windows, odd ones hold them; optional rules differ."""
    assert secret_game(seed, most=MOST) == []


def in_a_card_window() -> Glass:
    """A game that waits for everybody who could hold some card."""
    for seed in range(40, 200, 2):                      # the first of them comes to one
        wanted = Wanted(seed, 4, most=60)
        rng, sheet = prepared(wanted)
        sheet.rules["windows"] = "asked"
        desk = Glass.founded(*beginning(wanted, sheet.rules))
        on(Kept(desk), rng, [], sheet, wanted.most)
        if desk.match.question is not None and desk.match.question.kind in CARD_WINDOWS:
            return desk
    raise AssertionError("no card window in eighty games")


def test_a_card_window_closes_at_its_time_whatever_lies_sealed() -> None:
    """Nothing, everything, other things: the same deadline, the same list, never earlier."""
    desk = in_a_card_window()
    question = desk.match.question
    assert question is not None
    due = datetime.strptime(desk.match.due_of(question), "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
    told, entries, kept = overview.status(desk, PUBLIC), len(desk.game.entries), desk.tray
    plays = [Answer(seat=seat, question=question.id, text=desk.match.say(offer), at="2026-01-01T00:00:00Z")
             for seat in question.sides for offer in question.offers(seat)]
    passes = [Answer(seat=seat, question=question.id, text="pass", at="2026-01-01T00:00:00Z") for seat in question.sides]
    first = question.sides[0]
    for lies in ({}, {"answers": passes}, {"answers": plays},
                 {"turns": [Turn(seat=first, lines=["end"])], "settings": {first: SeatSettings(reports="digest")}}):
        desk.tray = replace(kept, **lies)
        desk.now = BEGAN
        desk.run()
        assert desk.match.question is not None and desk.match.question.id == question.id
        assert len(desk.game.entries) == entries
        assert not desk.complete(question)
        assert overview.status(desk, PUBLIC) == told
        assert desk.deadline(question) == due.strftime("%Y-%m-%dT%H:%MZ")
        desk.now = due - timedelta(minutes=1)
        assert deadline.closing(desk).state == deadline.OPEN
        desk.now = due
        assert deadline.closing(desk).state == deadline.CLOSES


# --- what is wrong is found --------------------------------------------------------------------------------------


def telling(audience: object) -> object:
    """`hand.draw`, with another audience for the card that was drawn."""
    def draw(g, seat):
        if g.deck:
            g.deck -= 1
            g.hands[seat] += 1
            if g.secret is not None:
                g.tell(audience(g, seat), "card_seen", seat=seat, card=g.secret.draw(seat))

    return draw


@pytest.mark.parametrize("audience", [lambda g, seat: ALL, lambda g, seat: tuple(g.seats)], ids=["everybody", "other seats"])
def test_an_event_with_a_wrong_audience(monkeypatch: pytest.MonkeyPatch, audience: object) -> None:
    monkeypatch.setattr(hand, "draw", telling(audience))
    assert next(leaks(), "")


def test_a_template_that_names_the_card_of_a_public_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """That somebody was dealt cards is for everybody, which ones is not."""
    real = Game.tell

    def tell(g, audience, key, **facts):
        if key == "dealt":
            facts["card"] = g.secret.hand(facts["seat"])[-1] if g.secret is not None else g.deck_cards[0]
        real(g, audience, key, **facts)

    monkeypatch.setattr(Game, "tell", tell)
    monkeypatch.setitem(events(), "dealt", events()["dealt"] | {"card"})
    for key in ("dealt", "dealt*"):
        monkeypatch.setitem(sentences("en", "events"), key, "Somebody was dealt {{ card | card }}.")
    assert any(" was dealt " in line for line in secret_game(1, most=MOST))


def test_a_view_that_shows_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    real = views.standings
    monkeypatch.setattr(views, "standings", lambda g: [
        {**row, "hand": row["hand"] if g.secret is None else list(g.secret.hand(row["seat"]))} for row in real(g)])
    assert next(leaks(), "")


def test_a_window_that_opens_for_those_who_hold_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers follow what is in a hand, windows what could be there."""
    real = hand.could_hold
    monkeypatch.setattr(hand, "could_hold", lambda g, seat, card: real(g, seat, card) and (
        g.secret is None or g.secret.holds(seat, card)))
    assert next(leaks(range(0, 16, 2)), "")


def test_a_deadline_that_knows_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Desk.deadline

    def deadline(desk, question):
        held = [int(card) for seat in desk.match.g.seats for card in desk.match.g.secret.hand(seat) if card.isdigit()]
        return f"{real(desk, question)[:-3]}{sum(held) % 60:02}Z"

    monkeypatch.setattr(Desk, "deadline", deadline)
    assert "'due'" in next(leaks(), "")


def test_a_list_of_things_to_do_that_says_who_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    real = overview.to_do
    monkeypatch.setattr(overview, "to_do", lambda desk, reader: {
        **real(desk, reader), "next": " ".join(desk.sealed(desk.match.question)) if desk.tray.answers else ""})
    assert next(leaks(), "")


def test_a_card_window_that_closes_when_all_have_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.desk.opengame.CARD_WINDOWS", ())
    assert next(leaks(range(0, 16, 2)), "").startswith("NotNow")
