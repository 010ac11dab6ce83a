"""Commands with which a game begins: header and promises, the players' words, the first entry."""

from pathlib import Path
from typing import Any

import click

from pbem.cli.base import (
    Edition,
    GameCommand,
    Group,
    Moment,
    desk,
    dry_option,
    game_argument,
    json_option,
    kindly,
    locked,
    pairs,
    say,
    say_outcomes,
    seat_argument,
    seat_of,
)
from pbem.cli.files import Given, Made
from pbem.editions import USUAL

position_option = click.option(
    "--position", "adopted", type=Given("position"), default=None,
    help="Go on from this position (YAML, see docs/position.md) instead of the set-up.")


@click.command(cls=GameCommand)
@click.argument("folder", type=Made(folder=True))
@click.option("--seat", "seats", multiple=True, required=True, metavar="COLOUR=NAME", help="In seating order.")
@click.option("--language", multiple=True, metavar="COLOUR=CODE",
              help="In which language a seat is written to; public=CODE for the thread and for whoever wishes none.")
@click.option("--channel", multiple=True, metavar="COLOUR=CHANNEL", help="mail, or paste: posts of a forum.")
@click.option("--zone", multiple=True, metavar="COLOUR=ZONE", help="Time zone of the dates in its mails, e.g. Europe/Berlin.")
@click.option("--game", "ident", default=None, help="The game's id (default: the folder's name).")
@click.option("--edition", type=Edition, default=USUAL, show_default=True)
@click.option("--option", "chosen", multiple=True, help="An optional rule or card, by number or slug.")
@click.option("--seating", type=click.Choice(["chosen", "fixed"]), default=None,
              help="Seats: chosen when the Generals are dealt (4.4), or fixed as given here.")
@click.option("--windows", type=click.Choice(["asked", "reserved", "held"]), default=None,
              help="Card windows: everybody is asked; or cards are filed in advance, and only whoever has reserved the moment "
                   "makes it wait; or nobody does. Default: reserved; asked with --by-hand.")
@click.option("--polls", type=click.Choice(["sealed", "strict"]), default="sealed", show_default=True,
              help="Reactions: all at once, or one player after the other.")
@click.option("--deadline", "deadlines", multiple=True, metavar="KIND=HOURS",
              help="Hours to answer a kind of question (docs/defaults.md lists them); default for the others. Also "
                   "quiet=22-7, days=mo-fr, earliest, grace, remind (hours), regret (minutes). Where no default is said: "
                   "48, 72 for turns and reinforcements, earliest=24.")
@click.option("--silence", multiple=True, metavar="KIND=RULE",
              help="What silence means: default, quiet (for KIND turn), hold, moderator.")
@click.option("--words-until", type=Moment(), default=None, help="Until when players may add their word to the dice.")
@click.option("--beacon", default="", metavar="drand:CHAIN:ROUND",
              help="Mix a public beacon in, too: a round of quicknet or default, or the moment of one (docs/chance.md, 9). "
                   "It comes after the words; the game waits for each of its values, see `pbem seed beacon`.")
@click.option("--box", type=Given("box", "none", ""), default="", metavar="FILE",
              help="A filled form of `pbem components form`; none for none. Default: ~/.config/pbem/box.yaml, if it is there.")
@click.option("--by-hand", is_flag=True, help="No secrets: dice and cards come from a table elsewhere.")
@position_option
@json_option
@dry_option
@kindly
def new(folder: Path, seats: tuple[str, ...], language: tuple[str, ...], channel: tuple[str, ...], zone: tuple[str, ...],
        ident: str | None, edition: str, chosen: tuple[str, ...], seating: str | None, windows: str | None, polls: str,
        deadlines: tuple[str, ...], silence: tuple[str, ...], words_until: str | None, beacon: str, box: Any, by_hand: bool,
        adopted: Path | None, as_json: bool, dry_run: bool) -> None:
    """A new game in FOLDER: header, secrets, and what to post. `pbem begin` then opens it.

    Example:  pbem new games/anabasis --seat red=Anna --seat blue=Bruno --words-until 2026-12-01
    """
    from pbem.desk import beginning

    times = {kind: int(value) if value.isdecimal() and len(value) < 7 else value
             for kind, value in pairs(deadlines, "--deadline").items()}
    rules: dict[str, Any] = {
        "edition": edition, "options": list(chosen), "seating": seating or beginning.usual_seating(edition),
        "windows": windows or ("asked" if by_hand else beginning.WINDOWS), "polls": polls,
        "silence": pairs(silence, "--silence"), "deadlines": times if "default" in times else {**beginning.DEADLINES, **times}}
    people = {colour.casefold(): {"name": name} for colour, name in pairs(seats, "--seat").items()}
    for key, given in (("language", language), ("channel", channel), ("zone", zone)):
        for colour, value in pairs(given, f"--{key}").items():
            people.setdefault(colour.casefold(), {})[key] = value
    public = people.pop("public") if people.get("public", {}).keys() == {"language"} else {}
    header: dict[str, Any] = {
        "ident": ident or folder.resolve().name, "seats": people, "rules": rules, "by_hand": by_hand, "box": str(box),
        "words_until": words_until or "", "beacon": beacon, "language": public.get("language", "")}
    if adopted is None or words_until or beacon or dry_run:     # without words it goes on at once
        founded = beginning.found(folder, adopted=adopted, write=not dry_run, **header)
        say(as_json, founded._asdict, lambda: founded)
        return
    founded, table = beginning.found_and_begun(folder, adopted, **header)
    if not as_json:                                             # one answer for a program: that of the beginning
        click.echo(founded)
    say_outcomes(table, [], as_json)


@click.command(cls=GameCommand)
@game_argument
@position_option
@click.option("--silent", is_flag=True, help="Begin although words are missing: those seats add nothing to the dice.")
@json_option
@dry_option
@kindly
def begin(game: Path, adopted: Path | None, silent: bool, as_json: bool, dry_run: bool) -> None:
    """Open the game: set-up and first deal, or an adopted position. Words are closed from here on.

    Of whom no mail has come yet, though he has an address, is said; with --dry-run before anything is done.
    Example:  pbem begin games/anabasis
    """
    from pbem.desk import beginning
    from pbem.desk.showing import words

    with locked(game, to_play=True):
        begun = beginning.begin(game, adopted, silent=silent, write=not dry_run)
        if dry_run and not as_json:
            click.echo(words(begun).phrase("rehearsed"))
        say_outcomes(begun, [], as_json)
        if unheard := begun.tray.unheard():
            click.echo(words(begun).phrase("unheard", seats=unheard), err=True)


@click.group(cls=Group)
def seed() -> None:
    """The start ceremony: secrets, commitments, the players' words."""


@seed.command(name="new")
@game_argument
@click.option("--links", type=click.IntRange(1, 10_000), default=100, show_default=True,
              help="How many Game Turns the dice will last, undos included.")
@json_option
@kindly
def seed_new(game: Path, links: int, as_json: bool) -> None:
    """Draw the secrets of a game and print what to post before anybody gives a word.

    Example:  pbem seed new games/anabasis
    """
    from pbem.desk.seeding import new as draw
    from pbem.desk.showing import plain_words, promise
    from pbem.log.gamelog import read_game

    with locked(game):
        post = draw(game, links)
    say(as_json, post._asdict, lambda: promise(post, plain_words(read_game(game).header.get("language"))))


@seed.command(name="post")
@game_argument
@json_option
@kindly
def seed_post(game: Path, as_json: bool) -> None:
    """What to post before the game begins, once more: the invitation and the promise.

    Example:  pbem seed post games/anabasis
    """
    from pbem.desk.beginning import posts

    found = posts(game)
    say(as_json, found._asdict, lambda: found)


@seed.command()
@game_argument
@seat_argument
@click.argument("text")
@click.option("--instead", is_flag=True, help="In place of the word that was entered for this seat before.")
@json_option
@dry_option
@kindly
def word(game: Path, seat: str, text: str, instead: bool, as_json: bool, dry_run: bool) -> None:
    """Enter a player's word; SEAT is a colour, or who sits there.

    Example:  pbem seed word games/anabasis red "first snow in Pella"
    """
    from pbem.desk.seeding import enter_word
    from pbem.desk.showing import ceremony, words

    with locked(game):
        found = enter_word(game, seat_of(desk(game), seat), text, instead=instead, dry_run=dry_run)
    say(as_json, found._asdict, lambda: "\n".join(ceremony(found, words(desk(game)))))


@seed.command(name="beacon")
@game_argument
@click.argument("number", metavar="[ROUND]", type=click.IntRange(1), required=False)
@click.argument("value", metavar="[VALUE]", required=False)
@click.option("--fetch", is_flag=True, help="Read the round that is awaited from the net, at the address that the game names.")
@click.option("--from", "host", default="", metavar="URL", help="With --fetch: another host that answers as api.drand.sh does.")
@json_option
@dry_option
@kindly
def seed_beacon(game: Path, number: int | None, value: str | None, fetch: bool, host: str, as_json: bool,
                dry_run: bool) -> None:
    """Enter the value of a round of the announced beacon, once it is public: its randomness, 64 hex digits.

    Example:  pbem seed beacon games/anabasis 9876543 5d2b...
    """
    from pbem.desk.showing import words

    if fetch == (value is not None) or host and not fetch or fetch and number is not None:
        raise click.UsageError("Give ROUND and VALUE, or --fetch.")
    with locked(game):
        table = desk(game)
        if fetch:
            from pbem.chance.beacon import HOST
            from pbem.desk import drand

            awaited = table.awaits_public()
            number, value = awaited.number, drand.fetched(awaited, host or HOST)
        assert number is not None and value is not None
        entries = table.hear(number, value, write=not dry_run)
        said = words(table).phrase("beacon_heard" if entries else "rehearsed", round=number)
    say(as_json, lambda: {"round": number, "entries": entries}, lambda: said)


@seed.command(name="status")
@game_argument
@json_option
@kindly
def seed_status(game: Path, as_json: bool) -> None:
    """Which words are in, which are missing.

    Example:  pbem seed status games/anabasis
    """
    from pbem.desk.seeding import status as words_in
    from pbem.desk.showing import ceremony, words

    found = words_in(game)
    say(as_json, found._asdict, lambda: "\n".join(ceremony(found, words(desk(game)))))


COMMANDS = (new, begin, seed)
