//! Deals to opponents: every unseen card at most once; the more often a deal comes, the better it explains their acts.

use crate::matches::{Guest, View, start, table};
use agon_client_api::Rules;
use agon_games::six_qui_prend::SixQuiPrend;
use six_best::belief::{Belief, Dealer, Revealed};
use six_best::chance::Chance;
use six_best::deal::{Choice, Deals, LANES, MAX_SEATS};

/// Plays some turns between guests of one kind; the state, and what all have seen.
fn play(guest: &str, seats: usize, turns: usize, number: u64) -> (SixQuiPrend, Vec<Revealed>) {
    let mut state = start(&[("rules", "course")], seats, number);
    let mut guests: Vec<Guest> = (0..seats).map(|seat| Guest::named(guest, &state, seat, number)).collect();
    let mut seen = Vec::new();
    for _ in 0..turns {
        let table = table(&View::of(&state, 0).turn(), false);
        let answers: Vec<_> = guests
            .iter_mut()
            .enumerate()
            .map(|(seat, guest)| (seat, guest.play(&View::of(&state, seat).turn())))
            .collect();
        let mut cards = [0; MAX_SEATS];
        answers.iter().for_each(|(seat, mv)| cards[*seat] = mv.card);
        seen.push(Revealed { table, cards });
        state.play(&answers);
    }
    (state, seen)
}

/// The dealer of seat 0, and the cards that it does not know.
fn dealer(state: &SixQuiPrend, seats: usize, seen: &[Revealed], watches: bool) -> (Dealer, Vec<u8>) {
    let view = View::of(state, 0);
    let turn = view.turn();
    let shown = turn.facts.seen;
    let is_shown = |card: &u8| shown[usize::from(card / 64)] >> (card % 64) & 1 == 1;
    let pool: Vec<u8> = (1..=104).filter(|card| !is_shown(card) && !turn.hand().contains(card)).collect();
    let others: Vec<usize> = (1..seats).collect();
    (Belief::new(watches).dealer(&others, seen, turn.hand().len(), pool.clone(), Chance::new(3)), pool)
}

/// The hand that a lane gives a seat, ascending.
fn hand(deals: &Deals, seat: usize, lane: usize) -> Vec<u8> {
    let mut hand: Vec<u8> = deals.hands[seat][..deals.cards].iter().map(|cards| cards.0[lane] as u8).collect();
    hand.sort_unstable();
    hand
}

#[test]
fn every_unseen_card_is_dealt_at_most_once() {
    for (seats, turns) in [(2, 0), (4, 3), (10, 0), (10, 6), (10, 9)] {
        let (state, seen) = play("random", seats, turns, 1);
        let (mut dealer, pool) = dealer(&state, seats, &seen, true);
        let mut deals = Deals::new(seats, 10 - turns);
        for _ in 0..20 {
            dealer.deal(&mut deals);
            for lane in 0..LANES {
                let mut dealt: Vec<u8> = (1..seats).flat_map(|seat| hand(&deals, seat, lane)).collect();
                dealt.sort_unstable();
                let count = dealt.len();
                dealt.dedup();
                assert_eq!((dealt.len(), count), ((seats - 1) * (10 - turns), dealt.len()));
                assert!(dealt.iter().all(|card| pool.contains(card)));
            }
        }
    }
}

/// How often a dealt opponent plays what fits best in its next turn, and how many of the cards that it really holds it
/// is dealt.
fn count(guest: &str, turns: usize, watches: bool) -> (f64, f64) {
    let (mut fitting, mut right, mut lanes, mut cards) = (0, 0, 0, 0);
    for number in 0..20 {
        let (state, seen) = play(guest, 4, turns, number);
        let (mut dealer, _) = dealer(&state, 4, &seen, watches);
        let mut deals = Deals::new(4, 10 - turns);
        for _ in 0..8 {
            dealer.deal(&mut deals);
            for (seat, lane) in (1..4).flat_map(|seat| (0..LANES).map(move |lane| (seat, lane))) {
                let held = View::of(&state, seat).turn().hand().to_vec();
                fitting += usize::from(deals.choice[seat].0[lane] == Choice::Fitting as i16);
                right += hand(&deals, seat, lane).iter().filter(|card| held.contains(card)).count();
                (lanes, cards) = (lanes + 1, cards + held.len());
            }
        }
    }
    (fitting as f64 / lanes as f64, right as f64 / cards as f64)
}

#[test]
fn who_plays_what_fits_is_known_by_it_and_so_is_who_plays_by_chance() {
    let ((gap, gap_right), (random, _)) = (count("gap", 5, true), count("random", 5, true));
    let (unknown, blind_right) = count("gap", 5, false);
    assert!(gap > 0.9 && random < 0.2 && (0.15..0.25).contains(&unknown), "{gap} {random} {unknown}");
    assert!(gap_right > 1.3 * blind_right, "{gap_right} {blind_right}");
    let (largest, right) = count("largest", 5, true);
    assert!(largest < 0.2 && right > 1.3 * blind_right, "{largest} {right} {blind_right}");
}
