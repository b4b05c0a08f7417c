"""Former names of documented modules and classes: each gives what replaced it, with a DeprecationWarning."""

from __future__ import annotations

import sys
from _frozen_importlib import ModuleSpec  # importlib takes time, and the program must hear Ctrl-C first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType

FORMER = {
    "ruse.solvers.iterating": "ruse.solvers.spec",
    "ruse.solving.found": "ruse.solving.result",
    "ruse.solving.request": "ruse.solving.routes",
    "ruse.text": "ruse.present",
    "ruse.text.rules": "ruse.present.rules",
    "ruse.verify.dispatch": "ruse.verify.verifier",
    "ruse.view": "ruse.present.viewer",
    "ruse.view.model": "ruse.present.model",
    "ruse.view.public": "ruse.present.public",
    "ruse.view.state_tree": "ruse.present.state_tree",
    "ruse.view.resolve": "ruse.present.resolve",
}
RENAMED = {"ruse.solving.found": {"Found": "SolveResult"}}  # classes of a module whose names changed too


class FormerModules:
    """Finds the modules of `FORMER`, before a folder that an older checkout left behind is taken for one."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(name, FormerModules(), is_package=True) if name in FORMER else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        import warnings
        from importlib import import_module

        name, successor = module.__name__, import_module(FORMER[module.__name__])
        warnings.warn(f"{name} is now {successor.__name__}", DeprecationWarning, stacklevel=2)
        module.__dict__.update({key: value for key, value in vars(successor).items() if not key.startswith("__")})
        for former, current in RENAMED.get(name, {}).items():
            setattr(module, former, getattr(successor, current))


def former_classes(module: str, renamed: Mapping[str, str]) -> Callable[[str], type]:
    """A `__getattr__` for a module, which finds its classes by their former names."""

    def find(name: str) -> type:
        import warnings

        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} is now {renamed[name]}", DeprecationWarning, stacklevel=2)
        kind: type = getattr(sys.modules[module], renamed[name])
        return kind

    return find


def install() -> None:
    sys.meta_path.insert(0, FormerModules)
