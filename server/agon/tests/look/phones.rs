//! A replay on a phone.

use super::*;

#[test]
fn on_a_phone_all_hands_and_the_buttons_are_in_sight() {
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
            let (cards, buttons) =
                (lowest(&mut browser, "#parts use[href^=\"#k\"]"), lowest(&mut browser, "#keys .step"));
            let covered =
                browser.value("document.getElementById('steer').getBoundingClientRect().top").as_f64().unwrap();
            let room = if width < height { covered } else { f64::from(height) };
            assert!(cards <= room, "{seats} hands to {cards} of {room} at {width} x {height}");
            assert!(buttons <= f64::from(height), "buttons to {buttons} at {width} x {height}");
        }
    }
}
