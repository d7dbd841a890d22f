//! The keys of a replay file: each has its button, and leads where it does in a terminal.

use super::{AT, LAST, NASTY, WORDS, address, go};
use crate::browser::{Browser, has_browser, strings};
use crate::builder::{Arena, has_program};
use serde_json::Value;

#[test]
fn every_key_has_its_button_and_leads_where_it_does_in_a_terminal() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("random");
    arena.c_client("nasty", NASTY).unwrap();
    arena.agon(["match", "random", "nasty", "-o", "board=square:8"]).well();
    arena.agon(["replay", "last", "--html", "replay.html"]).well();
    let mut browser = Browser::start();
    browser.open(&address(&arena.path("replay.html")));
    let data = "unpacked(document.getElementById('data').textContent)";
    let (last, slowest) =
        (browser.value(LAST).as_u64().unwrap(), browser.value(&format!("{data}.then(data => data.w)")));
    assert!(last >= 6, "{last}");
    let button = |browser: &mut Browser, key: &str| {
        let find = format!(
            "[...document.querySelectorAll('#keys button')].find(b => b.querySelector('kbd')?.textContent === '{key}').click()"
        );
        browser.value(&find);
    };
    let event = browser.value(&format!("{data}.then(data => +Object.keys(data.e)[0])"));
    // What comes by itself is not read aloud; what a reader asks for is.
    let spoken = "document.getElementById('told').getAttribute('aria-live')";
    for expected in ["off", "polite"] {
        browser.press("p");
        assert_eq!(browser.value(spoken), expected);
    }
    go(&mut browser, last - 1);
    browser.press("p");
    browser.wait(|browser| browser.value("+document.getElementById('turn').value") == last);
    browser.wait(|browser| browser.value(spoken) == "polite");
    for (from, key, on_button, to) in [
        (0, "ArrowRight", "→", 1.into()),
        (last, "ArrowRight", "→", last.into()),
        (3, "ArrowLeft", "←", 2.into()),
        (0, "ArrowLeft", "←", 0.into()),
        (1, "PageDown", "PgDn", Value::from(last.min(11))),
        (last, "PageUp", "PgUp", Value::from(last.saturating_sub(10))),
        (3, "Home", "Home", 0.into()),
        (3, "End", "End", last.into()),
        (0, "e", "e", event.clone()),
        (0, "E", "E", 0.into()),
        (1, "t", "t", slowest),
    ] {
        for way in [key, ""] {
            go(&mut browser, from);
            if way.is_empty() {
                button(&mut browser, on_button)
            } else {
                browser.press(key)
            }
            assert_eq!(browser.value(AT), to, "{key} from {from}");
        }
    }
    assert!(event.as_u64().unwrap() > 0, "the crash is an event");
    let is_round = "document.querySelector('#board.round') !== null";
    for (key, state) in [
        ("s", "document.querySelector('#output').open"),
        ("?", "document.querySelector('dialog').open"),
        ("f", is_round),
    ] {
        let before = browser.value(state);
        browser.press(key);
        assert_ne!(browser.value(state), before, "{key}");
        browser.press(key);
        assert_eq!(browser.value(state), before, "{key}");
    }
    // From the other side every cell is in another place, and all of them on the same board.
    go(&mut browser, 3);
    let middles = "[...document.querySelectorAll('.parts > g')].slice(0, document.querySelectorAll('#words td').length)\
                   .map(part => part.getAttribute('transform').match(/[\\d.]+/g).map(Number))";
    let middles = |browser: &mut Browser| -> Vec<[f64; 2]> { serde_json::from_value(browser.value(middles)).unwrap() };
    let steps = |middles: &[[f64; 2]]| -> Vec<[f64; 2]> {
        middles.iter().map(|[x, y]| [x - middles[0][0], y - middles[0][1]]).collect()
    };
    let (before, words) = (middles(&mut browser), browser.value(WORDS));
    browser.press("f");
    let mut after = middles(&mut browser);
    assert!(before.len() == 64 && before.iter().zip(&after).all(|(before, after)| before != after));
    assert_eq!(browser.value(WORDS), words, "it is the same position");
    after.reverse();
    assert_eq!(steps(&after), steps(&before), "the last cell is where the first was");
    browser.press("f");
    assert_eq!(middles(&mut browser), before);
    // The slider, a chart, the address, and a row of the table.
    go(&mut browser, 4);
    go(&mut browser, 3);
    assert_eq!(browser.value(AT), 3);
    browser.wait(|browser| browser.value("location.hash") == "#m=3");
    browser.value("location.hash = '#m=5'");
    browser.wait(|browser| browser.value(AT) == 5);
    browser.value("document.querySelector('#m2 a').click()");
    browser.wait(|browser| browser.value(AT) == 2);
    let small = "[...document.querySelectorAll('button, #turn')].map(b => b.getBoundingClientRect()).filter(r => r.width && (r.height < 44 || r.width < 44)).length";
    assert_eq!(browser.value(small), 0, "everything that is pressed is 44 pixels high and wide");
    // Sorting by time puts the slowest first.
    browser.value("document.querySelectorAll('#moves th button')[3].click()");
    let times = "[...document.querySelectorAll('#moves tbody tr')].map(row => row.cells[3].textContent)";
    let worth = |text: &String| match text.split_once(' ') {
        Some((number, "µs")) => number.parse::<f64>().unwrap(),
        Some((number, "ms")) => number.parse::<f64>().unwrap() * 1e3,
        other => panic!("{other:?} is not a time of this match"),
    };
    let times: Vec<f64> = strings(&browser.value(times))
        .iter()
        .filter(|text| !["by the rules", "–"].contains(&text.as_str()))
        .map(worth)
        .collect();
    assert!(times.len() > 3 && times.is_sorted_by(|a, b| a >= b), "{times:?}");
}

#[test]
fn the_last_position_is_printed_and_the_reader_stays_where_he_was() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("random");
    arena.agon(["match", "random", "random", "-o", "board=square:5"]).well();
    arena.agon(["replay", "last", "--html", "replay.html"]).well();
    let mut browser = Browser::start();
    browser.open(&address(&arena.path("replay.html")));
    let last = browser.value(LAST).as_u64().unwrap();
    go(&mut browser, last);
    let end = browser.value(WORDS);
    go(&mut browser, 2);
    let before = browser.value(WORDS);
    assert!(last > 2 && before != end);
    // The words of the page while it is printed.
    browser.value(&format!("addEventListener('beforeprint', () => {{ window.printed = {WORDS}; }}); 1"));
    browser.call("Page.printToPDF", serde_json::json!({}));
    assert_eq!(browser.value("window.printed"), end);
    browser.wait(|browser| browser.value(WORDS) == before);
    assert_eq!(browser.complaints(), [""; 0]);
}
