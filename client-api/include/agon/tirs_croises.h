/* Tirs Croisés for a client of agon, in C99 or C++17. The rules: docs/rules/tirs-croises.md.
 * All integers are of fixed width and the structs have no padding. Reserved fields are zero: room for later versions.
 * A cell is named by its column x, from 1 on the left, and its row y, from 1 on top. */
#ifndef AGON_TIRS_CROISES_H
#define AGON_TIRS_CROISES_H

#include "agon.h"

#define TIRS_CROISES_MAX_PLAYERS 9
#define TIRS_CROISES_MAX_SIZE 20
#define TIRS_CROISES_MAX_EVENTS 8

/* tirs_croises_setup.start */
#define TIRS_CROISES_CURSOR 0   /* a cursor is on the board from the start */
#define TIRS_CROISES_ANYWHERE 1 /* there is none: the first player takes any cell */

/* Given to initialize; yours until finalize. */
typedef struct tirs_croises_setup {
    agon_setup head;
    uint8_t size;           /* rows and columns, 4 to 20 */
    uint8_t players;        /* how many play, 2 to 9; the same as head.seats. Seat 0 moves first, then 1, 2, ... and 0 again */
    uint8_t start;          /* TIRS_CROISES_CURSOR or _ANYWHERE */
    uint8_t cursor_x;       /* column of the cursor at the start, 1 to size; 0 with _ANYWHERE */
    uint8_t cursor_y;       /* its row, 1 to size; 0 with _ANYWHERE */
    uint8_t reserved0[3];   /* zero */
    uint8_t values[20][20]; /* the cell (x, y) is values[y - 1][x - 1]: 1 to 9; 0 at the cursor and beyond size */
    uint64_t reserved[2];   /* zero */
} tirs_croises_setup;

/* A cell that was taken. */
typedef struct tirs_croises_event {
    uint8_t seat; /* who took it, from 0 */
    uint8_t x;    /* its column, from 1 */
    uint8_t y;    /* its row, from 1 */
    uint8_t gain; /* its value, 1 to 9: the points that it brought */
} tirs_croises_event;

/* Given to play; valid during the call. All of it is known to all players: the board and the scores are as they stand now, so that
 * nothing need be kept between calls. */
typedef struct tirs_croises_turn {
    agon_turn head;
    uint8_t cursor_x;             /* column of the cursor, from 1; 0 if there is none yet, and you may take any cell */
    uint8_t cursor_y;             /* its row, from 1; 0 if there is none yet */
    uint16_t num_legal;           /* how many cells you may take, 1 to 400: play is not called when there is none */
    uint8_t num_events;           /* how many events there are, 0 to players - 1 */
    uint8_t reserved0[3];         /* zero */
    tirs_croises_event events[8]; /* what the others have taken since your last move, in order; zero beyond num_events */
    uint16_t scores[9];           /* points of each seat; 0 beyond players */
    uint8_t reserved1[6];         /* zero */
    uint8_t values[20][20];       /* the cell (x, y) is values[y - 1][x - 1]: 1 to 9; 0 if taken, at the cursor, beyond size */
    uint64_t reserved[2];         /* zero */
} tirs_croises_turn;

/* Returned by play: a cell of the cursor's row or column whose value is not 0. */
typedef struct tirs_croises_move {
    uint8_t x; /* its column, from 1 */
    uint8_t y; /* its row, from 1 */
} tirs_croises_move;

/* What a client defines, ended by the line AGON_CLIENT(tirs_croises). */
AGON_BEGIN
const char *get_player_name(void);                     /* at most 32 bytes of UTF-8; must live on; asked once */
int initialize(const tirs_croises_setup *setup);       /* 0 = ready */
tirs_croises_move play(const tirs_croises_turn *turn); /* your answer; an illegal one loses the match */
void finalize(void);
AGON_END

#define AGON_FIELDS_tirs_croises(F) \
    F(tirs_croises_setup, head) \
    F(tirs_croises_setup, size) \
    F(tirs_croises_setup, players) \
    F(tirs_croises_setup, start) \
    F(tirs_croises_setup, cursor_x) \
    F(tirs_croises_setup, cursor_y) \
    F(tirs_croises_setup, reserved0) \
    F(tirs_croises_setup, values) \
    F(tirs_croises_setup, reserved) \
    F(tirs_croises_turn, head) \
    F(tirs_croises_turn, cursor_x) \
    F(tirs_croises_turn, cursor_y) \
    F(tirs_croises_turn, num_legal) \
    F(tirs_croises_turn, num_events) \
    F(tirs_croises_turn, reserved0) \
    F(tirs_croises_turn, events) \
    F(tirs_croises_turn, scores) \
    F(tirs_croises_turn, reserved1) \
    F(tirs_croises_turn, values) \
    F(tirs_croises_turn, reserved) \
    F(tirs_croises_move, x) \
    F(tirs_croises_move, y)

#endif
