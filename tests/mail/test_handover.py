"""A game goes to somebody else in one packet, and goes on there."""

import io
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_game import again
from table import Table, Unconnected

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.cli.main import main
from pbem.log import gamelog
from pbem.mail import handover


def played(table: Table) -> Path:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    table.run()
    table.reply("blue", "intercept Lysimachos with all")
    table.run()
    packet = table.folder / "packet.tar.gz"
    told = handover.pack(table.game, packet, table.config.path, table.now)
    assert "open: T2.R1.red.3 for Blue and Yellow, due Fri 20 Nov, 12:00 UTC" in told and "1 line of Red waiting" in told
    assert f"Packed into {packet}. It holds the secrets" in told.replace("\n", " ")
    return packet


def test_log_secrets_outbox_and_mails_are_packed_and_opened_elsewhere(table: Table) -> None:
    packet = played(table)
    assert packet.stat().st_mode & 0o077 == 0
    with tarfile.open(packet) as found:
        secret = [one for one in found if one.isfile() and one.name.startswith(("mail", "private", "HANDOVER"))]
        assert len(secret) > 2 and not any(one.mode & 0o077 for one in secret)
    folder = table.folder / "games" / "there"
    folder.mkdir()
    told = handover.unpack(packet, folder)
    assert "T2.R1.red.3" in told
    assert gamelog.read_game(folder).heads() == gamelog.read_game(table.game).heads()
    assert gamelog.private_text(folder) == gamelog.private_text(table.game) != ""
    assert (folder / "private.yaml").stat().st_mode & 0o077 == 0
    assert {path.name for path in (folder / "out" / "sent").iterdir()} == {
        path.name for path in (table.game / "out" / "sent").iterdir()
    }
    assert len(list((folder / "mail" / "raw").iterdir())) == 2
    there, here = table.desk(folder), table.desk()
    assert there.sealed(there.match.question) == here.sealed(here.match.question) != {}


def test_without_the_private_file_the_packet_says_what_it_lacks(table: Table) -> None:
    table.started()
    (table.game / "private.yaml").unlink()
    packet = table.folder / "packet.tar.gz"
    told = handover.pack(table.game, packet, table.config.path, table.now)
    assert "without private.yaml, which is missing here" in told and "It holds the secrets" not in told
    with tarfile.open(packet) as found:
        assert "private.yaml" not in found.getnames()


def test_a_packet_is_opened_in_a_folder_that_is_made_for_it(table: Table, tmp_path: Path) -> None:
    packet, there = played(table), tmp_path / "games" / "elsewhere"
    done = CliRunner().invoke(main, ["handover", str(there), "--open", str(packet)])
    assert done.exit_code == 0 and (there / "game.yaml").exists()
    missing = CliRunner().invoke(main, ["handover", str(tmp_path / "missing")])
    assert missing.exit_code == 2 and "is no game" in missing.output and not (tmp_path / "missing").exists()


def test_a_folder_with_something_in_it_is_not_overwritten(table: Table) -> None:
    packet = played(table)
    with pytest.raises(PbemError) as problem:
        handover.unpack(packet, table.game)
    assert problem.value.key == "handover_not_empty"


@pytest.mark.parametrize("name", ["../outside", "{}/outside", "a/../../outside"])
def test_a_packet_with_tricks_in_its_names_is_refused(tmp_path: Path, name: str) -> None:
    packet = tmp_path / "evil.tar.gz"
    with tarfile.open(packet, "w:gz") as made:
        info = tarfile.TarInfo(name.format(tmp_path))
        info.size = 4
        made.addfile(info, io.BytesIO(b"evil"))
    target = tmp_path / "a" / "b"
    target.mkdir(parents=True)
    with pytest.raises(PbemError) as problem:
        handover.unpack(packet, target)
    assert problem.value.key == "handover_damaged"
    assert not list(tmp_path.rglob("outside"))


@pytest.mark.parametrize(("most", "what"), [(8, "head"), (7, "x")])
def test_a_packet_that_is_too_large_is_refused(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, what: str) -> None:
    packet = tmp_path / "large.tar.gz"
    with tarfile.open(packet, "w:gz") as made:
        for name in ("game.yaml", "x"):
            info = tarfile.TarInfo(name)
            info.size = 4
            made.addfile(info, io.BytesIO(b"evil"))
    monkeypatch.setattr(handover, "LARGEST", most)
    with pytest.raises(PbemError) as problem:
        handover.unpack(packet, tmp_path / "there")
    assert problem.value.key == "handover_damaged" and problem.value.facts["what"] == what
    assert not (tmp_path / "there").exists()


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_no_packet_leaves_the_folder_as_it_was(tmp_path: Path, is_there: bool) -> None:
    packet, there = tmp_path / "packet", tmp_path / "there"
    packet.write_text("no packet")
    if is_there:
        there.mkdir()
    with pytest.raises(PbemError) as problem:
        handover.unpack(packet, there)
    assert problem.value.key == "handover_no_packet" and there.exists() is is_there


def test_only_the_mails_of_the_game_go_along_and_the_log_alone_may_be_read_by_all(quiet: Unconnected, tmp_path: Path) -> None:
    quiet.add("other")
    quiet.started()
    for game in ("small", "other", "small"):
        quiet.post("red", "roll", answers=next(one for one in quiet.inbox("red") if f"[{game}" in str(one["Subject"])))
        quiet.run()
    rows = list(quiet.ledger().mails.values())
    (quiet.ledger().raw / rows[2].file).unlink()
    handover.unpack(_packed(quiet, tmp_path / "packet"), tmp_path / "there")
    assert [one.name for one in (tmp_path / "there/mail/raw").iterdir()] == [Path(rows[0].file).name]
    assert [(tmp_path / "there" / name).stat().st_mode & 0o777 for name in ("game.yaml", "private.yaml")] == [0o644, 0o600]


def test_what_is_packed_says_what_is_missing_and_waits_for_nobody_where_nobody_is_asked(quiet: Unconnected) -> None:
    quiet.started()
    (quiet.game / "private.yaml").rename(quiet.folder / "kept")
    assert "without private.yaml" in handover.pack(quiet.game, quiet.folder / "packet", quiet.config.path, quiet.now)
    (quiet.folder / "kept").rename(quiet.game / "private.yaml")
    with Lock(quiet.game):
        again(quiet.game).ruling("Agreed", facts={"over": {"by": "agreement"}})
    told = handover.pack(quiet.game, quiet.folder / "packet", quiet.config.path, quiet.now)
    assert "open:" not in told and "without private.yaml" not in told and "small: 4 entries" in told


def _packed(table: Table, packet: Path) -> Path:
    handover.pack(table.game, packet, table.config.path, table.now)
    return packet


def test_a_packet_whose_log_was_changed_is_refused(table: Table, tmp_path: Path) -> None:
    packet = played(table)
    changed = tmp_path / "changed.tar.gz"
    with tarfile.open(packet) as found, tarfile.open(changed, "w:gz") as made:
        for one in found.getmembers():
            if not one.isfile():
                continue
            data = found.extractfile(one).read()  # type: ignore[union-attr]
            data = data.replace(b"do: roll", b"do: rolI") if one.name == "game.yaml" else data
            one.size = len(data)
            made.addfile(one, io.BytesIO(data))
    target = tmp_path / "new"
    target.mkdir()
    with pytest.raises(PbemError):
        handover.unpack(changed, target)


def test_a_packet_is_sealed_to_the_passphrase_of_the_deputy(table: Table, tmp_path: Path) -> None:
    (tmp_path / "right").write_text("three geese on the Hellespont\n")
    (tmp_path / "wrong").write_text("two geese\n")
    packet, there = tmp_path / "packet", tmp_path / "there"
    done = CliRunner().invoke(main, ["handover", str(table.game), "-o", str(packet), "--seal", str(tmp_path / "right")])
    assert done.exit_code == 0, done.output
    assert packet.read_bytes()[:2] != b"\x1f\x8b" and b"private" not in packet.read_bytes()
    assert packet.stat().st_mode & 0o777 == 0o600
    for more in ([], ["--seal", str(tmp_path / "wrong")]):
        assert CliRunner().invoke(main, ["handover", str(there), "--open", str(packet), *more]).exit_code == 1
        assert not there.exists()
    done = CliRunner().invoke(main, ["handover", str(there), "--open", str(packet), "--seal", str(tmp_path / "right")])
    assert done.exit_code == 0, done.output
    assert (there / "private.yaml").read_bytes() == (table.game / "private.yaml").read_bytes()


def test_the_passphrase_is_asked_for_or_comes_from_the_environment(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    packet, there, run = tmp_path / "packet", tmp_path / "there", CliRunner()
    monkeypatch.setenv("DEPUTY", "drei Gänse am Hellespont ")
    asked = "drei Gänse am Hellespont \n"
    typed = asked + "other\n" + asked * 2                               # twice, until both are the same
    done = run.invoke(main, ["handover", str(table.game), "-o", str(packet), "--seal", "-"], input=typed)
    assert done.exit_code == 0 and "Hellespont" not in done.output
    assert run.invoke(main, ["handover", str(there), "--open", str(packet), "--seal", "-"], input="other\n").exit_code == 1
    assert run.invoke(main, ["handover", str(there), "--open", str(packet), "--seal", "env:NOBODY"]).exit_code == 2
    assert run.invoke(main, ["handover", str(there), "--open", str(packet), "--seal", str(tmp_path / "no")]).exit_code == 2
    assert not there.exists()
    done = run.invoke(main, ["handover", str(there), "--open", str(packet), "--seal", "env:DEPUTY"])
    assert done.exit_code == 0, done.output
    assert (there / "private.yaml").read_bytes() == (table.game / "private.yaml").read_bytes()
