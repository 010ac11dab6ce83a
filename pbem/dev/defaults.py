"""What silence means, kind of question by kind of question, and why: the source of docs/defaults.md."""

from typing import NamedTuple


class Default(NamedTuple):
    verbs: str                      # of the orders that a default of this kind may be
    means: str
    why: str


DEFAULTS = {
    # others are asked while a player moves
    "interception": Default("pass", "no attempt", "an attempt takes troops away, and who arrives has to fight"),
    "route": Default("pass", "nothing is filed ahead", "every step of the way asks for itself"),
    "evasion": Default("pass", "they stay; a lone General before whom others' CUs stand tries",
                       "a failed attempt costs the Local Troops; a lone General who stays is dispersed (10 I)"),
    "escape": Default("evade", "the first way out that the roll allows", "he has got away and must go somewhere (12.2 A)"),
    "withdrawal": Default("withdraw stay", "back the way they came; they stand if there they could only be dispersed (7.2 A)",
                          "who stands attacks, and a Champion may lose his status"),
    "counterstroke": Default("pass", "he defends, as ever", "an attack may cost the Champion status"),
    "free_passage": Default("refuse", "no passage", "what was granted cannot be taken back"),
    "passage_honoured": Default("honour", "it is kept", "breaking it means to stop there and to fight"),
    "city_choice": Default("pass sort_inside", "as they stand; Generals and Family outside without CUs go inside",
                           "the owner arranged it so, but whoever stands there alone is lost (10 I, 8.3)"),
    "naval_battle": Default("pass", "no battle", "a defeat disperses the Fleets, an attack may cost the Champion status"),
    # losses and what follows a battle
    "losses": Default("lose", "the cheapest CUs: mercenary, cavalry, elephant, loyal, royal, Silver Shields",
                      "that many have to go; the best troops go last"),
    "join_battle": Default("pass", "nobody comes out", "what stays inside is not touched by the battle (14.2)"),
    "elephant_reroll": Default("pass", "the dice stay", "the new die counts even if it is worse"),
    "replacement": Default("place_minor", "a Minor General takes command", "CUs that nobody can claim disperse (14.8)"),
    # cards
    "surprise": Default("pass", "no card", "a card is never spent unasked"),
    "battle_cards": Default("pass", "no card", "a card is never spent unasked"),
    "naval_cards": Default("pass", "no card", "a card is never spent unasked"),
    "death_cards": Default("pass", "no card", "a card is never spent unasked"),
    "defeat_cards": Default("pass", "no card", "a card is never spent unasked"),
    "reaction_card": Default("pass", "no card, no attempt", "a card is never spent unasked"),
    "truce": Default("refuse", "no truce", "nobody is bound by his silence"),
    "turn_up": Default("turn_up", "the next card is turned up", "there is nothing to choose"),
    "revealed": Default("play pass", "the event's first legal choice", "it has to be resolved (6)"),
    "unrest": Default("place_pc", "the first space that may rebel", "one of them has to"),
    # one's own turn
    "surrender": Default("end", "the segment ends", "nothing is given up and nobody attacked"),
    "tyche": Default("play discard end", "the Event or Bonus card with the fewest points, for its points, which are not spent",
                     "a card has to be played (6.2), and an event may do what cannot be undone"),
    "activation": Default("end disembark sail march embark pick_up shift",
                          "the segment ends; who is at sea lands, who may not stay goes on if there is a way",
                          "only what may not stay as it is moves (10 C, 10 G, 13.1)"),
    "forage": Default("end", "the segment ends", "Alexander is buried only when somebody says so"),
    # phases and set-up
    "burial": Default("pass", "Alexander is not buried", "it happens once in a game, where the owner wants it"),
    "first_player": Default("first_player", "the chooser begins, play goes left", "the order round the table stays"),
    "reinforcement_choice": Default("reinforce place_minor recruit pass", "the first space that is open",
                                    "what is due has to be placed (5.2)"),
    "independent_move": Default("pass independent_move", "none of them moves, but for one that has to",
                                "nobody is harmed by an oversight"),
    "give_back": Default("pass", "the junior General goes back", "one has to (4.4)"),
    "seating": Default("pass", "as they signed up", "nobody is moved to another chair by silence (4.4)"),
    "deployment": Default("deploy", "the first space allowed", "he has to begin somewhere (4.6)"),
    "ruling": Default("", "none: only the moderator goes on", "no rule could answer"),
    "card_ruling": Default("", "none: only the moderator goes on", "the card says what no rule plays"),
    "ruling_choice": Default("choose", "the first choice", "the moderator names first what harms nobody"),
}


def page() -> str:
    """docs/defaults.md"""
    rows = [f"| `{kind}` | {one.means} | {one.why} |" for kind, one in DEFAULTS.items()]
    return "\n".join([
        "# What silence means", "",
        "Whoever does not answer in time has given the answer below. It is printed in every question, and a player can answer",
        "in advance with a standing order. A whole turn played on these defaults loses nothing that no rule forced.", "",
        "Generated from `pbem/dev/defaults.py`; tests hold it against the code.", "",
        "| question | silence means | why |", "|---|---|---|", *rows]) + "\n"
