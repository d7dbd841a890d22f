//! Distances on any graph: from vertex to vertex along the lines, level by level, written down and compared at the end.

use crate::arena::Arena;
use crate::position::Position;
use crate::terms::{Terms, nearness};
use agon_boards::Occupancy;
use std::ops::ControlFlow;

/// Farther than any vertex.
pub(crate) const FAR: u16 = u16::MAX;

/// Memory for distances, kept from one evaluation to the next.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    /// D1 of each side.
    pub by_queens: [Vec<u16>; 2],
    by_kings: [Vec<u16>; 2],
    blocked: Occupancy,
    order: Vec<u16>,
}

impl Spread {
    pub fn new(arena: &Arena) -> Spread {
        let far = || vec![FAR; arena.num_vertices()];
        Spread {
            by_queens: [far(), far()],
            by_kings: [far(), far()],
            blocked: arena.lines.empty(),
            order: Vec::with_capacity(arena.num_vertices()),
        }
    }

    /// The terms for side 0, with `tied` as counts; those of D1 alone unless `FULL`.
    pub fn measure<const FULL: bool>(&mut self, arena: &Arena, position: &Position) -> Terms {
        for side in 0..2 {
            self.spread_queens(arena, position, side);
            if FULL {
                self.spread_kings(arena, position, side);
            }
        }
        let mut terms = Terms::default();
        for (&a, &b) in self.by_queens[0].iter().zip(&self.by_queens[1]) {
            compare(a, b, &mut terms.closer1, &mut terms.tied1);
            if FULL {
                terms.near1 += nearness(a.into()) - nearness(b.into());
            }
            if a != FAR && b != FAR {
                terms.contested += if FULL { 128 >> a.abs_diff(b).min(7) } else { 1 };
            }
        }
        if FULL {
            for (&a, &b) in self.by_kings[0].iter().zip(&self.by_kings[1]) {
                compare(a, b, &mut terms.closer2, &mut terms.tied2);
                terms.near2 += (i32::from(b) - i32::from(a)).clamp(-6, 6);
            }
        }
        terms
    }

    /// A slide need not pass what was reached before, so that reached vertices block like occupied ones.
    fn spread_queens(&mut self, arena: &Arena, position: &Position, side: usize) {
        let Spread { by_queens, blocked, order, .. } = self;
        let distances = &mut by_queens[side];
        distances.fill(FAR);
        blocked.clone_from(&position.occupied);
        order.clear();
        order.extend_from_slice(&position.queens[side]);
        let (mut begin, mut level) = (0, 1);
        while begin < order.len() {
            let end = order.len();
            for index in begin..end {
                arena.lines.each_ray(blocked, order[index].into(), |_, to| {
                    if distances[to] == FAR {
                        distances[to] = level;
                        order.push(to as u16);
                    }
                    ControlFlow::Continue(())
                });
            }
            for &vertex in &order[end..] {
                blocked.toggle(&arena.lines, vertex.into());
            }
            (begin, level) = (end, level + 1);
        }
    }

    fn spread_kings(&mut self, arena: &Arena, position: &Position, side: usize) {
        let Spread { by_kings, order, .. } = self;
        let distances = &mut by_kings[side];
        distances.fill(FAR);
        order.clear();
        order.extend_from_slice(&position.queens[side]);
        let queens = order.len();
        let mut done = 0;
        while let Some(&from) = order.get(done) {
            let next = if done < queens { 1 } else { distances[usize::from(from)] + 1 };
            done += 1;
            for to in arena.neighbours(from.into()) {
                if distances[to] == FAR && !position.occupied.has(&arena.lines, to) {
                    distances[to] = next;
                    order.push(to as u16);
                }
            }
        }
    }
}

#[inline]
fn compare(a: u16, b: u16, closer: &mut i32, tied: &mut i32) {
    *closer += i32::from(a < b) - i32::from(a > b);
    *tied += i32::from(a == b && a != FAR);
}
