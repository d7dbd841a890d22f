//! Clients that play what the rules do not allow, or not at all.

use super::act::{client_that, client_that_answers};
use crate::builder::{Arena, has_program, users};

#[test]
fn a_vertex_that_does_not_exist() {
    client_that_answers("(amazons_move){999, 1, 2}").loses_by("illegal-move", &["999", "0..24"]);
}

#[test]
fn a_hole() {
    let hole = "({ for (uint32_t v = 0; v < board->num_vertices; v++) \
                if (board->row_start[v] == board->row_start[v + 1]) move.queen_dst = v; move; })";
    client_that_answers(hole).on("donut:6").loses_by("illegal-move", &["hole"]);
}

#[test]
fn the_other_sides_queen() {
    client_that_answers("(amazons_move){turn->previous.queen_dst, move.queen_dst, move.arrow_dst}")
        .loses_by("illegal-move", &["side"]);
}

#[test]
fn the_same_move_again() {
    client_that_answers("last").loses_by("illegal-move", &["queen"]);
}

#[test]
fn a_refusal_to_play() {
    client_that("return 7").only_in(&["initialize"]).loses_by("declined", &["returned 7", "return 0"]);
}

#[test]
fn a_card_that_it_does_not_hold() {
    if !has_program("cc") {
        return;
    }
    let source = "#include <agon/six_qui_prend.h>
const char *get_player_name(void) { return \"cheat\"; }
int initialize(const six_qui_prend_setup *setup) { return 0; }
six_qui_prend_move play(const six_qui_prend_turn *turn) {
    six_qui_prend_move move = {turn->hand[0], 0};
    if (turn->turn == 2)
        for (int i = 0; i < turn->num_hand; i++)
            if (move.card == turn->hand[i]) move.card++; /* the lowest card that it does not hold */
    return move;
}
void finalize(void) {}
AGON_CLIENT(six_qui_prend)
";
    for user in users() {
        let arena = Arena::new().as_user(user);
        arena.c_client("bad", source);
        arena.rust_client("six-simple");
        let before = arena.traces();
        arena.agon(["match", "bad", "six-simple", "--game", "six_qui_prend", "-o", "rules=course", "--quiet"]).well();
        arena.traces().nothing_beyond(&before);
        for shown in arena.all_shown() {
            let fault = shown.seat_of("bad").fault.clone().unwrap();
            assert_eq!((fault.kind.as_str(), fault.phase.as_str(), fault.ply), ("illegal-move", "play", 1));
            assert!(fault.message.contains("hand"), "{}", fault.message);
            assert_eq!(shown.seat_of("six-simple").rank, 1);
        }
    }
}
