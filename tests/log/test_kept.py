"""Logs that were written long ago open for ever, and end where they ended."""

import gzip
import re
from pathlib import Path

import pytest

from pbem.base import yamlfile
from pbem.editions import EDITIONS, USUAL
from pbem.log import gamelog
from pbem.play.match import Match
from pbem.table import position

KEPT = Path(__file__).with_name("kept")
ENDS = yamlfile.load(KEPT / "ends.yaml")


def test_every_kept_log_has_its_end() -> None:
    assert sorted(path.name.removesuffix(".yaml.gz") for path in KEPT.glob("*.gz")) == sorted(ENDS)


def test_a_log_of_every_version_is_kept() -> None:
    versions = re.findall(r"(?m)^## (\d.*)$", (KEPT.parents[2] / "CHANGELOG.md").read_text("utf-8"))
    kinds = ["", "-options", *(f"-{name}" for name in EDITIONS if name != USUAL)]
    assert versions and {f"release-{version}{kind}" for version in versions for kind in kinds} <= ENDS.keys()


@pytest.mark.parametrize("name", sorted(ENDS))
def test_a_kept_log_ends_as_it_did(name: str, tmp_path: Path) -> None:
    file = tmp_path / gamelog.GAME
    file.write_bytes(gzip.decompress((KEPT / f"{name}.yaml.gz").read_bytes()))
    game = gamelog.read_game(file)
    assert ("format" in game.header) == name.startswith("release-")         # the others are of the first one
    match = Match(game.header)
    match.check_positions = True
    match.fold(game.entries, gamelog.survivors(game.entries))
    assert {"position": position.fingerprint(match.g), "head": game.heads()[-1]} == ENDS[name]
