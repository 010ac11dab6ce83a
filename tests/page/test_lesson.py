"""The tutorial as a page: what is laid down for it, what it carries, and that it carries all it needs."""

import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from at_the_lesson import Page, hints
from at_the_shell import said as pbem

from pbem.base.language import sentences
from pbem.base.paths import data_dir, languages
from pbem.cli.terminal import ASKED
from pbem.desk.tutorial import CHECKS
from pbem.page import lesson
from pbem.page.engine import ENGINE, RUNTIME, site, zipped

ROOT = Path(__file__).resolve().parents[2]
MAP = re.findall(r'const MAP = "([^"]*)"', (data_dir() / "lesson/lesson.js").read_text("utf-8"))[0]
LARGEST = 400_000                   # bytes of tutorial.js
MOST_KEPT = 150_000                 # of what a browser keeps


def test_the_page_lies_beside_an_engine_and_may_fetch_nothing(tmp_path: Path) -> None:
    told = pbem("tutorial", "--page", tmp_path / "out", "--language", "de")
    assert "npm pack pyodide" in told and "--runtime ORDNER" in told            # how to get what is still missing
    page = (tmp_path / "out/tutorial.html").read_text()
    assert "script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39; blob:; worker-src blob:;" in page and "connect-src" not in page
    assert '<html lang="de">' in page and "<h1 data-lesson=\"title\">Zwölf Schritte</h1>" in page
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["tutorial.js"]
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["tutorial.html", "tutorial.js"]
    for name in RUNTIME:
        (tmp_path / name).write_bytes(name.encode())
    assert "npm" not in pbem("tutorial", "--page", tmp_path / "out", "--runtime", tmp_path)
    assert (tmp_path / "out" / ENGINE).is_file()
    assert "npm" not in pbem("tutorial", "--page", tmp_path / "out")            # one that lies there does


def test_a_runtime_that_is_none_is_refused_with_the_way_to_one(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"pyodide\.mjs.*npm pack pyodide"):
        pbem("tutorial", "--page", tmp_path / "out", "--runtime", tmp_path)
    assert not (tmp_path / "out").exists()


def test_the_script_is_small_and_the_same_whenever_it_is_made() -> None:
    made = lesson.script()
    assert made == lesson.script() and len(made) < LARGEST


def test_every_word_of_the_lesson_in_every_language() -> None:
    scripts = [(data_dir() / name).read_text("utf-8") for name in lesson.SCRIPTS]
    code = "\n".join([*scripts, lesson.page("en")])
    asked = {"no_scripts", *re.findall(r'(?:say|now|Problem)\("(\w+)"', code), *re.findall(r'data-lesson="(\w+)"', code)}
    for language in languages():
        own = set(lesson.words(language))
        assert asked <= own
        assert {word for word in own - {"no_scripts"} if f'"{word}"' not in code} == set()
        assert set(sentences(language, "lesson")) == set(sentences("en", "lesson"))


def test_what_is_packed_plays_the_lesson_with_nothing_but_python(tmp_path: Path) -> None:
    """No library of this machine is seen; of the program only the rooms that an engine has, and the commands."""
    for data in (site(), zipped(lesson.carried())):
        with ZipFile(BytesIO(data)) as packed:
            packed.extractall(tmp_path / "site")
    lines = ["pbem status game", "pbem tutorial red", 'pbem order game red "бросок"', "pbem tutorial", "pbem verify forged",
             "pbem report game --since 1", "pbem guide player", "pbem --help", "pbem demo -o demo", "pbem games duel -o duel",
             "pbem publish game public", MAP, "pbem page game -o x"]
    asks = [{"ask": "open"}, *({"ask": "type", "line": line} for line in lines)]
    code = (f"import sys, json; from pathlib import Path; sys.path.insert(0, {str(tmp_path / 'site')!r});"
            f"from pbem.cli.terminal import Terminal; terminal = Terminal(Path({str(tmp_path / 'folder')!r}));"
            "told = [json.loads(terminal.answer(line)) for line in sys.stdin];"
            "codes = [one.get('code', 0) for one in told];"
            "print(json.dumps([told[-1]['step'], codes, *(told[one]['printed'] for one in (-1, -3, 5, -2))]))")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False,
                          input="".join(json.dumps({"pbem": 1, "language": "ru", **one}) + "\n" for one in asks))
    assert not done.stderr, done.stderr
    step, codes, *last, checked, drawn = json.loads(done.stdout)
    assert step == 3 and codes == [0] * 5 + [1] + [0] * 5 + [1, 0, 1]
    assert all("нужна часть программы" in " ".join(one.split()) for one in last)
    assert "запись 15" in checked and drawn.startswith("<svg")


def test_the_page_about_it_tells_the_truth(tmp_path: Path) -> None:
    told = (ROOT / "docs/page.md").read_text("utf-8").partition("## The tutorial as a page")[2].partition("\n## ")[0]
    assert told and "page.md#the-tutorial-as-a-page" in (ROOT / "README.md").read_text("utf-8")
    assert f"less than {LARGEST / 1e6} MB" in told
    assert list(lesson.files()) == re.findall(r"(?m)^\| `([\w.]+)`", told)
    page = Page(tmp_path, "ru")
    for _ in CHECKS:                                        # to the end, when most is kept
        page.type(*page.tasks)
        page.type(hints("ru")[page.step - 1][0] if page.found["asks"] else "pbem tutorial")
    assert page.step == 13 and len(page.found["kept"]) < MOST_KEPT
    assert all(f"`{name}`" in told for name in {*ASKED, *page.found, *page.ask("type", line="")} - {"pbem", "number"})
