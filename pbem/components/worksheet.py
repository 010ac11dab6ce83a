"""One page of questions for somebody who has the box: what we guessed, the most decisive guesses first."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from pbem.components.catalogue import Facts, facts
from pbem.components.sources import is_firm, provenance

INTRODUCTION = """# What does the box say?

No rulebook shows the board, the cards or the player aid, so some values had to be guessed. Please look these
up and write over the line what is printed. The moderator enters whatever differs into `overrides.yaml` of the
game, as `- {datum: provinces.hellas.vp, value: 4, src: box}`; if a table has other columns, he gives all of
`tables.battle.columns` anew.
"""
COLUMNS = """
| no. | datum | we have | because | printed |
|--:|---|---|---|---|
"""
BECAUSE = {"reconstructed": "our guess", "recalled": "from memory", "public": "only the gist is known",
           "seed": "only the gist is known"}
LONGEST = 72
UNSEEN_CARDS = ("10", "43", "44", "45", "46", "O63", "O65", "O66", "O69")
UNSURE_PORTS = ("pella", "issos", "larisa", "lesbos", "kyklades", "chersonesos")
UNSURE_GENERALS = ("antipatros", "ptolemaios", "leonnatos", "lysimachos", "eumenes", "kassandros",
                   "aristonous", "nearchos", "asandros", "pleistarchos", "menelaos", "polyarchos",
                   "perdikkas", "seleukos")


class Question(NamedTuple):
    """Data of one kind, with where to look. The first `urgent` of them come before the rest of any other."""

    look: str
    datums: list[str]
    urgent: int = 0


def worksheet(limit: int = 60) -> str:
    """The page in Markdown, with at most `limit` blanks."""
    page = INTRODUCTION
    number = 0
    for look, asked in groupby(blanks()[:limit], key=lambda blank: blank[0]):
        page += f"\n## {look}\n{COLUMNS}"
        for _, datum in asked:
            number += 1
            page += f"| {number} | `{datum}` | {_have(datum)} | {BECAUSE[_source(datum)]} | ____ |\n"
    return page


def blanks() -> list[tuple[str, str]]:
    """What to look at and which datum: every doubtful one that the box could settle, most decisive first."""
    asked = [q._replace(datums=[d for d in q.datums if not is_firm(d)]) for q in _questions(facts())]
    urgent = [(q.look, d) for q in asked for d in q.datums[:q.urgent]]
    return urgent + [(q.look, d) for q in asked for d in q.datums[q.urgent:]]


def _questions(f: Facts) -> Iterator[Question]:
    """Ordered by what a wrong value does to a game: the table of every battle first, town names last."""
    yield Question("Battle Table: the column for rolls 2 to 12 (8 of 176 cells are known)", [
        f"tables.battle.columns.{c}.scores" for c in _columns(f, "battle")], 16)
    yield Question("Province panels: the orange number", [
        f"provinces.{p}.vp" for p in sorted(f.provinces, key=lambda p: -f.provinces[p]["vp"])], 12)
    # column 1 is known but for an e that matters to a lone elephant: it can wait
    yield Question("Attrition Table: the column for rolls 1 to 6 (column 1 and one more cell are known)", [
        f"tables.attrition.columns.{c}.results" for c in (*_columns(f, "attrition")[1:], "1")], 9)
    yield Question("Siege Table: Siege Points, and CUs lost", [f"tables.siege.rows.{row}" for row in (
        "5.points", "7.points", ">=8.points", "4.loss", "5.loss", "6.loss", "7.loss", ">=8.loss")], 6)
    yield Question("Map: circle (minor), square (major) or hexagon (stronghold)", [
        f"spaces.{s}.kind" for s in ("persepolis", "kyrene")], 2)
    yield Question("Cards whose text nobody has read: what do they do?", [
        f"cards.{c}.effect" for c in UNSEEN_CARDS], 9)
    yield Question("Cards: the OPs", [f"cards.{c}.ops" for c in _cards_by_doubtful_ops(f)], 1)
    yield Question("Unrest cards: the Provinces they name", [
        f"cards.{c}.params.provinces" for c in ("19", "18", "17")], 1)
    yield Question("General cards: the ratings", [
        f"generals.{g}.{rating}" for g in UNSURE_GENERALS for rating in ("initiative", "battle")], 4)
    yield Question("Map: gray symbols, with the numbers of players they are for", [
        f"spaces.{s}.independent" for s in f.spaces if f.spaces[s]["independent"]])
    yield Question("Counters of the Independent Armies", [
        f"independents.{i}.{field}" for i in f.independents for field in ("cus", "battle")])
    yield Question("Map: the letter H", [
        f"spaces.{s}.hellespont" for s in f.spaces if f.spaces[s]["hellespont"]])
    yield Question("Fleet counters", [
        f"fleets.{i}.{side}" for side in ("normal", "upgraded") for i in f.fleets])
    yield Question("Map: ports", [f"spaces.{s}.port" for s in UNSURE_PORTS])
    yield Question("Map: paths across the open sea", _paths(f, "trans"))
    yield Question("Map: where the dotted paths end", [
        f"independents.{i}.entries" for i in f.independents if f.independents[i]["entries"]])
    yield Question("Cards: the exact text", [f"cards.{c}.effect" for c in f.cards if c not in UNSEEN_CARDS])
    yield Question("Is there this further copy in the deck?", [
        f"cards.{c}.copy_of" for c in f.cards if f.cards[c]["copy_of"]])
    yield Question("Map: the type of the path", _paths(f, "mountain", "strait"))
    yield Question("Cards: the number", [f"cards.{c}.number" for c in f.cards])
    yield Question("Map: the name", [
        f"spaces.{s}.name" for s in f.spaces if f.spaces[s]["kind"] != "transit"])


def _columns(f: Facts, table: str) -> list[str]:
    return [column["label"] for column in f.tables[table]["columns"]]


def _cards_by_doubtful_ops(f: Facts) -> list[str]:
    """Nearly all cards have 3 OPs; 4 also upgrade a Fleet or recruit, so a guessed 4 is checked first."""
    ops = {c: card["ops"] for c, card in f.cards.items() if card["ops"]}
    return sorted(ops, key=lambda c: (ops[c] == 3, -ops[c]))


def _paths(f: Facts, *types: str) -> list[str]:
    return [f"paths.{a}-{b}" for a, b, kind in f.paths if kind in types]


def _source(datum: str) -> str:
    return provenance(datum).split()[0]


def _have(datum: str) -> str:
    """The value as a person would read it from the component."""
    f = facts()
    part, entity, *steps = datum.split(".")
    if part == "paths":
        return " and ".join(kind for a, b, kind in f.paths if f"{a}-{b}" == entity)
    value: Any = getattr(f, part)[entity]
    title = f"{value['name']}: " if part == "cards" else ""
    for step in steps:
        value = _row(value, step) if isinstance(value, list) else value[step]
    if isinstance(value, bool):
        value = "yes" if value else "no"
    text = title + (" ".join(str(x) for x in value) if isinstance(value, list) else str(value))
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} ..."


def _row(rows: list[Any], label: str) -> Any:
    return next(row for row in rows if str(row.get("label", row.get("roll"))) == label)
