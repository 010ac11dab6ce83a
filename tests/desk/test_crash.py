"""Killed at any write, the game is whole: every order is in the log or not, and the next run goes on."""

import os
import shutil
from pathlib import Path

from small_game import again, found

from pbem.base import folder
from pbem.components import form
from pbem.components.shipped import shipped
from pbem.desk import boxes
from pbem.desk import tray as trays
from pbem.log import gamelog

CALLS = ("open", "write", "fsync", "replace", "ftruncate", "pwrite")


class Killer:
    """Counts the system calls that write, and dies before the one it was told, as by SIGKILL."""

    def __init__(self, at: int) -> None:
        self.count, self.at = 0, at
        for name in CALLS:
            setattr(os, name, self.guarded(getattr(os, name)))
        Path.replace = self.guarded(Path.replace)

    def guarded(self, call):
        def instead(*args, **kwargs):
            self.count += 1
            if self.count == self.at:
                os._exit(9)
            return call(*args, **kwargs)

        return instead


def killed(place: Path, at: int, act=None) -> bool:
    """Play in a child process that dies before its n-th writing call; False when it came to the end."""
    child = os.fork()
    if not child:
        Killer(at)
        (act or play)(place)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def play(place: Path) -> None:
    """A run as the command line does it: lock, read, order, run."""
    with folder.Lock(place):
        game = again(place)
        if game.match.question.kind == "activation" and game.match.g.movement_roll is None:
            game.order("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos\nend activation")
    for seat in ("blue", "yellow"):
        with folder.Lock(place):
            game = again(place)
            if game.match.question.sealed and seat not in game.sealed(game.match.question):
                game.order(seat, "pass")
            game.run()


def test_killed_at_every_write_the_game_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda handle: None)               # who is killed loses no disk
    found(tmp_path / "whole")
    play(tmp_path / "whole")
    whole = again(tmp_path / "whole")
    assert whole.match.g.generals["antigonos"].at == "halikarnassos" and whole.match.g.activation is None
    new, at = found(tmp_path / "new").folder, 1
    while killed(place := shutil.copytree(new, tmp_path / str(at)), at):
        assert gamelog.hand_edits(again(place).game) == []              # it reads, folds, agrees with its own dice
        play(place)                                                     # the mail is tried again, as by the next run
        play(place)
        game = again(place)
        done = [entry["do"] for entry in game.game.entries if "do" in entry]
        assert done == done[:1] + sorted(set(done[1:]), key=done.index)  # nothing was applied twice
        assert game.match.question.kind == "activation"
        at += 1
    assert at > 40


def test_a_sealed_answer_outlives_whoever_is_killed_while_the_window_closes(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    at, open_still, game = 1, 0, found(tmp_path / "new")
    with folder.Lock(game.folder):
        game.order("red", "roll\nmarch Antigonos > Ephesos")
        game.order("blue", "intercept Lysimachos with 2 loyal")
    while True:
        place = shutil.copytree(game.folder, tmp_path / str(at))
        child = os.fork()
        if not child:
            Killer(at)
            with folder.Lock(place):
                again(place).order("yellow", "pass")
            os._exit(0)
        dead = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        after = again(place)
        if after.match.question.sealed:
            open_still += 1
            assert after.sealed(after.match.question)["blue"].startswith("intercept Lysimachos")
            journal = trays.read(place).journal
            while journal is not None and len(after.game.entries) < journal.to:     # by something else
                with folder.Lock(place):
                    after.enter({"note": "a remark"})
            assert again(place).sealed(after.match.question)["blue"].startswith("intercept Lysimachos")
        if not dead:
            break
        at += 1
    assert open_still > 5 and at > 10


def test_killed_while_a_newer_form_is_taken_the_game_opens_without_it_or_with_it(tmp_path, monkeypatch):
    """What its cards say word for word lies in the private file, which is written first; the log binds it."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)
    new, box, at = found(tmp_path / "new").folder, tmp_path / "box.yaml", 1
    box.write_text(form.written(shipped(), shipped(), printed={"cards.12": "Two towns by the sea open their gates."}))
    while killed(place := shutil.copytree(new, tmp_path / str(at)), at,
                 lambda place: boxes.change_to(again(place), box, "at last")):
        game = again(place)
        assert list(game.tray.printed) == ["cards.12"] * any("box" in entry for entry in game.game.entries)
        at += 1
    assert at > 5 and list(again(place).tray.printed) == ["cards.12"]
