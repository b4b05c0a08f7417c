"""Games in files: FILE.py with the modules beside it, loaded apart from everything else, and anew when one changes.

Two folders may each have a `helper.py`, so what lies beside a file is not imported under its plain name. A file and its
siblings live in a package of their own (`ruse_own_3.mygame`, `ruse_own_3.helper`), and an `import helper` that any of
them makes is answered from there. Installed packages are imported as ever, and shared.
"""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from ruse.core import atomic_files
from ruse.core.entry_points import unimported
from ruse.core.game import GameError

PACKAGE = "ruse_own"  # and a number
MOST_BYTES = 16 << 20
_numbers = count(1)


@dataclass
class Source:
    """A file with the siblings that it has imported so far."""

    path: Path
    package: str
    module: ModuleType | None = None
    files: dict[Path, str] = field(default_factory=dict)  # with the digest of what was run

    def unchanged(self) -> bool:
        """Whether all files are as they were when they were run."""
        try:
            return all(_digest(_read(path)) == digest for path, digest in self.files.items())
        except GameError:
            return False

    def digest(self) -> str:
        """Of all files that were run. It can say that a game has changed, not that it is the same."""
        lines = (f"{path.relative_to(self.path.parent)} {digest}\n" for path, digest in sorted(self.files.items()))
        return sha256("".join(lines).encode()).hexdigest()


_sources: dict[Path, Source] = {}
_packages: dict[str, Source] = {}


def load(path: Path) -> ModuleType:
    """The module of a file; the one that is there where neither it nor a sibling has changed. Raises GameError."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:
        raise GameError(f"cannot read the game {path}: {error}") from error
    known = _sources.get(real)
    if known is not None and known.module is not None and known.unchanged():
        return known.module
    source = Source(real, f"{PACKAGE}_{next(_numbers)}")
    package = ModuleType(source.package)
    package.__path__ = [str(real.parent)]
    sys.modules[source.package] = package
    _packages[source.package] = source
    try:
        source.module = _run(source, path)
    except BaseException:
        _forget(source)
        raise
    _sources[real] = source
    return source.module


def digest_of(target: Any) -> str | None:
    """The digest of the files that a class or function comes from; None where nobody can read them."""
    module = getattr(target, "__module__", None) or ""
    source = _packages.get(module.partition(".")[0])
    if source is not None:
        return source.digest()
    try:
        path = inspect.getsourcefile(target)
        return None if path is None else sha256(Path(path).read_bytes()).hexdigest()
    except (OSError, TypeError):  # typed at a prompt
        return None


def files_of(target: Any) -> dict[str, str]:
    """The files that a class or function was read from, with the digest of what was read.

    Of a module that Python imported itself these are all modules in its folder.
    """
    module = getattr(target, "__module__", None) or ""
    source = _packages.get(module.partition(".")[0])
    if source is not None:
        return {str(path): digest for path, digest in source.files.items()}
    first = getattr(sys.modules.get(module), "__file__", None)
    if first is None:
        return {}
    beside = Path(first).parent
    files = [Path(file) for other in [*sys.modules.values()] if (file := getattr(other, "__file__", None))]
    return {str(path): digest_of_file(path) for path in files if path.is_relative_to(beside) and path.suffix == ".py"}


def digest_of_file(path: Path) -> str:
    """The digest of a file as it is now; empty where nobody can read it."""
    try:
        return _digest(_read(path))
    except GameError:
        return ""


def _run(source: Source, path: Path) -> ModuleType:
    """The file itself, under a name that no sibling takes from it."""
    content = _read(path)
    stem = path.stem if path.stem.isidentifier() else f"file_{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}"
    name = f"{source.package}.{stem}"
    module = ModuleType(name)
    module.__file__ = str(source.path)
    module.__package__ = source.package
    sys.modules[name] = module
    with redirect_stdout(sys.stderr):
        try:
            _execute(source, source.path, content, module)
        except (Exception, SystemExit) as error:  # anybody's code
            raise GameError(unimported(error, path.name)) from error
    return module


def _execute(source: Source, path: Path, content: bytes, module: ModuleType) -> None:
    code = compile(content, str(path), "exec", dont_inherit=True)
    source.files[path] = _digest(content)
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _importer(source)}
    exec(code, module.__dict__)


def _importer(source: Source) -> Any:
    """What `import` does in the modules of a source: siblings come from its own package."""
    beside = source.path.parent

    def import_(
        name: str,
        globals_: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level or not _is_sibling(beside, top):
            return __import__(name, globals_, locals_, fromlist, level)
        module = __import__(f"{source.package}.{name}", globals_, locals_, fromlist or ("",), 0)
        return module if fromlist else sys.modules[f"{source.package}.{top}"]

    return import_


def _is_sibling(folder: Path, name: str) -> bool:
    if name in sys.stdlib_module_names or name == "ruse":
        return False
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


class _Siblings(MetaPathFinder, Loader):
    """Finds and runs what lies beside a file, from its source: compiled files may be out of date."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        package, _, rest = name.partition(".")
        source = _packages.get(package)
        if source is None or not rest:
            return None
        place = source.path.parent.joinpath(*rest.split("."))
        if (inside := place / "__init__.py").is_file():
            spec = ModuleSpec(name, self, origin=str(inside), is_package=True)
            spec.submodule_search_locations = [str(place)]
        elif (file := place.with_name(f"{place.name}.py")).is_file():
            spec = ModuleSpec(name, self, origin=str(file))
        else:
            return None
        spec.has_location = True
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None and module.__spec__.origin is not None
        path = Path(module.__spec__.origin)
        _execute(_packages[module.__name__.partition(".")[0]], path, _read(path), module)


sys.meta_path.insert(0, _Siblings())


def _read(path: Path) -> bytes:
    try:
        return atomic_files.read(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        raise GameError(f"cannot read the game {path}: {atomic_files.reason(error)}") from error


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _forget(source: Source) -> None:
    """Take a source that does not run out of memory."""
    for name in [module_name for module_name in sys.modules if module_name.partition(".")[0] == source.package]:
        del sys.modules[name]
    _packages.pop(source.package, None)
