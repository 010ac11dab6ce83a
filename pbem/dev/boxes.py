"""Boxes that differ from our data wherever they may: other numbers, another shape of the map, other cards and abilities.

`box_game` fills one into the form, reads the same out of it, checks it, loads it, plays a whole game on it, verifies and
reports it.
"""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pbem.base.paths import languages
from pbem.chance.check import FAILED
from pbem.components import abilities, box, form
from pbem.components.lines import Names, read_ability
from pbem.components.schema import BY_RULING, MOMENTS
from pbem.components.shipped import shipped
from pbem.components.soundness import NAMED_IN_RULES, problems
from pbem.desk import reporting
from pbem.desk.desk import Desk
from pbem.dev.games import Wanted, beginning, on, prepared, told_of
from pbem.dev.honest import Honest
from pbem.log import gamelog
from pbem.play import verify

ABILITIES = [example for example in abilities.EXAMPLES if example != "none"]
OURS = shipped()


def box_game(seed: int) -> list[str]:
    """What goes wrong in a game on a drawn box."""
    drawn = any_box(seed)
    found = filled(drawn)
    if wrong := [*map(str, found.faults), *otherwise(drawn, found.tree)]:
        return [f"the form: {one}" for one in wrong]
    wanted = Wanted(seed, 2 + seed % 4, looks=False, box=found.header())
    rng, sheet = prepared(wanted)
    try:
        scene = Honest(*beginning(wanted, sheet.rules), Random(seed))
        met = on(scene, rng, [], sheet, 0, looks=False).met
        scene.open_what_is_due()
        return [*met.wrong, *(reported(scene, found.tree) if not met.wrong else ())]
    except Exception as fault:          # whatever it is, it has to be told together with its seed
        return [told_of(fault)]


def filled(tree: dict[str, Any]) -> box.Box:
    """Somebody has found all of this in his box."""
    return box.judged(form.written(tree, OURS, confirmed=lambda datum: True, by="Anna", on="2026-11-20"))


def otherwise(drawn: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What a form says otherwise than the box from which it was filled in: who copies a text, copies no line breaks."""
    def copied(tree: dict[str, Any]) -> dict[str, Any]:
        cards = {id: {**card, "stand_in": False, "effect": " ".join(card["effect"].split())}
                 for id, card in tree["cards"].items()}
        return {**tree, "cards": cards, "paths": sorted((*sorted(path[:2]), path[2]) for path in tree["paths"])}

    ours, theirs = copied(drawn), copied(found)
    return [part for part in ours if ours[part] != theirs[part]]


def reported(played: Honest, tree: dict[str, Any]) -> Iterator[str]:
    """Its public log on a disk: verified, and told in every language with what the box has."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        gamelog.create(folder, played.header, played.entries, played.tray.plain())
        yield from (f"verify: {one.what}" for one in verify.verify(folder) if one.state == FAILED)
        desk = Desk(folder, published=True)
        facts = desk.match.g.facts
        if facts.spaces.keys() != tree["spaces"].keys() or facts.cards.keys() != tree["cards"].keys():
            yield "it is not played on this box"
        for language in languages():
            desk.language = language
            if not reporting.report(desk, "public", 1, "md"):
                yield f"no report in {language}"


def any_box(seed: int) -> dict[str, Any]:
    """The data of some box; the same seed gives the same one."""
    rng, tree = Random(seed), deepcopy(OURS)
    tables(rng, tree)
    pieces(rng, tree)
    board(rng, tree)
    cards(rng, tree)
    return tree


def tables(rng: Random, tree: dict[str, Any]) -> None:
    for table, cells, size in (("battle", "scores", 11), ("attrition", "results", 6)):
        cuts = sorted(rng.sample(range(2, 30), rng.randint(1, 16)))
        bounds = [*zip([1, *cuts], [cut - 1 for cut in cuts], strict=False), (cuts[-1], None)]
        tree["tables"][table]["columns"] = [
            {"label": f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}", "min": low, "max": high,
             cells: sorted(rng.randint(0, 20) for _ in range(size)) if table == "battle"
             else [rng.choice(["-", "e", "1", "2", "3e"]) for _ in range(size)]} for low, high in bounds]
    for row in tree["tables"]["siege"]["rows"]:
        row["points"], row["loss"] = rng.randint(0, 3), rng.randint(0, 2)
    tree["tables"]["siege"]["rows"][-1]["points"] = 3


def pieces(rng: Random, tree: dict[str, Any]) -> None:
    names = Names(tree)
    for rank, (id, one) in zip(rng.sample(range(1, 21), 20), tree["generals"].items(), strict=True):
        one["seniority"], one["initiative"], one["battle"] = rank, rng.randint(2, 4), rng.randint(1, 5)
        one["ability"] = {**read_ability(rng.choice(ABILITIES), names, OURS["generals"][id]["ability"]), "on_by_default": True}
    for one in tree["provinces"].values():
        one["vp"] = rng.randint(0, 6)
    for one in tree["fleets"].values():
        one["normal"] = rng.randint(0, 3)
        one["upgraded"] = one["normal"] + rng.randint(0, 2)
    for one in tree["independents"].values():
        one["initiative"], one["battle"], one["cus"] = rng.randint(2, 4), rng.randint(1, 4), rng.randint(3, 9)


def board(rng: Random, tree: dict[str, Any]) -> None:
    """Other kinds, gray symbols and paths; spaces that go and spaces that come, a Province that comes."""
    for one in tree["spaces"].values():
        if one["kind"] in ("minor", "stronghold"):
            one["kind"] = rng.choice(["minor", "minor", "minor", "stronghold"])
    for path in tree["paths"]:
        if path[2] in ("land", "mountain"):
            path[2] = rng.choice(["land", "land", "mountain"])
    if rng.random() < 0.7:
        tree["provinces"]["lokris"] = {"name": "Lokris", "vp": 1, "majority": 1, "region": "europe", "aliases": []}
        tree["spaces"]["lamia"]["province"] = "lokris"
    for name in rng.sample(["Onchestos", "Lebadeia", "\u00c4gai", "Eurymedeia"], rng.randint(0, 3)):
        id = Names(tree).add("spaces", name)
        tree["spaces"][id] = {**OURS["spaces"]["trikka"], "name": name, "aliases": [], "lat": 0.0, "lon": 0.0, "kind": "minor",
                              "province": rng.choice([*tree["provinces"]])}
        for other in rng.sample([*OURS["spaces"]], rng.randint(1, 4)):
            tree["paths"].append([id, other, rng.choice(["land", "mountain"])])
    for id in rng.sample([one for one in OURS["spaces"] if one not in NAMED_IN_RULES["spaces"]], 6):
        lost = {**tree, "spaces": {key: one for key, one in tree["spaces"].items() if key != id},
                "paths": [path for path in tree["paths"] if id not in path[:2]],
                "counterparts": [one for one in tree["counterparts"] if one["space"] != id]}
        if not problems(lost):
            tree.update(lost)
    for id, one in tree["provinces"].items():
        spaces = [x for x in tree["spaces"].values() if x["province"] == id and x["kind"] != "transit"]
        one["majority"] = len(spaces) // 2 + 1


def cards(rng: Random, tree: dict[str, Any]) -> None:
    """Cards that do what others do, with other numbers; and some twenty that the moderator plays."""
    for id in rng.sample([*tree["cards"]], 40):
        one = tree["cards"][id]
        if one["effect_key"] not in BOUND and rng.random() < 0.6:
            timing = ["own_tyche_segment"] if one["ops"] else [rng.choice(MOMENTS[1:])]
            one |= {"effect_key": BY_RULING, "params": {"says": f"Number {id}."}, "effect": f"Number {id}.", "timing": timing,
                    "stand_in": False}
            continue
        alike = [card for card in OURS["cards"].values() if (card["kind"] == "surprise") == (one["kind"] == "surprise")
                 and card["effect_key"] not in BOUND]
        if one["effect_key"] in BOUND or one["resolved_when_revealed"]:
            continue
        model = rng.choice(alike)
        one |= {key: deepcopy(model[key]) for key in ("effect_key", "params", "timing", "effect")}
        one["stand_in"] = False
        if one["ops"]:
            one["ops"] = rng.randint(1, 4)


# What other things of the box speak of: the card that brings a General, a Fleet, an army.
BOUND = ("enter_silver_shields", "steal_silver_shields", "enter_general", "gain_fleet", "activate_independent_armies",
         "army_desertion_roll", "persian_support")
