"""What lies on the server: what of it is fetched now, in which order, and what may not be overlooked until it is fetched.

A mail counts as fetched when its bytes are on the disk and the ledger says so, not before. What cannot be had is asked for
with every run, for as long as it lies there. If more lies there than one run takes, the heads are read first, to the end:
mails that may be those of players go before mails of strangers.
"""

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.base.clock import moment, stamp
from pbem.base.errors import PbemError
from pbem.mail import parts, tokens
from pbem.mail.box import Box, Listed
from pbem.mail.classes import first
from pbem.mail.ledger import Copy
from pbem.mail.routing import issued_for
from pbem.mail.run import ANYBODY, Run, Unread

STUBBORN = 2                    # mails that could not be had before, asked for again in one run: each may cost the connection
TOKEN, SEAT, STRANGER = range(3)            # who is fetched first: an address can be forged, a token cannot


class Sight(NamedTuple):
    """A mail that lies there, seen from outside: from whom it may be."""

    listed: Listed
    rank: int = STRANGER
    seats: frozenset[tuple[str, str]] = frozenset()         # game and seat


def fetch(run: Run, box: Box) -> None:
    """A bounded number of mails, one at a time; what is left is known by its head, if its head could be read."""
    limits, ledger, tries = run.config.limits, run.ledger, dict(run.state.tries)
    starting_point(run, box)
    known = {copy.uid for copy in ledger.copies if (copy.where, copy.uidvalidity) == (run.where, box.uidvalidity)}
    lying = box.listed(min([run.state.next, *map(int, tries)]), known)
    tries = {uid: number for uid, number in tries.items() if int(uid) in {one.uid for one in lying}}
    is_flood = len(lying) > limits["mails"]
    seen = looked_over(run, box, lying) if is_flood else [Sight(one) for one in lying]
    wanted = chosen(seen, tries, limits["mails"])
    got: set[int] = set()
    old: list[int] = []
    trouble: Exception | None = None
    started = time.monotonic()
    try:
        for one, raw in box.fetch([sight.listed for sight in wanted], limits["size"]):
            if raw is None:
                tries[str(one.uid)] = tries.get(str(one.uid), 0) + 1
                run.summary.gone.append(one.uid)
            else:
                row = ledger.receive(Copy(run.where, box.uidvalidity, one.uid), raw, one.received, one.size)
                got.add(one.uid)
                if row is not None:
                    run.fresh.add(row.id)
                if row is not None and is_old(run, one):
                    old.append(ledger.put(row._replace(state="old")).n)
            if time.monotonic() - started > limits["seconds"]:
                break
    except (PbemError, OSError) as problem:     # what came before is kept all the same
        trouble = problem
    ledger.settle()
    left = [one for one in seen if one.listed.uid not in got]
    following = min((one.listed.uid for one in left if str(one.listed.uid) not in tries),
                    default=max([run.state.next - 1, *(one.uid for one in lying)]) + 1)
    run.state = run.state._replace(next=following, left=len(left), tries={
        uid: number for uid, number in tries.items() if int(uid) not in got})
    run.save()
    run.summary.fetched, run.summary.left = len(got), len(left)
    for uid in run.summary.gone:
        run.notice(f"unfetched-{box.uidvalidity}-{uid}", "unfetched", uid=uid, where=run.where)
    if old:
        run.notice(f"old-{box.uidvalidity}-{min(old)}", "old", [f"pbem mail release {min(old)}"], numbers=sorted(old))
    if trouble is not None:
        raise trouble
    left = left if is_flood or not left else looked_over(run, box, [one.listed for one in left])
    run.unread = unread(left, limits["size"])


def starting_point(run: Run, box: Box) -> None:
    """The UID to begin with. On a mailbox never seen before that is the next one: nothing older is answered."""
    state, following = run.state, box.uidnext or 1
    if state.where != run.where:
        run.state = state._replace(where=run.where, uidvalidity=box.uidvalidity, next=following, proven=following,
                                   began=stamp(run.now), tries={})
        run.save()
    elif state.uidvalidity != box.uidvalidity:              # known mails are told by their content
        run.state = state._replace(uidvalidity=box.uidvalidity, next=1, proven=following, tries={})


def is_old(run: Run, one: Listed) -> bool:
    """Did it lie there before the first run? Its UID proves that it did not, until the server numbers all of them anew."""
    return one.uid < run.state.proven and one.received < moment(run.state.began)


def chosen(seen: Sequence[Sight], tries: dict[str, int], most: int) -> list[Sight]:
    """What is fetched in this run: who proves to be asked, then who seems to be, then others, each as they came.

    What could not be had before comes last, the least tried first, and few of it, for the server may hang up over each.
    """
    fresh = sorted((one for one in seen if str(one.listed.uid) not in tries), key=lambda one: (one.rank, one.listed.uid))
    again = sorted((one for one in seen if str(one.listed.uid) in tries), key=lambda one: tries[str(one.listed.uid)])
    return fresh[:most] + again[:STUBBORN]


def looked_over(run: Run, box: Box, lying: Sequence[Listed]) -> list[Sight]:
    """From whom these mails may be, as far as their heads tell; a head that cannot be read may be anybody's."""
    run.know(run.places)
    return [seen_from_outside(run, one, head) for one, head in box.heads(lying, run.config.limits["seconds"])]


def seen_from_outside(run: Run, one: Listed, head: bytes | None) -> Sight:
    """The same addresses and tokens that decide once the mail is read; nothing of it is believed for more than its turn."""
    if head is None:
        return Sight(one, SEAT, frozenset([ANYBODY]))
    fields = parts.fields(parts.header_only(head))
    brought = tokens.in_text(" ".join(value for name, values in fields.items() if name != "from" for value in values))
    if found := list(issued_for(run.rosters, brought)):
        return Sight(one, TOKEN, frozenset((issued.game, issued.seat) for issued in found))
    senders = {address for _, address in parts.addresses(first(fields, "from"))}
    seats = frozenset((game, seat) for game, roster in run.rosters.items() for address in senders
                      if (seat := roster.seat_of(address)))
    return Sight(one, SEAT if seats else STRANGER, seats)


def unread(left: Iterable[Sight], largest: int) -> list[Unread]:
    """Mails that lie there and may be those of seats. A giant would not be read in any case, and blocks nothing."""
    return [Unread(*seat, one.listed.received) for one in left if one.listed.size <= largest for seat in one.seats]
