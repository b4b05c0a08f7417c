// Regret minimisation on any public tree (ruse.forms.public_tree), level by level: a thread takes a hand at a node.
//
// A side's rows are the moves at its nodes where there is a choice, in the order of nodes; a row holds a number a hand.
// Slot 0 of a side is the beginning, slot r + 1 what follows its row r: between two moves of a side nothing changes for
// it. A pass of side `me` takes the weights of the other side's hands down to its slots (and adds them to its sums),
// finds what my hands get in my slots at the ends below each, and takes that up my nodes, with regrets. Every sum has
// one thread and one order.

template <class T> struct Nodes {  // of a side, where there is a choice
    const int *start;  // [nodes + 1]: their first rows
    const int *above;  // [nodes]: their slots
    const int *mask;  // [rows]: which line of `lines` says what hands can make a move
    const T* lines;  // [lines][hands]
};

template <class T> HERE T positive(T x) { return x > T(0) ? x : T(0); }

// The odds of a hand's moves at a node: share * slope, and of those that it can make even, where no regret is positive.
template <class T> struct Odds {
    T slope, even;
    HERE Odds(const Nodes<T>& nodes, const T* source, int node, int hands, int hand) {
        T total = 0, can = 0;
        const int end = nodes.start[node + 1];
        for (int r = nodes.start[node]; r < end; ++r) {
            total += positive(source[whole(r) * hands + hand]);
            if (MASKED) can += nodes.lines[whole(nodes.mask[r]) * hands + hand];
        }
        if (!MASKED) can = T(end - nodes.start[node]);
        slope = total > Tiny<T>::least ? T(1) / total : T(0);
        even = slope > T(0) || can == T(0) ? T(0) : T(1) / can;
    }
    HERE T of(const Nodes<T>& nodes, const T* source, int row, int hands, int hand) const {
        const T usual = positive(source[whole(row) * hands + hand]) * slope;
        if (!MASKED) return usual + even;
        return usual + even * nodes.lines[whole(nodes.mask[row]) * hands + hand];
    }
};

#define NODES const int *start, const int *above, const int *mask, const REAL *lines
#define THESE const Nodes<REAL> nodes = {start, above, mask, lines}

KERNEL tree_down(NODES, const REAL* source, REAL* sums, REAL* reach, const double* steps, const int* done, int side,
                 int low, int high, int hands) {
    THESE;
    const Step<REAL> step = step_at<REAL>(steps, done, side);
    items(whole(high - low) * hands, [&](whole i) {
        const int node = low + int(i / hands), hand = int(i % hands), end = start[node + 1];
        const REAL weight = reach[whole(above[node]) * hands + hand];
        const Odds<REAL> odds(nodes, source, node, hands, hand);
        for (int r = start[node]; r < end; ++r) {
            const whole at = whole(r) * hands + hand;
            const REAL after = weight * odds.of(nodes, source, r, hands, hand);
            reach[at + hands] = after;
            sums[at] = sums[at] * step.fade + after * step.weight;
        }
    });
}

#define ENDS const int *first, const int *slots, const int *pays, const int *matrix
#define SIZES int count, int hands, int others

// What my hands get at the ends of each of my slots: `ends` are in the order of those, and `slots` the other side's.
template <class T, class V>
HERE void at_ends(ENDS, const T* scale, const V* values, const T* reach, T* worth, SIZES) {
    items(whole(count) * hands, [&](whole i) {
        const int slot = int(i / hands), hand = int(i % hands);
        T total = 0;
        for (int e = first[slot]; e < first[slot + 1]; ++e) {
            const T* weights = reach + whole(slots[e]) * others;
            const V* column = values + whole(matrix[pays[e]]) * others * hands + hand;
            T gain = 0;
            for (int k = 0; k < others; ++k) gain += weights[k] * T(column[whole(k) * hands]);
            total += gain * scale[pays[e]];
        }
        worth[i] = total;
    });
}

KERNEL tree_ends(ENDS, const REAL* scale, const REAL* values, const REAL* reach, REAL* worth, SIZES) {
    at_ends<REAL>(first, slots, pays, matrix, scale, values, reach, worth, count, hands, others);
}

// What a hand gets in a slot: `below` are my nodes in the order of their slots, those of a slot from `first` on.
template <class T>
HERE T in_slot(const T* worth, const T* value, const int* first, const int* below, int slot, int hands, int hand) {
    T total = worth[whole(slot) * hands + hand];
    for (int n = first[slot]; n < first[slot + 1]; ++n) total += value[whole(below[n]) * hands + hand];
    return total;
}

KERNEL tree_up(NODES, REAL* regrets, REAL* hopes, REAL* worth, REAL* value, const int* first, const int* below,
               const double* steps, const int* done, int side, int low, int high, int hands) {
    THESE;
    const Step<REAL> step = step_at<REAL>(steps, done, side);
    const REAL* source = PREDICT ? hopes : regrets;
    items(whole(high - low) * hands, [&](whole i) {
        const int node = low + int(i / hands), hand = int(i % hands), end = start[node + 1];
        const Odds<REAL> odds(nodes, source, node, hands, hand);
        REAL all = 0;
        for (int r = start[node]; r < end; ++r) {
            const REAL total = in_slot(worth, value, first, below, r + 1, hands, hand);
            worth[whole(r + 1) * hands + hand] = total;
            all += odds.of(nodes, source, r, hands, hand) * total;
        }
        value[whole(node) * hands + hand] = all;
        for (int r = start[node]; r < end; ++r) {
            const whole at = whole(r) * hands + hand;
            REAL gained = worth[at + hands] - all;
            if (MASKED) gained *= lines[whole(mask[r]) * hands + hand];
            const REAL old = regrets[at];
            REAL now = old * (old > REAL(0) ? step.keep : step.keep_negative) + gained;
            if (FLOOR) now = positive(now);
            regrets[at] = now;
            if (PREDICT) hopes[at] = now * step.lean + gained;
        }
    });
}
