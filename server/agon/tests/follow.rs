//! The page that follows one match under way: it shows the moves that the record has afterwards, nothing of hidden
//! hands before the end, and leads to the page of the match.

use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::{Arena, has_program};
use rustix::process::Signal;
use std::time::{Duration, Instant};

/// Plays the first move that it finds, and takes its time.
const STEADY: &str = r#"
#include <agon/amazons_kit.h>
#include <stdio.h>
static amazons_board board;
const char *get_player_name(void) { return "steady"; }
int initialize(const amazons_setup *setup) { return amazons_start(&board, setup); }
amazons_move play(const amazons_turn *turn) {
    amazons_move move;
    for (volatile long count = 0; count < 40000000; count++);
    puts("a whisper");
    agon_log_number("value", 7); agon_log_number("depth", 3); agon_log_number("nodes", 12345);
    amazons_apply(&board, turn->previous); amazons_moves(&board, &move, 1); amazons_apply(&board, move);
    return move;
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// The same with cards.
const STEADY_CARDS: &str = r#"
#include <agon/six_qui_prend.h>
const char *get_player_name(void) { return "steady"; }
int initialize(const six_qui_prend_setup *setup) { return 0; }
six_qui_prend_move play(const six_qui_prend_turn *turn) {
    six_qui_prend_move move = {0, 0};
    for (volatile int count = 0; count < 100000000; count++);
    agon_log_number("value", 7); agon_log_number("depth", 3);
    if (turn->kind == SIX_QUI_PREND_ASKS_ROW) move.row = SIX_QUI_PREND_CHEAPEST_ROW;
    else move.card = turn->hand[0];
    return move;
}
void finalize(void) {}
AGON_CLIENT(six_qui_prend)
"#;

/// A block may take this long on a busy machine.
const END: Duration = Duration::from_secs(400);

/// Two steady clients of Amazons that play two matches; a move takes some 100 ms of a core, times this.
fn amazons(times: u32) -> Arena {
    let arena = Arena::new();
    arena.c_client("steady", &STEADY.replace("40000000", &format!("{times} * 40000000L"))).unwrap();
    arena.ladder_toml(
        "[ladder]\ngame = \"amazons\"\nseed = 7\nopenings = 1\n[time]\nper_move = \"30s\"\n[options]\nboard = \"square:6\"\n\
         [[client]]\nname = \"one\"\nfile = \"clients/steady.so\"\n\
         [[client]]\nname = \"two\"\nfile = \"clients/steady.so\"\noptions = { a = \"b\" }\n",
    );
    arena
}

/// Waits for a board on the page of the ladder, and returns where its link leads.
#[track_caller]
fn link_to_follow(server: &Running) -> String {
    let begun = Instant::now();
    loop {
        let page = server.get("/ladder/1/index.html");
        if let Some((_, rest)) = page.split_once("<a href=\"follow/") {
            return format!("/ladder/1/follow/{}", rest.split('"').next().unwrap());
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no board is shown: {page}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Turn, seat and move of each row, the first move first.
fn moves(page: &str) -> Vec<[String; 3]> {
    let body = page.split("<table id=\"moves\">").nth(1).unwrap_or_default();
    let rows = body.split("</table>").next().unwrap().split("<tbody>").nth(1).unwrap_or_default().split("<tr").skip(1);
    let cells = |row: &str| -> Vec<String> {
        // A seat may stand in its colour.
        let text = |cell: &str| cell.split('>').skip(1).map(|part| part.split('<').next().unwrap()).collect::<String>();
        row.split("<td").skip(1).map(text).collect()
    };
    let mut moves: Vec<[String; 3]> =
        rows.map(cells).map(|cells| [cells[0].clone(), cells[1].clone(), cells[2].clone()]).collect();
    if page.contains("data-follow") {
        moves.reverse();
    }
    moves
}

#[test]
fn a_followed_match_has_the_moves_of_its_replay() {
    if !has_program("cc") {
        return;
    }
    let arena = amazons(1);
    let server = Running::start(arena.command(["ladder", "--serve=127.0.0.1:0", "--keep-serving", "--jobs", "1"]));
    let path = link_to_follow(&server);
    let id = path.rsplit('/').next().unwrap().trim_end_matches(".html").to_owned();
    let (mut seen, mut most, mut last, begun) = (Vec::new(), 0, Vec::new(), Instant::now());
    let ended = loop {
        let page = server.get(&path);
        assert!(status(&page) == 200 && !page.contains("whisper"), "{page}");
        if page.contains(&format!("href=\"../match/{id}.html\"")) {
            break page;
        }
        let now = moves(&page);
        if page.contains("This is its last position.") {
            assert!(
                page.contains(" wins.") && page.contains("<svg class=\"pic") && !page.contains("Under way"),
                "{page}"
            );
            last = now;
            std::thread::sleep(Duration::from_millis(30));
            continue;
        }
        if now.len() > 2 {
            for word in ["id=\"balance\"", "evaluation by turn", "depth by turn", "<td class=\"r\">12345</td>"] {
                assert!(page.contains(word), "{word}: {page}");
            }
        }
        assert!(now.is_empty() || page.contains(&format!("Under way: turn {}.", now.len())), "{page}");
        most = most.max(now.len());
        seen.push(now);
        assert!(begun.elapsed() < END, "the match does not end: {page}");
        std::thread::sleep(Duration::from_millis(30));
    };
    let replay = moves(server.get(&format!("/ladder/1/match/{id}.html")).split("id=\"list\"").nth(1).unwrap());
    assert!(most > 2 && replay.len() >= most, "{most} of {}", replay.len());
    for now in seen {
        assert_eq!(now, replay[..now.len()], "each look shows the first moves of the replay");
    }
    assert_eq!(moves(&ended), replay);
    assert!(
        !id.ends_with("-a") || last == replay,
        "while the next match of its block is played, the last position is kept"
    );
    for word in [" wins: ended by the rules", "the whole match", "<svg class=\"pic"] {
        assert!(ended.to_lowercase().contains(word), "{word}: {ended}");
    }
    for path in ["x", "x-a", "0123456789abcdef", "../index", "0123456789abcdef-a"] {
        let over = server.get(&format!("/ladder/1/follow/{path}.html"));
        assert!(status(&over) == 404 || over.contains("on no board"), "{path}: {over}");
    }
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    assert_eq!(moves(&server.get(&path)), replay, "the address still leads to the match");
    assert_eq!(status(&server.get("/ladder/1/follow/0123456789abcdef-a.html")), 404);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn hidden_hands_stay_hidden_from_those_who_follow() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    arena.c_client("steady", STEADY_CARDS).unwrap();
    let client = |name: &str, value: &str| {
        format!("[[client]]\nname = \"{name}\"\nfile = \"clients/steady.so\"\noptions = {{ a = \"{value}\" }}\n")
    };
    let clients = client("one", "1") + &client("two", "2") + &client("three", "3");
    let head = "[ladder]\ngame = \"six_qui_prend\"\nseats = 3\nseed = 5\nopenings = 1\n[options]\nlimit = 0\n";
    arena.ladder_toml(&(head.to_owned() + &clients));
    let server = Running::start(arena.command(["ladder", "--serve=127.0.0.1:0", "--keep-serving", "--jobs", "1"]));
    let path = link_to_follow(&server);
    let (mut was_seen, begun) = (false, Instant::now());
    loop {
        let page = server.get(&path);
        if page.contains("href=\"../match/") {
            assert!(moves(&page).len() >= 30 && page.contains("<svg class=\"pic"), "after the end all of it is seen");
            break;
        }
        assert!(moves(&page).is_empty() && !page.contains("hands"), "{page}");
        assert!(!page.contains("class=\"chart\""), "what clients think tells what they hold: {page}");
        let is_table = ["Hands are hidden until it is over.", "row 4:", "last cards", "heads", "<svg class=\"pic"];
        was_seen |= page.contains("Under way: turn ") && is_table.iter().all(|part| page.contains(part));
        assert!(begun.elapsed() < END, "the match does not end: {page}");
        std::thread::sleep(Duration::from_millis(30));
    }
    assert!(was_seen);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_match_is_followed_in_a_browser_by_keys_in_both_languages_and_without_scripts() {
    if !has_browser() || !has_program("cc") {
        return;
    }
    let arena = amazons(10);
    let server = Running::start(arena.command(["ladder", "--serve=127.0.0.1:0", "--keep-serving", "--jobs", "1"]));
    link_to_follow(&server);
    let mut browser = Browser::start();
    browser.open(&format!("{}ladder/1/index.html", server.link));
    let link = "document.querySelector('.boards a')";
    browser.wait(|browser| browser.value(&format!("!!{link}")) == true);
    let name = browser.value(&format!("{link}.getAttribute('aria-label')"));
    assert!(name == "Follow one – two" || name == "Follow two – one", "{name}");
    browser.value(&format!("{link}.focus()"));
    browser.press("Enter");
    browser.wait(|browser| browser.value("!!document.getElementById('hold')") == true);
    let count = "document.querySelectorAll('#moves tbody tr').length";
    let count = |browser: &mut Browser| browser.value(count).as_u64().unwrap();
    let first = count(&mut browser);
    browser.wait(|browser| count(browser) > first + 1);
    is_accessible(&mut browser);
    browser.prefer("dark");
    is_accessible(&mut browser);
    for width in [360, 1280] {
        browser.resize(width, 800);
        let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= width.into(), "{wide} wide in a window of {width}");
    }
    let path = browser.value("location.pathname").as_str().unwrap().to_owned();
    // What is heard is a sentence a turn, and the page can be held.
    assert_eq!(browser.value("document.getElementById('told').getAttribute('aria-live')"), "polite");
    browser.value("document.getElementById('hold').focus()");
    browser.press("Enter");
    assert_eq!(browser.value("document.getElementById('hold').getAttribute('aria-pressed')"), "true");
    let french = server
        .ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: fr\r\nConnection: close\r\n\r\n"));
    for word in ["En cours : tour ", "Coups, le plus récent d’abord", "<noscript>", "joueur "] {
        assert!(french.contains(word), "{word}: {french}");
    }
    browser.press("Enter");
    let leads = "!!document.querySelector('[data-follow] a')";
    // Both matches of the block come to their end first.
    let begun = Instant::now();
    while browser.value(leads) != true {
        assert!(begun.elapsed() < END, "the match does not end");
        std::thread::sleep(Duration::from_millis(200));
    }
    is_accessible(&mut browser);
    browser.value("document.querySelector('[data-follow] a').focus()");
    browser.press("Enter");
    browser.wait(|browser| browser.value("!!document.getElementById('turn')") == true);
    assert_eq!(browser.value("location.pathname"), path.replace("/follow/", "/match/").as_str());
    browser.allow_scripts(false);
    browser.open(&format!("{}{}", server.link.trim_end_matches('/'), path));
    assert_eq!(browser.complaints(), [""; 0]);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}
