//! 6 qui prend as a user meets it: whole matches through `AnyState`, the table of the course, options and refusals.

use agon_abi::{Blob, bytes_of, read};
use agon_games::six_qui_prend::{
    ASKS_ROW, CHEAPEST_ROW, Event, Move, Prepared, SIXTH, Setup, SixQuiPrend, TOO_LOW, Turn, heads,
};
use agon_games::{
    AnyGame, AnyState, Game, MoveBytes, Opening, Options, PreparedSetting, Rng, Rules, Scores, Seat, below, rng_from,
    seed_of,
};
use std::collections::HashSet;
use std::sync::Arc;

fn options(pairs: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    pairs.iter().for_each(|(key, value)| options.set(key, value));
    options
}

fn prepare(pairs: &[(&str, &str)], seats: usize) -> Box<dyn PreparedSetting> {
    Game::<SixQuiPrend>::ENTRY.prepare(&options(pairs), seats).unwrap()
}

fn turn_of(state: &dyn AnyState, seat: Seat, blob: &mut Blob) -> Turn {
    blob.clear();
    state.turn(seat, blob);
    read(blob.bytes()).unwrap()
}

fn events_of(blob: &Blob) -> Vec<Event> {
    let turn: Turn = read(blob.bytes()).unwrap();
    (0..turn.num_events as usize)
        .map(|at| read(&blob.bytes()[blob.links()[0].target as usize + at * size_of::<Event>()..]).unwrap())
        .collect()
}

/// The card that strategy 0 to 4 of the course plays from an ascending hand.
fn strategy(number: usize, hand: &[u8], rng: &mut Rng) -> u8 {
    let size = hand.len();
    hand[match number {
        0 => 0,
        1 => size / 2,
        2 => below(rng, size as u64) as usize,
        3 => size.saturating_sub(2),
        _ => size - 1,
    }]
}

/// Plays a match to its end, seat i with strategy i mod 5; a row that is asked for is the cheapest.
fn play(state: &mut dyn AnyState, rng: &mut Rng, blob: &mut Blob, answers: &mut Vec<(Seat, MoveBytes)>) -> Scores {
    while !state.to_move().is_empty() {
        answers.clear();
        for seat in state.to_move().iter() {
            let turn = turn_of(state, seat, blob);
            let hand = &turn.hand[..usize::from(turn.num_hand)];
            let mv = match turn.kind {
                ASKS_ROW => Move { card: 0, row: CHEAPEST_ROW },
                _ => Move { card: strategy(seat % 5, hand, rng), row: 0 },
            };
            let mv = MoveBytes::new(bytes_of(&mv));
            state.check(seat, &mv).unwrap();
            answers.push((seat, mv));
        }
        state.play(answers);
    }
    state.scores()
}

/// Rank and heads of each strategy, averaged, in the units of the course's table.
fn table(rules: &str, games: u64) -> ([f64; 5], [f64; 5]) {
    let setting = prepare(&[("rules", rules)], 10);
    let (mut ranks, mut heads) = ([0u64; 5], [0u64; 5]);
    let (mut rng, mut blob, mut answers) = (rng_from(&seed_of(u64::MAX)), Blob::new(), Vec::new());
    for game in 0..games {
        let mut state = setting.start(&Opening::numbered(game));
        let scores = play(&mut *state, &mut rng, &mut blob, &mut answers);
        for seat in 0..10 {
            ranks[seat % 5] += 1 + (0..10).filter(|other| scores.beats(*other, seat)).count() as u64;
            heads[seat % 5] += scores.values[seat] as u64;
        }
    }
    (ranks.map(|sum| sum as f64 / 2.0 / games as f64), heads.map(|sum| sum as f64 / 2.0 / games as f64))
}

/// Fails beyond 4 standard errors; a pair's mean has standard deviation 1.85 in ranks and 6.3 in heads.
fn assert_table(rules: &str, ranks: [f64; 5], heads: [f64; 5]) {
    let games = 20_000;
    let found = table(rules, games);
    for (what, found, expected, deviation) in [("rank", found.0, ranks, 1.85), ("heads", found.1, heads, 6.3)] {
        for (found, expected) in found.into_iter().zip(expected) {
            let errors = (found - expected) / (deviation / (games as f64).sqrt());
            println!("{rules} {what}: {found:.4}, expected {expected:.4}, {errors:+.2} standard errors");
            assert!(errors.abs() < 4.0, "{rules} {what}: {found:.4}, expected {expected:.4}");
        }
    }
}

#[test]
fn course_exact_gives_the_table_of_the_course() {
    assert_table("course-exact", [5.7246, 5.3861, 6.0062, 5.4171, 4.9661], [15.334, 14.768, 16.729, 14.315, 13.351]);
}

#[test]
fn course_gives_its_own_table() {
    assert_table("course", [5.4441, 5.4524, 5.9175, 5.1903, 4.8146], [15.105, 15.268, 16.928, 14.357, 13.056]);
}

#[test]
fn the_strategies_play_the_cards_of_the_course() {
    let mut rng = rng_from(&seed_of(1));
    let picks = [0, 1, 3, 4].map(|number| strategy(number, &[2, 4, 6], &mut rng));
    assert_eq!(picks, [2, 4, 4, 6]);
    let mut hand: Vec<u8> = (0..10).collect();
    let order: Vec<u8> = (0..10)
        .map(|_| {
            let card = strategy(1, &hand, &mut rng);
            hand.retain(|held| *held != card);
            card
        })
        .collect();
    assert_eq!(order, [5, 4, 6, 3, 7, 2, 8, 1, 9, 0]);
}

#[test]
fn every_card_is_dealt_once_and_every_head_counted_once() {
    let mut blob = Blob::new();
    let state = prepare(&[], 10).start(&Opening::numbered(3));
    let mut cards = vec![];
    for seat in 0..10 {
        let turn = turn_of(&*state, seat, &mut blob);
        assert_eq!((turn.num_hand, turn.num_events, turn.round, turn.turn), (10, 0, 1, 1));
        assert!(turn.hand.is_sorted());
        cards.extend(turn.hand);
        if seat == 0 {
            cards.extend(turn.rows.map(|row| row[0]));
        }
    }
    cards.sort_unstable();
    assert_eq!(cards, (1..=104).collect::<Vec<u8>>());

    let mut state = prepare(&[("rules", "course")], 10).start(&Opening::numbered(3));
    let scores = play(&mut *state, &mut rng_from(&seed_of(4)), &mut blob, &mut vec![]);
    let last = turn_of(&*state, 0, &mut blob);
    let on_table: i64 = last.row_heads.iter().map(|heads| i64::from(*heads)).sum();
    assert_eq!(scores.values.iter().sum::<i64>() + on_table, 171);
    assert_eq!(last.seen, [u64::MAX - 1, (1 << 41) - 1]);
}

#[test]
fn rounds_follow_until_the_limit_is_reached() {
    let mut blob = Blob::new();
    for number in 0..50 {
        let mut state = prepare(&[], 4).start(&Opening::numbered(number));
        let scores = play(&mut *state, &mut rng_from(&seed_of(number + 99)), &mut blob, &mut vec![]);
        let last = turn_of(&*state, 0, &mut blob);
        let before = (0..4).map(|seat| last.total_heads[seat] - last.round_heads[seat]).max().unwrap();
        assert!(scores.values.iter().any(|heads| *heads >= 66) && before < 66 && last.round > 1, "{scores:?}");
    }
}

/// Every seat hears of every card once, in order, whatever it was asked in between; what it hears adds up to its view.
#[test]
fn events_tell_each_seat_everything_once() {
    let mut blob = Blob::new();
    let mut state = prepare(&[], 3).start(&Opening::numbered(5));
    let mut rng = rng_from(&seed_of(6));
    let mut heard: [Vec<Event>; 3] = Default::default();
    let (mut asked_for_rows, mut revealed) = (0, 0);
    while !state.to_move().is_empty() {
        let mut answers = vec![];
        for seat in state.to_move().iter() {
            let turn = turn_of(&*state, seat, &mut blob);
            heard[seat].extend(events_of(&blob));
            let mine = heard[seat].iter().filter(|event| usize::from(event.seat) == seat);
            let total: u16 = mine.map(|event| u16::from(event.heads)).sum();
            assert_eq!(turn.total_heads[seat], total);
            if turn.kind == ASKS_ROW {
                asked_for_rows += 1;
                assert_eq!(turn.revealed[seat], turn.pending);
                assert!(turn.revealed[..3].iter().all(|card| *card > 0) && turn.revealed[3..] == [0; 7]);
                assert!((0..4).all(|row| turn.rows[row][usize::from(turn.row_size[row]) - 1] > turn.pending));
                let lower = turn.revealed[..3].iter().filter(|card| **card < turn.pending).count();
                let now = |event: &&Event| (event.round, event.turn) == (turn.round, turn.turn);
                assert_eq!(heard[seat].iter().filter(now).count(), lower, "the lower cards are placed first");
            }
            answers.push((seat, state.sample(seat, &mut rng)));
        }
        if answers.len() == 3 {
            revealed += 1;
        }
        state.play(&answers);
    }
    assert!(asked_for_rows > 0);
    for events in &heard {
        assert!(events.len() >= 3 * (revealed - 1));
        assert_eq!(events[..], heard[0][..events.len()], "all hear the same");
        for event in events {
            let taken = &event.taken[..usize::from(event.num_taken)];
            assert_eq!(event.heads, taken.iter().map(|card| heads(*card)).sum::<u8>());
            assert!(event.kind != SIXTH || taken.len() == 5);
            assert!(event.kind != TOO_LOW || taken.last().unwrap() > &event.card);
        }
    }
}

#[test]
fn wrong_moves_are_refused_by_rule() {
    let state = prepare(&[], 2).start(&Opening::numbered(7));
    let turn = turn_of(&*state, 0, &mut Blob::new());
    let absent = (1..=104).find(|card| !turn.hand.contains(card)).unwrap();
    let rule = |state: &dyn AnyState, seat, card, row| {
        state.check(seat, &MoveBytes::new(bytes_of(&Move { card, row }))).map_err(|illegal| illegal.rule)
    };
    assert_eq!(rule(&*state, 0, turn.hand[3], 0), Ok(()));
    assert_eq!(rule(&*state, 0, turn.hand[3], 1), Err("row-not-asked"));
    assert_eq!(rule(&*state, 0, absent, 0), Err("card-not-in-hand"));
    assert_eq!(rule(&*state, 0, 0, 0), Err("no-such-card"));
    assert_eq!(rule(&*state, 0, 105, 0), Err("no-such-card"));
    assert_eq!(rule(&*state, 9, turn.hand[3], 0), Err("not-to-move"));
    let why = state.check(0, &MoveBytes::new(bytes_of(&Move { card: absent, row: 0 }))).unwrap_err().why;
    assert!(why.contains(&turn.hand[9].to_string()), "{why}");

    let mut state = prepare(&[], 10).start(&Opening::numbered(7));
    let mut rng = rng_from(&seed_of(8));
    while state.to_move().count() != 1 {
        let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        state.play(&answers);
    }
    let seat = state.to_move().iter().next().unwrap();
    assert_eq!(rule(&*state, seat, 0, 3), Ok(()));
    assert_eq!(rule(&*state, seat, 0, CHEAPEST_ROW), Ok(()));
    assert_eq!(rule(&*state, seat, 0, 4), Err("no-such-row"));
    assert_eq!(rule(&*state, seat, 17, 1), Err("card-not-asked"));
    assert_eq!(rule(&*state, (seat + 1) % 10, 0, 0), Err("not-to-move"));
}

#[test]
fn options_are_what_they_say() {
    let setup = |pairs, seats| {
        let mut blob = Blob::new();
        prepare(pairs, seats).start(&Opening::numbered(0)).setup(0, &mut blob);
        let setup: Setup = read(blob.bytes()).unwrap();
        (setup.rules, setup.low_card, setup.limit, setup.deck_max, setup.hand_size)
    };
    assert_eq!(setup(&[], 4), (0, 0, 66, 104, 10));
    assert_eq!(setup(&[("rules", "course")], 10), (1, 1, 0, 104, 10));
    assert_eq!(setup(&[("rules", "course-exact")], 10), (2, 1, 0, 104, 10));
    assert_eq!(setup(&[("low_card", "cheapest"), ("limit", "67"), ("deck", "players")], 2), (0, 1, 67, 24, 10));
    let refused = |pairs, seats| Game::<SixQuiPrend>::ENTRY.prepare(&options(pairs), seats).err().unwrap().key;
    assert_eq!(refused(&[("rules", "house")], 4), "rules");
    assert_eq!(refused(&[("limit", "-1")], 4), "limit");
    assert_eq!(refused(&[("limit", "many")], 4), "limit");
    assert_eq!(refused(&[("hand", "4")], 4), "hand");
    assert_eq!(refused(&[("rules", "course-exact"), ("low_card", "chooses")], 4), "low_card");
    assert_eq!(refused(&[("card", "4")], 4), "card");
    assert_eq!(refused(&[], 11), "seats");
}

/// In one round nothing but hands can differ, so that this is a law of the hands alone.
#[test]
fn redeals_reach_every_deal_that_a_seat_cannot_rule_out() {
    let mut rng = rng_from(&seed_of(11));
    // 3 seats with 2 cards each and no other cards: a seat does not know which 2 of 4 the next one holds.
    let state = prepare(&[("rules", "course"), ("hand", "2"), ("deck", "players")], 3).start(&Opening::numbered(2));
    for seat in 0..3 {
        let hashes: HashSet<u64> = (0..200).map(|_| state.redeal(seat, &mut rng).hash()).collect();
        assert!(hashes.len() == 6 && hashes.contains(&state.hash()));
    }
    let mut state = prepare(&[("rules", "course")], 4).start(&Opening::numbered(2));
    while !state.to_move().is_empty() {
        for seat in 0..4 {
            assert_ne!(state.redeal(seat, &mut rng).hash(), state.redeal(seat, &mut rng).hash());
        }
        let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        state.play(&answers);
    }
}

/// The state that a faulted seat leaves goes on with its lowest card and the cheapest row.
#[test]
fn an_absent_seat_plays_its_lowest_card() {
    let setting = Game::<SixQuiPrend>::ENTRY.facts().complete(&Options::default()).unwrap();
    let setting: Arc<Prepared> = Arc::new(SixQuiPrend::prepare(&setting, 2).unwrap());
    let state = SixQuiPrend::start(&setting, 2, &Opening::numbered(1));
    let turn = turn_of(&state, 1, &mut Blob::new());
    assert_eq!(Rules::absent(&state, 1), agon_games::Absent::Plays(Move { card: turn.hand[0], row: 0 }));
}
