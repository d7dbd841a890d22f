//! `--play`: visitors of the pages of a ladder play against its clients. What may not be asked for is refused, nothing
//! that a client said is told, and the ladder is what it is without them.

mod burden;
mod form;
mod watching;

use crate::browser::{Running, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use serde_json::json;

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
    assert!(anybody.get(&invitation).contains("This seat is taken"));
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
