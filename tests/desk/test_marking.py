"""A game opens by its mark as it opens without one, whatever has become of the log or of the mark."""

import shutil
import stat
from pathlib import Path
from random import Random
from typing import Any

import pytest
import small_game

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.desk import answering, marking, publishing
from pbem.desk.beginning import SET_UP
from pbem.desk.desk import Desk
from pbem.desk.tray import promised
from pbem.dev.games import Wanted, beginning, on, prepared
from pbem.dev.marked import Marked, compared, told_apart, whole
from pbem.log import gamelog
from pbem.log import mark as marks
from pbem.play import mark
from pbem.play.match import Match


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game at the moderator's desk; on the way it was opened anew, by its mark and without."""
    folder = tmp_path_factory.mktemp("marked") / "g"
    folder.mkdir()
    wanted = Wanted(4, 4)
    rng, sheet = prepared(wanted)
    header, secrets = beginning(wanted, sheet.rules)
    with Lock(folder):
        scene = Marked(Desk.found(folder, header, SET_UP, promised(secrets)), 80)
        on(scene, rng, [], sheet, 220, looks=False)
    assert scene.looked > 6 and scene.by_mark > scene.looked / 2
    assert not sheet.met.wrong and not scene.wrong, scene.wrong
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it, where anything may happen to it: what lies in another place is opened all the same."""
    return Path(shutil.copytree(played, tmp_path / "g"))


def goes_on(folder: Path, *, published: bool = False) -> bool:
    return Desk(folder, published=published).course.first > 0


def test_who_opens_a_game_reads_and_folds_only_what_came_since(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: object) -> object:
        raise AssertionError("all of it was read")

    monkeypatch.setattr(gamelog, "_judged", never)
    for published in (False, True):
        assert goes_on(folder, published=published)
    assert not told_apart_without_reading(folder)


def told_apart_without_reading(folder: Path) -> bool:
    desk = Desk(folder)
    return not desk.game.entries[-1] or not desk.game.head() or bool(gamelog.hand_edits(desk.game))


def test_a_mark_is_for_nobody_else(folder: Path, tmp_path: Path) -> None:
    for name in (marks.OWN, marks.PUBLIC):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert ".mark*" in (folder / ".gitignore").read_text().splitlines()
    publishing.publish(folder, tmp_path / "copy")
    assert not [path for path in (tmp_path / "copy").rglob("*") if path.name.startswith(".mark")]


def test_what_is_public_is_made_without_the_private_file(folder: Path) -> None:
    """The mark for everybody has no hands, and is the one that the public log alone gives."""
    public, own = (mark.read(marks.read(folder / name)["mark"]["fold"]) for name in (marks.PUBLIC, marks.OWN))
    assert public["secret"] is None
    late = mark.told_since(public["history"][2], 0)
    assert len(late) > 10
    assert all(event.audience == ("*",) for _, event in late)
    assert own["secret"] is not None


@pytest.mark.parametrize("name", [marks.OWN, marks.PUBLIC])
def test_a_mark_of_which_anything_is_lost_or_changed_is_none(folder: Path, name: str) -> None:
    """Cut off anywhere, as a run that is killed may leave it; changed by hand; gone."""
    path, rng = folder / name, Random(1)
    data = path.read_bytes()
    for place in [0, 64, 65, *(rng.randrange(len(data)) for _ in range(3)), len(data) - 1]:
        path.write_bytes(data[:place])
        assert not goes_on(folder)
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
        assert not goes_on(folder)
    path.unlink()
    assert not goes_on(folder) and not told_apart(folder)


def test_a_run_that_is_killed_while_it_leaves_a_mark_leaves_the_old_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder / marks.OWN).read_bytes()

    def killed(*given: object) -> None:
        raise OSError("killed")

    monkeypatch.setattr(Path, "replace", killed)
    marks.leave(folder / marks.OWN, marks.Mark(1, 1, "", "{}", {}))
    assert (folder / marks.OWN).read_bytes() == before and goes_on(folder)


def test_another_program_goes_by_no_mark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "program", lambda: "another")
    assert not goes_on(folder) and not told_apart(folder)


def test_a_changed_beginning_is_read_anew(folder: Path) -> None:
    """A line edited by hand before the mark: all is as if there had been none, the complaint too."""
    path = folder / gamelog.GAME
    text = path.read_text()
    path.write_text(text.replace("edition: fourth", "edition:  fourth", 1))
    assert not goes_on(folder) and not told_apart(folder)
    lines = text.split("\n")
    place = next(number for number, line in enumerate(lines) if line.startswith("- {by: "))
    path.write_text("\n".join([*lines[:place], *lines[place + 1:]]))
    with pytest.raises(PbemError) as by_mark:
        Desk(folder)
    for name in (marks.OWN, marks.PUBLIC):
        (folder / name).unlink()
    with pytest.raises(type(by_mark.value)) as whole:
        Desk(folder)
    assert by_mark.value.facts == whole.value.facts


def test_a_log_that_was_cut_or_went_wrong_behind_its_mark(folder: Path) -> None:
    path = folder / gamelog.GAME
    lines = path.read_text().rstrip("\n").split("\n")
    path.write_text("\n".join(lines[:-40]) + "\n")
    assert not goes_on(folder) and not told_apart(folder)
    for last in ("- {by: red, do: dance}", "- {undo: 9999}", "- {nonsense: 1}", "  - {note: indented}", "- [1"):
        path.write_text("\n".join([*lines, last]) + "\n")
        with pytest.raises(PbemError) as by_mark:
            Desk(folder)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(marks, "read", lambda place: {})
            with pytest.raises(type(by_mark.value)) as whole:
                Desk(folder)
        assert by_mark.value.facts == whole.value.facts


def test_entries_of_every_kind_behind_the_mark(folder: Path) -> None:
    """Notes, corrections, rulings, seats that change, a clock that stands still, undos near and far, another position."""
    with Lock(folder):
        desk = Desk(folder)
        number = marks.read(folder / marks.OWN)["mark"]["entries"]
        for act in (lambda: desk.enter({"note": "hello"}), lambda: desk.ruling("so be it", reason="why not"),
                    lambda: desk.hold("a holiday"), desk.resume,
                    lambda: desk.enter({"seat": "red", "name": "Rita", "language": "de"}),
                    lambda: desk.amend([{"datum": "generals.krateros.battle", "value": 2}], "as the box has it", yes=True),
                    lambda: desk.undo(len(desk.game.entries), "a slip", override=True)):
            act()
            assert goes_on(folder) and not told_apart(folder)
        desk.undo(number, "before the mark", override=True)
        assert not goes_on(folder) and not told_apart(folder)
        desk.enter({"rebase": "from the photo", "position": {**SET_UP, "turn": 2, "phase": "strategy"}, "reason": "a photo"})
        assert not told_apart(folder)


def test_what_looks_go_on_with_is_what_is_folded_at_once(folder: Path) -> None:
    """Random play folds without a mark from look to look; where something was taken back or changed, from the first entry."""
    with Lock(folder):
        desk, before = Desk(folder), whole(folder, {})
        number = len(desk.game.entries)
        for act, goes_on in (
                (lambda: desk.ruling("so be it", reason="why not"), True),
                (lambda: desk.amend([{"datum": "generals.krateros.battle", "value": 2}], "as the box has it", yes=True), True),
                (lambda: desk.undo(len(desk.game.entries), "a slip", override=True), False),
                (lambda: desk.undo(*desk.enter({"note": "hello"}), "not yet looked at", override=True), True),
                (lambda: desk.undo(number + 1, "the ruling", override=True), False),
                (lambda: desk.enter({"rebase": "a photo", "position": {**SET_UP, "turn": 2, "phase": "strategy"}}), True),
                (lambda: (folder / gamelog.OVERRIDES).write_text("- {datum: generals.krateros.battle, value: 3}\n"), False)):
            act()
            now = whole(folder, before)
            assert [now[published].match is before[published].match for published in now] == [goes_on, goes_on]
            assert not compared(now, whole(folder, {}))
            before = now


def test_a_mark_that_leads_elsewhere_is_told_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = mark.entered

    def elsewhere(match: Match, kept: Any) -> None:
        real(match, kept)
        match.g.popularity["perdikkas"] += 1

    monkeypatch.setattr(mark, "entered", elsewhere)
    assert {"published False position", "published True written"} <= set(told_apart(folder))


def test_other_secrets_or_corrections_beside_the_log(folder: Path) -> None:
    (folder / gamelog.OVERRIDES).write_text("- {datum: generals.krateros.battle, value: 2}\n")
    assert not goes_on(folder) and not goes_on(folder, published=True) and not told_apart(folder)
    (folder / gamelog.OVERRIDES).unlink()
    private = folder / gamelog.PRIVATE
    secrets = small_game.private_of(folder)["secrets"]
    name, value = next((name, value) for name, value in secrets.items() if name != "deck" and len(str(value)) == 64)
    private.write_text(private.read_text().replace(value, "ab" * 32))
    assert name and goes_on(folder, published=True) and not goes_on(folder)


def test_a_short_log_needs_none() -> None:
    assert marking.FEWEST > marks.READ_BACK


# --- Leaving one, in a small game --------------------------------------------------------------------------------


def long(folder: Path, entries: int = 99, **how: Any) -> Desk:
    """Red's turn, after so many entries."""
    desk = small_game.found(folder, **{"cards": True, **how})
    gamelog.append(folder, [{"note": "a word"}] * (entries - len(desk.game.entries)))
    return small_game.again(folder)


def next_turn(desk: Desk) -> int:
    """The entry in which the next player turn has begun."""
    first = len(desk.game.entries) + 1
    for _ in range(20):
        if found := [number for number, event in desk.match.history.since(first) if event.key == "player_turn_began"]:
            return found[0]
        question = desk.match.question
        assert question is not None
        if question.kind == "activation":
            desk.order(question.sides[0], "end segment")
        else:
            desk.close(question.id, by="moderator")
    raise AssertionError("nobody's turn begins")


def left(folder: Path) -> list[bool]:
    return [(folder / name).exists() for name in (marks.OWN, marks.PUBLIC)]


def begins(folder: Path) -> list[int]:
    """After how many entries the moderator, and whoever has the public log, goes on."""
    return [Desk(folder, published=published).course.first for published in (False, True)]


@pytest.mark.parametrize(("entries", "is_left"), [(98, False), (99, True)])
def test_a_turn_that_begins_in_the_hundredth_entry_is_the_first_to_leave_one(
        entries: int, is_left: bool, tmp_path: Path) -> None:
    desk = long(tmp_path / "g", entries)
    assert next_turn(desk) == entries + 1 and left(desk.folder) == [is_left, is_left]
    assert begins(desk.folder) == [100 * is_left] * 2 and not told_apart(desk.folder)


@pytest.mark.parametrize(("secrets", "cards", "is_left"), [
    (True, True, [True, True]), (True, False, [True, True]), (False, True, [True, True]), (False, False, [False, True])])
def test_who_knows_hands_leaves_two_and_who_knows_none_one(
        secrets: bool, cards: bool, is_left: list[bool], tmp_path: Path) -> None:
    desk = long(tmp_path / "g", secrets=secrets, cards=cards)
    question = desk.match.question
    assert question is not None
    number = next_turn(desk)
    assert left(desk.folder) == is_left and begins(desk.folder) == [number, number] and not told_apart(desk.folder)


def test_the_next_one_goes_on_from_the_last(tmp_path: Path) -> None:
    """What was taken back between them, or before the first, is not in it."""
    desk = long(tmp_path / "g")
    first = next_turn(desk)
    desk = small_game.again(desk.folder)
    desk.undo(*desk.enter({"note": "a slip"}), "it was one", override=True)
    second = next_turn(desk)
    assert second > first and begins(desk.folder) == [second, second] and not told_apart(desk.folder)
    desk = small_game.again(desk.folder)
    desk.undo(first, "all of it", override=True)
    assert begins(desk.folder) == [0, 0] and not told_apart(desk.folder)
    third = next_turn(desk)
    assert begins(desk.folder) == [third, third] and not told_apart(desk.folder)


def test_corrections_that_came_to_lie_beside_the_log_are_in_the_next_one(tmp_path: Path) -> None:
    desk = long(tmp_path / "g")
    next_turn(desk)
    (desk.folder / gamelog.OVERRIDES).write_text("- {datum: generals.demetrios.initiative, value: 1}\n")
    assert begins(desk.folder) == [0, 0]
    desk = small_game.again(desk.folder)
    number = next_turn(desk)
    assert begins(desk.folder) == [number, number] and not told_apart(desk.folder)
    desk = small_game.again(desk.folder)
    desk.take_in()                          # those that it is bound to: it holds still, and no other is left behind it
    assert begins(desk.folder) == [number, number] and not told_apart(desk.folder)
    before = [(desk.folder / name).read_bytes() for name in (marks.OWN, marks.PUBLIC)]
    next_turn(desk)
    assert before == [(desk.folder / name).read_bytes() for name in (marks.OWN, marks.PUBLIC)]
    assert begins(desk.folder) == [number, number] and not told_apart(desk.folder)


def test_other_secrets_are_no_secrets_of_this_one(tmp_path: Path) -> None:
    desk = long(tmp_path / "g")
    number = next_turn(desk)
    private, link = desk.folder / gamelog.PRIVATE, small_game.private_of(desk.folder)["secrets"]["last_link"]
    private.write_text(private.read_text().replace(link, "ab" * 32))
    assert begins(desk.folder) == [0, number]


def test_of_a_log_that_is_not_as_it_was_written_none_is_left(tmp_path: Path) -> None:
    folder = long(tmp_path / "g").folder
    path = folder / gamelog.GAME
    path.write_text(path.read_text().replace("a word", "a lie", 1))
    next_turn(small_game.again(folder))
    assert left(folder) == [False, False] and not told_apart(folder)


@pytest.mark.parametrize(("hands", "is_left"), [(True, [False, False]), (False, [True, False])])
def test_one_that_does_not_lead_where_it_was_taken_is_not_left(
        hands: bool, is_left: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, real = long(tmp_path / "g"), mark.entered

    def elsewhere(match: Match, kept: Any) -> None:
        real(match, kept)
        if hands or match.g.secret is None:
            match.g.popularity["perdikkas"] += 1

    monkeypatch.setattr(mark, "entered", elsewhere)
    next_turn(desk)
    assert left(desk.folder) == is_left


def test_two_of_different_moments_are_none(tmp_path: Path) -> None:
    """A run was killed between the two, or one of them was laid back."""
    desk = long(tmp_path / "g")
    first = next_turn(desk)
    then = [(desk.folder / name).read_bytes() for name in (marks.OWN, gamelog.GAME, gamelog.MIRROR, gamelog.PRIVATE)]
    second = next_turn(desk)
    now = (desk.folder / marks.OWN).read_bytes()
    (desk.folder / marks.OWN).write_bytes(then[0])
    assert begins(desk.folder) == [0, second] and not told_apart(desk.folder)
    earlier = long(tmp_path / "h").folder
    for name, data in zip((gamelog.GAME, gamelog.MIRROR, gamelog.PRIVATE), then[1:], strict=True):
        (earlier / name).write_bytes(data)
    shutil.copy(desk.folder / marks.PUBLIC, earlier)
    (earlier / marks.OWN).write_bytes(now)
    assert first < second and begins(earlier) == [0, 0] and not told_apart(earlier)


def test_a_deck_that_was_shuffled_anew_after_its_secret_was_open_is_known_to_whoever_goes_on(tmp_path: Path) -> None:
    start = {key: value for key, value in small_game.MARCH.items() if key != "segment"} | {"phase": "reinforcements"}
    desk = long(tmp_path / "g", adopted=start, cards=False)
    small_game.go_on(desk, 3)
    dealt = next(number for number, entry in enumerate(desk.game.entries, 1) if "deck" in entry)
    desk.undo(dealt, "it is dealt again", override=True)
    small_game.go_on(desk, 2)
    number, proved = next_turn(desk), answering.hand_proof(desk, "red")
    assert "main,2,2" in "".join(proved) and begins(desk.folder) == [number, number]
    assert answering.hand_proof(Desk(desk.folder), "red") == proved
