//! The schedule: line-ups, settings, openings and their order, as a pure function of ladder and entrants. A block's id
//! contains everything that distinguishes it from others. Everything drawn in it follows from the ladder's seed, never
//! from the order of play.

mod checkpoints;
mod failure_streaks;
mod lineups;
mod partial;

pub use checkpoints::{CHECKPOINT_INTERVAL, Checkpoints, is_checkpoint};
pub use failure_streaks::{Failing, FailureStreaks};
pub use lineups::{Lineups, usual_rounds};
pub use partial::KeptDrawing;

use agon_model::{Block, CyclicOrders, Entrant, LadderTerms};
use std::collections::BTreeSet;
use std::ops::Range;

/// The schedule of a ladder; it makes its blocks one at a time, so that a long ladder takes no memory.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Digest of the inputs that decide the games of deterministic clients in all blocks: game, rules version, ladder's
    /// seed.
    played: [u8; 32],
    /// Digest of the terms of play: clock, limits, isolation.
    terms: [u8; 32],
    /// Digest of each entrant: file and options.
    entrants: Vec<[u8; 32]>,
    settings: Vec<Setting>,
    lineups: Lineups,
    openings: u64,
    /// The number of matches that is enough: the schedule ends with the block that completes it.
    enough: Option<u64>,
}

#[derive(Clone, Debug)]
struct Setting {
    /// The digest of its options.
    digest: [u8; 32],
    /// Matches of a block.
    rotations: usize,
    /// The orders of moves, if blocks vary them.
    cyclic_orders: Option<CyclicOrders>,
}

/// A block's place among meetings that were drawn together.
#[derive(Clone, Debug)]
pub struct Slot {
    pub meeting: usize,
    /// Matches of the block.
    pub rotations: usize,
    /// The block; `None` if a player cannot play.
    pub block: Option<Block>,
}

/// The shared data of all blocks of a ladder, as text, in a fixed order.
pub struct Common<'a> {
    /// Game and rules version.
    pub game: &'a str,
    /// The terms that make results comparable, as far as ids depend on them.
    pub terms: &'a LadderTerms,
    pub seed: u64,
}

impl Schedule {
    /// `copies` distinguish entrants of the same file and options, or their blocks would look the same; without them,
    /// the first is 0. `settings` are the complete options of each, and the number of matches in its blocks. Each
    /// line-up plays `openings`.
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
                    cyclic_orders: None,
                })
                .collect(),
            lineups,
            openings,
            enough: None,
        }
    }

    /// The same schedule, with varying orders of moves for line-ups of this number of seats, on the settings on which
    /// they exchange all seats.
    #[must_use]
    pub fn in_turns(mut self, seats: usize) -> Schedule {
        for setting in self.settings.iter_mut().filter(|setting| setting.rotations == seats) {
            let cyclic_orders = CyclicOrders::new(seats);
            setting.rotations = cyclic_orders.matches();
            setting.cyclic_orders = Some(cyclic_orders);
        }
        self
    }

    /// The same schedule, ended by the block that completes this number of matches.
    #[must_use]
    pub fn until(self, enough: Option<u64>) -> Schedule {
        Schedule { enough, ..self }
    }

    /// The number of line-ups on each setting and opening.
    pub fn lineup_count(&self) -> u64 {
        self.lineups.count()
    }

    /// The fewest and the most scheduled matches of a client; `None` if pairings follow from results.
    pub fn matches_each(&self) -> Option<(u64, u64)> {
        let (least, most) = self.lineups.each()?;
        let times = self.openings.saturating_mul(self.matches_an_opening());
        Some((least.saturating_mul(times), most.saturating_mul(times)))
    }

    /// The number of blocks.
    pub fn block_count(&self) -> u64 {
        self.counts().0
    }

    /// The number of matches.
    pub fn match_count(&self) -> u64 {
        self.counts().1
    }

    /// The number of matches without an early end.
    pub fn scheduled_match_count(&self) -> u64 {
        self.lineup_count() * self.openings * self.matches_an_opening()
    }

    /// The numbers of blocks and matches until the end.
    fn counts(&self) -> (u64, u64) {
        let (lineups, settings) = (self.lineup_count(), self.settings.len() as u64);
        let scheduled = self.scheduled_match_count();
        let Some(enough) = self.enough.filter(|enough| *enough < scheduled) else {
            return (lineups * settings * self.openings, scheduled);
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

    /// The orders that line-ups use; `None` if they keep one.
    pub fn cyclic_orders(&self) -> Option<&CyclicOrders> {
        self.settings.iter().find_map(|setting| setting.cyclic_orders.as_ref())
    }

    /// The number of openings that every line-up plays completely.
    pub fn whole_openings(&self) -> u64 {
        let an_opening = (self.lineup_count() * self.matches_an_opening()).max(1);
        self.enough.map_or(self.openings, |enough| self.openings.min(enough / an_opening))
    }

    /// The number of matches of a line-up on each opening, all settings together.
    pub fn matches_an_opening(&self) -> u64 {
        self.settings.iter().map(|setting| setting.rotations as u64).sum()
    }

    /// A digest of line-ups, terms and order: block numbers of equal schedules mean the same.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("agon schedule 1");
        hasher.update(&self.played).update(&self.terms);
        // Drawn pairings are kept, so their blocks' numbers mean the same with any present participants.
        let entrants = if matches!(self.lineups, Lineups::ByResults) { &[] } else { self.entrants.as_slice() };
        for part in self.settings.iter().map(|setting| &setting.digest).chain(entrants) {
            hasher.update(part);
        }
        for entrant in self.lineups.entrants() {
            hasher.update(&(entrant as u64).to_le_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// All blocks in order: by opening, then by setting, then by line-up. It is empty if pairings follow from results.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let per_opening =
            (0..self.settings.len()).flat_map(move |setting| self.lineups.iter().map(move |lineup| (setting, lineup)));
        (0..self.openings)
            .flat_map(move |opening| per_opening.clone().map(move |(setting, lineup)| (opening, setting, lineup)))
            .take(usize::try_from(self.block_count()).unwrap_or(usize::MAX))
            .enumerate()
            .map(move |(number, (opening, setting, lineup))| self.block(number as u64, opening, setting, lineup))
    }

    /// All players that may get blocks; empty if pairings follow from results.
    pub fn players(&self) -> BTreeSet<usize> {
        self.lineups.entrants().into_iter().collect()
    }

    /// The blocks of meetings that were drawn together, in the same order; the numbers go on from `first`. A meeting
    /// that is `None` cannot be played now. Its places count nevertheless, so that the numbers of the others do not
    /// depend on that.
    pub fn meeting_blocks(&self, first: u64, openings: Range<u64>, meetings: &[Option<Vec<usize>>]) -> Vec<Slot> {
        let settings = 0..self.settings.len();
        let places = openings.flat_map(|opening| settings.clone().map(move |setting| (opening, setting)));
        let places =
            places.flat_map(|(opening, setting)| (0..meetings.len()).map(move |meeting| (opening, setting, meeting)));
        let place = |(number, (opening, setting, meeting)): (usize, (u64, usize, usize))| Slot {
            meeting,
            rotations: self.settings[setting].rotations,
            block: meetings[meeting].clone().map(|lineup| self.block(first + number as u64, opening, setting, lineup)),
        };
        places.enumerate().map(place).collect()
    }

    /// The lot of an entrant in a drawn seeding. It follows from its file and options and the ladder's seed, not from
    /// its name.
    pub fn lot(&self, entrant: usize) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("agon lot 1");
        *hasher.update(&self.played).update(&self.entrants[entrant]).finalize().as_bytes()
    }

    fn block(&self, number: u64, opening: u64, setting: usize, mut lineup: Vec<usize>) -> Block {
        // The order is canonical, so id and seating do not depend on how the clients were named or found.
        lineup.sort_by_key(|&entrant| self.entrants[entrant]);
        let client_seed = self.draw("agon draws 1", setting, opening, &lineup);
        let mut hasher = blake3::Hasher::new_derive_key("agon block 1");
        let id = hasher.update(&client_seed).update(&self.terms).finalize().to_hex()[..16].to_owned();
        let Setting { rotations, ref cyclic_orders, .. } = self.settings[setting];
        if let Some(cyclic_orders) = cyclic_orders {
            lineup = cyclic_orders.arrange(&lineup, opening, |set| self.draw("agon turns 1", setting, set, &lineup));
        }
        Block { id, number, lineup, rotations, setting, opening, client_seed }
    }

    /// Draws for a line-up in canonical order, for the purpose and number given.
    fn draw(&self, what: &str, setting: usize, number: u64, lineup: &[usize]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key(what);
        hasher.update(&self.played).update(&self.settings[setting].digest).update(&number.to_le_bytes());
        for &entrant in lineup {
            hasher.update(&self.entrants[entrant]);
        }
        *hasher.finalize().as_bytes()
    }
}

impl Common<'_> {
    fn digest_terms(&self) -> [u8; 32] {
        let texts = self.terms.texts_of_ids();
        let pairs = texts.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]);
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

/// A digest of texts, each with its length before it, so that no two lists look alike.
fn digest(context: &str, texts: &[&str]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

#[cfg(test)]
mod tests;
