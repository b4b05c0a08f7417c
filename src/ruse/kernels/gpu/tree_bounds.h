// Exact bounds of the average plans of `tree.h`, in whole numbers: what ruse.kernels.public_bounds does, to the unit.
//
// Each hand of the other side begins with 2^bits units. At its nodes they are split in proportion to sums, each share
// rounded down and no more than is left; the largest takes the rest. Shares are stored, so all that follows reads the
// same ones. A share is a quotient and then a product, in doubles: nothing is added to a product, so no machine rounds
// once where another rounds twice, and both are rounded as IEEE 754 says. Units are below 2^53, exact in a double.
//
// Nothing overflows if bits were chosen by `PublicTree.largest` (ruse.forms.public_bounds has the proof, which holds for
// sums in any order). `whole_flows` reads again what was stored: it tells if a node's parts are not all of its units.

template <class T> HERE bool possible(const Nodes<T>& nodes, int row, int hands, int hand) {
    return !MASKED || nodes.lines[whole(nodes.mask[row]) * hands + hand] > T(0);
}

KERNEL whole_down(NODES, const REAL* sums, whole* reach, int low, int high, int hands) {
    THESE;
    items(whole(high - low) * hands, [&](whole i) {
        const int node = low + int(i / hands), hand = int(i % hands), end = start[node + 1];
        const whole units = reach[whole(above[node]) * hands + hand];
        double together = 0, most = -1;
        int can = 0, largest = start[node];
        for (int r = start[node]; r < end; ++r) {
            if (!possible(nodes, r, hands, hand)) continue;
            const double weight = double(sums[whole(r) * hands + hand]);
            ++can;
            if (weight > 0) together += weight;
            if (weight > most) {
                most = weight;
                largest = r;
            }
        }
        whole left = units;
        for (int r = start[node]; r < end; ++r) {
            const whole at = whole(r) * hands + hand;
            double share = 0;
            if (possible(nodes, r, hands, hand)) share = together > 0 ? positive(double(sums[at])) / together : 1.0 / can;
            const whole part = whole(share * double(units)), taken = part < left ? part : left;
            reach[at + hands] = taken;
            left -= taken;
        }
        reach[whole(largest + 1) * hands + hand] += left;
    });
}

KERNEL whole_flows(const int* start, const int* above, const whole* reach, int* wrong, int nodes, int hands, int bits) {
    items(whole(nodes) * hands, [&](whole i) {
        const int node = int(i / hands), hand = int(i % hands);
        whole left = reach[whole(above[node]) * hands + hand];
        bool fits = above[node] > 0 || left == whole(1) << bits;
        for (int r = start[node]; r < start[node + 1]; ++r) {
            const whole part = reach[whole(r + 1) * hands + hand];
            fits = fits && 0 <= part && part <= left;
            left -= part;
        }
        if (!fits || left != 0) *wrong = 1;  // whoever says so says the same
    });
}

KERNEL whole_ends(ENDS, const whole* scale, const REAL* values, const whole* reach, whole* worth, SIZES) {
    at_ends<whole>(first, slots, pays, matrix, scale, values, reach, worth, count, hands, others);
}

// The same, where REAL has too few digits for the numbers of a matrix.
KERNEL whole_ends_of_int(ENDS, const whole* scale, const int* values, const whole* reach, whole* worth, SIZES) {
    at_ends<whole>(first, slots, pays, matrix, scale, values, reach, worth, count, hands, others);
}

// The best of what a hand can do at each of my nodes.
KERNEL whole_up(NODES, const whole* worth, whole* value, const int* first, const int* below, int low, int high,
                int hands) {
    THESE;
    items(whole(high - low) * hands, [&](whole i) {
        const int node = low + int(i / hands), hand = int(i % hands), end = start[node + 1];
        whole best = 0;
        bool found = false;
        for (int r = start[node]; r < end; ++r) {
            if (!possible(nodes, r, hands, hand)) continue;
            const whole gain = in_slot(worth, value, first, below, r + 1, hands, hand);
            if (!found || gain > best) best = gain;
            found = true;
        }
        value[whole(node) * hands + hand] = best;
    });
}

KERNEL whole_root(whole* worth, const whole* value, const int* first, const int* below, int hands) {
    items(hands, [&](whole hand) { worth[hand] = in_slot(worth, value, first, below, 0, hands, int(hand)); });
}
