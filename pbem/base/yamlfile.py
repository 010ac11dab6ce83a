"""YAML that guesses nothing but integers and null, for files that people edit.

Plain YAML makes `no` False, 12:30 a number, and of two equal keys forgets the first. Here such things stay
text or are refused, and the message names the line. Values are texts, integers, null, lists and mappings;
keys are always text.
"""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Never

from pbem.base.errors import BadLog

MOST_BYTES = 20_000_000
MOST_DEPTH = 12
ENOUGH = 500_000                        # things put away, of which nobody knows whether they are garbage

_put_away: list[int] = []               # so many of them since somebody looked; nothing where nobody has counted yet

# Up to 18 digits: longer ones are names of something, and a number of a million digits is an attack.
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
NULLS = frozenset(("", "~", "null"))


class Mapping(dict[str, Any]):
    """A dict that knows the line on which it began (1 = first), and of its keys that stand on later ones how far below."""

    __slots__ = ("below", "line")
    line: int
    below: dict[str, int]


def line_of(data: Any, key: str = "", line: int = 1) -> int:
    """On which line that stands, or a key of it; of what was not read from a file where it was begun."""
    if not isinstance(data, Mapping):
        return line
    return data.line + (data.below.get(key, 0) if hasattr(data, "below") else 0)


def read(path: Path) -> str:
    """The text of a file that may be anything."""
    file = str(path)
    try:
        if not path.is_file():
            raise BadLog("no_file", file=file)
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as problem:
        raise BadLog("file_closed", file=file, why=problem.strerror) from None
    if len(data) > MOST_BYTES:
        raise BadLog("too_large", file=file, most=MOST_BYTES // 10**6)
    try:
        text = data.decode()
        broken = text.find("\0")
        line = text.count("\n", 0, broken) + 1
    except UnicodeDecodeError as problem:
        broken, line = problem.start, data.count(b"\n", 0, problem.start) + 1
    if broken >= 0:
        raise BadLog("not_text", file=file, line=line)
    return text


def load(path: Path) -> Any:
    return parse(read(path), str(path))


def parse(text: str, file: str = "") -> Any:
    """What the text says.

    It is built from the parser's events without recursion, so that depth is judged before it can do harm, and
    in less than half the time that PyYAML's own constructors take.
    """
    import yaml

    with uncollected():
        try:
            return _built(yaml, text, file)
        except yaml.YAMLError as problem:
            raise _told(problem, yaml, text, file) from None


@contextmanager
def uncollected() -> Iterator[None]:
    """Where nothing is garbage yet, looking for some makes long logs take more than linear time.

    What was made counts as old from then on: nobody looks through all of it as soon as looking starts again. Python itself
    would not look there any more at all, so whoever comes back again and again looks here when there is enough of it.
    """
    collecting = gc.isenabled()
    if collecting and sum(_put_away) > ENOUGH:
        _put_away[0] = 0
        gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            _put_away[:] = [sum(_put_away) + _made() if _put_away else 0]
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def _made() -> int:
    """How many things that can hold others were made since the last were put away, or a few more: whoever counts them for
    the first time may have changed since how often Python looks."""
    (young, middle, old), (each, times, _) = gc.get_count(), gc.get_threshold()
    return young + each * (middle + times * old)


def _built(yaml: Any, text: str, file: str) -> Any:
    scalar, mapping, sequence = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent
    ends = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
    # Without libyaml PyYAML gives the same events, eight times slower.
    next_event = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text).get_event
    integer = INTEGER.fullmatch

    whole: list[Any] = []
    here: Any = whole
    above: list[Any] = []
    key: str | None = None
    value: Any

    while True:
        event = next_event()
        kind = type(event)
        if kind in ends:
            here = above.pop()
            continue
        if kind is scalar or kind is mapping or kind is sequence:
            if event.anchor is not None or event.tag is not None:
                _refuse("tag", file, event)
            if key is None and type(here) is Mapping:
                key = _key(event, here, file) if kind is scalar else _refuse("bad_key", file, event)
                continue
            if kind is scalar:
                value = event.value
                if not event.style:
                    if value in NULLS:
                        value = None
                    elif value[0] in "-0123456789" and integer(value):
                        value = int(value)
            elif kind is mapping:
                value = Mapping()
                value.line = event.start_mark.line + 1
            else:
                value = []
            if key is None:
                here.append(value)
            else:
                here[key] = value
                key = None
            if kind is not scalar:
                above.append(here)
                here = value
                if len(above) > MOST_DEPTH:
                    _refuse("too_deep", file, event, most=MOST_DEPTH)
        elif kind is yaml.StreamEndEvent:
            return whole[0] if whole else None
        elif kind is yaml.AliasEvent:
            _refuse("alias", file, event)
        elif kind is yaml.DocumentStartEvent and whole:
            _refuse("second_document", file, event)
        elif kind is yaml.DocumentEndEvent and event.explicit:
            _refuse("line_of_dots", file, event)


def _key(event: Any, here: Mapping, file: str) -> str:
    key: str = event.value
    if not key and not event.style:
        _refuse("no_key", file, event)
    if key in here:
        _refuse("doubled_key", file, event, found=key)
    if below := event.start_mark.line + 1 - here.line:
        if not hasattr(here, "below"):
            here.below = {}
        here.below[key] = below
    return key


def _refuse(key: str, file: str, event: Any, **facts: Any) -> Never:
    raise BadLog(key, file=file, line=event.start_mark.line + 1, **facts)


def _told(problem: Any, yaml: Any, text: str, file: str) -> BadLog:
    """The parser's complaint; what is cut short is shown where it began."""
    where = getattr(problem, "problem_mark", None)
    if where is None:  # a character that YAML does not know: the parser tells only its place
        line = text.count("\n", 0, getattr(problem, "position", 0)) + 1
        return BadLog("control_character", file=file, line=line)
    context = problem.context or ""
    if "flow" in context:
        line, sign = _opening(yaml, text)
        return BadLog("cut_short", file=file, line=line, sign=sign)
    if "quoted" in context and "end of stream" in problem.problem:
        return BadLog("quotation_open", file=file, line=problem.context_mark.line + 1)
    return BadLog("not_yaml", file=file, line=where.line + 1, problem=problem.problem)


def _opening(yaml: Any, text: str) -> tuple[int, str]:
    """The outermost { or [ that was open when the parser gave up, and its line."""
    found: list[tuple[int, str]] = []
    with suppress(yaml.YAMLError):
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionStartEvent) and (found or event.flow_style):
                found.append((event.start_mark.line + 1, "{" if isinstance(event, yaml.MappingStartEvent) else "["))
            elif isinstance(event, yaml.CollectionEndEvent) and found:
                found.pop()
    return found[0] if found else (1, "{")


# --- Writing --------------------------------------------------------------------

# What may not stand unquoted: inside { } it would end the text, or begin something else than text. A question
# mark is quoted because readers of older YAML stumble over it.
SPECIAL = re.compile(
    r"""^$|[,\[\]{}?]|^[&*!|>'"%@`#:]|^-(?!\S)|:(?=\s|$)|\s#|^\s|\s$|^(?:---|\.\.\.)(?=\s|$)""")
# What cannot be seen in a file, or ends a line there. These texts are quoted and spelt out.
HIDDEN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff\\ufeff\\ufffe\\uffff]")
# What no rule has to be asked of: words and moments, but no numbers.
BARE = re.compile(r"(?![0-9]+\Z)\w+(?:[ .:-]\w+)*").fullmatch
ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def dump(value: Any) -> str:
    """The value on one line, quoted only where it must be. `parse` gives it back."""
    kind = type(value)
    if kind is str:
        return value if BARE(value) and value != "null" else _text(value)
    if kind is int:
        if not INTEGER.fullmatch(written := str(value)):
            raise ValueError(f"{value} is too long for a number")
        return written
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_key_word(key)}: {dump(inner)}" for key, inner in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join([dump(inner) for inner in value]) + "]"
    if isinstance(value, str):
        return _text(value)
    raise TypeError(f"a file holds text, integers, lists and mappings, not {kind.__name__}")


def dump_file(data: dict[str, Any], width: int = 100) -> str:
    """A mapping as a file for people: a line per key, and a line per part of what would be too long."""
    lines = []
    for key, value in data.items():
        word, parts = _key_word(key), list[str]()
        if isinstance(value, dict):
            parts = [f"{_key_word(inner)}: {dump(part)}" for inner, part in value.items()]
            line, start = "{" + ", ".join(parts) + "}", "  "
        elif isinstance(value, list):
            parts = [dump(part) for part in value]
            line, start = "[" + ", ".join(parts) + "]", "- "
        else:
            line, start = dump(value), ""
        line = f"{word}: {line}"
        lines += [line] if len(line) <= width or not parts else [f"{word}:", *(start + part for part in parts)]
    return "\n".join(lines) + "\n" if lines else "{}\n"


def _text(text: str) -> str:
    return _quoted(text) if text in NULLS or INTEGER.fullmatch(text) else _word(text)


def _word(text: str) -> str:
    return _quoted(text) if SPECIAL.search(text) or HIDDEN.search(text) else text


@lru_cache
def _key_word(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"keys are text, not {key!r}")
    return _word(key)


def _quoted(text: str) -> str:
    if text.count('"') + text.count("\\") > text.count("'") and not HIDDEN.search(text):
        return "'" + text.replace("'", "''") + "'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + HIDDEN.sub(_spelt, escaped) + '"'


def _spelt(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code < 0xE000:
        raise ValueError("half a character cannot be written to a file")
    return ESCAPES.get(match[0]) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
