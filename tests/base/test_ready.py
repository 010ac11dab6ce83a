"""What was made ready once is what would be made anew."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.base import ready, saying
from pbem.base.language import blank
from pbem.base.ready import Shelf

FACTS = {"n": 3, "names": ["a", "b"], "pairs": {"x": 1, "y": 0}, "one": {"L": 2, "VP": 5}, "rows": [{"L": 2}, {"L": 7}]}


@pytest.mark.parametrize("source", [
    "{{ n }}{{ ' more' if n > 2 }}{{ ' less' if n < 2 }}", "{% if other is defined %}{{ other }}{% else %}none{% endif %}",
    "{% for one in names %}{{ loop.index }}{{ one }}{{ ', ' if not loop.last }}{{ '!' if loop.first }}{% endfor %}",
    "{{ rows | sort(attribute='L', reverse=true) | map(attribute='L') | join('-') }}", "{{ rows | sum(attribute='L') }}",
    "{{ pairs.items() | rejectattr(1) | map(attribute=0) | list | length }}", "{{ names | first }}{{ names | last }}",
    "{{ '%+d' | format(n) }}{{ 'a-b' | replace('-', '+') }}{{ 'x' ~ n }}{% set m %}{{ n }}!{% endset %}{{ m }}",
    "{{ names | map('replace', 'a', 'c') | join(' ') }}", "{{ other | default('?') }}", "{{ '7' | int }}{{ pairs | dictsort }}",
    "{{ n in (2, 3) }}{{ n is none }}{{ one['L'] }}{{ names[1:] }}",
])
def test_it_is_said_as_jinja2_says_it(source: str) -> None:
    made = blank().overlay(finalize=str)
    text = blank().compile(source, raw=True).replace("from jinja2.runtime", "from pbem.base.saying", 1)
    ours = saying.Environment({}, {}, str).saying(compile(text, "sentence", "exec"))
    assert ours.render(FACTS) == made.from_string(source).render(FACTS)


@pytest.mark.parametrize("source", ["{{ other }}", "{% if other %}{% endif %}", "{{ other.at }}", "{{ one.other }}",
                                    "{{ other | length }}"])
def test_a_fact_that_is_not_there_is_a_fault(source: str) -> None:
    from jinja2.exceptions import UndefinedError

    text = blank().compile(source, raw=True).replace("from jinja2.runtime", "from pbem.base.saying", 1)
    with pytest.raises(UndefinedError):
        saying.Environment({}, {}, str).saying(compile(text, "sentence", "exec")).render(FACTS)


def test_what_was_kept_is_for_one_version_of_a_file_and_from_nobody_else(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "terms.yaml"
    file.write_text("a: 1")
    shelf = Shelf(file)
    shelf.data = {"a": 1}
    shelf.keep()
    assert Shelf(file).data == {"a": 1} and ready.place().stat().st_mode & 0o777 == 0o700
    for data in (b"", shelf.kept.read_bytes()[:-3], b"nonsense"):
        shelf.kept.write_bytes(data)
        assert Shelf(file).data is None
    shelf.keep()
    ready.place().chmod(0o777)
    assert Shelf(file).data is None
    ready.place().chmod(0o700)
    file.write_text("a: 12")
    assert Shelf(file).data is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    Shelf(file).keep()                                          # nowhere to write: made anew next time


def test_jinja2_is_not_even_imported_for_what_was_said_before(tmp_path: Path) -> None:
    told = "from pbem.base.errors import PbemError; from pbem.desk.showing import sentence; " \
           "print(sentence(PbemError('no_game', text='x'))); import sys; print('jinja2' in sys.modules, 'yaml' in sys.modules)"
    runs = [subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True,
                           env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}).stdout.splitlines() for _ in range(2)]
    assert runs[0][:-1] == runs[1][:-1] and [run[-1].split()[0] for run in runs] == ["True", "False"]
