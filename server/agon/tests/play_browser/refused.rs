//! What a page of a board refuses, what it hides from a seat, and moves that are taken back.

use super::start;
use crate::browser::board::{By, CHOICES, NOTE, RESULT, choose, wait_for_cards, wait_for_turn};
use crate::browser::{Browser, has_browser, status, strings};
use crate::builder::Arena;
use rustix::process::Signal;
use std::fs;

#[test]
fn what_is_refused_is_explained_and_what_was_played_is_taken_back() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    fs::copy(arena.rust_client("greedy"), arena.path("clients/<i>odd.so")).unwrap();
    let server = start(&arena, &["-b", "square:6", "--against", "clients/<i>odd.so", "-s", "1"]);
    let mut browser = Browser::start();
    browser.open(&server.link);
    wait_for_turn(&mut browser);
    assert_eq!(browser.value("document.querySelectorAll('main i').length"), 0);
    assert!(browser.value("document.body.textContent").as_str().unwrap().contains("<i>odd"));
    assert!(strings(&browser.value(CHOICES)).contains(&"b6".to_owned()));
    for (choice, said) in
        [("a1", "not allowed: "), ("b6", ""), ("b1", "not allowed: "), ("b5", ""), ("f6", "not allowed: ")]
    {
        browser.click(&format!("[data-choose={choice}]"));
        browser.wait(|browser| {
            let note = browser.value(NOTE);
            if said.is_empty() { note == "" } else { note.as_str().unwrap().contains(said) }
        });
    }
    browser.press("Escape");
    browser.wait(|browser| browser.value(NOTE) == "");
    for (typed, said) in [
        ("zzz", "\"zzz\" is not a move"),
        ("?", "Legal here: "),
        ("b6-b1/b2", "not allowed: "),
        ("b6-b5/zz", "is not a move"),
    ] {
        choose(&mut browser, typed, By::Typing);
        let note = browser.value(NOTE);
        assert!(note.as_str().unwrap().contains(said), "{typed}: {note}");
    }
    let start = browser.value("document.getElementById('words').textContent");
    browser.click("[data-do=hint]");
    browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("odd would play "));
    let advice = browser.value(NOTE).as_str().unwrap().rsplit(' ').next().unwrap().to_owned();
    assert_ne!(browser.value("document.querySelectorAll('[data-do=undo]').length"), 1, "nothing was played");
    choose(&mut browser, &advice, By::Typing);
    let moves = "document.querySelectorAll('.news li').length";
    browser.wait(|browser| browser.value(moves) == 2);
    // Another one in the middle of the match: it is asked as if the match began there.
    wait_for_turn(&mut browser);
    browser.click("[data-do=hint]");
    browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("odd would play "));
    browser.click("[data-do=undo]");
    browser.wait(|browser| browser.value("document.getElementById('words').textContent") == start);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn nobody_sees_what_its_seat_may_not() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("six-simple");
    let args = ["six_qui_prend", "-o", "limit=0", "--seats", "3", "--against", "six-simple:card=smallest", "-s", "1"];
    let server = start(&arena, &args);
    let mut browser = Browser::start();
    let links = [server.link.clone(), server.next_link()];
    let tabs = links.map(|link| {
        let tab = browser.tab();
        browser.open(&link);
        tab
    });
    assert!(server.link.contains("/seat-1/") && !browser.value("location.href").as_str().unwrap().contains("token"));
    for _ in 0..10 {
        let hands = wait_for_cards(&mut browser, &tabs);
        let texts = tabs.each_ref().map(|tab| {
            browser.focus(tab);
            let text = browser.value("fetch(location.pathname).then(answer => answer.text())");
            text.as_str().unwrap().to_owned()
        });
        for (own, other) in [(0, 1), (1, 0)] {
            // Small numbers stand for rows and seats, too.
            for card in hands[other].iter().filter(|card| card.len() > 1) {
                let is_shown = |text: &str| text.contains(&format!("data-choose=\"{card}\""));
                let [own, other] = [own, other].map(|one| texts[one].as_str());
                assert!(other.contains(&format!(">{card}<")) && is_shown(other), "{card} is in the own hand");
                assert!(!own.contains(&format!(">{card}<")) && !is_shown(own), "{card} is seen by another");
            }
        }
        browser.focus(&tabs[0]);
        assert_eq!(browser.value("fetch('replay.html').then(answer => answer.status)"), 404);
        for (cards, tab) in hands.iter().zip(&tabs) {
            browser.focus(tab);
            choose(&mut browser, &cards[0], By::Clicks);
        }
    }
    browser.wait(|browser| browser.value(RESULT) != "");
    assert_eq!(browser.value("fetch('replay.html').then(answer => answer.status)"), 200);
}

#[test]
fn what_no_person_of_this_board_asks_is_refused() {
    let arena = Arena::new();
    let server = start(&arena, &["-b", "mini-3"]);
    let token = server.link.split_once("?token=").unwrap().1.to_owned();
    let path = format!("/play/?token={token}");
    let entered = server.get(&path);
    assert_eq!(status(&entered), 200, "{entered}");
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap().split(';').next().unwrap();
    let host = format!("localhost:{}", server.port());
    let get = |path: &str, head: &str| {
        status(&server.ask(&format!("GET {path} HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n")))
    };
    assert_eq!(get("/play/", &format!("Host: {host}\r\nCookie: {cookie}")), 200);
    for (path, head, expected) in [
        ("/play/", format!("Host: {host}"), 403),
        ("/play/events", format!("Host: {host}"), 403),
        ("/play/?token=0123", format!("Host: {host}\r\nCookie: {cookie}"), 403),
        ("/seat-1/", format!("Host: {host}\r\nCookie: {cookie}"), 403),
        ("/play/", format!("Host: evil.example\r\nCookie: {cookie}"), 421),
        ("/play/replay.html", format!("Host: {host}\r\nCookie: {cookie}"), 404),
        ("/play/../ladder.toml", format!("Host: {host}\r\nCookie: {cookie}"), 404),
        ("/etc/passwd", format!("Host: {host}\r\nCookie: {cookie}"), 403),
    ] {
        assert_eq!(get(path, &head), expected, "{path} {head}");
    }
    let post = |heads: &str, body: &str| {
        let length = body.len();
        let request = format!(
            "POST /play/act HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             {heads}Connection: close\r\n\r\n{body}"
        );
        server.ask(&request)
    };
    let (cookie, own) = (format!("Cookie: {cookie}\r\n"), format!("Origin: http://{host}\r\n"));
    let act = r#"{"at":1,"do":"clear"}"#;
    let answer = post(&(cookie.clone() + &own), act);
    assert_eq!(status(&answer), 200, "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{answer}");
    for (heads, body, expected) in [
        (own.clone(), act, 403),
        (cookie.clone(), act, 403),
        (cookie.clone() + "Origin: http://evil.example\r\n", act, 403),
        (cookie.clone() + &own + "Sec-Fetch-Site: cross-site\r\n", act, 403),
        (cookie.clone() + &own, "{", 404),
        (cookie.clone() + &own, r#"{"at":1,"do":"nothing"}"#, 404),
        (cookie.clone() + &own, &"x".repeat(5000), 413),
    ] {
        let answer = post(&heads, body);
        assert_eq!(status(&answer), expected, "{heads} {body}: {answer}");
    }
    let long = format!(r#"{{"at":1,"do":"type","text":"{}"}}"#, "<b>".repeat(200));
    assert_eq!(status(&post(&(cookie + &own), &long)), 200);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_move_is_taken_back_when_both_links_agree() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let server = start(&arena, &["-b", "square:5", "--lang", "fr"]);
    let mut browser = Browser::start();
    // The first link plays for both.
    let tabs = [server.next_link(), server.next_link()].map(|link| {
        let tab = browser.tab();
        browser.open(&link);
        tab
    });
    let words = "document.getElementById('words').textContent";
    browser.focus(&tabs[0]);
    let queens = wait_for_turn(&mut browser);
    let start = browser.value(words);
    // Refusals speak French throughout.
    let free = browser.value("[...document.querySelectorAll('.spot')].map(spot => spot.dataset.choose)");
    let free = strings(&free).into_iter().find(|cell| !queens.contains(cell)).unwrap();
    browser.click(&format!("[data-choose='{free}']"));
    browser.wait(|browser| browser.value(NOTE) != "");
    let refused = browser.value(NOTE);
    let refused = refused.as_str().unwrap();
    assert!(refused.starts_with("coup refusé : ") && refused.contains("vos reines sont en"), "{refused}");
    assert!(!refused.contains("queen") && !refused.contains("_src"), "{refused}");
    for _ in 0..3 {
        let choices = wait_for_turn(&mut browser);
        choose(&mut browser, &choices[0], By::Keys);
    }
    browser.wait(|browser| browser.value(words) != start);
    browser.focus(&tabs[1]);
    wait_for_turn(&mut browser);
    browser.focus(&tabs[0]);
    browser.click("[data-do=undo]");
    browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("quand les autres seront d'accord"));
    assert_ne!(browser.value(words), start, "one alone takes nothing back");
    browser.focus(&tabs[1]);
    browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("voudrait reprendre"));
    browser.click("[data-do=undo]");
    for tab in &tabs {
        browser.focus(tab);
        browser.wait(|browser| browser.value(words) == start);
    }
    browser.focus(&tabs[0]);
    assert_eq!(wait_for_turn(&mut browser), queens, "it is the first seat's turn again");
}
