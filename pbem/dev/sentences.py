"""Every sentence of a language with sample facts: for translators to read, and for the rules of that language to look at.

What is `missing` other languages have; `doubtful` is what a rule finds in what is said; `unused` is what English has not.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.base.errors import BadLog
from pbem.base.language import Safe, blank, plural, sentences
from pbem.components.catalogue import facts
from pbem.orders import Pieces
from pbem.orders.names import Names
from pbem.telling.words import Words

FILES = ("events", "lasting", "refusals", "prices", "questions")
OWN = frozenset(("whose", "effect", "name", "seat_in", "name_with", "groups", "cities", "numbered"))       # that may differ
HEX = "5eaf00d5" * 8


class Sample(NamedTuple):
    """Who and what stands in the sentences of one rendering: numbers and names that a language treats differently."""

    number: int
    general: str
    other: str
    space: str
    beside: str


SAMPLES = (Sample(3, "kassandros", "krateros", "larisa", "pella"), Sample(1, "antigonos", "eumenes", "amphipolis", "abdera"),
           Sample(5, "eumenes", "ptolemaios", "rhodos", "tp_pontos"), Sample(21, "alketas", "medios", "mardoi", "sardeis"))


def by_filter(one: Sample) -> dict[str, Any]:
    """What a fact may be, as the filter takes it to which a sentence hands it."""
    pieces = Pieces.of([one.general], {"loyal": one.number, "mercenary": 1}, ["olympias"])
    cus = {"loyal": one.number}
    return {
        "seat": "red", "player": "red", "whose": "red", "seats": ["red", "blue"], "players": ["red", "blue"], "agree": "red",
        "general": one.general, "generals": [one.general, one.other], "mover": f"{one.general} until larisa",
        "royal": "cart", "royals": ["olympias"], "province": "makedonia", "provinces": ["makedonia", "hellas"],
        "fleet": "karia", "fleets": ["karia", "rhodos"], "card": "57", "cards": ["57", "51"], "ops": "1",
        "place": one.space, "at": f"{one.space}/inside", "places": [one.space, one.beside], "path": [one.space, one.beside],
        "piece": "loyal", "pieces": pieces, "along": pieces, "cus": cus, "force": cus, "strength": cus,
        "touched": [("end", {})], "flaws": [BadLog("part_missing", datum="spaces")], "texts": ["one", "two"],
        "terms": ["loyal"], "of": one.number, "days": ["mo", "tu", "we", "sa"],
        "roman": 2, "verb": "march", "bare": "a word",
        "ended": "a word", "known": ["die T2,R1,red,activation,movement,1", "card played 57"],
        "leaked": [("deck_secret", ""), ("open_hand", 7)],
        "rule": "9.3A", "change": -2, "draw": "T2,R3,red,activation,movement,1",
        "date": "2026-11-20T09:00:00Z", "day": "2026-12-01", "short": HEX, "digest": HEX, "chance": 4, "int": "2",
        "join": [3, 4],
        "sources": [["champion", 3], ["alexandros", 5], ["makedonia", 3]], "signed": [["helepolis", 1]], "totals": {"red": 3},
        "weighed": [("loyal", 2, 4)], "allowances": {one.general: 4, one.other: 4, "philoxenos": 3},
    }


def by_name(one: Sample) -> dict[str, Any]:
    """And those that a sentence looks into."""
    return {
        "seat": "red", "fleets": ["karia"], "path": [one.space, one.beside], "minors": ["philoxenos"], "kind": "loyal",
        "provinces": ["hellas", "thrake"], "cus": {"loyal": one.number, "elephant": 2}, "royals": ["olympias"],
        "generals": [one.other], "paths": [[one.space], [one.space, one.beside]],
        "ways": [[one.space, one.beside], ["trikka", one.beside]], "route": [one.space, one.beside], "origin": one.beside,
        "armies": {}, "way": "bonus", "why": "alone", "to": "inside", "result": "2e", "turns": [2, 3], "what": "a word",
        "file": "game.yaml", "id": "T2.R3.red.5", "name": "a name", "text": "a word", "reason": "a word", "column": "6-7",
        "value": "a value", "letters": ["a", "b"], "suggestions": ["pass"],
        "takes": [(0, 0.5), (2, 0.5)],
        "card": "57", "at": one.space, "raised": [5, 4], "directions": ["left", "right"], "cards": ["57", "51"],
        "read_at": "drand.example", "host": "mail.example", "address": "anna@example.net",
        "choices": ["one", "two"], "datum": "kassandros", "datums": ["kassandros"], "problem": "a problem",
        "folder": "games/g", "noted": {"note": "looked", "at": "2026-11-18T12:00Z"},
    }


SPECIAL: dict[str, dict[str, Any]] = {
    "events.prestige_compared": {"sides": {"red": {"total": 3, "parts": [("legitimacy", 3)]}}},
    "events.naval_battle_began": {"fleets": {"red": ["karia"], "blue": []}, "strengths": {"red": 2, "blue": 0}},
    "events.naval_battle_fought": {"scores": {"red": 2, "blue": 1}, "winner": "red", "mover": "blue"},
    "events.battle_won": {"scores": {"red": 2, "blue": 1}, "loser": "blue"},
    "events.battle_drawn": {"scores": {"red": 2, "blue": 2}, "attacker": "red", "defender": "blue"},
    "refusals.card_for_another_moment": {"moments": ["battle", "card"]},
    "refusals.no_such_moment": {"known": ["battle", "sea"]},
    "refusals.beacon_not_fetched": {"what": "504"},
    "events.eliminated": {"why": "defeat"},
    "events.heir_assassinated": {"royal": "alexandros"},
    "events.royal_appeared": {"after": "alexandros", "royal": "herakles"},
    "events.tie_broken": {"by": "seniority"},
    "events.training_advanced": {"at": 2},
    "refusals.cus_needed": {"there": 0, "has": 0},
    "refusals.unreadable_answer": {"letters": ["a", "b", "c"], "suggestions": ["pass", "roll"]},
    "refusals.wrong_file": {"found": "picture", "wanted": "orders"},
    "refusals.no_port_in_reach": {"reach": 1},
    "refusals.not_trainable": {"kind": "elephant", "kinds": ["loyal", "mercenary"]},
    "refusals.other_cu_in_training": {"at": 2},
    "refusals.royals_do_not_besiege": {"has": 0, "needed": 3},
    "refusals.ruling_needed": {"what": "event"},
    "questions.ruling.what": {"what": "event"}, "questions.ruling.public": {"what": "event"},
    "events.reserved": {"moments": ["battle", "sea"]},
    "questions.evasion.what": {"generals": {"red": "kassandros"}, "needed": {"kassandros": 4}},
    "questions.naval_battle.what": {"fleets": {"red": ["karia"]}, "ports": {"red": ["rhodos"]}, "strength": 3, "cus": 4},
    "questions.activation.what": {"stronghold": {"space": "sparta", "column": "6-7"}},
    "questions.independent_move.what": {"homes": {"leosthenes": ["hellas"]}, "westward": ["philon"]},
    "questions.first_player.what": {"orders": {"left": ["red"], "right": ["blue"]}},
    "questions.deployment.what": {"spaces": {"krateros": ["larisa"]}, "generals": ["krateros"]},
    "events.pc_placed*": {"spaces": ["larisa", "pella"]},
    "events.isolated": {"cus": ["pella"], "pcs": ["larisa"]},
    "events.isolated*": {"spaces": ["larisa", "pella"], "cus": ["trikka"], "pcs": ["lamia", "abdera"]},
    "events.rules_in_force": {"rules": ["O62", "16.9"]},
    "events.rules_mended": {"numbers": ["1"]},
    "events.words_given": {"words": {"red": "snow", "blue": ""}},
    "refusals.unknown_optional_rule": {"known": ["16.2", "herakles"]},
    "questions.give_back.what": {"dealt": {"red": ["krateros"]}},
    "questions.seating.what": {"dealt": {"red": ["krateros"]}},
    "refusals.not_in_this_segment": {"may": ["march", "end"], "when": ["surrender", "activation"]},
    "refusals.already_there": {"to": "larisa"},
    "lasting.control": {"whole": ["hellas"], "parts": {"thrake": ["abdera", "kabyle"]}},
    "lasting.family": {"there": [{"royal": "olympias", "at": "pella", "seat": "red"}], "dead": ["philippos"]},
    "lasting.fleets": {"fleets": [{"fleet": "karia", "strength": 2, "upgraded": True, "dispersed": False}]},
    "lasting.generals": {"dead": ["krateros"], "alive": [{"seat": "red", "alive": 1, "dealt": 2}]},
    "lasting.siege_points": {"space": "pella"},
    "lasting.training": {"at": 2},
}

# What no sentence may hold: for all languages, and for one. What stands between quotation marks is an order, and English.
EVERYWHERE = {
    r"  ": "two spaces", r"(?<!\.)\.\.(?!\.)": "two full stops", r" [.,:;!?](?!\d)": "a space before a stop",
    r"None|Undefined|[{}\[\]]|\w_\w": "an id, or a placeholder that nothing filled", r"\d{4}-\d\d-\d\d": "a raw date",
    r"\bT\d,R\d": "a die by its id",
    r"^$": "nothing",
}
STRAIGHT, HYPHEN = {r'"': "straight quotation marks"}, {r"\w - \w": "a hyphen for a dash"}
LESS = {r"(?:^|[ (])-\d": "a hyphen for a minus sign", r"\d-\d": "a hyphen from one number to another"}
LEFT_OVER = {r"\b(?:the|with|from|of|and|none|nothing|CUs?|MPs?|PCs?)\b": "English"}
RULES: dict[str, dict[str, str]] = {
    "en": {r"\b1 (?:CUs|MPs|OPs|cards|dice|spaces|entries)\b": "one of many", r"\b[Aa] (?=[aeiAEI]|o(?!ne))": "a for an",
           r"\d %": "a space before a percent sign", r"Independents (?:is|has)\b": "the Independents are many"},
    "de": {**STRAIGHT, **HYPHEN, **LESS, **LEFT_OVER, r"\d%": "no space before a percent sign",
           r"\bPartien?\b": "no word of its rulebook",
           r"\bmit \d+ (?:loyaler|loyale|königlicher|königliche)\b": "a nominative behind mit",
           r"\b1 (?:loyale|königliche|unabhängige) KV": "one of many",
           r"\b(?:über|gegen|um|vor|von|aus|bei|an|nach|in|zu|mit) (?:Pontisches|Raues|Südlicher|Östliche|Westliche) [A-Z]":
               "a name without its article",
           r"\b(?:in|nach|von|aus|über|vor) (?:\w+ioi|Pisidai|Dardanoi|Triballoi|Getai|Paraitakenai|Mardoi)\b":
               "a people without its article",
           r"\b(in|auf) [A-Z]\w+(?:, | und )\1 [A-Z]": "a preposition said twice"},
    "it": {**STRAIGHT, **HYPHEN, **LESS, **LEFT_OVER, r"\d %": "a space before a percent sign",
           r"\b[aA] [aA]\w": "a before a vowel",
           r"\b(?:per|verso|tra|contro|da|a|di|in|su) (?:Monti del|Passo|Strada|Valle|Steppa|Costa|Oasi) ":
               "a name without its article",
           r"(?i)\b(?:grand[ei] città|intercezion[ei]|logoramento|foraggiament|facoltativ|piazza(?:re|to|ta)\b)":
               "no word of its rulebook",
           r"\b[eE] [eE]\w": "e before a vowel", r"\b1 (?:Leali|Reali|Elefanti|Mercenari|Indipendenti)\b": "one of many"},
    "ru": {**STRAIGHT, **HYPHEN, **LESS, **LEFT_OVER, r"\d%": "no space before a percent sign",
           r"\b(?:из|от|до|у|около) \w*(?:ами|ями|ах|ях)\b": "not a genitive behind its preposition",
           r"\bобласт[ьи] [А-Я]": "a name that is not declined",
           r"(?:^|\D)(?:1|21) (?:верных|наёмных|царских|слонов)\b": "one of many",
           r"\b[235] (?:верная|слон|наёмная)\b": "many as one", r"\bНезависимые \w+л\b": "the Independents are many"},
}
QUOTED = re.compile(r"„[^“]*“|«[^»]*»|\"[^\"]*\"")

# Which cases a name may have behind a preposition; the forms are those that the terms of the language have.
BEHIND: dict[str, dict[str, str]] = {
    "de": {"von": "dat", "vor": "dat", "bei": "dat", "aus": "dat", "zu": "dat", "mit": "dat", "über": "acc", "gegen": "acc",
           "um": "acc", "durch": "acc", "in": "dat acc", "auf": "dat acc", "an": "dat acc"},
    "ru": {"у": "gen", "от": "gen", "из": "gen", "до": "gen", "для": "gen", "без": "gen", "против": "gen", "около": "gen",
           "к": "dat", "над": "ins", "перед": "ins", "с": "gen ins", "при": "loc", "о": "loc", "об": "loc", "в": "acc loc",
           "во": "acc loc", "на": "acc loc", "через": "acc"},
}


class Line(NamedTuple):
    """A sentence as it is said, and what is the matter with it."""

    file: str
    key: str
    said: str
    trouble: tuple[str, ...]


def words(language: str) -> Words:
    seats = ("red", "blue", "yellow", "black", "green")
    return Words(language, Names(facts(), {seat: {} for seat in seats}), facts(), people={"red": "Anna"})


def flat(file: str, language: str = "en") -> dict[str, str]:
    """Key -> sentence, whatever it is nested in."""
    found: dict[str, str] = {}

    def below(node: Mapping[str, Any], name: str) -> None:
        for key, value in node.items():
            if isinstance(value, Mapping):
                below(value, f"{name}{key}.")
            else:
                found[name + key] = str(value)

    below(sentences(language, file), "")
    return found


class Named(NamedTuple):
    """The names in a sentence, those it takes only where they are defined, and the first filter that each goes through."""

    names: frozenset[str] = frozenset()
    tested: frozenset[str] = frozenset()
    through: Mapping[str, str] = MappingProxyType({})


@cache
def named(source: str) -> Named:
    from jinja2 import meta, nodes

    if "{" not in source:
        return Named()
    tree = blank().parse(source)
    tested = frozenset(node.node.name for node in tree.find_all(nodes.Test)
                       if node.name == "defined" and isinstance(node.node, nodes.Name))
    found: dict[str, str] = {}
    for node in tree.find_all(nodes.Filter):
        if isinstance(node.node, nodes.Name):
            term = node.args[0].value if node.name == "term" and isinstance(node.args[0], nodes.Const) else ""
            found.setdefault(node.node.name, f"term {term}" if term else node.name)
    return Named(frozenset(meta.find_undeclared_variables(tree)), tested, found)


def drawn_on(source: str, made: Words) -> tuple[frozenset[str], frozenset[str]]:
    """The facts that a sentence needs, and those it takes only where they are defined."""
    names, tested, _ = named(source)
    wanted = names - set(made.environment.given)
    return wanted - tested, wanted & tested


def plausible(key: str, name: str, through: Mapping[str, str], one: Sample) -> Any:
    """What a fact of a sentence may be."""
    if name in SPECIAL.get(key, {}):
        return SPECIAL[key][name]
    if through.get(name, "").startswith("term "):
        return next(iter(sentences("en", "terms")[through[name][5:]]))
    return by_filter(one).get(through.get(name, ""), by_name(one).get(name, one.number))


def lines(language: str, files: tuple[str, ...] = FILES, made: Words | None = None) -> Iterator[Line]:
    """Each sentence, once for every sample and for all its facts or only those that it needs."""
    made = made or words(language)
    for file in files:
        english = flat(file)
        for key, source in flat(file, language).items():
            needed, maybe = drawn_on(source, made)
            through = {**named(source).through, **named(english.get(key, "")).through}
            for one in SAMPLES:
                for names in sorted({needed, needed | maybe}, key=len) if needed else [maybe]:
                    yield line(made, file, key, {name: plausible(f"{file}.{key}", name, through, one) for name in names})


def line(made: Words, file: str, key: str, given: Mapping[str, Any]) -> Line:
    from jinja2.exceptions import UndefinedError

    try:
        said: str = made.tell(file, key, given)
    except (TypeError, KeyError, ValueError, AttributeError, UndefinedError) as trouble:
        return Line(file, key, "", (f"{type(trouble).__name__}: {trouble}",))
    return Line(file, key, said, tuple(doubts(made.language, said)))


def doubts(language: str, said: str) -> Iterator[str]:
    """What the rules of a language have against a sentence."""
    bare = QUOTED.sub("…" if language != "en" else "x", said)
    for wrong, what in {**EVERYWHERE, **RULES.get(language, {})}.items():
        if re.search(wrong, said if what == STRAIGHT[r'"'] else bare):
            yield what
    if any(misplaced(language, bare)):
        yield "a case that does not go with its preposition"
    if any(miscounted(language, bare)):
        yield "a noun that does not go with its number"


@cache
def _declined(language: str) -> tuple[re.Pattern[str], dict[str, set[tuple[str, ...]]]]:
    """Names behind prepositions, and the forms of every name by how any of them is written."""
    terms, found = sentences(language, "terms"), dict[str, set[tuple[str, ...]]]()
    for kind in ("general", "royal", "space", "province", "fleet"):
        for forms in terms["name"].get(kind, {}).values():
            if isinstance(forms, list):
                for case, form in zip(terms["cases"], forms, strict=True):
                    if case not in ("at", "from", "to"):        # those have their preposition with them
                        found.setdefault(form, set()).add(tuple(forms))
    names = "|".join(sorted(map(re.escape, found), key=len, reverse=True))
    return re.compile(rf"(?<!\w)({'|'.join(BEHIND[language])}) ({names})(?!\w)", re.IGNORECASE), found


def misplaced(language: str, said: str) -> Iterator[str]:
    """Names whose case does not go with the preposition before them."""
    if language not in BEHIND:
        return
    pattern, forms_of = _declined(language)
    cases = sentences(language, "terms")["cases"]
    for preposition, name in pattern.findall(said):
        behind = BEHIND[language][preposition.lower()].split()
        known = forms_of.get(name, set())
        if known and not any(forms[cases.index(case)] == name for forms in known for case in behind):
            yield f"{preposition} {name}"


@cache
def _counted(language: str) -> tuple[re.Pattern[str], dict[str, set[int]]]:
    """Nouns behind numbers, and for each form of one which of its numbers it is."""
    terms, found = sentences(language, "terms"), dict[str, set[int]]()
    for table in ("noun", "counted", "unit"):
        for forms in terms[table].values():
            for row in (forms.values() if isinstance(forms, Mapping) else [forms]):
                for place, form in enumerate(row if isinstance(row, list) else []):
                    found.setdefault(form, set()).add(place)
    return re.compile(rf"(?<![\d.,–:/])(\d+) ({'|'.join(sorted(map(re.escape, found), key=len, reverse=True))})(?!\w)"), found


def miscounted(language: str, said: str) -> Iterator[str]:
    """Nouns that do not go with their numbers: one as many, or many as one."""
    pattern, places_of = _counted(language)
    for number, noun in pattern.findall(said):
        place, places = int(plural(language)(n=int(number)) or 0), places_of[noun]
        if place not in places and (place == 0 or 0 in places or place > max(places)):
            yield f"{number} {noun}"


def missing(language: str) -> list[str]:
    """What English says and this language does not; a word with forms of its own has them below its key."""
    return sorted(f"{file}.{key}" for file in (*FILES, "phrases", "terms", "tables", "mail", "checks", "page")
                  for key in flat(file).keys() - flat(file, language).keys() if key.partition(".")[0] not in OWN
                  and not any(own.startswith(f"{key}.") for own in flat(file, language)))


def unused(language: str) -> list[str]:
    return sorted(f"{file}.{key}" for file in (*FILES, "phrases", "tables", "mail", "checks", "page")
                  for key in flat(file, language).keys() - flat(file).keys())


def placeholders() -> str:
    """A table of what a sentence may do with a fact: what it takes, and what becomes of it in each language."""
    from pbem.base.paths import languages

    given, spoken = by_filter(SAMPLES[1]), ["en", *sorted(set(languages()) - {"en"})]
    unsaid = ("agree", "strength", "int", "join", "touched", "flaws", "leaked", "terms", "texts", "bare", "ended")
    shown = {name: value for name, value in given.items() if name not in unsaid}
    rows = [f"| `{name}` | `{value}` | " + " | ".join(_said(words(language), name, value) for language in spoken) + " |"
            for name, value in sorted(shown.items())]
    return "\n".join([f"| | takes, for example | {' | '.join(spoken)} |", "|---" * (2 + len(spoken)) + "|", *rows]) + "\n"


def _said(made: Words, name: str, value: Any) -> str:
    return str(made.of(value, "card") if name == "of" else getattr(made, name)(value)).replace("|", "\\|")


def page(language: str) -> str:
    """Everything that a translator wants to read again."""
    said: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for one in lines(language):
        said[one.file, one.key, one.said] = one.trouble
    rows = [f"{file}.{key}\n    {Safe(text)}" + "".join(f"\n    ? {what}" for what in trouble)
            for (file, key, text), trouble in said.items()]
    rows += [f"missing: {key}" for key in missing(language)] + [f"unused: {key}" for key in unused(language)]
    return "\n".join([*rows, f"{len(said)} sentences, {sum(map(bool, said.values()))} doubtful"])
