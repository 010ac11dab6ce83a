"""A game begins: the folder with its header and promises; then, when the words are in, the first entry."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pbem import __version__, editions
from pbem.base import clock
from pbem.base.errors import BadLog, NotNow, Refused
from pbem.base.folder import Lock
from pbem.base.language import Safe, fill
from pbem.base.paths import languages
from pbem.chance import beacon as beacons
from pbem.chance import scheme
from pbem.chance.draws import Keys, Live, Throw
from pbem.components.shipped import STATE, box_of
from pbem.desk import adopting, boxes, seeding, showing
from pbem.desk import tray as trays
from pbem.desk.desk import Desk, Trial
from pbem.editions import options
from pbem.log import gamelog
from pbem.log.header import FORMAT
from pbem.play.match import Match, in_force
from pbem.telling import views
from pbem.telling.words import Words

COLOURS = ("red", "blue", "yellow", "black", "green")
SILENCE = ("default", "quiet", "hold", "moderator")
CHANNELS = ("mail", "paste")
SET_UP = {"phase": "setup", "turn": 1}                          # 4: the main scenario
# What a new game has where nothing else is said (docs/pace.md): nothing waits for cards but where somebody wishes to be
# asked, and who moves or places has longer than who reacts.
WINDOWS = "reserved"
DEADLINES: Mapping[str, int] = {"default": 48, "surrender": 72, "tyche": 72, "activation": 72, "reinforcement_choice": 72,
                                "earliest": 24}


class Founded(NamedTuple):
    """What to post before the first word is added, one text after the other."""

    header: dict[str, Any]
    invitation: str
    post: str                   # empty where nothing is promised: dice and cards by hand

    def __str__(self) -> str:
        return "\n".join(part for part in (self.invitation, self.post) if part)


def found(folder: Path, ident: str, seats: Mapping[str, Mapping[str, str]], rules: Mapping[str, Any], *, by_hand: bool,
          words_until: str, write: bool, adopted: Path | None = None, language: str = "", box: str = boxes.NONE,
          beacon: str = "") -> Founded:
    """Make the folder of a game and say what to post; nothing is made for a position that could not be `adopted`."""
    if (folder / gamelog.GAME).exists():
        raise BadLog("game_exists", file=str(folder / gamelog.GAME))
    header = header_of(ident, seats, rules, language)
    if beacon:
        seeding.judge_beacon(beacons.wished(beacon), words_until)       # refused before anything is made
    printed: dict[str, trays.Printed] = {}
    if (filled := boxes.chosen(box, box_of(header["rules"]["edition"], STATE))) is not None:
        printed = boxes.sealed(filled)
        header["box"] = filled.header() | boxes.bound(printed)
    if adopted is not None:
        adopting.adopted(adopted, header, None if by_hand else Keys(ident, scheme.new_secrets(ident, 1), {}))
    if not write:
        return Founded(header, invitation(header), "")
    folder.mkdir(parents=True, exist_ok=True)
    with Lock(folder):
        # The folder of a moderator, and no published copy.
        tray = trays.Tray(tray=trays.FORMAT, printed=printed, adopts=str(adopted or ""))
        gamelog.create(folder, header, private=tray.plain())
        if not by_hand:
            seeding.new(folder, deadline=words_until, beacon=beacon)
    return posts(folder)


def found_and_begun(folder: Path, adopted: Path, **header: Any) -> tuple[Founded, Desk]:
    """A game that goes on at once from an adopted position: nobody is asked for a word. Nothing half-made stays behind."""
    before = set(folder.iterdir()) if folder.exists() else None
    try:
        found(folder, adopted=adopted, write=True, **header)
        with Lock(folder):
            desk = begin(folder, adopted)
    except BaseException:
        for path in set(folder.iterdir()) - (before or set()) if folder.exists() else ():
            path.unlink()
        if before is None and folder.exists():
            folder.rmdir()
        raise
    return posts(folder), desk


def posts(folder: Path) -> Founded:
    """What to post, as often as it is wanted."""
    header = dict(gamelog.read_game(folder).header)
    said = showing.plain_words(header.get("language"))
    return Founded(header, invitation(header), showing.promise(seeding.post(folder), said) if "chance" in header else "")


# --- the header --------------------------------------------------------------------------------------------------


def header_of(
    ident: str, seats: Mapping[str, Mapping[str, str]], rules: Mapping[str, Any], language: str = "",
) -> dict[str, Any]:
    for colour, who in seats.items():
        if colour not in COLOURS:
            raise Refused("4.5", "unknown_colour", text=colour, known=list(COLOURS))
        if "name" not in who:
            raise Refused("4.5", "unknown_seat", seat=colour, known=[one for one in COLOURS if "name" in seats.get(one, ())])
    rules = {"edition": editions.USUAL, **rules}
    played = editions.ruleset(rules["edition"], tuple(str(one) for one in rules.get("options") or ()))
    options.judge_new(played)
    if len(seats) not in played.instant_points:
        raise Refused("4.4", "number_of_players", players=len(seats), least=min(played.instant_points),
                      most=max(played.instant_points))
    if rules.get("seating") == "chosen" and not played.seats_chosen:
        raise Refused("4.4", "seats_not_chosen", edition=played.name)
    judge_times(rules.get("deadlines") or {})
    for kind, value in (rules.get("silence") or {}).items():
        if kind not in ("default", "turn", *views.PUBLIC):
            raise Refused("0", "unknown_kind_of_question", what=kind, known=["default", "turn", *views.PUBLIC])
        if value not in SILENCE:
            raise Refused("0", "unknown_silence", what=value, known=list(SILENCE))
    return {"game": ident, "format": FORMAT, "data": STATE, "fixes": editions.NEWEST, "engine": __version__,
            **checked({"language": language} if language else {}),
            "rules": {key: value for key, value in rules.items() if value},
            "seats": {colour: checked(who) for colour, who in seats.items()}}


def judge_times(deadlines: Mapping[str, Any]) -> None:
    """Hours for kinds of questions, and the words of the clock."""
    known = [*sorted(clock.WORDS), *views.PUBLIC]
    for kind, value in deadlines.items():
        if kind not in known:
            raise Refused("0", "unknown_kind_of_question", what=kind, known=known)
        least = 0 if kind in clock.WORDS and kind != "default" else 1
        try:
            clock.times({"rules": {"deadlines": {kind: value}}})
            fits = kind in ("quiet", "days") or least <= int(value) <= clock.LONGEST
        except ValueError:
            fits = False
        if not fits:
            raise Refused("0", "unfit_time", what=kind, value=value, least=least, most=clock.LONGEST)


def usual_seating(edition: str) -> str:
    return "chosen" if editions.ruleset(edition).seats_chosen else "fixed"


def checked(who: Mapping[str, str]) -> dict[str, str]:
    """What is said of a seat, as far as it can be wrong."""
    for key, known in (("language", languages()), ("channel", list(CHANNELS))):
        if who.get(key, known[0]) not in known:
            raise Refused("0", "unknown_for_seat", of=key, what=who[key], known=known)
    if "zone" in who:
        try:
            ZoneInfo(who["zone"])
        except (KeyError, ValueError, OSError):
            raise Refused("0", "unknown_for_seat", of="zone", what=who["zone"], known=["UTC", "Europe/Berlin"]) from None
    return dict(who)


def reseat(folder: Path, seat: str, changes: Mapping[str, str], *, write: bool) -> dict[str, Any]:
    """Before the game begins who sits where stands in the header; afterwards it is an entry."""
    game = seeding.before_the_game(folder)
    seats = {one: {**who, **(changes if one == seat else {})} for one, who in game.header["seats"].items()}
    text = seeding.with_block(game, "seats", seats)
    if write:
        seeding.replace_header(game, text)
    return seats


# --- the first entry ---------------------------------------------------------------------------------------------


def begin(folder: Path, adopted: Path | None, *, silent: bool = True, write: bool = True) -> Desk:
    """The first entry: the set-up of the main scenario, or an adopted position. The caller holds the lock.

    Unless the missing words are known to stay `silent`, nobody's time for his word is cut short.
    """
    desk = Desk(folder)
    if desk.match.table is not None:
        raise NotNow("log_has_begun", entries=len(desk.game.entries))
    ceremony = seeding.status(desk.folder)
    if ceremony.missing and not silent and seeding.is_open(ceremony.deadline, desk.now):
        raise NotNow("words_missing", seats=ceremony.missing, until=ceremony.deadline)
    if adopted is None and desk.tray.adopts:
        raise NotNow("position_again", file=desk.tray.adopts)
    if adopted is None and not ceremony.seeded:
        raise NotNow("deal_by_hand")
    entry: dict[str, Any] = {"position": dict(SET_UP)}
    if adopted is not None:
        taken = adopting.adopted(adopted, desk.game.header, desk.keys, desk.corrections)
        entry = {"position": taken.position, "reason": f"adopted from {adopted.name}"}
        before, desk.tray.cards = desk.tray.cards, taken.cards
        if before is not None:                                          # begun before, and taken back
            desk.tray.cards = replace(taken.cards or trays.Cards(), orders=before.orders)
    desk = desk.with_cards() if write else Rehearsal(desk)
    desk.enter(entry)
    if gamelog.overrides_are(desk.game):                        # what is corrected is a part of the public game
        desk.take_in(yes=True)
    desk.run()
    return desk


class Rehearsal(Trial):
    """A beginning with other secrets than the real ones: it shows who will be asked what, and nothing of the deal."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        game = str(desk.game.header["game"])
        self.keys = Keys(game, scheme.new_secrets(game, 1), {}) if desk.keys is not None else None
        self.match = self._folded()

    def _live(self, throws: Iterable[Throw] = (), reason: str = "") -> Live:
        return Desk._live(self, throws, reason)

    def _skipped(self) -> list[dict[str, Any]]:
        return Desk._skipped(self)


# --- the invitation ----------------------------------------------------------------------------------------------


def invitation(header: Mapping[str, Any]) -> str:
    """Who plays, by which rules, and what is expected of whom until when."""
    rules = header["rules"]
    played = editions.ruleset(rules["edition"], tuple(map(str, rules.get("options") or ())))
    said = showing.plain_words(header.get("language"), played.book)
    seats = [{"seat": colour, **who} for colour, who in header["seats"].items()]
    chosen = rules.get("seating") == "chosen" and len(seats) > 2
    lines = [said.phrase("invitation", game=header["game"], seats=seats, chosen=chosen), *agreement(header, played, said)]
    if "chance" in header:
        lines.append(said.phrase("proved"))
    match = Match(header)
    if box := header.get("box"):
        lines.append(said.phrase("plays_with_box", by=box["by"], on=box["on"], hash=box["hash"], count=len(box["corrections"])))
    if doubts := match.unconfirmed():
        lines.append(said.phrase("doubtful_tables", tables=doubts))
    return "\n".join(fill(line) for line in lines) + "\n"


def agreement(header: Mapping[str, Any], played: editions.Ruleset, said: Words) -> list[Safe]:
    """By which rules is played, and how long an answer may take."""
    rules, times = header["rules"], clock.times(header)
    return [said.event(in_force(header, played)),
            said.phrase("times", times=times, days=[clock.DAYS[day] for day in sorted(times.days)],
                        reminded="remind" in (rules.get("deadlines") or {}), silence=rules.get("silence") or {})]
