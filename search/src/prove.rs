//! Proves the winner by depth-first proof-number search (Nagai 2002) in a fixed amount of memory. Evaluations order
//! positions that it has not looked at yet; a position is decided once the rooms of [`crate::Regions::decide`] decide
//! it.

use crate::board_tables::BoardTables;
use crate::evaluator::Evaluator;
use crate::judge::{CERTAIN, Judge};
use crate::position::{Move, Position};
use crate::value::VERTEX;

/// The number of a proof that is done, or impossible.
const INFINITE: u32 = (1 << 28) - 1;
/// Proof and disproof number of a position in which nobody is ahead, halved.
const EVEN: f64 = 4.0;
/// Branches with this many times the least effort still count as equal: their proofs have most in common.
const ALIKE: u32 = 8;

/// How far a position is from a proof, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    /// Least effort to show that it wins; 0 if it does, [`INFINITE`] if it does not.
    win: u32,
    /// Least effort to show that it loses.
    loss: u32,
}

/// A move from a position under proof.
struct Branch {
    mv: Move,
    numbers: Numbers,
}

/// The result of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Whether the side to move wins; `None` if the positions that may be looked at did not do.
    pub wins: Option<bool>,
    /// A move that wins, if it does.
    pub best: Option<Move>,
    /// Least effort that is still seen to show that it wins, and that it loses; 0 where it is shown.
    pub effort: [u32; 2],
    pub nodes: u64,
}

/// Proves the winner in positions of one board.
pub struct Prover {
    judge: Judge,
    known: Known,
    /// Positions that may be evaluated.
    nodes: u64,
}

impl Prover {
    /// A prover with this number of bytes for its memory.
    pub fn new(tables: &BoardTables, evaluator: Evaluator, bytes: u64) -> Prover {
        Prover { judge: Judge::new(tables, evaluator), known: Known::new(bytes), nodes: u64::MAX }
    }

    /// Whether the side to move wins, by about this number of evaluations at most. A further call goes on with its
    /// knowledge.
    pub fn prove(&mut self, tables: &BoardTables, position: &mut Position, nodes: u64) -> Proven {
        self.nodes = self.judge.nodes().saturating_add(nodes);
        let before = self.judge.nodes();
        let limit = Numbers { win: INFINITE, loss: INFINITE };
        let (numbers, best) = self.deepen(tables, position, limit);
        let wins = match numbers {
            Numbers { win: 0, .. } => Some(true),
            Numbers { loss: 0, .. } => Some(false),
            _ => None,
        };
        let effort = [numbers.win, numbers.loss];
        Proven { wins, best: best.filter(|_| wins == Some(true)), effort, nodes: self.judge.nodes() - before }
    }

    /// Searches below a position until one of its numbers reaches the limit; its numbers then, and its most promising
    /// move.
    fn deepen(&mut self, tables: &BoardTables, position: &mut Position, limit: Numbers) -> (Numbers, Option<Move>) {
        let before = self.judge.nodes();
        let mut branches = self.branches(tables, position);
        loop {
            let (numbers, best) = combine(&branches);
            let is_over =
                numbers.win >= limit.win || numbers.loss >= limit.loss || numbers.win == 0 || numbers.loss == 0;
            if is_over || self.judge.nodes() >= self.nodes {
                self.known.put(position.hash(), numbers, self.judge.nodes() - before);
                return (numbers, branches.get(best.index).map(|branch| branch.mv));
            }
            let Best { index, second, others } = best;
            let below = Numbers {
                win: limit.loss.saturating_sub(others),
                // A quarter more than the next best spares many a change from one to the other and back.
                loss: limit.win.min(second.saturating_add(second / 4 + 1).min(INFINITE)),
            };
            let branch = &mut branches[index];
            position.play(tables, branch.mv);
            (branch.numbers, _) = self.deepen(tables, position, below);
            position.undo(tables, branch.mv);
        }
    }

    /// All moves with the known or expected numbers of the resulting positions, the most promising first.
    fn branches(&mut self, tables: &BoardTables, position: &mut Position) -> Vec<Branch> {
        let mut branches = Vec::with_capacity(256);
        let (mut slides, mut arrows) = (Vec::with_capacity(64), Vec::with_capacity(64));
        for &from in position.queens(position.side()) {
            position.each_slide(tables, from, |to| slides.push((from, to)));
        }
        for (from, to) in slides {
            position.slide(tables, from, to);
            arrows.clear();
            position.each_arrow(tables, from, to, |arrow| arrows.push(arrow));
            for &arrow in &arrows {
                position.shoot(tables, arrow);
                let known = self.known.get(position.hash());
                let numbers = known.unwrap_or_else(|| expect(self.judge.leaf(tables, position)));
                position.unshoot(tables, arrow);
                branches.push(Branch { mv: Move { from, to, arrow }, numbers });
            }
            position.slide(tables, to, from);
        }
        branches.sort_by_key(|branch| branch.numbers.loss);
        branches
    }
}

/// The branch to go on with, and its competitors.
struct Best {
    index: usize,
    /// The least `loss` among the others.
    second: u32,
    /// The part of all other branches in the `loss` of the position.
    others: u32,
}

/// The numbers of a position from those of its branches. One branch that the other side loses is enough to win; for a
/// loss, it must win all of them. A sum would count shared parts many times, so the hardest branch counts, and a little
/// for each other (weak proof numbers: Ueda, Hashimoto, Hashimoto and Iida 2008).
fn combine(branches: &[Branch]) -> (Numbers, Best) {
    let (mut win, mut second, mut index) = (INFINITE, INFINITE, 0);
    let (mut hardest, mut open) = (0, 0u32);
    for (at, Branch { numbers, .. }) in branches.iter().enumerate() {
        if numbers.loss < win {
            (second, win, index) = (win, numbers.loss, at);
        } else {
            second = second.min(numbers.loss);
        }
        hardest = hardest.max(numbers.win);
        open += u32::from(numbers.win > 0);
    }
    let others = open.saturating_sub(1) / ALIKE;
    let loss = if hardest >= INFINITE { INFINITE } else { (hardest + others).min(INFINITE - 1) };
    let numbers = Numbers { win, loss: if win == 0 { INFINITE } else { loss } };
    (numbers, Best { index, second, others })
}

/// The expected effort, by the value of a position for the side to move.
fn expect(value: i32) -> Numbers {
    if value >= CERTAIN {
        return Numbers { win: 0, loss: INFINITE };
    }
    if value <= -CERTAIN {
        return Numbers { win: INFINITE, loss: 0 };
    }
    // Twice as likely for each vertex ahead.
    let odds = (f64::from(value) / f64::from(VERTEX)).clamp(-12.0, 12.0).exp2();
    Numbers { win: (EVEN * (1.0 + 1.0 / odds)) as u32, loss: (EVEN * (1.0 + odds)) as u32 }
}

/// The numbers of positions by their hash: of the four places for a position the one with least work gives way.
struct Known(Vec<[(u64, u64); 4]>);

impl Known {
    fn new(bytes: u64) -> Known {
        let most = (bytes / size_of::<[(u64, u64); 4]>() as u64).max(1);
        Known(vec![[(0, 0); 4]; 1 << most.ilog2()])
    }

    fn get(&self, hash: u64) -> Option<Numbers> {
        let bucket = &self.0[hash as usize & (self.0.len() - 1)];
        let (_, facts) = bucket.iter().find(|(key, facts)| *key == hash && *facts != 0)?;
        let part = |facts: u64| facts as u32 & INFINITE;
        Some(Numbers { win: part(*facts), loss: part(facts >> 28) })
    }

    fn put(&mut self, hash: u64, numbers: Numbers, work: u64) {
        let last = self.0.len() - 1;
        let bucket = &mut self.0[hash as usize & last];
        let weight = |facts: u64| facts >> 56;
        let facts = u64::from(numbers.win) | u64::from(numbers.loss) << 28 | u64::from((work + 2).ilog2()) << 56;
        let same = bucket.iter().position(|(key, _)| *key == hash);
        let place = same.unwrap_or_else(|| (0..4).min_by_key(|place| weight(bucket[*place].1)).unwrap_or(0));
        bucket[place] = (hash, facts);
    }
}
