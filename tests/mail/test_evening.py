"""An evening at the desk: four people, three ways, three languages, from `pbem new` to the end of Game Turn II, as they type.

Anna and Bruno write English mails, Dora Italian ones, Chiara reads the thread in German. The mailbox runs by itself; what
the moderator types is counted, and every message is looked at for what it tells.
"""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from itertools import count

import pytest
from at_the_shell import said
from table import Table, body, changed, columns

from pbem.desk.reporting import came_of
from pbem.mail.desk import MailDesk
from pbem.orders import Order
from pbem.rules.war import MODERATOR
from pbem.table.state import SEGMENTS, Game
from pbem.telling.offers import lettered

PEOPLE = {"red": "anna@example.com", "blue": "bruno@example.com", "black": "dora@example.com"}      # Chiara has no mail
LETTERS = ["({})", '"{}"', "{}.", "**{}**", "{} )", "“{}”", "{}"]           # how a letter is typed
PASSES = {"red": "I pass", "blue": "no thanks, pass", "yellow": "ich passe", "black": "passo"}
ENGLISH = re.compile(r"\b(?:Waiting for|You may|done|sealed|Reference for your answer|Your hand|in the log)\b")

HEADING = re.compile(r"\w+'s \w+ Segment\.|Segmento \w+ di \w+\.|\w+s \w+-Segment\.")


class Evening:
    """The game, its table, and how often the moderator typed something in each player turn."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table, self.game, self.patch = table, table.folder / "games/evening", monkeypatch
        self.typed: Counter[str] = Counter()
        self.turn, self.posts, self.forms, self.drawn = "", 0, 0, Counter[str]()
        self.heard: list[str] = []                      # everything that a command printed
        self.sent: dict[str, tuple[str, str]] = {}      # every mail: who wrote it, and what
        self._desk: tuple[bytes, MailDesk] | None = None

    def pbem(self, *words: object) -> str:
        """A command of the moderator."""
        self.patch.setenv("PBEM_NOW", self.table.now.isoformat())
        self.typed[self.turn] += 1
        self.heard.append(said(*words))
        return self.heard[-1]

    def desk(self) -> MailDesk:
        """Opened anew if anything was written since."""
        now = b"".join((self.game / name).read_bytes() for name in ("game.yaml", "private.yaml"))
        if self._desk is None or self._desk[0] != now:
            self._desk = now, self.table.desk(self.game)
        return self._desk[1]

    def plays(self, until: Callable[[Game], bool]) -> None:
        """Whoever is asked answers, until then; what wants a ruling gets one."""
        for _ in range(400):
            desk = self.desk()
            question = desk.match.question
            if until(desk.match.g):
                return
            assert question is not None
            if question.sides == (MODERATOR,):
                self.pbem("ruling", self.game, "nothing happens here", "--abandon", "segment", "--reason", "not in this story")
            else:
                self.goes_on()
        raise AssertionError("it does not come to that")

    def says(self, seat: str, text: str) -> None:
        """A seat sends something by its own way."""
        if seat in PEOPLE:
            raw = self.table.reply(seat, f"Hello!\n\n{text}\n\nBest wishes,\n{seat.capitalize()}\n")
            self.sent[re.search(rb"(?im)^message-id: *(<.*>)", raw)[1].decode()] = seat, text
            return
        self.posts += 1
        self.drawn[self.turn] += self._drew()
        post = self.table.folder / "post.txt"
        lines = "\n".join(f"**{line}**" for line in text.splitlines())
        post.write_text(f"Hallo zusammen,\n{lines}\nBis bald", "utf-8-sig")
        self.pbem("paste", self.game, seat, "--post", str(self.posts), "--file", post)

    def _drew(self) -> bool:
        """Has Chiara thrown a Surprise card away? What came instead nobody could foresee: that wants another post."""
        last = [entry["do"] for entry in self.desk().game.entries if entry.get("by") == "yellow"][-1:]
        return bool(last) and last[0].startswith("discard")

    def answers(self, seat: str) -> str:
        """What somebody would type now."""
        desk, self.forms = self.desk(), self.forms + 1
        question = desk.match.question
        assert question is not None
        if seat == "yellow" and question.kind in SEGMENTS[:3]:
            return "\n".join(self.whole_turn(desk, question.kind))
        if question.kind == "surrender":
            return "end surrender"
        if question.kind == "tyche":
            cards = [desk.match.say(one) for one in question.offers(seat) if one.verb == "play" and one.how in ("ops", "bonus")]
            thrown = [desk.match.say(one) for one in question.offers(seat) if one.verb == "discard"]
            return "\n".join([*(cards or thrown)[:1], *(["end tyche"] if cards or not thrown else [])])
        if question.kind in SEGMENTS:
            if desk.match.g.movement_roll is None and any(one.verb == "roll" for one in question.offers(seat)):
                return {"yellow": "würfeln", "black": "tiro"}.get(seat, "I roll")
            march = next((one for one in question.offers(seat) if one.verb == "march"), None) if self.forms % 3 else None
            return desk.match.say(march) if march is not None else "end"
        known = dict(lettered(question, seat))
        plain = next((answer for answer in known.values() if answer == question.silence(seat)), None)
        if plain is not None and self.forms % 2 and answer_is_pass(plain):
            return PASSES[seat]
        letter = "b" if "b" in known and self.forms % 3 == 0 else "a"
        return LETTERS[self.forms % len(LETTERS)].format(letter)

    def whole_turn(self, desk: MailDesk, kind: str) -> list[str]:
        """A player turn in one post, from the segment that is asked for."""
        secret, cards = desk.match.g.secret, desk.match.g.facts.cards
        assert secret is not None
        hand = secret.hand("yellow")
        card = next((f"spiele {one} as ops" for one in hand if cards[one]["kind"] != "surprise"), "")
        lines = ["ende surrender", card, "end tyche", "würfeln", "ende"] if card else ["ende surrender", f"discard {min(hand)}"]
        return lines[{"surrender": 0, "tyche": 1, "activation": 3}[kind]:]

    def goes_on(self) -> None:
        """The mailbox runs; whoever is asked answers; a price is paid by a `yes`."""
        desk = self.desk()
        question = desk.match.question
        assert question is not None and question.sides != (MODERATOR,)
        own_turn = question.kind in SEGMENTS[:3]        # what is left to decide when it is over is a post of its own
        self.turn = f"{desk.match.g.turn}.{desk.match.g.round}.{question.sides[0]}" if own_turn else ""
        before = len(desk.game.entries), question.id
        for seat in question.sides:
            if not question.sealed or seat not in desk.sealed(question):
                self.says(seat, self.answers(seat))
        now = self.desk().match.g
        if self.turn.endswith("yellow") and (now.player != "yellow" or now.segment not in SEGMENTS[:3]):
            self.pbem("paste", self.game, "--done", "all", "--post", str(self.posts))      # printed with the receipt
            assert self.desk().tray.posted
        self.table.later(minutes=5)
        self.table.run()
        for word in ("yes", "a", "end"):
            after = self.desk()
            if after.match.question is None or (len(after.game.entries), after.match.question.id) != before:
                return
            waits = [seat for seat in question.sides if not question.sealed or seat not in after.sealed(question)]
            for seat in waits:
                self.says(seat, {"yellow": {"yes": "ja"}, "black": {"yes": "sì"}}.get(seat, {}).get(word, word))
            self.table.later(minutes=5)
            self.table.run()
        raise AssertionError((question.id, question.kind, body(self.table.inbox(question.sides[0])[-1])))


def answer_is_pass(answer: object) -> bool:
    given = answer if isinstance(answer, tuple) else (answer,)
    return all(isinstance(one, Order) and one.verb == "pass" for one in given)


@pytest.fixture
def evening(table: Table, monkeypatch: pytest.MonkeyPatch) -> Evening:
    numbers = count(1)
    monkeypatch.setattr("secrets.token_bytes", lambda size: bytes((next(numbers) * 7 + one) % 256 for one in range(size)))
    shutil.rmtree(table.game)
    table.game = table.folder / "games/evening"
    return Evening(table, monkeypatch)


def begun(evening: Evening) -> None:
    """The words come in by every way, one is mended, and the game begins."""
    table, game = evening.table, evening.game
    evening.pbem("new", game, "--seat", "Red=Anna", "--seat", "Blue=Bruno", "--seat", "Yellow=Chiara", "--seat", "Black=Dora",
                 "--language", "red=en", "--language", "blue=en", "--language", "yellow=de", "--language", "black=it",
                 "--language", "public=de", "--channel", "yellow=paste",
                 "--windows", "held", "--words-until", "2026-12-01")
    with changed(game) as tray:
        tray.addresses = {seat: [address] for seat, address in PEOPLE.items()}
    table.run()
    for seat, word in (("red", "word first snow in Pella"), ("blue", "word salt and iron"), ("black", "parola tre oche")):
        assert ("«aiuto»" if seat == "black" else '"help"') in body(table.inbox(seat)[-1])
        table.reply(seat, word)
    table.run()
    table.reply("red", "word second snow in Pella")
    evening.says("yellow", "wort drei Gänse")
    table.run()
    evening.pbem("begin", game)
    table.run()
    words = evening.desk().game.header["chance"]["words"]
    assert words == {"red": "second snow in Pella", "blue": "salt and iron", "yellow": "drei Gänse", "black": "tre oche"}


def looked_at(evening: Evening) -> None:
    """Every mail: for its reader, in his language, 80 columns wide, and no fault of ours; every post in the thread's."""
    for seat in PEOPLE:
        for one in evening.table.inbox(seat):
            text = body(one)
            assert "fault of the program" not in text and "None" not in text and "{{" not in text
            assert columns(one) <= 80, text
            if seat == "black":
                above = text.partition("\n-- ")[0]
                assert not ENGLISH.search(re.sub(r"«[^»]*»", "", above)), above
    for printed in evening.heard:
        assert "fault" not in printed and "Traceback" not in printed
        if "[size=" in printed:
            assert not ENGLISH.search(re.sub(r"(?m)^.*pbem paste .*$", "", printed)), printed


def answered(evening: Evening) -> None:
    """Each mail of a player once, with each of its lines."""
    for ident, (seat, text) in evening.sent.items():
        (answer,) = [one for one in evening.table.inbox(seat) if one["In-Reply-To"] == ident]
        told = " ".join(body(answer).split())
        assert all(line.replace("*", "") in told for line in text.splitlines()[:1]), (text, told)


def plain(text: str) -> str:
    return " ".join(re.sub(r"\[/?\w+[^\]]*\]|[*_\"„“”«»]", "", text).split())


def told_to_all(evening: Evening) -> None:
    """What happened is told to everybody in his language, sentence by sentence, by mail or in the thread; only what came in two
    parts, a march or a sum, is told otherwise than in one report of it all, and what has its heading there has it elsewhere."""
    desk = evening.desk()
    for seat in desk.match.seats:
        read = plain(" ".join([body(one) for one in evening.table.inbox(seat)] if seat in PEOPLE else evening.heard))
        told = [line for block in came_of(desk, seat, 1) for line in re.split(r"(?<=[.!?]) ", plain(block))]
        otherwise = [line for line in told if line not in read and not HEADING.fullmatch(line)]
        assert len(told) > 300 and len(otherwise) <= len(told) // 20, (seat, len(told), otherwise)


def kept_secret(evening: Evening) -> None:
    """What somebody holds and nobody has seen stands in no mail of anybody else, nor in the thread."""
    desk, public = evening.desk(), said("report", evening.game, "--since", "1", "--language", "en")
    secret, cards = desk.match.g.secret, desk.match.g.facts.cards
    assert secret is not None
    looked = 0
    for holder in desk.match.seats:
        for card in secret.hand(holder):
            title = f"“{cards[card]['name']}”", f'"{cards[card]["name"]}"', f"[i]{cards[card]['name']}[/i]"
            if cards[card]["name"] in public or any(cards[one]["name"] == cards[card]["name"] for seat in desk.match.seats
                                                    if seat != holder for one in secret.hand(seat)):
                continue
            looked += 1
            for seat in PEOPLE:
                texts = [body(one) for one in evening.table.inbox(seat)] if seat != holder else []
                assert not any(one in text for text in texts for one in title), (seat, holder, card)
    assert looked


def test_an_evening_without_a_stumble(evening: Evening) -> None:
    table, game = evening.table, evening.game
    begun(evening)
    listed = evening.pbem("paste", game)
    assert "Dieser Thread ist der Tisch" in listed and "Chiara" in listed
    evening.plays(lambda g: g.turn == 1 and g.phase == "strategy" and g.round > 1)      # the set-up, and a round
    evening.turn = ""
    table.reply("blue", "press yellow: Shall we march on Pella together?\n\nI can bring help.\n/press\nhelp\nhand")
    evening.says("yellow", "abwesend 1.12. bis 3.12.\nhilfe")
    table.reply("black", "mappa Lydia\nstato\nopzioni all")
    table.run()
    assert "3 lines" in " ".join(body(table.inbox("blue")[-1]).split())
    assert evening.desk().tray.absences["yellow"] and "Du kannst jetzt" in evening.heard[-1]
    asked = " ".join(evening.pbem("ask", game, "black", "standing: pass on interception against Red, twice").split())
    assert "passo sull'intercettazione contro Rosso, due volte" in asked and not ENGLISH.search(re.sub("«[^»]*»", "", asked))
    assert "Gewartet wird bis" in evening.pbem("ask", game, "yellow", "stand")
    assert "Deine Hand" in evening.pbem("ask", game, "yellow", "handkarten")
    for turn, round_ in [(1, 2), (1, 3), (1, 4), (1, 5), *((2, round_) for round_ in range(1, 6))]:
        evening.plays(lambda g, at=(turn, round_): (g.turn, g.round if g.phase == "strategy" else 0) >= at)  # type: ignore[misc]
        kept_secret(evening)
    evening.plays(lambda g: g.turn > 2)
    evening.turn = ""
    for words in (("paste", game), ("status", game), ("options", game), ("report", game)):
        evening.pbem(*words)
    shown = (evening.heard[-3] + evening.heard[-2]).splitlines()
    assert [line for line in shown if len(line) > 80 and not line.startswith("standing: ") and str(game) not in line] == []
    looked_at(evening)
    answered(evening)
    told_to_all(evening)
    turns = {turn: count for turn, count in evening.typed.items() if turn}
    assert turns and all(count <= 2 + evening.drawn[turn] for turn, count in turns.items()), turns
    said("verify", game)
