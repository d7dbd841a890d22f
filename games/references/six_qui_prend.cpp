// 6 qui prend with ten seats by the rules of the course, one deal a match, as somebody writes it who needs nothing else: fixed arrays,
// one match at a time, or sixteen at once in the lanes of vectors. Every seat plays the card at its own fifth of its hand.
// Ways: `chacha` deals as agon does; `own` by a quick generator of its own; `lanes` sixteen matches at once, dealt as agon does.

constexpr int SEATS = 10, HAND = 10, CARDS = 104, ROWS = 4, CAPACITY = 5;

struct Heads {
    uint8_t on[CARDS + 1] = {};
    constexpr Heads() {
        for (int card = 1; card <= CARDS; card++)
            on[card] = card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
    }
};
constexpr Heads HEADS;

// SplitMix64, and draws by the upper half of a product.
struct Quick {
    uint64_t state;
    explicit Quick(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15) {}
    uint32_t below(uint32_t bound) {
        uint64_t mixed = state += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        return uint32_t(uint64_t(uint32_t(mixed >> 32)) * bound >> 32);
    }
};

struct Deal {
    uint8_t hands[SEATS][HAND];
    uint8_t ends[ROWS];
};

// Every card gets an owner, so that the hands are ascending without a sort.
template <class Chance> void deal(Chance &chance, Deal &into) {
    uint8_t owners[CARDS], sizes[SEATS] = {};
    for (int card = 0; card < SEATS * HAND; card++) owners[card] = uint8_t(card / HAND);
    for (int row = 0; row < ROWS; row++) owners[SEATS * HAND + row] = uint8_t(SEATS + row);
    for (int last = CARDS - 1; last > 0; last--) {
        int other = int(chance.below(uint32_t(last + 1)));
        uint8_t swapped = owners[last];
        owners[last] = owners[other], owners[other] = swapped;
    }
    for (int card = 1; card <= CARDS; card++) {
        int owner = owners[card - 1];
        if (owner < SEATS) into.hands[owner][sizes[owner]++] = uint8_t(card);
        else into.ends[owner - SEATS] = uint8_t(card);
    }
}

// A match under way. A row is known by size, heads and end; its cards are kept as they lie.
struct Table {
    uint8_t cards[ROWS][CAPACITY], sizes[ROWS], heads[ROWS], ends[ROWS];

    // The row with the nearest end below the card, or the first of those with the fewest heads; nothing in it can be guessed, so that
    // there is no branch but for a card below all ends.
    int row_of(int card) const {
        int nearest = 4 * 256;
        for (int row = 0; row < ROWS; row++) {
            int distance = uint8_t(card - ends[row] - 1) << 2 | row;
            nearest = distance < nearest ? distance : nearest;
        }
        if (nearest < 128 << 2) return nearest & 3;
        int cheapest = 0;
        for (int row = 1; row < ROWS; row++) cheapest = heads[row] < heads[cheapest] ? row : cheapest;
        return cheapest;
    }

    // Lays a card, and says how many heads its player takes.
    int lay(int card, int row) {
        bool appended = (ends[row] < card) & (sizes[row] < CAPACITY);
        int size = appended ? sizes[row] : 0, kept = appended ? heads[row] : 0, taken = heads[row] - kept;
        cards[row][size] = uint8_t(card);
        sizes[row] = uint8_t(size + 1), heads[row] = uint8_t(kept + HEADS.on[card]), ends[row] = uint8_t(card);
        return taken;
    }
};

// Plays a deal to its end; the heads of every seat.
void play(Deal &game, int (&totals)[SEATS]) {
    Table table{};
    for (int row = 0; row < ROWS; row++) table.lay(game.ends[row], row);
    for (int &total : totals) total = 0;
    for (int left = HAND; left > 0; left--) {
        // The seat of each card that is chosen, and the cards as a set, which gives them in ascending order.
        uint8_t seats[128];
        uint64_t set[2] = {};
        for (int seat = 0; seat < SEATS; seat++) {
            uint8_t *hand = game.hands[seat];
            int at = left * (seat % 5) / 5, card = hand[at];
            for (int next = at + 1; next < left; next++) hand[next - 1] = hand[next];
            seats[card] = uint8_t(seat), set[card >> 6] |= uint64_t(1) << (card & 63);
        }
        for (int half = 0; half < 2; half++) {
            for (uint64_t rest = set[half]; rest; rest &= rest - 1) {
                int card = half << 6 | __builtin_ctzll(rest);
                totals[seats[card]] += table.lay(card, table.row_of(card));
            }
        }
    }
}

template <class Chance, class... More> uint64_t play_all(uint64_t matches, More... more) {
    Checksum checksum;
    for (uint64_t number = 0; number < matches; number++) {
        Chance chance(number, more...);
        Deal game;
        int totals[SEATS];
        deal(chance, game);
        play(game, totals);
        for (int total : totals) checksum.add(uint64_t(total));
    }
    return checksum.sum;
}

constexpr int LANES = 16;
typedef int16_t Lanes __attribute__((vector_size(2 * LANES)));

Lanes all(int value) { return Lanes{} + int16_t(value); }

// Sixteen matches at once. What a row holds is told by size, heads and end alone.
void play_lanes(Lanes (&hands)[SEATS][HAND], Lanes (&ends)[ROWS], Lanes (&totals)[SEATS]) {
    Lanes sizes[ROWS], heads[ROWS];
    auto heads_on = [](Lanes card) {
        Lanes on;
        for (int lane = 0; lane < LANES; lane++) on[lane] = HEADS.on[card[lane]];
        return on;
    };
    for (int row = 0; row < ROWS; row++) sizes[row] = all(1), heads[row] = heads_on(ends[row]);
    for (Lanes &total : totals) total = all(0);
    for (int left = HAND; left > 0; left--) {
        Lanes chosen[SEATS];
        for (int seat = 0; seat < SEATS; seat++) {
            int at = left * (seat % 5) / 5;
            chosen[seat] = hands[seat][at] << 4 | int16_t(seat);
            for (int next = at + 1; next < left; next++) hands[seat][next - 1] = hands[seat][next];
        }
        for (int end = SEATS - 1; end > 0; end--) {
            for (int at = 0; at < end; at++) {
                Lanes a = chosen[at], b = chosen[at + 1];
                chosen[at] = a < b ? a : b, chosen[at + 1] = a < b ? b : a;
            }
        }
        for (Lanes key : chosen) {
            Lanes card = key >> 4, seat = key & int16_t(15), on = heads_on(card);
            Lanes best = all(-1), row_end = all(0), cheapest = all(0), fewest = heads[0];
            for (int row = 0; row < ROWS; row++) {
                Lanes nearer = (ends[row] < card) & (ends[row] > row_end);
                best = nearer ? all(row) : best, row_end = nearer ? ends[row] : row_end;
                Lanes fewer = heads[row] < fewest;
                cheapest = fewer ? all(row) : cheapest, fewest = fewer ? heads[row] : fewest;
            }
            Lanes low = best < 0, at = low ? cheapest : best, taken = all(0);
            for (int row = 0; row < ROWS; row++) {
                Lanes here = at == int16_t(row), takes = here & (low | (sizes[row] == int16_t(CAPACITY)));
                taken |= takes & heads[row];
                sizes[row] = takes ? all(1) : sizes[row] - here;
                heads[row] = takes ? on : heads[row] + (here & on);
                ends[row] = here ? card : ends[row];
            }
            for (int other = 0; other < SEATS; other++) totals[other] += (seat == int16_t(other)) & taken;
        }
    }
}

// The matches of a count that is a multiple of sixteen.
uint64_t play_all_in_lanes(uint64_t matches) {
    Checksum checksum;
    for (uint64_t begin = 0; begin + LANES <= matches; begin += LANES) {
        Lanes hands[SEATS][HAND], ends[ROWS], totals[SEATS];
        for (int lane = 0; lane < LANES; lane++) {
            ChaCha8 chance(begin + uint64_t(lane), 1);
            Deal game;
            deal(chance, game);
            for (int seat = 0; seat < SEATS; seat++)
                for (int at = 0; at < HAND; at++) hands[seat][at][lane] = game.hands[seat][at];
            for (int row = 0; row < ROWS; row++) ends[row][lane] = game.ends[row];
        }
        play_lanes(hands, ends, totals);
        for (int lane = 0; lane < LANES; lane++)
            for (Lanes total : totals) checksum.add(uint64_t(total[lane]));
    }
    return checksum.sum;
}

int main(int, char **words) {
    uint64_t matches = strtoull(words[2], nullptr, 10);
    return report([&] {
        if (!strcmp(words[1], "lanes")) return play_all_in_lanes(matches);
        if (!strcmp(words[1], "own")) return play_all<Quick>(matches);
        return play_all<ChaCha8>(matches, uint64_t(1));
    });
}
