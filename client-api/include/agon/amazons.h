/* The Game of the Amazons on graph boards: what a client gets and gives. Rules: docs/rules/amazons.md.
 *
 * A client defines the four functions at the end of this file and says AGON_CLIENT(amazons) once.
 *
 * Vertices are numbered from 0. On a grid, vertex = row * columns + column with row 0 on top; holes keep their number and have no
 * edges. Directions: 1 N, 2 NE, 3 E, 4 SE, 5 S, 6 SW, 7 W, 8 NW; 0 is no direction. From a vertex, a direction leads to at most one
 * neighbour, and a slide repeats one direction over free vertices. */
#ifndef AGON_AMAZONS_H
#define AGON_AMAZONS_H

#include "agon.h"

AGON_BEGIN

/* Values of amazons_setup.vacated: may the arrow pass and hit the vertex that its queen has just left? */
#define AMAZONS_VACATED_FREE 0u
#define AMAZONS_VACATED_BLOCKED 1u

/* Bits of amazons_setup.flags. */
#define AMAZONS_IS_GRID 1u     /* columns and rows are not 0, and vertices have a row and a column */
#define AMAZONS_HAS_ONE_WAY 2u /* some edge has no edge back in the opposite direction */

/* The start of a match. All of it lives, unchanged by the caller, from initialize to the return of finalize; the client owns it for
 * that time and may write on it, but must not free it. */
typedef struct amazons_setup {
    agon_setup head;
    uint32_t num_vertices;  /* vertices, holes included; 1 to 4096 */
    uint32_t num_edges;     /* directed edges */
    uint32_t columns;       /* of the grid; 0 if the board is no grid */
    uint32_t rows;          /* of the grid; 0 if the board is no grid */
    uint32_t *row_start;    /* num_vertices + 1 numbers: the edges of vertex v are row_start[v] to row_start[v + 1] - 1 */
    uint32_t *targets;      /* num_edges vertices: where an edge leads; ascending among the edges of one vertex */
    uint8_t *directions;    /* num_edges directions, 1 to 8, one for each of targets */
    uint32_t *queens[2];    /* num_queens[s] vertices each: the queens of side s at the start, ascending */
    uint32_t num_queens[2]; /* queens of each side, at least 1 */
    uint32_t *blocked;      /* num_blocked vertices that are blocked from the start, as if by arrows, ascending; NULL if none */
    uint32_t num_blocked;   /* may be 0 */
    uint32_t side;          /* this client's side, 0 or 1; equals head.seat */
    uint32_t side_to_move;  /* the side that makes the first move, 0 or 1 */
    uint32_t vacated;       /* AMAZONS_VACATED_FREE or AMAZONS_VACATED_BLOCKED */
    uint32_t flags;         /* AMAZONS_IS_GRID, AMAZONS_HAS_ONE_WAY */
    uint32_t reserved0;     /* 0 */
    int32_t *coordinates;   /* num_vertices pairs x, y for drawing, thousandths of a cell, y downwards; NULL if the board has none */
    uint64_t reserved[4];   /* 0 */
} amazons_setup;

/* A move: the queen on queen_src slides to queen_dst and shoots an arrow from there to arrow_dst. Three vertices. */
typedef struct amazons_move {
    uint32_t queen_src; /* where one of your queens stands */
    uint32_t queen_dst; /* where it stops */
    uint32_t arrow_dst; /* where its arrow stops; blocked from then on */
} amazons_move;

/* What happened since your last turn; valid during the call of play. */
typedef struct amazons_turn {
    agon_turn head;
    amazons_move previous; /* the opponent's move; UINT32_MAX three times if you make the first move of the match */
    uint32_t reserved;     /* 0 */
} amazons_turn;

/* What a client defines. */
const char *get_player_name(void);            /* UTF-8, ended by NUL, the client's; asked once, after initialize and before play */
int initialize(const amazons_setup *setup);   /* 0 = ready */
amazons_move play(const amazons_turn *turn);  /* never called when you have no legal move */
void finalize(void);                          /* the match is over; the setup may be used until this returns */

/* The fields of each struct, for AGON_CLIENT. */
#define AGON_FIELDS_amazons(F)                                                                                                     \
    F(amazons_setup, head)                                                                                                         \
    F(amazons_setup, num_vertices)                                                                                                 \
    F(amazons_setup, num_edges)                                                                                                    \
    F(amazons_setup, columns)                                                                                                      \
    F(amazons_setup, rows)                                                                                                         \
    F(amazons_setup, row_start)                                                                                                    \
    F(amazons_setup, targets)                                                                                                      \
    F(amazons_setup, directions)                                                                                                   \
    F(amazons_setup, queens)                                                                                                       \
    F(amazons_setup, num_queens)                                                                                                   \
    F(amazons_setup, blocked)                                                                                                      \
    F(amazons_setup, num_blocked)                                                                                                  \
    F(amazons_setup, side)                                                                                                         \
    F(amazons_setup, side_to_move)                                                                                                 \
    F(amazons_setup, vacated)                                                                                                      \
    F(amazons_setup, flags)                                                                                                        \
    F(amazons_setup, reserved0)                                                                                                    \
    F(amazons_setup, coordinates)                                                                                                  \
    F(amazons_setup, reserved)                                                                                                     \
    F(amazons_turn, head)                                                                                                          \
    F(amazons_turn, previous)                                                                                                      \
    F(amazons_turn, reserved)                                                                                                      \
    F(amazons_move, queen_src)                                                                                                     \
    F(amazons_move, queen_dst)                                                                                                     \
    F(amazons_move, arrow_dst)

AGON_END

#endif
