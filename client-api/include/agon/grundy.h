/* Grundy's game for a client of agon, in C99 or C++17. The rules: docs/rules/grundy.md.
 * All integers are of fixed width and the structs have no padding. Reserved fields are zero: room for later versions. */
#ifndef AGON_GRUNDY_H
#define AGON_GRUNDY_H

#include "agon.h"

/* Most heaps and most sticks at the start of a match that is played to its end. */
#define GRUNDY_MAX_HEAPS 64
#define GRUNDY_MAX_STICKS 100000

/* Most sticks at the start of a match that ends before, see grundy_until, and most moves of it. */
#define GRUNDY_MOST_STICKS 100000000
#define GRUNDY_MOST_MOVES 10000

/* Given to initialize; yours until finalize. */
typedef struct grundy_setup {
    agon_setup head;
    const uint32_t *heaps; /* sticks of each heap at the start, 4 or more; line 0 first */
    uint32_t num_heaps;    /* how many heaps there are at the start, 1 to GRUNDY_MAX_HEAPS */
    uint8_t misere;        /* 0: who cannot move loses; 1: who cannot move wins */
    uint8_t reserved0[3];  /* zero */
    uint64_t reserved[2];  /* read by grundy_until and grundy_most_moves */
} grundy_setup;

/* Not 0: the match is over as soon as no heap has more sticks; who would win from there by perfect play has won. */
static inline uint32_t grundy_until(const grundy_setup *setup) {
    return (uint32_t)setup->reserved[0];
}

/* Not 0: the match is drawn after so many moves, if it is not over before. */
static inline uint32_t grundy_most_moves(const grundy_setup *setup) {
    return (uint32_t)setup->reserved[1];
}

/* Returned by play: of the heap `heap`, `split` sticks are taken away and become the new last heap; the others stay in their line. */
typedef struct grundy_move {
    uint32_t heap;  /* the line of the heap, from 0 (people are shown lines from 1) */
    uint32_t split; /* sticks, 1 to those of the heap - 1, and not half of them */
} grundy_move;

/* Given to play; valid during the call. Everything is known to both players. */
typedef struct grundy_turn {
    agon_turn head;
    const uint32_t *heaps; /* sticks of each heap now, 1 or more; line 0 first */
    uint32_t num_heaps;    /* how many heaps there are now: those of the start and one more for each move */
    uint32_t num_moves;    /* moves played so far, by both seats; 0: you begin */
    grundy_move last;      /* the other seat's last move, already played in heaps; zero when there is none */
    uint64_t reserved[2];  /* zero */
} grundy_turn;

/* Whether so many sticks may be split off a heap. */
static inline int grundy_may_split(uint32_t sticks, uint32_t split) {
    return split > 0 && split < sticks && split != sticks - split;
}

/* What a client defines, ended by the line AGON_CLIENT(grundy). */
AGON_BEGIN
const char *get_player_name(void);         /* at most 32 bytes of UTF-8; must live on; asked once */
int initialize(const grundy_setup *setup); /* 0 = ready */
grundy_move play(const grundy_turn *turn); /* your move; an illegal one loses the match */
void finalize(void);
AGON_END

#define AGON_FIELDS_grundy(F) \
    F(grundy_setup, head) \
    F(grundy_setup, heaps) \
    F(grundy_setup, num_heaps) \
    F(grundy_setup, misere) \
    F(grundy_setup, reserved0) \
    F(grundy_setup, reserved) \
    F(grundy_turn, head) \
    F(grundy_turn, heaps) \
    F(grundy_turn, num_heaps) \
    F(grundy_turn, num_moves) \
    F(grundy_turn, last) \
    F(grundy_turn, reserved) \
    F(grundy_move, heap) \
    F(grundy_move, split)

#endif
