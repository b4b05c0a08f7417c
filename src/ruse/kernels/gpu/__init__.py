"""Sweeps in C++ that run on a GPU, and the same source on a CPU: what there is to launch, and on which machine.

`machine.h` and `simd.h` make one source of both; `bids.h` and `tree.h` hold the sweeps, `bounds.h` and `tree_bounds.h`
those of exact bounds. A `Machine` keeps arrays and launches kernels by name: `Gpu` compiles with NVRTC, through CuPy;
`Cpu` with a C++ compiler, for tests where there is no GPU.
"""
