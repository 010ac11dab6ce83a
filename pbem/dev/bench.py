"""Ratios, never bare times: each command against an empty interpreter and against a floor that does only what must be done."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.base.folder import Lock
from pbem.base.paths import games_dir
from pbem.chance import scheme
from pbem.desk.desk import Desk
from pbem.desk.tray import promised
from pbem.dev import games
from pbem.editions import USUAL
from pbem.log import gamelog
from pbem.log.header import FORMAT
from pbem.play import odds
from pbem.play.match import Match
from pbem.table import position

FLOOR = """
import click, yaml, jinja2, json, sys
from pbem.base.yamlfile import load
from pbem.components.catalogue import facts
data = load(__import__('pathlib').Path(sys.argv[1]) / 'game.yaml')
facts()
from pbem.desk.desk import Desk
game = Desk(__import__('pathlib').Path(sys.argv[1]), published=True)
text = jinja2.Environment().from_string('{% for line in lines %}{{ line }}\\n{% endfor %}').render(
    lines=[event.key for _, event in game.match.history])
sys.stdout.write(text[:0])
"""
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
SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": "Chiara"}}


def rows(longest: int) -> Iterator[str]:
    """The table of ratios."""
    with TemporaryDirectory() as place:
        small = made(Path(place) / "small", 200)
        empty = best(lambda: ran("-c", "pass"))
        floor = best(lambda: ran("-c", FLOOR, str(small)))
        yield f"empty interpreter                    1.00   ({empty * 1000:.0f} ms here)"
        for name, arguments in (("pbem --version", ("--version",)), ("pbem status", ("status", str(small))),
                                ("pbem report", ("report", str(small)))):
            one = best(partial(ran, "-m", "pbem", *arguments))
            yield f"{name:<36} {one / empty:.2f} x empty, {one / floor:.2f} x the floor of a report"
        yield f"floor: imports, load, fold, render   {floor / empty:.2f} x empty"
        per_entry: dict[int, float] = {}
        for count in (longest // 10, longest):
            game = gamelog.read_whole(made(Path(place) / str(count), count))
            per_entry[count] = best(partial(folded, game), 3) / count
            yield f"replay of {count:>6} entries             {per_entry[count] * 1e6:.1f} us an entry besides the YAML"
        short, long = per_entry[longest // 10], per_entry[longest]
        yield f"linearity to {longest} entries         {long / short:.2f} x per entry"
        game_with_battle = Match(gamelog.read_whole(small).header).g
        position.state(game_with_battle, BATTLE)
        odds_of = best(lambda: odds.outlook(game_with_battle, "red", "blue", "lamia"), 3)
        yield from war_rows(Path(place) / "war", empty)
        yield f"odds of the largest battle           {odds_of / empty:.2f} x empty ({odds_of * 1000:.0f} ms here, goal 50)"


def war_rows(folder: Path, empty: float) -> Iterator[str]:
    """A whole war game, played at random with every check, and what came to lie in its folder."""
    began = time.perf_counter()
    played = games.whole_game(games.Wanted(LONG_WAR, 4, folder=str(folder)))
    took = time.perf_counter() - began
    yield f"random play with all checks          {played.met.steps / took:.0f} decisions a second, kept at the desk"
    floor = best(lambda: ran("-c", FLOOR, str(folder)), 3)
    for command in ("status", "report"):
        one = best(partial(ran, "-m", "pbem", command, str(folder)), 3)
        yield f"pbem {command:<6} of a war game          {one / empty:.2f} x empty, {one / floor:.2f} x its floor"
    for name, place in (("a war game", folder), ("the regency", games_dir() / "regency")):
        game = gamelog.read_whole(place)
        each = best(partial(folded, game), 3) / len(game.entries)
        yield f"replay of {name:<26} {each * 1e6:.1f} us an entry, {len(game.entries)} entries"


def folded(game: gamelog.GameFile) -> None:
    Match(game.header).fold(game.entries, gamelog.survivors(game.entries))


def best(act: Callable[[], object], times: int = 5) -> float:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append(time.perf_counter() - began)
    return min(found)


def ran(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def made(folder: Path, entries: int) -> Path:
    """A log of so many marches to and fro."""
    folder.mkdir()
    secrets = scheme.Secrets("bench", bytes(32), bytes(32), links=4)
    header = {"game": "bench", "format": FORMAT, "engine": "0.1.0", "rules": {"edition": USUAL}, "seats": SEATS,
              "chance": {"scheme": 2, **secrets.commitments(), "links": 4, "words": dict.fromkeys(SEATS, ""), "beacon": "none"}}
    with Lock(folder):
        game = Desk.found(folder, header, START, promised(secrets))
        there = {"by": "red", "do": "march Seleukos with 3 loyal, 2 mercenary > Lamia"}
        back = {"by": "red", "do": "march Seleukos with 3 loyal, 2 mercenary > Larisa"}
        gamelog.append(folder, [there if number % 2 else back for number in range(1, entries)], game.tray.plain())
    return folder
