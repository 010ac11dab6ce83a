"""The page of a game: what stands in its files and what does not, how large they are, and that its scripts read them."""

import gzip
import json
import lzma
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import quickjs
import small_game
from at_the_shell import said as pbem

from pbem.base.paths import data_dir, games_dir, languages, templates_dir
from pbem.desk import publishing
from pbem.desk.desk import Desk
from pbem.dev.sentences import flat
from pbem.mail.sentences import mailed
from pbem.page import written as made
from pbem.page.course import steps
from pbem.page.packed import PACKER, SIGNS
from pbem.page.parts import difference, parts
from pbem.telling.chart import chart

KEPT = Path(__file__).parents[1] / "log/kept"
LARGEST = 400_000                   # bytes of index.html and game.js, for a game of 2,300 entries with four languages
CALL = re.compile(r'\nstart\("([^"]*)", (\d+)\);\n')
EVIL = "</script><img src=x onerror=alert(1)>\u2028'\"&{{ 7 * 7 }}"


def kept(name: str, folder: Path) -> Desk:
    folder.mkdir()
    (folder / "game.yaml").write_bytes(gzip.decompress((KEPT / f"{name}.yaml.gz").read_bytes()))
    return Desk(folder, published=True)


def data_of(script: str) -> dict[str, Any]:
    """What is packed in a script, without the scripts."""
    found = CALL.search(script)
    assert found is not None
    digits = [SIGNS.index(sign) for sign in found[1]]
    bits = "".join(f"{high * 91 + low:013b}" for high, low in zip(digits[::2], digits[1::2], strict=True))
    data = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits) - 7, 8))
    plain = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[PACKER]).decompress(data, int(found[2]))
    told: dict[str, Any] = json.loads(plain)
    return told


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A window with a sealed answer, hidden cards, and something taken back before."""
    game = small_game.found(tmp_path / "g", cards=True)
    game.order("red", "roll")
    game.undo(2, reason="the wrong day", override=True)
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    game.order("blue", "intercept Lysimachos from Sardeis with 1 mercenary")
    return game


def published(folder: Path) -> Desk:
    return small_game.again(folder, published=True)


# --- what stands in it -------------------------------------------------------------------------------------------


def test_without_scripts_the_last_map_report_standings_and_who_is_awaited_are_there(desk: Desk) -> None:
    html = made.files(published(desk.folder))["index.html"]
    plain = re.sub(r"<script.*?</script>|<style.*?</style>", "", html, flags=re.DOTALL)
    assert "Waiting for Bruno (Blue)" in plain and "until" in plain
    assert plain.count("<svg") == 2 and ">Ephesos</text>" in plain and ">5 Antigonos</text>" in plain
    assert "<h3" in plain and "rolled a" in plain and "Standings" in plain
    assert "Sardeis" in plain and desk.game.heads()[-1][:32] in plain


def test_every_small_step_together_gives_the_position_of_the_log(tmp_path: Path) -> None:
    game = kept("two", tmp_path / "two")
    state: dict[str, Any] = {}
    for step in steps(game, None):
        state = put(state, step.put)
    assert state == parts(chart(game.match, None))


def test_small_steps_lead_through_any_position() -> None:
    one, other = {"a": 1, "b": {"c": 2, "d": {"e": 1}}, "f": [1]}, {"b": {"d": {"g": 5}}, "f": [2], "h": {"i": 1}}
    assert put(one, difference(one, other)) == other and difference(one, one) == {}


def put(state: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """As course.js does it."""
    found = dict(state)
    for key, value in change.items():
        if value is None:
            found.pop(key, None)
        else:
            nested = isinstance(value, dict) and isinstance(found.get(key), dict)
            found[key] = put(found[key], value) if nested else value
    return found


def test_what_was_taken_back_is_told_with_its_position(desk: Desk) -> None:
    found = {step.number: step for step in steps(published(desk.folder), None)}
    gone = [number for number, step in found.items() if step.undone]
    assert gone and all(found[number].undone not in gone for number in gone)
    assert any("rolled" in line.say(_words(desk)) for number in gone for line in found[number].lines)
    rolled = next(step for number, step in found.items() if number in gone and step.dice)
    back = found[rolled.undone]
    assert rolled.put["movement_roll"] and back.put["movement_roll"] is None


def _words(desk: Desk) -> Any:
    from pbem.desk.showing import words

    return words(desk)


def test_every_sentence_stands_there_in_every_language_with_its_places(desk: Desk) -> None:
    data = data_of(made.files(published(desk.folder))["game.js"])
    assert len(data["texts"]) == len(languages()) and len({len(said) for said in data["texts"]}) == 1
    assert [data["words"][code]["place"] for code in languages()] == list(range(len(languages())))
    marched = next(row for row in data["entries"] if len(row) > 1 and any(len(line) > 2 for line in row[1]))
    (line,) = (line for line in marched[1] if len(line) > 2)
    assert line[2][0]["path"] == ["halikarnassos", "ephesos"]


# --- how large ---------------------------------------------------------------------------------------------------


def test_a_long_game_in_four_languages_is_small(tmp_path: Path) -> None:
    game = kept("five", tmp_path / "five")
    assert len(game.game.entries) > 2250
    files = made.files(game)
    assert sum(len(files[name].encode()) for name in (made.PAGE, made.SCRIPT)) <= LARGEST


# --- what does not -----------------------------------------------------------------------------------------------


def test_it_is_the_same_with_and_without_the_private_file(desk: Desk, tmp_path: Path) -> None:
    with_private = made.files(published(desk.folder))
    (desk.folder / "private.yaml").unlink()
    assert made.files(published(desk.folder)) == with_private


def test_nothing_hidden_stands_in_any_file_of_everybody(desk: Desk) -> None:
    files = made.files(published(desk.folder))
    told = [*files.values(), json.dumps(data_of(files["game.js"]), ensure_ascii=False)]
    assert [list(publishing.leaks(desk, text)) for text in told] == [[]] * len(told)
    for text in told:
        assert "Lysimachos from Sardeis with 1 mercenary" not in text
        assert desk.keys is not None and desk.keys.secrets.deck.hex() not in text
    secret = desk.keys.secrets.deck.hex()
    assert any(list(publishing.leaks(desk, text + secret)) for text in told)             # it would be seen


@pytest.mark.parametrize("name", ["duel", "regency"])
def test_of_a_whole_game_with_letters_and_standing_orders_nothing_private_is_public(name: str, tmp_path: Path) -> None:
    """The games that come with the program: cards, secrets, what lay sealed and filed, addresses."""
    shutil.copytree(games_dir() / name, tmp_path / name)
    game = Desk(tmp_path / name)
    assert game.tray
    assert list(publishing.leaks(game, game.game.text)) == []
    script = made.written(Desk(tmp_path / name, published=True), "public").script
    told = json.dumps(data_of(script), ensure_ascii=False)
    assert list(publishing.leaks(game, told)) == []
    own = [text for _, text in publishing.private_texts(game.tray.plain()) if "@" in text]
    assert not [text for text in own if text in told]


def test_a_seats_page_says_so_and_has_nothing_of_others(desk: Desk) -> None:
    html = made.written(desk, "blue").alone()
    assert "Private" in html and "Blue (private)" in html.partition("</title>")[0]
    assert "Cretan Liar" in html and "Anti-Elephant" not in html
    other = desk.tray.cards
    assert other is not None
    other.hands["red"], other.hands["black"] = other.hands["black"] + ["1"], ["57"]
    again = desk.with_cards()
    assert made.written(again, "blue").alone() == html
    assert made.written(again, "red").alone() != made.written(again, "yellow").alone()


def test_when_who_has_answered_only_the_moderators_page_says(desk: Desk) -> None:
    told = made.written(desk, "moderator", waited=lambda words: ["Blue was waited for longest."]).alone()
    assert "Answers to the open question</h2>" in told and "Blue was waited for longest." in told
    for text in (made.written(desk, "blue").alone(), *made.files(published(desk.folder)).values()):
        assert "Answers to the open question</h2>" not in text


def test_what_the_page_leads_to_lies_beside_it_or_comes_by_mail(desk: Desk) -> None:
    files = made.files(published(desk.folder))
    assert list(files) == made.names()
    told = files["index.html"] + json.dumps(data_of(files["game.js"])).replace('\\"', '"')
    links = set(re.findall(r'<a href="([^"#]+)"', told))
    assert links == files.keys() - {"index.html", "game.js"}
    assert not re.findall(r'<a href="([^"#]+)"', made.written(desk, "blue").alone().partition("<script>")[0])


def test_text_of_players_stays_text(tmp_path: Path) -> None:
    """In every field: who plays, what places are called, notes, rulings, reasons of undos, the title of the game."""
    small_game.found(tmp_path / "g")
    file = tmp_path / "g/game.yaml"
    file.write_text(file.read_text("utf-8").replace("format: 3", f"format: 3\ntitle: {json.dumps(EVIL)}", 1), "utf-8")
    game = small_game.again(tmp_path / "g")
    game.enter({"note": EVIL})
    game.enter({"seat": "blue", "name": EVIL, "people": EVIL})
    game.enter({"amend": "spaces.sardeis.name", "value": EVIL, "old": "Sardeis", "reason": EVIL})
    game.enter({"ruling": EVIL, "reason": EVIL})
    game.undo(len(game.game.entries), reason=EVIL, override=True)
    files = made.files(game)
    html, script = files["index.html"], files["game.js"]
    assert "<img src=x" not in html and html.count("&lt;img src=x") > 5 and html.count("</script>") == 1
    told = data_of(script)
    assert "</script" not in script and all(EVIL.replace("\u2028", " ") in "".join(said) for said in told["texts"])
    assert all("<img" not in part for words in told["words"].values() for part in words["parts"].values())
    alone = made.written(game, "public").alone()
    assert alone.count("</script>") == 1 and "<img src=x" not in alone


def test_the_policy_names_what_may_run(desk: Desk) -> None:
    page = made.written(published(desk.folder), "public")
    for html, wanted in ((page.beside("game.js"), "'self'"), (page.alone(), f"'{made.digest(page.script)}'")):
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
        assert policy is not None
        told = dict(part.split(" ", 1) for part in policy[1].replace("&#39;", "'").split("; "))
        assert told["default-src"] == "'none'" and told["script-src"] == wanted and told["form-action"] == "'none'"
        style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
        assert style is not None and told["style-src"] == f"'{made.digest(style[1])}'"
        assert not re.search(r' (?:style|on\w+)="', html)
        assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg\b)", html)


# --- the scripts -------------------------------------------------------------------------------------------------


@cache
def scripts() -> dict[str, str]:
    return {name: (data_dir() / "page" / f"{name}.js").read_text("utf-8") for name in made.SCRIPTS}


def test_every_script_is_one_and_stays_short() -> None:
    context = quickjs.Context()
    context.eval("(function(){" + made.code() + "\n})")
    assert {path.stem for path in (data_dir() / "page").glob("*.js")} == scripts().keys()
    assert all(len(text.splitlines()) < 250 for text in scripts().values())


def test_the_pages_own_decoder_reads_what_was_packed(desk: Desk) -> None:
    script = made.files(published(desk.folder))["game.js"]
    found = CALL.search(script)
    assert found is not None
    context = quickjs.Context()
    context.eval("\n".join(scripts()[name] for name in ("lzma", "unpack")) + """
        function read(text, size) {
            const bytes = decoded(bytesOf(text), size);
            let out = "";
            for (const byte of bytes) out += "%" + (byte + 256).toString(16).slice(1);
            return decodeURIComponent(out);
        }""")
    assert json.loads(context.get("read")(found[1], int(found[2]))) == data_of(script)


@pytest.mark.parametrize("language", languages())
def test_a_pasted_mail_tells_whether_the_page_is_up_to_date(desk: Desk, language: str) -> None:
    """As the foot of a mail says it in each language, quoted and broken into lines."""
    desk.language = language
    words, last, head = _words(desk), len(desk.game.entries), desk.game.head()
    context = quickjs.Context()
    context.eval(f"{scripts()['fresh']}\nconst data = {{head: {json.dumps(head)}, entries: Array({last})}};")
    for told, entries, named in (("same", last, head), ("older", last + 3, "f" * 64), ("newer", last - 1, "f" * 64),
                                 ("other", last, "f" * 64), ("none", last, "")):
        text = f"> Tue 20 Jan, 09:35 UTC: 12 CUs\n{mailed(words, 'head', entries=entries, head=named)}".replace(" ", "\n> ")
        assert json.loads(context.eval(f"JSON.stringify(fresh({json.dumps(text)}, data))"))[0] == f"fresh_{told}"


def test_every_word_of_the_page_is_said_and_there() -> None:
    layout = (templates_dir() / "layouts/page.html.j2").read_text()
    code = "\n".join(scripts().values())
    said = {*re.findall(r"own\.(\w+)|own\['(\w+)'\]", layout), *re.findall(r'data-(?:word|name-word)="(\w+)"()', layout)}
    asked = {key for pair in said for key in pair if key} | set(re.findall(r'"((?:head|fresh)_\w+)"', code))
    asked |= set(re.findall(r'\bui\((?:[\w.]+ \? )?"(\w+)"', code)) | set(re.findall(r'ui\([^()]*\? "(\w+)" : "\w+"', code))
    asked |= set(re.findall(r'ui\([^()]*\? "\w+" : "(\w+)"', code))
    sections = "\n".join((data_dir().parent / "page" / f"{name}.py").read_text() for name in ("sections", "written"))
    asked |= {key for key in flat("page") if f'"{key}"' in sections}
    known = {key for key in flat("page") if not key.startswith(("glossary.", "how_"))}
    assert asked - known == set() and known - asked == set()
    assert {key for key in flat("page") if key.startswith("how_")} == {
        "how_complete", "how_overdue", "how_early", "how_moderator", "how_held"}


# --- typed -------------------------------------------------------------------------------------------------------


def test_the_command_writes_a_folder_or_one_file(desk: Desk, tmp_path: Path) -> None:
    told = pbem("page", desk.folder, "-o", tmp_path / "out", "--language", "ru")
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(made.names())
    assert told.count("written: ") == len(made.names()) == 12
    assert '<html lang="ru">' in (tmp_path / "out/index.html").read_text()
    pbem("page", desk.folder, "-o", tmp_path / "one.html", "--to", "Bruno")
    assert (tmp_path / "one.html").stat().st_mode & 0o077 == 0 and "Private" in (tmp_path / "one.html").read_text()
    pbem("page", desk.folder, "-o", tmp_path / "out", "--to", "moderator")
    assert "Answers to" in (tmp_path / "out/moderator.html").read_text()
    pbem("page", desk.folder, "-o", tmp_path / "none", "--dry-run")
    assert not (tmp_path / "none").exists() and "public" in pbem("page", desk.folder, "-o", "x", "--to", "Nobody", code=2)


def test_a_published_copy_has_the_page_of_its_log(desk: Desk, tmp_path: Path) -> None:
    pbem("publish", desk.folder, tmp_path / "public")
    page = made.written(Desk(tmp_path / "public", published=True), "public")
    assert (tmp_path / "public/index.html").read_text() == page.beside("game.js")
    assert (tmp_path / "public/game.js").read_text() == page.script


def test_a_seats_own_page_brings_its_cards_to_the_order_desk_and_no_other(desk: Desk) -> None:
    assert data_of(made.written(desk, "blue").script)["hand"] == small_game.HANDS["blue"]
    for reader in ("public", "moderator"):
        assert "hand" not in data_of(made.written(desk, reader).script)
