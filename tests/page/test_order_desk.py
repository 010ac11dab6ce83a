"""The order desk of a page: what is laid down for it, what it carries, and that it carries all it needs and nothing secret."""

import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
import small_game
from at_the_shell import said as pbem

from pbem.base.language import sentences
from pbem.base.paths import data_dir, languages
from pbem.browser.answers import Engine
from pbem.browser.opened import log_of
from pbem.desk.desk import Desk
from pbem.mail import entered, paste
from pbem.page.engine import RUNTIME, engine, site
from pbem.page.order_desk import order_desk

LARGEST = 2_500_000                 # bytes of engine.js without the runtime: the program, its libraries, its clocks


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    game = small_game.found(tmp_path / "g", cards=True)
    game.order("red", "roll")
    return game


def test_a_page_with_a_desk_may_run_its_engine_and_fetch_nothing(desk: Desk, tmp_path: Path) -> None:
    told = pbem("page", desk.folder, "-o", tmp_path / "out", "--desk")
    page = (tmp_path / "out/index.html").read_text()
    assert "script-src &#39;self&#39; &#39;wasm-unsafe-eval&#39; blob:; worker-src blob:;" in page
    assert '<script src="desk.js"></script>' in page and "connect-src" not in page
    assert "npm pack pyodide" in told                       # how to get what is still missing
    pbem("page", desk.folder, "-o", tmp_path / "plain")
    plain = (tmp_path / "plain/index.html").read_text()
    assert "wasm" not in plain and "blob:" not in plain and not (tmp_path / "plain/desk.js").exists()
    with pytest.raises(AssertionError, match="folder"):
        pbem("page", desk.folder, "-o", tmp_path / "one.html", "--desk")


def test_publish_keeps_the_desk_that_lies_there(desk: Desk, tmp_path: Path) -> None:
    pbem("publish", desk.folder, tmp_path / "public")
    assert not (tmp_path / "public/desk.js").exists()
    (tmp_path / "public/desk.js").write_text("old")
    pbem("publish", desk.folder, tmp_path / "public")
    assert (tmp_path / "public/desk.js").read_text() == order_desk(desk.game)
    assert '<script src="desk.js"></script>' in (tmp_path / "public/index.html").read_text()


@pytest.mark.parametrize("language", languages())
def test_what_is_sent_is_taken_by_mail_and_in_a_thread(desk: Desk, language: str) -> None:
    """Each verb's first offer, in the reader's words, with the last line that tells the log."""
    engine, facts = Engine(), {"pbem": 1, "seat": "red", "language": language, "lines": ""}
    engine.answer(json.dumps({**facts, "ask": "open", "log": log_of(desk.game)}))
    offers = json.loads(engine.answer(json.dumps({**facts, "ask": "question"})))["offers"]
    for line in (one["lines"][0]["text"] for one in offers):
        log = f"# pbem 0.1.0 3 {desk.game.head()[:32]}"
        assert entered.orders_in(desk, "red", f"{line}\n{log}\n") == line
        posted = paste.orders(f"[b]{line}[/b]\n[b]{log}[/b]\n")
        assert posted[0] == line
        outcomes = desk.trial("red").order("red", "\n".join(posted))
        assert [one.state for one in outcomes][0] in ("done", "waiting") and len(outcomes) == 1


def test_the_desk_is_the_same_without_the_private_file(desk: Desk) -> None:
    public = small_game.again(desk.folder, published=True)
    assert order_desk(desk.game) == order_desk(public.game)
    assert json.loads(json.dumps(log_of(desk.game)))["log"] == [dict(entry) for entry in public.game.entries]


def test_every_word_of_the_desk_in_every_language() -> None:
    code = "\n".join(file.read_text() for file in (data_dir() / "desk").glob("*.js"))
    asked = set(re.findall(r'(?:say|Problem)\("(\w+)"', code)) | set(re.findall(r'"data-desk": "(\w+)"', code))
    asked |= set(re.findall(r'(?:button|labelled)\("(\w+)"', code))
    for language in languages():
        words = set(sentences(language, "desk"))
        assert asked <= words and {word for word in words if f'"{word}"' not in code} == set()


def test_a_runtime_that_is_none_is_refused_with_the_way_to_one(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"pyodide\.mjs.*npm pack pyodide"):
        pbem("page", desk.folder, "-o", tmp_path / "out", "--desk", "--runtime", tmp_path)


def test_the_engine_is_the_same_whenever_it_is_made(tmp_path: Path) -> None:
    for name in RUNTIME:
        (tmp_path / name).write_bytes(name.encode())
    made = engine(tmp_path)
    assert made == engine(tmp_path) and all(f'"{name}": "' in made for name in RUNTIME)
    assert len(made) < LARGEST


def test_what_is_packed_opens_a_game_with_nothing_but_python(desk: Desk, tmp_path: Path) -> None:
    """No library of this machine is seen; no room is there that a page has no use for."""
    with ZipFile(BytesIO(site())) as packed:
        packed.extractall(tmp_path / "site")
        names = packed.namelist()
    assert not [name for name in names if re.match(r"pbem/(mail|cli|dev|page|drawing)/", name)]
    asks = [{"ask": "open", "log": log_of(desk.game)}, *(
        {"ask": ask, "seat": "red", "lines": "march Antigonos > Ephesos", "general": "antigonos", "language": "ru"}
        for ask in ("check", "question", "reach"))]
    code = (f"import sys, json; sys.path.insert(0, {str(tmp_path / 'site')!r}); from pbem.browser.answers import Engine;"
            "engine = Engine(); print([line for line in sys.stdin if 'error' in json.loads(engine.answer(line))])")
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False,
                          input="".join(json.dumps({"pbem": 1, **one}) + "\n" for one in asks))
    assert done.stdout.strip() == "[]", done.stderr
