/* Nim with one heap, for a client of agon: two players take in turns, and who takes the last object wins. */
#ifndef AGON_NIM_H
#define AGON_NIM_H

#include <agon/agon.h>

/* Given to initialize; yours until finalize. */
typedef struct {
  agon_setup head;
  uint32_t heap; /* objects at the start, 1 to 1000 */
  uint32_t most; /* most objects that a move takes, 1 to 1000; the fewest is 1 */
} nim_setup;

/* Given to play; valid during the call. */
typedef struct {
  agon_turn head;
  uint32_t heap; /* objects left, at least 1 */
  uint32_t last; /* objects that the other player took last; 0 in the first turn */
} nim_turn;

/* Returned by play. */
typedef struct {
  uint32_t take; /* 1 to most, and no more than are left */
} nim_move;

/* What a client defines, ended by the line AGON_CLIENT(nim). */
AGON_BEGIN
const char *get_player_name(void);
int initialize(const nim_setup *setup); /* 0 = ready */
nim_move play(const nim_turn *turn);
void finalize(void);
AGON_END

#define AGON_FIELDS_nim(F) \
  F(nim_setup, head) \
  F(nim_setup, heap) \
  F(nim_setup, most) \
  F(nim_turn, head) \
  F(nim_turn, heap) \
  F(nim_turn, last) \
  F(nim_move, take)

#endif
