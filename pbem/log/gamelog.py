"""The two files of a game: game.yaml, which is public and is the game, and private.yaml beside it.

Entries are numbered as people count: the first line of the log is entry 1, and 0 is the header. The log is
only added to; an undo is an entry. What is wrong in a file is told with its line; then nothing is written.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import mirror, yamlfile
from pbem.base.errors import BadLog
from pbem.base.folder import Lock as Lock
from pbem.base.folder import protect, write_whole

GAME, PRIVATE, OVERRIDES, MIRROR = "game.yaml", "private.yaml", "overrides.yaml", ".mirror"
SECRET = 0o600

Entry = yamlfile.Mapping


class GameFile:
    """A game.yaml as it was read: the header without the log, and entries that know their line."""

    __slots__ = ("_chain", "_lines", "entries", "header", "path", "text")

    def __init__(self, header: dict[str, Any], entries: list[Entry], text: str, path: Path) -> None:
        self.header = header
        self.entries = entries
        self.text = text
        self.path = path
        self._lines: list[bytes] | None = None
        self._chain: list[str] | None = None

    @property
    def lines(self) -> list[bytes]:
        """The canonical text of the header and of each entry."""
        if self._lines is None:
            from pbem.chance.scheme import canonical

            self._lines = [canonical(self.header), *map(canonical, self.entries)]
        return self._lines

    def follow(self, lines: list[bytes], new: Iterable[Entry]) -> None:
        """The canonical texts of the entries before are known already."""
        from pbem.chance.scheme import canonical

        self._lines = [*lines, *map(canonical, new)]

    def heads(self) -> list[str]:
        """`chain` of this file."""
        if self._chain is None:
            self._chain = _heads(self.header, self.entries, self.lines)
        return self._chain


# --- What may stand in a file -------------------------------------------------


def _table(text: str) -> dict[str, frozenset[str]]:
    lines = (line.partition(":") for line in text.splitlines())
    return {word: frozenset(rest.split()) for word, _, rest in lines}


# kind of entry: what else it may have. An entry begins with its kind. No two kinds may allow each other: so
# the keys alone tell the kind, whatever their order, and heads (which do not see the order) vouch for it.
ENTRY_KEYS = _table("""\
by: do of as yes deck openings reason
ask: due kind to
close: answers by clock standing skipped silent deck openings reason
undo: reason stain consent override by
ruling: facts adjust abandon deck openings reason by
amend: was is value old new src reason by
fixes: engine reason
position: deck reason
turn_end: position open openings deck reason
rebase: position reason
seat: name people language channel zone neutral reason due
hold: reason until due
resume: reason due
note: to by
deck: reason
open: openings blinds private
openings: reason
blinds: private
beacon: reason
word: text
start: position deck reason
interrupt: do by of deck openings reason""")
EVERYWHERE = frozenset(("dice", "now", "via", "sealed"))
NEEDED = {"by": "do", "fixes": "engine", "interrupt": "do"}
ALSO_LEADING = {"engine": "fixes"}  # {engine: 1.1.0, fixes: [x]} reads better than the other way round
ALLOWED = {kind: keys | EVERYWHERE | {kind} for kind, keys in ENTRY_KEYS.items()}

HEADER_KEYS = _table("""\
game:
engine:
title:
language:
rules: edition options windows polls seating abilities deadlines silence
seats:
chance: scheme deck dice links words beacon entropy deadline
start: position scenario turn
fixes:""")
HEADER_NEEDED = ("game", "engine", "rules", "seats")
SEAT_KEYS = frozenset(("name", "language", "channel", "format", "zone", "people"))

TEXT, MAPPING, LIST, NUMBER = "text", "mapping", "sequence", "entry"    # as they are called in terms.yaml
TYPES = {TEXT: str, MAPPING: dict, LIST: list, NUMBER: int}
HEADER_TYPES = {"game": TEXT, "engine": TEXT, "title": TEXT, "rules": MAPPING, "seats": MAPPING,
                "chance": MAPPING, "start": MAPPING, "fixes": LIST, "edition": TEXT, "options": LIST,
                "windows": TEXT, "words": MAPPING, "name": TEXT, "language": TEXT}
ENTRY_TYPES = {"by": TEXT, "do": TEXT, "ask": TEXT, "close": TEXT, "via": TEXT, "now": TEXT, "sealed": TEXT,
               "undo": NUMBER, "fixes": LIST, "dice": LIST, "engine": TEXT}
PRIVATE_PARTS = ("secrets", "cards", "sealed", "prepared", "ahead", "filed", "asked", "addresses", "journal")
ENTRY_FORMS = {"due": ("moment", re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\dZ)?")),
               "sealed": ("digest", re.compile(r"[0-9a-f]{64}"))}


def kind_of(entry: Mapping[str, Any]) -> str:
    """What sort of entry it is."""
    first = next(iter(entry), "")
    return ALSO_LEADING.get(first, first)


def _unknown(key: str, found: str, known: Iterable[str], file: str, line: int, **facts: str) -> BadLog:
    from difflib import get_close_matches

    nearest = "".join(get_close_matches(found, known, 1, 0.5))
    return BadLog(key, file=file, line=line, found=found, nearest=nearest, **facts)


def _check_types(data: Mapping[str, Any], types: Mapping[str, str], file: str, line: int) -> None:
    for key, value in data.items():
        if key in types and not isinstance(value, TYPES[types[key]]):
            raise BadLog("wrong_type", file=file, line=line, found=key, wanted=types[key])


def _check_header(header: Entry, file: str) -> None:
    for key in HEADER_NEEDED:
        if key not in header:
            raise BadLog("missing_in_header", file=file, line=header.line, found=key, part="")
    _check_types(header, HEADER_TYPES, file, header.line)
    for key, value in header.items():
        if key not in HEADER_KEYS:
            raise _unknown("unknown_in_header", key, HEADER_KEYS, file, header.line, part="")
        if HEADER_KEYS[key]:
            _check_part(value, key, HEADER_KEYS[key], file)
    for seat, facts in header["seats"].items():
        if not isinstance(facts, Entry):
            raise BadLog("seat_without_name", file=file, line=header["seats"].line, seat=seat, example="{name: ...}")
        _check_part(facts, "seat", SEAT_KEYS, file)
    if "edition" not in header["rules"]:
        raise BadLog("missing_in_header", file=file, line=header["rules"].line, found="edition", part="rules")
    words = header.get("chance", {}).get("words", {})
    _check_types(words, dict.fromkeys(words, TEXT), file, header.line)


def _check_part(part: Entry, name: str, known: frozenset[str], file: str) -> None:
    for key in part:
        if key not in known:
            raise _unknown("unknown_in_header", key, sorted(known), file, part.line, part=name)
    _check_types(part, HEADER_TYPES, file, part.line)


def _check_entries(entries: Sequence[Entry], file: str, before: int) -> None:
    for entry in entries:
        if not isinstance(entry, Entry) or not entry:
            line = getattr(entry, "line", before + 1)
            raise BadLog("not_an_entry", file=file, line=line, example="- {note: hello}")
        before = entry.line
        kind = kind_of(entry)
        if kind not in ALLOWED:
            raise _unknown("unknown_kind", kind, ENTRY_KEYS, file, before)
        if not entry.keys() <= ALLOWED[kind]:
            odd = next(key for key in entry if key not in ALLOWED[kind])
            raise _unknown("unknown_in_entry", odd, sorted(ALLOWED[kind]), file, before, kind=kind)
        if kind in NEEDED and NEEDED[kind] not in entry:
            raise BadLog("missing_in_entry", file=file, line=before, found=NEEDED[kind], kind=kind)
        _check_types(entry, ENTRY_TYPES, file, before)
        for key, (wanted, form) in ENTRY_FORMS.items():
            if key in entry and not form.fullmatch(str(entry[key] or "")):
                raise BadLog("wrong_type", file=file, line=before, found=key, wanted=wanted)


# --- Reading ------------------------------------------------------------------


def game_path(place: Path) -> Path:
    """A game is named by its folder or by its file."""
    return place / GAME if place.is_dir() else place


def read_game(place: Path) -> GameFile:
    """The public file, judged as a file; whether its orders are legal is for the rules to say."""
    path = game_path(place)
    return _judged(yamlfile.read(path), path)


def read_private(place: Path) -> dict[str, Any]:
    """What only the moderator has; empty when the log was published alone."""
    path = game_path(place).with_name(PRIVATE)
    data = (yamlfile.load(path) if path.exists() else None) or {}
    if not isinstance(data, dict):
        raise BadLog("no_mapping", file=str(path), line=1)
    _check_types(data, dict.fromkeys(PRIVATE_PARTS, MAPPING), str(path), 1)
    return data


def read_overrides(place: Path) -> list[Entry]:
    """Corrections of the data for this game; empty when there are none."""
    path = game_path(place).with_name(OVERRIDES)
    data = (yamlfile.load(path) if path.exists() else None) or []
    if not isinstance(data, list) or not all(isinstance(part, Entry) for part in data):
        raise BadLog("no_list", file=str(path), line=1)
    return data


LOG_LINE = re.compile(r"^log:[ \t]*(?:#.*)?\r?$", re.MULTILINE)
FIRST_ENTRY = re.compile(r"^( *)-(?=\s)", re.MULTILINE)


def _judged(text: str, path: Path) -> GameFile:
    file = str(path)
    data = yamlfile.parse(text, file)
    if not isinstance(data, Entry) or "log" not in data:
        raise BadLog("no_log", file=file, line=1)
    found = LOG_LINE.search(text)
    last = next(reversed(data))
    entries = data.pop("log")
    if found is None or last != "log" or not (entries is None or isinstance(entries, list)):
        # Elsewhere no line could be added to it by adding to the file.
        line = text.count("\n", 0, found.start()) + 1 if found else data.line
        raise BadLog("log_not_last", file=file, line=line)
    _check_header(data, file)
    _check_entries(entries or [], file, text.count("\n", 0, found.start()) + 1)
    return GameFile(data, entries or [], text, path)


# --- Writing ------------------------------------------------------------------


def dump_entry(entry: Mapping[str, Any]) -> str:
    """The entry on one line, without the dash; `yamlfile.parse` gives it back."""
    return yamlfile.dump(dict(entry))


def create(
    folder: Path, header: Mapping[str, Any], entries: Iterable[Mapping[str, Any]] = (),
    private: Mapping[str, Any] | None = None,
) -> GameFile:
    """A new game in a folder that the caller has locked."""
    path = folder / GAME
    if path.exists():
        raise BadLog("game_exists", file=str(path))
    lines = [f"- {dump_entry(entry)}\n" for entry in entries]
    text = yamlfile.dump_file(dict(header), width=110) + "log:\n" + "".join(lines)
    game = _judged(text, path)
    survivors(game.entries, str(path))
    _save(game, private)
    mirror.follow(path.with_name(MIRROR), [], game.lines)
    return game


def append(
    place: Path, entries: Iterable[Mapping[str, Any]], private: Mapping[str, Any] | None = None,
    seen: GameFile | None = None,
) -> GameFile:
    """Add entries to a game that the caller has locked; what stands in the file stays, byte for byte.

    `seen` is what the caller read under the same lock, and saves reading it again. Killed at any moment, the
    game is as before or as after, and the private file is never older than the log.
    """
    path = game_path(place)
    game = seen or read_game(path)
    if seen and yamlfile.read(path) != seen.text:
        raise BadLog("changed_meanwhile", file=str(path))
    log = LOG_LINE.search(game.text)
    first = FIRST_ENTRY.search(game.text, log.end()) if log else None
    indent = first[1] if first else ""
    added = "".join([f"{indent}- {dump_entry(entry)}\n" for entry in entries])
    kept = game.text if game.text.endswith("\n") else game.text + "\n"
    new: list[Entry] = yamlfile.parse("log:\n" + added)["log"] or []
    for entry in new:
        entry.line += kept.count("\n") - 1
    _check_entries(new, str(path), kept.count("\n"))
    after = GameFile(game.header, game.entries + new, kept + added if added else game.text, path)
    after.follow(game.lines, new)
    if any("undo" in entry for entry in new):
        survivors(after.entries, str(path))
    _save(after, private, log=bool(added))
    if added:
        mirror.follow(path.with_name(MIRROR), game.lines, after.lines[len(game.lines):], _accepted(new))
    return after


def write_private(place: Path, data: Mapping[str, Any]) -> None:
    """Replace the private file."""
    path = game_path(place).with_name(PRIVATE)
    text = yamlfile.dump_file(dict(data))
    yamlfile.parse(text, str(path))
    protect(path.parent)
    write_whole(path, text.encode(), SECRET)


def _save(game: GameFile, private: Mapping[str, Any] | None, *, log: bool = True) -> None:
    """The private file first: a secret without its log is harmless, a log without its secret is stuck."""
    data = game.text.encode()
    if len(data) > yamlfile.MOST_BYTES:
        raise BadLog("log_too_large", file=str(game.path))
    if private is not None:
        write_private(game.path, private)
    if log:
        write_whole(game.path, data)


# --- Undo ---------------------------------------------------------------------

Standing = tuple[int, "Standing"] | None


def survivors(entries: Sequence[Mapping[str, Any]], file: str = GAME) -> list[int]:
    """The places in the list (from 0) of what stands when all undo entries have done their work.

    An undo of entry N takes back everything from N on up to itself. To undo an undo brings back what it took.
    """
    stands: Standing = None
    before: list[Standing] = []  # shares its tails: undoing is to go on from an earlier one
    for place, entry in enumerate(entries):
        before.append(stands)
        if "undo" in entry:
            number = entry["undo"]
            line = getattr(entry, "line", 0)
            if not 0 < number <= place:
                raise BadLog("undo_of_nothing", file=file, line=line, number=number)
            if not _is_among(stands, number - 1):
                raise BadLog("undone_before", file=file, line=line, number=number)
            stands = before[number - 1]
        stands = (place, stands)
    places = []
    while stands:
        place, stands = stands
        if "undo" not in entries[place]:
            places.append(place)
    return places[::-1]


def _is_among(stands: Standing, place: int) -> bool:
    while stands and stands[0] > place:
        stands = stands[1]
    return stands is not None and stands[0] == place


# --- Heads --------------------------------------------------------------------


def chain(header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The heads in hex: number N after entry N, number 0 for the header alone."""
    from pbem.chance.scheme import canonical

    return _heads(header, entries, [canonical(dict(header)), *map(canonical, entries)])


def _heads(
    header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], lines: Sequence[bytes],
) -> list[str]:
    from pbem.chance.scheme import first_head, head

    now = first_head(header["game"], header)
    heads = [now.hex()]
    for entry, line in zip(entries, lines[1:], strict=True):
        now = head(now, line, bytes.fromhex(entry.get("sealed", "")))
        heads.append(now.hex())
    return heads


# --- Changes made by hand -----------------------------------------------------


class Edit(NamedTuple):
    """An entry changed by hand, as it was and as it is now; empty for one that was put in or taken out."""

    entry: int
    line: int
    was: str
    now: str


def hand_edits(game: GameFile | Path) -> list[Edit]:
    """What was changed in the file since it was written; {amend: {entry: 214}, ...} accepts it."""
    if isinstance(game, Path):
        game = read_game(game)
    changes = mirror.changes(game.path.with_name(MIRROR), game.lines)
    lines = [1, *(entry.line for entry in game.entries), game.text.count("\n") + 1]
    return [Edit(entry, lines[place], _shown(was), _shown(now)) for entry, place, was, now in changes]


def _shown(canonical: bytes) -> str:
    import json

    return yamlfile.dump(json.loads(canonical)) if canonical else ""


def _accepted(entries: Iterable[Mapping[str, Any]]) -> set[int]:
    amended = [entry["amend"] for entry in entries if "amend" in entry]
    return {part["entry"] for part in amended if isinstance(part, dict) and "entry" in part}
