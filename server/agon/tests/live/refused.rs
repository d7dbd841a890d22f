//! What is asked for in wrong ways is refused, and connections that say nothing end.

use super::class;
use crate::browser::{Running, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

#[test]
fn what_is_not_a_question_for_a_page_is_refused() {
    if !has_program("cc") {
        return;
    }
    let arena = class(1);
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let page = server.get("/ladder/1/index.html");
    assert_eq!(status(&page), 200, "{page}");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "frame-ancestors 'none'",
    ] {
        assert!(page.contains(header), "{header} in {page}");
    }
    assert!(!page.to_lowercase().contains("access-control-"), "no other origin reads it");
    assert!(!page.contains("<b onclick") && !page.contains('\u{202e}') && !page.contains("<i>class"), "{page}");
    let report = arena.agon(["report", "--replays", "all"]).well();
    let written = std::fs::read_to_string(arena.path(report.stdout.trim())).unwrap();
    let main = |page: &str| page[page.find("<main>").unwrap()..page.find("</main>").unwrap()].to_owned();
    assert_eq!(main(&page), main(&written), "the page is that of the report");
    // Asked again it need not be sent; asked for its head it is not.
    let mark = page.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let again = format!(
        "GET /ladder/1/index.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: {mark}\r\n\r\n"
    );
    assert_eq!(status(&server.ask(&again)), 304);
    let head = server.ask("HEAD /ladder/1/index.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(status(&head) == 200 && head.ends_with("\r\n\r\n"), "{head}");
    for (path, expected) in [
        ("/", 303),
        ("/ladders", 200),
        ("/ladder/1/client/1.html", 200),
        ("/ladder/1/vs/1-2.html", 200),
        ("/ladder/1/matches.csv", 200),
        ("/ladder/1/client/0.html", 404),
        ("/ladder/1/client/99.html", 404),
        ("/ladder/1/vs/2-1.html", 404),
        ("/ladder/1/vs/1-1.html", 404),
        ("/ladder/1/match/.html", 404),
        ("/ladder/1/match/zz.html", 404),
        ("/ladder/2/index.html", 404),
        ("/ladder/-1/index.html", 404),
        ("/ladder/+1/index.html", 404),
        ("/ladder/01/index.html", 404),
        ("/ladder/1/client/+1.html", 404),
        ("/ladder/1/match/%00.html", 404),
        ("/ladder/1/%252e%252e/%252e%252e/ladder.toml", 404),
        ("/ladder/1/../../ladder.toml", 404),
        ("/../ladder.toml", 404),
        ("/ladder/1/%2e%2e/%2e%2e/ladder.toml", 404),
        ("/ladder/1/match/..%2f..%2fladder.html", 404),
        ("//etc/passwd", 404),
        ("/ladder.toml", 404),
        ("/agon-out/record.sqlite", 404),
        ("/ladder/1/index.html%00", 404),
    ] {
        let answer = server.get(path);
        assert_eq!(status(&answer), expected, "{path}: {answer}");
        assert!(!answer.contains("[ladder]") && !answer.contains("root:"), "{path}");
    }
    for (request, expected) in [
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n", 421),
        ("GET / HTTP/1.1\r\n", 421),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n", 421),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n", 405),
        ("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n", 405),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n", 413),
        ("nonsense\r\n", 400),
    ] {
        let answer = server.ask(&format!("{request}Connection: close\r\n\r\n"));
        assert_eq!(status(&answer), expected, "{request}: {answer}");
    }
    // What is refused is said in French to whoever would rather read that.
    for (request, said) in [
        ("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n", "'adresse est mal tapée"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\n", "es pages ne peuvent être que lues"),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n", "e serveur porte un autre nom"),
    ] {
        let heads = "Accept-Language: fr-FR,fr;q=0.8,en;q=0.5\r\nConnection: close\r\n";
        let answer = server.ask(&format!("{request}{heads}\r\n"));
        let text = answer.replace("&#39;", "'");
        assert!(text.contains("<html lang=\"fr\">") && text.contains(said), "{request}: {answer}");
        let english = server.ask(&format!("{request}Connection: close\r\n\r\n"));
        assert!(english.contains("<html lang=\"en\">") && !english.contains(said), "{request}: {english}");
    }
    let long = server.ask(&format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(40_000)));
    assert_eq!(status(&long), 431, "{long}");
    let long = server.ask(&format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(40_000)));
    assert!((400..500).contains(&status(&long)), "{long}");
    // Streams are counted; more of them take nothing from the pages.
    let stream = |_| {
        let mut stream = server.connect();
        stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200");
        stream
    };
    let streams: Vec<TcpStream> = (0..64).map(stream).collect();
    assert_eq!(status(&server.get("/events")), 503);
    assert_eq!(status(&server.get("/ladder/1/index.html")), 200);
    drop(streams);
    // A head that does not end is not waited for.
    let began = Instant::now();
    assert_ne!(status(&server.ask("GET / HTTP/1.1\r\nHost: localhost\r\n")), 200);
    assert!(began.elapsed() < Duration::from_secs(55), "{:?}", began.elapsed());
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn beyond_this_machine_it_takes_the_token() {
    if !has_program("cc") {
        return;
    }
    let arena = class(1);
    assert_eq!(arena.agon(["serve"]).status, Some(1), "there is no record yet");
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "0.0.0.0:0", "--anonymise"]));
    let token = server.link.split_once("?token=").unwrap().1.to_owned();
    assert_eq!(status(&server.get("/ladder/1/index.html")), 403);
    assert_eq!(status(&server.get("/events")), 403);
    assert_eq!(status(&server.get("/?token=0123456789abcdef")), 403);
    let entered = server.get(&format!("/?token={token}"));
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let asked = |path: &str| {
        server.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"))
    };
    let page = asked("/ladder/1/index.html");
    assert!(status(&page) == 200 && page.contains("client-1"), "{page}");
    assert!(!page.contains("greedy") && !page.contains("onclick"), "nobody is named: {page}");
    let hall = asked("/hall");
    assert!(hall.contains("class=\"qr\"") && hall.contains(&format!("/?token={token}</code>")), "{hall}");
    server.signal(Signal::TERM);
    assert_eq!(server.end(), Some(0));
    // A port that is taken is told before anything begins, and no ladder is played.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = taken.local_addr().unwrap().to_string();
    let before = arena.agon(["standings", "--json"]).json();
    for words in [vec!["serve", "--listen", &at], vec!["ladder", "--fresh", &format!("--serve={at}")]] {
        let ran = arena.agon(&words);
        assert!(ran.status == Some(1) && ran.stderr.contains("help: "), "{ran:?}");
    }
    assert_eq!(arena.agon(["standings", "--json"]).json(), before);
    assert_eq!(arena.agon(["ladder", "--serve=nowhere"]).status, Some(2));
    assert_eq!(arena.agon(["ladder", "--keep-serving"]).status, Some(2));
}

#[test]
fn who_holds_connections_and_says_nothing_keeps_nobody_out_for_long() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.agon(["match", "random", "random", "-b", "mini-2", "-s", "1", "-q"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let idle: Vec<TcpStream> = (0..160).map(|_| server.connect()).collect();
    // Beyond the first 80 nobody is borne for more than two seconds; this machine may be busy.
    let begun = Instant::now();
    assert_eq!(status(&server.get("/ladder/1/index.html")), 200);
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    let lost = server.get("/nosuch");
    assert!(status(&lost) == 404 && lost.contains("<a href=\"/\">To the ladders</a>"), "{lost}");
    drop(idle);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}
