//! What people look at, in a real browser: the replay file of every game, opened from disk, with its keys, its words,
//! its looks, and text of strangers in it.

mod keys;
mod phones;

use crate::browser::{Browser, has_browser, is_accessible, strings};
use crate::builder::{Arena, golden, has_program};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Six vertices of which nobody says where they are: two triangles and a bridge, with names of their own directions.
const NOWHERE: &str = "title = \"<i>two</i> triangles\"\nvertices = 6\nqueens = [[0], [5]]\n\
    [[edge]]\nfrom = \"0\"\nto = \"1\"\ndirection = \"E\"\n[[edge]]\nfrom = \"1\"\nto = \"2\"\ndirection = \"S\"\n\
    [[edge]]\nfrom = \"0\"\nto = \"2\"\ndirection = \"SE\"\n[[edge]]\nfrom = \"2\"\nto = \"3\"\ndirection = \"E\"\n\
    [[edge]]\nfrom = \"3\"\nto = \"4\"\ndirection = \"E\"\n[[edge]]\nfrom = \"4\"\nto = \"5\"\ndirection = \"S\"\n\
    [[edge]]\nfrom = \"3\"\nto = \"5\"\ndirection = \"SE\"\n";

/// A match of each game, and two on graphs that are no grid: words after `agon match`.
const MATCHES: [&str; 7] = [
    "random greedy -o board=donut:6",
    "random greedy -o board=mini-ring",
    "random greedy -o board=nowhere.toml",
    "grundy grundy -g grundy -o heaps=8-12",
    "tirs:level=1 tirs:level=1 tirs:level=1 -g tirs_croises",
    "mastermind mastermind -g mastermind",
    "six-simple six-simple six-simple -g six_qui_prend -o limit=20",
];

/// Plays the newest match of these words and writes its replay file.
fn replay_file(arena: &Arena, words: &str) -> PathBuf {
    let clients = words.split_whitespace().take_while(|word| !word.starts_with('-'));
    let clients: BTreeSet<&str> = clients.filter_map(|client| client.split(':').next()).collect();
    for client in clients.into_iter().filter(|client| !arena.path(format!("clients/{client}.so")).exists()) {
        arena.rust_client(client);
    }
    arena.agon(["match"].into_iter().chain(words.split_whitespace())).well();
    let _ = std::fs::remove_file(arena.path("replay.html"));
    arena.agon(["replay", "last", "--html", "replay.html"]).well();
    arena.path("replay.html")
}

fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// The positions of `agon replay --text`, each as its words without blanks between them.
fn positions(text: &str) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for line in text.lines() {
        if line.starts_with("turn ") && line.contains(" of ") {
            found.push(Vec::new());
        } else if let Some(position) = found.last_mut() {
            position.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// The marks of a board in characters, in reading order: `.`, `x`, digits; in brackets where the last move was.
fn marks(lines: &[String], rows: usize) -> Vec<String> {
    let words = lines[..rows].iter().flat_map(|line| {
        let line = line.replace('[', " [").replace(']', "] ");
        line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    });
    words.collect()
}

/// What the words of a cell are in characters.
fn mark(words: &str) -> String {
    let (piece, is_marked) = words.strip_suffix(", last move").map_or((words, false), |piece| (piece, true));
    let piece = match piece {
        "free" => ".",
        "blocked" => "x",
        other => other.trim_start_matches("player "),
    };
    if is_marked { format!("[{piece}]") } else { piece.to_owned() }
}

/// What the page says of its position: cells with their names, and all lines besides.
const WORDS: &str = "({
    cells: [...document.querySelectorAll('#words td')].map(cell => [cell.previousSibling.textContent, cell.textContent]),
    rows: document.querySelectorAll('#words tr').length,
    lines: [...document.querySelectorAll('#words p')].map(line => line.textContent).filter(line => line),
    events: [...document.querySelectorAll('#events li')].map(line => line.textContent),
    drawn: document.querySelectorAll('#board use, .parts text, .parts path').length,
    at: document.getElementById('at').textContent,
})";

/// The position that is shown is that of the text.
#[track_caller]
fn same_position(shown: &Value, text: &[String]) {
    let cells: Vec<Vec<String>> = shown["cells"].as_array().unwrap().iter().map(strings).collect();
    let rows = shown["rows"].as_u64().unwrap() as usize;
    if rows > 0 && cells.len() > rows {
        let marks_shown: Vec<String> = cells.iter().map(|cell| mark(&cell[1])).collect();
        assert_eq!(marks_shown, marks(text, rows), "{text:?}");
    } else {
        // A graph is drawn in characters as `4`, `0:1` or `5:x`.
        let mut words: Vec<&str> = text.iter().flat_map(|line| line.split_whitespace()).collect();
        words.truncate(words.iter().position(|word| *word == "1" && cells.is_empty()).unwrap_or(words.len()));
        for cell in &cells {
            let (name, mark) = (&cell[0], mark(&cell[1]));
            let (inner, is_marked) =
                mark.strip_prefix('[').map_or((mark.as_str(), false), |rest| (rest.trim_end_matches(']'), true));
            let word = if inner == "." { name.clone() } else { format!("{name}:{inner}") };
            let word = if is_marked { format!("[{word}]") } else { word };
            let is_listed = text.iter().any(|line| line.starts_with("free:") || line.starts_with("blocked:"));
            assert!(is_listed || words.contains(&word.as_str()), "{word} in {text:?}");
        }
    }
    for line in strings(&shown["lines"]) {
        assert!(text.contains(&line), "{line} in {text:?}");
    }
    for event in strings(&shown["events"]) {
        assert!(text.contains(&format!("! {event}")), "{event} in {text:?}");
    }
    assert!(shown["drawn"].as_u64().unwrap() > 0, "nothing is drawn");
}

/// The turn that is shown.
const AT: &str = "document.getElementById('turn').valueAsNumber";
/// The last turn.
const LAST: &str = "+document.getElementById('turn').max";

/// Shows a turn, by the slider.
fn go(browser: &mut Browser, turn: u64) {
    browser.value(&format!(
        "(slider => {{ slider.value = {turn}; slider.dispatchEvent(new Event('input')); }})(document.getElementById('turn'))"
    ));
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

#[test]
fn a_replay_file_shows_what_the_terminal_shows() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.file("nowhere.toml", NOWHERE);
    let mut browser = Browser::start();
    for words in MATCHES {
        let file = replay_file(&arena, words);
        let text = arena.agon(["replay", "last", "--text", "--ascii"]).well().stdout;
        let positions = positions(&text);
        browser.open(&address(&file));
        // Marks over the board have words of their own.
        if browser.value("document.getElementById('overlay')?.getAttribute('aria-pressed')") == "true" {
            browser.press("o");
        }
        for (turn, position) in positions.iter().enumerate() {
            let shown = browser.value(WORDS);
            assert_eq!(shown["at"], format!("turn {turn} of {}", positions.len() - 1), "{words}");
            same_position(&shown, position);
            browser.press(if turn % 2 == 0 { "ArrowRight" } else { " " });
        }
        for (turn, position) in positions.iter().enumerate().rev() {
            same_position(&browser.value(WORDS), position);
            assert_eq!(browser.value(AT), turn, "{words}");
            browser.press("ArrowLeft");
        }
        let ended = browser.value("document.querySelector('.wide pre').textContent");
        assert!(text.trim_end().ends_with(ended.as_str().unwrap().lines().next().unwrap()), "{ended}\n{text}");
        is_at_peace(&mut browser);
        is_accessible(&mut browser);
    }
}

#[test]
fn a_replay_file_of_a_usual_match_is_small_in_every_game() {
    let arena = Arena::new();
    let six = "six-simple:card=smallest ";
    for (words, most) in [
        ("alphabeta greedy -b square:10 --time 20ms".to_owned(), 60_000),
        ("grundy grundy -g grundy".to_owned(), 60_000),
        ("tirs:strategy=level1 tirs:strategy=level1 -g tirs_croises".to_owned(), 60_000),
        ("mastermind -g mastermind".to_owned(), 60_000),
        (six.repeat(2) + "-g six_qui_prend", 60_000),
        (six.repeat(5) + "-g six_qui_prend", 60_000),
        // Ten hands: ten charts, a hundred cards and three hundred moves that can be read without scripts.
        (six.repeat(10) + "-g six_qui_prend", 80_000),
    ] {
        let bytes = std::fs::metadata(replay_file(&arena, &(words.clone() + " -n 1 -s 1"))).unwrap().len();
        assert!(bytes <= most, "{words}: {bytes} bytes");
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
    // In which turn it speaks hangs on who begins.
    let last = browser.value(LAST).as_u64().unwrap();
    let printed: String = (0..=last)
        .map(|turn| {
            go(&mut browser, turn);
            browser.value("document.getElementById('printed').textContent").as_str().unwrap().to_owned()
        })
        .collect();
    assert!(printed.contains("</script><script>document.title='owned'</script>"), "{printed}");
    let title = browser.value("document.title");
    assert!(title.as_str().unwrap().ends_with(" wins · amazons square:6"), "{title}");
    assert_eq!(browser.value("document.querySelectorAll('img, script, b').length"), 2);
    assert!(
        browser.value("document.getElementById('clocks').textContent").as_str().unwrap().contains("<b>nasty\\u{202e}")
    );
    go(&mut browser, last);
    is_at_peace(&mut browser);
    is_accessible(&mut browser);
}

#[test]
fn without_scripts_a_replay_file_shows_its_moves() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let file = replay_file(&arena, "random random -o board=square:5");
    let moves = arena.shown("last").turns();
    let mut browser = Browser::start();
    browser.allow_scripts(false);
    browser.open(&address(&file));
    browser.allow_scripts(true);
    assert_eq!(browser.value("document.querySelectorAll('#moves tbody tr').length"), moves);
    assert_eq!(
        browser.value("document.querySelectorAll('button, #keys, #turn').length"),
        0,
        "nothing that does nothing"
    );
    assert!(browser.value("document.querySelectorAll('#board use').length").as_u64().unwrap() > 4);
}

#[test]
fn the_picture_of_the_readme_is_what_the_program_draws() {
    // A real match, exported: one played anew would hang on the hashes of the clients' files.
    let arena = Arena::new();
    let export = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/donut-9.jsonl");
    arena.agon(["record", "import", export]).well();
    let matches = arena.agon(["matches", "--json"]).json();
    let id = matches["matches"][0]["id"].as_str().unwrap();
    let picture = arena.agon(["show", id, "--svg", "12"]).well().stdout;
    golden("../../../../docs/pictures/donut-9.svg", &picture);
    assert_eq!(arena.agon(["show", id, "--svg", "999"]).status, Some(2));
}

#[test]
fn whoever_hears_a_replay_can_follow_it() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let file = replay_file(&arena, "random greedy -o board=square:6 -s 4");
    let mut browser = Browser::start();
    browser.open(&address(&file));
    browser.press("ArrowRight");
    // In a small window the rarer buttons wait behind one more.
    browser.value("document.getElementById('more').click()");
    let moves = "[...document.querySelectorAll('#moves tbody td:nth-child(3)')].map(cell => cell.textContent)";
    let moves = strings(&browser.value(moves));
    let heard = browser.heard();
    let after = |place: usize, line: &str| {
        let found = heard[place..].iter().position(|heard| heard == line);
        place + found.unwrap_or_else(|| panic!("{line} after {}: {heard:#?}", heard[place]))
    };
    // The picture is one thing with a name, and what it shows follows cell by cell.
    let picture = after(0, "image: the board; its words follow");
    assert_eq!(heard[picture + 1], "table: the board, square by square", "no digit of the picture is read by itself");
    let (queen, arrow) = moves[0].split_once('-').unwrap().1.split_once('/').unwrap();
    for (cell, stands) in [(queen, "player 1, last move"), (arrow, "blocked, last move")] {
        let named = after(picture, &format!("rowheader: {cell}"));
        let said = heard[named + 1..].iter().find(|line| line.starts_with("cell: ")).unwrap();
        assert_eq!(*said, format!("cell: {stands}"), "{cell}");
    }
    // What is pressed is called by its words; then whose turn it is in a sentence; then all moves in their order.
    let buttons = [
        "Start",
        "−10",
        "Back",
        "Next",
        "+10",
        "End",
        "Next event",
        "Event before",
        "Slowest",
        "Output",
        "Flip",
        "Help",
    ];
    let mut place = picture;
    for button in buttons {
        place = after(place, &format!("button: {button}"));
    }
    place = after(place, &format!("StaticText: turn 1 of {}", browser.value(LAST)));
    place = after(place, "heading: Moves");
    assert!(moves.len() > 4);
    for mv in &moves {
        place = after(place, &format!("cell: {mv}"));
    }
    let said = browser.value("document.getElementById('said').textContent");
    assert!(said.as_str().unwrap().contains(queen), "the sentence tells where the queen is now: {said}");
}

/// Width and height of a PNG, by its first part.
fn size_of_png(bytes: &[u8]) -> (u32, u32) {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xaeB`\x82"), "it is not a whole PNG");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
#[ignore = "needs agon-png, which tools/nightly builds: its libraries serve nothing else"]
fn a_position_is_a_png_of_any_width() {
    let arena = Arena::new().with_png();
    arena.rust_client("random");
    arena.agon("match random random -b standard-6 -q -s 1 --record kept".split(' ')).well();
    let png = |words: &str| {
        let ran = arena.command(format!("show last kept {words}").split(' ')).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{words}: {ran:?}");
        ran.stdout
    };
    let (wide, narrow) = (png("--png 1"), png("--png 1 --width 300"));
    assert_eq!((size_of_png(&wide).0, size_of_png(&narrow).0), (1200, 300));
    assert!(narrow.len() < wide.len() && narrow.len() > 1_000, "{} {}", narrow.len(), wide.len());
    assert_eq!(png("--png 1"), wide, "the same picture is the same bytes");
    assert_ne!(png("--png 2"), wide);
}

#[test]
fn a_position_is_handed_to_the_program_that_makes_pngs() {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.agon("match random random -b standard-6 -q -s 1 --record kept".split(' ')).well();
    let program = arena.path("bin/agon-png");
    std::fs::write(&program, "#!/bin/sh\necho \"$@\"\ncat\nexit 7\n").unwrap();
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    let svg = arena.agon("show last kept --svg 1".split(' ')).well().stdout;
    for (words, width) in [("--png 1", 1200), ("--png 1 --width 300", 300)] {
        let ran = arena.agon(format!("show last kept {words}").split(' '));
        assert_eq!((ran.status, ran.stdout), (Some(7), format!("{width}\n{svg}")), "{words}");
    }
    for (words, said) in [
        ("--png 99", "has no turn 99"),
        ("--png 1 --width 9000", "from 16 to 8000"),
        ("--png 1 --svg 1", "cannot be used with"),
        ("--width 300", "--png"),
    ] {
        let ran = arena.agon(format!("show last kept {words}").split(' '));
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{words}: {ran:?}");
    }
}
