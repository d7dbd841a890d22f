//! How deep to search at a turn: a fixed number of plies, or one of the course's two rules as they are printed.

use crate::options::Depth;
use agon_client_api::amazons::Setup;
use agon_search::BoardTables;

/// A rule, and what it has to remember from turn to turn.
#[derive(Clone, Debug)]
pub enum DepthRule {
    /// Always the same.
    Fixed(u8),
    /// depth(t) = floor(exp(1.15 t / (exp(0.05 m) sqrt(m) m))), t in plies, m the width; the course's code then lifts 1
    /// to 2.
    Turn {
        /// The width of the board, or of the square that has as many vertices.
        width: f64,
    },
    /// With max = timeout / vertices: one deeper when time / sqrt(vertices) < max / vertices, one shallower when time >
    /// max. The text divides by the vertices twice, and so does this.
    Time {
        /// The depth of the next turn.
        depth: u8,
        /// timeout / vertices, microseconds.
        most_us: f64,
        /// The number of vertices of the board, holes included.
        vertices: f64,
    },
}

/// The course's own timeout, where the match has no budget: 10 s for all moves.
const TIMEOUT_US: u64 = 10_000_000;

impl DepthRule {
    /// The rule of the option, on the board of a setup.
    pub fn new(depth: Depth, tables: &BoardTables, setup: &Setup) -> DepthRule {
        let vertices = tables.num_vertices() as f64;
        match depth {
            Depth::Plies(plies) => DepthRule::Fixed(plies),
            Depth::CourseTurn => {
                DepthRule::Turn { width: if setup.columns > 0 { setup.columns as f64 } else { vertices.sqrt() } }
            }
            Depth::CourseTime => {
                let timeout = if setup.head.total_us > 0 { setup.head.total_us } else { TIMEOUT_US };
                DepthRule::Time { depth: 1, most_us: timeout as f64 / vertices, vertices }
            }
        }
    }

    /// The plies to search at this ply of the match.
    pub fn depth(&self, ply: u32) -> u8 {
        match self {
            DepthRule::Fixed(depth) | DepthRule::Time { depth, .. } => *depth,
            DepthRule::Turn { width: m } => {
                let depth = (1.15 * f64::from(ply) / ((0.05 * m).exp() * m.sqrt() * m)).exp().floor();
                (depth as u8).max(2)
            }
        }
    }

    /// Notes how long the turn took, microseconds.
    pub fn note(&mut self, took_us: u64) {
        if let DepthRule::Time { depth, most_us, vertices } = self {
            let took = took_us as f64;
            if took / vertices.sqrt() < *most_us / *vertices {
                *depth = depth.saturating_add(1);
            } else if took > *most_us {
                *depth = (*depth - 1).max(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_by_turn_grows_with_the_game() {
        let rule = DepthRule::Turn { width: 10.0 };
        assert_eq!([0, 30, 50, 60].map(|ply| rule.depth(ply)), [2, 2, 3, 3]);
    }

    #[test]
    fn the_rule_by_time_goes_up_and_down() {
        let mut rule = DepthRule::Time { depth: 1, most_us: 100_000.0, vertices: 100.0 };
        let mut depths = Vec::new();
        for took in [1_000, 9_999, 10_001, 100_001, 100_001, 100_001] {
            rule.note(took);
            depths.push(rule.depth(0));
        }
        assert_eq!(depths, [2, 3, 3, 2, 1, 1]);
    }
}
