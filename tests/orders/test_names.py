"""What people type -> ids: spellings of every edition, alphabets, prefixes, and what cannot be told."""

import subprocess
import sys

import pytest

from pbem.base.errors import Ambiguous, Unreadable
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.components.catalogue import facts
from pbem.orders.lines import read_line
from pbem.orders.names import CU_WORDS, CUS, Names, fold, names_of

SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": ""}}


FACTS = facts()
TABLES = {
    "space": FACTS.spaces, "province": FACTS.provinces, "royal": FACTS.royals, "fleet": FACTS.fleets,
    "general": {**FACTS.generals, **FACTS.minors, **FACTS.independents}, "card": FACTS.cards,
}
IDS: dict[str, list[str]] = {
    **{kind: list(table) for kind, table in TABLES.items() if kind != "card"},
    "location": [space + part for space in FACTS.spaces for part in ("", "/inside", "/sea")],
    "cu": list(CUS),
    "seat": [*SEATS, "independent"],
    "piece": [*TABLES["general"], *TABLES["royal"], *CUS],
}


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(FACTS, SEATS)


@pytest.mark.parametrize(
    ("kind", "text", "id"),
    [
        # case, blanks, punctuation, accents
        ("space", "larisa", "larisa"),
        ("space", "  LARISA. ", "larisa"),
        ("space", "Salt-Lake Steppe", "tp_tatta"),
        ("space", "salt_lake_steppe", "tp_tatta"),
        ("space", "Lárisa", "larisa"),
        ("card", "gift of oratory", "57"),
        # ids themselves
        ("space", "tp_maiandros", "tp_maiandros"),
        ("general", "kassandros", "kassandros"),
        # other editions, other spellings, other maps' spaces
        ("space", "Larissa", "larisa"),
        ("space", "Halicarnassus", "halikarnassos"),
        ("space", "Rbhagai", "rhagai"),
        ("space", "Nikopolis", "molossia"),
        ("space", "Smyrna", "pergamon"),
        ("space", "Maiandros", "tp_maiandros"),
        ("province", "Macedon", "makedonia"),
        ("province", "Hellespontine", "mikra_phrygia"),
        ("general", "Cassander", "kassandros"),
        ("general", "Ptolemy", "ptolemaios"),
        ("general", "Philoxenos", "philoxenos"),
        ("general", "Greek Army", "leosthenes"),
        ("royal", "Cleopatra", "kleopatra"),
        ("royal", "Funeral Cart", "cart"),
        ("fleet", "Makedonia fleet", "makedonia"),
        ("fleet", "Macedonian Fleet", "makedonia"),
        # Greek, also where no alias is kept; Cyrillic from the aliases, and by its sound
        ("general", "Κάσσανδρος", "kassandros"),
        ("general", "ΛΥΣΙΜΑΧΟΣ", "lysimachos"),
        ("general", "Εὐμένης", "eumenes"),
        ("general", "Φιλόξενος", "philoxenos"),
        ("space", "Χερσόνησος", "chersonesos"),
        ("space", "Βουθρωτόν", "bouthroton"),
        ("general", "Кассандр", "kassandros"),
        ("space", "Афины", "athenai"),
        ("general", "Антигонос", "antigonos"),
        ("royal", "Олимпиада", "olympias"),
        # prefixes that can mean only one thing
        ("space", "Halik", "halikarnassos"),
        ("space", "Apo", "apollonia"),
        ("general", "Kass", "kassandros"),
        ("card", "Thess", "32"),
        ("card", "Unrest Spr", "19"),
        # whole names before prefixes
        ("space", "Ake", "ake"),
        # seats: colours, players, languages
        ("seat", "RED", "red"),
        ("seat", "rot", "red"),
        ("seat", "giallo", "yellow"),
        ("seat", "синий", "blue"),
        ("seat", "Anna", "red"),
        ("seat", "brun", "blue"),
        ("seat", "Independent", "independent"),
        # cards
        ("card", "32", "32"),
        ("card", "47a", "47A"),
        ("card", "o60", "O60"),
        ("card", "60", "O60"),
        ("card", "#32", "32"),
        ("card", "card 32", "32"),
        ("card", "17 Unrest", "17"),
        ("card", "Unrest (17)", "17"),
        ("card", "Helepolis", "14"),
        ("card", "23,000 Greek Colonists", "35"),
        ("card", "Die Rednergabe", "57"),
        ("card", "Rednergabe", "57"),
        ("card", "Fantasma di Alessandro", "O65"),
        ("card", "Дар красноречия", "57"),
        ("card", "Epidémie", "4"),
        # CUs
        ("cu", "merc", "mercenary"),
        ("cu", "mercs", "mercenary"),
        ("cu", "Mercenaries", "mercenary"),
        ("cu", "Söldner", "mercenary"),
        ("cu", "Soeldner", "mercenary"),
        ("cu", "наёмники", "mercenary"),
        ("cu", "RA", "royal"),
        ("cu", "Loyal Macedonians", "loyal"),
        ("cu", "SS", "silver"),
        ("cu", "Silver Shields", "silver"),
        ("cu", "scudi d'argento", "silver"),
        ("cu", "ele", "elephant"),
        ("cu", "слоны", "elephant"),
        ("cu", "cav", "cavalry"),
        # pieces: all that can march
        ("piece", "Kassandros", "kassandros"),
        ("piece", "Philippos", "philippos"),
        ("piece", "elephants", "elephant"),
        # locations
        ("location", "Pella", "pella"),
        ("location", "pella/inside", "pella/inside"),
        ("location", "inside Pella", "pella/inside"),
        ("location", "Pella (inside)", "pella/inside"),
        ("location", "Pella outside", "pella"),
        ("location", "outside of pella", "pella"),
        ("location", "at sea off Pella", "pella/sea"),
        ("location", "Pella/sea", "pella/sea"),
        ("location", "sea off Larissa", "larisa/sea"),
    ],
)
def test_names_are_read_forgivingly(names: Names, kind: str, text: str, id: str) -> None:
    assert names.resolve(kind, text) == id


@pytest.mark.parametrize(
    ("kind", "text", "suggestions"),
    [
        ("space", "Pela", ["Pella"]),
        ("general", "Kasandros", ["Kassandros", "Asandros"]),
        ("general", "Lysimahus", ["Lysimachos"]),
        ("card", "Drink the Hemlok", ["1 Drink the Hemlock"]),
        ("cu", "elefants", ["elephant"]),
        ("space", "Timbuktu", []),
        ("seat", "purple", []),
        ("space", "", []),
        ("space", "!?", []),
    ],
)
def test_near_misses_are_only_suggested(names: Names, kind: str, text: str, suggestions: list[str]) -> None:
    with pytest.raises(Unreadable) as refused:
        names.resolve(kind, text)
    assert refused.value.key == "unknown_name"
    assert refused.value.facts["kind"] == kind
    assert refused.value.facts["text"] == text
    assert refused.value.facts["suggestions"][: len(suggestions)] == suggestions
    assert len(refused.value.facts["suggestions"]) <= 3
    if not suggestions:
        assert refused.value.facts["suggestions"] == []


@pytest.mark.parametrize("text", ["La", "Pe", "ak", "4x"])
def test_a_prefix_needs_three_letters(names: Names, text: str) -> None:
    with pytest.raises(Unreadable):
        names.resolve("space", text)


@pytest.mark.parametrize(
    ("kind", "text", "readings"),
    [
        ("card", "Unrest", ["17 Unrest", "18 Unrest"]),
        ("card", "47", ["47A Silver Shields", "47B Silver Shields"]),
        ("card", "Fog", ["53 Fog", "56 Fog"]),
        ("general", "Pol", ["Polyperchon", "Polyarchos", "Polemon"]),
    ],
)
def test_several_readings_are_all_named(names: Names, kind: str, text: str, readings: list[str]) -> None:
    with pytest.raises(Ambiguous) as refused:
        names.resolve(kind, text)
    assert refused.value.key == "ambiguous_name"
    assert refused.value.facts["readings"] == readings


def test_within_narrows_whole_names_prefixes_and_suggestions(names: Names) -> None:
    assert names.resolve("card", "Unrest", within=["18", "32"]) == "18"
    assert names.resolve("card", "Unrest", within=["19"]) == "19"  # a prefix, now
    assert names.resolve("general", "Pol", within={"polemon", "krateros"}) == "polemon"
    assert names.resolve("location", "Pella inside", within={"pella/inside"}) == "pella/inside"
    with pytest.raises(Ambiguous):
        names.resolve("card", "Unr", within={"17", "19"})
    with pytest.raises(Unreadable) as refused:
        names.resolve("general", "Krateros", within={"kassandros", "asandros"})
    assert "Krateros" not in refused.value.facts["suggestions"]
    with pytest.raises(Unreadable):
        names.resolve("space", "Lamia", within=["larisa"])
    with pytest.raises(Unreadable) as refused:
        names.resolve("location", "Pella", within=["pella/inside"])
    assert refused.value.facts["suggestions"] == ["inside Pella"]


def test_kinds_are_tried_in_turn_whole_names_first(names: Names) -> None:
    kinds = ("seat", "general", "royal", "space", "province", "card", "fleet")
    assert names.resolve_any(kinds, "Kassandros") == ("general", "kassandros")  # not his card
    assert names.resolve_any(kinds, "Olympias") == ("royal", "olympias")
    assert names.resolve_any(kinds, "Rhodes") == ("space", "rhodos")
    assert names.resolve_any(kinds, "57") == ("card", "57")
    assert names.resolve_any(kinds, "bruno") == ("seat", "blue")
    assert names.resolve_any(kinds, "olympias", within={"royal": ()}) == ("card", "36")
    with pytest.raises(Ambiguous) as refused:
        names.resolve_any(kinds, "Phil")
    assert {"Philippos", "Philoxenos", "Philon", "Philippopolis"} <= set(refused.value.facts["readings"])


@pytest.mark.parametrize("kind", IDS)
def test_every_display_name_is_read_back(names: Names, kind: str) -> None:
    for id in IDS[kind]:
        said = names.say(kind, id)
        assert names.resolve(kind, said) == id
        assert names.resolve(kind, said.upper()) == id
        assert names.resolve(kind, id) == id


def test_every_card_is_read_by_number_and_by_number_with_name(names: Names) -> None:
    for id in FACTS.cards:
        assert names.resolve("card", id.lower()) == id
        assert names.resolve("card", f"{id} {names.say('card', id)}") == id


@pytest.mark.parametrize("kind", TABLES)
def test_every_alias_means_its_owner(names: Names, kind: str) -> None:
    for id, entry in TABLES[kind].items():
        for alias in entry["aliases"]:
            try:
                assert names.resolve(kind, alias) == id, alias
            except Ambiguous as several:
                assert kind == "card", (alias, several.facts)
                assert any(reading.startswith(f"{id} ") for reading in several.facts["readings"])


def test_every_space_of_another_edition_means_its_counterpart(names: Names) -> None:
    assert len(FACTS.counterparts) >= 8
    for counterpart in FACTS.counterparts:
        assert names.resolve("space", counterpart["name"]) == counterpart["space"]


def test_every_word_for_a_cu(names: Names) -> None:
    for cu, words in CU_WORDS.items():
        for word in words.split(", "):
            assert names.resolve("cu", word) == cu


def test_display_names(names: Names) -> None:
    assert names.say("location", "pella") == "Pella"
    assert names.say("location", "pella/inside") == "inside Pella"
    assert names.say("location", "pella/sea") == "at sea off Pella"
    assert names.say("cu", "silver") == "silver shields"
    assert names.say("seat", "red") == "Red"
    assert names.say("card", "17") == "Unrest"
    assert names.say("space", "tp_haimos") == "Haimos pass"


def test_only_the_seats_of_this_game_are_known(names: Names) -> None:
    with pytest.raises(Unreadable):
        names.resolve("seat", "green")


def test_two_players_of_one_name() -> None:
    twins = Names(FACTS, {"red": {"name": "Anna"}, "blue": {"name": "anna"}, "green": {"name": "Red"}})
    with pytest.raises(Ambiguous):
        twins.resolve("seat", "Anna")
    assert twins.resolve("seat", "red") == "red"  # a colour is a colour, whoever is called so


def test_fold_keeps_letters_and_digits_of_any_alphabet() -> None:
    assert fold("Ahura Mazda & Ahriman!") == "ahuramazdaahriman"
    assert fold("Ágis_II") == "agisii"
    assert fold("Пёлла-2") == "пелла2"


def test_whole_names_load_nothing_heavy() -> None:
    program = (
        "import sys; from pbem.components.catalogue import facts; from pbem.orders.names import Names;"
        "names = Names(facts(), {'red': {'name': 'Anna'}});"
        "assert names.resolve('space', 'LARISSA') == 'larisa';"
        "assert names.resolve('general', 'Kass') == 'kassandros';"
        "print(sorted({'difflib', 'anyascii'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("language", languages())
def test_what_a_report_calls_somebody_or_some_place_can_be_typed(names: Names, language: str) -> None:
    """In every form that the language's sentences have of it; what two share is asked back."""
    for kind in ("general", "royal", "space", "province", "fleet"):
        for key, forms in (sentences(language, "terms").get("name", {}).get(kind) or {}).items():
            id = key.removesuffix(" third")                 # as that edition calls it
            for form in [forms] if isinstance(forms, str) else forms:
                try:
                    assert names.resolve(kind, form) == id, form
                except Ambiguous as error:
                    assert names.say(kind, id) in error.facts["readings"]


# --- who is not in the game ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [
    "march Ophellas > Lamia", "activate Ophellas", "march Antigonos with Ophellas, 2 loyal > Ephesos",
    "drop 2 loyal under Ophellas", "if Ophellas at Lamia: roll", "intercept Ophellas with all",
    "play 57 as surprise on Ophellas"])
def test_a_minor_general_of_a_colour_that_nobody_plays_is_told_so(line: str) -> None:
    four = names_of(FACTS, {seat: {} for seat in ("red", "blue", "yellow", "black")})
    with pytest.raises(Unreadable) as refused:
        read_line(line, four)
    assert (refused.value.key, refused.value.facts) == ("nobody_plays_him", {"general": "ophellas", "seat": "green"})
    assert read_line(line, names_of(FACTS, {seat: {} for seat in ("red", "blue", "yellow", "black", "green")}))


def test_he_is_in_nobody_s_way() -> None:
    """What may be he or another is the other."""
    two = names_of(FACTS, {"red": {}, "blue": {}})
    with pytest.raises(Unreadable) as refused:
        two.resolve("general", "Ophelas")
    assert "Ophellas" not in refused.value.facts.get("suggestions", [])
    assert two.resolve("general", "Leon") == "leonnatos"           # and not the Leonidas of Green
