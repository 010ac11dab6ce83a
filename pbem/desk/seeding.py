"""The ceremony before a game: the moderator promises, then every seat adds a word, then the game begins.

All of it stands in the header, so it ends with the first entry. Whoever calls here has locked the folder.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import clock, mirror, records, yamlfile
from pbem.base.errors import BadLog, NotNow, Refused
from pbem.base.folder import write_whole
from pbem.chance import beacon as beacons
from pbem.chance import scheme
from pbem.desk import tray as trays
from pbem.desk.tray import Tray
from pbem.log import gamelog
from pbem.log.gamelog import GameFile
from pbem.log.header import TELLING, format_of

BLOCK = r"^{}:.*\n(?:(?:\r?\n)*[ \t}}\]].*\n)*"            # a key of the header, and the lines that belong to it


class Post(NamedTuple):
    """What everybody has to see before the first word is added."""

    game: str
    deck: str
    dice: str
    links: int
    seats: dict[str, str]       # seat -> who sits there
    deadline: str               # empty: the moderator says when
    begun: bool                 # nobody can add a word any more
    version: int                # of the scheme
    beacon: str                 # `none`, or the round that is announced
    beacon_at: str              # when its value is public


class Status(NamedTuple):
    """How far the ceremony has come."""

    game: str
    seeded: bool
    begun: bool
    words: dict[str, str]       # as they are mixed in, by seat
    missing: list[str]          # seats without a word: they count as silent
    entropy: str
    deadline: str
    fits: bool | None           # do the secrets at hand keep the promise? None: they are not at hand


# --- The promise --------------------------------------------------------------


def new(folder: Path, links: int = scheme.LINKS, *, deadline: str = "", beacon: str = "") -> Post:
    """Draw the secrets of a game that has not begun, promise them in its header, and say what to post."""
    game = before_the_game(folder)
    promised = game.header.get("chance") or {}
    first = beacons.wished(beacon) if beacon else beacons.announced(game.header)
    if "deck" in promised or "dice" in promised:
        raise NotNow("already_promised", game=game.header["game"], deck=promised.get("deck"), dice=promised.get("dice"))
    if first is not None:
        judge_beacon(first, deadline)
    if not 1 <= links <= 10_000:
        raise Refused("0", "links_out_of_range", links=links, most=10_000)
    tray = trays.read(folder)
    # A run that was killed between the two files has drawn already, and nobody has seen a promise.
    secrets = secrets_in(game, tray) or scheme.new_secrets(game.header["game"], links)
    write(game, {
        "scheme": 2 if format_of(game.header) >= TELLING else 1, **secrets.commitments(), "links": secrets.links, "words": {},
        "entropy": scheme.entropy(game.header["game"], dict.fromkeys(game.header["seats"], "")).hex(),
        "beacon": str(first or scheme.NO_BEACON[0]), **({"deadline": deadline} if deadline else {}),
    }, replace(tray, secrets=trays.promised(secrets).secrets))
    return post(folder)


def judge_beacon(first: beacons.Round, deadline: str) -> None:
    """The announced round comes after the words: else whoever gives the last one knows already what it gives."""
    now = clock.now()
    if first.at <= now or is_open(deadline, first.at):
        raise Refused("0", "beacon_too_early", id=str(first), at=f"{first.at:%Y-%m-%dT%H:%MZ}",
                      until=deadline if is_open(deadline, first.at) else "")


def is_open(deadline: str, now: datetime) -> bool:
    """Is there still time for a word? A deadline in the moderator's own words says nothing about that."""
    try:
        until = datetime.fromisoformat(deadline)
    except ValueError:
        return False
    return now < (until if until.tzinfo else until.replace(tzinfo=UTC))


def post(folder: Path) -> Post:
    """What to post, as often as it is wanted."""
    game = gamelog.read_game(folder)
    promised = promise_of(game)
    first = beacons.announced(game.header)
    seats = {seat: str(who.get("name", "")) for seat, who in game.header["seats"].items()}
    return Post(game.header["game"], promised["deck"], promised["dice"], promised["links"], seats,
                str(promised.get("deadline") or ""), bool(game.entries), promised["scheme"],
                str(first or scheme.NO_BEACON[0]), f"{first.at:%Y-%m-%dT%H:%MZ}" if first else "")


# --- Words --------------------------------------------------------------------


def enter_word(folder: Path, seat: str, text: str, *, instead: bool = False, dry_run: bool = False) -> Status:
    """Put a seat's word into the header. The first one stands, unless the moderator corrects it before the game."""
    game = before_the_game(folder)
    promised = promise_of(game)
    if seat not in game.header["seats"]:
        raise Refused("2", "unknown_seat", seat=seat, known=list(game.header["seats"]))
    said = fit_word(seat, text)
    first = beacons.announced(game.header)
    if first is not None and clock.now() >= first.at:
        raise NotNow("beacon_came_first", seat=seat, id=str(first), at=f"{first.at:%Y-%m-%dT%H:%MZ}")
    given = promised["words"].get(seat, "")
    if given and given != said and not instead:
        raise NotNow("word_given", seat=seat, word=given)
    spoken = {**promised["words"], seat: said}
    words = {one: spoken[one] for one in game.header["seats"] if spoken.get(one)}
    if dry_run:
        missing = [one for one in game.header["seats"] if one not in words]
        return status(folder)._replace(words=words, missing=missing, entropy=mixed(game, words).hex())
    write(game, {**promised, "words": words, "entropy": mixed(game, words).hex()})
    return status(folder)


def fit_word(seat: str, text: str) -> str:
    """A seat's word as it is mixed in."""
    try:
        return scheme.normal_word(text)
    except ValueError:
        raise Refused("0", "word_unfit", seat=seat, length=len(text.strip()), lines=len(text.strip().splitlines()),
                      longest=scheme.LONGEST_WORD) from None


def status(folder: Path) -> Status:
    """Which words are there, and which are missing."""
    game = gamelog.read_game(folder)
    promised = game.header.get("chance") or {}
    words = promised.get("words") or {}
    secrets = secrets_in(game, trays.read(folder))
    kept = {"deck": promised.get("deck"), "dice": promised.get("dice")}
    return Status(
        game.header["game"], "deck" in promised, bool(game.entries), dict(words),
        [seat for seat in game.header["seats"] if not words.get(seat)], mixed(game, words).hex(),
        str(promised.get("deadline") or ""), None if secrets is None else secrets.commitments() == kept)


def mixed(game: GameFile, words: Mapping[str, str]) -> bytes:
    return scheme.entropy(game.header["game"], {seat: words.get(seat) or "" for seat in game.header["seats"]})


# --- The header ---------------------------------------------------------------


def before_the_game(folder: Path) -> GameFile:
    """The header is part of every head: it can be written until the first entry, and never again."""
    game = gamelog.read_game(folder)
    if game.entries:
        raise NotNow("game_has_begun", game=game.header["game"], entries=len(game.entries))
    return game


def promise_of(game: GameFile) -> dict[str, Any]:
    """Nobody adds a word to what is not promised yet: it could be chosen to fit."""
    promised = dict(game.header.get("chance") or {})
    if not {"deck", "dice", "links"} <= promised.keys():
        raise NotNow("not_seeded", game=game.header["game"])
    promised["words"] = dict(promised.get("words") or {})
    return promised


def secrets_in(game: GameFile, tray: Tray) -> scheme.Secrets | None:
    if tray.secrets is None:
        return None
    try:
        return scheme.Secrets.from_plain(game.header["game"], records.plain(tray.secrets))
    except (ValueError, TypeError, KeyError):
        path = game.path.with_name(gamelog.PRIVATE)
        raise BadLog("secrets_unreadable", file=str(path)) from None


def write(game: GameFile, promised: Mapping[str, Any], tray: Tray | None = None) -> None:
    """Put the chance into the header; the secrets are safe before."""
    text = with_block(game, "chance", promised)
    if tray is not None:
        trays.write(game.path, tray)
    replace_header(game, text)


def replace_header(game: GameFile, text: str) -> None:
    write_whole(game.path, text.encode())
    mirror.follow(game.path.with_name(gamelog.MIRROR), gamelog.read_game(game.path).lines, [], {0})


def with_block(game: GameFile, key: str, block: Mapping[str, Any]) -> str:
    """The file with one block of its header written anew and every other line as it is."""
    written = yamlfile.dump_file({key: dict(block)})
    header = gamelog.LOG_LINE.split(game.text, 1)[0]
    start = end = len(header)
    if found := re.search(BLOCK.format(key), header, re.MULTILINE):
        start, end = found.span()
    text, told = game.text[:start] + written + game.text[end:], None
    with suppress(BadLog):
        told = yamlfile.parse(text, str(game.path))
    if told != {**game.header, key: block, "log": None}:
        line = game.text[:start].count("\n") + 1
        raise BadLog("header_not_plain", file=str(game.path), line=line, word=key)
    return text
