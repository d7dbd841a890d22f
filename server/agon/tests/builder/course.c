/* A client as a course hands it in: it lists its moves on the board and plays one. TEAM seeds its choice, LOOKS says how many
 * moves it compares, and FAULT is what is wrong with it. */
#include <agon/amazons.h>
#include <stdio.h>
#include <stdlib.h>

#define NOWHERE UINT32_MAX
#define MOST 20000
static const amazons_setup *board;
static uint32_t next[4096][8];
static uint8_t taken[4096];
static amazons_move moves[MOST];
static uint64_t seed;
static int plies;

static uint32_t below(uint32_t bound) {
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)((seed * 2685821657736338717ULL >> 32) * bound >> 32);
}

static void put(uint32_t side, amazons_move move) {
    for (uint32_t i = 0; i < board->num_queens[side]; i++)
        if (board->queens[side][i] == move.queen_src) board->queens[side][i] = move.queen_dst;
    taken[move.queen_src] = 0;
    taken[move.queen_dst] = taken[move.arrow_dst] = 1;
}

#define SLIDE(v, from)                    \
    for (int d_##v = 0; d_##v < 8; d_##v++) \
        for (uint32_t v = from; (v = next[v][d_##v]) != NOWHERE && v != from && !taken[v];)

static uint32_t list(uint32_t side) {
    uint32_t count = 0;
    for (uint32_t q = 0; q < board->num_queens[side]; q++) {
        uint32_t src = board->queens[side][q];
        SLIDE(dst, src) {
            taken[src] = 0;
            SLIDE(hit, dst) if (count < MOST) moves[count++] = (amazons_move){src, dst, hit};
            taken[src] = 1;
        }
    }
    return count;
}

static int room(uint32_t side) {
    int sum = 0;
    for (uint32_t q = 0; q < board->num_queens[side]; q++) SLIDE(v, board->queens[side][q]) sum++;
    return sum;
}

const char *get_player_name(void) { return "course"; }

int initialize(const amazons_setup *setup) {
    board = setup;
    seed = (setup->head.seed ^ TEAM * 0x9E3779B97F4A7C15ULL) | 1;
    for (uint32_t v = 0; v < setup->num_vertices; v++)
        for (int d = 0; d < 8; d++) next[v][d] = NOWHERE;
    for (uint32_t v = 0; v < setup->num_vertices; v++)
        for (uint32_t e = setup->row_start[v]; e < setup->row_start[v + 1]; e++)
            next[v][setup->directions[e] - 1] = setup->targets[e];
    for (uint32_t i = 0; i < setup->num_blocked; i++) taken[setup->blocked[i]] = 1;
    for (int side = 0; side < 2; side++)
        for (uint32_t q = 0; q < setup->num_queens[side]; q++) taken[setup->queens[side][q]] = 1;
    return FAULT == 4;
}

amazons_move play(const amazons_turn *turn) {
    uint32_t side = board->side;
    if (turn->previous.queen_src != NOWHERE) put(1 - side, turn->previous);
    plies++;
    if (FAULT == 1 && plies == 2) fprintf(stderr, "evaluating\n"), *(volatile int *)0 = 1;
    if (FAULT == 2 && plies == 3) return (amazons_move){0, 0, 0};
    while (FAULT == 3) seed++;
    uint32_t count = list(side);
    amazons_move best = moves[below(count)];
    int best_value = -10000;
    for (int i = 0; i < LOOKS; i++) {
        amazons_move move = moves[below(count)], back = {move.queen_dst, move.queen_src, move.queen_src};
        put(side, move);
        int value = room(side) - room(1 - side);
        if (value > best_value) best_value = value, best = move;
        taken[move.arrow_dst] = 0;
        put(side, back);
    }
    put(side, best);
    return best;
}

void finalize(void) {}

AGON_CLIENT(amazons)
