"""Pages of random games: what everybody's page holds is made of the published log alone, and nothing private stands in it.

While a game is played, its page is made at the desk that has everything private, where cards lie filed and standing orders
wait, and by somebody who has the published log: the two have to be the same, and no secret, address or sentence of the
private file may stand in any of its texts, in the log that goes along for the order desk, or in what this desk is answered.
"""

import json
from collections.abc import Iterator
from random import Random

from pbem.browser.answers import Engine
from pbem.browser.opened import log_of
from pbem.desk import publishing
from pbem.desk.showing import PUBLIC
from pbem.dev.games import Wanted, beginning, chosen, on, prepared, told_of
from pbem.dev.secrecy import MOST_LEAKS, NEVER, First
from pbem.page.written import SCRIPT, written
from pbem.play import proof

EVERY = 200                             # entries to the first page, and twice as many to each further one: it tells all of them


class Paged(First):
    """A game as it is played, with its page looked at now and then."""

    pages = 0

    def look(self, *, window: bool = True) -> None:
        self.listen()
        self.reader.read_on(self.desk.game)
        if not self.pages and self.match.question is not None:
            for seat in self.g.seats:
                self.desk.order(seat, NEVER)
        if window and len(self.entries) >= self.every * 2 ** self.pages:
            self.paged()

    def compare(self, fmt: str) -> dict[str, str]:
        """Reports are another proof's."""
        return {}

    def paged(self) -> None:
        self.pages += 1
        ours, theirs = written(self.desk, PUBLIC), written(self.reader, PUBLIC)
        found = [f"{name}: not what the published log gives" for name, one, other in (
            ("the page", ours.frame, theirs.frame), (SCRIPT, ours.data, theirs.data)) if one != other]
        log = log_of(self.reader.game)
        told = {"the page": theirs.beside(SCRIPT), SCRIPT: json.dumps(theirs.data, ensure_ascii=False),
                "the log": json.dumps(log, ensure_ascii=False), proof.LOG: proof.log_text(self.reader.game),
                **dict(answered(log, self.other))}
        found += [f"{name}: {leak.what} {leak.of}" for name, text in told.items()
                  for leak in publishing.leaks(self.desk, text)]
        self.leaks += [f"entry {len(self.entries)}, {line}" for line in found]


def answered(log: object, seat: str) -> Iterator[tuple[str, str]]:
    """What the order desk says to a seat that has entered no card."""
    engine = Engine()
    engine.answer(json.dumps({"pbem": 1, "ask": "open", "log": log}))
    for ask in ("check", "question"):
        yield f"the desk's {ask}", engine.answer(json.dumps({"pbem": 1, "ask": ask, "seat": seat, "lines": ""}))


def paged_game(seed: int, *, most: int = 0, every: int = EVERY) -> list[str]:
    """The leaks of one random game, empty when there are none."""
    wanted = Wanted(seed, 2 + seed // 2 % 4, options=chosen(seed), most=most)
    rng, sheet = prepared(wanted)
    header, secrets = beginning(wanted, sheet.rules)
    try:
        game = Paged(header, secrets, Random(f"pages {seed}"), every)
        wrong = on(game, rng, [], sheet, most).met.wrong
        game.paged()
    except Exception as fault:          # a page that cannot be made is no page
        return [told_of(fault)]
    return [*wrong, *game.leaks][:MOST_LEAKS]
