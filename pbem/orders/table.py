"""The table of orders: a pattern for every order there is."""

from pbem.orders.patterns import Form

VERBS: dict[str, tuple[Form, ...]] = {}  # every form of a verb that is written
WRITTEN: dict[str, list[Form]] = {}  # first word -> forms that are written
STARTS: dict[str, list[Form]] = {}  # first word -> forms that are read; the written ones come first
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
NOTHING = ("no", "none", "nothing")         # what passes, and may stand behind a letter as well: `i nothing`


def _verb(verb: str, *patterns: str, also: tuple[str, ...] = ()) -> None:
    forms = [Form(verb, pattern) for pattern in (*patterns, *also)]
    VERBS[verb] = tuple(forms[: len(patterns)])
    for kept, some in ((WRITTEN, VERBS[verb]), (STARTS, forms)):
        for form in some:
            kept.setdefault(form.pattern.partition(" ")[0], []).append(form)


# 9 Activation
_verb("roll", "roll", also=("roll movement", "roll_movement", "roll for movement", "movement roll"))
_verb("raise_mercenary", "raise mercenary at {location} [under {minor}]")
_verb("activate", "activate {general}")
_MARCH = (
    "{general} [with {pieces}] [leaving {leave:pieces}] > {path}"
    " [asking passage of {passage:seats}] [openly via {route:path}] [{openly!}]"
)
_verb("march", f"march {_MARCH}", also=(f"move {_MARCH}", "march with {general} > {path}", "move with {general} > {path}"))
_verb(
    "shift", "shift [{general}] [with {pieces}] {to:inside|outside} [at {at:space}]",
    also=("shift [{general}] [with {pieces}] {to:inside|outside} {at:space}",),
)
_verb("pick_up", "pick up {pieces}", also=("pickup {pieces}",))
_verb(
    "drop", "drop {pieces} [{loc:inside|outside}] [under {minor}]",
    also=("drop off {pieces} [{loc:inside|outside}] [under {minor}]",),
)
_verb("split", "split {location} leaving {pieces} [under {minor}]")
_verb(
    "place_minor", "place minor [{minor}] at {at:location} [from {from_:location}]",
    also=("place {minor} at {at:location} [from {from_:location}]",),
)
_verb("remove_minor", "remove minor at {at:location}", "remove minor {minor}", also=("remove {minor}",))
_verb("disband", "disband {number} royal at {location}")
_verb("command", "command {general}", also=("let {general} command",))
_verb("use_ability", "use ability of {general}", also=("use ability {general}", "use {general}"))
# 9.5 Independent Armies
_verb("independent_move", "independent {general} > {path}", "independent {general} place pc at {space}",
      also=("independents {general} > {path}", "independent {general} pc at {space}"))

# 13 Naval Movement
_EMBARK = "embark {general} [with {pieces}] [leaving {leave:pieces}]"
_verb("embark", f"{_EMBARK} [escorted by {{fleets}}]", also=(f"{_EMBARK} escort {{fleets}}",))
_verb("sail", "sail {general} > {path} [on to {route:path}]")
_verb(
    "disembark", "disembark [{general}] [{loc:inside|outside}] [asking passage of {passage:seats}]",
    also=("land [{general}] [{loc:inside|outside}] [asking passage of {passage:seats}]",),
)
_verb("naval_battle", "naval battle with {fleets}", also=("meet with {fleets}",))
_verb("place_pc", "place pc at {spaces}")
_verb("remove_pc", "remove pc at {space} [with {general}] [using {pieces}]")
_verb(
    "siege", "siege {space} [with {general}] [using {pieces}] [playing {card}]",
    also=("besiege {space} [with {general}] [using {pieces}] [playing {card}]",),
)
_verb("end_activation", "end activation")
_verb("end", "end segment", "end {kind:surrender|tyche|forage}",
      also=("end", "end {kind:surrender|tyche|forage} segment", "end the {kind:surrender|tyche|forage} [segment]"))

# 3.8, 4, 5 The phases
_verb("deploy", "deploy {general} at {at:location}")
_verb("give_back", "give back {general}")
_verb("sit", "sit {seating:circle}", also=("seats {seating:circle}", "seating {seating:circle}"))
_verb("first_player", "first player {seat} {direction:left|right}", also=("first player {seat} going {direction:left|right}",))
_verb(
    "reinforce", "reinforce {location} with {pieces} [under {minor}]",
    also=("reinforcements at {location} with {pieces} [under {minor}]",),
)
_verb("bury", "bury Alexander", also=("bury",))
_verb("turn_up", "turn up {card}")
_verb("build_capital", "build capital at {space}", also=("build a capital at {space}",))
_verb("loot", "loot [{space}]")

# 6.2 Tyche Segment
_HOW = "{how:event|ops|bonus|surprise} [{number}]"
_CHOICES = (
    "[on {target}] [at {at:location}] [choosing {spaces}] [taking {kind:mercenary|loyal|cavalry}] [under {minor}]"
    " [placing {pc!}]"
)
_verb(
    "play", f"play {{card}} as {_HOW} {_CHOICES}",
    also=(
        f"play {{card}} {_HOW} {_CHOICES}",
        f"play {{card}} as {_HOW} on {{target}}",
        "surprise {card} {how=surprise} [on {target}] [at {at:location}]",
        "surprise {card} {how=surprise} on {target}",
        "surprise {card} {how=surprise}",
    ),
)
_verb(
    "force_march", "force march {general} {number}",
    also=("force march {general} by {number}", "force-march {general} [by] {number}"),
)
_verb("discard", "discard {card}")
_verb("train", "train {kind:mercenary|loyal|cavalry} [{number}] [then {then:mercenary|loyal|cavalry}]")
_verb("finish_cart", "finish cart with {card}", also=("finish the cart with {card}",))
_verb("retrieve_fleet", "retrieve fleet {fleet} with {card}", also=("retrieve {fleet} with {card}",))
_verb("upgrade_fleet", "upgrade fleet {fleet} with {card}", also=("upgrade {fleet} with {card}",))
_verb("recruit", "recruit {general} with {card} [at {at:location}] [placing {pc!}]")

# 10 Land Movement, 11 Interception, 12 Evasion: answers
_verb("pass", "pass", also=NOTHING)
_verb(
    "intercept",
    "intercept {general} [from {from_:location}] with {pieces} [placing {minor} to {minor_role:lead|stay}]",
    "intercept {general} [from {from_:location}] {discarding!}",
    also=("intercept {general} [from {from_:location}] {pieces=all}",),
)
_verb("attack", "attack")
_verb("withdraw", "withdraw")
_verb("stay", "stay")
_verb("evade", "evade [{general}] [> {path}]", "evade {general} {discarding!}")
_verb("sort_inside", "inside {pieces}")
_verb("sort_outside", "outside {pieces}")
_verb("grant", "grant")
_verb("refuse", "refuse")
_verb("reroll", "reroll", also=("roll again",))
_verb("honour", "honour", also=("honor",))
_verb("break", "break")
_verb("lose", "lose {pieces} [{loc:inside|outside}]")
_verb("choose", "choose {number}")  # what a ruling asks
_verb("letter", "{letter} [{pieces}]", also=("{letter} with {pieces}",))  # one of the offers that came with a question
