"""docs/adding.md keeps its word: one of each thing is added in a copy of the program, by the files that it names alone."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r"\| `([^`]+)` \| .* \| (?:`([^`]+::\w+)`|then there is none) \|")

Change = Callable[[Path], None]


# --- how a file is changed ---------------------------------------------------------------------------------------


def written(text: str) -> Change:
    """A new file."""
    def change(path: Path) -> None:
        path.write_text(text, encoding="utf-8")
    return change


def replaced(*pairs: tuple[str, str]) -> Change:
    """Each text of the file, which it has once, and what stands there afterwards."""
    def change(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, (path, old)
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return change


def facts(path: Path) -> None:
    python(path.parents[2], "-m", "pbem.components.catalogue")


def card(path: Path) -> None:
    """One more like the Oracle, with an effect of its own."""
    oracle = re.search(r"  - id: O64\n.*?(?=  - id: )", path.read_text(encoding="utf-8"), re.DOTALL)
    assert oracle
    hymn = re.sub(r"aliases: .*", "aliases: {}", oracle[0].replace("O64", "O70").replace("Oracle", "Hymn"))
    hymn = re.sub(r"params: .*", "params: {}", hymn.replace("gain_legitimacy", "sing"))
    replaced(("\n  cards_in_box: 70\n", "\n  cards_in_box: 71\n"), ("\n  optional: 10\n", "\n  optional: 11\n"),
             ("third_edition_only:\n", f"{hymn}third_edition_only:\n"))(path)


def printed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "\neffect: {}" not in text:
        path.write_text(re.sub(r"(\neffect:.*\n)", r'\1  "O70": "1 VP."\n', text), encoding="utf-8")


def latin(path: Path) -> None:
    shutil.copytree(path.parent.parent / "en", path.parent)
    replaced(("rolled a {{ die }} for movement", "{{ die }} iecit"))(path.parent / "events.yaml")


# --- one of each -------------------------------------------------------------------------------------------------

DOCS = None                 # made together, when all is added

ADDED: dict[str, dict[str, Change | None]] = {
    "A mail request": {
        "pbem/mail/requests.py": replaced(
            ("ANSWERS: dict", 'def crew(ask: Request, rest: str) -> str:\n    """How many play."""\n'
                               '    return mailed(ask.said, "crew", count=len(ask.desk.match.seats))\n\n\nANSWERS: dict'),
            ('    "reports": comm', '    "crew": crew,\n    "reports": comm')),
        "pbem/desk/requesting.py": replaced(('    "reports": Form', '    "crew": Form(("crew",), ""),\n    "reports": Form')),
        "templates/*/mail.yaml": replaced(("\nhand_empty:", '\ncrew: "({{ count }})"\nhelp_crew: how many play\nhand_empty:')),
        "docs/requests.md": DOCS,
    },
    "A command": {
        "pbem/cli/look.py": replaced(
            ("COMMANDS = (", '@click.command()\n@game_argument\n@kindly\ndef count(game: Path) -> None:\n'
                             '    """How long the log is.\n\n    Example:  pbem count games/anabasis\n    """\n'
                             "    click.echo(len(desk(game).game.entries))\n\n\nCOMMANDS = (count, ")),
        "pbem/cli/main.py": replaced(('"look": "status', '"look": "count status')),
        "README.md": DOCS,
    },
    "An option": {
        "pbem/editions/options.py": replaced(
            ("OPTIONS = {", 'def long_game(rules: Ruleset) -> Ruleset:\n    """16.13 One more."""\n'
                            "    return rules._replace(last_turn=6)\n\n\nOPTIONS = {"),
            ("short_game),\n", 'short_game),\n    Option("16.13", "long-game", long_game),\n')),
        "pbem/data/rulebook.fourth.yaml": replaced(('\n"17":', '\n"16.13": Long game\n"17":')),
        "templates/*/terms.yaml": replaced(("\nagreed:\n", '\nagreed:\n  "16.13": one Game Turn more\n')),
        "docs/rules.md": DOCS,
    },
    "An edition": {
        "pbem/editions/house.py": written(
            '"""The house rules."""\n\nfrom pbem.editions import third\n\n'
            'RULES = third.RULES._replace(name="house", last_turn=3)\n'),
        "pbem/editions/__init__.py": replaced(
            ("    third.RULES,\n", "    third.RULES,\n    house.RULES,\n"),
            ("import draft, fourth, options", "import draft, fourth, house, options")),
        "templates/*/terms.yaml": replaced(("\n  third: 3", "\n  house: rules of this house\n  third: 3")),
    },
    "A card": {
        "pbem/data/cards.yaml": card,
        "pbem/data/facts.json": facts,
        "pbem/cards/optional.py": replaced(
            ("# --- O68", '@at_once\ndef hymn(g: Game, seat: str, order: Order) -> None:\n    """One Victory Point."""\n'
                          '    g.adjusted[seat, "VP"] += 1\n\n\n'
                          'EFFECTS["sing"] = Card(lambda g, seat, order: targets.played(order), hymn, '
                          "targets.nothing_to_choose)\n\n\n# --- O68")),
        "templates/*/terms.yaml": printed,
        "tests/cards/O70-hymn.yaml": written(
            '- {id: O70-a, rule: "6.2", title: a point,\n'
            "   given: {options: [O70], segment: {player: red, kind: tyche}, hands: {red: [hymn]}},\n"
            "   when: [{by: red, do: play_card, card: hymn, as: event}], then: [{dVP: {red: 1}}]}\n"),
    },
    "An event": {
        "pbem/data/events.yaml": replaced(("\nmovement_rolled:", "\ntrumpets_sounded: seat\nmovement_rolled:")),
        "pbem/rules/movement.py": replaced(
            ('    g.tell(ALL, "movement_rolled"', '    g.tell(ALL, "trumpets_sounded", seat=g.player)\n'
                                                '    g.tell(ALL, "movement_rolled"')),
        "templates/*/events.yaml": replaced(
            ("\nmovement_rolled:", '\ntrumpets_sounded: "{{ seat | seat | cap }}: tarantara!"\nmovement_rolled:')),
    },
    "An entry kind": {
        "pbem/data/entries.yaml": replaced(
            ("\n  open:\n", "\n  toast:\n    effect: pbem/play\n    says: a glass is raised\n  open:\n"),
            (" resume note reserve\n", " resume note reserve toast\n")),
        "pbem/play/match.py": replaced(
            ("def _note(", 'def _toast(match: Match, entry: Mapping[str, Any]) -> None:\n'
                           '    match.g.tell(ALL, "note", text=f"To {entry[\'toast\']}!", noted={})\n\n\ndef _note('),
            ('"note": _note,', '"note": _note, "toast": _toast,')),
        "templates/*/terms.yaml": replaced(("\nchecked:\n", "\nchecked:\n  entry toast: toast\n")),
        "docs/log.md": DOCS,
    },
    "A language": {"templates/la/*.yaml": latin},
}
CODE_FILES = {"A command": 2, "A mail request": 2, "An edition": 2, "A language": 0}             # all others have one


def page() -> dict[str, dict[str, str]]:
    """Thing -> file -> the test that fails without it; none where without it there is nothing."""
    parts = (ROOT / "docs/adding.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.splitlines()[0]: dict(ROW.findall(part)) for part in parts}


PAGE = page()
TESTED = [(thing, file, test) for thing, files in PAGE.items() for file, test in files.items() if test]


# --- a copy to write in ------------------------------------------------------------------------------------------


def copied(to: Path) -> Path:
    for room in ("pbem", "templates", "docs", "games", "scripts"):
        shutil.copytree(ROOT / room, to / room)
    shutil.copytree(ROOT / "tests", to / "tests", ignore=shutil.ignore_patterns("corpus", "kept"))
    for file in ("README.md", "pyproject.toml"):
        shutil.copy2(ROOT / file, to)
    return to


def places(scratch: Path, file: str) -> list[Path]:
    return sorted(scratch.glob(file)) or [scratch / file]


def add(scratch: Path, thing: str, forgotten: str = "") -> None:
    for file, change in ADDED[thing].items():
        if change is not None and file != forgotten:
            for path in places(scratch, file):
                change(path)


@contextmanager
def added(scratch: Path, thing: str, forgotten: str) -> Iterator[None]:
    """Until it is looked at. Then each file is as it was, and as old: what was compiled of it still belongs to it."""
    try:
        add(scratch, thing, forgotten)
        yield
    finally:
        for path in [path for file in ADDED[thing] for path in places(scratch, file)]:
            original = ROOT / path.relative_to(scratch)
            if original.exists():
                shutil.copy2(original, path)
            elif original.parent.exists():
                path.unlink(missing_ok=True)
            else:
                shutil.rmtree(path.parent, ignore_errors=True)


def around(scratch: Path) -> dict[str, str]:
    """As it is where it is installed: what was compiled and made ready is there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    return {**kept, "PYTHONPATH": f"{scratch}:{scratch / 'tests'}", "PBEM_TRACE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "XDG_CACHE_HOME": str(scratch / ".made")}


def python(scratch: Path, *words: str, fails: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run([sys.executable, *words], cwd=scratch, capture_output=True, text=True, check=False,
                          env=around(scratch))
    assert done.returncode in fails, done.stdout + done.stderr
    return done.stdout


def pbem(scratch: Path, *words: str) -> str:
    return " ".join(python(scratch, "-m", "pbem", *words).split())


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it is."""
    scratch = copied(tmp_path_factory.mktemp("bare"))
    python(scratch, "-m", "compileall", "-q", "pbem")
    return scratch


TESTING = """
import os, sys
import click, hypothesis.strategies, imapclient, jinja2, pytest, yaml

for test in sys.stdin:
    child = os.fork()
    if not child:
        with open("told", "w") as told:
            os.dup2(told.fileno(), 1), os.dup2(told.fileno(), 2)
        os._exit(pytest.main(["-q", "-x", "--assert=plain", "-p", "no:cacheprovider", test.strip()]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def ran(bare: Path) -> Iterator[Callable[[str], int]]:
    """How a test ends: each runs in a process of its own, in which only what is not of the program is there already."""
    with subprocess.Popen([sys.executable, "-c", TESTING], cwd=bare, env=around(bare), text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        asks, answers = process.stdin, process.stdout

        def run(test: str) -> int:
            print(test, file=asks, flush=True)
            return int(answers.readline())

        yield run


@pytest.fixture(scope="module")
def richer(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with one more of each, and a small game in it."""
    scratch = shutil.copytree(bare, tmp_path_factory.mktemp("more") / "richer")
    for thing in ADDED:
        add(scratch, thing)
    python(scratch, "tests/test_docs.py")
    python(scratch, "-c", """
from pathlib import Path
from small_game import found

game = found(Path("game"))
game.order("red", "roll")
game.enter({"toast": "Alexander"})
""")
    return scratch


# --- the page and the table --------------------------------------------------------------------------------------


def test_the_page_names_the_files_that_adding_takes() -> None:
    assert {thing: sorted(files) for thing, files in PAGE.items()} == {thing: sorted(files) for thing, files in ADDED.items()}


@pytest.mark.parametrize("thing", ADDED)
def test_adding_takes_one_file_of_code(thing: str) -> None:
    assert sum(file.endswith(".py") for file in ADDED[thing]) == CODE_FILES.get(thing, 1)


# --- it works ----------------------------------------------------------------------------------------------------


def test_with_all_its_files_nothing_is_missed(richer: Path) -> None:
    python(richer, "-m", "pytest", "-q", "--assert=plain", "-p", "no:cacheprovider", *sorted({test for _, _, test in TESTED}))


def test_a_mail_request_is_answered(richer: Path) -> None:
    assert "(4)" in python(richer, "-c", """
from pathlib import Path
from pbem.mail import requests
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender

print(requests.answer(requests.Request(MailDesk(Path("game")), None, Sender("red", ""), [], []), "crew"))
""")


def test_a_command_can_be_given(richer: Path) -> None:
    assert pbem(richer, "count", "game") == str((richer / "game/game.yaml").read_text().count("\n- "))


def test_an_option_can_be_agreed_on(richer: Path) -> None:
    new = pbem(richer, "new", "long", "--seat", "red=Anna", "--seat", "blue=Bruno", "--option", "long-game")
    assert "16.13 (one Game Turn more)" in new
    assert "options.long_game" in pbem(richer, "rules", "16.13")


def test_an_edition_can_be_played(richer: Path) -> None:
    new = pbem(richer, "new", "other", "--seat", "red=Anna", "--seat", "blue=Bruno", "--edition", "house", "--option", "23.4")
    assert "rules of this house, and besides the book: 23.4 (Dispersed Fleets" in new
    assert "edition: house" in (richer / "other/game.yaml").read_text()
    assert "10.2 " in pbem(richer, "rules", "10.2", "--edition", "house")
    assert "house (20.3): 3" in pbem(richer, "rules", "--diff", "third", "house")
    assert "1 games" in pbem(richer, "dev", "play", "--games", "1", "--edition", "house", "--players", "2", "--swift")


def test_a_card_can_be_played(richer: Path) -> None:
    assert "1 pass" in pbem(richer, "dev", "cases", "tests/cards/O70-hymn.yaml")


def test_an_event_an_entry_and_a_language_are_told(richer: Path) -> None:
    told = pbem(richer, "report", "game", "--since", "1")
    assert "Red: tarantara!" in told and "To Alexander!" in told and "rolled a" in told
    assert "iecit" in pbem(richer, "report", "game", "--since", "1", "--language", "la")
    assert "toast" in python(richer, "-m", "pbem", "verify", "game", "--entries", fails=(3,))


# --- what tells ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("thing", "file", "test"), TESTED, ids=[" - ".join(one[:2]) for one in TESTED])
def test_what_is_forgotten_is_told(thing: str, file: str, test: str, bare: Path, ran: Callable[[str], int]) -> None:
    """The test fails (1), or the program that it is about does not even start (2, 4)."""
    whole = ADDED[thing][file] is latin                     # a folder of which one file is forgotten
    with added(bare, thing, "" if whole else file):
        if whole:
            (bare / "templates/la/prices.yaml").unlink()
        assert ran(test) in (1, 2, 4), (bare / "told").read_text(encoding="utf-8")


def test_nothing_is_left_of_what_was_added(bare: Path) -> None:
    """Else each of them would be looked for in what those before it had left."""
    for room in ("pbem", "templates", "docs"):
        there, here = ({path.relative_to(root): path.read_bytes() for path in (root / room).rglob("*")
                        if path.is_file() and path.suffix != ".pyc"} for root in (ROOT, bare))
        assert there == here
