"""Strict records: what stands in a file that people may edit becomes a typed record, or is refused with its line.

A record is a dataclass or a named tuple. Its fields are text, whole numbers, yes or no (1 or 0 in the file), lists, mappings
and other records; what is as it was meant to be from the beginning is not written.
"""

import json
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pbem.base.errors import BadLog, meant
from pbem.base.yamlfile import line_of

R = TypeVar("R")
CALLED = {str: "text", int: "int", bool: "int", list: "sequence", tuple: "sequence", dict: "mapping"}   # in terms.yaml
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode
HOLDS = {bool: int, tuple: list}            # type -> what stands for it in a file


def record(kind: Any = None, /, *, kw_only: bool = False) -> Any:
    """A dataclass whose methods are those below: nothing is compiled for it whenever it is imported."""
    if kind is None:
        return partial(record, kw_only=kw_only)
    kind.__init__, kind.__eq__, kind.__hash__ = _filled_in, _says_the_same, None
    return dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(kind)


def _filled_in(self: Any, /, *given: Any, **named: Any) -> None:
    kind: Any = type(self)
    places, usual, made = _parts(kind)
    if len(given) > len(places):
        raise TypeError(f"{kind.__name__} has {len(places)} places, not {len(given)}")
    said = dict(zip(places, given, strict=False))
    if twice := said.keys() & named.keys():
        raise TypeError(f"{kind.__name__} is told twice: {', '.join(sorted(twice))}")
    said |= named
    own = self.__dict__
    for name in field_names(kind):
        if name in said:
            own[name] = said.pop(name)
        elif name in usual:
            own[name] = usual[name]
        elif name in made:
            own[name] = made[name]()
        else:
            raise TypeError(f"{kind.__name__} needs: {name}")
    if said:
        raise TypeError(f"{kind.__name__} has no: {', '.join(sorted(said))}")


def _says_the_same(self: Any, other: object) -> bool:
    return vars(self) == vars(other) if type(self) is type(other) else NotImplemented


@cache
def _parts(kind: Any) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    """Which fields have a place, and what each is, or is made by, where nothing is said."""
    return ([field.name for field in fields(kind) if not field.kw_only],
            {field.name: field.default for field in fields(kind) if field.default is not MISSING},
            {field.name: field.default_factory for field in fields(kind) if field.default_factory is not MISSING})


@cache
def is_record(kind: Any) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields")


@cache
def shapes(kind: Any) -> dict[str, Any]:
    """Field -> type."""
    return {name: hint for name, hint in get_type_hints(kind).items() if name in field_names(kind)}


@cache
def field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else kind._fields


@cache
def defaults(kind: Any) -> dict[str, Any]:
    """Field -> what it is where nothing is said; fields without are missing here. What can be changed is only compared."""
    if not is_dataclass(kind):
        return dict(kind._field_defaults)
    made = {field.name: field.default for field in fields(kind) if field.default is not MISSING}
    return made | {field.name: field.default_factory() for field in fields(kind) if field.default_factory is not MISSING}


def parsed(text: str | bytes, file: str) -> Any:
    """What a file of JSON says."""
    try:
        return json.loads(text)
    except ValueError as problem:
        raise BadLog("unreadable_record", file=file, found=str(problem)) from problem


def load(kind: type[R], path: Path) -> R:
    """The record that a file of JSON holds."""
    return read(kind, parsed(path.read_text(), str(path)), str(path))


def read(kind: type[R], data: Any, file: str, part: str = "") -> R:
    """The record that a mapping of a file says. `part` is what it is called there."""
    made: R = _Reader(file).record(kind, data, part, 1)
    return made


def values(kind: Any, data: Any, file: str) -> dict[str, Any]:
    """What is said of some fields of a record, each of its type."""
    return _Reader(file).fields(kind, data, "", 1)


def plain(record: Any) -> Any:
    """As it is written to a file: nothing in it is shared with the record."""
    kind: Any = type(record)
    if kind is str:                             # most of what is written
        return record
    if is_record(kind):
        usual = defaults(kind)
        said = zip(kind._fields, record, strict=True) if isinstance(record, tuple) else vars(record).items()
        return {name: value if type(value) is str else plain(value) for name, value in said
                if value != usual.get(name, MISSING)}
    if isinstance(record, bool):
        return int(record)
    if isinstance(record, dict):
        return {key: plain(value) for key, value in record.items()}
    if isinstance(record, list | tuple):
        return [plain(value) for value in record]
    return record


def written(record: Any) -> bytes:
    """As a file of JSON holds it: a line for each field."""
    rows = [f" {json.dumps(name)}: {_AS_JSON(value)}" for name, value in plain(record).items()]
    return ("{\n" + ",\n".join(rows) + "\n}").encode()


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file

    def record(self, kind: Any, data: Any, part: str, line: int) -> Any:
        found = self.fields(kind, data, part, line)
        if missing := next((one for one in shapes(kind) if one not in found and one not in defaults(kind)), ""):
            raise BadLog("missing_in_record", file=self.file, line=line_of(data, line=line), found=missing, part=part)
        return kind(**found)

    def fields(self, kind: Any, data: Any, part: str, line: int) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise self.wrong(part, "mapping", line)
        known = shapes(kind)
        for key in data:
            if key not in known:
                raise unknown(key, known, self.file, line_of(data, key, line), part)
        return {key: self.value(known[key], value, key, line_of(data, key, line)) for key, value in data.items()}

    def value(self, shape: Any, data: Any, part: str, line: int) -> Any:
        """What is said under a key, as its type wants it."""
        if type(data) is shape:
            return data
        origin, inner = get_origin(shape), get_args(shape)
        if shape is Any:
            return plain(data)
        if origin is UnionType:
            return None if data is None else self.value(next(one for one in inner if one is not NoneType), data, part, line)
        if is_record(shape):
            return self.record(shape, data, part, line)
        wanted = origin or shape
        if not isinstance(data, HOLDS.get(wanted, wanted)):
            raise self.wrong(part, CALLED[wanted], line)
        if wanted is list or wanted is tuple and inner[-1] is ...:
            return wanted(self.value(inner[0], one, part, line) for one in data)
        if wanted is tuple:
            if len(data) != len(inner):
                raise self.wrong(part, "sequence", line)
            return tuple(self.value(one, value, part, line) for one, value in zip(inner, data, strict=True))
        if wanted is dict:
            return {key: self.value(inner[1], one, key, line_of(data, key, line)) for key, one in data.items()}
        return wanted(data)

    def wrong(self, part: str, wanted: str, line: int) -> BadLog:
        return BadLog("wrong_type", file=self.file, line=line, found=part or self.file, wanted=wanted)


def unknown(key: str, known: Iterable[str], file: str, line: int, part: str) -> BadLog:
    """Nobody knows this key; the nearest that is known may be what was meant."""
    return BadLog("unknown_in_record", file=file, line=line, found=key, nearest=meant(key, known), part=part)
