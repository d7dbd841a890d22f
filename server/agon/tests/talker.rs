//! A ladder in which a client talks: of paths, of who it is, of where it runs. It wants a file, and fails in the end.

use crate::builder::Arena;

/// What it calls itself.
pub const NAME: &str = "Ann's own";

const SOURCE: &str = r#"
#include <agon/amazons.h>
#include <stdio.h>
const char *get_player_name(void) { return "Ann's own"; }
int initialize(const amazons_setup *setup) {
    printf("annika at northtower, /srv/ann/book.bin\n");
    fopen("/etc/passwd", "r");
    return 0;
}
amazons_move play(const amazons_turn *turn) { agon_log("whose", "annika's"); return (amazons_move){0, 0, 0}; }
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// The ladder file.
pub const TOML: &str = "[ladder]\nname = \"talk\"\ngame = \"amazons\"\nseed = 5\nopenings = 2\n\
                        [options]\nboard = [\"square:5\", \"donut:6\"]\n[time]\nper_move = \"5s\"\n";

/// An arena with the talker, two honest clients and a played ladder; `None`, said loudly, without a compiler.
pub fn talk() -> Option<Arena> {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.c_client("annika", SOURCE)?;
    arena.ladder_toml(TOML);
    arena.agon(["ladder", "--quiet"]).well();
    Some(arena)
}
