/* A first client for Grundy's game: it leaves the other side without a move where it can, and else splits at random.
 * Build: make. What the functions get and return: <agon/grundy.h>.
 * What it prints by printf is kept with each match: agon show last shows it. */
#include <agon/grundy.h>

static uint64_t seed;

static uint32_t below(uint32_t bound) { /* xorshift64*: the same seed gives the same game */
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)((seed * 2685821657736338717ULL >> 32) * bound >> 32);
}

/* 1. what a split leaves: how many heaps can still be split.
 * Next: combine the nimbers of all heaps by ^ instead; a split that leaves 0 wins. The nimber of a heap is the least number
 * that nimber(a) ^ nimber(b) is for none of its splits into a and b. */
static uint32_t heaps_left(const grundy_turn *turn, uint32_t heap, uint32_t split) {
    uint32_t left = (split > 2) + (turn->heaps[heap] - split > 2);
    for (uint32_t other = 0; other < turn->num_heaps; other++) {
        left += other != heap && turn->heaps[other] > 2;
    }
    return left;
}

/* 2. choose: of all splits one that leaves nothing, or any */
static grundy_move choose(const grundy_turn *turn) {
    grundy_move move = {0, 0};
    uint32_t seen = 0;
    for (uint32_t heap = 0; heap < turn->num_heaps; heap++) {
        for (uint32_t split = 1; split < turn->heaps[heap]; split++) {
            if (!grundy_may_split(turn->heaps[heap], split)) continue;
            if (heaps_left(turn, heap, split) == 0) {
                grundy_move last = {heap, split};
                return last;
            }
            if (below(++seen) == 0) move.heap = heap, move.split = split;
        }
    }
    return move;
}

const char *get_player_name(void) { return "first-c"; }

int initialize(const grundy_setup *setup) {
    seed = setup->head.seed | 1;
    return 0;
}

grundy_move play(const grundy_turn *turn) { return choose(turn); }

void finalize(void) {}

AGON_CLIENT(grundy)
