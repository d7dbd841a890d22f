//! The playouts in lanes, those one at a time, and the rules of the server take the same heads, deal by deal.

use crate::matches::{View, start, table};
use agon_client_api::Rules;
use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Turn, lay, take};
use agon_games::six_qui_prend::SixQuiPrend;
use agon_games::{below, rng_from};
use proptest::prelude::*;
use six_best::chance::Chance;
use six_best::deal::{Choice, Deals, LANES, Lanes, MAX_SEATS};
use six_best::path::Path;
use six_best::skill::{Noise, Weights};
use six_best::style::STYLES;

/// All that plays lanes: one at a time, in arrays, and whatever is quickest here.
fn paths() -> [Path; 3] {
    [Path::Scalar, Path::Portable, Path::auto()]
}

/// The rest of the round by the rules of the server, where each seat chooses as the deal says.
fn play_by_the_rules(mut state: SixQuiPrend, deals: &Deals, lane: usize, first: u8, is_exact: bool) -> Vec<i64> {
    let before = state.scores().values;
    for turn in 0..deals.cards {
        let weights = Weights::at(deals.seats, deals.cards - turn);
        let choose = |seat: usize, view: &Turn| {
            if turn == 0 && seat == 0 && first != 0 {
                return first;
            }
            let dealt = deals.hands[seat][..deals.cards].iter().map(|cards| cards.0[lane] as u8);
            let held: Vec<u8> = dealt.filter(|card| view.hand().contains(card)).collect();
            let table = table(view, is_exact);
            let choice = deals.choice[seat].0[lane];
            if choice == Choice::Fitting as i16 {
                *held.iter().min_by_key(|card| table.key(**card)).unwrap()
            } else if choice == Choice::Skilled as i16 {
                let noise = deals.noise[seat][turn..].iter().map(|noise| noise.0[lane]);
                let scored = held.iter().zip(noise).map(|(card, noise)| (weights.score(&table, *card) + noise, *card));
                scored.min_by_key(|(score, _)| *score).unwrap().1
            } else {
                held[0]
            }
        };
        let answers: Vec<_> =
            (0..deals.seats).map(|seat| (seat, lay(choose(seat, &View::of(&state, seat).turn())))).collect();
        answers.iter().for_each(|(seat, mv)| state.check(*seat, *mv).unwrap());
        state.play(&answers);
        while state.to_move().iter().count() == 1 {
            let seat = state.to_move().iter().next().unwrap();
            state.play(&[(seat, take(CHEAPEST_ROW))]);
        }
    }
    state.scores().values.iter().zip(before).map(|(after, before)| after - before).collect()
}

/// A match in which some turns were played by chance.
fn midway(rules: &str, seats: usize, hand: usize, deck: &str, seed: u64) -> SixQuiPrend {
    let hand = hand.to_string();
    let mut state = start(&[("rules", rules), ("limit", "0"), ("hand", hand.as_str()), ("deck", deck)], seats, seed);
    let mut rng = rng_from(&[seed as u8; 32]);
    let turns = below(&mut rng, hand.parse().unwrap());
    for _ in 0..turns {
        let answers: Vec<_> = (0..seats).map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        state.play(&answers);
        while state.to_move().iter().count() == 1 {
            let seat = state.to_move().iter().next().unwrap();
            let mv = state.sample(seat, &mut rng);
            state.play(&[(seat, mv)]);
        }
    }
    state
}

proptest! {
    #[test]
    fn lanes_take_the_heads_that_the_rules_give(
        rules in prop::sample::select(vec!["official", "course", "course-exact"]),
        seats in 2..=10usize, hand in 1..=10usize, deck in prop::sample::select(vec!["all", "players"]),
        seed in any::<u64>(), is_forced in any::<bool>(),
    ) {
        let state = midway(rules, seats, hand, deck, seed);
        let own = View::of(&state, 0);
        let (rows, cards) = (table(&own.turn(), rules == "course-exact"), own.turn().hand().len());
        let (mut chance, mut rng) = (Chance::new(seed), rng_from(&[7; 32]));
        let mut deals = Deals::new(seats, cards);
        let mut states = Vec::new();
        for lane in 0..LANES {
            let dealt = state.redeal(0, &mut rng);
            for seat in 0..seats {
                let mut hand = View::of(&dealt, seat).turn().hand().to_vec();
                let choice = STYLES[chance.below(STYLES.len())].arrange(&mut hand, &mut chance);
                deals.give(seat, lane, &hand, choice);
                Noise::get().fill(&mut deals.noise[seat], &mut chance);
            }
            states.push(dealt);
        }
        let first = if is_forced { own.turn().hand()[chance.below(cards)] } else { 0 };
        let taken = paths().map(|path| path.play(&rows, first, &deals));
        prop_assert_eq!(taken[0], taken[1]);
        prop_assert_eq!(taken[0], taken[2]);
        for (lane, state) in states.into_iter().enumerate() {
            let heads: Vec<i64> = taken[0][..seats].iter().map(|lanes| lanes.0[lane].into()).collect();
            let by_the_rules = play_by_the_rules(state, &deals, lane, first, rules == "course-exact");
            prop_assert_eq!(heads, by_the_rules, "lane {}", lane);
        }
    }
}

#[test]
fn seats_that_do_not_play_take_nothing() {
    let state = start(&[("rules", "course")], 3, 1);
    let view = View::of(&state, 0);
    let mut deals = Deals::new(3, 10);
    for seat in 0..3 {
        for lane in 0..LANES {
            deals.give(seat, lane, View::of(&state, seat).turn().hand(), Choice::First);
        }
    }
    for path in paths() {
        let taken = path.play(&table(&view.turn(), false), 0, &deals);
        assert!(taken[..3].iter().any(|lanes| lanes.0[0] > 0));
        assert_eq!(taken[3..], [Lanes([0; LANES]); MAX_SEATS - 3]);
    }
}
