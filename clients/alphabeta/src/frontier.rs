//! The last ply: slides and arrows are evaluated in the order of what has been learned of them, and only those that can
//! still come up to the window.

use crate::node::{DEEPEST, Node, SearchThread, Window};
use crate::options::Widths;
use agon_search::{BoardTables, Move, Position, Sieve, Slide, WON};
use std::cmp::Reverse;

impl SearchThread {
    /// A node whose children are evaluated, until one is too good: first those that were too good elsewhere.
    pub(crate) fn frontier(&mut self, tables: &BoardTables, position: &mut Position, node: Node) -> (i32, Move) {
        let Node { hint, window, ply, .. } = node;
        let mut best = (ply as i32 - WON, Move::NONE);
        let [first, second] = self.killers[ply.min(DEEPEST)];
        for mv in [hint, first, second] {
            best = best.max(self.try_move(tables, position, mv).unwrap_or(best));
            if best.0 >= window.beta {
                return best;
            }
        }
        let (_, slides) = self.width(tables, position, ply);
        if let Some(spare) = self.judge.spare_child(tables, position) {
            best = best.max((spare.value, spare.mv));
            if best.0 >= window.beta {
                return best;
            }
        }
        let Widths { margin, doubt, .. } = self.widths;
        let still = self.judge.leaf(tables, position);
        let mut sieve = Sieve { most: slides, ..Sieve::ALL };
        if margin < i32::MAX {
            // What is left out is no better.
            sieve = Sieve { floor: window.alpha.max(best.0).saturating_sub(margin), doubt, most: slides };
            if best.0 < window.alpha {
                best = (window.alpha, Move::NONE);
            }
        }
        for mut slide in self.judge.hopeful_slides(tables, position, still, sieve) {
            self.shoot_all(tables, position, &mut slide, still, window, &mut best);
            if best.0 >= window.beta || self.judge.is_stopped() {
                self.remember(ply, best.1);
                break;
            }
        }
        best
    }

    /// The value of a move and the move, if there is one here.
    fn try_move(&mut self, tables: &BoardTables, position: &mut Position, mv: Move) -> Option<(i32, Move)> {
        if mv == Move::NONE || !position.allows(tables, mv) {
            return None;
        }
        position.play(tables, mv);
        let value = -self.judge.leaf(tables, position);
        position.undo(tables, mv);
        Some((value, mv))
    }

    /// Evaluates a slide, and where it comes near to what is needed its arrows, until one is too good.
    fn shoot_all(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        slide: &mut Slide,
        still: i32,
        window: Window,
        best: &mut (i32, Move),
    ) {
        let (from, to, is_full) = (slide.from, slide.to, self.widths.margin == i32::MAX);
        position.slide(tables, from, to);
        if !is_full {
            slide.value = self.judge.look_at(tables, position, slide, still);
        }
        if is_full || slide.value.saturating_add(self.widths.margin) > best.0 {
            let mut arrows = std::mem::take(&mut self.arrows);
            arrows.clear();
            let (side, judge, doubt, floor) = (position.side(), &mut self.judge, self.widths.doubt, best.0);
            position.each_arrow(tables, from, to, |arrow| {
                let hope = judge.hope_of_arrow(side, slide, arrow, doubt);
                if is_full || hope > floor {
                    arrows.push((hope, arrow));
                } else {
                    judge.pass_arrow(side, arrow);
                }
            });
            arrows.sort_unstable_by_key(|(hope, arrow)| (Reverse(*hope), *arrow));
            for &(hope, arrow) in &arrows {
                if !is_full && hope <= best.0 {
                    self.judge.pass_arrow(side, arrow);
                    continue;
                }
                let value = self.judge.shoot(tables, position, slide, arrow);
                if value > best.0 {
                    *best = (value, Move { from, to, arrow });
                }
                if value >= window.beta || self.judge.is_stopped() {
                    break;
                }
            }
            self.arrows = arrows;
        }
        position.slide(tables, to, from);
    }
}
