@@ instead of
/* 1. what a split
@@ write
static uint32_t nimber(uint32_t sticks) {
    static uint32_t known[1024]; /* one more than the nimber; 0: not known yet */
    if (known[sticks] == 0) {
        uint8_t is_seen[256] = {0};
        for (uint32_t split = 1; 2 * split < sticks; split++) is_seen[nimber(split) ^ nimber(sticks - split)] = 1;
        while (is_seen[known[sticks]]) known[sticks]++;
        known[sticks]++;
    }
    return known[sticks] - 1;
}

/* 1. what a split
@@ instead of
(split > 2) + (turn->heaps[heap] - split > 2);
@@ write
nimber(split) ^ nimber(turn->heaps[heap] - split);
@@ instead of
        left += other != heap && turn->heaps[other] > 2;
@@ write
        if (other != heap) left ^= nimber(turn->heaps[other]);
