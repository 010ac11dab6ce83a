"""The form: what we have written as lines, lines read back as data, and every fault told with its line."""

import re
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base import yamlfile
from pbem.base.errors import BadLog
from pbem.components import box, examples, form
from pbem.components.catalogue import facts
from pbem.components.corrections import as_written, datums, shown, value_of
from pbem.components.lines import SECTIONS
from pbem.components.origins import is_firm, provenance
from pbem.components.shipped import shipped
from pbem.components.soundness import problems
from pbem.dev.boxes import any_box, filled, otherwise
from pbem.drawing.sheets import sheets

TREE = shipped()
BLANK = form.written(TREE, TREE)


def ticked(text=BLANK):
    """As if somebody had found that everything is as we have it."""
    return re.sub(r"^  \[[ =]\]", "  [x]", text, flags=re.MULTILINE).replace("as ours: ?", "as ours: y")


def line_of(text, start):
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith(start))


def changed(start, line, text=BLANK):
    """The form with another line in place of the one that begins so, whatever its mark and blanks."""
    lines = text.splitlines()
    places = [i for i, one in enumerate(lines) if re.match(r"  \[.\] ", one) and " ".join(one[6:].split()).startswith(start)]
    assert len(places) == 1, (start, [lines[i] for i in places])
    lines[places[0]:places[0] + 1] = [f"  {one.strip()}" for one in line.splitlines()]
    return "\n".join(lines) + "\n"


def judged(text):
    return box.judged(text, "box.yaml")


def told(text):
    return [(one.key, one.facts.get("line")) for one in judged(text).faults]


# --- as it is handed out ------------------------------------------------------------------------------------------

def test_the_form_is_a_file_that_can_be_read_as_it_is():
    assert list(yamlfile.parse(BLANK)) == ["by", "on", *(section.key for section in SECTIONS)]
    found = judged(BLANK)
    assert (found.faults, found.remarks, found.corrections, found.percent, found.confirmed) == ([], [], [], 0, [])


def test_nothing_is_prefilled_as_confirmed_and_nothing_guessed_as_read():
    assert not re.search(r"^  \[[x+-]\]", BLANK, re.MULTILINE)
    filled = form.read(BLANK, TREE)
    assert [c.datum for c in filled.claims if c.mark == form.RULES and not is_firm(c.datum)] == []
    assert "[ ]" in BLANK.splitlines()[line_of(BLANK, "siege_table")+1]


def test_the_same_form_filled_with_our_own_data_gives_our_own_data():
    found = judged(ticked())
    assert found.faults == [] and found.remarks == []
    assert {c["datum"].rpartition(".")[2] for c in found.corrections} == {"stand_in"}    # a text that is confirmed is none
    assert found.percent == 96 and {gap.section for gap in found.gaps} == {"generals"}
    assert sum(gap.lines for gap in found.gaps) == sum(not g["ability"]["on_by_default"] for g in TREE["generals"].values())


def test_it_asks_for_all_that_is_printed():
    """Everything that the box could settle is on some line; names and places on the drawn map are no such thing."""
    asked = {datum for section in SECTIONS for row in section.rows(TREE, form.Names(TREE)) for datum in row.data}
    fields = {(d.split(".")[0], d.split(".")[2]) for d in asked if d.split(".")[0] not in ("tables", "paths")}
    assert {("spaces", f) for f in ("kind", "province", "port", "independent", "hellespont")} <= fields
    assert {("generals", f) for f in ("initiative", "battle", "seniority", "ability")} <= fields
    assert {("cards", f) for f in ("name", "kind", "ops", "effect_key", "params", "timing", "copy_of", "must_play")} <= fields
    assert {d for d in asked if d.startswith("paths.")} == {f"paths.{'-'.join(sorted(p[:2]))}" for p in TREE["paths"]}
    assert len([d for d in asked if d.startswith("spaces.")]) == 8 * len(TREE["spaces"])


# --- any box ------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("seed", range(6))               # `pbem dev prove --only boxes` fills in five hundred
def test_whatever_a_box_says_the_form_says(seed):
    tree = any_box(seed)
    assert problems(tree) == []
    found = filled(tree)
    assert [str(one) for one in found.faults] == [] and otherwise(tree, found.tree) == []
    played = facts(found.corrections)
    assert {(id, x["kind"]) for id, x in played.spaces.items()} == {(id, x["kind"]) for id, x in tree["spaces"].items()}
    assert yamlfile.parse(yamlfile.dump(found.header()))["hash"] == found.hash


@pytest.mark.parametrize(("part", "id", "datum"), [("generals", "krateros", "battle"), ("cards", "20", "name"),
                                                   ("spaces", "trikka", "kind")])
def test_a_form_that_says_something_else_is_found(part, id, datum):
    other = deepcopy(TREE)
    other[part][id][datum] = None
    assert otherwise(TREE, TREE) == [] and otherwise(TREE, other) == [part]


def test_a_form_that_loses_a_path_is_found():
    assert otherwise(TREE, {**TREE, "paths": TREE["paths"][1:]}) == ["paths"]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200), st.integers(0, 600))
@settings(max_examples=25, deadline=None)
def test_no_text_upsets_the_reader(noise, line):
    """Whatever stands in a file is read or told; nothing breaks."""
    lines = BLANK.splitlines()
    lines[line:line] = noise.splitlines()
    found = judged("\n".join(lines))
    assert all(isinstance(one, BadLog) for one in found.faults)


def test_every_datum_can_be_corrected_through_the_form():
    """All data under `others`, each to itself: nothing changes; each to nonsense: each is told with its line."""
    names = [datum for datum in datums(TREE) if not datum.startswith("counterparts")]
    good = "".join(f"  [x] {datum}: {shown(value_of(TREE, datum))}\n" for datum in names)
    found = judged(f"others: |\n{good}")
    assert found.faults == [] and found.corrections == []
    bad = "".join(f"  [x] {datum}: {{no: {{such: thing}}}}\n" for datum in names)
    assert [one[1] for one in told(f"others: |\n{bad}")] == [*range(2, len(names) + 2)]


# --- one line of each kind ----------------------------------------------------------------------------------------

@pytest.mark.parametrize(("start", "line", "datum", "value"), [
    ("Antipatros", "[x] Antipatros 4 2 | battle 4 in Hellas, Makedonia", "generals.antipatros.battle", 2),
    ("Antipatros", "[x] antipatros  4 2 rank 19 | none", "generals.antipatros.ability",
     {"key": "none", "text": "", "params": {}, "on_by_default": True}),
    ("Krateros", "[x] Krateros 4 4 | attrition -1 for macedonians", "generals.krateros.ability",
     {**TREE["generals"]["krateros"]["ability"], "on_by_default": True}),
    ("Polemon", "[x] Polemon green", "minors.polemon.color", "green"),
    ("all of them", "[x] all of them 3 2", "tables.minor_general.initiative", 3),
    ("Hellas", "[x] Hellas 5 VP majority 4", "provinces.hellas.majority", 4),
    ("Athenai 2", "[x] Athenai 1 3 city Athenai", "fleets.athenai.normal", 1),
    ("Leosthenes", "[x] Leosthenes 3 3 7 CUs at Athenai, enters Lamia, Larisa", "independents.leosthenes.entries",
     ["lamia", "larisa"]),
    ("Olympias", "[x] Olympias 4", "royals.olympias.legitimacy", 4),
    ("20 ", "[x] 20 event 3 Major Campaign | must play", "cards.20.must_play", True),
])
def test_a_line_says_what_the_box_says(start, line, datum, value):
    found = judged(changed(start, line))
    assert found.faults == []
    assert value_of(found.tree, datum) == value and box.is_confirmed(found.confirmed)(datum)
    assert value in [c["value"] for c in found.corrections if datum.startswith(c["datum"])] or datum.startswith("tables.")


def test_a_space_changes_its_marks_and_its_province_and_loses_a_path():
    text = changed("Trikka", "[x] Trikka stronghold gray 24 H port | mountain Lamia; sea Chalkis")
    text = changed("Larisa", "[ ] Larisa minor | land Pella, Lamia", text)
    found = judged(text)
    assert [one.key for one in found.faults] == ["path_ends_differ"] or not found.faults
    trikka = found.tree["spaces"]["trikka"]
    assert (trikka["kind"], trikka["independent"], trikka["hellespont"], trikka["port"]) == ("stronghold", [2, 4], True, True)


def test_a_path_stands_at_both_ends_and_the_confirmed_one_counts():
    larisa = next(line for line in BLANK.splitlines() if line.startswith("  [ ] Larisa"))
    assert "Trikka" in larisa
    without = larisa.replace(", Trikka", "").replace("Trikka, ", "").replace("land Trikka; ", "")
    confirmed = BLANK.replace(larisa, without.replace("[ ]", "[x]"))
    found = judged(confirmed)
    assert found.faults == [] and {"datum": "paths.larisa-trikka", "value": None} in found.corrections
    both = re.sub(r"\n  \[ \] Trikka", "\n  [x] Trikka", confirmed)
    assert [one.key for one in judged(both).faults] == ["path_ends_differ"]


def test_spaces_and_provinces_come_in_and_go():
    text = changed("Megalopolis", "[-] Megalopolis")
    text = text.replace("  == Hellas ==\n", "  == Hellas ==\n  [+] Onchestos  minor | land Boiotia\n")
    found = judged(text)
    assert found.faults == []
    assert "megalopolis" not in found.tree["spaces"] and found.tree["spaces"]["onchestos"]["province"] == "hellas"
    assert {"datum": "spaces.megalopolis", "value": None} in found.corrections


def test_a_table_may_be_pasted_with_other_breaks():
    start = line_of(BLANK, "siege_table")
    rows = "".join(f"   {roll} | {roll} {roll + 1} {roll + 2}\n" for roll in range(2, 13))
    table = f"battle_table: |\n  [x] 1-4 5-9 10+\n{rows}"
    found = judged(table + "\n".join(BLANK.splitlines()[start - 1:]))
    assert found.faults == [] and found.tree["tables"]["battle"]["columns"][1]["scores"][0] == 3
    assert {one.key for one in found.remarks} == {"against_the_rules"}


def test_a_card_does_what_another_does():
    line = line_of(BLANK, "[ ] 12 ") if "\n  [ ] 12 " in BLANK else line_of(BLANK, "[=] 12 ")
    lines = BLANK.splitlines()
    place = next(i for i in range(line, line + 6) if lines[i].strip() == "as ours: ?")
    lines[place:place + 1] = ["      as ours: n", "      does: gain_legitimacy {lasts: game, legitimacy: 2}",
                              "      when: own_tyche_segment", "      text: The gods love you."]
    found = judged("\n".join(lines))
    assert found.faults == []
    card = found.tree["cards"]["12"]
    assert (card["effect_key"], card["params"]["legitimacy"], card["effect"]) == ("gain_legitimacy", 2, "The gods love you.")


@pytest.mark.parametrize(("start", "line", "key"), [
    ("Krateros", "[x] Krateros nine 4", "form_line"),
    ("Krateros", "[x] Krateros 9 4", "correction_type"),
    ("Krateros", "[ ] Krateros 4 3", "not_ticked"),
    ("Krateros", "[x] Kraterus 4 3", "form_line"),
    ("Krateros", "[x] Krateros 4 3 | flies on 3", "form_line"),
    ("Krateros", "[x] Krateros 4 3 | siege +1 in Atlantis", "form_line"),
    ("Krateros", "[x] Krateros 4 3 | evade on 3 when inside", "condition_not_read"),
    ("Krateros", "[x] Krateros 4 3 rank 20", "seniority_twice"),
    ("Krateros", "[?] Krateros 4 4", "form_mark"),
    ("Polemon", "[x] Polemon pink", "correction_type"),
    ("Pella ", "[-] Pella", "named_in_rules"),
    ("Pella ", "[x] Pella city | land Larisa", "form_line"),
    ("Pella ", "[x] Pella minor gray 17 | land Larisa", "form_line"),
    ("Pella ", "[x] Pella minor anchor | land Larisa", "form_line"),
    ("Pella ", "[x] Pella minor | road Larisa", "form_line"),
    ("Pella ", "[x] Pella minor | land Atlantis", "form_line"),
    ("Pella ", "[x] Pella minor port | land Larisa", "port_and_sea_path"),
    ("2 ", "[x] 2 event Diplomacy", "surprise_and_ops"),
    ("2 ", "[x] 2 riddle 3 Diplomacy", "form_line"),
    ("2 ", "[x] 2 event 3 Diplomacy | sings", "form_line"),
    ("2 ", "[x] 2 event 9 Diplomacy", "correction_type"),
])
def test_a_fault_is_told_with_its_line(start, line, key):
    text = changed(start, line)
    number = line_of(text, line.splitlines()[-1])
    found = told(text)
    assert (key, number) in found, found


@pytest.mark.parametrize(("old", "new", "key"), [
    ("generals: |", "geenerals: |", "form_section"),
    ("battle_table: |", "some words\nbattle_table: |", "form_stray"),
    ("      as ours: ?", "      as ours: perhaps", "form_line"),
    ("      as ours: ?", "      as ours: n", "form_line"),
    ("      as ours: ?", "      does: fly {high: 3}", "correction_type"),
    ("      as ours: ?", "      does: place_cus {cus: {archers: 3}}", "correction_type"),
    ("      as ours: ?", "      does: place_cus {cus: {mercenary: 3}}", "param_missing"),
    ("      as ours: ?", "      it: flies", "form_line"),
])
def test_what_belongs_nowhere_is_told(old, new, key):
    assert key in [one[0] for one in told(BLANK.replace(old, new, 1))]


def test_a_thing_stands_there_once():
    text = changed("Polemon", "[x] Polemon red\n[x] Polemon green")
    assert told(text) == [("form_line", line_of(text, "[x] Polemon green"))]


def test_all_faults_are_told_at_once():
    text = changed("Polemon", "[x] Polemon pink", changed("Krateros", "[x] Krateros nine 4"))
    assert [one[0] for one in told(text)] == ["form_line", "correction_type"]


# --- contradictions -----------------------------------------------------------------------------------------------

def test_the_rules_own_examples_are_cited_against_a_line():
    found = judged(changed("Makedonia 3 VP", "[x] Makedonia 5 VP majority 3 Europe"))
    assert found.faults == [] and [one.key for one in found.remarks].count("against_the_rules") == 1
    assert "E4-008" in found.remarks[0].facts["source"] and found.remarks[0].facts["line"] > 0


def test_a_white_number_that_does_not_go_with_the_spaces_is_remarked():
    found = judged(changed("Hellas 3 VP", "[x] Hellas 3 VP majority 4 Europe"))
    (remark,) = found.remarks
    assert (remark.key, remark.facts["spaces"], remark.facts["least"], remark.facts["most"]) == ("majority_and_count", 9, 6, 7)


# --- two people ---------------------------------------------------------------------------------------------------

def test_two_forms_are_compared_and_put_together():
    one = judged(changed("Polemon", "[x] Polemon green"))
    other = judged(changed("Krateros", "[x] Krateros 4 3"))
    assert [(d.datum, d.certain) for d in box.compared(one, other)] == [
        ("generals.krateros.battle", (False, True)), ("minors.polemon.color", (True, False))]
    tree, confirmed, disputes = box.merged(one, other)
    assert disputes == [] and tree["minors"]["polemon"]["color"] == "green" and tree["generals"]["krateros"]["battle"] == 3
    again = judged(form.written(tree, TREE, confirmed=box.is_confirmed(confirmed)))
    assert again.faults == [] and again.tree["generals"]["krateros"]["battle"] == 3


def test_where_both_have_confirmed_different_things_the_first_counts_and_it_is_told():
    one = judged(changed("Polemon", "[x] Polemon green"))
    other = judged(changed("Polemon", "[x] Polemon red"))
    tree, _, disputes = box.merged(one, other)
    assert [d.datum for d in disputes] == ["minors.polemon.color"] and tree["minors"]["polemon"]["color"] == "green"


def test_a_form_can_be_filled_in_on_several_evenings():
    first = judged(changed("Polemon", "[x] Polemon green"))
    text = form.written(first.tree, TREE, confirmed=box.is_confirmed(first.confirmed), by="Anna", on="2026-11-20")
    assert "[x] Polemon       green" in text and text.count("[x]") == text.count("example:  [x]") + 1
    assert judged(text).by == "Anna" and as_written(judged(text).corrections) == as_written(first.corrections)


def test_each_space_of_the_map_has_the_number_that_it_has_on_the_printed_sheets():
    tree = deepcopy(TREE)
    tree["spaces"]["onchestos"] = {**tree["spaces"]["trikka"], "name": "Onchestos <b>"}
    lines = [line for line in form.written(tree, TREE).splitlines() if re.search(r"  # \d+$", line)]
    assert [int(line.rpartition("#")[2]) for line in lines] == [*range(1, len(tree["spaces"]) + 1)]
    found = judged(form.written(TREE, TREE))
    assert found.faults == [] and found.corrections == []                   # the number is a remark, and no datum
    page = sheets({}, "our <board>")
    assert page.count("<section>") == len({space["province"] for space in TREE["spaces"].values()})
    sardeis = next(line for line in form.written(TREE, TREE).splitlines() if "] Sardeis " in line).rpartition("#")[2]
    assert f">{int(sardeis)} Sardeis<" in page and "<board>" not in page


def test_an_example_of_the_rulebook_that_holds_no_more_is_cited():
    assert judged(form.written(TREE, TREE)).remarks == [] and [*examples.broken(facts())] == []
    found = judged(changed("Salamis", "[x] Salamis minor port | sea Paphos"))
    cited = [one.facts for one in found.remarks if one.key == "against_an_example"]
    assert any("2 Provinces, Kypros example" in one["source"] and one["what"] == "kind: space salamis, kind major"
               and one["line"] for one in cited)


# --- another edition's box ----------------------------------------------------------------------------------------

@pytest.mark.parametrize("edition", ["third", "draft"])
def test_the_form_of_another_edition_filled_with_its_own_data_gives_them(edition):
    tree = shipped(edition)
    blank = form.written(tree, tree, edition=edition)
    assert judged(blank).percent == 0 and judged(blank).edition == edition
    found = judged(ticked(blank))
    assert [str(one) for one in (*found.faults, *found.remarks)] == []
    assert {c["datum"].rpartition(".")[2] for c in found.corrections} == {"stand_in"}
    assert {**found.tree, "cards": None} == {**tree, "cards": None} and found.percent > 95
    filled = form.written(found.tree, tree, confirmed=box.is_confirmed(found.confirmed), edition=edition)
    again = judged(filled)
    assert (again.hash, again.corrections, again.confirmed) == (found.hash, found.corrections, found.confirmed)
    facts(found.corrections, edition)                                   # a game can be played on it


def test_what_only_the_4th_tells_is_no_reading_of_another_edition():
    third = shipped("third")
    text = form.written(third, third, edition="third")
    assert "[=]" not in text and "# initiative: seed 001_1ce90c1c7165b3a9.txt 10.2" in text
    assert "[ ] generals.perdikkas.third.stars: 3" in text and "# groups: seed 001 22.1: eleven Generals in all" in text
    assert provenance("spaces.pergamon.name", "third").startswith("seed 001")
    assert provenance("provinces.makedonia.vp", "third").startswith("as in the 4th edition: ")
    assert not is_firm("provinces.makedonia.vp", "third") and is_firm("provinces.makedonia.vp")
    found = judged(changed("generals.perdikkas.third.stars", "[x] generals.perdikkas.third.stars: 2", text))
    assert [c["datum"] for c in found.corrections] == ["generals.perdikkas.third"] and found.faults == []
    assert facts(found.corrections, "third").stars("perdikkas") == 2


def test_a_form_of_another_edition_is_refused():
    third = judged(form.written(shipped("third"), shipped("third"), edition="third"))
    with pytest.raises(BadLog) as refused:
        box.compared(judged(BLANK), third)
    assert (refused.value.key, refused.value.facts["found"]) == ("box_of_another", "third")
    assert told(f"edition: fifth\n{BLANK}") == [("box_of_no_edition", 1)]
