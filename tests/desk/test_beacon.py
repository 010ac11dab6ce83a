"""A public beacon, where one was chosen: the game waits for it, and every die and deck has it in it."""

import json
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import small_game
from click.testing import CliRunner
from small_game import NOON, again, go_on

from pbem.base.errors import NotNow, PbemError, Refused
from pbem.base.folder import Lock
from pbem.chance import beacon, scheme
from pbem.chance.check import FAILED, OK
from pbem.cli.main import main
from pbem.desk import beginning, drand, overview, seeding, showing
from pbem.desk.desk import Desk
from pbem.dev import page, tampering
from pbem.log import gamelog
from pbem.play.verify import verify

ROUND = beacon.first_after("quicknet", NOON + timedelta(hours=2))
SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}


def value_of(there: beacon.Round) -> str:
    """What nobody knew before."""
    return scheme.H(str(there).encode()).hex()


def refused(kind: type[PbemError], key: str, act: Callable[[], object]) -> dict[str, Any]:
    with pytest.raises(kind) as caught:
        act()
    assert caught.value.key == key
    return caught.value.facts


def made(folder: Path) -> Path:
    with pytest.MonkeyPatch.context() as before:
        before.setenv("PBEM_NOW", f"{NOON:%Y-%m-%dT%H:%MZ}")
        beginning.found(folder, "lit", SEATS, {"edition": "fourth"}, by_hand=False, words_until="", write=True,
                        beacon=str(ROUND))
    return folder


def heard(folder: Path) -> Desk:
    """The round has come, and its value is entered."""
    desk = Desk(folder)
    assert desk.awaited is not None
    desk = Desk(folder, now=desk.awaited.at)
    with Lock(folder):
        desk.hear(desk.awaited.number, value_of(desk.awaited))
    return Desk(folder, now=desk.now)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that has come to its second Game Turn; each time a beacon is wanted its value comes."""
    folder = made(tmp_path_factory.mktemp("lit") / "g")
    heard(folder)
    with Lock(folder):
        desk = beginning.begin(folder, None)
    for _ in range(3):
        try:
            go_on(desk, 3)
        except (AssertionError, NotNow):
            assert desk.awaited is not None
            if any(roll[0].startswith("T2,") for entry in desk.game.entries for roll in entry.get("dice", ())):
                break
            desk = heard(folder)
            desk.run()
    return folder


def test_no_beacon_is_asked_for_where_none_was_chosen(tmp_path: Path) -> None:
    beginning.found(tmp_path / "g", "dark", SEATS, {"edition": "fourth"}, by_hand=False, words_until="", write=True)
    assert gamelog.read_whole(tmp_path / "g").header["chance"]["beacon"] == "none"
    desk = beginning.begin(tmp_path / "g", None)
    assert desk.awaited is None and desk.match.question is not None
    refused(Refused, "no_beacon_announced", lambda: desk.hear(1, "00" * 32))
    assert "drand" not in overview.status(desk)


def test_a_moment_is_a_round() -> None:
    moment = datetime(2026, 12, 1, 18, 0, tzinfo=UTC)
    for chain, (_, period) in beacon.CHAINS.items():
        there = beacon.wished(f"drand:{chain}:2026-12-01T18:00")
        assert moment <= there.at < moment + timedelta(seconds=period)
        assert beacon.wished(str(there)) == there
    assert beacon.wished("drand:quicknet:1").at == datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
    for text in ("drand:quicknet:0", "drand:moon:12", "nist:quicknet:12", "drand:quicknet:soon", "quicknet", "drand:quicknet:"):
        refused(Refused, "beacon_not_known", lambda text=text: beacon.wished(text))


def test_the_start_post_announces_it_and_the_game_waits_for_it(tmp_path: Path) -> None:
    folder = made(tmp_path / "g")
    told = showing.promise(seeding.post(folder))
    assert str(ROUND) in told and "the last of you" not in told
    assert refused(NotNow, "beacon_awaited", lambda: beginning.begin(folder, None))["round"] == ROUND.number
    assert gamelog.read_whole(folder).entries == []
    waits = " ".join(overview.status(Desk(folder)).split())
    assert f"pbem seed beacon GAME {ROUND.number} RANDOMNESS" in waits and "https://api.drand.sh/52db9ba7" in waits


def test_its_value_is_taken_when_it_is_public_and_as_it_is(tmp_path: Path) -> None:
    folder = made(tmp_path / "g")
    refused(Refused, "beacon_not_public", lambda: Desk(folder, now=NOON).hear(ROUND.number, "ab" * 32))
    late = Desk(folder, now=ROUND.at)
    for value in ("ab", "AB" * 32, "ab" * 33, "xy" * 32):
        refused(Refused, "beacon_unfit_value", lambda value=value: late.hear(ROUND.number, value))
    refused(Refused, "beacon_not_awaited", lambda: late.hear(ROUND.number + 1, "ab" * 32))
    assert gamelog.read_whole(folder).entries == []
    heard(folder)
    refused(Refused, "beacon_not_awaited", lambda: Desk(folder, now=ROUND.at).hear(ROUND.number, "cd" * 32))


def test_nobody_adds_a_word_when_the_beacon_has_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(tmp_path / "g")
    monkeypatch.setattr(seeding.clock, "now", lambda: ROUND.at - timedelta(seconds=1))
    seeding.enter_word(folder, "red", "first snow")
    monkeypatch.setattr(seeding.clock, "now", lambda: ROUND.at)
    refused(NotNow, "beacon_came_first", lambda: seeding.enter_word(folder, "blue", "chosen to fit"))


def test_a_later_game_turn_announces_its_round_before_it_is_public_and_waits(played: Path) -> None:
    entries = gamelog.read_whole(played).entries
    order = [(next(iter(entry)), entry.get("announce") or (entry.get("beacon") or {}).get("epoch")) for entry in entries
             if "announce" in entry or "beacon" in entry]
    assert order == [("beacon", 0), ("beacon", 1), ("announce", 2), ("beacon", 2)]
    wanted = next(entry for entry in entries if "announce" in entry)
    found = beacon.round_of(next(entry["beacon"]["id"] for entry in reversed(entries) if "beacon" in entry))
    assert found is not None
    assert timedelta(hours=1) <= found.at - datetime.fromisoformat(wanted["at"]) < timedelta(hours=1, seconds=4)
    first = next(number for number, entry in enumerate(entries)
                 if any(roll[0].startswith("T2,") for roll in entry.get("dice", ())))
    assert first > entries.index(wanted) + 1


def whole(folder: Path) -> dict[str, Any]:
    game = gamelog.read_whole(folder)
    made: dict[str, Any] = json.loads(scheme.canonical({**game.header, "log": game.entries}))
    return made


def opened(folder: Path) -> dict[str, Any]:
    """With everything open, so that nothing is left unchecked."""
    log, keys = whole(folder), Desk(folder).keys
    assert keys is not None
    log["log"].append({"ruling": "enough", "over": {"by": "agreement"}})
    log["log"].append({"open": {"epoch": 2, "link": keys.secrets.link(2).hex(), "deck_secret": keys.secrets.deck.hex()}})
    return log


def test_all_three_checkers_find_the_beacon_in_every_die_and_in_the_deck(played: Path) -> None:
    assert [check for check in verify(played) if check.state == FAILED] == []
    log = opened(played)
    for told in (tampering.long_form(tampering.check.check_game(log)), tampering.short_form(log),
                 page.checks(scheme.canonical(log).decode())):
        assert [one for one in told if one[2] == FAILED] == []
        right = [what for _, what, state in told if state == OK]
        assert any(what.startswith("die T1") for what in right) and any(what.startswith("die T2") for what in right)
        assert any(what.startswith("deck main") for what in right)


@pytest.mark.parametrize(("epoch", "what"), [(0, "deck main,1"), (1, "die T1"), (2, "die T2")])
def test_all_three_checkers_see_another_value(played: Path, epoch: int, what: str) -> None:
    log = opened(played)
    told = next(entry["beacon"] for entry in log["log"] if entry.get("beacon", {}).get("epoch") == epoch)
    told["value"] = "00" * 32
    for found in (tampering.long_form(tampering.check.check_game(log)), tampering.short_form(log),
                  page.checks(scheme.canonical(log).decode())):
        assert any(one.startswith(what) and state == FAILED for _, one, state in found)


def test_another_round_than_was_announced_is_seen(played: Path, tmp_path: Path) -> None:
    game = gamelog.read_whole(played)
    other = str(beacon.Round(ROUND.chain, ROUND.number + 1))
    head, _, rest = game.text.partition("log:")
    (tmp_path / "game.yaml").write_text(f"{head}log:{rest.replace(str(ROUND), other)}")
    failed = [(check.what, check.detail) for check in verify(tmp_path) if check.state == FAILED]
    assert ("beacon 0", "beacon_round") in failed


@pytest.mark.parametrize(("beacon_at", "until", "fine"), [
    ("12:00", "", False), ("12:01", "", True), ("18:00", "2026-11-20T18:01Z", False), ("18:00", "2026-11-20T18:00Z", True)])
def test_the_round_of_the_header_comes_after_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beacon_at: str,
                                                        until: str, fine: bool) -> None:
    monkeypatch.setattr(seeding.clock, "now", lambda: datetime(2026, 11, 20, 12, tzinfo=UTC))

    def make() -> object:
        return beginning.found(tmp_path / "g", "lit", SEATS, {"edition": "fourth"}, by_hand=False, words_until=until,
                               write=True, beacon=f"drand:quicknet:2026-11-20T{beacon_at}:00")

    if fine:
        make()
    else:
        assert bool(refused(Refused, "beacon_too_early", make)["until"]) == bool(until)
    assert (tmp_path / "g").exists() == fine


# --- read from the net -------------------------------------------------------------------------------------------

# Round 1 of drand's first chain, as everybody can read it.
SIGNATURE = ("8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b101"
             "04990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655")
RANDOMNESS = "101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec"
FIRST = beacon.Round("default", 1)


class Speaking(BaseHTTPRequestHandler):
    """A server that has one answer."""

    answer: bytes = b""
    status = 200
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(self.status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(self.answer)

    def log_message(self, *_: object) -> None:
        """Nothing on the terminal."""


@pytest.fixture
def server() -> Iterator[str]:
    made = HTTPServer(("127.0.0.1", 0), Speaking)
    Speaking.asked, Speaking.status = [], 200
    Speaking.answer = json.dumps({"round": 1, "randomness": RANDOMNESS, "signature": SIGNATURE}).encode()
    Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_address[1]}"
    made.shutdown()
    made.server_close()


def test_a_round_is_read_where_everybody_reads_it(server: str) -> None:
    assert drand.fetched(FIRST, server) == RANDOMNESS
    assert Speaking.asked == [f"/{beacon.HASHES['default']}/public/1"]


@pytest.mark.parametrize("odd", [
    {"round": 2}, {"randomness": RANDOMNESS.upper()}, {"randomness": "00" * 32}, {"signature": SIGNATURE[:-2] + "00"},
    {"signature": None}, {"randomness": None}])
def test_an_answer_that_is_not_that_round_is_refused(server: str, odd: dict[str, object]) -> None:
    Speaking.answer = json.dumps({"round": 1, "randomness": RANDOMNESS, "signature": SIGNATURE, **odd}).encode()
    assert refused(Refused, "beacon_odd_answer", lambda: drand.fetched(FIRST, server))["round"] == 1


@pytest.mark.parametrize("answer", [b"", b"[]", b"<html>", b'{"round": 1}', b"9" * 20_000])
def test_nonsense_is_refused(server: str, answer: bytes) -> None:
    Speaking.answer = answer
    refused(Refused, "beacon_odd_answer", lambda: drand.fetched(FIRST, server))


def test_who_does_not_answer_is_named(server: str) -> None:
    Speaking.status = 404
    assert "Not Found" in refused(Refused, "beacon_not_fetched", lambda: drand.fetched(FIRST, server))["what"]
    Speaking.status = 302                                   # nor does it go where it is sent
    refused(Refused, "beacon_not_fetched", lambda: drand.fetched(FIRST, server))
    assert len(Speaking.asked) == 2
    for host in ("http://127.0.0.1:9", "file:///etc/passwd", "ftp://x", "nowhere", ""):
        refused(Refused, "beacon_not_fetched", lambda host=host: drand.fetched(FIRST, host))


def test_who_never_answers_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert "timed out" in refused(Refused, "beacon_not_fetched", lambda: drand.fetched(FIRST, host, 0.05))["what"]


def test_at_the_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    folder = tmp_path / "g"
    run = CliRunner()
    monkeypatch.setenv("PBEM_NOW", "2020-07-22T15:00Z")
    told = run.invoke(main, ["new", str(folder), "--seat", "red=Anna", "--seat", "blue=Bruno", "--beacon", "drand:default:1"])
    assert told.exit_code == 0 and "drand:default:1, public" in told.output
    waiting = run.invoke(main, ["begin", str(folder)])
    assert waiting.exit_code == 1 and "pbem seed beacon" in " ".join(waiting.output.split())
    for wrong in ([], ["1"], ["1", RANDOMNESS, "--fetch"], ["--from", server]):
        assert run.invoke(main, ["seed", "beacon", str(folder), *wrong]).exit_code == 2
    early = run.invoke(main, ["seed", "beacon", str(folder), "--fetch", "--from", server])
    assert early.exit_code == 1 and "not come yet" in early.output and Speaking.asked == []
    monkeypatch.setenv("PBEM_NOW", "2020-07-23T15:00Z")
    told = run.invoke(main, ["seed", "beacon", str(folder), "--fetch", "--from", server])
    assert told.exit_code == 0 and "pbem begin" in told.output
    assert [entry["beacon"]["value"] for entry in gamelog.read_game(folder).entries] == [RANDOMNESS] * 2
    assert run.invoke(main, ["begin", str(folder)]).exit_code == 0
    none = run.invoke(main, ["seed", "beacon", str(folder), "--fetch", "--from", server])
    assert none.exit_code == 1 and "awaits no value" in none.output and len(Speaking.asked) == 1
    told = run.invoke(main, ["new", str(tmp_path / "h"), "--seat", "red=A", "--seat", "blue=B", "--beacon", "moon"])
    assert told.exit_code == 1
    assert not (tmp_path / "h").exists()


# --- at the desk -------------------------------------------------------------------------------------------------


@pytest.fixture
def unlit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Red is to order in the second Game Turn, whose dice want a round that nobody has announced."""
    return lit(tmp_path / "g", monkeypatch)


def lit(folder: Path, monkeypatch: pytest.MonkeyPatch, **start: Any) -> Desk:
    usual = small_game.header()
    monkeypatch.setattr(small_game, "header", lambda: {**usual, "chance": {**usual["chance"], "beacon": str(ROUND)}})
    return heard(small_game.found(folder, {**small_game.MARCH, **start}).folder)


def test_lines_that_waited_for_their_moment_go_on_by_themselves_when_the_beacon_has_spoken(unlit: Desk) -> None:
    unlit.set_waiting("red", ["split Halikarnassos leaving 1 mercenary", "roll", "activate Antigonos"])
    assert [one.state for one in unlit.run()] == ["done", "refused", "unread"]
    assert unlit.waiting("red") == ["roll", "activate Antigonos"] and not unlit.is_held("red") and unlit.run() == []
    assert [one.state for one in heard(unlit.folder).run()] == ["done", "done"]


def test_lines_sent_ahead_wait_as_they_were_for_a_beacon(unlit: Desk) -> None:
    unlit.set_waiting("red", ["roll"], since=3, named={"ephesos": "nobody"})
    unlit.run()
    lies = heard(unlit.folder).tray.turn("red")
    assert lies is not None and (lies.held, lies.since, lies.named) == (False, 3, {"ephesos": "nobody"})


def test_a_ruling_that_throws_a_die_announces_its_round_and_may_be_made_again(unlit: Desk) -> None:
    def ruling(desk: Desk) -> list[int]:
        return desk.ruling("Who comes first?", roll=1)

    refused(NotNow, "beacon_awaited", lambda: ruling(unlit))
    assert unlit.game.entries[-1]["announce"] == 2 and unlit.awaited is not None
    desk = heard(unlit.folder)
    (number, *_) = ruling(desk)
    assert "dice" in desk.game.entries[number - 1]


def test_a_window_that_all_have_answered_in_advance_waits_for_the_beacon_and_closes_then(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = lit(tmp_path / "g", monkeypatch, mp={"antigonos": 4})
    desk.order("blue", "standing: intercept Red with Lysimachos, all, always")
    desk.order("yellow", "standing: pass on interception, always")
    desk.order("red", "march Antigonos > Ephesos")
    assert desk.run() == [] and desk.awaited is not None and desk.match.question.kind == "interception"
    (closed, *_) = heard(desk.folder).run()
    assert closed.line.startswith("close ") and closed.state == "done"


def test_a_round_is_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = lit(tmp_path / "g", monkeypatch)
    desk.order("red", "roll")
    assert desk.awaited is not None and refused(NotNow, "beacon_awaited", lambda: desk.ruling("a tie", roll=1))
    assert sum("announce" in entry for entry in desk.game.entries) == 1


def test_the_last_answer_to_a_window_is_taken_and_waits_for_the_beacon(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gave it has the receipt that proves it."""
    desk = lit(tmp_path / "g", monkeypatch, mp={"antigonos": 4})
    desk.order("red", "march Antigonos > Ephesos")
    desk.order("yellow", "pass")
    (sealed,) = desk.order("blue", "intercept Lysimachos with all")
    assert sealed.state == "sealed" and sealed.receipt is not None and desk.awaited is not None
    assert sealed.waiting == desk.match.question.id
    assert any(one.line == f"close {sealed.waiting}" for one in heard(desk.folder).run())


def test_while_a_beacon_is_awaited_nothing_is_done_be_it_without_a_die(unlit: Desk) -> None:
    unlit.order("red", "roll")
    entries = len(unlit.game.entries)
    (outcome,) = unlit.order("red", "split Halikarnassos leaving 1 mercenary")
    assert isinstance(outcome.error, NotNow) and outcome.error.key == "beacon_awaited"
    assert len(unlit.game.entries) == entries


def test_a_round_is_public_from_its_very_moment_on(unlit: Desk) -> None:
    unlit.order("red", "roll")
    assert (awaited := unlit.awaited) is not None
    assert Desk(unlit.folder, now=awaited.at).awaits_public() == awaited
    before = Desk(unlit.folder, now=awaited.at - timedelta(seconds=1))
    assert refused(Refused, "beacon_not_public", before.awaits_public)


def test_a_game_that_is_over_waits_for_no_beacon(unlit: Desk) -> None:
    unlit.order("red", "roll")
    assert unlit.awaited is not None
    unlit.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert unlit.awaited is None and again(unlit.folder).awaited is None


def test_a_value_is_entered_once_and_by_a_trial_not_at_all(unlit: Desk) -> None:
    unlit.order("red", "roll")
    assert unlit.awaited is not None
    desk, entries = Desk(unlit.folder, now=unlit.awaited.at), len(unlit.game.entries)
    assert desk.hear(unlit.awaited.number, value_of(unlit.awaited), write=False) == []
    assert len(again(unlit.folder).game.entries) == entries
    assert desk.hear(unlit.awaited.number, value_of(unlit.awaited)) == [entries + 1]


def test_where_no_beacon_was_chosen_none_is_heard(tmp_path: Path) -> None:
    for number, secrets in enumerate((True, False)):
        desk = small_game.found(tmp_path / str(number), secrets=secrets)
        refused(Refused, "no_beacon_announced", lambda desk=desk: desk.hear(1, "ab" * 32))
