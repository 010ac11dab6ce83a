"""Ratios, never bare times: each command against an empty interpreter, with its goal and how far it is from there."""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pbem.base import clock, yamlfile
from pbem.base.folder import Lock
from pbem.base.language import clean
from pbem.base.paths import PACKAGE, games_dir
from pbem.chance import scheme
from pbem.components.shipped import STATE
from pbem.desk import tray as trays
from pbem.desk.desk import Desk
from pbem.desk.tray import promised
from pbem.dev import games
from pbem.dev.will import Will
from pbem.editions import USUAL
from pbem.log import gamelog
from pbem.log.header import FORMAT
from pbem.mail import loop, outbox, way
from pbem.mail.config import Config, write
from pbem.mail.ledger import Copy
from pbem.mail.outbox import Item
from pbem.mail.run import Run
from pbem.play import odds
from pbem.play.match import Match
from pbem.table import position

COMMANDS = {"status {folder}": 14, "options {folder}": 14, "check {folder} {seat}": 14, "report {folder} --since last": 16}
IN_A_WAR = {**COMMANDS, "report {folder}": 16}          # where nobody marches for a whole game
START = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"}, "spaces": {"larisa": "red", "pella": "red", "lamia": "red"},
    "forces": [{"owner": "red", "at": "larisa", "generals": ["seleukos"], "cus": {"loyal": 3, "mercenary": 2}},
               {"owner": "blue", "at": "sardeis", "generals": ["lysimachos"], "cus": {"loyal": 2}}],
    "mp": {"seleukos": 1000000},
}
BATTLE = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"}, "champions": {"red": "no"},
    "forces": [{"owner": "red", "at": "lamia", "generals": ["seleukos"], "cus": {"elephant": 8, "loyal": 9}},
               {"owner": "blue", "at": "lamia", "generals": ["krateros"], "cus": {"elephant": 8, "loyal": 9}}],
}
LONG_WAR = 7                            # a seed whose game is long
SO_FAR = 900                            # decisions of it, before somebody writes a mail
LONG_SINCE = 1800                       # decisions of it, before somebody asks how it stands
SEEDS = range(1, 11)                    # of games in memory
GAMES = 100                             # of one mailbox
TABLE = "table@example.org"
SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": "Chiara"}}


class Row(NamedTuple):
    """What was measured, and what it should be at most: in times an empty interpreter, if no unit says otherwise."""

    name: str
    found: float
    goal: float = 0.0
    unit: str = "x empty"

    def __str__(self) -> str:
        told = f"{self.name:<44} {self.found:>8.2f} {self.unit}"
        if not self.goal:
            return told
        distance = "reached" if self.found <= self.goal else f"{self.found / self.goal:.2f} times that"
        return f"{told}, goal {self.goal:g}: {distance}"


def rows(longest: int) -> Iterator[Row]:
    """Everything that has a goal, and what it rests on."""
    with TemporaryDirectory() as place:
        os.environ["PYTHONPYCACHEPREFIX"] = os.environ["XDG_CACHE_HOME"] = place        # as it is where it is installed
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        empty = cpu("-c", "pass")
        yield Row("empty interpreter", empty * 1000, unit="ms of computing here")
        yield Row("pbem --version", cpu("-m", "pbem", "--version") / empty, 4)
        short, long = (made(Path(place) / str(count), count) for count in (longest // 10, longest))
        for command, goal in COMMANDS.items():
            one, other = (asked(command, folder, "blue", "end") / empty for folder in (short, long))
            name = command.partition(" ")[0]
            yield Row(f"pbem {name}, {longest // 10} entries", one, goal)
            yield Row(f"pbem {name}, {longest} entries", other, goal)
            yield Row(f"pbem {name}, the long log by the short one", other / one, 1.15, "times as long")
        per_entry = [best(partial(folded, gamelog.read_whole(folder)), 3) / count
                     for folder, count in ((short, longest // 10), (long, longest))]
        for count, each in zip((longest // 10, longest), per_entry, strict=True):
            yield Row(f"replay of {count} marches", each * 1e6, 45, "us an entry besides the YAML")
        yield Row("linearity of that", per_entry[1] / per_entry[0], 1.15, "times as long an entry")
        yield from war_rows(Path(place) / "war")
        yield from mail_rows(Path(place) / "mail")
        game_with_battle = Match(gamelog.read_whole(short).header).g
        position.state(game_with_battle, BATTLE)
        yield Row("odds of the largest battle", best(
            lambda: odds.outlook(game_with_battle, "red", "blue", "lamia"), 3) * 1000, 50, "ms")


def war_rows(folder: Path) -> Iterator[Row]:
    """A long war game, played at random at the desk, and what came to lie in its folder; games played in memory."""
    began = time.process_time()
    played = games.whole_game(games.Wanted(LONG_WAR, 4, folder=str(folder), most=LONG_SINCE))
    took = (time.process_time() - began) / played.met.steps
    yield Row("a decision of random play at the desk", took * 1e6, unit="us, with all checks")
    desk = Desk(folder)
    began_last = next(number for number, event in reversed(desk.match.history) if event.key == "player_turn_began")
    with Lock(folder):
        desk.mark_posted(began_last - 1)
    empty = cpu("-c", "pass")               # a minute later the machine may have another speed
    for command, goal in IN_A_WAR.items():
        name = " ".join(command.format(folder="", seat="").split())
        yield Row(f"pbem {name} of a war game", asked(command, folder, *an_order(desk)) / empty, goal)
    for name, place in (("a war game", folder), ("the regency", games_dir() / "regency")):
        game = gamelog.read_whole(place)
        each = best(partial(folded, game), 3) / len(game.entries)
        yield Row(f"replay of {name}, {len(game.entries)} entries", each * 1e6, 45, "us an entry")
    with get_context("spawn").Pool(1) as pool:          # `pbem dev play` plays in processes that hold nothing else
        unchecked, swift = (pool.apply(a_decision, (play,)) for play in (plainly, swiftly))
    yield Row(f"a decision of random play in memory, {len(SEEDS)} games", unchecked * 1e6, 200, "us, no checks")
    yield Row("the same by pbem dev play --swift", swift * 1e6, unit="us, phases looked at, undone now and then")


def a_decision(play: Callable[[int], int]) -> float:
    """Seconds of computing for each."""
    began = time.process_time()
    steps = sum(map(play, SEEDS))
    return (time.process_time() - began) / steps


def plainly(seed: int) -> int:
    """A whole game of random play and nothing else: nobody looks at a position, nothing is taken back. Its decisions."""
    wanted, steps, segment = games.Wanted(seed, 4), 0, tuple[Any, ...]()
    rng, sheet = games.prepared(wanted)
    scene, will = games.Swift(*games.beginning(wanted, sheet.rules), is_read=False), Will(rng, wild=False)
    with yamlfile.uncollected():
        while (question := scene.match.question) is not None:
            g, steps = scene.g, steps + 1
            if segment != (g.turn, g.round, g.player, g.segment, g.phase):
                segment = (g.turn, g.round, g.player, g.segment, g.phase)
                will.begin_segment()
            scene.take(will.next_step(g, question))
    return steps


def swiftly(seed: int) -> int:
    return games.whole_game(games.Wanted(seed, 4, looks=False)).met.steps


def mail_rows(place: Path) -> Iterator[Row]:
    """One accepted order of a war game at the desk, and by mail, as one of many games: from the bytes that were fetched to the
    answer in the outbox. All in this process; servers are not counted."""
    config, war = posted(place), place / "games/war"
    desk = Desk(war)
    seat, order = an_order(desk)
    last = next(one for one in outbox.of_game(war).newest() if one.seat == seat and one.reply_to)
    kept = place / "kept"
    shutil.copytree(war, kept / "war")
    shutil.copytree(config.folder, kept / "mailbox")

    def by_desk() -> None:
        with Lock(war):
            assert Desk(war).order(seat, order)[0].state == "done"

    def by_mail(raw: bytes) -> None:
        now = clock.now().replace(microsecond=0)
        with ExitStack() as stack:
            run = Run(config, config.games(), now, stack)
            run.ledger.receive(Copy(run.where, 1, 1), raw, now, len(raw))
            run.ledger.settle()
            way.deal_with_all(run)
            loop.tend(run)
            run.save()
        assert run.summary.counts == {"applied": 1}, run.summary.text()

    def anew(act: Callable[[], None]) -> float:
        found = []
        for _ in range(12):
            for name, folder in (("war", war), ("mailbox", config.folder)):
                shutil.rmtree(folder)
                shutil.copytree(kept / name, folder)
            idle(config)
            found.append(best(act, 1))
        return min(found)

    quote = "\n\nOn Monday the table wrote:\n" + "".join(f"> {line}\n" for line in last.text.splitlines())
    desk_took = anew(by_desk)
    yield Row("an order of a war game, opened and written", desk_took * 1000, unit="ms")
    for name, text in (("", order), (", quoting all", order + quote)):
        took = anew(partial(by_mail, reply(last, text)))
        yield Row(f"the same by mail, one of {GAMES} games{name}", took / desk_took, 2, "times that")


def an_order(desk: Desk) -> tuple[str, str]:
    """Something that somebody could send now."""
    question = desk.match.question
    assert question is not None
    seat = question.sides[0]
    orders = map(desk.match.say, question.offers(seat))
    return seat, next(one for one in orders if desk.dry_run(seat, one)[0].state in ("done", "sealed"))


def posted(place: Path) -> Config:
    """A mailbox with many games, in each of which everybody has been told what there is to tell."""
    folder = place / "games"
    folder.mkdir(parents=True)
    games.whole_game(games.Wanted(LONG_WAR, 4, folder=str(folder / "war"), most=SO_FAR))
    for number in range(1, GAMES):
        made(folder / f"game-{number}", 20, f"game-{number}")
    for one in folder.iterdir():
        tray = trays.read(one)
        tray.addresses = {seat: [f"{seat}.{one.name}@example.com"] for seat in Desk(one).match.seats}
        trays.write(one, tray)
    server = {"host": "localhost", "user": "table"}
    config = write(place / "mail.yaml", {"address": TABLE, "imap": server, "smtp": server, "secret": {"env": "NONE"},
                                         "games": ["games/*"], "pictures": "no"})
    for _ in range(3):                          # what was told is noted, and then all of them rest
        idle(config)
        for box in loop.boxes(config, config.games()):
            for item in box.unsent():
                box.change(item._replace(state="sent", sent=clock.stamp(clock.now())))
    return config


def idle(config: Config) -> None:
    """A run to which no mail comes; behind it files are as they are known."""
    with ExitStack() as stack:
        run = Run(config, config.games(), clock.now().replace(microsecond=0), stack)
        loop.tend(run)
        run.save()


def reply(to: Item, text: str) -> bytes:
    return (f"From: <{to.to}>\nTo: {to.reply_to}\nSubject: Re: {clean(to.subject)}\nMessage-ID: <1@example.com>\n"
            f"In-Reply-To: {to.message_id}\nContent-Type: text/plain; charset=utf-8\n\n{text}\n").encode()


def folded(game: gamelog.GameFile) -> None:
    Match(game.header).fold(game.entries, gamelog.survivors(game.entries))


def best(act: Callable[[], object], times: int = 5) -> float:
    """Seconds of computing, at best: others on the machine do not count."""
    found = []
    for _ in range(times):
        began = time.process_time()
        act()
        found.append(time.process_time() - began)
    return min(found)


def asked(command: str, folder: Path, seat: str, order: str) -> float:
    """Seconds of computing that a command takes in this game; with an order, where a seat asks."""
    words = command.format(folder=folder, seat=seat).split()
    return cpu("-m", "pbem", *words, *([order] if "{seat}" in command else []))


def cpu(*arguments: str, times: int = 7) -> float:
    """The same of a program. It runs where this one lies: in another checkout's folder Python would take that one's `pbem`."""
    found = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=PACKAGE.parent)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(found)


def made(folder: Path, entries: int, name: str = "bench") -> Path:
    """A log of so many marches to and fro, in which another player turn has begun of late."""
    folder.mkdir()
    secrets = scheme.Secrets(name, bytes(32), bytes(32), links=4)
    header = {"game": name, "format": FORMAT, "data": STATE, "engine": "0.1.0", "rules": {"edition": USUAL}, "seats": SEATS,
              "chance": {"scheme": 2, **secrets.commitments(), "links": 4, "words": dict.fromkeys(SEATS, ""), "beacon": "none"}}
    with Lock(folder):
        game = Desk.found(folder, header, START, promised(secrets))
        there = {"by": "red", "do": "march Seleukos with 3 loyal, 2 mercenary > Lamia"}
        back = {"by": "red", "do": "march Seleukos with 3 loyal, 2 mercenary > Larisa"}
        gamelog.append(folder, [there if number % 2 else back for number in range(1, entries // 2 * 2 - 1)], game.tray.plain())
        desk = Desk(folder)
        desk.order("red", "end activation\nend")
        assert desk.match.question is not None and desk.match.question.sides == ("blue",), desk.match.question
        desk.mark_posted(len(desk.game.entries) - 3)
    return folder
