"""Checks the chance of a game, and shares nothing with the program that played it but the definition, docs/chance.md.

pbem verify GAME --json-log | python3 verify_min.py - [HEAD ...]     (heads as mails and posts showed them, oldest first)
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
CLOSED, WORD, REMARKS = "not open yet", "by word", ("by hand", "by word", "late")
MARKS = {"sides", "by", "reads", "reason"}

def enc(*items: str | bytes) -> bytes:
    data = [item if isinstance(item, bytes) else normalize("NFC", item).encode() for item in items]
    return b"".join(len(item).to_bytes(4, "big") + item for item in data)


def sha(*items: str | bytes, front: bytes = b"") -> bytes:
    return hashlib.sha256(front + enc(*items)).digest()


def mac(key: bytes, *items: str | bytes) -> bytes:
    return hmac.new(key, enc(*items), "sha256").digest()


def raw(text: str) -> bytes:
    data = bytes.fromhex(text)
    return data if data.hex() == text and len(data) == 32 else bytes.fromhex("not 64 lower-case digits")


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def below(key: bytes, name: Sequence[str], sizes: Sequence[int]) -> list[int]:
    """The draw of that name: from its stream a number below each size, those of the last incomplete run passed over."""
    blocks = (mac(key, "pbem/draw/1", *name, str(i)) for i in count())
    numbers = (int.from_bytes(block[at:at + 4], "big") for block in blocks for at in range(0, 32, 4))
    return [next(v for v in numbers if v < 2**32 - 2**32 % n) % n for n in sizes if 0 < n <= 2**32]


def leaf(game: str, name: Sequence[str], p: int, card: str, salt: bytes) -> bytes:
    return sha("pbem/leaf/1", game, *name, str(p), card, salt, front=b"\0")


def node(pair: Sequence[bytes]) -> bytes:
    return hashlib.sha256(b"\1" + b"".join(pair)).digest() if len(pair) == 2 else pair[0]


def shuffled(key: bytes, game: str, name: Sequence[str], cards: Sequence[str]) -> list[str]:
    deck = sorted(cards)
    for n, j in zip(range(len(deck), 1, -1), below(key, [game, "deck", *name], range(len(deck), 1, -1)), strict=True):
        deck[n - 1], deck[j] = deck[j], deck[n - 1]
    return deck


def root_of(key: bytes, game: str, name: Sequence[str], cards: Sequence[str]) -> str:
    """The root of the tree over the cards in their order."""
    row = [leaf(game, name, p, card, mac(key, "pbem/salt/1", game, *name, str(p))) for p, card in enumerate(cards)]
    while len(row) > 1:
        row = [node(row[at:at + 2]) for at in range(0, len(row), 2)]
    return row[0].hex()


def climb(n: int, p: int, reached: bytes, path: list[bytes]) -> str:
    """The root above the leaf at place p of n."""
    while n > 1:
        if p ^ 1 < n:
            reached = node([path.pop(0), reached] if p % 2 else [reached, path.pop(0)])
        n, p = (n + 1) // 2, p // 2
    return reached.hex() if not path else ""


def down(game: str, link: bytes, steps: int) -> list[bytes]:
    """The link and all below it."""
    links = [link]
    for _ in range(steps):
        links.append(sha("pbem/chain/1", game, links[-1]))
    return links


class Lies(NamedTuple):
    """Where the hidden cards are: hands and table as places in the deck from the top, None for one that nobody can know."""

    deck: str
    size: int
    next: int
    hands: dict[str, list[int | None]]
    table: list[int | None]
    due: list[tuple[str, str]]          # turned up since the last Game Turn ended
    over: bool

    def stated(self, position: Any, facts: Any) -> "Lies":
        new = NOTHING._replace(due=self.due) if position is not None else self
        facts = facts if position is None else position
        if position is None and "deck" in facts:
            new = new._replace(deck="")
        table: list[int | None] = [None] * facts["face_down"] if "face_down" in facts else new.table
        hands: dict[str, list[int | None]] = {seat: [None] * count for seat, count in facts.get("hands", {}).items()}
        return new._replace(table=table, hands={**new.hands, **hands})

    def moved(self, move: Any, entry: Any, order: Any, shown: Any) -> tuple["Lies", bool, bool]:
        """How they lie after it; is it right; could all of it be looked at?"""
        kind, seat, last = move[0], move[1], move[-1]
        hand = list(self.hands.get(seat, []))
        if kind == "deck":
            told: Any = entry["deck"] if entry.get("deck", {}).get("name") == last else {"name": "", "cards": []}
            after = NOTHING._replace(deck=told["name"], size=len(told["cards"]), due=self.due)
            return after, told["name"] == last, True
        if kind in ("deal", "draw", "lay"):
            end = min(self.next + last, self.size)
            new: list[int | None] = [*range(self.next, end)] if self.deck else [None] * last
            after = self._replace(next=end) if self.deck else self
            if kind == "lay":
                return after._replace(table=[*self.table, *new]), len(new) == last, True
            return after._replace(hands={**self.hands, seat: [*hand, *new]}), len(new) == last, True
        if kind == "take":
            hand = list(self.hands.get(move[2], []))
            if not 1 <= last <= len(hand):
                return self, False, True
            thrown = [r for r in entry.get("dice", []) if r[0].split(",")[4:6] == ["theft", move[2]] and r[1] == last]
            fine = any((*r, {})[2].get("sides", 6) == len(hand) for r in thrown)
            taken = hand.pop(last - 1)
            hands = {**self.hands, move[2]: hand}
            return self._replace(hands={**hands, seat: [*hands.get(seat, []), taken]}), fine, True
        place = shown.get((self.deck, last))
        if self.deck in order:
            place = order[self.deck].index(last) if last in order[self.deck] else None
        after = self._replace(due=[*self.due, (self.deck, last)]) if self.deck else self
        if kind == "up":
            if not self.table:
                return after, False, True
            known = None not in (place, self.table[0])
            return after._replace(table=self.table[1:]), place == self.table[0] or not known, known
        if kind != "play":
            raise ValueError(kind)
        known = place is not None and place in hand
        if not known and not hand or not known and place is not None and None not in hand:
            return after, False, True
        if not known and None not in hand:
            hand = [None] * len(hand)
        hand.remove(place if known else None)
        return after._replace(hands={**self.hands, seat: hand}), True, known


NOTHING = Lies("", 0, 0, {}, [], [], False)


def chained(link: Any) -> list[tuple[int, Any]]:
    """The entries that stand, the oldest first."""
    found = []
    while link:
        found.append(link[:2])
        link = link[2]
    return found[::-1]


def learnt(entry: dict[str, Any]) -> list[str]:
    """What an entry let somebody see."""
    opened, moves = entry.get("open", {}), [" ".join(map(str, move)) for move in entry.get("cards", [])]
    return [
        *(entry.get("stain", []) if "undo" in entry else []), *(f"die {roll[0]}" for roll in entry.get("dice", [])),
        *(moves or ([f"deck {entry['deck']['name']}"] if "deck" in entry else [])),
        *([f"sealed answers to {entry['close']}"] if entry.get("answers") else []),
        *([f"link {opened['epoch']}"] if "epoch" in opened else []), *(["deck secret"] if "deck_secret" in opened else [])]


def clean(words: dict[str, str]) -> bool:
    return all([normalize("NFC", word).strip()[:200]] == word.splitlines() for word in words.values() if word)


def verify(log: dict[str, Any], heads: Sequence[str] = ()) -> Iterator[tuple[int, str, bool | str]]:
    """(entry, what, right? or why it was not checked); entries count from 1, 0 is the header."""
    game, told, entries, seats = log["game"], log["chance"], log["log"], sorted(log["seats"])
    two = told["scheme"] == 2
    known = told["scheme"] == (2 if log.get("format", 1) > 2 else 1) and 1 <= told["links"] <= 10_000
    yield 0, "chance", known and isinstance(entries, list) and raw(told["deck"]) != raw(told["dice"])
    words = {seat: told["words"].get(seat, "") for seat in seats}
    mixed = fresh = sha("pbem/entropy/1", game, *(item for pair in words.items() for item in pair))
    fits = told["words"].keys() <= words.keys() and told.get("entropy", mixed.hex()) == mixed.hex()
    yield 0, "words", clean(words) and fits and (all(words.values()) or WORD)

    # What the whole log opens: links that lead down to the promise and all below them, the deck secret, beacons, openings.
    opens = [entry["open"] for entry in entries if "open" in entry]
    links = dict[int, bytes]()
    for epoch, link in ((o["epoch"], raw(o["link"])) for o in opens if "link" in o):
        if 1 <= epoch <= min(told["links"], 10_000) and down(game, link, epoch)[-1].hex() == told["dice"]:
            links |= dict(zip(range(epoch, 0, -1), down(game, link, epoch), strict=False))
    found = [(raw(o["deck_secret"]), o.get("orders", {})) for o in opens if "deck_secret" in o]
    secret, orders = next(((x, o) for x, o in found if sha("pbem/deck/1", game, x).hex() == told["deck"]), (b"", {}))
    given = [entry["beacon"] for entry in reversed(entries) if "beacon" in entry]
    beacons = {beacon["epoch"]: (beacon["id"], bytes.fromhex(beacon["value"])) for beacon in given}
    decks = {deck["name"]: deck for deck in (entry["deck"] for entry in reversed(entries) if "deck" in entry)}

    def key(kind: str, base: bytes, epoch: int, words: bytes, *number: str) -> bytes:
        beacon = ("none", b"") if told.get("beacon", "none") == "none" else beacons[epoch]
        return mac(base, f"pbem/{kind}-key/{1 if words == mixed else 2}", game, words, *number, *beacon)

    def leads(name: str, p: int, card: str, salt: str, path: list[str]) -> bool:
        n, start = len(decks[name]["cards"]), leaf(game, name.split(","), p, card, raw(salt))
        return 0 <= p < n and climb(n, p, start, [raw(step) for step in path]) == decks[name]["root"]

    shown = {(o["deck"], one[1]): one[0] for o in (entry["openings"] for entry in reversed(entries) if "openings" in entry)
             for one in reversed(o["cards"]) if o["deck"] in decks and leads(o["deck"], *one)}
    order = dict[str, list[str]]()                              # deck -> cards from the top, once the deck secret is open
    names = dict[str, list[Any]]()                              # kind and turn -> what each different deck was
    lies, states = NOTHING, [NOTHING]                           # where hidden cards are, after so many entries
    stands, before = None, list[Any]([None])                    # entries that stand, the newest first, after so many
    mixes = dict[str, bytes]()                                  # deck -> the words in its key
    public, closed, spent, finished, ended = set[Any](), False, 0, 0, False

    chain = [sha("pbem/log/1", game, canonical({key: log[key] for key in log if key != "log"}))]
    for at, entry in enumerate(entries, 1):
        checks = list[tuple[str, bool | str]]()
        opened, deck = entry.get("open", {}), entry.get("deck")
        if "undo" in entry:
            back = entry["undo"]
            there = dict(chained(stands))
            gone = {n: e for n, e in there.items() if n >= back}
            if two:
                told_of = [e for e in there.values() if "seat" in e and (e.get("neutral") or e.keys() & {"name", "people"})]
                idle = {e["seat"]: e for e in told_of}
                stain = [what for e in gone.values() for what in learnt(e)]
                ask = {s for s in seats if s != entries[back - 1].get("by") and not idle.get(s, {}).get("neutral")}
                crosses, said = any("open" in e for e in gone.values()), entry.get("words", {})
                agreed = {s for s in entry.get("consent", []) if not crosses or said.get(s)}
                fine = back in gone and entry.get("stain", []) == stain and clean(said) and said.keys() <= set(seats)
                asked = not stain or ask <= agreed or "override" in entry and WORD
                checks.append((f"undo {back}", fine and asked))
                if crosses:
                    fresh = sha("pbem/fresh/2", game, fresh, *(item for s in seats for item in (s, said.get(s, ""))))
            stands, lies = before[back - 1], states[back - 1]
        for written, value, *marks in entry.get("dice", []):
            name, values, mark = written.split(","), value if isinstance(value, list) else [value], (*marks, {})[0]
            turn = int(name[0].removeprefix("T"))
            epoch = max(turn, spent + 1)
            right: bool | str = epoch <= told["links"] and CLOSED
            if "by" in mark:
                right = mark["by"] == "hand" and "by hand"
            elif epoch in links:
                sizes = [mark.get("sides", 6)] * len(values)
                kept = key("dice", links[epoch], epoch, fresh if two and turn <= spent else mixed, str(epoch))
                right = [] != values == [1 + number for number in below(kept, [game, "dice", *name], sizes)]
            checks.append((f"die {written}", name[0][0] == "T" and mark.keys() <= MARKS and right))
        if deck:
            name, stated = deck["name"].split(","), "stated" in deck
            late = two and not stated and int(name[1]) <= spent
            what = [sorted(deck["cards"]), two and int(name[1]) <= spent and fresh, stated and deck["root"]]
            same = names.setdefault(",".join(name[:2]), [])
            same += [] if what in same else [what]
            due = [*name[:2], *([str(same.index(what) + 1)] if same.index(what) else [])]
            first, base = decks[deck["name"]], mixes.setdefault(deck["name"], fresh if late else mixed)
            right = (first["root"], len(first["cards"])) == (raw(deck["root"]).hex(), len(deck["cards"]))
            right = right and (due == name or not two)
            if secret:
                base = key("deck", secret, 0, base)
                if deck["name"] not in order:
                    order[deck["name"]] = orders.get(deck["name"], []) if "stated" in first else shuffled(
                        base, game, name, first["cards"])
                cards = order[deck["name"]]
                right = right and sorted(cards) == sorted(deck["cards"]) and root_of(base, game, name, cards) == deck["root"]
                right = right and (WORD if two and ended else True)
            checks.append((f"deck {deck['name']}", right and (right if secret else CLOSED)))
        if two:
            if "turn_end" not in entry:
                lies = lies.stated(entry.get("position"), entry.get("facts") or {})
            if "cards" in entry:
                fine, sure = True, True
                for move in entry["cards"]:
                    lies, well, certain = lies.moved(move, entry, order, shown)
                    public |= {(lies.deck, move[-1])} if move[0] in ("play", "up") else set()
                    fine, sure = fine and well, sure and certain
                checks.append(("cards", fine and (sure or (CLOSED if lies.deck and not secret else WORD))))
            lies = lies._replace(over=lies.over or "over" in entry)
        name_of = entry.get("openings", {"cards": []})
        for p, card, salt, path in name_of["cards"]:
            allowed = not two or ended or "deck_secret" in opened or (name_of["deck"], card) in public
            checks.append((f"opening {name_of['deck']} {p}", allowed and leads(name_of["deck"], p, card, salt, path)))
        epoch, finished = opened.get("epoch", 0), max(finished, entry.get("turn_end", 0))
        if "open" in entry and opened.keys() - {"orders"} != {"deck_secret"}:
            timely = not two or epoch <= finished or "deck_secret" in opened
            checks.append((f"link {epoch}", timely and links.get(epoch, b"").hex() == opened.get("link")))
        if "deck_secret" in opened:
            checks.append(("deck secret", opened["deck_secret"] == secret.hex()))
        spent, ended = max(spent, epoch), ended or "deck_secret" in opened
        if two and "turn_end" in entry:
            turn = entry["turn_end"]
            checks.append((f"due link {turn}", spent >= turn or max(links, default=0) >= turn and "late"))
            checks += [("due openings", all(one in shown for one in lies.due))] if lies.due else []
            lies = lies._replace(due=[])
        yield from ((at, what, right) for what, right in checks)
        closed = closed or any(right == CLOSED for _, right in checks)
        stands = (at, entry, stands)
        before.append(stands)
        states.append(lies)
        chain.append(sha("pbem/log/1", chain[-1], canonical(entry), raw(entry["sealed"]) if "sealed" in entry else b""))
    if lies.over:
        yield len(entries), "end", ended and not closed
    yield len(entries), "head", "unchecked"

    # The chain of the log: a head that is missing tells of a change after the last one that was found.
    latest = 0
    for head in heads:
        here = next((at for at, own in enumerate(chain) if own.hex().startswith(head) and len(head) > 7), None)
        latest = latest if here is None else here
        yield latest, f"head {head}", here is not None and (not two or len(head) > 31 or WORD)


def main(source: str = "-", *heads: str) -> int:
    """1 if anything is wrong, 3 if all that is told of it rests on somebody's word, else 0."""
    failed = remarks = False
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8")
        for at, what, right in verify(json.loads(text), heads):
            print(f"{at:5}  {what}: {'failed' if right is False else 'ok' if right is True else right}")
            failed, remarks = failed or right is False, remarks or right in REMARKS
    except UNREADABLE as problem:
        print(f"cannot be read, failed: {problem!r}")
        failed = True
    return 1 if failed else 3 if remarks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
