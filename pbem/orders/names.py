"""What people type -> ids, and back: every edition's spelling, accents, other alphabets, clear prefixes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from pbem.base.errors import Ambiguous, Unreadable
from pbem.base.paths import languages
from pbem.components.catalogue import Facts
from pbem.orders.tongues import in_english

Entries = Mapping[str, Mapping[str, Any]]

CUS = {
    "loyal": "loyal", "royal": "royal", "silver": "silver shields", "elephant": "elephant",
    "mercenary": "mercenary", "cavalry": "cavalry", "independent": "independent",
}

CU_WORDS = {
    "loyal": "loyals, loyal macedonian, loyal macedonians, macedonian, macedonians, LM, loyale,"
    " makedonen, loyal makedonen, leali, macedoni loyal, loyal македонян, верные, верные македоняне, верный македонянин,"
    " македоняне",
    "royal": "royals, RA, RAs, royal army, royal armies, KA, königliche armee, königliche, ER, esercito"
    " reale, reali, ЦВ, царское войско, царские войска, царские",
    "silver": "SS, silver shield, silvershields, argyraspides, silberschild, silberschilde, scudi,"
    " scudi d'argento, аргираспиды, аргираспид, аргираспидов",
    "elephant": "ele, eles, elephants, elefant, elefanten, elefante, elefanti, слон, слоны, слона, слонов",
    "mercenary": "merc, mercs, mercenaries, söldner, söldnern, mercenari, mercenario, наемник, наемники,"
    " наемника, наемников",
    "cavalry": "cav, cavs, cavalries, horse, kavallerie, reiterei, cavalleria, конница, конницы",
    "independent": "ind, inds, independents, independent army, unabhängig, unabhängige, indipendente,"
    " indipendenti, независимый, независимые, независимых",
}

SEAT_WORDS = {
    "red": "rot, rosso, красный, красные",
    "blue": "blau, blu, синий, синие",
    "yellow": "gelb, giallo, желтый, желтые",
    "black": "schwarz, nero, черный, черные",
    "green": "grün, verde, зеленый, зеленые",
    "independent": "independents, independent faction, unabhängig, unabhängige, indipendente, indipendenti,"
    " независимый, независимые",
}

# Words that people put around a name and that are no part of it.
FRAME = {
    "the", "card", "general", "player", "fleet", "space", "province", "faction",
    "der", "die", "das", "karte", "il", "lo", "la", "le", "i", "carta", "flotte", "flotta",
}

# Where a language has the forms of a kind, besides those of names.
FORMS = {"royal": ("royal",), "seat": ("seat",), "cu": ("cu", "counted", "unit")}

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ё": "е"})

# Ancient, not modern, values: Demetrios and Eumenes, where a general table would write Dimitrios and Eymenis.
GREEK = str.maketrans({
    "α": "a", "β": "b", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "e", "θ": "th", "ι": "i", "κ": "k",
    "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t",
    "υ": "y", "φ": "ph", "χ": "ch", "ψ": "ps", "ω": "o",
})
GREEK_PAIRS = (("ου", "ou"), ("αυ", "au"), ("ευ", "eu"), ("γγ", "ng"), ("γκ", "nk"), ("γχ", "nch"))

_NO_PUNCTUATION = {code: None for code in range(128) if not chr(code).isalnum()}

# --- Spelling -------------------------------------------------------------------------------------


def fold(text: str) -> str:
    """Letters and digits only, small, without accents; other alphabets stay what they are."""
    if text.isascii():
        return text.lower().translate(_NO_PUNCTUATION)
    from unicodedata import normalize

    return "".join(letter for letter in normalize("NFKD", text.casefold()) if letter.isalnum())


def in_latin(text: str) -> str:
    """A name in Greek, Cyrillic or any other letters, written in Latin ones."""
    from anyascii import anyascii

    letters = fold(text)
    for pair, latin in GREEK_PAIRS:
        letters = letters.replace(pair, latin)
    return fold(anyascii(letters.translate(GREEK)))


def _keys(text: str) -> list[str]:
    """The spellings under which a typed name is looked up, the most literal first."""
    keys = [fold(text)]
    words = text.split()
    while len(words) > 1 and words[0].lower().rstrip(".") in FRAME:
        words = words[1:]
        keys.append(fold(" ".join(words)))
    if len(words) > 1 and words[-1].lower() in FRAME:
        keys.append(fold(" ".join(words[:-1])))
    if not text.isascii():
        keys.append(in_latin(text))
    return [key for key in keys if key]


def _spelled(text: str) -> Iterator[str]:
    """The keys under which a name of the board is kept."""
    yield fold(text)
    plain = text.casefold()
    if not plain.isascii() and (written_out := plain.translate(UMLAUTS)) != plain:
        yield fold(written_out)
    first, _, rest = plain.replace("'", " ").partition(" ")
    if rest and (first in FRAME or first in ("l", "gli")):
        yield fold(rest)


def _listed(words: str) -> list[str]:
    return words.split(", ")


# --- Names ----------------------------------------------------------------------------------------


class Names:
    """All names of one game, read in both directions."""

    __slots__ = ("_absent", "_aliases", "_exact", "_index", "_own", "_shown", "minors")

    def __init__(self, facts: Facts, seats: Mapping[str, Mapping[str, Any]] | None = None,
                 absent: Mapping[str, str] | None = None) -> None:
        people = {**facts.generals, **facts.minors, **facts.independents}
        self.minors = frozenset(facts.minors)
        self._absent = absent or {}                 # Minor Generals of colours that nobody plays, and these colours
        shown: dict[str, dict[str, str]] = {
            "space": _named(facts.spaces),
            "province": _named(facts.provinces),
            "general": _named(people),
            "royal": _named(facts.royals),
            "card": _named(facts.cards),
            "fleet": _named(facts.fleets),
            "seat": {seat: seat.capitalize() for seat in (*(seats or ()), "independent")},
            "cu": CUS,
        }
        shown["location"] = {
            place: words
            for space, name in shown["space"].items()
            for place, words in (
                (space, name), (f"{space}/inside", f"inside {name}"), (f"{space}/sea", f"at sea off {name}"),
            )
        }
        shown["piece"] = {**shown["general"], **shown["royal"], **shown["cu"]}
        self._shown = shown
        self._exact = {kind: {name: id for id, name in names.items() if id not in self._absent}
                       for kind, names in shown.items()}
        self._exact["card"] = {id: id for id in shown["card"]}  # several cards share a name
        self._index: dict[str, dict[str, tuple[str, ...]]] = {}
        self._own: dict[str, dict[str, dict[str, None]]] = {}
        self._aliases = {
            "space": _other_names(facts.spaces, facts.counterparts),
            "province": _other_names(facts.provinces),
            "general": _other_names(people),
            "royal": _other_names(facts.royals),
            "card": _other_names(facts.cards),
            "fleet": _other_names(facts.fleets),
            "seat": _other_seat_names(seats or {}),
            "cu": {cu: _listed(words) for cu, words in CU_WORDS.items()},
        }

    # --- ids -> names

    def say(self, kind: str, id: str) -> str:
        """The display name, in 4th edition spelling."""
        return self._shown[kind][id]

    def word(self, english: str, number: int = 0) -> str:
        """The words between the names, as the log has them, whatever number stands before them."""
        return english

    def line(self, words: Sequence[str]) -> str:
        """The whole order."""
        return " ".join(words)

    def count(self, number: int, cu: str) -> str:
        return f"{number} {self._shown['cu'][cu]}"

    def after(self, english: str) -> "Names":
        """Who says what stands behind these words: English has one form of a name."""
        return self

    def _reading(self, kind: str, id: str) -> str:
        return f"{id} {self._shown['card'][id]}" if kind == "card" else self._shown[kind][id]

    # --- names -> ids

    def resolve(self, kind: str, text: str, within: Collection[str] | None = None) -> str:
        """The one id of this kind that the text names; `within` leaves only some ids to choose from."""
        found = self._exact[kind].get(text)
        if found is not None and (within is None or found in within):
            return found
        if kind == "location":
            return self._location(text, within)
        return self._read((kind,), text, None if within is None else {kind: within})[1]

    def exact(self, kind: str, text: str) -> str | None:
        """The id whose display name this is, to the letter."""
        return self._exact[kind].get(text)

    def resolve_any(
        self, kinds: tuple[str, ...], text: str, within: Mapping[str, Collection[str]] | None = None
    ) -> tuple[str, str]:
        """(kind, id) of whatever the text names; an earlier kind wins where whole names are alike."""
        for kind in kinds:
            found = self._exact[kind].get(text)
            if found is not None and _allowed(found, kind, within):
                return kind, found
        return self._read(kinds, text, within)

    def _read(
        self, kinds: tuple[str, ...], text: str, within: Mapping[str, Collection[str]] | None
    ) -> tuple[str, str]:
        keys = _keys(text)
        if len(kinds) == 1:                                                 # as it is called here, in any spelling
            own = [id for id in self._own_of(kinds[0]).get(keys[0], ()) if _allowed(id, kinds[0], within)] if keys else []
            if own:
                return self._only([(kinds[0], id) for id in own], kinds, text)
        indexes = [(kind, self._index_of(kind)) for kind in kinds]
        for key in keys:
            for kind, index in indexes:
                hits = [id for id in index.get(key, ()) if _allowed(id, kind, within)]
                if hits:
                    return self._only([(kind, id) for id in hits], kinds, text)
        for key in keys:
            if len(key) < 3 or key.isdecimal():
                continue
            begun = {
                (kind, id): None
                for kind, index in indexes
                for name, ids in index.items()
                if name.startswith(key)
                for id in ids
                if _allowed(id, kind, within)
            }
            if begun:
                return self._only(list(begun), kinds, text)
        raise Unreadable(
            "unknown_name", kind=kinds[0] if len(kinds) == 1 else "name", text=text,
            suggestions=self._near(keys, indexes, within),
        )

    def _only(self, hits: list[tuple[str, str]], kinds: tuple[str, ...], text: str) -> tuple[str, str]:
        here = [hit for hit in hits if hit[1] not in self._absent]
        if not here:
            raise Unreadable("nobody_plays_him", general=hits[0][1], seat=self._absent[hits[0][1]])
        if len(here) == 1:
            return here[0]
        readings = [self._reading(kind, id) for kind, id in here]
        raise Ambiguous(
            "ambiguous_name", kind=kinds[0] if len(kinds) == 1 else "name", text=text, readings=readings
        )

    def _near(
        self,
        keys: list[str],
        indexes: list[tuple[str, dict[str, tuple[str, ...]]]],
        within: Mapping[str, Collection[str]] | None,
    ) -> list[str]:
        known = {
            name: self._reading(kind, id)
            for kind, index in indexes
            for name, ids in index.items()
            for id in ids
            if _allowed(id, kind, within) and id not in self._absent
        }
        near = [known[name] for key in keys for name in _close(key, tuple(known))]
        return list(dict.fromkeys(near))[:3]

    def _location(self, text: str, within: Collection[str] | None) -> str:
        """A space, perhaps with the part of it: `Pella inside`, `pella/inside`, `at sea off Pella`."""
        part = ""
        words = []
        for word in text.replace("/", " ").replace(",", " ").split():
            plain = word.lower().strip("()")
            if plain in ("inside", "outside", "sea"):
                part = plain
            elif plain not in ("at", "off", "of"):
                words.append(word)
        ending = "" if part in ("", "outside") else f"/{part}"
        spaces = None if within is None else {place.partition("/")[0] for place in within}
        place = self.resolve("space", " ".join(words), spaces) + ending
        if within is not None and place not in within:
            others = [self.say("location", other) for other in within]
            raise Unreadable("unknown_name", kind="location", text=text, suggestions=others[:3])
        return place

    # --- The index of one kind: folded spelling -> ids, made when something else than a display name is typed

    def _index_of(self, kind: str) -> dict[str, tuple[str, ...]]:
        index = self._index.get(kind)
        if index is None:
            index = self._index[kind] = self._made_index(kind)
        return index

    def _own_of(self, kind: str) -> dict[str, dict[str, None]]:
        """What this box calls them."""
        own = self._own.get(kind)
        if own is None:
            own = self._own[kind] = {}
            for id, name in self._shown.get(kind, {}).items():
                for text in (id, id.removeprefix("tp_"), name):
                    for key in _spelled(text):
                        own.setdefault(key, {})[id] = None
        return own

    def _made_index(self, kind: str) -> dict[str, tuple[str, ...]]:
        if kind == "piece":
            merged: dict[str, tuple[str, ...]] = {}
            for part in ("general", "royal", "cu"):
                for key, ids in self._index_of(part).items():
                    merged[key] = (*merged.get(key, ()), *ids)
            return merged
        own = self._own_of(kind)
        other: dict[str, dict[str, None]] = {}
        aliases, spoken = self._aliases[kind], _spoken(kind)
        for id, name in self._shown[kind].items():
            more = [*aliases.get(id, ()), *spoken.get(id, ())]
            if kind == "card":
                more += [id.strip("ABO"), f"{id} {name}", f"{name} {id}"]
            for text in more:
                for key in _spelled(text):
                    other.setdefault(key, {})[id] = None
        # A name on the 4th edition's board beats the same word as another edition's name for something else.
        return {key: tuple(ids) for key, ids in {**other, **own}.items() if key}


@lru_cache(maxsize=64)
def _called(facts: Facts, people: tuple[tuple[str, str], ...]) -> Names:
    seats = {seat: {"name": name} for seat, name in people}
    colors = {name: fact["color"] for name, fact in facts.minors.items()}
    return Names(facts, seats, {name: color for name, color in colors.items() if seats and color not in seats})


def names_of(facts: Facts, seats: Mapping[str, Mapping[str, Any]]) -> Names:
    """The names of a game, made once for all who play with the same things and people: a trial, a fold, the desk."""
    return _called(facts, tuple((seat, str(person.get("name") or "")) for seat, person in seats.items()))


@lru_cache(maxsize=1024)
def _close(key: str, names: tuple[str, ...]) -> list[str]:
    """One word is looked for again and again: as an answer, as an order, as an order in other words."""
    from difflib import get_close_matches

    return get_close_matches(key, names, n=9, cutoff=0.6)


def _allowed(id: str, kind: str, within: Mapping[str, Collection[str]] | None) -> bool:
    return within is None or kind not in within or id in within[kind]


def _named(entries: Entries) -> dict[str, str]:
    return {id: entry["name"] for id, entry in entries.items()}


def _other_names(entries: Entries, counterparts: Iterable[Mapping[str, Any]] = ()) -> dict[str, list[str]]:
    names = {
        id: [*entry.get("aliases", ()), *([entry["army"]] if "army" in entry else [])]
        for id, entry in entries.items()
    }
    for counterpart in counterparts:
        names[counterpart["space"]].append(counterpart["name"])
    return names


@cache
def forms_of(kind: str) -> dict[str, list[str]]:
    """The forms that names of a kind have in the languages there are."""
    from pbem.base.language import sentences

    found: dict[str, list[str]] = {}
    for language in languages():
        terms = sentences(language, "terms")
        tables = [terms["name"].get(kind, {}), *(terms[one] for one in FORMS.get(kind, ()))]
        for table in (*tables, *(terms["seat_in"].values() if kind == "seat" else ())):
            for id, forms in table.items():
                found.setdefault(id.partition(" ")[0], []).extend(_forms(forms))     # `pergamon third`: as a book calls it
    return found


@cache
def _spoken(kind: str) -> dict[str, list[str]]:
    """What is offered in any of them is read again, also where a word of a name was taken for one of an order."""
    return {id: list(dict.fromkeys(said for form in forms for said in (form, in_english(form))))
            for id, forms in forms_of(kind).items()}


def _forms(told: Any) -> Iterator[str]:
    """A word, a list of its forms, or such a list for each case."""
    if isinstance(told, str):
        yield told
    else:
        for one in told.values() if isinstance(told, Mapping) else told:
            yield from _forms(one)


def _other_seat_names(seats: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    names = {seat: _listed(SEAT_WORDS.get(seat, "")) for seat in (*seats, "independent")}
    for seat, person in seats.items():
        if person.get("name"):
            names[seat].append(person["name"])
    return names
