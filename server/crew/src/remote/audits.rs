//! Decides which delivered blocks another worker plays once more, and whom to believe if two results differ. No worker
//! can know which of its blocks are checked. Only repeatable clients can be judged so: if three workers have three
//! results, their clients are not checked any more.

use agon_model::{Match, PlayedBlock, SeatResult, Step};
use std::collections::{BTreeMap, BTreeSet};

/// A player of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witness {
    /// A worker, by its number, which may lie.
    Worker(i64),
    /// This machine. It may do so several times.
    Here,
}

/// The decision about a played block.
#[derive(Debug, PartialEq, Eq)]
pub enum AuditFinding {
    /// It is kept in the form of the first of those who agree; the others had different results.
    Kept {
        played: PlayedBlock,
        /// The first player with this result.
        by: Witness,
        /// The workers with other results.
        liars: Vec<i64>,
    },
    /// That many different results point to the clients; one of them is kept, and nobody is blamed.
    Split(Witness, PlayedBlock),
    /// Another worker plays it, none of its witnesses.
    Again,
}

/// The number of different results that points to the clients.
const MOST_RESULTS: usize = 3;

/// The blocks under audit.
pub struct Audits {
    /// The share of blocks to play once more.
    share: f64,
    /// Draws a number from 0 to 1.
    draw: Box<dyn FnMut() -> f64>,
    /// The results and their players, by block.
    open: BTreeMap<String, Vec<(Witness, PlayedBlock)>>,
    /// Clients that do not repeat their play, by index in the ladder.
    changeable: BTreeSet<usize>,
}

impl Audits {
    /// Audits this share of the blocks, each drawn.
    pub fn new(share: f64, draw: impl FnMut() -> f64 + 'static) -> Audits {
        Audits { share, draw: Box::new(draw), open: BTreeMap::new(), changeable: BTreeSet::new() }
    }

    /// Whether another worker plays a block as well.
    pub fn is_open(&self, block: &str) -> bool {
        self.open.contains_key(block)
    }

    /// The blocks under audit.
    pub fn open(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// Whether no block is under audit.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The workers that may not play an audited block, because they did before.
    pub fn witnesses(&self, block: &str) -> Vec<i64> {
        let told = self.open.get(block).into_iter().flatten();
        told.filter_map(|(witness, _)| number(*witness)).collect()
    }

    /// Takes the result of a player.
    pub fn hear(&mut self, by: Witness, played: PlayedBlock) -> AuditFinding {
        let id = played.block.id.clone();
        let mut told = self.open.remove(&id).unwrap_or_default();
        if told.is_empty() && (by == Witness::Here || !self.is_drawn(&played)) {
            return AuditFinding::Kept { played, by, liars: Vec::new() };
        }
        told.push((by, played));
        let last = told.len() - 1;
        let believed = (0..last).find(|&at| agree(&told[at].1, &told[last].1));
        if let Some(believed) = believed {
            let lies = |(_, one): &&(Witness, PlayedBlock)| !agree(one, &told[believed].1);
            let liars = told.iter().filter(lies).filter_map(|(witness, _)| number(*witness)).collect();
            let (by, played) = told.swap_remove(believed);
            return AuditFinding::Kept { played, by, liars };
        }
        if told.len() >= MOST_RESULTS {
            self.changeable.extend(told[0].1.block.lineup.iter().copied());
            let at = told.iter().position(|(by, _)| *by == Witness::Here).unwrap_or(0);
            let (by, played) = told.swap_remove(at);
            return AuditFinding::Split(by, played);
        }
        self.open.insert(id, told);
        AuditFinding::Again
    }

    /// Gives up a block that nobody else can play. Returns the only result so far; `None` if two differ.
    pub fn give_up(&mut self, block: &str) -> Option<(Witness, PlayedBlock)> {
        let mut told = self.open.remove(block)?;
        if told.len() == 1 { told.pop() } else { None }
    }

    fn is_drawn(&mut self, played: &PlayedBlock) -> bool {
        let is_changeable = played.block.lineup.iter().any(|entrant| self.changeable.contains(entrant));
        self.share > 0.0 && !is_changeable && (self.draw)() < self.share
    }
}

fn number(witness: Witness) -> Option<i64> {
    match witness {
        Witness::Worker(worker) => Some(worker),
        Witness::Here => None,
    }
}

/// Whether two results agree: moves, states, scores, and the kinds of fault. Times and prints may differ.
fn agree(one: &PlayedBlock, other: &PlayedBlock) -> bool {
    one.matches.len() == other.matches.len()
        && one.matches.iter().zip(&other.matches).all(|(one, other)| is_same(one, other))
}

fn is_same(one: &Match, other: &Match) -> bool {
    let seat = |seat: &SeatResult| {
        let fault = seat.fault.as_ref().map(|fault| (fault.kind, fault.ply));
        (seat.entrant, seat.rank, seat.score, fault)
    };
    let step = |step: &Step| (step.ply, step.seat, step.mv, step.by_client, step.hash);
    (one.start, &one.ending) == (other.start, &other.ending)
        && one.seats.iter().map(seat).eq(other.seats.iter().map(seat))
        && one.steps.iter().map(step).eq(other.steps.iter().map(step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{Block, Ending};

    /// A block with one match, whose start distinguishes the results.
    fn played(id: u64, start: u64) -> PlayedBlock {
        let block = Block {
            id: format!("{id:016x}"),
            number: id,
            lineup: vec![0, 1],
            rotations: 1,
            setting: 0,
            opening: 0,
            client_seed: [0; 32],
        };
        let (seats, steps, outputs) = (Vec::new(), Vec::new(), Vec::new());
        let id = format!("{}-a", block.id);
        let one = Match { id, start, ending: Ending::Over, seats, steps, outputs, started: 1, wall_us: 2 };
        PlayedBlock { block, matches: vec![one] }
    }

    fn kept(finding: AuditFinding) -> (u64, Witness, Vec<i64>) {
        match finding {
            AuditFinding::Kept { played, by, liars } => (played.matches[0].start, by, liars),
            other => panic!("not decided: {other:?}"),
        }
    }

    #[test]
    fn whoever_stands_alone_has_lied_and_the_others_are_believed() {
        let worker = Witness::Worker;
        let mut audits = Audits::new(1.0, || 0.5);
        assert_eq!(audits.hear(worker(1), played(1, 7)), AuditFinding::Again);
        assert_eq!(kept(audits.hear(worker(2), played(1, 7))), (7, worker(1), vec![]));
        for (plays, expected) in
            [([(1, 8), (2, 7), (3, 7)], (7, worker(2), vec![1])), ([(1, 7), (2, 8), (3, 7)], (7, worker(1), vec![2]))]
        {
            let [first, second, third] = plays.map(|(by, start)| (worker(by), played(2, start)));
            assert_eq!(audits.hear(first.0, first.1), AuditFinding::Again);
            assert_eq!(audits.hear(second.0, second.1), AuditFinding::Again);
            assert_eq!(audits.witnesses(&format!("{:016x}", 2)), [1, 2]);
            assert_eq!(kept(audits.hear(third.0, third.1)), expected);
        }
        assert!(audits.is_empty() && audits.changeable.is_empty());
    }

    #[test]
    fn this_machine_may_play_twice_and_is_not_looked_at() {
        let mut audits = Audits::new(1.0, || 0.5);
        assert_eq!(kept(audits.hear(Witness::Here, played(1, 7))), (7, Witness::Here, vec![]));
        audits.hear(Witness::Worker(4), played(2, 8));
        assert_eq!(audits.hear(Witness::Here, played(2, 7)), AuditFinding::Again);
        assert_eq!(audits.witnesses(&format!("{:016x}", 2)), [4], "this machine may play it again");
        assert_eq!(kept(audits.hear(Witness::Here, played(2, 7))), (7, Witness::Here, vec![4]));
    }

    #[test]
    fn three_results_are_the_clients_own_and_nobody_is_blamed() {
        let mut audits = Audits::new(1.0, || 0.5);
        audits.hear(Witness::Worker(1), played(1, 7));
        audits.hear(Witness::Worker(2), played(1, 8));
        assert_eq!(
            audits.hear(Witness::Worker(3), played(1, 9)),
            AuditFinding::Split(Witness::Worker(1), played(1, 7)),
            "the first stays"
        );
        assert_eq!(audits.changeable, BTreeSet::from([0, 1]));
        assert_eq!(kept(audits.hear(Witness::Worker(1), played(2, 7))), (7, Witness::Worker(1), vec![]));
    }

    #[test]
    fn where_nobody_else_is_one_is_believed_and_two_that_differ_are_not() {
        let mut audits = Audits::new(1.0, || 0.5);
        audits.hear(Witness::Worker(1), played(1, 7));
        assert_eq!(audits.give_up(&format!("{:016x}", 1)), Some((Witness::Worker(1), played(1, 7))));
        audits.hear(Witness::Worker(1), played(2, 7));
        audits.hear(Witness::Worker(2), played(2, 8));
        assert_eq!(audits.give_up(&format!("{:016x}", 2)), None);
        assert!(audits.is_empty());
    }

    /// 1 - (1 - 0.1 x 0.05)^500 = 0.918 of all such workers are found.
    #[test]
    fn a_worker_that_forges_a_tenth_of_500_blocks_is_found_by_audits_of_a_twentieth() {
        const SIMULATIONS: u64 = 200;
        let mut found = 0;
        for simulation in 0..SIMULATIONS {
            let mut forge = numbers(2 * simulation);
            let mut audits = Audits::new(0.05, numbers(2 * simulation + 1));
            let is_found = |id: u64| {
                let start = if forge() < 0.1 { 8 } else { 7 };
                let mut finding = audits.hear(Witness::Worker(1), played(id, start));
                let mut others = 2..;
                while finding == AuditFinding::Again {
                    finding = audits.hear(Witness::Worker(others.next().unwrap()), played(id, 7));
                }
                kept(finding).2 == [1]
            };
            found += u64::from((0..500).any(is_found));
        }
        assert!(found * 10 >= SIMULATIONS * 9, "{found} of {SIMULATIONS} were found");
    }

    /// Numbers from 0 to 1, the same at each run (splitmix64).
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
        }
    }
}
