"""Facts as the engine reads them, corrections by a moderator, validation, provenance, and the worksheet."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from pbem.base.errors import BadLog
from pbem.components import catalogue, sources
from pbem.components.catalogue import FACTS_FILE, Facts, correct, datums, facts, problems, written
from pbem.components.sources import is_firm, provenance, tree
from pbem.components.worksheet import blanks, worksheet

TREE = tree()
F = facts()


# --- facts.json ---------------------------------------------------------------------------------------------

def test_facts_file_is_what_the_yaml_files_say():
    assert FACTS_FILE.read_text(encoding="utf-8") == written(TREE), "run: python -m pbem.components.catalogue"


def test_facts_file_has_one_entity_a_line():
    lines = FACTS_FILE.read_text(encoding="utf-8").splitlines()
    starts = ('"lamia":', '"kassandros":', '"47A":', '["pella","larisa","land"]')
    assert [sum(line.startswith(start) for line in lines) for start in starts] == [1, 1, 1, 1]


def test_facts_file_can_be_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "FACTS_FILE", tmp_path / "facts.json")
    catalogue.main()
    assert (tmp_path / "facts.json").read_bytes() == FACTS_FILE.read_bytes()


def test_unsound_data_make_no_facts_file(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "FACTS_FILE", tmp_path / "facts.json")
    monkeypatch.setattr(sources, "tree", lambda: {**TREE, "fleets": {}})
    with pytest.raises(SystemExit, match="0 fleets, expected 8"):
        catalogue.main()
    assert not (tmp_path / "facts.json").exists()


def test_facts_are_read_once():
    assert facts() is facts()


def test_reading_facts_imports_no_yaml():
    code = "import sys; from pbem.components.catalogue import facts; facts(); print('yaml' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd=Path(__file__).parents[2])
    assert told.stdout.strip() == "False"


def test_no_provenance_in_facts():
    def keys(node):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield key
            if isinstance(value, (dict, list)):
                yield from keys(value)
    assert not {"src", "ref", "prov"} & set(keys(json.loads(FACTS_FILE.read_text(encoding="utf-8"))))


# --- what is in them ----------------------------------------------------------------------------------------

def test_general_in_engine_ids():
    perdikkas = F.generals["perdikkas"]
    assert (perdikkas["seniority"], perdikkas["initiative"], perdikkas["battle"]) == (20, 3, 3)
    assert perdikkas["setup"]["spaces"] == ["babylon"]
    assert perdikkas["setup"]["cus"] == {"royal": 4, "elephant": 2}
    assert perdikkas["setup"]["royals"] == ["cart", "alexandros"]
    assert {"Perdiccas", "Περδίκκας", "Пердикка"} <= set(perdikkas["aliases"])


def test_starting_space_by_free_choice_is_listed():
    """4.6: any space of Kappadokia except Komana."""
    spaces = F.generals["eumenes"]["setup"]["spaces"]
    assert set(spaces) == {"mazaka", "dana", "melitene", "zela", "amaseia"}


def test_groups_are_asked_by_number_of_players():
    assert [F.generals["lysimachos"]["groups"][n] for n in (2, 3, 4, 5)] == [
        "reserve", "starting", "reserve", "starting"]


def test_recruits():
    """6.2 D"""
    assert F.generals["seleukos"]["recruit"]["cus"] == {"loyal": 1, "elephant": 1}
    assert F.generals["nearchos"]["recruit"]["preferred"] == "port"
    assert F.generals["asandros"]["recruit"]["only_after"] == "antipatros"
    assert F.generals["aristonous"]["recruit"]["only_after"] is None


def test_royal_family():
    """3.6, 4.2, 8.1"""
    assert {r: (F.royals[r]["role"], F.royals[r]["legitimacy"], F.royals[r]["start"]) for r in F.royals} == {
        "alexandros": ("heir", 5, "babylon"),
        "philippos": ("heir", 4, "royal_family"),
        "herakles": ("heir", 2, "damaskos"),
        "olympias": ("female", 3, "molossia"),
        "kleopatra": ("female", 3, "sardeis"),
        "thessalonike": ("female", 2, "pella"),
        "cart": ("cart", 0, "babylon"),
        "tomb": ("tomb", 0, None),
    }
    for royal, legitimacy in ((r, F.royals[r]["legitimacy"]) for r in F.royals if r not in ("cart", "tomb")):
        assert F.tables["legitimacy_values"][royal] == legitimacy


def test_cards_speak_in_engine_ids():
    assert F.cards["5"]["params"]["spaces"]["provinces"] == ["hellas", "lydia", "thessalia"]
    assert F.cards["36"]["params"]["either"][0] == {
        "place": "epeiros", "cus": {"mercenary": 4}, "minor_general": True}
    assert F.cards["1"]["params"]["excluded"] == ["cart", "tomb"]
    assert F.cards["54"]["params"]["cu_kinds"] == ["loyal", "royal"]
    assert F.cards["40"]["params"]["cities"] == ["babylon", "sousa", "ekbatana"]


def test_copies_point_to_the_first_of_their_name():
    assert [c for c in F.cards if F.cards[c]["copy_of"] == "20"] == ["21", "22", "23"]
    assert F.cards["47B"]["copy_of"] is None


def test_independent_army_knows_its_counter_and_its_box():
    philon = F.independents["philon"]
    assert (philon["start"], philon["entries"]) == ("box", ["hekatompylos", "parsargadai"])
    assert philon["restriction"]["remove_on_entering"] == "hellas"
    assert F.independents["leosthenes"]["restriction"] == {
        "key": "provinces_only", "provinces": ["thessalia", "hellas"], "excluded_spaces": ["kyklades"]}


def test_minor_generals():
    """7.1 C: four of each color, all with the same ratings."""
    assert F.minors["philoxenos"]["color"] == "red"
    assert F.tables["minor_general"] == {"initiative": 4, "battle": 2, "seniority": 0}


def test_fleets_are_brought_by_places():
    assert F.fleets["karia"]["control"] == {"type": "province", "place": "karia"}
    assert F.fleets["athenai"]["control"] == {"type": "major_city", "place": "athenai"}
    assert F.fleets["kilikia"]["control"] == {"type": "card", "place": "28"}


def test_tables_are_asked_with_numbers():
    assert F.tables["movement"]["rows"][3][2] == 3
    assert F.tables["vp_thresholds"][4] == 23
    assert F.tables["strength"] | {"loyal": 2, "royal": 2, "silver": 3} == F.tables["strength"]
    assert F.tables["overrun_ratio"] == 5


# --- corrections --------------------------------------------------------------------------------------------

def test_correction_of_a_rating():
    reason = "read on his card"
    mended = facts([{"datum": "generals.kassandros.battle", "value": 4, "src": "box", "reason": reason}])
    assert mended.generals["kassandros"]["battle"] == 4
    assert facts().generals["kassandros"]["battle"] != 4


def test_correction_of_a_table_column():
    scores = [1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 10]
    mended = facts([{"datum": "tables.battle.columns.8.scores", "value": scores}])
    assert next(c for c in mended.tables["battle"]["columns"] if c["label"] == "8")["scores"] == scores


def test_correction_of_a_path():
    mended = facts([{"datum": "paths.boiotia-korinthos", "value": "mountain"},
                    {"datum": "paths.tarsos-dana", "value": None}])
    assert ("boiotia", "korinthos", "mountain") in mended.paths
    assert ("boiotia", "korinthos", "land") not in mended.paths
    assert not [p for p in mended.paths if {"dana", "tarsos"} <= set(p)]


def test_corrections_that_belong_together():
    """A port needs a sea path: neither correction would do alone."""
    port = {"datum": "spaces.issos.port", "value": "yes"}
    path = {"datum": "paths.issos-tarsos", "value": ["land", "sea"]}
    assert facts([port, path]).spaces["issos"]["port"] is True
    with pytest.raises(BadLog, match="corrections contradict"):
        facts([port])


def test_correction_names_the_value_it_replaces():
    assert facts([{"datum": "provinces.hellas.vp", "old": 3, "value": 4}]).provinces["hellas"]["vp"] == 4
    with pytest.raises(BadLog) as refused:
        facts([{"datum": "provinces.hellas.vp", "old": 2, "value": 4}])
    assert (refused.value.key, refused.value.facts["found"]) == ("correction_of_another_value", 3)


@pytest.mark.parametrize(("datum", "nearest"), [
    ("generals.kasandros.battle", "generals.kassandros"),
    ("generals.kassandros.batle", "generals.kassandros.battle"),
    ("tables.battle.columns.11.scores", "tables.battle.columns.11-12"),
    ("provinces.helas.vp", "provinces.hellas"),
    ("paths.pela-larisa", "paths.pella-larisa"),
])
def test_unknown_datum_is_answered_with_the_nearest(datum, nearest):
    with pytest.raises(BadLog) as refused:
        facts([{"datum": datum, "value": 1}])
    assert refused.value.key == "unknown_datum"
    assert nearest in refused.value.facts["nearest"]


@pytest.mark.parametrize(("datum", "value", "key"), [
    ("generals.kassandros.battle", "four", "correction_type"),
    ("spaces.pella.port", "perhaps", "correction_type"),
    ("spaces.pella.lat", "north", "correction_type"),
    ("spaces.pella.aliases", "Pela", "correction_type"),
    ("generals.kassandros", 4, "correction_too_wide"),
    ("generals.kassandros.battle", 9, "corrections_contradict"),
    ("paths.pella-larisa", "road", "corrections_contradict"),
    ("spaces.pella.province", "macedonia", "corrections_contradict"),
])
def test_unfitting_correction_is_refused(datum, value, key):
    with pytest.raises(BadLog) as refused:
        facts([{"datum": datum, "value": value}])
    assert refused.value.key == key


@pytest.mark.parametrize("correction", [{"datum": "provinces.hellas.vp"}, {"value": 3}, {
    "datum": "provinces.hellas.vp", "value": 3, "because": "I saw it"}])
def test_correction_needs_its_form(correction):
    with pytest.raises(BadLog, match="correction form"):
        facts([correction])


def test_words_of_game_files_become_what_the_datum_is():
    """Game files know integers and null only."""
    copy = deepcopy(TREE)
    correct(copy, {"datum": "spaces.pella.lat", "value": "40.5"})
    correct(copy, {"datum": "spaces.pella.treasure", "value": "yes"})
    assert (copy["spaces"]["pella"]["lat"], copy["spaces"]["pella"]["treasure"]) == (40.5, True)


def test_every_datum_can_be_corrected_to_itself():
    copy = deepcopy(TREE)
    for datum in datums(TREE):
        if not datum.startswith("paths.") and datum != "counterparts":
            *way, last = datum.split(".")
            node = copy
            for step in way:
                node = node[step] if isinstance(node, dict) else next(
                    row for row in node if str(row.get("label", row.get("roll", row.get("key")))) == step)
            correct(copy, {"datum": datum, "value": node[last], "old": node[last]})
    assert copy == TREE


# --- validation ---------------------------------------------------------------------------------------------

def test_the_data_are_sound():
    assert problems(TREE) == []


def test_how_many_cards_there_are_is_said_by_the_data():
    more = deepcopy(TREE)
    more["cards"]["O70"] = {**more["cards"]["O64"], "number": "O70", "name": "Omen", "aliases": []}
    assert problems(more) == ["71 cards, expected 70"]
    more["tables"]["deck"]["cards_in_box"] += 1
    assert problems(more) == []


@pytest.mark.parametrize(("change", "told"), [
    (lambda t: t["spaces"].pop("trikka"), "140 spaces, expected 141"),
    (lambda t: t["provinces"].pop("krete"), "32 provinces, expected 33"),
    (lambda t: t["cards"].pop("47B"), "69 cards, expected 70"),
    (lambda t: t["minors"].pop("agis"), "19 minors, expected 20"),
    (lambda t: t["fleets"].pop("karia"), "7 fleets, expected 8"),
    (lambda t: t["minors"]["agis"].update(color="red"), "by faction"),
    (lambda t: t["spaces"]["pella"].update(weather="fine"), "spaces.pella: unknown key weather"),
    (lambda t: t["spaces"]["pella"].pop("kind"), "spaces.pella: no kind"),
    (lambda t: t["generals"]["peithon"].update(battle="3"), "generals.peithon.battle: '3' is no int"),
    (lambda t: t["generals"]["peithon"].update(battle=True), "generals.peithon.battle: True is no int"),
    (lambda t: t["generals"]["peithon"].update(seniority=20), "seniority is not 1 to 20"),
    (lambda t: t["generals"]["peithon"].update(battle=7), "generals.peithon: ratings 3/7"),
    (lambda t: t["generals"]["peithon"]["groups"].update({"4": "absent"}), "generals.peithon: groups"),
    (lambda t: t["spaces"]["pella"].update(kind="city"), "spaces.pella: kind city"),
    (lambda t: t["spaces"]["pella"].update(independent=[6]), "spaces.pella: independent with [6] players"),
    (lambda t: t["spaces"]["trikka"].update(kind="transit"), "18 transit points, expected 17"),
    (lambda t: t["spaces"]["trikka"].update(province="hellas"), "thessalia: majority 2, but 1 spaces"),
    (lambda t: t["spaces"]["lynkos"].update(kind="major"), "provinces.makedonia: major cities pella, lynkos"),
    (lambda t: t["provinces"]["media"].update(region="persia"), "provinces.media: no region persia"),
    (lambda t: t["paths"].append(["pella", "larissa", "land"]), "no space larissa"),
    (lambda t: t["paths"].append(["larisa", "pella", "land"]), "larisa - pella (land) is listed twice"),
    (lambda t: t["paths"].append(["pella", "trikka", "river"]), "path pella - trikka: type river"),
    (lambda t: t["paths"].append(["pella", "trikka"]), "wants two spaces and a type"),
    (lambda t: t["paths"].append(["pella", "larisa", "sea"]), "larisa: port is False, but it has a sea"),
    (lambda t: t["cards"]["5"].update(ops=None), "cards.5: a event card with OPs None"),
    (lambda t: t["cards"]["54"].update(kind="riddle"), "cards.54: kind riddle"),
    (lambda t: t["cards"]["28"]["params"].update(fleet="pontos"), "28.params.fleet: nothing is called"),
    (lambda t: t["cards"]["5"]["params"].update(cus={"archers": 2}), "5.params.cus: nothing is called"),
    (lambda t: t["generals"]["seleukos"]["recruit"].update(preferred="Babylonia"), "is called Babylonia"),
    (lambda t: t["royals"]["olympias"].update(start="Molossia"), "olympias.start: nothing is called"),
    (lambda t: t["fleets"]["karia"]["control"].update(place="caria"), "fleets.karia: control"),
    (lambda t: t["fleets"]["karia"].update(upgraded=1), "fleets.karia: upgraded 1, normal 1"),
    (lambda t: t["tables"]["battle"]["columns"].pop(3), "tables.battle: columns leave a gap before 5"),
    (lambda t: t["tables"]["battle"]["columns"].pop(), "tables.battle: the last column is not open"),
    (lambda t: t["tables"]["battle"]["columns"][0]["scores"].pop(), "column 1 has 10 cells, expected 11"),
    (lambda t: t["tables"]["attrition"]["columns"][0].update(results=["-"] * 5 + ["x"]), "column 1 holds"),
    (lambda t: t["tables"]["elephant_die"]["faces"].pop(), "a die has six faces"),
    (lambda t: t["tables"]["movement"]["rows"]["3"].pop(), "rating 3 has 5 cells"),
    (lambda t: t.pop("tables"), "tables is missing"),
    (lambda t: t.update(weather={}), "weather: unknown part"),
])
def test_what_is_wrong_is_said(change, told):
    copy = deepcopy(TREE)
    change(copy)
    assert told in "\n".join(problems(copy))


# --- provenance ---------------------------------------------------------------------------------------------

def test_every_datum_has_a_source():
    for datum in datums(TREE):
        assert provenance(datum).split()[0] in ("box", "seed", "public", "recalled", "reconstructed"), datum


@pytest.mark.parametrize(("datum", "source"), [
    ("provinces.makedonia.vp", "seed E4-008"),
    ("provinces.nabataia.vp", "public PU-012"),
    ("provinces.hellas.vp", "reconstructed"),
    ("spaces.babylon.siege_modifier", "seed E4-176"),
    ("paths.larisa-pella", "seed E4-133"),
    ("generals.perdikkas.initiative", "seed (carried from the 3rd edition) 001"),
    ("generals.perdikkas.ability.on_by_default", "reconstructed"),
    ("generals.antipatros.battle", "recalled from memory"),
    ("minors.amphoteros.color", "reconstructed"),
    ("minors.amphoteros.name", "seed"),
    ("independents.philon.entries", "reconstructed"),
    ("royals.olympias.start", "seed 000_2920aed28ffc134e.txt 4.2"),
    ("cards.11.effect", "seed (gist only) 000"),
    ("cards.23.copy_of", "reconstructed"),
    ("fleets.athenai.normal", "recalled"),
    ("tables.battle.columns.8.scores", "reconstructed"),
    ("tables.battle.columns.8.min", "seed"),
    ("tables.battle.columns.9.min", "reconstructed"),
    ("tables.siege.rows.4.points", "seed"),
    ("tables.siege.rows.4.loss", "reconstructed"),
    ("tables.movement", "seed"),
])
def test_source_of_a_datum(datum, source):
    assert provenance(datum).startswith(source)


def test_an_entity_is_as_doubtful_as_its_weakest_field():
    assert provenance("cards.10").startswith("reconstructed")
    assert provenance("royals.olympias").startswith("seed")


@pytest.mark.parametrize("datum", [
    "generals.nobody.battle", "paths.pella-babylon", "weather.pella", "tables.moon", "spaces.pella.weather"])
def test_no_source_for_what_is_not_there(datum):
    with pytest.raises((KeyError, StopIteration)):
        provenance(datum)


# --- the worksheet ------------------------------------------------------------------------------------------

def test_worksheet_fits_a_page():
    assert worksheet().count("____") == 60
    assert worksheet(7).count("____") == 7
    assert worksheet(9999).count("____") == len(blanks())


def test_worksheet_asks_only_what_is_doubtful_and_exists():
    known = set(datums(TREE))
    asked = [datum for _, datum in blanks()]
    assert len(set(asked)) == len(asked)
    assert [d for d in asked if d not in known or is_firm(d)] == []


def test_worksheet_asks_the_most_decisive_first():
    asked = [datum for _, datum in blanks()]
    first = [".".join(d.split(".")[:2]) for d in asked]
    ranked = ["tables.battle", "provinces.hellas", "tables.attrition", "tables.siege", "spaces.persepolis",
              "cards.10", "generals.antipatros"]
    assert sorted(ranked, key=first.index) == ranked
    assert first[:16] == ["tables.battle"] * 16
    assert asked[-1].startswith("spaces.") and asked[-1].endswith(".name")
    unread = [f"cards.{c}.effect" for c in ("10", "43", "44", "45", "46", "O63", "O65", "O66", "O69")]
    assert set(unread) <= set(asked[:60])


def test_worksheet_shows_what_we_have():
    page = worksheet()
    assert "| 1 | `tables.battle.columns.1.scores` | 0 0 0 0 0 1 1 1 2 2 3 | our guess | ____ |" in page
    assert "`generals.antipatros.battle` | 3 | from memory |" in page
    assert all(len(line) < 180 for line in page.splitlines())


def test_facts_hold_every_part():
    assert all(getattr(F, part) for part in Facts.PARTS)
