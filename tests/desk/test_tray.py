"""The tray: nothing in the private file is passed over, and an undo is one rule for whatever a seat has sent."""

from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from small_game import again, found, private_of

from pbem.base import records, yamlfile
from pbem.base.errors import BadLog
from pbem.desk import answering
from pbem.desk import tray as trays
from pbem.desk.desk import Desk
from pbem.desk.tray import Answer, Filed, Letter, Slip, StandingOrder, Tray, Turn

# --- Strict -------------------------------------------------------------------


def record_types(kind: Any = Tray, seen: tuple[Any, ...] = ()) -> list[Any]:
    """Every record that can stand in the file."""
    found_ = [*seen, kind]
    for shape in records.shapes(kind).values():
        for one in (shape, *get_args(shape), *(deep for inner in get_args(shape) for deep in get_args(inner))):
            if is_dataclass(one) and one not in found_:
                found_ = record_types(one, tuple(found_))
    return found_


@pytest.mark.parametrize("kind", record_types(), ids=lambda kind: kind.__name__)
def test_a_misspelt_key_is_refused_wherever_it_stands(kind: Any) -> None:
    with pytest.raises(BadLog, match="unknown in record: .*nearest"):
        records.read(kind, {f"{field.name}x": 1 for field in fields(kind)}, "private.yaml")


@pytest.mark.parametrize(("kind", "name"), [
    (kind, name) for kind in record_types() for name, shape in records.shapes(kind).items() if shape is not Any])
def test_what_is_of_another_type_is_refused_wherever_it_stands(kind: Any, name: str) -> None:
    shape = str(records.shapes(kind)[name])
    wrong: Any = [1] if shape.startswith(("<class 'str", "<class 'int", "<class 'bool", "dict", "str |")) or is_dataclass(
        records.shapes(kind)[name]) else "text"
    with pytest.raises(BadLog, match="wrong type"):
        records._Reader("private.yaml").value(records.shapes(kind)[name], wrong, name, 1)


@pytest.mark.parametrize(("text", "told"), [
    ("tray: 2\nsettings: {blue: {report: digest}}\n", "line 2, found report, nearest reports"),
    ("tray: 2\nsecrets: {deck: a, last_link: b, links: c}\n", "line 2, found links, wanted int"),
    ("tray: 2\nadresses: {}\n", "line 2, found adresses, nearest addresses"),
    ("adresses: {}\n", "line 1, found adresses, nearest addresses"),
    ("sealed: {T1.x: {blue: {txt: pass}}}\n", "found txt, nearest text"),
    ("settings: {blue: {report: digest}}\n", "found report, nearest reports"),
    ("prepared: {red: {lines: roll}}\n", "found lines, wanted sequence"),
])
def test_nothing_typed_there_is_passed_over(tmp_path: Path, text: str, told: str) -> None:
    found(tmp_path / "g")
    (tmp_path / "g/private.yaml").write_text(text)
    with pytest.raises(BadLog, match=told):
        again(tmp_path / "g")


OLD = """\
secrets: {deck: aa, last_link: bb, links: 5}
cards: {hands: {red: ["1"]}, deck: ["2"]}
addresses: {red: [a@example.org], blue: b@example.org}
asked: {id: T2.R1.red.3, at: 2026-11-18T12:00:00Z}
sealed: {T2.R1.red.3: {blue: {text: pass, at: 2026-11-18T12:00:00Z, via: mail, standing: 2, does: pass}}}
ahead: {yellow: {text: at Ephesos: pass, at: 2026-11-18T12:00:00Z}}
prepared: {red: {lines: [end], held: 1, since: 7}}
filed: {blue: [{trigger: battle, text: play 48 as surprise, turn: 2}]}
fallen: [{entry: 5, seat: blue, place: 0, was: {trigger: sea, text: play 53 as surprise, turn: 2}}]
standing: {blue: [{no: 2, kind: evasion, answer: pass, if: [if MP >= 3], left: 1, text: x, about: {a: b}, after: q}]}
standing_used: [{entry: 6, seat: blue, record: {no: 2, kind: evasion, answer: pass, if: [], left: 2, text: x, about: {}}}]
settings: {blue: {reports: digest}, press: {off: "yes", when: held, daily: "3"}}
observers: [o@example.org]
absences: {red: [[2026-12-01, 2026-12-05]]}
mail:
  secret: s
  issued: [[red, turn:2, ""]]
  taken: [m1 applied, m2 refused]
  queue: {k: "{}"}
  stuck: why
  shown: {red: q}
  reports: {red: 2}
  posts: [red post-1]
  press: [{from: red, to: [blue], text: hello, for: [blue]}]
  press_count: {day: 2026-11-18, red: 1}
  press_total: {red: 1}
  observers_asked: [x@example.org]
  seats: {red: {window: w, at: t, version: 2}}
  unreachable: {blue: t}
  waits: {minutes: 5, seats: {red: {evasion: {count: 1, minutes: 5, silent: 0, default: 1, default_minutes: 5}}},
          steps: {red: 1}, last: {id: i, window: w, at: a, minutes: 1, march: m, later: 1}}
  pace: {at: t, done: "1"}
journal: {to: 9, before: {prepared: {red: {lines: [roll]}}}}
""".replace("at Ephesos: pass", '"at Ephesos: pass"').replace("turn:2", '"turn:2"')


def test_a_file_of_today_is_read_and_carried_over() -> None:
    """Every key there was, and nothing of it lost."""
    tray = trays.of(yamlfile.parse(OLD))
    assert tray.secrets == trays.Secrets("aa", "bb", 5)
    assert tray.addresses == {"red": ["a@example.org"], "blue": ["b@example.org"]}
    assert tray.cards == trays.Cards({"red": ["1"]}, ["2"])
    assert tray.answer("T2.R1.red.3", "blue") == Answer(
        seat="blue", question="T2.R1.red.3", text="pass", at="2026-11-18T12:00:00Z", via="mail", standing=2, does="pass")
    assert (ahead := tray.ahead("yellow")) is not None and ahead.text == "at Ephesos: pass"
    assert tray.turn("red") == Turn(seat="red", lines=["end"], held=True, since=7)
    assert [(one.trigger, one.went) for one in tray.filed] == [("battle", 0), ("sea", 5)]
    assert [(one.no, one.left, one.went, one.laid, one.conditions) for one in tray.standing] == [
        (2, 1, 0, 6, ["if MP >= 3"]), (2, 2, 6, 0, [])]
    assert (tray.settings["blue"].reports, tray.press) == ("digest", trays.PressRules(off=True, held=True, daily=3))
    assert tray.letters == [Letter(seat="red", to=["blue"], text="hello", waits=["blue"])]
    assert tray.mail.taken == {"m1": "applied", "m2": "refused"} and tray.mail.issued == [("red", "turn:2", "")]
    assert tray.mail.press_count == trays.PressCount("2026-11-18", {"red": 1})
    assert tray.mail.waits.seats["red"]["evasion"].default_minutes == 5 and tray.mail.waits.last.later
    assert tray.absences == {"red": [("2026-12-01", "2026-12-05")]}
    assert trays.of(yamlfile.parse(yamlfile.dump_file(tray.plain()))) == tray
    before = trays.restored(tray, 8)
    assert before.turns == [Turn(seat="red", lines=["roll"])] and not before.filed
    assert before.addresses == {"red": ["a@example.org"], "blue": ["b@example.org"]}


@pytest.mark.parametrize(("text", "told"), [
    ("sealed: [pass]\n", "line 1, found sealed"), ("fallen: text\n", "line 1, found fallen"),
    ("filed: text\n", "line 1, found filed")])
def test_what_of_a_file_of_before_is_no_mapping_is_refused(text: str, told: str) -> None:
    with pytest.raises(BadLog, match=f"wrong type: .*{told}.*, wanted mapping"):
        trays.of(yamlfile.parse(text))


def test_what_a_file_of_before_leaves_out_is_not_there() -> None:
    """A part without anything, a rule for letters that is another, an order that has not answered yet and asks for nothing."""
    tray = trays.of(yamlfile.parse("prepared:\nfallen: []\nsettings: {press: {when: at once}}\njournal: {to: 3}\n"
                                   "standing: {blue: [{no: 1, kind: evasion, answer: pass}]}\n"))
    assert tray.press == trays.PressRules() and not tray.turns and not tray.filed
    assert [(one.laid, one.went, one.conditions) for one in tray.standing] == [(0, 0, [])]
    assert tray.journal is not None and tray.journal.before.keys() == {"tray"}


def test_every_key_of_the_old_file_is_in_this_test() -> None:
    from pbem.desk.carried_over import KNOWN

    assert yamlfile.parse(OLD).keys() == KNOWN


# --- An undo is one rule ------------------------------------------------------

ENTRY, UNDO, SAME = 10, 20, "same"
MADE = {
    Answer: lambda **more: Answer(seat="blue", question="q", text="pass", **more),
    Turn: lambda **more: Turn(seat="blue", lines=["end"], **more),
    Filed: lambda **more: Filed(seat="blue", trigger="battle", text="play 48", turn=2, **more),
    StandingOrder: lambda **more: StandingOrder(seat="blue", kind="evasion", no=1, **more),
    Letter: lambda **more: Letter(seat="blue", to=["red"], text="hello", waits=["red"], **more),
}
LISTS = {Answer: "answers", Turn: "turns", Filed: "filed", StandingOrder: "standing", Letter: "letters"}


def test_every_kind_of_slip_is_in_this_test() -> None:
    assert set(MADE) == set(Slip.__subclasses__()) and list(LISTS.values()) == [
        name for name, shape in records.shapes(Tray).items() if get_args(shape) and get_args(shape)[0] in MADE]


def expected(kind: type[Slip], came: int, went: int, opened: bool, subject: str) -> tuple[bool, str]:
    """Does it lie there after the undo, and what is its owner told: from the text of the rule alone."""
    told = kind in (Answer, Turn, Filed)
    same = kind is not Answer or subject == SAME
    if went and went < ENTRY:
        return False, ""                                        # long gone: nothing of it is taken back
    if went:                                                    # it left with something that is taken back
        if opened or not same:
            return False, "void" if told else ""
        return True, "back" if told else ""
    if came < ENTRY:
        return True, ""                                         # it was there before, and lies there still
    if not same:
        return False, "void"                               # the question it answered is gone
    return True, "held" if kind is Turn else ""


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_an_undo_is_one_rule_for_everything_a_seat_has_sent(kind: type[Slip]) -> None:
    for came, went, opened, subject in product((5, 9, 10, 15), (0, 9, 10, 15), (False, True), (SAME, "other")):
        if went and went <= came or opened and not went:
            continue
        tray = Tray()
        slip = MADE[kind](came=came, went=went, opened=opened)
        if isinstance(slip, Answer):
            slip.subject = subject
        getattr(tray, LISTS[kind]).append(slip)
        tray.taken_back(ENTRY, SAME, UNDO)
        lies = bool(trays.lying(getattr(tray, LISTS[kind])))
        told = [one.became for one in tray.news_for("blue")]
        assert (lies, "".join(told)) == expected(kind, came, went, opened, subject), (came, went, opened, subject)


def test_what_the_log_itself_laid_there_goes_with_its_entry() -> None:
    tray = Tray(standing=[StandingOrder(seat="blue", kind="evasion", no=1, left=2)])
    tray.use_up("blue", 1, 12)
    assert [one.left for one in trays.lying(tray.standing)] == [1]
    before = list(tray.standing)
    tray.taken_back(13, "", 20)
    assert tray.standing == before
    tray.taken_back(12, "", 20)
    assert [(one.left, one.went) for one in tray.standing] == [(2, 0)] and not tray.news


def test_who_waits_for_his_own_word_already_is_not_told_so_again() -> None:
    tray = Tray(turns=[Turn(seat="blue", lines=["roll"], came=15)])
    tray.taken_back(10, "", 20)
    assert [one.became for one in tray.news_for("blue")] == ["held"]
    tray.news.clear()
    tray.taken_back(10, "", 21)
    assert tray.turns[0].held and tray.news_for("blue") == []


def test_what_is_always_is_used_up_by_nothing_and_so_is_what_is_not_there() -> None:
    """In the file `always` is a 0: of those kept for games that have begun as well."""
    tray = trays.of({"tray": 2, "standing": [{"seat": "blue", "kind": "evasion", "no": 1, "left": 0}]})
    tray.use_up("blue", 1, 12)
    tray.use_up("blue", 2, 13)
    assert [(one.left, one.went) for one in tray.standing] == [(0, 0)] and trays.lying(tray.standing) == tray.standing


def test_whoever_has_only_the_public_log_writes_no_private_file() -> None:
    assert Tray().plain() == {}
    assert Tray(addresses={"red": ["anna@example.com"]}).plain()["tray"] == 2


def test_what_went_long_ago_is_forgotten() -> None:
    tray = Tray(filed=[MADE[Filed](came=1, went=number) for number in range(1, 400)])
    tray.forget()
    assert [one.went for one in tray.filed] == list(range(200, 400))
    lies = MADE[Filed](came=500)
    tray.filed.append(lies)
    tray.forget()
    assert len(tray.filed) == 201 and tray.filed[-1] is lies


def test_what_lies_there_still_is_not_forgotten_with_what_went_long_ago() -> None:
    lies = MADE[Filed](came=1)
    tray = Tray(filed=[lies, *(MADE[Filed](came=1, went=number) for number in range(1, 300))])
    tray.forget()
    assert tray.filed[0] is lies and len(tray.filed) == 201


def test_a_file_that_says_nothing_is_no_tray() -> None:
    assert trays.of({}) == Tray() and not trays.of({})


def test_a_journal_holds_what_moves_have_changed_and_gives_back_no_more() -> None:
    before = {"tray": 2, "posted": 3, "adopts": "board.yaml", "turns": [{"seat": "red", "lines": ["roll"]}]}
    now = {**before, "posted": 4, "adopts": "other.yaml", "blind": "red"}
    journal = trays.journal(before, now, 7)
    assert journal == {"journal": {"to": 7, "before": {"posted": 3}, "changed": ["posted", "blind"]}}
    assert trays.journal(before, {**before, "adopts": "other.yaml"}, 7) == {}
    tray = trays.restored(trays.of({**now, **journal}), 6)
    assert (tray.posted, tray.blind, tray.adopts, len(tray.turns)) == (3, "", "other.yaml", 1)
    assert trays.restored(trays.of({**now, **journal}), 7).posted == 4


def test_what_nobody_has_counted_yet_is_none() -> None:
    """All numbers begin with 0, but how often a standing order answers and how many letters a day may bring."""
    begin = {(kind.__name__, field.name): field.default for kind in filter(is_dataclass, vars(trays).values())
             for field in fields(kind) if isinstance(field.default, int) and field.default}
    assert begin == {("StandingOrder", "left"): 1, ("PressRules", "daily"): 5}


@pytest.mark.parametrize(("left", "path", "then"), [
    (3, ["lamia"], [("evasion", 2)]), (2, [], [("evasion", 1)]), (1, ["lamia"], [(trays.FLEEING, 1)]), (1, [], [])])
def test_what_has_answered_has_one_time_less_and_who_evaded_for_the_last_time_may_still_be_asked_where_to(
        left: int, path: list[str], then: list[tuple[str, int]]) -> None:
    tray = Tray(standing=[StandingOrder(seat="blue", kind="evasion", no=1, left=left, path=path)])
    tray.use_up("blue", 1, 12)
    assert tray.standing[0].went == 12
    assert [(one.kind, one.left) for one in trays.lying(tray.standing)] == then
    assert all(one.laid == 12 for one in trays.lying(tray.standing))
    tray.standing = [StandingOrder(seat="blue", kind="losses", no=1, path=path)]
    tray.use_up("blue", 1, 12)
    assert trays.lying(tray.standing) == []


def test_who_is_not_known_to_be_reached_has_an_address_of_which_nothing_has_come() -> None:
    tray = Tray(addresses={"red": ["anna@example.com"], "blue": [], "yellow": ["chiara@example.com"]})
    tray.mail.heard = ["yellow"]
    assert tray.unheard() == ["red"]


def test_only_what_speaks_of_later_steps_lies_there_for_them() -> None:
    now, later = (Answer(seat="blue", question="T1.x", text="pass", ahead=ahead) for ahead in (False, True))
    assert Tray(answers=[now]).ahead("blue") is None and Tray(answers=[now, later]).ahead("blue") is later
    assert Tray(answers=[later]).answer("T1.x", "blue") is None


def test_what_lies_there_for_a_seat_has_not_gone() -> None:
    old, new = Turn(seat="blue", lines=["roll"], went=3), Turn(seat="blue", lines=["end"])
    tray = Tray(turns=[old, Turn(seat="red", lines=["end"]), new])
    assert tray.turn("blue") is new and tray.turn("yellow") is None
    assert (tray.of_seat("blue").turns, tray.of_seat("yellow").turns) == ([old, new], [])
    assert tray.of_seat("yellow").tray == trays.FORMAT and not Tray().of_seat("yellow")


def test_where_nothing_is_asked_the_subject_is_nothing(tmp_path: Path) -> None:
    g = found(tmp_path / "g").match.g
    assert trays.subject(None, g) == ""
    assert [trays._told({"b", "a"}), trays._told(frozenset((3, 1))), trays._told(7)] == [["a", "b"], ["1", "3"], "7"]


# --- At the desk --------------------------------------------------------------


@pytest.fixture
def at_window(tmp_path: Path) -> Desk:
    """Red marches into Ephesos; Blue and Yellow are asked whether they come."""
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos\nend activation")
    return game


def test_a_sealed_answer_stays_where_its_question_is_not_touched(at_window: Desk) -> None:
    at_window.enter({"note": "a slip"})
    at_window.order("blue", "intercept Lysimachos with 2 loyal")
    sealed = at_window.sealed(at_window.match.question)
    at_window.undo(len(at_window.game.entries), "it was one", override=True)
    assert at_window.sealed(at_window.match.question) == sealed and not at_window.tray.news
    assert again(at_window.folder).sealed(at_window.match.question) == sealed


def test_of_an_answer_whose_question_is_gone_its_owner_is_told(at_window: Desk) -> None:
    at_window.order("blue", "intercept Lysimachos with 2 loyal")
    march = next(number for number, entry in enumerate(at_window.game.entries, 1) if "march" in entry.get("do", ""))
    at_window.undo(march, "wrong general", override=True)
    desk = again(at_window.folder)
    assert not trays.lying(desk.tray.answers)
    (told,) = answering.news(desk, "blue")
    assert "T2.R1.red.3" in told
    assert "intercept Lysimachos from Sardeis with 2 loyal" in told and "does not count any more" in told
    assert answering.news(desk, "yellow") == []


def test_the_rest_of_a_turn_waits_for_its_sender_after_an_undo(at_window: Desk) -> None:
    assert at_window.waiting("red") == ["march Antigonos > Halikarnassos", "end activation"]
    march = next(number for number, entry in enumerate(at_window.game.entries, 1) if "march" in entry.get("do", ""))
    at_window.undo(march, "wrong general", override=True)
    at_window.run()
    desk = again(at_window.folder)
    assert desk.is_held("red") and desk.waiting("red") == ["march Antigonos > Halikarnassos", "end activation"]
    assert "waits for your word" in answering.news(desk, "red")[0]
    assert not any("do" in entry for entry in desk.game.entries[march + 1:])


def test_an_answer_that_nobody_has_seen_counts_again_if_the_same_is_asked(tmp_path: Path) -> None:
    """A ruling ends the segment while a window is open: what lay sealed was never opened."""
    game = found(tmp_path / "g", cards=True)
    game.order("red", "roll\nmarch Antigonos > Ephesos")
    game.order("blue", "intercept Lysimachos with 2 loyal")
    sealed = game.sealed(game.match.question)
    game.ruling("the segment is over", abandon="segment")
    assert not trays.lying(game.tray.answers)
    ruled = next(number for number, entry in enumerate(game.game.entries, 1) if "ruling" in entry)
    game.undo(ruled, "it is not", override=True)
    assert game.match.question is not None and game.match.question.kind == "interception"
    assert game.sealed(game.match.question) == sealed
    assert "counts again" in answering.news(game, "blue")[0]


def test_what_was_opened_does_not_count_again(at_window: Desk) -> None:
    at_window.order("blue", "intercept Lysimachos with 2 loyal")
    at_window.order("yellow", "pass")
    closed = next(number for number, entry in enumerate(at_window.game.entries, 1) if "close" in entry)
    at_window.undo(closed, "too early", override=True)
    assert at_window.match.question is not None and at_window.sealed(at_window.match.question) == {}
    assert {one.seat for one in at_window.tray.news if one.became == "void"} == {"blue", "yellow"}


def test_an_answer_for_a_later_step_of_a_route_does_not_count_at_this_one(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos openly")
    game.order("blue", "at Halikarnassos: pass")
    game.order("yellow", "at Ephesos: pass; at Halikarnassos: pass")
    game.run()
    question = game.match.question
    assert question is not None and (question.kind, question.about["space"]) == ("interception", "ephesos")
    assert game.sealed(question).keys() == {"yellow"}
    game.order("blue", "pass")
    game.run()
    assert game.match.g.generals["antigonos"].at == "halikarnassos"         # and there it counts: he is not asked again


def test_an_undo_lays_back_what_was_answered_for_a_whole_route(tmp_path: Path) -> None:
    game = found(tmp_path / "g")
    game.order("red", "roll\nmarch Antigonos > Ephesos > Halikarnassos openly")
    for seat in ("blue", "yellow"):
        game.order(seat, "at Ephesos: pass; at Halikarnassos: pass")
    game.run()
    closed = next(number for number, entry in enumerate(game.game.entries, 1) if "close" in entry)
    game.undo(closed, "too early", override=True)
    assert game.match.question is not None and game.match.question.kind == "route"
    assert game.sealed(game.match.question).keys() == {"blue", "yellow"}
    game.run()
    asked = game.match.question
    assert asked is not None and (asked.kind, game.match.g.generals["antigonos"].at) == ("activation", "ephesos")
    assert ["march Antigonos > Halikarnassos"] in [one.lines for one in game.tray.news_for("red")]


def test_the_file_says_what_form_it_has(tmp_path: Path) -> None:
    found(tmp_path / "g")
    assert private_of(tmp_path / "g")["tray"] == trays.FORMAT
