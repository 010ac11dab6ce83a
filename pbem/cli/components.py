"""Commands for the components: what each datum is and where it comes from; and how a box makes the data true."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.base.errors import PbemError
from pbem.cli.base import Datum, Edition, Group, Language, json_option, kindly, say
from pbem.cli.files import Given, Made

if TYPE_CHECKING:
    from pbem.components.box import Box
    from pbem.telling.words import Words

MOST_FAULTS = 20                        # told at once: whoever has more has a file of another kind
box_argument = Given("box")
out_option = click.option("-o", "--out", type=Made("form", "page"), default=None,
                          help="Write it to this file, which must not be there yet.")


@click.group(cls=Group)
def components() -> None:
    """Board, cards, generals and tables: where each datum comes from, and how to make it true with the box at hand."""


@components.command()
@out_option
@click.option("--box", "filled", type=box_argument, default=None, help="Prefilled with what this file has confirmed.")
@click.option("--edition", type=Edition, default=None, help="Of another edition's box; it stands in the form, too.")
@click.option("--language", type=Language(), default="", metavar="CODE", help="Of the few lines that explain it.")
@json_option
@kindly
def form(out: Path | None, filled: Path | None, edition: str | None, language: str, as_json: bool) -> None:
    """A form to fill in with the box at hand, once, for all games: tables, Generals, Provinces, map, cards.

    Example:  pbem components form -o box.yaml
    """
    from pbem.components import box as boxes
    from pbem.components import form as forms
    from pbem.components.shipped import shipped
    from pbem.desk.showing import plain_words

    said = plain_words(language or None)
    known = sound(boxes.load(filled)) if filled else None
    wanted = boxes.box_named(edition) if edition else known.edition if known else ""
    if known:
        boxes.judge_edition(known, wanted)
    by, on, confirmed, printed = (known.by, known.on, known.confirmed, known.printed) if known else ("", "", [], {})
    tree = known.tree if known else shipped(wanted)
    text = forms.written(tree, shipped(wanted), intro(said), boxes.is_confirmed(confirmed), by, on, printed, wanted)
    put(text, out, as_json)


@components.command("print")
@out_option
@click.option("--box", "filled", type=box_argument, default=None, help="The board as this file has it.")
@json_option
@kindly
def print_board(out: Path | None, filled: Path | None, as_json: bool) -> None:
    """The map to lay beside the board: a page for each Province, each space with its number in the form.

    Example:  pbem components print -o board.html
    """
    from pbem.components import box as boxes
    from pbem.drawing.sheets import sheets

    known = sound(boxes.load(filled)) if filled else None
    put(sheets(known.header() if known else {}, str(filled or "pbem")), out, as_json)


@components.command()
@click.argument("box", type=box_argument)
@json_option
@kindly
def check(box: Path, as_json: bool) -> None:
    """All that is wrong in a filled form, with its line; how much is confirmed, and what is open, most decisive first.

    Example:  pbem components check box.yaml
    """
    from pbem.components import box as boxes
    from pbem.desk.showing import plain_words, sentence

    found, said = boxes.load(box), plain_words()
    lines = [sentence(one, said) for one in (*found.faults, *found.remarks)]
    say(as_json, lambda: {"percent": found.percent, "open": [gap._asdict() for gap in found.gaps], "hash": found.hash,
                          "corrections": found.corrections, "faults": lines[:len(found.faults)],
                          "remarks": lines[len(found.faults):]},
        lambda: "\n".join([*lines[:MOST_FAULTS], *(["..."] if len(lines) > MOST_FAULTS else []), *how_far(found, said, box)]))
    if found.faults:
        sys.exit(1)


@components.command()
@click.argument("one", type=box_argument)
@click.argument("other", type=box_argument)
@json_option
@kindly
def diff(one: Path, other: Path, as_json: bool) -> None:
    """Where two people's forms say different things, and who has confirmed it.

    Example:  pbem components diff annas.yaml brunos.yaml
    """
    from pbem.components import box as boxes
    from pbem.desk.showing import plain_words

    found = boxes.compared(sound(boxes.load(one)), sound(boxes.load(other)))
    said = plain_words()
    say(as_json, lambda: {"differences": [line._asdict() for line in found]}, lambda: differences(found, said))


@components.command()
@click.argument("one", type=box_argument)
@click.argument("other", type=box_argument)
@out_option
@json_option
@kindly
def merge(one: Path, other: Path, out: Path | None, as_json: bool) -> None:
    """Two people's forms in one: what either has confirmed. Where both have and differ, the first counts and it is told.

    Example:  pbem components merge annas.yaml brunos.yaml -o box.yaml
    """
    from pbem.components import box as boxes
    from pbem.components import form as forms
    from pbem.components.shipped import shipped
    from pbem.desk.showing import plain_words

    first, second = sound(boxes.load(one)), sound(boxes.load(other))
    tree, confirmed, disputes = boxes.merged(first, second)
    said = plain_words()
    people = [name for name in (first.by, second.by) if name]
    put(forms.written(tree, shipped(first.edition), intro(said), boxes.is_confirmed(confirmed),
                      ", ".join(dict.fromkeys(people)), max(first.on, second.on), {**second.printed, **first.printed},
                      first.edition), out, as_json)
    if disputes:
        click.echo(differences(disputes, said), err=True)


@components.command()
@click.argument("datum", type=Datum())
@click.option("--box", "filled", type=box_argument, default=None, help="As this file has it.")
@click.option("--edition", type=Edition, default=None, help="As the box of this edition has it.")
@json_option
@kindly
def show(datum: str, filled: Path | None, edition: str | None, as_json: bool) -> None:
    """A datum, a structure or a path, and its source.

    Example:  pbem components show generals.kassandros.battle
    """
    from pbem.components import box as boxes
    from pbem.components.corrections import shown, value_of
    from pbem.components.shipped import shipped

    known = sound(boxes.load(filled)) if filled else None
    wanted = boxes.box_named(edition) if edition else known.edition if known else ""
    if known:
        boxes.judge_edition(known, wanted)
    value = value_of(known.tree if known else shipped(wanted), datum)
    source = f"box {known.by} {known.on}".rstrip() if known and boxes.is_confirmed(known.confirmed)(datum) else \
        source_of(datum, wanted)
    say(as_json, lambda: {"datum": datum, "value": value, "source": source},
        lambda: f"{datum}: {shown(value)}   source: {source}")


def source_of(datum: str, edition: str) -> str:
    """Where it comes from; of what we do not have, nowhere."""
    from pbem.components.origins import provenance

    try:
        return provenance(datum, edition)
    except (KeyError, StopIteration):
        return "none"


def sound(found: "Box") -> "Box":
    """A file with faults is of no use for anything but `check`."""
    if found.faults:
        raise found.faults[0]
    return found


def intro(said: "Words") -> str:
    return "\n".join((said.phrase("form_intro"), said.phrase("form_marks"), said.phrase("form_new"), said.phrase("form_check")))


def how_far(found: "Box", said: "Words", file: Path) -> list[str]:
    """How far somebody has come."""
    gaps = [said.phrase("box_gap", section=gap.section, lines=gap.lines,
                        province=found.tree["provinces"][gap.province]["name"] if gap.province else "") for gap in found.gaps]
    lines = [said.phrase("box_state", percent=found.percent, lines=found.lines, open=gaps),
             said.phrase("box_corrects", count=len(found.corrections))]
    return [*lines, said.phrase("box_faults", count=len(found.faults)) if found.faults
            else said.phrase("box_sound", file=str(file), hash=found.hash)]


def differences(found: Any, said: "Words") -> str:
    from pbem.components.corrections import shown

    lines = [said.phrase("box_differs", datum=one.datum, one=shown(one.one), other=shown(one.other), first=one.certain[0],
                         second=one.certain[1]) for one in found]
    return "\n".join(lines) if lines else str(said.phrase("box_alike"))


def put(text: str, out: Path | None, as_json: bool) -> None:
    """Printed, or written to a file that is not there yet: an evening's work is never written over."""
    if out is None:
        say(as_json, lambda: {"form": text}, lambda: text.removesuffix("\n"))
    elif out.exists():
        raise PbemError("file_there", file=str(out))
    else:
        out.write_text(text, encoding="utf-8")


COMMANDS = (components,)
