/* amazons_kit.h: a board of Amazons that is kept, searched and evaluated, as plain functions. C99 or C++17, nothing to link with.
 * It works on every board of a setup: holes, one-way edges, graphs that are no grid.
 *
 *     static amazons_board board;                                    one variable, some 150 KB; copies are boards, too
 *     int initialize(const amazons_setup *setup) { return amazons_start(&board, setup); }
 *     amazons_move play(const amazons_turn *turn) {
 *         amazons_apply(&board, turn->previous);                     the first turn of a match has none: nothing changes
 *         ... look for a move: amazons_apply, amazons_evaluate, amazons_undo ...
 *         amazons_apply(&board, move);
 *         return move;
 *     }
 *
 * Nothing here allocates, prints or looks at a clock; functions use at most 40 KB of the stack. Vertices, sides and directions are
 * those of <agon/amazons.h>. The numbers of the evaluation are whole, and the same on every machine; docs/guides/kit.md explains them. */
#ifndef AGON_AMAZONS_KIT_H
#define AGON_AMAZONS_KIT_H

#include "amazons.h"

AGON_BEGIN

/* Grows when a function means something else than before. */
#define AMAZONS_KIT_VERSION 1

/* The most vertices of a board. */
#define AMAZONS_MAX_VERTICES 4096

#define AMAZONS_NOWHERE UINT16_MAX /* no vertex                 */
#define AMAZONS_FAR UINT16_MAX     /* farther than any distance */

/* What stands on a vertex; a queen is the number of its side. */
#define AMAZONS_BLOCKED 2u /* an arrow, or blocked from the start */
#define AMAZONS_FREE 3u

/* A position. Read it as you like, and change it by the functions alone. */
typedef struct amazons_board {
    uint32_t num_vertices;
    uint32_t side; /* the side to move, 0 or 1 */
    uint64_t hash; /* equal for equal positions with the same side to move; the order of queens does not count */
    uint32_t vacated_is_free;                /* 1: the arrow may use the vertex that its queen has left */
    uint32_t num_queens[2];
    uint16_t queens[2][AMAZONS_MAX_VERTICES]; /* where the queens of each side stand, in no order */
    uint8_t on[AMAZONS_MAX_VERTICES];         /* 0 or 1: a queen of that side; AMAZONS_BLOCKED; AMAZONS_FREE */
    uint16_t next[AMAZONS_MAX_VERTICES][8];   /* the neighbour in direction d + 1, or AMAZONS_NOWHERE */
    uint16_t steps[AMAZONS_MAX_VERTICES][8];  /* how far one can go that way on an empty board before it ends or repeats itself */
} amazons_board;

/* ---- Moves ---- */

/* The number at `index` of the sequence SplitMix64 from 0 (Steele, Lea and Flood 2014): the keys of the hash (Zobrist 1970). */
static inline uint64_t amazons_key(uint64_t index) {
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Puts `what` on a vertex: a side, AMAZONS_BLOCKED or AMAZONS_FREE. */
static inline void amazons_put(amazons_board *board, uint32_t vertex, uint32_t what) {
    uint32_t before = board->on[vertex];
    board->hash ^= before == AMAZONS_FREE ? 0 : amazons_key(3 * vertex + before + 1);
    board->hash ^= what == AMAZONS_FREE ? 0 : amazons_key(3 * vertex + what + 1);
    board->on[vertex] = (uint8_t)what;
}

/* Hands the turn over. A search may do so to ask what the other side could do; the rules do not allow it. */
static inline void amazons_pass(amazons_board *board) {
    board->side ^= 1;
    board->hash ^= amazons_key(0);
}

/* Makes next and steps from the edges of a setup. Returns 0, or -1 if its arrays are no graph. */
static inline int amazons_connect(amazons_board *board, const amazons_setup *setup) {
    uint16_t seen[AMAZONS_MAX_VERTICES]; /* by which slide last, from 1 on */
    uint32_t v, e, d, count = board->num_vertices;
    memset(board->next, 0xff, sizeof board->next);
    for (v = 0; v < count; v++) {
        if (setup->row_start[v] > setup->row_start[v + 1] || setup->row_start[v + 1] > setup->num_edges) return -1;
        for (e = setup->row_start[v]; e < setup->row_start[v + 1]; e++) {
            uint32_t direction = setup->directions[e];
            if (setup->targets[e] >= count || direction < 1 || direction > 8) return -1;
            board->next[v][direction - 1] = (uint16_t)setup->targets[e];
        }
    }
    for (d = 0; d < 8; d++) {
        memset(seen, 0, sizeof seen);
        for (v = 0; v < count; v++) {
            uint32_t at = v, steps = 0;
            for (;;) {
                seen[at] = (uint16_t)(v + 1);
                at = board->next[at][d];
                if (at == AMAZONS_NOWHERE || seen[at] == v + 1) break;
                steps++;
            }
            board->steps[v][d] = (uint16_t)steps;
        }
    }
    return 0;
}

/* Makes the board of a setup. Returns 0, or -1 after logging `declined` with a reason if the setup is none. */
static inline int amazons_start(amazons_board *board, const amazons_setup *setup) {
    uint32_t side, i, count = setup->num_vertices;
    const char *why = "the setup has no vertices, or more than 4096";
    memset(board, 0, sizeof *board);
    memset(board->on, (int)AMAZONS_FREE, sizeof board->on);
    if (count < 1 || count > AMAZONS_MAX_VERTICES) goto declined;
    board->num_vertices = count;
    board->vacated_is_free = setup->vacated == AMAZONS_VACATED_FREE;
    why = "the edges of the setup are no graph";
    if (amazons_connect(board, setup) != 0) goto declined;
    why = "the setup puts two pieces on a vertex, or one beside the board";
    for (side = 0; side < 2; side++) {
        if (setup->num_queens[side] > count) goto declined;
        for (i = 0; i < setup->num_queens[side]; i++) {
            uint32_t vertex = setup->queens[side][i];
            if (vertex >= count || board->on[vertex] != AMAZONS_FREE) goto declined;
            board->queens[side][board->num_queens[side]++] = (uint16_t)vertex;
            amazons_put(board, vertex, side);
        }
    }
    for (i = 0; i < setup->num_blocked; i++) {
        uint32_t vertex = setup->blocked[i];
        if (vertex >= count || board->on[vertex] != AMAZONS_FREE) goto declined;
        amazons_put(board, vertex, AMAZONS_BLOCKED);
    }
    if (setup->side_to_move == 1) amazons_pass(board);
    return 0;
declined:
    agon_log("declined", why);
    return -1;
}

/* Every vertex that one slide from `from` reaches over free vertices, each once, into to[]; `opened` counts as free, AMAZONS_NOWHERE
 * for none. Returns how many: fewer than num_vertices, the length that to[] needs. */
static inline uint32_t amazons_reach(const amazons_board *board, uint32_t from, uint32_t opened, uint32_t *to) {
    uint64_t seen[AMAZONS_MAX_VERTICES / 64]; /* on a graph two directions may lead to the same vertex */
    uint32_t d, count = 0;
    memset(seen, 0, (board->num_vertices + 63) / 64 * sizeof *seen);
    for (d = 0; d < 8; d++) {
        uint32_t at = from, left = board->steps[from][d];
        while (left--) {
            at = board->next[at][d];
            if (board->on[at] != AMAZONS_FREE && at != opened) break;
            if (!(seen[at / 64] >> at % 64 & 1)) to[count++] = at;
            seen[at / 64] |= (uint64_t)1 << at % 64;
        }
    }
    return count;
}

/* Where the queen on `src` can slide to. */
static inline uint32_t amazons_slides(const amazons_board *board, uint32_t src, uint32_t *to) {
    return amazons_reach(board, src, AMAZONS_NOWHERE, to);
}

/* What the arrow can hit of the queen that slides from `src` to `dst`; the board is as it was before. */
static inline uint32_t amazons_arrows(const amazons_board *board, uint32_t src, uint32_t dst, uint32_t *to) {
    return amazons_reach(board, dst, board->vacated_is_free ? src : AMAZONS_NOWHERE, to);
}

/* The legal moves of the side to move, always in the same order. The first `capacity` of them go into moves[]; returns how many
 * there are in all: some thousands on usual boards, up to 2^35 on a graph that somebody made for the purpose. */
static inline uint64_t amazons_moves(const amazons_board *board, amazons_move *moves, uint64_t capacity) {
    uint32_t to[AMAZONS_MAX_VERTICES], hit[AMAZONS_MAX_VERTICES], q, i, j;
    uint64_t count = 0;
    for (q = 0; q < board->num_queens[board->side]; q++) {
        uint32_t src = board->queens[board->side][q], slides = amazons_slides(board, src, to);
        for (i = 0; i < slides; i++) {
            uint32_t arrows = amazons_arrows(board, src, to[i], hit);
            for (j = 0; j < arrows && count + j < capacity; j++) {
                amazons_move *move = &moves[count + j];
                move->queen_src = src, move->queen_dst = to[i], move->arrow_dst = hit[j];
            }
            count += arrows;
        }
    }
    return count;
}

/* Whether one slide leads from `from` to `to`. */
static inline int amazons_can_slide(const amazons_board *board, uint32_t from, uint32_t to, uint32_t opened) {
    uint32_t d;
    for (d = 0; d < 8; d++) {
        uint32_t at = from, left = board->steps[from][d];
        while (left--) {
            at = board->next[at][d];
            if (board->on[at] != AMAZONS_FREE && at != opened) break;
            if (at == to) return 1;
        }
    }
    return 0;
}

/* Whether the side to move may make a move; any three numbers may be asked for. */
static inline int amazons_is_legal(const amazons_board *board, amazons_move move) {
    uint32_t src = move.queen_src, dst = move.queen_dst, hit = move.arrow_dst, count = board->num_vertices;
    return src < count && dst < count && hit < count && board->on[src] == board->side &&
           amazons_can_slide(board, src, dst, AMAZONS_NOWHERE) &&
           amazons_can_slide(board, dst, hit, board->vacated_is_free ? src : AMAZONS_NOWHERE);
}

/* Moves the queen of the side to move; 0 if there is none. */
static inline int amazons_slide(amazons_board *board, uint32_t from, uint32_t to) {
    uint32_t q, side = board->side;
    for (q = 0; q < board->num_queens[side]; q++) {
        if (board->queens[side][q] == from) {
            board->queens[side][q] = (uint16_t)to;
            amazons_put(board, from, AMAZONS_FREE);
            amazons_put(board, to, side);
            return 1;
        }
    }
    return 0;
}

/* Plays a legal move of the side to move, without a look whether it is legal. A move without a queen of that side on queen_src, such
 * as the previous one of the first turn, changes nothing. */
static inline void amazons_apply(amazons_board *board, amazons_move move) {
    if (amazons_slide(board, move.queen_src, move.queen_dst)) {
        amazons_put(board, move.arrow_dst, AMAZONS_BLOCKED);
        amazons_pass(board);
    }
}

/* Takes back the last move that was applied. */
static inline void amazons_undo(amazons_board *board, amazons_move move) {
    amazons_pass(board);
    amazons_put(board, move.arrow_dst, AMAZONS_FREE);
    amazons_slide(board, move.queen_dst, move.queen_src);
}

/* How many vertices the queens of a side can slide to, each queen counted. */
static inline int32_t amazons_mobility(const amazons_board *board, uint32_t side) {
    uint32_t to[AMAZONS_MAX_VERTICES], q, count = 0;
    for (q = 0; q < board->num_queens[side]; q++) count += amazons_slides(board, board->queens[side][q], to);
    return (int32_t)count;
}

/* ---- Evaluation, after Lieberum, "An evaluation function for the game of Amazons" (2005) ---- */

/* For each vertex, in how many moves a side can come there if nobody else moved: slides of its queens, or for `kings` single steps.
 * AMAZONS_FAR where it cannot, and where something stands. distance[] has num_vertices places. */
static inline void amazons_distances(const amazons_board *board, uint32_t side, int kings, uint16_t *distance) {
    uint16_t queue[AMAZONS_MAX_VERTICES];
    uint32_t begin, end = board->num_queens[side], d;
    memset(distance, 0xff, board->num_vertices * sizeof *distance);
    memcpy(queue, board->queens[side], end * sizeof *queue);
    for (begin = 0; begin < end; begin++) {
        uint32_t from = queue[begin];
        uint16_t level = begin < board->num_queens[side] ? 1 : (uint16_t)(distance[from] + 1);
        for (d = 0; d < 8; d++) {
            uint32_t at = from, left = board->steps[from][d];
            if (kings && left > 1) left = 1;
            while (left--) {
                at = board->next[at][d];
                /* What was reached in fewer moves goes on from there by itself. */
                if (board->on[at] != AMAZONS_FREE || distance[at] < level) break;
                if (distance[at] == AMAZONS_FAR) queue[end++] = (uint16_t)at;
                distance[at] = level;
            }
        }
    }
}

/* A position in numbers. Each is that of the side to move less that of the other, but for tied1, tied2, contested and reached. D1 is
 * the distance of a free vertex by queens, D2 by kings. */
typedef struct amazons_terms {
    int32_t closer1;   /* vertices nearer by D1                                                                       */
    int32_t tied1;     /* vertices as near to both by D1; t1 = closer1 + tied1 / 5, since the side to move is first     */
    int32_t closer2;   /* vertices nearer by D2                                                                       */
    int32_t tied2;     /* vertices as near to both by D2; t2 = closer2 + tied2 / 5                                      */
    int32_t near1;     /* c1 in 1/64: the sum of 2 (2^-D1 - 2^-D1 of the other), nothing beyond 7                       */
    int32_t near2;     /* c2 in 1/6: the sum of D2 of the other - D2, at most 6 either way                              */
    int32_t contested; /* w in 1/128: the sum of 2^-|difference of D1| where both can come; 0: everybody is closed in    */
    int32_t reached;   /* vertices where somebody can come                                                            */
} amazons_terms;

/* Counts the terms for the side to move. */
static inline amazons_terms amazons_measure(const amazons_board *board) {
    uint16_t own[AMAZONS_MAX_VERTICES], other[AMAZONS_MAX_VERTICES];
    amazons_terms terms;
    uint32_t v;
    memset(&terms, 0, sizeof terms);
    amazons_distances(board, board->side, 0, own);
    amazons_distances(board, 1 - board->side, 0, other);
    for (v = 0; v < board->num_vertices; v++) {
        int32_t a = own[v], b = other[v], apart = a < b ? b - a : a - b;
        int is_far = a == AMAZONS_FAR || b == AMAZONS_FAR;
        terms.closer1 += (a < b) - (a > b);
        terms.tied1 += a == b && !is_far;
        terms.near1 += (a > 7 ? 0 : 128 >> a) - (b > 7 ? 0 : 128 >> b);
        terms.contested += is_far ? 0 : 128 >> (apart > 7 ? 7 : apart);
        terms.reached += a != AMAZONS_FAR || b != AMAZONS_FAR;
    }
    amazons_distances(board, board->side, 1, own);
    amazons_distances(board, 1 - board->side, 1, other);
    for (v = 0; v < board->num_vertices; v++) {
        int32_t a = own[v], b = other[v], ahead = b - a;
        terms.closer2 += (a < b) - (a > b);
        terms.tied2 += a == b && a != AMAZONS_FAR;
        terms.near2 += ahead > 6 ? 6 : ahead < -6 ? -6 : ahead;
    }
    return terms;
}

/* What terms are worth to the side to move, in thousandths of a vertex: t1 alone where nothing is contested any more, and four terms
 * with fixed weights where much is. Change the weights, and see whether it plays better. */
static inline int32_t amazons_value(const amazons_terms *terms) {
    int32_t fraction = terms->contested * 2 / (terms->reached > 0 ? terms->reached : 1); /* in 1/256 */
    int32_t part = fraction < 38 ? fraction : 38;
    int32_t t1 = 900 + (290 - 900) * part / 38, c1 = 380 * part / 38, c2 = 430 * part / 38, t2 = 170 * part / 38;
    return t1 * (5 * terms->closer1 + terms->tied1) / 5 + c1 * terms->near1 / 64 +
           t2 * (5 * terms->closer2 + terms->tied2) / 5 + c2 * terms->near2 / 6;
}

/* What the position is worth to the side to move, without a look ahead. */
static inline int32_t amazons_evaluate(const amazons_board *board) {
    amazons_terms terms = amazons_measure(board);
    return amazons_value(&terms);
}

AGON_END

#endif
