"""Every "must" of the rules beside every "may not" of them: where the two can meet, a case; where not, why: docs/musts.md.

`pbem.dev.tight` draws positions in which they do meet. A must or a may-not of a rule that is added has its row or column here.
"""

from collections.abc import Mapping
from typing import NamedTuple


class MayNot(NamedTuple):
    rule: str
    what: str


MAY_NOTS = {
    "gone": MayNot("", "there is no piece, card or space left to do it with"),
    "truce": MayNot("3.7", "nobody comes to where a partner of his truce stands, or attacks him"),
    "room": MayNot("5.2", "two Reinforcements in a space, and none where enemies stand"),
    "claim": MayNot("7.2A", "no CU or Royal stays where neither General nor PC shows whose they are"),
    "minor": MayNot("7.1C", "a Minor General goes with no other, and stands nowhere without a CU or under a senior"),
    "silver": MayNot("7.2D", "the Silver Shields never part"),
    "apart": MayNot("14.9", "Royal Army CUs that stand apart, and whoever stays inside, are no losses"),
    "royals": MayNot("8.4", "the Family goes with Armies only, the Cart not on Game Turn I"),
    "once": MayNot("9.1", "who was active, was moved or dropped off moves no more in the segment"),
    "mps": MayNot("9.2", "nobody spends more Movement Points than he has"),
    "inside": MayNot("9.4", "two CUs inside of a city, nobody inside of another's"),
    "country": MayNot("9.5", "Independent Armies stay ashore, outside, and in the country that is theirs"),
    "enemies": MayNot("10I", "nobody remains beside enemy CUs but to fight"),
    "ships": MayNot("13.1", "one Naval Movement in a segment, 8 CUs, Movement Points on land before it or after"),
    "eight": MayNot("16.8", "no more than 8 CUs march together"),
}


class Must(NamedTuple):
    rule: str
    what: str
    cases: Mapping[str, str]                        # with which it meets, and the case that holds what happens
    cannot: Mapping[str, str]                       # with which it cannot, and why


def each(why: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, why)


NO_MARCH = each("nobody moves from space to space by it", "once", "mps", "ships", "eight")
NO_INDEPENDENTS = each("Independents never have to", "country")
NO_LOSS = each("nobody is lost by it", "apart")
NO_PLACING = each("nothing comes from off the map by it", "room")
NO_FIGHT = each("it attacks nobody, and comes to nobody's pieces", "truce")
NO_FAMILY = each("it moves none of the Family", "royals")
ALL_GO = each("all go together, or all stay", "silver")
BACK = {
    **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **ALL_GO,
    **each("the way that they came is there", "gone"), **each("to go back costs nothing", "mps"),
    **each("to go back is no new movement", "once", "eight"), **each("going back is no attack (R3)", "truce"),
    **each("they were carried there, and are carried back", "royals"),
}

MUSTS = {
    # choices that somebody has to make
    "card": Must("6.2", "in his Tyche Segment everybody plays one Event or Bonus card", {"gone": "6.2-c"}, {
        **NO_MARCH, **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **NO_FIGHT, **NO_FAMILY,
        **each("the points of a card need not be spent, and an event need not be its use", "claim", "minor", "silver", "inside",
               "enemies")}),
    "rebel": Must("6.2A", "a card that brings Unrest places an Independent PC", {"gone": "6.2A-b"}, {
        **NO_MARCH, **NO_INDEPENDENTS, **NO_LOSS, **NO_FIGHT, **NO_FAMILY,
        **each("a PC is no Reinforcement", "room"), **each("no General is needed", "minor"),
        **each("it comes to no space with CUs", "claim", "silver", "inside", "enemies")}),
    "lose": Must("7.3", "so many CUs are lost, an Elephant first where the table says so", {
        "gone": "13.3D-ex1", "apart": "doors-14.9-a", "claim": "7.1C-e"}, {
        **NO_MARCH, **NO_INDEPENDENTS, **NO_PLACING, **NO_FIGHT, **each("the Family is never lost with CUs", "royals"),
        **each("one of the two is lost by turning the counter, which parts nobody", "silver"),
        **each("Generals are no losses", "minor"), **each("losses move nobody", "enemies", "inside")}),
    "feed": Must("6.4", "a space that cannot feed all loses a CU", {"inside": "peace-6.4-b"}, {
        **NO_MARCH, **NO_INDEPENDENTS, **NO_PLACING, **NO_FIGHT, **NO_FAMILY, **each("nobody has fought", "apart"),
        **each("where so many stand there is one to lose, and others remain", "gone", "claim", "minor"),
        **each("one of the two is lost by turning the counter", "silver"), **each("losses move nobody", "enemies")}),
    # placing
    "reinforce": Must("5.2", "everybody places all of his Reinforcements", {
        "gone": "5.2-k", "room": "5.2-d", "claim": "readings-5.2-b", "minor": "own-5.2-f", "silver": "doors-5.2-silver",
        "inside": "doors-5.2-a", "enemies": "5.2-g"}, {
        **NO_MARCH, **NO_INDEPENDENTS, **NO_LOSS, **NO_FIGHT, **each("none of the Family is ever a Reinforcement", "royals")}),
    "polyperchon": Must("7.1B", "Polyperchon comes at once to a space that his player controls", {
        "gone": "peace-7.1B-a", "enemies": "doors-7.1B-a"}, {
        **NO_MARCH, **NO_INDEPENDENTS, **NO_LOSS, **NO_FAMILY, **NO_FIGHT, **each("he is no Reinforcement", "room"),
        **each("he brings nobody", "claim", "silver"), **each("he is a Major General", "minor"),
        **each("Generals take no room", "inside")}),
    # on the way
    "move_on": Must("10C", "whose passage is honoured goes on with all his CUs and Generals", {
        "mps": "doors-10C-senior", "once": "doors-10C-over", "eight": "doors-10C-too-many", "ships": "doors-10C-no-way-out",
        "gone": "war-10C-h", "claim": "own-10C-b"}, {
        **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **ALL_GO,
        **each("with a truce in every way out no passage is asked; where it comes later he may stay (R15)", "truce"),
        **each("Minor Generals who stood there are not taken along, nor is anybody by a Minor General", "minor"),
        **each("the Family may be taken along or not", "royals"), **each("passage is not asked at a city", "inside"),
        **each("he goes to where they are, and section 10 asks there", "enemies")}),
    "stop": Must("10C", "whoever breaks a passage stops and fights", {"enemies": "10C-b"}, {
        **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **NO_FAMILY,
        **each("to where a partner of his truce stands he does not come", "truce"),
        **each("nobody is asked whether he breaks it when those who granted it have gone", "gone"),
        **each("he stays where he is", "claim", "minor", "silver", "once", "mps", "inside", "ships", "eight")}),
    "pass_by": Must("10G", "a General does not stay beside another, he goes on or goes back", {
        "truce": "doors-10G-truce", "mps": "war-10G-a"}, {
        **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **ALL_GO,
        **each("the way back is always there", "gone"), **each("there are no CUs", "claim", "eight", "enemies"),
        **each("a Minor General without CUs leaves the map", "minor"),
        **each("the Family does not go with a General alone", "royals"),
        **each("whose activation is over stands there as before", "once"), **each("Generals take no room", "inside"),
        **each("by sea the way is open or does not count; and back he needs no ship", "ships")}),
    "intercept": Must("11.2", "whose interception succeeds comes with all that he named", {
        "eight": "own-16.8-a", "silver": "own-7.2D-c", "royals": "war-11.2-b", "minor": "war-7.1C-a", "inside": "11.2-k",
        "claim": "own-11.2-a"}, {
        **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **each("who has gone meanwhile is not there to come", "gone"),
        **each("who has a truce with the mover does not declare it", "truce"),
        **each("who moved in his own segment may intercept in that of another", "once"), **each("it costs none", "mps"),
        **each("he comes to fight", "enemies"), **each("nobody intercepts over the sea", "ships")}),
    "withdraw": Must("11.3", "with one of the moving pieces all of them go back", {
        "enemies": "doors-11.3-a", "minor": "doors-11.3-b", "claim": "doors-7.1C-a", "ships": "doors-11.3-b"}, {
        **BACK, **each("who came out of a city goes back with no more than came out", "inside")}),
    "evade": Must("12.2A", "who evades takes everybody along, to where it is allowed", {
        "eight": "16.8-b", "enemies": "12.1-a", "royals": "doors-8.4-b", "silver": "12.2A-a", "minor": "war-12.2A-a",
        "inside": "war-12.2A-c"}, {
        **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **each("only who has a way out may try", "gone"),
        **each("all go, and their General with them", "claim"),
        **each("it is no attack, whoever's turn it is", "truce"), **each("one may evade again and again", "once"),
        **each("two spaces, whatever they cost", "mps"), **each("nobody evades over the sea", "ships")}),
    # at sea
    "land": Must("13.1, 13.2.8", "nobody ends his movement at sea", {
        "truce": "doors-13.1-truce", "enemies": "war-13.2-e", "inside": "war-13.2-n", "ships": "13.1-e"}, {
        **each("to land costs nothing", "mps"),
        **NO_INDEPENDENTS, **NO_LOSS, **NO_PLACING, **ALL_GO, **each("every port has land", "gone"),
        **each("a General comes ashore with them", "claim"), **each("who leads aboard leads ashore", "minor"),
        **each("who was taken on board comes ashore", "royals"), **each("it ends the one movement that they have", "once"),
        **each("by sea 13.1 has its own limit", "eight")}),
    "port": Must("13.3D", "who is beaten at sea goes back to his port", {
        "enemies": "doors-13.3D-a", "inside": "war-13.3D-d", "claim": "war-13.3D-e", "minor": "13.3D-ex1"}, {
        **BACK, **each("it is the same Naval Movement", "ships")}),
    # battle
    "retreat": Must("14.10", "after a draw the attackers go back", {
        "enemies": "doors-14.10-b", "inside": "doors-9.4-a", "claim": "doors-9.1-b", "ships": "doors-14.10-a"}, {
        **BACK, **each("who led them leads them; where he has fallen they go without (9.1)", "minor")}),
    # Independent Armies
    "march_west": Must("9.5", "Philon ends further west, an Army that was called comes onto the map", {
        "country": "9.5-k", "mps": "numbers-9.5-a", "enemies": "war-9.5-j", "gone": "9.5-j", "ships": "war-13.1-f"}, {
        **NO_LOSS, **NO_PLACING, **NO_FAMILY, **ALL_GO, **each("Independents make no truce", "truce"),
        **each("a counter is General and CUs in one", "claim", "minor"), **each("each moves once, and to its end", "once"),
        **each("they never enter a city", "inside"), **each("each Army marches for itself, and none has 8 CUs", "eight")}),
}


def page() -> str:
    """docs/musts.md"""
    lines = [
        "# What must be done and may not be", "",
        "Where one rule says that somebody must, and another that he may not, nobody may be left without a way to go on. Each",
        "must of the rulebook stands here beside each may-not: where the two can meet with the case that holds what happens",
        "then, else with why they cannot. Positions in which they meet are drawn as well, thousands of them, and nobody is",
        "stuck (`python -m pbem.dev.tight`). Generated from `pbem/dev/musts.py`; tests hold it against the cases.", "",
        *(f"* **{name}**{f' ({one.rule})' if one.rule else ''}: {one.what}." for name, one in MAY_NOTS.items()), ""]
    for must in MUSTS.values():
        met = ", ".join(f"{name} `{must.cases[name]}`" for name in MAY_NOTS if name in must.cases)
        why: dict[str, list[str]] = {}
        for name in MAY_NOTS:
            if name in must.cannot:
                why.setdefault(must.cannot[name], []).append(name)
        lines += [f"## {must.rule}: {must.what}", "", f"It meets {met}.", "",
                  *(f"* {', '.join(names)}: {reason}." for reason, names in why.items()), ""]
    return "\n".join(lines)
