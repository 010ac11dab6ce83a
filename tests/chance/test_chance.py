"""Chance, version 1: vectors, evenness, openings, and what a public log does not tell."""

import ast
import subprocess
import sys
from collections import Counter
from itertools import islice, permutations, product
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.chance import scheme

GAME = "demo-1"
SECRETS = scheme.Secrets(GAME, bytes(range(32)), bytes(range(32, 64)), links=3)
WORDS = {"blue": "", "green": "42 elephants", "red": "first snow in Pella"}
MIXED = scheme.entropy(GAME, WORDS)
K_1 = scheme.dice_key(SECRETS.link(1), GAME, MIXED, 1)
K_D = scheme.deck_key(SECRETS.deck, GAME, MIXED)
CARDS = [f"c{number:02}" for number in range(1, 11)]
DECK = scheme.Deck.shuffled(K_D, GAME, ("main", "1"), CARDS)

names = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4)


# --- Published vectors --------------------------------------------------------


def test_vector_commitments():
    assert SECRETS.commitments() == {
        "deck": "7d8e28ea17b1006ff3a4af5f84ccf0620468420e05d2d0a9340811f258e8ee93",
        "dice": "78bcba60a331e094a84c9fd0d417cfc083811d6a9aa86b71f65e45ccbba3211c",
    }


def test_vector_first_link():
    assert SECRETS.link(1).hex() == "68bbcb9f7a6bfa34dc430ad7f35fc9a5fb060b1d3472026a2c3c82f052fa534a"


def test_vector_entropy():
    assert MIXED.hex() == "809d5fcd76c70fd184fb0e3e7406e74f6b91f9e7bfc3b1ebcc3619ccff7cdaec"


def test_vector_keys():
    assert K_1.hex() == "a88d15da2565f6d2f81513d4208624abf1b5eaa2c564eed8cd63d723c13c1a73"
    assert K_D.hex() == "67d140cc435741f52f84dd0bf3b907d8beea5cc5bff3fa5a651d3a94f05d6ba7"


@pytest.mark.parametrize(("attempt", "rolled"), [("1", [1, 6]), ("2", [3, 2])])
def test_vector_two_dice(attempt, rolled):
    name = ["dice", "T1", "R2", "A3", "intercept", "red", attempt]
    assert scheme.dice(K_1, GAME, name, 2) == rolled
    assert scheme.die(K_1, GAME, name) == rolled[0]


def test_vector_shuffle():
    shuffled = [f"c{number:02}" for number in (1, 5, 2, 4, 3, 8, 10, 7, 6, 9)]
    assert scheme.shuffle(K_D, GAME, ["deck", "main", "1"], CARDS[::-1]) == shuffled
    assert list(DECK.cards) == shuffled


def test_vector_salt_and_root():
    assert DECK.opening(0).salt.hex() == "1775b7ddf7a147dac7d0fe961bedfa4c0557f8732ae44b4843c3edfe0b1ff83b"
    assert DECK.root.hex() == "13fc79c5d71c6ad8f71e5c168635ab7dc1cca0d76f3a6eb0c16b09b4468fface"


# --- Even dice, even shuffles -------------------------------------------------


def even(counts, outcomes, draws, beyond_once_in_a_thousand):
    """Each share within 0.1 % of all draws, and together no odder than chance is once in a thousand."""
    expected = draws / outcomes
    assert len(counts) == outcomes
    assert max(abs(count - expected) for count in counts.values()) <= draws / 1000
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < beyond_once_in_a_thousand


def test_a_million_dice_are_even():
    even(Counter(scheme.dice(K_1, GAME, ["even"], 10**6)), 6, 10**6, beyond_once_in_a_thousand=20.5)


def test_a_million_shuffles_of_four_are_even():
    stream = scheme.numbers(K_D, GAME, ["even"])
    counts = Counter("".join(scheme.order(stream, "abcd")) for _ in range(10**6))
    even(counts, 24, 10**6, beyond_once_in_a_thousand=49.7)


def test_first_dice_of_many_names_are_even():
    """Names that differ little must not give dice that do."""
    counts = Counter(scheme.die(K_1, GAME, ["dice", "T1", str(number)]) for number in range(60_000))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5


def test_incomplete_last_run_is_passed_over():
    assert scheme.next_below(iter([2**32 - 1, 7]), 6) == 1
    assert scheme.next_below(iter([2**32 - 2**32 % 6, 8]), 6) == 2
    assert scheme.next_below(iter([2**32 - 2**32 % 6 - 1]), 6) == 5
    assert scheme.next_below(iter([2**32 - 1]), 4) == 3, "nothing is left over when n divides 2^32"


def test_every_shuffle_comes_from_one_choice_of_numbers():
    """All 24 pairs of draws below 4, 3, 2 give all 24 orders once: no swap is biased."""
    orders = ["".join(scheme.order(iter(draws), "abcd")) for draws in product(range(4), range(3), range(2))]
    assert sorted(orders) == sorted("".join(order) for order in permutations("abcd"))


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_no_die_without_sides(n):
    with pytest.raises(ValueError, match="cannot draw"):
        scheme.below(K_1, GAME, ["x"], n)


# --- Names, words, secrets ----------------------------------------------------


@given(names, names)
def test_two_names_never_share_a_stream(one, other):
    streams = [list(islice(scheme.numbers(K_1, GAME, name), 3)) for name in (one, other)]
    same = [normalize("NFC", item) for item in one] == [normalize("NFC", item) for item in other]
    assert (streams[0] == streams[1]) == same


@given(st.binary(min_size=1, max_size=40), st.data())
def test_one_changed_byte_changes_everything_after(message, data):
    at = data.draw(st.integers(0, len(message) - 1))
    other = bytearray(message)
    other[at] ^= data.draw(st.integers(1, 255))
    assert scheme.enc(message) != scheme.enc(bytes(other))
    assert scheme.hmac256(K_1, message) != scheme.hmac256(K_1, bytes(other))
    assert scheme.head(message, b"entry") != scheme.head(bytes(other), b"entry")
    assert scheme.head(K_1, b"entry", message) != scheme.head(K_1, b"entry", bytes(other))


def test_items_cannot_slide_into_each_other():
    assert scheme.enc("ab", "c") != scheme.enc("a", "bc") != scheme.enc("abc")


def test_accents_are_one_text_however_they_are_typed():
    assert scheme.enc("Me\u0301gara") == scheme.enc("M\u00e9gara")


@pytest.mark.parametrize("changed", [{"red": "first snow in pella"}, {"blue": "x"}, {"yellow": ""}])
def test_any_other_word_or_seat_is_other_entropy(changed):
    assert scheme.entropy(GAME, WORDS | changed) != MIXED


def test_entropy_does_not_depend_on_the_order_of_mails():
    assert scheme.entropy(GAME, dict(reversed(WORDS.items()))) == MIXED


def test_beacon_changes_both_keys():
    beacon = ("quicknet 1000", b"\x07")
    assert scheme.deck_key(SECRETS.deck, GAME, MIXED, beacon) != K_D
    assert scheme.dice_key(SECRETS.link(1), GAME, MIXED, 1, beacon) != K_1


def test_words_are_trimmed_and_limited():
    assert scheme.normal_word("  Me\u0301gara \n") == "M\u00e9gara"
    assert scheme.normal_word("x" * 200)
    for wrong in ("   ", "x" * 201, "two\nlines"):
        with pytest.raises(ValueError, match="a word"):
            scheme.normal_word(wrong)


@pytest.mark.parametrize("name", [[], [""], ["a,b"], [" a"]])
def test_name_that_would_read_back_as_another_is_refused(name):
    with pytest.raises(ValueError, match="items of a name"):
        scheme.written(name)


def test_secrets_come_back_from_the_private_file():
    fresh = scheme.new_secrets(GAME)
    again = scheme.Secrets.from_plain(GAME, fresh.plain())
    assert again.commitments() == fresh.commitments() != scheme.new_secrets(GAME).commitments()
    assert again.links == scheme.LINKS
    assert again.link(100) == fresh.link(100)
    assert scheme.is_link(GAME, again.link(7), 7, bytes.fromhex(fresh.commitments()["dice"]))
    assert not scheme.is_link(GAME, again.link(7), 6, bytes.fromhex(fresh.commitments()["dice"]))


@pytest.mark.parametrize("epoch", [0, 4, -1])
def test_only_links_of_the_chain_can_be_used(epoch):
    with pytest.raises(ValueError, match="links 1 to 3"):
        SECRETS.link(epoch)


def test_secrets_do_not_show_in_tracebacks():
    assert not any(secret in repr(SECRETS) for secret in (SECRETS.deck.hex(), repr(SECRETS.deck)))


@pytest.mark.parametrize("text", ["AB" * 32, "ab" * 31, "ab" * 31 + " a", 12, None, "zz" * 32])
def test_hex_has_one_spelling(text):
    with pytest.raises(ValueError, match="not_hex"):
        scheme.unhex(text)


def test_epoch_of_a_roll():
    assert scheme.epoch_of(turn=1, opened=0) == 1
    assert scheme.epoch_of(turn=2, opened=0) == 2, "epoch 1 is opened late"
    assert scheme.epoch_of(turn=2, opened=2) == 3, "gone back behind an opened epoch"
    assert scheme.epoch_of(turn=0, opened=0) == 1, "the set-up belongs to the first turn"


# --- Openings -----------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 9, 33, 64])
def test_every_card_of_a_deck_can_be_opened(size):
    deck = scheme.Deck.shuffled(K_D, GAME, ("tyche", "1"), [str(number) for number in range(size)])
    for position in range(size):
        opening = scheme.Opening.from_plain(deck.opening(position).plain())
        assert scheme.check_opening(deck.root, size, GAME, deck.name, opening)
        assert opening.card == deck.cards[position]


def test_changed_opening_is_found():
    opening = DECK.opening(3)

    def holds(changed, root=DECK.root, size=10, game=GAME, name=("main", "1")):
        return scheme.check_opening(root, size, game, name, changed)

    assert holds(opening)
    assert not holds(opening._replace(card="c01"))
    assert not holds(opening._replace(position=2))
    assert not holds(opening._replace(position=13))
    assert not holds(opening._replace(position=-1))
    assert not holds(opening._replace(salt=bytes(32)))
    assert not holds(opening._replace(path=opening.path[::-1]))
    assert not holds(opening._replace(path=opening.path[:-1]))
    assert not holds(opening._replace(path=(*opening.path, bytes(32))))
    assert not holds(opening, root=bytes(32))
    assert not holds(opening, size=3)
    assert not holds(opening, game="demo-2")
    assert not holds(opening, name=("main", "2"))


def test_deck_needs_cards_and_positions():
    with pytest.raises(ValueError, match="without cards"):
        scheme.Deck(K_D, GAME, ("main", "1"), [])
    with pytest.raises(ValueError, match="positions 0 to 9"):
        DECK.opening(10)


def test_public_nodes_reveal_no_card():
    """Half the deck is opened: its paths show leaves of the rest, and guessing those needs salts."""
    opened = [DECK.opening(position) for position in range(0, 10, 2)]
    public = {DECK.root, *(step for opening in opened for step in opening.path)}
    shown_salts = [opening.salt for opening in opened]
    derived = [scheme.salt(DECK.root, GAME, DECK.name, position) for position in range(10)]
    guesses = [b"", bytes(32), DECK.root, *shown_salts, *derived]
    guessed = {
        scheme.leaf(GAME, DECK.name, position, card, salt)
        for position, card, salt in product(range(10), CARDS, guesses)
        if (position, salt) not in [(opening.position, opening.salt) for opening in opened]
    }
    assert not guessed & public
    known = {scheme.leaf(GAME, DECK.name, 1, card, DECK.opening(1).salt) for card in CARDS}
    assert known & public, "with its salt the same search does find the card"


# --- The chain of the log -----------------------------------------------------


def test_rewrapped_and_reordered_entry_is_the_same_entry():
    assert scheme.canonical({"b": [1, None], "a": "Mégara"}) == '{"a":"Mégara","b":[1,null]}'.encode()


def test_number_keys_sort_as_in_the_json_they_become():
    assert scheme.canonical({9: "x", 10: "y"}) == scheme.canonical({"10": "y", "9": "x"})
    with pytest.raises(ValueError, match="keys_alike"):
        scheme.canonical({1: "x", "1": "y"})


def test_head_depends_on_all_before_it():
    first = scheme.first_head(GAME, {"game": GAME})
    one = scheme.head(first, scheme.canonical({"do": "end"}))
    assert one != scheme.head(first, scheme.canonical({"do": "end "}))
    other = scheme.first_head(GAME, {"game": GAME, "x": 1})
    assert one != scheme.head(other, scheme.canonical({"do": "end"}))


def test_sealed_part_is_hidden_by_its_blind():
    private = scheme.canonical({"answer": "pass"})
    digests = {scheme.inner_digest(scheme.blind(K_D, GAME, entry), private) for entry in (1, 2, 3)}
    assert len(digests) == 3, "the same answer looks different each time"


# --- Alone --------------------------------------------------------------------


@pytest.mark.parametrize("module", ["scheme.py", "verify_min.py"])
def test_standard_library_only(module):
    tree = ast.parse((Path(scheme.__file__).parent / module).read_text())
    plain = [found for found in ast.walk(tree) if isinstance(found, ast.Import)]
    imported = {alias.name for found in plain for alias in found.names}
    imported |= {found.module or "" for found in ast.walk(tree) if isinstance(found, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


def test_import_is_light():
    code = "import sys, pbem.chance.scheme; print({'json', 'secrets', 'yaml', 'random'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         cwd=Path(scheme.__file__).parents[2])
    assert run.stdout.strip() == "set()"
