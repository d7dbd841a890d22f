/* A sound client of Amazons that plays the first legal move it finds; each AT_ macro is code that it runs at that point, by which
 * the tests make it misbehave. C and C++. */
#define _GNU_SOURCE
#include <agon/amazons.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "acts.h"

#ifndef AT_LOAD
#define AT_LOAD
#endif
#ifndef AT_INITIALIZE
#define AT_INITIALIZE
#endif
#ifndef AT_NAME
#define AT_NAME
#endif
#ifndef AT_EVERY_PLAY /* at the beginning of each call */
#define AT_EVERY_PLAY
#endif
#ifndef AT_PLAY /* at the beginning of the second call */
#define AT_PLAY
#endif
#ifndef ANSWER /* what the second call returns instead of `move`; `last` is its first move, `turn` the turn */
#define ANSWER move
#endif
#ifndef AT_FINALIZE
#define AT_FINALIZE
#endif

static amazons_setup own; /* a copy, for some of these clients write on what they were given */
static const amazons_setup *board = &own;
static uint8_t occupied[4096];
static uint32_t queens[64];
static amazons_move last;
static int calls;

__attribute__((constructor)) static void when_loaded(void) { AT_LOAD; }

static uint32_t neighbour(uint32_t v, int direction) {
    for (uint32_t e = board->row_start[v]; e < board->row_start[v + 1]; e++)
        if (board->directions[e] == direction) return board->targets[e];
    return UINT32_MAX;
}

static int is_free(uint32_t v) { return v != UINT32_MAX && !occupied[v]; }

static amazons_move first_legal(void) {
    amazons_move none = {0, 0, 0};
    for (uint32_t q = 0; q < board->num_queens[board->side]; q++)
        for (int d = 1; d <= 8; d++) {
            uint32_t dst = neighbour(queens[q], d);
            if (!is_free(dst)) continue;
            for (int a = 1; a <= 8; a++) {
                uint32_t hit = neighbour(dst, a);
                amazons_move move = {queens[q], dst, hit};
                if (is_free(hit) || (hit == queens[q] && board->vacated == AMAZONS_VACATED_FREE)) return move;
            }
        }
    return none;
}

static void put(amazons_move move) {
    occupied[move.queen_src] = 0;
    occupied[move.queen_dst] = occupied[move.arrow_dst] = 1;
    for (uint32_t q = 0; q < board->num_queens[board->side]; q++)
        if (queens[q] == move.queen_src) queens[q] = move.queen_dst;
}

const char *get_player_name(void) {
    AT_NAME;
    return "sound";
}

static void *copy(const void *from, size_t size) { return memcpy(malloc(size), from, size); }

int initialize(const amazons_setup *setup) {
    own = *setup;
    calls = 0; /* a kept client begins each match anew */
    memset(occupied, 0, sizeof occupied);
    own.row_start = (uint32_t *)copy(setup->row_start, (setup->num_vertices + 1) * sizeof *setup->row_start);
    own.targets = (uint32_t *)copy(setup->targets, setup->num_edges * sizeof *setup->targets);
    own.directions = (uint8_t *)copy(setup->directions, setup->num_edges);
    for (int side = 0; side < 2; side++)
        for (uint32_t q = 0; q < setup->num_queens[side]; q++) occupied[setup->queens[side][q]] = 1;
    for (uint32_t i = 0; i < setup->num_blocked; i++) occupied[setup->blocked[i]] = 1;
    memcpy(queens, setup->queens[setup->side], setup->num_queens[setup->side] * sizeof *queens);
    AT_INITIALIZE;
    return 0;
}

amazons_move play(const amazons_turn *turn) {
    AT_EVERY_PLAY;
    if (calls++ == 1) { AT_PLAY; }
    if (turn->previous.queen_src != UINT32_MAX) put(turn->previous);
    amazons_move move = first_legal();
    put(move);
    if (calls == 2) return ANSWER;
    last = move;
    return move;
}

void finalize(void) { AT_FINALIZE; }

#ifndef NO_MACRO
AGON_CLIENT(amazons)
#endif
