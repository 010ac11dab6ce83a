"""Whatever a seat asks or tries, it learns nothing of what others hold, have sent or will draw: the answer is the same, byte
for byte, where all of that is exchanged, and where there is none of it."""

import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbem.chance import scheme
from pbem.chance.course import Course
from pbem.chance.draws import Keys
from pbem.chance.hidden import Hidden, OwnHand
from pbem.desk import answering, posing, requesting
from pbem.desk.opengame import blank
from pbem.desk.tray import Answer, Filed, Letter, News, StandingOrder, Tray, Turn
from pbem.dev.fuzz import under_way
from pbem.dev.secrecy import Glass
from pbem.log import gamelog
from pbem.mail import config, ordering, paste, requests
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.request import AT_DESK, BY_MAIL, BY_POST, Request
from pbem.play.match import Match
from pbem.rules import hand

POSITIONS = 4
CARDS_TRIED, OFFERS_TRIED = 6, 6


class Asked(Glass, MailDesk):
    """A desk at which a position stands, with whatever is hidden there."""

    def __init__(self, desk: Glass, place: Path, tray: Tray, keys: Keys | None, secret: Any) -> None:
        self.secret = None
        super().__init__(desk.game.header, tray, None)
        self.place = self.folder = place
        self.game, self.keys, self.secret, self.pictures = desk.game, keys, secret, {}
        self._base, self._new = desk.game, []
        self.match = self._folded()

    def _folded(self) -> Match:
        """The log, whatever lay hidden when it was played; and then what lies hidden here."""
        self.course = Course(self.header, self.game.entries)
        match = blank(self.header, self.corrections, None, Tray())
        match.fold(self.game.entries, gamelog.survivors(self.game.entries))
        match.g.secret = self.secret
        return match


def hidden(desk: Glass, seat: str, chance: random.Random) -> Hidden:
    """The same own hand; all that this seat does not see lies anywhere else. For nobody's eyes all hands are others."""
    g = desk.match.g
    known = {seat: list(g.secret.hand(seat))} if seat in g.seats else {}
    unseen = [card for card in g.deck_cards if hand.could_hold(g, seat or g.seats[0], card) and card not in known.get(seat, ())]
    unseen += [card for card in g.secret.hand(g.seats[0]) if card not in unseen] if not known else []
    chance.shuffle(unseen)
    hands = {one: [unseen.pop() for _ in range(g.hands[one])] for one in g.seats if one != seat}
    made = Hidden(None, {**hands, **known}, unseen[g.face_down:])
    made.face_down = unseen[:g.face_down]
    return made


def sent_by_others(desk: Glass, seat: str, secret: Hidden, chance: random.Random) -> Tray:
    """What lies at the moderator's of the other seats."""
    tray, match = Tray(tray=2), desk.match
    question = match.question
    for other in match.seats:
        if other == seat:
            continue
        if question is not None and question.sealed and other in question.sides:
            offers = list(islice(question.candidates(other), OFFERS_TRIED))
            tray.answers.append(Answer(seat=other, question=question.id, text=match.say(chance.choice(offers))))
        tray.answers.append(Answer(seat=other, question="T1.R1.none.1", text="at Lamia: pass", ahead=True))
        tray.filed += [Filed(seat=other, trigger=f"{word}", text=f"play {card} as surprise", turn=match.g.turn)
                       for card in secret.hand(other) for word in ("battle", "card")]
        tray.turns.append(Turn(seat=other, lines=["roll", "end segment"], held=chance.random() < 0.5))
        tray.standing.append(StandingOrder(seat=other, no=1, kind="interception", answer="pass", left=0))
        tray.letters.append(Letter(seat=other, to=[one for one in match.seats if one not in (seat, other)], text="x", waits=[]))
        tray.news.append(News(other, "void", 3, ["pass"]))
    return tray


def tried(desk: Glass, seat: str, chance: random.Random) -> list[str]:
    """What this seat could think of: what it is offered, cards by number, and to look behind what it throws away."""
    match, g = desk.match, desk.match.g
    own = g.secret.hand(seat)
    cards = chance.sample(sorted(g.facts.cards), CARDS_TRIED)
    texts = [f"play {card} as {how}" for card in (*own, *cards) for how in ("ops", "surprise")]
    texts += [f"discard {one} regardless\nplay {card} as ops" for one in own for card in cards[:4]]
    if match.question is not None and seat in match.question.sides:
        texts += [match.say(one) for one in islice(match.question.offers(seat), OFFERS_TRIED)]
    return [*texts, "pass", "roll", "end segment", "end", "standing: list", "dance"]


REQUESTS = {
    "status": [""], "resend": [""], "history": ["", "1", "whole"], "hand": [""],
    "options": [""], "proof": [""], "help": [""],
    "map": ["", "Lydia"], "standing": ["", ": list"], "reserve": ["", "battle, sea", "nothing"],
    "undo": [": a slip", " yes"], "check": ["", "end"],
    "absent": ["2026-02-01 2026-02-05", "soon"], "file": ["", "battle: play 48 as surprise", "back 1"],
    "press": ["all: hello", "nobody: hello"], "word": ["elephants"], "observe": ["a@example.com", "stop"],
    "reports": ["daily", "never"], "guide": [""],
}


def answers(desk: Asked, seat: str, texts: list[str]) -> dict[str, Any]:
    """All that comes back to this seat."""
    mailbox = config.write(desk.folder / "mail.yaml", {
        "address": "host@example.org", "imap": {"host": "localhost"}, "smtp": {"host": "localhost"}, "games": ["."]})
    told: dict[str, Any] = {}
    for text in texts:
        trial = desk.trial(seat)
        first = len(trial.game.entries) + 1
        outcomes = trial.order(seat, text)
        told[f"tried {text}"] = (answering.receipt(trial, outcomes, first), answering.receipt_data(trial, outcomes))
        told[f"a post {text}"] = paste.receipts(trial, seat, outcomes)
        told[f"by mail {text}"] = (ordering.throws(desk, seat, [text]), ordering.is_interrupt(desk, seat, text),
                                   ordering.aim(desk, seat, [text]))
    told["question"] = posing.question_text(desk, seat), posing.question_data(desk, seat)
    desk.mail.secret = "the same for all"        # from which references are made; it is nobody's card
    for name, rests in REQUESTS.items():
        for rest in rests:
            line, asked = f"{name} {rest}".rstrip(), []
            for channel, box in ((BY_MAIL, mailbox), (AT_DESK, None)):
                mails: list[Any] = []
                ask = Request(desk, box, Sender(seat, "m1", f"{seat}@example.com", "<1@example.com>"), mails, [], channel)
                asked.append((requests.answer(ask, line), mails))
            told[f"{name} {rest}"] = asked
            told[f"by post {name} {rest}"] = paste.answer(desk, seat, line, requests.way(requests.COMMANDS[name], BY_POST))
    told["hand "] = [one.text.partition("\n\n")[0] for one, _ in told["hand "]]   # what proves it hangs on the keys
    told["by post hand "] = told["by post hand "].partition("\n\n")[0]
    return told


def in_the_thread(told: dict[str, Any]) -> dict[str, Any]:
    """What everybody reads of it."""
    return {asked: answer for asked, answer in told.items() if asked.startswith("by post ")
            and requests.way(requests.COMMANDS[asked.split()[2]], BY_POST) != requesting.PRIVATE}


def test_every_request_is_tried_here() -> None:
    assert REQUESTS.keys() == requests.COMMANDS.keys()


@pytest.mark.parametrize("number", range(POSITIONS))
def test_what_is_asked_tells_nothing_that_is_hidden(number: int, tmp_path: Path) -> None:
    chance = random.Random(f"asking {number}")
    desk = under_way(chance)
    place = tmp_path / "g"
    place.mkdir()
    gamelog.create(place, desk.game.header, desk.game.entries, None)
    seat = chance.choice(sorted(desk.match.g.seats))
    texts = tried(desk, seat, chance)
    own, g, header = desk.match.g.secret.hand(seat), desk.match.g, desk.game.header

    def keys() -> Keys:
        secrets = scheme.Secrets(header["game"], chance.randbytes(32), chance.randbytes(32), header["chance"]["links"])
        return Keys(header["game"], secrets, header["chance"]["words"])

    real = answers(Asked(desk, place, sent_by_others(desk, seat, g.secret, chance), desk.keys, g.secret), seat, texts)
    other = hidden(desk, seat, chance)
    exchanged = answers(Asked(desk, place, sent_by_others(desk, seat, other, chance), keys(), other), seat, texts)
    alone = answers(Asked(desk, place, Tray(tray=2), None, OwnHand(seat, own)), seat, texts)
    assert len(real) > 40 and len(in_the_thread(real)) > 10
    others = hidden(desk, "", chance)
    strangers = in_the_thread(answers(Asked(desk, place, Tray(tray=2), keys(), others), seat, []))
    for asked, told in in_the_thread(real).items():
        assert strangers[asked] == told, asked             # nor does the thread learn of the asker's own hand
    for asked, told in real.items():
        assert exchanged[asked] == told, asked
        assert alone[asked] == told, asked
