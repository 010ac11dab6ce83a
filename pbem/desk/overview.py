"""The moderator's list: who waits for what, what to post, what to rule, what to type next."""

from dataclasses import asdict
from typing import Any

from pbem.base.clock import stamp
from pbem.desk import deadline, wishes
from pbem.desk import tray as trays
from pbem.desk.desk import Desk
from pbem.desk.reporting import since_posted
from pbem.desk.showing import PUBLIC, ceremony, closing, edited, printed, seen, sentence, words
from pbem.rules.war import MODERATOR
from pbem.telling import views
from pbem.telling.words import Words, about_of

SECRET_DEFAULTS = frozenset(("tyche", "turn_up"))           # what silence means there is a card that nobody has seen yet
OVERDUE = {deadline.CLOSES: "pbem run {place} --overdue", deadline.UNLOOKED: "pbem mail run"}


def status(desk: Desk, reader: str = "") -> str:
    """Who waits for what, what to post, what to rule, what to type next."""
    from pbem.chance import beacon
    from pbem.telling.report import status as written

    awaited = desk.awaited
    waits = [sentence(beacon.waits(awaited), words(desk, reader))] if awaited is not None else []
    if desk.match.table is None:
        return "\n\n".join([*waits, before_the_game(desk)])
    missing = "" if reader else without_secrets(desk)
    reader = reader or (MODERATOR if desk.tray else PUBLIC)
    told = written(seen(desk, reader), {**to_do(desk, reader), "secrets": missing}, words(desk, reader))
    return "\n\n".join([*waits, told])


def noticed(desk: Desk) -> list[str]:
    """What somebody has changed in the files since they were written: said by the next command, whatever it does."""
    from pbem.log import gamelog

    said, state = words(desk, MODERATOR), gamelog.overrides_are(desk.game)
    found = [str(said.phrase(f"overrides_{state}", place=desk.folder))] if state else []
    return found + edited(desk.folder, gamelog.hand_edits(desk.game), said)


def without_secrets(desk: Desk) -> str:
    """What can still be done where the secrets of a game should be or could be, and are not."""
    from pbem.log import gamelog
    from pbem.log.promise import is_kept, private_is_gone

    if desk.keys is not None or not is_kept(desk.game) or trays.read(desk.place).secrets is not None:
        return ""
    said = words(desk)
    if private_is_gone(desk.game):
        return said.phrase("secrets_gone")
    return said.phrase("secrets_by_hand" if (desk.folder / gamelog.PRIVATE).exists() else "secrets_elsewhere")


def before_the_game(desk: Desk) -> str:
    """The start ceremony: what to post, whose word is missing, what to type next."""
    from pbem.desk.seeding import status as found

    place, so_far, said = desk.folder, found(desk.folder), words(desk)
    rows = [("words", line) for line in ceremony(so_far, said)[1:]]
    if so_far.seeded:
        rows.append(("to_post", said.phrase("with_command", what=said.phrase("posts"), command=f"pbem seed post {place}")))
        rows += [("to_enter", f'pbem seed word {place} {seat} "..."') for seat in so_far.missing]
    if command := suggestion(desk):
        rows.append(("next", command))
    lines = [f"{said.phrase(f'status_{label}'):<10}{text}" for label, text in rows]
    return "\n".join([said.phrase("not_begun", game=so_far.game), "", *lines]) + "\n"


def to_do(desk: Desk, reader: str) -> dict[str, Any]:
    """The same as data; everything a person has to type stands there as it has to be typed."""
    match, question, place = desk.match, desk.match.question, desk.folder
    if reader == PUBLIC:
        return {"now": stamp(desk.now), "waiting": [], "to_rule": [], "held": [], "next": ""}
    said = words(desk)
    items: dict[str, Any] = {"now": stamp(desk.now), "waiting": [], "to_rule": [], "held": []}
    items["to_post"] = to_post(desk, said)
    if question is not None and question.sides == (MODERATOR,):
        about = about_of(views.asked(match.g, question, ""))
        what: list[str] = [said.tell("questions", f"{question.kind}.what", about)]
        asked_on = f"cards.{about['card']}" if about.get("card") else f"generals.{about.get('general')}"
        what += [printed(desk, said, asked_on)] if asked_on in desk.tray.printed else []
        items["to_rule"] = [{"what": " ".join(what), "command": f"pbem ruling {place} ..."}]
    elif question is not None:
        asked = desk.tray.asked
        since = asked.at if asked is not None and asked.id == question.id else items["now"]
        answered = desk.sealed(question)
        then = match.say(question.default) if question.kind not in SECRET_DEFAULTS else ""
        items["waiting"] = [{"id": question.id, "kind": question.kind, "seat": seat, "asked_since": since,
                             "due": match.told_due(question), "answered": seat in answered, "then": then}
                            for seat in question.sides]
    stands = deadline.closing(desk)
    if stands is not None and stands.is_past_due and stands.state != deadline.CLOSES:
        items["closing"] = closing(stands, said)
    if stands is not None and stands.state == deadline.RULE and stands.rule == MODERATOR:
        items["to_rule"].append({"what": said.phrase("overdue_yours", id=stands.question.id),
                                 "command": f'pbem run {place} --close {stands.question.id} --reason "..."'})
    items["to_rule"] += [{"what": said.phrase("undo_wished", place=place, **asdict(one)), "command": wishes.command(desk, one)}
                         for one in wishes.all_open(desk)]
    for seat in match.seats:
        if desk.is_held(seat):
            items["held"].append({"seat": seat, "count": len(desk.waiting(seat))})
    items["next"] = suggestion(desk)
    return items


def to_post(desk: Desk, said: Words) -> list[dict[str, Any]]:
    """What has happened since the last report that was posted, and how the next one is marked."""
    since, last = since_posted(desk, desk.tray.posted), len(desk.game.entries)
    if since is None and desk.tray.posted:
        return []
    return [{"what": said.phrase("entries_since", first=since or 1, last=last), "command": f"pbem report {desk.folder}"},
            {"what": said.phrase("when_posted"), "command": f"pbem posted {desk.folder} {last}"}]


def suggestion(desk: Desk) -> str:
    """The exact command that comes next, if one is due."""
    question, place = desk.match.question, desk.folder
    if desk.match.table is None:
        from pbem.desk import seeding

        so_far = seeding.status(desk.folder)
        if so_far.missing and seeding.is_open(so_far.deadline, desk.now):
            return ""                                           # `begin` would wait for the words, too
        return f"pbem begin {place}" + (f" --position {desk.tray.adopts}" if desk.tray.adopts else "")
    if question is None:
        return ""
    if held := [seat for seat in question.sides if desk.is_held(seat)]:
        return f"pbem run {place} --release {held[0]}"
    if (stands := deadline.closing(desk)) is not None and stands.state in OVERDUE:
        return OVERDUE[stands.state].format(place=place)
    if question.sides == (MODERATOR,):
        return f"pbem ruling {place} \"...\"{' --abandon step' * (question.kind == 'ruling')}"
    return f"pbem options {place}"


def status_data(desk: Desk) -> dict[str, Any]:
    """For programs; with the fingerprint of the public position."""
    from pbem.table.position import fingerprint

    reader = MODERATOR if desk.tray else PUBLIC
    view = seen(desk, reader)
    if desk.match.table is None:
        from pbem.desk.seeding import status as ceremony

        return {"entries": 0, "head": view["log"]["head"], "question": None, "next": suggestion(desk),
                "ceremony": ceremony(desk.folder)._asdict()}
    return {**to_do(desk, reader), "secrets": without_secrets(desk), "position": fingerprint(desk.match.g),
            "head": view["log"]["head"], "entries": view["log"]["entries"], "turn": view["turn"],
            "round": view["round"], "player": view["player"], "phase": view["phase"], "segment": view["segment"],
            "standings": view["standings"], "question": view["question"] and view["question"]["id"],
            "held_because": desk.match.stopped, "over": desk.match.g.over}
