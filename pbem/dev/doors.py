"""Every way by which pieces come into, leave or pass a location, and what each of them has to ask: the source of docs/doors.md.

A door has a cell for every question: the functions through which it asks, or why it need not. `tests/rules/test_doors.py`
finds the doors in the code, and walks the table: whatever moves a piece and has no row here fails, and so does a
question that is asked in a way of its own.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pbem.cards import battle as battle_cards
from pbem.cards import campaigns, optional, raids, royals, targets, troops
from pbem.rules import (
    activation,
    attrition,
    battle,
    battle_losses,
    burial,
    capital,
    cavalry,
    company,
    effects,
    end_game,
    evasion,
    forage,
    general_loss,
    generals,
    independents,
    interception,
    land_movement,
    movement,
    naval,
    naval_battle,
    operations,
    ownership,
    pieces,
    preparations,
    prestige,
    reinforcements,
    setup,
    siege,
    surprise,
    truce,
    victory,
)
from pbem.table import position

Function = Callable[..., Any]


class Question(NamedTuple):
    rule: str
    what: str
    asked: tuple[Function, ...]         # one of these is asked
    when: str = "before"                # before anything is moved, or meanwhile


QUESTIONS = {
    "leader": Question("9.1", "who leads them, and may he", (
        activation.own_general, company.judge_active, evasion.may_evade, interception.judge_origin, naval_battle.voyage_of,
        independents.is_active, company.pick_minor, generals.judge_own_turn)),
    "enemies": Question("10", "who stands there already", (
        truce.judge, truce.judge_entering, interception.judge_open, evasion.judge_step, reinforcements.enemies_in,
        naval.judge_drop_place)),
    "whole": Question("7.2D", "are the CUs there, and are the Silver Shields kept together", (pieces.judge_named,)),
    "royals": Question("8.4", "which of the Royal Family may come along", (activation.may_be_carried,)),
    "room": Question("9.4", "is there room inside", (pieces.room_at,)),
    "onward": Question("10C, 10G", "does everybody go on where the Army may not stop", (company.judge_all_leave,)),
    "attack": Question("3.7", "is it an attack on a Champion", (victory.attack,), "meanwhile"),
    "fleets": Question("13.2", "with which Fleets, and who meets them at sea", (
        naval_battle.judge_fleets, naval_battle.naval_battles), "meanwhile"),
    "end": Question("7.1C, 7.2A, 8.2, 8.3, 15.3, 3.1", "whose is what now, is a siege lifted, has anybody won",
                    (ownership.end_of_procedure,), "meanwhile"),
}


class Door(NamedTuple):
    rule: str
    what: str
    moves: Function                     # the function that moves the pieces
    asks: tuple[Function, ...]          # where the questions are asked, besides there
    ends: tuple[Function, ...]          # what it happens in, and what is settled with it
    need_not: Mapping[str, str]         # the questions that it need not ask, and why


ASHORE = {"fleets": "nobody is at sea"}
OUTSIDE = {"room": "nobody comes inside"}
TOGETHER = {"leader": "they go as they are", "whole": "all go together"}
AFLOAT = {"onward": "at sea it goes on in any case (13.1)"}
STAYS = {"onward": "the Army that may not stop is another"}
BACK = {**TOGETHER, **ASHORE, **STAYS, "enemies": "they go back whoever stands there (R3)", "attack": "going back is none (R3)"}
PLACED = {**ASHORE, **STAYS, "attack": "nobody is attacked by it"}
NO_FAMILY = {"royals": "none of the Royal Family comes"}
LED = (movement.march, movement.shift, naval.disembark, independents.move)          # in which the Procedure of section 10 runs
REACTION = {**ASHORE, **STAYS, "attack": "only who moves attacks"}
GONE = {**ASHORE, **STAYS, **OUTSIDE, "leader": "nobody leads them", "enemies": "they come to nobody",
        "whole": "what has to go goes", "royals": "none is carried", "attack": "what took them has asked"}
SET_UP = {**GONE, "attack": "nobody is attacked", "end": "nothing is under way yet"}
OF_CARDS = (effects.event, surprise.play)
ROYAL = {**GONE, "attack": "nobody is attacked"}

DOORS = {
    # 9, 10 on the march
    "march": Door("9.3A", "an Army or General goes from space to space",
        movement.march, (movement.judge_march,), (movement.march,), {**ASHORE, **OUTSIDE}),
    "shift": Door("9.3B", "through the gate of a city",
        movement.shift, (movement.judge_shift,), (movement.shift,), ASHORE),
    "city_choice": Door("10B", "the city's owner sorts his pieces",
        land_movement.sort_pieces, (land_movement.judge_sorting,), LED,
        {**REACTION, "leader": "nobody has to lead them (B18)", "royals": "they stay in the space, the Cart too (R4)"}),
    "interception": Door("11.2", "an interceptor comes",
        interception.carry_out, (interception.judge_attempts,), LED, {**REACTION, **OUTSIDE}),
    "interception_minor": Door("7.1C", "a Minor General is placed for an interception",
        interception.put_minor, (interception.judge_attempts,), LED,
        {**REACTION, "royals": "he comes alone", "room": "a General needs none"}),
    "withdrawal": Door("11.3", "the intercepted go back",
        land_movement.withdraw, (), LED, {**BACK, "royals": "they were carried there"}),
    "evasion": Door("12.2A", "they evade",
        evasion.move_on, (evasion.declaration, evasion.escape, evasion.evade), LED,
        {**REACTION, **OUTSIDE, "whole": "all go together"}),
    # 13 at sea
    "embark": Door("13.2.2", "on board",
        naval.embark, (naval.judge_embark,), (naval.embark,),
        {**OUTSIDE, "enemies": "nobody is at sea but who embarks", "attack": "nobody is attacked yet"}),
    "sail": Door("13.2.3", "from port to port",
        naval.sail, (naval.judge_sail,), (naval.sail,),
        {**OUTSIDE, **AFLOAT, "whole": "all go together", "royals": "they are on board already"}),
    "pick_up_at_sea": Door("13.2.6", "picked up from the shore",
        naval.pick_up, (naval.judge_pick_up,), (naval.pick_up,),
        {**ASHORE, **OUTSIDE, **AFLOAT, "enemies": "they leave", "attack": "nobody is attacked"}),
    "drop_from_sea": Door("13.2.6", "dropped off ashore",
        naval.drop, (naval.judge_drop,), (naval.drop,), {**ASHORE, **AFLOAT, "royals": "they were taken on board"}),
    "disembark": Door("13.2.8", "ashore",
        naval.disembark, (naval.judge_disembark,), (naval.disembark,),
        {**ASHORE, **AFLOAT, "whole": "all go together", "royals": "they were taken on board"}),
    "set_ashore": Door("8.4", "Royals whose last CU is gone stay ashore",
        naval.set_ashore_without_army, (), (naval.sail,), GONE),
    "return_to_port": Door("13.3D", "driven back to port",
        activation.return_to_port, (), (activation.finish,), {**BACK, "royals": "they were taken on board"}),
    # 14, 15 battle and siege
    "joining": Door("14.2", "out of the city, to join the battle",
        battle.come_out, (battle.judge_joining,), LED,
        {**REACTION, **OUTSIDE, "leader": "nobody has to lead them", "enemies": "they come to fight",
            "royals": "the Royal Family is refused"}),
    "retreat": Door("14.10", "back after a draw",
        battle_losses.fall_back, (battle_losses.retreat,), LED, BACK),
    "retreat_into_box": Door("14.10", "an Independent Army, into its box",
        battle_losses.into_the_box, (), LED, GONE),
    "no_room": Door("9.4", "whoever has no room inside",
        activation.keep_inside_limit, (), (*LED, activation.finish),
        {**{question: why for question, why in GONE.items() if question != "room"},
            "enemies": "where a besieger stands they are dispersed (R6)"}),
    "beaten_family": Door("14.9", "the Family of the beaten, out of the city",
        battle_losses.beaten, (), (*LED, siege.siege), GONE),
    "leave_city": Door("9.4", "a garrison, out of the city that has turned Independent",
        siege.leave_city, (), OF_CARDS, GONE),
    "beaten": Door("14.9", "the beaten, to the Dispersed Box",
        battle_losses.disperse, (), (*LED, siege.siege), GONE),
    "beaten_independents": Door("14.9", "Independent Armies, to their box or out of the game",
        battle_losses.independents_beaten, (), LED, GONE),
    "defection": Door("7.2F", "Royal Army CUs change sides",
        prestige.defect, (), (*LED, siege.siege), {**GONE, "enemies": "those they go to"}),
    "capital_falls": Door("16.1", "there are no walls any more",
        capital.put_outside, (), (siege.siege, ownership.end_of_procedure), GONE),
    # 5.2, 6.2, 7.1 placed on the map
    "reinforcement": Door("5.2", "Reinforcements",
        reinforcements.put, (reinforcements.judge_reinforce,), (reinforcements.put,),
        {**PLACED, **NO_FAMILY, "leader": "5.2 says whether a General is needed"}),
    "arrival": Door("5.2", "a Major General comes onto the map",
        reinforcements.arrive, (reinforcements.judge_reinforce, operations.judge_arrival), (reinforcements.put,
            operations.recruit, *OF_CARDS),
        {**PLACED, **NO_FAMILY, "leader": "he leads himself"}),
    "recruit": Door("6.2D", "a recruited General and his CUs",
        operations.recruit, (operations.judge_recruit,), (operations.recruit,),
        {**PLACED, **NO_FAMILY, "leader": "he leads himself", "whole": "he brings what his card says"}),
    "polyperchon": Door("7.1B", "Polyperchon follows Antipatros",
        reinforcements.replace_antipatros, (reinforcements.polyperchon_question,), (*LED, *OF_CARDS),
        {**PLACED, **NO_FAMILY, "leader": "he leads himself", "whole": "he comes alone", "room": "a General needs none"}),
    "succession": Door("5.1A", "Polyperchon stands where Antipatros stood",
        preparations.antipatros_dies, (), (),
        {**PLACED, **NO_FAMILY, **TOGETHER, "enemies": "who stands there stood there", "room": "a General needs none",
            "end": "nobody's pieces come or go"}),
    "joining_game": Door("5.1A", "a General enters the game, by way of the Dispersed Box",
        preparations.join, (), (), SET_UP),
    "minor": Door("7.1C", "a Minor General appears or jumps",
        company.appear, (generals.judge_place_minor,), (*LED, *OF_CARDS),
        {**PLACED, **NO_FAMILY, "enemies": "only a CU of one's own is asked for", "whole": "he takes nothing along",
            "room": "a General needs none", "onward": "who leads an Army that may not stop does not jump away (7.1 C)"}),
    # 6.2 A cards
    "card_troops": Door("6.2A", "troops that a card brings",
        targets.put, (troops.judge_mercenaries, troops.judge_silver_shields), OF_CARDS,
        {**PLACED, **NO_FAMILY, "leader": "the card says whether a General is needed", "whole": "the card says how many"}),
    "card_loot": Door("6.2A", "Mercenaries for the treasure",
        campaigns.loot_city, (campaigns.judge_loot,), (campaigns.loot_now, effects.event),
        {**PLACED, **NO_FAMILY, "leader": "they join the Army", "whole": "the card says how many"}),
    "card_traitor": Door("6.2A", "a Mercenary changes sides",
        raids.traitor, (raids.judge_traitor,), OF_CARDS,
        {**PLACED, **NO_FAMILY, "leader": "he joins an Army", "enemies": "the card asks for a clear way",
            "whole": "it is one"}),
    "card_treachery": Door("6.2A", "the Mercenaries of a Minor General come over",
        raids.treachery, (raids.judge_treachery,), OF_CARDS,
        {**PLACED, **NO_FAMILY, **OUTSIDE, "enemies": "where others stand they are dispersed", "whole": "Mercenaries only"}),
    "card_ghost": Door("6.2A", "a Royal Army CU follows the dead king",
        optional.ghost, (optional.judge_ghost,), OF_CARDS,
        {**PLACED, **NO_FAMILY, "leader": "it joins an Army", "enemies": "the card asks for a clear way",
            "whole": "it is one"}),
    "card_battle": Door("14.3", "CUs change sides in a battle",
        battle_cards.change_sides, (battle_cards.judge_mutiny,), LED,
        {**PLACED, **NO_FAMILY, **OUTSIDE, "leader": "they join an Army", "enemies": "they come from them",
            "whole": "the Silver Shields go with what is left of them"}),
    "card_royals": Door("6.2A", "a card moves one of the Royal Family",
        royals.move, (royals.judge_plans,), OF_CARDS,
        {**ROYAL, "enemies": "she takes no notice of anybody", "royals": "the card names whom it moves"}),
    # 9.5 Independent Armies
    "independent": Door("9.5", "an Independent Army moves",
        independents.step_out, (independents.judge,), (independents.move,),
        {**ASHORE, **OUTSIDE, "onward": "they stop for nobody (9.5)", "whole": "they never part", "royals": "they carry nobody",
            "enemies": "whoever stands there, the Procedure of section 10 asks", "attack": "Independents are no Champions"}),
    "independent_home": Door("9.5", "it leaves the game where it wanted to go",
        independents.remove, (), (independents.move,), GONE),
    "independent_box": Door("11.3", "its CUs are off the map in its box",
        independents.back_into_box, (), (independents.move,), GONE),
    # off the map, and what follows from who is left
    "losses": Door("7.3", "CUs are eliminated",
        attrition.eliminate, (), (*LED, forage.forage, siege.siege, *OF_CARDS), GONE),
    "rode_off": Door("16.9", "Cavalry is dispersed",
        cavalry.ride_off, (), (siege.siege,), GONE),
    "disband": Door("7.2F", "Royal Army CUs are disbanded",
        generals.disband, (), (),
        {**GONE, "end": "in one's own turn; the Procedure or the segment that is under way ends with it"}),
    "dispersed_cus": Door("7.2A", "CUs to the Dispersed Box",
        ownership.disperse_cus, (), (*LED, ownership.end_of_procedure), GONE),
    "dispersed_general": Door("10I", "a General is dispersed",
        ownership.disperse_general, (land_movement.army_vs_general,), LED,
        {question: why for question, why in GONE.items() if question != "attack"}),
    "minor_leaves": Door("7.1C", "a Minor General leaves the map",
        ownership.remove_minor, (), (ownership.end_of_procedure,), GONE),
    "killed": Door("14.8", "a General is killed",
        general_loss.kill, (), (*LED, *OF_CARDS), GONE),
    "due_dispersed": Door("5.2", "what can be placed nowhere",
        reinforcements.disperse_due, (), (), {**GONE, "end": "it was on no space"}),
    "royal_control": Door("8.3", "nobody uncontrolled stays inside",
        ownership.control_royal, (), (ownership.end_of_procedure,), ROYAL),
    "royal_waits": Door("16.2", "Herakles appears",
        ownership.enter_royals, (), (ownership.end_of_procedure,), ROYAL),
    "cart_destroyed": Door("16.4", "the Cart is destroyed",
        ownership.destroy_cart, (), (ownership.end_of_procedure,), ROYAL),
    "cart_lost": Door("3.8", "the body is lost",
        preparations.cart_is_lost, (), (), {**ROYAL, "end": "counted when the phase ends"}),
    "buried": Door("3.8", "the Cart becomes the Tomb",
        burial.entomb, (burial.judge_bury,), (burial.entomb,), ROYAL),
    "hemlock": Door("8.5", "one of the Royal Family is killed",
        royals.hemlock, (royals.judge_hemlock,), OF_CARDS, ROYAL),
    "assassinated": Door("3.2", "an Heir is killed",
        end_game.assassinate, (), (end_game.assassinate,), ROYAL),
    # 4 before play, and rulings
    "set_up_others": Door("4.1", "Independents",
        setup.place_non_player_pieces, (), (), SET_UP),
    "set_up_family": Door("4.2", "the Royal Family",
        setup.place_royal_family, (), (), SET_UP),
    "set_up_generals": Door("4.6", "the Starting Generals",
        setup.deploy, (), (setup.deploy,), {**SET_UP, "end": "4.6"}),
    "ruling": Door("2", "a ruling states where they are",
        position.state, (), (), {**SET_UP, "end": "the desk refuses what would break the position"}),
}


def page() -> str:
    """docs/doors.md"""
    def cell(door: Door, question: str) -> str:
        return door.need_not.get(question, "asked")

    head = " | ".join(f"{name} ({one.rule.partition(',')[0]})" for name, one in QUESTIONS.items())
    rows = [f"| {door.rule} | {door.what} | " + " | ".join(cell(door, question) for question in QUESTIONS) + " |"
            for door in DOORS.values()]
    return "\n".join([
        "# Doors", "",
        "Every way by which pieces come into, leave or pass a location, and what is asked at it. What is asked goes through",
        "the same functions wherever it is asked; what is not asked says why. Generated from `pbem/dev/doors.py`; a test finds",
        "the doors in the code and walks the table.", "",
        *(f"* **{name}** ({one.rule}): {one.what}." for name, one in QUESTIONS.items()), "",
        f"| rule | door | {head} |", "|---|---|" + "---|" * len(QUESTIONS), *rows]) + "\n"
