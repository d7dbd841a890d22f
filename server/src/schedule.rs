//! Who meets whom, on what, in which order: a pure function of ladder and entrants. Everything a block needs to be told from
//! any other goes into its id; everything drawn in it follows from the ladder's seed, never from the order of play.

mod lineups;
mod streaks;
mod stretch;
mod turns;

pub use lineups::Lineups;
pub use streaks::{Failing, Streaks, Trial};
pub use stretch::{STRETCH, Stretches, is_place};
pub use turns::Turns;

use crate::record::{Block, Entrant, Pairing};
use agon_games::Opening;
use std::collections::BTreeSet;
use std::ops::Range;

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
    openings: u64,
    /// How many matches are enough: the schedule ends with the block that completes them.
    enough: Option<u64>,
}

#[derive(Clone, Debug)]
struct Setting {
    /// Of its options.
    digest: [u8; 32],
    /// Matches of a block.
    rotations: usize,
    /// Where blocks change who moves after whom.
    turns: Option<Turns>,
}

/// A block's place among meetings that were drawn together.
#[derive(Clone, Debug)]
pub struct Place {
    /// Which meeting.
    pub meeting: usize,
    /// Matches of the block.
    pub rotations: usize,
    /// `None` where somebody cannot play.
    pub block: Option<Block>,
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
    /// `settings` are the complete options of each, and how many matches a block of it has; each line-up plays `openings`.
    pub fn new(
        common: &Common,
        (entrants, copies): (&[Entrant], &[u32]),
        settings: &[(String, usize)],
        lineups: Lineups,
        openings: u64,
    ) -> Schedule {
        Schedule {
            played: digest("agon game 1", &[common.game, &common.seed.to_string()]),
            terms: common.digest_terms(),
            entrants: digest_entrants(entrants, copies),
            settings: settings
                .iter()
                .map(|&(ref text, rotations)| Setting {
                    digest: digest("agon setting", &[text]),
                    rotations,
                    turns: None,
                })
                .collect(),
            lineups,
            openings,
            enough: None,
        }
    }

    /// The same, where line-ups of so many seats change who moves after whom: on the settings on which they exchange all seats.
    #[must_use]
    pub fn in_turns(mut self, seats: usize) -> Schedule {
        for setting in self.settings.iter_mut().filter(|setting| setting.rotations == seats) {
            let turns = Turns::new(seats);
            setting.rotations = turns.matches();
            setting.turns = Some(turns);
        }
        self
    }

    /// The same, ended by the block that completes so many matches.
    #[must_use]
    pub fn until(self, enough: Option<u64>) -> Schedule {
        Schedule { enough, ..self }
    }

    /// How many line-ups meet on each setting and opening.
    pub fn lineup_count(&self) -> u64 {
        self.lineups.count()
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> u64 {
        self.counts().0
    }

    /// How many matches there are.
    pub fn match_count(&self) -> u64 {
        self.counts().1
    }

    /// How many matches there would be if none were enough.
    pub fn whole_match_count(&self) -> u64 {
        self.lineup_count() * self.openings * self.matches_an_opening()
    }

    /// Blocks and matches, up to those that are enough.
    fn counts(&self) -> (u64, u64) {
        let (lineups, settings) = (self.lineup_count(), self.settings.len() as u64);
        let whole = self.whole_match_count();
        let Some(enough) = self.enough.filter(|enough| *enough < whole) else {
            return (lineups * settings * self.openings, whole);
        };
        let an_opening = lineups * self.matches_an_opening();
        let openings = enough / an_opening;
        let (mut blocks, mut matches) = (openings * lineups * settings, openings * an_opening);
        for rotations in self.settings.iter().map(|setting| setting.rotations as u64) {
            let more = enough.saturating_sub(matches).div_ceil(rotations).min(lineups);
            (blocks, matches) = (blocks + more, matches + more * rotations);
        }
        (blocks, matches)
    }

    /// The orders among which line-ups change; `None` where they keep one.
    pub fn turns(&self) -> Option<&Turns> {
        self.settings.iter().find_map(|setting| setting.turns.as_ref())
    }

    /// How many openings every line-up plays to the end.
    pub fn whole_openings(&self) -> u64 {
        let an_opening = (self.lineup_count() * self.matches_an_opening()).max(1);
        self.enough.map_or(self.openings, |enough| self.openings.min(enough / an_opening))
    }

    /// How many matches a line-up plays on each opening, all settings together.
    pub fn matches_an_opening(&self) -> u64 {
        self.settings.iter().map(|setting| setting.rotations as u64).sum()
    }

    /// Of who plays on what, in which order: block numbers of equal schedules mean the same.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("agon schedule 1");
        hasher.update(&self.played).update(&self.terms);
        // Drawn pairings are kept, so that their blocks' numbers mean the same whoever takes part now.
        let entrants = if matches!(self.lineups, Lineups::Drawn) { &[] } else { self.entrants.as_slice() };
        for part in self.settings.iter().map(|setting| &setting.digest).chain(entrants) {
            hasher.update(part);
        }
        for entrant in self.lineups.entrants() {
            hasher.update(&(entrant as u64).to_le_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// All blocks in order: by opening, then by setting, then by line-up. None where pairings follow from results.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let per_opening =
            (0..self.settings.len()).flat_map(move |setting| self.lineups.iter().map(move |lineup| (setting, lineup)));
        (0..self.openings)
            .flat_map(move |opening| per_opening.clone().map(move |(setting, lineup)| (opening, setting, lineup)))
            .take(usize::try_from(self.block_count()).unwrap_or(usize::MAX))
            .enumerate()
            .map(move |(number, (opening, setting, lineup))| self.block(number as u64, opening, setting, lineup))
    }

    /// Everybody who may get blocks; nobody where pairings follow from results.
    pub fn players(&self) -> BTreeSet<usize> {
        self.lineups.entrants().into_iter().collect()
    }

    /// The blocks of meetings that were drawn together, in the same order; the numbers go on from `first`. A meeting that is `None`
    /// cannot be played now; its places count nevertheless, so that the numbers of the others do not depend on that.
    pub fn meeting_blocks(&self, first: u64, openings: Range<u64>, meetings: &[Option<Vec<usize>>]) -> Vec<Place> {
        let settings = 0..self.settings.len();
        let places = openings.flat_map(|opening| settings.clone().map(move |setting| (opening, setting)));
        let places =
            places.flat_map(|(opening, setting)| (0..meetings.len()).map(move |meeting| (opening, setting, meeting)));
        let place = |(number, (opening, setting, meeting)): (usize, (u64, usize, usize))| Place {
            meeting,
            rotations: self.settings[setting].rotations,
            block: meetings[meeting].clone().map(|lineup| self.block(first + number as u64, opening, setting, lineup)),
        };
        places.enumerate().map(place).collect()
    }

    /// What an entrant's place in a drawn seeding follows from: its file and options and the ladder's seed, not its name.
    pub fn lot(&self, entrant: usize) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("agon lot 1");
        *hasher.update(&self.played).update(&self.entrants[entrant]).finalize().as_bytes()
    }

    fn block(&self, number: u64, opening: u64, setting: usize, mut lineup: Vec<usize>) -> Block {
        // In canonical order, so that the id and the seating do not depend on how the clients were named or found.
        lineup.sort_by_key(|&entrant| self.entrants[entrant]);
        let draws = self.draw("agon draws 1", setting, opening, &lineup);
        let mut hasher = blake3::Hasher::new_derive_key("agon block 1");
        let id = hasher.update(&draws).update(&self.terms).finalize().to_hex()[..16].to_owned();
        let Setting { rotations, ref turns, .. } = self.settings[setting];
        if let Some(turns) = turns {
            lineup = turns.arrange(&lineup, opening, |set| self.draw("agon turns 1", setting, set, &lineup));
        }
        Block { id, number, lineup, rotations, setting, opening, draws }
    }

    /// What is drawn for a line-up in canonical order, for what has this number.
    fn draw(&self, what: &str, setting: usize, number: u64, lineup: &[usize]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key(what);
        hasher.update(&self.played).update(&self.settings[setting].digest).update(&number.to_le_bytes());
        for &entrant in lineup {
            hasher.update(&self.entrants[entrant]);
        }
        *hasher.finalize().as_bytes()
    }
}

/// The matches of a block: its line-up in its cyclic shifts, and those that are more than seats with the order turned round.
pub fn pairings(block: &Block) -> impl Iterator<Item = Pairing> + '_ {
    (0..block.rotations).map(|rotation| {
        let mut seats = block.lineup.clone();
        if rotation >= seats.len() {
            seats.reverse();
        }
        let shift = rotation % seats.len().max(1);
        seats.rotate_left(shift);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

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
            Lineups::Sets { of: (0..entrants.len()).collect(), seats },
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
    fn enough_matches_are_the_first_of_the_schedule() {
        let entrants = entrants(4);
        let comparable = [("game".to_owned(), "chess".to_owned())];
        let common = Common { game: "chess 1", comparable: &comparable, seed: 1 };
        let settings = [("a".to_owned(), 2), ("b".to_owned(), 3)];
        let lineups = Lineups::Sets { of: (0..4).collect(), seats: 2 };
        let schedule = Schedule::new(&common, (&entrants, &[]), &settings, lineups, 3);
        let all: Vec<_> = schedule.blocks().collect();
        assert_eq!(schedule.whole_match_count(), 90);
        for enough in 1..100 {
            let cut = schedule.clone().until(Some(enough));
            let blocks: Vec<_> = cut.blocks().collect();
            let matches: u64 = blocks.iter().map(|block| block.rotations as u64).sum();
            assert_eq!((blocks.len() as u64, matches), (cut.block_count(), cut.match_count()), "{enough}");
            assert_eq!(blocks, all[..blocks.len()]);
            let last = blocks.last().map_or(0, |block| block.rotations as u64);
            assert!(enough >= 90 || (matches >= enough && matches - last < enough), "{enough}: {matches}");
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
    fn seeds_are_of_different_streams() {
        assert_ne!(opening(1, 0), opening(1, 1));
        let entrants = entrants(2);
        let block = schedule(&entrants, 2).blocks().next().unwrap();
        let seeds: BTreeSet<_> =
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(turn, seat)| client_seed(&block, turn, seat)).into();
        assert_eq!(seeds.len(), 4);
    }

    /// Of each seat and two entrants how often the first sat there and the second moved after it, over some blocks.
    fn followers<'a>(blocks: impl Iterator<Item = &'a Block>) -> BTreeMap<(usize, usize, usize), usize> {
        let mut found = BTreeMap::new();
        for seats in blocks.flat_map(pairings).map(|pairing| pairing.seats) {
            for seat in 0..seats.len() {
                *found.entry((seat, seats[seat], seats[(seat + 1) % seats.len()])).or_default() += 1;
            }
        }
        found
    }

    #[test]
    fn a_set_of_openings_balances_who_moves_after_whom_from_where() {
        for (seats, set) in [(3, 1), (4, 6), (5, 4), (6, 10), (9, 8)] {
            let entrants = entrants(seats + 1);
            let openings = 2 * set;
            let schedule = Schedule { openings, ..schedule(&entrants, seats) }.in_turns(seats);
            assert_eq!(schedule.turns().unwrap().openings(), set);
            let blocks: Vec<Block> = schedule.blocks().collect();
            assert_eq!(blocks.iter().map(|block| block.id.as_str()).collect::<BTreeSet<_>>().len(), blocks.len());
            let matches: usize = blocks.iter().map(|block| block.rotations).sum();
            assert_eq!(matches as u64, schedule.match_count());
            let ids: BTreeSet<String> = blocks.iter().flat_map(pairings).map(|pairing| pairing.id).collect();
            assert_eq!(ids.len(), matches, "each match has a letter of its own");
            let mut orders = BTreeSet::new();
            for (setting, missing) in (0..2).flat_map(|setting| (0..=seats).map(move |missing| (setting, missing))) {
                let own = |block: &&Block| block.setting == setting && !block.lineup.contains(&missing);
                for first in [0, set] {
                    let within = |block: &&Block| own(block) && (first..first + set).contains(&block.opening);
                    let found = followers(blocks.iter().filter(within));
                    let times: BTreeSet<usize> = found.values().copied().collect();
                    assert_eq!(
                        (found.len(), times.len()),
                        (seats * seats * (seats - 1), 1),
                        "{seats} seats: {times:?}"
                    );
                    orders.insert(blocks.iter().filter(within).map(|block| block.lineup.clone()).collect::<Vec<_>>());
                }
            }
            assert!(orders.len() > 2, "each set is drawn anew");
        }
    }

    #[test]
    fn two_seats_and_seats_that_are_not_exchanged_keep_their_order() {
        let entrants = entrants(4);
        for (seats, rotations) in [(2, 2), (3, 1), (4, 2)] {
            let comparable = [("game".to_owned(), "chess".to_owned())];
            let common = Common { game: "chess 1", comparable: &comparable, seed: 1 };
            let lineups = Lineups::Sets { of: (0..4).collect(), seats };
            let plain = Schedule::new(&common, (&entrants, &[]), &[("a".to_owned(), rotations)], lineups, 3);
            let turned = if seats > 2 { plain.clone().in_turns(seats) } else { plain.clone() };
            assert_eq!(turned.blocks().collect::<Vec<_>>(), plain.blocks().collect::<Vec<_>>());
            assert!(turned.turns().is_none());
        }
    }

    #[test]
    fn a_ladder_that_ends_early_says_how_many_openings_are_whole() {
        let schedule = schedule(&entrants(4), 4).in_turns(4);
        assert_eq!((schedule.matches_an_opening(), schedule.whole_openings()), (8, 3));
        for (enough, whole) in [(7, 0), (8, 1), (23, 2), (24, 3), (1_000, 3)] {
            assert_eq!(schedule.clone().until(Some(enough)).whole_openings(), whole);
        }
    }

    /// Ladders of before go on: their blocks keep their ids, their seats and their clients' seeds.
    #[test]
    fn blocks_of_before_are_as_they_were() {
        let found = [2, 3, 4].map(|seats| {
            let block = schedule(&entrants(5), seats).blocks().nth(7).unwrap();
            let seats: Vec<_> = pairings(&block).map(|pairing| (pairing.id, pairing.seats)).collect();
            format!("{seats:?} {}", client_seed(&block, 1, 0))
        });
        assert_eq!(
            found,
            [
                r#"[("69e8fe0a62e5b497-a", [3, 4]), ("69e8fe0a62e5b497-b", [4, 3])] 14070600742517322616"#,
                r#"[("f5d3e03a26fc25a3-a", [3, 2, 4]), ("f5d3e03a26fc25a3-b", [2, 4, 3]), ("f5d3e03a26fc25a3-c", [4, 3, 2])] 13808188967046749995"#,
                r#"[("ae384b15307b808d-a", [2, 0, 4, 1]), ("ae384b15307b808d-b", [0, 4, 1, 2]), ("ae384b15307b808d-c", [4, 1, 2, 0]), ("ae384b15307b808d-d", [1, 2, 0, 4])] 8690838818243266846"#,
            ]
        );
    }
}
