//! The list of ladders: how each stands, and what is known of one that has not begun.

use crate::browser::{Running, status};
use crate::builder::Arena;

#[test]
fn the_list_tells_how_each_ladder_stands_and_before_it_begins_who_is_refused() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.file("clients/late.so", "a letter");
    arena.file("clients/lost.refused", "it has no main function\n");
    let ladder = "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\n[options]\nboard = [\"mini-3\"]\n";
    arena.file("ladder.toml", ladder);
    assert_ne!(arena.agon(["ladder", "--quiet"]).status, Some(0), "one client alone plays no ladder");
    let shown = |path: &str| {
        let server = Running::start(arena.command(["serve", "ladder.toml", "--listen", "127.0.0.1:0"]));
        let page = server.get(path);
        assert_eq!(status(&page), 200, "{page}");
        page
    };
    let awaited = shown("/");
    for said in
        ["has not begun", "<bdi>late</bdi></dt><dd>a text file", "<bdi>lost</bdi></dt><dd>it has no main function"]
    {
        assert!(awaited.contains(said), "{said}: {awaited}");
    }
    assert!(!awaited.contains(">random<"), "it can play: {awaited}");
    arena.rust_client("greedy");
    arena.agon(["ladder", "--quiet"]).well();
    let list = shown("/ladders");
    assert!(!list.contains("has not begun"), "{list}");
    let stands = list.split("<td class=\"stands\">").nth(1).unwrap().split("</td>").next().unwrap();
    assert!(stands.contains("href=\"/ladder/1/client/") && stands.contains(" first "), "{stands}");
    assert!(list.contains("<td>not being played here</td>"), "{list}");
}
