"""Machines that run the sweeps of this room: a GPU through CuPy, or a CPU through a C++ compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from ruse.core.arrays import Array
from ruse.core.game import RuseError
from ruse.core.size_estimate import gigabytes

FOLDER = Path(__file__).parent
BLOCKS = 1 << 20  # of a launch, at most: threads take several groups each
WIDEST = 32  # lanes of a group: of a warp
PORTION = 1 << 26  # numbers that are looked at in one go


class Tuned(NamedTuple):
    """How kernels are compiled and launched: what took least time on an H200 (`python -m benchmarks.gpu threads`)."""

    threads: int  # of a block
    at_least: int  # blocks that a multiprocessor should have room for; 0 leaves it to the compiler
    stream: int  # whether numbers pass the caches by


TUNED = {"float": Tuned(256, 3, 0), "double": Tuned(256, 0, 1)}
SPARE = 0.02  # of the memory: what a driver keeps for itself, and what breaks up


class DeviceError(RuseError):
    """There is no such device, it has too little memory, or it failed."""


class Machine(Protocol):
    """Keeps arrays and launches kernels on them."""

    name: str

    def zeros(self, length: int, kind: str) -> Any: ...

    def array(self, values: Array) -> Any:
        """A copy there."""

    def fill(self, array: Any, values: Array, start: int = 0) -> None:
        """Copy values to a part of an array there."""

    def numbers(self, array: Any, start: int = 0, stop: int | None = None) -> Array:
        """A copy here."""

    def finite(self, array: Any) -> bool:
        """Whether all of it is finite numbers."""

    def launch(self, kernel: str, groups: int, arguments: Sequence[Any]) -> None:
        """Run a kernel on so many groups; scalars are numpy's."""

    def recorded(self, work: Callable[[], None]) -> Callable[[], None]:
        """Record the launches of `work`, and return a function that repeats them as one."""

    def wait(self) -> None: ...


def source(names: Sequence[str]) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in ("machine.h", *names))


@cache
def _built(text: str) -> ctypes.CDLL:
    """Compiled once in a process."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise DeviceError("expected g++ or clang++ to compile the kernels for the CPU, got neither")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.cpp"
        path.write_text(text, encoding="utf-8")
        command = [compiler, "-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
        made = path.with_suffix(".so")
        done = subprocess.run([*command, "-o", made, path], capture_output=True, text=True, check=False)
        if done.returncode:
            raise DeviceError(f"compiling the GPU kernels failed: {done.stderr[:2000]}")
        return ctypes.CDLL(str(made))


class Cpu:
    """The source compiled by g++ or clang++. Constants are set at run time, so one build serves every game."""

    name = "cpu"

    def __init__(self, names: Sequence[str], constants: Mapping[str, int], kind: str) -> None:
        ours = [name for name in constants if not name.startswith("MATCHES")]
        head = [f"#define REAL {kind}", f"#define WIDTH {WIDEST}", *(f"static int {name};" for name in ours)]
        setting = [f"    {name} = {name}_;" for name in ours]
        tail = [f'extern "C" void set_constants({", ".join(f"int {name}_" for name in ours)}) {{', *setting, "}"]
        self._library = _built("\n".join((*head, source(names), *tail)))
        self._constants = [constants[name] for name in ours]

    def zeros(self, length: int, kind: str) -> Array:
        return np.zeros(length, dtype=kind)

    def array(self, values: Array) -> Array:
        return np.array(values)

    def fill(self, array: Array, values: Array, start: int = 0) -> None:
        array[start : start + len(values)] = values

    def numbers(self, array: Array, start: int = 0, stop: int | None = None) -> Array:
        return array[start:stop].copy()

    def finite(self, array: Array) -> bool:
        return all(bool(np.isfinite(array[at : at + PORTION]).all()) for at in range(0, len(array), PORTION))

    def launch(self, kernel: str, groups: int, arguments: Sequence[Any]) -> None:
        self._library.set_constants(*self._constants)
        self._library[kernel](*(_as_c(argument) for argument in arguments))

    def recorded(self, work: Callable[[], None]) -> Callable[[], None]:
        return work

    def wait(self) -> None:
        pass


def _as_c(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    return {"i": ctypes.c_int, "f": ctypes.c_double}[argument.dtype.kind](argument.item())


class Gpu:
    """The first GPU, through CuPy."""

    name = "gpu"

    def __init__(self, names: Sequence[str], constants: Mapping[str, int], kind: str) -> None:
        self._cupy = cupy()
        hands = constants.get("HANDS", 1)
        width = next(width for width in (1, 8, 16, WIDEST) if hands <= width)
        tuned = TUNED[kind]
        self._threads, self._groups = tuned.threads, tuned.threads // width  # of a block
        options = [f"-D{name}={value}" for name, value in constants.items()]
        options += [f"-DREAL={kind}", f"-DWIDTH={width}", f"-DTHREADS={tuned.threads}", "-std=c++17"]
        options += [f"-DAT_LEAST={tuned.at_least}", f"-DSTREAM={tuned.stream}"]
        self._module = self._cupy.RawModule(code=source(names), options=tuple(options), backend="nvrtc")
        self._module.compile()  # not while launches are recorded
        self._kernels: dict[str, Any] = {}
        self._stream = self._cupy.cuda.Stream(non_blocking=True)

    def zeros(self, length: int, kind: str) -> Any:
        with self._stream:
            return self._cupy.zeros(length, dtype=kind)

    def array(self, values: Array) -> Any:
        with self._stream:
            return self._cupy.asarray(values)

    def fill(self, array: Any, values: Array, start: int = 0) -> None:
        with self._stream:
            for at in range(0, len(values), PORTION):  # there may be no room for all of them twice
                part = values[at : at + PORTION]
                array[start + at : start + at + len(part)] = self._cupy.asarray(part)

    def numbers(self, array: Any, start: int = 0, stop: int | None = None) -> Array:
        return np.asarray(self._cupy.asnumpy(array[start:stop], stream=self._stream))

    def finite(self, array: Any) -> bool:
        with self._stream:
            checks = [self._cupy.isfinite(array[at : at + PORTION]).all() for at in range(0, len(array), PORTION)]
            return all(map(bool, checks))

    def launch(self, kernel: str, groups: int, arguments: Sequence[Any]) -> None:
        blocks = min(max(1, -(-groups // self._groups)), BLOCKS)
        if kernel not in self._kernels:
            self._kernels[kernel] = self._module.get_function(kernel)
        with self._stream:
            self._kernels[kernel]((blocks,), (self._threads,), tuple(arguments))

    def recorded(self, work: Callable[[], None]) -> Callable[[], None]:
        self._stream.begin_capture()
        work()
        graph = self._stream.end_capture()
        return lambda: graph.launch(self._stream)

    def wait(self) -> None:
        self._stream.synchronize()

    def registers(self) -> dict[str, tuple[int, int]]:
        """Of each kernel that was launched: its registers, and the bytes of a thread that had no room in them."""
        return {name: (kernel.num_regs, kernel.local_size_bytes) for name, kernel in self._kernels.items()}


def cupy() -> Any:
    """CuPy with a GPU that answers; raises DeviceError in a sentence where there is none."""
    try:
        import cupy
    except ImportError as error:
        raise DeviceError("--device gpu needs CuPy: install ruse[gpu]") from error
    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise DeviceError("no GPU found: use --device cpu")
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"the GPU does not answer ({error}): use --device cpu") from error
    return cupy


@contextmanager
def in_a_sentence(after: str = "") -> Iterator[None]:
    """Tell what a GPU says when it fails, or has no more room, as a DeviceError."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("cupy", "cupy_backends"):
            raise
        problem = "ran out of memory" if isinstance(error, MemoryError) else f"failed ({str(error).splitlines()[0]})"
        raise DeviceError(f"the GPU {problem}{after}") from error


def check_room(needed: int, subject: str, advice: str) -> None:
    """Raise DeviceError in a sentence where the GPU has too little free memory for something."""
    free, total = free_bytes()
    if needed > room(free):
        raise DeviceError(
            f"{subject} need {gigabytes(needed / (1 - SPARE))} on the GPU, "
            f"where {gigabytes(free)} of {gigabytes(total)} are free: {advice}"
        )


def room(free: int) -> int:
    """What of the free memory arrays can have."""
    return int(free * (1 - SPARE))


def free_bytes() -> tuple[int, int]:
    """Free memory of the GPU, and all of it."""
    free, total = cupy().cuda.runtime.memGetInfo()
    return int(free), int(total)
