"""Checks the chance of a game, and shares nothing with the program that played it but the definition, docs/chance.md.

pbem verify GAME --json-log | python3 verify_min.py - [HEAD|FILE ...]

HEAD: as mails and posts showed them, oldest first. FILE: a mail or post; what it has of receipts, hands and blocks is checked.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime
from email import message_from_bytes
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
CLOSED, WORD, REMARKS = "not open yet", "by word", ("by hand", "by word", "late")
CHAINS = {"quicknet": (1692803367, 3), "default": (1595431050, 30)}      # of drand: its first round, seconds between two
MINUTE = "%Y-%m-%dT%H:%MZ"
# The forms of section 1, as `formed` reads them.
T, N, DIGEST, TURN = ".*", range(1_000_000), "[0-9a-f]{64}", "(0|[1-9][0-9]{0,3})(,.*)?"
FACES, MARKED = (N, [N, ...]), {"sides?": range(1, 1_000_000), "by?": T, "reason?": T}
MOVES = (["deck|up", T], ["deal|draw", T, N], ["lay", N], ["play", T, T], ["take", T, T, N])
LIES, ORDERS = {"hands?": {"": N}, "face_down?": N}, {"": [T]}
OPENINGS = {"deck": T, "cards": [[N, T, DIGEST, [DIGEST]]]}
ENTRY: dict[str, Any] = {
    "undo?": N, "stain?": [T], "consent?": [T], "words?": {"": T}, "by?": T, "seat?": T, "neutral?": T, "close?": T,
    "answers?": {"": object}, "receipts?": {"": T}, "sealed?": DIGEST, "blinds?": {"": DIGEST}, "private?": {"": object},
    "turn_end?": N, "announce?": N,
    "dice?": [(["T" + TURN, FACES], ["T" + TURN, FACES, MARKED])], "cards?": [MOVES], "position?": LIES, "facts?": (None, LIES),
    "deck?": {"name": "[^,]*," + TURN, "cards": [T, ...]},
    "openings?": OPENINGS, "beacon?": {"epoch": N, "id": T, "value": "([0-9a-f]{2})*"},
    "open?": ({"epoch": N, "link": DIGEST, "deck_secret?": DIGEST, "orders?": ORDERS},
              {"epoch?": (), "link?": (), "deck_secret": DIGEST, "orders?": ORDERS})}
HEADER = {"game": T, "seats": {"": object}, "format?": N, "log": [object], "chance?": {
    "scheme": N, "links": N, "deck": DIGEST, "dice": DIGEST, "entropy?": DIGEST, "beacon?": T, "words": {"": T}}}
RECEIPT = {**dict.fromkeys(("game", "question", "seat", "head", "at", "text", "salt", "before", "digest", "code"), T),
           "number": N, "entries": N}
BLOCK = {"game": T, "turn": N, "entries": range(1, 1_000_000), "head": "[0-9a-f]{32,64}", "epoch?": N, "link?": DIGEST}
Told = tuple[int, str, bool | str]
MARKS = {"sides", "by", "reads", "reason"}

def enc(*items: str | bytes) -> bytes:
    data = [item if isinstance(item, bytes) else normalize("NFC", item).encode() for item in items]
    return b"".join(len(item).to_bytes(4, "big") + item for item in data)


def sha(*items: str | bytes, front: bytes = b"") -> bytes:
    return hashlib.sha256(front + enc(*items)).digest()


def mac(key: bytes, *items: str | bytes) -> bytes:
    return hmac.new(key, enc(*items), "sha256").digest()


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
            if not path:
                return ""
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


class Opened(NamedTuple):
    """What the whole log tells of its secrets; and the entries that stand."""

    secret: bytes = b""
    downs: Any = lambda epoch, link: False          # does that link lead down to the promise?
    stands: list[tuple[int, Any]] = []
    leads: Any = None
    shown: dict[tuple[str, str], int] = {}
    cards: dict[str, list[str]] = {}


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


def round_after(chain: str, minute: str) -> str:
    """The first round that comes an hour after that minute, or later."""
    genesis, period = CHAINS[chain]
    at = datetime.strptime(minute, MINUTE).replace(tzinfo=UTC).timestamp() + 3600
    return f"drand:{chain}:{max(1, -int((genesis - at) // period) + 1)}"


def formed(form: Any, value: Any) -> bool:
    """Text like this, a number in that range, one of several forms, a list of one form (`...`: not empty) or with a form for
    each place, a mapping: `key?` if it is there, "" each."""
    if isinstance(form, str):
        return isinstance(value, str) and re.fullmatch(form, value, re.DOTALL) is not None
    if isinstance(form, range):
        return type(value) is int and value in form
    if isinstance(form, tuple):
        return any(formed(one, value) for one in form)
    if isinstance(form, list) and form[1:] in ([], [...]):
        return isinstance(value, list) and len(value) >= len(form) - 1 and all(formed(form[0], one) for one in value)
    if isinstance(form, list):
        return isinstance(value, list) and len(value) == len(form) and all(map(formed, form, value))
    if isinstance(form, dict):
        parts = {key.rstrip("?"): one for key, one in form.items()}
        return isinstance(value, dict) and {key for key in form if key and key[-1] != "?"} <= value.keys() and all(
            formed(parts.get(key, parts.get("", object)), one) for key, one in value.items())
    return form is object or value is form


def of_the_form(entry: Any, at: int, promised: bool) -> bool:
    """Is it what section 1 says an entry looks like?"""
    if not entry or not formed(ENTRY, entry) or "undo" in entry and not 0 < entry["undo"] < at:
        return False
    timed = "announce" not in entry or is_minute(entry.get("at"))
    rooted = not promised or "deck" not in entry or formed(DIGEST, entry["deck"].get("root"))
    return timed and rooted and set(entry.get("private", ())) <= set(entry.get("blinds", ()))


def is_minute(value: Any) -> bool:
    try:
        return bool(datetime.strptime(value, MINUTE).strftime(MINUTE) == value)
    except (TypeError, ValueError):
        return False


def verify(log: dict[str, Any], heads: Sequence[str] = (), kept: Sequence[Any] = ()) -> Iterator[Told]:
    """(entry, what, right? or why it was not checked); entries count from 1, 0 is the header."""
    told = log.get("chance") if formed(HEADER, log) else {}
    version = 2 if told is not None and log.get("format", 1) > 2 else 1
    if told is not None and (told.get("scheme") != version or not 1 <= told["links"] <= 10_000):
        yield 0, "chance", False
        return
    yield 0, "chance", told is not None or "by hand"
    entries = [entry if of_the_form(entry, at, told is not None) else {} for at, entry in enumerate(log["log"], 1)]
    opened = (yield from by_hand(entries)) if told is None else (yield from promised(log, entries))
    yield len(entries), "head", "unchecked"

    # The chain of the log: a head that is missing tells of a change after the last one that was found.
    chain = [sha("pbem/log/1", log["game"], canonical({key: log[key] for key in log if key != "log"}))]
    for entry, read in zip(log["log"], entries, strict=True):
        chain.append(sha("pbem/log/1", chain[-1], canonical(entry), bytes.fromhex(read.get("sealed", ""))))
    latest = 0
    for head in heads:
        here = next((at for at, own in enumerate(chain) if own.hex().startswith(head) and len(head) > 7), None)
        latest = latest if here is None else here
        yield latest, f"head {head}", here is not None and (log.get("format", 1) < 3 or len(head) > 31 or WORD)
    yield from of_players(log, kept, [own.hex() for own in chain], entries, opened)


def of_players(log: Any, kept: Sequence[Any], chain: list[str], entries: list[Any], opened: Opened) -> Iterator[Told]:
    """Hands, receipts and blocks, in this order."""
    spots = dict[tuple[str, str], int]()
    for hand in (part["openings"] for part in kept if "openings" in part):
        if opened.leads is None or not formed(OPENINGS, hand):
            yield 0, f"hand {hand['deck'] if formed({'deck': T}, hand) else ''}", False
            continue
        for p, card, salt, path in hand["cards"]:
            fine = opened.leads(hand["deck"], p, card, salt, path) and card in opened.cards[hand["deck"]]
            fine = fine and p == spots.setdefault((hand["deck"], card), opened.shown.get((hand["deck"], card), p))
            yield 0, f"hand {hand['deck']} {p}", fine
        yield 0, f"hand {hand['deck']}", True
    receipts = [part["receipt"] for part in kept if "receipt" in part]
    for one in receipts:
        yield from of_receipt(log, one, receipts, chain, entries, opened)
    for block in (part["turn"] for part in kept if "turn" in part):
        fine = formed(BLOCK, block) and block["game"] == log["game"] and block["entries"] < len(chain)
        fine = fine and entries[block["entries"] - 1].get("turn_end") == block["turn"]
        fine = fine and chain[block["entries"]].startswith(block["head"])
        yield block["entries"] if formed({"entries": N}, block) else 0, "block", fine and (
            "link" not in block or opened.downs(block.get("epoch", 0), bytes.fromhex(block["link"])))


def digest_of(receipt: dict[str, Any]) -> str:
    told = {**receipt, "text": " ".join(receipt["text"].split())}
    keys = ("game", "question", "seat", "number", "entries", "head", "at", "text", "salt", "before")
    return sha("pbem/receipt/2", *(str(told[key]) for key in keys)).hex()


def of_receipt(log: Any, one: Any, others: list[Any], chain: list[str], entries: list[Any], opened: Opened) -> Iterator[Told]:
    """Is it whole and of this log? Is it listed, or why not? Is it the moderator's?"""
    name = f"receipt {one['question']} {one['seat']} {one['number']}" if formed(RECEIPT, one) else "receipt"
    if not formed(RECEIPT, one) or (one["game"], one["digest"]) != (log["game"], digest_of(one)) or len(one["head"]) < 32 or (
            one["entries"] >= len(chain) or not chain[one["entries"]].startswith(one["head"])):
        yield 0, name, False
        return
    yield 0, name, True
    later = {at: entry for at, entry in opened.stands if at > one["entries"]}
    listed = [at for at, entry in later.items() if entry.get("receipts", {}).get(one["seat"]) == one["digest"]]
    yield from ((at, name, True) for at in listed)
    if not listed:
        closes = [at for at, entry in later.items() if entry.get("close") == one["question"]]
        replaced = any(formed(RECEIPT, two) and two["before"] == one["digest"] and (
            digest_of(two) == two["digest"]) for two in others)
        undone = any(entry.get("undo", at) <= one["entries"] or entry.get("receipts", {}).get(one["seat"]) == one["digest"]
                     for at, entry in enumerate(entries, 1) if at > one["entries"])
        yield closes[0] if closes else 0, name, replaced or (WORD if undone else False if closes else CLOSED)
    code = mac(mac(opened.secret, "pbem/receipt-key/2", log["game"]), "pbem/receipt-code/2", one["digest"]).hex()
    yield 0, name, code == one["code"] if opened.secret else CLOSED


def parts(mail: bytes) -> list[Any]:
    """What stands in a mail as JSON, quoted or not, with whatever line breaks; as it lies in the file and as it was written."""
    bodies = [body for one in message_from_bytes(mail).walk() if isinstance(body := one.get_payload(decode=True), bytes)]
    found = list[Any]()
    for data in [mail, *bodies]:
        text = " ".join(re.sub(r"(?m)^[ \t]*(?:> ?)+", "", data.decode(errors="replace")).split())
        for begin in re.finditer(r'\{ ?"(openings|receipt|turn)" ?:', text):
            try:
                one = json.JSONDecoder().raw_decode(text, begin.start())[0]
            except ValueError:
                continue
            found += [one] if one not in found else []
    return found


def by_hand(entries: list[Any]) -> Generator[Told, None, Opened]:
    """Nothing was promised: all dice come from a table elsewhere."""
    for at, entry in enumerate(entries, 1):
        yield from [] if entry else [(at, "entry", False)]
        for name, _, *marks in entry.get("dice", []):
            yield at, f"die {name}", bool(marks) and marks[0].get("by") == "hand" and "by hand"
        if deck := entry.get("deck"):
            yield at, f"deck {deck['name']}", deck.keys() == {"name", "cards", "by"} and deck["by"] == "hand" and "by hand"
    return Opened()


def promised(log: dict[str, Any], entries: list[Any]) -> Generator[Told, None, Opened]:
    """What follows from the promise, entry by entry."""
    game, told, seats, two = log["game"], log["chance"], sorted(log["seats"]), log["chance"]["scheme"] == 2
    words = {seat: told["words"].get(seat, "") for seat in seats}
    mixed = fresh = sha("pbem/entropy/1", game, *(item for pair in words.items() for item in pair))
    fits = told["words"].keys() <= words.keys() and told.get("entropy", mixed.hex()) == mixed.hex()
    yield 0, "words", clean(words) and fits and (all(words.values()) or WORD)

    # What the whole log opens: links that lead down to the promise and all below them, the deck secret, beacons, openings.
    opens = [entry["open"] for entry in entries if "open" in entry]
    links = dict[int, bytes]()

    def downs(epoch: int, link: bytes) -> bool:
        return bool(1 <= epoch <= told["links"] and down(game, link, epoch)[-1].hex() == told["dice"])

    for epoch, link in ((o["epoch"], bytes.fromhex(o["link"])) for o in opens if "link" in o):
        if downs(epoch, link):
            links |= dict(zip(range(epoch, 0, -1), down(game, link, epoch), strict=False))
    found = [(bytes.fromhex(o["deck_secret"]), o.get("orders", {})) for o in opens if "deck_secret" in o]
    found = [(x, o) for x, o in found if sha("pbem/deck/1", game, x).hex() == told["deck"]]
    secret, orders = found[0][0] if found else b"", {name: cards for _, o in found for name, cards in o.items()}
    given = [entry["beacon"] for entry in reversed(entries) if "beacon" in entry]
    beacons = {beacon["epoch"]: (beacon["id"], bytes.fromhex(beacon["value"])) for beacon in given}
    rule = told.get("beacon", "none")
    drand = re.fullmatch(r"drand:(quicknet|default):[1-9][0-9]{0,17}", rule)
    rounds = {0: rule, 1: rule}
    decks = {deck["name"]: deck for deck in (entry["deck"] for entry in reversed(entries) if "deck" in entry)}

    def key(kind: str, base: bytes, epoch: int, words: bytes, *number: str) -> bytes | None:
        """None where the value of its beacon is missing."""
        beacon = ("none", b"") if rule == "none" else beacons.get(epoch)
        return beacon and mac(base, f"pbem/{kind}", game, words, *number, *beacon)

    def leads(name: str, p: int, card: str, salt: str, path: list[str]) -> bool:
        if name not in decks:
            return False
        n, start = len(decks[name]["cards"]), leaf(game, name.split(","), p, card, bytes.fromhex(salt))
        return 0 <= p < n and climb(n, p, start, [bytes.fromhex(step) for step in path]) == decks[name]["root"]

    shown = {(o["deck"], one[1]): one[0] for o in (entry["openings"] for entry in reversed(entries) if "openings" in entry)
             for one in reversed(o["cards"]) if leads(o["deck"], *one)}
    order = dict[str, list[str]]()                              # deck -> cards from the top, once the deck secret is open
    names = dict[str, list[Any]]()                              # kind and turn -> what each different deck was
    lies, states = NOTHING, [NOTHING]                           # where hidden cards are, after so many entries
    stands, before = None, list[Any]([None])                    # entries that stand, the newest first, after so many
    mixes = dict[str, bytes]()                                  # deck -> the words in its key
    public, closed, spent, finished, ended, was_over = set[Any](), False, 0, 0, False, False

    for at, entry in enumerate(entries, 1):
        checks: list[tuple[str, bool | str]] = [] if entry else [("entry", False)]
        opened, deck = entry.get("open", {}), entry.get("deck")
        was_over = was_over or "over" in entry
        if "beacon" in entry:
            e, (value, named) = entry["beacon"]["epoch"], (bytes.fromhex(entry["beacon"]["value"]), entry["beacon"]["id"])
            announced = rounds.get(e) == named if drand else rule != "none"
            checks.append((f"beacon {e}", announced and beacons[e] == (named, value)))
        if "announce" in entry:
            e = entry["announce"]
            checks.append((f"beacon {e}", drand is not None))
            rounds.setdefault(e, round_after(drand[1], entry["at"]) if drand else "")
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
                asked = asked and (asked if not stain or set(seats) <= set(entry.get("consent", [])) else WORD)
                checks.append((f"undo {back}", fine and asked))
                if crosses:
                    fresh = sha("pbem/fresh/2", game, fresh, *(item for s in seats for item in (s, said.get(s, ""))))
            stands, lies = before[back - 1], states[back - 1]
        for written, value, *marks in entry.get("dice", []):
            name, values, mark = written.split(","), value if isinstance(value, list) else [value], (*marks, {})[0]
            turn = int(name[0].removeprefix("T"))
            epoch, late = max(turn, spent + 1), two and turn <= spent
            right: bool | str = epoch <= told["links"] and CLOSED
            if "by" in mark:
                right = mark["by"] == "hand" and "by hand"
            elif epoch in links:
                sizes = [mark.get("sides", 6)] * len(values)
                kept = key(f"dice-key/{1 + late}", links[epoch], epoch, fresh if late else mixed, str(epoch))
                right = kept is not None and values == [1 + number for number in below(kept, [game, "dice", *name], sizes)]
            checks.append((f"die {written}", name[0][0] == "T" and mark.keys() <= MARKS and right))
        if deck:
            name, stated = deck["name"].split(","), "stated" in deck
            newest = fresh if two and int(name[1]) <= spent else mixed
            what = [sorted(deck["cards"]), newest, stated and deck["root"]]
            same = names.setdefault(",".join(name[:2]), [])
            same += [] if what in same else [what]
            due = [*name[:2], *([str(same.index(what) + 1)] if same.index(what) else [])]
            first, base = decks[deck["name"]], mixes.setdefault(deck["name"], mixed if stated else newest)
            right = (first["root"], len(first["cards"])) == (deck["root"], len(deck["cards"]))
            adopting = "position" in entry and "turn_end" not in entry and not any(
                "position" in e and "turn_end" not in e for _, e in chained(stands))
            right = right and (due == name or not two) and (not stated or adopting)
            if secret:
                keyed = key(f"deck-key/{1 + (base != mixed)}", secret, 0, base)
                if keyed is not None and deck["name"] not in order:
                    order[deck["name"]] = orders.get(deck["name"], []) if "stated" in first else shuffled(
                        keyed, game, name, first["cards"])
                cards = order.get(deck["name"], [])
                right = right and keyed is not None and sorted(cards) == sorted(deck["cards"])
                right = right and root_of(keyed or b"", game, name, cards) == deck["root"]
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
            checks.append(("deck secret", opened["deck_secret"] == secret.hex() and (was_over or not two)))
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
    if lies.over:
        yield len(entries), "end", ended and not closed
    return Opened(secret, downs, chained(stands), leads, shown, {deck["name"]: deck["cards"] for deck in decks.values()})


def main(source: str = "-", *kept: str) -> int:
    """1 if anything is wrong, 3 if all that is told of it rests on somebody's word, else 0."""
    failed = remarks = False
    files = [Path(one) for one in kept if Path(one).is_file()]
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8")
        found = [part for file in files for part in parts(file.read_bytes())]
        for at, what, right in verify(json.loads(text), [one for one in kept if not Path(one).is_file()], found):
            print(f"{at:5}  {what}: {'failed' if right is False else 'ok' if right is True else right}")
            failed, remarks = failed or right is False, remarks or right in REMARKS
    except UNREADABLE as problem:
        print(f"cannot be read, failed: {problem!r}")
        failed = True
    return 1 if failed else 3 if remarks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
