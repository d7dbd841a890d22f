//! The form by which a visitor asks for a board: its picture, and one choice for all seats of clients.

use crate::browser::{Browser, Running, has_browser, strings};
use crate::builder::Arena;
use rustix::process::Signal;

/// The clients that are chosen for the seats.
const SEATS: &str = "[...document.getElementsByName('seat')].map(seat => seat.selectedOptions[0].textContent)";

/// Chooses a value of a list as a person does.
fn choose(browser: &mut Browser, list: &str, text: &str) {
    browser.value(&format!(
        "(list => {{ list.value = [...list.options].find(one => one.textContent === '{text}').value; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})(document.getElementById('{list}'))"
    ));
}

#[test]
fn the_form_shows_the_board_that_is_chosen() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    let head = "[ladder]\nname = \"class\"\nseed = 7\nclients = [\"clients/*.so\"]\ngame = \"amazons\"\n";
    arena.ladder_toml(&format!("{head}[options]\nboard = [\"mini-3\", \"square:6\"]\n"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let mut browser = Browser::start();
    browser.open(&format!("{}ladder/1/play.html", server.link));
    let shown = "[...document.querySelectorAll('.start')].filter(one => one.checkVisibility())\
                 .map(one => one.querySelector('svg').getAttribute('aria-label'))";
    let first = strings(&browser.value(shown));
    assert!(first.len() == 1 && first[0].contains("3 x 3"), "{first:?}");
    let second = browser.value("document.getElementById('setting').options[1].textContent");
    choose(&mut browser, "setting", second.as_str().unwrap());
    let other = strings(&browser.value(shown));
    assert!(other.len() == 1 && other[0].contains('6') && other != first, "{other:?}");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn all_others_are_clients_and_people_keep_their_seats() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    // A client may be called like the value of a seat for people.
    let clients =
        arena.six_clients(&["smallest", "largest", "middle", "random"]).replace("\"six-largest\"", "\"guest\"");
    let head = "[ladder]\nname = \"six\"\ngame = \"six_qui_prend\"\nseats = 4\nseed = 5\nopenings = 1\n";
    arena.ladder_toml(&format!("{head}[options]\nhand = 3\nlimit = 0\n{clients}"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let mut browser = Browser::start();
    browser.open(&format!("{}ladder/1/play.html", server.link));
    choose(&mut browser, "seat2", "somebody else, by a link");
    for client in ["guest", "six-smallest"] {
        choose(&mut browser, "others", client);
        assert_eq!(strings(&browser.value(SEATS)), ["you", "somebody else, by a link", client, client]);
    }
    choose(&mut browser, "others", "each as below");
    assert_eq!(strings(&browser.value(SEATS))[2], "six-smallest", "nothing is chosen for them");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}
