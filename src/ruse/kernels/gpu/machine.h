// One source, two machines: what a kernel is on a GPU, and on a CPU, where a launch is a loop.

typedef long long whole;

#ifdef __CUDACC__

#define HERE __device__ __forceinline__
#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS, AT_LEAST)

// Call body(0) to body(count - 1), neighbours on neighbouring threads.
template <class F> HERE void items(whole count, F body) {
    const whole step = whole(gridDim.x) * THREADS;
    for (whole i = whole(blockIdx.x) * THREADS + threadIdx.x; i < count; i += step) body(i);
}

#else

#include <cstring>
#define HERE inline
#define KERNEL extern "C" void

template <class F> HERE void items(whole count, F body) {
    for (whole i = 0; i < count; ++i) body(i);
}

#endif

template <class T> struct Tiny;
template <> struct Tiny<float> { static constexpr float least = 1e-30f; };
template <> struct Tiny<double> { static constexpr double least = 1e-300; };

template <class T> struct Step {  // what a pass needs to know of its iteration
    T keep, keep_negative, lean, fade, weight;
};

template <class T> HERE Step<T> step_at(const double* steps, const int* done, int side) {
    const double* row = steps + (2 * *done + side) * 5;
    return {T(row[0]), T(row[1]), T(row[2]), T(row[3]), T(row[4])};
}

KERNEL next_iteration(int* done) {
    items(1, [&](whole) { ++*done; });
}
