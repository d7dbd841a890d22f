//! Amazons for clients: views of `agon/amazons.h`, and a board that lists, plays and evaluates moves on any graph.

mod evaluation;

use crate::{Options, SetupHead, TurnHead};
pub use agon_games::amazons::{AmazonsMove, AmazonsSetup, AmazonsTurn, Graph};
pub use evaluation::{FAR, Step, Terms};

/// The game, as [`Client::Game`](crate::Client::Game).
pub struct Amazons;

/// The start of a match.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The fields that all games share.
    pub head: &'a SetupHead,
    /// The options of this client.
    pub options: Options<'a>,
    /// The board, its queens, and the side to move first.
    pub graph: Graph<'a>,
    /// This client's side, 0 or 1.
    pub side: usize,
    /// Columns of the grid; 0 if the board is not a grid.
    pub columns: usize,
    /// See `columns`.
    pub rows: usize,
}

/// The events since this client's last turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The fields that all games share.
    pub head: &'a TurnHead,
    /// The opponent's move; [`AmazonsMove::NONE`] at the first move of the match.
    pub previous: AmazonsMove,
}

const DIRECTIONS: usize = 8;
const NOWHERE: u32 = u32::MAX;

/// A position on a graph: the places of the queens, and the blocked vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// `next[8 * v + d - 1]` is the neighbour of v in direction d.
    next: Vec<u32>,
    /// The number of vertices that a slide from v in direction d passes on an empty board, until it ends or returns.
    reach: Vec<u32>,
    occupied: Vec<bool>,
    queens: [Vec<u32>; 2],
    vacated_is_free: bool,
}

impl Board {
    /// The start of a match.
    pub fn new(setup: &Setup) -> Board {
        let mut next = vec![NOWHERE; setup.graph.num_vertices * DIRECTIONS];
        for (vertex, ends) in setup.graph.row_start.windows(2).enumerate() {
            for edge in ends[0] as usize..ends[1] as usize {
                next[vertex * DIRECTIONS + usize::from(setup.graph.directions[edge]) - 1] = setup.graph.targets[edge];
            }
        }
        let mut occupied = vec![false; setup.graph.num_vertices];
        for &vertex in setup.graph.blocked.iter().chain(setup.graph.queens[0]).chain(setup.graph.queens[1]) {
            occupied[vertex as usize] = true;
        }
        let queens = setup.graph.queens.map(<[u32]>::to_vec);
        let reach = measure_slides(&next);
        Board { next, reach, occupied, queens, vacated_is_free: setup.graph.vacated_is_free }
    }

    /// The number of vertices, including holes.
    pub fn num_vertices(&self) -> usize {
        self.occupied.len()
    }

    /// The places of a side's queens, in no order.
    pub fn queens(&self, side: usize) -> &[u32] {
        &self.queens[side]
    }

    /// Whether a queen or an arrow stands on a vertex, or it is blocked from the start.
    pub fn is_occupied(&self, vertex: u32) -> bool {
        self.occupied[vertex as usize]
    }

    /// The vertices that a queen on `from` can slide to.
    pub fn slides(&self, from: u32) -> Slides<'_> {
        self.slides_over(from, NOWHERE)
    }

    /// The vertices that an arrow can hit, shot by the queen that slid from `src` to `dst`.
    pub fn arrows(&self, src: u32, dst: u32) -> Slides<'_> {
        self.slides_over(dst, if self.vacated_is_free { src } else { NOWHERE })
    }

    fn slides_over(&self, from: u32, opened: u32) -> Slides<'_> {
        Slides { board: self, from, opened, direction: 0, at: from, left: self.reach[from as usize * DIRECTIONS] }
    }

    /// The legal moves of the queen on `src`.
    pub fn moves_of(&self, src: u32) -> impl Iterator<Item = AmazonsMove> + '_ {
        let shots = move |queen_dst| {
            let shot = move |arrow_dst| AmazonsMove { queen_src: src, queen_dst, arrow_dst };
            self.arrows(src, queen_dst).map(shot)
        };
        self.slides(src).flat_map(shots)
    }

    /// The legal moves of a side, always in the same order.
    pub fn moves(&self, side: usize) -> impl Iterator<Item = AmazonsMove> + '_ {
        self.queens[side].iter().flat_map(|&src| self.moves_of(src))
    }

    /// Plays a legal move of a side.
    pub fn play(&mut self, side: usize, mv: AmazonsMove) {
        self.slide(side, mv.queen_src, mv.queen_dst);
        self.occupied[mv.arrow_dst as usize] = true;
    }

    /// Plays the opponent's previous move, if there was one.
    pub fn play_if_any(&mut self, side: usize, mv: AmazonsMove) {
        if mv != AmazonsMove::NONE {
            self.play(side, mv);
        }
    }

    /// Takes back the last move.
    pub fn undo(&mut self, side: usize, mv: AmazonsMove) {
        self.occupied[mv.arrow_dst as usize] = false;
        self.slide(side, mv.queen_dst, mv.queen_src);
    }

    fn slide(&mut self, side: usize, from: u32, to: u32) {
        if let Some(queen) = self.queens[side].iter_mut().find(|queen| **queen == from) {
            *queen = to;
        }
        self.occupied[from as usize] = false;
        self.occupied[to as usize] = true;
    }
}

fn measure_slides(next: &[u32]) -> Vec<u32> {
    let mut last_seen = vec![usize::MAX; next.len() / DIRECTIONS];
    let measure = |slide: usize| {
        let (mut at, mut passed) = (slide / DIRECTIONS, 0);
        last_seen[at] = slide;
        loop {
            let to = next[at * DIRECTIONS + slide % DIRECTIONS];
            if to == NOWHERE || last_seen[to as usize] == slide {
                return passed;
            }
            at = to as usize;
            last_seen[at] = slide;
            passed += 1;
        }
    };
    (0..next.len()).map(measure).collect()
}

/// The vertices that can be reached from one vertex by repeating one direction over free vertices.
#[derive(Clone, Debug)]
pub struct Slides<'a> {
    board: &'a Board,
    from: u32,
    opened: u32,
    direction: usize,
    at: u32,
    left: u32,
}

impl Iterator for Slides<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            if self.left > 0 {
                let to = self.board.next[self.at as usize * DIRECTIONS + self.direction];
                if !self.board.occupied[to as usize] || to == self.opened {
                    self.at = to;
                    self.left -= 1;
                    return Some(to);
                }
            }
            self.direction += 1;
            if self.direction == DIRECTIONS {
                // Nothing is left, at this call and all later ones.
                (self.direction, self.left) = (DIRECTIONS - 1, 0);
                return None;
            }
            self.at = self.from;
            self.left = self.board.reach[self.from as usize * DIRECTIONS + self.direction];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_abi::Pod;

    /// A line of vertices, east and west, with queens at its ends.
    fn line(length: u32, one_way: bool) -> Board {
        let (mut row_start, mut targets, mut directions) = (vec![0], vec![], vec![]);
        for vertex in 0..length {
            if vertex > 0 && !one_way {
                targets.push(vertex - 1);
                directions.push(7);
            }
            if vertex + 1 < length {
                targets.push(vertex + 1);
                directions.push(3);
            }
            row_start.push(targets.len() as u32);
        }
        Board::new(&Setup {
            head: &SetupHead::zeroed(),
            options: Options(""),
            graph: Graph {
                num_vertices: length as usize,
                row_start: &row_start,
                targets: &targets,
                directions: &directions,
                queens: [&[0], &[length - 1]],
                blocked: &[],
                side_to_move: 0,
                vacated_is_free: true,
            },
            side: 0,
            columns: 0,
            rows: 0,
        })
    }

    #[test]
    fn moves_on_a_line() {
        let mut board = line(4, false);
        let moves: Vec<_> = board.moves(0).map(|mv| (mv.queen_dst, mv.arrow_dst)).collect();
        assert_eq!(moves, [(1, 2), (1, 0), (2, 1), (2, 0)]);
        let before = board.clone();
        let mv = AmazonsMove { queen_src: 0, queen_dst: 1, arrow_dst: 2 };
        board.play(0, mv);
        assert_eq!((board.moves(1).count(), board.queens(0)), (0, &[1][..]));
        board.undo(0, mv);
        assert_eq!(board, before);
        board.vacated_is_free = false;
        assert_eq!(board.moves(0).count(), 2);
    }

    #[test]
    fn one_way_edges_lead_one_way() {
        let board = line(4, true);
        assert_eq!((board.moves(0).count(), board.moves(1).count()), (1, 0));
    }
}
