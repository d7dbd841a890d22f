//! What a reader has opened or scrolled to stays while the page follows a ladder.

use crate::browser::{Browser, Running, has_browser};
use crate::builder::Arena;
use rustix::process::Signal;

#[test]
fn what_the_reader_opened_stays_open() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\nname = \"long\"\ngame = \"amazons\"\nseed = 7\nopenings = 100000\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"square:5\"\n",
    );
    let server = Running::start(arena.command(["ladder", "--serve=127.0.0.1:0", "--jobs", "1"]));
    let mut browser = Browser::start();
    let address = format!("{}ladder/1/index.html", server.link);
    browser.wait(|browser| {
        browser.open(&address);
        browser.value("document.querySelectorAll('main details').length >= 2") == true
    });
    browser.value(
        "window.opened = [...document.querySelectorAll('main details')]; opened.forEach(one => one.open = true)",
    );
    browser.value("scrollTo(0, document.querySelector('main details:last-of-type').offsetTop - 50)");
    let seen = "document.querySelector('main').textContent";
    for _ in 0..2 {
        let before = browser.value(seen);
        browser.wait(|browser| browser.value(seen) != before);
    }
    assert_eq!(browser.value("opened.filter(one => !one.open || !one.isConnected).length"), 0);
    assert!(browser.value("scrollY").as_f64().unwrap() > 0.0, "the page jumped to its top");
    server.signal(Signal::INT);
    server.end();
}
