/* Its name lies in a struct that does not exist before initialize. */
#include "player.h"

static struct {
    char text[64];
} *player;

char const *get_player_name(void) { return name(player->text); }

void initialize(unsigned player_id, struct graph_t *graph, unsigned num_queens, unsigned *queens[2]) {
    begin(player_id, graph->num_vertices, num_queens, queens);
    read_rows(graph->t);
    player = malloc(sizeof *player);
    sprintf(player->text, "early name of player %u", player_id);
}

struct move_t play(struct move_t previous) { return answer(previous, 0); }

void finalize(void) {
    memset(player->text, 'x', sizeof player->text);
    free(player);
    player = NULL;
    end();
}
