//! What boards take from the machine and the ladder: clients that think, flood or are slow, and streams that run out.

use super::{Asker, NASTY, line_of, number, wish};
use crate::browser::board::{By, RESULT, choose, wait_for_cards, wait_for_the_end, wait_for_turn};
use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use serde_json::json;
use std::io::{Read, Write};

/// Thinks until it is ended.
const THINKER: &str = r#"
#include <agon/amazons.h>
const char *get_player_name(void) { return "thinker"; }
int initialize(const amazons_setup *setup) { return 0; }
amazons_move play(const amazons_turn *turn) {
    for (volatile int count = 0;;) count++;
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// The nice values of all processes that this one has started, and those have.
fn nice_values(of: u32) -> Vec<i64> {
    let children = |of: u32| {
        let tasks = std::fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
        let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        lists.flat_map(|list| list.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>())
    };
    let nice = |of: u32| {
        let line = std::fs::read_to_string(format!("/proc/{of}/stat")).ok()?;
        line.rsplit(')').next()?.split_whitespace().nth(16)?.parse().ok()
    };
    children(of).flat_map(|child| nice(child).into_iter().chain(nice_values(child))).collect()
}

#[test]
fn whoever_thinks_at_a_board_stands_back() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    drop(arena.rust_client("random"));
    arena.c_client("thinker", THINKER).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 7\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n[time]\nper_move = \"300ms\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let host = format!("localhost:{}", server.port());
    let anybody = Asker { server: &server, heads: format!("Host: {host}\r\nOrigin: http://{host}\r\n") };
    let thinker = number(&anybody.get("/ladder/1/play.html"), "thinker");
    let begun = anybody.post("/ladder/1/play", &wish(&["you", "guest"], &thinker));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let at = || own.get(&path).split("data-at=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mut seen = Vec::new();
    while seen.is_empty() {
        own.post(&format!("{path}act"), &format!(r#"{{"at":{},"do":"hint"}}"#, at()));
        seen = nice_values(server.id());
    }
    assert!(seen.iter().all(|nice| *nice >= 15), "{seen:?}");
    // Of several people without names it is told where they sit.
    while !own.get(&path).contains("id=\"result\"") {
        own.post(&format!("{path}act"), &format!(r#"{{"at":{},"do":"resign"}}"#, at()));
    }
    let over = own.get(&path);
    assert!(over.contains("seat 2 has won"), "{over}");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

/// Writes megabytes a move, of no text at all, and logs what is none.
const FLOOD: &str = r#"
#include <agon/amazons_kit.h>
#include <stdio.h>
static amazons_board board;
const char *get_player_name(void) { return "flood"; }
int initialize(const amazons_setup *setup) { return amazons_start(&board, setup); }
amazons_move play(const amazons_turn *turn) {
    static char rubbish[1 << 16];
    amazons_move move;
    for (unsigned at = 0; at < sizeof rubbish; at++) rubbish[at] = (char)(at * 37);
    for (int times = 0; times < 64; times++) fwrite(rubbish, 1, sizeof rubbish, times % 2 ? stdout : stderr);
    fflush(stdout);
    agon_log("\xff\x01", "\xfe<b>");
    amazons_apply(&board, turn->previous); amazons_moves(&board, &move, 1); amazons_apply(&board, move);
    return move;
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// Never begins.
const SLOW: &str = r#"
#include <agon/amazons.h>
const char *get_player_name(void) { return "slow"; }
int initialize(const amazons_setup *setup) { for (volatile int count = 0;;) count++; }
amazons_move play(const amazons_turn *turn) { amazons_move move = {0}; return move; }
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

#[test]
fn whatever_clients_do_at_a_board_people_are_told_and_others_go_on() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    drop(arena.rust_client("random"));
    for (name, source) in [("nasty", NASTY), ("thinker", THINKER), ("slow", SLOW), ("flood", FLOOD)] {
        arena.c_client(name, source).unwrap();
    }
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 7\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n[time]\nper_move = \"200ms\"\ninitialize = \"100ms\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let host = format!("localhost:{}", server.port());
    let anybody = Asker { server: &server, heads: format!("Host: {host}\r\nOrigin: http://{host}\r\n") };
    let form = anybody.get("/ladder/1/play.html");
    let names = ["nasty", "thinker", "slow", "flood"];
    let open = |client: &str| {
        let begun = anybody.post("/ladder/1/play", &wish(&[&number(&form, client), "you"], ""));
        anybody.enter(&line_of(&begun, "location: "))
    };
    // All of them at once; the visitor takes the first thing that is offered, until it is over.
    let boards = names.map(open);
    let mut pages = boards.each_ref().map(|_| String::new());
    let begun = std::time::Instant::now();
    while !pages.iter().all(|page| page.contains("id=\"result\"")) {
        assert!(begun.elapsed().as_secs() < 60, "{pages:?}");
        for ((path, seat), page) in boards.iter().zip(&mut pages) {
            let asked = std::time::Instant::now();
            *page = seat.get(path);
            assert!(status(page) == 200 && asked.elapsed().as_secs() < 5, "{page}");
            let at = page.split("data-at=\"").nth(1).unwrap().split('"').next().unwrap();
            let choice = page.split(" role=\"button\"").next().filter(|_| page.contains(" role=\"button\""));
            let choice = choice.and_then(|before| before.rsplit("data-choose=\"").next()?.split('"').next());
            if let Some(choice) = choice {
                seat.post(&format!("{path}act"), &format!(r#"{{"at":{at},"do":"choose","text":"{choice}"}}"#));
            }
        }
    }
    let told = [
        "crash: it broke down",
        "cpu-time: it took more processor time than it may",
        "cpu-time: it took more processor time than it may",
        "<bdi>flood</bdi></td>",
    ];
    for ((page, told), name) in pages.iter().zip(told).zip(names) {
        assert!(page.contains(told) && !page.contains("whisper"), "{name}: {page}");
        assert!(page.len() < 50_000 && !page.contains("ply 0"), "{name} says nothing in its own words: {page}");
    }
    assert!(!pages[3].contains("cpu-time") && !pages[3].contains("crash"), "it plays all the same: {}", pages[3]);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn where_no_stream_is_left_pages_ask_by_themselves() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 7\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let follow = |_| {
        let mut stream = server.connect();
        stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut begin = [0; 15];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200 OK");
        stream
    };
    let held: Vec<_> = (0..64).map(follow).collect();
    assert_eq!(status(&server.get("/events")), 503);
    let mut browser = Browser::start();
    browser.open(&format!("{}ladder/1/play.html", server.link));
    browser.click("#begin button");
    browser.wait(|browser| browser.value("!!document.querySelector('main.play')") == true);
    let mut turns = 0;
    while browser.value(RESULT) == "" {
        let Some(first) = wait_for_turn(&mut browser).first().cloned() else { break };
        choose(&mut browser, &first, By::Clicks);
        turns += 1;
    }
    assert!(turns > 2 && browser.value("document.getElementById('link').textContent") == "", "{turns}");
    drop(held);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn visitors_play_while_a_ladder_is_played() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let clients = arena.six_clients(&["smallest", "largest", "first"]);
    let head = "[ladder]\nname = \"six\"\ngame = \"six_qui_prend\"\nseats = 3\nseed = 5\nopenings = 100\n";
    arena.ladder_toml(&format!("{head}[options]\nhand = 3\nlimit = 0\n{clients}"));
    arena.agon(["ladder", "--quiet", "--jobs", "1"]).well();
    let alone = arena.agon(["matches", "--json"]).json();
    let words = ["ladder", "--fresh", "--serve=127.0.0.1:0", "--keep-serving", "--play", "--jobs", "1"];
    let server = Running::start(arena.command(words));
    let mut browser = Browser::start();
    browser.wait(|browser| {
        browser.open(&server.link);
        browser.value("!!document.querySelector('nav a[href=\"play.html\"]')") == true
    });
    browser.click("nav a[href='play.html']");
    browser.wait(|browser| browser.value("!!document.querySelector('nav [lang=fr]')") == true);
    browser.click("nav [lang=fr]");
    browser.wait(|browser| browser.value("document.documentElement?.lang") == "fr");
    is_accessible(&mut browser);
    // Nobody takes a seat: that is said, and what was chosen stays.
    let choose_seats = |browser: &mut Browser, seats: [&str; 3]| {
        browser.value(&format!(
            "{:?}.forEach((who, k) => {{ const one = document.getElementById('seat' + (k + 1)); one.value = who || one.options[2].value; }}); 1",
            seats
        ));
        browser.click("#begin button");
    };
    choose_seats(&mut browser, ["guest", "guest", ""]);
    browser.wait(|browser| {
        browser.value("document.getElementById('note').textContent").as_str().unwrap().contains("prenez une place")
    });
    choose_seats(&mut browser, ["you", "guest", ""]);
    browser.wait(|browser| browser.value("!!document.querySelector('main.play')") == true);
    let own = browser.session().to_owned();
    wait_for_turn(&mut browser);
    assert_eq!(browser.value("document.documentElement.lang"), "fr");
    is_accessible(&mut browser);
    let invitation = browser.value("document.querySelector('#invite input').value").as_str().unwrap().to_owned();
    let guest = browser.tab();
    browser.call("Page.navigate", json!({"url": invitation}));
    browser.wait(|browser| browser.value("!!document.querySelector('#take')") == true);
    is_accessible(&mut browser);
    browser.focus(&guest);
    browser.click("#take button");
    browser.wait(|browser| browser.value("!!document.querySelector('main.play')") == true);
    let tabs = [own, guest];
    for _ in 0..3 {
        let hands = wait_for_cards(&mut browser, &tabs);
        for (tab, other) in tabs.iter().zip([1, 0]) {
            browser.focus(tab);
            let text =
                browser.value("fetch(location.pathname).then(answer => answer.text())").as_str().unwrap().to_owned();
            let is_shown = |card: &&String| text.contains(&format!("data-choose=\"{card}\""));
            assert_eq!(hands[other].iter().find(is_shown), None, "another's hand is seen");
        }
        for (cards, tab) in hands.iter().zip(&tabs) {
            browser.focus(tab);
            choose(&mut browser, &cards[0], By::Clicks);
        }
    }
    wait_for_the_end(&mut browser, &tabs);
    let result = browser.value(RESULT).as_str().unwrap().to_owned();
    assert!(result.contains("1 une personne") && result.contains("Rien n'est enregistré"), "{result}");
    assert_eq!(browser.value("fetch('replay.html').then(answer => answer.status)"), 200);
    let saved = browser.value("fetch('replay.html').then(answer => answer.text())");
    let saved = saved.as_str().unwrap();
    assert!(saved.contains("<html lang=\"fr\">") && saved.contains("La fin de la partie"), "{saved}");
    assert_eq!(browser.complaints(), [""; 0]);
    let ended = "fetch('/').then(answer => answer.text()).then(text => text.includes('ended: '))";
    browser.wait(|browser| browser.value(ended) == true);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    assert_eq!(arena.agon(["matches", "--json"]).json()["matches"], alone["matches"], "the same as without them");
}
