//! A class hands in by a browser, from its first file to the closing time, and its teacher follows in another.

use crate::browser::{Browser, Running, has_browser, is_accessible};
use crate::builder::{Arena, moment};
use crate::uploads::{ladder, own, tokens};
use rustix::process::Signal;

/// Hands in a file as a person does, and waits for what is said of it.
#[track_caller]
fn submit(browser: &mut Browser, file: &std::path::Path, said: &str) {
    browser.choose_file("#file", file);
    browser.click("#submission button");
    let shown = "document.getElementById('last')?.textContent ?? document.getElementById('answer').textContent";
    browser.wait(|browser| browser.value(shown).as_str().unwrap().contains(said));
}

#[test]
fn a_class_of_thirty_hands_in_by_a_browser_alone() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let random = std::fs::read(arena.rust_client("random")).unwrap();
    arena.ladder_toml(&ladder(""));
    let teams: Vec<String> = (1..=30).map(|team| format!("team{team:02}")).collect();
    let tokens = tokens(&arena, &teams);
    // Without a browser, as teachers do.
    let place = |team: &str, bytes: &[u8]| {
        let folder = arena.path("teams").join(team);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("new"), bytes).unwrap();
        std::fs::rename(folder.join("new"), folder.join("player.so")).unwrap();
    };
    place("team30", &random[..random.len() / 2]);
    let mut browser = Browser::start();
    let link =
        |server: &Running, team: usize| format!("http://localhost:{}/team?token={}", server.port(), tokens[team]);
    let enter = |browser: &mut Browser, server: &Running, team: usize| {
        let is_there = format!("document.title === 'Team {}' && !!document.getElementById('submission')", teams[team]);
        // Each team has a browser of its own.
        browser.call("Network.clearBrowserCookies", serde_json::json!({}));
        // While a ladder begins its record, a page may not be made yet.
        browser.wait(|browser| {
            browser.open(&link(server, team));
            browser.value(&is_there) == true
        });
    };
    let shows = |browser: &mut Browser, text: &str| {
        let has = format!("document.querySelector('main').textContent.includes({text:?})");
        browser.wait(|browser| browser.value(&has) == true);
    };
    // The first two come before anything is played.
    let words = ["serve", "ladder.toml", "--listen", "127.0.0.1:0", "--accept-uploads"];
    let server = Running::start(arena.command(words));
    for (team, name) in teams.iter().enumerate().take(2) {
        enter(&mut browser, &server, team);
        submit(&mut browser, &own(&arena, &random, name), "taken: a client of amazons");
    }
    is_accessible(&mut browser);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    let run = |closes_in: i64| {
        arena.ladder_toml(&ladder(&format!("closing = \"{}\"\n", moment(closes_in))));
        let words = ["ladder", "--serve=127.0.0.1:0", "--keep-serving", "--accept-uploads", "--submissions", "-j", "1"];
        Running::start(arena.command(words))
    };
    let server = run(3600);
    for (team, name) in teams.iter().enumerate().skip(2) {
        enter(&mut browser, &server, team);
        let broken = team == 29;
        if broken {
            let half = arena.file("half.so", &random[..random.len() / 2]);
            submit(&mut browser, &half, "refused: truncated: parts of the library lie beyond its");
        }
        submit(&mut browser, &own(&arena, &random, name), "taken");
    }
    // A new version of one that has played takes over.
    enter(&mut browser, &server, 0);
    shows(&mut browser, "Submitted");
    submit(&mut browser, &own(&arena, &random, "team01-better"), "taken");
    shows(&mut browser, "by team01@2");
    // The teacher sees all of them, and what comes meanwhile without loading anything anew.
    browser.call("Network.clearBrowserCookies", serde_json::json!({}));
    browser.open(&server.link);
    browser.open(&format!("http://127.0.0.1:{}/ladder/1/submissions.html", server.port()));
    shows(&mut browser, "30 teams, 32 files; refused by admission: 0");
    place("team07", &[&random[..], b"better"].concat());
    shows(&mut browser, "by team07@2");
    place("team08", &random[..random.len() / 2]);
    shows(&mut browser, "30 teams, 34 files; refused by admission: 1");
    shows(&mut browser, "truncated: parts of the library lie beyond its");
    place("team08", &[&random[..], b"fixed"].concat());
    shows(&mut browser, "30 teams, 35 files; refused by admission: 0");
    is_accessible(&mut browser);
    assert_eq!(browser.complaints(), [""; 0]);
    server.signal(Signal::INT);
    assert!(matches!(server.end(), Some(0 | 130)));
    // Until the closing time, and not after it.
    let server = run(10);
    browser.call("Network.clearBrowserCookies", serde_json::json!({}));
    browser.open(&link(&server, 0));
    browser.forget();
    shows(&mut browser, "Nothing is taken any more: the closing time was");
    let late = "fetch('/team/submission', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, \
                body: new Uint8Array([127, 69, 76, 70]) }).then(answer => answer.text())";
    assert!(browser.value(late).as_str().unwrap().contains("nothing is taken any more"));
    is_accessible(&mut browser);
    browser.click("nav a");
    let ended = "document.getElementById('now')?.textContent.includes('The run has ended')";
    browser.wait(|browser| browser.value(ended) == true);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    let clients = arena.agon(["clients", "--json"]).json();
    let playing = clients["clients"].as_array().unwrap().iter().filter(|client| client["status"] == "playing");
    // Those that met an older version, too, have played more.
    let all = playing.clone().all(|client| client["matches"].as_u64().unwrap() >= 58);
    assert!(playing.count() == 30 && all, "{clients}");
    arena.agon(["report", "--submissions"]).well();
}
