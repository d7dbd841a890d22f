//! `--accept-uploads`: what no team hands in is refused before it is anything. A whole class hands in by
//! `class::by_browser`.

use crate::browser::{Running, status};
use crate::builder::Arena;
use rustix::process::Signal;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A ladder into whose folders teams hand in.
pub fn ladder(more: &str) -> String {
    format!(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"teams/*/player.so\"]\nseed = 4\n{more}\
         [options]\nboard = \"mini-3\"\n[run]\nwatch = true\nlogs = \"none\"\n"
    )
}

/// Links for these teams, and their tokens in the same order.
pub fn tokens(arena: &Arena, teams: &[String]) -> Vec<String> {
    let listed = arena.agon(["teams", "ladder.toml", "--json", "--invite", &teams.join(",")]).well().json();
    let rows = listed["teams"].as_array().unwrap();
    let token = |team: &String| {
        let row = rows.iter().find(|row| row["team"] == **team).unwrap();
        row["link"].as_str().unwrap().rsplit("token=").next().unwrap().to_owned()
    };
    teams.iter().map(token).collect()
}

/// Files of their own for all: what is behind a library changes nothing about it.
pub fn own(arena: &Arena, library: &[u8], team: &str) -> PathBuf {
    arena.file(&format!("home-{team}.so"), [library, team.as_bytes()].concat())
}

#[test]
fn what_is_not_handed_in_by_a_team_is_refused() {
    let arena = Arena::new();
    let (random, grundy) = (arena.rust_client("random"), arena.rust_client("grundy"));
    let random = std::fs::read(random).unwrap();
    arena.ladder_toml(&ladder(""));
    let token = tokens(&arena, &["red".to_owned()]).remove(0);
    let server = Running::start(arena.command(["serve", "ladder.toml", "--listen", "127.0.0.1:0", "--accept-uploads"]));
    let host = format!("localhost:{}", server.port());
    let cookie = format!("agon-{}-team={token}", server.port());
    let heads = format!("Host: {host}\r\nCookie: {cookie}\r\nOrigin: http://{host}\r\nConnection: close\r\n");
    let post = |heads: &str, kind: &str, length: usize, body: &[u8]| {
        let mut stream = server.connect();
        let head = format!(
            "POST /team/submission HTTP/1.1\r\n{heads}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    };
    const KIND: &str = "application/octet-stream";
    let place = arena.path("teams/red/player.so");
    let is_refused = |answer: &str, expected: u16| {
        assert_eq!(status(answer), expected, "{answer}");
        assert!(!place.exists(), "{answer}");
    };
    for (from, to, expected) in [
        (cookie.as_str(), "a=b", 403),
        (&token, "0123456789abcdef0123456789abcdef", 403),
        ("Origin: http://localhost", "Origin: http://evil.example", 403),
        ("Origin:", "X-Origin:", 403),
        ("Host: localhost", "Host: evil.example", 421),
    ] {
        is_refused(&post(&heads.replace(from, to), KIND, random.len(), &random), expected);
    }
    is_refused(&post(&heads, "multipart/form-data", random.len(), &random), 415);
    is_refused(&post(&heads, KIND, 33 << 20, b"\x7fELF"), 413);
    is_refused(&post(&heads, KIND, 9, b"#!/bin/sh"), 415);
    is_refused(&post(&heads, KIND, 1 << 20, b"PK\x03\x04, an archive, of which no more is waited for"), 415);
    is_refused(&post(&heads, KIND, 0, b""), 415);
    // What begins like a client is looked at: these come to the page, and nothing to the folder.
    for (body, why) in [
        (&random[..random.len() / 2], "truncated: parts of the library lie beyond"),
        (&std::fs::read(&grundy).unwrap()[..], "it plays grundy, and here amazons is played"),
    ] {
        let answer = post(&heads, KIND, body.len(), body);
        assert!(answer.contains("<b>refused</b>") && answer.contains(why), "{answer}");
        assert!(!answer.contains(&arena.path("").display().to_string()), "no path of this machine: {answer}");
        is_refused(&answer, 200);
    }
    let left = std::fs::read_dir(arena.path("teams/red")).into_iter().flatten().count();
    assert_eq!(left, 0, "nothing half is left");
    let answer = post(&heads, KIND, random.len(), &random);
    assert!(status(&answer) == 200 && answer.contains("<b>taken</b>: a client of amazons"), "{answer}");
    assert_eq!(std::fs::read(&place).unwrap(), random);
    // Two at once come one after the other, and one who never ends takes nothing from the pages.
    let mut slow = server.connect();
    let head = format!("POST /team/submission HTTP/1.1\r\n{heads}Content-Type: {KIND}\r\nContent-Length: 1000\r\n\r\n");
    slow.write_all(head.as_bytes()).unwrap();
    slow.write_all(b"\x7fELF").unwrap();
    let page = server.ask(&format!("GET /team HTTP/1.1\r\n{heads}\r\n"));
    assert!(status(&page) == 200 && page.contains("id=\"submission\""), "{page}");
    drop(slow);
    let answer = post(&heads, KIND, random.len(), &random);
    assert!(answer.contains("<b>taken</b>"), "{answer}");
    // Four were looked at; after twenty within an hour a team waits.
    let answers: Vec<String> = (0..17).map(|_| post(&heads, KIND, 12, b"\x7fELF, no more")).collect();
    let too_many = "this team submitted 20 files within an hour; the next is taken in 60 min";
    assert!(answers[..16].iter().all(|answer| !answer.contains(too_many)), "{answers:?}");
    assert!(answers[16].contains(too_many), "{}", answers[16]);
    let page = server.ask(&format!("GET /team HTTP/1.1\r\n{heads}Accept-Language: fr\r\n\r\n"));
    assert!(page.contains("cette équipe a rendu 20 fichiers en une heure"), "{page}");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_team_that_sends_slowly_keeps_no_other_out() {
    let arena = Arena::new();
    let random = std::fs::read(arena.rust_client("random")).unwrap();
    arena.ladder_toml(&ladder(""));
    let token = tokens(&arena, &["red".to_owned(), "blue".to_owned()]);
    let server = Running::start(arena.command(["serve", "ladder.toml", "--listen", "127.0.0.1:0", "--accept-uploads"]));
    let begin = |token: &str, length: usize| {
        let (host, mut stream) = (format!("localhost:{}", server.port()), server.connect());
        let cookie = format!("Cookie: agon-{}-team={token}\r\n", server.port());
        let heads = format!("Host: {host}\r\n{cookie}Origin: http://{host}\r\nConnection: close\r\n");
        let kind = "Content-Type: application/octet-stream";
        let head = format!("POST /team/submission HTTP/1.1\r\n{heads}{kind}\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    // More than may come at once, and of one team.
    let slow: Vec<_> = (0..8).map(|_| begin(&token[0], 1000)).collect();
    for mut stream in &slow {
        stream.write_all(b"\x7fELF").unwrap();
    }
    let began = Instant::now();
    let mut quick = begin(&token[1], random.len());
    quick.write_all(&random).unwrap();
    let mut answer = String::new();
    quick.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("<b>taken</b>"), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(30), "it waited for those that send slowly: {:?}", began.elapsed());
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn what_comes_by_a_server_that_does_tls_is_handed_in_too() {
    let arena = Arena::new();
    let random = std::fs::read(arena.rust_client("random")).unwrap();
    arena.ladder_toml(&ladder(""));
    let token = tokens(&arena, &["red".to_owned()]).remove(0);
    let words = ["serve", "ladder.toml", "--listen", "127.0.0.1:0", "--accept-uploads"];
    let server = Running::start(arena.command(words.iter().chain(&["--url", "https://course.example.org"])));
    let cookie = format!("agon-{}-team={token}", server.port());
    let get = |host: &str, more: &str| {
        let entered = server.ask(&format!("GET /team{more} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        (status(&entered), entered)
    };
    assert_eq!(get("course.example.org", "").0, 403, "without a link nobody reads");
    assert_eq!(get("evil.example", "").0, 421);
    let (_, answer) = get("course.example.org", &format!("?token={token}"));
    assert!(answer.contains(&format!("set-cookie: {cookie}")) && answer.contains("; Secure"), "{answer}");
    let post = |origin: &str| {
        let heads = "Host: course.example.org\r\nConnection: close\r\nContent-Type: application/octet-stream";
        let length = random.len();
        let head = format!("{heads}\r\nCookie: {cookie}\r\nOrigin: {origin}\r\nContent-Length: {length}\r\n\r\n");
        let mut stream = server.connect();
        let whole = [format!("POST /team/submission HTTP/1.1\r\n{head}").as_bytes(), &random].concat();
        // Where the server has seen enough it closes while more is written.
        let _ = stream.write_all(&whole);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    };
    assert_eq!(status(&post("https://evil.example")), 403);
    let taken = post("https://course.example.org");
    assert!(taken.contains("<b>taken</b>"), "{taken}");
    assert_eq!(std::fs::read(arena.path("teams/red/player.so")).unwrap(), random);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn nothing_is_taken_unless_somebody_says_where_it_goes() {
    let arena = Arena::new();
    arena.ladder_toml("[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"*/*.so\"]\n");
    for (words, expected, said) in [
        (&["serve", "ladder.toml", "--accept-uploads"][..], 3, "no pattern of the ladder file says where"),
        (&["serve", "--accept-uploads"], 2, "the ladder file says where files go"),
        (&["ladder", "--accept-uploads"], 2, "--serve"),
        (&["serve", "ladder.toml", "--accept-uploads", "--anonymise"], 2, "--anonymise"),
    ] {
        let ran = arena.agon(words);
        assert!(ran.status == Some(expected) && ran.stderr.contains(said), "{words:?}: {ran:?}");
    }
}
