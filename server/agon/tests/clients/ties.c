/* A client of Amazons for which all moves are equal. The option salt says which one it likes best where it stands, by a hash; with the
 * chance of `luck` in a thousand, and near the end always, it takes any. So two of them with different salts are equal over all the
 * openings there are, while on a single one the same of them wins again and again. */
#include <agon/amazons_kit.h>
#include <stdlib.h>

#define MAX_MOVES 4096
#define NEAR_THE_END 8 /* so many moves or fewer */

static amazons_move moves[MAX_MOVES];
static amazons_board board;
static uint64_t salt, luck, state;

static uint64_t draw(void) {
    state += 0x9e3779b97f4a7c15u;
    return amazons_key(state);
}

const char *get_player_name(void) { return "ties"; }

static uint64_t number(const amazons_setup *setup, const char *key) {
    char text[32];
    return agon_option(&setup->head, key, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

int initialize(const amazons_setup *setup) {
    salt = number(setup, "salt"), luck = number(setup, "luck");
    state = setup->head.seed;
    return amazons_start(&board, setup);
}

amazons_move play(const amazons_turn *turn) {
    amazons_apply(&board, turn->previous);
    uint64_t count = amazons_moves(&board, moves, MAX_MOVES);
    if (count > MAX_MOVES) count = MAX_MOVES;
    int is_any = count <= NEAR_THE_END || draw() % 1000 < luck;
    uint64_t chosen = is_any ? draw() : amazons_key(board.hash ^ amazons_key(salt));
    amazons_move move = moves[chosen % count];
    amazons_apply(&board, move);
    return move;
}

void finalize(void) {}

AGON_CLIENT(amazons)
