//! Whole matches in a browser, won and lost by clicks and by keys.

use super::{play_out, start};
use crate::browser::board::{By, NOTE, RESULT, choose, wait_for_turn};
use crate::browser::{Browser, has_browser};
use crate::builder::Arena;
use rustix::process::Signal;
use std::fs;

#[test]
fn a_match_is_won_and_another_lost_and_saved() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    arena.rust_client("grundy");
    let mut browser = Browser::start();
    for (heaps, said, moves) in
        [("heaps=5", "you have won", 3), ("heaps=4", "you have lost", 2), ("heaps=9", "You resigned.", 0)]
    {
        let file = format!("{heaps}.html");
        let saved = arena.path(&file);
        let args = ["grundy", "-o", heaps, "--against", "grundy:version=2", "--seat", "1", "--save", &file];
        let server = start(&arena, &args);
        browser.open(&server.link);
        wait_for_turn(&mut browser);
        // The last one is given up.
        if heaps == "heaps=9" {
            browser.click("#resign summary");
            browser.click("[data-do=resign]");
            browser.wait(|browser| browser.value(RESULT) != "");
        }
        let result = play_out(&mut browser, By::Clicks);
        assert!(result.contains(said), "{result}");
        assert!(!result.contains("nothing is recorded"), "it is kept: {result}");
        let fetched = browser.value("fetch('replay.html').then(answer => answer.text())");
        assert_eq!(fetched.as_str().unwrap(), fs::read_to_string(&saved).unwrap());
        server.signal(Signal::TERM);
        assert_eq!(server.end(), Some(0));
        browser.open(&format!("file://{}", saved.display()));
        assert_eq!(browser.value("document.querySelectorAll('#moves tbody tr').length"), moves, "{heaps}");
        let kept = browser.value("document.body.textContent");
        let by_name = if moves == 3 { "The person on seat 1 has won." } else { "grundy:version=2 has won." };
        assert!(kept.as_str().unwrap().contains(by_name), "{kept}");
        assert_eq!(browser.complaints(), [""; 0]);
    }
}

/// Chooses what another would play, part by part as it is offered, or types it.
#[track_caller]
fn follow(browser: &mut Browser, by: By) {
    // Not by a place: what is told above the button may come or go just then, and move it.
    browser.value("document.querySelector('[data-do=hint]').click()");
    let mut advice = String::new();
    browser.wait(|browser| {
        let note = browser.value(NOTE).as_str().unwrap().to_owned();
        advice = note.split(" would play ").nth(1).unwrap_or_default().to_owned();
        !advice.is_empty()
    });
    if by == By::Typing {
        return choose(browser, &advice, by);
    }
    let mut rest = advice.as_str();
    while !rest.is_empty() {
        let choices = wait_for_turn(browser);
        let fitting = choices.iter().filter(|choice| rest.starts_with(choice.as_str()));
        let choice = fitting.max_by_key(|choice| choice.len()).unwrap_or_else(|| panic!("{advice}: {choices:?}"));
        choose(browser, choice, by);
        // Between the parts of a move there is one sign.
        rest = rest[choice.len()..].trim_start_matches(|c: char| !c.is_alphanumeric());
    }
}

/// Plays a match as the best would, or as nobody would; whether the person alone has won, or has lost.
#[track_caller]
fn play_to_win(browser: &mut Browser, by: By, wins: bool, match_number: usize) -> Option<bool> {
    for turn in match_number.. {
        assert!(turn < match_number + 400, "{by:?}: the match does not end");
        let choices = wait_for_turn(browser);
        match choices.get(turn * 7 % choices.len().max(1)) {
            None => break,
            Some(_) if wins => follow(browser, by),
            Some(choice) => choose(browser, choice, by),
        }
    }
    let result = browser.value(RESULT).as_str().unwrap().to_owned();
    // A row of the table is the rank, the seat, the player and the score.
    let rows: Vec<&str> = result.lines().map(|line| line.trim_start_matches("RankPlayerScore")).collect();
    let rank = |seat: usize| {
        let is_of_seat = |row: &&&str| row.split(' ').nth(1) == Some(&seat.to_string());
        rows.iter().find(is_of_seat)?.chars().next()
    };
    match (rank(1), rank(2)) {
        (Some('1'), Some('2')) => Some(true),
        (Some('2'), Some('1')) => Some(false),
        (Some(_), Some(_)) => None,
        _ => panic!("no ranks: {result}"),
    }
}

/// Tries what the rules forbid, typed and, where there are such places, by a click: it is told why, and nothing is played.
#[track_caller]
fn try_what_is_forbidden(browser: &mut Browser, typed: &str) {
    let words = "document.getElementById('words').textContent";
    let before = browser.value(words);
    choose(browser, typed, By::Typing);
    let note = browser.value(NOTE).as_str().unwrap().to_owned();
    assert!(note.starts_with("not allowed: "), "{typed}: {note}");
    let other = browser.value("document.querySelector('.spot:not(.go)')?.dataset.choose ?? ''");
    if let Some(other) = other.as_str().filter(|other| !other.is_empty()) {
        choose(browser, "zzz", By::Typing);
        browser.click(&format!(".spot[data-choose='{other}']"));
        browser.wait(|browser| browser.value(NOTE).as_str().unwrap().starts_with("not allowed: "));
    }
    assert_eq!(browser.value(words), before, "{typed}");
}

/// A person wins against the beginner and loses against the best there is, by clicks and by keys alone.
#[track_caller]
fn is_won_and_lost(game: &str, clients: &[&str], options: &[&str], forbidden: &str) {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    clients.iter().for_each(|client| drop(arena.rust_client(client)));
    let mut browser = Browser::start();
    for (level, wins) in [("1", true), ("3", false)] {
        let args = [&[game, "--level", level, "--seat", "1", "--time", "50ms", "-s", "3"], options].concat();
        let server = start(&arena, &args);
        browser.open(&server.link);
        wait_for_turn(&mut browser);
        try_what_is_forbidden(&mut browser, forbidden);
        for by in [By::Clicks, By::Keys] {
            // Chance has a part in most games: the first of a few matches that ends so.
            let mut results = Vec::new();
            while results.last() != Some(&Some(wins)) {
                assert!(results.len() < 12, "{game} {by:?}: {results:?}");
                results.push(play_to_win(&mut browser, by, wins, results.len()));
                browser.click("[data-do=again]");
                browser.wait(|browser| browser.value(RESULT) == "");
            }
        }
        assert_eq!(browser.complaints(), [""; 0], "{game}");
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0), "{game}");
    }
}

#[test]
fn amazons_is_won_and_lost() {
    is_won_and_lost("amazons", &["alphabeta"], &["-b", "square:5"], "a1-a2/a3");
}

#[test]
fn six_qui_prend_is_won_and_lost() {
    is_won_and_lost("six_qui_prend", &["six-best"], &["-o", "hand=4", "-o", "limit=0"], "104");
}

#[test]
fn mastermind_is_won_and_lost() {
    is_won_and_lost("mastermind", &["mastermind"], &["-o", "pegs=3", "-o", "values=4", "-o", "tries=6"], "0 0 9");
}

#[test]
fn grundy_is_won_and_lost() {
    is_won_and_lost("grundy", &["grundy"], &["-o", "heaps=9"], "1 9");
}

#[test]
fn tirs_croises_is_won_and_lost() {
    is_won_and_lost("tirs_croises", &["tirs"], &["-o", "size=4"], "9,9");
}
