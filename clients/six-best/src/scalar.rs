//! One playout at a time: what `lanes.rs` does, plainly.

use crate::deal::{Choice, Deals, LANES, Lanes, MAX_HAND, MAX_SEATS};
use crate::skill::Weights;
use crate::table::Table;

/// Plays a lane of the deals from `table` to the end of the round. Seat 0 begins with `first`, or as in every turn if
/// it is 0. The heads that each seat takes.
pub fn play_lane(table: &Table, first: u8, deals: &Deals, lane: usize) -> [i16; MAX_SEATS] {
    let mut table = *table;
    let mut taken = [0; MAX_SEATS];
    let mut hands = [[0u8; MAX_HAND]; MAX_SEATS];
    for (hand, slots) in hands.iter_mut().zip(&deals.hands[..deals.seats]) {
        for (card, slot) in hand.iter_mut().zip(&slots[..deals.cards]) {
            *card = slot.0[lane] as u8;
        }
    }
    let mut owner = [0u8; 128];
    for turn in 0..deals.cards {
        let weights = Weights::at(deals.seats, deals.cards - turn);
        let mut laid: u128 = 0;
        for (seat, hand) in hands[..deals.seats].iter_mut().enumerate() {
            let hand = &mut hand[..deals.cards - turn];
            let at = if turn == 0 && seat == 0 && first != 0 {
                hand.iter().position(|card| *card == first).unwrap_or(0)
            } else if deals.choice[seat].0[lane] == Choice::Fitting as i16 {
                (0..hand.len()).min_by_key(|at| table.key(hand[*at])).unwrap_or(0)
            } else if deals.choice[seat].0[lane] == Choice::Skilled as i16 {
                let noise = &deals.noise[seat][turn..];
                let score = |at: &usize| weights.score(&table, hand[*at]) + noise[*at].0[lane];
                (0..hand.len()).min_by_key(score).unwrap_or(0)
            } else {
                0
            };
            let card = hand[at] & 127;
            laid |= 1 << card;
            owner[usize::from(card)] = seat as u8;
            // What is behind it moves up; not by `copy_within`, whose call takes longer than the few bytes.
            for at in at + 1..hand.len() {
                hand[at - 1] = hand[at];
            }
        }
        while laid != 0 {
            let card = laid.trailing_zeros() as u8 & 127;
            laid &= laid - 1;
            taken[usize::from(owner[usize::from(card)])] += i16::from(table.lay(card, table.row_of(card)));
        }
    }
    taken
}

/// All lanes, one after the other.
pub fn play(table: &Table, first: u8, deals: &Deals) -> [Lanes; MAX_SEATS] {
    let mut all = [Lanes([0; LANES]); MAX_SEATS];
    for lane in 0..LANES {
        for (all, taken) in all.iter_mut().zip(play_lane(table, first, deals, lane)) {
            all.0[lane] = taken;
        }
    }
    all
}
