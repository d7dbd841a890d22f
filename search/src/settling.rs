//! Decides the winner where the realms of both sides are apart, but a queen between them may leave its place. It
//! searches everything that depends on such queens to the end; private regions count as spare moves.

use crate::board_tables::BoardTables;
use crate::filling::Effort;
use crate::position::{Move, Position};
use crate::regions::Regions;
use std::collections::HashMap;

/// Moves looked at in each region of a position on the way.
const WORK: u64 = 200;
/// Finding the regions of a position takes as long as looking at this number of moves.
const REGIONS_COST: u64 = 20;

/// A search to the end.
struct Settling<'a, 'b> {
    regions: &'a mut Regions,
    tables: &'a BoardTables,
    known: HashMap<u64, bool>,
    effort: &'a mut Effort<'b>,
}

impl Regions {
    /// Whether the side to move wins; `None` if that takes more than so much work: as long as it takes to
    /// look at so many moves in a region.
    pub fn wins(&mut self, tables: &BoardTables, position: &Position, work: u64) -> Option<bool> {
        self.settle(tables, position, &mut Effort::new(work, &mut || false)).map(|best| best.is_some())
    }

    /// A move that wins, or that there is none; `None` if that takes too long.
    pub(crate) fn settle(
        &mut self,
        tables: &BoardTables,
        position: &Position,
        effort: &mut Effort,
    ) -> Option<Option<Move>> {
        let mut settling = Settling { regions: self, tables, known: HashMap::new(), effort };
        let mut next = position.clone();
        for mv in settling.moves(&mut next) {
            next.play(tables, mv);
            if !settling.wins(&mut next)? {
                return Some(Some(mv));
            }
            next.undo(tables, mv);
        }
        Some(None)
    }
}

impl Settling<'_, '_> {
    fn wins(&mut self, position: &mut Position) -> Option<bool> {
        if !position.has_move(self.tables) {
            return Some(false);
        }
        if let Some(known) = self.known.get(&position.hash()) {
            return Some(*known);
        }
        let before = self.regions.spent();
        let decided = self.regions.decide(self.tables, position, WORK);
        self.effort.spend(REGIONS_COST + self.regions.spent() - before)?;
        if let Some((winner, _)) = decided {
            return Some(winner == position.side);
        }
        let mut wins = false;
        let before = self.regions.spent();
        let moves = self.moves(position);
        self.effort.spend(REGIONS_COST * moves.len() as u64 + self.regions.spent() - before)?;
        for mv in moves {
            position.play(self.tables, mv);
            let lost = self.wins(position).map(|wins| !wins);
            position.undo(self.tables, mv);
            if lost? {
                wins = true;
                break;
            }
        }
        self.known.insert(position.hash(), wins);
        Some(wins)
    }

    /// All moves but those that are as good as another, what leaves the mover most moves ahead first.
    fn moves(&mut self, position: &mut Position) -> Vec<Move> {
        let side = position.side;
        let mut moves = Vec::new();
        position.moves(self.tables, &mut moves);
        let spare = self.regions.spare(self.tables, position);
        moves.retain(|mv| !spare.queens.contains(&mv.from));
        moves.extend(spare.mv);
        moves.sort_by_cached_key(|mv| {
            position.play(self.tables, *mv);
            let [own, other] = self.regions.bounds(self.tables, position, side);
            position.undo(self.tables, *mv);
            i64::from(other.most) - i64::from(own.least)
        });
        moves
    }
}
