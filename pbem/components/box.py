"""A box file: a form that somebody has filled in, judged. What it corrects and confirms, what is wrong, what is open."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import BadLog, PbemError
from pbem.components import form
from pbem.components.catalogue import facts
from pbem.components.corrections import Tree, as_written, correct, fitting, place, shown, types_between, value_of
from pbem.components.form import Claim
from pbem.components.lines import SECTIONS, Names
from pbem.components.schema import parts_of_box
from pbem.components.shipped import PARTS, otherwise, shipped
from pbem.components.soundness import problems

THINGS = tuple(part for part in PARTS if part not in ("paths", "counterparts", "tables"))
USUAL = "fourth"                                            # whose box is meant where a form names none
Correction = dict[str, Any]


class Gap(NamedTuple):
    """How many lines of a section are open; of the map, in which Province."""

    section: str
    province: str
    lines: int


class Box(NamedTuple):
    """What a form comes to."""

    by: str
    on: str
    hash: str
    tree: Tree
    corrections: list[Correction]               # from the shipped data to those of the box
    confirmed: list[str]                        # data, and parts of which all data are
    faults: list[PbemError]
    remarks: list[PbemError]                    # contradictions with what the rules say: looked at again, not refused
    lines: int                                  # how many there are to confirm
    gaps: list[Gap]
    printed: dict[str, str]                     # what cards say word for word; never public
    edition: str = ""                           # whose box it is; nothing for the 4th

    @property
    def percent(self) -> int:
        return 100 - -(-100 * sum(gap.lines for gap in self.gaps) // max(1, self.lines))

    def header(self) -> dict[str, Any]:
        """What the header of a game holds of it, or an entry that takes a newer one: heads vouch for it."""
        return {"by": self.by, "on": self.on, "hash": self.hash, "corrections": as_written(self.corrections),
                "confirmed": self.confirmed}


def is_confirmed(confirmed: Iterable[str]) -> Callable[[str], bool]:
    """Is a datum among them, or in a part that is?"""
    known = set(confirmed)

    def asked(datum: str) -> bool:
        steps = datum.split(".")
        return any(".".join(steps[:depth]) in known for depth in range(1, len(steps) + 1))

    return asked


def box_named(edition: str) -> str:
    """As the data name its box: that of the 4th needs no name."""
    return "" if edition == USUAL else edition


def judge_edition(found: Box, wanted: str) -> None:
    """What another edition's box has is not taken for this one's."""
    if found.edition != wanted:
        raise BadLog("box_of_another", found=found.edition or USUAL, wanted=wanted or USUAL)


def load(path: Path) -> Box:
    return judged(yamlfile.read(path), str(path))


def judged(text: str, file: str = "") -> Box:
    """The form read and judged against the data that are shipped: all faults at once, each with its line."""
    named = form.edition_of(text)
    edition = named if otherwise(named) else ""
    base = shipped(edition)
    filled = form.read(text, base, file)
    faults = list(filled.faults)
    if named != edition:
        faults.append(BadLog("box_of_no_edition", file=file, line=text[:text.index("edition:")].count("\n") + 1, text=named))
    tree = shipped(edition)
    kinds = parts_of_box(edition)
    certain = [claim for claim in filled.claims if claim.certain]
    for claim in filled.claims:
        if not claim.certain and differs(base, claim, kinds):
            faults.append(BadLog("not_ticked", file=file, line=claim.line, datum=claim.datum, value=shown(claim.value),
                                 found=shown(_ours(base, claim.datum))))
    for claim in sorted(certain, key=_order):
        if claim.datum.startswith("paths.") and any(end not in tree["spaces"] for end in claim.datum[6:].split("-")):
            continue                                            # it goes with its space
        try:
            correct(tree, {"datum": claim.datum, "value": claim.value}, kinds)
        except PbemError as error:
            faults.append(_at(error, file, claim.line))
    lines_of = _lines(certain)
    if not faults:
        faults += [_at(error, file, _line_of(str(error.facts.get("datum", "")), lines_of)
                       or next((claim.line for claim in certain if claim.datum.endswith(f".{error.facts.get('value')}")), 0))
                   for error in problems(tree, base if edition else None)]
    confirmed, lines, gaps = _standing(tree, certain)
    changed = difference(base, tree)
    remarks = [] if filled.faults else [*_remarks(base, tree, changed, lines_of, file, edition)]
    if changed and not faults:
        remarks += _against_examples(tree, changed, lines_of, file, edition)
    digest = hashlib.sha256(yamlfile.dump(as_written([changed, confirmed])).encode()).hexdigest()[:16]
    return Box(filled.by, filled.on, digest, tree, changed, confirmed, sorted(faults, key=lambda one: one.facts.get("line", 0)),
               remarks, lines, gaps, filled.printed, edition)


def _order(claim: Claim) -> tuple[int, int]:
    """New things first, Provinces before what lies in them; what goes, goes last."""
    new = claim.datum.count(".") == 1 and isinstance(claim.value, Mapping)
    gone = claim.datum.count(".") == 1 and claim.value is None and not claim.datum.startswith("paths.")
    return (2 if gone else 0 if new else 1, PARTS.index(claim.datum.partition(".")[0])
            if claim.datum.partition(".")[0] in PARTS else 0)


def _ours(base: Tree, datum: str) -> Any:
    try:
        return value_of(base, datum)
    except PbemError:
        return None


def differs(base: Tree, claim: Claim, kinds: Mapping[str, Any]) -> bool:
    """Does a line say something else than the data?"""
    if claim.datum.startswith("paths."):
        return sorted(claim.value) != sorted(types_between(base, *claim.datum[6:].split("-")))
    try:
        holder, key, kind = place(base, claim.datum, kinds)
        return bool(holder[key] != fitting(kind, claim.value, claim.datum))
    except (PbemError, KeyError):
        return True


def _at(error: PbemError, file: str, line: int) -> PbemError:
    """The same, with the line on which it stands."""
    return BadLog(error.key, **{**error.facts, "file": file, "line": line})


def _ways(datum: str) -> list[str]:
    """A datum and what it lies in, the nearest first; a path and its ends."""
    part, *steps = datum.split(".")
    if part == "paths" and steps:
        ends = sorted(steps[0].split("-"))
        return [f"paths.{end}" for end in ("-".join(ends), *ends)]
    return [".".join((part, *steps[:depth])) for depth in range(len(steps), 0, -1)]


def _lines(claims: Iterable[Claim]) -> dict[str, int]:
    """The first line that says something about a datum or about anything in it."""
    found: dict[str, int] = {}
    for claim in claims:
        for way in _ways(claim.datum):
            found.setdefault(way, claim.line)
    return found


def _line_of(datum: str, lines: Mapping[str, int]) -> int:
    """The line that says most about a datum."""
    return next((lines[way] for way in _ways(datum) if way in lines), 0)


# --- how far it goes ---------------------------------------------------------------------------------------------


def _standing(tree: Tree, certain: Iterable[Claim]) -> tuple[list[str], int, list[Gap]]:
    """What is confirmed, as few words as possible; how many lines there are; and which are open."""
    known = is_confirmed(claim.datum for claim in certain)
    names = Names(tree)
    universe: dict[str, bool] = {}
    lines, open_lines = 0, dict[tuple[str, str], int]()
    for section in SECTIONS:
        for row in section.rows(tree, names):
            states = {datum: known(datum) or known(f"paths.{'-'.join(reversed(datum[6:].split('-')))}") for datum in row.data}
            universe.update(states)
            lines += 1
            if not all(states.values()):
                place = (section.key, row.heading)
                open_lines[place] = open_lines.get(place, 0) + 1
    for claim in certain:
        if claim.value is not None or claim.datum.startswith("paths."):
            universe.setdefault(claim.datum, True)
    gaps = [Gap(section, province, number) for (section, province), number in open_lines.items()]
    return _compressed(universe), lines, gaps


def _compressed(universe: Mapping[str, bool]) -> list[str]:
    """All that is confirmed, a whole part under its name."""
    found: list[str] = []
    by_prefix: dict[str, list[bool]] = {}
    for datum, state in universe.items():
        steps = datum.split(".")
        for depth in range(1, len(steps)):
            by_prefix.setdefault(".".join(steps[:depth]), []).append(state)
    whole = {prefix for prefix, states in by_prefix.items() if all(states) and prefix != "tables"}
    for datum, state in universe.items():
        if state:
            steps = datum.split(".")
            prefixes = (".".join(steps[:depth]) for depth in range(1, len(steps)))
            found.append(next((prefix for prefix in prefixes if prefix in whole), datum))
    return list(dict.fromkeys(found))


# --- differences -------------------------------------------------------------------------------------------------


def difference(old: Tree, new: Tree) -> list[Correction]:
    """The corrections that lead from one state of the data to another."""
    found: list[Correction] = []
    gone: list[Correction] = []
    for part in THINGS:
        for id, thing in new[part].items():
            if id not in old[part]:
                found.append({"datum": f"{part}.{id}", "value": thing})
            else:
                found += [{"datum": f"{part}.{id}.{key}", "value": value} for key, value in thing.items()
                          if value != old[part][id][key]]
        gone += [{"datum": f"{part}.{id}", "value": None} for id in old[part] if id not in new[part]]
    for key, table in new["tables"].items():
        was = old["tables"][key]
        if isinstance(table, dict):
            found += [{"datum": f"tables.{key}.{one}", "value": value} for one, value in table.items() if value != was[one]]
        elif table != was:
            found.append({"datum": f"tables.{key}", "value": table})
    lost = {one["datum"].partition(".")[2] for one in gone if one["datum"].startswith("spaces.")}
    pairs = dict.fromkeys((min(a, b), max(a, b)) for a, b, _ in (*old["paths"], *new["paths"]))
    found += [{"datum": f"paths.{a}-{b}", "value": types_between(new, a, b) or None} for a, b in pairs
              if not {a, b} & lost and sorted(types_between(old, a, b)) != sorted(types_between(new, a, b))]
    spared = [one for one in old["counterparts"] if one["space"] not in lost]
    if new["counterparts"] != spared:
        found.append({"datum": "counterparts", "value": new["counterparts"]})
    return found + gone


# --- what the rules say ------------------------------------------------------------------------------------------


def _remarks(base: Tree, tree: Tree, changed: Iterable[Correction], lines: Mapping[str, int], file: str,
             edition: str) -> Iterator[PbemError]:
    """What the rules' own texts say otherwise, with the place; and white numbers that do not go with the count of spaces."""
    from pbem.components.origins import provenance

    for one in changed:
        datum = one["datum"]
        try:
            source = provenance(datum, edition) if form.from_rules(datum, edition) else ""
        except (KeyError, StopIteration):
            source = ""
        if source:
            yield BadLog("against_the_rules", file=file, line=_line_of(datum, lines), datum=datum, value=shown(one["value"]),
                         found=shown(_ours(base, datum)), source=source)
    for table in ("battle", "attrition"):
        yield from _against_cells(table, tree, lines, file)
    for id, province in tree["provinces"].items():
        spaces = [s for s, x in tree["spaces"].items() if x["province"] == id and x["kind"] != "transit"]
        if province["majority"] != len(spaces) // 2 + 1:
            yield BadLog("majority_and_count", file=file, line=_line_of(f"provinces.{id}.majority", lines),
                         datum=f"provinces.{id}.majority", value=province["majority"], spaces=len(spaces),
                         least=2 * province["majority"] - 2, most=2 * province["majority"] - 1)


def _against_examples(tree: Tree, changed: list[Correction], lines: Mapping[str, int], file: str,
                      edition: str) -> Iterator[PbemError]:
    """What is said of the map, or happens in an example, and is no longer so on this one."""
    from pbem.components import examples

    before = examples.broken(facts(box=edition)) if edition else []      # they are told of the map of the 4th
    for one in examples.broken(facts(as_written(changed), edition)):
        if one in before:
            continue
        about = next((str(one["args"][key]) for key in ("space", "a", "province") if isinstance(one["args"].get(key), str)), "")
        part = "spaces" if about in tree["spaces"] else "provinces"
        said = ", ".join(f"{key} {shown(value)}" for key, value in one["args"].items())
        yield BadLog("against_an_example", file=file, line=_line_of(f"{part}.{about}.", lines) if about else 0,
                     what=f"{one['kind'].replace('_', ' ')}: {said}", source=one["quote_ref"])


def _against_cells(table: str, tree: Tree, lines: Mapping[str, int], file: str) -> Iterator[PbemError]:
    """The cells that the rules name, in the table as it is now."""
    from pbem.components.sources import files

    cells = "scores" if table == "battle" else "results"
    for cell in files()["tables"][f"{table}_table"]["prov"].get("cells_known", ()):
        label = str(cell["column"])
        column = next((one for one in tree["tables"][table]["columns"] if one["label"] == label), None)
        found = column[cells][int(cell["roll"]) - (2 if table == "battle" else 1)] if column else None
        if found != cell["score"]:
            yield BadLog("against_the_rules", file=file, line=_line_of(f"tables.{table}.columns", lines),
                         datum=f"tables.{table}.columns.{label} ({cell['roll']})", value=shown(found),
                         found=shown(cell["score"]), source=f"{cell['src']} {cell['ref']}")


# --- two forms ---------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    datum: str
    one: Any
    other: Any
    certain: tuple[bool, bool]


def compared(one: Box, other: Box) -> list[Difference]:
    """Where two people's files say different things, and which of them has confirmed his."""
    judge_edition(other, one.edition)
    mine, yours = is_confirmed(one.confirmed), is_confirmed(other.confirmed)
    data = dict.fromkeys([*(c["datum"] for c in difference(one.tree, other.tree))])
    return [Difference(datum, _ours(one.tree, datum), _ours(other.tree, datum), (mine(datum), yours(datum)))
            for datum in data]


def merged(one: Box, other: Box) -> tuple[Tree, list[str], list[Difference]]:
    """Both together: what only one has confirmed counts; where both have and differ, the first counts and it is told."""
    disputes = [found for found in compared(one, other) if all(found.certain)]
    tree = shipped(one.edition)
    kinds = parts_of_box(one.edition)
    mine = {found.datum for found in disputes}
    known = is_confirmed(one.confirmed)
    corrections = [*one.corrections, *(c for c in other.corrections if c["datum"] not in mine and not known(c["datum"]))]
    for correction in sorted(corrections, key=lambda c: _order(Claim(c["datum"], c["value"], 0, ""))):
        correct(tree, correction, kinds)
    return tree, list(dict.fromkeys([*one.confirmed, *other.confirmed])), disputes
