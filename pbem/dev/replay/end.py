"""What a script counts at the end of a Game Turn, compared with the game: forces, PCs, Royals, Fleets, cards, totals."""

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.dev.replay import facts
from pbem.dev.replay.script import Untold
from pbem.dev.replay.table import Table
from pbem.table.state import space_of

Row = tuple[str, Any, Any]


def differences(run: Table, told: Mapping[str, Any]) -> Iterator[Row]:
    g, seats = run.g, run.script.seats
    for what, show in (("vp", facts.points), ("l", facts.legitimacy)):
        for player, wanted in told.get(what, {}).items():
            yield f"{what} {player}", wanted, show(run, seats[player])
    if "champions" in told:
        yield "champions", sorted(told["champions"]), sorted(run.script.player(seat) for seat in g.seats if g.champion[seat])
    if "usurper" in told:
        yield "usurper", told["usurper"], run.script.player(g.usurper)
    for player, forces in told.get("forces", {}).items():
        for text, force in forces.items():
            yield from force_at(run, player, text, force)
    for player, provinces in told.get("pcs", {}).items():
        for text, wanted in provinces.items():
            yield from pcs_in(run, player, text, wanted)
    for name in told.get("uncontrolled_after_removal", ()):
        yield f"pc {name}", None, facts.owner(run, run.spelt.id("space", name))
    for name, wanted in told.get("royals", {}).items():
        if name in run.script.spellings["royals"] and wanted in seats:
            yield f"royal {name}", wanted, run.script.player(g.royals[run.spelt.royal(name)].seat)
        elif isinstance(wanted, str) and wanted.endswith(", inactive"):
            yield f"royal {name}", "", g.royals[run.spelt.royal(name)].seat
    for player, names in told.get("fleets", {}).items():
        yield (f"fleets {player}", sorted(run.spelt.names.resolve("fleet", name) for name in names),
               sorted(one.name for one in g.fleets.values() if one.seat == seats[player]))
    for name in told.get("removed_cards", ()):
        yield f"removed {name}", True, any(card in g.out for card in run.spelt.cards(name))
    for player, cards in told.get("hands", {}).items():
        yield f"hand {player}", len(cards), len(run.hands[seats[player]])


def force_at(run: Table, player: str, text: str, force: Mapping[str, Any]) -> Iterator[Row]:
    """CUs, commander and Royals of a player in a space that the script names."""
    seat, place = run.script.seats[player], text.partition(" (")[0]
    try:
        space = run.spelt.id("space", place)
    except Untold:
        return                                              # a place that the script leaves open
    places = run.g.board.locations_of(space)
    yield f"force {player} {place}", run.spelt.units(force), facts.units(run, places, seat)
    if "commander" in force:
        lead = [one.name for where in places for one in run.g.generals_at(where, seat)][:1]
        yield f"commander {player} {place}", [run.spelt.general(force["commander"])], lead
    for name in force.get("royals", ()):
        yield f"royal {name}", space, space_of(run.g.royals[run.spelt.royal(name)].at)
    if force.get("cart"):
        yield "cart", space, space_of(run.g.royals["cart"].at)


def pcs_in(run: Table, player: str, text: str, wanted: Any) -> Iterator[Row]:
    """How many PCs of a Province, or which ones; those that the script does not name are counted."""
    seat = run.script.seats[player]
    names = [name for name in wanted if name in run.script.spellings["spaces"]] if isinstance(wanted, list) else []
    for name in names:
        yield f"pc {name}", player, facts.owner(run, run.spelt.id("space", name))
    if text in run.script.spellings["provinces"] and (isinstance(wanted, int) or len(names) == len(wanted)):
        spaces = run.g.board.spaces_of(run.spelt.id("province", text))
        number = wanted if isinstance(wanted, int) else len(wanted)
        yield f"pcs {player} {text}", number, sum(run.g.controller(space) == seat for space in spaces)
