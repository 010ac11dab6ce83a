"""A report begins where a turn, a phase or a Game Turn does, never with what ended the one before."""

import gzip
from pathlib import Path

import pytest

from pbem.desk import reporting, showing
from pbem.desk.desk import Desk
from pbem.log import gamelog

KEPT = Path(__file__).parents[1] / "log/kept"


@pytest.mark.parametrize("name", ["five", "two"])
def test_no_sentence_from_before_its_turn(name: str, tmp_path: Path) -> None:
    (tmp_path / gamelog.GAME).write_bytes(gzip.decompress((KEPT / f"{name}.yaml.gz").read_bytes()))
    desk = Desk(tmp_path, published=True)
    before, told = reporting.heard(desk, showing.PUBLIC, None)
    assert told[0][1].key in reporting.BEGINNINGS
    assert any(number == told[0][0] for number, _ in before)            # in the same entry somebody's turn had ended
    assert [event for _, event in told] == reporting.events_for(desk, showing.PUBLIC, None)
