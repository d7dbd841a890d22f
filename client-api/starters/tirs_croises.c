/* A first client for Tirs Croisés: it takes the cell that is worth most, less the best that it leaves to the next
 * player. Build: make. What the functions get and return: <agon/tirs_croises.h>.
 * What it prints by printf is kept with each match: agon show last shows it. */
#include <agon/tirs_croises.h>

static int size;

/* 1. the best value in the row and the column of a cell, once that cell is taken.
 * Next: set the cell to 0 in a copy of the turn, subtract from each value what best_left says of that cell, four moves
 * deep, and put the cell back. */
static int best_left(const tirs_croises_turn *turn, int x, int y) {
    int best = 0;
    for (int i = 0; i < size; i++) {
        if (i != x && turn->values[y][i] > best) best = turn->values[y][i];
        if (i != y && turn->values[i][x] > best) best = turn->values[i][x];
    }
    return best;
}

/* 2. choose */
static tirs_croises_move choose(const tirs_croises_turn *turn) {
    tirs_croises_move move = {0, 0};
    int best = -100;
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            int is_anywhere = turn->cursor_x == 0;
            int is_in_line = x + 1 == turn->cursor_x || y + 1 == turn->cursor_y;
            if (turn->values[y][x] == 0 || !(is_anywhere || is_in_line)) continue;
            int worth = turn->values[y][x] - best_left(turn, x, y);
            if (worth > best) best = worth, move.x = (uint8_t)(x + 1), move.y = (uint8_t)(y + 1);
        }
    }
    return move;
}

const char *get_player_name(void) { return "first-c"; }

int initialize(const tirs_croises_setup *setup) {
    size = setup->size;
    return 0;
}

tirs_croises_move play(const tirs_croises_turn *turn) { return choose(turn); }

void finalize(void) {}

AGON_CLIENT(tirs_croises)
