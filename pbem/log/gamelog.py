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
from pbem.log import mark as marks
from pbem.log.entries import check_entries
from pbem.log.header import check_header, format_of
from pbem.log.mark import Entries, Mark, Skipped
from pbem.log.undo import survivors as survivors

GAME, PRIVATE, OVERRIDES, MIRROR = "game.yaml", "private.yaml", "overrides.yaml", ".mirror"
SECRET = 0o600

Entry = yamlfile.Mapping


class GameFile:
    """A game.yaml as it was read: the header without the log, and entries that know their line.

    Of a long log only what comes after `skipped` may have been read; what was asked of the rest is read when it is asked.
    """

    __slots__ = ("_chain", "_head", "_late", "_lines", "entries", "header", "mark", "path", "skipped", "text")

    def __init__(self, header: dict[str, Any], entries: list[Entry] | Entries, text: str, path: Path,
                 before: "GameFile | None" = None) -> None:
        self.header = header
        self.entries = entries
        self.text = text
        self.path = path
        self.skipped: Skipped | None = before.skipped if before is not None else None
        self.mark: Mark | None = before.mark if before is not None else None     # of what everybody may know
        self._lines: list[bytes] | None = None
        self._late: list[bytes] = []
        self._chain: list[str] | None = None
        self._head: tuple[int, str] | None = None           # after so many entries, where nobody has asked for all

    @property
    def lines(self) -> list[bytes]:
        """The canonical text of the header and of each entry."""
        if self._lines is None:
            from pbem.chance.scheme import canonical

            self._lines = [canonical(self.header), *map(canonical, self.entries)]
        return self._lines

    @property
    def late(self) -> list[bytes]:
        """Those of the entries that come after what was skipped."""
        from pbem.chance.scheme import canonical

        first = self.skipped.entries if self.skipped is not None else 0
        if self._lines is not None:
            return self._lines[1 + first:]
        known = len(self._late)
        self._late += map(canonical, self.entries[first + known:])
        return self._late

    def follow(self, before: "GameFile", new: Sequence[Entry]) -> None:
        """The canonical texts of the entries before, and their heads, need not be made again, if they were."""
        from pbem.chance.scheme import canonical

        self._late, self._head = list(before._late), before._head
        if before._lines is not None:
            lines = list(map(canonical, new))
            self._lines = [*before._lines, *lines]
            if before._chain is not None:
                *heads, last = before._chain
                self._chain = heads + _on_from(bytes.fromhex(last), new, lines)

    def heads(self) -> list[str]:
        """`chain` of this file."""
        if self._chain is None:
            self._chain = _heads(self.header, self.entries, self.lines)
        return self._chain

    def head(self, number: int | None = None) -> str:
        """The head after an entry; the last one, if nobody says which."""
        number = len(self.entries) if number is None else number
        if self.skipped is None or number < self.skipped.entries or self._chain is not None:
            return self.heads()[number]
        begin = self.skipped.entries
        first, known = self._head if self._head is not None and self._head[0] <= number else (begin, self.skipped.head)
        found = _on_from(bytes.fromhex(known), self.entries[first:number], self.late[first - begin:])[-1]
        self._head = number, found
        return found

    def speaking_of(self, key: str) -> list[Entry | dict[str, Any]]:
        """The entries of a kind that speaks of the whole game, wherever they stand."""
        first, before = (self.skipped.entries, self.skipped.said) if self.skipped is not None else (0, [])
        return [entry for entry in (*before, *self.entries[first:]) if key in entry]

    @property
    def is_opened(self) -> bool:
        """Is the secret of the deck told? Then the game is over."""
        before, first = (self.mark.course["ended"], self.mark.entries) if self.mark is not None else (False, 0)
        return before or any("deck_secret" in (entry.get("open") or ()) for entry in self.entries[first:])

    @property
    def undos(self) -> int:
        """How often something was taken back."""
        first, before = (self.skipped.entries, self.skipped.undos) if self.skipped is not None else (0, 0)
        return before + sum("undo" in entry for entry in self.entries[first:])


# --- Reading ------------------------------------------------------------------


def game_path(place: Path) -> Path:
    """A game is named by its folder or by its file."""
    return place / GAME if place.is_dir() else place


def read_game(place: Path) -> GameFile:
    """The public file, judged as a file; whether its orders are legal is for the rules to say."""
    path = game_path(place)
    text = yamlfile.read(path)
    return _continued(text, path) or _judged(text, path)


def read_whole(place: Path) -> GameFile:
    """The same for whoever checks it: no mark has a say in it."""
    path = game_path(place)
    return _judged(yamlfile.read(path), path)


def language_of(place: Path) -> str:
    """The language of a game as its header names it, also of one that cannot be read: its moderator is told why."""
    try:
        text = yamlfile.read(game_path(place))
    except (BadLog, OSError):
        return ""
    found = re.search(r"^(?:language:[ \t]*['\"]?([\w-]+)|log:)", text, re.MULTILINE)
    return (found[1] or "") if found else ""


def private_text(place: Path) -> str:
    """What only the moderator has, as it is written; empty when the log was published alone."""
    path = game_path(place).with_name(PRIVATE)
    return yamlfile.read(path) if path.exists() else ""


def private_data(text: str, file: str) -> dict[str, Any]:
    """What it says."""
    data = yamlfile.parse(text, file) or {}
    if not isinstance(data, dict):
        raise BadLog("no_mapping", file=file, line=1)
    return data


def read_overrides(place: Path) -> list[Entry]:
    """Corrections of the data for this game; empty when there are none."""
    path = game_path(place).with_name(OVERRIDES)
    data = (yamlfile.load(path) if path.exists() else None) or []
    if not isinstance(data, list) or not all(isinstance(part, Entry) for part in data):
        raise BadLog("no_list", file=str(path), line=1)
    return data


def taken_in(game: GameFile) -> list[Mapping[str, Any]]:
    """The entries that stand and took the file of corrections in, as it was then."""
    if not game.speaking_of("overrides"):
        return []
    entries, file = game.entries, str(game.path)
    return [entries[place] for place in survivors(entries, file) if "overrides" in entries[place]]


def corrections(game: GameFile) -> Sequence[Mapping[str, Any]]:
    """What counts from the beginning: the file as the log took it in first; as it lies there, where no log has."""
    taken = taken_in(game)
    return taken[0]["amend"] if taken else read_overrides(game.path)


def digest(given: Sequence[Mapping[str, Any]]) -> str:
    """What binds a list of corrections, whatever it is wrapped like."""
    from hashlib import sha256

    from pbem.chance.scheme import canonical

    return sha256(canonical([dict(one) for one in given])).hexdigest()


def overrides_are(game: GameFile) -> str:
    """Is the file of corrections what the log took in? `loose` is one that no head binds."""
    taken, lies = taken_in(game), game.path.with_name(OVERRIDES).exists()
    if not taken:
        return "loose" if lies and game.entries and read_overrides(game.path) else ""
    if not lies:
        return "deleted"
    return "" if digest(read_overrides(game.path)) == taken[-1]["overrides"] else "changed"


KEYS = re.compile(r"^(\w+):.*\n(?:[ -].*\n)*", re.MULTILINE)
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
    line = text[:found.start()].count("\n") + 1 if found else data.line
    if found is None or last != "log" or not (entries is None or isinstance(entries, list)):
        # Elsewhere no line could be added to it by adding to the file.
        raise BadLog("log_not_last", file=file, line=line)
    check_header(data, file)
    check_entries(entries or [], format_of(data), file, line)
    return GameFile(data, entries or [], text, path)


def _continued(text: str, path: Path) -> GameFile | None:
    """The file without the entries that a mark speaks for. None where there is no mark that fits; what is wrong with the rest
    is told as it is told of the whole."""
    kept = marks.read(path.with_name(marks.PUBLIC))
    if not kept:
        return None
    mark, skipped, data = Mark(**kept["mark"]), Skipped(**kept["skipped"]), text.encode()
    if not fits(mark, data):
        return None
    try:
        header = yamlfile.parse(LOG_LINE.split(text, 1)[0], str(path))
        rest = data[skipped.begin:].decode()
        late: list[Entry] = yamlfile.parse("log:\n" + rest, str(path))["log"] or []
        if not isinstance(header, Entry) or any(line and not line.startswith("- ") for line in rest.split("\n")):
            return None
        check_header(header, str(path))
        for entry in late:
            entry.line += skipped.lines - 1
        check_entries(late, format_of(header), str(path), skipped.lines)
    except BadLog:
        return None
    game = GameFile(header, Entries(skipped.entries, late, lambda: _judged(text, path).entries), text, path)
    game.mark, game.skipped = mark, skipped
    return game


def fits(mark: Mark, data: bytes) -> bool:
    """Does a log still begin with what the mark stands for?"""
    from hashlib import sha256

    return len(data) >= mark.end and sha256(memoryview(data)[:mark.end]).hexdigest() == mark.digest


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
    seen: GameFile | None = None, known: "Private | None" = None,
) -> GameFile:
    """Add entries to a game that the caller has locked; what stands in the file stays, byte for byte.

    `seen` and `known` are log and private file as the caller read them under the same lock, and save reading them again.
    Killed at any moment, the game is as before or as after, and the private file is never older than the log.
    """
    path = game_path(place)
    game = seen or read_game(path)
    if seen and yamlfile.read(path) != seen.text:
        raise BadLog("changed_meanwhile", file=str(path))
    first = FIRST_ENTRY.search(LOG_LINE.split(game.text, 1)[1])
    indent = first[1] if first else ""
    added = "".join([f"{indent}- {dump_entry(entry)}\n" for entry in entries])
    kept = game.text if game.text.endswith("\n") else game.text + "\n"
    new: list[Entry] = yamlfile.parse("log:\n" + added)["log"]
    for entry in new:
        entry.line += kept.count("\n") - 1
    check_entries(new, format_of(game.header), str(path), kept.count("\n"))
    after = GameFile(game.header, game.entries + new, kept + added, path, game)
    after.follow(game, new)
    if any("undo" in entry for entry in new):
        survivors(after.entries, str(path))
    _save(after, private, known)
    _mirrored(game, after, new)
    return after


def _mirrored(game: GameFile, after: GameFile, new: Sequence[Entry]) -> None:
    """The mirror gets the lines that are new; nothing of it is compared that a mark knows to be as it was."""
    path, accepted = game.path.with_name(MIRROR), _accepted(new)
    known = mirror.behind(path, game.skipped.mirror) if game.skipped is not None and not accepted else None
    if known is not None and len(known) == len(game.late):
        mirror.add(path, after.late[len(known):])
        return
    mirror.follow(path, game.lines, after.lines[len(game.lines):], accepted)


class Private:
    """What the private file is known to hold, and how that is written there, if each of its keys has lines of its own. Of a
    journal that means nothing any more nobody needs to know."""

    __slots__ = ("_given", "data", "texts")

    def __init__(self, data: Mapping[str, Any], text: str = "") -> None:
        self.data = data
        self.texts: dict[str, str] | None = None
        self._given = text

    def lines_of(self, key: str, value: Any) -> str | None:
        """How a key is written that says the same as before. Most commands only read, so this is looked for by who writes."""
        if self.texts is None:
            parts = {found[1]: found[0] for found in KEYS.finditer(self._given)}
            is_whole = parts.keys() - {"journal"} == self.data.keys() and sum(map(len, parts.values())) == len(self._given)
            self.texts = parts if is_whole else {}
        return self.texts.get(key) if key in self.data and self.data[key] == value else None


def write_private(place: Path, data: Mapping[str, Any], known: Private | None = None) -> None:
    """Replace the private file, once it is sure that it can be read; of what is `known` to stand there that was seen."""
    path = game_path(place).with_name(PRIVATE)
    known = known or Private({})
    same = {key: lines for key, value in data.items() if (lines := known.lines_of(key, value)) is not None}
    texts = {key: same.get(key) or yamlfile.dump_file({key: value}) for key, value in data.items()}
    yamlfile.parse("".join(text for key, text in texts.items() if key not in same), str(path))
    protect(path.parent)
    write_whole(path, ("".join(texts.values()) or yamlfile.dump_file({})).encode(), SECRET)
    known.data, known.texts = data, texts


def _save(game: GameFile, private: Mapping[str, Any] | None, known: Private | None = None) -> None:
    """The private file first: a secret without its log is harmless, a log without its secret is stuck."""
    data = game.text.encode()
    if len(data) > yamlfile.MOST_BYTES:
        raise BadLog("log_too_large", file=str(game.path))
    if private is not None:
        write_private(game.path, private, known)
    write_whole(game.path, data)


# --- Heads --------------------------------------------------------------------


def chain(header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The heads in hex: number N after entry N, number 0 for the header alone."""
    from pbem.chance.scheme import canonical

    return _heads(header, entries, [canonical(dict(header)), *map(canonical, entries)])


def _heads(
    header: Mapping[str, Any], entries: Sequence[Mapping[str, Any]], lines: Sequence[bytes],
) -> list[str]:
    from pbem.chance.scheme import first_head

    return _on_from(first_head(header["game"], header), entries, lines[1:])


def _on_from(now: bytes, entries: Sequence[Mapping[str, Any]], lines: Sequence[bytes]) -> list[str]:
    """A head and those that follow it."""
    from pbem.chance.scheme import head

    heads = [now.hex()]
    for entry, line in zip(entries, lines, strict=False):
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


def hand_edits(game: GameFile) -> list[Edit]:
    """What was changed in the file since it was written; {amend: {entry: 214}, ...} accepts it."""
    if game.skipped is not None:
        behind = mirror.behind(game.path.with_name(MIRROR), game.skipped.mirror)
        if behind is not None and behind == game.late[:len(behind)]:
            return []
    changes = mirror.changes(game.path.with_name(MIRROR), game.lines)
    lines = [1, *(entry.line for entry in game.entries), game.text.count("\n") + 1]
    return [Edit(entry, lines[place], _shown(was), _shown(now)) for entry, place, was, now in changes]


def _shown(canonical: bytes) -> str:
    import json

    try:
        return yamlfile.dump(json.loads(canonical))
    except ValueError:                                      # spoilt since it was written, or nothing at all
        return canonical.decode("utf-8", "replace")


def _accepted(entries: Iterable[Mapping[str, Any]]) -> set[int]:
    amended = [entry["amend"] for entry in entries if "amend" in entry]
    return {part["entry"] for part in amended if isinstance(part, dict) and "entry" in part}
