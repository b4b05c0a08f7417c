// Exact bounds of the average plans of `bids.h`, in whole numbers.
//
// The other side's plan is split down the tree in whole units: hand g begins with weight(g) * 2^UNITS of them; a bid
// takes floor(whole * min(total / inflow, 1)), but no more than is left, and the call takes what is left then (before
// any bid there is no call, and the last bid does). So a plan is exactly a plan, whatever the totals are: nothing is
// negative (a total or inflow that is not a positive number counts as 0), and the parts of a set add up. Products are
// rounded once, as IEEE 754 says, on every machine alike: whole < 2^53 is exact in a double.
//
// Nothing overflows. Let W be the sum of weight(g), so that 2^UNITS * W units are in play at the root. Flows add up, so
// at every node the units of all hands together are at most that many, an end pays between 0 and the units that come to
// it (in mode -1 between minus those and 0), and a value, which is a sum over ends that no unit reaches twice or the
// greatest of such, is at most 2^UNITS * W in size, and so is every sum on the way to it. The caller checks
// 2^UNITS * W < 2^62. Modes 1 and -1 pay 1 and -1 at every end: a side that maximises can then get 2^UNITS * W, or
// minus that, for each hand, if and only if flows add up along every way of playing: with 1 more than that would show a
// branch that gains units, with -1 less in size would show one that loses some.

template <class T> struct Proof {
    const T* totals;
    whole *flows, *left;  // into a group's root, and what its moves so far leave of it; then the value that comes back
    double* inflows;  // the total of the other side's last bid before it
    const whole* units;  // of the hands
    const unsigned char *counts, *needs;
    const unsigned long long* quick;
};

HERE whole share_of(whole of, double total, double inflow, whole left) {
    if (!(total > 0 && inflow > 0)) return 0;
    const double part = total < inflow ? total / inflow : 1.0;
    const whole share = whole(double(of) * part);
    return share < left ? share : left;
}

// The units that node j's bids of this chunk take, and what is left.
template <class T, int K, bool OWN, int SIZE>
HERE void spread(Lanes here, const T* totals, Lane<whole> (&flow)[SIZE], Lane<double> (&inflow)[SIZE],
                 Lane<whole> (&left)[SIZE]) {
#pragma unroll
    for (int j = 0; j < SIZE; ++j) {
        const int later = j == 0 ? K : lowest(j);
        if (j > 0) left[j] = flow[j];
#pragma unroll
        for (int y = later - 1; y >= 0; --y) {
            const int child = j | 1 << y;
            flow[child] = flow[j];
            inflow[child] = inflow[j];
            if (OWN ^ parity(j)) continue;
            inflow[child] = each([](T x) { return double(x); }, load(here, totals + place(K, child) * HANDS));
            flow[child] = each([](whole of, double part, double in, whole rest) { return share_of(of, part, in, rest); },
                               flow[j], inflow[child], inflow[j], left[j]);
            left[j] = left[j] - flow[child];
        }
    }
}

template <class T, int K, bool OWN> HERE void prove_down(const Proof<T>& proof, Lanes here, whole q, int level) {
    constexpr int SIZE = 1 << K;
    const whole row = (first_row(bits_before(level)) + q * (SIZE - 1)) * HANDS;
    const whole group = (groups_before(level) + q) * HANDS, below = (groups_before(level + 1) + q * SIZE) * HANDS;
    Lane<whole> flow[SIZE], left[SIZE];
    Lane<double> inflow[SIZE];
    flow[0] = load(here, proof.flows + group);
    inflow[0] = load(here, proof.inflows + group);
    left[0] = load(here, proof.left + group);
    spread<T, K, OWN, SIZE>(here, proof.totals + row, flow, inflow, left);
#pragma unroll
    for (int j = 0; j < SIZE; ++j) {
        store(here, proof.flows + below + j * HANDS, flow[j]);
        store(here, proof.inflows + below + j * HANDS, inflow[j]);
        store(here, proof.left + below + j * HANDS, left[j]);
    }
}

template <bool OWN> HERE Lane<whole> joined(Lane<whole> a, Lane<whole> b) { return OWN ? larger(a, b) : a + b; }

template <class T, int K, bool OWN> HERE void prove_up(const Proof<T>& proof, Lanes here, whole q, int level) {
    constexpr int SIZE = 1 << K;
    const whole group = (groups_before(level) + q) * HANDS, below = (groups_before(level + 1) + q * SIZE) * HANDS;
    Lane<whole> value[SIZE];
#pragma unroll
    for (int j = SIZE - 1; j >= 0; --j) {
        const int later = j == 0 ? K : lowest(j);
        value[j] = load(here, proof.flows + below + j * HANDS);
#pragma unroll
        for (int y = later - 1; y >= 0; --y)
            value[j] = (OWN ^ parity(j)) ? joined<true>(value[j], value[j | 1 << y])
                                         : joined<false>(value[j], value[j | 1 << y]);
    }
    store(here, proof.flows + group, value[0]);
}

template <class T, bool OWN> HERE void prove_leaf(const Proof<T>& proof, Lanes here, whole q, int mode) {
    const whole row = (first_row(BIDS - 4) + q * (NODES - 1)) * HANDS;
    const whole group = (groups_before(LEVELS - 1) + q) * HANDS;
    const Lane<unsigned long long> word = load(here, proof.quick);
    Lane<whole> flow[NODES], left[NODES], value[NODES];
    Lane<double> inflow[NODES];
    flow[0] = load(here, proof.flows + group);
    inflow[0] = load(here, proof.inflows + group);
    left[0] = load(here, proof.left + group);
    spread<T, 4, OWN, NODES>(here, proof.totals + row, flow, inflow, left);
    if (!OWN && q == 0) flow[1] += left[0];  // before any bid there is no call, and the last bid takes the rest
#pragma unroll
    for (int j = NODES - 1; j >= 0; --j) {
        const bool own = OWN ^ parity(j), called = j > 0 || q > 0;
        const Lane<whole> calling = own ? flow[j] : left[j], there = sum(calling);
        if (mode != 0) {
            value[j] = mode > 0 ? there : all(whole(0)) - there;
        } else {
            const Lane<whole> found = believed_at<whole>(here, calling, word, j, q, proof.counts, proof.needs);
            value[j] = own ? there - found : found;
        }
        if (!called) value[j] = own ? value[1] : all(whole(0));
#pragma unroll
        for (int y = lowest(j) - 1; y >= 0; --y)
            value[j] = own ? joined<true>(value[j], value[j | 1 << y]) : joined<false>(value[j], value[j | 1 << y]);
    }
    store(here, proof.flows + group, value[0]);
}

// Side 1's inflow is what its plans weigh in all. Side 0's is what its first bids' totals add up to, so that the rest,
// which the last of them takes, is no more than rounding.
template <class T> HERE void prove_begin(const Proof<T>& proof, Lanes here, int side, double amount) {
    Lane<double> inflow = each([amount](whole x) { return double(x) * amount; }, load(here, proof.units));
    if (side == 1) inflow = all(0.0);
    for (int level = 0; level < LEVELS && side == 1; ++level)
        for (int y = (level == 0 ? FIRST : 4) - 1; y >= 0; --y) {
            const T* total = proof.totals + (first_row(bits_before(level)) + place(level == 0 ? FIRST : 4, 1 << y)) * HANDS;
            inflow += each([](T x) { return x > T(0) ? double(x) : 0.0; }, load(here, total));
        }
    store(here, proof.inflows, inflow);
    store(here, proof.flows, load(here, proof.units));
    store(here, proof.left, load(here, proof.units));
}

#define PROOF_ARRAYS                                                                                          \
    const REAL *totals, whole *flows, whole *left, double *inflows, const whole *units,                       \
        const unsigned char *counts, const unsigned char *needs, const unsigned long long *quick
#define PROOF const Proof<REAL> proof = {totals, flows, left, inflows, units, counts, needs, quick}

KERNEL bounds_begin(PROOF_ARRAYS, int side, double amount) {
    PROOF;
    groups(0, [&](Lanes here, whole q, int turn) { if (turn == 0) prove_begin<REAL>(proof, here, side, amount); });
}

KERNEL bounds_down(PROOF_ARRAYS, int side, int level) {
    PROOF;
    groups(bits_before(level), [&](Lanes here, whole q, int turn) {
        BY_WIDTH(level, turn == side, prove_down, proof, here, q, level)
    });
}

KERNEL bounds_leaf(PROOF_ARRAYS, int side, int mode) {
    PROOF;
    groups(BIDS - 4, [&](Lanes here, whole q, int turn) {
        if (turn == side) prove_leaf<REAL, true>(proof, here, q, mode);
        else prove_leaf<REAL, false>(proof, here, q, mode);
    });
}

KERNEL bounds_up(PROOF_ARRAYS, int side, int level) {
    PROOF;
    groups(bits_before(level), [&](Lanes here, whole q, int turn) {
        BY_WIDTH(level, turn == side, prove_up, proof, here, q, level)
    });
}
