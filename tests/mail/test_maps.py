"""The map in mails: a picture of what everybody knows, with words beside it; as each seat wishes; painted once a run."""

import sys
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from table import PEOPLE, Table, Unconnected, body, changed

from pbem.desk import showing
from pbem.desk.tray import SeatSettings
from pbem.drawing import drawn, raster
from pbem.mail import body as body_of
from pbem.mail import letters, maps


@pytest.fixture
def pictured(table: Table) -> Table:
    table.config.pictures = True
    with changed(table.game) as tray:
        tray.settings = {seat: SeatSettings("immediate") for seat in PEOPLE}
    drawn.painted.cache_clear()
    return table.started()


def pictures(mail: EmailMessage) -> dict[str, bytes]:
    return {str(part["Content-ID"]): part.get_payload(decode=True)
            for part in mail.walk() if part.get_content_maintype() == "image"}


def html(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def test_a_report_shows_the_map_with_the_numbers_of_its_story(pictured: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    painted = []
    real = raster.png
    monkeypatch.setattr(raster, "png", lambda svg, width: painted.append(svg) or real(svg, width))
    pictured.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    pictured.run()
    for seat in ("blue", "yellow", "black"):
        mail = pictured.last(seat)
        ((name, picture),) = pictures(mail).items()
        assert Image.open(BytesIO(picture)).size[0] == 1600 and len(picture) <= 250_000
        assert html(mail).count("<img ") == 1 and f'src="cid:{name[1:-1]}"' in html(mail)
        assert 'alt="Map of ' in html(mail) and "Red: L 3, VP 0" in html(mail)
        assert f"({name[1:-1].partition('@')[0]}.png)" in body(mail) and "(1) Antigonos marched" in body(mail)
    assert len(painted) == len(set(painted)) <= 2
    assert not list((pictured.game / "out/pictures").glob("*"))


def test_a_seat_says_what_its_reports_show(pictured: Table) -> None:
    pictured.reply("black", "map off")
    pictured.reply("yellow", "map focus")
    pictured.run()
    assert "no map from now on" in body(pictured.last("black")) and "where most has happened" in body(pictured.last("yellow"))
    pictured.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    pictured.run()
    assert not pictures(pictured.last("black")) and "cid:" not in html(pictured.last("black"))
    (focused,), (whole,) = pictures(pictured.last("yellow")), pictures(pictured.last("blue"))
    assert "asia" in focused and "asia" not in whole
    pictured.reply("black", "map on")
    pictured.run()
    assert pictured.desk().tray.settings["black"].map == "on"


def test_the_map_is_sent_on_request_with_its_words(pictured: Table) -> None:
    pictured.reply("blue", "map Lydia")
    pictured.run()
    mail = pictured.last("blue")
    (name,) = pictures(mail)
    assert "lydia" in name and "Sardeis (" in body(mail) and "Sardeis (" in html(mail)
    pictured.reply("blue", "map Atlantis")
    pictured.run()
    assert not pictures(pictured.last("blue")) and "Atlantis" in body(pictured.last("blue"))


def test_where_nothing_paints_there_are_words(pictured: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    pictured.reply("red", "roll")
    pictured.reply("blue", "map")
    pictured.run()
    mail = pictured.last("blue")
    assert not pictures(mail) and "cid:" not in html(mail) and 'write "map"' in body(mail) and "Lydia (" in body(mail)


def test_what_is_drawn_does_not_depend_on_who_reads(pictured: Table) -> None:
    pictured.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    pictured.run()
    same = [pictures(pictured.last(seat)) for seat in ("yellow", "black")]
    assert len({tuple(one.items()) for one in same}) == 1 and same[0]


def test_the_end_of_a_game_shows_how_it_went(pictured: Table) -> None:
    desk = pictured.desk()
    desk.match.g.over = {"winner": "red", "by": "points"}
    (report,) = letters.report(desk, pictured.config, "blue", 1)
    board, plot = report.pictures
    assert board.startswith("map-") and plot.startswith("plot-en-") and set(desk.pictures) == {board, plot}
    assert report.html.count("<img ") == 2 and f"{plot}.png" in report.text


def test_the_end_of_a_game_lays_the_plot_beside_the_map_for_a_forum(pictured: Table, tmp_path: Path) -> None:
    desk = pictured.desk()
    entry = len(desk.game.entries)
    maps.laid_down(desk, showing.words(desk), 1, tmp_path)
    assert [path.name for path in maps.of_entry(tmp_path, entry)] == [f"map-{entry}-en.png"]
    desk.match.g.over = {"winner": "red", "by": "points"}
    maps.laid_down(desk, showing.words(desk), 1, tmp_path)
    assert [path.name for path in maps.of_entry(tmp_path, entry)] == [f"map-{entry}-en.png", f"plot-{entry}-en.png"]
    line = maps.in_words(showing.words(desk), tmp_path / f"plot-{entry}-en.png")
    assert "VP" in line and f"[img]https://.../plot-{entry}-en.png[/img]" in line


# --- what a seat's reports show, and where most has happened ----------------------------------------------------------------


@pytest.mark.parametrize(("pictures", "wish", "shown"), [
    (True, "", "on"), (True, "focus", "focus"), (True, "off", "off"), (False, "", "off"), (False, "focus", "off")])
def test_whoever_says_nothing_has_a_map_where_the_mailbox_paints(
        quiet: Unconnected, pictures: bool, wish: str, shown: str) -> None:
    quiet.config.pictures = pictures
    desk = quiet.desk()
    desk.tray.settings = {"red": SeatSettings("immediate", wish)} if wish else {}
    assert maps.wanted(desk, quiet.config, "red") == shown
    if shown == "off":
        assert maps.in_report(desk, quiet.config, showing.words(desk), "red", 1) == body_of.NOTHING


def test_most_has_happened_where_most_spaces_were_touched_since(quiet: Unconnected) -> None:
    quiet.started()
    assert maps.where(quiet.desk(), 1) is None
    quiet.reply("red", "roll\nmarch Antigonos > Ephesos")
    quiet.run()
    desk = quiet.desk()
    assert maps.where(desk, 1) == ("region", "asia") and maps.where(desk, len(desk.game.entries) + 1) is None


def test_only_the_pictures_of_an_entry_are_its_pictures(tmp_path: Path) -> None:
    for name in ("map-3-en.png", "plot-3-en.png", "map-33-en.png", "notes-3-en.png", "map-0-en.png"):
        (tmp_path / name).write_bytes(b"x")
    assert [path.name for path in maps.of_entry(tmp_path, 3)] == ["map-3-en.png", "plot-3-en.png"]
    assert maps.of_entry(tmp_path, 0) == []
    told = [maps.in_words(showing.plain_words(), path) for path in maps.of_entry(tmp_path, 3)]
    assert ["VP" in line for line in told] == [False, True]


def test_where_nothing_paints_a_forum_gets_the_drawing_itself(
        quiet: Unconnected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    drawn.painted.cache_clear()
    desk = quiet.started().desk()
    maps.laid_down(desk, showing.words(desk), 1, tmp_path)
    (path,) = tmp_path.glob("map-*")
    assert path.suffix == ".svg" and path.read_bytes().startswith(b"<svg")


def test_where_nothing_paints_the_end_of_a_game_is_told_in_words(quiet: Unconnected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    drawn.painted.cache_clear()
    quiet.config.pictures = True
    desk = quiet.started().desk()
    desk.match.g.over = {"winner": "red", "by": "points"}
    report = maps.in_report(desk, quiet.config, showing.words(desk), "red", 1)
    assert not report.pictures and 'write "map"' in report.text


@pytest.mark.parametrize(("head", "name"), [({}, "small"), ({"title": "The Long War"}, "The Long War")])
def test_a_map_bears_the_title_of_its_game(quiet: Unconnected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                           head: dict[str, str], name: str) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    drawn.painted.cache_clear()
    desk = quiet.started().desk()
    desk.game.header.update(head)
    desk.match.g.over = {"winner": "red", "by": "points"}
    maps.laid_down(desk, showing.words(desk), 1, tmp_path)
    assert [name in path.read_text() for path in sorted(tmp_path.glob("*.svg"))] == [True, True]


@pytest.mark.parametrize(("head", "name"), [({}, "small"), ({"title": "The Long War"}, "The Long War")])
def test_the_pictures_of_a_mail_bear_the_title_of_its_game(
        quiet: Unconnected, monkeypatch: pytest.MonkeyPatch, head: dict[str, str], name: str) -> None:
    painted = list[str]()
    monkeypatch.setattr(raster, "png", lambda svg, width: painted.append(svg) or b"a picture")
    drawn.painted.cache_clear()
    quiet.config.pictures = True
    desk = quiet.started().desk()
    desk.game.header.update(head)
    desk.match.g.over = {"winner": "red", "by": "points"}
    painted.clear()
    maps.in_report(desk, quiet.config, showing.words(desk), "red", 1)
    drawn.painted.cache_clear()
    assert [name in svg for svg in painted] == [True, True]
