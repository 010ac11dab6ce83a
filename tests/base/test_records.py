"""What a person typed into a file becomes a typed record, or is refused with its line."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pytest

from pbem.base import records, yamlfile
from pbem.base.errors import BadLog


@dataclass
class Inner:
    name: str
    often: int = 1
    yes: bool = False


@dataclass
class Outer:
    inner: Inner | None = None
    several: list[Inner] = field(default_factory=list)
    by: dict[str, list[str]] = field(default_factory=dict)
    pair: tuple[str, int] = ("", 0)


TEXT = """\
inner: {name: a, often: 2, yes: 1}
several:
- {name: b}
- {name: c, often: 3}
by: {red: [x, y]}
pair: [z, 4]
"""


def test_a_record_is_read_and_written_the_same() -> None:
    read = records.read(Outer, yamlfile.parse(TEXT), "f")
    assert read == Outer(Inner("a", 2, True), [Inner("b"), Inner("c", 3)], {"red": ["x", "y"]}, ("z", 4))
    assert records.read(Outer, yamlfile.parse(yamlfile.dump_file(records.plain(read))), "f") == read
    assert records.plain(Outer()) == {}


@pytest.mark.parametrize(("line", "told"), [
    ("inner: {nam: a}", "unknown in record: file f, line 2, found nam, nearest name, part inner"),
    ("severall: []", "unknown in record: file f, line 1, found severall, nearest several, part "),
    ("inner: {often: 2}", "missing in record: file f, line 2, found name, part inner"),
    ("inner: a", "wrong type: file f, line 1, found inner, wanted mapping"),
    ("inner: {name: 5}", "wrong type: file f, line 2, found name, wanted text"),
    ("inner: {name: a, often: b}", "wrong type: file f, line 2, found often, wanted int"),
    ("several: {name: a}", "wrong type: file f, line 1, found several, wanted sequence"),
    ("by: {red: [5]}", "wrong type: file f, line 2, found red, wanted text"),
    ("by: {red: x}", "wrong type: file f, line 2, found red, wanted sequence"),
    ("pair: [z]", "wrong type: file f, line 1, found pair, wanted sequence"),
])
def test_what_does_not_fit_is_refused_with_its_line(line: str, told: str) -> None:
    data = yamlfile.parse(f"# first\n{line}\n" if "{" in line else f"{line}\n")
    with pytest.raises(BadLog) as caught:
        records.read(Outer, data, "f")
    assert str(caught.value) in (told, told.replace("line 1", "line 2"))


@pytest.mark.parametrize(("text", "line", "found"), [
    ("by: {red: [x]}\ninner:\n  name: a\n  oftn: 2\n", 4, "oftn"),
    ("several:\n- name: b\n- often: 3\n  nam: c\n", 4, "nam"),
    ("several:\n- name: b\n- often: 3\n", 3, "name"),
    ("inner:\n  often: 2\n\n\n  name: 5\n", 5, "name"),
    ("by:\n  red: [x]\n  blue:\n  - x\n  black: y\n", 5, "black"),
    ("by:\n  red: [x]\n# black\npairs: [z, 4]\n", 4, "pairs"),
    ("inner: {name: a,\n  often: 2,\n  yess: 1}\n", 3, "yess"),
])
def test_the_line_is_that_on_which_it_stands(text: str, line: int, found: str) -> None:
    """Not that on which the mapping began that it stands in: in a long file nobody would find it."""
    with pytest.raises(BadLog) as caught:
        records.read(Outer, yamlfile.parse(text), "f")
    assert (caught.value.facts["line"], caught.value.facts["found"]) == (line, found)


def test_nothing_of_a_record_is_shared_with_what_is_written() -> None:
    outer = Outer(by={"red": ["x"]})
    plain = records.plain(outer)
    outer.by["red"].append("y")
    assert plain == {"by": {"red": ["x"]}}


class Row(NamedTuple):
    name: str
    words: tuple[str, ...] = ()
    inner: Inner | None = None
    more: Any = None


def test_a_named_tuple_is_a_record_too() -> None:
    said = {"name": "a", "words": ["x", "y", "z"], "inner": {"name": "b"}, "more": {"c": [1]}}
    row = Row("a", ("x", "y", "z"), Inner("b"), {"c": [1]})
    assert (records.read(Row, said, "f"), records.plain(row), records.defaults(Row)) == (
        row, said, {"words": (), "inner": None, "more": None})
    assert records.read(Row, {"name": "a", "inner": None}, "f") == Row("a")
    assert records.values(Row, {"words": ["x"]}, "f") == {"words": ("x",)}


@pytest.mark.parametrize(("read", "told"), [
    (lambda: records.parsed("{", "f"), "unreadable record: file f, found Expecting"),
    (lambda: records.read(Row, [], "f"), "wrong type: file f, line 1, found f, wanted mapping"),
    (lambda: records.read(Row, {"nam": "a"}, "f"), "unknown in record: file f, line 1, found nam, nearest name, part "),
    (lambda: records.read(Row, {}, "f"), "missing in record: file f, line 1, found name, part "),
    (lambda: records.values(Row, {"nam": "a"}, "f"), "unknown in record: file f, line 1, found nam, nearest name, part "),
])
def test_what_was_never_read_from_lines_is_refused_with_the_first(read: Callable[[], Any], told: str) -> None:
    with pytest.raises(BadLog) as caught:
        read()
    assert str(caught.value).startswith(told)


@records.record
class Place:
    name: str
    often: int = 1
    lines: list[str] = field(default_factory=list)


@records.record(kw_only=True)
class Named(Place):
    at: str


def test_a_record_of_ours_is_as_a_dataclass_is() -> None:
    """Only that nothing is compiled for it."""
    one = Place("a", lines=["x"])
    assert (one, one != Place("a"), Place("b", 2).often) == (Place("a", 1, ["x"]), True, 2)
    assert one != Named(name="a", lines=["x"], at="y") and one != "a"
    assert replace(one, often=3) == Place("a", 3, ["x"])
    assert Place("a").lines is not Place("a").lines
    assert list(vars(Named(at="y", name="a"))) == ["name", "often", "lines", "at"]
    assert records.read(Place, {"name": "a", "often": 2}, "f") == Place("a", 2)
    with pytest.raises(TypeError):
        hash(one)
    ways = (records.record, records.record(kw_only=True))
    made, named = (way(type("Made", (), {"__annotations__": {"a": int}})) for way in ways)
    assert (made(1), vars(named(a=1))) == (made(a=1), {"a": 1})
    with pytest.raises(TypeError, match="has 0 places"):
        named(1)


@pytest.mark.parametrize(("given", "named", "told"), [
    ((), {}, "Place needs: name"),
    (("a", 1, [], 4), {}, "Place has 3 places, not 4"),
    (("a",), {"name": "b"}, "Place is told twice: name"),
    (("a",), {"nam": "b"}, "Place has no: nam"),
])
def test_a_record_of_ours_is_whole(given: tuple[Any, ...], named: dict[str, Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        Place(*given, **named)
