"""Checks the chance of a game, and shares nothing with the program that played it but the written definition.

pbem verify GAME --json-log | python3 verify_min.py - [HEAD ...]     (heads as mails and posts showed them, oldest first)
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from unicodedata import normalize

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)

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


def root_of(key: bytes, game: str, name: Sequence[str], cards: list[str]) -> str:
    """The root of the tree over these sorted cards, shuffled by that name."""
    for n, j in zip(range(len(cards), 1, -1), below(key, [game, "deck", *name], range(len(cards), 1, -1)), strict=True):
        cards[n - 1], cards[j] = cards[j], cards[n - 1]
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


def down(game: str, link: bytes, steps: int) -> str:
    for _ in range(steps):
        link = sha("pbem/chain/1", game, link)
    return link.hex()


def verify(log: dict[str, Any], heads: Sequence[str] = ()) -> Iterator[tuple[int, str, bool | str]]:
    """(entry, what, right? or why it was not checked); entries count from 1, 0 is the header."""
    game, told, entries = log["game"], log["chance"], log["log"]
    known = told["scheme"] == 1 and 1 <= told["links"] <= 10_000 and isinstance(entries, list)
    yield 0, "chance", known and raw(told["deck"]) != raw(told["dice"])
    words = {seat: told["words"].get(seat, "") for seat in sorted(log["seats"])}
    mixed = sha("pbem/entropy/1", game, *(item for pair in words.items() for item in pair))
    clean = all([normalize("NFC", w).strip()[:200]] == w.splitlines() for w in words.values() if w)
    yield 0, "words", clean and told["words"].keys() <= words.keys() and told.get("entropy", mixed.hex()) == mixed.hex()

    # What the whole log opens: links that lead down to the promise, the deck secret, the first beacon of each epoch.
    opens = [entry["open"] for entry in entries if "open" in entry]
    shown = [(o["epoch"], raw(o["link"])) for o in opens if "link" in o and 1 <= o["epoch"] <= min(told["links"], 10_000)]
    links = {epoch: link for epoch, link in shown if down(game, link, epoch) == told["dice"]}
    secrets = [raw(o["deck_secret"]) for o in opens if "deck_secret" in o]
    secret = next((x for x in secrets if sha("pbem/deck/1", game, x).hex() == told["deck"]), b"")
    given = [entry["beacon"] for entry in reversed(entries) if "beacon" in entry]
    beacons = {beacon["epoch"]: (beacon["id"], bytes.fromhex(beacon["value"])) for beacon in given}

    def key(kind: str, base: bytes, epoch: int, *number: str) -> bytes:
        beacon = ("none", b"") if told.get("beacon", "none") == "none" else beacons[epoch]
        return mac(base, f"pbem/{kind}-key/1", game, mixed, *number, *beacon)

    spent, decks = 0, dict[str, tuple[str, int]]()
    chain = [sha("pbem/log/1", game, canonical({key: log[key] for key in log if key != "log"}))]
    for at, entry in enumerate(entries, 1):
        for written, value, *marks in entry.get("dice", []):
            name, values, mark = written.split(","), value if isinstance(value, list) else [value], (*marks, {})[0]
            epoch = max(int(name[0].removeprefix("T")), spent + 1)
            right: bool | str = epoch <= told["links"] and "not open yet"
            if "by" in mark:
                right = mark["by"] == "hand" and "by hand"
            elif epoch in links:
                sizes = [mark.get("sides", 6)] * len(values)
                drawn = below(key("dice", links[epoch], epoch, str(epoch)), [game, "dice", *name], sizes)
                right = [] != values == [1 + number for number in drawn]
            yield at, f"die {written}", name[0][0] == "T" and mark.keys() <= {"sides", "by", "reads", "reason"} and right
        if deck := entry.get("deck"):
            fact = deck["root"], len(deck["cards"])
            right = decks.setdefault(deck["name"], fact) == fact and "not open yet"
            if right and secret:
                right = root_of(key("deck", secret, 0), game, deck["name"].split(","), sorted(deck["cards"])) == deck["root"]
            yield at, f"deck {deck['name']}", right
        for p, card, salt, path in entry.get("openings", {"cards": []})["cards"]:
            written = entry["openings"]["deck"]
            root, n = decks[written]
            start = leaf(game, written.split(","), p, card, raw(salt))
            yield at, f"opening {written} {p}", 0 <= p < n and climb(n, p, start, [raw(step) for step in path]) == root
        if "open" in entry and entry["open"].keys() != {"deck_secret"}:
            epoch = entry["open"]["epoch"]
            yield at, f"link {epoch}", links.get(epoch, b"").hex() == entry["open"].get("link")
            spent = max(spent, epoch)
        if "deck_secret" in entry.get("open", {}):
            yield at, "deck secret", entry["open"]["deck_secret"] == secret.hex()
        chain.append(sha("pbem/log/1", chain[-1], canonical(entry), raw(entry["sealed"]) if "sealed" in entry else b""))
    yield len(entries), "head", True

    # The chain of the log: a head that is missing tells of a change after the last one that was found.
    found = 0
    for head in heads:
        here = next((at for at, own in enumerate(chain) if own.hex().startswith(head) and len(head) > 7), None)
        found = found if here is None else here
        yield found, f"head {head}", here is not None


def main(source: str = "-", *heads: str) -> int:
    failed = 0
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8")
        for at, what, right in verify(json.loads(text), heads):
            print(f"{at:5}  {what}: {'failed' if right is False else 'ok' if right is True else right}")
            failed |= right is False
    except UNREADABLE as problem:
        print(f"cannot be read, failed: {problem!r}")
        failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
