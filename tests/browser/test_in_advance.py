"""What the desk of a page composes besides orders and answers, and what it tells of a way before it is gone."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import asked_once
import pytest
import small_game
from asked_once import Asked

from pbem.base.paths import languages
from pbem.browser import beside, way
from pbem.browser.answers import VERSION, Engine
from pbem.browser.opened import log_of
from pbem.desk import requesting, showing
from pbem.desk.desk import Desk
from pbem.desk.requesting import FORMS, REFUSED
from pbem.desk.showing import plain_words
from pbem.mail import press
from pbem.mail.lines import sort as sorted_out
from pbem.orders import Order
from pbem.play import odds
from pbem.rules.generals import FREE_ACTS

HAND = ["1", "57", "48", "50"]
ALSO = {"place_minor", "remove_minor", "disband", "command", "use_ability"}


def asking(log: Any, seat: str, hand: list[str]) -> Any:
    engine = Engine()

    def ask(what: str, **facts: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(engine.answer(json.dumps(
            {"pbem": VERSION, "ask": what, "seat": seat, "hand": hand, "lines": "", **facts})))
        assert "error" not in told, told
        return told

    ask("open", log=log)
    return ask


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    game = small_game.found(tmp_path / "g", cards={**small_game.HANDS, "red": HAND})
    game.order("red", "roll")
    return game


@pytest.fixture
def ask(desk: Desk) -> Any:
    return asking(log_of(desk.game), "red", HAND)


# --- in between and in advance -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", ["surrender", "tyche", "activation", "interception", "battle_cards"])
def test_whatever_is_offered_besides_is_taken(asked: dict[str, Asked], kind: str, language: str) -> None:
    one = asked[kind]
    ask = asking(one.log, one.seat, ["57", "48"])
    ahead = {group["sort"]: group["lines"] for group in ask("question", language=language)["ahead"]}
    assert {"standing", "file"} <= ahead.keys() and len(ahead["standing"]) > 10
    for sort, lines in ahead.items():
        for line in lines[::max(1, len(lines) // 4)]:
            told = ask("check", lines=line, language=language)
            if sort == "file":
                assert [row["refused"] for row in told["beside"]] == [False], told
                assert requesting.split(line)[0] == "file" and requesting.is_whole(line)
            elif sort == "standing":
                assert [row["state"] for row in told["lines"]] == ["answered"], told["text"]
            else:
                assert told["priced"] or told["lines"][0]["state"] in ("done", "sealed", "waiting", "unknown"), told["text"]


def test_free_acts_are_offered_where_they_may_be_done(ask: Any) -> None:
    assert FREE_ACTS.keys() == ALSO                     # another one is offered by itself; its name is in no text of the page
    ahead = {group["sort"]: group["lines"] for group in ask("question")["ahead"]}
    assert ahead["free"] == ["place minor Philoxenos at Halikarnassos"]
    assert "play 57 as surprise on Antigonos" in ahead["surprise"]
    assert ask("check", lines=ahead["free"][0])["lines"][0]["state"] == "done"


@pytest.mark.parametrize("language", languages())
def test_a_whole_turn_can_be_written_as_a_form(ask: Any, language: str) -> None:
    told = ask("question", language=language)
    assert told["form"][-2].startswith("# ") and "# " not in told["text"]
    tried = ask("check", lines="\n".join(told["form"]), language=language)
    assert {one["state"] for one in tried["lines"]} == {"answered", "done"}
    assert "#" not in tried["thread"]                   # what is left open may name a card


def test_a_standing_order_is_tried_like_any_line(ask: Any, desk: Desk) -> None:
    told = ask("check", lines="standing: honour, always\nmarch Antigonos > Xanthos", language="de")
    assert [one["state"] for one in told["lines"]] == ["answered", "done"]
    assert "Dauerbefehl" in told["lines"][0]["text"] and not desk.tray.standing


# --- letters, cards put aside, and who may read what -------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_a_letter_is_one_to_the_mailbox_too(ask: Any, desk: Desk, language: str) -> None:
    """With orders above and below it, as the desk writes it in each language."""
    letters = ask("question", language=language)["letters"]
    assert letters.keys() == {"all", "blue", "yellow", "black", "end"}
    letter = f"{letters['blue']} hello\nmarch with me\n{letters['end']}"
    told = ask("check", lines=f"march Antigonos > Xanthos\n{letter}\nend", language=language)
    assert [one["line"] for one in told["lines"]] == ["march Antigonos > Xanthos", "end"]
    assert [(one["line"], one["refused"]) for one in told["beside"]] == [(letter, False)]
    assert told["thread"].splitlines() == ["march Antigonos > Xanthos", "end"]
    assert all(requesting.split(f"{lead} x")[0] == "press" for one, lead in letters.items() if one != "end")
    assert press.ends(letter.splitlines()) == 3


def test_one_mail_brings_orders_letters_and_cards_put_aside(desk: Desk) -> None:
    """Each goes its own way behind the mailbox, whatever stands in the letter."""
    sent = ["march Antigonos > Xanthos", "file battle: play 48 as surprise", "press blue: hello", "end", "/press",
            "standing: honour, always", "end"]
    found = sorted_out(desk, "red", [*sent, f"# pbem 0.1.0 3 {desk.game.head()[:32]}"])
    assert list(found.requests) == ["file battle: play 48 as surprise", "press blue: hello\nend\n/press"]
    assert list(found.orders) == ["march Antigonos > Xanthos", "standing: honour, always", "end"] and not found.unclear


@pytest.mark.parametrize(("letter", "said"), [
    ("press blue: hello", "no end"), ("press blue:\n/press", "no text"), ("press mauve: hello\n/press", "to whom"),
    ("press red: hello\n/press", "to whom"), ("press all held: hello\n/press", "Blue, Yellow and Black")])
def test_what_is_wrong_with_a_letter_is_said(ask: Any, letter: str, said: str) -> None:
    one, = ask("check", lines=letter)["beside"]
    assert said in one["text"] and one["refused"] is ("all" not in letter)


@pytest.mark.parametrize(("word", "line"), [(word, line) for word, form in FORMS.items() for line in form.written])
def test_the_desk_takes_for_private_what_a_thread_would_refuse(word: str, line: str) -> None:
    parts = [one for one in beside.parts(line) if one.text]
    assert [(one.text, one.public == "") for one in parts] == [(line, FORMS[word].post == REFUSED)]


ELSEWHERE = {"check": "the desk does nothing else", "press": "the letter has fields of its own, and a button that adds it"}
LISTS = {"standing": ["standing", "standing: cancel 2"], "file": ["file", "file back 1"]}     # the rest is offered


@pytest.mark.parametrize("language", languages())
def test_every_request_has_a_button_and_is_told_what_comes_of_it(ask: Any, language: str) -> None:
    """Each way to write it that the table shows, with days and numbers of this game, and the mailbox takes each for that."""
    rows = ask("question", language=language)["requests"]
    lines = [line for row in rows for line in row["lines"]]
    assert [requesting.split(row["lines"][0])[0] for row in rows] == [word for word in FORMS if word not in ELSEWHERE]
    for word, form in FORMS.items():
        said = [plain_words(language).typed(line) for line in LISTS.get(word, form.written) if word not in ELSEWHERE]
        assert {re.sub(r"[-\d]+", "#", line) for line in said} <= {re.sub(r"[-\d]+", "#", line) for line in lines}, word
    for row in rows:
        for line in row["lines"]:
            assert requesting.is_whole(line) or requesting.lists_standing(line)
            told = ask("check", lines=f"march Antigonos > Xanthos\n{line}", language=language)
            assert [one["line"] for one in told["lines"]] == ["march Antigonos > Xanthos"]
            one, = told["beside"]
            assert one["line"] == line and not one["refused"] and (row["told"] in one["text"] or line.endswith("1")), one


def test_below_a_check_all_is_tried_only(ask: Any) -> None:
    told = ask("check", lines="march Antigonos > Xanthos\ncheck\nend\nreserve nothing")
    assert [one["line"] for one in told["lines"]] == ["march Antigonos > Xanthos"]
    assert [one["line"] for one in told["beside"]] == ["check\nend", "reserve nothing"]
    assert told["thread"].splitlines() == ["reserve nothing", "march Antigonos > Xanthos"]


def test_what_stays_for_the_thread_holds_nothing_private(ask: Any) -> None:
    """Not even a line of a letter that is an order elsewhere."""
    sent = ["march Antigonos > Xanthos", "standing: honour, always", "file battle: play 48 as surprise", "end",
             "press blue: hello", "end", "/press"]
    told = ask("check", lines="\n".join(sent))
    assert told["thread"].splitlines() == ["march Antigonos > Xanthos", "end"]


# --- what a way would meet -----------------------------------------------------------------------------------------


def test_what_a_way_would_meet_is_what_it_meets(ask: Any, desk: Desk) -> None:
    """The same windows in the same sequence, up to the first die, where nobody stirs; and the price of a later step."""
    row, = ask("reach", general="antigonos")["spaces"]["sardeis"]["ways"]
    desk.order("red", row["line"])
    desk.close("T2.R1.red.3", by="moderator")
    desk.order("red", "march Antigonos > Sardeis yes")
    met = ["interception at Ephesos"]
    while (question := desk.match.question) is not None and question.kind not in ("activation", "losses"):
        met.append(str(showing.words(desk).waiting(showing.seen(desk, "red")["question"])))
        if question.kind == "battle_cards":             # then come the dice
            break
        desk.close(question.id, by="moderator")
        desk.run()
    assert len(met) == 4 and [risk for risk in row["risks"] if "can react" in risk] == [
        f"{who} can react: {what}." for who, what in zip(("Blue and Yellow", *["Blue"] * 3), met, strict=True)]
    assert row["prices"] == [] and "makes Red a Successor" in row["risks"][5]


AT_SEA = {**small_game.MARCH, "turn": 2, "segment": asked_once.ACTIVATION, "mp": {"antigonos": 4},
          "spaces": {"halikarnassos": "red", "sardeis": "blue", "rhodos": "yellow"},
          "fleets": {"yellow": ["rhodos"]}}


def test_what_a_voyage_would_meet_is_what_it_meets(tmp_path: Path) -> None:
    """13.2: who may come out against it, who holds a card against it, who waits ashore; and what losing at sea would cost."""
    desk = small_game.found(tmp_path / "g", AT_SEA, cards=True)
    ask = asking(log_of(desk.game), "red", [])
    row, = [one for one in ask("reach", general="antigonos")["spaces"]["ephesos"]["ways"] if one["by"] == "sea"]
    assert row["line"].splitlines()[1:] == ["sail Antigonos > Ephesos", "disembark Antigonos"] and row["cost"] == 1
    met = []
    for line in row["line"].splitlines():
        desk.order("red", line)
        while (question := desk.match.question) is not None and question.kind != "activation":
            met.append(str(showing.words(desk).waiting(showing.seen(desk, "red")["question"])))
            desk.now += timedelta(days=9)               # a window for cards runs its time
            desk.close(question.id, by="clock")
            desk.run()
    told = [risk for risk in row["risks"] if "can react" in risk]
    assert [risk.partition(": ")[2] for risk in told] == [f"{one}." for one in met] and len(met) > 2
    at_sea, = [risk for risk in row["risks"] if "Fleets" in risk]
    lost = round(100 * odds.naval(desk.match.g, 0, 2).lose)
    assert all(one in at_sea for one in ("strength 2 to 0", f"defeat ({lost}%)", "back to Halikarnassos"))
    assert desk.match.g.generals["antigonos"].at == "ephesos"


def test_every_voyage_that_is_offered_is_taken_to_its_end(tmp_path: Path) -> None:
    """Where nobody stirs; and on board, the rest of it is offered."""
    desk = small_game.found(tmp_path / "g", {**AT_SEA, "fleets": {}, "spaces": small_game.MARCH["spaces"]})
    ask = asking(log_of(desk.game), "red", [])
    ways = {space: one for space, found in ask("reach", general="antigonos")["spaces"].items()
            for one in found.get("ways", ()) if one["by"] == "sea"}
    assert len(ways) > 10
    for space, one in list(ways.items())[::4]:
        told = ask("check", lines=one["line"])
        if told["priced"]:                              # the price is told on the way, too
            assert "Successor" in " ".join(one["risks"])
            told = ask("check", lines=f"{one['line']} yes")
        assert {line["state"] for line in told["lines"]} <= {"done", "waiting"}, told["text"]
        at, = [army["space"] for army in told["position"]["armies"] if "antigonos" in army["generals"]]
        assert at == space or told["sides"] != ["red"]
    desk.order("red", "embark Antigonos escorted by no fleets\nsail Antigonos > Kyklades")
    afloat = asking(log_of(desk.game), "red", [])("reach", general="antigonos")["spaces"]
    assert afloat["athenai"]["ways"][0]["line"] == "sail Antigonos > Athenai\ndisembark Antigonos"


WAY, RED = ("ephesos", "sardeis", "ipsos"), {"pergamon": "red", "sardeis": "red"}


def met_on(folder: Path, forces: list[dict[str, Any]], spaces: dict[str, str] | None = None) -> list[str]:
    """What Antigonos would meet on a way past Ephesos, where somebody stands."""
    red = asked_once.stands("red", "halikarnassos", "antigonos", mercenary=8)
    desk = small_game.found(folder, {"turn": 2, "segment": asked_once.ACTIVATION, "mp": {"antigonos": 5, "leonnatos": 1},
                                     "spaces": spaces or {}, "forces": [red, *forces]})
    steps = [Order("march", general="antigonos", path=(space,)) for space in WAY]
    return way.risks(desk.match.g, "red", steps, showing.words(desk), {}).told


def test_a_way_goes_on_behind_an_army_that_may_get_away(tmp_path: Path) -> None:
    """12: what its staying means is told, with where the way ends then; and what waits behind it, too."""
    told = met_on(tmp_path / "g", [asked_once.stands("blue", "ephesos", "lysimachos", mercenary=3),
                                   asked_once.stands("yellow", "sardeis", "kassandros", mercenary=3)])
    place = next(number for number, line in enumerate(told) if line.startswith("If it comes to battle at Ephesos"))
    assert any(line.startswith("Lysimachos gets away from Ephesos") for line in told[:place])
    assert "(10 L)" in told[place] and any("evasion at Sardeis" in line for line in told[place:])
    assert any(line.startswith("If it comes to battle at Sardeis") for line in told[place:])


def test_a_way_ends_in_a_battle_that_nobody_gets_away_from(tmp_path: Path) -> None:
    """12.1 Every way out is closed."""
    told = met_on(tmp_path / "g", [asked_once.stands("blue", "ephesos", "lysimachos", mercenary=3),
                                   asked_once.stands("red", "tp_maiandros", "leonnatos", mercenary=1)], RED)
    assert not any("evasion" in line for line in told) and told[-1].startswith("If it comes to battle at Ephesos")
    assert told[-2].startswith("Red attacks Blue at Ephesos"), told
    few = met_on(tmp_path / "few", [asked_once.stands("blue", "ephesos", "lysimachos", mercenary=1),
                                    asked_once.stands("red", "tp_maiandros", "leonnatos", mercenary=1),
                                    asked_once.stands("yellow", "sardeis", "kassandros", mercenary=3)], {"pergamon": "red"})
    assert few[0].startswith("Red overruns Blue") and any("evasion at Sardeis" in line for line in few), few     # 10 J: and on


def test_a_way_goes_on_past_a_general_who_is_caught_alone(tmp_path: Path) -> None:
    """10 I His silence means the attempt to get away; where he cannot, he is gone either way, and the way goes on."""
    for near, sign in (({}, "Lysimachos gets away from Ephesos"), (RED, "")):
        told = met_on(tmp_path / f"g{len(near)}", [{"owner": "blue", "at": "ephesos", "generals": ["lysimachos"]},
                                                   asked_once.stands("yellow", "sardeis", "kassandros", mercenary=3)], near)
        assert sign in " ".join(told) and any("at Sardeis" in line for line in told), told


def test_its_chances_are_those_that_odds_tells(ask: Any) -> None:
    spaces = ask("reach", general="antigonos")["spaces"]
    risks = {space: spaces[space]["ways"][0]["risks"] for space in ("ephesos", "sardeis", "xanthos")}
    told = ask("odds", words="intercept Lysimachos Ephesos")["text"]
    assert told in risks["ephesos"] and "50%" in told
    fight = ask("odds", words="battle Antigonos Lysimachos Sardeis")["text"]
    assert fight.partition(" The commander")[0] in " ".join(risks["sardeis"])
    assert risks["xanthos"] == []


def test_where_ways_risk_different_things_each_is_offered_with_what_it_risks(tmp_path: Path) -> None:
    """9.3 A, 7.3: one leads through an Independent Stronghold, and its Attrition is told by the table of the box."""
    desk = small_game.found(tmp_path / "g", {
        "turn": 2, "segment": asked_once.ACTIVATION, "mp": {"seleukos": 5}, "spaces": {"kyrtioi": "independent"},
        "forces": [asked_once.stands("red", "arbela", "seleukos", mercenary=3)]})
    ask = asking(log_of(desk.game), "red", [])
    ways = ask("reach", general="seleukos")["spaces"]["ekbatana"]["ways"]
    assert len(ways) == 2 and ways[0]["cost"] == ways[1]["cost"] and ways[0]["path"] != ways[1]["path"]
    for one in ways:
        told = [risk for risk in one["risks"] if risk.startswith("Attrition")]
        assert [risk.partition(":")[0] for risk in told] == ["Attrition at Kyrtioi"] * ("kyrtioi" in one["path"])
        assert all(sum(int(part) for part in re.findall(r"(\d+)%", risk)) in (99, 100, 101) for risk in told), told
        assert ask("check", lines=one["line"])["lines"][0]["state"] in ("done", "waiting", "unknown")


# --- where others decide -----------------------------------------------------------------------------------------------


def test_what_others_may_do_can_be_answered_where_the_desk_stops(ask: Any) -> None:
    told = ask("check", lines="march Antigonos > Ephesos > Sardeis\nend")
    assert [one["text"].split("\n")[-1] for one in told["branches"]] == [
        "standing: withdraw at Ephesos, once", "standing: stay at Ephesos, once",
        "if Antigonos at Ephesos: march Antigonos > Sardeis regardless"]
    assert [one["instead"] for one in told["branches"]] == ["", "", "march Antigonos > Ephesos > Sardeis"]


@pytest.mark.parametrize("language", languages())
def test_what_is_written_for_a_branch_does_what_it_says(tmp_path: Path, language: str) -> None:
    """Somebody comes over, he stays and wins, and the march goes on all the same; without the branch it would wait."""
    desk = small_game.found(tmp_path / "g", {**small_game.MARCH, "mp": {"antigonos": 4}, "champions": {"red": "no"}})
    told = asking(log_of(desk.game), "red", HAND)("check", lines="march Antigonos > Ephesos > Sardeis", language=language)
    stay, on = (told["branches"][place]["text"] for place in (1, -1))
    desk.order("red", f"{stay}\n{on}")
    desk.run()
    assert desk.match.question is not None and desk.match.question.kind == "interception"
    assert desk.order("blue", "intercept Lysimachos from Sardeis with 1 mercenary")[0].state == "sealed"
    desk.order("yellow", "pass", throws=[(6, "")], reason="a test")
    desk.run()
    assert "intercepted" in [event.key for _, event in desk.match.history]
    assert desk.match.g.generals["antigonos"].at == "sardeis"
