//! Amazons, one move deep: the move after which most vertices are nearer to its own queens than to the opponent's, counted in queen
//! moves. Equal moves are parted by mobility, then by chance. The beginner's opponent; it looks at a fixed number of moves, so that
//! the same seed gives the same game unless time runs out.
#![forbid(unsafe_code)]

mod territory;

use agon_client_api::amazons::{Amazons, AmazonsMove, Board, Setup, Turn};
use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::{Client, Declined, TurnHead, cpu_us, export_client, log};
use std::cmp::{Ordering, Reverse};
use territory::{Judge, Worth};

/// Vertices looked at in one turn, about 0.2 s of work: all moves of square:10 fit in.
const WORK: usize = 400_000;
/// Between two looks at the clock, in evaluations.
const PATIENCE: usize = 32;

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
        let candidates = self.candidates();
        let (mv, worth) = self.best(&candidates, allowance(turn.head));
        log("value", worth.territory);
        log("nodes", candidates.len());
        self.board.play(self.side, mv);
        mv
    }
}

impl Greedy {
    /// All legal moves; or, where they are too many, those of the queens' best slides, as an arrow changes less than a queen.
    fn candidates(&mut self) -> Vec<AmazonsMove> {
        let most = (WORK / self.board.num_vertices()).max(1);
        let all: Vec<_> = self.board.moves(self.side).take(most + 1).collect();
        if all.len() <= most {
            return all;
        }
        let mut slides = self.slides();
        slides.sort_by_key(|(_, worth)| Reverse(*worth));
        let mut kept = Vec::with_capacity(most);
        for ((src, dst), _) in slides {
            let shot = |arrow_dst| AmazonsMove { queen_src: src, queen_dst: dst, arrow_dst };
            kept.extend(self.board.arrows(src, dst).map(shot).take(most - kept.len()));
        }
        kept
    }

    /// What each slide of a queen is worth before its arrow is shot.
    fn slides(&mut self) -> Vec<((u32, u32), Worth)> {
        let queens = self.board.queens(self.side).to_vec();
        let ends = queens.iter().flat_map(|&src| self.board.slides(src).map(move |dst| (src, dst)));
        let ends: Vec<_> = ends.filter(|&(src, dst)| self.board.arrows(src, dst).next().is_some()).collect();
        ends.into_iter()
            .map(|(src, dst)| {
                // The arrow stays on the queen: a slide alone.
                let slide = AmazonsMove { queen_src: src, queen_dst: dst, arrow_dst: dst };
                let worth = self.worth(slide);
                ((src, dst), worth)
            })
            .collect()
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
            if i % PATIENCE == PATIENCE - 1 && cpu_us() > time_us {
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

/// Microseconds that this turn may take: half of what the call has, and a twentieth of what all later calls have together.
fn allowance(head: &TurnHead) -> u64 {
    (head.cpu_left_us.min(head.wall_left_us) / 2).min(head.total_left_us / 20)
}

export_client!(Greedy);
