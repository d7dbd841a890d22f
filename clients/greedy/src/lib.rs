//! Amazons, one move deep: the move after which most vertices are nearer to its own queens than to the opponent's,
//! counted in queen moves. Equal moves are parted by mobility, then by chance. The beginner's opponent; it looks at a
//! fixed number of moves, so that the same seed gives the same game unless time runs out.
#![forbid(unsafe_code)]

mod territory;

use agon_client_api::amazons::{Amazons, AmazonsMove, Board, Setup, Turn};
use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::{Client, Declined, TurnHead, cpu_us, export_client, log};
use std::cmp::{Ordering, Reverse};
use territory::{Judge, Worth};

/// Vertices looked at in one turn, a fraction of a second of work: all moves of square:10 fit in.
const WORK: usize = 400_000;
/// Between two looks at the clock, in evaluations.
const CLOCK_EVERY: usize = 4;

struct Greedy {
    board: Board,
    side: usize,
    judge: Judge,
    rng: Rng,
}

impl Client for Greedy {
    type Game = Amazons;
    const NAME: &'static str = "greedy";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let board = Board::new(setup);
        Ok(Greedy { judge: Judge::new(&board), board, side: setup.side, rng: rng(setup.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        self.board.play_if_any(1 - self.side, turn.previous);
        let time_us = allowance(turn.head);
        let candidates = self.candidates(time_us / 2);
        let (mv, worth) = self.best(&candidates, time_us);
        log("value", worth.territory);
        log("nodes", candidates.len());
        self.board.play(self.side, mv);
        mv
    }
}

impl Greedy {
    /// All legal moves; or, where they are too many, those of the queens' best slides, as an arrow changes less than a
    /// queen.
    fn candidates(&mut self, time_us: u64) -> Vec<AmazonsMove> {
        let most = (WORK / self.board.num_vertices()).max(1);
        let all: Vec<_> = self.board.moves(self.side).take(most + 1).collect();
        if all.len() <= most {
            return all;
        }
        let mut kept = Vec::with_capacity(most);
        for (_, src, dst) in self.slides(most, time_us) {
            let shot = |arrow_dst| AmazonsMove { queen_src: src, queen_dst: dst, arrow_dst };
            kept.extend(self.board.arrows(src, dst).map(shot).take(most - kept.len()));
        }
        kept
    }

    /// At most so many slides of queens after which an arrow can be shot, from all over the list, the best without
    /// arrow first.
    fn slides(&mut self, most: usize, time_us: u64) -> Vec<(Worth, u32, u32)> {
        let queens = self.board.queens(self.side).iter();
        let ends = queens.flat_map(|&src| self.board.slides(src).map(move |dst| (src, dst)));
        let ends: Vec<_> = ends.filter(|&(src, dst)| self.board.arrows(src, dst).next().is_some()).collect();
        let stride = ends.len().div_ceil(most).max(1);
        let mut slides = Vec::with_capacity(ends.len() / stride + 1);
        for (i, &(src, dst)) in ends.iter().step_by(stride).enumerate() {
            if is_late(i, time_us) {
                break;
            }
            // An arrow on the queen's own vertex: a slide alone.
            slides.push((self.worth(AmazonsMove { queen_src: src, queen_dst: dst, arrow_dst: dst }), src, dst));
        }
        slides.sort_by_key(|(worth, ..)| Reverse(*worth));
        slides
    }

    fn worth(&mut self, mv: AmazonsMove) -> Worth {
        self.board.play(self.side, mv);
        let worth = self.judge.worth(&self.board, self.side);
        self.board.undo(self.side, mv);
        worth
    }

    /// The best of the moves, each of several as likely as any other; the best so far when time is up.
    fn best(&mut self, moves: &[AmazonsMove], time_us: u64) -> (AmazonsMove, Worth) {
        let mut best = (moves[0], Worth::LEAST);
        let mut equals = 0u64;
        for (i, &mv) in moves.iter().enumerate() {
            if is_late(i, time_us) {
                break;
            }
            let worth = self.worth(mv);
            match worth.cmp(&best.1) {
                Ordering::Less => {}
                Ordering::Greater => (best, equals) = ((mv, worth), 1),
                Ordering::Equal => {
                    equals += 1;
                    if below(&mut self.rng, equals) == 0 {
                        best.0 = mv;
                    }
                }
            }
        }
        best
    }
}

/// Whether time is up after so many evaluations, of which a few are always allowed.
fn is_late(evaluations: usize, time_us: u64) -> bool {
    evaluations % CLOCK_EVERY == CLOCK_EVERY - 1 && cpu_us() > time_us
}

/// Microseconds that this turn may take: half of what the call has, and a twentieth of what all later calls have
/// together, or an even share where fewer come before more is given.
fn allowance(head: &TurnHead) -> u64 {
    let calls = head.moves_left().map_or(20, |moves| moves.min(20));
    (head.cpu_left_us.min(head.wall_left_us) / 2).min(head.total_left_us / calls)
}

export_client!(Greedy);
