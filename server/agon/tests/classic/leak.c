/* Frees nothing that it allocates, in any call. */
#include "player.h"

char const *get_player_name(void) { return name(strcpy(malloc(64), "leak")); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
}

struct move_t play(struct move_t previous) {
    char *search_tree = malloc(10000);
    memset(search_tree, 1, 10000);
    return answer(previous, search_tree[9999]);
}

void finalize(void) { end(); }
