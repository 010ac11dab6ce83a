"""Whatever is sent, by whomever and in whatever order: of each line its sender hears what became of it, or it lies here."""

from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from small_game import MARCH, NOON, found

from pbem.desk.submission import Outcome
from pbem.mail import ordering
from pbem.mail.desk import MailDesk
from pbem.rules.war import MODERATOR

SEEDS = 40                              # 1,500 were played once
MAILS = 12
START = {**MARCH, "mp": {"antigonos": 5}}
OWN = {"red": "Antigonos", "blue": "Lysimachos", "yellow": "Kassandros", "black": "Demetrios"}
SPACES = ("Ephesos", "Halikarnassos", "Sardeis", "Pergamon", "Xanthos", "Lamia")


class Watched(MailDesk):
    """Keeps what became of lines that had waited."""

    went_on: list[Outcome]

    def run(self, *, release: str = "") -> list[Outcome]:
        outcomes = super().run(release=release)
        self.went_on += [one for one in outcomes if one.seat]
        return outcomes

    @property
    def lying(self) -> dict[str, Counter[str]]:
        return {seat: Counter(self.waiting(seat)) for seat in self.match.seats}


def some_line(desk: Watched, seat: str, chance: Random) -> str:
    """What is offered, what may be for later, what has a condition, several in one, nonsense."""
    question = desk.match.question
    assert question is not None
    offers = [desk.match.say(one) for one in islice(question.offers(seat), 30)] if seat in question.sides else ["pass", "roll"]
    march = f"march {OWN[seat]} > {' > '.join(chance.sample(SPACES, chance.randint(1, 3)))}"
    return chance.choice((
        chance.choice(offers), chance.choice(offers), "roll", march, f"{march} yes", f"roll; {march}", f"{march}; end",
        f"if MP >= {chance.choice((2, 9))}: {march}", "end", "pass", "a", "banana",
        f"standing: pass on {chance.choice(('interception', 'evasion'))}, once"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_of_each_line_its_sender_hears_or_it_lies_here(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    found(tmp_path / "g", START, cards=True)
    desk = Watched(tmp_path / "g", now=NOON)
    for number in range(MAILS):
        question = desk.match.question
        if question is None or question.sides == (MODERATOR,):
            break
        seat = chance.choice(question.sides if chance.random() < 0.8 else list(desk.match.seats))
        lines = [some_line(desk, seat, chance) for _ in range(chance.randint(1, 4))]
        before, desk.went_on = desk.lying, []
        told = ordering.ordered(desk, seat, lines, f"m{number}", stale=False)
        # Several lines may be one answer; of one that was done in part the rest lies here as it was spelt out.
        assert [one for one in lines if not any(one in other.line for other in told)] == []
        assert [one.line for one in told if one.state in ("waiting", "held", "prepared") and not one.did and not one.is_step
                and not any(one.line in lies for lies in desk.lying[seat])] == []
        for one in desk.went_on:
            if one.error is not None or one.state == "unread":
                assert set(one.left or [one.line]) <= desk.lying[one.seat].keys(), (one.seat, one.line)
        became = {(one.seat, one.line) for one in desk.went_on}
        for other in before.keys() - {seat}:
            assert {line for line in before[other] - desk.lying[other] if (other, line) not in became} == set()
