@@ instead of
/* 2. choose
@@ write
/* how many different replies a guess can get, as far as some codes that are possible say */
static int replies(const uint8_t (*codes)[MASTERMIND_MAX_PEGS], int count, const uint8_t *guess) {
    uint8_t is_seen[16][16] = {{0}};
    int different = 0;
    for (int i = 0; i < count; i++) {
        mastermind_move reply = mastermind_reply(codes[i], guess, pegs);
        different += !is_seen[reply.rr][reply.rw];
        is_seen[reply.rr][reply.rw] = 1;
    }
    return different;
}

/* 2. choose
@@ instead of
        if (agreed == turn->num_history) break;
    }
@@ write
        if (agreed == turn->num_history) memcpy(codes[count++], code, sizeof code);
        if (count == 60) break;
    }
    int most = 0;
    for (int i = 0; i < count; i++) {
        int different = replies((const uint8_t (*)[MASTERMIND_MAX_PEGS])codes, count, codes[i]);
        if (different > most) most = different, memcpy(best, codes[i], sizeof best);
    }
@@ instead of
    uint32_t best_agreed = 0;
    draw(best);
    for (int i = 0; i < MOST_DRAWN && turn->num_history > 0; i++) {
@@ write
    uint8_t codes[60][MASTERMIND_MAX_PEGS];
    int count = 0;
    uint32_t best_agreed = 0;
    draw(best);
    for (int i = 0; i < MOST_DRAWN; i++) {
