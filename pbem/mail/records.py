"""What the mailbox keeps in files of its own, as typed records. Read strictly: nothing unknown is passed over."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pbem.base.errors import BadLog

Record = TypeVar("Record", bound=tuple[Any, ...])


def parse(text: str | bytes, file: Path) -> Any:
    try:
        return json.loads(text)
    except ValueError as problem:
        raise BadLog("unreadable_record", file=str(file), found=str(problem)) from problem


def read(kind: type[Record], found: Any, file: Path) -> Record:
    """A record as it stands in a file; what is not said is as it is from the beginning."""
    return kind(**values(kind, found, file))


def values(kind: type[Record], found: Any, file: Path) -> dict[str, Any]:
    """What is said of some fields of a record, each of its type."""
    known = _fields(kind)
    if not isinstance(found, dict):
        raise BadLog("unreadable_record", file=str(file), found=str(found)[:100])
    for name in found:
        if name not in known:
            raise BadLog("unknown_setting", file=str(file), found=name)
    return {name: _value(known[name], value, file) for name, value in found.items()}


@cache
def _fields(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(hint: Any, found: Any, file: Path) -> Any:
    if type(found) is hint:
        return found
    if get_origin(hint) is tuple and isinstance(found, list):
        return tuple(_value(get_args(hint)[0], one, file) for one in found)
    if get_origin(hint) is dict and isinstance(found, dict):
        return {name: _value(get_args(hint)[1], one, file) for name, one in found.items()}
    if hasattr(hint, "_fields"):
        return read(hint, found, file)
    raise BadLog("unreadable_record", file=str(file), found=str(found)[:100])


def plain(one: Any) -> Any:
    """A record as it is written: only what is not as it is from the beginning."""
    if hasattr(one, "_fields"):
        unsaid: Mapping[str, Any] = one._field_defaults
        return {name: plain(value) for name, value in one._asdict().items() if name not in unsaid or value != unsaid[name]}
    if isinstance(one, dict):
        return {name: plain(value) for name, value in one.items()}
    return one
