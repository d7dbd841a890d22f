//! A replay in windows of different sizes.

use super::*;

#[test]
fn on_a_phone_all_rows_and_the_buttons_are_in_sight() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let mut browser = Browser::start();
    for seats in [2, 5] {
        let words = "six-simple:card=smallest ".repeat(seats) + "-g six_qui_prend -n 1 -s 1";
        browser.open(&address(&replay_file(&arena, &words)));
        for (width, height) in [(360, 740), (740, 360)] {
            browser.resize(width, height);
            go(&mut browser, 1);
            let lowest = |browser: &mut Browser, query: &str| {
                let bottoms =
                    format!("[...document.querySelectorAll(`{query}`)].map(one => one.getBoundingClientRect().bottom)");
                browser.value(&format!("Math.max(...{bottoms})")).as_f64().unwrap()
            };
            // The rows are above the controls, and the hands below them.
            let (cards, buttons) =
                (lowest(&mut browser, "#board use[href^=\"#k\"]"), lowest(&mut browser, "#keys .step"));
            let hands = lowest(&mut browser, "#aside svg:not([hidden]) use[href^=\"#k\"]");
            assert!(hands > cards || width > height, "the hands end at {hands}");
            assert!(cards > 100.0, "there are rows");
            let covered =
                browser.value("document.getElementById('steer').getBoundingClientRect().top").as_f64().unwrap();
            let room = if width < height { covered } else { f64::from(height) };
            assert!(cards <= room, "rows of {seats} seats to {cards} of {room} at {width} x {height}");
            assert!(buttons <= f64::from(height), "buttons to {buttons} at {width} x {height}");
        }
    }
}

#[test]
fn beside_the_board_the_list_shows_the_move_of_the_turn() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let mut browser = Browser::start();
    browser.open(&address(&replay_file(&arena, "random greedy -o board=square:8 -s 1")));
    let last = browser.value(LAST).as_u64().unwrap();
    // The row of the turn is in sight within its list, next to the board, and the page has not moved.
    let seen = "(([row, list, board]) => row.top >= list.top && row.bottom <= list.bottom + 1 && list.bottom <= innerHeight \
                && list.left >= board.right && scrollY === 0)(['[aria-current]', '.match .many', '#board']\
                .map(query => document.querySelector(query).getBoundingClientRect()))";
    for (width, height) in [(1024, 768), (1600, 900)] {
        browser.resize(width, height);
        for turn in [last, 1, last / 2] {
            go(&mut browser, turn);
            assert_eq!(browser.value(seen), true, "turn {turn} at {width} x {height}");
        }
        let buttons =
            "Math.max(...[...document.querySelectorAll('#keys .step')].map(one => one.getBoundingClientRect().bottom))";
        assert!(browser.value(buttons).as_f64().unwrap() <= f64::from(height), "the buttons at {width} x {height}");
    }
    // Sentences call a client by its name, which is that of one seat only.
    go(&mut browser, 1);
    let said = "document.getElementById('said').textContent";
    let told = browser.value(said);
    assert!(
        ["random", "greedy"].iter().any(|name| told.as_str().unwrap().starts_with(&format!("{name} moved from "))),
        "{told}"
    );
    // Places are told at the end, where they are taken.
    let place = "getComputedStyle(document.querySelector('#clocks td:last-child')).visibility";
    assert_eq!(browser.value(place), "hidden");
    go(&mut browser, last);
    assert_eq!(browser.value(place), "visible");
}
