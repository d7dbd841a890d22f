@@ instead of
/* 2. what is bad
@@ write
static int players, deck;
static uint32_t state;

/* Takes one of these cards out by chance. */
static int draw(int *cards, int *count) {
    state = state * 1664525u + 1013904223u;
    int place = (int)((uint64_t)state * (uint64_t)*count >> 32), card = cards[place];
    cards[place] = cards[--*count];
    return card;
}

/* Lays a card, and returns the heads that it takes. */
static int lay(six_qui_prend_turn *table, int card) {
    int row = row_of(table, card), heads = 0, is_low = row < 0;
    for (int each = row = is_low ? 0 : row; is_low && each < SIX_QUI_PREND_ROWS; each++) {
        if (table->row_heads[each] < table->row_heads[row]) row = each;
    }
    if (is_low || table->row_size[row] == SIX_QUI_PREND_CAPACITY) {
        heads = table->row_heads[row];
        table->row_heads[row] = table->row_size[row] = 0;
    }
    table->rows[row][table->row_size[row]++] = (uint8_t)card;
    table->row_heads[row] = (uint8_t)(table->row_heads[row] + six_qui_prend_heads(card));
    return heads;
}

/* The heads that one takes until the end of a round in which one lays a card now and all else is drawn. */
static int play_out(const six_qui_prend_turn *turn, int first) {
    six_qui_prend_turn table = *turn;
    uint8_t is_own[SIX_QUI_PREND_MAX_CARD + 1] = {0}, laid_in[SIX_QUI_PREND_MAX_CARD + 1] = {0};
    int own[SIX_QUI_PREND_MAX_HAND], others[SIX_QUI_PREND_MAX_CARD], num_own = 0, num_others = 0, sum = 0;
    for (int i = 0; i < turn->num_hand; i++) {
        is_own[turn->hand[i]] = 1;
        if (turn->hand[i] != first) own[num_own++] = turn->hand[i];
    }
    for (int card = 1; card <= deck; card++) {
        if (!is_own[card] && !(turn->seen[card / 64] >> (card % 64) & 1)) others[num_others++] = card;
    }
    laid_in[first] = 1;
    for (int number = 1; number <= turn->num_hand; number++) {
        if (number > 1) laid_in[draw(own, &num_own)] = (uint8_t)number;
        for (int other = 1; other < players; other++) laid_in[draw(others, &num_others)] = (uint8_t)number;
        for (int card = 1; card <= deck; card++) {
            int heads = laid_in[card] == number ? lay(&table, card) : 0;
            if (is_own[card]) sum += heads;
        }
    }
    return sum;
}

/* 2. what is bad
@@ instead of
    int row = row_of(turn, card);
    if (row < 0) return 500;
    int gap = card - turn->rows[row][turn->row_size[row] - 1];
    return turn->row_size[row] == SIX_QUI_PREND_CAPACITY ? 200 + 10 * turn->row_heads[row] : gap * turn->row_size[row];
@@ write
    int sum = 0;
    state = 1;
    for (int deal = 0; deal < 20; deal++) sum += play_out(turn, card);
    return sum;
@@ instead of
    (void)setup;
@@ write
    players = setup->players;
    deck = setup->deck_max;
