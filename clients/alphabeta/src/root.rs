//! The search of one thread at the root: deeper and deeper, the best move first.

use crate::node::{INFINITE, LateMove, SearchThread, Window};
use agon_search::{BoardTables, CERTAIN, Child, Move, Position, SearchLimits};
use std::ops::RangeInclusive;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// For the side to move, thousandths of a vertex; from [`CERTAIN`] on it has won.
    pub value: i32,
    /// Plies searched to their end.
    pub depth: u8,
    /// Positions evaluated.
    pub nodes: u64,
    /// The best move, and what is expected to follow; empty if there is no move.
    pub line: Vec<Move>,
}

impl SearchThread {
    /// Deeper and deeper, from the first depth to the last: the best of all moves but those of `without`.
    pub fn search(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        depths: RangeInclusive<u8>,
        limits: SearchLimits,
        without: &[Move],
    ) -> Found {
        self.judge.begin(limits);
        self.killers.fill([Move::NONE; 2]);
        let (width, _) = self.width(tables, position, 0);
        let mut root = self.judge.children(tables, position, width.saturating_add(without.len()), usize::MAX);
        root.retain(|child| !without.contains(&child.mv));
        if root.is_empty() {
            // Not even one evaluation was allowed, or there is no move at all.
            let mut moves = Vec::new();
            position.moves(tables, &mut moves);
            moves.retain(|mv| !without.contains(mv));
            root.extend(moves.first().map(|&mv| Child { value: 0, mv }));
        }
        let Some(first) = root.first() else { return Found::default() };
        let mut found = Found { value: first.value, depth: 1, nodes: 0, line: vec![first.mv] };
        for depth in depths {
            if root.len() == 1 || found.value.abs() >= CERTAIN || self.judge.is_late() {
                break;
            }
            let best = self.deepen(tables, position, &mut root, depth);
            let Some(best) = best else { break };
            found = Found { value: best.value, depth, nodes: 0, line: self.line(tables, position, best.mv, depth) };
            if self.judge.is_stopped() {
                found.depth -= 1;
            }
        }
        found.nodes = self.judge.nodes();
        found
    }

    /// One iteration at the root; the best move comes first then. `None` if time was up before the first was done.
    fn deepen(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        root: &mut [Child],
        depth: u8,
    ) -> Option<Child> {
        let mut best: Option<(usize, i32)> = None;
        for (index, child) in root.iter().enumerate() {
            let window = Window { alpha: best.map_or(-INFINITE, |(_, value)| value), beta: INFINITE };
            let value = self.descend(tables, position, *child, LateMove { depth, index }, window, 0);
            if self.judge.is_stopped() {
                break;
            }
            if best.is_none_or(|(_, best)| value > best) {
                best = Some((index, value));
            }
        }
        let (index, value) = best?;
        root[..=index].rotate_right(1);
        root[0].value = value;
        Some(root[0])
    }

    /// The moves expected from a position on, as the table has them, `first` before them.
    fn line(&self, tables: &BoardTables, position: &Position, first: Move, depth: u8) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = vec![first];
        position.play(tables, first);
        while line.len() < usize::from(depth) {
            let Some(entry) = self.table.get(position.hash()) else { break };
            if entry.best == Move::NONE || !position.allows(tables, entry.best) {
                break;
            }
            line.push(entry.best);
            position.play(tables, entry.best);
        }
        line
    }
}
