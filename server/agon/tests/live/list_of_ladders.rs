//! The list of ladders: how each stands, and what is known of one that has not begun.

use crate::browser::{Running, status};
use crate::builder::Arena;
use std::time::{Duration, Instant};

const LADDER: &str =
    "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\n[options]\nboard = [\"mini-3\"]\n";

#[test]
fn the_list_tells_how_each_ladder_stands_and_before_it_begins_who_is_refused() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.file("clients/late.so", "a letter");
    arena.file("clients/lost.refused", "it has no main function\n");
    arena.file("ladder.toml", LADDER);
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
    assert!(list.contains(">finished</td>") && list.contains("<time datetime="), "{list}");
}

/// The results of the ladders in a list; of those that have one.
fn results(list: &str) -> Vec<String> {
    let cells = list.split("<td class=\"stands\">").skip(1).map(|rest| rest.split("</td>").next().unwrap().to_owned());
    cells.filter(|result| !result.is_empty()).collect()
}

#[test]
fn a_leader_that_is_withdrawn_leads_no_more_in_the_list() {
    let arena = Arena::new();
    ["random", "greedy", "alphabeta"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.file("ladder.toml", LADDER);
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "ladder.toml", "--listen", "127.0.0.1:0"]));
    let told = arena.agon(["standings", "--json"]).well().json();
    let leader = told["clients"][0]["client"].as_str().unwrap().to_owned();
    let is_told = || results(&server.get("/ladders"))[0].contains(&format!(">{leader}<"));
    assert!(is_told(), "{leader}: {}", server.get("/ladders"));
    arena.agon(["clients", "--withdraw", &leader]).well();
    let until = Instant::now() + Duration::from_secs(30);
    while is_told() {
        assert!(Instant::now() < until, "{leader}: {}", server.get("/ladders"));
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_results_of_many_ladders_are_found_a_few_at_a_time() {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    for name in ["a", "b", "c", "d", "e"] {
        arena.file("ladder.toml", LADDER.replace("class", name));
        arena.agon(["ladder", "--quiet"]).well();
    }
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let found = [(); 3].map(|()| results(&server.get("/ladders")).len());
    assert_eq!(found, [3, 5, 5]);
}

#[test]
fn where_teams_read_along_the_list_keeps_reasons_and_the_hall_has_no_refused_file() {
    let arena = Arena::new();
    arena.file("clients/lost.refused", "it has no main function\n");
    arena.file("ladder.toml", LADDER);
    let server = Running::start(arena.command(["serve", "ladder.toml", "--listen", "127.0.0.1:0", "--accept-uploads"]));
    let token = server.link.split_once("?token=").unwrap().1;
    let entered = server.get(&format!("/?token={token}"));
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let shown = |path: &str| {
        let heads = format!("Host: localhost\r\nCookie: {cookie}\r\nConnection: close");
        let page = server.ask(&format!("GET {path} HTTP/1.1\r\n{heads}\r\n\r\n"));
        assert!(status(&page) == 200 && page.contains("has not begun"), "{page}");
        page
    };
    let list = shown("/ladders");
    assert!(list.contains("<bdi>lost</bdi></dt><dd>only its own team sees why"), "{list}");
    assert!(!list.contains("no main function"), "{list}");
    let hall = shown("/hall");
    assert!(!hall.contains("lost"), "{hall}");
}
