"""Many whole games, in as many processes as there are cores: what they met, and what none of them came to."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pbem.base.folder import write_whole
from pbem.components.shipped import STATE, box_of
from pbem.dev import coverage, passing
from pbem.dev.games import Played, Wanted, chosen, known, whole_game
from pbem.dev.processes import in_many
from pbem.editions import EDITIONS, USUAL, ruleset

MAPPED = 25                             # of so many games one notes which functions were called
KEPT = 5                                # the file of counts is written after so many games
OFTEN = 100, 2000                       # each option and each use of a card comes up so many times in so many games
FURTHER = ("upgrade", "recruit")        # 6.2 C, D what any card with enough points can be spent for


class Failure(NamedTuple):
    """A game that went wrong, and how to play it again."""

    wanted: Wanted
    wrong: list[str]
    last: list[str]                     # steps

    def __str__(self) -> str:
        return f"whole_game({self.wanted}): " + "; ".join(self.wrong[:4])


class Summary(NamedTuple):
    """What many games met."""

    edition: str
    games: int = 0
    steps: int = 0
    entries: int = 0
    undone: int = 0
    seconds: float = 0.0
    won: Counter[str] = Counter()
    ties: Counter[str] = Counter()
    turns: Counter[str] = Counter()
    options: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    events: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    programs: Counter[str] = Counter()  # how many games each state of the program has played
    called: frozenset[tuple[str, str]] = frozenset()
    kept: Mapping[str, str] = {}        # folder -> the position it has to open at
    failures: tuple[Failure, ...] = ()

    def with_game(self, one: Played, wanted: Wanted) -> "Summary":
        met = one.met
        more = {"won": [one.won or "nobody"], "ties": one.ties, "turns": [str(one.turn)], "options": one.rules["options"],
                "kinds": met.kinds, "verbs": met.verbs, "refused": met.refused, "events": met.events, "cards": one.cards,
                "asked": one.asked, "passed": one.passed, "agreed": one.agreed, "programs": [program()]}
        counted = {name: getattr(self, name) + Counter(value) for name, value in more.items()}
        return self._replace(
            **counted, games=self.games + 1, steps=self.steps + met.steps, entries=self.entries + one.entries,
            undone=self.undone + one.undone, called=self.called | one.called,
            kept={**self.kept, one.folder: one.position} if one.folder else self.kept,
            failures=(*self.failures, Failure(wanted, met.wrong, met.trace)) if met.wrong else self.failures)

    def plain(self) -> dict[str, Any]:
        """For programs, and for a later run that goes on from here."""
        counted = {name: dict(value.most_common()) for name, value in self._asdict().items() if isinstance(value, Counter)}
        return {**self._asdict(), "seconds": round(self.seconds, 1), **counted, "called": sorted(self.called),
                "failures": [{**one._asdict(), "wanted": one.wanted._asdict()} for one in self.failures],
                "unmet": unmet(self), "seldom": seldom(self)}

    def __str__(self) -> str:
        lines = [f"{self.games} games, {self.steps} decisions, {self.entries} entries, {self.undone} undone, "
                 f"{self.steps / max(self.seconds, 0.001):.0f} decisions a second; {len(self.failures)} games went wrong"]
        for title, counts in (("won by", self.won), ("in turn", self.turns), ("ties", self.ties), ("options", self.options),
                              ("questions", self.kinds), ("asked by", self.asked), ("orders", self.verbs),
                              ("refusals", self.refused), ("events", self.events), ("cards", self.cards),
                              ("doors", self.passed), ("referees", self.agreed), ("programs", self.programs)):
            if counts:
                lines.append(f"{title:10}" + ", ".join(f"{name} {number}" for name, number in counts.most_common()))
        lines += [f"never {what:10}{', '.join(names)}" for what, names in unmet(self).items() if names]
        if rare := seldom(self):
            lines.append("seldom    " + ", ".join(f"{name} {number}" for name, number in rare.items()))
        for one in self.failures[:20]:
            lines.append(str(one))
            lines += [f"    {line}" for line in one.last]
        return "\n".join(lines)


def taken_up(given: Mapping[str, Any]) -> Summary:
    """What a former run has counted."""
    names = {name: given.get(name, value) for name, value in EMPTY._asdict().items()}       # a former program counted less
    counted = {name: Counter(value) for name, value in names.items() if isinstance(getattr(EMPTY, name), Counter)}
    failures = [Failure(Wanted(**{**one["wanted"], "options": tuple(one["wanted"]["options"])}), one["wrong"], one["last"])
                for one in given["failures"]]
    return Summary(**{**names, **counted, "called": frozenset(map(tuple, given["called"])), "failures": tuple(failures)})


EMPTY = Summary(USUAL)


@cache
def program() -> str:
    """The state of the program by which a game was played: what it came to says nothing of another one."""
    files = [file for room in ("rules", "cards", "editions", "kernel", "play", "table", "data")
             for file in sorted((coverage.ROOT / room).rglob("*")) if file.suffix in (".py", ".yaml", ".json")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def unmet(summary: Summary) -> dict[str, list[str]]:
    """What random play never came to."""
    from pbem.dev.between import pairs as between
    from pbem.dev.defaults import DEFAULTS
    from pbem.table.events import events

    return {
        "won by": [by for by in ("instant-L", "instant-VP", "regency", "end") if by not in summary.won],
        "tie": [by for by in ("makedonia", "macedonians", "seniority") if by not in summary.ties],
        "asked": [kind for kind in DEFAULTS if kind not in summary.kinds],
        "between": [pair for pair in between(summary.edition) if pair not in summary.verbs],
        "passed": [pair for pair in passing.pairs() if pair not in summary.passed],
        "told": [key for key in events() if key not in summary.events],
        "played": [use for use in uses(summary) if use not in summary.cards],
        "called": coverage.uncalled(summary.called) if summary.called else [],
    }


def uses(summary: Summary) -> Iterator[str]:
    """6, 6.2 All that the cards of these games can be played or turned up for."""
    from pbem.components.catalogue import facts

    rules = ruleset(summary.edition)
    both = "points_first" if rules.points_before_event else "bonus"
    for card, fact in facts(box=box_of(summary.edition, STATE)).cards.items():
        if fact["optional"] and card not in summary.options:
            continue
        if fact["kind"] == "surprise":
            yield f"{card} surprise"
            continue
        yield f"{card} event"
        if not (rules.events_that_must_be and fact["must_play"]):
            yield f"{card} ops"
        if fact["kind"] == "bonus":
            yield f"{card} {both}"
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


class Counts(NamedTuple):
    """A file of counts: a run that was broken off is gone on with, and a longer one begins where a shorter one ended."""

    file: Path
    what: Mapping[str, Any]             # which games are counted there

    def taken_up(self) -> Summary:
        if not self.file.exists():
            return EMPTY._replace(edition=self.what["edition"])
        kept = json.loads(self.file.read_text(encoding="utf-8"))
        if kept["what"] != self.what:
            raise ValueError(f"{self.file} counts other games: {kept['what']}")
        return taken_up(kept)

    def keep(self, summary: Summary) -> None:
        text = json.dumps({"what": self.what, **summary.plain()}, indent=1)
        write_whole(self.file, text.encode("utf-8"))


def play_games(
    games: int, players: int | None = None, seed: int = 0, edition: str = USUAL, keep: Path | None = None, *,
    options: bool = False, looks: bool = True, counts: Path | None = None, jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Play many whole games, each with its own seed; with `options` random optional rules, with `keep` in folders there.

    Without `looks` positions are looked at only where a phase is over, and one log in eleven is read again. With `counts`
    those that a former run has played are taken from that file, and what is played is added to it; what went wrong there is
    played again, and counts no more if it was mended.
    """
    began, file = perf_counter(), None
    total = EMPTY._replace(edition=edition)
    if counts is not None:
        what = {"players": players, "seed": seed, "edition": edition, "options": options, "looks": looks}
        file = Counts(counts, what)
        total = file.taken_up()
        total = total._replace(failures=tuple(still_wrong(total.failures)))
        file.keep(total)
    before = total.seconds
    coming = [wanted(seed + number, players, edition, keep, options=options)._replace(looks=looks)
              for number in range(total.games, games)]
    for one, asked in zip(in_many(whole_game, coming, jobs), coming, strict=True):
        total = total.with_game(one, asked)._replace(seconds=before + perf_counter() - began)
        if file is not None and (total.games % KEPT == 0 or total.games == games):
            file.keep(total)
        if progress is not None:
            progress(total.games, games)
    return total


def still_wrong(failures: Iterable[Failure]) -> Iterator[Failure]:
    for one in failures:
        again = whole_game(one.wanted)
        if again.met.wrong:
            yield Failure(one.wanted, again.met.wrong, again.met.trace)


def wanted(seed: int, players: int | None, edition: str, keep: Path | None, *, options: bool) -> Wanted:
    """The game of a seed: how many play it, and by which optional rules."""
    numbers = sorted(EDITIONS[edition].instant_points)
    count = players or numbers[seed % len(numbers)]
    one = Wanted(seed, count, edition, chosen(seed, edition) if options else (), mapped=seed % MAPPED == 0)
    name = f"{edition}-{count}-{seed}"
    return one._replace(folder=str(keep / name)) if keep is not None else one
