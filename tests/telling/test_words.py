"""Every key that the code uses has a sentence, every sentence a key, and no sentence a fact that is not there."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
import small_position
import the_code
from hypothesis import given
from hypothesis import strategies as st
from small_position import FACTS, SEATS, Dice, army, stated
from the_code import every

from pbem.base.errors import Ambiguous, BadLog, Costly, NotNow, Refused, Unreadable
from pbem.base.language import sentences
from pbem.base.paths import languages, templates_dir
from pbem.desk.beginning import header_of
from pbem.dev import sentences as samples
from pbem.dev.pictures import positions
from pbem.dev.sentences import flat
from pbem.editions import EDITIONS, books, ruleset
from pbem.kernel.procedures import Table
from pbem.orders import Order, Pieces
from pbem.orders.names import Names
from pbem.rules import attrition, siege
from pbem.rules import prices as price_list
from pbem.table.events import ALL, Event, event, events
from pbem.table.state import PHASES, SEGMENTS, SETUP, Game
from pbem.telling.formats import FORMATS
from pbem.telling.putting import put
from pbem.telling.story import JOINS, story
from pbem.telling.views import PUBLIC, view
from pbem.telling.words import Words

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests/log/kept"
NAMES = Names(FACTS, {seat: {} for seat in SEATS})
WORDS = Words("en", NAMES, FACTS, people={"red": "Anna"})

# Which argument holds the key.
ERRORS = {"PbemError": 0, "Unreadable": 0, "Ambiguous": 0, "NotNow": 0, "Refused": 1, "Unknown": 0, "Diverged": 0,
          "BadLog": 0}
SAID_BY_PRICE = "Costly"

# The errors themselves, and the driver of rule cases: what it refuses only the case hears.
SPEAKING_TO_NOBODY = ("pbem/base/errors.py", "pbem/dev/when.py")

Uses = dict[str, list[frozenset[str]]]


# --- Reading the code ---------------------------------------------------------


@cache
def trees() -> dict[str, ast.Module]:
    return {path: tree for path, tree in the_code.trees().items() if path not in SPEAKING_TO_NOBODY}


@cache
def functions(tree: ast.AST) -> list[tuple[ast.Call, tuple[ast.FunctionDef, ...]]]:
    """Every call, with the functions that it stands in, the innermost last."""
    found: list[tuple[ast.Call, tuple[ast.FunctionDef, ...]]] = []
    waiting: list[tuple[ast.AST, tuple[ast.FunctionDef, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        if isinstance(node, ast.Call):
            found.append((node, above))
        inside = (*above, node) if isinstance(node, ast.FunctionDef) else above
        waiting += [(child, inside) for child in reversed([*ast.iter_child_nodes(node)])]
    return found


def called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case other:
            return ast.unparse(other).rpartition(".")[2]


def texts(node: ast.expr) -> list[str]:
    """The strings that an expression may be; empty where only the running program knows."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    return []


def keywords(call: ast.Call) -> frozenset[str]:
    return frozenset(word.arg for word in call.keywords if word.arg)


def parameters(function: ast.FunctionDef) -> list[str]:
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args)]


def refusals() -> Uses:
    """Key -> the facts of every place where such an error is made.

    Where a function makes errors of which it is told the key, the keys are those that it is told.
    """
    found: Uses = {}
    for path, tree in trees().items():
        forwarders: dict[str, tuple[int, frozenset[str]]] = {}
        for call, above in functions(tree):
            if called(call) not in ERRORS or len(call.args) <= ERRORS[called(call)]:
                continue
            key = call.args[ERRORS[called(call)]]
            keys = texts(key)
            for one in keys:
                found.setdefault(one, []).append(keywords(call))
            if not keys and not ast.unparse(key).endswith(".key"):       # made again from one that is counted where it is made
                assert isinstance(key, ast.Name), f"{path}, line {call.lineno}: which key is {ast.unparse(key)}?"
                assert above, f"{path}, line {call.lineno}: nobody tells the key"
                maker = above[-1]
                assert key.id in parameters(maker), f"{path}, line {call.lineno}: where does {key.id} come from?"
                forwarders[maker.name] = (parameters(maker).index(key.id), keywords(call))
        for call, _ in functions(tree):
            if called(call) in forwarders and isinstance(call.func, ast.Name):
                place, facts = forwarders[called(call)]
                for one in texts(call.args[place]):
                    found.setdefault(one, []).append(facts | keywords(call))
    return found


def prices() -> Uses:
    """The tuples (rule, key, facts) of which the key begins with `costs_`."""
    found: Uses = {}
    for tree in trees().values():
        for node in every(tree, ast.Tuple):
            if len(node.elts) == 3 and isinstance(node.elts[2], ast.Dict):
                for key in texts(node.elts[1]):
                    if key.startswith("costs_"):
                        found.setdefault(key, []).append(dict_keys(node.elts[2]))
    return found


def dict_keys(node: ast.Dict) -> frozenset[str]:
    return frozenset(text for key in node.keys if key is not None for text in texts(key))


def questions() -> Uses:
    """Kind of question -> what each question of that kind is about."""
    found: Uses = {}
    for path, tree in trees().items():
        about_of = {node.name: last_dict(node) for node in every(tree, ast.FunctionDef)}
        for call, _ in functions(tree):
            if called(call) not in ("Ask", "Poll"):
                continue
            kinds = texts(call.args[1]) or ["surrender", "activation", "forage"]
            about = next(word.value for word in call.keywords if word.arg == "about")
            if isinstance(about, ast.Lambda):
                about = about.body
            name = about.id if isinstance(about, ast.Name) else called(about) if isinstance(about, ast.Call) else ""
            facts = dict_keys(about) if isinstance(about, ast.Dict) else about_of.get(name)
            assert facts is not None, f"{path}, line {call.lineno}: what is it about?"
            for kind in kinds:
                found.setdefault(kind, []).append(facts)
    return found


def last_dict(function: ast.FunctionDef) -> frozenset[str] | None:
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return dict_keys(returned[-1]) if returned and isinstance(returned[-1], ast.Dict) else None


# --- Reading the sentences ----------------------------------------------------


def drawn_on(source: str) -> tuple[frozenset[str], frozenset[str]]:
    return samples.drawn_on(source, WORDS)


def check(file: str, uses: Mapping[str, list[frozenset[str]]]) -> None:
    said = flat(file)
    assert sorted(uses.keys() - said.keys()) == [], f"{file}: used in the code, without a sentence"
    assert sorted(said.keys() - uses.keys()) == [], f"{file}: a sentence that nothing uses"
    for key, places in uses.items():
        wanted, _ = drawn_on(said[key])
        for facts in places:
            assert wanted <= facts, f"{file}, {key}: no such facts: {sorted(wanted - facts)}; there are {sorted(facts)}"


def test_every_refusal_has_its_sentence() -> None:
    check("refusals", refusals())


def test_every_price_has_its_sentence() -> None:
    check("prices", prices())


def checks() -> Uses:
    """What `verify` has found: keys of verdicts, of what is wrong, and of checks; each with its facts."""
    found: Uses = {frame: [frozenset(("entry", "what", "state", "said"))] for frame in ("check", "part")}
    for part in ("ok", "closed", "remarks", "failed"):
        found[f"summary_{part}"] = [frozenset(("counts",))]
    found["summary_verdict"] = [frozenset(("verdict", "more"))]
    verifying = "chance/scheme", "chance/check", "chance/places", "play/verify", "play/receipts", "play/kept"
    for path in verifying:
        for call, _ in functions(trees()[f"pbem/{path}.py"]):
            place, facts = {"Wrong": (0, 9), "verdict": (1, 9), "Check": (3, 4), "Moved": (1, 2)}.get(called(call), (9, 9))
            for key in texts(call.args[place]) if len(call.args) > place else ():
                told = call.args[facts] if len(call.args) > facts else None
                found.setdefault(key, []).append(dict_keys(told) if isinstance(told, ast.Dict) else keywords(call))
    return found


def test_every_check_has_its_sentence() -> None:
    check("checks", checks())


def joined_facts(key: str) -> frozenset[str]:
    """The facts of several events told at once."""
    if key in events():
        return events()[key]
    pairs = [(first, second) for (first, second), join in JOINS.items() if join.key == key and first != key]
    assert pairs, f"nothing is ever told as {key}"
    added = {"along": {"path"}, "handed_over": {"old"}, "others_too": {"seats"}, "provinces_too": {"provinces"},
             "spaces_too": {"spaces"}, "cards_too": {"cards"},
             "royals_too": {"royals"}}
    return frozenset().union(*(
        joined_facts(first) | joined_facts(second) | added.get(JOINS[first, second].facts.__name__, set())
        for first, second in pairs))


def test_every_event_has_its_sentence() -> None:
    keys = {*events(), *(join.key for join in JOINS.values())}
    check("events", {key: [joined_facts(key)] for key in keys})


def test_every_event_is_told_somewhere() -> None:
    said = {node.value for tree in trees().values() for node in every(tree, ast.Constant) if isinstance(node.value, str)}
    assert events().keys() <= said


def test_every_question_has_its_sentences() -> None:
    both: Uses = {}
    for kind, places in questions().items():
        known = [about - {"seat"} | ({"by"} if "seat" in about else set()) | {"id", "rule", "sides"} for about in places]
        both[f"{kind}.public"] = known
        both[f"{kind}.what"] = [facts | {"seat", "armies"} for facts in known]
    check("questions", both)


def test_questions_draw_only_on_what_is_public() -> None:
    said = flat("questions")
    assert PUBLIC.keys() == questions().keys()
    for kind, public in PUBLIC.items():
        known = {*public} - {"seat"} | ({"by"} if "seat" in public else set()) | {"id", "rule", "sides"}
        for part, more in (("public", set[str]()), ("what", {"seat", "armies"})):
            needed, maybe = drawn_on(said[f"{kind}.{part}"])
            assert needed | maybe <= known | more, kind


def phrases_used() -> set[str]:
    """Keys in calls of `phrase`, in the code and in the layouts; an f-string stands for all that begin like it."""
    found: set[str] = set()
    known = flat("phrases")
    for tree in trees().values():
        for call, _ in functions(tree):
            if called(call) != "phrase" or not call.args:
                continue
            key = call.args[0]
            if isinstance(key, ast.JoinedStr):
                start = key.values[0]
                assert isinstance(start, ast.Constant)
                found |= {one for one in known if one.startswith(start.value)}
            elif texts(key):
                found |= set(texts(key))
            else:
                assert ast.unparse(key) == "event.key", ast.unparse(key)
    found |= {"turn_began", "player_turn_began"}
    for layout in (templates_dir() / "layouts").glob("*.j2"):
        found |= set(re.findall(r"phrase\('(\w+)'", layout.read_text()))
    return found


def test_every_phrase_is_used_and_there() -> None:
    assert phrases_used() == flat("phrases").keys()


# --- Rendering all of them ----------------------------------------------------

@pytest.mark.parametrize("language", languages())
def test_every_sentence_can_be_said_and_its_language_has_nothing_against_it(language: str) -> None:
    """With few and many, with names that begin and end in all the ways that a language tells apart."""
    assert [one for one in samples.lines(language) if one.trouble] == []


@pytest.mark.parametrize("language", languages())
def test_no_language_lacks_a_sentence_or_has_one_too_many(language: str) -> None:
    assert samples.missing(language) == samples.unused(language) == []


@pytest.mark.parametrize(("language", "said", "what"), [
    ("en", "1 CUs lost", "one of many"), ("en", "a elephant", "a for an"), ("en", "it is so..", "two full stops"),
    ("de", 'Rot spielte "Nebel"', "straight quotation marks"), ("de", "mit 2 loyale KV", "a nominative behind mit"),
    ("it", "è arrivato a Apollonia", "a before a vowel"), ("it", "Lysimachos e Eumenes", "e before a vowel"),
    ("it", "1 Leali", "one of many"), ("it", "50 %", "a space before a percent sign"),
    ("ru", "прошёл из области Пелла", "a name that is not declined"), ("ru", "2 слон", "many as one"),
    ("ru", "из Пеллах", "not a genitive behind its preposition"), ("de", "the fleet", "English"),
    ("it", "tp_pontos", "an id, or a placeholder that nothing filled"), ("ru", "до 2026-12-01T18:00Z", "a raw date"),
    ("ru", "Для Кассандр выпала провинция", "a case that does not go with its preposition"),
    ("ru", "отступил из Пелле", "a case that does not go with its preposition"),
    ("ru", "письма для Антигоном", "a case that does not go with its preposition"),
    ("de", "Ein General bei die Mardoi", "a case that does not go with its preposition"),
    ("de", "vor die Westliche Marmarike", "a case that does not go with its preposition"),
    ("ru", "на 5 карточки", "a noun that does not go with its number"),
    ("ru", "11 слон", "a noun that does not go with its number"),
    ("ru", "22 запись", "a noun that does not go with its number"),
    ("de", "3 Karte", "a noun that does not go with its number"),
    ("de", "1 Zeilen", "a noun that does not go with its number"), ("it", "1 ore", "a noun that does not go with its number"),
    ("en", "1 cards", "a noun that does not go with its number")])
def test_a_language_has_something_against_what_is_wrong(language: str, said: str, what: str) -> None:
    assert what in list(samples.doubts(language, said))


@pytest.mark.parametrize(("language", "said"), [
    ("ru", "прошёл из Пеллы в Амфиполь с Евменом, у дарданов не было 2 карточек из 5 записей, 21 карточка"),
    ("de", "zog von den Mardoi über die Westliche Marmarike zu den Kardouchoi, mit 1 loyalen KV und 3 Karten"),
    ("it", "1 carta, 3 ore"), ("en", "1 card, 3 hours")])
def test_and_nothing_against_what_is_right(language: str, said: str) -> None:
    assert list(samples.doubts(language, said)) == []


@pytest.mark.parametrize("language", languages())
def test_sentences_hold_no_markup_of_their_own(language: str) -> None:
    """Formats escape what is put into a sentence; the sentence itself must be harmless in all of them."""
    for file in ("events", "refusals", "prices", "questions", "phrases", "lasting"):
        for key, source in flat(file, language).items():
            plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", source, flags=re.DOTALL)
            assert not re.search(r"^[->+]|[\\`*_{}\[\]<#|~&$@]", plain), (file, key)


FILES = sorted(path.stem for path in (templates_dir() / "en").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("language", languages())
def test_each_language_has_the_same_sentences_about_the_same_facts(language: str, file: str) -> None:
    english, other = flat(file), flat(file, language)
    for key in english.keys() & other.keys():
        source = english[key]
        assert set().union(*drawn_on(other[key])) <= set().union(*drawn_on(source)), key
        cases = sentences(language, "terms")["cases"]           # another language says `mit {dat}` for `with {nom}`
        assert {name for name in re.findall(r"\{(\w*)\}", other[key]) if name not in cases} == {
            name for name in re.findall(r"\{(\w*)\}", source) if name != "nom"}, key
        assert set(cited_in(other[key])) == set(cited_in(source)), key


@pytest.mark.parametrize("language", languages())
def test_what_cards_do_is_said_in_a_language_of_all_or_left_to_the_data(language: str) -> None:
    assert sentences(language, "terms")["effect"].keys() in (set(), FACTS.cards.keys())


@pytest.mark.parametrize("language", languages())
def test_each_language_has_a_form_of_every_noun_for_every_number(language: str) -> None:
    words = Words(language, NAMES, FACTS)
    for noun, forms in sentences(language, "terms")["noun"].items():
        for case, said in forms.items() if isinstance(forms, dict) else [("nom", forms)]:
            assert {str(words.of(number, noun, case)).removeprefix(f"{number} ") for number in range(130)} == set(said), noun


# --- What they say ------------------------------------------------------------


def said(error: Exception) -> str:
    return WORDS.refusal(error)  # type: ignore[arg-type]


def test_a_refusal_gives_rule_fact_and_what_is_legal() -> None:
    error = Refused("9.3A", "too_few_mps", general="kassandros", cost=3, left=2, target="larisa", ends=["pella", "trikka"])
    assert said(error) == "not allowed, 9.3 A: Larisa takes 3 MPs, Kassandros has 2 left. Within reach: Pella or Trikka."


def test_each_sort_of_error_says_which_it_is() -> None:
    unread = Unreadable("unknown_name", kind="space", text="Pela", suggestions=["Pella"])
    assert said(unread) == 'not understood: no space "Pela". Perhaps Pella?'
    assert said(Ambiguous("ambiguous_name", kind="space", text="Pel", readings=["Pella", "Pelousion"])).startswith(
        "can be read in more than one way: ")
    assert said(NotNow("game_over")).startswith("not now: ")
    assert said(BadLog("alias", file="game.yaml", line=3)) == "game.yaml, line 3: an alias (*) has no place here: write it out."
    assert said(BadLog("no_file", file="game.yaml")) == "game.yaml: there is no such file."
    assert said(BadLog("correction_form", found=["x"], example="{x: 1}")).startswith("a correction needs ")
    assert said(Refused("0", "no_such_entry", entry=9, entries=3)).startswith("not done: ")


@pytest.mark.parametrize(("wanted", "kind"), [("bool", "yes or no"), ("float", "a number"), ("list", "a list")])
def test_a_correction_is_told_what_its_datum_needs(wanted: str, kind: str) -> None:
    error = BadLog("correction_type", datum="spaces.pella.port", value="perhaps", wanted=wanted, known=[], least=None,
                   most=None, example="yes")
    assert said(error) == f"spaces.pella.port needs {kind}, and perhaps is none; for example yes."


def test_a_price_is_told_with_the_way_to_pay_it() -> None:
    error = Costly("3.7", "costs_champion", order="stay", seat="red", victim="blue", space="larisa", now=7, then=4)
    assert said(error) == (
        "allowed, but this makes Red a Successor (-3 L, from 7 to 4): Blue, who stands at Larisa with CUs, is a Champion"
        ' and not the Usurper (3.7). Add "yes" to go on.')


def test_dice_are_told_with_what_was_needed() -> None:
    event = Event("interception_rolled", ALL, {
        "seat": "blue", "general": "lysimachos", "space": "lamia", "die": 5, "name": "x", "needed": 4, "succeeded": True})
    assert WORDS.event(event) == "At Lamia, Lysimachos needed a 4 and rolled 5: the interception succeeds."


def test_a_change_of_legitimacy_shows_its_parts() -> None:
    event = Event("legitimacy_changed", ALL, {
        "seat": "red", "old": 11, "new": 8, "parts": [["alexandros", 5], ["makedonia", 2], ["olympias", 1]]})
    assert WORDS.event(event) == "Red's Legitimacy fell from 11 to 8: Alexandros 5, Makedonia 2, Olympias 1."


@pytest.mark.parametrize(("needed", "percent"), [(1, "100%"), (4, "50%"), (5, "33%"), (6, "17%"), (7, "0%")])
def test_chances(needed: int, percent: str) -> None:
    assert WORDS.chance(needed) == percent


@pytest.mark.parametrize(("number", "shown"), [
    ("9.3A", "9.3 A"), ("6.2B2", "6.2 B2"), ("13.2.6", "13.2.6"), ("10K", "10 K"), ("2", "2")])
def test_rule_numbers(number: str, shown: str) -> None:
    assert WORDS.rule(number) == shown


def test_a_die_is_told_by_what_it_was_for() -> None:
    assert WORDS.known(["die T3,R1,black,activation,theft,red,1"]) == (
        "the die for the card that was taken, Game Turn III, round 1, Black")
    assert WORDS.known(["die setup,shuffle"]) == "the die for setup,shuffle"


def test_dates_are_told_in_the_reader_s_zone() -> None:
    assert WORDS.date("2026-11-20T08:00Z") == "Fri 20 Nov, 08:00 UTC"
    assert WORDS.date("2026-11-20T08:00Z", "Europe/Berlin") == "Fri 20 Nov, 09:00 (Berlin)"
    assert WORDS.date("2026-06-01T23:30Z", "Asia/Ho_Chi_Minh") == "Tue 2 Jun, 06:30 (Ho Chi Minh)"


def test_places_say_which_part_of_a_space_they_mean() -> None:
    assert WORDS.at("pella") == "at Pella"
    assert WORDS.at("pella/inside") == "inside Pella"
    assert WORDS.place("pella/sea") == "at sea off Pella"
    assert WORDS.at("off map") == "off map"


def test_lists_and_forces() -> None:
    assert WORDS.generals(["kassandros", "krateros", "leonnatos"]) == "Kassandros, Krateros and Leonnatos"
    assert WORDS.places(["pella", "larisa"], "or") == "Pella or Larisa"
    assert WORDS.places(list(FACTS.spaces)[:20]).endswith(" and 12 more")
    assert WORDS.force({"mercenary": 3, "loyal": 2}) == "5 CUs (2 loyal, 3 mercenary)"
    assert WORDS.force({"loyal": 1}) == "1 loyal CU"
    assert WORDS.pieces(Pieces.of()) == "nothing"
    assert WORDS.player("red") == "Anna (Red)" and WORDS.player("blue") == "Blue"


def test_orders_are_said_as_they_are_written() -> None:
    assert WORDS.order((Order("pass"),)) == "pass"
    assert WORDS.order(Order("march", general="kassandros", path=("lamia",))) == "march Kassandros > Lamia"


@given(st.text(max_size=40))
def test_whatever_a_player_types_stays_on_its_line(text: str) -> None:
    shown = WORDS.event(Event("note", ALL, {"text": text, "noted": {}}))
    assert shown.isprintable() or not text.isprintable()
    assert len(shown.splitlines()) == 1


# --- They are true of the rules that are played -------------------------------


def game(edition: str, *options: str, face: int = 4, **given: Any) -> Game:
    """One in which every die shows the same."""
    return stated({"turn": 2, "phase": "strategy", **given}, edition=edition, options=options, dice=Dice(repeat(face)))


def red_orders(g: Game, *orders: Order) -> Table:
    """Red's orders, with nobody reacting, up to what the last of them leaves open."""
    table = small_position.table(g)
    for order in orders:
        question = table.question
        while question is not None and question.sealed:
            table.answer({side: question.silence(side) for side in question.sides})
            question = table.question
        assert question is not None and question.sides == ("red",)
        table.answer({"red": question.read("red", order)})
    return table


def words_of(g: Game) -> Words:
    return Words("en", NAMES, g.facts, book=g.rules.book)


def asked(g: Game, table: Table, seat: str) -> str:
    assert table.question is not None
    return " ".join(put(words_of(g), table.question, seat, view(g, seat, table.question)).split())


def refused(g: Game, table: Table, order: Order) -> str:
    assert table.question is not None
    with pytest.raises(Refused) as why:
        table.question.read(table.question.sides[0], order)
    return words_of(g).refusal(why.value).partition(": ")[2]


def told(g: Game, key: str) -> list[str]:
    return [words_of(g).event(event) for event in g.events if event.key == key]


MOVING = {"segment": {"player": "red", "kind": "activation"}}
FEWEST_POINTS = {"phase": "preparations", "adjust": {"blue": {"VP": 1}, "yellow": {"VP": 2}, "black": {"VP": 3}}}


@pytest.mark.parametrize(("edition", "what", "example"), [
    ("fourth", "and say who begins Game Turn II, and whether it goes on to the left or to the right. If you begin: to the left"
               " Red, Blue, Yellow and Black; to the right Red, Black, Yellow and Blue.",
     'name who begins and the direction, e.g. "first player red left" or "first player red right". '
     'In the game are Red, Blue, Yellow and Black.'),
    ("draft", "and say who begins Game Turn II; it goes on to the left. If you begin: Red, Blue, Yellow and Black.",
     'name who begins, e.g. "first player red left". In the game are Red, Blue, Yellow and Black.')])
def test_the_direction_is_asked_for_where_it_is_chosen(edition: str, what: str, example: str) -> None:
    """5.1 C"""
    g = game(edition, **FEWEST_POINTS)
    table = red_orders(g)
    assert what in asked(g, table, "red")
    assert refused(g, table, Order("pass")) == example


@pytest.mark.parametrize(("edition", "warning"), [
    ("fourth", "You may trust him; he may break it."), ("third", "If you grant it, he has to keep to it.")])
def test_free_passage_is_broken_only_where_it_may_be(edition: str, warning: str) -> None:
    """10 C"""
    g = game(edition, **MOVING, forces=[
        army("red", "lamia", "krateros", loyal=1), army("blue", "larisa", "perdikkas", loyal=1)])
    table = red_orders(g, Order("roll"), Order("march", general="krateros", path=("larisa",), passage=("blue",)))
    assert warning in asked(g, table, "blue")


@pytest.mark.parametrize(("edition", "more"), [("fourth", ""), ("third", ", or kill him on a 5 or 6")])
def test_a_general_without_cus_hears_what_may_become_of_him(edition: str, more: str) -> None:
    """10 I"""
    g = game(edition, **MOVING, forces=[army("red", "lamia", "krateros"), army("blue", "larisa", "perdikkas", loyal=1)])
    march = Order("march", general="krateros", path=("larisa",), pieces=Pieces.of())
    (_, key, facts), = price_list.of_march(g, "red", march)
    assert words_of(g).price(key, facts) == f"Krateros comes to Larisa without CUs: Blue's CUs there disperse him{more}."


@pytest.mark.parametrize(("edition", "needed"), [("fourth", 4), ("third", 5)])
def test_an_evasion_into_a_transit_point_needs_what_it_needs(edition: str, needed: int) -> None:
    """12.2 From Paraitonion nothing but the road to the east is left."""
    g = game(edition, **MOVING, mp={"krateros": 4}, forces=[
        army("red", "tp_marmarike", "krateros", loyal=1), army("blue", "paraitonion", "peithon", loyal=1)])
    table = red_orders(g, Order("march", general="krateros", path=("paraitonion",)))
    assert f"A {needed} or more is needed" in asked(g, table, "blue")
    assert table.question is not None
    table.answer({"blue": table.question.read("blue", (Order("evade", general="peithon"),))})
    (rolled,) = told(g, "evasion_rolled")
    assert rolled.startswith(f"Peithon (Blue) needed a {needed} to get away from Paraitonion and rolled 4: ")
    assert ("he escapes" in rolled) == (needed == 4)


@pytest.mark.parametrize(("edition", "number", "players"), [("fourth", 1, "2 to 5"), ("third", 5, "2 to 4")])
def test_how_many_can_play(edition: str, number: int, players: str) -> None:
    """3.1, 4.4"""
    with pytest.raises(Refused) as why:
        header_of("g", {seat: {"name": seat} for seat in SEATS[:number]}, {"edition": edition})
    assert said(why.value).endswith(f"the game is for {players}.")


@pytest.mark.parametrize(("edition", "known"), [
    ("fourth", "is no optional rule or card. There are: 16.1 optional-cards, O60 cavalry-superiority, O61 "),
    ("draft", "is no optional rule. There are: 19.11 faster-cart, 19.6 forage-attrition, 19.7 fleets-by-card,")])
def test_only_what_can_be_chosen_is_offered(edition: str, known: str) -> None:
    """16"""
    with pytest.raises(Refused) as why:
        ruleset(edition, ("dummy",))
    assert said(why.value).startswith(f'not allowed, 16: "dummy" {known}')
    assert ("oracle" in said(why.value)) == (edition == "fourth")


@pytest.mark.parametrize(("options", "more"), [((), ""), (("16.3",), ", unless a card with 4 OPs finishes it")])
def test_what_lets_the_cart_move(options: tuple[str, ...], more: str) -> None:
    """5.1 A, 16.3"""
    g = game("fourth", *options, **MOVING, **{"turn": 1}, cart={"at": "babylon", "owner": "red"}, mp={"perdikkas": 4},
             spaces={"babylon": "red"}, forces=[army("red", "babylon", "perdikkas", loyal=1)])
    march = Order("march", general="perdikkas", path=("sippar",), pieces=Pieces.of(cus={"loyal": 1}, royals=["cart"]))
    assert refused(g, red_orders(g), march) == f"the Funeral Cart does not move before Game Turn II{more}."


@pytest.mark.parametrize(("options", "reminders"), [((), 1), (("16.12",), 0)])
def test_nobody_is_reminded_of_an_heir_for_whom_there_is_no_time(options: tuple[str, ...], reminders: int) -> None:
    """3.2, 16.12 Herakles comes of age in Game Turn V."""
    g = game("fourth", *options, **FEWEST_POINTS, **{"turn": 4}, family={"herakles": {"at": "damaskos"}})
    red_orders(g)
    assert sum("Herakles comes of age" in one for one in told(g, "reminder")) == reminders


@pytest.mark.parametrize(("options", "more"), [((), ""), (("16.9",), " In this game (16.9): 1 Mercenary and 1 Cavalry CU.")])
def test_a_card_says_what_it_does_in_this_game(options: tuple[str, ...], more: str) -> None:
    g = game("fourth", *options, segment={"player": "red", "kind": "tyche"}, hands={"red": 1}, spaces={"kabyle": "red"})
    text = asked(g, red_orders(g), "red")
    assert f"in one space you control in Thrake.{more} \"Cappadocian" in text


@pytest.mark.parametrize(("named", "loss"), [({"cavalry": 1, "loyal": 2}, "dispersed"), ({"loyal": 3}, "lost")])
def test_a_siege_disperses_the_cavalry_that_was_named(named: dict[str, int], loss: str) -> None:
    """15.2 B, 16.9"""
    g = game("fourth", "16.9", **MOVING, face=1, mp={"krateros": 4}, spaces={"elymaioi": "independent"},
             forces=[army("red", "elymaioi", "krateros", loyal=3, cavalry=1)])
    red_orders(g, Order("siege", space="elymaioi", general="krateros", pieces=Pieces.of(cus=named)))
    assert told(g, "siege_rolled")[0].endswith(f"rolled 1, no Siege Point, 1 CU {loss}.")


def test_a_dash_is_a_loss_where_it_counts_as_one() -> None:
    """7.3, 16.7 A 1 costs nine CUs without elephants nothing in the table."""
    crowd = army("red", "larisa", "krateros", loyal=4, mercenary=5)
    g = game("fourth", "16.7", face=1, segment={"player": "red", "kind": "forage"}, forces=[crowd])
    red_orders(g)
    attrition.rolled(g, "red", "larisa", attrition.column_label(g, 9), 9, 0)
    assert [one.partition(": ")[2] for one in told(g, "attrition_rolled")] == ["rolled a 1, 1 CU lost.", "rolled a 1, no loss."]


# --- Another language is data -------------------------------------------------

# Whoever speaks to people.
SPEAKING = tuple("""
    pbem/rules/ pbem/cards/ pbem/editions/ pbem/kernel/ pbem/play/match
    pbem/telling/report pbem/telling/putting pbem/telling/story pbem/telling/formats pbem/telling/lasting pbem/telling/offers
    pbem/telling/views
    pbem/desk/showing pbem/desk/reporting pbem/desk/posing pbem/desk/answering pbem/desk/overview pbem/desk/checking
    pbem/desk/submission pbem/mail/letters pbem/mail/speaking pbem/mail/page
    pbem/mail/status pbem/mail/paste pbem/mail/press pbem/mail/loop pbem/mail/waiting pbem/mail/preview pbem/mail/people
    pbem/mail/way pbem/mail/run pbem/mail/lines pbem/mail/ordering pbem/mail/shown pbem/mail/handover
    pbem/chance/check pbem/play/verify pbem/desk/demo pbem/desk/beginning pbem/desk/publishing pbem/desk/seeding
    pbem/mail/classes pbem/mail/parts pbem/mail/config pbem/cli/base
""".split())
# Where pieces are, as ids; an order as it is typed; what only a programmer sees.
NO_SENTENCES = ("not in play", "removed from the game", "pass on the city", "it is the Forage Segment")


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no documentation."""
    documents = {node.value for node in every(tree, ast.Expr)}
    for node in every(tree, ast.Constant):
        if isinstance(node.value, str) and node not in documents:
            yield node.lineno, node.value


def test_no_sentence_for_players_stands_in_the_code() -> None:
    sentence = re.compile(r"[a-z] (?:the|a|an|is|are|was|of|to|in|no|not|and|has|have|with|may|must) [a-zA-Z]")
    found = [f"{path}:{line}: {text}" for path, tree in trees().items() if path.startswith(SPEAKING)
             for line, text in strings(tree) if sentence.search(text) and text not in NO_SENTENCES and "(?:" not in text]
    assert found == []


def test_no_error_has_a_sentence_among_its_facts() -> None:
    """Facts are ids, numbers, words from a file; suggestions are orders as they are typed."""
    sentence = re.compile(r"[a-z]+ [a-z]+ [a-z]")
    found = [f"{path}:{text.lineno}: {text.value}" for path, tree in trees().items() for call, _ in functions(tree)
             if called(call) in (*ERRORS, "_refuse") for word in call.keywords if word.arg != "suggestions"
             for text in ast.walk(word.value)
             if isinstance(text, ast.Constant) and isinstance(text.value, str) and sentence.search(text.value)]
    assert found == []


def test_every_source_of_a_number_has_a_name() -> None:
    """Abilities and modifiers are named by keys of the data and of the rules, in every edition."""
    keys = {fact["ability"]["key"] for fact in FACTS.generals.values() if fact["ability"]} | set(siege.APPLIES)
    keys |= {key for name in EDITIONS for key in ruleset(name).siege_modifiers}
    parts = {node.value.elts[0] for module in ("prestige", "reinforcements", "victory")
             for node in every(trees()[f"pbem/rules/{module}.py"], ast.Yield) if isinstance(node.value, ast.Tuple)}
    told = {text for part in parts for text in texts(part)}
    assert len(told) > 15
    known = sentences("en", "terms")["source"].keys() | FACTS.spaces.keys() | FACTS.provinces.keys()
    assert sorted((keys | told) - known) == []


@pytest.mark.parametrize("log", sorted(KEPT.glob("*.gz")), ids=lambda log: log.name.partition(".")[0])
def test_no_word_of_a_kept_game_is_told_as_its_key(log: Path) -> None:
    found: set[tuple[str, str, str]] = set()

    class Heard(Words):
        def term(self, key: str, kind: str) -> str:
            if key not in sentences(self.language, "terms")[kind]:
                found.add((self.language, kind, key))
            return super().term(key, kind)

    match = list(positions(log, 10**6))[-1][0]
    events = [event for _, event in match.history]
    for language in languages():
        assert story(events, Heard(language, match.names, match.g.facts, book=match.g.rules.book), FORMATS["text"])
    assert found == set()


def test_every_phase_and_segment_has_a_name() -> None:
    assert {SETUP, "strategy", *PHASES} <= sentences("en", "terms")["phase"].keys()
    assert sentences("en", "terms")["segment"].keys() == {*SEGMENTS}


def test_every_kind_of_question_has_a_name() -> None:
    assert sentences("en", "terms")["window"].keys() == {*PUBLIC, "turn", "default"}


# --- rules cited between parentheses ---------------------------------------------------------------------------------


def cited_in(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        for found in re.findall(r"\((\d[^()]*)\)", node):
            rules = found.split(", ")
            if all(re.fullmatch(r"\d+\.\d+(\.\d+)?( [A-L]\d?)?|\d+ [A-L]", rule) for rule in rules):
                yield from (rule.replace(" ", "") for rule in rules)
    elif isinstance(node, dict):
        for child in node.values():
            yield from cited_in(child)


def test_sentences_cite_rules_that_there_are() -> None:
    cited = {rule for file in (templates_dir() / "en").glob("*.yaml") for rule in cited_in(sentences("en", file.stem))}
    assert len(cited) > 20 and not cited - set(books.titles())


@pytest.mark.parametrize(("edition", "number"), [("fourth", "10 J"), ("draft", "8.3.6"), ("third", "9.6")])
def test_a_rule_in_a_sentence_has_the_number_of_the_book_in_play(edition: str, number: str) -> None:
    g = game(edition)
    happened = event("overrun_began", ALL, {"seat": "red", "victim": "blue", "space": "pella", "mover_cus": 5, "victim_cus": 1})
    assert words_of(g).event(happened).endswith(f"at least 5 to 1 ({number}).")


@pytest.mark.parametrize(("edition", "number"), [("fourth", "3.8"), ("draft", "15.4"), ("third", "17.4")])
def test_so_has_one_in_a_reminder(edition: str, number: str) -> None:
    assert words_of(game(edition)).term("cart_last_turn", "reminder").endswith(f"then the Cart is lost ({number})")


# --- none of something, and days in a row ----------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("key", "facts"), [
    ("cus_not_fit", {"kind": "loyal", "fit": 0, "has": 0}), ("losses_not_there", {"kind": "loyal", "has": 0}),
    ("cus_needed", {"space": "pella", "needed": 3, "has": 0, "there": 0})])
def test_none_is_a_word_and_no_number(language: str, key: str, facts: dict[str, Any]) -> None:
    told = samples.words(language).tell("refusals", key, facts)
    assert "0" not in told and "  " not in told and not list(samples.doubts(language, told))


@pytest.mark.parametrize("language", languages())
def test_who_sails_alone_has_no_cus_and_not_nought_of_them(language: str) -> None:
    made, key = samples.words(language), "naval_battle.what"
    source = flat("questions", language)[key]
    through = {**samples.named(source).through, **samples.named(flat("questions")[key]).through}
    facts = {name: samples.plausible(f"questions.{key}", name, through, samples.SAMPLES[0]) for name in drawn_on(source)[0]}
    assert "(4 " in made.tell("questions", key, facts) and "0" not in made.tell("questions", key, {**facts, "cus": 0})


@pytest.mark.parametrize(("language", "workdays", "others"), [
    ("en", "Mondays to Fridays", "Mondays and Thursdays"),
    ("de", "montags bis freitags", "montags und donnerstags"),
    ("it", "dal lunedì al venerdì", "il lunedì e il giovedì"),
    ("ru", "с понедельника по пятницу", "по понедельникам и по четвергам")])
def test_three_days_in_a_row_or_more_are_told_by_the_first_and_the_last(language: str, workdays: str, others: str) -> None:
    words = samples.words(language)
    assert words.days(["mo", "tu", "we", "th", "fr"]) == workdays
    assert words.days(["th", "mo"]) == others
