"""The record of a variant: named rule points, which are numbers, tables, small functions and orders of steps.

Rule code asks `g.rules`; it never asks which edition is played. What stands behind a point says which rule it is of.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Ruleset(NamedTuple):
    # the variant, as headers and commands name it; and the book that is cited, which several may share
    name: str
    book: str
    # of what 16 offers: what is part of this game anyway, what it has otherwise or not at all; and of this what games of before
    # may have chosen all the same
    standard_options: frozenset[str]
    foreign_options: frozenset[str]
    past_options: frozenset[str]
    # 9 activation and movement
    path_mps: Mapping[str, int]                         # 9.3 A
    movement_mps: Callable[[int, int], int]             # 9.2 Initiative Rating, die -> MPs
    siege_mps: int                                      # 9.3 C
    remove_pc_mps: int                                  # 9.3 D
    remove_pc_cus: int                                  # 9.3 D
    inside_limit: int                                   # 9.4 CUs inside a Major City
    elephants_stay_outside: bool                        # 9.4 Elephants never go there (19.10 of the draft)
    march_limit: int                                    # CUs that march or intercept together (16.8), 0 = none
    # 10 to 12 what happens when a space is entered
    land_movement: tuple[str, ...]                      # 10 the steps and their order
    ends_where_alone: frozenset[str]                    # 10 D those that do not come any more where one faction is alone
    mover_breaks_passage: bool                          # 10 C the mover need not honour a granted passage
    lone_general_intercepts: bool                       # 11.1 a General without CUs may intercept
    passage_in_cities: bool                             # 10 C asked and granted at a Major City, too
    lone_general_meets_army: bool                       # 10 I a General without CUs may go where enemy CUs stand
    catching_is_attack: bool                            # 10 I to catch a General without CUs is an attack in the sense of 3.7
    besieged_bar_interception: bool                     # 11.1 B enemy CUs in the space bar it even if they are besieged
    siege_outlasts: str                                 # 11.1 B for how long it bars who was inside: march | one step | nothing
    independents_withdraw: bool                         # 11.3 an Independent Army that is intercepted may withdraw
    lone_general_withdraws: bool                        # 11.3 a General without CUs may withdraw
    into_transit: int                                   # 11.2 added to the die when a Transit Point is entered
    evasion_into_transit: int                           # 12.2 the same for who evades
    lone_general_evaded: bool                           # 12.1 one gets away from a General without CUs, too
    besieged_bar_evasion: bool                          # 12.1 enemy CUs bar a space even if they are besieged there
    lone_evader_passes: bool                            # 12.1 who evades without CUs gets past another General
    intercepted_evade: str                              # 12.1 who evades where somebody has intercepted: nobody | others
    evasion_spaces: int                                 # 12.2 A
    lone_general_killed_on: int                         # 10 I a caught Major General dies on this or more, 0 = no die
    lone_general_rolls: str                             # 10 I which one: every one | who has tried to evade: caught | failed
    stronghold_column: int                              # 7.3 Attrition Table column for passing through
    overrun_ratio: int                                  # 10 J
    # 13 Naval Movement
    naval_cus: int                                      # 13.1 CUs moved by sea in a segment
    naval_reach: int                                    # 13.3 A Sea paths between a PC and the space entered
    voyages_announced: bool                             # 13.2.3 the whole way by sea is announced, and met, before it begins
    naval_attack: str                                   # 13.3 B what costs a Champion his status: battle | uncancelled
    drop_beside_enemy: bool                             # 13.2 beside enemy CUs where own CUs stand as well
    # 7, 14, 15 Royal Army CUs and Sieges
    royals_alone_desert: str                            # 10 K on either side | only when attacked: either | defender
    royals_desert_battle: str                           # 14.9 after_losses | before_losses
    royals_weigh_siege: str                             # 7.2 F at every Siege Point | at the first: every | first
    prestige_in_sieges: str                             # 7.2 F whose is weighed by Royals inside: both | inside | neither
    garrison_leaves: bool                               # 9.4 who is inside a city that turns Independent comes out unharmed
    independents_by_majority: bool                      # 14.5 Independents hold a Province by most of its spaces
    independents_make_popular: bool                     # 7.2 F who beats an Independent Army gains a Popularity Point
    siege_points: Callable[[str, int | None], int]      # 15.4 kind of space, CUs inside (None: Independent) -> points needed
    siege_modifiers: tuple[str, ...]                    # 15.2 B beside the abilities of Generals
    garrison_absorbs: bool                              # 16.5
    royals_always_besiege: bool                         # 15.2 A; not with 16.6
    # 7 Generals
    ranks: bool                                         # 7.1 A stars decide who commands, of equals their owner
    groups: Mapping[int, Mapping[str, str]]             # 4.3 by number of players, what is not as the box has it
    set_aside: frozenset[str]                           # 4.3 Generals who wait in reserve instead of coming by card
    abilities: bool                                     # 7.1 Special Abilities are in force
    # 4, 5, 6 phases and segments
    seats_chosen: bool                                  # 4.4 the players choose their seats when the Generals are dealt
    preparations: tuple[str, ...]                       # 5.1 the steps and their order
    direction_chosen: bool                              # 5.1 C the first player's chooser also names the direction
    polyperchon_at_once: bool                           # 7.1 B he comes as soon as Antipatros is killed
    minors_reinforce: bool                              # 5.2 a Minor General may come with CUs into a space of one's own
    training: Mapping[str, int]                         # 6.2 B3 what can be trained, and the OPs it takes
    discards_at_any_time: bool                          # 6.2 Surprise cards, not only in one's own Tyche Segment
    points_before_event: bool                           # 6.2 A of a Bonus card; its event, if wanted, comes after
    plain_discard: bool                                 # 6.2 an Event or Bonus card may be thrown away as the card of a segment
    events_that_must_be: bool                           # 6.2 A cards that say so are played for their event at least
    upgrade_ops: tuple[int, ...]                        # 6.2 C cards that upgrade a Fleet
    recruit_ops: tuple[int, ...]                        # 6.2 D cards that recruit a General
    recruit_after: str                                  # 6.2 D who may: fewer (than dealt) | killed, one for each | lost one
    recruits_arrive: str                                # 6.2 D where they like it | in a Province by chance: preferred | drawn
    recruits_bring_pcs: bool                            # 6.2 D who arrives in his preferred Province may bring a PC
    lone_general_force_marches: bool                    # 6.2 B1 a General without CUs may march with a card, too
    placing_paths: tuple[str, ...]                      # 6.2 B2 the paths over which PCs are traced
    pcs_past_independents: bool                         # 6.2 B2 Independent PCs do not bar that way
    resolver: str                                       # 6 whose event it is that a card turned up brings: least | chance
    forage_limit: Mapping[str, int]                     # 6.4 CUs in a Transit Point, elsewhere
    forage_apart: bool                                  # 6.4 inside and outside of a city do not count together
    # 3 victory
    champion_legitimacy: int                            # 3.6, 3.7
    instant_legitimacy: int                             # 3.1
    instant_points: Mapping[int, int]                   # 3.1 by number of players
    regency_heirs: Mapping[int, str]                    # 3.2 Game Turn -> the Heir who comes of age
    burial_turns: tuple[int, ...]                       # 3.8
    burial_segments: tuple[str, ...]                    # 3.8 of one's own Player Turn
    last_turn: int                                      # 3.3
    # 16 what everybody agreed on beside the book
    options: tuple[str, ...]                            # the rules and cards that were chosen, by number
    extra_cards: frozenset[str]                         # 16.1 cards that are in the deck besides
    card_changes: Mapping[str, Mapping[str, Any]]       # 16.9 what cards say otherwise, by card
    royal_starts: Mapping[str, str]                     # 4.2 who begins elsewhere than the box says (19.12 of the draft)
    capitals_without_card: bool                         # 16.1 built in Surrender Segments (19.8 of the draft)
    capital_points: int                                 # 15.4 Siege Points that take a Capital, 0 = as any Major City
    capital_inside: int                                 # 9.4 CUs inside one
    capital_scores: bool                                # 3.5 one's own Capital brings Victory Points
    waiting_royals: Mapping[str, tuple[str, str]]       # 16.2 who waits off map: until whose death, to appear where
    finish_cart_ops: tuple[int, ...]                    # 16.3 cards that finish the Funeral Cart in Game Turn I
    cart_destroyed: bool                                # 16.4 Independents destroy the Funeral Cart they would control
    forage_attrition: bool                              # 16.7 Attrition instead of one CU
    fleets_return: bool                                 # 16.10 Dispersed Fleets of players come back by themselves
    independents_react: bool                            # 16.11 Independent Armies intercept and evade, for a Surprise card
    # 16.9 Cavalry
    starting_cus: Mapping[str, int]                     # 4.6 of each Starting General, besides what is printed
    cavalry_provinces: frozenset[str]                  # 5.2 where one of the Mercenaries that everybody gets rides
    cavalry_swapped: int                               # 5.2 so many of those Mercenaries may be exchanged for one who rides
    cavalry_gifts: Mapping[str, tuple[str, ...]]       # 5.2 one more for who has all these Provinces, by the source's name
    cavalry_treasures: bool                            # 5.2 and for who has the most treasure cities that nobody looted
    cavalry_siege_mps: int                             # 9.3 C with Cavalry named, against Independents without walls
    cavalry_dies: bool                                 # 15.2 B or one of those named is the first to die
    cavalry_disperses: bool                            # 15.2 B Cavalry named in such a Siege is dispersed, nobody dies
    cavalry_remove_pc_mps: int                         # 9.3 D with Cavalry named
    cavalry_stronghold_column: int                     # 7.3 with Cavalry along
    cavalry_reaction: int                              # 11.2, 12.2 for one's own Cavalry, against the mover's
    cavalry_outdoes: bool                              # 11.2, 12.2 it counts only against who has none
    cavalry_columns: int                               # 14.7 columns to the right, against no Cavalry or working Elephants
    cavalry_pursuit_columns: int                       # 14.9 columns to the right on the Attrition of a loser who has none
    cavalry_battle: int                                # 14.7
    cavalry_pursuit: int                               # 14.9 on the Attrition of a loser who has no Cavalry
    # rules that were mended after games had been played by them: the values of before, which `fixes` replaces
    fixes: int = 0                                     # how many of them are in force
    unguarded_go_inside: bool = False                  # 10 B silence takes in who stands before his city without CUs
    withdrawn_never_fight: bool = False                # 11.3 nor where they have landed and embarked in one place
    event_after_march: bool = False                    # 6.2 A, 7.1 C a due event meets nobody who leaves with the march
    placed_after_turns: bool = False                   # 7.1 C where a card was turned up a Minor General comes from off map
    shift_takes_all: bool = False                      # 10 C, 10 G who may not stop leaves nobody before the gate
    open_exits_only: bool = False                      # 10 C, 10 G a way out is one that the whole Army may take
    losses_stay_due: bool = False                      # 7.3 where what came between left no choice, too
    ruling_moves_army: bool = False                    # 9.1 the active Army is where a ruling has put its General
    anybody_catches: bool = False                      # 10 I, 12.2 whoever stands alone before anybody's CUs tries to evade
    each_part_goes_back: bool = False                  # 14.10 who has intercepted (23.2), to where that part of them came from
