"""Another language is one more folder of sentences: whoever wishes it reads it, all others read English."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import small_game
from at_the_shell import said as pbem

from pbem.base import language, paths
from pbem.components.catalogue import facts
from pbem.desk import posing, reporting, showing
from pbem.desk.desk import Desk
from pbem.orders import Pieces

REPLACED = {
    "phrases.yaml": {'standings: "Standings"': 'standings: "Etat"', "Waiting for": "Exspectatur",
                     "a game of Successors": "ludus Diadochorum"},
    "events.yaml": {"marched{% if": "iter fecit{% if"},
    "terms.yaml": {"red: Red": "red: Ruber", "activation: Activation Segment": "activation: Pars Movendi"},
    "questions.yaml": {"Do you intercept?": "Obviamne is?"},
}


@pytest.fixture
def latin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English with a few sentences in Latin."""
    shutil.copytree(paths.templates_dir(), tmp_path / "templates")
    shutil.copytree(tmp_path / "templates/en", tmp_path / "templates/la")
    for file, sentences in REPLACED.items():
        path = tmp_path / "templates/la" / file
        text = path.read_text("utf-8")
        for english, other in sentences.items():
            assert english in text
            text = text.replace(english, other)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(paths, "templates_dir", lambda: tmp_path / "templates")
    monkeypatch.setattr(language, "templates_dir", lambda: tmp_path / "templates")
    language.sentences.cache_clear()
    yield
    language.sentences.cache_clear()


def marched(folder: Path) -> Desk:
    """Blue wishes Latin, Yellow a language that nobody has written; both are asked about Red's march."""
    game = small_game.found(folder)
    for seat, tongue in (("blue", "la"), ("yellow", "tlh")):
        game.enter({"seat": seat, "name": seat, "language": tongue})
    game.order("red", "roll")
    game.order("red", "march Antigonos > Ephesos")
    game.run()
    return game


@pytest.mark.usefixtures("latin")
def test_who_wishes_a_language_reads_it_and_nobody_else(tmp_path: Path) -> None:
    game = marched(tmp_path / "g")
    report = reporting.report(game, "blue", 1, "text")
    assert "Etat" in report and "iter fecit from Halikarnassos" in report and "Ruber, Pars Movendi" in report
    assert "Obviamne is?" in posing.question_text(game, "blue")
    for reader in (showing.PUBLIC, "yellow", "red"):
        assert "marched from Halikarnassos" in reporting.report(game, reader, 1, "text")
    assert "Do you intercept?" in posing.question_text(game, "yellow")


@pytest.mark.usefixtures("latin")
def test_a_folder_of_sentences_is_all_that_a_language_needs() -> None:
    assert {"en", "la"} <= set(paths.languages())
    assert [paths.spoken(wish) for wish in ("la", "en", "tlh", None)] == ["la", "en", "en", "en"]


@pytest.mark.usefixtures("latin")
def test_a_game_has_a_language_for_the_thread_and_for_whoever_wishes_none(tmp_path: Path) -> None:
    posted = pbem("new", tmp_path / "g", "--seat", "red=Anna", "--seat", "blue=Bruno", "--language", "public=la",
                 "--language", "blue=en")
    assert "g: ludus Diadochorum." in posted
    game = Desk(tmp_path / "g")
    assert [showing.words(game, reader).language for reader in (showing.PUBLIC, "red", "blue")] == ["la", "la", "en"]
    said = pbem("new", tmp_path / "i", "--seat", "red=Anna", "--seat", "blue=Bruno", "--language", "public=tlh", code=1)
    assert "tlh" in said and not (tmp_path / "i").exists()


@pytest.mark.usefixtures("latin")
def test_a_report_is_written_in_any_language(tmp_path: Path) -> None:
    marched(tmp_path / "g")
    assert "iter fecit from" in pbem("report", tmp_path / "g", "--since", "1", "--language", "la")
    assert "marched from" in pbem("report", tmp_path / "g", "--since", "1", "--to", "blue", "--language", "en")
    assert 'no sentences in "tlh"; there are some in' in pbem("report", tmp_path / "g", "--language", "tlh", code=2)


@pytest.mark.parametrize(("tongue", "one", "several"), [
    ("en", "1 loyal CU", "3 CUs (1 loyal, 2 mercenary)"), ("de", "1 loyaler KV", "3 KV (1 loyaler, 2 Söldner)"),
    ("it", "1 UC Leali", "3 UC (1 Leale, 2 Mercenari)"), ("ru", "1 верная БЧ", "3 БЧ (1 верная, 2 наёмные)")])
def test_a_kind_of_cu_has_a_form_for_one_where_a_language_wants_it(tongue: str, one: str, several: str) -> None:
    said = showing.plain_words(tongue)
    assert [said.force({"loyal": 1}), said.force({"loyal": 1, "mercenary": 2})] == [one, several]


def test_another_alphabet_writes_the_names_too() -> None:
    assert [(said.general("kassandros"), said.at("pella")) for said in map(showing.plain_words, ("de", "ru"))] == [
        ("Kassandros", "in Pella"), ("Кассандр", "в Пелле")]


@pytest.mark.parametrize(("tongue", "way"), [
    ("en", "from Zela to Pontic mountains, from Rhodos to Amphipolis, from Larisa to Dardanoi"),
    ("de", "von Zela ins Pontische Gebirge, von Rhodos nach Amphipolis, von Larisa zu den Dardanoi"),
    ("it", "da Zela sui Monti del Ponto, da Rhodos ad Amphipolis, da Larisa a Dardanoi"),
    ("ru", "из Зелы в Понтийские горы, с Родоса в Амфиполь, из Лариссы к дарданам")])
def test_a_name_stands_in_a_sentence_as_its_language_wants_it(tongue: str, way: str) -> None:
    said = showing.plain_words(tongue)
    assert ", ".join(f"{said.place(origin, 'from')} {said.place(target, 'to')}" for origin, target in (
        ("zela", "tp_pontos"), ("rhodos", "amphipolis"), ("larisa", "dardanoi"))) == way


@pytest.mark.parametrize(("tongue", "with_them"), [
    ("en", "with Eumenes and 1 royal CU"), ("de", "mit Eumenes und 1 königlichen KV"), ("it", "con Eumenes e 1 UC Reali"),
    ("ru", "с Евменом и 1 царской БЧ")])
def test_who_comes_along_stands_in_the_case_that_goes_with_it(tongue: str, with_them: str) -> None:
    assert showing.plain_words(tongue).along(Pieces.of(["eumenes"], {"royal": 1})) == with_them


def test_a_name_alone_has_its_preposition_too() -> None:
    said = showing.plain_words("it")
    assert [str(said.general(one, "to")) for one in ("antigonos", "eumenes")] == ["ad Antigonos", "a Eumenes"]


@pytest.mark.parametrize(("tongue", "both"), [("en", "Lysimachos and Eumenes"), ("it", "Lysimachos ed Eumenes")])
def test_a_joining_word_may_change_before_a_vowel(tongue: str, both: str) -> None:
    assert showing.plain_words(tongue).generals(["lysimachos", "eumenes"]) == both


@pytest.mark.parametrize(("tongue", "when"), [
    ("de", "Fr, 20. Nov., 09:00 Uhr (Rom)"), ("it", "ven 20 nov, 09:00 (Roma)"), ("ru", "пт 20 нояб., 09:00 (Рим)")])
def test_a_time_zone_is_named_as_its_city_is_called(tongue: str, when: str) -> None:
    assert showing.plain_words(tongue).date("2026-11-20T08:00Z", "Europe/Rome") == when


def test_a_card_has_its_title_in_every_language() -> None:
    titles = [[str(showing.plain_words(tongue).card(card)) for tongue in ("en", "de", "it", "ru")] for card in facts().cards]
    assert ['"The Helepolis"', "„Die Helepolis“", "«L'Elepoli»", "«Гелеполис»"] in titles
    names = {"36", "37", "58"}                          # that are the same in German
    for card, (english, *others) in zip(facts().cards, titles, strict=True):
        assert card in names or english.strip('"') not in [other.strip("„“«»") for other in others], card


def test_a_terminal_with_fewer_letters_shows_a_mark_for_the_others(tmp_path: Path) -> None:
    pbem("new", tmp_path / "g", "--seat", "red=Anna", "--seat", "blue=Bruno", "--language", "public=ru")
    shown = subprocess.run([sys.executable, "-m", "pbem", "status", str(tmp_path / "g")], capture_output=True, check=True,
                           env={**os.environ, "PYTHONIOENCODING": "latin-1"}).stdout.decode("latin-1")
    assert "???" in shown and "pbem begin" in shown
