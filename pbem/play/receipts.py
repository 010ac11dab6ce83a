"""What a receipt proves: that a sealed answer was taken, that the close of its question lists it, and that it was played."""

import hmac
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pbem.base.errors import PbemError
from pbem.chance import receipts
from pbem.chance.check import CLOSED, FAILED, OK, WORD, Check, Verdict, Witnessed, judged, verdict
from pbem.chance.receipts import Receipt
from pbem.chance.scheme import Wrong
from pbem.log import gamelog
from pbem.log.gamelog import GameFile
from pbem.orders import read_answer
from pbem.play.kept import parts, texts_of
from pbem.play.match import QUIET, Match, declaration
from pbem.play.verify import TAKEN_BACK


def receipt_checks(place: Path, files: Sequence[Path]) -> Iterator[Check]:
    """The receipts in mails or posts, each with all that can be said of it."""
    game = gamelog.read_whole(place)
    kept: list[Receipt] = []
    for file in files:
        what = f"receipt {file.name}"
        try:
            found = [part for text in texts_of(file) for part in parts(text, "receipt")]
        except OSError as problem:
            yield Check(0, what, FAILED, "file_unread", {"what": problem.strerror})
            continue
        if not found:
            yield Check(0, what, FAILED, "no_receipt")
        for part in found:
            try:
                kept.append(read(part))
            except ValueError as problem:
                yield Check(0, what, FAILED, "receipt_unread", {"what": problem})
    for one in dict.fromkeys(kept):
        yield from checks(game, one, kept)


def read(part: Any) -> Receipt:
    if not isinstance(part, dict) or part.keys() != set(Receipt._fields):
        raise ValueError(str(part)[:60])
    receipt = Receipt(**part)
    if not all(isinstance(value, int if name in ("number", "entries") else str) for name, value in part.items()):
        raise ValueError(str(part)[:60])
    return receipt


def checks(game: GameFile, one: Receipt, kept: Sequence[Receipt]) -> Iterator[Check]:
    """Is it whole, is it of this log, is it listed, is it what was played, is it the moderator's?"""
    what = f"receipt {one.question} {one.seat} {one.number}"
    whole = judged(0, what, is_whole, game, one)
    yield whole
    if whole.state == FAILED:
        return
    stands = [place + 1 for place in gamelog.survivors(game.entries, str(game.path))]
    closes = [number for number in stands if number > one.entries and game.entries[number - 1].get("close") == one.question]
    listed = [number for number in stands if number > one.entries
              and (game.entries[number - 1].get("receipts") or {}).get(one.seat) == one.digest]
    if listed:
        due = next((game.entries[number - 1].get("due", "") for number in reversed(stands) if number < listed[0]
                    and game.entries[number - 1].get("ask") == one.question), "")
        for number in listed:
            yield Check(number, what, OK, "receipt_listed", {"at": one.at, "due": due, "close": number})
            yield judged(number, what, is_played, game, one, number)
    else:
        yield judged(closes[0] if closes else 0, what, why_not_listed, game, one, kept, closes)
    yield judged(0, what, is_from_the_moderator, game, one)


def is_whole(game: GameFile, one: Receipt) -> Verdict:
    if one.game != game.header["game"]:
        raise Wrong("receipt_other_game", game=one.game)
    if one.own_digest != one.digest:
        raise Wrong("receipt_altered")
    heads = game.heads()
    if not 0 <= one.entries < len(heads) or not heads[one.entries].startswith(one.head) or len(one.head) < 32:
        raise Wrong("receipt_head", entries=one.entries)
    return verdict(OK, "receipt_whole")


def why_not_listed(game: GameFile, one: Receipt, kept: Sequence[Receipt], closes: Sequence[int]) -> Verdict:
    """A later receipt took its place, the question is open still or was taken back; or else somebody has left it out."""
    if later := next((other for other in kept if other.before == one.digest and other.own_digest == other.digest), None):
        return verdict(OK, "receipt_replaced", number=later.number)
    once = next((number for number in range(one.entries + 1, len(game.entries) + 1)
                 if (game.entries[number - 1].get("receipts") or {}).get(one.seat) == one.digest), one.entries)
    undo = next((number for number in range(one.entries + 1, len(game.entries) + 1)
                 if game.entries[number - 1].get("undo", number) <= (once if number > once else one.entries)), 0)
    if undo:
        return verdict(WORD, "receipt_undone", undo=undo)
    if closes:
        raise Wrong("receipt_left_out", close=closes[0])
    if one.question in open_now(game):
        return verdict(CLOSED, "receipt_open")
    return verdict(TAKEN_BACK, "receipt_never_closed")


def open_now(game: GameFile) -> list[str]:
    """The questions that the log waits at, one on top of the other."""
    match = Match(game.header, gamelog.corrections(game))
    match.fold(game.entries, gamelog.survivors(game.entries, str(game.path)))
    return [frame.id for frame in match.table.stack] if match.table is not None else []


def is_played(game: GameFile, one: Receipt, close: int) -> Verdict:
    """The answer, read again where its question closed."""
    try:
        return compared(game, one, close)
    except PbemError as problem:
        raise Wrong("refused", error=problem) from problem


def compared(game: GameFile, one: Receipt, close: int) -> Verdict:
    """Its first alternative whose condition is met and that is legal is what has to have been played."""
    match = Match(game.header, gamelog.corrections(game))
    standing = gamelog.survivors(game.entries, str(game.path))
    for place in standing:
        if place + 1 == close:
            break
        match.apply(game.entries[place], place + 1)
    question, answers = match.question, game.entries[close - 1].get("answers") or {}
    if question is None or question.id != game.entries[close - 1]["close"]:
        raise Wrong("receipt_other_question", close=close)
    before: dict[str, Any] = {}
    for seat in question.sides[:question.sides.index(one.seat)]:
        if seat in answers:
            before[seat] = match.parsed(answers[seat])
    given = declaration(question, one.seat, read_answer(one.text, match.names), before)
    silence = match.say(question.silence(one.seat))
    wanted, found = match.say(given), str(answers.get(one.seat, silence))
    if wanted == found:
        return verdict(OK, "receipt_played", seat=one.seat, found=found)
    robbed = any(number > one.entries and event.key == "card_taken" and event.facts["victim"] == one.seat
                 for number, event in match.history)
    if robbed and question.kind in QUIET:
        return verdict(CLOSED, "receipt_card_gone", close=close, found=found, wanted=wanted)
    raise Wrong("receipt_other", close=close, found=found, wanted=wanted)


def is_from_the_moderator(game: GameFile, one: Receipt) -> Verdict:
    """The code under the deck secret, once the log has opened it."""
    secret = Witnessed(game.header, game.entries).secret if "chance" in game.header else None
    if secret is None:
        return verdict(CLOSED, "receipt_code_closed")
    if not hmac.compare_digest(receipts.code(secret, one.game, one.digest), one.code):
        raise Wrong("receipt_code_other")
    return verdict(OK, "receipt_code")
