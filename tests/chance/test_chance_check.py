"""Both verifiers over made-up games: they agree, and a changed byte is found where it stands."""

import copy
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.chance import scheme, verify_min
from pbem.chance.check import CLOSED, FAILED, HAND, NOTHING, OK, WORD, check_game

SEATS = ["red", "blue", "yellow", "black", "green"]
WORDS = ["", "first snow in Pella", "42 elephants", "Mégara", "λόγος", "x" * 200]
ONLY_LONG = ("blind", "private")
PLACES = ["Lamia", "Rhodos", "Tarsos", "Pella"]


class Table:
    """A made-up game that draws and writes as a real one would."""

    def __init__(self, seed, beacon=False):
        self.dice = random.Random(seed)
        self.game = f"game-{seed}"
        self.secrets = scheme.Secrets(self.game, self.dice.randbytes(32), self.dice.randbytes(32), links=6)
        seats = self.dice.sample(SEATS, self.dice.randint(2, 5))
        words = {seat: self.dice.choice(WORDS) for seat in seats}
        self.mixed = scheme.entropy(self.game, words)
        self.beacons = {e: (f"round {e}", self.dice.randbytes(32)) for e in range(7)} if beacon else {}
        promised = self.secrets.commitments() | {"scheme": 1, "links": 6, "words": words}
        promised["beacon"] = "first round of the day after" if beacon else "none"
        self.log = {
            "game": self.game, "engine": "1.0.0", "rules": {"edition": "fourth"},
            "seats": {seat: {"name": seat.title()} for seat in seats}, "chance": promised, "log": [],
        }
        self.opened = 0
        self.decks = {}
        self.tell_beacon(0)
        self.k_d = scheme.deck_key(self.secrets.deck, self.game, self.mixed, self.beacon(0))

    def beacon(self, epoch):
        return self.beacons.get(epoch, scheme.NO_BEACON)

    def tell_beacon(self, epoch):
        if self.beacons:
            named, value = self.beacons[epoch]
            self.write(note="beacon", beacon={"epoch": epoch, "id": named, "value": value.hex()})

    def write(self, **entry):
        self.log["log"].append(entry)
        return len(self.log["log"])

    def roll(self, turn, attempt, count=1, sides=6):
        side, place = self.dice.choice(SEATS), self.dice.choice(PLACES)
        name = [f"T{turn}", "R1", side, "intercept", place, str(attempt)]
        epoch = scheme.epoch_of(turn, self.opened)
        key = scheme.dice_key(self.secrets.link(epoch), self.game, self.mixed, epoch, self.beacon(epoch))
        values = scheme.dice(key, self.game, ("dice", *name), count, sides)
        roll = [",".join(name), values if count > 1 else values[0]]
        return [*roll, {"sides": sides}] if sides != 6 else roll

    def shuffle(self, name, cards):
        deck = self.decks[name] = scheme.Deck.shuffled(self.k_d, self.game, name.split(","), cards)
        self.write(deck={"name": name, "cards": cards, "root": deck.root.hex()})

    def show(self, name):
        deck = self.decks[name]
        shown = self.dice.sample(range(len(deck.cards)), self.dice.randint(1, len(deck.cards)))
        self.write(openings={"deck": name, "cards": [deck.opening(position).plain() for position in shown]})

    def open(self, epoch):
        self.opened = max(self.opened, epoch)
        self.write(open={"epoch": epoch, "link": self.secrets.link(epoch).hex()})

    def seal(self, private):
        at = len(self.log["log"]) + 1
        blind = scheme.blind(self.k_d, self.game, at)
        digest = scheme.inner_digest(blind, scheme.canonical(private))
        self.write(close="T1.R1.red.1", sealed=digest.hex())
        return at, blind

    def play(self, turns, to_the_end):
        for turn in range(1, turns + 1):
            self.tell_beacon(turn)
            cards = self.dice.sample(range(90), self.dice.randint(1, 12))
            self.shuffle(f"main,{turn}", [str(card) for card in cards])
            for attempt in range(self.dice.randint(1, 4)):
                self.write(by="red", do="march", dice=[self.roll(turn, attempt, self.dice.randint(1, 3))])
            self.write(by="blue", do="end", dice=[self.roll(turn, 9), self.roll(turn, 9, sides=20)])
            self.show(f"main,{turn}")
            if turn < turns or to_the_end:
                self.open(turn)
        sealed, blind = self.seal({"answer": "pass"})
        if to_the_end:
            self.write(open={"deck_secret": self.secrets.deck.hex()})
            self.write(blinds={str(sealed): blind.hex()}, private={str(sealed): {"answer": "pass"}})
        return self

    def heads(self):
        header = {key: value for key, value in self.log.items() if key != "log"}
        heads = [scheme.first_head(self.game, header)]
        for entry in self.log["log"]:
            sealed = bytes.fromhex(entry.get("sealed", ""))
            heads.append(scheme.head(heads[-1], scheme.canonical(entry), sealed))
        return [head.hex() for head in heads]


def finished(seed=1, **settings):
    return Table(seed, **settings).play(turns=2, to_the_end=True)


def long_form(log, heads=()):
    """What check_game says, of the kinds the short verifier knows."""
    checks = [check for check in check_game(log, heads) if check.what.split()[0] not in ONLY_LONG]
    return [(entry, what, state) for entry, what, state, *_ in checks]


def short_form(log, heads=()):
    said = {True: OK, False: FAILED}
    return [(at, what, said.get(right, right)) for at, what, right in verify_min.verify(log, heads)]


def first_failure(log, heads=()):
    return next((check for check in check_game(log, heads) if check.state == FAILED), None)


def short_one_refuses(log, heads=()):
    """It may give up where it cannot read on."""
    try:
        return FAILED in [state for _, _, state in short_form(log, heads)]
    except verify_min.UNREADABLE:
        return True


def both_refuse(log, heads=()):
    return short_one_refuses(log, heads) and first_failure(log, heads) is not None


# --- Honest games -------------------------------------------------------------


@pytest.mark.parametrize("block", range(4))
def test_both_verifiers_agree_on_a_thousand_games(block):
    for seed in range(250 * block, 250 * block + 250):
        choose = random.Random(seed)
        turns, to_the_end = choose.randint(1, 2), choose.random() < 0.5
        table = Table(seed, beacon=choose.random() < 0.3).play(turns, to_the_end)
        heads = choose.sample(table.heads(), 1)
        told = long_form(table.log, heads)
        assert told == short_form(json.loads(json.dumps(table.log)), heads), seed
        states = {state for _, _, state in told}
        silent = {WORD} if not all(table.log["chance"]["words"].get(seat) for seat in table.log["seats"]) else set()
        assert states == {OK, NOTHING, *silent} | (set() if to_the_end else {CLOSED}), seed


def test_finished_game_is_checked_to_the_last_line():
    table = finished()
    checks = list(check_game(table.log, table.heads()))
    assert {check.state for check in checks} == {OK, NOTHING}
    kinds = {check.what.split()[0] for check in checks}
    assert kinds == {"chance", "words", "die", "deck", "opening", "link", "blind", "private", "head"}
    assert str(checks[3]).startswith("entry 2: die T1,R1,")


def test_running_game_says_what_is_not_open_yet():
    checks = list(check_game(Table(5).play(turns=2, to_the_end=False).log))
    closed = [check for check in checks if check.state == CLOSED]
    assert {check.what.split(",")[0] for check in closed if check.what.startswith("die")} == {"die T2"}
    assert [check.what for check in closed if check.what.startswith("deck")] == ["deck main,1", "deck main,2"]
    assert not [check for check in checks if check.state == FAILED]


def test_dice_after_going_back_behind_an_opened_epoch_use_the_next_link():
    table = Table(3)
    table.write(by="red", do="end", dice=[table.roll(1, 1)])
    table.open(1)
    table.write(undo=1, reason="wrong general")
    again = table.write(by="red", do="march", dice=[table.roll(1, attempt, 3) for attempt in range(9)])
    state = {check.entry: check.state for check in check_game(table.log) if check.what.startswith("die")}
    assert state[again] == CLOSED, "link 1 is known to all: nothing new may be rolled with it"
    table.open(2)
    told = long_form(table.log)
    assert told == short_form(table.log)
    assert {state for _, _, state in told} == {OK, NOTHING}


def test_interrupted_game_goes_on_with_equal_dice():
    rolled = [Table(8).roll(1, 4, 3) for _ in range(2)]
    assert rolled[0] == rolled[1]


def test_dice_entered_by_hand_are_marked():
    table = finished()
    table.write(ruling="x", dice=[["T2,house,1", 4, {"by": "hand", "reason": "rolled in the thread"}]])
    check = [check for check in check_game(table.log) if check.what == "die T2,house,1"][0]
    assert (check.state, check.facts) == (HAND, {"reason": "rolled in the thread"})
    assert long_form(table.log) == short_form(table.log)
    table.log["log"][-1]["dice"][0][2]["by"] = "hans"
    assert both_refuse(table.log)


def test_seats_without_a_word_are_named():
    table = finished()
    seat = next(iter(table.log["seats"]))
    del table.log["chance"]["words"][seat]
    words = list(check_game(table.log))[1]
    assert words.state == WORD
    assert seat in words.facts["seats"]


# --- One changed byte ---------------------------------------------------------


def bent(text, choose):
    """The text with one hex digit or letter changed."""
    at = choose.randrange(len(text))
    other = choose.choice([sign for sign in "0123456789abcdef" if sign != text[at]])
    return text[:at] + other + text[at + 1 :]


def entries_with(table, kind, holding=""):
    entries = enumerate(table.log["log"], 1)
    return [at for at, entry in entries if kind in entry and (not holding or holding in entry[kind])]


def change_word(log, choose, at):
    words = log["chance"]["words"]
    seat = choose.choice(list(words))
    words[seat] = bent(words[seat], choose) if words[seat] else "x"
    log["chance"]["words"] = words


def change_deck_promise(log, choose, at):
    log["chance"]["deck"] = bent(log["chance"]["deck"], choose)


def change_dice_promise(log, choose, at):
    log["chance"]["dice"] = bent(log["chance"]["dice"], choose)


def change_value(log, choose, at):
    roll = log["log"][at - 1]["dice"][0]
    values = roll[1] if isinstance(roll[1], list) else [roll[1]]
    values[0] = values[0] % 6 + 1
    roll[1] = values if len(values) > 1 else values[0]


def change_name(log, choose, at):
    roll = log["log"][at - 1]["dice"][0]
    turn, rest = roll[0].split(",", 1)
    roll[0] = f"{turn},{bent(rest, choose)}"


def change_root(log, choose, at):
    told = log["log"][at - 1]["deck"]
    told["root"] = bent(told["root"], choose)


def change_card(log, choose, at):
    cards = log["log"][at - 1]["deck"]["cards"]
    cards[0] = f"{cards[0]}0"


def change_opened_card(log, choose, at):
    shown = log["log"][at - 1]["openings"]["cards"][0]
    shown[1] = bent(shown[1], choose)


def change_salt(log, choose, at):
    shown = log["log"][at - 1]["openings"]["cards"][0]
    shown[2] = bent(shown[2], choose)


def change_link(log, choose, at):
    told = log["log"][at - 1]["open"]
    told["link"] = bent(told["link"], choose)


def change_link_number(log, choose, at):
    log["log"][at - 1]["open"]["epoch"] = 3


def change_deck_secret(log, choose, at):
    told = log["log"][at - 1]["open"]
    told["deck_secret"] = bent(told["deck_secret"], choose)


@pytest.mark.parametrize(
    ("change", "kind", "holding", "check"),
    [
        (change_value, "dice", "", "die"),
        (change_root, "deck", "root", "deck"),
        (change_card, "deck", "cards", "deck"),
        (change_opened_card, "openings", "cards", "opening"),
        (change_salt, "openings", "cards", "opening"),
        (change_link, "open", "link", "link"),
        (change_link_number, "open", "link", "link"),
        (change_deck_secret, "open", "deck_secret", "deck secret"),
    ],
)
def test_changed_byte_is_found_at_its_line(change, kind, holding, check):
    for seed in range(25):
        choose = random.Random(seed)
        table = finished(seed)
        at = choose.choice(entries_with(table, kind, holding))
        change(table.log, choose, at)
        failure = first_failure(table.log)
        assert (failure.entry, failure.what[: len(check)]) == (at, check), (seed, str(failure))
        assert long_form(table.log) == short_form(table.log), seed


@pytest.mark.parametrize("change", [change_word, change_deck_promise, change_dice_promise])
def test_changed_promise_or_word_is_found(change):
    for seed in range(25):
        table = finished(seed)
        change(table.log, random.Random(seed), 0)
        assert both_refuse(table.log), seed
        assert long_form(table.log) == short_form(table.log), seed


def test_changed_word_is_found_in_the_header_when_the_entropy_stands_there():
    table = finished()
    table.log["chance"]["entropy"] = table.mixed.hex()
    assert first_failure(table.log) is None
    change_word(table.log, random.Random(1), 0)
    assert first_failure(table.log)[:3] == (0, "words", FAILED)
    assert long_form(table.log) == short_form(table.log)


def test_renamed_die_is_found_by_its_value_or_by_a_head():
    """One in six renamed dice shows the same number by luck: then only the witnesses tell."""
    found = 0
    for seed in range(60):
        choose, table = random.Random(seed), finished(seed)
        heads = table.heads()
        at = choose.choice(entries_with(table, "dice"))
        change_name(table.log, choose, at)
        assert long_form(table.log, heads[at:]) == short_form(table.log, heads[at:])
        assert both_refuse(table.log, heads[-1:])
        found += first_failure(table.log) is not None and first_failure(table.log).entry == at
    assert 40 < found < 60


@pytest.mark.parametrize("field", ["id", "value"])
def test_changed_beacon_is_found(field):
    for seed in range(10):
        choose, table = random.Random(seed), finished(seed, beacon=True)
        assert first_failure(table.log) is None
        beacon = table.log["log"][choose.choice(entries_with(table, "beacon")) - 1]["beacon"]
        beacon[field] = bent(beacon[field], choose)
        assert both_refuse(table.log)
        assert long_form(table.log) == short_form(table.log)


def test_beacon_nobody_announced_and_announced_beacon_that_is_missing():
    table = finished(2, beacon=True)
    del table.log["log"][0]
    assert first_failure(table.log).detail == "beacon_missing"
    table = finished(2)
    table.write(note="x", beacon={"epoch": 1, "id": "late", "value": "00"})
    assert first_failure(table.log).detail == "beacon_unannounced"


def test_witness_finds_a_rewritten_log():
    """A march was changed after report 3; the heads of reports 1 to 3 still stand, later ones do not."""
    table = finished()
    heads = table.heads()
    table.log["log"][3]["do"] = "march elsewhere"
    checks = list(check_game(table.log, [heads[2][:8], heads[3], heads[4][:8]]))
    assert [(check.entry, check.state) for check in checks[-3:]] == [(2, OK), (3, OK), (3, FAILED)]
    assert first_failure(table.log) is None, "no die depends on the text: only the witness knows"


def test_head_of_too_few_digits_is_no_witness():
    table = finished()
    assert both_refuse(table.log, [table.heads()[-1][:7]])


def test_every_byte_of_an_entry_counts_for_the_head():
    table = finished()
    heads = table.heads()[-1:]
    text = json.dumps(table.log["log"][1])
    for at, sign in enumerate(text):
        if not sign.isalnum():
            continue
        try:
            entry = json.loads(text[:at] + ("1" if sign != "1" else "2") + text[at + 1 :])
        except ValueError:
            continue
        changed = {**table.log, "log": [table.log["log"][0], entry, *table.log["log"][2:]]}
        assert first_failure(changed, heads) is not None, entry


def test_false_link_after_the_right_one_spoils_nothing_else():
    table = finished()
    at = table.write(open={"epoch": 1, "link": "00" * 32})
    assert first_failure(table.log)[:2] == (at, "link 1")
    assert long_form(table.log) == short_form(table.log)


def test_deck_name_used_again_for_other_cards_is_refused():
    """The salts would be the same: an opened card of the first would unmask one of the second."""
    table = finished()
    table.shuffle("main,1", ["1", "2"])
    assert first_failure(table.log).detail == "deck_other"
    assert long_form(table.log) == short_form(table.log)


@pytest.mark.parametrize(("part", "value"), [("blinds", "00" * 32), ("private", {"answer": "intercept"})])
def test_sealed_part_shown_otherwise_is_found(part, value):
    table = finished()
    shown = table.log["log"][-1][part]
    shown[next(iter(shown))] = value
    assert first_failure(table.log).what.startswith(part.rstrip("s"))


def test_link_beyond_the_promised_chain_is_refused():
    table = finished()
    table.log["chance"]["links"] = 1
    assert first_failure(table.log).what.startswith("die T2"), "turn 2 needs a second link"
    table.log["log"] = [entry for entry in table.log["log"] if "dice" not in entry]
    assert first_failure(table.log).what == "link 2"
    assert both_refuse(table.log)


def test_second_beacon_for_an_epoch_is_refused():
    table = finished(beacon=True)
    at = table.write(note="x", beacon={"epoch": 1, "id": "a better one", "value": "00"})
    assert first_failure(table.log)[:2] == (at, "beacon 1")
    assert long_form(table.log) == short_form(table.log), "the first one stays in force"


@pytest.mark.parametrize("word", [" Pella", "Me\u0301gara", "x" * 201, "two\nlines"])
def test_word_that_is_not_as_printed_is_refused(word):
    table = Table(1)
    table.log["chance"]["words"][next(iter(table.log["seats"]))] = word
    assert long_form(table.log) == short_form(table.log)
    assert first_failure(table.log).what == "words"


@pytest.mark.parametrize("told", [{"epoch": 1}, {"epoch": 1, "deck_secret": bytes(32).hex()}, {}])
def test_opening_that_opens_nothing_is_refused(told):
    table = Table(1)
    table.write(open=told)
    assert both_refuse(table.log)
    assert first_failure(table.log).what == "entry"


def test_word_of_somebody_without_a_seat_is_refused():
    table = Table(1)
    table.log["chance"]["words"]["purple"] = "hello"
    assert long_form(table.log) == short_form(table.log)
    assert first_failure(table.log).what == "words"


@pytest.mark.parametrize(
    ("key", "value"),
    [("scheme", 2), ("links", 0), ("links", 10**9), ("deck", "AB" * 32), ("dice", "ab"), ("words", {"a": 1})],
)
def test_promise_that_makes_no_sense_ends_the_check(key, value):
    table = Table(1)
    table.log["chance"][key] = value
    assert [(check.what, check.state) for check in check_game(table.log)] == [("chance", FAILED)]


def test_die_with_an_unknown_mark_is_refused():
    table = finished()
    table.log["log"][1]["dice"][0][2:] = [{"loaded": "yes"}]
    assert first_failure(table.log)[:2] == (2, f"die {table.log['log'][1]['dice'][0][0]}")


# --- Logs that cannot be read -------------------------------------------------


def test_torn_log_is_a_failed_check_and_never_a_crash():
    """Any value anywhere replaced by nonsense: what is not of the form is not read, so both say the same of it."""
    for seed in range(800):
        choose = random.Random(seed)
        log = copy.deepcopy(finished(seed % 5, beacon=seed % 2 == 1).log)
        here = log
        while True:
            key = choose.choice(list(here) if isinstance(here, dict) else range(len(here)))
            if isinstance(here[key], dict | list) and here[key] and choose.random() < 0.8:
                here = here[key]
                continue
            here[key] = choose.choice([None, 7, -1, "zz", [], {}, [[]], "é"])
            break
        assert long_form(log) == short_form(log), seed


@pytest.mark.parametrize("sides", [0, -6, 2**32 + 1, "6", 6.0, None])
def test_impossible_dice_are_refused_and_end(sides):
    table = finished()
    table.write(by="red", do="x", dice=[["T1,x", 1, {"sides": sides}]])
    table.open(3)
    assert both_refuse(table.log)


def test_text_that_is_no_text_is_refused():
    table = finished()
    table.write(note="\ud800")
    assert first_failure(table.log).what == "entry"


@pytest.mark.parametrize("log", [{}, {"game": "x"}, {"log": []}])
def test_log_without_chance_is_refused(log):
    assert [check.state for check in check_game(log)] == [FAILED]


# --- The short verifier as a program ------------------------------------------


def run_alone(folder, *arguments, stdin=""):
    """A copy far from the project, isolated: nothing of pbem can be found from there."""
    shutil.copy(Path(verify_min.__file__), folder / "verify_min.py")
    command = [sys.executable, "-I", "verify_min.py", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)


def test_short_verifier_runs_alone(tmp_path):
    table = finished()
    (tmp_path / "game.json").write_text(json.dumps(table.log))
    run = run_alone(tmp_path, "game.json", table.heads()[-1][:8])
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[0] == "    0  chance: ok"
    assert len(run.stdout.splitlines()) == len(short_form(table.log)) + 1


def test_short_verifier_reads_standard_input_and_refuses(tmp_path):
    table = finished()
    change_value(table.log, random.Random(1), entries_with(table, "dice")[0])
    run = run_alone(tmp_path, stdin=json.dumps(table.log))
    assert run.returncode == 1
    assert [line.split(":")[-1] for line in run.stdout.splitlines()].count(" failed") == 1
    broken = run_alone(tmp_path, stdin="{")
    assert (broken.returncode, broken.stdout[:22]) == (1, "cannot be read, failed")


def test_short_verifier_stays_short():
    lines = Path(verify_min.__file__).read_text().splitlines()
    assert len([line for line in lines if line.strip()]) <= 450
