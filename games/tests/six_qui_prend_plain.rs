//! The rules of 6 qui prend beside a plain and slow version of them, match by match, view by view; and what they came
//! to before they were made fast: the same hashes, turns and scores.

use agon_abi::{Blob, read};
use agon_games::six_qui_prend::{
    APPENDED, ASKS_ROW, CHEAPEST_ROW, Event, Move, SIXTH, SixQuiPrend, TOO_LOW, Turn, heads,
};
use agon_games::{AnyGame, AnyState, Game, Opening, Options, PreparedSetting, Seat, rng_from, shuffle};
use proptest::prelude::*;

fn prepare(pairs: &[(&str, &str)], seats: usize) -> Box<dyn PreparedSetting> {
    let mut options = Options::default();
    pairs.iter().for_each(|(key, value)| options.set(key, value));
    Game::<SixQuiPrend>::ENTRY.prepare(&options, seats).unwrap()
}

/// The table as anybody would write it down.
struct Plain {
    rules: String,
    hands: Vec<Vec<u8>>,
    rows: Vec<Vec<u8>>,
    /// The cards of the turn that are still to be laid, ascending, each with its seat.
    revealed: Vec<(u8, Seat)>,
    totals: Vec<u32>,
    in_round: Vec<u32>,
    seen: Vec<u8>,
    events: Vec<(u8, Seat, u8, usize, Vec<u8>)>,
}

fn sum(cards: &[u8]) -> u32 {
    cards.iter().map(|card| u32::from(heads(*card))).sum()
}

impl Plain {
    fn new(rules: &str, seats: usize) -> Plain {
        let (rules, totals) = (rules.to_owned(), vec![0; seats]);
        let (hands, rows, revealed, in_round) = (vec![], vec![], vec![], vec![]);
        Plain { rules, hands, rows, revealed, totals, in_round, seen: vec![], events: vec![] }
    }

    /// The owners of all cards, shuffled: the seats with ten cards each, the four rows, nobody.
    fn deal(&mut self, seed: &[u8; 32], round: u64) {
        let seats = self.totals.len();
        let mut owners: Vec<usize> = (0..10 * seats).map(|card| card / 10).chain(seats..seats + 4).collect();
        owners.resize(104, usize::MAX);
        let mut rng = rng_from(seed);
        rng.set_stream(round);
        shuffle(&mut rng, &mut owners);
        let of = |owner| (1..=104).filter(|card| owners[usize::from(*card) - 1] == owner).collect::<Vec<u8>>();
        self.hands = (0..seats).map(of).collect();
        self.rows = (seats..seats + 4).map(of).collect();
        self.seen = self.rows.concat();
        self.in_round = vec![0; seats];
    }

    fn cheapest(&self) -> usize {
        (0..4).min_by_key(|row| sum(&self.rows[*row])).unwrap()
    }

    /// Where a card goes; `None` if its player is to say.
    fn row_of(&self, card: u8) -> Option<usize> {
        let end = |row: usize| *self.rows[row].last().unwrap();
        let nearest = (0..4).filter(|row| end(*row) < card).max_by_key(|row| end(*row));
        match self.rules.as_str() {
            "course-exact" if end(0) > card => Some(self.cheapest()),
            "official" => nearest,
            _ => nearest.or_else(|| Some(self.cheapest())),
        }
    }

    fn reveal(&mut self, cards: &[u8]) {
        self.revealed = cards.iter().copied().zip(0..).collect();
        self.revealed.sort_unstable();
        self.events.clear();
        for (seat, card) in cards.iter().enumerate() {
            self.hands[seat].retain(|held| held != card);
            self.seen.push(*card);
        }
    }

    fn lay(&mut self, row: usize) {
        let (card, seat) = self.revealed.remove(0);
        let fits = *self.rows[row].last().unwrap() < card;
        let taken = if fits && self.rows[row].len() < 5 { vec![] } else { std::mem::take(&mut self.rows[row]) };
        self.rows[row].push(card);
        self.totals[seat] += sum(&taken);
        self.in_round[seat] += sum(&taken);
        let kind = if taken.is_empty() {
            APPENDED
        } else if fits {
            SIXTH
        } else {
            TOO_LOW
        };
        self.events.push((kind, seat, card, row, taken));
    }

    fn lay_all(&mut self) {
        while let Some(row) = self.revealed.first().and_then(|(card, _)| self.row_of(*card)) {
            self.lay(row);
        }
    }

    /// That a seat is shown this.
    fn compare(&self, state: &dyn AnyState, seat: Seat, told: usize) {
        let mut blob = Blob::new();
        state.turn(seat, &mut blob);
        let turn: Turn = read(blob.bytes()).unwrap();
        let filled = |cards: &[u8], len| [cards, &[0; 10]].concat()[..len].to_vec();
        assert_eq!(turn.hand.to_vec(), filled(&self.hands[seat], 10));
        assert_eq!(usize::from(turn.num_hand), self.hands[seat].len());
        for (row, cards) in self.rows.iter().enumerate() {
            assert_eq!((turn.rows[row].to_vec(), usize::from(turn.row_size[row])), (filled(cards, 5), cards.len()));
            assert_eq!(u32::from(turn.row_heads[row]), sum(cards));
        }
        for seat in 0..self.totals.len() {
            let shown = (u32::from(turn.total_heads[seat]), u32::from(turn.round_heads[seat]));
            assert_eq!(shown, (self.totals[seat], self.in_round[seat]));
        }
        let seen = self.seen.iter().fold(0u128, |seen, card| seen | 1 << card);
        assert_eq!(turn.seen, [seen as u64, (seen >> 64) as u64]);
        let start = blob.links().first().map_or(0, |link| link.target as usize);
        assert_eq!(turn.num_events as usize, self.events.len() - told);
        for (at, (kind, seat, card, row, taken)) in self.events[told..].iter().enumerate() {
            let event: Event = read(&blob.bytes()[start + at * size_of::<Event>()..]).unwrap();
            assert_eq!((event.kind, usize::from(event.seat), event.card), (*kind, *seat, *card));
            assert_eq!((usize::from(event.row), usize::from(event.num_taken)), (*row, taken.len()));
            assert_eq!((event.taken.to_vec(), u32::from(event.heads)), (filled(taken, 5), sum(taken)));
        }
        let pending = self.revealed.first().map_or(0, |(card, _)| *card);
        assert_eq!((turn.kind == ASKS_ROW, turn.pending), (pending > 0, pending));
    }
}

/// Plays a random match by both, and compares what each seat is shown before every answer, and the scores.
fn compare(rules: &str, seats: usize, seed: [u8; 32]) {
    let mut state = prepare(&[("rules", rules)], seats).start(&Opening { number: 0, seed });
    let mut plain = Plain::new(rules, seats);
    let mut rng = rng_from(&seed);
    let (mut round, mut told) = (0, vec![0; seats]);
    loop {
        let over = state.to_move().is_empty();
        if !over && plain.revealed.is_empty() && plain.hands.iter().all(Vec::is_empty) {
            round += 1;
            plain.deal(&seed, round);
        }
        (0..seats).for_each(|seat| plain.compare(&*state, seat, told[seat]));
        if over {
            break;
        }
        let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
        let moves: Vec<Move> = answers.iter().map(|(_, mv)| read(mv.as_slice()).unwrap()).collect();
        state.play(&answers);
        if plain.revealed.is_empty() {
            plain.reveal(&moves.iter().map(|mv| mv.card).collect::<Vec<_>>());
            told = vec![0; seats];
        } else {
            told[answers[0].0] = plain.events.len();
            let row = moves[0].row;
            plain.lay(if row == CHEAPEST_ROW { plain.cheapest() } else { row.into() });
        }
        plain.lay_all();
    }
    let totals: Vec<i64> = plain.totals.iter().map(|heads| i64::from(*heads)).collect();
    assert_eq!(state.scores().values, totals);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn plain_rules_come_to_the_same(seed: [u8; 32], seats in 2usize..=10, rules in 0usize..3) {
        compare(["official", "course", "course-exact"][rules], seats, seed);
    }
}

/// Hashes, turns of all seats, redeals and scores of 300 random matches each; the numbers are those of the version that
/// kept cards in arrays and sorted them.
#[test]
fn hashes_and_turns_are_what_they_always_were() {
    type Pairs = &'static [(&'static str, &'static str)];
    let cases: [(Pairs, usize, u64); 6] = [
        (&[], 2, 0x1202_0f7a_88fc_c7bb),
        (&[], 10, 0x4fe2_1a1a_84e5_621b),
        (&[("rules", "course")], 10, 0x5dda_1bd3_0668_9581),
        (&[("rules", "course-exact")], 7, 0x797a_aff8_0415_4a0d),
        (&[("low_card", "cheapest"), ("deck", "players")], 5, 0x8260_2387_0e5e_99d6),
        (&[("hand", "3"), ("limit", "0")], 4, 0x299f_9182_c534_cf0a),
    ];
    for (pairs, seats, frozen) in cases {
        assert_eq!(digest(&*prepare(pairs, seats), seats), frozen, "{pairs:?}, {seats} seats");
    }
}

fn digest(setting: &dyn PreparedSetting, seats: usize) -> u64 {
    let (mut rng, mut blob) = (rng_from(&[1; 32]), Blob::new());
    let mut digest = 0u64;
    let mut add = |word: u64| digest = digest.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7) ^ word;
    for number in 0..300u64 {
        let mut seed = [9; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        let mut state = setting.start(&Opening { number, seed });
        while !state.to_move().is_empty() {
            add(state.hash());
            for seat in 0..seats {
                blob.clear();
                state.turn(seat, &mut blob);
                blob.bytes().iter().for_each(|byte| add(u64::from(*byte)));
            }
            let answers: Vec<_> = state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))).collect();
            state.play(&answers);
            if number < 20 {
                (0..seats).for_each(|seat| add(state.redeal(seat, &mut rng).hash()));
            }
        }
        add(state.hash());
        state.scores().values.iter().chain(&state.scores().tie_break).for_each(|value| add(*value as u64));
    }
    digest
}
