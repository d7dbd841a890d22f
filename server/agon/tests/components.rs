//! The page of all components: it has each that the styles know, at each width and in both designs; and what is dragged
//! on a board is a move.

use crate::browser::board::{NOTE, wait_for_turn};
use crate::browser::{Browser, Running, has_browser, is_accessible, strings};
use crate::builder::Arena;
use agon_web::{asset, components_page};
use rustix::process::Signal;
use std::collections::BTreeSet;

/// Classes that stand on no page of components: of a whole page, of a state, of what a server alone knows.
const ELSEWHERE: [&str; 29] = [
    "scripted", "dragging", "ghost", "hall", "columns", "invite", "qr", "boards", "pictures", "contents", "news",
    "terms", "hand-ins", "dots", "broad", "many", "wide", "versus", "block", "sending", "long", "round", "open", "c1",
    "free", "hear", "first", "seats", "spoken",
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
    let page = components_page().unwrap();
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

/// Drags from the middle of one thing to that of another.
fn drag(browser: &mut Browser, from: &str, to: &str) {
    let middle = |browser: &mut Browser, selector: &str| {
        let found = format!(
            "(box => [box.left + box.width / 2, box.top + box.height / 2])\
             (document.querySelector({selector:?}).getBoundingClientRect())"
        );
        serde_json::from_value::<[f64; 2]>(browser.value(&found)).unwrap()
    };
    let from = middle(browser, from);
    browser.mouse("mousePressed", from);
    browser.mouse("mouseMoved", [from[0] + 12.0, from[1] + 12.0]);
    // What was touched is chosen by then, and the page may have moved.
    std::thread::sleep(std::time::Duration::from_millis(500));
    let to = middle(browser, to);
    browser.mouse("mouseMoved", to);
    browser.mouse("mouseReleased", to);
}

#[test]
#[ignore = "fails where the answer to the first touch comes before the piece is let go"]
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
        drag(&mut browser, ".spot[data-choose=b6]", ".spot[data-choose=b4]");
        browser.wait(|browser| {
            browser.value("document.querySelector('.spot[data-choose=b4]').classList.contains('on')") == true
        });
        // Let go where a queen may not be, it is told why, and nothing is lost.
        drag(&mut browser, ".spot.on[data-choose=b4]", ".spot[data-choose=f1]");
        browser.wait(|browser| browser.value(NOTE).as_str().unwrap().contains("not allowed"));
        assert_ne!(browser.value(begun), "");
        drag(&mut browser, ".spot.on[data-choose=b4]", ".spot[data-choose=b3]");
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
        drag(&mut browser, &format!("#hand [data-choose='{}']", hand[9]), "#board svg");
        browser.wait(|browser| !strings(&browser.value(held)).contains(&hand[9]));
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0));
    }
}
