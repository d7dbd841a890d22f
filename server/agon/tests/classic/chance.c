/* Draws by rand(), which it never seeds; its name is NULL, or no UTF-8 with -DNAME=... */
#include "player.h"

#ifndef NAME
#define NAME NULL
#endif

char const *get_player_name(void) { return name(NAME); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
}

struct move_t play(struct move_t previous) { return answer(previous, rand() % count); }

void finalize(void) { end(); }
