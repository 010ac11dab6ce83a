"""Real mail programs that answer the newest mail in a player's mailbox, as a person would who types into them.

mutt and s-nail read the mailbox over IMAP, open a reply, and hand it to the server themselves; swaks sends a mail whose fields
were copied by hand. Where a program is not installed, the reply is written by Python, and its mailbox is read all the same.
"""

import email
import email.policy
import fcntl
import os
import shutil
import smtplib
import ssl
import struct
import subprocess
import termios
import threading
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

from imapclient import IMAPClient
from table import PASSWORD, body

PATIENCE = 60


class Station(NamedTuple):
    """Where a player sits: a folder for his settings, his account, and the servers."""

    folder: Path
    user: str
    imap_port: int
    smtp_port: int
    cafile: str

    @property
    def login(self) -> str:
        return self.user.replace("@", "%40")


def newest(at: Station) -> EmailMessage:
    """The last mail in the mailbox that can be answered."""
    context = ssl.create_default_context(cafile=at.cafile)
    with IMAPClient("localhost", at.imap_port, ssl_context=context, timeout=20) as client:
        client.login(at.user, PASSWORD)
        client.select_folder("INBOX", readonly=True)
        (raw,) = client.fetch([max(client.search())], ["BODY.PEEK[]"]).values()
    return email.message_from_bytes(raw[b"BODY[]"], policy=email.policy.default)  # type: ignore[return-value]


def mutt(at: Station, text: str) -> None:
    """The last mail in the index, `reply`, the text above the quote that mutt makes, `send`."""
    said, editor, settings = (at.folder / name for name in ("said", "editor", "muttrc"))
    said.write_text(text)
    editor.write_text(f'#!/bin/sh\ncat "{said}" "$1" > "$1.more" && cat "$1.more" > "$1" && rm "$1.more"\n')
    editor.chmod(0o700)
    settings.write_text(f"""
set folder="" spoolfile="" record="" header_cache="" certificate_file="{at.folder}/certificates"
set ssl_ca_certificates_file="{at.cafile}" ssl_force_tls=yes ssl_starttls=yes
set imap_user="{at.user}" imap_pass="{PASSWORD}" smtp_url="smtp://{at.login}:{PASSWORD}@localhost:{at.smtp_port}/"
set from="{at.user}" realname="Somebody" use_from=yes use_envelope_from=yes envelope_from_address="{at.user}"
set editor="{editor}" autoedit=yes fast_reply=yes include=yes reply_to=yes abort_unmodified=no abort_nosubject=no
set copy=no mark_old=no sort=mailbox-order wait_key=no delete=no quit=yes move=no help=no mail_check=60 beep=no
""")
    in_terminal(["mutt", "-n", "-F", str(settings), "-f", f"imaps://localhost:{at.imap_port}/INBOX",
                 "-e", "push <last-entry><reply><send-message><exit>"], at)


def s_nail(at: Station, text: str) -> None:
    """`reply $`, the text, a dot on a line of its own."""
    lines = "\n".join("." + line if line.startswith((".", "~")) else line for line in text.splitlines())
    command = ["s-nail", "-:/", "-#", *(word for setting in (
        "v15-compat", f"tls-ca-file={at.cafile}", "tls-ca-no-defaults", f"from={at.user}", "indentprefix=> ", "quote", "dot",
        f"mta=smtp://{at.login}:{PASSWORD}@localhost:{at.smtp_port}", "smtp-use-starttls", "smtp-auth=plain", "noautocollapse",
        "sendwait", "reply-to-honour", "nosave", "imap-auth=login", f"user={at.user}", f"password={PASSWORD}",
    ) for word in ("-S", setting)), "-R", "-f", f"imaps://{at.login}:{PASSWORD}@localhost:{at.imap_port}/INBOX"]
    finished(subprocess.run(command, input=f"reply $\n{lines}\n.\nxit\n", capture_output=True, text=True, timeout=PATIENCE,
                            check=False, env=bare(at)))


def swaks(at: Station, text: str) -> None:
    """Address, subject and reference copied from the mail that is answered."""
    asked = newest(at)
    command = ["swaks", "--to", str(asked["Reply-To"]), "--from", at.user, "--server", "localhost", "--port",
               str(at.smtp_port), "--tls", "--auth", "PLAIN", "--auth-user", at.user, "--auth-password", PASSWORD,
               "--header", f"Subject: Re: {asked['Subject']}", "--header", f"In-Reply-To: {asked['Message-ID']}",
               "--body", text, "--suppress-data"]
    finished(subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=bare(at)))


def by_hand(at: Station, text: str) -> None:
    """What any of them would write."""
    asked, mail = newest(at), EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = at.user, str(asked["Reply-To"]), f"Re: {asked['Subject']}"
    mail["In-Reply-To"] = mail["References"] = str(asked["Message-ID"])
    mail["Message-ID"] = f"<{os.urandom(8).hex()}@example.com>"
    mail.set_content(text + "\n\n" + "".join(f"> {line}\n" for line in body(asked).splitlines()))
    with smtplib.SMTP("localhost", at.smtp_port, timeout=20) as server:
        server.starttls(context=ssl.create_default_context(cafile=at.cafile))
        server.login(at.user, PASSWORD)
        server.send_message(mail)


Client = Callable[[Station, str], None]


def installed(name: str, client: Client) -> Client:
    return client if shutil.which(name) else by_hand


def bare(at: Station) -> dict[str, str]:
    return {"HOME": str(at.folder), "PATH": os.environ["PATH"], "TERM": "vt100", "LC_ALL": "C.UTF-8", "TMPDIR": str(at.folder)}


def finished(done: "subprocess.CompletedProcess[str]") -> None:
    assert done.returncode == 0, done.stdout + done.stderr


def in_terminal(command: list[str], at: Station) -> None:
    """A program that wants a screen gets one, and nobody looks at it."""
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 132, 0, 0))
    shown: list[bytes] = []

    def look() -> None:
        try:
            while data := os.read(ours, 4096):
                shown.append(data)
        except OSError:                         # it has gone
            pass

    looking = threading.Thread(target=look, daemon=True)
    process: Any = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True, env=bare(at))
    os.close(its)
    looking.start()
    try:
        code = process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    looking.join(5)
    os.close(ours)
    assert code == 0, b"".join(shown)[-3000:].decode(errors="replace")
