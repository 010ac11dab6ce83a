"""What a mail does: nothing, an answer, orders. Each step leaves its mark, so that it is never done twice."""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pbem.base import clock
from pbem.base.clock import moment, stamp
from pbem.base.errors import NotNow, PbemError
from pbem.desk import showing, standing
from pbem.desk.submission import Outcome
from pbem.mail import commands, letters, outbox, quotes, reading, rights, routing, tokens, waiting
from pbem.mail.desk import MailDesk
from pbem.mail.letters import mailed
from pbem.mail.outbox import Item, Outbox
from pbem.mail.request import Request
from pbem.mail.routing import Issued
from pbem.orders import Order, parse, read_line
from pbem.table.state import SEGMENTS
from pbem.telling.offers import lettered

if TYPE_CHECKING:
    from pbem.mail.loop import Run

Line = dict[str, Any]


YES = re.compile(r"^\s*(yes|ja|oui|si|sí|y|ok|okay|confirm(ed)?)\s*[.!]*\s*$", re.IGNORECASE)
CARD = re.compile(r"\s*(?:pla|sur)", re.IGNORECASE)          # how an order to play a card begins
TELLING = 20                            # a line of ours that nobody writes by chance
NO = re.compile(r"^\s*(no|nein|non|nee|nie|нет|n)\s*[.!]*\s*$", re.IGNORECASE)
TOLD = ("hold", "hold_and_answer", "quarantine_and_tell")    # verdicts of which the moderator is told


def why(reason: str, **facts: Any) -> str:
    """Why a mail is where it is, for the moderator."""
    return mailed(showing.plain_words(), f"why_{reason}", **facts)


def understood(run: "Run", raw: bytes) -> Any:
    config = run.config
    return reading.understand(raw, own_domain=config.domain, own_loop=config.address, server=config.authserv)


def looked_at(run: "Run", line: Line) -> Any:
    """Read a mail; what everybody asks for first is kept in the ledger."""
    mail = run.glimpsed.pop(line["id"], None) or understood(run, run.ledger.bytes_of(line))
    if "sort" not in line:
        run.ledger.also(line["id"], message_id=mail.message_id, sender=mail.from_, subject=mail.subject[:200], sort=mail.class_)
    return mail


def take(run: "Run", line: Line, *, released: str = "") -> str:
    """Deal with one mail; says what became of it. `released` names the seat for which the moderator lets it through."""
    ledger, id = run.ledger, line["id"]
    mail = looked_at(run, line)
    is_giant = line["size"] > run.config.limits["size"]
    if not released:
        if mail.message_id and ledger.message_ids.get(mail.message_id, id) != id:
            return settled(run, line, "held", why("other_content"))
        if mail.class_ == "own":
            return settled(run, line, "own", reading.told(mail.why))
        if mail.class_ == "bounce":
            return bounced(run, line, mail)
        if mail.hold:
            return settled(run, line, "held", reading.told(mail.why))
        if mail.class_ in ("robot", "list"):
            return settled(run, line, mail.class_, reading.told(mail.why))
        if mail.class_ != "human" and not is_giant:
            return settled(run, line, "held", reading.told(mail.why))
    if is_giant:
        return too_large(run, line, mail)
    route = routing.route(run.rosters, mail.from_, tokens.found(mail, run.config.domain), mail.subject)
    if len(route.games) > 1:
        return several_games(run, line, mail, route.games, route.named)
    if not route.games:
        return observer(run, line, mail) if run.is_whole else "received"    # it may be for the game that cannot be read now
    game = route.games[0]
    desk = run.desk(game)
    if desk is None:
        return "received"                   # the game is busy: next time
    line["game"] = game
    if became := desk.became(id):
        return settled(run, line, became, "", game=game)        # killed after the game had it
    seat, verdict = (released, "released") if released else judged(run, desk, line, mail, route)
    return acted(run, desk, line, mail, seat, verdict, route.token)


def next_of(run: "Run", lines: Sequence[Line]) -> Line:
    """The first mail that came; but of several players who play a Surprise card the earlier in Turn Order goes first (6.2)."""
    found = card_played(run, lines[0])
    if found is None:
        return lines[0]
    players: dict[str, Line] = {}
    for line in lines:
        if (other := card_played(run, line)) is not None and other[0] is found[0]:
            players.setdefault(other[1], line)
    return players[min(players, key=found[0].match.g.turn_order.index)]


def card_played(run: "Run", line: Line) -> tuple[MailDesk, str] | None:
    """Does a mail that counts play a card out of turn? The desk of its game, and who plays it."""
    try:
        mail = run.glimpsed[line["id"]] = looked_at(run, line)
        if not any(CARD.match(one) for one in mail.orders):
            return None
        route = routing.route(run.rosters, mail.from_, tokens.found(mail, run.config.domain), mail.subject)
        desk = run.desk(route.games[0]) if mail.class_ == "human" and len(route.games) == 1 and route.token else None
        if desk is None:
            return None
        seat, verdict = judged(run, desk, line, mail, route)
        orders = commands.sort(desk, seat, mail.orders).orders
        plays = verdict == rights.APPLY and orders and is_interrupt(desk, seat, orders[0])
        return (desk, seat) if plays and parse(orders[0], desk.match.names)[0].verb == "play" else None
    except Exception:                                       # whatever is wrong with it will show when it is taken
        return None


def judged(run: "Run", desk: MailDesk, line: Line, mail: Any, route: routing.Route) -> tuple[str, str]:
    """Whose mail it is, and what the table of rights says."""
    token, seat = route.token, route.seat
    state = token_state(run, desk, line, token) if token is not None else "none"
    if token is None and (
        tokens.found(mail, run.config.domain) or mail.in_reply_to.rstrip(">").endswith(f"@{run.config.domain}")
    ):
        state = "dead"                      # it answers a mail of ours, but which one nobody can say any more
    if seat and state in ("closed", "dead") and mail.dmarc != "fail":
        return seat, "late" if token is None or token.seat == seat else "quarantine_and_tell"
    known = bool(seat)
    kind = (
        "none"
        if state in ("none", "dead", "closed")
        else "other"
        if token is not None and known and token.seat != seat
        else "valid"
    )
    windows = sum(1 for one in run.rosters.values() if one.seat_of(mail.from_)) if known else 0
    verdict = rights.judge(known, kind, mail.dmarc, 1 if known and windows == 1 and desk.asks(seat) else 0)
    return (seat or (token.seat if token is not None else "")), verdict


def token_state(run: "Run", desk: MailDesk, line: Line, token: Issued) -> str:
    """Is the token alive: for the turn, for a mail to be confirmed, for the question that is open?"""
    if token.window.startswith("turn:"):
        return "valid" if token.window == letters.turn_window(desk) else "closed"
    if token.window.startswith("confirm:"):
        held = run.ledger.mails.get(token.window.partition(":")[2]) or {}
        return "valid" if held.get("state") == "confirm" or held.get("confirmed_by") == line["id"] else "closed"
    question = desk.match.question
    if question is None or token.seat not in question.sides:
        return "closed"
    since_undo = token.window.partition("~")[2] == desk.open_as.partition("~")[2]
    if token.window == desk.open_as or (since_undo and not question.sealed and token.asked and token.asked == desk.window):
        return "valid"
    return "closed"


def acted(run: "Run", desk: MailDesk, line: Line, mail: Any, seat: str, verdict: str, token: Issued | None) -> str:
    """Do what the table says."""
    if verdict == "late":
        said = showing.words(desk, seat)
        if token is not None and token.window.startswith("confirm:"):
            return refused(run, desk, line, mail, seat, "not_confirmed", mailed(said, "not_confirmed"))
        if token is None or token.window.startswith("turn:"):
            return refused(run, desk, line, mail, seat, "older", mailed(said, "older"))
        late = mailed(said, "late", id=token.window.partition("~")[0])
        return refused(run, desk, line, mail, seat, f"late {token.window}", late)
    if verdict == "confirm":
        return ask_to_confirm(run, desk, line, mail, seat)
    if verdict in TOLD:
        if verdict == "hold_and_answer" and first_today(run, f"held {seat}", mail.from_, line["id"]):
            told = mailed(showing.words(desk, seat), "held_for_host")
            desk.begin()
            queue(desk, letters.refusal(desk, run.config, seat, f"held-{line['id']}", told, run.now, kind="held", state=False))
        because = why(verdict, seat=seat, other=token.seat if token is not None else "")
        return settled(run, line, "quarantined" if verdict == "quarantine_and_tell" else "held", because,
                       game=letters.title(desk), seat=seat)
    if verdict == "quarantine":
        return observer(run, line, mail, game=letters.title(desk))
    if token is not None and token.window.startswith("confirm:"):
        return confirmed(run, desk, line, mail, seat, token)
    return applied(run, desk, line, mail, seat, verdict, token)


def let_through(run: "Run", line: Line, *, game: str, seat: str) -> str:
    """The moderator releases a mail: for a subscriber's first mail the reports begin, for a seat's its orders count."""
    mail = understood(run, run.ledger.bytes_of(line))
    desk = run.desk(game) if game in run.rosters else None
    if desk is None and len(run.rosters) == 1 and not game:
        desk = run.desk(next(iter(run.rosters)))
    if desk is not None and not seat and next(iter(mail.lines), "").casefold().startswith("observe"):
        desk.begin()
        desk.private["observers"] = list(dict.fromkeys([*(desk.private.get("observers") or []), mail.from_]))
        return settled(run, line, "applied", why("observer"), game=letters.title(desk))
    if desk is None or seat not in desk.match.seats:
        raise PbemError("mail_whose", name=line["n"])
    return applied(run, desk, line, mail, seat, "released", None)


# --- applying --------------------------------------------------------------------------------------------------------


def applied(run: "Run", desk: MailDesk, line: Line, mail: Any, seat: str, verdict: str, token: Issued | None) -> str:
    """Orders, answers and requests of a seat are taken in; one receipt says what became of each line."""
    said = showing.words(desk, seat)
    notes: list[str] = []
    mail = without_our_words(mail, run.outbox(letters.title(desk)))
    given = mail.paragraphs if any(commands.command_of(one) == "press" for one in mail.lines) else mail.orders
    sorted_ = commands.sort(desk, seat, given)
    if mail.attached and not sorted_.orders and not sorted_.requests:
        sorted_ = commands.sort(desk, seat, mail.attached)
        notes.append(mailed(said, "attached"))
    elif mail.attached:
        notes.append(mailed(said, "attached_unread", count=len(mail.attached), text=mail.attached[0][:40]))
    kept = desk.mail.setdefault("seats", {}).setdefault(seat, {})
    window = desk.window if desk.asks(seat) else letters.turn_window(desk)
    counts = any(standing.body(one) is None for one in sorted_.orders)     # standing orders replace nothing
    if counts and kept.get("window") == window and kept["at"] > line["at"]:
        return refused(run, desk, line, mail, seat, "crossed", mailed(said, "crossed"))
    if sorted_.orders and verdict != "released" and (state := in_regret(run, desk, line, mail, seat)):
        return state
    desk.begin()
    question, wait = desk.match.question, waiting.begun(desk)
    if verdict != "released":
        desk.mail.get("unreachable", {}).pop(seat, None)    # a seat that writes can be reached
    stale = token is not None and question is not None and token.window not in (desk.open_as, letters.turn_window(desk))
    version = (kept.get("version", 0) + 1 if kept.get("window") == window else 1) if counts else 0
    if version > 1 and desk.waiting(seat):
        notes.append(mailed(said, "replaced", version=version - 1))
    outcomes = ordered(desk, seat, sorted_.orders, line["id"], stale) if sorted_.orders else []
    if counts:
        kept.update(window=window, at=line["at"], version=version)
        if wait is not None:
            waiting.note_answered(desk, wait, seat, line["at"])
    ask = Request(desk, seat, mail.from_, run.outbox(letters.title(desk)), run.config, run.now, line["id"], [], [])
    answers = [commands.answer(ask, one) for one in sorted_.requests]
    notes += remarks(said, mail, sorted_, verdict, bool(outcomes or answers))
    made = letters.receipt(
        desk,
        run.config,
        seat,
        line["id"],
        outcomes,
        notes,
        run.now,
        version=version,
        reply_to=mail.message_id,
        answers=answers,
        ask=bool(outcomes) or not answers,
        sender=mail.from_,
        answered=question.id if question is not None else "",
        failed=bool(ask.failed) or not (outcomes or answers),
    )
    return finish(run, desk, line, seat, [*made, *ask.mails], "applied")


def without_our_words(mail: Any, outbox: Outbox) -> Any:
    """A mail of ours that came back without any marks of quoting is cut out: by the reference at its end, and its lines."""
    ends = [place for place, line in enumerate(mail.lines) if tokens.in_text(line)]
    feet = [cut.text for cut in mail.removed if cut.reason == quotes.SIGNATURE and tokens.in_text(cut.text)]
    if not ends and not feet:
        return mail
    end = ends[-1] + 1 if ends else len(mail.lines)
    token = tokens.in_text(mail.lines[end - 1] if ends else feet[-1])[0]
    ours = {line.strip() for one in outbox.past() if token in one["message_id"] for line in one["text"].splitlines()}
    begin = next((place for place, line in enumerate(mail.lines[:end])
                  if len(line) >= TELLING and line in ours and not reading.could_be_order(line)), end)
    kept = (*mail.lines[:begin], *mail.lines[end:])
    cut = quotes.Cut("\n".join(mail.lines[begin:end]), quotes.QUOTED)
    return mail._replace(lines=kept, paragraphs=kept, removed=(*mail.removed, cut)) if begin < end else mail


def ordered(desk: MailDesk, seat: str, lines: Sequence[str], via: str, stale: bool) -> list[Outcome]:
    """Orders for a question that is open are looked at now; for later ones they wait."""
    question = desk.match.question
    if stale and any(is_letter(one) for one in lines):
        return [Outcome(lines[0], "refused", NotNow("stale_letter")), *(Outcome(one, "unread") for one in lines[1:])]
    if question is not None and (seat in question.sides or is_interrupt(desk, seat, lines[0])):
        outcomes = desk.order(seat, "\n".join(lines), via=via)
        if question.kind not in SEGMENTS:
            outcomes = behind_answer(desk, seat, outcomes)
        return caught_up(outcomes, desk.run())
    in_advance = [one for one in lines if standing.body(one) is not None]
    early = [one for one in lines if one not in in_advance]
    outcomes = desk.order(seat, "\n".join(in_advance)) if in_advance else []
    return outcomes + (prepared(desk, seat, early) if early else [])


def behind_answer(desk: MailDesk, seat: str, outcomes: list[Outcome]) -> list[Outcome]:
    """Orders for one's own turn that stand behind an answer to a window wait like those of any early mail."""
    count = next((place for place, one in enumerate(outcomes) if one.state == "refused"), 0)
    if not count or outcomes[count].did or not is_for_later(desk, seat, outcomes[count].line):
        return outcomes
    return outcomes[:count] + prepared(desk, seat, [one.line for one in outcomes[count:]])


def is_for_later(desk: MailDesk, seat: str, text: str) -> bool:
    """Nobody is asked now what this order answers; one of a kind that the open question takes was refused for what it says."""
    question = desk.match.question
    try:
        line = read_line(text, desk.match.names)
    except PbemError:
        return False
    if line is None or question is None or seat not in question.sides:
        return line is not None
    answers = (question.silence(seat), *(offer for _, offer in lettered(question, seat)))
    verbs = {order.verb for answer in answers for order in ((answer,) if isinstance(answer, Order) else answer)}
    return not verbs & {order.verb for order in line.orders}


def is_letter(text: str) -> bool:
    """An answer by its letter means nothing without the question it stood under."""
    return bool(re.match(r"\s*[A-Za-z](?![A-Za-z])", text))


def answer_early(desk: MailDesk) -> None:
    """A window has opened: what a seat sent ahead for it answers now, if it can be an answer; the rest goes on waiting."""
    question = desk.match.question
    if question is None or not question.sealed:
        return
    for seat in [
        one for one in question.sides if one not in desk.sealed(question) and desk.waiting(one) and not desk.is_held(one)
    ]:
        first, *rest = desk.waiting(seat)
        done = desk.order(seat, first)
        if done[0].state in ("done", "sealed"):
            desk.set_waiting(seat, rest)
        if desk.match.question is None or desk.match.question.id != question.id:
            return


def is_interrupt(desk: MailDesk, seat: str, text: str) -> bool:
    """A card that may be played out of turn, or a free act, is for now."""
    try:
        orders = parse(text, desk.match.names)
        return bool(orders) and desk.match.read(seat, orders[0])[0] == "interrupt"
    except PbemError:
        return False


def caught_up(outcomes: list[Outcome], later: Iterable[Outcome]) -> list[Outcome]:
    """Lines that waited and were looked at before the mail was answered are told as what they became."""
    found: dict[str, Outcome] = {one.line: one for one in later}
    return [found.get(one.line, one) if one.state in ("waiting", "prepared") else one for one in outcomes]


def prepared(desk: MailDesk, seat: str, lines: Sequence[str]) -> list[Outcome]:
    """Early mails wait; what cannot be read is told at once."""
    outcomes: list[Outcome] = []
    good: list[str] = []
    for text in lines:
        try:
            if is_letter(text):
                raise NotNow("stale_letter")
            read_line(text, desk.match.names)
        except PbemError as error:
            outcomes.append(Outcome(text, "refused", error))
            break
        good.append(text)
        outcomes.append(Outcome(text, "prepared"))
    outcomes += [Outcome(text, "unread") for text in lines[len(outcomes):]]
    if good:
        desk.set_waiting(seat, good, since=len(desk.game.entries) + 1)
    return outcomes


def remarks(said: Any, mail: Any, sorted_: commands.Sorted, verdict: str, anything: bool) -> list[str]:
    """What the sender should know about how the mail was read."""
    notes: list[str] = []
    if verdict == "apply_with_note":
        notes.append(mailed(said, "without_token"))
    if verdict == "released":
        notes.append(mailed(said, "released"))
    if not anything:
        notes.append(mailed(said, "nothing_in_it", known=["standing", *commands.COMMANDS]))
    if sorted_.talk:
        notes.append(mailed(said, "line_prose", count=len(sorted_.talk), text=sorted_.talk[0][:40]))
    if mail.removed:
        cut = [one for piece in mail.removed for one in piece.text.splitlines() if one.strip()]
        if mail.looks_like_orders:
            like = next((one.strip(" >|") for one in cut if reading.could_be_order(one.strip(" >|"))), cut[0] if cut else "")
            notes.append(mailed(said, "removed_orders", text=like[:70]))
        elif cut:
            notes.append(mailed(said, "removed_none", count=len(cut)))
    return notes


def in_regret(run: "Run", desk: MailDesk, line: Line, mail: Any, seat: str) -> str:
    """Within the game's regret delay a mail waits, and a newer one takes its place."""
    delay = clock.times(desk.game.header).regret
    question = desk.match.question
    if not delay or question is None:
        return ""
    if any(is_newer(run, desk, one, seat) for one in run.ledger.waiting() if one["at"] > line["at"]):
        return refused(run, desk, line, mail, seat, "superseded", mailed(showing.words(desk, seat), "superseded"))
    return "" if desk.past_due() is not None or run.now - moment(line["at"]) >= timedelta(minutes=delay) else "received"


def is_newer(run: "Run", desk: MailDesk, line: Line, seat: str) -> bool:
    """Is this a later mail of the same seat with orders in it, whose writer proves to be asked?"""
    mail = looked_at(run, line)
    route = routing.route(run.rosters, mail.from_, tokens.found(mail, run.config.domain), mail.subject)
    if mail.class_ != "human" or route.games != [letters.title(desk)] or route.seat != seat or route.token is None:
        return False
    return bool(commands.sort(desk, seat, mail.orders).orders)


# --- answers ----------------------------------------------------------------------------------------------------------


def queue(desk: MailDesk, mails: Iterable[Item]) -> None:
    """Kept in the game's private file until they are in the outbox."""
    for one in mails:
        desk.mail.setdefault("queue", {})[one["key"]] = json.dumps(one, ensure_ascii=False)


def finish(run: "Run", desk: MailDesk, line: Line, seat: str, mails: Iterable[Item], state: str, because: str = "") -> str:
    """The mail's mark, its receipt and what it did are written as one, by `settle`; then the ledger."""
    desk.dealt_with(line["id"], state)
    queue(desk, mails)
    return settled(run, line, state, because, game=letters.title(desk), seat=seat)


def settled(run: "Run", line: Line, state: str, because: str, **more: Any) -> str:
    """What became of a mail; of what needs a decision the moderator is told, of strangers only the quarantine knows."""
    if state == "held" or more.get("seat") and state == "quarantined":
        run.notice(f"mail-{line['id']}", "held", [f"pbem mail {verb} {line['n']}" for verb in ("show", "release", "reject")],
                   n=line["n"], sender=line.get("sender", "?"), subject=line.get("subject", ""), why=because,
                   game=more.get("game", ""), seat=more.get("seat", ""))
    run.ledger.note(line["id"], state, **({"why": because} if because else {}), **more)
    return state


def refused(run: "Run", desk: MailDesk, line: Line, mail: Any, seat: str, kind: str, said: str) -> str:
    """Nothing of the mail counts; its sender is told why, and how things stand."""
    desk.begin()
    made = letters.refusal(desk, run.config, seat, line["id"], said, run.now, kind=kind, reply_to=mail.message_id,
                           sender=mail.from_)
    return finish(run, desk, line, seat, made, "refused", str(said)[:200])


def failed(run: "Run", line: Line, fault: str) -> str:
    """The program failed over a mail: the moderator has it, and if it is a player's, he is told so."""
    with suppress(Exception):                               # whatever failed before may fail again
        mail = looked_at(run, line)
        route = routing.route(run.rosters, mail.from_, tokens.found(mail, run.config.domain), mail.subject)
        desk = run.desk(route.games[0]) if mail.class_ == "human" and len(route.games) == 1 and route.seat else None
        if desk is not None:
            said = showing.words(desk, route.seat)
            desk.begin()
            queue(desk, letters.refusal(desk, run.config, route.seat, f"failed-{line['id']}", mailed(said, "fault"), run.now,
                                        kind="fault", reply_to=mail.message_id, sender=mail.from_))
            line.update(game=letters.title(desk), seat=route.seat)
    return settled(run, line, "held", fault, **{name: line[name] for name in ("game", "seat") if line.get(name)})


def ask_to_confirm(run: "Run", desk: MailDesk, line: Line, mail: Any, seat: str) -> str:
    """A mail from a known address that nothing vouches for: its owner is asked."""
    desk.begin()
    queue(desk, letters.confirm(desk, run.config, seat, line["id"], mail.orders or mail.attached, run.now, mail.message_id))
    return settled(run, line, "confirm", why("to_confirm"), game=letters.title(desk), seat=seat)


def confirmed(run: "Run", desk: MailDesk, line: Line, mail: Any, seat: str, token: Issued) -> str:
    """The reply that lets a mail count."""
    held = token.window.partition(":")[2]
    first, said = next(iter(mail.orders), ""), showing.words(desk, seat)
    waits = run.ledger.mails[held]
    if NO.match(first):
        run.ledger.note(held, "rejected", why=why("declined"))
        return refused(run, desk, line, mail, seat, "declined", mailed(said, "declined"))
    if not YES.match(first):
        if any(commands.sort(desk, seat, mail.orders)[:2]):     # he writes his orders anew: that they are his is sure now
            return applied(run, desk, line, mail, seat, rights.APPLY, token)
        return refused(run, desk, line, mail, seat, "yes_or_no", mailed(said, "yes_or_no"))
    if waits["state"] == "confirm":
        run.ledger.also(held, confirmed_by=line["id"])
        take(run, waits, released=seat)
    return settled(run, line, "applied", why("confirms", id=held), game=letters.title(desk), seat=seat)


def too_large(run: "Run", line: Line, mail: Any) -> str:
    """Of a giant only the head was fetched; who sent it from a seat's address is told."""
    route = routing.route(run.rosters, mail.from_, tokens.found(mail, run.config.domain), mail.subject)
    if len(route.games) == 1 and route.seat:
        desk = run.desk(route.games[0])
        if desk is None:
            return "received"
        if not desk.became(line["id"]):
            told = mailed(showing.words(desk, route.seat), "too_large", size=line["size"] // 1000,
                          most=run.config.limits["size"] // 1000)
            return refused(run, desk, line, mail, route.seat, "too_large", told)
        return settled(run, line, "refused", why("too_large"))
    return settled(run, line, "quarantined", why("too_large"))


def several_games(run: "Run", line: Line, mail: Any, games: Sequence[str], named: bool) -> str:
    """One mail, one game; without a game of its own the answer goes through the mailbox's outbox."""
    if not any(run.rosters[game].seat_of(mail.from_) for game in games):
        return settled(run, line, "quarantined", why("stranger"))
    said = showing.plain_words()
    text, subject = mailed(said, "several_games" if named else "which_game", games=list(games)), mailed(said, "subject_which")
    one = outbox.item(run.config, "receipt", line["id"], mail.from_, mailed(said, "failed", said=subject), text + "\n", run.now,
                      reply_to=mail.message_id, auto="auto-replied", refusal="several_games" if named else "which_game")
    run.says.append(one)
    return settled(run, line, "refused", why("several_games"), games=list(games))


def observer(run: "Run", line: Line, mail: Any, game: str = "") -> str:
    """Somebody without a seat: a subscriber may end his reports; everybody else waits for the moderator, unanswered."""
    first = next((one.strip().casefold() for one in mail.lines if one.strip()), "")
    if first == "observe stop":
        for name, roster in run.rosters.items():
            if mail.from_.casefold() in roster.observers and (desk := run.desk(name)) is not None:
                desk.begin()
                wanted = mail.from_.casefold()
                desk.private["observers"] = [one for one in desk.private["observers"] if one.casefold() != wanted]
        return settled(run, line, "applied", why("observer_left"))
    reason = why("observe" if first.startswith("observe") else "stranger")
    return settled(run, line, "quarantined", reason, **({"game": game} if game else {}))


def bounced(run: "Run", line: Line, mail: Any) -> str:
    """A hard bounce marks the seat, holds its deadline and tells the moderator; a soft one is a note."""
    told = mail.bounce
    found = [*(tokens.in_text(told.message_id) if told is not None else ()), *tokens.found(mail, run.config.domain)]
    token = routing.route(run.rosters, "", found, "").token
    if told is None or token is None:
        for address in told.recipients if told is not None else ():
            ours = [game for game, roster in run.rosters.items() if roster.seat_of(address) or address in roster.observers]
            if ours:                            # anybody could write this: it holds nothing up, but it should be known
                run.notice(f"bounce-{line['id']}", "maybe", games=ours, address=address, status=told.status)
        return settled(run, line, "bounce", why("bounce_unknown"))
    desk = run.desk(token.game)
    if desk is None:
        return "received"
    if told.hard:
        if not desk.became(line["id"]):         # else it was killed after this, and perhaps the seat has written since
            desk.begin()
            desk.mail.setdefault("unreachable", {})[token.seat] = stamp(run.now)
            desk.dealt_with(line["id"], "bounce")
        run.notice(f"bounce-{line['id']}", "bounce", game=token.game, seats=[token.seat], status=told.status,
                   recipients=told.recipients)
    return settled(run, line, "bounce", why("bounce_hard" if told.hard else "bounce_soft"), game=token.game, seat=token.seat)


def first_today(run: "Run", kind: str, sender: str, id: str) -> bool:
    """One refusal per sender, kind and day."""
    told = run.state.data.setdefault("refused", {})
    name = f"{run.now:%Y-%m-%d} {kind} {sender.casefold()}"
    for old in [one for one in told if not one.startswith(f"{run.now:%Y-%m-%d}")]:
        del told[old]
    return bool(told.setdefault(name, id) == id)
