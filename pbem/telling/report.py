"""Reports and the moderator's to-do list: a view and its events become text. Nothing here knows more than the view."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pbem.base.language import Safe, fill, wrapped
from pbem.table.events import Event
from pbem.telling.formats import FORMATS, Format, css
from pbem.telling.ledger import Change, changes, touched
from pbem.telling.story import UNNUMBERED, Numbers, going_on, story
from pbem.telling.words import Words

View = Mapping[str, Any]
BARS = "▁▂▃▄▅▆▇█"

# How the Provinces are gone through in a report: from west to east, as one looks over the board.
AREAS = {
    "greece": ("makedonia", "thessalia", "hellas", "epeiros", "illyria"), "thrace": ("thrake", "skythia"),
    "islands": ("krete", "rhodos", "kypros"), "egypt": ("aigyptos", "libye"),
    "asia_minor": ("mikra_phrygia", "bithynia", "lydia", "karia", "pamphylia_lykia", "phrygia", "kappadokia", "kilikia"),
    "syria": ("syria", "phoenike", "koile_syria", "ioudaia", "nabataia"),
    "mesopotamia": ("armenia", "mesopotamia", "babylonia"),
    "upper": ("sousiane", "persis", "media", "atropatene", "hyrkania"),
}


def report(view: View, events: Iterable[Event], questions: Iterable[str], words: Words, fmt: str = "md",
           numbers: Numbers = UNNUMBERED, *, before: Iterable[Event] = (), since: int = 0, whole: bool = False,
           went: Iterable[View] = ()) -> str:
    """Who is awaited, what has changed, what happened, where everybody stands: for one reader, in one format.

    `questions` are the texts of what this reader is asked, as `Words.question` wrote them for this format; `numbers`
    are those of `changes.numbers`, if a map goes along. `before` is what was told earlier, up to the entry `since`. The
    `whole` position has every sum and piece, and all rulings ever. At the end of the game it is told how the totals `went`.
    """
    form = FORMATS[fmt]
    said = words.inked(form.ink)
    told = [event for event in events if event.for_seat(view["reader"])]
    lists = [(said.phrase("armies"), armies(view, said, touched(told))), (said.phrase("marks"), lasting(view["marks"], said))]
    return said.layout(form.layout).render(
        view=view, title=title(view, said), waiting=waiting(view, said), changed=[
            *(Safe(form.seat(one.seat, said.letter(one.seat), Safe()) + changed(one, said))
              for one in sorted(changes(told, before), key=lambda one: _rank(view, one.seat))),
            *(said.phrase("near", **one) for one in view["near"] if not view["over"])],
        sections=story([*going_on(before, told), *told], said, form, numbers), standings=standings(view, said, form),
        sums=sums(view, said) if whole else [],
        lists=[(said.phrase("course"), course(went, view, said)),
               *lists, *([(said.phrase("places"), lasting(view["places"], said))] if whole else []),
               (said.phrase("rulings"), rulings(view, told, said, since, whole=whole))],
        questions=[form.fixed(text.rstrip("\n")) for text in questions],
        marks=[said.event(event) for event in view["log"]["marks"] if not event.facts.get("number")], p=form.paragraph, css=css)


def rulings(view: View, told: Iterable[Event], words: Words, since: int, *, whole: bool) -> list[Safe]:
    """What no rule made: undos, rulings, corrections, dice thrown by hand. Each is told once, in the story; of those before it
    stand the numbers of their entries, and in the whole position they are told again."""
    known = {(event.key, event.facts.get("number")) for event in told}
    found = [event for event in view["log"]["marks"] if event.facts.get("number")]
    before = [] if whole else dict.fromkeys(event.facts["number"] for event in found if event.facts["number"] < since)
    again = [event for event in found if whole or (event.facts["number"] not in before
                                                   and (event.key, event.facts["number"]) not in known)]
    return [*(words.phrase("marked", number=event.facts["number"], said=words.event(event)) for event in again),
            *([words.phrase("marked_before", numbers=list(before))] if before else [])]


def course(rows: Iterable[View], view: View, words: Words) -> list[Safe]:
    """How VP and L went, a line for each seat: what it had when each Game Turn ended, as bars and as numbers."""
    found = list(rows)
    began = {row["turn"]: row for row in reversed(found)}                   # the first of each Game Turn
    ended = [*(began[turn] for turn in sorted(began)[1:]), *found[-1:]]
    most = {what: max([1, *(both[what] for row in ended for both in row["seats"].values())]) for what in ("VP", "L")}
    lines = []
    for seat in [row["seat"] for row in view["standings"]] if found else ():
        had = {what: [row["seats"][seat][what] for row in ended] for what in most}
        bars = {what: "".join(BARS[max(0, one) * 7 // most[what]] for one in totals) for what, totals in had.items()}
        lines.append(words.phrase("course_row", seat=seat, numbers=had, bars=bars))
    return lines


def changed(one: Change, words: Words) -> Safe:
    """What is different for a seat: its totals with what came and went, its spaces, its Generals."""
    parts = [words.phrase("changed_total", what=what, total=total) for what, total in one.totals.items()]
    for key, (won, lost) in (("spaces", one.spaces), ("generals", one.generals)):
        parts += [words.phrase(f"changed_{key}_won", names=won)] if won else []
        parts += [words.phrase(f"changed_{key}_lost", names=lost)] if lost else []
    parts += [words.phrase(f"changed_champion_{one.champion}")] if one.champion else []
    return words.phrase("changed", seat=one.seat, parts=parts)


def title(view: View, words: Words) -> Safe:
    """Which game, and whose move it is."""
    where = words.phrase("player_turn" if view["player"] else "in_phase", **{
        name: view[name] for name in ("turn", "round", "player", "segment", "phase")})
    return words.phrase("title", title=view["title"], where=where)


def waiting(view: View, words: Words) -> Safe:
    """The one line that says who is awaited: everybody who is asked, whoever has answered."""
    question = view["question"]
    if view["over"]:
        return words.phrase("game_over", **view["over"])
    if question is None:
        return words.phrase("nobody_awaited")
    if view["held"]:
        return words.phrase("on_hold", reason=view["held"])
    return words.phrase("waiting_for", sides=question["sides"], what=words.waiting(question), due=question["due"])


def standings(view: View, words: Words, form: Format) -> Safe:
    """Who is what, with how much."""
    head = [words.phrase(f"standings_{name}") for name in ("player", "status", "legitimacy", "points", "cards")]
    rows = [[form.seat(row["seat"], words.letter(row["seat"]), words.player(row["seat"])),
             words.phrase("standing", champion=row["champion"], usurper=row["usurper"]),
             str(row["L"]), str(row["VP"]), str(row["hand"])]
            for row in ranked(view)]
    return form.table(head, rows)


def ranked(view: View) -> list[Mapping[str, Any]]:
    """The seats with most Victory Points first, then by Legitimacy, then as they play."""
    return sorted(view["standings"], key=lambda row: (-row["VP"], -row["L"]))


def _rank(view: View, seat: str) -> int:
    """The place of a seat in the standings; the Independents come behind."""
    return next((place for place, row in enumerate(ranked(view)) if row["seat"] == seat), len(view["standings"]))


def sums(view: View, words: Words) -> list[Safe]:
    """Where L and VP come from."""
    return [words.phrase("sums", **row) for row in ranked(view)]


def armies(view: View, words: Words, new: Collection[str]) -> list[Safe]:
    """The stacks on the map, a line for each part of it; marked where something has happened."""
    found: dict[str, list[Safe]] = {}
    for stack in sorted(view["armies"], key=lambda stack: _area(stack["at"], words)):
        area = list(AREAS)[_area(stack["at"], words)[0]]
        found.setdefault(area, []).append(words.phrase("stack", new=stack["at"].partition("/")[0] in new, **stack))
    return [words.phrase("armies_in", area=area, stacks=stacks) for area, stacks in found.items()]


def _area(location: str, words: Words) -> tuple[int, int, str]:
    """Where a place comes in the round over the board; a Province that only this box has behind the others of its region."""
    province = words.facts.spaces[location.partition("/")[0]]["province"]
    for number, provinces in enumerate(AREAS.values()):
        if province in provinces:
            return number, provinces.index(province), location
    known, region = words.facts.provinces, words.facts.provinces[province]["region"]
    number = next((number for number, provinces in enumerate(AREAS.values()) for one in provinces
                   if one in known and known[one]["region"] == region), len(AREAS) - 1)
    return number, len(known), location


def lasting(lines: Iterable[View], words: Words) -> list[Safe]:
    """What lasts from one step to the next, a line each."""
    return [words.tell("lasting", line["what"], line["facts"]) for line in lines]


# --- the moderator's to-do list ----------------------------------------------------------------------------------


def status(view: View, items: Mapping[str, Any], words: Words) -> str:
    """Who waits for what since when, what to post, what to rule, what to type.

    `items`, made by the desk: `now`; `waiting` [{id, seat, asked_since, answered, then}]; `to_post`, `to_rule` and
    `mail` [{what, command}]; `held` [{seat, count}]; `closing`, why silence has not closed it; `secrets`, what to do
    without them; `next`. Whether somebody has answered only the moderator's view says.
    """
    rows = [("", words.phrase("status_title", title=title(view, words), **view["log"]))]
    rows += [("secrets", items["secrets"])] if items.get("secrets") else []
    rows += [("waiting", row) for row in _awaited(view, items, words)]
    for label in ("to_post", "to_rule", "mail"):
        found = [words.phrase("with_command", **item) for item in items.get(label) or ()]
        rows += [(label, row) for row in found or [words.phrase("nothing")] if found or label != "mail"]
    rows += [("held", words.phrase("held_lines", **item)) for item in items.get("held") or ()]
    rows.append(("totals", words.phrase("totals", standings=view["standings"])))
    rows += [("marks", line) for line in lasting(view["marks"], words)]
    if items.get("next"):
        rows.append(("next", words.phrase("next", what=items["next"])))
    lines, before = [fill(rows[0][1]), ""], ""
    for label, text in rows[1:]:
        lead = words.phrase(f"status_{label}") if label != before else ""
        lines += wrapped(f"{lead:<10}{text}", 10)
        before = label
    return "\n".join(lines) + "\n"


def _awaited(view: View, items: Mapping[str, Any], words: Words) -> list[Safe]:
    question = view["question"]
    if view["over"]:
        return [words.phrase("game_over", **view["over"])]
    if question is None:
        return [words.phrase("nobody_awaited")]
    told = view["reader"] == "moderator"
    people = [words.phrase("awaited", seat=one["seat"], hours=hours(one["asked_since"], items["now"]),
                           answered=told and one.get("answered", False)) for one in items.get("waiting") or ()]
    then = next((one["then"] for one in items.get("waiting") or () if one.get("then")), "")
    rows = [words.phrase("on_hold", reason=view["held"])] if view["held"] else []
    rows += [words.phrase("awaited_question", id=question["id"], what=words.waiting(question)), words.all(people)]
    if question["due"]:
        rows.append(words.phrase("awaited_due", due=question["due"], then=words.retold(then)))
    return rows + ([items["closing"]] if items.get("closing") else [])


def hours(since: str, now: str) -> int:
    """Whole hours between two moments."""
    from datetime import datetime

    return int((datetime.fromisoformat(now) - datetime.fromisoformat(since)).total_seconds() // 3600)
