"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("ruse", deadline=None)  # a busy machine is no failure
settings.load_profile("ruse")
