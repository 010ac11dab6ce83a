"""Every event: its key, its facts, its audience. An event without an audience cannot be told.

The words are in templates; here stands only what a sentence may draw on. `ALL` is everybody; any other audience is the
tuple of seats that may know. A fact is an id, a number, a list of ids or a mapping of ids to numbers.
"""

from typing import Any, NamedTuple

ALL: tuple[str, ...] = ("*",)


class Event(NamedTuple):
    key: str
    audience: tuple[str, ...]
    facts: dict[str, Any]

    def for_seat(self, seat: str | None) -> bool:
        """May this reader know it? None is the public."""
        return self.audience == ALL or (seat is not None and seat in self.audience)


def event(key: str, audience: tuple[str, ...], facts: dict[str, Any]) -> Event:
    """Make an event, checked against its declaration: a misspelt fact fails where it is told, not in a report."""
    if facts.keys() != EVENTS[key]:
        raise KeyError(f"event {key} wants {sorted(EVENTS[key])}, got {sorted(facts)}")
    return Event(key, audience, facts)


def _table(text: str) -> dict[str, frozenset[str]]:
    rows = (line.split() for line in text.strip().splitlines() if line.strip())
    return {row[0]: frozenset(row[1:]) for row in rows}


# key, then the facts it carries
EVENTS = _table("""
    turn_began turn
    player_turn_began seat round
    segment_began seat segment
    movement_rolled seat die name allowances
    activated general seat
    activation_ended general seat
    marched seat general generals cus royals origin target cost left
    shifted seat general generals cus royals space to
    picked_up seat general pieces at
    dropped seat general pieces at
    command_changed seat old new mps spent left
    mps_counted seat general mps spent left
    split seat at pieces
    minor_placed seat minor at origin
    minor_removed seat minor at why
    disbanded seat at count
    pc_removed seat owner space
    pc_placed seat space
    attrition_rolled seat at column die name modifier result group least
    eliminated seat at cus why
    city_sorted seat space inside outside
    city_unsorted seat space
    passage_asked seat of space
    passage_granted seat mover space
    passage_refused seat mover space
    passage_honoured seat of space
    passage_broken seat of space
    interception_barred seats space why rule
    silent seats reason
    stood_in seats
    interception_declared seat general origin space pieces
    interception_rolled seat general space die name needed succeeded
    interception_cancelled seat general space by
    intercepted seat general origin space pieces
    withdrew seat general origin space
    stood seat space
    evasion_declared seat general space
    evasion_rolled seat general space die name needed succeeded
    evaded seat general origin path
    general_dispersed seat general space by
    cus_dispersed seat at cus why
    champion_lost seat against rule space
    champion_again seat
    must_go_on seat general space
    legitimacy_changed seat old new parts
    points_changed seat old new parts
    royal_gained royal seat at
    royal_lost royal seat at
    province_changed province old new
    fleet_changed fleet old new
    card_played seat card way
    surprise_played seat card
    card_cancelled seat card by
    card_drawn seat
    card_seen seat card
    card_taken seat victim die name
    card_shown seat card victim
    card_discarded seat card
    oratory seat general popularity
    deck_shuffled deck count root
    dealt seat count
    embarked seat general generals cus royals origin fleets
    sailed seat general origin target cost left
    disembarked seat general at left
    naval_battle_declared seat mover space fleets
    naval_battle_cancelled seat space
    naval_battle_began seat mover space fleets strengths
    naval_battle_rolled seat space dice name bonus total strength score
    naval_battle_fought seat mover space scores winner
    fleet_dispersed fleet seat space
    returned_to_port seat general space
    independent_entered seat general space cost left
    independent_removed seat general space
    overrun_began seat victim space mover_cus victim_cus
    battle_began attacker defender space attackers defenders ratio
    joined_battle seat space pieces
    stayed_inside seat space
    prestige_compared space sides
    royals_set_apart seat space count
    royals_defected seat to space count
    elephants_rolled seat space dice names strengths
    local_troops seat space parts points
    battle_strength seat space general parts total
    battle_rolled seat space general dice name rating raised bonus total strength score
    battle_won seat loser space scores
    battle_drawn attacker defender space scores
    battle_off seat space
    general_loss_rolled seat general space die name total killed_on killed
    general_killed seat general space
    command_taken seat general space
    command_lost seat space
    popularity_gained seat general popularity
    independents_beaten general space to
    retreated seat general space origin cus
    siege_rolled seat general space cus die name modifiers total result points loss rides_off
    siege_points_changed seat space old new needed
    siege_completed seat space owner segment
    garrison_lost seat space
    ability_used seat general ability space
    mercenary_raised seat at
    ruling text reason
    undone entry reason stain consent
    note text
    datum_corrected datum value reason
    data_corrected datums reason by
    not_confirmed tables
    rebased reason
    held reason
    resumed reason
    seat_changed seat name
    seat_neutral seat reason
    hand_dice name value reason
    threshold seat what left
    phase_began phase turn
    reminder what seat at
    usurper_named seat points tied
    tie_rolled seat why die name
    first_player_chosen seat by direction order
    totals_compared totals royal seat
    heir_assassinated royal seat total best
    tie_broken seat by tied numbers
    game_won seat by total
    general_succeeded seat old new at
    general_joined seat general
    general_arrived seat general at
    generals_dealt seat generals
    general_given_back seat general
    seated order votes players
    cart_lost at
    buried seat at
    fleet_returned fleet seat
    fleet_upgraded fleet seat strength
    reinforcements_due seat cus generals parts
    reinforced seat at cus generals
    reinforcements_dispersed seat cus generals
    training_advanced seat kind at missing
    general_recruited seat general at cus alive dealt
    isolated seat space cus pcs
    card_revealed card resolver
    card_left_game card
    card_joined_deck card
    stand_in card
    marriage_offered seat royal card
    married seat royal at
    offer_lapsed seat royal
    helepolis_placed seat space
    helepolis_returned seat space
    cus_placed seat at cus
    royal_killed royal at owner
    royal_moved royal origin at
    condemned seat general lost
    condemnation_lifted seat general regained
    nowhere_to_rebel provinces
    desertions_rolled seat general at die name modifier lost
    mercenary_changed_sides seat victim origin at
    treachery_rolled seat general at die name needed succeeded
    marches_given seat count mps
    looted seat space cus
    kept_for_good seat card
    changed_sides seat to space cus
    elephants_harmless seat space count
    battle_bonus seat space bonus
    naval_bonus seat space bonus
    general_saved seat general space
    traitor_found seat space bonus
    rules_in_force edition rules polls windows
    words_given words
    capital_begun seat space
    capital_interrupted seat space why
    capital_completed seat space
    capital_lost seat space by
    royal_appeared royal space after
    cart_finished seat
    cart_destroyed seat at
    fleet_retrieved seat fleet
    reaction_modified seat general parts
    reaction_paid seat general space
    reaction_lapsed seat general space
    truce_offered seat to
    truce_made seat to
    truce_refused seat to
    oracle_spoke seat legitimacy
    ghost_called seat general victim at
    failure_rolled seat general owner die name killed_on killed
""")
