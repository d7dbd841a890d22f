/* A first client for Amazons: of 50 random moves it plays the one after which its queens have most room.
 * Three places are marked; change the third first. Build: make. The game and its structs: <agon/amazons.h>. */
#include <agon/amazons.h>
#include <stdlib.h>

#define MAX_MOVES 200000 /* a list that is full leaves moves out, and is still a list of legal moves */
#define NOWHERE UINT32_MAX
static const amazons_setup *board; /* valid until finalize */
static uint32_t *next;             /* next[8 * v + d - 1]: the neighbour of v in direction d, or NOWHERE */
static uint8_t *occupied;          /* 1 for queens, arrows and blocked vertices */
static amazons_move *moves;
static uint64_t seed;

static uint32_t below(uint32_t bound) { /* xorshift64*: the same seed gives the same game */
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)((seed * 2685821657736338717ULL >> 32) * bound >> 32);
}

/* 1. keep your board */
static void play_on_board(uint32_t side, amazons_move move) {
    for (uint32_t i = 0; i < board->num_queens[side]; i++) {
        uint32_t *queen = &board->queens[side][i]; /* the setup is ours, so its queens may move */
        if (*queen == move.queen_src) *queen = move.queen_dst;
    }
    occupied[move.queen_src] = 0;
    occupied[move.queen_dst] = occupied[move.arrow_dst] = 1;
}

/* Every vertex v that one slide from a vertex can reach; a slide never comes back to its start. */
#define EACH_SLIDE(v, from)                                                                    \
    for (int d_##v = 0; d_##v < 8; d_##v++)                                                    \
        for (uint32_t v = from, left_##v = board->num_vertices;                                \
             left_##v-- && (v = next[8 * v + d_##v]) != NOWHERE && v != from && !occupied[v];)

/* 2. list moves */
static uint32_t list_moves(uint32_t side) {
    uint32_t count = 0;
    for (uint32_t q = 0; q < board->num_queens[side]; q++) {
        uint32_t src = board->queens[side][q];
        EACH_SLIDE(dst, src) {
            occupied[src] = board->vacated == AMAZONS_VACATED_BLOCKED; /* may the arrow fly there? */
            EACH_SLIDE(hit, dst) if (count < MAX_MOVES) moves[count++] = (amazons_move){src, dst, hit};
            occupied[src] = 1;
        }
    }
    return count;
}

static int room(uint32_t side) { /* how many vertices the queens of a side reach in one slide */
    int sum = 0;
    for (uint32_t q = 0; q < board->num_queens[side]; q++) EACH_SLIDE(v, board->queens[side][q]) sum++;
    return sum;
}

/* 3. choose: try `room(side) - room(1 - side)` and watch your results against greedy */
static amazons_move choose(uint32_t side, uint32_t count) {
    amazons_move best = moves[0];
    int best_room = -1;
    for (int i = 0; i < 50; i++) {
        amazons_move move = moves[below(count)], back = {move.queen_dst, move.queen_src, move.queen_src};
        play_on_board(side, move);
        if (room(side) > best_room) best_room = room(side), best = move;
        occupied[move.arrow_dst] = 0;
        play_on_board(side, back); /* a slide back, and an "arrow" where the queen stands anyway */
    }
    agon_log_number("value", best_room);
    return best;
}

const char *get_player_name(void) { return "first-c"; }

int initialize(const amazons_setup *setup) {
    uint32_t n = setup->num_vertices;
    board = setup;
    seed = setup->head.seed | 1;
    next = malloc(8 * n * sizeof *next);
    occupied = calloc(n, 1);
    moves = malloc(MAX_MOVES * sizeof *moves);
    if (!next || !occupied || !moves) return 1; /* no match without memory */
    for (uint32_t i = 0; i < 8 * n; i++) next[i] = NOWHERE;
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t e = setup->row_start[v]; e < setup->row_start[v + 1]; e++)
            next[8 * v + setup->directions[e] - 1] = setup->targets[e];
    for (uint32_t i = 0; i < setup->num_blocked; i++) occupied[setup->blocked[i]] = 1;
    for (int side = 0; side < 2; side++)
        for (uint32_t q = 0; q < setup->num_queens[side]; q++) occupied[setup->queens[side][q]] = 1;
    return 0;
}

amazons_move play(const amazons_turn *turn) {
    if (turn->previous.queen_src != UINT32_MAX) play_on_board(1 - board->side, turn->previous);
    amazons_move move = choose(board->side, list_moves(board->side));
    play_on_board(board->side, move);
    return move;
}

void finalize(void) { free(next), free(occupied), free(moves); }

AGON_CLIENT(amazons)
