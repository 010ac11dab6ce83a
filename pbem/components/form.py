"""The form: what is printed on board, cards and counters as lines of text that one fills in with the box at hand.

    [ ] open: what we have, or have guessed        [=] read in the rules, still open
    [x] confirmed from the box                     [+] confirmed, and the box has it although we have not
    [-] the box does not have it
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.base.errors import BadLog, PbemError
from pbem.components.corrections import shown, value_of
from pbem.components.lines import (
    CERTAIN,
    CONFIRMED,
    MARKS,
    NEW,
    OPEN,
    PRINT,
    RULES,
    SECTIONS,
    STRUCK,
    Cards,
    Item,
    Names,
    Others,
    Row,
    Section,
    Tree,
    Wrong,
    numbered,
)
from pbem.components.origins import is_firm, told_of
from pbem.components.schema import BY_RULING, parts_of_box
from pbem.components.shipped import PARTS

LINE = re.compile(r"\s*\[([^\]]*)\]\s*(.*)")
EDITION = re.compile(r"^edition:[ \t]*(\S*)", re.MULTILINE)
SECTION = re.compile(r"(\w+):\s*\|?\s*(.*)")


class Claim(NamedTuple):
    """What the form says of one datum, and where."""

    datum: str
    value: Any
    line: int
    mark: str

    @property
    def certain(self) -> bool:
        return self.mark in CERTAIN


NOTHING_PRINTED: Mapping[str, str] = {}


# --- writing -----------------------------------------------------------------------------------------------------


def written(tree: Tree, base: Tree, intro: str = "", confirmed: Callable[[str], bool] = lambda datum: False, by: str = "",
            on: str = "", printed: Mapping[str, str] = NOTHING_PRINTED, edition: str = "") -> str:
    """The form for these data, against those that are shipped for that edition.

    Only what was `confirmed` from a box is marked so: a guess that looks certain is worse than a blank.
    """
    names, ours, number = Names(tree), Names(base), numbered(tree)
    lines = [f"# {line}".rstrip() for line in intro.splitlines()]
    lines += [*([f"edition: {edition}"] if edition else []), f"by: {shown(by)}", f"on: {shown(on)}"]
    said: set[str] = set()
    own_sources = told_of(edition) if edition else {}
    for section in SECTIONS:
        lines += ["", f"{section.key}: |", f"  # {section.minutes} min; for example:  [x] {section.example}"]
        heading = ""
        for row in section.rows(tree, names):
            if row.heading != heading:
                heading = row.heading
                lines += ["", f"  == {names.say('provinces', heading)} =="]
            new = bool(section.part) and row.id != "all" and row.id not in base[section.part]
            at = f"  # {number[row.id]}" if section.key == "map" else ""
            lines.append(f"  [{NEW if new else mark_of(row, confirmed, edition)}] {row.text}{at}")
            own_source = f"{section.part}.{row.id}."
            lines += [f"      # {datum.removeprefix(own_source)}: {source}" for datum, source in own_sources.items()
                      if datum.startswith(own_source)]
            own = printed.get(f"{section.part}.{row.id}")
            lines += [f"      {one}" for one in (*row.below, *text_of_card(row.id, tree, base, confirmed),
                                                 *([f"{PRINT}: {own}"] if own else []))]
            said |= row.data.keys()
        if section.part:
            lines += [f"  [{STRUCK}] {id if section.part == 'cards' else ours.say(section.part, id)}"
                      for id in base[section.part] if id not in tree[section.part]]
    others = dict(unsaid(tree, base, said, edition))
    lines += [f"  [{CONFIRMED}] {datum}: {shown(value)}" for datum, value in others.items()]
    lines += [f"  [{mark_of(row, confirmed, edition)}] {row.text}" for row in asked_besides(tree, {*said, *others}, edition)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def mark_of(row: Row, confirmed: Callable[[str], bool], edition: str = "") -> str:
    data = [datum for datum in row.data if datum not in row.apart]
    return CONFIRMED if all(map(confirmed, data)) else RULES if all(from_rules(datum, edition) for datum in data) else OPEN


def asked_besides(tree: Tree, said: set[str], edition: str) -> Iterator[Row]:
    """Numbers that another edition prints where the 4th has no line for them."""
    for datum in told_of(edition) if edition else ():
        if not {datum, datum.rpartition(".")[0]} & said and isinstance(value := known(tree, datum), int):
            yield Row(datum, f"{datum}: {shown(value)}", {datum: value})


def known(tree: Tree, datum: str) -> Any:
    """A datum, if the tree has it."""
    try:
        return value_of(tree, datum)
    except PbemError:
        return None


def is_text_of_card(datum: str) -> bool:
    return datum.startswith("cards.") and datum.rpartition(".")[2] in (*Cards.TEXT, "effect", "stand_in")


def text_of_card(id: str, tree: Tree, base: Tree, confirmed: Callable[[str], bool]) -> list[str]:
    """Whether the card does what ours does; if not, what it does."""
    card, ours = tree["cards"].get(id), base["cards"].get(id)
    if card is None:
        return []
    if ours is not None and all(card[key] == ours[key] for key in Cards.TEXT):
        return [f"as ours: {'y' if all(confirmed(f'cards.{id}.{key}') for key in Cards.TEXT) else '?'}"]
    lines = [] if ours is None else ["as ours: n"]
    if card["effect_key"] == BY_RULING:
        lines += ["does: by ruling", f"says: {card['params']['says']}", f"when: {', '.join(card['timing'])}"]
        return lines
    lines.append(f"does: {card['effect_key']} {shown(card['params'])}")
    lines.append(f"when: {', '.join(card['timing'])}")
    return [*lines, *([f"text: {' '.join(card['effect'].split())}"] if card["effect"] else [])]


def unsaid(tree: Tree, base: Tree, said: set[str], edition: str = "") -> Iterator[tuple[str, Any]]:
    """What differs from the shipped data and has no line of its own."""
    kinds = parts_of_box(edition)
    for part in PARTS:
        if part in ("paths", "tables", "counterparts"):
            continue
        has_lines = any(section.part == part for section in SECTIONS)
        for id, thing in tree[part].items():
            known = base[part].get(id) or (dict(kinds[part].usual) if has_lines else {})
            given = {f"{part}.{id}.{key}": value for key, value in thing.items() if key not in known or value != known[key]}
            yield from ((datum, value) for datum, value in given.items()
                        if datum not in said and not is_text_of_card(datum) and not datum.endswith((".name", ".number")) or
                        datum.endswith((".name", ".number")) and id in base[part] and datum not in said)
    for key, table in tree["tables"].items():
        parts = table.items() if isinstance(table, Mapping) else [("", table)]
        for one, value in parts:
            datum = f"tables.{key}.{one}".rstrip(".")
            was = base["tables"][key][one] if one else base["tables"][key]
            if value != was and datum not in said:
                yield datum, value


def from_rules(datum: str, edition: str = "") -> bool:
    """Is it read in a text of that edition, and every part of it?"""
    try:
        return is_firm(datum, edition) and datum not in PIECED_TOGETHER
    except (KeyError, StopIteration):
        return False


PIECED_TOGETHER = ("tables.siege.rows",)                # some rows are read, others lie between them


def edition_of(text: str) -> str:
    """Of which edition's box a form is; nothing for the 4th."""
    said = EDITION.search(text)
    return said[1].strip("\"'") if said else ""


# --- reading -----------------------------------------------------------------------------------------------------


class Filled(NamedTuple):
    """A form as it was filled in: what it claims, line by line, and what cannot be read in it."""

    by: str
    on: str
    claims: list[Claim]
    faults: list[PbemError]
    printed: dict[str, str]                 # what cards say word for word: `cards.12`, `generals.eumenes`


def read(text: str, tree: Tree, file: str = "") -> Filled:
    """All that a form says; every fault is told, with its line."""
    names = Names(tree)
    faults: list[PbemError] = []
    head: dict[str, str] = {}
    items = list(_items(text, head, faults, file))
    for section, item, _ in items:          # what is new, or has another name, is known before it is spoken of
        if isinstance(section, Others) and section.name(item).endswith(".name"):
            part, _, id = section.name(item).removesuffix(".name").partition(".")
            names.rename(part, id, item.text.partition(":")[2])
        if item.mark == NEW and section.part and section.name(item):
            name = section.name(item)
            names.add(section.part, name)
    claims: list[Claim] = []
    struck: dict[str, int] = {}
    seen: dict[tuple[str, str], int] = {}
    around: dict[str, tuple[dict[str, list[str]], Item]] = {}
    printed: dict[str, str] = {}
    ours = {(section.key, row.id): row for section in SECTIONS for row in section.rows(tree, Names(tree))}
    for section, item, heading in items:
        try:
            name = section.name(item)
            id = name if not section.part or name == "all" else names.find(section.part, name)
            if (section.key, id) in seen:
                raise Wrong("once", section.example, text=name)
            seen[section.key, id] = item.line
            if item.mark == STRUCK:
                struck[f"{section.part}.{id}"] = item.line
                continue
            if item.printed:
                printed[f"{section.part}.{id}"] = item.printed
            province = names.find("provinces", heading) if section.key == "map" else ""
            stated = section.read(item, id, names, province)
            if item.mark == CONFIRMED and (row := ours.get((section.key, id))):      # what is left out is as we have it
                stated = {**{datum: value for datum, value in row.data.items()
                             if datum not in row.apart and not datum.startswith("paths.")}, **stated}
            for datum, value in stated.items():
                if datum.startswith("around."):
                    around[id] = (value, item)
                else:
                    claims.append(Claim(datum, value, item.line, CONFIRMED if is_text_of_card(datum) else item.mark))
        except Wrong as wrong:
            faults.append(BadLog("form_line", file=file, line=wrong.line or item.line, datum=f"{section.key}: {item.text[:40]}",
                                 wanted=wrong.wanted, value=wrong.text, example=wrong.example))
    claims += _paths(around, struck, tree, faults, file)
    claims += [Claim(thing, None, line, STRUCK) for thing, line in struck.items()]
    return Filled(head.get("by", ""), head.get("on", ""), claims, faults, printed)


def _items(text: str, head: dict[str, str], faults: list[PbemError], file: str) -> Iterator[tuple[Section, Item, str]]:
    """The lines of each section, with what stands below them and the heading above."""
    sections = {section.key: section for section in SECTIONS}
    section: Section | None = None
    item: Item | None = None
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.strip()
        if not plain or plain.startswith("#"):
            continue
        if (top := SECTION.fullmatch(line)) and not line[0].isspace():
            if section is not None and item is not None:
                yield section, item, heading
            item, heading, section = None, "", sections.get(top[1])
            if section is None and top[1] not in ("by", "on", "edition"):
                faults.append(BadLog("form_section", file=file, line=number, found=top[1], known=list(sections)))
            elif section is None:
                head[top[1]] = top[2].strip().strip("\"'")
            continue
        if section is None:
            faults.append(BadLog("form_stray", file=file, line=number, found=plain[:60]))
            continue
        begins = LINE.fullmatch(line)
        if begins or plain.startswith("=="):
            if item is not None:
                yield section, item, heading
                item = None
            if begins is None:
                heading = plain.strip("= ")
                continue
            mark = begins[1].strip().casefold()[:1] or OPEN
            mark = CONFIRMED if mark in ("v", "✓", "х") else mark
            if mark not in MARKS:
                faults.append(BadLog("form_mark", file=file, line=number, found=begins[1], known=[f"[{one}]" for one in MARKS]))
                mark = OPEN
            item = Item(number, mark, re.split(r"\s+#\s", begins[2], maxsplit=1)[0].strip(), [])
        elif item is not None:
            item.below.append((number, plain))
        else:
            faults.append(BadLog("form_stray", file=file, line=number, found=plain[:60]))
    if section is not None and item is not None:
        yield section, item, heading


def _paths(around: Mapping[str, tuple[dict[str, list[str]], Item]], struck: Mapping[str, int], tree: Tree,
           faults: list[PbemError], file: str) -> Iterator[Claim]:
    """Every path from the lines at both of its ends. Where they differ, the confirmed one counts; if both are, one is wrong."""
    ours: dict[tuple[str, str], list[str]] = {}
    for a, b, kind in tree["paths"]:
        ours.setdefault((min(a, b), max(a, b)), []).append(kind)
    pairs = dict.fromkeys([*ours, *((min(a, b), max(a, b)) for a, (ends, _) in around.items() for b in ends)])
    for a, b in pairs:
        if f"spaces.{a}" in struck or f"spaces.{b}" in struck:
            continue
        views = [(sorted(around[here][0].get(there, [])), around[here][1]) for here, there in ((a, b), (b, a))
                 if here in around]
        if not views:
            continue
        known = sorted(ours.get((a, b), []))
        if len(views) == 2 and views[0][0] != views[1][0]:
            certain = [view for view in views if view[1].mark in CERTAIN]
            if len(certain) != 1:
                one, other = views
                faults.append(BadLog("path_ends_differ", file=file, line=one[1].line, other=other[1].line,
                                     datum=f"paths.{a}-{b}", value=", ".join(one[0]) or "-", found=", ".join(other[0]) or "-"))
                continue
            views = certain
        said, item = min(views, key=lambda view: view[1].mark not in CERTAIN)
        yield Claim(f"paths.{a}-{b}", ours[a, b] if said == known and known else said, item.line,
                    CONFIRMED if item.mark in CERTAIN else item.mark)
