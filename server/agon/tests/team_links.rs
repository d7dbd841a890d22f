//! Private links of teams: each shows results of all, and outputs of its own team alone; a wrong one shows nothing, and
//! they outlast the server.

use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;

/// Tells what nobody else should hear, on both streams and in its log, and then what it did wrong in its own words.
fn talker(secret: &str, end: &str) -> String {
    format!(
        "#include <agon/amazons.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         const char *get_player_name(void) {{ return \"{secret}-name\"; }}\n\
         int initialize(const amazons_setup *setup) {{ printf(\"{secret}-printed\\n\"); fflush(stdout); return 0; }}\n\
         amazons_move play(const amazons_turn *turn) {{ fputs(\"{secret}-error\\n\", stderr); {end} \
         amazons_move none = {{0}}; return none; }}\n\
         void finalize(void) {{}}\nAGON_CLIENT(amazons)\n"
    )
}

/// Three teams whose clients say what is theirs alone.
fn class() -> Arena {
    let arena = Arena::new();
    for (team, secret, end) in
        [("red", "rubies", "abort();"), ("blue", "sapphires", ""), ("green", "emeralds", "exit(3);")]
    {
        arena.c_client(team, &talker(secret, end)).unwrap();
    }
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 7\n\
         [options]\nboard = \"square:5\"\n",
    );
    arena
}

/// What a team sees at a path.
fn seen(server: &Running, cookie: &str, path: &str) -> String {
    server.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"))
}

/// The cookie that a link is changed into.
fn enter(server: &Running, token: &str) -> String {
    let entered = server.get(&format!("/team?token={token}"));
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(entered.contains("url=/team") && cookie.contains("HttpOnly; SameSite=Strict"), "{entered}");
    cookie.split(';').next().unwrap().to_owned()
}

/// The tokens of the teams, by their names.
fn tokens(arena: &Arena, words: &[&str]) -> Vec<(String, String)> {
    let listed = arena.agon([&["teams", "ladder.toml", "--json"], words].concat()).well().json();
    assert_eq!(listed["schema"], "agon.teams/1");
    let teams = listed["teams"].as_array().unwrap().iter().map(|row| {
        let token = row["link"].as_str().unwrap_or_default().rsplit("token=").next().unwrap_or_default();
        (row["team"].as_str().unwrap().to_owned(), token.to_owned())
    });
    teams.collect()
}

fn token<'a>(tokens: &'a [(String, String)], team: &str) -> &'a str {
    &tokens.iter().find(|(name, _)| name == team).unwrap().1
}

#[test]
fn each_team_sees_its_own_and_nothing_that_others_said() {
    if !has_program("cc") {
        return;
    }
    let arena = class();
    // Before there is a record, for one that hands in later.
    let early = tokens(&arena, &["--invite", "blue"]);
    arena.agon(["ladder", "--quiet"]).well();
    let all = tokens(&arena, &["--invite-all"]);
    assert_eq!(token(&early, "blue"), token(&all, "blue"), "who has a link keeps it");
    assert_eq!(all, tokens(&arena, &[]), "listed again they are the same");
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--team-links"]));
    let ids: Vec<String> = arena.agon(["matches", "--json"]).json()["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 6);
    let mut paths: Vec<String> =
        ids.iter().flat_map(|id| ["html", "txt"].map(|kind| format!("/ladder/1/match/{id}.{kind}"))).collect();
    let pages = ["index.html", "client/1.html", "client/2.html", "client/3.html", "vs/1-2.html", "standings.json"];
    paths.extend(pages.map(|page| format!("/ladder/1/{page}")));
    paths.push("/team".to_owned());
    for (team, own, others) in [
        ("red", "rubies", ["sapphires", "emeralds"]),
        ("blue", "sapphires", ["rubies", "emeralds"]),
        ("green", "emeralds", ["rubies", "sapphires"]),
    ] {
        let cookie = enter(&server, token(&all, team));
        let mut told = 0;
        for path in &paths {
            let page = seen(&server, &cookie, path);
            assert_eq!(status(&page), 200, "{team} {path}: {page}");
            assert!(!others.iter().any(|other| page.contains(other)), "{team} {path}: {page}");
            told += usize::from(page.contains(&format!("{own}-printed")));
        }
        assert_eq!(told, 8, "{team}: two pages of each of its four matches");
        assert_eq!(status(&seen(&server, &cookie, "/ladder/1/submissions.html")), 404);
        assert_eq!(status(&seen(&server, &cookie, "/ladders")), 303);
        let text = seen(&server, &cookie, &paths[1]);
        assert!(text.contains("content-type: text/plain") && text.contains("nosniff"), "{text}");
    }
    // Whoever runs it sees everything, also here.
    let secret = server.link.split_once("?token=").unwrap().1.to_owned();
    let cookie = enter_as_owner(&server, &secret);
    let page = seen(&server, &cookie, &paths[0]);
    assert!(["rubies", "sapphires", "emeralds"].iter().filter(|word| page.contains(**word)).count() == 2, "{page}");
    assert!(seen(&server, &cookie, "/team").contains("location: /ladder/1/submissions.html"));
    assert_eq!(status(&seen(&server, &cookie, "/ladder/1/submissions.html")), 200);
    // Nobody else sees anything.
    for path in ["/", "/team", "/ladder/1/index.html", "/events", "/team?token=0123456789abcdef0123456789abcdef"] {
        assert_eq!(status(&server.get(path)), 403, "{path}");
    }
    // A link that is made anew or void is so at once, and one that is not lasts longer than the server.
    let (red, blue) = (enter(&server, token(&all, "red")), enter(&server, token(&all, "blue")));
    // By the link of another team nobody becomes that team unasked.
    let link = |team| format!("/team?token={}", token(&all, team));
    let crossed = seen(&server, &red, &link("blue"));
    assert!(status(&crossed) == 409 && !crossed.contains("set-cookie"), "{crossed}");
    assert_eq!(status(&seen(&server, &red, &link("red"))), 200, "by its own it comes again");
    let later = tokens(&arena, &["--invite", "red", "--revoke", "green"]);
    assert_ne!(token(&later, "red"), token(&all, "red"));
    assert_eq!((token(&later, "green"), token(&later, "blue")), ("", token(&all, "blue")));
    assert_eq!(status(&seen(&server, &red, "/team")), 403);
    let port = server.port();
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    let at = format!("127.0.0.1:{port}");
    let server = Running::start(arena.command(["serve", "--listen", &at, "--team-links"]));
    assert_eq!(status(&seen(&server, &blue, "/team")), 200, "the same cookie");
    assert_eq!(status(&seen(&server, &cookie, "/team")), 403, "the printed one is drawn anew");
    // Without the flag links count for nothing.
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(status(&server.get("/team")), 404);
}

fn enter_as_owner(server: &Running, token: &str) -> String {
    let entered = server.get(&format!("/?token={token}"));
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

#[test]
fn links_are_made_for_teams_that_can_be() {
    let arena = Arena::new();
    arena.ladder_toml("[ladder]\nname = \"class\"\ngame = \"amazons\"\n");
    for (words, said) in [
        (&["--invite", "../red"][..], "no team can be called"),
        (&["--revoke", "red"], "\"red\" has no link in ladder class"),
    ] {
        let ran = arena.agon([&["teams", "ladder.toml"], words].concat());
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
    let ran = arena.agon(["teams", "ladder.toml", "--invite", "red,blue", "--url", "http://box:8000/"]).well();
    assert!(ran.stdout.contains("class: 2 teams, 2 with a link"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("http://box:8000/team?token=").count(), 2, "{}", ran.stdout);
    arena.file("agon-out/team-links.json", "{");
    let ran = arena.agon(["teams", "ladder.toml"]);
    assert!(ran.status == Some(1) && ran.stderr.contains("help: "), "{ran:?}");
}

#[test]
fn a_team_opens_its_link_in_a_browser() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = class();
    arena.agon(["ladder", "--quiet"]).well();
    let all = tokens(&arena, &["--invite-all"]);
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--team-links"]));
    let mut browser = Browser::start();
    // From a page of somebody else, as a mail is that is read in a browser.
    let link = format!("http://127.0.0.1:{}/team?token={}", server.port(), token(&all, "red"));
    browser.open(&format!("data:text/html,<a href='{link}'>link</a>"));
    browser.click("a");
    browser
        .wait(|browser| browser.value("document.title === 'Team red' && document.readyState === 'complete'") == true);
    assert_eq!(browser.value("location.href.includes('token')"), false);
    let shown = "document.querySelector('main').textContent";
    assert!(browser.value(shown).as_str().unwrap().contains("What went wrong last"));
    for width in [360, 768, 1280] {
        browser.resize(width, 800);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= width.into(), "{wide} wide in a window of {width}");
    }
    is_accessible(&mut browser);
    browser.click("a[aria-label^=output]");
    browser.wait(|browser| browser.value("document.body?.textContent.includes('rubies-printed') ?? false") == true);
    assert_eq!(browser.value("document.cookie"), "", "no script reads it");
}
