@@ instead of
static int best_left(const tirs_croises_turn *turn, int x, int y) {
    int best = 0;
    for (int i = 0; i < size; i++) {
        if (i != x && turn->values[y][i] > best) best = turn->values[y][i];
        if (i != y && turn->values[i][x] > best) best = turn->values[i][x];
    }
    return best;
}
@@ write
static int best_left(tirs_croises_turn *turn, int x, int y, int deeper) {
    int best = -100, value = turn->values[y][x];
    turn->values[y][x] = 0;
    for (int i = 0; i < 2 * size; i++) {
        int to_x = i < size ? i : x, to_y = i < size ? y : i - size, gain = turn->values[to_y][to_x];
        if (gain == 0) continue;
        if (deeper > 0) gain -= best_left(turn, to_x, to_y, deeper - 1);
        if (gain > best) best = gain;
    }
    turn->values[y][x] = (uint8_t)value;
    return best == -100 ? 0 : best;
}
@@ instead of
    tirs_croises_move move = {0, 0};
@@ write
    tirs_croises_move move = {0, 0};
    tirs_croises_turn copy = *turn;
@@ instead of
best_left(turn, x, y);
@@ write
best_left(&copy, x, y, 4);
