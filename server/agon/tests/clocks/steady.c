/* A client of Grundy's game that takes as much processor time a move as it is built for: with 10 ms, 30 ms for a match from 8 sticks. */
#include <agon/grundy.h>
#include <time.h>

#ifndef MOVE_MS
#define MOVE_MS 10
#endif

static double used_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

const char *get_player_name(void) { return "steady"; }
int initialize(const grundy_setup *setup) { return setup->num_heaps == 0; }
void finalize(void) {}

grundy_move play(const grundy_turn *turn) {
    for (double begun = used_ms(); used_ms() - begun < MOVE_MS;) {}
    for (uint32_t heap = 0; heap < turn->num_heaps; heap++)
        for (uint32_t split = 1; split < turn->heaps[heap]; split++)
            if (grundy_may_split(turn->heaps[heap], split)) return (grundy_move){heap, split};
    return (grundy_move){0, 0};
}

AGON_CLIENT(grundy)
