//! `--play`: visitors of the pages of a ladder play against its clients. What may not be asked for is refused, nothing
//! that a client said is told, and the ladder is what it is without them.

use crate::browser::board::{By, RESULT, choose, wait_for_cards, wait_for_turn};
use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use serde_json::json;
use std::io::{Read, Write};

/// Dies when it is asked for a move, and says what nobody may read.
const NASTY: &str = r#"
#include <agon/amazons.h>
#include <stdio.h>
#include <stdlib.h>
const char *get_player_name(void) { return "whisper"; }
int initialize(const amazons_setup *setup) { return 0; }
amazons_move play(const amazons_turn *turn) {
    fputs("a whisper\n", stderr);
    abort();
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

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

/// A visitor without a browser.
struct Asker<'a> {
    server: &'a Running,
    /// Lines of a head.
    heads: String,
}

impl Asker<'_> {
    fn get(&self, path: &str) -> String {
        self.server.ask(&format!("GET {path} HTTP/1.1\r\n{}Connection: close\r\n\r\n", self.heads))
    }

    fn post(&self, path: &str, body: &str) -> String {
        let (heads, length) = (&self.heads, body.len());
        let heads =
            format!("{heads}Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n");
        self.server.ask(&format!("POST {path} HTTP/1.1\r\n{heads}\r\n{body}"))
    }

    /// The same with another head.
    fn with(&self, from: &str, to: &str) -> Self {
        Asker { heads: self.heads.replace(from, to), ..*self }
    }

    /// Enters by a link: the path of the board, and whoever has its cookie.
    #[track_caller]
    fn enter(&self, link: &str) -> (String, Self) {
        self.entered(link, &self.get(link))
    }

    /// Takes the seat of an invitation.
    #[track_caller]
    fn take(&self, link: &str) -> (String, Self) {
        self.entered(link, &self.post(link, "{}"))
    }

    #[track_caller]
    fn entered(&self, link: &str, entered: &str) -> (String, Self) {
        assert_eq!(status(entered), 200, "{entered}");
        let cookie = line_of(entered, "set-cookie: ");
        let path = link.split('?').next().unwrap();
        assert!(cookie.ends_with(&format!("HttpOnly; SameSite=Strict; Path={path}")), "{cookie}");
        let cookie = cookie.split(';').next().unwrap();
        (path.to_owned(), Asker { heads: format!("{}Cookie: {cookie}\r\n", self.heads), ..*self })
    }
}

/// What follows in the line of a head.
#[track_caller]
fn line_of(answer: &str, begin: &str) -> String {
    answer.lines().find_map(|line| line.strip_prefix(begin)).unwrap_or_else(|| panic!("{begin}: {answer}")).to_owned()
}

fn wish(seats: &[&str], adviser: &str) -> String {
    json!({"language": "en", "setting": 0, "seats": seats, "adviser": adviser}).to_string()
}

/// The number of a client in the form.
#[track_caller]
fn number(form: &str, client: &str) -> String {
    let before = form.split(&format!(">{client}</option>")).next().unwrap();
    before.rsplit("<option value=\"").next().unwrap().split('"').next().unwrap().to_owned()
}

/// Three clients of which one dies, played once.
fn class() -> Arena {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.c_client("nasty", NASTY).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 7\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    arena
}

#[test]
fn what_no_visitor_may_ask_for_is_refused() {
    if !has_program("cc") {
        return;
    }
    let arena = class();
    let closed = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(status(&closed.get("/ladder/1/play.html")), 404, "nobody plays unless that is said");
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let heads = |server: &Running| format!("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", server.port());
    let anybody = Asker { server: &server, heads: heads(&server) };
    let form = anybody.get("/ladder/1/play.html");
    let (nasty, greedy) = (number(&form, "nasty"), number(&form, "greedy"));
    let good = wish(&["you", &greedy], "");
    let elsewhere = Asker { server: &closed, heads: heads(&closed) };
    assert_eq!(status(&elsewhere.post("/ladder/1/play", &good)), 405);
    for (asker, path, body, expected) in [
        (anybody.with("Origin: http://localhost", "Origin: http://evil.example"), "/ladder/1/play", good.as_str(), 403),
        (anybody.with("Origin:", "X:"), "/ladder/1/play", &good, 403),
        (anybody.with("Origin:", "Sec-Fetch-Site: cross-site\r\nOrigin:"), "/ladder/1/play", &good, 403),
        (anybody.with("Host: localhost", "Host: evil.example"), "/ladder/1/play", &good, 421),
        (anybody.with("", ""), "/ladder/2/play", &good, 404),
        (anybody.with("", ""), "/ladder/01/play", &good, 404),
        (anybody.with("", ""), "/ladder/1/x/play", &good, 404),
        (anybody.with("", ""), "/ladder/1/index.html", &good, 405),
        (anybody.with("", ""), "/ladder/1/play", "{", 404),
        (anybody.with("", ""), "/ladder/1/play", &"x".repeat(2000), 413),
        (anybody.with("", ""), "/play/0123/own/act", r#"{"at":1,"do":"clear"}"#, 404),
    ] {
        assert_eq!(status(&asker.post(path, body)), expected, "{path} {body} {}", asker.heads);
    }
    // What the form does not offer is no board.
    for (seats, adviser, why) in [
        (&["you", "99"][..], "", "the ladder has changed meanwhile"),
        (&["you", "../x"], "", "the ladder has changed meanwhile"),
        (&["you"], "", "the ladder has changed meanwhile"),
        (&["you", &greedy], "99", "the ladder has changed meanwhile"),
        (&[&greedy, "guest"], "", "take a seat"),
    ] {
        let answer = anybody.post("/ladder/1/play", &wish(seats, adviser));
        assert!(status(&answer) == 200 && answer.contains(why), "{seats:?}: {answer}");
    }
    // Whoever has no cookie of a board sees nothing of it, and its paths lead nowhere else.
    let begun = anybody.post("/ladder/1/play", &wish(&["you", "guest"], &nasty));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let page = own.get(&path);
    let guest =
        page.split("data-path=").nth(1).unwrap().split(['"', ' ', '>']).find(|part| part.contains("token")).unwrap();
    let invitation = path.replace("/own/", guest.trim_start_matches(".."));
    // Who only looks at an invitation takes nothing; then it is for the first who takes it.
    for _ in 0..2 {
        let asked = anybody.get(&invitation);
        assert!(asked.contains("Take the seat") && !asked.contains("set-cookie"), "{asked}");
    }
    let stranger = anybody.with("Origin: http://localhost", "Origin: http://evil.example");
    assert_eq!(status(&stranger.post(&invitation, "{}")), 403);
    let (guest_path, guest) = anybody.take(&invitation);
    for asker in [&anybody, &own] {
        assert!(status(&asker.get(&invitation)) == 403 && status(&asker.post(&invitation, "{}")) == 403);
    }
    assert!(anybody.get(&invitation).contains("this seat is taken"));
    assert_eq!(status(&guest.get(&invitation)), 200, "who has the seat comes back by the link too");
    let begun = own.get(&path);
    assert!(begun.contains("Seat 2: taken") && !begun.contains("data-path=\"../seat-"), "{begun}");
    let inside = guest.get(&guest_path);
    assert!(status(&inside) == 200 && !inside.contains("token="), "a guest invites nobody: {inside}");
    for (asker, path, expected) in [
        (&anybody, path.as_str(), 403),
        (&anybody, &format!("{path}events"), 403),
        (&guest, &path, 403),
        (&own, &guest_path, 403),
        (&own, &format!("{path}?token=0123"), 403),
        (&own, &format!("{path}../ladder.toml"), 404),
        (&own, &format!("{path}replay.html"), 404),
        (&own, "/play/", 404),
        (&own, "/play/0123456789abcdef0123456789abcdef/own/", 404),
    ] {
        assert_eq!(status(&asker.get(path)), expected, "{path}");
    }
    // Eight in all; the one that is left makes room.
    let began = |answer: &String| status(answer) == 303;
    let boards: Vec<String> = (0..9).map(|_| anybody.post("/ladder/1/play", &good)).collect();
    assert_eq!(boards.iter().filter(|answer| began(answer)).count(), 7, "{boards:?}");
    assert!(boards[8].contains("no board is free: there are 8 in all"), "{}", boards[8]);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0), "boards hold nothing up");
}

/// The address of the link to watch that a page offers, if it does.
fn link_to_watch(page: &str, path: &str) -> Option<String> {
    let link = page.split("data-path=\"../watch/").nth(1)?.split('"').next()?;
    Some(path.replace("/own/", "/watch/") + link)
}

#[test]
fn who_watches_a_board_sees_it_and_changes_nothing() {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    let head = "[ladder]\nname = \"class\"\nseed = 7\nclients = [\"clients/*.so\"]\n";
    arena.ladder_toml(&format!("{head}game = \"amazons\"\n[options]\nboard = \"mini-3\"\n"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let heads = format!("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", server.port());
    let anybody = Asker { server: &server, heads };
    let begun = anybody.post("/ladder/1/play", &wish(&["you", "guest"], ""));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let mut page = own.get(&path);
    crate::held::wait_until("it is the player's turn", || {
        page = own.get(&path);
        page.contains("your move.")
    });
    let link = link_to_watch(&page, &path).expect("nothing is hidden in this game");
    assert_eq!(status(&anybody.get(link.split('?').next().unwrap())), 403, "it takes the whole link");
    // Any number of people may come by it.
    let watchers: Vec<_> = (0..2).map(|_| anybody.enter(&link)).collect();
    let at = page.split("data-at=\"").nth(1).unwrap().split('"').next().unwrap();
    let choice = page.split(" role=\"button\"").next().unwrap().rsplit("data-choose=\"").next().unwrap();
    let choice = choice.split('"').next().unwrap();
    for (watched, watcher) in &watchers {
        let seen = watcher.get(watched);
        assert!(seen.contains("You are watching.") && seen.contains("class=\"pic"), "{seen}");
        for part in ["data-choose", "data-do", "token=", "id=\"typed\""] {
            assert!(!seen.contains(part), "{part}: {seen}");
        }
        for act in ["again", "undo", "resign", "clear"] {
            let answer = watcher.post(&format!("{watched}act"), &format!(r#"{{"at":{at},"do":"{act}"}}"#));
            assert_eq!(status(&answer), 405, "{act}");
        }
        let act = format!(r#"{{"at":{at},"do":"choose","text":"{choice}"}}"#);
        assert_eq!(status(&watcher.post(&format!("{watched}act"), &act)), 405);
        assert_eq!(status(&watcher.post(&format!("{path}act"), &act)), 403, "nor by the path of a seat");
    }
    let main = |page: &str| page[page.find("<main").unwrap()..].to_owned();
    assert_eq!(main(&own.get(&path)), main(&page), "nothing has changed");
    // What people do is seen.
    let resigned = own.post(&format!("{path}act"), &format!(r#"{{"at":{at},"do":"resign"}}"#));
    assert_eq!(status(&resigned), 200);
    let (watched, watcher) = &watchers[0];
    let begun = std::time::Instant::now();
    while !watcher.get(watched).contains("id=\"result\"") {
        assert!(begun.elapsed().as_secs() < 30, "the end is not seen");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(!watcher.get(watched).contains("data-do=\"again\""), "another match is for the players");
    assert_eq!(status(&watcher.get(&format!("{watched}replay.html"))), 200);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn nobody_watches_where_hands_are_hidden() {
    let arena = Arena::new();
    let clients = arena.six_clients(&["smallest", "largest"]);
    let head = "[ladder]\nname = \"six\"\ngame = \"six_qui_prend\"\nseed = 5\nopenings = 1\n";
    arena.ladder_toml(&format!("{head}[options]\nhand = 3\nlimit = 0\n{clients}"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let heads = format!("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", server.port());
    let anybody = Asker { server: &server, heads };
    let begun = anybody.post("/ladder/1/play", &wish(&["you", "guest"], ""));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let page = own.get(&path);
    assert!(page.contains("data-path=\"../seat-2/"), "{page}");
    assert_eq!(link_to_watch(&page, &path), None);
    assert_eq!(status(&own.get(&path.replace("/own/", "/watch/"))), 403);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn the_best_of_those_that_do_not_fail_is_the_opponent_at_first() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.c_client("broken", NASTY).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 7\nopenings = 5\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"square:6\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let form = server.get("/ladder/1/play.html");
    for (client, is_first) in [("broken", false), ("greedy", true), ("random", false)] {
        assert!(form.contains(&format!(">{client}</option>")), "{form}");
        assert_eq!(form.contains(&format!(" selected>{client}</option>")), is_first, "{client}: {form}");
    }
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_team_plays_and_reads_nothing_that_others_said() {
    if !has_program("cc") {
        return;
    }
    let arena = class();
    let invited = arena.agon(["teams", "ladder.toml", "--json", "--invite", "red"]).well().json();
    let token = invited["teams"].as_array().unwrap().iter().find_map(|row| row["link"].as_str()).unwrap().to_owned();
    let token = token.rsplit("token=").next().unwrap();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--team-links", "--play"]));
    let host = format!("localhost:{}", server.port());
    let nobody = Asker { server: &server, heads: format!("Host: {host}\r\nOrigin: http://{host}\r\n") };
    let cookie = format!("Cookie: agon-{}-team={token}\r\n", server.port());
    let team = Asker { server: &server, heads: nobody.heads.clone() + &cookie };
    let form = team.get("/ladder/1/play.fr.html");
    assert!(form.contains("Jouer : Amazons") && form.contains("<html lang=\"fr\""), "{form}");
    let nasty = number(&form, "nasty");
    let wanted = wish(&[&nasty, "you"], &nasty);
    assert_eq!(status(&nobody.post("/ladder/1/play", &wanted)), 403, "it takes the link of a team");
    let begun = team.post("/ladder/1/play", &wanted);
    // By the link of a board one comes to it, and to nothing else.
    let (path, seat) = nobody.enter(&line_of(&begun, "location: "));
    assert_eq!(status(&seat.get("/ladder/1/index.html")), 403);
    assert_eq!([status(&seat.get("/agon.css")), status(&seat.get("/play.js"))], [200, 200]);
    let is_over = || seat.get(&path).contains("id=\"result\"");
    while !is_over() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let (page, replay) = (seat.get(&path), seat.get(&format!("{path}replay.html")));
    assert!(page.contains("crash") && status(&replay) == 200 && replay.contains("crash"), "{page}");
    assert!(replay.contains("content-disposition: attachment"), "a file to keep: {replay}");
    for text in [&page, &replay] {
        assert!(!text.contains("whisper"), "{text}");
    }
    // A match that is over gives way to the next one; those under way do not.
    let long = wish(&["you", "guest"], "");
    assert_eq!(status(&team.post("/ladder/1/play", &long)), 303);
    assert_eq!(status(&team.post("/ladder/1/play", &long)), 303);
    let more = team.post("/ladder/1/play", &long);
    assert!(more.contains("2 for a team"), "{more}");
    assert_eq!(status(&seat.get(&path)), 404, "it is cleared");
    assert_eq!(arena.agon(["matches", "--json"]).json()["matches"].as_array().unwrap().len(), 6, "nothing is recorded");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

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
        "seat 1 (flood): rank",
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
    browser.wait(|browser| browser.value(RESULT) != "");
    let result = browser.value(RESULT).as_str().unwrap().to_owned();
    assert!(result.contains("place 1 (une personne)") && result.contains("rien n'est enregistré"), "{result}");
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
