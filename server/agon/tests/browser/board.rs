//! The page of a board as a person uses it: what may be chosen, by clicks, by keys alone, or typed.

use super::{Browser, strings};

/// How a person chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Clicks,
    Keys,
    Typing,
}

/// What can be chosen now, by its selector; a person who is not to move has nothing.
pub const CHOICES: &str =
    "[...document.querySelectorAll('.spot.go, .choices [data-choose]')].map(one => one.dataset.choose)";
pub const MAIN: &str = "document.querySelector('main').outerHTML";
pub const NOTE: &str = "document.getElementById('note').textContent";
pub const RESULT: &str = "(result => result ? `${document.getElementById('said').textContent}\\n${result.textContent}` : '')\
    (document.getElementById('result'))";

/// Until the person may choose or the match is over: what may be chosen.
#[track_caller]
pub fn wait_for_turn(browser: &mut Browser) -> Vec<String> {
    let mut choices = Vec::new();
    browser.wait(|browser| {
        choices = strings(&browser.value(CHOICES));
        !choices.is_empty() || browser.value(RESULT) != ""
    });
    choices
}

/// Chooses one thing, and waits until the page shows it.
#[track_caller]
pub fn choose(browser: &mut Browser, choice: &str, by: By) {
    // The field for typed moves is folded away, and opening it is a change of the page as well.
    if matches!(by, By::Typing) {
        browser.value("document.getElementById('by-hand').open = true");
    }
    let before = browser.value(MAIN);
    let selector = format!(".go[data-choose='{choice}'], button[data-choose='{choice}']");
    match by {
        By::Clicks => browser.click(&selector),
        By::Keys => {
            let is_there = format!("document.activeElement.matches({selector:?})");
            for _ in 0..200 {
                if browser.value(&is_there) == true {
                    break;
                }
                browser.press("Tab");
            }
            assert_eq!(browser.value(&is_there), true, "{choice} is not reached by Tab");
            browser.press("Enter");
        }
        By::Typing => {
            browser.value("document.getElementById('move').focus()");
            browser.write(choice);
            browser.press("Enter");
        }
    }
    browser.wait(|browser| browser.value(MAIN) != before);
}

/// Until both people may choose a card: their hands. Whoever must take a row first takes one.
#[track_caller]
pub fn wait_for_cards(browser: &mut Browser, tabs: &[String; 2]) -> [Vec<String>; 2] {
    let mut hands = [Vec::new(), Vec::new()];
    browser.wait(|browser| {
        hands = tabs.each_ref().map(|tab| look_at_cards(browser, tab));
        hands.iter().all(|hand| !hand.is_empty())
    });
    hands
}

/// Until the match is over: even the last card may take a row.
#[track_caller]
pub fn wait_for_the_end(browser: &mut Browser, tabs: &[String; 2]) {
    browser.wait(|browser| {
        tabs.iter().for_each(|tab| drop(look_at_cards(browser, tab)));
        browser.value(RESULT) != ""
    });
}

/// The cards to choose from in this page. If a row is to be taken, one is, and there are no cards yet.
fn look_at_cards(browser: &mut Browser, tab: &str) -> Vec<String> {
    browser.focus(tab);
    let cards = strings(&browser.value(CHOICES));
    let Some(row) = cards.iter().find(|choice| choice.starts_with("row")) else { return cards };
    choose(browser, row, By::Clicks);
    Vec::new()
}
