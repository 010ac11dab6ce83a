"""A private file from before there were slips (format 1), as it is written now."""

from collections.abc import Mapping
from typing import Any

from pbem.base.errors import BadLog
from pbem.base.records import unknown
from pbem.base.yamlfile import line_of

KNOWN = frozenset("""
    secrets cards addresses asked sealed ahead prepared filed fallen standing standing_used settings observers absences mail
    journal
""".split())
Data = dict[str, Any]


def carried_over(old: Mapping[str, Any], file: str) -> Data:
    """Nothing is left behind; what was never known is refused."""
    for key, value in old.items():
        if key not in KNOWN:
            raise unknown(key, KNOWN, file, line_of(old, key), "")
        if key != "observers" and not isinstance(value, dict | None) and not (
                isinstance(value, list) and key in ("fallen", "standing_used")):
            raise BadLog("wrong_type", file=file, line=line_of(old, key), found=key, wanted="mapping")
    new: Data = {"tray": 2, **{key: old[key] for key in ("secrets", "cards", "asked", "observers", "absences") if old.get(key)}}
    new["addresses"] = {seat: [one] if isinstance(one, str) else one for seat, one in (old.get("addresses") or {}).items()}
    new["answers"] = [
        *({"seat": seat, "question": question, **kept}
          for question, seats in (old.get("sealed") or {}).items() for seat, kept in seats.items()),
        *({"seat": seat, "question": "", "ahead": 1, **kept} for seat, kept in (old.get("ahead") or {}).items())]
    new["turns"] = [{"seat": seat, **kept} for seat, kept in (old.get("prepared") or {}).items()]
    new["filed"] = [
        *({"seat": seat, **one} for seat, filed in (old.get("filed") or {}).items() for one in filed),
        *({"seat": one["seat"], "went": one["entry"], **one["was"]} for one in old.get("fallen") or ())]
    new["standing"] = standing_orders(old)
    settings = dict(old.get("settings") or {})
    press = settings.pop("press", None) or {}
    new["settings"] = settings
    new["press"] = {**{name: 1 for name in ("off", "anonymous") if press.get(name) == "yes"},
                    **({"held": 1} if press.get("when") == "held" else {}),
                    **({"daily": int(press["daily"])} if "daily" in press else {})}
    mail = dict(old.get("mail") or {})
    new["letters"] = [{"seat": one["from"], "to": one["to"], "text": one["text"], "waits": one["for"]}
                      for one in mail.pop("press", None) or ()]
    new["mail"] = post(mail)
    if journal := old.get("journal"):
        new["journal"] = {**journal, "before": carried_over(journal.get("before") or {}, file)}
    return {key: value for key, value in new.items() if value}


def standing_orders(old: Mapping[str, Any]) -> list[Data]:
    """The orders that lie there; and as they were before they answered, for as long as an undo may ask for it."""
    lying = [_order(seat, one) for seat, orders in (old.get("standing") or {}).items() for one in orders]
    used = [{**_order(one["seat"], one["record"]), "went": one["entry"]} for one in old.get("standing_used") or ()]
    for one in lying:
        laid = [before["went"] for before in used if (before["seat"], before["no"]) == (one["seat"], one["no"])]
        if laid:
            one["laid"] = max(laid)
    return [*lying, *used]


def _order(seat: str, one: Mapping[str, Any]) -> Data:
    conditions = one.get("if") or []
    return {"seat": seat, **{key: value for key, value in one.items() if key != "if"}, "conditions": conditions}


def post(mail: Data) -> Data:
    """The mailbox's part."""
    if mail.get("taken"):
        mail["taken"] = dict(one.partition(" ")[::2] for one in mail["taken"])
    if count := mail.get("press_count"):
        sent = {key: value for key, value in count.items() if key != "day"}
        mail["press_count"] = {"day": count.get("day", ""), "sent": sent}
    return mail
