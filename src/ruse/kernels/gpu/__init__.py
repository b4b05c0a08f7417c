"""Sweeps in C++ that run on a GPU, and the same source on a CPU: what there is to launch, and on which machine.

`lanes.h` makes one source of both, `bids.h` and `bounds.h` hold the sweeps. A `Machine` keeps arrays and launches
kernels by name: `Gpu` compiles with NVRTC, through CuPy; `Cpu` with a C++ compiler, for tests where there is no GPU.
"""
