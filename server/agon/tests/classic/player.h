/* A plain player on top of course.h: a client defines what it does with what it is given, this file chooses legal moves. Every call
 * out of order ends the process. */
#ifndef PLAYER_H
#define PLAYER_H

#include "course.h"

enum { MOST = 1024, QUEENS = 16, DIRECTIONS = 9 };

static unsigned side, count, vertices;
static int next[MOST][DIRECTIONS]; /* the neighbour in each direction, -1 for none */
static char taken[MOST];
static unsigned standing[2][QUEENS];
static int ready;

/* The caller keeps to the order of the course: initialize, name, play, finalize. */
static void expect(int yes, const char *what) {
    if (!yes) {
        fprintf(stderr, "out of order: %s\n", what);
        abort();
    }
}

static void begin(unsigned player_id, unsigned num_vertices, unsigned num_queens, unsigned *queens[2]) {
    side = player_id, vertices = num_vertices, count = num_queens, ready = 1;
    memset(taken, 0, sizeof taken);
    memset(next, -1, sizeof next);
    for (unsigned s = 0; s < 2; s++)
        for (unsigned q = 0; q < count; q++)
            standing[s][q] = queens[s][q], taken[queens[s][q]] = 1;
}

/* Reads the edges as they lie in the arrays. */
static void read_rows(const gsl_spmatrix_uint *t) {
    for (size_t from = 0; from < t->size1; from++)
        for (int k = t->p[from]; k < t->p[from + 1]; k++) {
            expect(k == t->p[from] || t->i[k - 1] < t->i[k], "columns ascend within a row");
            next[from][t->data[k]] = t->i[k];
        }
}

static void apply(unsigned who, struct move_t move) {
    for (unsigned q = 0; q < count; q++)
        if (standing[who][q] == move.queen_src)
            standing[who][q] = move.queen_dst;
    taken[move.queen_src] = 0;
    taken[move.queen_dst] = taken[move.arrow_dst] = 1;
}

static struct move_t first_shot(unsigned src, unsigned dst) {
    struct move_t move = {src, dst, UINT_MAX};
    for (int d = 1; d < DIRECTIONS; d++) {
        int to = next[dst][d];
        if (to >= 0 && (!taken[to] || (unsigned)to == src)) {
            move.arrow_dst = to;
            break;
        }
    }
    return move;
}

/* The first queen from `start` on that can move, as far as it can go; all UINT_MAX if the side is blocked. */
static struct move_t choose(unsigned start) {
    for (unsigned n = 0; n < count; n++) {
        unsigned src = standing[side][(start + n) % count];
        for (int d = 1; d < DIRECTIONS; d++) {
            int to = -1;
            for (int at = next[src][d]; at >= 0 && !taken[at]; at = next[at][d])
                to = at;
            if (to >= 0)
                return first_shot(src, to);
        }
    }
    return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX};
}

static struct move_t answer(struct move_t previous, unsigned start) {
    expect(ready, "play between initialize and finalize");
    if (previous.queen_src != UINT_MAX)
        apply(!side, previous);
    else
        expect(previous.queen_dst == UINT_MAX && previous.arrow_dst == UINT_MAX, "no previous move is UINT_MAX three times");
    struct move_t move = choose(start);
    if (move.queen_src != UINT_MAX)
        apply(side, move);
    return move;
}

static void end(void) {
    expect(ready, "finalize once, after initialize");
    ready = 0;
}

static const char *name(const char *text) {
    expect(ready, "get_player_name between initialize and finalize");
    return text;
}

#endif
