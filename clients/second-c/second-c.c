/* A second client for Amazons: it looks at every move, one move deep, and plays the one after which the evaluation of the kit is
 * best. Where to go on from here: two moves deep, alpha-beta, a table by board.hash. Build: make. */
#include <agon/amazons_kit.h>

#define MAX_MOVES 200000 /* a list that is full leaves moves out, and is still a list of legal moves */
static amazons_move moves[MAX_MOVES];
static amazons_board board;

/* What this turn may take, on the clock that judges: half of what is left for it, and a twentieth of what is left for all
 * turns, or an even share where fewer come before more is given. */
static uint64_t allowance(const agon_turn *head) {
    uint64_t turns = agon_moves_left(head);
    uint64_t most = head->total_left_us / (turns > 0 && turns < 20 ? turns : 20);
    if (head->cpu_left_us / 2 < most) most = head->cpu_left_us / 2;
    if (head->wall_left_us / 2 < most) most = head->wall_left_us / 2;
    return most;
}

/* The best of the moves, or of those that there was time for. */
static amazons_move choose(uint64_t count, uint64_t most_us) {
    amazons_move best = moves[0];
    int32_t best_value = INT32_MIN;
    for (uint64_t i = 0; i < count; i++) {
        if (i % 64 == 63 && agon_cpu_us() >= most_us) break;
        amazons_apply(&board, moves[i]);
        int32_t value = -amazons_evaluate(&board); /* the other side is to move: what it is worth to them, turned round */
        amazons_undo(&board, moves[i]);
        if (value > best_value) best_value = value, best = moves[i];
    }
    agon_log_number("value", best_value / 1000);
    return best;
}

const char *get_player_name(void) { return "second-c"; }

int initialize(const amazons_setup *setup) { return amazons_start(&board, setup); }

amazons_move play(const amazons_turn *turn) {
    amazons_apply(&board, turn->previous); /* the first turn has none, and nothing changes */
    uint64_t count = amazons_moves(&board, moves, MAX_MOVES);
    amazons_move move = choose(count < MAX_MOVES ? count : MAX_MOVES, allowance(&turn->head));
    amazons_apply(&board, move);
    return move;
}

void finalize(void) {}

AGON_CLIENT(amazons)
