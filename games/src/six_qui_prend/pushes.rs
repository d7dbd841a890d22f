//! Counts who pushed whom: a sixth card takes a row because of the cards that others laid there before it in the same
//! turn.

use super::abi::{Event, SIXTH};
use super::scene::{count_heads, with_seat};
use super::{SixQuiPrend, TOO_LOW};
use crate::{Item, Language, Panel, Seat};

/// The seats whose cards of this turn lie in the row that an event takes, in the order in which they were laid.
fn pushers(events: &[Event], taking: usize) -> Vec<Seat> {
    let row = events[taking].row;
    let before = events[..taking].iter().rev().filter(|event| event.row == row);
    // A card that takes a row is the first of the new one.
    let mut seats = Vec::new();
    for event in before {
        seats.push(event.seat.into());
        if event.num_taken > 0 {
            break;
        }
    }
    seats.reverse();
    seats
}

/// A line for each row that was taken in the last turn; `None` if there was none.
pub(super) fn panel(game: &SixQuiPrend, language: Language) -> Option<Panel> {
    let events = &game.events[..game.placed];
    let takes: Vec<usize> = (0..events.len()).filter(|at| events[*at].num_taken > 0).collect();
    let title = language.pick("who pushed whom", "qui a poussé qui");
    let cause = |at: &usize| words(&events[*at], &pushers(events, *at), language);
    let lines = takes.iter().map(|at| {
        let (seat, (said, seats)) = (events[*at].seat + 1, cause(at));
        let seats: Vec<String> = seats.iter().map(|seat| (seat + 1).to_string()).collect();
        let line = language.pick(format!("seat {seat:>2}: {said}"), format!("place {seat:>2} : {said}"));
        format!("{line} {}", seats.join(", ")).trim_end().to_owned()
    });
    let items = takes.iter().map(|at| {
        let (_, seats) = cause(at);
        let cost = drawn_cost(&events[*at], seats.is_empty(), language);
        with_seat(events[*at].seat.into(), [Item::Text(cost)].into_iter().chain(seats.into_iter().map(Item::Seat)))
    });
    (!takes.is_empty()).then(|| Panel::new(title, lines.collect()).with_items(items.collect()))
}

/// The cost of a take and its cause, as short as a picture needs it; the seats that pushed follow.
fn drawn_cost(event: &Event, is_alone: bool, language: Language) -> String {
    let cause = match event.kind {
        TOO_LOW => language.pick(": too low", " : trop basse"),
        _ if is_alone => language.pick(": row full", " : rangée pleine"),
        _ => " ←",
    };
    format!("+{}{cause}", event.heads)
}

/// The cost of a take, and its cause up to the seats that pushed.
fn words(event: &Event, pushers: &[Seat], language: Language) -> (String, Vec<Seat>) {
    let (heads, row) = (count_heads(event.heads, language), event.row + 1);
    let (english, french) = match event.kind {
        TOO_LOW => ("its card was too low", "sa carte était trop basse"),
        SIXTH if pushers.is_empty() => ("the row was full", "la rangée était pleine"),
        _ => ("pushed by", "poussée par"),
    };
    let seats = if event.kind == SIXTH { pushers.to_vec() } else { Vec::new() };
    let said =
        language.pick(format!("{heads} in row {row}, {english}"), format!("{heads} dans la rangée {row}, {french}"));
    (said, seats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyGame, Game, Opening, Options, Rules, rng_from};
    use std::sync::Arc;

    /// The rows as lists of cards, each with the turn in which it was laid and by whom.
    type PlainRows = [Vec<(u8, u32, Seat)>; 4];

    #[test]
    #[expect(clippy::too_many_lines)]
    fn those_who_pushed_are_the_owners_of_this_turns_cards_in_the_taken_row() {
        let mut seen = [0; 3];
        for (options, seats) in [
            ("limit=0", 10),
            ("limit=0", 5),
            ("limit=66", 7),
            ("limit=0 low_card=cheapest", 8),
            ("limit=0 rules=course", 6),
        ] {
            let facts = Game::<SixQuiPrend>::ENTRY.facts();
            let options = facts.complete(&Options::from_pairs(options)).unwrap();
            let setting = Arc::new(SixQuiPrend::prepare(&options, seats).unwrap());
            for number in 0..6 {
                let mut game = SixQuiPrend::start(&setting, seats, &Opening::numbered(number));
                let mut rng = rng_from(&[number as u8; 32]);
                let ends = |game: &SixQuiPrend| -> PlainRows {
                    std::array::from_fn(|row| vec![(game.rows.each()[row].cards()[0], 0, usize::MAX)])
                };
                let (mut rows, mut turn, mut done, mut round) = (ends(&game), 1, 0, 1);
                while !game.to_move().is_empty() {
                    let is_new_turn = game.waiting().is_none();
                    let answers: Vec<_> =
                        game.to_move().iter().map(|seat| (seat, game.sample(seat, &mut rng))).collect();
                    game.play(&answers);
                    if is_new_turn {
                        (turn, done) = (turn + 1, 0);
                    }
                    let events = &game.events[..game.placed];
                    for (at, event) in events.iter().enumerate().skip(done) {
                        let row = &mut rows[usize::from(event.row)];
                        let owner = (event.card, turn, usize::from(event.seat));
                        if event.num_taken == 0 {
                            row.push(owner);
                            continue;
                        }
                        let cards: Vec<u8> = row.iter().map(|(card, ..)| *card).collect();
                        assert_eq!(cards, event.taken[..usize::from(event.num_taken)]);
                        let plain: Vec<Seat> =
                            row.iter().filter(|(_, laid, _)| *laid == turn).map(|(.., seat)| *seat).collect();
                        assert_eq!(pushers(events, at), plain, "{event:?}");
                        seen[if event.kind == TOO_LOW { 2 } else { usize::from(plain.is_empty()) }] += 1;
                        *row = vec![owner];
                    }
                    done = game.placed;
                    if game.shown.round != round {
                        round = game.shown.round;
                        rows = ends(&game);
                    }
                }
            }
        }
        assert!(seen.iter().all(|times| *times > 0), "pushed, full, too low: {seen:?}");
    }
}
