//! Measures the speed of these rules with ten seats and the rules of the course, where a match is one deal. Every seat
//! plays the card at its own fifth of its hand, by the rules alone or asked like a client. For `agon bench`.

use super::abi::{CHEAPEST_ROW, Move, Turn};
use super::{MAX_SEATS, SixQuiPrend};
use crate::speeds::{play_randomly, prepare, reference};
use crate::{Opening, Reference, Rules, Seat, Speed, Work};
use agon_abi::{Blob, read};

/// The matches of a run.
const MATCHES: u64 = 100_000;

/// The speeds for `agon bench`.
pub(super) const SPEEDS: &[Speed] = &[
    Speed {
        name: "six_qui_prend: matches of one deal, 10 seats, rules alone",
        unit: "matches/s",
        run: || play_matches(MATCHES, |game, seat| choose(seat, game.hands[seat].as_slice())),
        references: REFERENCES,
    },
    Speed {
        name: "six_qui_prend: the same through typed clients",
        unit: "matches/s",
        run: || play_through_clients(MATCHES),
        references: &[],
    },
    Speed {
        name: "six_qui_prend: random matches of 10 seats",
        unit: "matches/s",
        run: || play_randomly::<SixQuiPrend>(MAX_SEATS, 5_000),
        references: &[],
    },
];

const REFERENCES: &[Reference] = &[
    reference!("fixed arrays", "six_qui_prend.cpp", "chacha"),
    Reference { same: false, ..reference!("fixed arrays, dealt by a quicker generator", "six_qui_prend.cpp", "own") },
    Reference {
        flags: &["-mavx2"],
        ..reference!("16 matches at once in the lanes of AVX2", "six_qui_prend.cpp", "lanes")
    },
];

/// The strategy of a seat: the lowest card, or the one at one to four fifths of the hand.
fn choose(seat: Seat, hand: &[u8]) -> Move {
    Move { card: hand[hand.len() * (seat % 5) / 5], row: 0 }
}

/// Plays matches in which each seat chooses by its view of the state.
fn play_matches(matches: u64, mut choose: impl FnMut(&SixQuiPrend, Seat) -> Move) -> Work {
    let mut work = Work::default();
    let Some(setting) = prepare::<SixQuiPrend>(&[("rules", "course")], MAX_SEATS) else { return work };
    for number in 0..matches {
        let mut game = SixQuiPrend::start(&setting, MAX_SEATS, &Opening::numbered(number));
        while !game.to_move().is_empty() {
            let answers: [_; MAX_SEATS] = std::array::from_fn(|seat| (seat, choose(&game, seat)));
            game.play(&answers);
        }
        work.count += 1;
        game.shown.total_heads.iter().for_each(|heads| work.add(u64::from(*heads)));
    }
    work
}

/// A client as these rules see it: a function of its turn, behind a pointer.
type Client = Box<dyn FnMut(&Turn) -> Move>;

/// Plays the same matches with a client for each seat: it writes and reads turns as for every client, and checks the
/// moves.
fn play_through_clients(matches: u64) -> Work {
    let client = |seat| -> Client {
        Box::new(move |turn: &Turn| match turn.pending {
            0 => choose(seat, &turn.hand[..usize::from(turn.num_hand)]),
            _ => Move { card: 0, row: CHEAPEST_ROW },
        })
    };
    let mut clients: Vec<Client> = (0..MAX_SEATS).map(client).collect();
    let mut blob = Blob::new();
    play_matches(matches, |game, seat| {
        blob.clear();
        game.turn(seat, &mut blob);
        let answer = read(blob.bytes()).map(|turn| clients[seat](&turn)).filter(|mv| game.check(seat, *mv).is_ok());
        answer.unwrap_or(Move { card: 0, row: 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_play_the_matches_of_the_rules_alone() {
        let alone = play_matches(200, |game, seat| choose(seat, game.hands[seat].as_slice()));
        assert_eq!(alone, play_through_clients(200));
        assert_eq!(alone.count, 200);
    }
}
