"""The board in words, from the same facts as the picture: one sentence, by Province, or every space of a region."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pbem.drawing import happened
from pbem.drawing.margin import heading
from pbem.drawing.picture import by_space
from pbem.drawing.pieces import Piece
from pbem.drawing.voice import Voice
from pbem.play.match import Match
from pbem.telling.words import Words

Row = Mapping[str, Any]


def sentence(chart: Row, words: Words) -> str:
    """What the picture is, in one line: whose move it is and where everybody stands."""
    voice = Voice(words, chart["edition"])
    ruled = chart["control"]["provinces"]
    scores = [
        voice.say("one_standing", **row, provinces=[one for one, seat in ruled.items() if seat == row["seat"]])
        for row in chart["standings"]
    ]
    return voice.say("sentence", title=chart["title"], where=heading(chart, voice), standings="; ".join(scores))


def summary(chart: Row, words: Words) -> list[str]:
    """What a reader needs who sees no picture: the sentence, who controls what, where the armies stand, what happened."""
    voice = Voice(words, chart["edition"])
    there = by_space(chart, voice)
    out = [sentence(chart, words)]
    for province, fact in chart["board"]["provinces"].items():
        spaces = [space for space, one in chart["board"]["spaces"].items() if one["province"] == province]
        lead = voice.say(
            "province_line", name=voice.province(province), vp=fact["vp"], seat=chart["control"]["provinces"].get(province, "")
        )
        out.append(
            " ".join([lead, *(f"{voice.space(space)}: {lines_of(there[space])}." for space in spaces if space in there)])
        )
    out += [f"{one.number}. {one.line}" for one in happened.happenings(chart["changes"], voice)]
    return out


def every_space(chart: Row, words: Words) -> list[str]:
    """The title and the totals, then each space with who controls it and what stands there."""
    voice = Voice(words, chart["edition"])
    there = by_space(chart, voice)
    return [sentence(chart, words), *(space_line(space, chart, voice, there) for space in chart["board"]["spaces"])]


def region(chart: Row, words: Words, spaces: Collection[str]) -> list[str]:
    """Every space with who controls it, what stands there, and where the paths lead."""
    voice = Voice(words, chart["edition"])
    there = by_space(chart, voice)
    out = []
    for space in spaces:
        ways = [
            voice.say("way", name=voice.space(end), kind=voice.say(f"path.{kind}")) for end, kind in ways_from(space, chart)
        ]
        out.append(f"{space_line(space, chart, voice, there)} {voice.say('neighbours', ways=', '.join(ways))}")
    return out


def space_line(space: str, chart: Row, voice: Voice, there: Mapping[str, Collection[Piece]]) -> str:
    fact = chart["board"]["spaces"][space]
    return voice.say(
        "space_line",
        name=voice.space(space),
        kind=voice.say(f"kind.{fact['kind']}"),
        port=fact["port"],
        seat=chart["control"]["spaces"].get(space, ""),
        there=lines_of(there.get(space, ())),
    )


def named(match: Match, text: str) -> tuple[str, str]:
    """A region, a Province or a space by its name."""
    for region, fact in match.g.facts.regions.items():
        if text.casefold() in (region, fact["name"].casefold()):
            return "region", region
    return match.names.resolve_any(("province", "space"), text)


def lines_of(group: Collection[Piece]) -> str:
    return ", ".join(piece.line for piece in group)


def ways_from(space: str, chart: Row) -> Iterator[tuple[str, str]]:
    for a, b, kind in chart["board"]["paths"]:
        if space in (a, b):
            yield (b if a == space else a), kind


def around(chart: Row, kind: str, name: str) -> list[str]:
    """A place with its neighbours: what a focus shows."""
    own = within(chart, kind, name)
    near = [end for space in own for end, way in ways_from(space, chart) if way != "trans"]
    return list(dict.fromkeys([*own, *near]))


def within(chart: Row, kind: str, name: str) -> list[str]:
    """The spaces of a region or of a Province, or the one space."""
    if kind == "space":
        return [name]
    if kind == "region":
        provinces = chart["board"]["provinces"]
        return [space for space, fact in chart["board"]["spaces"].items() if provinces[fact["province"]]["region"] == name]
    return [space for space, fact in chart["board"]["spaces"].items() if fact["province"] == name]
