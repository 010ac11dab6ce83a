"""Many whole games, in as many processes as there are cores: what they met, and what none of them came to."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pbem.dev import coverage
from pbem.dev.games import Played, Wanted, chosen, known, whole_game
from pbem.editions import EDITIONS, USUAL

MAPPED = 25                             # of so many games one notes which functions were called
OFTEN = 100, 2000                       # each option and each use of a card comes up so many times in so many games
NEVER_FREE = ("ruling", "card_ruling", "turn_up", "elephant_reroll")  # asked of nobody who could act freely
FURTHER = ("upgrade", "recruit")        # 6.2 C, D what any card with enough points can be spent for


class Summary(NamedTuple):
    """What many games met."""

    edition: str
    games: int
    steps: int
    entries: int
    undone: int
    seconds: float
    won: Counter[str]
    ties: Counter[str]
    turns: Counter[int]
    options: Counter[str]
    kinds: Counter[str]
    verbs: Counter[str]
    refused: Counter[str]
    events: Counter[str]
    cards: Counter[str]
    asked: Counter[str]
    called: set[tuple[str, str]]
    kept: dict[str, str]                # folder -> the position it has to open at
    failures: list[Played]

    def plain(self) -> dict[str, Any]:
        """For programs."""
        counted = {name: dict(value.most_common()) for name, value in self._asdict().items() if isinstance(value, Counter)}
        return {"edition": self.edition, "games": self.games, "steps": self.steps, "entries": self.entries,
                "undone": self.undone, "seconds": round(self.seconds, 1), **counted, "unmet": unmet(self),
                "seldom": seldom(self), "kept": self.kept,
                "failures": [{"seed": one.met.seed, "players": one.players, "edition": one.edition, "rules": one.rules,
                              "wrong": one.met.wrong, "last": one.met.trace} for one in self.failures]}

    def __str__(self) -> str:
        lines = [f"{self.games} games, {self.steps} decisions, {self.entries} entries, {self.undone} undone, "
                 f"{self.steps / max(self.seconds, 0.001):.0f} decisions a second; {len(self.failures)} games went wrong"]
        for title, counts in (("won by", self.won), ("in turn", self.turns), ("ties", self.ties), ("options", self.options),
                              ("questions", self.kinds), ("asked by", self.asked), ("orders", self.verbs),
                              ("refusals", self.refused), ("events", self.events), ("cards", self.cards)):
            if counts:
                lines.append(f"{title:10}" + ", ".join(f"{name} {number}" for name, number in counts.most_common()))
        lines += [f"never {what:10}{', '.join(names)}" for what, names in unmet(self).items() if names]
        if rare := seldom(self):
            lines.append("seldom    " + ", ".join(f"{name} {number}" for name, number in rare.items()))
        for one in self.failures[:20]:
            lines.append(f"whole_game({wanted_of(one)}): " + "; ".join(one.met.wrong[:4]))
            lines += [f"    {line}" for line in one.met.trace]
        return "\n".join(lines)


def wanted_of(one: Played) -> Wanted:
    return Wanted(one.met.seed, one.players, one.edition, tuple(one.rules["options"]))


def unmet(summary: Summary) -> dict[str, list[str]]:
    """What random play never came to."""
    from pbem.dev.between import FREE, MAY
    from pbem.dev.defaults import DEFAULTS
    from pbem.table.events import events

    return {
        "won by": [by for by in ("instant-L", "instant-VP", "regency", "end") if by not in summary.won],
        "tie": [by for by in ("makedonia", "macedonians", "seniority") if by not in summary.ties],
        "asked": [kind for kind in DEFAULTS if kind not in summary.kinds],
        "between": [f"{sort} upon {kind}" for kind, what in FREE.items() if what == MAY and kind not in NEVER_FREE
                    for sort in ("free", "surprise") if f"{sort} upon {kind}" not in summary.verbs],
        "told": [key for key in events() if key not in summary.events],
        "played": [use for use in uses(summary) if use not in summary.cards],
        "called": coverage.uncalled(summary.called) if summary.called else [],
    }


def uses(summary: Summary) -> Iterator[str]:
    """6, 6.2 All that the cards of these games can be played or turned up for."""
    from pbem.components.catalogue import facts

    for card, fact in facts().cards.items():
        if fact["optional"] and card not in summary.options:
            continue
        if fact["kind"] == "surprise":
            yield f"{card} surprise"
            continue
        yield from (f"{card} event", f"{card} ops")
        if fact["kind"] == "bonus":
            yield f"{card} bonus"
        if fact["resolved_when_revealed"]:
            yield f"{card} revealed"


def seldom(summary: Summary) -> dict[str, int]:
    """The uses of cards, and where options were drawn these too, that came up less often than they should."""
    counts = {use: summary.cards[use] for use in uses(summary)}
    for way in FURTHER:
        counts[way] = sum(number for use, number in summary.cards.items() if use.endswith(f" {way}"))
    if summary.options:
        counts |= {number: summary.options[number] for number in known(summary.edition)}
    often, games = OFTEN
    rare = {name: number for name, number in counts.items() if number * games < often * summary.games}
    return dict(sorted(rare.items(), key=lambda one: one[1]))


def play_games(
    games: int, players: int | None = None, seed: int = 0, edition: str = USUAL, keep: Path | None = None, *,
    options: bool = False, jobs: int | None = None, progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Play many whole games, each with its own seed; with `options` random optional rules, with `keep` in folders there."""
    from time import perf_counter

    began = perf_counter()
    total = Summary(edition, 0, 0, 0, 0, 0.0, Counter(), Counter(), Counter(), Counter(), Counter(), Counter(), Counter(),
                    Counter(), Counter(), Counter(), set(), {}, [])
    for one in results([wanted(seed + number, players, edition, keep, options=options) for number in range(games)], jobs):
        met = one.met
        for mine, its in ((total.kinds, met.kinds), (total.verbs, met.verbs), (total.refused, met.refused),
                          (total.events, met.events), (total.cards, one.cards), (total.asked, one.asked),
                          (total.ties, Counter(one.ties)), (total.options, Counter(one.rules["options"]))):
            mine.update(its)
        total.won[one.won or "nobody"] += 1
        total.turns[one.turn] += 1
        total.called.update(one.called)
        if one.folder:
            total.kept[one.folder] = one.position
        total = total._replace(
            games=total.games + 1, steps=total.steps + met.steps, entries=total.entries + one.entries,
            undone=total.undone + one.undone, seconds=perf_counter() - began,
            failures=[*total.failures, one] if met.wrong else total.failures)
        if progress is not None:
            progress(total.games, games)
    return total


def wanted(seed: int, players: int | None, edition: str, keep: Path | None, *, options: bool) -> Wanted:
    """The game of a seed: how many play it, and by which optional rules."""
    numbers = sorted(EDITIONS[edition].instant_points)
    count = players or numbers[seed % len(numbers)]
    one = Wanted(seed, count, edition, chosen(seed, edition) if options else (), mapped=seed % MAPPED == 0)
    name = f"{edition}-{count}-{seed}"
    return one._replace(folder=str(keep / name)) if keep is not None else one


def results(games: list[Wanted], jobs: int | None) -> Iterator[Played]:
    import os

    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(games) < 4:
        yield from map(whole_game, games)
        return
    from multiprocessing import get_context

    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(whole_game, games, chunksize=1)
