//! Tirs Croisés: the course's players, and one that searches. The option `strategy` says which.
#![forbid(unsafe_code)]

mod board;
#[cfg(test)]
mod duels;
mod greedy;
mod search;
mod table;

use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::tirs_croises::{Move, Setup, TirsCroises, Turn};
use agon_client_api::{Client, Declined, Options, SetupHead, TurnHead, cpu_us, export_client, log};
use board::{Board, Cell, to_move};
use greedy::{Strategy, depth2, level1, level1_among, naive};
use search::{Allowance, Search};

/// Positions that a search looks at in one turn, unless told otherwise: 0.1 to 0.2 seconds. It is fixed so that a match can be played
/// again; the clock only cuts it shorter.
const NODES: u64 = 1_000_000;
/// Most bytes for the positions that a search remembers.
const TABLE: u64 = 64 << 20;
/// Microseconds that a turn takes at most where no clock limits it.
const LONGEST_US: u64 = 10_000_000;

/// How the client plays.
enum Player {
    Greedy(Strategy),
    /// Of more than two players: how many others there are.
    Among(u8),
    Random(Box<Rng>),
    Search(Search),
}

struct Tirs {
    name: &'static str,
    player: Player,
    /// Positions that a search may look at in one turn.
    nodes: u64,
}

impl Client for Tirs {
    type Game = TirsCroises;
    const NAME: &'static str = "tirs";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let nodes = nodes(setup.options)?;
        let players = setup.facts.players;
        let (name, player) = match setup.options.get("strategy") {
            None | Some("search") if players == 2 => ("tirs-search", Player::Search(search(&setup.facts.head, nodes))),
            None | Some("search") => ("tirs-search", Player::Among(players.saturating_sub(1))),
            Some("level1") => ("tirs-level1", Player::Greedy(level1)),
            Some("naive") => ("tirs-naive", Player::Greedy(naive)),
            Some("depth2") => ("tirs-depth2", Player::Greedy(depth2)),
            Some("random") => ("tirs-random", Player::Random(Box::new(rng(setup.facts.head.seed)))),
            Some(other) => {
                let right = r#""search", "naive", "level1", "depth2", "random""#;
                return Err(format!("strategy = \"{other}\" is not one of {right}").into());
            }
        };
        Ok(Tirs { name, player, nodes })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let board = &mut Board::new(turn);
        let cell = match &mut self.player {
            Player::Greedy(strategy) => strategy(board),
            Player::Among(others) => level1_among(board, *others),
            Player::Random(rng) => any(board, rng),
            Player::Search(search) => {
                let time_us = time(&turn.facts.head, board.left());
                let found = search.best(board, Allowance { nodes: self.nodes, time_us, clock: cpu_us });
                found.map(|found| {
                    log("value", found.value);
                    log("depth", found.depth);
                    log("nodes", found.nodes);
                    log("complete", found.is_complete);
                    found.cell
                })
            }
        };
        // The server ends the match before anybody without a card within reach is asked.
        to_move(cell.unwrap_or(0))
    }
}

/// The option `nodes`.
fn nodes(options: Options) -> Result<u64, Declined> {
    let Some(text) = options.get("nodes") else { return Ok(NODES) };
    let nodes = text.parse().map_err(|_| format!("nodes = \"{text}\" is not a whole number from 0"))?;
    Ok(if nodes == 0 { u64::MAX } else { nodes })
}

/// A search with a table for the positions of about four turns, in a quarter of the memory at most.
fn search(head: &SetupHead, nodes: u64) -> Search {
    let memory = if head.memory == 0 { u64::MAX } else { head.memory };
    Search::new((memory / 4).min(nodes.saturating_mul(64)).clamp(1 << 16, TABLE))
}

/// Microseconds for this turn: half of what the call has, and a share of what all later calls have together.
fn time(head: &TurnHead, left: u32) -> u64 {
    let later = u64::from(left / 3 + 4);
    (head.cpu_left_us.min(head.wall_left_us) / 2).min(head.total_left_us / later).min(LONGEST_US)
}

/// Any card within reach, each as likely as any other.
fn any(board: &Board, rng: &mut Rng) -> Option<Cell> {
    let cells: Vec<Cell> = board.reach().collect();
    cells.get(below(rng, cells.len().max(1) as u64) as usize).copied()
}

export_client!(Tirs);
