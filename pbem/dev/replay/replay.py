"""`pbem dev replay`: a published game at the real desk, step by step, and each value that its text states compared."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pbem.base import yamlfile
from pbem.base.errors import BadLog, NotNow, PbemError
from pbem.base.folder import Lock
from pbem.base.paths import data_dir
from pbem.dev.replay import end, facts
from pbem.dev.replay.acts import ACTIONS, PHASES
from pbem.dev.replay.ahead import REACTIONS, RESULTS
from pbem.dev.replay.script import Script, Step, Untold
from pbem.dev.replay.table import Table
from pbem.dev.replay.vocabulary import CANONICAL, FIELDS, asked, unread
from pbem.log import gamelog
from pbem.orders import Order

STATED = ("expect", "derived")
WRONG = (PbemError, Untold, KeyError, StopIteration, IndexError, TypeError, ValueError, AttributeError)


class Difference(NamedTuple):
    """Where the game is not as the script says; `what` is the word of a value, empty where the step itself was refused."""

    step: str
    what: str
    told: str

    def __str__(self) -> str:
        return f"{self.step}: {self.told}" if not self.what else f"{self.step} {self.what}: {self.told}"


class Replayed(NamedTuple):
    """What came of it."""

    steps: int
    refused: list[Difference]
    differ: list[Difference]
    accepted: list[tuple[Difference, str]]
    compared: int
    unread: list[str] = []

    @property
    def is_faithful(self) -> bool:
        return not self.refused and not self.differ

    def __str__(self) -> str:
        lines = [*(f"refused   {one}" for one in self.refused), *(f"differs   {one}" for one in self.differ),
                 *(f"accepted  {one} - {reason}" for one, reason in self.accepted),
                 *(f"unread    {one}" for one in self.unread),
                 f"{self.steps} steps, {len(self.refused)} refused, {len(self.differ)} values differ, "
                 f"{len(self.accepted)} accepted deviations"]
        return "\n".join(lines)

    def plain(self) -> dict[str, Any]:
        return {"steps": self.steps, "compared": self.compared, "refused": [one._asdict() for one in self.refused],
                "differ": [one._asdict() for one in self.differ], "unread": self.unread,
                "accepted": [{**one._asdict(), "reason": reason} for one, reason in self.accepted]}


class Known:
    """What is known of a source: what the game is called, and where its text is otherwise than the rules, and why."""

    def __init__(self, source: str) -> None:
        told = yamlfile.parse(yamlfile.read(data_dir() / "replays.yaml")).get(source) or {}
        self.title = str(told.get("title") or source)
        self.reasons = {(one["step"], one.get("what", "")): one for one in told.get("accepted") or ()}

    def of(self, one: Difference) -> Mapping[str, Any] | None:
        return self.reasons.get((one.step, one.what))


def replay(file: Path, folder: Path | None = None) -> Replayed:
    """Play it; the game is left in the folder, if one is named."""
    script = Script(file)
    if folder is not None:
        if (folder / gamelog.GAME).exists():
            raise BadLog("game_exists", file=str(folder / gamelog.GAME))
        return Replay(script, folder).result()
    with tempfile.TemporaryDirectory() as place:
        return Replay(script, Path(place)).result()


class Replay:
    """One run through a script."""

    def __init__(self, script: Script, folder: Path) -> None:
        self.script = script
        self.known = Known(str(script.told["source"]["file"]))
        self.refused: list[Difference] = []
        self.differ: list[Difference] = []
        self.forgiven: list[tuple[Difference, str]] = []
        self.compared = 0
        self.table = Table(script, folder, self.known.title)
        with Lock(folder):
            for number in self.table.refused_options:
                self.note(Difference("rules", "", f"there is no optional rule {number}"))
            self.begin()
            for index, step in enumerate(script.steps):
                self.play(index, step)
                if index + 1 == len(script.steps) or script.steps[index + 1]["turn"] != step["turn"]:
                    for what, wanted, found in self.at_the_end(step["turn"]):
                        self.judge(f"end of turn {step['turn']}", what, wanted, found)
            self.table.desk.commit()

    def result(self) -> Replayed:
        idle = [f"{step['id']} {word}: nobody reads it ({self.asked(step, word, word, FIELDS)})"
                for step in self.script.steps for word in unread(step)]
        return Replayed(len(self.script.steps), self.refused, self.differ, self.forgiven, self.compared, idle)

    # --- the parts of a game ----------------------------------------------------------------------------------------

    def begin(self) -> None:
        """4.6 Who has a choice begins where the script says, or somewhere that it names nowhere else."""
        table = self.table
        while (question := table.question) is not None and question.kind == "deployment":
            seat = question.sides[0]
            name, spaces = next(iter(question.about["spaces"].items()))
            told = next(one for one in self.script.setup["general_deployment"]
                        if table.spelt.id("general", one["general"]) == name)
            named = table.spelt.named_spaces()
            at = table.spelt.id("space", told["space"]) if told["space"] else next(
                (space for space in spaces if space not in named), spaces[0])
            table.enter(seat, table.desk.match.say(Order("deploy", general=name, at=at)))
        table.look()
        for player, one in self.script.players.items() if "position" not in self.script.setup else ():
            seat = self.script.seats[player]
            self.judge("setup", f"{player} l", one["l"], facts.legitimacy(table, seat))
            self.judge("setup", f"{player} vp", one["vp"], facts.points(table, seat))

    def play(self, index: int, step: Step) -> None:
        """One step: the moment, what is done, what came of it."""
        table = self.table
        table.index, table.step = index, step
        act = ACTIONS.get(step["action"])
        if act is None:
            word = step["action"]
            self.refuse(step, f"nobody knows the action {word} ({self.asked(step, 'action', word, CANONICAL)})")
            return
        try:
            afterwards = (step["action"] in RESULTS or step["action"] in REACTIONS - {"surprise"} or step["id"] in table.given
                          or self.comes_between(index))
            if not afterwards and step["action"] not in PHASES and step["segment"] != "phase":
                table.reach(step)
            if not afterwards and step["action"] not in facts.DETAILS:
                table.look()
            act(table)
        except WRONG as problem:
            self.refuse(step, why(problem))
        if table.missing:
            told = f"no die is told for {' nor '.join(table.missing)}: thrown so that nothing came of it"
            self.note(Difference(step["id"], "die", told))
            table.missing.clear()
        for part in STATED:
            for word, wanted in (step.get(part) or {}).items():
                self.compare(step, f"{part} {word}", word, wanted)

    def comes_between(self, index: int) -> bool:
        """A Surprise card in the segment of somebody else, who has just done something there."""
        step, before = self.script.steps[index], self.script.steps[max(0, index - 1)]
        same = all(step.get(word) == before.get(word) for word in ("turn", "round", "segment"))
        return step["action"] == "surprise" and same and step.get("player") != before.get("player")

    def compare(self, step: Step, what: str, word: str, wanted: Any) -> None:
        try:
            self.judge(step["id"], what, *facts.compared(self.table, word, wanted))
        except WRONG as problem:
            where = f" ({self.asked(step, what, word, facts.WORDS)})" if isinstance(problem, Untold) else ""
            self.note(Difference(step["id"], what, f"cannot be compared: {why(problem)}{where}"))

    def asked(self, step: Step, what: str, word: str, known: Iterable[str]) -> str:
        return asked(word, known, self.script.lines.get((step["id"], what), 0))

    def judge(self, step: str, what: str, wanted: Any, found: Any) -> None:
        self.compared += 1
        if wanted != found:
            self.note(Difference(step, what, f"wanted {shown(wanted)}, found {shown(found)}"))

    def at_the_end(self, turn: int) -> Iterator[tuple[str, Any, Any]]:
        """What the script has counted at the end of a Game Turn that is over."""
        told = self.script.told.get(f"derived_state_end_of_turn_{turn}")
        if told is not None and self.table.g.turn > turn:
            yield from end.differences(self.table, told)

    # --- what is noted ----------------------------------------------------------------------------------------------

    def refuse(self, step: Step, why: str) -> None:
        """A step that the desk does not take; where that is accepted the moderator states what the game was."""
        one = Difference(step["id"], "", why)
        known = self.known.of(one)
        self.note(one)
        if known is not None and "facts" in known:
            try:
                self.table.desk.ruling(known["ruling"], reason=known["reason"], facts=known["facts"])
            except (PbemError, NotNow) as problem:
                self.note(Difference(step["id"], "ruling", str(problem)))

    def note(self, one: Difference) -> None:
        known = self.known.of(one)
        if known is not None:
            self.forgiven.append((one, known["reason"]))
        else:
            (self.differ if one.what else self.refused).append(one)


def why(problem: Exception) -> str:
    return str(problem) if isinstance(problem, PbemError | Untold) else f"{type(problem).__name__} {problem}"


def shown(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(one)}" for key, one in value.items()) or "nothing"
    if isinstance(value, list | tuple | set):
        return " ".join(shown(one) for one in value) or "nothing"
    return "none" if value is None else str(value)
