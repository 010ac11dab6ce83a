"""`pbem dev prove`: everything that is proved by numbers, in full numbers. Each part says what it did and how long it took."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from pbem import chance_check, gamelog, publishing, verify, verify_min
from pbem.dev import cases, fuzz, games, play
from pbem.dev.secrecy import secret_game
from pbem.folder import Lock

FULL = 5000                             # what `--games` stands at for the full counts
TESTS = Path(__file__).resolve().parents[2] / "tests"
MEMORY = Path("/dev/shm")               # a disk is made to wait at every line
Echo = Callable[[str], None]


class Part(NamedTuple):
    """One proof: how often it runs at full count, and what it does; it tells what it did and what went wrong."""

    name: str
    full: int
    run: Callable[[int, Echo], tuple[str, list[str]]]


def prove(count: int, echo: Echo) -> bool:
    """All parts, in numbers that are to their full ones as `count` to 5,000; False if anything went wrong."""
    fine = True
    for part in PARTS:
        wanted = max(1, part.full * count // FULL) if part.full else 0
        began = perf_counter()
        echo(f"{part.name}: {wanted or 'all'} ...")
        did, wrong = part.run(wanted, echo)
        took = perf_counter() - began
        each = f", {took / wanted:.2f} s each" if wanted else ""
        echo(f"{part.name}: {did}; {took:.0f} s{each}: {'FAILED' if wrong else 'fine'}")
        for line in wrong[:20]:
            echo(f"    {line}")
        fine = fine and not wrong
    return fine


# --- the parts ---------------------------------------------------------------------------------------------------


def rule_cases(count: int, echo: Echo) -> tuple[str, list[str]]:
    """Every case there is; unknown is not enough."""
    verdicts = cases.run([*sorted((TESTS / "cases").glob("*.yaml")), *sorted((TESTS / "cards").glob("*.yaml"))])
    told = Counter(one.verdict for one in verdicts)
    return (f"{len(verdicts)} cases: " + ", ".join(f"{number} {verdict}" for verdict, number in told.most_common()),
            [str(one) for one in verdicts if one.verdict in ("fail", "unknown")])


def marches(count: int, echo: Echo) -> tuple[str, list[str]]:
    summary = play.play(count)
    return (f"{summary.games} games of marches, {summary.steps} decisions",
            [f"march_game({one.seed}, {one.players}): {'; '.join(one.wrong)}" for one in summary.wrong])


def whole(edition: str, *, options: bool = False) -> Callable[[int, Echo], tuple[str, list[str]]]:
    """Whole games by these rules; what random play never came to is told, and is no failure."""
    def run(count: int, echo: Echo) -> tuple[str, list[str]]:
        summary = games.play_games(count, edition=edition, options=options)
        for what, names in games.unmet(summary).items():
            if names:
                echo(f"    never {what}: {', '.join(names)}")
        rare = [f"{name} {number}" for name, number in summary.options.items() if number < 100]
        if options and count >= 1000 and rare:
            echo(f"    options in fewer than 100 games: {', '.join(rare)}")
        won = ", ".join(f"{by} {number}" for by, number in summary.won.most_common())
        ties = ", ".join(f"{by} {number}" for by, number in summary.ties.most_common()) or "none"
        return (f"{summary.games} whole games, {summary.steps} decisions, {summary.undone} undone, won by {won}; ties: {ties}",
                [f"whole_game({games.wanted_of(one)}): {'; '.join(one.met.wrong)}" for one in summary.failures])

    return run


def secrecy(count: int, echo: Echo) -> tuple[str, list[str]]:
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        leaks = [line for lines in pool.imap_unordered(one_secret_game, range(count)) for line in lines]
    return f"{count} games rendered with and without what is private, {len(leaks)} leaks", leaks


def one_secret_game(seed: int) -> list[str]:
    """For other processes, which find it by its name."""
    return [f"secret_game({seed}): {line}" for line in secret_game(seed)]


def verifying(count: int, echo: Echo) -> tuple[str, list[str]]:
    """Games from the moderator's desk, published; both verifiers find them right, and wrong once a die was changed."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        summary = games.play_games(count, seed=90_000, keep=Path(place))
        wrong = [f"whole_game({games.wanted_of(one)}): {'; '.join(one.met.wrong)}" for one in summary.failures]
        checked = 0
        for folder in sorted(Path(place).iterdir()):
            wrong += [f"{folder.name}: {line}" for line in verified(folder, folder / "out" / "published")]
            checked += 1
    return f"{checked} games kept at the desk and published, {summary.entries} entries, checked by both verifiers", wrong


def verified(folder: Path, target: Path) -> Iterator[str]:
    """What the two verifiers do not find right in a kept game, or not wrong in a forged one."""
    with Lock(folder):
        publishing.publish(folder, target)
    game = gamelog.read_game(target)
    yield from (f"verify: {one}" for one in verify.verify(target) if one.state == chance_check.FAILED)
    log = verify.whole(game)
    yield from (f"verify_min: entry {at}, {what}" for at, what, right in verify_min.verify(log) if right is False)
    forged, number = with_another_die(game, Random(folder.name))
    if number:
        small = [at for at, _, right in verify_min.verify(forged) if right is False]
        large = [one.entry for one in chance_check.check_game(forged) if one.state == chance_check.FAILED]
        if number not in small or number not in large:
            yield f"a forged die in entry {number} is found by verify_min at {small}, by verify at {large}"


def with_another_die(game: gamelog.GameFile, rng: Random) -> tuple[dict[str, Any], int]:
    """The log with one die turned that can be checked by now; and the entry's number, 0 where there is none."""
    log = verify.whole(game)
    opened = {entry["open"]["epoch"] for entry in game.entries if "open" in entry}
    rolled = [one.entry for one in verify.rolls(game) if one.epoch in opened and isinstance(
        game.entries[one.entry - 1]["dice"][0][1], int)]
    if not rolled:
        return log, 0
    number = rng.choice(rolled)
    entry = game.entries[number - 1]
    first, *others = entry["dice"]
    forged = {**entry, "dice": [[first[0], first[1] % 6 + 1, *first[2:]], *others]}
    return {**log, "log": [*game.entries[:number - 1], forged, *game.entries[number:]]}, number


def mails(count: int, echo: Echo) -> tuple[str, list[str]]:
    found = fuzz.mails(count)
    return f"{count} mutated mails read", list(found.failures)


def lines(count: int, echo: Echo) -> tuple[str, list[str]]:
    found = fuzz.order_lines(count)
    return f"{count} order lines that nobody would type", list(found.failures)


PARTS = (
    Part("cases", 0, rule_cases),
    Part("marches", 5000, marches),
    Part("whole games", 500, whole("fourth")),
    Part("whole games with options", 2000, whole("fourth", options=True)),
    Part("whole games, draft", 100, whole("draft", options=True)),
    Part("whole games, 3rd edition", 100, whole("third", options=True)),
    Part("secrecy", 200, secrecy),
    Part("verify", 40, verifying),
    Part("mails", 20_000, mails),
    Part("order lines", 20_000, lines),
)
