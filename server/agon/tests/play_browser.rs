//! `agon play --browser` in a real browser: whole matches by clicks and by keys alone, won and lost; what is refused
//! and why; what a seat may not see is in no answer; and what is no person's move is turned away.

mod refused;
mod won_and_lost;

use crate::browser::board::{By, MAIN, NOTE, RESULT, choose, wait_for_turn};
use crate::browser::{Browser, Running, has_browser, is_accessible};
use crate::builder::Arena;
use rustix::process::Signal;

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
            let words = if in_french { ["Rang", "Joueur", "Score"] } else { ["Rank", "Player", "Score"] };
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
    browser.value("document.getElementById('by-hand').open = true");
    // What may be chosen are buttons with what stands there; then the board cell by cell, whose turn it is, and what
    // else may be done.
    let mut lines = vec!["group: the board".to_owned()];
    lines.extend(queens.iter().map(|queen| format!("button: {queen}: player 1")));
    let said = browser.value("document.getElementById('said').textContent").as_str().unwrap().to_owned();
    assert!(said.starts_with("Seat 1, your move."), "{said}");
    lines.extend(["table: the board, square by square", "rowheader: b6"].map(str::to_owned));
    lines.extend(["cell: player 1", "StaticText: Seat 1, your move."].map(str::to_owned));
    let more = ["textbox: Move", "button: Play", "button: What would greedy play?", "heading: Players"];
    lines.extend(more.map(str::to_owned));
    is_heard(&mut browser, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    // Half of a move: where it may go is said, and where it came from is no button any more.
    choose(&mut browser, "b6", By::Keys);
    let targets = wait_for_turn(&mut browser);
    is_heard(
        &mut browser,
        &["group: the board", &format!("button: {}: free", targets[0]), "table: the board, square by square"],
    );
    is_heard(&mut browser, &["textbox: Move", "button: Clear"]);
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
        assert_eq!(browser.value("document.getElementById('advised').textContent"), format!("Play {advice}"));
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
