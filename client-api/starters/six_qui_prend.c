/* A first client for 6 qui prend!: it lays the card that comes nearest behind a row with room, and takes the cheapest
 * row. Build: make. What the functions get and return: <agon/six_qui_prend.h>.
 * What it prints by printf is kept with each match: agon show last shows it. */
#include <agon/six_qui_prend.h>

/* 1. the row that a card goes to: the one with the nearest lower end, or -1 */
static int row_of(const six_qui_prend_turn *turn, int card) {
    int best = -1, best_end = 0;
    for (int row = 0; row < SIX_QUI_PREND_ROWS; row++) {
        int end = turn->rows[row][turn->row_size[row] - 1];
        if (end < card && end > best_end) best = row, best_end = end;
    }
    return best;
}

/* 2. what is bad about laying a card now: the gap, and much more where it may take a row.
 * Next: return the sum of the heads that you take in 20 rounds that you play out, with the same chance for each card. You
 * lay the card, then the rest of your hand in any order. The others lay cards drawn from those that nobody has shown
 * (seen) and you do not hold. */
static int cost(const six_qui_prend_turn *turn, int card) {
    int row = row_of(turn, card);
    if (row < 0) return 500;
    int gap = card - turn->rows[row][turn->row_size[row] - 1];
    return turn->row_size[row] == SIX_QUI_PREND_CAPACITY ? 200 + 10 * turn->row_heads[row] : gap * turn->row_size[row];
}

/* 3. choose the card that costs least */
static int choose(const six_qui_prend_turn *turn) {
    int best = turn->hand[0];
    for (int i = 1; i < turn->num_hand; i++) {
        if (cost(turn, turn->hand[i]) < cost(turn, best)) best = turn->hand[i];
    }
    return best;
}

const char *get_player_name(void) { return "first-c"; }

int initialize(const six_qui_prend_setup *setup) {
    (void)setup;
    return 0;
}

six_qui_prend_move play(const six_qui_prend_turn *turn) {
    six_qui_prend_move move = {0, 0};
    if (turn->kind == SIX_QUI_PREND_ASKS_ROW) {
        move.row = SIX_QUI_PREND_CHEAPEST_ROW;
    } else {
        move.card = (uint8_t)choose(turn);
    }
    return move;
}

void finalize(void) {}

AGON_CLIENT(six_qui_prend)
