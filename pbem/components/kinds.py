"""What may stand for a datum: the word for it, how it is read from what a person wrote, an example.

A kind judges, explains and completes: a form, a correction and the check of the whole data all ask the same one.
Files of a game know texts, whole numbers, lists and mappings; yes, no and fractions come as text and are read here.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any


class Misfit(Exception):
    """A value that is not of its kind; `below` says which part of it."""

    def __init__(self, kind: "Kind", value: Any, below: str = "") -> None:
        super().__init__(below)
        self.kind, self.value, self.below = kind, value, below

    def inside(self, step: str) -> "Misfit":
        """The same, seen from one level higher."""
        return type(self)(self.kind, self.value, f"{step}.{self.below}" if self.below else step)


class Strange(Misfit):
    """A part that there is none of in a mapping of this kind."""


@dataclass(frozen=True)
class Kind:
    """One sort of value. `word` names it in the terms of each language."""

    word: str
    example: Any
    convert: Callable[[Any], Any]                   # the value as the data hold it; ValueError where it is none
    known: tuple[str, ...] = ()                     # the words that there are
    least: int | None = None
    most: int | None = None
    fields: Mapping[str, "Kind"] = field(default_factory=dict)
    usual: Mapping[str, Any] = field(default_factory=dict)     # what a field is that is not named
    each: "Kind | None" = None

    def read(self, value: Any) -> Any:
        try:
            return self.convert(value)
        except ValueError:
            raise Misfit(self, value) from None

    def below(self, step: str) -> "Kind | None":
        """The kind of a part; None if there is no such part."""
        return self.fields.get(step, self.each if not self.known or step in self.known else None)

    @property
    def is_wide(self) -> bool:
        """Is it a mapping, with data of their own in it?"""
        return self.word in ("dict", "entity")


# --- single values -----------------------------------------------------------------------------------------------


def whole(least: int, most: int, example: int | None = None) -> Kind:
    def convert(value: Any) -> int:
        number = int(value) if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,6}", value) else value
        if type(number) is not int or not least <= number <= most:
            raise ValueError
        return number

    return Kind("int", least if example is None else example, convert, least=least, most=most)


def real(least: int, most: int, example: float) -> Kind:
    def convert(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        number = float(value)
        if not least <= number <= most:
            raise ValueError
        return number if isinstance(value, str) else value

    return Kind("float", example, convert, least=least, most=most)


def _yes(value: Any) -> bool:
    words = {"yes": True, "true": True, "no": False, "false": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in words:
        raise ValueError
    return words[value.lower()]


YES_NO = Kind("bool", "yes", _yes)


def text(example: str = "Pella", *, empty: bool = False) -> Kind:
    def convert(value: Any) -> str:
        if not isinstance(value, str) or not (empty or value.strip()) or len(value) > 4000:
            raise ValueError
        return value

    return Kind("str", example, convert)


def name_of(part: str, example: str, *more: str | None) -> Kind:
    """An id of that part of the data. Whether it is there is seen when all of them are."""
    def convert(value: Any) -> str | None:
        if value in more:
            return None if value is None else str(value)
        if not isinstance(value, str) or not re.fullmatch(r"[a-zA-Z0-9_]{1,40}", value):
            raise ValueError
        return value

    return Kind(part, example, convert)


def one_of(*words: Any) -> Kind:
    def convert(value: Any) -> Any:
        for word in words:
            if value == word and type(value) is type(word) or isinstance(word, int) and value == str(word):
                return word
        raise ValueError

    return Kind("one_of", words[0], convert, known=tuple(map(str, words)))


def like(pattern: str, example: str) -> Kind:
    def convert(value: Any) -> str:
        if not isinstance(value, str | int) or isinstance(value, bool) or not re.fullmatch(pattern, str(value)):
            raise ValueError
        return str(value)

    return Kind("form", example, convert)


def maybe(kind: Kind) -> Kind:
    """The same, or nothing."""
    return replace(kind, convert=lambda value: None if value in (None, "none", "null") else kind.convert(value))


# --- values with parts -------------------------------------------------------------------------------------------


def several(each: Kind, size: int | None = None) -> Kind:
    """A list; `size` where there are always so many."""
    def convert(value: Any) -> list[Any]:
        if not isinstance(value, list | tuple) or size is not None and len(value) != size or len(value) > 200:
            raise ValueError
        return [_inside(each, one, str(index + 1)) for index, one in enumerate(value)]

    return Kind("list" if size is None else "list_of", [each.example] * (size or 1), convert, least=size, each=each)


def keyed(keys: Iterable[str], each: Kind) -> Kind:
    """A mapping of words that there are to values that are all alike."""
    known = tuple(keys)

    def convert(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping) or any(str(key) not in known for key in value):
            raise ValueError
        return {str(key): _inside(each, one, str(key)) for key, one in value.items()}

    return Kind("dict", {known[0]: each.example}, convert, known=known, each=each)


def record(fields: Mapping[str, Kind], usual: Mapping[str, Any] | None = None, word: str = "dict") -> Kind:
    """A mapping with these fields; those that have a usual value may be left out."""
    made = dict(fields)
    given = dict(usual or {})

    def convert(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise ValueError
        for key in value:
            if key not in made:
                raise Strange(kind, value, str(key))
        for key in made:
            if key not in value and key not in given:
                raise Misfit(made[key], None, key)
        return {key: _inside(one, value[key], key) if key in value else deepcopy(given[key]) for key, one in made.items()}

    kind = Kind(word, {key: one.example for key, one in made.items() if key not in given}, convert, known=tuple(made),
                fields=made, usual=given)
    return kind


def _inside(kind: Kind, value: Any, step: str) -> Any:
    try:
        return kind.read(value)
    except Misfit as misfit:
        raise misfit.inside(step) from None


def _nothing(value: Any) -> Any:
    raise ValueError


NO_KIND = Kind("entity", "", _nothing)              # of what there cannot be
