/* A first client for Amazons: of 50 random moves it plays the one after which its queens have most room.
 * Three places are marked; change the third first. Build: make. What the functions do: <agon/amazons_kit.h>.
 * What it prints by printf is kept with each match: agon show last shows it. */
#include <agon/amazons_kit.h>

#define MAX_MOVES 200000 /* a list that is full leaves moves out, and is still a list of legal moves */
static amazons_move moves[MAX_MOVES];
static uint64_t seed;

static inline uint32_t below(uint32_t bound) { /* xorshift64*: the same seed gives the same game */
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (uint32_t)((seed * 2685821657736338717ULL >> 32) * bound >> 32);
}

/* 1. keep your board */
static amazons_board board;

/* 2. list moves */
static uint32_t list_moves(void) {
    uint64_t count = amazons_moves(&board, moves, MAX_MOVES);
    return count < MAX_MOVES ? (uint32_t)count : MAX_MOVES;
}

/* 3. choose: replace each line above a comment "next:" by the code of the comment, and the client beats greedy. It then looks
 * at all moves, and amazons_evaluate says what a position is worth to the side to move: after the move that is the other side. */
static amazons_move choose(uint32_t count) {
    amazons_move best = moves[0];
    int best_room = -1000000;
    for (uint32_t i = 0; i < 50; i++) {
        /* next: for (uint32_t i = 0; i < count; i++) { */
        amazons_move move = moves[below(count)];
        /* next: amazons_move move = moves[i]; */
        amazons_apply(&board, move);
        int room = amazons_mobility(&board, 1 - board.side);
        /* next: int room = -amazons_evaluate(&board); */
        amazons_undo(&board, move);
        if (room > best_room) best_room = room, best = move;
    }
    agon_log_number("value", best_room);
    return best;
}

const char *get_player_name(void) { return "first-c"; }

int initialize(const amazons_setup *setup) {
    seed = setup->head.seed | 1;
    return amazons_start(&board, setup);
}

amazons_move play(const amazons_turn *turn) {
    amazons_apply(&board, turn->previous); /* the first turn has none, and nothing changes */
    amazons_move move = choose(list_moves());
    amazons_apply(&board, move);
    return move;
}

void finalize(void) {}

AGON_CLIENT(amazons)
