"""The lines of the form, a class for each kind: it writes what the data say and reads what a person has written.

A line gives data with the values that it states; whether they are those of the data is not asked here (`box` does).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import PbemError, nearest
from pbem.components import abilities
from pbem.components.schema import BY_RULING, PATH_TYPES, SPACE_KINDS
from pbem.components.sources import files

OPEN, RULES, CONFIRMED, NEW, STRUCK = " ", "=", "x", "+", "-"
MARKS = (OPEN, RULES, CONFIRMED, NEW, STRUCK)
CERTAIN = (CONFIRMED, NEW, STRUCK)
QUOTES = "\"'"

Tree = Mapping[str, Any]
Data = dict[str, Any]


class Row(NamedTuple):
    """One line of the form, or one table: a name that is its own, what it says, and remarks below it."""

    id: str
    text: str
    data: Data
    below: tuple[str, ...] = ()
    heading: str = ""
    apart: tuple[str, ...] = ()                 # data that the mark of the line does not confirm


PRINT = "print"             # what a card says word for word: for its holder and the moderator alone, and no datum


class Item(NamedTuple):
    """A line with its mark, and the lines that belong to it."""

    line: int
    mark: str
    text: str
    below: list[tuple[int, str]]

    @property
    def printed(self) -> str:
        return next((text.partition(":")[2].strip() for _, text in self.below
                     if text.partition(":")[0].strip().casefold() == PRINT), "")


class Wrong(Exception):
    """A line that says something else than it should: what is wanted, and an example."""

    def __init__(self, wanted: str, example: str, line: int = 0, datum: str = "", text: str = "") -> None:
        super().__init__(wanted)
        self.wanted, self.example, self.line, self.datum, self.text = wanted, example, line, datum, text


# --- names -------------------------------------------------------------------------------------------------------


def folded(text: str) -> str:
    return re.sub(r"[^\w]+", "", text.casefold())


class Names:
    """Things by their printed names, and those that the form itself brings in."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.ids: dict[str, dict[str, str]] = {}
        self.said: dict[str, dict[str, str]] = {}
        for part in ("regions", "provinces", "spaces", "generals", "minors", "independents", "royals", "fleets", "cards"):
            things = tree[part]
            self.said[part] = {id: str(thing["name"]) for id, thing in things.items()}
            self.ids[part] = {}
            for id, thing in things.items():                        # a name beats the other spellings
                for word in thing.get("aliases", ()):
                    self.ids[part].setdefault(folded(word), id)
            for id, thing in things.items():
                self.ids[part][folded(str(thing["name"]))] = self.ids[part][folded(id)] = id

    def say(self, part: str, id: str) -> str:
        return self.said[part].get(id, id)

    def find(self, part: str, text: str) -> str:
        """The id of what is called so; Wrong with the nearest names where nothing is."""
        found = self.ids[part].get(folded(text))
        if found is None:
            near = nearest(text.strip(), self.said[part].values())
            raise Wrong(part, ", ".join(near) or next(iter(self.said[part].values()), ""), text=text.strip())
        return found

    def add(self, part: str, text: str) -> str:
        """Something new gets an id of its name in plain letters."""
        from anyascii import anyascii

        id = text if part == "cards" else re.sub(r"[^a-z0-9]+", "_", anyascii(text).lower()).strip("_")
        self.said[part][id] = text
        self.ids[part][folded(text)] = id
        return id

    def rename(self, part: str, id: str, text: str) -> None:
        """The box has another name for something."""
        name = text.strip().strip("\"'")
        if id in self.said.get(part, ()):
            self.said[part][id] = name
            self.ids[part][folded(name)] = id


# --- the sections ------------------------------------------------------------------------------------------------


class Section(ABC):
    """Lines of one kind. `rows` writes them, `read` reads one; `minutes` is what it takes with the box at hand."""

    key = ""
    part = ""
    minutes = 0
    example = ""

    @abstractmethod
    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        """The lines of this kind that the data give."""

    def name(self, item: Item) -> str:
        """The name that stands at the beginning of a line: as much of it as is no number."""
        return re.split(r"\s{2,}|\s+(?=[-+]?\d)|\s*\|", item.text, maxsplit=1)[0].strip()

    @abstractmethod
    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        """The data that a line states; `id` is what it is about."""


def numbers(text: str, wanted: int, example: str) -> list[int]:
    found = [int(one) for one in re.findall(r"(?<![\w.])[+-]?\d+(?![\w.])", text)]
    if len(found) < wanted:
        raise Wrong("numbers", example)
    return found


def after_name(item: Item, names: Names, part: str, id: str) -> str:
    """What stands behind the name."""
    for name in sorted({names.say(part, id), *names.tree[part].get(id, {}).get("aliases", ())}, key=len, reverse=True):
        if item.text.casefold().startswith(name.casefold()):
            return item.text[len(name):].strip()
    return re.split(r"\s{2,}|\s+(?=[-+]?\d)", item.text, maxsplit=1)[-1]


class Grid(Section):
    """A table as it is printed: the breaks above, a row for each roll. It can be pasted as it stands."""

    def __init__(self, key: str, cells: str, rolls: range, minutes: int, example: str) -> None:
        self.key, self.cells, self.rolls, self.minutes, self.example = f"{key}_table", cells, rolls, minutes, example
        self.table = key

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        columns = tree["tables"][self.table]["columns"]
        known = known_cells(self.table)
        width = [max(len(one["label"]), *(len(str(cell)) + 1 for cell in one[self.cells])) + 1 for one in columns]
        head = "".join(one["label"].rjust(w) for one, w in zip(columns, width, strict=True))
        below = []
        for place, roll in enumerate(self.rolls):
            cells = (f"{one[self.cells][place]}{'=' if (one['label'], roll) in known else ' '}" for one in columns)
            below.append(f"{roll:>4} " + "".join(cell.rjust(w + 1)[1:] for cell, w in zip(cells, width, strict=True)).rstrip())
        yield Row(self.table, f" {head}", {f"tables.{self.table}.columns": columns}, tuple(below))

    def name(self, item: Item) -> str:
        return self.table

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        labels = item.text.replace("–", "-").split()
        if not labels or not all(re.fullmatch(r"\d{1,2}(-\d{1,2}|\+)?", one) for one in labels):
            raise Wrong("breaks", self.example)
        found: dict[int, list[str]] = {}
        for line, text in item.below:
            words = text.replace("|", " ").replace("–", "-").split()
            if not words[0].rstrip(":").isdecimal() or int(words[0].rstrip(":")) not in self.rolls:
                raise Wrong("roll", f"{self.rolls[0]} ... {self.rolls[-1]}", line, text=words[0])
            if len(words) != len(labels) + 1:
                raise Wrong("cells", " ".join([str(self.rolls[0]), *["0"] * len(labels)]), line, text=text)
            found[int(words[0].rstrip(":"))] = [cell.rstrip("=*") for cell in words[1:]]
        if missing := [roll for roll in self.rolls if roll not in found]:
            raise Wrong("roll", ", ".join(map(str, missing)))
        columns: list[Data] = []
        for place, label in enumerate(labels):
            cells: list[Any] = [found[roll][place] for roll in self.rolls]
            low, _, high = label.rstrip("+").partition("-")
            if self.cells == "scores":
                if odd := [cell for cell in cells if not cell.isdecimal()]:
                    raise Wrong("numbers", "0 0 1 2", text=odd[0])
                cells = [int(cell) for cell in cells]
            columns.append({"label": label, "min": int(low), "max": None if label.endswith("+") else int(high or low),
                            self.cells: cells})
        return {f"tables.{self.table}.columns": columns}


class SiegeTable(Section):
    key, minutes, example = "siege_table", 2, "<=1  0  1"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        rows = tree["tables"]["siege"]["rows"]
        below = tuple(f"{row['roll']:>4} {row['points']:>6} {row['loss']:>10}" for row in rows)
        yield Row("siege", "   points  CUs lost", {"tables.siege.rows": rows}, below)

    def name(self, item: Item) -> str:
        return "siege"

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        rows = []
        for line, text in item.below:
            words = text.replace("/", " ").replace("≤", "<=").replace("≥", ">=").replace("|", " ").split()
            bound = re.fullmatch(r"(<=|>=)?(-?\d+)([+-]?)", words[0])
            if len(words) != 3 or bound is None or not all(word.isdecimal() for word in words[1:]):
                raise Wrong("cells", self.example, line, text=text)
            number, low, high = int(bound[2]), bound[1] == "<=" or bound[3] == "-", bound[1] == ">=" or bound[3] == "+"
            rows.append({"roll": f"<={number}" if low else f">={number}" if high else str(number),
                         "min": None if low else number, "max": None if high else number,
                         "points": int(words[1]), "loss": int(words[2])})
        return {"tables.siege.rows": rows}


class Generals(Section):
    key, part, minutes, example = "generals", "generals", 15, "Ptolemaios 4 3 rank 17 | battle 4 in Aigyptos"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        for id, g in tree["generals"].items():
            said = ability_text(g["ability"], names)
            said = said if g["ability"]["on_by_default"] else f"?   # our guess, without effect: {said}"
            yield Row(id, f"{g['name']:<13} {g['initiative']} {g['battle']} rank {g['seniority']:<2} | {said}", {
                **{f"generals.{id}.{key}": g[key] for key in ("initiative", "battle", "seniority")},
                f"generals.{id}.ability": g["ability"]},
                      apart=() if g["ability"]["on_by_default"] else (f"generals.{id}.ability",))

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        if stray := next(((line, text) for line, text in item.below if not text.casefold().startswith(f"{PRINT}:")), None):
            raise Wrong("print", f"{PRINT}: what the card says", stray[0], text=stray[1])
        ratings, bar, said = after_name(item, names, "generals", id).partition("|")
        found = numbers(ratings, 2, self.example)
        rank = re.search(r"rank\s+(\d+)", ratings)
        data: Data = {f"generals.{id}.initiative": found[0], f"generals.{id}.battle": found[1]}
        if rank:
            data[f"generals.{id}.seniority"] = int(rank[1])
        if bar and said.strip() != "?":                 # a ? leaves the ability open
            ours = names.tree["generals"].get(id, {}).get("ability")
            data[f"generals.{id}.ability"] = {**read_ability(said, names, ours), "on_by_default": True}
        if item.mark == NEW:
            return {f"generals.{id}": {"name": names.say("generals", id), **{
                datum.rpartition(".")[2]: value for datum, value in data.items()}}}
        return data


def ability_text(ability: Mapping[str, Any], names: Names) -> str:
    return abilities.written(ability["params"], lambda id: names.say("provinces", id))


def read_ability(text: str, names: Names, ours: Mapping[str, Any] | None) -> Data:
    try:
        params = abilities.read(text, lambda name: names.find("provinces", name))
    except ValueError:
        raise Wrong("ability", "; ".join(abilities.EXAMPLES[:6]), text=text.strip()) from None
    if ours is not None and ours["params"] == params:
        return dict(ours)
    said = " ".join(text.split())
    return {"key": re.sub(r"[^a-z]+", "_", said.casefold()).strip("_")[:40] or "none", "text": "" if not params else said,
            "params": params}


class Minors(Section):
    key, part, minutes, example = "minor_generals", "minors", 2, "Alketas blue"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        ratings = tree["tables"]["minor_general"]
        yield Row("all", f"all of them {ratings['initiative']} {ratings['battle']}", {
            "tables.minor_general.initiative": ratings["initiative"], "tables.minor_general.battle": ratings["battle"]})
        for id, m in tree["minors"].items():
            yield Row(id, f"{m['name']:<13} {m['color']}", {f"minors.{id}.color": m["color"]})

    def name(self, item: Item) -> str:
        return "all" if item.text.startswith("all of them") else item.text.rpartition(" ")[0].strip()

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        if id == "all":
            initiative, battle = numbers(item.text, 2, "all of them 4 2")[:2]
            return {"tables.minor_general.initiative": initiative, "tables.minor_general.battle": battle}
        color = item.text.rpartition(" ")[2].casefold()
        if item.mark == NEW:
            return {f"minors.{id}": {"name": names.say("minors", id), "color": color}}
        return {f"minors.{id}.color": color}


class Provinces(Section):
    key, part, minutes, example = "provinces", "provinces", 10, "Makedonia  3 VP  majority 3  Europe"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        for id, p in tree["provinces"].items():
            text = f"{p['name']:<18} {p['vp']} VP  majority {p['majority']}  {names.say('regions', p['region'])}"
            yield Row(id, text, {f"provinces.{id}.{key}": p[key] for key in ("vp", "majority", "region")})

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        found = re.search(r"(\d+)\s*VP\s+majority\s+(\d+)\s*(.*)$", item.text, re.IGNORECASE)
        if found is None:
            raise Wrong("province_line", self.example)
        data: Data = {"vp": int(found[1]), "majority": int(found[2])}
        if found[3]:
            data["region"] = names.find("regions", found[3])
        if item.mark == NEW:
            return {f"provinces.{id}": {"name": names.say("provinces", id), **data}}
        return {f"provinces.{id}.{key}": value for key, value in data.items()}


class Fleets(Section):
    key, part, minutes, example = "fleets", "fleets", 3, "Karia  1 2  province Karia"
    WORDS = {"province": "provinces", "major_city": "spaces", "card": "cards"}

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        for id, f in tree["fleets"].items():
            by = f["control"]["type"]
            place = f["control"]["place"] if by == "card" else names.say(self.WORDS[by], f["control"]["place"])
            text = f"{f['name']:<13} {f['normal']} {f['upgraded']}  {by.replace('major_', '')} {place}"
            yield Row(id, text, {f"fleets.{id}.{key}": f[key] for key in ("normal", "upgraded", "control")})

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        rest = after_name(item, names, "fleets", id)
        normal, upgraded = numbers(rest, 2, self.example)[:2]
        data: Data = {"normal": normal, "upgraded": upgraded}
        if by := re.search(r"\b(province|city|card)\s+(.+)$", rest, re.IGNORECASE):
            kind = {"city": "major_city"}.get(by[1].casefold(), by[1].casefold())
            data["control"] = {"type": kind, "place": by[2].strip() if kind == "card" else names.find(self.WORDS[kind], by[2])}
        if item.mark == NEW:
            return {f"fleets.{id}": {"name": names.say("fleets", id), **data}}
        return {f"fleets.{id}.{key}": value for key, value in data.items()}


class Independents(Section):
    key, part, minutes, example = "independents", "independents", 3, "Leosthenes  4 3  6 CUs  at Lamia"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        for id, a in tree["independents"].items():
            enters = ", ".join(names.say("spaces", one) for one in a["entries"])
            text = (f"{a['name']:<13} {a['initiative']} {a['battle']}  {a['cus']} CUs  at "
                    f"{'the box' if a['start'] == 'box' else names.say('spaces', a['start'])}")
            yield Row(id, text + (f", enters {enters}" if enters else ""), {
                f"independents.{id}.{key}": a[key] for key in ("initiative", "battle", "cus", "start", "entries")})

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        rest = after_name(item, names, "independents", id)
        found = re.search(r"(\d+)\s+(\d+)\s+(\d+)\s*CUs?\s+at\s+(.+?)(?:,\s*enters\s+(.+))?$", rest, re.IGNORECASE)
        if found is None:
            raise Wrong("independent_line", self.example)
        start = "box" if folded(found[4]) in ("box", "thebox") else names.find("spaces", found[4])
        entries = [names.find("spaces", one) for one in (found[5] or "").split(",") if one.strip()]
        data = {"initiative": int(found[1]), "battle": int(found[2]), "cus": int(found[3]), "start": start, "entries": entries}
        return {f"independents.{id}.{key}": value for key, value in data.items()}


class Royals(Section):
    key, part, minutes, example = "royal_family", "royals", 1, "Olympias  3"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        for id, r in tree["royals"].items():
            data = {f"royals.{id}.legitimacy": r["legitimacy"]}
            if id in tree["tables"]["legitimacy_values"]:                   # the table of 3.6 says it again
                data[f"tables.legitimacy_values.{id}"] = r["legitimacy"]
            yield Row(id, f"{r['name']:<18} {r['legitimacy']}", data)

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        value = numbers(after_name(item, names, "royals", id), 1, self.example)[0]
        again = {f"tables.legitimacy_values.{id}": value} if id in names.tree["tables"]["legitimacy_values"] else {}
        return {f"royals.{id}.legitimacy": value, **again}


class Map(Section):
    """The spaces of the board, Province by Province, each with its neighbours; every path stands at both of its ends."""

    key, part, minutes = "map", "spaces", 60
    example = "Pella  major port gray 24  | land Larisa, Poteidaia; sea Chalkis"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        around: dict[str, dict[str, list[str]]] = {space: {} for space in tree["spaces"]}
        for a, b, kind in tree["paths"]:
            around[a].setdefault(kind, []).append(b)
            around[b].setdefault(kind, []).append(a)
        for province in tree["provinces"]:
            for id, s in tree["spaces"].items():
                if s["province"] == province:
                    yield self.row(id, s, around[id], names, province)

    def row(self, id: str, s: Mapping[str, Any], around: Mapping[str, list[str]], names: Names, province: str) -> Row:
        ways = [f"{kind} {', '.join(names.say('spaces', there) for there in around[kind])}"
                for kind in PATH_TYPES if kind in around]
        fields = ("kind", "province", "port", "independent", "hellespont", "pontos", "siege_modifier", "treasure")
        paths = {f"paths.{'-'.join(sorted((id, there)))}": None for found in around.values() for there in found}
        return Row(id, f"{s['name']:<16} {flags(s):<22} | {'; '.join(ways)}",
                   {**{f"spaces.{id}.{key}": s[key] for key in fields}, **paths}, heading=province)

    def name(self, item: Item) -> str:
        return re.split(rf"\s{{2,}}|\s+(?=(?:{'|'.join(SPACE_KINDS)})\b)|\s*\|", item.text, maxsplit=1)[0].strip()

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        marks, _, ways = item.text.partition("|")
        data: Data = {"province": heading, **read_flags(marks[len(self.name(item)):], self.example)}
        around: dict[str, list[str]] = {}
        for part in ways.split(";"):
            if not part.strip():
                continue
            kind, _, ends = part.strip().partition(" ")
            if kind.casefold() not in PATH_TYPES or not ends:
                raise Wrong("path_line", f"{', '.join(PATH_TYPES)}: land Larisa, Poteidaia; sea Chalkis", text=part.strip())
            for end in ends.split(","):
                around.setdefault(names.find("spaces", end), []).append(kind.casefold())
        made: Data = {f"spaces.{id}": {"name": names.say("spaces", id), **data}} if item.mark == NEW else {
            f"spaces.{id}.{key}": value for key, value in data.items()}
        return {**made, f"around.{id}": around}


def numbered(tree: Tree) -> dict[str, int]:
    """The number of each space in the form and on the printed sheets: Province by Province, as they stand there."""
    return {space: number for number, space in enumerate(
        (id for province in tree["provinces"] for id, s in tree["spaces"].items() if s["province"] == province), 1)}


def flags(s: Mapping[str, Any]) -> str:
    said = [s["kind"]]
    said += ["port"] if s["port"] else []
    said += [f"gray {''.join(map(str, s['independent']))}"] if s["independent"] else []
    said += ["H"] if s["hellespont"] else []
    said += ["pontos"] if s["pontos"] else []
    said += ["treasure"] if s["treasure"] else []
    said += [f"siege {s['siege_modifier']:+d}"] if s["siege_modifier"] else []
    return " ".join(said)


def read_flags(text: str, example: str) -> Data:
    words = text.split()
    kinds = [word.casefold() for word in words if word.casefold() in SPACE_KINDS]
    if len(kinds) != 1:
        raise Wrong("kind_of_space", example, text=text.strip())
    data: Data = {"kind": kinds[0], "port": False, "independent": [], "hellespont": False, "pontos": False,
                  "siege_modifier": 0, "treasure": False}
    rest = iter([word for word in words if word.casefold() not in SPACE_KINDS])
    for word in rest:
        match word.casefold():
            case "port" | "pontos" | "treasure":
                data[word.casefold()] = True
            case "h":
                data["hellespont"] = True
            case "gray" | "grey":
                players = next(rest, "")
                if not re.fullmatch(r"[2-5,]+", players):
                    raise Wrong("gray", "gray 2345", text=players)
                data["independent"] = sorted({int(one) for one in players if one.isdecimal()})
            case "siege":
                data["siege_modifier"] = numbers(next(rest, ""), 1, "siege -1")[0]
            case _:
                raise Wrong("flag", "port, gray 2345, H, pontos, treasure, siege -1", text=word)
    return data


class Cards(Section):
    """A line for what is at the top of a card; below it our wording of the text, and whether the card says the same."""

    key, part, minutes, example = "cards", "cards", 45, "12  event 3  Macedonian Reinforcements"
    FLAGS = {"must play": "must_play", "leaves the game": "remove_after_event", "turned up": "resolved_when_revealed",
             "optional": "optional"}
    TEXT = ("effect_key", "params", "timing")

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        for id, c in tree["cards"].items():
            flags = [words for words, field in self.FLAGS.items() if c[field]]
            flags += [f"copy of {c['copy_of']}"] if c["copy_of"] else []
            ops = "" if c["ops"] is None else f" {c['ops']}"
            text = f"{id:<4} {c['kind']}{ops}  {c['name']}" + (f"  | {', '.join(flags)}" if flags else "")
            fields = ("name", "kind", "ops", *self.FLAGS.values(), "copy_of", *self.TEXT)
            below = () if not c["effect"] else tuple(f"# {line}" for line in wrapped(c["effect"]))
            yield Row(id, text, {f"cards.{id}.{key}": c[key] for key in fields}, below,
                      apart=tuple(f"cards.{id}.{key}" for key in self.TEXT))

    def name(self, item: Item) -> str:
        return item.text.split()[0] if item.text else ""

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        top, _, said = item.text.partition("|")
        found = re.fullmatch(r"\S+\s+(event|bonus|surprise)(?:\s+(\d))?\s+(.+)", top.strip(), re.IGNORECASE)
        if found is None:
            raise Wrong("card_line", self.example)
        data: Data = {"name": found[3].strip(), "kind": found[1].casefold(), "ops": int(found[2]) if found[2] else None,
                      **dict.fromkeys(self.FLAGS.values(), False), "copy_of": None}
        for flag in filter(None, (one.strip() for one in said.split(","))):
            if flag.casefold().startswith("copy of "):
                data["copy_of"] = names.find("cards", flag[8:])
            elif flag.casefold() in self.FLAGS:
                data[self.FLAGS[flag.casefold()]] = True
            else:
                raise Wrong("card_flag", ", ".join([*self.FLAGS, "copy of 20"]), text=flag)
        text = read_text_of_card(item)
        if item.mark == NEW:
            if "effect_key" not in text:
                raise Wrong("does", "does: place_cus {cus: {mercenary: 3}}")
            return {f"cards.{id}": {"number": id, **data, **text}}
        ours = names.tree["cards"][id]
        if text.pop("as_ours", False):
            text = {key: ours[key] for key in self.TEXT}
        made = {f"cards.{id}.{key}": value for key, value in data.items()}
        return {**made, **{f"cards.{id}.{key}": value for key, value in text.items()},
                **({f"cards.{id}.stand_in": False} if text else {})}


def read_text_of_card(item: Item) -> Data:
    """`as ours: y`, or what the card does instead: `does: EFFECT {parameters}`."""
    said: dict[str, tuple[int, str]] = {}
    for line, text in item.below:
        key, colon, value = text.partition(":")
        if not colon or key.strip().casefold() not in ("as ours", "does", "when", "text", "says", PRINT):
            raise Wrong("card_text", "as ours: y", line, text=text)
        said[key.strip().casefold()] = (line, value.strip())
    line, ours = said.get("as ours", (item.line, "?"))
    if ours.casefold() not in ("y", "yes", "n", "no", "?", ""):
        raise Wrong("yes_or_no", "as ours: y", line, text=ours)
    if ours.casefold() in ("n", "no") and "does" not in said:
        raise Wrong("does", "does: place_cus {cus: {mercenary: 3}}", line)
    if "does" not in said:
        return {"as_ours": True} if ours.casefold() in ("y", "yes") else {}
    line, does = said["does"]
    if does.casefold() == "by ruling":
        if not said.get("says", (0, ""))[1]:
            raise Wrong("says", "says: Place 2 mercenaries.", line)
        does = f"{BY_RULING} {yamlfile.dump({'says': said['says'][1].strip(QUOTES)})}"
    key, _, params = does.partition(" ")
    try:
        given = yamlfile.parse(params) if params.strip() else {}
    except PbemError:
        given = None
    if not isinstance(given, dict):
        raise Wrong("does", "does: place_cus {cus: {mercenary: 3}}", line, text=does)
    made: Data = {"effect_key": key, "params": given, "effect": given.get("says", "")}
    if "when" in said:
        made["timing"] = [one.strip() for one in said["when"][1].split(",")]
    if "text" in said:
        made["effect"] = said["text"][1]
    return made


class Others(Section):
    """Whatever has no place of its own above, by the name of the datum."""

    key, minutes, example = "others", 0, "tables.vp_bonus.hellespont: 2"

    def rows(self, tree: Tree, names: Names) -> Iterator[Row]:
        return iter(())

    def name(self, item: Item) -> str:
        return item.text.partition(":")[0].strip()

    def read(self, item: Item, id: str, names: Names, heading: str) -> Data:
        datum, colon, value = item.text.partition(":")
        if not colon:
            raise Wrong("datum_line", self.example)
        try:
            return {datum.strip(): yamlfile.parse(value.strip())}
        except PbemError:
            raise Wrong("datum_line", self.example, text=value.strip()) from None


SECTIONS: tuple[Section, ...] = (
    Grid("battle", "scores", range(2, 13), 8, "1 2 3 4 5 6 7 8 9 10 11-12 13-14 15-17 18-20 21-24 25+"),
    Grid("attrition", "results", range(1, 7), 5, "1 2 3 4 5 6-7 8-9 10-12 13-15 16+"),
    SiegeTable(), Generals(), Minors(), Provinces(), Fleets(), Independents(), Royals(), Map(), Cards(), Others())


def known_cells(table: str) -> set[tuple[str, int]]:
    """The cells of a table that rules name."""
    prov = files()["tables"][f"{table}_table"]["prov"]
    return {(cell["column"], int(cell["roll"])) for cell in prov.get("cells_known", ())}


def wrapped(text: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, 100)
