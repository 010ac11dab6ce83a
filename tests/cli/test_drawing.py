"""`pbem map`, `plot` and `position`, typed."""

import json
from pathlib import Path

import pytest
import small_game
from at_the_shell import said as pbem

from pbem.page.written import names


@pytest.fixture
def game(tmp_path: Path) -> Path:
    desk = small_game.found(tmp_path / "g", cards=True)
    for line in ("roll", "march Antigonos > Ephesos"):
        desk.order("red", line)
        desk.run()
    return tmp_path / "g"


def test_a_map_goes_to_the_terminal_or_into_a_file(game: Path, tmp_path: Path) -> None:
    svg = pbem("map", game)
    assert svg.startswith("<svg") and "Antigonos" in svg
    assert pbem("map", game, "-o", tmp_path / "m.svg") == "" and (tmp_path / "m.svg").read_text() == svg
    pbem("map", game, "-o", tmp_path / "m.png", "--width", 500)
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    assert "ends neither in svg nor in png" in pbem("map", game, "-o", tmp_path / "m.jpg", code=2)
    pbem("map", game, "-o", tmp_path / "n.svg", "--dry-run")
    assert not (tmp_path / "n.svg").exists()


def test_what_happened_is_drawn_from_an_entry_on(game: Path) -> None:
    assert "data-change" in pbem("map", game, "--since", "last") and "data-change" in pbem("map", game, "--since", 1)
    assert "data-change" not in pbem("map", game) and "data-change" not in pbem("map", game, "--since", 1, "--plain")
    assert pbem("map", game, "--at", 1) != pbem("map", game)
    assert "yesterday" in pbem("map", game, "--since", "yesterday", code=2)


def test_a_reader_has_his_language(game: Path) -> None:
    assert "Пелла" in pbem("map", game, "--language", "ru") and ">Pella<" in pbem("map", game, "--to", "Bruno")
    assert "public" in pbem("map", game, "--to", "Nobody", code=2)


def test_a_region_in_words(game: Path) -> None:
    said = pbem("map", game, "--text", "Lydia")
    assert "Sardeis (Major City): Blue" in said and "Lysimachos" in said and "Ephesos (land 1 MP)" in said
    assert pbem("map", game, "--text", "Sardeis").count("\n") == 1
    assert pbem("map", game, "--text", "all").count("\n") == 141
    assert len(json.loads(pbem("map", game, "--text", "Lydia", "--json"))["lines"]) > 1
    assert "Atlantis" in pbem("map", game, "--text", "Atlantis", code=2)


def test_programs_are_told_what_goes_with_a_picture(game: Path) -> None:
    told = json.loads(pbem("map", game, "--focus", "Lydia", "--json"))
    assert told["name"].startswith("map-") and "lydia" in told["name"]
    assert told["bbcode"] == f"[img]{told['name']}.png[/img]" and told["sentence"] in told["alternative"]


def test_the_plot_is_a_picture_and_numbers(game: Path, tmp_path: Path) -> None:
    assert pbem("plot", game).startswith("<svg")
    pbem("plot", game, "-o", tmp_path / "p.png")
    assert (tmp_path / "p.png").exists()
    assert json.loads(pbem("plot", game, "--json"))["turns"][-1]["seats"].keys() == small_game.SEATS.keys()


def test_a_published_game_has_its_report_map_and_plot(game: Path, tmp_path: Path) -> None:
    target = tmp_path / "public"
    assert "map.svg" in pbem("publish", game, target, "--dry-run") and not target.exists()
    assert "map.svg" in pbem("publish", game, target)
    assert {path.name for path in target.iterdir()} == {
        "game.yaml", "head.txt", "map.svg", "plot.svg", "report.md", *names()}
    assert (target / "map.svg").read_text() == pbem("map", target, "--since", "last")
    report = (target / "report.md").read_text()
    assert "(1) Antigonos marched" in report and report.replace("(1) ", "").startswith(pbem("report", target).rstrip("\n"))
    assert "](map.svg)" in report and "](plot.svg)" in report
    pbem("publish", game, target)
