@@ instead of
/* 2. what is bad
@@ write
static int is_unseen(const six_qui_prend_turn *turn, int card) {
    for (int i = 0; i < turn->num_hand; i++) {
        if (turn->hand[i] == card) return 0;
    }
    return !(turn->seen[card / 64] >> (card % 64) & 1);
}

/* 2. what is bad
@@ instead of
    if (row < 0) return 500;
    int gap = card - turn->rows[row][turn->row_size[row] - 1];
    return turn->row_size[row] == SIX_QUI_PREND_CAPACITY ? 200 + 10 * turn->row_heads[row] : gap * turn->row_size[row];
@@ write
    if (row < 0) {
        int heads = 100;
        for (int each = 0; each < SIX_QUI_PREND_ROWS; each++) {
            if (turn->row_heads[each] < heads) heads = turn->row_heads[each];
        }
        return 10 * heads;
    }
    if (turn->row_size[row] == SIX_QUI_PREND_CAPACITY) return 10 * turn->row_heads[row];
    int between = 0;
    for (int other = turn->rows[row][turn->row_size[row] - 1] + 1; other < card; other++) {
        between += is_unseen(turn, other);
    }
    return between;
