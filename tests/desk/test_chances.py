"""Chances asked for by hand."""

import pytest
from small_game import again, found

from pbem.base.errors import PbemError, Refused, Unreadable
from pbem.desk import chances


@pytest.mark.parametrize("words, said", [
    ("battle Antigonos Lysimachos", "Red attacks Blue at Sardeis: Red wins "),
    ("battle antigonos against lysimachos at Ephesos", "Red attacks Blue at Ephesos: Red wins "),
    ("intercept Lysimachos into Ephesos", "Lysimachos intercepts into Ephesos with 4+: 50%."),
    ("evade Lysimachos from red", "Lysimachos gets away from Sardeis with 3+: 67%."),
    ("siege Antigonos Sardeis", "Siege of Sardeis: it falls at once "),
])
def test_the_command_says_it_in_one_sentence(tmp_path, words, said):
    desk = found(tmp_path / "g")
    assert chances.said(desk, chances.rows(desk, words.split())).startswith(said)
    public = again(tmp_path / "g", published=True)
    assert chances.said(public, chances.rows(public, [words])).startswith(said)


@pytest.mark.parametrize("words, error", [
    ("", Unreadable), ("battle", Unreadable), ("storm Pella", Unreadable), ("battle red blue Pella", Refused),
    ("evade red", Unreadable), ("siege", Unreadable), ("intercept Lysimachos", Unreadable), ("battle Pela red", PbemError),
    ("siege red Halikarnassos", Refused), ("siege Sardeis", Unreadable),
])
def test_what_it_cannot_read_it_says_kindly(tmp_path, words, error):
    with pytest.raises(error):
        chances.rows(found(tmp_path / "g"), words.split())


def test_whoever_is_not_on_the_map_comes_to_no_battle(tmp_path):
    with pytest.raises(Refused, match="general not on map"):
        chances.rows(found(tmp_path / "g"), ["battle", "Ptolemaios", "Lysimachos", "Sardeis"])
