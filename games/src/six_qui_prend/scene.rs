//! 6 qui prend in words: the picture of a state, and the notation of moves (`42`, `row 2`, `row cheapest`; in French
//! `rangée 2` and `rangée min`).

use super::abi::{CHEAPEST_ROW, Move};
use super::rows::{MAX_CARD, ROWS, heads};
use super::{Chosen, SixQuiPrend, pushes};
use crate::{Item, Language, Panel, Scene, Seat};

/// Seats with their heads that are drawn side by side.
const SEATS_A_LINE: usize = 5;
/// With more seats, two of the cards just laid are drawn side by side.
const SEATS_OF_ONE_COLUMN: usize = 5;

/// The notation of a move. Bytes that are not a move are shown as numbers.
pub(super) fn write(mv: Move) -> String {
    match (mv.card, mv.row) {
        (0, CHEAPEST_ROW) => "row cheapest".to_owned(),
        (0, row) if usize::from(row) < ROWS => format!("row {}", row + 1),
        (card, 0) => card.to_string(),
        (card, row) => format!("card={card} row={row}"),
    }
}

/// Reads the move in a text, if there is one.
pub(super) fn read(text: &str) -> Option<Move> {
    let text = text.trim();
    let Some(row) = ["row ", "rangée ", "rangee "].iter().find_map(|word| text.strip_prefix(word)) else {
        return text.parse().ok().filter(|card| (1..=MAX_CARD).contains(card)).map(|card| Move { card, row: 0 });
    };
    if ["cheapest", "min"].contains(&row) {
        return Some(Move { card: 0, row: CHEAPEST_ROW });
    }
    row.parse().ok().filter(|row| (1..=ROWS as u8).contains(row)).map(|row: u8| Move { card: 0, row: row - 1 })
}

pub(super) fn list(cards: &[u8]) -> String {
    let cards: Vec<_> = cards.iter().map(u8::to_string).collect();
    cards.join(" ")
}

/// The words of a picture.
struct Words {
    seat: &'static str,
    row: &'static str,
}

/// `1 head`, `7 heads`; in French 0 is singular as well.
pub(super) fn count_heads(heads: u8, language: Language) -> String {
    let (english, french) = (if heads == 1 { "head" } else { "heads" }, if heads < 2 { "tête" } else { "têtes" });
    format!("{heads} {}", language.pick(english, french))
}

fn words(language: Language) -> Words {
    language.pick(Words { seat: "seat", row: "row" }, Words { seat: "place", row: "rangée" })
}

/// The part of the state that somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sees {
    All,
    /// The table and the hand of a seat.
    Own(Seat),
    /// The table alone.
    Table,
}

/// The state as somebody sees it.
pub(super) fn draw(game: &SixQuiPrend, sees: Sees, language: Language) -> Scene {
    let mut panels =
        vec![Panel::new(title(game, sees, language), rows(game, language)).with_items(drawn_rows(game, language))];
    let last = last_cards(game, language);
    if sees == Sees::All {
        panels.push(Panel { lines: Vec::new(), is_picture: true, ..heads_alone(game, language, 2) });
    }
    if sees != Sees::Table {
        panels.push(last.clone());
    }
    if let Sees::Own(seat) = sees {
        panels.push(own_hand(game, seat, language));
    }
    if sees == Sees::All {
        panels.push(heads_and_hands(game, language));
        panels.extend(pushes::panel(game, language));
    } else {
        panels.push(heads_alone(game, language, SEATS_A_LINE));
    }
    // People who only watch look at the rows and the heads first.
    if sees == Sees::Table {
        panels.push(last);
    }
    Scene { panels, spoken: speak(game, sees, language), brief: 1, ..Scene::default() }
}

fn last_cards(game: &SixQuiPrend, language: Language) -> Panel {
    // Whoever must take a row has the lowest card, so either none of these cards lies in a row or all do.
    let ((mut lines, mut drawn), (left, drawn_left)) = (placed(game, language), revealed(game, language));
    lines.extend(left);
    drawn.extend(drawn_left);
    let a_line = if game.seats > SEATS_OF_ONE_COLUMN { 2 } else { 1 };
    Panel::new(language.pick("last cards", "dernières cartes"), lines).with_items(in_lines(drawn, a_line))
}

fn own_hand(game: &SixQuiPrend, seat: Seat, language: Language) -> Panel {
    let cards = game.hands[seat].as_slice();
    let line = format!("{} {}", label(seat, language), list(cards));
    let drawn = with_seat(seat, cards.iter().map(|card| drawn_card(*card)));
    let hand = if cards.is_empty() { (vec![], vec![]) } else { (vec![line], vec![drawn]) };
    Panel { is_hand: true, ..Panel::new(language.pick("hands", "mains"), hand.0).with_items(hand.1) }
}

/// In words, a seat's heads stand next to its hand; a picture has them in a panel of their own.
fn heads_and_hands(game: &SixQuiPrend, language: Language) -> Panel {
    let cards = |seat: Seat| game.hands[seat].as_slice();
    let line = |seat: Seat| {
        let line = format!("{} {:<8} {}", label(seat, language), all_heads(game, seat), list(cards(seat)));
        line.trim_end().to_owned()
    };
    // Where no hand has a card, nothing is drawn.
    let is_empty = (0..game.seats).all(|seat| cards(seat).is_empty());
    let drawn = |seat: Seat| match is_empty {
        true => Vec::new(),
        false => with_seat(seat, cards(seat).iter().map(|card| drawn_card(*card))),
    };
    let lines = (0..game.seats).map(line).collect();
    let [title, caption] = language.pick(["heads and hands", "hands"], ["têtes et mains", "mains"]);
    let panel = Panel::new(title, lines).with_items((0..game.seats).map(drawn).collect());
    Panel { caption: caption.to_owned(), ..panel }
}

fn heads_alone(game: &SixQuiPrend, language: Language, a_line: usize) -> Panel {
    let lines = (0..game.seats).map(|seat| format!("{} {}", label(seat, language), all_heads(game, seat)));
    let drawn = (0..game.seats).map(|seat| with_seat(seat, [Item::Text(all_heads(game, seat))]));
    let drawn = in_lines(drawn.collect(), a_line);
    let panel = Panel::new(language.pick("heads", "têtes"), lines.collect()).with_items(drawn);
    Panel { is_score: true, ..panel }
}

/// The beginning of a seat's line: `seat  3:`.
fn label(seat: Seat, language: Language) -> String {
    let Words { seat: at, .. } = words(language);
    format!("{at} {:>2}{}", seat + 1, language.colon())
}

/// The heads of a seat, those of this round in brackets.
fn all_heads(game: &SixQuiPrend, seat: Seat) -> String {
    match (game.shown.total_heads[seat], game.shown.round_heads[seat]) {
        (all, 0) => all.to_string(),
        (all, here) => format!("{all} (+{here})"),
    }
}

/// Things of several seats side by side.
fn in_lines(items: Vec<Vec<Item>>, a_line: usize) -> Vec<Vec<Item>> {
    items.chunks(a_line).map(<[Vec<Item>]>::concat).collect()
}

/// The state of the match; a picture that shows everything stands between two turns.
fn title(game: &SixQuiPrend, sees: Sees, language: Language) -> String {
    let (round, turn) = (game.shown.round, game.shown.turn);
    if game.over {
        return language.pick("the match is over", "la partie est finie").to_owned();
    }
    let now = language.pick(format!("round {round}, turn {turn}"), format!("manche {round}, tour {turn}"));
    match game.waiting() {
        Some(Chosen { card, seat }) => {
            let seat = seat + 1;
            let must = language.pick(
                format!("seat {seat} takes a row for {card}"),
                format!("la place {seat} ramasse une rangée pour {card}"),
            );
            format!("{now}{} {must}", language.colon())
        }
        None if sees == Sees::All => {
            language.pick(format!("round {round}, before turn {turn}"), format!("manche {round}, avant le tour {turn}"))
        }
        None => now,
    }
}

fn rows(game: &SixQuiPrend, language: Language) -> Vec<String> {
    let (rows, Words { row: name, .. }) = (&game.rows, words(language));
    let line = |row: usize| {
        let place = |card: &u8| if *card == 0 { "   .".to_owned() } else { format!("{card:>4}") };
        let cards: String = rows.each()[row].cards().iter().map(place).collect();
        format!("{name} {}{}{cards}   {}", row + 1, language.colon(), count_heads(rows.each()[row].heads(), language))
    };
    (0..ROWS).map(line).collect()
}

/// The revealed cards of this turn that lie nowhere yet, in the order in which they are laid: a player who takes a row
/// may consider those that follow.
fn revealed(game: &SixQuiPrend, language: Language) -> (Vec<String>, Vec<Vec<Item>>) {
    let at = words(language).seat;
    let left = || game.chosen[game.placed..game.num_chosen].iter().filter(|_| game.waiting().is_some());
    let line = |chosen: &Chosen| format!("{at} {:>2}{} {:>3} ?", chosen.seat + 1, language.colon(), chosen.card);
    let drawn = |chosen: &Chosen| with_seat(chosen.seat.into(), [drawn_card(chosen.card), Item::text("?")]);
    (left().map(line).collect(), left().map(drawn).collect())
}

pub(super) fn with_seat(seat: Seat, items: impl IntoIterator<Item = Item>) -> Vec<Item> {
    [Item::Seat(seat)].into_iter().chain(items).collect()
}

fn drawn_card(card: u8) -> Item {
    Item::Card { number: card.into(), weight: heads(card).into() }
}

/// The rows with their free places.
fn drawn_rows(game: &SixQuiPrend, language: Language) -> Vec<Vec<Item>> {
    let row = |row: usize| {
        let place = |card: &u8| if *card == 0 { Item::Place } else { drawn_card(*card) };
        let cards = game.rows.each()[row].cards();
        let value = Item::Text(count_heads(game.rows.each()[row].heads(), language));
        [Item::Text((row + 1).to_string())].into_iter().chain(cards.iter().map(place)).chain([value]).collect()
    };
    (0..ROWS).map(row).collect()
}

/// The cards laid, with their players and rows, and the heads taken.
fn placed(game: &SixQuiPrend, language: Language) -> (Vec<String>, Vec<Vec<Item>>) {
    let drawn = |event: &super::Event| {
        let taken = if event.num_taken == 0 { String::new() } else { format!(" (+{})", event.heads) };
        with_seat(event.seat.into(), [drawn_card(event.card), Item::Text(format!("→ {}{taken}", event.row + 1))])
    };
    (placed_lines(game, language), game.events[..game.placed].iter().map(drawn).collect())
}

fn placed_lines(game: &SixQuiPrend, language: Language) -> Vec<String> {
    let Words { seat, row } = words(language);
    let (to, takes) = language.pick(("to", "takes"), ("en", "ramasse"));
    let line = |event: &super::Event| {
        let taken = &event.taken[..usize::from(event.num_taken).min(event.taken.len())];
        let cost = if taken.is_empty() {
            String::new()
        } else {
            format!(", {takes} {} ({})", list(taken), count_heads(event.heads, language))
        };
        format!("{seat} {:>2}{} {:>3} {to} {row} {}{cost}", event.seat + 1, language.colon(), event.card, event.row + 1)
    };
    game.events[..game.placed].iter().map(line).collect()
}

fn speak(game: &SixQuiPrend, sees: Sees, language: Language) -> String {
    let Words { row: name, .. } = words(language);
    let yours = language.pick("your hand", "votre main");
    let rows = (0..ROWS).map(|row| {
        format!(
            "{name} {} {}",
            row + 1,
            list(&game.rows.each()[row].cards()[..usize::from(game.rows.each()[row].size())])
        )
    });
    let mut parts = vec![title(game, sees, language)];
    parts.extend(rows);
    if let Sees::Own(seat) = sees {
        parts.push(format!("{yours} {}", list(game.hands[seat].as_slice())));
    }
    parts.join(language.pick("; ", " ; ")) + "."
}
