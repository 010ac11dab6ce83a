"""Firefox as it comes from the distribution, driven by its own protocol (Marionette): enough of it for a test."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

TAB, ENTER = "\ue004", "\ue007"            # as WebDriver names them
# How a page is looked at: width, dark, forced colours, paper, scripts; as the browser itself has it, behind the page.
LOOK = """const { selectedBrowser: shown } = gBrowser, [width, dark, forced, paper, scripts] = arguments;
    Object.assign(shown.style, width ? { maxWidth: `${width}px`, minWidth: "0" } : { maxWidth: "", minWidth: "" });
    Object.assign(shown.browsingContext, { prefersColorSchemeOverride: dark ? "dark" : "light",
        forcedColorsOverride: forced ? "active" : "none", mediumOverride: paper ? "print" : "screen",
        allowJavascript: scripts });"""
PREFERENCES = {"app.update.enabled": False, "toolkit.telemetry.enabled": False, "security.sandbox.content.level": 0}


class Firefox:
    """A browser with one window, in a profile of its own."""

    def __init__(self, profile: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = {**PREFERENCES, "marionette.port": port}
        lines = [f'user_pref("{name}", {json.dumps(value)});\n' for name, value in settings.items()]
        (profile / "user.js").write_text("".join(lines))
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        assert program is not None, "no Firefox here: .ci/run installs one"
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--remote-allow-system-access", "--profile", str(profile)],
            env={**os.environ, "HOME": str(profile), "MOZ_DISABLE_CONTENT_SANDBOX": "1"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.line = until(lambda: connected(port))
        self.file = self.line.makefile("rb")
        self.number = 0
        self.read()                                     # it says who it is
        self.ask("WebDriver:NewSession")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.terminate()
        self.process.wait(20)

    def read(self) -> Any:
        size = b""
        while (sign := self.file.read(1)) != b":":
            size += sign
        return json.loads(self.file.read(int(size)))

    def ask(self, command: str, **facts: Any) -> Any:
        self.number += 1
        told = json.dumps([0, self.number, command, facts]).encode()
        self.line.sendall(f"{len(told)}:".encode() + told)
        _, _, error, value = self.read()
        assert error is None, error
        return value

    def open(self, address: str) -> None:
        self.ask("WebDriver:Navigate", url=address)

    def press(self, key: str) -> None:
        """One key, where the focus is."""
        strokes = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": strokes}])

    def run(self, script: str, *args: Any) -> Any:
        """What a function body gives in the page."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=list(args))["value"]

    def wait_for(self, promise: str) -> Any:
        """What a promise of the page comes to."""
        script = f"Promise.resolve({promise}).then(arguments[0])"
        return self.ask("WebDriver:ExecuteAsyncScript", script=script, args=[])["value"]

    def look(self, width: int = 0, *, dark: bool = False, forced: bool = False, paper: bool = False,
             scripts: bool = True) -> None:
        """From now on the page is seen so."""
        self.ask("Marionette:SetContext", value="chrome")
        try:
            self.run(LOOK, width, dark, forced, paper, scripts)
        finally:
            self.ask("Marionette:SetContext", value="content")
        until(lambda: self.run("return innerWidth == arguments[0] || !arguments[0] && innerWidth > 1000", width))


def connected(port: int) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=60)
    except OSError:
        return None


def until(look: Callable[[], Any], seconds: float = 60) -> Any:
    """What a look finds as soon as it finds something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.1)
    return found
