"""`pbem tutorial`: a small game in a folder and twelve things to do with it, each looked at when it is said to be done.

What is to be done stands in `templates/LANGUAGE/guide/tutorial.md`, a section a step; here is only the game, and how a step
is known to be done: by the game itself, by files that it made, or by a word that shows what was seen. The game as it was at
the beginning of each step is kept, so that any step can be begun again.
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pbem.base import records, yamlfile
from pbem.base.errors import PbemError
from pbem.base.folder import Lock, write_whole
from pbem.base.paths import ENGLISH
from pbem.chance import scheme
from pbem.desk.beginning import header_of
from pbem.desk.desk import Desk
from pbem.desk.samples import laid_out
from pbem.desk.tray import promised
from pbem.log import gamelog
from pbem.orders.tongues import latin
from pbem.table.state import SEGMENTS
from pbem.telling.guide import Block, blocks, laid, sections, written

PAGE = "tutorial.md"                            # its words, beside those of the guides
STATE, STEPS, PLAYED, FORGED = "tutorial.yaml", ".steps", "game", "forged"
WHOLE = "duel"                                  # the example of which a die is forged
SEATS = {"red": "Anna", "blue": "Bruno", "yellow": "Chiara", "black": "Dora"}
POSITION = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"},
    "spaces": {"halikarnassos": "red", "sardeis": "blue", "pergamon": "yellow", "tarsos": "black"},
    "forces": [
        {"owner": "red", "at": "halikarnassos", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}},
        {"owner": "blue", "at": "sardeis", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}},
        {"owner": "yellow", "at": "pergamon", "generals": ["kassandros"], "cus": {"mercenary": 2}},
        {"owner": "black", "at": "tarsos", "generals": ["demetrios"], "cus": {"loyal": 3}},
    ],
}
HINT = "hint"                                   # a block of lines that is shown only on demand


@dataclass
class Progress:
    """How far somebody is, and in which language he reads."""

    language: str = ENGLISH
    step: int = 1


@dataclass
class Lesson:
    """A folder in which the tutorial is played."""

    folder: Path
    progress: Progress = field(default_factory=Progress)

    @property
    def game(self) -> Path:
        return self.folder / PLAYED

    @property
    def is_over(self) -> bool:
        return self.progress.step > len(CHECKS)

    def keep(self) -> None:
        """Where he is, and the game as it is now."""
        write_whole(self.folder / STATE, yamlfile.dump(asdict(self.progress)).encode())
        kept = self.folder / STEPS / str(self.progress.step)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.game, kept)

    def again(self, step: int) -> None:
        """This step from its beginning, and whatever came after it is forgotten."""
        kept = self.folder / STEPS / str(step)
        if not kept.is_dir():
            raise PbemError("no_step", number=step, last=self.progress.step)
        shutil.rmtree(self.game)
        shutil.copytree(kept, self.game)
        for name in REPORTS if step <= REPORTING else ():
            (self.folder / name).unlink(missing_ok=True)
        for later in range(step + 1, self.progress.step + 1):
            shutil.rmtree(self.folder / STEPS / str(later))
        self.progress.step = step
        self.keep()

    def is_done(self, said: str) -> bool:
        """Is what the present step asks for done? `said` is what he has seen."""
        return CHECKS[self.progress.step - 1](self, said)


def blocks_of(lesson: Lesson, *, of: int | None = None, hints: bool = False) -> list[Block]:
    """The present step, or what stands before the first one; the hint of a step, and nothing else of it."""
    step = blocks(sections(written(PAGE, lesson.progress.language))[lesson.progress.step if of is None else of])
    return [one for one in step if (one.info == HINT) == hints]


def printed(lesson: Lesson, *, of: int | None = None, hints: bool = False) -> str:
    """The same for a terminal."""
    return laid(blocks_of(lesson, of=of, hints=hints))


def opened(folder: Path, language: str) -> Lesson:
    """The tutorial in a folder, as far as it is; a new one where none is."""
    if (folder / STATE).exists():
        lesson = Lesson(folder, records.read(Progress, yamlfile.load(folder / STATE), str(folder / STATE)))
        if language and language != lesson.progress.language:
            lesson.progress.language = language
            write_whole(folder / STATE, yamlfile.dump(asdict(lesson.progress)).encode())
        return lesson
    if folder.exists() and any(folder.iterdir()):
        raise PbemError("folder_not_empty", folder=str(folder))
    lesson = Lesson(folder, Progress(language))
    lesson.game.mkdir(parents=True)
    secrets = scheme.Secrets("tutorial", bytes([8]) * 32, bytes([9]) * 32, links=12)        # it is nobody's
    header = header_of("tutorial", {seat: {"name": name} for seat, name in SEATS.items()},
                       {"windows": "held", "polls": "sealed", "seating": "fixed", "deadlines": {"default": 48}}, language)
    header["chance"] = {"scheme": 2, **secrets.commitments(), "links": secrets.links, "words": dict.fromkeys(SEATS, ""),
                        "beacon": "none"}
    with Lock(lesson.game):
        Desk.found(lesson.game, header, POSITION, promised(secrets)).run()
    forge(folder / FORGED)
    lesson.keep()
    return lesson


def forge(folder: Path) -> None:
    """A whole game in which somebody has made the first roll a better one."""
    laid_out(WHOLE, folder)
    (folder / gamelog.MIRROR).unlink()
    text = (folder / gamelog.GAME).read_text("utf-8")
    write_whole(folder / gamelog.GAME, re.sub(
        r"(do: roll, dice: \[\[.*?, )(\d)(?=\]\])", lambda found: f"{found[1]}{int(found[2]) + 1}", text, count=1).encode())


# --- how a step is known to be done ---------------------------------------------------------------------------------------


def seen(*words: str) -> Callable[[Lesson, str], bool]:
    """He says what was to be seen."""
    return lambda lesson, said: bare(said) in map(bare, words)


def bare(said: str) -> str:
    """To be compared: letters and digits alone, whatever keyboard they come from."""
    return latin(re.sub(r"\W", "", said)).casefold()


def in_game(test: Callable[[Desk], bool]) -> Callable[[Lesson, str], bool]:
    """The game shows it."""
    return lambda lesson, said: test(Desk(lesson.game))


def entered(desk: Desk, key: str) -> bool:
    return any(key in entry for entry in desk.game.entries)


def asked(desk: Desk) -> str:
    """What kind of question is open."""
    return desk.match.question.kind if desk.match.question is not None else ""


def is_sealed(desk: Desk) -> bool:
    """Lysimachos is to come, as the steps that follow tell: the answer lies there, or has been opened."""
    question = desk.match.question
    lying = desk.sealed(question) if question is not None else {}
    opened_ = [entry.get("answers", {}) for entry in desk.game.entries if "close" in entry]
    return any(answers.get("blue", "").startswith("intercept Lysimachos") for answers in (lying, *opened_))


def is_back(desk: Desk) -> bool:
    return any(entry.get("do") == "withdraw" for entry in desk.game.entries) and asked(desk) in SEGMENTS


def reported(lesson: Lesson, said: str) -> bool:
    """Both are reports of this game, and not twice the same."""
    texts = [(lesson.folder / name).read_text("utf-8") if (lesson.folder / name).exists() else "" for name in REPORTS]
    head = Desk(lesson.game).game.heads()[-1][:16]
    return len(set(texts)) == len(REPORTS) and all(head in text for text in texts)


REPORTS = ("report.md", "report.txt")
CHECKS: tuple[Callable[[Lesson, str], bool], ...] = (
    seen("red", "anna", "анна", "rot", "rosso", "красный"),
    in_game(lambda desk: desk.match.g.movement_roll is not None),
    seen("93a"),
    in_game(lambda desk: asked(desk) == "interception" or entered(desk, "close")),
    in_game(is_sealed),
    in_game(lambda desk: entered(desk, "close")),
    in_game(is_back),
    reported,
    in_game(lambda desk: desk.tray.posted >= len(desk.game.entries)),
    in_game(lambda desk: entered(desk, "undo")),
    in_game(lambda desk: entered(desk, "ruling")),
    seen("15"),
)
REPORTING = 1 + CHECKS.index(reported)
