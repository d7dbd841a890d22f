//! `agon serve` and `agon ladder --serve`: what is asked for in wrong ways is refused, and in a real browser the pages
//! follow a ladder to its end without changing anything about it.

mod list_of_ladders;
mod match_list;
mod opened;
mod refused;

use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// A name that is markup, a formula, and written from right to left.
const ODD: &str = "=<b onclick=x>\u{202e}&amp;'\"";

/// Dies at once, and says what no page may believe.
pub const NASTY: &str = r#"
#include <agon/amazons.h>
#include <stdio.h>
#include <stdlib.h>
const char *get_player_name(void) { return "<script>"; }
int initialize(const amazons_setup *setup) { return 0; }
amazons_move play(const amazons_turn *turn) {
    fputs("</pre><script>document.title='owned'</script> my name is Ann\n", stderr);
    abort();
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// Three clients, one of them odd, 12 matches a round; a client in C needs a compiler.
pub fn class(rounds: u32) -> Arena {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.c_client("nasty", NASTY).unwrap();
    let label = ODD.replace('"', "\\\"");
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"<i>class\"\ngame = \"amazons\"\nseed = 7\nopenings = {rounds}\n\
         [options]\nboard = [\"square:5\", \"square:6\"]\n\
         [[client]]\nfile = \"clients/random.so\"\n[[client]]\nfile = \"clients/greedy.so\"\n\
         [[client]]\nname = \"{label}\"\nfile = \"clients/nasty.so\"\n"
    ));
    arena
}

/// What the page shows, and what loading it anew would show; but for names of cells and times of the reader, which a
/// script gives on both.
const BOTH: &str = "fetch(location.pathname).then(answer => answer.text()).then(text => \
    [document, new DOMParser().parseFromString(text, 'text/html')].map(page => { \
        const main = page.querySelector('main').cloneNode(true); \
        for (const one of main.querySelectorAll('.cards, .cards *')) ['role', 'data-label'].forEach(name => one.removeAttribute(name)); \
        for (const one of main.querySelectorAll('time')) { one.removeAttribute('title'); one.textContent = one.dateTime; } \
        return main.innerHTML; }))";

/// Until the page is what loading it anew would show.
#[track_caller]
fn wait_until_true(browser: &mut Browser) {
    browser.wait(|browser| {
        let both = browser.value(BOTH);
        both[0] == both[1]
    });
}

#[test]
fn a_ladder_is_followed_to_its_end() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = class(17);
    arena.agon(["ladder", "--quiet", "--jobs", "1"]).well();
    let alone = arena.agon(["matches", "--json"]).json();
    let ladder = ["ladder", "--fresh", "--serve=127.0.0.1:0", "--keep-serving", "--jobs", "1"];
    let server = Running::start(arena.command(ladder));
    let mut browser = Browser::start();
    let pages = ["", "ladder/2/index.html", "ladder/2/client/1.html", "ladder/2/vs/1-2.html"];
    let mut tabs = Vec::new();
    for (number, page) in pages.iter().cycle().take(9).enumerate() {
        // More tabs than a browser opens connections: all of them share one stream.
        if number > 0 {
            browser.tab();
        }
        let address = format!("{}{page}", server.link);
        browser.wait(|browser| {
            browser.open(&address);
            browser.value("!!document.getElementById('link')") == true
        });
        tabs.push(browser.session().to_owned());
    }
    browser.forget();
    for tab in &tabs {
        browser.focus(tab);
        let path = browser.value("location.pathname").as_str().unwrap().to_owned();
        if path.ends_with("index.html") {
            let ended = "document.getElementById('now')?.textContent.includes('ended: 204 of 204 matches')";
            browser.wait(|browser| browser.value(ended) == true);
            assert_eq!(browser.value("document.querySelectorAll('.lapses li').length"), 6, "faults");
        }
        wait_until_true(&mut browser);
        assert_eq!(
            browser
                .value("document.title === 'owned' || document.querySelectorAll('main b[onclick], main i').length > 0"),
            false
        );
    }
    assert_eq!(browser.complaints(), [""; 0]);
    browser.focus(&tabs[1]);
    for width in [360, 768, 1280] {
        browser.resize(width, 800);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= width.into(), "{wide} wide in a window of {width}");
    }
    is_accessible(&mut browser);
    browser.value("document.querySelector('.lapses a').click()");
    browser.wait(|browser| browser.value("!!document.getElementById('turn')") == true);
    let told = "unpacked(document.getElementById('data').textContent).then(JSON.stringify)";
    let printed = browser.value(told);
    assert!(printed.as_str().unwrap().contains("document.title='owned'"), "what it printed is told as text: {printed}");
    assert_ne!(browser.value("document.title"), "owned");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    assert_eq!(arena.agon(["matches", "--json"]).json()["matches"], alone["matches"], "the same as without the page");
}

#[test]
fn matches_under_way_are_small_boards() {
    if !has_program("cc") {
        return;
    }
    // It does not end before it was looked at.
    let arena = class(100_000);
    let server = Running::start(arena.command(["ladder", "--serve=127.0.0.1:0", "--jobs", "1"]));
    let begun = Instant::now();
    let boards = |language: &str| loop {
        assert!(begun.elapsed() < Duration::from_secs(300), "no board was shown");
        std::thread::sleep(Duration::from_millis(50));
        let heads = format!("Host: localhost\r\nAccept-Language: {language}\r\nConnection: close");
        let page = server.ask(&format!("GET /ladder/1/index.html HTTP/1.1\r\n{heads}\r\n\r\n"));
        if let Some((_, rest)) = page.split_once("<div class=\"boards\">") {
            break rest.split_once("</div>").unwrap().0.to_owned();
        }
    };
    let french = boards("fr");
    assert!(french.contains("joueur ") && !french.contains("layer "), "what is heard is French, too: {french}");
    let board = boards("en");
    for part in ["<svg class=\"pic", "role=\"img\" aria-label=\"", "<use href=\"#s0\"", ": turn "] {
        assert!(board.contains(part), "{part} in {board}");
    }
    assert_eq!(board.matches("<figure>").count(), 1, "one worker has one board");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(130));
}

#[test]
fn the_hall_has_the_result_and_the_standings_in_large_rows() {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 7\nopenings = 2\n[options]\nboard = \"square:5\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let page = server.get("/hall");
    assert_eq!(status(&page), 200, "{page}");
    let told = arena.agon(["standings", "--json"]).well().json();
    let order: Vec<&str> =
        told["clients"].as_array().unwrap().iter().map(|line| line["client"].as_str().unwrap()).collect();
    let names = |part: &str| -> Vec<String> {
        part.split("<bdi>").skip(1).map(|rest| rest.split("</bdi>").next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap()), order);
    assert_eq!(names(page.split("class=\"headline\">").nth(1).unwrap().split("</p>").next().unwrap())[0], order[0]);
    assert!(page.contains("href=\"/ladder/1/client/"), "{page}");
    assert!(
        !page.contains("--listen") && !page.contains("class=\"qr\""),
        "a wall has no words for its operator: {page}"
    );
    // It is asked again and again, and has nothing that grows.
    assert_eq!(server.get("/hall").len(), page.len());
    if has_browser() {
        let mut browser = Browser::start();
        browser.open(&format!("{}hall", server.link));
        is_accessible(&mut browser);
        assert_eq!(browser.complaints(), [""; 0]);
    }
}

#[test]
fn a_page_goes_on_when_the_server_is_back() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = class(1);
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let (link, port) = (server.link.clone(), server.port());
    let mut browser = Browser::start();
    browser.open(&link);
    wait_until_true(&mut browser);
    server.signal(Signal::KILL);
    assert_eq!(server.end(), None);
    let said = "document.getElementById('link').textContent";
    browser.wait(|browser| browser.value(said).as_str().unwrap().contains("not heard of"));
    // Meanwhile more is played.
    let toml = std::fs::read_to_string(arena.path("ladder.toml")).unwrap();
    arena.ladder_toml(&toml.replace("openings = 1", "openings = 2"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", &format!("127.0.0.1:{port}")]));
    browser.wait(|browser| {
        browser.value("document.querySelector('main').textContent").as_str().unwrap().contains("24 matches")
    });
    browser.wait(|browser| browser.value(said) == "");
    wait_until_true(&mut browser);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_large_ladder_is_shown_by_its_standings_first() {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 7\nopenings = 10_000\n\
         [options]\nboard = \"mini-2\"\n[run]\nisolation = \"none\"\nlogs = \"none\"\n[time]\nclock = \"wall\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let page = || server.get("/ladder/1/index.html");
    let table =
        |page: &str| page.split_once("id=\"standings\"").unwrap().1.split_once("</table>").unwrap().0.to_owned();
    let (first, follows) = (page(), "follow here by themselves");
    assert!(first.contains(follows) && !first.contains("id=\"crosstable\""), "{first}");
    // Nobody asks for the rest, and it comes.
    let begun = Instant::now();
    let whole = loop {
        let now = page();
        if !now.contains(follows) {
            break now;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the rest does not follow");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(whole.contains("id=\"crosstable\"") && whole.contains("id=\"ratings\""), "{whole}");
    assert_eq!(table(&first), table(&whole), "the same table, and the same links");
    // All matches are listed, the newest first, fifty a page.
    let ids = |page: &str| -> Vec<String> {
        let links = page.split("match/").skip(1).map(|rest| rest.split(".html").next().unwrap().to_owned());
        links.collect()
    };
    let listed = arena.agon(["matches", "--json"]).well().json();
    let all: Vec<String> = listed["matches"]
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|found| found["id"].as_str().unwrap().to_owned())
        .collect();
    let newest = server.get("/ladder/1/matches.html");
    assert!(ids(&newest) == all[..50] && !newest.contains("The newest") && newest.contains("rel=\"next\""), "{newest}");
    let mut lists = newest.split("href=\"matches/").skip(1).map(|rest| rest.split(['.', '"']).next().unwrap());
    // The head of a column leads to the same list in another order.
    assert_eq!(lists.find(|list| !list.starts_with("sort-")), Some(&*all[49]), "{newest}");
    for begin in [50, all.len() / 2, all.len() - 51, all.len() - 50, all.len() - 3] {
        let page = server.get(&format!("/ladder/1/matches/{}.html", all[begin - 1]));
        let end = all.len().min(begin + 50);
        assert_eq!(ids(&page), all[begin..end], "{begin}");
        assert_eq!(page.contains("rel=\"next\""), end < all.len(), "{begin}: {page}");
        assert!(page.contains("href=\"../matches.html\""), "{page}");
    }
    let after_all = server.get(&format!("/ladder/1/matches/{}.html", all[all.len() - 1]));
    assert!(status(&after_all) == 200 && after_all.contains("There are none."), "{after_all}");
    assert_eq!(status(&server.get("/ladder/1/matches/0000000000000000-a.html")), 404);
    // What stands on a page of its own is waited for.
    let fresh = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    assert!(page().contains("id=\"crosstable\"") && fresh.get("/ladder/1/client/1.html").contains("id=\"met\""));
    for server in [server, fresh] {
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0));
    }
}
