//! The option `lanes` of the clients that search: whichever instructions of the processor evaluate, they play the same
//! moves for the same nodes.

use crate::builder::Arena;
use serde_json::Value;

/// A client against itself on this board, from openings by chance, with so many nodes a move.
fn ladder(client: &str, board: &str, nodes: u32, lanes: &str) -> String {
    let entrant = |name: &str| {
        format!(
            "[[client]]\nname = \"{name}\"\nfile = \"clients/{client}.so\"\n\
             options = {{ nodes = {nodes}, lanes = \"{lanes}\" }}\n"
        )
    };
    format!(
        "[ladder]\nname = \"{client} {}\"\ngame = \"amazons\"\nseed = 3\nopenings = 1\n\
         [options]\nboard = \"{board}\"\nopening = 3\n[time]\nper_move = \"60s\"\n{}{}",
        board.replace(':', ""),
        entrant("one"),
        entrant("two")
    )
}

/// The lines of the log of the ladder's first match: every move, and what the client said of its instructions.
fn played(client: &str, board: &str, nodes: u32, lanes: &str) -> (Vec<String>, Vec<String>) {
    let arena = Arena::new();
    arena.rust_client(client);
    arena.ladder_toml(&ladder(client, board, nodes, lanes));
    arena.agon(["ladder", "--quiet"]).well();
    let first = arena.all_shown().remove(0);
    let id = first.json["match"]["id"].as_str().unwrap();
    let log = arena.agon(["show", id, "--jsonl"]).well().stdout;
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moves = lines.iter().filter(|line| line["t"] == "move");
    let moves = moves.map(|line| format!("{} {}", line["bytes"], line["hash"])).collect();
    let io = lines.iter().filter(|line| line["t"] == "io").filter_map(|line| line["text"].as_str());
    let told = io.flat_map(str::lines).filter_map(|line| line.strip_prefix("lanes\t").map(str::to_owned)).collect();
    (moves, told)
}

/// Whether this processor has what `lanes = "avx2"` asks for; said loudly where not.
fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("lzcnt");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    if !has {
        agon_skips::skip_here("this processor has no AVX2 to compare the portable path with");
    }
    has
}

#[test]
fn the_portable_path_plays_the_same_moves_through_the_server() {
    for (client, board, nodes, portable, avx2) in [
        ("alphabeta", "square:8", 600, "portable", "avx2"),
        ("mcts", "square:8", 600, "portable", "avx2"),
        ("alphabeta", "square:17", 50, "graph", "avx2"),
        ("mcts", "square:17", 50, "graph", "avx2"),
    ] {
        let (moves, told) = played(client, board, nodes, "portable");
        assert!(moves.len() > 10 && told == [portable, portable], "{client} on {board}: {told:?}");
        let (auto, silent) = played(client, board, nodes, "auto");
        assert_eq!((&auto, silent.len()), (&moves, 0), "{client} on {board}: the default plays otherwise");
        if has_avx2() {
            assert_eq!(played(client, board, nodes, "avx2"), (moves, vec![avx2.to_owned(); 2]), "{client} on {board}");
        }
    }
}

#[test]
fn lanes_that_there_are_not_are_declined_by_name() {
    let arena = Arena::new();
    arena.rust_client("alphabeta");
    arena.ladder_toml(&ladder("alphabeta", "square:5", 10, "avx1024"));
    arena.agon(["ladder", "--quiet"]).well();
    let fault = arena.all_shown().remove(0).seats[0].fault.clone().unwrap();
    assert_eq!(fault.kind, "declined");
    assert!(fault.message.contains("lanes = \"avx1024\": not auto, portable or avx2"), "{}", fault.message);
}
