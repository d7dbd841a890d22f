//! 6 qui prend in words: the picture of a state, and the notation of moves (`42`, `row 2`, `row cheapest`).

use super::abi::{CHEAPEST_ROW, Move};
use super::rows::{MAX_CARD, ROWS};
use super::{Chosen, SixQuiPrend};
use crate::{Panel, Scene, Seat};

/// The notation of a move; what is no move at all is shown as its numbers.
pub(super) fn write(mv: Move) -> String {
    match (mv.card, mv.row) {
        (0, CHEAPEST_ROW) => "row cheapest".to_owned(),
        (0, row) if usize::from(row) < ROWS => format!("row {}", row + 1),
        (card, 0) => card.to_string(),
        (card, row) => format!("card={card} row={row}"),
    }
}

/// The move that a text means, if it means one.
pub(super) fn read(text: &str) -> Option<Move> {
    let text = text.trim();
    let Some(row) = text.strip_prefix("row ") else {
        return text.parse().ok().filter(|card| (1..=MAX_CARD).contains(card)).map(|card| Move { card, row: 0 });
    };
    if row == "cheapest" {
        return Some(Move { card: 0, row: CHEAPEST_ROW });
    }
    row.parse().ok().filter(|row| (1..=ROWS as u8).contains(row)).map(|row: u8| Move { card: 0, row: row - 1 })
}

/// Cards with one space between.
pub(super) fn list(cards: &[u8]) -> String {
    let cards: Vec<_> = cards.iter().map(u8::to_string).collect();
    cards.join(" ")
}

/// The state as `viewer` sees it, or all of it for `None`.
pub(super) fn draw(game: &SixQuiPrend, viewer: Option<Seat>) -> Scene {
    let mut panels = vec![Panel { title: title(game), lines: rows(game) }];
    if let Some(Chosen { card, seat }) = game.waiting() {
        let line = format!("seat {} must take a row for its {card}", seat + 1);
        panels.push(Panel { title: "too low".to_owned(), lines: vec![line] });
    }
    panels.push(Panel { title: "last cards".to_owned(), lines: placed(game) });
    let visible = (0..game.seats).filter(|seat| viewer.is_none_or(|viewer| viewer == *seat));
    let hand = |seat: Seat| format!("seat {:>2}: {}", seat + 1, list(game.hands[seat].as_slice()));
    panels.push(Panel { title: "hands".to_owned(), lines: visible.map(hand).collect() });
    let heads = |seat: Seat| {
        format!("seat {:>2}: {:>3}, {:>2} in this round", seat + 1, game.total_heads[seat], game.round_heads[seat])
    };
    panels.push(Panel { title: "heads".to_owned(), lines: (0..game.seats).map(heads).collect() });
    Scene { panels, spoken: speak(game, viewer), ..Scene::default() }
}

fn title(game: &SixQuiPrend) -> String {
    if game.over { "the match is over".to_owned() } else { format!("round {}, turn {}", game.round, game.turn) }
}

fn rows(game: &SixQuiPrend) -> Vec<String> {
    let rows = &game.rows;
    let line = |row: usize| {
        let place = |card: &u8| if *card == 0 { "   .".to_owned() } else { format!("{card:>4}") };
        let cards: String = rows.cards[row].iter().map(place).collect();
        format!("row {}:{cards}   {} heads", row + 1, rows.heads[row])
    };
    (0..ROWS).map(line).collect()
}

fn placed(game: &SixQuiPrend) -> Vec<String> {
    let line = |event: &super::Event| {
        let taken = &event.taken[..usize::from(event.num_taken).min(event.taken.len())];
        let cost =
            if taken.is_empty() { String::new() } else { format!(", takes {} ({} heads)", list(taken), event.heads) };
        format!("seat {:>2}: {:>3} to row {}{cost}", event.seat + 1, event.card, event.row + 1)
    };
    game.events[..game.placed].iter().map(line).collect()
}

fn speak(game: &SixQuiPrend, viewer: Option<Seat>) -> String {
    let rows = (0..ROWS)
        .map(|row| format!("row {} {}", row + 1, list(&game.rows.cards[row][..usize::from(game.rows.size[row])])));
    let mut parts = vec![title(game)];
    parts.extend(rows);
    parts.extend(viewer.map(|seat| format!("your hand {}", list(game.hands[seat].as_slice()))));
    parts.join("; ") + "."
}
