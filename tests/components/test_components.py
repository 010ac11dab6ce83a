"""Facts as the engine reads them, corrections by a moderator, validation and provenance."""

import ast
import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from the_code import every, trees

from pbem.base.errors import BadLog, PbemError
from pbem.components import catalogue, sources
from pbem.components.catalogue import facts, written
from pbem.components.corrections import as_written, correct, datums, place, value_of
from pbem.components.schema import parts_of
from pbem.components.shipped import FACTS_FILE, OTHERWISE_FILE, PARTS, WHOLE, shipped
from pbem.components.soundness import NAMED_IN_RULES, names_in, only, problems
from pbem.components.sources import provenance, tree

TREE = tree()
F = facts()


# --- facts.json ---------------------------------------------------------------------------------------------

def test_facts_file_is_what_the_yaml_files_say():
    assert FACTS_FILE.read_text(encoding="utf-8") == written(TREE), "run: python -m pbem.components.catalogue"


def test_facts_file_has_one_entity_a_line():
    lines = FACTS_FILE.read_text(encoding="utf-8").splitlines()
    starts = ('"lamia":', '"kassandros":', '"47A":', '["pella","larisa","land"]')
    assert [sum(line.startswith(start) for line in lines) for start in starts] == [1, 1, 1, 1]


def test_facts_files_can_be_made_anew(tmp_path, monkeypatch):
    """Beside the package: whoever reads them meanwhile finds them whole."""
    monkeypatch.setattr(catalogue, "FACTS_FILE", tmp_path / "facts.json")
    monkeypatch.setattr(catalogue, "OTHERWISE_FILE", tmp_path / "otherwise.json")
    catalogue.main()
    for file in (FACTS_FILE, OTHERWISE_FILE):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_unsound_data_make_no_facts_file(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "FACTS_FILE", tmp_path / "facts.json")
    monkeypatch.setattr(sources, "tree", lambda: {**TREE, "fleets": {}})
    with pytest.raises(SystemExit, match="names nothing"):
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
    ("generals.kassandros", 4, "correction_type"),
    ("generals.kassandros.battle", 9, "correction_type"),
    ("paths.pella-larisa", "road", "correction_type"),
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
    mended = facts([{"datum": "spaces.pella.lat", "value": "40.5"}, {"datum": "spaces.pella.treasure", "value": "yes"},
                    {"datum": "cards.5.params", "value": as_written({**F.cards["5"]["params"], "split": True})}])
    assert (mended.spaces["pella"]["lat"], mended.spaces["pella"]["treasure"]) == (40.5, True)
    assert mended.cards["5"]["params"]["split"] is True


def test_every_datum_can_be_corrected_to_itself():
    copy = shipped()
    for datum in datums(TREE):
        written_down = as_written(value_of(TREE, datum))
        correct(copy, {"datum": datum, "value": written_down, "old": written_down}, parts_of())
    assert copy == TREE


def a_good_one(kind, value):
    """Another value of the same kind, as a person would write it."""
    if kind.word == "bool":
        return "no" if value else "yes"
    if kind.word == "int":
        return next(n for n in (kind.example, kind.least, kind.most) if n != value)
    if kind.word == "float":
        return "12.5"
    if kind.word == "one_of":
        return next((word for word in kind.known if word != str(value)), kind.known[0])
    if kind.word == "form":
        return "99" if value != "99" else "98"
    if kind.word == "str":
        return "Elsewhere"
    if kind.word in ("list", "list_of"):
        if value and not isinstance(value[0], dict):
            return [as_written(value[0])] * len(value) if kind.word == "list_of" else as_written(value[::-1])
        return as_written(value)
    return kind.example


def test_every_datum_can_be_corrected_and_no_nonsense_comes_in():
    """One good value and one bad for each of over 5,000 data; what is refused says which, what is wanted and an example."""
    kinds, counted, copy = parts_of(), 0, shipped()
    for datum in datums(TREE):
        if datum.startswith("paths."):
            good, bad = ["mountain"], ["road"]
        else:
            kind = place(TREE, datum, kinds)[2]
            good, bad = a_good_one(kind, value_of(TREE, datum)), {"no": {"such": "thing"}}
        correct(copy, {"datum": datum, "value": good}, kinds)
        if datum.endswith((".label", ".roll", ".key")):
            copy = shipped()                                # it has another name now
        else:
            found = as_written(value_of(copy, datum))
            assert ({**found, **good} if isinstance(good, dict) else good) == found, datum
        with pytest.raises(BadLog) as refused:
            correct(copy, {"datum": datum, "value": bad}, kinds)
        assert refused.value.key in ("correction_type", "unknown_part")
        told = refused.value.facts
        assert told["datum"].startswith(datum) and (told.get("example") or told.get("nearest"))
        correct(copy, {"datum": datum, "value": as_written(value_of(TREE, datum))}, kinds)
        counted += 1
    assert copy["spaces"] == TREE["spaces"] and copy["tables"] == TREE["tables"]
    assert counted == sum(1 for _ in datums(TREE)) > 5000


# --- structures, and what belongs together ------------------------------------------------------------------------

def test_an_ability_and_the_parameters_of_a_card_are_corrected_as_a_whole():
    ability = {"key": "siege", "params": {"siege_mod": "+1", "provinces": ["hellas"]}}
    mended = facts([{"datum": "generals.antipatros.ability", "value": ability},
                    {"datum": "cards.20.params", "value": {"count": 3, "mps": 5, "naval_movers": 1}}])
    assert mended.generals["antipatros"]["ability"] == {
        "key": "siege", "text": "", "params": {"siege_mod": 1, "provinces": ["hellas"]}, "on_by_default": True}
    assert mended.cards["20"]["params"]["count"] == 3


def test_columns_know_their_bounds_by_their_label():
    columns = [{"label": "1-5", "scores": [1] * 11}, {"label": "6+", "scores": [2] * 11}]
    mended = facts([{"datum": "tables.battle.columns", "value": columns}]).tables["battle"]["columns"]
    assert [(one["min"], one["max"]) for one in mended] == [(1, 5), (6, None)]


def test_a_space_comes_in_and_another_goes_with_its_paths():
    new = {"name": "Onchestos", "kind": "minor", "province": "hellas"}
    mended = facts([{"datum": "spaces.onchestos", "value": new}, {"datum": "paths.onchestos-boiotia", "value": "land"},
                    {"datum": "spaces.megalopolis", "value": None}])
    assert mended.spaces["onchestos"]["port"] is False and "megalopolis" not in mended.spaces
    assert [p for p in mended.paths if "onchestos" in p] == [("onchestos", "boiotia", "land")]
    assert not [p for p in mended.paths if "megalopolis" in p]


def test_a_province_a_general_and_a_card_come_in():
    general = {"name": "Attalos", "seniority": 21, "initiative": 3, "battle": 2}
    card = {"number": "60", "name": "Omen", "kind": "event", "ops": 3, "effect_key": "gain_legitimacy", "effect": "",
            "params": F.cards["O64"]["params"]}
    mended = facts([
        {"datum": "provinces.lokris", "value": {"name": "Lokris", "vp": 1, "majority": 1, "region": "europe"}},
        {"datum": "spaces.lamia.province", "value": "lokris"}, {"datum": "generals.attalos", "value": general},
        {"datum": "cards.60", "value": card}])
    assert mended.generals["attalos"]["groups"][2] == "unavailable" and mended.cards["60"]["timing"] == ["own_tyche_segment"]
    assert mended.spaces["lamia"]["province"] == "lokris"


def test_the_white_number_of_a_province_is_no_matter_of_our_count():
    assert facts([{"datum": "provinces.hellas.majority", "value": 4}]).provinces["hellas"]["majority"] == 4
    with pytest.raises(BadLog) as refused:
        facts([{"datum": "provinces.hellas.majority", "value": 10}])
    assert [one.key for one in refused.value.facts["problems"]] == ["majority_too_high"]


def test_what_the_rules_speak_of_by_name_stays():
    """Every General and Royal Family Member of whom the rules speak is kept, and none besides."""
    modules = trees("pbem/rules/", "pbem/editions/", "pbem/play/", "pbem/table/", "pbem/cards/").values()
    spoken = {node.value for tree in modules for node in every(tree, ast.Constant) if isinstance(node.value, str)}
    for part in ("generals", "royals"):
        assert spoken & TREE[part].keys() == NAMED_IN_RULES[part]
        for one in NAMED_IN_RULES[part]:
            with pytest.raises(BadLog):
                facts([{"datum": f"{part}.{one}", "value": None}])


# --- validation ---------------------------------------------------------------------------------------------

def test_the_data_are_sound():
    assert problems(TREE) == []


def two_of_a_name(tree):
    tree["spaces"]["trikka"]["name"] = "Larisa"


@pytest.mark.parametrize(("change", "key", "datum"), [
    (lambda t: t["royals"].pop("tomb"), "named_in_rules", "royals.tomb"),
    (lambda t: t["provinces"].pop("krete"), "names_nothing", "spaces.kydonia.province"),
    (lambda t: t["spaces"]["pella"].update(weather="fine"), "unknown_part", "spaces.pella.weather"),
    (lambda t: t["spaces"]["pella"].pop("kind"), "correction_type", "spaces.pella.kind"),
    (lambda t: t["generals"]["peithon"].update(battle="three"), "correction_type", "generals.peithon.battle"),
    (lambda t: t["generals"]["peithon"].update(battle=True), "correction_type", "generals.peithon.battle"),
    (lambda t: t["generals"]["peithon"].update(battle=7), "correction_type", "generals.peithon.battle"),
    (lambda t: t["generals"]["peithon"].update(seniority=20), "seniority_twice", "generals.peithon.seniority"),
    (lambda t: t["generals"]["peithon"]["groups"].update({"4": "absent"}), "correction_type", "generals.peithon.groups.4"),
    (lambda t: t["generals"]["peithon"].update(setup=None), "group_wants", "generals.peithon.groups.2"),
    (lambda t: t["spaces"]["pella"].update(kind="city"), "correction_type", "spaces.pella.kind"),
    (lambda t: t["spaces"]["pella"].update(independent=[6]), "correction_type", "spaces.pella.independent.1"),
    (lambda t: t["spaces"]["tp_haimos"].update(hellespont=True), "mark_of_a_city", "spaces.tp_haimos.hellespont"),
    (lambda t: t["spaces"]["lynkos"].update(kind="major"), "two_major_cities", "provinces.makedonia"),
    (lambda t: t["spaces"].update(moon={**t["spaces"]["trikka"], "name": "Moon"}), "space_cut_off", "spaces.moon"),
    (two_of_a_name, "name_shared", "spaces.trikka.name"),
    (lambda t: t["provinces"]["media"].update(region="persia"), "names_nothing", "provinces.media.region"),
    (lambda t: t["paths"].append(["pella", "larissa", "land"]), "names_nothing", "paths.pella-larissa"),
    (lambda t: t["paths"].append(["larisa", "pella", "land"]), "path_twice", "paths.larisa-pella"),
    (lambda t: t["paths"].append(["pella", "trikka", "river"]), "no_path_type", "paths.pella-trikka"),
    (lambda t: t["paths"].append(["pella", "trikka"]), "no_path_type", "paths.pella-trikka"),
    (lambda t: t["paths"].append(["pella", "larisa", "sea"]), "port_and_sea_path", "spaces.larisa.port"),
    (lambda t: t["cards"]["5"].update(ops=None), "surprise_and_ops", "cards.5.ops"),
    (lambda t: t["cards"]["54"].update(kind="riddle"), "correction_type", "cards.54.kind"),
    (lambda t: t["cards"]["54"].update(effect_key="riddle"), "correction_type", "cards.54.effect_key"),
    (lambda t: t["cards"]["O64"].update(effect_key="mutiny"), "effect_of_another_kind",
     "cards.O64.effect_key"),
    (lambda t: t["cards"]["54"].update(timing=["before_siege_roll"]), "timing_of_another_effect", "cards.54.timing"),
    (lambda t: t["cards"]["17"].update({key: t["cards"]["20"][key] for key in ("effect_key", "params")}), "effect_not_revealed",
     "cards.17.effect_key"),
    (lambda t: t["royals"]["olympias"].update(legitimacy=9), "said_twice", "royals.olympias.legitimacy"),
    (lambda t: t["generals"]["eumenes"]["ability"]["params"].update(when="inside"), "condition_not_read",
     "generals.eumenes.ability.params.when"),
    (lambda t: t["cards"]["54"].update(timing=[]), "timing_of_another_effect", "cards.54.timing"),
    (lambda t: t["cards"]["54"]["params"].update(mps=2), "param_of_another_effect", "cards.54.params.mps"),
    (lambda t: t["cards"]["54"]["params"].pop("count"), "param_missing", "cards.54.params.count"),
    (lambda t: t["cards"]["28"]["params"].update(fleet="pontos"), "names_nothing", "cards.28.params.fleet"),
    (lambda t: t["cards"]["5"]["params"].update(cus={"archers": 2}), "correction_type", "cards.5.params.cus"),
    (lambda t: t["generals"]["seleukos"]["recruit"].update(preferred="Babylonia"), "names_nothing",
     "generals.seleukos.recruit.preferred"),
    (lambda t: t["royals"]["olympias"].update(start="Molossia"), "names_nothing", "royals.olympias.start"),
    (lambda t: t["fleets"]["karia"]["control"].update(place="caria"), "names_nothing", "fleets.karia.control.place"),
    (lambda t: t["fleets"]["karia"].update(upgraded=0), "fleet_upgraded", "fleets.karia.upgraded"),
    (lambda t: t["tables"]["battle"]["columns"].pop(3), "table_gap", "tables.battle.columns.5.min"),
    (lambda t: t["tables"]["battle"]["columns"].pop(), "table_end", "tables.battle.columns.21-24.max"),
    (lambda t: t["tables"]["battle"]["columns"].clear(), "table_gap", "tables.battle.columns"),
    (lambda t: t["tables"]["siege"]["rows"].pop(2), "table_gap", "tables.siege.rows.4.min"),
    (lambda t: t["tables"]["battle"].update(rolls=[1, 2]), "rolls_fixed", "tables.battle.rolls"),
    (lambda t: t["tables"]["battle"]["columns"][0]["scores"].pop(), "correction_type", "tables.battle.columns.1.scores"),
    (lambda t: t["tables"]["attrition"]["columns"][0].update(results=["-"] * 5 + ["x"]), "correction_type",
     "tables.attrition.columns.1.results.6"),
    (lambda t: t["tables"]["elephant_die"]["faces"].pop(), "correction_type", "tables.elephant_die.faces"),
    (lambda t: t["tables"]["movement"]["rows"]["3"].pop(), "correction_type", "tables.movement.rows.3"),
    (lambda t: t.pop("tables"), "part_missing", "tables"),
    (lambda t: t.update(weather={}), "unknown_datum", "weather"),
])
def test_what_is_wrong_is_said(change, key, datum):
    copy = deepcopy(TREE)
    change(copy)
    found = [(one.key, one.facts["datum"]) for one in problems(copy)]
    assert (key, datum) in found, found
    if names_in(copy) == names_in(TREE):            # then it is enough to look at what was changed
        changed = [f"{part}.{thing}" if part not in WHOLE else part for part in TREE
                   for thing in (TREE[part] if part not in WHOLE else [""])
                   if (TREE[part] != copy[part] if part in WHOLE else TREE[part][thing] != copy[part][thing])]
        assert [(one.key, one.facts["datum"]) for one in problems(copy, None, only(copy, changed))] == found


SMALL = [                       # one of every part, of one thing and of all at once
    {"datum": "generals.peithon.battle", "value": 2}, {"datum": "regions.europe.name", "value": "West"},
    {"datum": "provinces.media.vp", "value": 3},
    {"datum": "spaces.pella.aliases", "value": ["Ihnai"]}, {"datum": "paths.pella-trikka", "value": "mountain"},
    {"datum": "boxes.independent_armies.name", "value": "Box"}, {"datum": "counterparts", "value": []},
    {"datum": "minors.alketas.name", "value": "Somebody"}, {"datum": "independents.philon.battle", "value": 3},
    {"datum": "royals.olympias.name", "value": "Myrtale"}, {"datum": "cards.10.ops", "value": 4},
    {"datum": "fleets.karia.upgraded", "value": 9}, {"datum": "tables.inside_limit", "value": 3}]


def fit(one, box=""):
    try:
        return bool(facts([one], box))
    except PbemError:
        return False


@pytest.mark.parametrize("box", ["", "third", "draft"])
def test_what_came_of_corrections_is_kept_and_not_judged_again(box, monkeypatch):
    """All data are the same, in the same order, without anything that judges."""
    small = [one for one in SMALL if box == "" or fit(one, box)]
    assert len({one["datum"].partition(".")[0] for one in small}) > len(PARTS) - (3 if box else 1)
    for given in (*([one] for one in small), small):
        made, kept = facts(given, box), catalogue.things(given, box)
        assert kept
        with monkeypatch.context() as here:
            here.setattr(catalogue, "_corrected", {})
            here.setattr("pbem.components.soundness.corrected", None)
            catalogue.known(given, box, kept)
            again = facts(given, box)
            assert again is not made and catalogue.things(given, box) == kept
        for part in again.__slots__:
            assert repr(getattr(again, part)) == repr(getattr(made, part)), part


def test_where_things_come_or_go_nothing_is_kept():
    assert not catalogue.things([{"datum": "cards.54", "value": None}]) and not catalogue.things([])


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


def test_facts_hold_every_part():
    assert all(getattr(F, part) for part in PARTS)
