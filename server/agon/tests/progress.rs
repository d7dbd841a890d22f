//! What is shown while a ladder runs: a bar and who is ahead on a terminal, lines without one.

use crate::builder::Terminal;
use crate::held::{pairs, pairs_toml};

#[test]
fn without_a_terminal_there_is_a_line_now_and_then() {
    let arena = pairs(40);
    let ran = arena.agon(["ladder", "--jobs", "1"]).well();
    let lines: Vec<&str> = ran.stderr.lines().filter(|line| line.contains(" s left")).collect();
    assert_eq!(lines.len(), 20, "a line each 5 %: {}", ran.stderr);
    for line in &lines {
        assert!(line.contains(" matches/s  ") && line.contains("; ahead: "), "{line}");
    }
    let (_, ahead) = lines[19].split_once("; ahead: ").unwrap();
    let table = arena.agon(["standings", "--json"]).json();
    let clients = table["clients"].as_array().unwrap();
    let line = |client: &serde_json::Value| {
        format!("{} {:.3}", client["client"].as_str().unwrap(), client["points"]["mean"].as_f64().unwrap())
    };
    assert_eq!(ahead, clients.iter().map(line).collect::<Vec<_>>().join(", "), "as in the table");
    // What was played before counts.
    arena.ladder_toml(&pairs_toml(50));
    let on = arena.agon(["ladder", "--jobs", "1"]).well();
    let first = on.stderr.lines().find(|line| line.contains(" s left")).unwrap();
    let best = clients[0]["client"].as_str().unwrap();
    assert!(first.contains(&format!("; ahead: {best} ")), "{first}");
    assert!(!arena.agon(["ladder", "--quiet"]).well().stderr.contains("ahead"));
}

#[test]
fn on_a_terminal_there_is_a_bar_and_who_is_ahead_below() {
    let arena = pairs(100);
    let mut terminal = Terminal::start(&mut arena.command(["ladder"]), 100, 30);
    terminal.wait_for("left");
    let shown = terminal.wait_for("  3  ");
    assert!(shown.contains(" ± ") && shown.contains("  1  "), "{shown}");
    assert_eq!(terminal.end(), Some(0));
}
