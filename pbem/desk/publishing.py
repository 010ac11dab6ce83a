"""What may be seen, and when: openings of cards, and a copy of the game for everybody."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import Diverged, Refused
from pbem.base.folder import write_whole
from pbem.desk import openings
from pbem.desk.desk import Desk
from pbem.log import gamelog
from pbem.log.promise import HEAD
from pbem.play import proof
from pbem.table import position

SHORTEST = 8                # a private text shorter than this stands in a public file by chance
TOLD = frozenset(("secrets", "wishes"))                     # secrets may have been opened; a wish is asked before all eyes
SAID = frozenset(("do", "answers", "receipts", "via"))      # what seats declared: it may well be what is sealed again
HEX = re.compile(r"[0-9a-f]{64}")
TELLING = re.compile(r"\s|@|^[\w-]{16,}$")
COMMENT = re.compile(r"(?:^|\s)#(.*)$", re.MULTILINE)


# --- The public copy ----------------------------------------------------------


class Published(NamedTuple):
    """What was written, or would be. `stray` is the head of an earlier copy that this log never had."""

    files: list[Path]
    removed: list[Path]
    entries: int
    head: str
    opened: int
    comments: int
    stray: str
    written: bool


def publish(place: Path, target: Path, *, write: bool = True) -> Published:
    """Copy what is public, after a look for anything private in it; openings that are due are written before.

    The caller has locked the game. Without `write` everything is looked at and nothing done.
    """
    desk = Desk(place)
    if target.resolve() == desk.folder.resolve() or (target / gamelog.PRIVATE).exists():
        raise Refused("0", "target_is_private", target=str(target))
    corrections = desk.folder / gamelog.OVERRIDES
    texts = {gamelog.OVERRIDES: yamlfile.read(corrections)} if corrections.exists() else {}
    if found := list(leaks(desk, "\n".join([desk.game.text, *texts.values()]))):
        raise Refused("0", "private_in_public", what=found)
    stands_alone(desk)
    due = openings.due(desk.course.entries, desk.match, desk.keys)
    if write:
        for entry in due:
            desk.enter(entry)
    chain = desk.game.heads()
    texts[gamelog.GAME] = desk.game.text
    texts[proof.LOG], texts[proof.PAGE] = proof.log_text(desk.game), proof.page()
    texts[HEAD] = f"{desk.game.header['game']}: {len(desk.game.entries)} entries, head {chain[-1]}\n"
    stale = target / gamelog.OVERRIDES
    published = Published(
        [target / name for name in sorted(texts)],
        [stale] if stale.exists() and gamelog.OVERRIDES not in texts else [],
        len(desk.game.entries), chain[-1], sum(len(entry["openings"]["cards"]) for entry in due),
        sum(len(COMMENT.findall(text)) for text in texts.values()), stray_head(target, chain), write)
    if write:
        copy(texts, target, published.removed)
    return published


def copy(texts: Mapping[str, str], target: Path, removed: list[Path]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for file in removed:
        file.unlink()
    for name, text in sorted(texts.items(), reverse=True):      # overrides before the game that leans on them
        write_whole(target / name, text.encode())


def stray_head(target: Path, chain: list[str]) -> str:
    """The head of the copy that is replaced, if it is not one of this log."""
    if not (target / gamelog.GAME).exists():
        return ""
    head = gamelog.read_whole(target).head()
    return "" if head in chain else head


def stands_alone(desk: Desk) -> None:
    """The log without the private file gives the same public position."""
    from pbem.play.match import Match

    alone = Match(desk.game.header, desk.corrections)
    alone.fold(desk.game.entries, gamelog.survivors(desk.game.entries, str(desk.game.path)))
    wanted, found = position.fingerprint(desk.match.g), position.fingerprint(alone.g)
    if wanted != found:
        raise Diverged("other_alone", entry=len(desk.game.entries), wanted=wanted, found=found)


# --- What must not be in it ---------------------------------------------------


class Leak(NamedTuple):
    """Something private: what it is, and of which epoch, deck or entry or where in the private file."""

    what: str
    of: int | str = ""


def leaks(desk: Desk, text: str) -> Iterator[Leak]:
    """What in this text should have stayed private; told by its place there, never by what it is."""
    numbers = set(HEX.findall(text))
    for what, number in secret_numbers(desk):
        if number in numbers:
            yield what
    public = set(strings(desk.game.header))
    free = "\n".join([*strings(list(desk.game.entries), SAID), *COMMENT.findall(text)])
    texts = {key: value for key, value in desk.tray.plain().items() if key not in TOLD}
    for path, value in private_texts(texts):
        if value in (text if "@" in value else free) and value not in public:
            yield Leak("private_text", path)
    yield from card_leaks(desk)


def secret_numbers(desk: Desk) -> Iterator[tuple[Leak, str]]:
    """The secrets, and all that follows from them and has not been opened."""
    if desk.keys is None:
        return
    keys, secrets = desk.keys, desk.keys.secrets
    opened = [entry["open"] for entry in desk.game.entries if "open" in entry]
    spent = max((one.get("epoch", 0) for one in opened), default=0)
    yield from ((Leak("dice_secret", epoch), secrets.link(epoch).hex())
                for epoch in range(spent + 1, secrets.links + 1))
    if not any("deck_secret" in one for one in opened):
        yield Leak("deck_secret"), secrets.deck.hex()
        if keys.knows(0):
            yield Leak("deck_key"), keys.deck.hex()
    yield from ((Leak("dice_key", epoch), keys.dice(epoch).hex()) for epoch in range(spent + 1, secrets.links + 1)
               if keys.knows(epoch))
    seen = openings.opened_before(desk.game.entries)
    for name, cards in openings.decks(desk.game.entries).items():
        deck = keys.shuffled(name, cards)
        yield from ((Leak("card_salt", name), deck.opening(place).salt.hex())
                    for place, card in enumerate(deck.cards) if (name, card) not in seen)


def private_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of the private file that would be known again, with its place there: what was said in several
    words, an address, a token. Ids, times and the words of settings stand in the log as well.
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if "@" in key:
                yield path, key
            yield from private_texts(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from private_texts(inner, path)
    elif isinstance(value, str) and len(value) >= SHORTEST and TELLING.search(value):
        yield path, value


def strings(value: Any, without: frozenset[str] = frozenset()) -> Iterator[str]:
    """All texts in something, but for what stands under these keys."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in without:
                yield from strings(inner, without)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, without)
    elif isinstance(value, str):
        yield value


def card_leaks(desk: Desk) -> Iterator[Leak]:
    """Openings of cards that nobody has seen, and hands written out instead of counted."""
    seen = openings.turned_up(desk.game.entries, desk.match, finished=True)
    ended = any("deck_secret" in entry.get("open", ()) for entry in desk.game.entries)
    for place in gamelog.survivors(desk.game.entries, str(desk.game.path)):
        entry = desk.game.entries[place]
        told = entry.get("openings")
        if told and not ended and any(card[1] not in seen.get(told["deck"], ()) for card in told["cards"]):
            yield Leak("early_opening", place + 1)
        for where in ("position", "facts"):
            hands = (entry.get(where) or {}).get("hands") or {}
            if not all(isinstance(count, int) for count in hands.values()):
                yield Leak("open_hand", place + 1)
