"""What a run knows of its games, and what becomes of those that are busy, spoilt, let go or not tended."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from table import Table, Unconnected, body

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.mail import loop, people, resting, routing, speaking, way
from pbem.mail import run as runs
from pbem.mail.desk import MailDesk
from pbem.mail.known import KnownGames, forget
from pbem.mail.ledger import Copy
from pbem.mail.run import Run, State


@pytest.fixture
def table(quiet: Unconnected) -> Unconnected:
    return quiet.started()          # type: ignore[return-value]


@contextmanager
def a_run(table: Table) -> Iterator[Run]:
    table.later(minutes=5)
    with ExitStack() as stack:
        run = Run(table.config, table.config.games(), table.now, stack)
        run.know(run.places)
        yield run
        run.save()


def whose(table: Table, address: str) -> str:
    """As the next run will know it."""
    found = KnownGames(table.config.folder).of(table.game, resting.marks(table.game))
    return routing.roster(table.game, found).seat_of(address)


def test_of_a_game_whose_head_or_secrets_are_not_whole_nobody_s_mail_is_told(table: Table) -> None:
    path = table.game / "game.yaml"
    text = path.read_text()
    for left_out in ("game:", "seats:"):
        path.write_text("".join(line for line in text.splitlines(keepends=True) if not line.startswith(left_out)))
        with pytest.raises(PbemError) as problem:
            routing.Roster.read(table.game)
        assert problem.value.key == "missing_in_header"
    path.write_text(text)
    (table.game / "private.yaml").unlink()
    with pytest.raises(PbemError) as problem:
        routing.Roster.read(table.game)
    assert problem.value.key == "private_gone"


def without_a_server(table: Table, raw: bytes) -> None:
    """A mail that was fetched by a run that was killed; the next one cannot ask the server, and tends nothing."""
    with a_run(table) as run:
        run.ledger.receive(Copy("here", 1, 4711), raw, table.now, len(raw))
        run.ledger.settle()
        way.deal_with_all(run)


def test_whoever_was_given_an_address_while_a_run_was_under_way_is_known_by_it(table: Table) -> None:
    for lets_go in (False, True):
        forget(table.config.folder)
        with a_run(table) as run:
            if lets_go:
                assert (desk := run.desk("small")) is not None
                run.rest([desk])
                run.let_go()
            people.addresses(table.game, "red", [f"anna{lets_go}@example.net"])
        assert whose(table, f"anna{lets_go}@example.net") == "red" and whose(table, "anna@example.com") == ""


def test_a_game_that_was_let_go_and_opened_once_more_is_known_as_it_was_left(table: Table) -> None:
    with a_run(table) as run:
        assert run.desk("small") is not None
        run.let_go()
        people.addresses(table.game, "red", ["anna@example.net"])
        assert (desk := run.desk("small")) is not None
        run.hand_over(desk)
    assert KnownGames(table.config.folder).of(table.game, resting.marks(table.game)) is not None
    assert whose(table, "anna@example.net") == "red"


def test_who_is_to_be_asked_because_of_a_mail_is_asked_though_the_game_was_not_tended_then(table: Table) -> None:
    for _ in range(3):
        table.run()                 # the game rests
    without_a_server(table, table.write("red", "roll\nmarch Antigonos > Ephesos", answers=table.last("red")))
    assert "march" in table.did()[-1] and "interception" not in table.subjects("blue")[-1:]
    table.run()
    assert "interception" in table.subjects("blue")[-1] and table.last("red", "received")


def test_what_comes_of_a_mail_in_a_game_that_rested_is_told_in_the_same_run(table: Table) -> None:
    for _ in range(3):
        table.run()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    assert "interception" in table.subjects("blue")[-1]


def test_a_game_whose_log_cannot_be_read_is_told_and_not_taken_for_a_busy_one(table: Table) -> None:
    path = table.add("other") / "game.yaml"
    path.write_text(path.read_text() + "nonsense: [")
    summary = table.run()
    assert summary.busy == [] and len(summary.problems) == 1 and summary.problems[0].startswith("other: ")


def test_what_a_mail_had_done_before_the_program_failed_over_it_is_undone(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    order = MailDesk.order

    def faulty(desk: MailDesk, seat: str, *more: Any, **named: Any) -> Any:
        done = order(desk, seat, *more, **named)
        if seat == "red":
            raise ZeroDivisionError("by nought")
        return done

    with monkeypatch.context() as patch:
        patch.setattr(MailDesk, "order", faulty)
        table.reply("red", "roll")
        table.reply("blue", "status")
        assert table.run().counts == {"held": 1, "applied": 1}
    assert table.did() == []
    table.reply("red", "roll")
    table.run()
    assert table.did() == ["roll"]


def test_a_game_at_which_somebody_else_is_waits_and_the_others_do_not(table: Table) -> None:
    table.add("other")
    table.reply("red", "roll")
    with Lock(table.game):
        summary = table.run()
    assert summary.busy == ["small"] and not summary.failed and "busy, left for the next run: small" in summary.text()
    assert table.did() == [] and "[other" in table.subjects("red")[-1]
    assert table.run().busy == [] and table.did() == ["roll"]


def test_a_fault_over_one_game_does_no_harm_beside_one_that_is_busy(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    other, third, speak = table.add("other"), table.add("third"), speaking.speak        # small is between them

    def faulty(desk: Any, config: Any) -> Any:
        if desk.place == third:
            raise ZeroDivisionError("by nought")
        return speak(desk, config)

    with monkeypatch.context() as patch, Lock(table.game):
        patch.setattr(speaking, "speak", faulty)
        summary = table.run()
    assert summary.busy == ["small"] and summary.problems == ["third: fault of the program: ZeroDivisionError: by nought"]
    assert "[other" in table.subjects("red")[-1] and other.exists()


@pytest.mark.parametrize("file", ["game.yaml", "private.yaml"])
def test_a_game_that_cannot_be_read_is_told_in_words_and_the_others_go_on(table: Table, file: str) -> None:
    path = table.add("other") / file
    path.write_text("nonsense: [")
    table.reply("red", "roll")
    summary = table.run()
    assert table.did() == ["roll"] and len(summary.problems) == 1
    assert "other" in summary.problems[0] and not any(word in summary.text() for word in ("BadLog", "fault of the program"))


def test_the_lock_of_a_run_that_died_is_told_of_once(table: Table) -> None:
    for place in (table.config.folder, table.game):
        (place / ".lock").write_text("4711 2026-11-18T11:00:00Z\n")
    table.reply("red", "roll")
    assert table.run().taken_over == [
        f"{place.name}, from process 4711 of 2026-11-18T11:00:00Z" for place in (table.config.folder, table.game)]
    assert table.run().taken_over == [] and table.did() == ["roll"]


def test_what_a_run_remembers_is_for_its_owner_alone(table: Table) -> None:
    path = table.config.folder / "state.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert State.read(table.config.folder.parent) == State()


def test_mails_that_were_made_before_a_run_was_killed_go_out_with_the_next_and_once(table: Table) -> None:
    """They stand in the game's private file until they are in its outbox."""
    with a_run(table) as run:
        assert (desk := run.desk("small")) is not None
        runs.queue(desk, speaking.letters.reminder(desk, table.config, "red"))
        desk.commit()               # killed here
    before = len(table.inbox("red"))
    table.run()
    table.run()
    assert [str(one["Subject"])[:10] for one in table.inbox("red")[before:]].count("still open") == 1


def test_of_more_games_than_are_held_at_once_each_is_asked_and_none_stays_locked(
        table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (runs, loop):
        monkeypatch.setattr(module, "MOST_OPEN", 2)
    names = [f"other{number}" for number in range(4)]
    for name in names:
        table.add(name)
    table.run()
    for place in table.config.games():
        with Lock(place):
            assert body(next(one for one in table.inbox("red") if f"[{place.name} " in str(one["Subject"])))
