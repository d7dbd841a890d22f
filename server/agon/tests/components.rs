//! The page of all components: it has each that the styles know, at each width and in both designs; and what is dragged
//! on a board is a move.

use crate::browser::board::{By, NOTE, choose, wait_for_turn};
use crate::browser::{Browser, Running, has_browser, is_accessible, strings};
use crate::builder::Arena;
use agon_web::{asset, components_page};
use rustix::process::Signal;
use serde_json::json;
use std::collections::BTreeSet;

/// Classes that stand on no page of components: of a whole page, of a state, of what a server alone knows.
const ELSEWHERE: [&str; 62] = [
    "scripted",
    "dragging",
    "ghost",
    "hall",
    "columns",
    "invite",
    "qr",
    "boards",
    "pictures",
    "contents",
    "news",
    "terms",
    "submissions",
    "dots",
    "broad",
    "many",
    "wide",
    "versus",
    "block",
    "sending",
    "long",
    "round",
    "open",
    "c1",
    "free",
    "hear",
    "first",
    "seats",
    "spoken",
    "parts",
    "stands",
    "way",
    "own",
    "number",
    "front",
    "ends",
    "advice",
    "early",
    "silent",
    "faults",
    "bye",
    "done",
    "lapse",
    "ladders",
    "rival",
    "help",
    "cards-of-all",
    "workers",
    "crowd",
    "crowded",
    "score",
    "swiss",
    "entrants",
    "leads",
    "small",
    "finished",
    "dead",
    "for-wide",
    "for-narrow",
    "alone",
    "brand",
    "lapses",
];

/// The classes that a style names.
fn classes(style: &str) -> BTreeSet<&str> {
    let selectors = style.lines().filter_map(|line| line.split_once('{').map(|(selector, _)| selector));
    let selectors = selectors.filter(|selector| !selector.trim_start().starts_with(['@', '/']));
    let named = selectors.flat_map(|selector| selector.split('.').skip(1));
    named.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap()).collect()
}

#[test]
fn every_component_is_on_one_page_that_anybody_can_read() {
    let page = components_page();
    let style = [asset("/agon.css").unwrap(), asset("/play.css").unwrap()].concat();
    let shown: BTreeSet<&str> =
        page.split("class=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap().split(' ')).collect();
    // A letter is a look of a picture, and two are a seat, a peg or a line of it: their tests are where they are drawn.
    let named = classes(&style);
    let absent: Vec<&str> = named
        .iter()
        .copied()
        .filter(|class| class.len() > 2 && !shown.contains(class) && !ELSEWHERE.contains(class))
        .filter(|class| !page.contains(&format!("\"{class}\"")))
        .collect();
    assert_eq!(absent, [""; 0], "a component that the page does not show");
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    std::fs::write(arena.path("components.html"), page).unwrap();
    let mut browser = Browser::start();
    browser.open(&format!("file://{}", arena.path("components.html").display()));
    assert_eq!(browser.complaints(), [""; 0]);
    for (width, height) in [(360, 740), (740, 360), (1024, 768), (1920, 1080)] {
        browser.resize(width, height);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= width.into(), "{wide} wide in a window of {width}");
    }
    is_accessible(&mut browser);
}

/// What a person drags with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Pointer {
    Mouse,
    Finger,
}

/// When the answer to the first touch comes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    /// Before the piece is above the place where it is let go.
    Early,
    /// When it is there.
    Late,
    /// When it was let go.
    After,
}

/// The place of a window at the middle of a thing, near its lower end.
fn place(browser: &mut Browser, selector: &str) -> [f64; 2] {
    let found = format!(
        "(box => [box.left + box.width / 2, box.top + box.height * 0.8])\
         (document.querySelector({selector:?}).getBoundingClientRect())"
    );
    serde_json::from_value(browser.value(&found)).unwrap()
}

/// Drags from one thing to where another is at first.
fn drag(browser: &mut Browser, pointer: Pointer, answer: Answer, from: &str, to: &str) {
    let (start, end) = (place(browser, from), place(browser, to));
    browser.value(
        "window.asks ??= fetch; window.held = []; \
         window.fetch = (...what) => new Promise(go => held.push(() => go(asks(...what))))",
    );
    let answers = |browser: &mut Browser, now: Answer| {
        if now == answer {
            let shown = browser.value("held.length > 0") == true;
            browser.value("window.fetch = asks; held.forEach(go => go()); held = []");
            let mark = format!("document.querySelector({:?}).matches('.on')", from.replace(".spot.on", ".spot"));
            browser.wait(|browser| !shown || now == Answer::After || browser.value(&mark) == true);
        }
    };
    let point = |browser: &mut Browser, [mouse, finger]: [&str; 2], [x, y]: [f64; 2]| match pointer {
        Pointer::Mouse => browser.mouse(mouse, [x, y]),
        Pointer::Finger => {
            let points = if finger == "touchEnd" { json!([]) } else { json!([{"x": x, "y": y}]) };
            browser.call("Input.dispatchTouchEvent", json!({"type": finger, "touchPoints": points}));
        }
    };
    point(browser, ["mousePressed", "touchStart"], start);
    point(browser, ["mouseMoved", "touchMove"], [start[0] + 12.0, start[1] - 12.0]);
    point(browser, ["mouseMoved", "touchMove"], [start[0] + 20.0, start[1] - 20.0]);
    answers(browser, Answer::Early);
    point(browser, ["mouseMoved", "touchMove"], end);
    answers(browser, Answer::Late);
    point(browser, ["mouseReleased", "touchEnd"], end);
    answers(browser, Answer::After);
}

#[test]
fn a_piece_is_dragged_whenever_the_answer_comes() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let server = Running::start(arena.command(["play", "--browser", "--listen", "127.0.0.1:0", "-b", "square:6"]));
    let mut browser = Browser::start();
    browser.open(&server.link);
    browser.resize(360, 740);
    // What was played is told above the board: a shorter question lets the board move up.
    for played in ["b6-b5/c6", "b1-b2/c1"] {
        wait_for_turn(&mut browser);
        choose(&mut browser, played, By::Typing);
    }
    wait_for_turn(&mut browser);
    for pointer in [Pointer::Mouse, Pointer::Finger] {
        browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": pointer == Pointer::Finger}));
        for answer in [Answer::Early, Answer::Late, Answer::After] {
            drag(&mut browser, pointer, answer, ".spot[data-choose=b5]", ".spot[data-choose=b3]");
            let said = "document.getElementById('said').textContent";
            browser.wait(|browser| browser.value(said) == "b5 to b3: shoot where?");
            assert_eq!(browser.value("document.querySelectorAll('.ghost').length"), 0, "{pointer:?} {answer:?}");
            browser.press("Escape");
            browser.wait(|browser| browser.value(said).as_str().unwrap().starts_with("Seat 1"));
        }
    }
    assert_eq!(browser.complaints(), [""; 0]);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_queen_and_a_card_are_dragged() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "six-simple"].iter().for_each(|client| drop(arena.rust_client(client)));
    let start = |args: &[&str]| {
        Running::start(arena.command([&["play", "--browser", "--listen", "127.0.0.1:0"], args].concat()))
    };
    let mut browser = Browser::start();
    let begun = "document.querySelector('.spot.on')?.dataset.choose ?? ''";
    let moves = "document.querySelectorAll('.news li').length";
    for (width, height) in [(360, 740), (740, 360)] {
        let server = start(&["-b", "square:6", "--against", "random", "--seat", "1", "-s", "1"]);
        browser.open(&server.link);
        browser.forget();
        browser.resize(width, height);
        assert!(wait_for_turn(&mut browser).contains(&"b6".to_owned()));
        // Board and question are in sight together.
        let seen = "[...document.querySelectorAll('#board svg, #said')].every(one => one.getBoundingClientRect().top >= 0 \
                    && one.getBoundingClientRect().bottom <= innerHeight + 1)";
        assert_eq!(browser.value(seen), true, "{width} x {height}");
        drag(&mut browser, Pointer::Mouse, Answer::After, ".spot[data-choose=b6]", ".spot[data-choose=b4]");
        browser.wait(|browser| {
            browser.value("document.querySelector('.spot[data-choose=b4]').classList.contains('on')") == true
        });
        // Let go where a queen may not be, it is told why, and nothing is lost.
        drag(&mut browser, Pointer::Mouse, Answer::After, ".spot.on[data-choose=b4]", ".spot[data-choose=f1]");
        browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("not allowed"));
        assert_ne!(browser.value(begun), "");
        drag(&mut browser, Pointer::Mouse, Answer::After, ".spot.on[data-choose=b4]", ".spot[data-choose=b3]");
        browser.wait(|browser| browser.value(moves).as_u64() >= Some(2));
        assert_eq!(browser.value("document.querySelectorAll('.ghost').length"), 0);
        assert_eq!(browser.complaints(), [""; 0]);
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0));
        let six = "six-simple:card=smallest";
        let server = start(&[
            "six_qui_prend",
            "-o",
            "limit=0",
            "--seats",
            "10",
            "--against",
            six,
            six,
            six,
            six,
            six,
            six,
            six,
            six,
            six,
        ]);
        browser.open(&server.link);
        let hand = wait_for_turn(&mut browser);
        assert_eq!(hand.len(), 10, "{hand:?}");
        let small = "[...document.querySelectorAll('#hand button')].map(card => card.getBoundingClientRect())\
                     .filter(box => box.width < 44 || box.height < 44 || box.bottom > innerHeight + 1).length";
        assert_eq!(browser.value(small), 0, "each card is as large as a thumb, and in sight");
        let held = "[...document.querySelectorAll('#hand .card')].map(card => card.firstChild.textContent)";
        assert_eq!(strings(&browser.value(held)), hand);
        drag(&mut browser, Pointer::Mouse, Answer::After, &format!("#hand [data-choose='{}']", hand[9]), "#board svg");
        browser.wait(|browser| !strings(&browser.value(held)).contains(&hand[9]));
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0));
    }
}
