"""A game under way is adopted: cards known and merely counted, what is not understood, nothing half-made, both ways."""

import json
from pathlib import Path
from typing import Any

import pytest
from at_the_shell import said
from small_game import HANDS, NOON, again, found
from texts import flat

from pbem.base import yamlfile
from pbem.base.errors import BadLog, Refused
from pbem.chance import scheme
from pbem.chance.check import OK
from pbem.chance.draws import Keys
from pbem.desk import tray as trays
from pbem.desk.adopting import adopted, as_file
from pbem.desk.desk import Desk
from pbem.dev.games import Wanted, chosen, whole_game
from pbem.dev.pictures import positions
from pbem.log.gamelog import read_game
from pbem.play.match import Match, plain
from pbem.play.verify import verify
from pbem.table import position
from pbem.table.stated import FORMS, Stated

KEPT = Path(__file__).parents[1] / "log/kept"
SEATS = ["--seat", "red=Anna", "--seat", "blue=Bruno", "--seat", "yellow=Chiara"]
START = """\
turn: 2
segment: {player: red, kind: tyche}
spaces: {halikarnassos: red, sardeis: blue, pergamon: yellow}
forces:
- {owner: red, at: halikarnassos, generals: [antigonos], cus: {mercenary: 3, loyal: 2}}
- {owner: blue, at: sardeis, generals: [lysimachos], cus: {mercenary: 2, loyal: 2}}
"""
DECK = [str(number) for number in range(1, 31)]


pytestmark = pytest.mark.usefixtures("noon")


def new(tmp_path: Path, more: str, *options: str, code: int = 0) -> str:
    (tmp_path / "start.yaml").write_text(START + more, encoding="utf-8")
    return flat(said("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml", *options, code=code))


# --- cards known, and merely counted -----------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [
    "{red: 5, blue: 4}", '{red: ["1", "12"], blue: 3}', "{red: [1, 12], blue: [20], yellow: 2}", '{red: ["1"]}', "{blue: 2}"])
@pytest.mark.parametrize("deck", [
    "", "deck: {left: LEFT}\n", 'deck: {left: LEFT, name: "main,2", cards: CARDS}\ndiscards: ["30"]\n'])
def test_any_mixture_goes_on(tmp_path: Path, hands: str, deck: str) -> None:
    given = yamlfile.parse(f"hands: {hands}")["hands"]
    counts = {seat: len(hand) if isinstance(hand, list) else hand for seat, hand in given.items()}
    g = Match(HEADER).g
    everything = 29 if "CARDS" in deck else len(g.facts.cards.keys() - set(g.out))
    deck = deck.replace("LEFT", str(everything - sum(counts.values()))).replace("CARDS", json.dumps(DECK))
    new(tmp_path, f"hands: {hands}\n{deck}")
    desk = Desk(tmp_path / "g")
    secret = desk.match.g.secret
    assert {seat: len(secret.hand(seat)) for seat in counts} == counts
    held = [card for seat in desk.match.seats for card in secret.hand(seat)] + secret.deck
    assert len(held) == len(set(held)) and not {"30"} & set(held) & set(desk.match.g.discards)
    for seat, hand in given.items():
        if isinstance(hand, list):
            assert list(secret.hand(seat)) == [str(card) for card in hand]
    for seat in [seat for seat in desk.match.seats if secret.hand(seat)]:
        assert flat(said("report", tmp_path / "g", "--to", seat))
    said("run", tmp_path / "g", "--close", desk.match.question.id, "--reason", "silent")
    assert read_game(tmp_path / "g").header["chance"]["words"] == {}
    said("verify", tmp_path / "g", code=3)


def test_what_is_hidden_stands_in_the_private_file_alone(tmp_path: Path) -> None:
    new(tmp_path, 'hands: {red: ["1", "12"], blue: 2}\nface_down: ["13", "14"]\n'
                  'deck: {left: 3, cards: ["1", "12", "13", "14", "20", "21", "22", "5", "6"]}\n'
                  'deck_order: ["20", "21", "22"]\n')
    log = (tmp_path / "g/game.yaml").read_text()
    assert "deck_order" not in log and "hands: {red: 2, blue: 2}" in log and "face_down: 2" in log
    cards = trays.read(tmp_path / "g").cards
    assert cards is not None
    assert (cards.hands["red"], cards.table, cards.deck) == (["1", "12"], ["13", "14"], ["20", "21", "22"])
    assert sorted(cards.hands["blue"]) == ["5", "6"]
    said("publish", tmp_path / "g", tmp_path / "public")


def test_where_dice_and_cards_lie_on_a_table_a_hand_is_a_number(tmp_path: Path) -> None:
    new(tmp_path, 'hands: {red: ["1", "12"], blue: 2}\n', "--by-hand")
    assert "hands: {red: 2, blue: 2}" in (tmp_path / "g/game.yaml").read_text()
    assert trays.read(tmp_path / "g").cards is None
    said("order", tmp_path / "g", "red", "play 12 as ops")


@pytest.mark.parametrize(("more", "wanted"), [
    ('hands: {red: ["1", "12"], blue: ["12"]}\n', "start.yaml, line 7: card 12 stands in it twice"),
    ('hands: {red: ["1"]}\ndiscards: ["1"]\n', "line 8: card 1 stands in it twice"),
    ('hands: {red: ["99x"]}\n', 'line 7: no card "99x"'),
    ("hands: {red: [1], blue: -2}\n", '"hands.blue" has to be a whole number from 0'),
    ("hands: {red: many}\n", '"hands.red" has to be a whole number'),
    ("hands: {purple: 2}\n", 'no player "purple"'),
    ("hands: {red: 500}\n", "on the table: 500;"),
    ("face_down: 500\n", "on the table: 500;"),
    ("hands: {red: 2}\ndeck: {left: 3}\n", "on the table: 5;"),
    ('hands: {red: 2}\ndeck: {left: 3}\ndeck_order: ["20"]\n', "left in the deck: 3; listed: 1"),
    ("forces_: []\n", 'line 7: "forces_" is not known; did you mean "forces"?'),
    ("family: {kleopatra: {at: sardes, owner: none}}\n", 'no space "sardes". Perhaps sardeis'),
    ("family: {kleopatra: {at: sardeis, ovner: none}}\n", '"ovner" is not known in "family.kleopatra"; did you mean "owner"?'),
    ("dispersed: {red: {cus: {royl: 2}}}\n", 'no kind of CU "royl". Perhaps royal'),
    ("dead: [antigonos]\n", "General antigonos stands in it twice"),
    ("dead: [antigonas]\n", 'no General "antigonas". Perhaps antigonos'),
    ("fleets: {red: [athenai]}\n", "that is nobody in this position, not Red"),
    ("fleets: {red: [atlantis]}\n", 'no fleet "atlantis"'),
    ("siege_points: {pella: {by: red}}\n", 'in "siege_points.pella" "points" is missing'),
    ("training: {red: {type: loyal}}\n", '"at" is missing'),
    ("champions: {red: maybe}\n", '"maybe" is not known in "champions.red"'),
    ("deck: {lef: 3}\n", '"lef" is not known in "deck"; did you mean "left"?'),
    ("adjust: {red: {VPs: 3}}\n", '"VPs" is not known in "adjust.red"; did you mean "VP"?'),
    ("spaces2: {}\n", 'did you mean "spaces"?'),
    ("mp: {antigonos: lots}\n", '"mp.antigonos" has to be a whole number'),
    ("cart: {at: babylon, loc: upstairs}\n", '"upstairs" is not known in "cart.loc"'),
    ("cart: {at: babylon/upstairs}\n", '"upstairs" is not known in "cart.at"'),
    ("step: dancing\n", '"dancing" is not known in "step"'),
])
def test_what_is_stated_and_not_understood_is_refused_with_its_line_and_nothing_is_made(
        tmp_path: Path, more: str, wanted: str) -> None:
    assert wanted in new(tmp_path, more, code=1)
    assert not (tmp_path / "g").exists()
    (tmp_path / "h").mkdir()
    (tmp_path / "h/notes.txt").write_text("mine")
    assert wanted in flat(said("new", tmp_path / "h", *SEATS, "--position", tmp_path / "start.yaml", code=1))
    assert [path.name for path in (tmp_path / "h").iterdir()] == ["notes.txt"]


def test_cus_of_no_kind_in_a_force(tmp_path: Path) -> None:
    (tmp_path / "start.yaml").write_text(START.replace("mercenary: 3", "royl: 3"))
    told = flat(said("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml", code=1))
    assert 'start.yaml, line 5: no kind of CU "royl". Perhaps royal' in told


def test_a_beginning_that_fails_late_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "run", lambda desk: 1 / 0)
    new(tmp_path, "", code=1)
    assert not (tmp_path / "g").exists()


def test_no_part_of_a_position_is_left_unread() -> None:
    for key, form in FORMS.items():
        with pytest.raises(BadLog):
            form(Stated(Match(HEADER).g.facts, ["red"], "x"), object(), key, 1)


@pytest.mark.parametrize("more", ["deck: {left: LEFT}\n", "face_down: LEFT\n"])
def test_where_nobody_holds_a_card_the_others_are_dealt_all_the_same(tmp_path: Path, more: str) -> None:
    g = Match(HEADER).g
    number = len(g.facts.cards.keys() - set(g.out))
    new(tmp_path, more.replace("LEFT", str(number)))
    cards = trays.read(tmp_path / "g").cards
    assert cards is not None and len(cards.deck + cards.table) == number


@pytest.mark.parametrize(("start", "name"), [("turn: 2\n", "main,2"), ("", "main,1"), ("turn: 3\n", "mine")])
def test_a_deck_without_a_name_is_that_of_its_game_turn(tmp_path: Path, start: str, name: str) -> None:
    said_name = "name: mine, " if name == "mine" else ""
    file = tmp_path / "start.yaml"
    file.write_text(START.replace("turn: 2\n", start) + f"deck: {{{said_name}left: 2, cards: [1, 2, 30]}}\ndiscards: [30]\n")
    taken = adopted(file, HEADER, KEYS)
    assert taken.position["deck"] == {"name": name, "cards": ["1", "2", "30"], "left": 2}
    assert taken.position["discards"] == ["30"]
    assert taken.cards is not None and sorted(taken.cards.deck) == ["1", "2"]


def test_cards_that_lie_at_a_table_elsewhere_need_not_add_up(tmp_path: Path) -> None:
    new(tmp_path, "hands: {red: 2}\ndeck: {left: 3}\n", "--by-hand")
    (tmp_path / "other").mkdir()
    asked = new(tmp_path / "other", "hands: {red: 2}\ndeck: {left: 3}\n", "--words-until", "2026-12-01", code=1)
    assert "on the table: 5;" in asked and not (tmp_path / "other/g").exists()


@pytest.mark.parametrize("hand", [["1", "13"], []])
def test_what_one_begins_with_again_is_proved_like_what_was_taken_back(tmp_path: Path, hand: list[str]) -> None:
    """The order of each deck that was stated is told at the end of the game."""
    new(tmp_path, 'hands: {red: ["1", "12"]}\n')
    said("undo", tmp_path / "g", "1", "--reason", "another hand", "--override")
    (tmp_path / "start.yaml").write_text(START + f"hands: {{red: {hand}}}\n")
    said("begin", tmp_path / "g", "--position", tmp_path / "start.yaml")
    secret = Desk(tmp_path / "g").match.g.secret
    assert secret is not None and list(secret.hand("red")) == hand
    said("draw", tmp_path / "g", "--reason", "enough")
    checked = [(one.what, one.state) for one in verify(tmp_path / "g") if one.what.startswith("deck adopted")]
    assert checked == [(name, OK) for name in ("deck adopted,2", "deck adopted,2,2")[:2 if hand else 1]]


def test_a_position_is_written_with_its_cards_only_on_demand_and_where_they_are_known(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", cards=True)
    public, private = (yamlfile.parse(as_file(desk.match.g, cards=cards)) for cards in (False, True))
    assert (public["hands"], "deck_order" in public) == ({"red": 2, "blue": 2, "yellow": 2, "black": 1}, False)
    assert private["hands"] == HANDS and len(private["deck_order"]) == 20
    alone = again(tmp_path / "g", published=True).match.g
    assert as_file(alone, cards=True) == as_file(desk.match.g, cards=False)


# --- the movement die, fleets, words -----------------------------------------------------------------------------


MARCH = START.replace("kind: tyche", "kind: activation")


@pytest.mark.parametrize("more", ["mp: {antigonos: 4}\n", "mp: {antigonos: 99}\n", "mp: {antigonos: 4}\nmovement_roll: 6\n"])
def test_where_mps_are_stated_no_second_die_is_thrown(tmp_path: Path, more: str) -> None:
    (tmp_path / "start.yaml").write_text(MARCH + more)
    said("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml")
    assert "9.2" in flat(said("order", tmp_path / "g", "red", "roll", code=1))
    said("order", tmp_path / "g", "red", "march Antigonos > Ephesos")


@pytest.mark.parametrize(("start", "more", "roll"), [
    (MARCH, "mp: {antigonos: 2}\n", 1), (MARCH, "mp: {antigonos: 3}\n", 2), (MARCH, "mp: {antigonos: 4}\n", 3),
    (MARCH, "mp: {antigonos: 4}\nmovement_roll: 6\n", 6), (MARCH, "mp: {antigonos: 99}\n", 1), (MARCH, "", None),
    (START, "mp: {antigonos: 3}\n", None),
    (MARCH.replace("antigonos", "antigonos, eumenes"), "mp: {antigonos: 3}\n", 2)])
def test_the_die_is_one_that_gives_the_mps_that_are_stated(tmp_path: Path, start: str, more: str, roll: int | None) -> None:
    """9.2 Antigonos has 2 MPs for a 1, 3 for a 2 and 4 for more."""
    (tmp_path / "start.yaml").write_text(start + more)
    assert adopted(tmp_path / "start.yaml", HEADER, KEYS).position.get("movement_roll") == roll


def test_dice_that_others_read_otherwise_are_not_guessed(tmp_path: Path) -> None:
    """9.2 Kassandros has 2 MPs for a 3, and 3 for a 4: it might have been either."""
    two = MARCH.replace("generals: [antigonos]", "generals: [antigonos, kassandros]")
    (tmp_path / "start.yaml").write_text(two + "mp: {antigonos: 4}\n")
    with pytest.raises(Refused, match="movement roll missing"):
        adopted(tmp_path / "start.yaml", HEADER, KEYS)


def test_what_was_rolled_has_to_be_told_where_others_read_the_die_otherwise(tmp_path: Path) -> None:
    two = MARCH.replace("generals: [antigonos]", "generals: [antigonos, eumenes]")
    (tmp_path / "start.yaml").write_text(two + "mp: {antigonos: 99}\n")
    told = flat(said("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml", code=1))
    assert "for Eumenes: state movement_roll too" in told and not (tmp_path / "g").exists()


def test_a_fleet_of_whom_its_home_obeys_is_taken(tmp_path: Path) -> None:
    new(tmp_path, "fleets: {red: [athenai+]}\n".replace("+", ""), code=1)
    (tmp_path / "start.yaml").write_text(START.replace("spaces: {", "spaces: {athenai: red, ") + "fleets: {red: [athenai]}\n")
    said("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml")
    assert Desk(tmp_path / "g").match.g.fleets["athenai"].seat == "red"


def test_a_fleet_that_is_dispersed_is_not_at_sea_as_well(tmp_path: Path) -> None:
    start = START.replace("spaces: {", "spaces: {athenai: red, ") + "dispersed: {red: {fleets: [athenai]}}\n"
    (tmp_path / "start.yaml").write_text(start + "fleets: {red: [athenai]}\n")
    told = flat(said("new", tmp_path / "g", *SEATS, "--position", tmp_path / "start.yaml", code=1))
    assert "fleet athenai stands in it twice" in told
    (tmp_path / "start.yaml").write_text(start)
    said("new", tmp_path / "h", *SEATS, "--position", tmp_path / "start.yaml")
    assert Desk(tmp_path / "h").match.g.fleets["athenai"].dispersed


def test_where_no_card_is_left_none_is_kept(tmp_path: Path) -> None:
    new(tmp_path, "")
    assert trays.read(tmp_path / "g").cards is None


def test_words_are_asked_for_before_or_not_at_all(tmp_path: Path) -> None:
    at_once = new(tmp_path, "")
    assert "adds a word" not in at_once and "Waiting for Anna (Red)" in at_once
    (tmp_path / "other").mkdir()
    asked = new(tmp_path / "other", "", "--words-until", "2026-12-01")
    assert "adds a word" in asked and "Waiting for" not in asked
    game, file = tmp_path / "other/g", tmp_path / "other/start.yaml"
    assert read_game(game).entries == []
    said("seed", "word", game, "red", "first snow")
    assert "no word for the dice yet from Blue" in flat(said("begin", game, "--position", file, code=1))
    said("begin", game, "--position", file, "--silent")
    assert read_game(game).header["chance"]["words"] == {"red": "first snow"}


def test_the_first_deadline_is_counted_from_the_clock_for_trying_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "2030-01-01T12:00")
    new(tmp_path, "")
    assert [entry["due"][:7] for entry in read_game(tmp_path / "g").entries if "due" in entry] == ["2030-01"]
    monkeypatch.setenv("PBEM_NOW", "noon")
    assert '"noon" is no moment' in said("status", tmp_path / "g", code=1)


# --- both ways ---------------------------------------------------------------------------------------------------


HEADER: dict[str, Any] = {"game": "x", "data": 2, "engine": "0.1.0", "rules": {"edition": "fourth"},
                          "seats": {"red": {}, "blue": {}, "yellow": {}}}
KEYS = Keys("x", scheme.Secrets("x", bytes(32), bytes(range(32)), links=3), {})


def same(tmp_path: Path, match: Match, header: dict[str, Any]) -> None:
    """The position, written as a file and adopted, is the same; as it is written after that, too."""
    file = tmp_path / "position.yaml"
    file.write_text(as_file(match.g, cards=False), encoding="utf-8")
    taken = adopted(file, header, KEYS)
    second = Match(header)
    position.state(second.g, taken.position)
    assert plain(position.written(second.g)) == plain(position.written(match.g))
    file.write_text(as_file(second.g, cards=False), encoding="utf-8")
    assert adopted(file, header, KEYS).position == taken.position


@pytest.mark.parametrize("log", sorted(KEPT.glob("*.yaml.gz")), ids=lambda path: path.name.partition(".")[0])
def test_positions_of_whole_games_are_adopted_as_they_were(log: Path, tmp_path: Path) -> None:
    for match, _ in positions(log, 12):
        same(tmp_path, match, dict(match.header))


@pytest.mark.parametrize("seed", range(5))
def test_a_random_game_goes_on_with_the_very_cards(seed: int, tmp_path: Path) -> None:
    """Written down with its cards at some moment of a random game, and adopted: hands, deck and table are the same."""
    wanted = Wanted(seed, 2 + seed % 4, options=chosen(seed) if seed % 2 else (), folder=str(tmp_path / "a"), looks=False,
                    most=60 + 47 * seed)
    assert whole_game(wanted).met.wrong == []
    first = Desk(tmp_path / "a")
    said("position", tmp_path / "a", "-o", tmp_path / "here.yaml", "--cards")
    assert (tmp_path / "here.yaml").stat().st_mode & 0o777 == 0o600
    seats = [part for seat in first.match.seats for part in ("--seat", f"{seat}=X{seat}")]
    options = [part for one in wanted.options for part in ("--option", one)]
    rules = [part for key in ("windows", "polls", "seating") for part in (f"--{key}", first.game.header["rules"][key])]
    said("new", tmp_path / "b", *seats, *options, *rules, "--position", tmp_path / "here.yaml", "--box", "none")
    taken = trays.read(tmp_path / "b").cards or trays.Cards()
    one, two = first.match.g.secret, Desk(tmp_path / "b").at(1).match.g.secret
    assert {seat: sorted(one.hand(seat)) for seat in first.match.seats} == {
        seat: sorted(two.hand(seat)) for seat in first.match.seats}
    assert (one.deck, one.face_down) == (taken.deck, taken.table)
    assert plain(position.written(Desk(tmp_path / "b").match.g)) == plain(position.written(first.match.g))


def test_a_game_announced_from_a_position_begins_from_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pbem new --position` may ask for words first; `begin` alone must not deal the main scenario then."""
    monkeypatch.setenv("PBEM_NOW", NOON.isoformat())
    place, game = tmp_path / "board.yaml", tmp_path / "g"
    place.write_text("turn: 2\nsegment: {player: red, kind: activation}\nspaces: {sardeis: blue}\n"
                     "forces:\n- {owner: red, at: pella, generals: [antigonos], cus: {loyal: 2}}\n")
    said("new", game, "--seat", "red=Anna", "--seat", "blue=Bruno", "--words-until", "2026-11-20", "--position", place)
    assert "\nnext" not in said("status", game)
    for seat in ("red", "blue"):
        said("seed", "word", game, seat, "oak")
    assert f"pbem begin {game} --position {place}" in said("status", game)
    refused = " ".join(said("begin", game, code=1).split())
    assert f'add "--position {place}"' in refused and not (game / "out").exists()
    assert "Anna" in said("begin", game, "--position", place)
    assert "Game Turn II" in said("status", game)


def test_a_colour_that_does_not_exist_is_refused_by_the_colours_there_are(tmp_path: Path) -> None:
    refused = said("new", tmp_path / "g", "--seat", "red=Anna", "--seat", "rde=Bruno", code=1)
    assert 'no colour "rde"' in refused and "Red, Blue, Yellow, Black and Green" in refused
