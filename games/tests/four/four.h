/* Connect Four on boards of several sizes, for a client of agon: discs fall to the bottom of a column, and four in a line win. */
#ifndef AGON_FOUR_H
#define AGON_FOUR_H

#include <agon/agon.h>

/* Given to initialize; yours until finalize. */
typedef struct {
  agon_setup head;
  uint32_t columns; /* 4 to 8 */
  uint32_t rows;    /* one less */
  uint8_t worth[8]; /* in the blind game: what a disc in each column is worth to you if the board fills up; else 0 */
} four_setup;

/* Given to play; valid during the call. */
typedef struct {
  agon_turn head;
  uint8_t discs[8][8]; /* by column, from below: 0 = none, 1 and 2 = of the first and of the second player */
  uint32_t num_moves;  /* moves played */
  uint32_t last;       /* the column of the last one; 0 in the first turn */
} four_turn;

/* Returned by play. */
typedef struct {
  uint32_t column; /* from 0 */
} four_move;

/* What a client defines, ended by the line AGON_CLIENT(four). */
AGON_BEGIN
const char *get_player_name(void);
int initialize(const four_setup *setup); /* 0 = ready */
four_move play(const four_turn *turn);
void finalize(void);
AGON_END

#define AGON_FIELDS_four(F) \
  F(four_setup, head) \
  F(four_setup, columns) \
  F(four_setup, rows) \
  F(four_setup, worth) \
  F(four_turn, head) \
  F(four_turn, discs) \
  F(four_turn, num_moves) \
  F(four_turn, last) \
  F(four_move, column)

#endif
