//! What people look at, in a real browser: the replay file of every game, opened from disk, with its keys, its words,
//! its looks, and text of strangers in it.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod browser;
mod builder;

use browser::{Browser, has_browser};
use builder::{Arena, has_program};
use serde_json::Value;
use std::path::Path;

fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

#[track_caller]
fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Nothing was asked of the network, nothing complained of, nothing is wider than the window.
#[track_caller]
fn is_at_peace(browser: &mut Browser) {
    assert_eq!(browser.requests(), [""; 0]);
    assert_eq!(browser.complaints(), [""; 0]);
    for width in [360, 1280] {
        browser.resize(width, 800);
        let wide = browser.value("document.documentElement.scrollWidth");
        assert!(wide.as_u64().unwrap() <= width.into(), "{wide} wide in a window of {width}");
    }
}

/// No rule of axe-core is broken, in light and dark, small and large; skipped where it is not installed.
#[track_caller]
fn is_accessible(browser: &mut Browser) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(&file) else { return agon_skips::skip("axe-core") };
    browser.value(&format!("{axe}; 1"));
    for (scheme, width) in [("light", 1280), ("dark", 360), ("dark", 1280)] {
        browser.prefer(scheme);
        browser.resize(width, 800);
        let broken = "axe.run().then(found => found.violations.map(rule => rule.id + ': ' + rule.help + ' ' + \
                      rule.nodes.slice(0, 3).map(node => node.html + node.failureSummary).join(' | ')))";
        assert_eq!(strings(&browser.value(broken)), [""; 0], "{scheme} {width}");
    }
}

/// A client that prints, logs, and dies in its fourth call; everything it says is what a page must not believe.
const NASTY: &str = r#"
#include <agon/amazons_kit.h>
#include <stdio.h>
#include <stdlib.h>
static amazons_board board; static int calls;
const char *get_player_name(void) { return "<img src=x onerror=alert(1)>\"'"; }
int initialize(const amazons_setup *setup) { return amazons_start(&board, setup); }
amazons_move play(const amazons_turn *turn) {
    amazons_move move;
    amazons_apply(&board, turn->previous); amazons_moves(&board, &move, 1); amazons_apply(&board, move);
    fprintf(stderr, "</script><script>document.title='owned'</script>\n<!-- \x1b[2J \xe2\x80\xae =1+1 & &amp;\n");
    agon_log("value", calls == 2 ? "1e308" : calls ? "-0.5" : "nan"); agon_log("depth", "<b>7</b>"); agon_log("line", "</pre>");
    if (++calls == 4) abort();
    return move;
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

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
    let (last, slowest) = (browser.value("last").as_u64().unwrap(), browser.value("data.w"));
    assert!(last >= 6, "{last}");
    let button = |browser: &mut Browser, key: &str| {
        let find = format!(
            "[...document.querySelectorAll('#keys button')].find(b => b.querySelector('kbd').textContent === '{key}').click()"
        );
        browser.value(&find);
    };
    let event = browser.value("events.length ? events[0] : 0");
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
            browser.value(&format!("show({from})"));
            if way.is_empty() {
                button(&mut browser, on_button)
            } else {
                browser.press(key)
            }
            assert_eq!(browser.value("at"), to, "{key} from {from}");
        }
    }
    assert!(event.as_u64().unwrap() > 0, "the crash is an event");
    for (key, state) in [("s", "output.open"), ("?", "help.open")] {
        let before = browser.value(state);
        browser.press(key);
        assert_ne!(browser.value(state), before, "{key}");
        browser.press(key);
        assert_eq!(browser.value(state), before, "{key}");
    }
    // The slider, a chart, the address, and a row of the table.
    browser.value("$('turn').value = 3; $('turn').dispatchEvent(new Event('input'))");
    assert_eq!(browser.value("at"), 3);
    browser.wait(|browser| browser.value("location.hash") == "#m=3");
    browser.value("location.hash = '#m=5'");
    browser.wait(|browser| browser.value("at") == 5);
    browser.value("document.querySelector('#moves .t2 a').click()");
    browser.wait(|browser| browser.value("at") == 2);
    let small = "[...document.querySelectorAll('button, #turn')].map(b => b.getBoundingClientRect()).filter(r => r.width && (r.height < 44 || r.width < 44)).length";
    assert_eq!(browser.value(small), 0, "everything that is pressed is 44 pixels high and wide");
    // Sorting by time puts the slowest first.
    browser.value("document.querySelectorAll('#moves th button')[3].click()");
    let times = "[...document.querySelectorAll('#moves tbody tr')].map(row => worth(row, 3))";
    let times: Vec<f64> = browser.value(times).as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert!(times.len() > 3 && times.is_sorted_by(|a, b| a >= b), "{times:?}");
}

#[test]
fn what_clients_say_is_text() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("random");
    arena.c_client("<b>nasty\u{202e}", NASTY).unwrap();
    arena.agon(["match", "random", "<b>nasty\u{202e}", "-o", "board=square:6"]).well();
    arena.agon(["replay", "last", "--html", "replay.html"]).well();
    let file = std::fs::read_to_string(arena.path("replay.html")).unwrap();
    assert!(!file.contains(['\u{1b}', '\u{202e}']) && file.matches("</script>").count() == 2, "two scripts of ours");
    let mut browser = Browser::start();
    browser.open(&address(&arena.path("replay.html")));
    browser.value("show(2)");
    let printed = browser.value("$('printed').textContent");
    assert!(printed.as_str().unwrap().contains("</script><script>document.title='owned'</script>"), "{printed}");
    assert!(browser.value("document.title").as_str().unwrap().starts_with("match "));
    assert_eq!(browser.value("document.querySelectorAll('img, script, b').length"), 2);
    assert!(browser.value("$('clocks').textContent").as_str().unwrap().contains("<b>nasty\\u{202e}"));
    browser.value("show(last)");
    is_at_peace(&mut browser);
    is_accessible(&mut browser);
}
