"""The engine of the order desk as one script: Python for browsers, the program, and what starts both. Made once per release.

The runtime is the npm package `pyodide`, which whoever makes it has fetched himself; everything is packed as text, because
a page on a disk may fetch nothing.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from gzip import compress
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo
from zoneinfo import TZPATH, available_timezones

from pbem import __version__
from pbem.base.errors import PbemError
from pbem.base.paths import PACKAGE, data_dir, templates_dir
from pbem.page.packed import stripped

ENGINE = "engine.js"
RUNTIME = ("pyodide.asm.wasm", "pyodide.asm.mjs", "pyodide.mjs", "pyodide-lock.json", "python_stdlib.zip")
LIBRARIES = ("yaml", "jinja2", "markupsafe", "anyascii")
NOT_THERE = ("cli", "dev", "drawing", "mail", "page")       # rooms that no question of a page reaches
NOT_READ = ("data/drawing", "data/page", "data/desk", "data/lesson", "data/schemas", "data/verifier.html")
NOT_SAID = ("guide", "lesson.yaml")
KINDS = (".py", ".yaml", ".json", ".j2")


def engine(runtime: Path) -> str:
    """The script: what it holds, its version, a digest by which two of them are compared."""
    given = {name: runtime / name for name in RUNTIME}
    if missing := [name for name, file in given.items() if not file.is_file()]:
        raise PbemError("no_runtime", folder=str(runtime), missing=missing)
    parts = {name: file.read_bytes() for name, file in given.items()} | {"site.zip": site()}
    texts = {name: as_text(data) for name, data in parts.items()}
    digest = sha256(b"".join(parts[name] for name in sorted(parts))).hexdigest()
    about = json.dumps({"version": __version__, "digest": digest, "size": sum(map(len, texts.values()))})
    start = 'new Worker(URL.createObjectURL(new Blob(["(" + works + ")()"], { type: "text/javascript" })))'
    return (f'(() => {{\n"use strict";\n{stripped((data_dir() / "desk/run.js").read_text("utf-8"))}\n'
            f"window.pbemEngine = {{ ...{about}, start: () => {start}, parts: {json.dumps(texts)} }};\n}})();\n")


def site() -> bytes:
    """The program and its libraries."""
    return zipped(carried())


def zipped(files: Iterable[tuple[str, Path]]) -> bytes:
    """Files as a browser unpacks them, the same bytes whenever it is made."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_STORED) as packed:
        for name, file in sorted(files):
            packed.writestr(ZipInfo(name), file.read_bytes())
    return made.getvalue()


def as_text(data: bytes) -> str:
    """As it stands in a script."""
    return b64encode(compress(data, 9, mtime=0)).decode()


def carried() -> Iterator[tuple[str, Path]]:
    """Every file by the name that it has there."""
    for file in below(PACKAGE):
        name = file.relative_to(PACKAGE).as_posix()
        if name.partition("/")[0] not in NOT_THERE and not name.startswith((*NOT_READ, "templates/")):
            yield f"pbem/{name}", file
    for file in below(templates_dir()):
        if not set(NOT_SAID) & set((said := file.relative_to(templates_dir())).parts):
            yield f"pbem/templates/{said.as_posix()}", file
    for zone in available_timezones():                      # the seats' clocks: a browser has none for Python
        if found := next((Path(folder, zone) for folder in TZPATH if Path(folder, zone).is_file()), None):
            yield f"zones/{zone}", found
    for library in LIBRARIES:
        yield from files_of(library)


def files_of(library: str) -> Iterator[tuple[str, Path]]:
    """A library, without what only this machine can read."""
    spec = find_spec(library)
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent
    return ((f"{library}/{file.relative_to(folder).as_posix()}", file) for file in folder.rglob("*")
            if file.is_file() and file.suffix not in (".so", ".pyc", ".pyi", ".c"))


def below(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.suffix in KINDS and "__pycache__" not in file.parts)
