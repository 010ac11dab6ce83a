"""Makes the whole games in `games/`: `python scripts/make_games.py`; the same version of the program makes the same games.

They need not be made again with a later one: guides point to their entries, and old logs hold for ever.

They are played by people with aims and habits (`pbem.dev.pace`) at the real desk, on a simulated calendar. What each of them
sent, when it came, what the clock closed and what the moderator did is kept beside the log in `mails.yaml`: given to a desk
once more, it makes the same log (`tests/dev/test_samples.py`). The letters are written by hand, to go with what happens.
"""

import hashlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from pbem.base.clock import stamp
from pbem.base.folder import Lock
from pbem.chance.scheme import Secrets
from pbem.desk.beginning import SET_UP
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.desk.tray import Filed, promised
from pbem.dev.aims import Aims
from pbem.dev.pace import BEGIN, Evening, Setting
from pbem.kernel.procedures import Question
from pbem.mail import requests
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.request import AT_DESK, Request
from pbem.orders import parse

GAMES = Path(__file__).parents[1] / "games"
MAILS = "mails.yaml"
LEAD = "# What its people sent, when it came, what the clock closed, what the moderator did.\n"
LINKS = 12
MODERATOR = "moderator"
NAMES = {"red": "Anna", "blue": "Bruno", "yellow": "Chiara", "black": "Dora"}


class Sample(NamedTuple):
    """One game: whoever runs this again with the same numbers gets the same one."""

    game: str
    title: str
    players: int
    seed: int
    words: dict[str, str]
    undone: tuple[int, int]                             # Game Turn and round in which somebody takes a march back
    ruled: tuple[tuple[int, int], str, str]             # when, what and why the moderator decides
    letters: dict[tuple[int, int, str], Sequence[tuple[str, str]]]      # at the beginning of whose turn, who writes what


SAMPLES = (
    Sample("regency", "The regency", 4, 1,
           {"red": "first snow in Pella", "blue": "salt and iron", "yellow": "three geese", "black": "the ninth wave"},
           (2, 2), ((3, 1), "An answer counts if it was sent before its deadline, even if it arrives after it.",
                    "Dora's mail lay two hours with her provider; everybody agrees."), {
               (1, 1, "red"): [("black", "all: Good luck to all of us. I write from Lisbon, so give me until the evening.")],
               (2, 1, "yellow"): [
                   ("blue", "red: Chiara holds the boy and Babylon. If neither of us looks east she has won by summer.\n"
                            "I keep out of Makedonia. Do you keep out of Egypt?"),
                   ("red", "blue: Agreed, for this Game Turn. After that ask me again.")],
               (2, 3, "black"): [
                   ("black", "blue: Leonnatos is two days from Sardeis; I can count. Turn him round, and no more of it.")],
               (3, 1, "yellow"): [("yellow", "all held: He is buried. Whoever wishes to lay flowers finds him in Babylon.")],
               (3, 2, "red"): [
                   ("red", "blue black: 20 points, and she lacks two. I send Peithon to Babylon; who takes Damaskos?")],
               (3, 3, "blue"): [("blue", "red: Peithon alone does not do it. I have nobody left who could help him."),
                                ("red", "blue: Then we lose with our boots on.")]}),
    Sample("duel", "A duel", 2, 2, {"red": "a cold spring in Lydia", "blue": "forty-two elephants"},
           (2, 1), ((3, 1), "An order counts as it was meant where its spelling leaves no doubt.",
                    "Bruno wrote Kirtioi for Kyrtioi; it hurts nobody."), {
               (1, 1, "red"): [("blue", "red: Two of us and the whole of Asia. I take Europe, and then we shall see.")],
               (2, 2, "blue"): [("red", "blue: The cart leaves Babylon only over my dead Generals.")],
               (3, 1, "red"): [("blue", "red: Peithon has come to look at your walls. Three CUs, but patient ones.")],
               (3, 3, "blue"): [
                   ("red", "blue held: You have Babylon, I have the boy. I know which of the two they will kneel to.")]}),
)


class Recorded(MailDesk):
    """A desk that writes nothing before the end, and keeps what came to it."""

    def __init__(self, place: Path, **more: Any) -> None:
        super().__init__(place, **more)
        self.mails: list[dict[str, Any]] = []

    def keep(self) -> None:
        self.tray.forget()

    def came(self, sender: str, **what: Any) -> None:
        """A mail, or one more line of the same."""
        at, last = stamp(self.now), self.mails[-1] if self.mails else {}
        if "text" in what and (last.get("at"), last.get("from")) == (at, sender) and "text" in last:
            last["text"] += what["text"]
        else:
            self.mails.append({"at": at, "from": sender, **what})

    def order(self, seat: str, text: str, **more: Any) -> list[Outcome]:
        entries = len(self.game.entries)
        outcomes = super().order(seat, text, **more)
        if outcomes[0].error is None or len(self.game.entries) > entries:      # a march may stop before a price
            self.came(seat, text=f"{text}\n")
        return outcomes

    def file(self, seat: str, text: str) -> Filed:
        made = super().file(seat, text)
        self.came(seat, text=f"file {text}\n")
        return made

    def reserve(self, seat: str, moments: Sequence[str]) -> list[int]:
        self.came(seat, text=f"reserve {', '.join(moments)}\n")
        return super().reserve(seat, moments)

    def close(self, qid: str, *, by: str = "", **more: Any) -> list[int]:
        if by:
            self.came(by, close=qid)
        return super().close(qid, by=by, **more)

    def undo(self, entry: int, reason: str, **more: Any) -> list[int]:
        self.came(MODERATOR, undo=entry, reason=reason)
        return super().undo(entry, reason, **more)

    def ruling(self, text: str, **more: Any) -> list[int]:
        self.came(MODERATOR, ruling=text, **{key: value for key, value in more.items() if value})
        return super().ruling(text, **more)


class Table(Evening):
    """Such people, with letters, a slip and a ruling."""

    def __init__(self, sample: Sample, folder: Path) -> None:
        self.sample = sample
        self.to_do = {"undo", "ruling", *sample.letters}
        super().__init__(sample.seed, sample.players, Setting("sample"), folder)
        for seat, absences in self.desk.tray.absences.items():
            self.desk.tray.absences[seat] = absences[:2]

    def founded(self, folder: Path, header: dict[str, Any], secrets: Secrets) -> Desk:
        deck, dice = (hashlib.sha256(f"{what} {self.sample.game}".encode()).digest() for what in ("deck", "dice"))
        secrets = Secrets(self.sample.game, deck, dice, links=LINKS)
        header.update(game=self.sample.game, title=self.sample.title)
        header["chance"].update(secrets.commitments(), links=LINKS, words=self.sample.words)
        for seat, who in header["seats"].items():
            who["name"] = NAMES[seat]
        with Lock(folder):
            self.recorded = Recorded.found(folder, header, SET_UP, promised(secrets))
        self.recorded.now = BEGIN
        self.recorded.run()
        return self.recorded

    def wait(self, question: Question) -> None:
        """Before anybody is waited for, what belongs to this moment happens."""
        g = self.desk.match.g
        for sender, text in self.due((g.turn, g.round, g.player), self.sample.letters):
            self.ask(sender, f"press {text}\n/press\n")
        when, text, reason = self.sample.ruled
        if "ruling" in self.to_do and (g.turn, g.round) == when:
            self.to_do.remove("ruling")
            self.desk.ruling(text, reason=reason)
        elif not ("undo" in self.to_do and (g.turn, g.round) >= self.sample.undone and self.slipped()):
            super().wait(question)

    def due(self, moment: tuple[int, int, str], letters: Any) -> Sequence[tuple[str, str]]:
        if moment not in self.to_do:
            return ()
        self.to_do.remove(moment)
        found: Sequence[tuple[str, str]] = letters[moment]
        return found

    def slipped(self) -> bool:
        """A march of which nobody has seen anything is taken back, and another General goes."""
        entries = self.desk.game.entries
        last = len(entries) - ("ask" in entries[-1])
        entry = entries[last - 1]
        if not str(entry.get("do", "")).startswith("march") or "dice" in entry or self.desk.to_take_back(last)[1]:
            return False
        self.to_do.remove("undo")
        self.ask(entry["by"], f"undo {last}: I meant another General\n")
        self.desk.undo(last, "meant another General")
        assert isinstance(self.mind, Aims)
        self.mind.tried.add(parse(entry["do"], self.desk.match.names)[0].general)
        return True

    def ask(self, seat: str, text: str) -> None:
        """A request, as the moderator enters one that came by another way."""
        self.recorded.came(seat, text=text)
        answer = requests.answer(Request(self.recorded, None, Sender(seat, "desk"), [], [], AT_DESK), text.strip())
        print(f"    {seat}: {text.strip()} -> {answer.text}")


class Plain(yaml.SafeDumper):
    """Texts stand as they were written, line by line."""


Plain.add_representer(str, lambda dumper, text: dumper.represent_scalar(
    "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None))


def made(sample: Sample) -> None:
    folder = GAMES / sample.game
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    table = Table(sample, folder)
    told = table.play()
    assert told.finished and not table.to_do, table.to_do
    table.recorded.commit()
    for name in (".gitignore", ".lock", ".mirror"):     # whoever opens the game gets his own
        (folder / name).unlink()
    mails = yaml.dump(table.recorded.mails, Dumper=Plain, sort_keys=False, allow_unicode=True, width=10_000)
    (folder / MAILS).write_text(f"{LEAD}{mails}", "utf-8")
    print(sample.game, f"{told.days:.0f} days", len(table.desk.game.entries), "entries", table.desk.match.g.over)


if __name__ == "__main__":
    for one in SAMPLES:
        if not sys.argv[1:] or one.game in sys.argv[1:]:
            made(one)
