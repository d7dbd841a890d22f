/* Writes to an address that it does not have, in its third move. */
#include "player.h"

static unsigned plies;

char const *get_player_name(void) { return name("crash"); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
    plies = 0;
}

struct move_t play(struct move_t previous) {
    if (++plies == 3)
        *(volatile int *)16 = 1;
    return answer(previous, 0);
}

void finalize(void) { end(); }
