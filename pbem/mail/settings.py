"""What `pbem mail setup` was told, what it asks for, and how that differs from the mail.yaml that is there."""

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem.base import yamlfile
from pbem.mail import config

Ask = Callable[[str, str], str]
SOURCES = ("env", "file", "command", "keyring")
PLAIN = ("name", "moderator", "authserv", "cafile")


def settings(path: Path, given: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """All that the file is to say: what is given, else what it says already, else what is asked for."""
    before: dict[str, Any] = (yamlfile.load(path) or {}) if path.exists() else {}
    old = {kind: dict(before.get(kind) or {}) for kind in ("imap", "smtp", "secret")}
    address = given["address"] or before.get("address") or ask("address", "")
    user = given["user"] or old["imap"].get("user") or address
    domain = address.rpartition("@")[2]
    imap = given["imap_host"] or old["imap"].get("host") or ask("imap", f"imap.{domain}")
    smtp = given["smtp_host"] or old["smtp"].get("host") or ask("smtp", f"smtp.{domain}")
    found = {**before, "address": address, **_said({key: given[key] for key in PLAIN})}
    if not before and not given["moderator"] and not _has_secret(given):
        found |= _said({"moderator": ask("moderator", address)})
    found.setdefault("name", "pbem")
    found["imap"] = {**old["imap"], **_said({"host": imap, "port": given["imap_port"], "tls": given["imap_tls"], "user": user,
                                             "folder": given["folder"], "done": given["done"]})}
    found["smtp"] = {**old["smtp"], **_said({"host": smtp, "port": given["smtp_port"], "tls": given["smtp_tls"], "user": user})}
    found["secret"] = _secret(given, old["secret"], ask)
    found["games"] = list(given["patterns"]) or before.get("games") or ["games/*"]
    return found


def _said(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}


def _has_secret(given: Mapping[str, Any]) -> bool:
    return any(given[f"secret_{one}"] for one in SOURCES)


def _secret(given: Mapping[str, Any], old: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """Where the password is: never the password."""
    named = _said({one: given[f"secret_{one}"] for one in SOURCES})
    kind = {"kind": "oauth"} if given["oauth"] else {}
    if len(named) == 1:
        return {**named, **kind}
    if not named and old:
        return {**old, **kind}
    source = ""
    while source not in SOURCES:
        source = ask(f"secret ({', '.join(SOURCES)})", "file").strip().casefold()
    return {source: ask(f"secret {source}", "password" if source == "file" else ""), **kind}


def difference(path: Path, data: Mapping[str, Any]) -> str:
    """What would be another line than before."""
    before = path.read_text().splitlines() if path.exists() else []
    after = config.text_of(data, path).splitlines()
    return "\n".join(line for line in difflib.unified_diff(before, after, str(path), str(path), lineterm="", n=1))
