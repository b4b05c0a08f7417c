"""Which solutions can be changed by hand."""

from __future__ import annotations

from ruse.core.capabilities import ByClass
from ruse.view.edited import Editor
from ruse.view.edited_classes import ClassEditor, class_editor
from ruse.view.model import Viewer
from ruse.view.tree import TreeViewer


def can_edit(viewer: Viewer) -> bool:
    """Whether there is an editor: a game is looked at state by state, or its strategies are by class."""
    solution = viewer.solution
    return isinstance(viewer, TreeViewer) or (isinstance(solution.game, ByClass) and solution.by_class)


def editor(viewer: Viewer) -> Editor | ClassEditor:
    """Best responses to changed strategies, for a viewer that `can_edit`."""
    return viewer.editor if isinstance(viewer, TreeViewer) else class_editor(viewer)
