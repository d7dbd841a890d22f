//! `agon play --browser` in a real browser: whole matches by clicks and by keys alone, won and lost; what is refused
//! and why; what a seat may not see is in no answer; and what is no person's move is turned away.

use crate::browser::board::{By, CHOICES, MAIN, NOTE, RESULT, choose, wait_for_cards, wait_for_turn};
use crate::browser::{Browser, Running, has_browser, is_accessible, status, strings};
use crate::builder::Arena;
use rustix::process::Signal;
use std::fs;

fn start(arena: &Arena, args: &[&str]) -> Running {
    Running::start(arena.command([&["play", "--browser", "--listen", "127.0.0.1:0"], args].concat()))
}

/// Plays to the end, each time something else of what is offered; the result.
#[track_caller]
fn play_out(browser: &mut Browser, by: By) -> String {
    for turn in 0..600 {
        let choices = wait_for_turn(browser);
        let Some(choice) = choices.get(turn % choices.len().max(1)) else { break };
        choose(browser, choice, by);
    }
    assert_eq!(browser.complaints(), [""; 0]);
    browser.value(RESULT).as_str().unwrap().to_owned()
}

/// What axe says of the page, and that it fits small windows.
#[track_caller]
fn is_well_made(browser: &mut Browser) {
    for width in [360, 768, 1280] {
        browser.resize(width, 800);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= width.into(), "{wide} wide in a window of {width}");
    }
    is_accessible(browser);
}

#[test]
fn each_game_is_played_to_its_end() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "six-simple", "mastermind", "grundy", "tirs"].iter().for_each(|client| drop(arena.rust_client(client)));
    let (six, card) = (["six_qui_prend", "-o", "hand=3", "-o", "limit=0", "--seats", "3"], "six-simple:card=smallest");
    let six = [&six[..], &["--against", card, card]].concat();
    let mut browser = Browser::start();
    for (args, ways, in_french) in [
        (&["-b", "mini-3", "--against", "random", "--seat", "2", "-s", "5"][..], &[By::Clicks, By::Keys][..], false),
        (&["-b", "mini-ring", "-s", "5"], &[By::Clicks, By::Keys], true),
        (&six, &[By::Clicks, By::Keys], true),
        (&["mastermind", "-o", "tries=3", "--seats", "1"], &[By::Clicks, By::Typing], false),
        (&["grundy", "-o", "heaps=9,4", "--against", "grundy:version=2"], &[By::Clicks, By::Keys, By::Typing], false),
        (&["tirs_croises", "-o", "size=4", "--against", "tirs:strategy=level1"], &[By::Clicks, By::Keys], true),
    ] {
        let lang: &[&str] = if in_french { &["--lang", "fr"] } else { &[] };
        let server = start(&arena, &[args, lang].concat());
        browser.open(&server.link);
        assert_eq!(browser.value("document.documentElement.lang"), if in_french { "fr" } else { "en" });
        wait_for_turn(&mut browser);
        is_well_made(&mut browser);
        browser.forget();
        for &by in ways {
            let result = play_out(&mut browser, by);
            let words = if in_french { ["place 1 (", "rang 1, score "] } else { ["seat 1 (", "rank 1, score "] };
            assert!(words.iter().all(|word| result.contains(word)), "{args:?} {by:?}: {result}");
            if by == ways[0] {
                is_well_made(&mut browser);
                browser.forget();
            }
            let before = browser.value(MAIN);
            browser.click("[data-do=again]");
            browser.wait(|browser| browser.value(MAIN) != before);
        }
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0), "{args:?}");
    }
}

/// What a program that reads pages aloud says: all of it stands in this order, other things between.
#[track_caller]
fn is_heard(browser: &mut Browser, lines: &[&str]) {
    let heard = browser.heard();
    let mut rest = heard.iter();
    for line in lines {
        assert!(rest.any(|heard| heard == line), "{line}: {heard:#?}");
    }
}

#[test]
fn whoever_hears_the_page_can_play() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("greedy");
    let server = start(&arena, &["-b", "square:6", "--against", "greedy", "--seat", "1", "-s", "1"]);
    let mut browser = Browser::start();
    browser.open(&server.link);
    let queens = wait_for_turn(&mut browser);
    // What may be chosen are buttons with what stands there; then the board cell by cell, whose turn it is, and what
    // else may be done.
    let mut lines = vec!["group: the board".to_owned()];
    lines.extend(queens.iter().map(|queen| format!("button: {queen}: player 1")));
    let said = browser.value("document.getElementById('said').textContent").as_str().unwrap().to_owned();
    assert!(said.starts_with("Seat 1, your move."), "{said}");
    lines.extend(["table: the board, square by square", "rowheader: b6"].map(str::to_owned));
    lines.extend(["cell: player 1", "StaticText: Seat 1, your move."].map(str::to_owned));
    let more =
        ["textbox: Move", "button: Play", "button: Begin anew", "button: What would greedy play?", "heading: Players"];
    lines.extend(more.map(str::to_owned));
    is_heard(&mut browser, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    // Half of a move: where it may go is said, and where it came from is no button any more.
    choose(&mut browser, "b6", By::Keys);
    let targets = wait_for_turn(&mut browser);
    is_heard(
        &mut browser,
        &["group: the board", &format!("button: {}: free", targets[0]), "table: the board, square by square"],
    );
    // What is refused is told at once, and why.
    browser.click("[data-choose=f6]");
    browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("not allowed"));
    let note = browser.value(NOTE).as_str().unwrap().to_owned();
    assert_eq!(browser.value("document.getElementById('note').getAttribute('role')"), "alert");
    is_heard(&mut browser, &[&format!("StaticText: {note}"), "textbox: Move"]);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_match_is_won_and_another_lost_and_saved() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("grundy");
    let mut browser = Browser::start();
    for (heaps, rank, moves) in [("heaps=5", "rank 1", 3), ("heaps=4", "rank 2", 2), ("heaps=9", "rank 2", 0)] {
        let file = format!("{heaps}.html");
        let saved = arena.path(&file);
        let args = ["grundy", "-o", heaps, "--against", "grundy:version=2", "--seat", "1", "--save", &file];
        let server = start(&arena, &args);
        browser.open(&server.link);
        wait_for_turn(&mut browser);
        // The last one is given up.
        if heaps == "heaps=9" {
            browser.click("summary");
            browser.click("[data-do=resign]");
            browser.wait(|browser| browser.value(RESULT) != "");
        }
        let result = play_out(&mut browser, By::Clicks);
        assert!(result.contains(&format!("seat 1 (a person): {rank}")), "{result}");
        assert!(!result.contains("nothing is recorded"), "it is kept: {result}");
        let fetched = browser.value("fetch('replay.html').then(answer => answer.text())");
        assert_eq!(fetched.as_str().unwrap(), fs::read_to_string(&saved).unwrap());
        server.signal(Signal::TERM);
        assert_eq!(server.end(), Some(0));
        browser.open(&format!("file://{}", saved.display()));
        assert_eq!(browser.value("document.querySelectorAll('#moves tbody tr').length"), moves, "{heaps}");
        assert!(browser.value("document.body.textContent").as_str().unwrap().contains(result.lines().next().unwrap()));
        assert_eq!(browser.complaints(), [""; 0]);
    }
}

/// Chooses what another would play, part by part as it is offered, or types it.
#[track_caller]
fn follow(browser: &mut Browser, by: By) {
    // Not by a place: what is told above the button may come or go just then, and move it.
    browser.value("document.querySelector('[data-do=hint]').click()");
    let mut advice = String::new();
    browser.wait(|browser| {
        let note = browser.value(NOTE).as_str().unwrap().to_owned();
        advice = note.split(" would play ").nth(1).unwrap_or_default().to_owned();
        !advice.is_empty()
    });
    if by == By::Typing {
        return choose(browser, &advice, by);
    }
    let mut rest = advice.as_str();
    while !rest.is_empty() {
        let choices = wait_for_turn(browser);
        let fitting = choices.iter().filter(|choice| rest.starts_with(choice.as_str()));
        let choice = fitting.max_by_key(|choice| choice.len()).unwrap_or_else(|| panic!("{advice}: {choices:?}"));
        choose(browser, choice, by);
        // Between the parts of a move there is one sign.
        rest = rest[choice.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    }
}

/// Plays a match as the best would, or as nobody would; whether the person alone has won, or has lost.
#[track_caller]
fn play_to_win(browser: &mut Browser, by: By, wins: bool, match_number: usize) -> Option<bool> {
    for turn in match_number.. {
        assert!(turn < match_number + 400, "{by:?}: the match does not end");
        let choices = wait_for_turn(browser);
        match choices.get(turn * 7 % choices.len().max(1)) {
            None => break,
            Some(_) if wins => follow(browser, by),
            Some(choice) => choose(browser, choice, by),
        }
    }
    let result = browser.value(RESULT).as_str().unwrap().to_owned();
    let rank = |seat: usize| result.split(&format!("seat {seat} (")).nth(1)?.split("rank ").nth(1)?.chars().next();
    match (rank(1), rank(2)) {
        (Some('1'), Some('2')) => Some(true),
        (Some('2'), Some('1')) => Some(false),
        (Some(_), Some(_)) => None,
        _ => panic!("no ranks: {result}"),
    }
}

/// Tries what the rules forbid, typed and, where there are such places, by a click: it is told why, and nothing is played.
#[track_caller]
fn try_what_is_forbidden(browser: &mut Browser, typed: &str) {
    let words = "document.getElementById('words').textContent";
    let before = browser.value(words);
    choose(browser, typed, By::Typing);
    let note = browser.value(NOTE).as_str().unwrap().to_owned();
    assert!(note.starts_with("not allowed: "), "{typed}: {note}");
    let other = browser.value("document.querySelector('.spot:not(.go)')?.dataset.choose ?? ''");
    if let Some(other) = other.as_str().filter(|other| !other.is_empty()) {
        choose(browser, "zzz", By::Typing);
        browser.click(&format!(".spot[data-choose='{other}']"));
        browser.wait(|browser| browser.value(NOTE).as_str().unwrap().starts_with("not allowed: "));
    }
    assert_eq!(browser.value(words), before, "{typed}");
}

/// A person wins against the beginner and loses against the best there is, by clicks and by keys alone.
#[track_caller]
fn is_won_and_lost(game: &str, clients: &[&str], options: &[&str], forbidden: &str) {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    clients.iter().for_each(|client| drop(arena.rust_client(client)));
    let mut browser = Browser::start();
    for (level, wins) in [("1", true), ("3", false)] {
        let args = [&[game, "--level", level, "--seat", "1", "--time", "50ms", "-s", "3"], options].concat();
        let server = start(&arena, &args);
        browser.open(&server.link);
        wait_for_turn(&mut browser);
        try_what_is_forbidden(&mut browser, forbidden);
        for by in [By::Clicks, By::Keys] {
            // Chance has a part in most games: the first of a few matches that ends so.
            let mut results = Vec::new();
            while results.last() != Some(&Some(wins)) {
                assert!(results.len() < 12, "{game} {by:?}: {results:?}");
                results.push(play_to_win(&mut browser, by, wins, results.len()));
                browser.click("[data-do=again]");
                browser.wait(|browser| browser.value(RESULT) == "");
            }
        }
        assert_eq!(browser.complaints(), [""; 0], "{game}");
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0), "{game}");
    }
}

#[test]
fn amazons_is_won_and_lost() {
    is_won_and_lost("amazons", &["alphabeta"], &["-b", "square:5"], "a1-a2/a3");
}

#[test]
fn six_qui_prend_is_won_and_lost() {
    is_won_and_lost("six_qui_prend", &["six-best"], &["-o", "hand=4", "-o", "limit=0"], "104");
}

#[test]
fn mastermind_is_won_and_lost() {
    is_won_and_lost("mastermind", &["mastermind"], &["-o", "pegs=3", "-o", "values=4", "-o", "tries=6"], "0 0 9");
}

#[test]
fn grundy_is_won_and_lost() {
    is_won_and_lost("grundy", &["grundy"], &["-o", "heaps=9"], "1 9");
}

#[test]
fn tirs_croises_is_won_and_lost() {
    is_won_and_lost("tirs_croises", &["tirs"], &["-o", "size=4"], "9,9");
}

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
    browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("quand les autres sont d'accord"));
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

#[test]
fn advice_is_given_in_other_games_too() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["grundy", "tirs", "mastermind", "six-simple"].iter().for_each(|client| drop(arena.rust_client(client)));
    let mut browser = Browser::start();
    for (args, name) in [
        (&["grundy", "-o", "heaps=9", "--against", "grundy:version=2"][..], "grundy"),
        (&["tirs_croises", "-o", "size=4", "--against", "tirs:strategy=level1"], "tirs"),
        (&["mastermind", "--seats", "1", "--hint", "mastermind"], "mastermind"),
        (&["six_qui_prend", "--seats", "2", "--against", "six-simple:card=smallest"], "six-simple"),
    ] {
        let server = start(&arena, &[args, &["-s", "3"]].concat());
        browser.open(&server.link);
        wait_for_turn(&mut browser);
        browser.click("[data-do=hint]");
        let mut note = String::new();
        browser.wait(|browser| {
            note = browser.value(NOTE).as_str().unwrap().to_owned();
            note.contains(" would play ") || note.contains("no advice")
        });
        assert!(note.starts_with(name) && note.contains(" would play "), "{args:?}: {note}");
        let advice = note.rsplit(" would play ").next().unwrap().to_owned();
        choose(&mut browser, &advice, By::Typing);
        let said = browser.value(NOTE);
        let said = said.as_str().unwrap();
        assert!(!said.contains("not a move") && !said.contains("no legal move"), "{args:?}: {said}");
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0));
    }
}

#[test]
fn whoever_went_elsewhere_meanwhile_keeps_the_focus() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("greedy");
    let server = start(&arena, &["-b", "square:6", "--against", "greedy", "--seat", "1", "-s", "1"]);
    let mut browser = Browser::start();
    browser.open(&server.link);
    wait_for_turn(&mut browser);
    for choice in ["b6", "b5"] {
        choose(&mut browser, choice, By::Keys);
    }
    // Nothing that comes is shown before the reader is elsewhere.
    browser.value(
        "window.asks = fetch; window.fetch = (...what) => new Promise(go => window.go = () => go(asks(...what)))",
    );
    browser.value("document.querySelector('.go[data-choose=b6]').focus()");
    browser.press("Enter");
    browser.wait(|browser| browser.value("!!window.go") == true);
    browser.value("document.querySelector('nav button').focus()");
    browser.value("window.fetch = asks; window.go()");
    wait_for_turn(&mut browser);
    browser.wait(|browser| browser.value("document.querySelectorAll('.news li').length") == 2);
    assert_eq!(browser.value("document.activeElement.matches('nav button')"), true, "the reader is where it was");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_queen_moves_at_the_second_choice_and_the_focus_is_never_lost() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("greedy");
    let server = start(&arena, &["-b", "square:6", "--against", "greedy", "--seat", "1", "-s", "1"]);
    let mut browser = Browser::start();
    browser.open(&server.link);
    wait_for_turn(&mut browser);
    let asked = |browser: &mut Browser| {
        browser.value("document.getElementById('said').textContent").as_str().unwrap().to_owned()
    };
    let stands = |browser: &mut Browser, cell: &str| {
        let find = format!(
            "[...document.querySelectorAll('#words th')].find(name => name.textContent === '{cell}').nextSibling.textContent"
        );
        browser.value(&find).as_str().unwrap().to_owned()
    };
    choose(&mut browser, "b6", By::Keys);
    assert_eq!(asked(&mut browser), "b6: where to?");
    choose(&mut browser, "b5", By::Keys);
    assert_eq!(asked(&mut browser), "b6 to b5: shoot where?");
    assert_eq!([stands(&mut browser, "b5"), stands(&mut browser, "b6")], ["player 1, last move", "free, last move"]);
    let drawn = browser.value("document.querySelectorAll('#board path.p').length");
    assert_eq!(drawn, 1, "its way is drawn");
    // What is chosen and what has the focus look different.
    let look = |browser: &mut Browser, selector: &str| {
        let find = format!(
            "(style => style.stroke + style.strokeWidth + style.fill)(getComputedStyle(document.querySelector('{selector}')))"
        );
        browser.value(&find)
    };
    assert_ne!(look(&mut browser, ".spot.on path"), look(&mut browser, ".spot:focus path"));
    choose(&mut browser, "b6", By::Keys);
    // While the other thinks the focus waits; then it is on what may be chosen.
    let moves = "document.querySelectorAll('.news li').length";
    browser.wait(|browser| {
        assert_ne!(browser.value("document.activeElement === document.body"), true, "the focus is lost");
        browser.value(moves) == 2
    });
    wait_for_turn(&mut browser);
    browser.wait(|browser| browser.value("document.activeElement.matches('.spot.go')") == true);
    assert_eq!(browser.complaints(), [""; 0]);
}
