//! Who meets whom, on what, in which order: a pure function of ladder and entrants. Everything a block needs to be told from
//! any other goes into its id; everything drawn in it follows from the ladder's seed, never from the order of play.

mod streaks;

pub use streaks::{Failing, STRETCH, Streaks, Trial};

use crate::record::{Block, Entrant, Pairing};
use agon_games::Opening;

/// The schedule of a ladder; its blocks are made one at a time, so that a long ladder takes no memory.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Digest of what decides the games of deterministic clients in all blocks: game, rules version, ladder's seed.
    played: [u8; 32],
    /// Digest of the terms they are played under: clock, limits, isolation.
    terms: [u8; 32],
    /// Digest of each entrant: file and options.
    entrants: Vec<[u8; 32]>,
    settings: Vec<Setting>,
    lineups: Lineups,
    rounds: u64,
}

#[derive(Clone, Copy, Debug)]
struct Setting {
    /// Of its options.
    digest: [u8; 32],
    /// Matches of a block.
    rotations: usize,
}

#[derive(Clone, Debug)]
enum Lineups {
    /// Those that were named.
    Named(Vec<Vec<usize>>),
    /// Every set of different entrants.
    Sets { of: Vec<usize>, seats: usize },
}

/// What all blocks of a ladder share, as text, in a fixed order.
pub struct Common<'a> {
    /// Game and rules version.
    pub game: &'a str,
    /// `key = value` of everything that makes results comparable.
    pub comparable: &'a [(String, String)],
    /// The ladder's seed.
    pub seed: u64,
}

impl Schedule {
    /// `copies` tell entrants of the same file and options apart, or their blocks would pass for one; none = the first is 0.
    /// `settings` are the complete options of each, and how many matches a block of it has; `lineups` are entrants by index, empty for every set of those not refused.
    pub fn new(
        common: &Common,
        (entrants, copies): (&[Entrant], &[u32]),
        settings: &[(String, usize)],
        lineups: &[Vec<usize>],
        seats: usize,
        rounds: u64,
    ) -> Schedule {
        let playing = (0..entrants.len()).filter(|&index| entrants[index].refused.is_none()).collect();
        let lineups = match lineups {
            [] => Lineups::Sets { of: playing, seats },
            named => Lineups::Named(named.to_vec()),
        };
        Schedule {
            played: digest("agon game 1", &[common.game, &common.seed.to_string()]),
            terms: common.digest_terms(),
            entrants: digest_entrants(entrants, copies),
            settings: settings
                .iter()
                .map(|&(ref text, rotations)| Setting { digest: digest("agon setting", &[text]), rotations })
                .collect(),
            lineups,
            rounds,
        }
    }

    /// How many line-ups meet on each setting and opening.
    pub fn lineup_count(&self) -> u64 {
        match &self.lineups {
            Lineups::Named(named) => named.len() as u64,
            Lineups::Sets { of, seats } => choose(of.len() as u64, *seats as u64),
        }
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> u64 {
        self.lineup_count() * self.settings.len() as u64 * self.rounds
    }

    /// How many matches there are.
    pub fn match_count(&self) -> u64 {
        let rotations: usize = self.settings.iter().map(|setting| setting.rotations).sum();
        self.lineup_count() * self.rounds * rotations as u64
    }

    /// Of who plays on what, in which order: block numbers of equal schedules mean the same.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("agon schedule 1");
        hasher.update(&self.played).update(&self.terms);
        for part in self.settings.iter().map(|setting| &setting.digest).chain(&self.entrants) {
            hasher.update(part);
        }
        let playing: Vec<usize> = match &self.lineups {
            Lineups::Named(named) => named.concat(),
            Lineups::Sets { of, .. } => of.clone(),
        };
        for entrant in playing {
            hasher.update(&(entrant as u64).to_le_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// All blocks in order: by opening, then by setting, then by line-up.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let per_opening =
            (0..self.settings.len()).flat_map(move |setting| self.lineups().map(move |lineup| (setting, lineup)));
        (0..self.rounds)
            .flat_map(move |opening| per_opening.clone().map(move |(setting, lineup)| (opening, setting, lineup)))
            .enumerate()
            .map(move |(number, (opening, setting, lineup))| self.block(number as u64, opening, setting, lineup))
    }

    /// The line-ups in an order that spreads those of each client evenly over the schedule: a table is telling long before the
    /// end, and a client that fails is found out before it has played everybody.
    fn lineups(&self) -> impl Iterator<Item = Vec<usize>> + Clone + '_ {
        let count = self.lineup_count();
        let step = spread(count);
        (0..count).map(move |place| self.lineup((u128::from(place) * u128::from(step) % u128::from(count)) as u64))
    }

    fn lineup(&self, rank: u64) -> Vec<usize> {
        match &self.lineups {
            Lineups::Named(named) => named[rank as usize].clone(),
            Lineups::Sets { of, seats } => {
                set(rank, of.len() as u64, *seats as u64).into_iter().map(|place| of[place]).collect()
            }
        }
    }

    fn block(&self, number: u64, opening: u64, setting: usize, mut lineup: Vec<usize>) -> Block {
        // In canonical order, so that the id and the seating do not depend on how the clients were named or found.
        lineup.sort_by_key(|&entrant| self.entrants[entrant]);
        let mut hasher = blake3::Hasher::new_derive_key("agon draws 1");
        hasher.update(&self.played).update(&self.settings[setting].digest).update(&opening.to_le_bytes());
        for &entrant in &lineup {
            hasher.update(&self.entrants[entrant]);
        }
        let draws = *hasher.finalize().as_bytes();
        let mut hasher = blake3::Hasher::new_derive_key("agon block 1");
        let id = hasher.update(&draws).update(&self.terms).finalize().to_hex()[..16].to_owned();
        Block { id, number, lineup, rotations: self.settings[setting].rotations, setting, opening, draws }
    }
}

/// The matches of a block: its line-up in its cyclic shifts.
pub fn pairings(block: &Block) -> impl Iterator<Item = Pairing> + '_ {
    (0..block.rotations).map(|rotation| {
        let mut seats = block.lineup.clone();
        seats.rotate_left(rotation);
        let letter = char::from(b'a' + rotation as u8);
        Pairing { id: format!("{}-{letter}", block.id), rotation, seats }
    })
}

/// An opening of a ladder: its seed follows from the ladder's seed and its number, no client is in it.
pub fn opening(ladder_seed: u64, number: u64) -> Opening {
    let mut hasher = blake3::Hasher::new_derive_key("agon deal 1");
    hasher.update(&ladder_seed.to_le_bytes()).update(&number.to_le_bytes());
    Opening { number, seed: *hasher.finalize().as_bytes() }
}

/// A client's own seed: of what is played and the seat, in a stream of its own, so that it tells nothing about the deal's. Clock,
/// limits and isolation do not matter to it, so that a deterministic client plays the same under all of them.
pub fn client_seed(block: &Block, rotation: usize, seat: usize) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("agon client seed 1");
    hasher.update(&block.draws).update(&[rotation as u8, seat as u8]);
    let digest = *hasher.finalize().as_bytes();
    u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
}

impl Common<'_> {
    fn digest_terms(&self) -> [u8; 32] {
        let pairs = self.comparable.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
        digest("agon terms 1", &pairs.collect::<Vec<_>>())
    }
}

fn digest_entrants(entrants: &[Entrant], copies: &[u32]) -> Vec<[u8; 32]> {
    let same = |a: &Entrant, b: &Entrant| (&a.hash, &a.options) == (&b.hash, &b.options);
    let count = |index: usize| entrants[..index].iter().filter(|other| same(other, &entrants[index])).count() as u32;
    let copy = |index: usize| copies.get(index).copied().unwrap_or_else(|| count(index));
    entrants.iter().enumerate().map(|(index, entrant)| digest_entrant(entrant, copy(index))).collect()
}

fn digest_entrant(entrant: &Entrant, copy: u32) -> [u8; 32] {
    let options = entrant.options.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
    let own = digest("agon entrant 1", &[entrant.hash.as_str()].into_iter().chain(options).collect::<Vec<_>>());
    (0..copy).fold(own, |digest, _| *blake3::hash(&digest).as_bytes())
}

/// Of texts, each with its length before it, so that no two lists look alike.
fn digest(context: &str, texts: &[&str]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1u64, |ways, taken| ways.saturating_mul(n - taken) / (taken + 1))
}

/// A step that leads through all of `count` places, from one to another far away: the golden section, made coprime.
fn spread(count: u64) -> u64 {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = (u128::from(count) * 618_034 / 1_000_000) as u64;
    (golden..=count).find(|&step| divisor(step, count) == 1).unwrap_or(1)
}

/// The set of `size` of `n` places that stands at `rank` in lexicographic order.
fn set(mut rank: u64, n: u64, size: u64) -> Vec<usize> {
    let mut places = Vec::with_capacity(size as usize);
    for place in 0..n {
        let left = size - places.len() as u64;
        if left == 0 {
            break;
        }
        let with_it = choose(n - place - 1, left - 1);
        if rank < with_it {
            places.push(place as usize);
        } else {
            rank -= with_it;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn entrants(count: usize) -> Vec<Entrant> {
        let entrant = |index: usize| Entrant {
            label: format!("client {index}"),
            file: String::new(),
            hash: format!("{index:064}"),
            options: BTreeMap::new(),
            refused: None,
        };
        (0..count).map(entrant).collect()
    }

    fn schedule(entrants: &[Entrant], seats: usize) -> Schedule {
        let comparable = [("game".to_owned(), "chess".to_owned())];
        let settings = [("board = a".to_owned(), seats), ("board = b".to_owned(), seats)];
        Schedule::new(
            &Common { game: "chess 1", comparable: &comparable, seed: 1 },
            (entrants, &[]),
            &settings,
            &[],
            seats,
            3,
        )
    }

    #[test]
    fn every_set_meets_on_every_setting_and_opening() {
        for seats in 1..=4 {
            let entrants = entrants(6);
            let schedule = schedule(&entrants, seats);
            let blocks: Vec<_> = schedule.blocks().collect();
            let ids: BTreeSet<_> = blocks.iter().map(|block| block.id.as_str()).collect();
            assert_eq!(blocks.len() as u64, schedule.block_count());
            assert_eq!(ids.len(), blocks.len(), "ids are all different");
            assert!(blocks.iter().enumerate().all(|(number, block)| block.number == number as u64));
        }
    }

    #[test]
    fn line_ups_are_all_different_and_spread() {
        for (clients, seats) in [(2, 2), (3, 2), (30, 2), (8, 4), (5, 5), (7, 1)] {
            let entrants = entrants(clients);
            let schedule = schedule(&entrants, seats);
            let lineups: Vec<_> = schedule.lineups().collect();
            let different: BTreeSet<_> = lineups.iter().collect();
            assert_eq!(different.len() as u64, schedule.lineup_count());
            assert_eq!(schedule.lineup_count(), choose(clients as u64, seats as u64));
        }
        let entrants = entrants(30);
        let schedule = schedule(&entrants, 2);
        for client in 0..30 {
            let early = schedule.lineups().take(145).filter(|lineup| lineup.contains(&client)).count();
            assert!((4..=16).contains(&early), "{client}: {early} of its 29 line-ups are in the first third");
        }
    }

    #[test]
    fn everyone_sits_on_every_seat_of_a_block() {
        let entrants = entrants(5);
        for block in schedule(&entrants, 3).blocks() {
            for seat in 0..3 {
                let sitters: BTreeSet<_> = pairings(&block).map(|pairing| pairing.seats[seat]).collect();
                assert_eq!(sitters.len(), 3);
            }
        }
    }

    #[test]
    fn ids_do_not_depend_on_the_order_of_clients() {
        let forward = entrants(4);
        let backward: Vec<_> = forward.iter().rev().cloned().collect();
        let ids = |entrants: &[Entrant]| schedule(entrants, 2).blocks().map(|block| block.id).collect::<BTreeSet<_>>();
        assert_eq!(ids(&forward), ids(&backward));
    }

    #[test]
    fn two_copies_of_a_file_play_blocks_of_their_own() {
        let mut entrants = entrants(4);
        entrants[2].hash = entrants[0].hash.clone();
        let schedule = schedule(&entrants, 2);
        let ids: BTreeSet<_> = schedule.blocks().map(|block| block.id).collect();
        assert_eq!(ids.len() as u64, schedule.block_count());
    }

    #[test]
    fn a_refused_client_gets_no_blocks() {
        let mut entrants = entrants(4);
        entrants[1].refused = Some("is a text file".to_owned());
        assert!(schedule(&entrants, 2).blocks().all(|block| !block.lineup.contains(&1)));
    }

    #[test]
    fn seeds_are_of_different_streams() {
        assert_ne!(opening(1, 0), opening(1, 1));
        let entrants = entrants(2);
        let block = schedule(&entrants, 2).blocks().next().unwrap();
        let seeds: BTreeSet<_> =
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(turn, seat)| client_seed(&block, turn, seat)).into();
        assert_eq!(seeds.len(), 4);
    }
}
