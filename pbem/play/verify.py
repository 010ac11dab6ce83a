"""Repeats a whole game from its public log: the file, all chance, the rules, and what others kept of it.

The private file is never opened here: whoever has the published log can do all this. Only whether it is there is asked,
where the log is written.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import BadLog, PbemError, Refused
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.chance import scheme
from pbem.chance.check import (
    CLOSED,
    FAILED,
    HAND,
    NOTHING,
    OK,
    REMARKS,
    TURN,
    UNREADABLE,
    Check,
    Verdict,
    Witnessed,
    check_game,
    head_checks,
    header_verdict,
    judged,
    label,
    shown_as,
    verdict,
)
from pbem.chance.course import Course
from pbem.chance.scheme import Wrong
from pbem.log import gamelog
from pbem.log.entries import KINDS, PLAY, UNDO, Kind, kind_of
from pbem.log.gamelog import GameFile
from pbem.log.header import TELLING, format_of
from pbem.log.promise import private_is_gone
from pbem.play.kept import QUOTE, block_checks, texts_of

NOT_KEPT, NOT_REACHED, TAKEN_BACK = "not kept here", "not reached", "taken back"
ON_WORD = ("ruling", "amend", "rebase", "fixes")         # entries that a moderator makes, and that follow from nothing
UPON_WORD = (*ON_WORD, "seat", "adopted")                # what is checked of them: nothing
BLOCK = 8                   # numbers in one block of a stream


def verify(
    place: Path, *, epoch: int | None = None, witness: Sequence[Path] = (), hand: Path | None = None,
    explain: str | None = None, entries: bool = False,
) -> Iterator[Check]:
    """One check after the other. With `epoch` only the chance of that one; with `explain` only that draw.

    With `entries` there is one row for each entry of the log, with all that was checked of it.
    """
    try:
        game = gamelog.read_whole(place)
    except BadLog as problem:
        yield Check(0, "file", FAILED, "refused", {"error": problem})
        return
    if explain is not None:
        yield from explained(game, explain)
        return
    if epoch is not None:
        yield from epoch_checks(game, epoch)
    else:
        yield from by_entry(game, list(whole_checks(game))) if entries else whole_checks(game)
    if epoch is None and not entries:
        yield from word_checks(game)
    yield from witness_checks(game, witness)
    if hand is not None:
        yield from hand_checks(game, hand)


def whole_checks(game: GameFile) -> Iterator[Check]:
    yield from edit_checks(game)
    yield from private_checks(game)
    yield from idle_checks(game)
    yield from chance_checks(game)
    yield from Shown(game).clashes
    yield from rule_checks(game)


HOLDS, FAILS, WITH_REMARKS = 0, 1, 3


def exit_code(checks: Iterable[Check]) -> int:
    """1 when anything failed; else 3 when anything rests on the moderator's word; what is not open yet is neither."""
    states = {check.state for check in checks}
    return FAILS if FAILED in states else WITH_REMARKS if states.intersection(REMARKS) else HOLDS


class Summary(NamedTuple):
    """How many of what, in the words of `checked`: right, not open yet, on the moderator's word, wrong."""

    ok: dict[str, int]
    closed: dict[str, int]
    remarks: dict[str, int]
    failed: dict[str, int]
    verdict: int


def summary(checks: Sequence[Check]) -> Summary:
    """The whole in a few lines."""
    counted = {state: Counter(kind_of_check(one) for one in checks if one.state in states) for state, states in (
        (OK, (OK,)), (CLOSED, (CLOSED,)), (HAND, REMARKS), (FAILED, (FAILED,)))}
    counted[HAND] += Counter(one.what for one in checks if one.state == NOTHING and one.what in UPON_WORD)
    return Summary(dict(counted[OK]), dict(counted[CLOSED]), dict(counted[HAND]), dict(counted[FAILED]), exit_code(checks))


LONG = ("changes by hand", "changed by hand", "private file", "deck secret", "due link", "due openings", "passed over")


def kind_of_check(check: Check) -> str:
    """What was checked, without its name or number."""
    return next((kind for kind in LONG if check.what.startswith(kind)), check.what.split()[0])


def whole(game: GameFile) -> dict[str, Any]:
    """The log as one mapping, as both verifiers take it."""
    return {**game.header, "log": game.entries}


def json_log(place: Path) -> str:
    """The log for `verify_min.py`, which reads JSON."""
    return json_of(gamelog.read_whole(place))


def json_of(game: GameFile) -> str:
    return scheme.canonical(whole(game)).decode()


# --- The file -----------------------------------------------------------------


def edit_checks(game: GameFile) -> Iterator[Check]:
    """Lines that are not as they were written, with both texts. A published copy does not know."""
    if not game.path.with_name(gamelog.MIRROR).exists():
        yield Check(0, "changes by hand", NOT_KEPT)
        return
    edits = gamelog.hand_edits(game)
    for edit in edits:
        yield Check(edit.entry, "changed by hand", FAILED, "edited", {"line": edit.line, "was": edit.was, "now": edit.now})
    if not edits:
        yield Check(0, "changes by hand", OK, "unedited")


def private_checks(game: GameFile) -> Iterator[Check]:
    """Where the log is written, somebody has to be able to keep its promise. Whoever has a copy of the log has no such file."""
    if private_is_gone(game):
        yield Check(0, "private file", FAILED, "private_gone")


def idle_checks(game: GameFile) -> Iterator[Check]:
    """Entries that do nothing; only a log of format 1 can have any."""
    for at, entry in enumerate(game.entries, 1):
        kind = KINDS[kind_of(entry)]
        if not kind.effect:
            yield Check(at, f"entry {kind.word}", NOTHING, "idle", {"nearest": kind.instead})


# --- Chance -------------------------------------------------------------------


def chance_checks(game: GameFile) -> Iterator[Check]:
    if "chance" in game.header and format_of(game.header) < TELLING and any("deck" in entry for entry in game.entries):
        yield Check(0, "cards", NOTHING, "untold")
    yield from check_game(whole(game))


class Roll(NamedTuple):
    """A roll of the log, and the epoch whose key gives it."""

    entry: int
    name: str
    values: list[int]
    marks: Mapping[str, Any]
    epoch: int
    fresh: bytes                        # with which words its key is made, if it is late; else nothing


def rolls(game: GameFile) -> Iterator[Roll]:
    """All rolls that can be read; what is wrong with others is for their check to say."""
    course = Course(game.header)
    for at, entry in enumerate(game.entries, 1):
        for item in entry.get("dice", ()):
            with suppress(TypeError, ValueError, AttributeError):
                name, value, marks = item if len(item) == 3 else (*item, {})
                if turn := TURN.fullmatch(name.split(",")[0]):
                    values = value if isinstance(value, list) else [value]
                    late = course.is_late(int(turn[1]))
                    yield Roll(at, name, values, marks, course.epoch(int(turn[1])), course.fresh if late else b"")
        with suppress(*UNREADABLE):
            course.take_in(entry)


def epoch_checks(game: GameFile, epoch: int) -> Iterator[Check]:
    """What was promised, one link, and the dice that follow from it."""
    if not (yield from promised_checks(game)):
        return
    links = game.header["chance"]["links"]
    if not 1 <= epoch <= links:
        yield Check(0, f"link {epoch}", FAILED, "links_of_chain", {"links": links})
        return
    link = f"link {epoch}"
    wanted = {(roll.entry, f"die {roll.name}") for roll in rolls(game) if roll.epoch == epoch}
    told = [check for check in check_game(whole(game))
            if check.entry and (check.what == link or (check.entry, check.what) in wanted)]
    if not any(check.what == link for check in told):
        yield Check(0, link, CLOSED)
    yield from told


def promised_checks(game: GameFile) -> Generator[Check, None, bool]:
    """What the header says of chance; hands back whether anything can follow from it."""
    for check in check_game({**game.header, "log": []}):
        if check.what != "head":
            yield check
    return judged(0, "", header_verdict, game.header, game.entries).state == OK


# --- One die by hand ----------------------------------------------------------


def explained(game: GameFile, draw: str) -> Iterator[Check]:
    """Every step from the words and the opened link to the die, each of which any other tool can repeat."""
    if not (yield from promised_checks(game)):
        return
    parts = [part.strip() for part in draw.split(",")]
    name = ",".join(parts[1:] if parts[0] == "dice" else parts)
    found = [roll for roll in rolls(game) if roll.name == name]
    if not found:
        from difflib import get_close_matches

        raise Refused("0", "unknown_draw", name=name,
                      nearest=get_close_matches(name, {roll.name for roll in rolls(game)}, 3, 0.5))
    seen = Witnessed(game.header, game.entries)
    for roll in {(roll.epoch, roll.entry): roll for roll in found}.values():
        yield from steps(game, seen, roll)


def steps(game: GameFile, seen: Witnessed, roll: Roll) -> Iterator[Check]:
    at, epoch, what = roll.entry, roll.epoch, f"die {roll.name}"
    if "by" in roll.marks:
        yield Check(at, what, HAND, "not_derived", {"drawn": shown_as(roll.values)})
        return
    if epoch not in seen.opened:
        yield Check(at, what, CLOSED, "link_closed", {"epoch": epoch})
        return
    link, beacon = seen.opened[epoch], judged(0, "beacon", lambda: verdict(OK, "said", what=seen.beacon(epoch)[0]))
    if beacon.state != OK:
        yield beacon._replace(entry=at, what=what)
        return
    yield Check(at, "step 1", OK, "step_words", {"words": words_of(game), "mixed": seen.mixed.hex()})
    yield Check(at, "step 2", OK, "step_link", {"epoch": epoch, "link": link.hex(), "promised": game.header["chance"]["dice"]})
    mixed = scheme.enc(*(("pbem/dice-key/2", seen.game, roll.fresh) if roll.fresh else (
        "pbem/dice-key/1", seen.game, seen.mixed)), str(epoch), *seen.beacon(epoch))
    key = scheme.hmac256(link, mixed)
    yield Check(at, "step 3", OK, "step_key", {"epoch": epoch, "command": by_openssl(link, mixed), "key": key.hex()})
    yield from thrown(roll, key, seen.game)


def words_of(game: GameFile) -> dict[str, str]:
    words = game.header["chance"]["words"]
    return {seat: words.get(seat, "") for seat in sorted(game.header["seats"])}


def thrown(roll: Roll, key: bytes, game: str) -> Iterator[Check]:
    """The numbers of the stream, until every die has its face."""
    name, sides = ("dice", *roll.name.split(",")), roll.marks.get("sides", 6)
    limit, drawn = scheme.RANGE - scheme.RANGE % sides, list[int]()
    for at, number in enumerate(scheme.numbers(key, game, name)):
        if at % BLOCK == 0:
            message = scheme.enc("pbem/draw/1", game, *name, str(at // BLOCK))
            block = scheme.hmac256(key, message).hex()
            yield Check(roll.entry, f"step {4 + at // BLOCK}", OK, "step_block",
                        {"command": by_openssl(key, message), "block": block})
        first = at % BLOCK * 8 + 1
        digits = {"first": first, "last": first + 7, "hex": f"{number:08x}", "number": number}
        if number >= limit:
            yield Check(roll.entry, "passed over", OK, "passed_over", {"digits": digits, "limit": limit})
            continue
        drawn.append(1 + number % sides)
        yield Check(roll.entry, f"face {len(drawn)}", OK, "face", {"digits": digits, "sides": sides, "rest": number % sides})
        if len(drawn) == len(roll.values):
            break
    if drawn == roll.values:
        yield Check(roll.entry, f"die {roll.name}", OK, "said", {"what": shown_as(drawn)})
    else:
        yield Check(roll.entry, f"die {roll.name}", FAILED, "face_other",
                    {"found": shown_as(roll.values), "drawn": shown_as(drawn)})


def by_openssl(key: bytes, message: bytes) -> str:
    """HMAC-SHA-256 as a command that anybody can type."""
    return f"printf {message.hex()} | xxd -r -p | openssl dgst -sha256 -mac HMAC -macopt hexkey:{key.hex()}"


# --- What rests on the moderator's word ---------------------------------------


def word_checks(game: GameFile) -> Iterator[Check]:
    """The entries that follow from nothing: they may be right, and no checker can say so."""
    with suppress(BadLog):                              # the rules tell it
        for place in gamelog.survivors(game.entries, str(game.path)):
            entry = game.entries[place]
            kind = kind_of(entry)
            if kind == "position" and entry["position"].get("phase") != "setup":
                yield Check(place + 1, "adopted", NOTHING, "by_hand", {"reason": str(entry.get("reason", ""))})
            elif kind in ON_WORD or kind == "seat" and entry.get("neutral"):
                yield Check(place + 1, kind, NOTHING, "by_hand", {"reason": str(entry.get("reason", ""))})


# --- The rules ----------------------------------------------------------------


def rule_checks(game: GameFile) -> Iterator[Check]:
    """The entries that stand, played again by the rules; every position that was written has to come out."""
    from pbem.play.match import Match
    from pbem.table import position

    number = 0
    try:
        standing = gamelog.survivors(game.entries, str(game.path))
        match = Match(game.header, gamelog.corrections(game))
        match.check_positions = True
        for place in standing:
            number, entry = place + 1, game.entries[place]
            match.apply(entry, number)
            if "now" not in entry and "turn_end" not in entry:
                continue
            reached = position.fingerprint(match.g)
            if entry.get("now", reached) != reached:
                yield Check(number, "position", FAILED, "position_other", {"found": entry["now"], "reached": reached})
                return
            yield Check(number, "position", OK, "said", {"what": reached})
        yield Check(len(game.entries), "rules", OK, "played_again", {
            "standing": len(standing), "entries": len(game.entries), "position": position.fingerprint(match.g)})
    except PbemError as problem:
        yield Check(number, "rules", FAILED, "refused", {"error": problem})
    except Exception as problem:
        # Whatever a changed line makes the rules do: it is a failed check, and the other checks go on.
        yield Check(number, "rules", FAILED, "unplayable", {"what": f"{type(problem).__name__} {problem}"})


# --- Entry by entry -----------------------------------------------------------

# A row is as good as the least of what was looked at: nothing is called right that nobody checked.
LEAST_FIRST = (FAILED, NOT_REACHED, TAKEN_BACK, *REMARKS, CLOSED, NOTHING, OK)


def by_entry(game: GameFile, checks: Sequence[Check]) -> Iterator[Check]:
    """First what is checked of the header, then a row for each entry, then what is checked of the whole log."""
    whole = [check for check in checks if (check.what, check.state) in (("head", NOTHING), ("rules", OK))]
    found: dict[int, list[Check]] = {}
    for check in checks:
        if check not in whole:
            found.setdefault(check.entry, []).append(check)
    yield from found.pop(0, ())
    ended = min((check.entry for check in checks if check.what in ("rules", "position") and check.state == FAILED),
                default=len(game.entries) + 1)
    standing = frozenset[int]()
    with suppress(BadLog):                              # the rules have told it before they began
        standing = frozenset(gamelog.survivors(game.entries))
    for at, entry in enumerate(game.entries, 1):
        kind, parts = KINDS[kind_of(entry)], found.get(at, [])
        if not kind.effect:
            yield from parts
        elif kind.effect == PLAY:
            yield row(at, kind.word, [Check(at, "rules", played(kind, at < ended, at - 1 in standing)), *parts])
        elif kind.effect == UNDO:
            span = Check(at, "taken back", OK, "span", {"first": entry["undo"], "last": at - 1})
            yield row(at, kind.word, [span if ended else Check(at, "rules", NOT_REACHED), *parts])
        else:
            yield row(at, kind.word, parts)
    yield from whole


def played(kind: Kind, reached: bool, stands: bool) -> str:
    """What the rules have to say of an entry besides its dice, cards and hashes."""
    if not reached:
        return NOT_REACHED
    if not stands:
        return TAKEN_BACK
    return OK if kind.by_rules else NOTHING


def row(at: int, word: str, parts: Sequence[Check]) -> Check:
    """All that was checked of an entry."""
    state = min((part.state for part in parts), key=LEAST_FIRST.index, default=NOTHING)
    looked_at = [part for part in parts if part.what != "rules" or part.state == OK or part.detail]
    if state == NOTHING and looked_at:
        return Check(at, f"entry {word}", state, "but", {"parts": looked_at})
    return Check(at, f"entry {word}", state, "row", {"parts": looked_at})


# --- What others kept ---------------------------------------------------------

# "head 7f3a91c2", also with a colon, quotation marks or the tags of a forum in between.
HEAD = re.compile(r"(?:\b[Hh]ead\b(?: of the log)?|Prüfsumme|impronta|контрольная сумма)"
                  r"(?:\[/?\w+\]|</?\w+>|[^\w]){0,12}([0-9a-f]{8,64})(?![0-9A-Za-z])")
HEX = re.compile(r"(?<![0-9A-Za-z])(?=[0-9]*[a-f])[0-9a-f]{8,64}(?![0-9A-Za-z])")
OPENINGS = re.compile(r'\{\s*"?openings"?:.*?\]\s*\}\s*\}', re.DOTALL)


def witness_checks(game: GameFile, files: Sequence[Path]) -> Iterator[Check]:
    """Heads in mails and posts. Those that fit come first: what is missing then tells how far the log is the old one."""
    chain = game.heads()
    named: dict[str, str] = {}
    for file in files:
        try:
            texts = texts_of(file)
        except OSError as problem:
            yield Check(0, f"witness {file.name}", FAILED, "file_unread", {"what": problem.strerror})
            continue
        promised = promise_checks(game, file.name, texts)
        yield from promised
        yield from block_checks(game, chain, texts)
        found = heads_in(texts, game, chain, bare=not promised)
        if not found and not promised:
            yield Check(0, f"witness {file.name}", FAILED, "no_head")
        for head in found:
            named.setdefault(head, file.name)
    places = {head: place for head in named if (place := place_of(head, chain)) is not None}
    heads = sorted(places, key=lambda head: places[head]) + [head for head in named if head not in places]
    whole = format_of(game.header) >= TELLING
    for head, check in zip(heads, head_checks(chain, heads, whole=whole), strict=True):
        yield check._replace(detail=check.detail or "said", facts={**check.facts, "what": named[head]})


def promise_checks(game: GameFile, name: str, texts: Sequence[str]) -> list[Check]:
    """Does a post from before the game promise what the log does? Another one tells of a promise that was made anew."""
    promised = game.header.get("chance") or {}
    told = {(what, number) for what in ("deck", "dice") for text in texts for number in row_of_a_promise(what).findall(text)}
    if not told:
        return []
    kept = told <= {(what, promised.get(what)) for what in ("deck", "dice")}
    return [Check(0, f"witness {name}", OK if kept else FAILED, "promise_kept" if kept else "promise_other", {"what": name})]


@cache
def row_of_a_promise(what: str) -> re.Pattern[str]:
    """A number as a start post has it, in any language."""
    words = "|".join(re.escape(sentences(language, "terms")["promise"][what]) for language in languages())
    return re.compile(rf"^[>\s*|-]*(?:{words})[\s:*|]+`?([0-9a-f]{{64}})(?![0-9A-Za-z])", re.MULTILINE)


def heads_in(texts: Sequence[str], game: GameFile, chain: Sequence[str], *, bare: bool) -> list[str]:
    """What is called a head; where nothing is, `bare` numbers that could be one. Those known as something else are not."""
    named = [head for text in texts for head in HEAD.findall(text)]
    if not named and bare:
        numbers = [head for text in texts for head in HEX.findall(text)]
        fitting = [head for head in numbers if place_of(head, chain) is not None]
        named = fitting or [head for head in numbers if head not in game.text]
    return list(dict.fromkeys(named))


def place_of(head: str, chain: Sequence[str]) -> int | None:
    return next((place for place, own in enumerate(chain) if own.startswith(head)), None)


def hand_checks(game: GameFile, hand: Path) -> Iterator[Check]:
    """The openings that a player was sent: each card lay in its place, and nobody else was shown the same one."""
    what = f"hand {hand.name}"
    try:
        texts = texts_of(hand)
    except OSError as problem:
        yield Check(0, what, FAILED, "file_unread", {"what": problem.strerror})
        return
    parts = list(dict.fromkeys(part for text in texts for part in OPENINGS.findall(QUOTE.sub("", text))))
    if not parts:
        yield Check(0, what, FAILED, "no_openings")
    shown = Shown(game)
    seen: set[tuple[str, str]] = set()
    for part in parts:
        try:
            told = yamlfile.parse(part, str(hand))["openings"]
            cards = [(told["deck"], card) for card in told["cards"]]
        except (BadLog, TypeError, KeyError) as problem:
            yield Check(0, what, FAILED, "openings_unread", {"what": problem})
            continue
        for deck, card in cards:
            if (str(deck), str(card)) not in seen:
                seen.add((str(deck), str(card)))
                yield judged(shown.entry_of(deck), label(f"hand {deck}", card, 0), shown.turned_up, deck, card)


class Shown:
    """The decks of a log, and which card was shown to lie where."""

    def __init__(self, game: GameFile) -> None:
        self.game = game.header["game"]
        self.decks: dict[str, tuple[int, Mapping[str, Any]]] = {}
        self.places: dict[tuple[str, int], str] = {}
        self.cards: dict[tuple[str, str], int] = {}
        self.clashes: list[Check] = []
        for at, entry in enumerate(game.entries, 1):
            # What cannot be read at all is told by the checks of chance.
            with suppress(TypeError, KeyError):
                self.decks.setdefault(entry["deck"]["name"], (at, entry["deck"]))
            with suppress(TypeError, KeyError):
                told = entry["openings"]
                checks = [judged(at, label(f"opening {told['deck']}", card, 0), self.noted, told["deck"], card)
                          for card in told["cards"]]
                self.clashes += [check for check in checks if check.state == FAILED]

    def entry_of(self, deck: Any) -> int:
        return self.decks[deck][0] if isinstance(deck, str) and deck in self.decks else 0

    def noted(self, deck: str, card: Any) -> Verdict:
        """One card has one place, one place has one card, and only what was shuffled can lie there."""
        opening = scheme.Opening.from_plain(card)
        if deck in self.decks and opening.card not in self.decks[deck][1]["cards"]:
            raise Wrong("card_not_shuffled", card=opening.card)
        if self.places.setdefault((deck, opening.position), opening.card) != opening.card:
            raise Wrong("card_same_place", card=self.places[deck, opening.position])
        if self.cards.setdefault((deck, opening.card), opening.position) != opening.position:
            raise Wrong("card_two_places", card=opening.card, place=self.cards[deck, opening.card])
        return verdict(OK, "said", what=opening.card)

    def turned_up(self, deck: str, card: Any) -> Verdict:
        opening = scheme.Opening.from_plain(card)
        if deck not in self.decks:
            raise Wrong("deck_unknown")
        told = self.decks[deck][1]
        root, size = scheme.unhex(told["root"]), len(told["cards"])
        if not scheme.check_opening(root, size, self.game, deck.split(","), opening):
            raise Wrong("opening_other", card=opening.card)
        return self.noted(deck, card)
