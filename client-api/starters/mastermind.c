/* A first client for Mastermind: it guesses a code that agrees with all replies so far, found by drawing; as a maker it
 * keeps one secret. Build: make. What the functions get and return: <agon/mastermind.h>.
 * What it prints by printf is kept with each match: agon show last shows it. */
#include <agon/mastermind.h>

#define MOST_DRAWN 20000 /* codes that are drawn for a guess, at most */

static int pegs, values;
static uint8_t secret[MASTERMIND_MAX_PEGS];
static uint64_t seed;

static uint32_t below(uint32_t bound) { /* xorshift64*: the same seed gives the same game */
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)((seed * 2685821657736338717ULL >> 32) * bound >> 32);
}

static void draw(uint8_t *code) {
    for (int peg = 0; peg < pegs; peg++) code[peg] = (uint8_t)below((uint32_t)values);
}

/* 1. with how many of the replies so far a code agrees */
static uint32_t agreement(const mastermind_turn *turn, const uint8_t *code) {
    uint32_t agreed = 0;
    for (uint32_t i = 0; i < turn->num_history; i++) {
        mastermind_move reply = mastermind_reply(code, turn->history[i].v, pegs);
        agreed += reply.rr == turn->history[i].rr && reply.rw == turn->history[i].rw;
    }
    return agreed;
}

/* 2. choose: the first code that agrees with all of them, or the best that was drawn.
 * Next: draw up to 60 codes that agree with all replies, and guess the one that gets most different replies from them. */
static mastermind_move choose(const mastermind_turn *turn) {
    uint8_t code[MASTERMIND_MAX_PEGS], best[MASTERMIND_MAX_PEGS];
    uint32_t best_agreed = 0;
    draw(best);
    for (int i = 0; i < MOST_DRAWN && turn->num_history > 0; i++) {
        draw(code);
        uint32_t agreed = agreement(turn, code);
        if (agreed > best_agreed) best_agreed = agreed, memcpy(best, code, sizeof best);
        if (agreed == turn->num_history) break;
    }
    return mastermind_code(best, pegs);
}

const char *get_player_name(void) { return "first-c"; }

int initialize(const mastermind_setup *setup) {
    pegs = setup->pegs, values = setup->values;
    seed = setup->head.seed | 1;
    draw(secret);
    return 0;
}

mastermind_move play(const mastermind_turn *turn) {
    switch (turn->kind) {
    case MASTERMIND_ASKS_SECRET: return mastermind_code(secret, pegs);
    case MASTERMIND_ASKS_REPLY: return mastermind_reply(secret, turn->guess, pegs);
    default: return choose(turn);
    }
}

void finalize(void) {}

AGON_CLIENT(mastermind)
