"""README, help and the rule index agree with the code. `python tests/test_docs.py` writes what is generated."""

import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner
from walked import PAGES as WALKED
from walked import walked

from pbem import __version__
from pbem.base.language import sentences as said_in
from pbem.cli.main import main
from pbem.desk import showing
from pbem.desk.requesting import PRIVATE, REFUSED, TAKEN
from pbem.dev import minutes, musts, sentences
from pbem.dev.replay.facts import WORDS
from pbem.dev.replay.vocabulary import CANONICAL, DICE, FIELDS, OWN_STEP, SPELLINGS, words_for
from pbem.editions import EDITIONS, books
from pbem.log import entries
from pbem.log.gamelog import read_game
from pbem.mail import requests
from pbem.mail.sentences import mailed
from pbem.orders.asking import REQUESTS as OWN
from pbem.play.proof import page
from pbem.telling import rulebook

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
LOG = ROOT / "docs/log.md"
BLOCK = re.compile(r"(<!-- commands -->\n).*?(<!-- /commands -->)", re.DOTALL)
REQUESTS = ROOT / "docs/requests.md"
PAGE = re.compile(r"(<!-- page -->\n```\n).*?(  verifier.html\n```\n<!-- /page -->)", re.DOTALL)
REQUESTED = re.compile(r"(<!-- requests -->\n).*?(<!-- /requests -->)", re.DOTALL)
TRANSLATING = ROOT / "docs/translating.md"
PLACEHOLDERS = re.compile(r"(<!-- placeholders -->\n).*?(<!-- /placeholders -->)", re.DOTALL)
BOX = ROOT / "docs/box.md"
MINUTES = re.compile(r"(<!-- minutes -->\n).*?(<!-- /minutes -->)", re.DOTALL)
ENTRIES = re.compile(r"(<!-- entries -->\n).*?(<!-- /entries -->)", re.DOTALL)


def commands(group: click.Group = main, path: str = "pbem") -> Iterator[tuple[str, click.Command]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def table() -> str:
    rows = [f"| `{path}` | {(command.help or '').splitlines()[0]} |" for path, command in commands()]
    return "\n".join(["| command | |", "|---|---|", *rows]) + "\n"


def kinds() -> str:
    """The kinds of entries in docs/log.md: the keys that one needs, those it may have, what it says."""
    def keys(names: Iterable[str]) -> str:
        return ", ".join(f"`{name}`" for name in names)

    told = [kind for kind in entries.KINDS.values() if kind.effect]
    idle = [f"`{kind.word}` (now one writes `{kind.instead}`)" for kind in entries.KINDS.values() if not kind.effect]
    return "\n".join([
        "| entry | and perhaps | what it says |", "|---|---|---|",
        *(f"| {keys([kind.word, *sorted(kind.needs)])} | {keys(sorted(kind.may))} | {kind.says} |" for kind in told),
        *(f"| any, with | `{key}` | {says} |" for key, says in entries.EVERYWHERE.items()), "",
        f"Logs of format 1 may also have {', '.join(idle)}: such an entry does nothing unless it has that key too, "
        "and `pbem verify` says so."]) + "\n"


def asked() -> str:
    """docs/requests.md: what players may write besides their orders."""
    ways = {TAKEN: "answered", PRIVATE: "answered in a message", REFUSED: "refused: all read it"}
    lines = ["| write | what comes of it | by mail | in a post | by `pbem ask` |", "|---|---|---|---|---|"]
    for word, kind in requests.COMMANDS.items():
        told = f"{mailed(showing.plain_words(), f'help_{word}')}."
        own = [one.split(", ")[0] for one in OWN.get(word, {}).get(word, "").split(" | ") if one]
        also = f" Also {', '.join(f'`{one}`' for one in own)}." if own else ""
        written = "<br>".join(f"`{one}`" for one in kind.written)
        lines.append(f"| {written} | {told}{also} | {ways[kind.mail]} | {ways[kind.post]} | {ways[kind.desk]} |")
    return "\n".join(lines) + "\n"


def rules() -> str:
    """docs/rules.md: rule number -> title -> functions -> cases."""
    import yaml

    cases: dict[str, list[str]] = {}
    known = books.titles()
    for file in sorted((ROOT / "tests/cases").glob("*.yaml")):
        for one in yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader):
            rule = str(one["rule"])                                 # 13.2.6 is a step of 13.2
            cases.setdefault(rule if rule in known else rule.rpartition(".")[0], []).append(one["id"])
    lines = ["# Rules and where they are played", "",
             "Generated from the code: rule of the 4th edition, the functions that play it or why there is none, and how many",
             "cases hold it.", "",
             "| rule | title | functions | cases |", "|---|---|---|---|"]
    for row in rulebook.index():
        functions = "<br>".join(f"`{name}`" for name in row["functions"]) or row["needless"]
        lines.append(f"| {row['shown']} | {row['title']} | {functions} | {len(cases.get(row['rule'], ())) or ''} |")
    return "\n".join(lines) + "\n"


def editions() -> str:
    """docs/editions.md: what the other books have otherwise, row by row."""
    lines = ["# What the other editions have otherwise", "",
             "Generated from `pbem/data/differs.yaml` and `templates/*/editions.yaml`; `pbem rules --edition third 9.11`",
             "shows a section of such a book with what it has otherwise, `--language` in each language; all are found.",
             "The cases lie in `tests/cases`; each holds in its edition and fails in the 4th.", ""]
    for book in (rules.book for rules in EDITIONS.values() if books.differing(rules.book)):
        lines += [f"## {said_in('en', 'terms')['edition'][book]}", "",
                  "| number | title | the 4th | here | cases |", "|---|---|---|---|---|"]
        for one in books.differing(book):
            text = rulebook.text_of(one, book, "en")
            here = "<br>".join(one.cases) or "not played so yet"
            usual = f"{books.shown(one.rule)}: {text['usual']}"
            lines.append(f"| {one.section} | {text['title']} | {usual} | {text['here']} | {here} |")
        lines.append("")
    return "\n".join(lines)


def replays() -> str:
    """docs/replay.md: what a script of a published game can say, with an example of each."""
    examples = yaml.load((ROOT / "tests/replays/words.yaml").read_bytes(), yaml.CSafeLoader)

    def of(part: Callable[[dict[str, Any]], Iterable[str]], word: str) -> str:
        shown = [number for number, one in enumerate(examples, 1) for step in one["steps"] if word in part(step)]
        return ", ".join(f"[{number}](#{number})" for number in dict.fromkeys(shown[:3])) or "the published game"

    lines = ["# What a published game can say", "",
             "Generated from `pbem/dev/replay/vocabulary.py` and `tests/replays/words.yaml`, whose pieces of games are all",
             "played by `tests/dev/test_replay.py`. `pbem dev replay FILE` plays a whole one, like `example-3e-turn1.yaml`;",
             "its head says how such a file is written. Under `setup` the Generals as they were dealt, or a `position`.",
             "What nobody knows is refused with its line and the nearest word; a word of a step that nobody reads is told.", "",
             "## Actions", "", "| action | also | examples |", "|---|---|---|"]
    lines += [f"| {action} | {', '.join(others)} | {of(lambda step: [CANONICAL[step['action']]], action)} |"
              for action, others in SPELLINGS.items()]
    lines += ["", "## What came of it, under `expect` or `derived`", "", "| word | examples |", "|---|---|"]
    lines += [f"| {word} | {of(lambda step: [*(step.get('expect') or {}), *(step.get('derived') or {})], word)} |"
              for word in sorted(WORDS)]
    lines += ["", "Further a space with the CUs that stand there, `NAME_pc`, `NAME_active`, `NAME_also`, `PLAYER_draws`.", "",
              "## Dice", "", "In the step, or in one of those behind that say how it went; by player, by `attacker` and",
              "`defender`, or alone.", "", "| thrown for | words |", "|---|---|"]
    lines += [f"| {purpose} | {', '.join(words_for(purpose, {'action': OWN_STEP.get(purpose, '')}))} |" for purpose in DICE]
    lines += ["", "## What else a step has", "", ", ".join(sorted(FIELDS)), "", "## Examples", ""]
    for number, one in enumerate(examples, 1):
        rest = {key: value for key, value in one.items() if key != "says"}
        shown = yaml.dump(rest, sort_keys=False, width=120).rstrip()
        lines += [f"### {number}", "", one["says"], "", "```yaml", shown, "```", ""]
    return "\n".join(lines)


def test_the_page_of_the_replays_is_that_of_the_words():
    assert (ROOT / "docs/replay.md").read_text(encoding="utf-8") == replays()


def test_the_page_for_translators_shows_what_becomes_of_every_placeholder() -> None:
    found = PLACEHOLDERS.search(TRANSLATING.read_text(encoding="utf-8"))
    assert found is not None and found[0] == f"<!-- placeholders -->\n{sentences.placeholders()}<!-- /placeholders -->"


def test_the_readme_lists_every_command_with_its_help():
    assert BLOCK.search(README.read_text(encoding="utf-8"))[0] == f"<!-- commands -->\n{table()}<!-- /commands -->"


@pytest.mark.parametrize("path, command", list(commands()), ids=[path for path, _ in commands()])
def test_every_command_has_help_with_an_example_that_can_be_typed(path, command):
    example = re.search(r"Example:\s+(pbem [^\n]+)", command.help or "")
    assert example, path
    words = path.split()
    assert re.sub(r" --config \S+", "", example[1]).split()[:len(words)] == words
    text = CliRunner().invoke(main, [*words[1:], "--help"])
    assert text.exit_code == 0 and "Example:" in text.output


def test_the_table_of_the_log_is_that_of_the_program():
    assert ENTRIES.search(LOG.read_text(encoding="utf-8"))[0] == f"<!-- entries -->\n{kinds()}<!-- /entries -->"


def test_the_page_of_the_requests_is_that_of_the_program():
    assert REQUESTED.search(REQUESTS.read_text(encoding="utf-8"))[0] == f"<!-- requests -->\n{asked()}<!-- /requests -->"


def test_the_example_of_the_log_is_one(tmp_path):
    """Every line of it, with its dots filled in."""
    example = re.search(r"```yaml\n(game: .*?)```", LOG.read_text(encoding="utf-8"), re.DOTALL)[1]
    (tmp_path / "game.yaml").write_text(example.replace("...", "x").replace(", x}", "}").replace(", x]", "]"), encoding="utf-8")
    assert len(read_game(tmp_path).entries) == example.count("\n- ")


def test_the_rule_index_agrees_with_the_code():
    assert (ROOT / "docs/rules.md").read_text(encoding="utf-8") == rules()


def test_the_page_of_the_editions_is_that_of_the_table():
    assert (ROOT / "docs/editions.md").read_text(encoding="utf-8") == editions()


def test_every_refusal_cites_a_rule_of_the_book():
    known = {*books.known(), "0"}
    for path in (ROOT / "pbem").rglob("*.py"):
        for cited in re.findall(r'(?:Refused|Costly)\(\s*"([\d.]+[A-L]?\d?)"', path.read_text(encoding="utf-8")):
            base = re.sub(r"([A-L]\d?|\.\d+)$", "", cited)           # a step of a procedure: 13.2.4
            assert cited in known or base in known or any(rule.startswith(f"{cited}.") for rule in known), (path, cited)


@pytest.mark.parametrize("row", rulebook.index(), ids=lambda row: row["rule"])
def test_every_rule_has_a_function_or_a_reason_why_it_needs_none(row):
    assert row["functions"] or row["needless"], "a function cites it, or data/needless.yaml says why there is none"
    assert not (row["functions"] and row["needless"]), "data/needless.yaml need not excuse it any more"


def test_nothing_is_excused_that_is_no_rule():
    assert rulebook.needless().keys() <= books.titles().keys()


def test_the_book_has_no_hole():
    """Chapters, their sections and the letters in these: where there is a B there is an A."""
    known = books.titles()
    for rule in known:
        *_, last = re.findall(r"\d+|[A-L]", rule)
        before = str(int(last) - 1) if last.isdigit() else chr(ord(last) - 1)
        assert before in ("0", "@") or rule.removesuffix(last) + before in known, rule
        assert rule == last or re.sub(r"(\.\d+|[A-L]|\d)$", "", rule) in known, rule


def test_starting_up_imports_nothing_heavy():
    heavy = "('yaml', 'jinja2', 'imapclient', 'email')"
    code = f"import sys, pbem.cli.main; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("words", [["status", "regency"], ["report", "regency", "--since", "last"]])
def test_a_daily_command_imports_nothing_that_it_does_not_use(words):
    """Of what takes longest: hours of the world, names of characters, fractions, dates in any form, mails."""
    unused = ("zoneinfo", "html.entities", "fractions", "_strptime", "email", "imapclient", "pbem.mail")
    code = (f"import sys; from pbem.__main__ import run; sys.argv = ['pbem', *{words}]\n"
            f"try: run()\nfinally: print([name for name in {unused} if name in sys.modules], file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT / "games")
    assert "turn" in done.stdout.lower()
    assert done.stderr.strip() == "[]"


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def evening() -> str:
    return "\n".join(minutes.table()) + "\n"


def test_the_minutes_of_the_box_are_what_it_asks_for() -> None:
    """Each section is planned for more than a box like ours takes, and the whole for less than one that differs everywhere."""
    found = MINUTES.search(BOX.read_text(encoding="utf-8"))
    assert found is not None and found[0] == f"{found[1]}{evening()}{found[2]}"
    rows = [[float(cell) for cell in line.split("|")[2:-1]] for line in evening().splitlines()[2:]]
    *parts, together = rows
    assert all(planned >= ours for planned, ours, *_ in parts)
    assert together[1] < 120 and together[1] < together[0] < together[3] and together[0] <= 180


def manual() -> str:
    """docs/pbem.1, by the script that writes it."""
    made: str = runpy.run_path(str(ROOT / "scripts/make_man.py"))["written"]()
    return made


def test_the_manual_page_is_that_of_the_commands() -> None:
    assert (ROOT / "docs/pbem.1").read_text(encoding="utf-8") == manual()


def test_the_changes_of_this_version_are_told() -> None:
    assert f"\n## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


if __name__ == "__main__":
    text = PLACEHOLDERS.sub(lambda found: f"{found[1]}{sentences.placeholders()}{found[2]}",
                            TRANSLATING.read_text(encoding="utf-8"))
    TRANSLATING.write_text(text, encoding="utf-8")
    text = MINUTES.sub(lambda found: f"{found[1]}{evening()}{found[2]}", BOX.read_text(encoding="utf-8"))
    BOX.write_text(text, encoding="utf-8")
    text = BLOCK.sub(lambda found: f"{found[1]}{table()}{found[2]}", README.read_text(encoding="utf-8"))
    text = PAGE.sub(lambda found: f"{found[1]}{sha256(page().encode()).hexdigest()}{found[2]}", text)
    README.write_text(text, encoding="utf-8")
    text = ENTRIES.sub(lambda found: f"{found[1]}{kinds()}{found[2]}", LOG.read_text(encoding="utf-8"))
    LOG.write_text(text, encoding="utf-8")
    text = REQUESTED.sub(lambda found: f"{found[1]}{asked()}{found[2]}", REQUESTS.read_text(encoding="utf-8"))
    REQUESTS.write_text(text, encoding="utf-8")
    (ROOT / "docs/rules.md").write_text(rules(), encoding="utf-8")
    (ROOT / "docs/editions.md").write_text(editions(), encoding="utf-8")
    (ROOT / "docs/replay.md").write_text(replays(), encoding="utf-8")
    (ROOT / "docs/pbem.1").write_text(manual(), encoding="utf-8")
    (ROOT / "docs/musts.md").write_text(musts.page(), encoding="utf-8")
    for name in WALKED:
        with tempfile.TemporaryDirectory() as folder:
            text = walked((ROOT / name).read_text(encoding="utf-8"), Path(folder))
        (ROOT / name).write_text(text, encoding="utf-8")
