"""YAML that guesses nothing: what it reads, what it refuses with which line, and what it writes."""

import gc
import subprocess
import sys
import weakref
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.base import yamlfile
from pbem.base.errors import BadLog
from pbem.desk.showing import sentence


@pytest.mark.parametrize("text", [
    "no", "on", "y", "12:30", "010", "08", "1e3", "1_000", "0x1f", "2026-11-18", "2026-11-18T09:00Z", "true",
    "1.5", "+3", "=", "<<", "Null", "1234567890123456789",
])
def test_stays_text(text: str) -> None:
    assert yamlfile.parse(f"a: {text}") == yamlfile.parse(f"{{a: '{text}'}}") == {"a": text}


@pytest.mark.parametrize("text, value", [
    ("0", 0), ("7", 7), ("-3", -3), ("~", None), ("", None), ("null", None)])
def test_is_guessed(text: str, value: int | None) -> None:
    assert yamlfile.parse(f"a: {text}") == {"a": value}
    assert yamlfile.parse(f"a: '{text}'") == {"a": text}


def test_keys_are_never_guessed() -> None:
    assert yamlfile.parse("{12: x, null: y, on: z}") == {"12": "x", "null": "y", "on": "z"}


def test_mappings_know_their_line() -> None:
    data = yamlfile.parse("game: x\nlog:\n- {by: red}\n\n- by: blue\n  do:\n    it: 1\n")
    assert [entry.line for entry in data["log"]] == [3, 5]
    assert data["log"][1]["do"].line == 7


@pytest.mark.parametrize("text, key, line", [
    ("a: 1\nb:\n  c: 1\n  c: 2\n", "doubled_key", 4),
    ("a: !!python/object:os.system x", "tag", 1),
    ("a: 1\nb: ! x", "tag", 2),
    ("a: 1\nb: &x [1]", "tag", 2),
    ("a: &x 1\nb: *x", "tag", 1),
    ("a: 1\nb: *x", "alias", 2),
    ("a: 1\n? [1]\n: 2", "bad_key", 2),
    ("a: 1\n?\n: 2", "no_key", 2),
    ("{a: 1, : 2}", "cut_short", 1),
    ("a: '\\q'\nb: \"\\q\"", "not_yaml", 2),
    ("a: 1\nb: 'x\nc: 1", "quotation_open", 2),
    ("a:\n- {by: red, \n- {by: blue}", "cut_short", 2),
    ("a:\n- {by: red, no", "cut_short", 2),
    ("a: 1\n---\nb: 2", "second_document", 2),
    ("a: 1\n...\n", "line_of_dots", 2),
    ("a: 1\n\ta: 1", "not_yaml", 2),
    ("a: 1\nb: \x07", "control_character", 2),
    ("a: 1\n- b", "not_yaml", 2),
    ("a:\n- {by: red, do: [march Kas\n", "cut_short", 2),
    ("a:\n- {by: red, do: march Kas\n- {by: blue, do: end}\n", "cut_short", 2),
    ("a:\n- {by: red, do: \"march\n- {by: blue, do: end}\n", "quotation_open", 2),
    ("a: 1\nb: " + "[" * 100_000, "too_deep", 2),
    ("a: " + "{a: " * 100_000, "too_deep", 1),
    ("- " * 50_000, "too_deep", 1),
])
def test_refused_with_its_line(text: str, key: str, line: int) -> None:
    with pytest.raises(BadLog) as caught:
        yamlfile.parse(text, "some.yaml")
    facts = caught.value.facts
    assert (caught.value.key, facts["file"], facts["line"]) == (key, "some.yaml", line)


@pytest.mark.parametrize("text, told", [
    ("a: 1\na: 2", 'line 2: "a" stands twice here.'),
    ("{{ a }}: 1\n'{{ a }}': 2", "line 1: a key must be a word."),
    ("'{{ a }}': 1\n'{{ a }}': 2", 'line 2: "{{ a }}" stands twice here.'),
    ("a: !x 1", "line 1: an anchor (&) or a tag (!) has no place here."),
    ("a: *x", "line 1: an alias (*) has no place here: write it out."),
    ("a: 1\n?\n: 2", "line 2: a key is missing before the colon."),
    ("a: [1\nb: 2", "line 1: what is opened here with [ is not closed, or a comma is missing in it."),
    ("- {a: [1\n", "line 1: what is opened here with { is not closed, or a comma is missing in it."),
    ("a: 1\nb: 'x", "line 2: a quotation begins here and does not end."),
    ("a: 1\n---\nb: 2", "line 2: a second document begins here."),
    ("a: 1\n...\n", "line 2: nothing may follow a line of dots: take it out."),
    ("a: \x07", "line 1: a control character stands here."),
    ("a: 1\n- b", "line 2: this cannot be read (did not find expected key)."),
    ("[" * 13, "line 1: this is nested deeper than 12 levels."),
])
def test_a_refusal_is_told_with_file_and_line(text: str, told: str) -> None:
    with pytest.raises(BadLog) as caught:
        yamlfile.parse(text, "some.yaml")
    assert sentence(caught.value) == f"some.yaml, {told}"


def test_twelve_levels_are_deep_enough() -> None:
    assert yamlfile.parse("[" * 12 + "]" * 12)
    with pytest.raises(BadLog):
        yamlfile.parse("[" * 13 + "]" * 13)


texts = st.text() | st.text(alphabet="nul~0_. :-", max_size=8) | st.text(
    alphabet=" -?:,[]{}#&*!|>'\"%@`=~0a\n\t\\<.é\u2028\x85\ufeff\x00", max_size=8)
values = st.recursive(
    texts | st.integers(-(10**18) + 1, 10**18 - 1) | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12)


@given(st.dictionaries(texts, values))
@example({"a": ["no", "12:30", "7", "-3", "~", "null", "", " ", "---", "- x", "a: b", "a #b", "a\nb"]})
def test_what_is_written_is_read(entry: dict[str, Any]) -> None:
    line = yamlfile.dump(entry)
    assert len(line.splitlines()) == 1
    assert yamlfile.parse(line) == entry
    assert yamlfile.parse(f"log:\n- {line}\n")["log"] == [entry]
    assert yamlfile.parse(yamlfile.dump_file(entry)) == entry
    assert yamlfile.parse(yamlfile.dump_file(entry, width=5)) == entry


@given(texts)
def test_quoted_only_where_it_must_be(text: str) -> None:
    written = yamlfile.dump([text])
    if written == f"[{text}]" or not text.isprintable() or text in ("-", "---", "...") or "?" in text or text != text.strip():
        return  # not quoted, or it is for the sake of human eyes and older readers
    for plain in (f"- [{text}, 0]", f"- {{a: {text}, b: 0}}"):
        try:
            read = yamlfile.parse(plain)
        except BadLog:
            return
        if read not in ([[text, 0]], [{"a": text, "b": 0}]):
            return
    pytest.fail(f"{written} needs no quotes")


@pytest.mark.parametrize("text, line", [
    ("march Kassandros > Lamia", "march Kassandros > Lamia"),
    ("intercept with 2 loyal, 3 mercenary", '"intercept with 2 loyal, 3 mercenary"'),
    ("no", "no"), ("12:30", "12:30"), ("7", '"7"'), ("", '""'), ("if MP >= 3: end", '"if MP >= 3: end"'),
    ('he said "no", twice', "'he said \"no\", twice'"), ("Anna's, Ben's", '"Anna\'s, Ben\'s"'),
    ("a\nb", '"a\\nb"'), ("a#b", "a#b"), ("Πέλλα", "Πέλλα"), ("a\u2028b", '"a\\u2028b"'),
])
def test_how_a_text_is_written(text: str, line: str) -> None:
    assert yamlfile.dump({"do": text}) == f"{{do: {line}}}"


@pytest.mark.parametrize("value", [True, 1.5, {1: "x"}, {"x"}, b"x"])
def test_what_a_file_cannot_hold_is_not_written(value: object) -> None:
    with pytest.raises(TypeError):
        yamlfile.dump({"a": value})


@pytest.mark.parametrize("value", ["\ud800", 10**18, -(10**18)])
def test_what_could_not_be_read_back_is_not_written(value: object) -> None:
    with pytest.raises(ValueError):
        yamlfile.dump({"a": value})


def test_long_parts_of_a_file_get_lines_of_their_own() -> None:
    data = {"mails": {"anna": "a" * 60, "ben": "b" * 60}, "list": ["x" * 120], "short": [1, 2], "empty": {}}
    assert yamlfile.dump_file(data).splitlines() == [
        "mails:", "  anna: " + "a" * 60, "  ben: " + "b" * 60,
        "list:", "- " + "x" * 120, "short: [1, 2]", "empty: {}"]


def test_long_files_are_read_without_looking_for_garbage() -> None:
    """The collector would make the time grow faster than the file."""
    text = "log:\n" + "- {by: red, do: march Kassandros > Lamia, via: 3f2a}\n" * 15_000
    before = sum(generation["collections"] for generation in gc.get_stats())
    assert len(yamlfile.parse(text)["log"]) == 15_000
    assert sum(generation["collections"] for generation in gc.get_stats()) - before <= 2
    assert gc.isenabled()
    with pytest.raises(BadLog):
        yamlfile.parse("[")
    assert gc.isenabled()


class Ring:
    """Garbage that only a look for garbage finds."""

    def __init__(self) -> None:
        self.there = [[self] for _ in range(100_000)]


def test_garbage_of_many_long_files_goes() -> None:
    """What is put away as old is looked through now and then: a process that reads logs all day does not grow."""
    made = list[weakref.ref[Ring]]()
    for _ in range(14):
        with yamlfile.uncollected():
            made.append(weakref.ref(Ring()))
        assert sum(one() is not None for one in made) <= yamlfile.ENOUGH // 100_000 + 1


def test_what_was_there_before_is_not_looked_through() -> None:
    """A command that has just begun has nothing to look for, however often Python has looked until then."""
    text = """
        import gc
        from pbem.base import yamlfile
        there = [[] for _ in range(200_000)]
        before = gc.get_stats()[2]["collections"]
        gc.set_threshold(50_000, 20, 20)
        for _ in range(3):
            with yamlfile.uncollected():
                there.append([])
        print(gc.get_stats()[2]["collections"] - before)
    """
    ran = subprocess.run([sys.executable, "-c", dedent(text)], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"
