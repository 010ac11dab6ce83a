"""A second, separate check of the chance of a game: python3 verify_min.py [GAME.json or -] [HEAD ...]"""

import hashlib
import hmac
import json
import struct
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any
from unicodedata import normalize

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)

def enc(*items: str | bytes) -> bytes:
    data = [item if isinstance(item, bytes) else normalize("NFC", item).encode() for item in items]
    return b"".join(struct.pack(">I", len(item)) + item for item in data)


def sha(*items: str | bytes, front: bytes = b"") -> bytes:
    return hashlib.sha256(front + enc(*items)).digest()


def mac(key: bytes, *items: str | bytes) -> bytes:
    return hmac.new(key, enc(*items), "sha256").digest()


def raw(text: str) -> bytes:
    data = bytes.fromhex(text)
    return data if data.hex() == text else bytes.fromhex("not lower case")


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def below(key: bytes, name: Sequence[str], sizes: Sequence[int]) -> list[int]:
    blocks = (mac(key, "pbem/draw/1", *name, str(i)) for i in count())
    numbers = (v for block in blocks for v in struct.unpack(">8I", block))
    return [next(v for v in numbers if v < 2**32 - 2**32 % n) % n for n in sizes if 0 < n <= 2**32]


def left(n: int) -> int:
    """Cards in the left part of a tree over n: the greatest power of 2 below n."""
    return 1 << (n - 1).bit_length() >> 1 if n > 1 else 0


def tree(nodes: Sequence[bytes]) -> bytes:
    k = left(len(nodes))
    return hashlib.sha256(b"\1" + tree(nodes[:k]) + tree(nodes[k:])).digest() if k else nodes[0]


def climb(n: int, p: int, reached: bytes, path: Sequence[bytes]) -> bytes:
    k = left(n)
    if not k or not path:
        return b"" if k or path else reached
    inner = climb(k, p, reached, path[:-1]) if p < k else climb(n - k, p - k, reached, path[:-1])
    return tree([inner, path[-1]] if p < k else [path[-1], inner])


def down(game: str, link: bytes, steps: int) -> str:
    for _ in range(steps):
        link = sha("pbem/chain/1", game, link)
    return link.hex()


def leaf(game: str, name: Sequence[str], p: int, card: str, salt: bytes) -> bytes:
    return sha("pbem/leaf/1", game, *name, str(p), card, salt, front=b"\0")


def root_of(k_d: bytes, game: str, name: Sequence[str], cards: list[str]) -> str:
    """The root of these sorted cards, shuffled by that name."""
    sizes = range(len(cards), 1, -1)
    for n, j in zip(sizes, below(k_d, [game, "deck", *name], sizes), strict=True):
        cards[n - 1], cards[j] = cards[j], cards[n - 1]
    salts = [mac(k_d, "pbem/salt/1", game, *name, str(p)) for p in range(len(cards))]
    return tree([leaf(game, name, p, card, salts[p]) for p, card in enumerate(cards)]).hex()


def verify(log: dict[str, Any], heads: Sequence[str] = ()) -> Iterator[tuple[int, str, bool | str]]:
    """(entry, what, right? or why it was not checked); entries count from 1, 0 is the header."""
    game, told, entries = log["game"], log["chance"], log["log"]
    sound = told["scheme"] == 1 and isinstance(entries, list)
    yield 0, "chance", sound and len(raw(told["deck"])) == len(raw(told["dice"])) == 32
    words = {seat: told["words"].get(seat, "") for seat in sorted(log["seats"])}
    mixed = sha("pbem/entropy/1", game, *(item for pair in words.items() for item in pair))
    clean = all([normalize("NFC", w).strip()[:200]] == w.splitlines() for w in words.values() if w)
    known = told["words"].keys() <= words.keys() and told.get("entropy", mixed.hex()) == mixed.hex()
    yield 0, "words", clean and known
    opens = [entry["open"] for entry in entries if "open" in entry]
    shown = [(o["epoch"], raw(o["link"])) for o in opens if "link" in o and 1 <= o["epoch"] <= told["links"]]
    links = {epoch: link for epoch, link in shown if down(game, link, epoch) == told["dice"]}
    candidates = [raw(o["deck_secret"]) for o in opens if "deck_secret" in o]
    secret = next((x for x in candidates if sha("pbem/deck/1", game, x).hex() == told["deck"]), b"")
    given = [entry["beacon"] for entry in reversed(entries) if "beacon" in entry]
    beacons = {beacon["epoch"]: (beacon["id"], bytes.fromhex(beacon["value"])) for beacon in given}

    def key(kind: str, base: bytes, epoch: int, *number: str) -> bytes:
        beacon = ("none", b"") if told.get("beacon", "none") == "none" else beacons[epoch]
        return mac(base, f"pbem/{kind}-key/1", game, mixed, *number, *beacon)

    spent, decks = 0, dict[str, tuple[str, int]]()
    chain = [sha("pbem/log/1", game, canonical({key: log[key] for key in log if key != "log"}))]
    for at, entry in enumerate(entries, 1):
        for written, value, *marks in entry.get("dice", []):
            name, values = written.split(","), value if isinstance(value, list) else [value]
            epoch, mark = max(int(name[0].removeprefix("T")), spent + 1), marks[0] if marks else {}
            right: bool | str = epoch <= told["links"] and "not open yet"
            if "by" in mark:
                right = mark["by"] == "hand" and "by hand"
            elif epoch in links:
                k_e = key("dice", links[epoch], epoch, str(epoch))
                drawn = below(k_e, [game, "dice", *name], [mark.get("sides", 6)] * len(values))
                right = [] != values == [1 + number for number in drawn]
            yield at, f"die {written}", right
        if deck := entry.get("deck"):
            name, fact, right = deck["name"].split(","), (deck["root"], len(deck["cards"])), "not open yet"
            if decks.setdefault(deck["name"], fact) != fact:
                right = False
            elif secret:
                right = root_of(key("deck", secret, 0), game, name, sorted(deck["cards"])) == deck["root"]
            yield at, f"deck {deck['name']}", right
        for p, card, salt, path in entry.get("openings", {"cards": []})["cards"]:
            name, (root, n) = entry["openings"]["deck"].split(","), decks[entry["openings"]["deck"]]
            start = leaf(game, name, p, card, raw(salt))
            right = 0 <= p < n and climb(n, p, start, [raw(step) for step in path]).hex() == root
            yield at, f"opening {entry['openings']['deck']} {p}", right
        opening = entry.get("open", {})
        if "link" in opening:
            yield at, f"link {opening['epoch']}", links.get(opening["epoch"], b"").hex() == opening["link"]
            spent = max(spent, opening["epoch"])
        if "deck_secret" in opening:
            yield at, "deck secret", opening["deck_secret"] == secret.hex()
        chain.append(sha("pbem/log/1", chain[-1], canonical(entry), raw(entry.get("sealed", ""))))
    yield len(entries), "head", True
    for head in heads:
        yield 0, f"head {head}", len(head) > 7 and any(own.hex().startswith(head) for own in chain)


def main(source: str = "-", *heads: str) -> int:
    results = []
    try:
        log = json.loads(sys.stdin.read() if source == "-" else Path(source).read_text("utf-8"))
        for at, what, right in verify(log, heads):
            results.append(right)
            print(f"{at:5}  {what}: {'failed' if right is False else 'ok' if right is True else right}")
    except UNREADABLE as problem:
        print(f"cannot be read, failed: {problem!r}")
        return 1
    return int(False in results)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
