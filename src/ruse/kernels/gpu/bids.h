// Regret minimisation in games of rising bids (ruse.forms.bidding): after any set of the BIDS bids, made in their
// order, the next side makes a higher one or calls the last. A public node is the set of bids that were made, the first
// one its highest bit; even sets are side 0's to move. Bids are cut into chunks of four (the first one may be smaller).
//
// Group (c, q) is the part of the tree below node q, a set of bids before chunk c, that needs bids of chunk c only:
// node j of it is q with the chunk's bids j. Its rows 1 to 2^K - 1 belong to the bids that lead to its nodes, so that
// all groups of a level lie together and row (c, q, j) is 2^s - 1 + q (2^K - 1) + place(j), where s bids come before c.
// Calls belong to the last level, whose groups hold all nodes: row 8 q + call_place(j) is the call at an even node j, and
// odd nodes, after the highest bid, have no other move. All ends are there too. Upper levels only pass flows down and
// values up: `reach` (the flow of the other side's plan into a group's root, then the value that comes back), `inverse`
// (1 / the sum of the root's positive regrets, or minus its even odds where there are none), `part` (what the group's
// own moves add to that sum).
//
// A value is the weight with which a side wins: payoffs 1 and 0 instead of 1 and -1, which differ by what every move of
// an information set shares, so that regrets are the same but for their scale.
//
// The moves of a group's root have regrets against a value that is complete only once all levels are done. Until then
// their place holds the old regret and the move's value, added up; `learn_roots` takes the value away.

const int NODES = 16;  // of a group of the last level

template <class T> struct Run {
    T *bids, *calls, *lean_bids, *lean_calls;  // regrets, and with prediction what odds are in proportion to
    T *totals;  // sums of plans, by bids: a call's is what flows in and not on
    T *reach, *inverses, *parts;
    const T* weights;  // of the hands that are dealt
    const unsigned char* counts;  // [BIDS][HANDS]: how much of a bid a hand makes true
    const unsigned char* needs;  // [BIDS]: how much makes it true
    const unsigned long long* quick;  // [HANDS]: of each of the last four bids, whether a hand makes half of it true and
                                      // which others do
    const double* steps;
    const int* done;
};

HERE int bits_before(int level) { return level == 0 ? 0 : FIRST + 4 * (level - 1); }
HERE whole groups_before(int level) {
    return level == 0 ? 0 : 1 + ((((whole(1) << 4 * (level - 1)) - 1) / 15) << FIRST);
}
HERE whole first_row(int bits) { return (whole(1) << bits) - 1; }

template <class T> HERE Step<T> step_of(const Run<T>& run, int side) { return step_at<T>(run.steps, run.done, side); }

template <class T> HERE Lane<T> positive(Lane<T> x) { return larger(x, all(T(0))); }

// The odds of a move are share * slope + even.
template <class T> struct Odds {
    Lane<T> slope, even;
    HERE Lane<T> of(Lane<T> share) const { return share * slope + even; }
};

template <class T> HERE Lane<T> inverse_of(Lane<T> total, int moves) {
    return pick(total > Tiny<T>::least, inverse(total), all(T(-1) / T(moves)));
}

template <class T> HERE Odds<T> odds_of(Lane<T> inverse) {
    return {positive(inverse), positive(-inverse)};
}

template <class T> HERE Lane<T> kept(Lane<T> old, const Step<T>& step) {
    if (FLOOR) return old * step.keep;
    return old * pick(old > T(0), all(step.keep), all(step.keep_negative));
}

template <class T>
HERE void learn(Lanes here, T* regrets, T* leans, Lane<T> old, Lane<T> gained, const Step<T>& step) {
    Lane<T> now = kept(old, step) + gained;
    if (FLOOR) now = positive(now);
    store(here, regrets, now);
    if (PREDICT) store(here, leans, positive(now * step.lean + gained));
}

// Of the flow x of hands, what makes the bid true together with a lane's own hand.
template <class X> HERE Lane<X> believed(Lanes here, Lane<X> x, const unsigned char* counts, int need) {
    const Lane<unsigned char> own = load(here, counts);
    Lane<X> out = all(X(0));
#pragma unroll
    for (int much = 0; much <= MOST; ++much) {
        const Lane<X> having = sum(each([much](X flow, unsigned char n) { return n >= much ? flow : X(0); }, x, own));
        out = each(
            [much, need](X so_far, X found, unsigned char n) {
                const int missing = need - n;
                return missing == much || (much == 0 && missing < 0) ? found : so_far;
            },
            out, having, own);
    }
    return out;
}

// The same for a bid of the last four that only hands make true which each make half of it so: the few others that do
// are looked up.
template <class X> HERE Lane<X> believed_quickly(Lane<X> x, Lane<unsigned long long> word, int y) {
#ifdef __CUDACC__
    const int few = y == 0 ? MATCHES0 : y == 1 ? MATCHES1 : y == 2 ? MATCHES2 : MATCHES3;
    X out = x;
#pragma unroll
    for (int other = 1; other < few; ++other) out += from(x, int(word >> (16 * y + 5 * other - 4)) & 31);
    return word >> (16 * y) & 1 ? out : X(0);
#else
    const Lane<X> half = each([y](X flow, unsigned long long w) { return w >> (16 * y) & 1 ? flow : X(0); }, x, word);
    const Lane<X> total = sum(half);
    return each([y](X found, unsigned long long w) { return w >> (16 * y) & 1 ? found : X(0); }, total, word);
#endif
}

template <class X>
HERE Lane<X> believed_at(Lanes here, Lane<X> x, Lane<unsigned long long> word, int j, whole q, const unsigned char* counts,
                         const unsigned char* needs) {
    if (j > 0 && (QUICK >> lowest(j) & 1)) return believed_quickly(x, word, lowest(j));
    int bid = BIDS - 1 - lowest(j);
    if (j == 0) {
#ifdef __CUDACC__
        bid = q == 0 ? 0 : BIDS - 4 - __ffsll(q);
#else
        bid = q == 0 ? 0 : BIDS - 4 - __builtin_ffsll(q);
#endif
    }
    return believed(here, x, counts + bid * HANDS, needs[bid]);
}

// What comes into a group: of the first level, the hands that are dealt.
template <class T>
HERE void enter(const Run<T>& run, Lanes here, int level, whole group, Lane<T>& flow, Lane<T>& inverse) {
    if (level > 0) {
        flow = load(here, run.reach + group);
        inverse = load(here, run.inverses + group);
        return;
    }
    flow = load(here, run.weights);
    Lane<T> moves = load(here, run.parts);
    for (int later = 1; later < LEVELS; ++later) moves += load(here, run.parts + groups_before(later) * HANDS);
    inverse = inverse_of<T>(moves, BIDS);
}

// A group of the last level: down, ends, up, learn. OWN: the side that learns is to move at the root.
template <class T, bool OWN, bool LEARN> HERE void leaf(const Run<T>& run, Lanes here, whole q, int side) {
    const Step<T> step = step_of(run, side);
    const whole row = (first_row(BIDS - 4) + q * (NODES - 1)) * HANDS, call_row = q * (NODES / 2) * HANDS;
    const whole group = (groups_before(LEVELS - 1) + q) * HANDS;
    const Lane<unsigned long long> word = load(here, run.quick);
    const T *shares = (PREDICT ? run.lean_bids : run.bids) + row;
    const T *call_shares = (PREDICT ? run.lean_calls : run.calls) + call_row;
    Lane<T> share[NODES], call[NODES / 2], old[NODES], old_call[NODES / 2], total[NODES], flow[NODES], value[NODES];
#pragma unroll
    for (int j = 1; j < NODES; ++j) share[j] = load(here, shares + place(4, j) * HANDS);
#pragma unroll
    for (int j = 0; j < NODES; j += 2) call[j / 2] = load(here, call_shares + call_place(j) * HANDS);
    Lane<T> root_inverse;
    enter<T>(run, here, LEVELS - 1, group, flow[0], root_inverse);
    const Odds<T> root = odds_of<T>(root_inverse);
#pragma unroll
    for (int j = 1; j < NODES; ++j)
        if (OWN ^ parity(j)) total[j] = load(here, run.totals + row + place(4, j) * HANDS);
    if (LEARN) {
#pragma unroll
        for (int j = 1; j < NODES; ++j)
            if (!(OWN ^ parity(j))) old[j] = PREDICT ? load(here, run.bids + row + place(4, j) * HANDS) : share[j];
#pragma unroll
        for (int j = 0; j < NODES; j += 2)
            if (OWN ^ parity(j)) old_call[j / 2] = PREDICT ? load(here, run.calls + call_row + call_place(j) * HANDS) : call[j / 2];
    }
#pragma unroll
    for (int j = 0; j < NODES; j += 2) {  // down; own moves change no flow, but share and call become their odds
        Odds<T> odds = root;
        if (!PREDICT) call[j / 2] = positive(call[j / 2]);
        Lane<T> all_of_it = call[j / 2];
#pragma unroll
        for (int y = lowest(j) - 1; y >= 0; --y) {
            if (!PREDICT) share[j | 1 << y] = positive(share[j | 1 << y]);
            all_of_it += share[j | 1 << y];
        }
        if (j > 0) odds = odds_of<T>(inverse_of<T>(all_of_it, lowest(j) + 1));
        call[j / 2] = odds.of(call[j / 2]);
        if (j == 0 && q == 0) call[0] = all(T(0));  // before any bid there is nothing to call
        if (!(OWN ^ parity(j))) call[j / 2] = call[j / 2] * flow[j];
#pragma unroll
        for (int y = lowest(j) - 1; y >= 0; --y) {
            share[j | 1 << y] = odds.of(share[j | 1 << y]);
            flow[j | 1 << y] = (OWN ^ parity(j)) ? flow[j] : flow[j] * share[j | 1 << y];
        }
    }
#pragma unroll
    for (int j = 1; j < NODES; ++j)
        if (OWN ^ parity(j)) store(here, run.totals + row + place(4, j) * HANDS, total[j] * step.fade + flow[j] * step.weight);
    if (!LEARN) return;
    Lane<T> there[8];
#pragma unroll
    for (int j = 0, k = 0; j < NODES; ++j)
        if (OWN ^ parity(j)) there[k++] = flow[j];
    sums(here, there);
#pragma unroll
    for (int j = NODES - 1, k = 7; j >= 0; --j) {  // ends and up
        const bool own = OWN ^ parity(j);
        const Lane<T> calling = own || (j & 1) ? flow[j] : call[j / 2];
        const Lane<T> found = believed_at<T>(here, calling, word, j, q, run.counts, run.needs);
        if (!own) {
            value[j] = found;
#pragma unroll
            for (int y = lowest(j) - 1; y >= 0; --y) value[j] += value[j | 1 << y];
            continue;
        }
        const Lane<T> won = there[k--] - found;
        if (j & 1) {
            value[j] = won;
            continue;
        }
        value[j] = call[j / 2] * won;
#pragma unroll
        for (int y = lowest(j) - 1; y >= 0; --y) value[j] += share[j | 1 << y] * value[j | 1 << y];
        T *regret = run.bids + row, *lean = run.lean_bids + row;
        if (j > 0) {
#pragma unroll
            for (int y = lowest(j) - 1; y >= 0; --y) {
                const int child = j | 1 << y, at = place(4, child) * HANDS;
                learn<T>(here, regret + at, lean + at, old[child], value[child] - value[j], step);
            }
            const whole at = call_row + call_place(j) * HANDS;
            learn<T>(here, run.calls + at, run.lean_calls + at, old_call[j / 2], won - value[j], step);
        } else {
#pragma unroll
            for (int child = 1; child < NODES; child *= 2) {
                store(here, regret + place(4, child) * HANDS, kept<T>(old[child], step) + value[child]);
                if (PREDICT) store(here, lean + place(4, child) * HANDS, value[child]);
            }
            if (q > 0) {
                store(here, run.calls + call_row, kept<T>(old_call[0], step) + won);
                if (PREDICT) store(here, run.lean_calls + call_row, won);
            }
        }
    }
    store(here, run.reach + group, value[0]);
}

// A group of an upper level on the way down: flows and sums for the groups below its nodes. What is read is read before
// anything is written: a compiler cannot know that these are different places.
template <class T, int K, bool OWN>
HERE void down(const Run<T>& run, Lanes here, whole q, int level, int side) {
    constexpr int SIZE = 1 << K;
    const Step<T> step = step_of(run, side);
    const int bits = bits_before(level) + K;
    const whole row = (first_row(bits - K) + q * (SIZE - 1)) * HANDS;
    const whole group = (groups_before(level) + q) * HANDS, below = (groups_before(level + 1) + q * SIZE) * HANDS;
    const T* shares = (PREDICT ? run.lean_bids : run.bids) + row;
    Lane<T> share[SIZE], flow[SIZE], odds_at[SIZE], total[SIZE];
#pragma unroll
    for (int j = 1; j < SIZE; ++j) {
        share[j] = positive<T>(load(here, shares + place(K, j) * HANDS));
        odds_at[j] = all(T(0));
        if (OWN ^ parity(j)) total[j] = load(here, run.totals + row + place(K, j) * HANDS);
    }
    enter<T>(run, here, level, group, flow[0], odds_at[0]);
    for (int later = level + 1; later < LEVELS; ++later) {  // moves at a node belong to groups of several levels
        const int between = bits_before(later) - bits;
        const T* parts = run.parts + (groups_before(later) + (q * SIZE << between)) * HANDS;
#pragma unroll
        for (int j = 1; j < SIZE; ++j) odds_at[j] += load(here, parts + (whole(j) << between) * HANDS);
    }
#pragma unroll
    for (int j = 0; j < SIZE; ++j) {
        const int later = j == 0 ? K : lowest(j);
        if (j > 0) {
#pragma unroll
            for (int y = later - 1; y >= 0; --y) odds_at[j] += share[j | 1 << y];
            odds_at[j] = inverse_of<T>(odds_at[j], later + BIDS - bits + 1);
        }
        const Odds<T> odds = odds_of<T>(odds_at[j]);
#pragma unroll
        for (int y = later - 1; y >= 0; --y)
            flow[j | 1 << y] = (OWN ^ parity(j)) ? flow[j] : flow[j] * odds.of(share[j | 1 << y]);
    }
#pragma unroll
    for (int j = 0; j < SIZE; ++j) {
        store(here, run.reach + below + j * HANDS, flow[j]);
        store(here, run.inverses + below + j * HANDS, odds_at[j]);
        if (j > 0 && (OWN ^ parity(j)))
            store(here, run.totals + row + place(K, j) * HANDS, total[j] * step.fade + flow[j] * step.weight);
    }
}

// The same on the way up: values, and regrets of all moves but the root's.
template <class T, int K, bool OWN> HERE void up(const Run<T>& run, Lanes here, whole q, int level, int side) {
    constexpr int SIZE = 1 << K;
    const Step<T> step = step_of(run, side);
    const whole row = (first_row(bits_before(level)) + q * (SIZE - 1)) * HANDS;
    const whole group = (groups_before(level) + q) * HANDS, below = (groups_before(level + 1) + q * SIZE) * HANDS;
    T *regret = run.bids + row, *lean = run.lean_bids + row;
    Lane<T> old[SIZE], share[SIZE], value[SIZE], odds_at[SIZE];
#pragma unroll
    for (int j = 0; j < SIZE; ++j) {
        value[j] = load(here, run.reach + below + j * HANDS);
        if (OWN ^ parity(j)) {
            odds_at[j] = load(here, run.inverses + below + j * HANDS);
        } else if (j > 0) {
            old[j] = load(here, regret + place(K, j) * HANDS);
            share[j] = PREDICT ? load(here, lean + place(K, j) * HANDS) : positive<T>(old[j]);
        }
    }
#pragma unroll
    for (int j = SIZE - 1; j >= 0; --j) {
        const int later = j == 0 ? K : lowest(j);
        if (!(OWN ^ parity(j))) {
#pragma unroll
            for (int y = later - 1; y >= 0; --y) value[j] += value[j | 1 << y];
            continue;
        }
        const Odds<T> odds = odds_of<T>(odds_at[j]);
#pragma unroll
        for (int y = later - 1; y >= 0; --y) value[j] += odds.of(share[j | 1 << y]) * value[j | 1 << y];
        if (j > 0) store(here, run.reach + below + j * HANDS, value[j]);  // for the roots below
#pragma unroll
        for (int y = later - 1; y >= 0; --y) {
            const int child = j | 1 << y, at = place(K, child) * HANDS;
            if (j > 0) {
                learn<T>(here, regret + at, lean + at, old[child], value[child] - value[j], step);
            } else {
                store(here, regret + at, kept<T>(old[child], step) + value[child]);
                if (PREDICT) store(here, lean + at, value[child]);
            }
        }
    }
    store(here, run.reach + group, value[0]);
}

// Where the value of a group's root is: the group below it on the level after its last bid; group 0 of all for no bids.
HERE whole home(int level, whole q) {
    if (q == 0) return 0;
    while (level > 1 && (q & 15) == 0) {
        q >>= 4;
        --level;
    }
    return groups_before(level) + q;
}

// The root's moves that belong to its group, which the fifth of them, the call, does on the last level.
struct RootMoves {
    int width;
    whole row, call_row;
    bool calls;
    HERE RootMoves(int level, whole q) {
        width = level == 0 ? FIRST : 4;
        row = (first_row(bits_before(level)) + q * ((1 << width) - 1)) * HANDS;
        call_row = q * (NODES / 2) * HANDS;
        calls = level == LEVELS - 1 && q > 0;
    }
    HERE bool has(int y) const { return y == 4 ? calls : y < width; }
    template <class T> HERE T* in(T* bids, T* calls, int y) const {
        return y == 4 ? calls + call_row : bids + row + place(width, 1 << y) * HANDS;
    }
};

template <class T> HERE void learn_root(const Run<T>& run, Lanes here, whole q, int level, int side) {
    const Step<T> step = step_of(run, side);
    const RootMoves moves(level, q);
    const Lane<T> value = load(here, run.reach + home(level, q) * HANDS);
    Lane<T> now[5], gained[5], total = all(T(0));
#pragma unroll
    for (int y = 0; y < 5; ++y) {
        if (!moves.has(y)) continue;
        now[y] = load(here, moves.in(run.bids, run.calls, y));
        if (PREDICT) gained[y] = load(here, moves.in(run.lean_bids, run.lean_calls, y));
    }
#pragma unroll
    for (int y = 0; y < 5; ++y) {
        if (!moves.has(y)) continue;
        now[y] = now[y] - value;
        if (FLOOR) now[y] = positive<T>(now[y]);
        store(here, moves.in(run.bids, run.calls, y), now[y]);
        Lane<T> share = positive<T>(now[y]);
        if (PREDICT) {
            share = positive<T>(now[y] * step.lean + (gained[y] - value));
            store(here, moves.in(run.lean_bids, run.lean_calls, y), share);
        }
        total += share;
    }
    store(here, run.parts + (groups_before(level) + q) * HANDS, total);
}

// The same sum, of regrets that were there before.
template <class T> HERE void add_root(const Run<T>& run, Lanes here, whole q, int level) {
    const RootMoves moves(level, q);
    Lane<T> total = all(T(0));
    for (int y = 0; y < 5; ++y)
        if (moves.has(y))
            total += positive<T>(load(here, PREDICT ? moves.in(run.lean_bids, run.lean_calls, y)
                                                    : moves.in(run.bids, run.calls, y)));
    store(here, run.parts + (groups_before(level) + q) * HANDS, total);
}

#define ARRAYS                                                                                                       \
    REAL *bids, REAL *calls, REAL *lean_bids, REAL *lean_calls, REAL *totals, REAL *reach, REAL *inverses, REAL *parts, \
        const REAL *weights, const unsigned char *counts, const unsigned char *needs, const unsigned long long *quick, \
        const double *steps, int *done
#define RUN                                                                                                          \
    const Run<REAL> run = {bids, calls, lean_bids, lean_calls, totals, reach, inverses, parts, weights, counts, needs,  \
                           quick, steps, done}

// Only the first level may have fewer than four bids.
#define ONE_WIDTH(K, own, f, ...)                 \
    if (own) f<REAL, K, true>(__VA_ARGS__);       \
    else f<REAL, K, false>(__VA_ARGS__);
#define BY_WIDTH(level, own, f, ...)                                            \
    if (level > 0 || FIRST == 4) { ONE_WIDTH(4, own, f, __VA_ARGS__) }          \
    else if (FIRST == 3) { ONE_WIDTH(3, own, f, __VA_ARGS__) }                  \
    else if (FIRST == 2) { ONE_WIDTH(2, own, f, __VA_ARGS__) }                  \
    else { ONE_WIDTH(1, own, f, __VA_ARGS__) }

KERNEL bids_down(ARRAYS, int side, int level) {
    RUN;
    groups(bits_before(level), [&](Lanes here, whole q, int turn) {
        BY_WIDTH(level, turn == side, down, run, here, q, level, side)
    });
}

KERNEL bids_leaf(ARRAYS, int side) {
    RUN;
    groups(BIDS - 4, [&](Lanes here, whole q, int turn) {
        if (turn == side) leaf<REAL, true, true>(run, here, q, side);
        else leaf<REAL, false, true>(run, here, q, side);
    });
}

KERNEL bids_settle(ARRAYS, int side) {
    RUN;
    groups(BIDS - 4, [&](Lanes here, whole q, int turn) {
        if (turn == side) leaf<REAL, true, false>(run, here, q, side);
        else leaf<REAL, false, false>(run, here, q, side);
    });
}

KERNEL bids_up(ARRAYS, int side, int level) {
    RUN;
    groups(bits_before(level), [&](Lanes here, whole q, int turn) {
        BY_WIDTH(level, turn == side, up, run, here, q, level, side)
    });
}

KERNEL bids_learn_roots(ARRAYS, int side) {
    RUN;
    for (int level = LEVELS - 1; level >= 0; --level)
        groups(bits_before(level), [&](Lanes here, whole q, int turn) {
            if (turn == side) learn_root<REAL>(run, here, q, level, side);
        });
}

KERNEL bids_add_roots(ARRAYS) {
    RUN;
    for (int level = LEVELS - 1; level >= 0; --level)
        groups(bits_before(level), [&](Lanes here, whole q, int turn) { add_root<REAL>(run, here, q, level); });
}
