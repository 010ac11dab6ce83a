"""Chance that anyone can check (docs/chance.md): commitments, named draws, shuffles, openings, chain of the log.

Everything here is a function of secrets, words and names. There is no running counter: the same name gives
the same result, whatever was drawn before. `verify_min.py` says all this again without using this module.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    import json

LINKS = 100
LONGEST_WORD = 200
RANGE = 2**32

Beacon = tuple[str, bytes]
NO_BEACON: Beacon = ("none", b"")


# --- Bytes --------------------------------------------------------------------


def enc(*items: str | bytes) -> bytes:
    """Items in a row that can be read in one way only; text in NFC."""
    parts = []
    for item in items:
        data = item if isinstance(item, bytes) else normalize("NFC", item).encode()
        parts += [len(data).to_bytes(4, "big"), data]
    return b"".join(parts)


def H(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


class Wrong(ValueError):
    """What a check has found; `key` names the sentence, `facts` fill it."""

    def __init__(self, key: str, **facts: Any) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


def hmac256(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def unhex(text: object) -> bytes:
    """Lower-case hex of 32 bytes only: another spelling of the same bytes would be a change nobody sees."""
    if not isinstance(text, str) or len(text) != 64 or text.strip("0123456789abcdef"):
        raise Wrong("not_hex", text=str(text)[:70])
    return bytes.fromhex(text)


def canonical(value: object) -> bytes:
    """JSON with sorted keys and no blanks, UTF-8. Keys are text before they are sorted: "10" before "9"."""
    return _encoder().encode(_with_text_keys(value)).encode()


@cache
def _encoder() -> "json.JSONEncoder":
    import json

    return json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _with_text_keys(value: Any) -> Any:
    if isinstance(value, dict):
        text = {str(key): _with_text_keys(inner) for key, inner in value.items()}
        if len(text) != len(value):
            raise Wrong("keys_alike")
        return text
    if isinstance(value, list | tuple):
        return [_with_text_keys(inner) for inner in value]
    return value


# --- Secrets, words, keys -----------------------------------------------------


def link_before(game: str, link: bytes) -> bytes:
    """X_(i-1) from X_i."""
    return H(enc("pbem/chain/1", game, link))


def deck_commitment(game: str, secret: bytes) -> bytes:
    return H(enc("pbem/deck/1", game, secret))


def is_link(game: str, link: bytes, epoch: int, dice_commitment: bytes) -> bool:
    """Does this link, so many steps up the chain, lead down to what was promised?"""
    for _ in range(epoch):
        link = link_before(game, link)
    return hmac.compare_digest(link, dice_commitment)


class Secrets:
    """What the moderator holds: the deck secret and a chain of dice secrets, one link for each epoch."""

    __slots__ = ("_chain", "deck", "game")

    def __init__(self, game: str, deck: bytes, last_link: bytes, links: int = LINKS) -> None:
        if len(deck) != 32 or len(last_link) != 32 or links < 1:
            raise ValueError("secrets are twice 32 bytes and a chain of at least one link")
        self.game, self.deck = game, deck
        chain = [last_link]
        for _ in range(links):
            chain.append(link_before(game, chain[-1]))
        self._chain = chain[::-1]

    def __repr__(self) -> str:
        """Without the secrets: this ends up in tracebacks."""
        return f"Secrets({self.game!r}, links={self.links})"

    @property
    def links(self) -> int:
        return len(self._chain) - 1

    def link(self, epoch: int) -> bytes:
        if not 1 <= epoch <= self.links:
            raise ValueError(f"the chain has links 1 to {self.links}, not {epoch}")
        return self._chain[epoch]

    def commitments(self) -> dict[str, str]:
        return {"deck": deck_commitment(self.game, self.deck).hex(), "dice": self._chain[0].hex()}

    def plain(self) -> dict[str, str | int]:
        return {"deck": self.deck.hex(), "last_link": self._chain[-1].hex(), "links": self.links}

    @classmethod
    def from_plain(cls, game: str, plain: Mapping[str, Any]) -> "Secrets":
        return cls(game, unhex(plain["deck"]), unhex(plain["last_link"]), int(plain["links"]))


def new_secrets(game: str, links: int = LINKS) -> Secrets:
    from secrets import token_bytes

    return Secrets(game, token_bytes(32), token_bytes(32), links)


def normal_word(text: str) -> str:
    """A player's word as it is printed and mixed in: trimmed, NFC, one line of 1 to 200 characters."""
    word = normalize("NFC", text).strip()
    if len(word.splitlines()) > 1:
        raise ValueError("a word is one line; this has several")
    if not 1 <= len(word) <= LONGEST_WORD:
        raise ValueError(f"a word has 1 to {LONGEST_WORD} characters; this has {len(word)}")
    return word


def entropy(game: str, words: Mapping[str, str]) -> bytes:
    """E: what the seats added. Every seat is in `words`; who sent nothing has the empty word."""
    return H(enc("pbem/entropy/1", game, *(item for seat in sorted(words) for item in (seat, words[seat]))))


def deck_key(secret: bytes, game: str, mixed: bytes, beacon: Beacon = NO_BEACON) -> bytes:
    """K_d; `mixed` is the entropy E."""
    return hmac256(secret, enc("pbem/deck-key/1", game, mixed, *beacon))


def dice_key(link: bytes, game: str, mixed: bytes, epoch: int, beacon: Beacon = NO_BEACON) -> bytes:
    """K_e; `mixed` is the entropy E."""
    return hmac256(link, enc("pbem/dice-key/1", game, mixed, str(epoch), *beacon))


def fresh(before: bytes, game: str, words: Mapping[str, str]) -> bytes:
    """F: what the seats added when a Game Turn whose link is open was taken back; `before` is the F before it, at first E."""
    return H(enc("pbem/fresh/2", game, before, *(item for seat in sorted(words) for item in (seat, words[seat]))))


def late_dice_key(link: bytes, game: str, fresh: bytes, epoch: int, beacon: Beacon = NO_BEACON) -> bytes:
    """The key of dice whose Game Turn has no secret link any more."""
    return hmac256(link, enc("pbem/dice-key/2", game, fresh, str(epoch), *beacon))


def late_deck_key(secret: bytes, game: str, fresh: bytes, beacon: Beacon = NO_BEACON) -> bytes:
    """The key of a deck of such a Game Turn."""
    return hmac256(secret, enc("pbem/deck-key/2", game, fresh, *beacon))


def epoch_of(turn: int, opened: int) -> int:
    """The epoch of a roll: its turn, or behind an opened epoch the next one nobody has seen."""
    return max(turn, opened + 1)


# --- Named draws --------------------------------------------------------------


def written(name: Sequence[str]) -> str:
    """A name as the log has it. An item with a comma in it would read back as two."""
    if not name or any(not item or "," in item or item != item.strip() for item in name):
        raise ValueError(f"items of a name are not empty and have no commas or outer blanks: {list(name)}")
    return ",".join(name)


def numbers(key: bytes, game: str, name: Sequence[str]) -> Iterator[int]:
    """The stream of a draw: 32-bit numbers without end."""
    # One prefix for all blocks: only the block number changes.
    prefix, block = enc("pbem/draw/1", game, *name), 0
    while True:
        digest = hmac256(key, prefix + enc(str(block)))
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def next_below(stream: Iterator[int], n: int) -> int:
    """The next number below n. The last, incomplete run of n is passed over: it would favour low results."""
    if not 1 <= n <= RANGE:
        raise ValueError(f"cannot draw one of {n}")
    limit = RANGE - RANGE % n
    while (number := next(stream)) >= limit:
        pass
    return number % n


def order(stream: Iterator[int], cards: Sequence[str]) -> list[str]:
    deck = sorted(cards)
    for i in range(len(deck) - 1, 0, -1):
        j = next_below(stream, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def below(key: bytes, game: str, name: Sequence[str], n: int) -> int:
    return next_below(numbers(key, game, name), n)


def dice(key: bytes, game: str, name: Sequence[str], count: int, sides: int = 6) -> list[int]:
    """Several dice of one roll, from the stream of one name."""
    stream = numbers(key, game, name)
    return [1 + next_below(stream, sides) for _ in range(count)]


def die(key: bytes, game: str, name: Sequence[str], sides: int = 6) -> int:
    return 1 + below(key, game, name, sides)


def shuffle(key: bytes, game: str, name: Sequence[str], cards: Sequence[str]) -> list[str]:
    """The cards in their new order, top first. The order they came in does not matter."""
    return order(numbers(key, game, name), cards)


# --- Decks that can be opened card by card ------------------------------------


class Opening(NamedTuple):
    """One card of a deck, with what proves that it lay there."""

    position: int
    card: str
    salt: bytes
    path: tuple[bytes, ...]

    def plain(self) -> list[Any]:
        return [self.position, self.card, self.salt.hex(), [step.hex() for step in self.path]]

    @classmethod
    def from_plain(cls, plain: Sequence[Any]) -> "Opening":
        position, card, salt, path = plain
        if type(position) is not int or not isinstance(card, str) or not isinstance(path, list | tuple):
            raise Wrong("opening_form")
        return cls(position, card, unhex(salt), tuple(unhex(step) for step in path))


def salt(key: bytes, game: str, name: Sequence[str], position: int) -> bytes:
    return hmac256(key, enc("pbem/salt/1", game, *name, str(position)))


def leaf(game: str, name: Sequence[str], position: int, card: str, salted: bytes) -> bytes:
    return H(b"\x00" + enc("pbem/leaf/1", game, *name, str(position), card, salted))


def node(left: bytes, right: bytes) -> bytes:
    return H(b"\x01" + left + right)


class Deck:
    """A shuffled deck: `root` is public at once, an opening goes to the owner of a card.

    `name` is that of the deck alone ("main", "2"). A name is for one set of cards only: its salts come
    back with it, and a salt once opened would show what lies at the same place of another deck.
    """

    __slots__ = ("_key", "_tree", "cards", "game", "name")

    def __init__(self, key: bytes, game: str, name: Sequence[str], cards: Sequence[str]) -> None:
        if not cards:
            raise ValueError("a deck without cards has no root")
        self.game, self.name, self.cards = game, tuple(name), tuple(cards)
        self._key = key
        self._tree: tuple[list[bytes], list[list[bytes]]] | None = None

    def __repr__(self) -> str:
        return f"Deck({written(self.name)!r}, {len(self.cards)} cards)"

    @classmethod
    def shuffled(cls, key: bytes, game: str, name: Sequence[str], cards: Sequence[str]) -> "Deck":
        return cls(key, game, name, shuffle(key, game, ("deck", *name), cards))

    def _grown(self) -> tuple[list[bytes], list[list[bytes]]]:
        """The salts, and the tree from its leaves to its root: who only wants to know what lies where needs neither."""
        if self._tree is None:
            salts = [salt(self._key, self.game, self.name, p) for p in range(len(self.cards))]
            levels = [[leaf(self.game, self.name, p, card, salts[p]) for p, card in enumerate(self.cards)]]
            while len(below := levels[-1]) > 1:
                pairs = [node(below[p], below[p + 1]) for p in range(0, len(below) - 1, 2)]
                levels.append(pairs + below[len(pairs) * 2 :])
            self._tree = salts, levels
        return self._tree

    @property
    def root(self) -> bytes:
        return self._grown()[1][-1][0]

    def opening(self, position: int) -> Opening:
        if not 0 <= position < len(self.cards):
            raise ValueError(f"the deck has positions 0 to {len(self.cards) - 1}, not {position}")
        salts, levels = self._grown()
        path, at = [], position
        for level in levels[:-1]:
            if at ^ 1 < len(level):
                path.append(level[at ^ 1])
            at //= 2
        return Opening(position, self.cards[position], salts[position], tuple(path))


def check_opening(root: bytes, size: int, game: str, name: Sequence[str], opening: Opening) -> bool:
    """Did this card lie there in the deck of that root and size?"""
    at, path = opening.position, list(opening.path)
    if not 0 <= at < size:
        return False
    reached = leaf(game, name, at, opening.card, opening.salt)
    while size > 1:
        if at ^ 1 < size:
            if not path:
                return False
            reached = node(path.pop(0), reached) if at % 2 else node(reached, path.pop(0))
        at, size = at // 2, (size + 1) // 2
    return not path and hmac.compare_digest(reached, root)


# --- The chain of the log -----------------------------------------------------


def blind(key: bytes, game: str, entry: int | str) -> bytes:
    """What hides the private part of an entry; `key` is the deck key, entries count from 1."""
    return hmac256(key, enc("pbem/blind/1", game, str(entry)))


def inner_digest(blinding: bytes, private: bytes) -> bytes:
    """Stands in the public entry as `sealed`, where there is a private part."""
    return H(enc(blinding, private))


def first_head(game: str, header: Mapping[str, Any]) -> bytes:
    return H(enc("pbem/log/1", game, canonical(dict(header))))


def head(previous: bytes, public: bytes, inner: bytes = b"") -> bytes:
    """`public` is the canonical JSON of the entry, `inner` its `sealed` digest."""
    return H(enc("pbem/log/1", previous, public, inner))
