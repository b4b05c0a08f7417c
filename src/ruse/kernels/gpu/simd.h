// Kernels for a group of WIDTH lanes, a lane a hand. On a GPU a lane is a thread and Lane<T> is a plain T; elsewhere
// Lane<T> holds WIDTH numbers, and a launch is a loop over the groups.
//
// A kernel takes its work from `groups(bits, body)`: groups 0 to 2^bits - 1, in such an order that the groups of a warp
// have equally many bids behind them, up to an even number: whose turn it is never splits a warp.

#ifdef __CUDACC__

struct Lanes {  // which of its group's lanes this thread is, and whether there is a hand for it
    int lane;
    bool on;
};

template <class T> using Lane = T;
typedef bool Mask;

#if STREAM  // most of the state is read once a pass and is larger than any cache
template <class T> HERE T fetched(const T* x) { return __ldcs(x); }
template <class T> HERE void put(T* to, T x) { __stcs(to, x); }
#else
template <class T> HERE T fetched(const T* x) { return *x; }
template <class T> HERE void put(T* to, T x) { *to = x; }
#endif
template <class T> HERE T load(Lanes here, const T* row) { return here.on ? fetched(row + here.lane) : T(0); }
template <class T> HERE void store(Lanes here, T* row, T x) { if (here.on) put(row + here.lane, x); }
template <class T> HERE T all(T x) { return x; }
template <class T> HERE T pick(bool which, T a, T b) { return which ? a : b; }
template <class T> HERE T larger(T a, T b) { return a > b ? a : b; }
HERE float larger(float a, float b) { return fmaxf(a, b); }
HERE double larger(double a, double b) { return fmax(a, b); }
HERE float inverse(float x) { float y; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
HERE double inverse(double x) { return 1.0 / x; }
template <class T> HERE T from(T x, int lane) { return __shfl_sync(0xffffffffu, x, lane, WIDTH); }
template <class T> HERE T across(T x, int mask) { return __shfl_xor_sync(0xffffffffu, x, mask, WIDTH); }

template <class T> HERE T sum(T x) {
#pragma unroll
    for (int mask = WIDTH / 2; mask > 0; mask /= 2) x += across(x, mask);
    return x;
}

// Eight sums at once: lanes halve the work among them, and then tell each other.
template <class T> HERE void sums(Lanes here, T (&x)[8]) {
#pragma unroll
    for (int many = 4; many > 0; many /= 2) {
        const bool upper = here.lane & (many * (WIDTH / 8));
#pragma unroll
        for (int k = 0; k < many; ++k) {
            const T given = upper ? x[k] : x[k + many];
            const T kept = upper ? x[k + many] : x[k];
            x[k] = kept + across(given, many * (WIDTH / 8));
        }
    }
    T mine = x[0];
#pragma unroll
    for (int mask = WIDTH / 16; mask > 0; mask /= 2) mine += across(mine, mask);
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = from(mine, k * (WIDTH / 8));
}

template <class F, class... A> HERE auto each(F f, A... a) { return f(a...); }

template <class F> HERE void groups(int bits, F body) {
    const int inside = threadIdx.x % 32 / WIDTH;
    const whole warp = (whole(blockIdx.x) * THREADS + threadIdx.x) / 32, warps = whole(gridDim.x) * THREADS / 32;
    const whole count = whole(1) << bits, needed = 2 * ((count / 2 + 32 / WIDTH - 1) / (32 / WIDTH)) + (bits == 0) * 2;
    for (whole w = warp; w < needed; w += warps) {
        const int parity = w & 1;
        const whole pair = (w >> 1) * (32 / WIDTH) + inside;
        const whole q = 2 * pair | ((__popcll(pair) & 1) ^ parity);
        const int lane = threadIdx.x % WIDTH;
        body(Lanes{lane, lane < HANDS && q < count}, q < count ? q : 0, parity);
    }
}

#else

struct Lanes {};

template <class T> struct Lane {
    T at[WIDTH];
};
typedef Lane<bool> Mask;

template <class F, class... A> HERE auto each(F f, A... a) -> Lane<decltype(f(a.at[0]...))> {
    Lane<decltype(f(a.at[0]...))> out;
    for (int i = 0; i < WIDTH; ++i) out.at[i] = f(a.at[i]...);
    return out;
}

template <class T> HERE Lane<T> all(T x) {
    Lane<T> out;
    for (int i = 0; i < WIDTH; ++i) out.at[i] = x;
    return out;
}
template <class T> HERE Lane<T> load(Lanes, const T* row) {
    Lane<T> out = all(T(0));
    std::memcpy(out.at, row, sizeof(T) * HANDS);
    return out;
}
template <class T> HERE void store(Lanes, T* row, Lane<T> x) { std::memcpy(row, x.at, sizeof(T) * HANDS); }

#define OPERATOR(op)                                                                                      \
    template <class T> HERE auto operator op(Lane<T> a, Lane<T> b) {                                      \
        return each([](T x, T y) { return x op y; }, a, b);                                               \
    }                                                                                                     \
    template <class T> HERE auto operator op(Lane<T> a, T b) { return a op all(b); }
OPERATOR(+) OPERATOR(-) OPERATOR(*) OPERATOR(>) OPERATOR(<)
#undef OPERATOR
template <class T> HERE Lane<T> operator-(Lane<T> a) { return all(T(0)) - a; }
template <class T> HERE Lane<T>& operator+=(Lane<T>& a, Lane<T> b) { return a = a + b; }
template <class T> HERE Lane<T> pick(Mask which, Lane<T> a, Lane<T> b) {
    return each([](bool w, T x, T y) { return w ? x : y; }, which, a, b);
}
template <class T> HERE Lane<T> larger(Lane<T> a, Lane<T> b) {
    return each([](T x, T y) { return x > y ? x : y; }, a, b);
}
template <class T> HERE Lane<T> inverse(Lane<T> a) { return each([](T x) { return T(1) / x; }, a); }
template <class T> HERE Lane<T> sum(Lane<T> x) {
    T total = 0;
    for (int i = 0; i < WIDTH; ++i) total += x.at[i];
    return all(total);
}
template <class T> HERE void sums(Lanes, Lane<T> (&x)[8]) {
    for (int k = 0; k < 8; ++k) x[k] = sum(x[k]);
}
template <class F> HERE void groups(int bits, F body) {
    for (whole q = 0; q < whole(1) << bits; ++q) body(Lanes{}, q, __builtin_popcountll(q) & 1);
}

#endif

HERE constexpr int parity(int x) { return (x ^ x >> 1 ^ x >> 2 ^ x >> 3) & 1; }  // of four bits
HERE constexpr int lowest(int x) { return x & 1 ? 0 : x & 2 ? 1 : x & 4 ? 2 : x & 8 ? 3 : 4; }  // bit set, of four

// Where the row of node j lies in a group of 2^width nodes: in groups of four bids those of a side lie together, as a
// pass reads or writes many rows of one side only.
HERE constexpr int place(int width, int j) { return width < 4 ? j - 1 : parity(j) ? j >> 1 : 7 + (j >> 1); }
HERE constexpr int call_place(int j) { return 4 * parity(j) + (j >> 2); }  // of the call at an even node
