//! The gate: the client with a new network plays itself with the one in use, as many positions a move each, until a
//! sequential test tells whether it is better. Pairs are written as they end, so that a run goes on where another
//! stopped.

use crate::start::{board, settings};
use agon_games::{below, rng_from, seed_of};
use agon_search::{BoardTables, Evaluator, Move, Network, Position, SearchLimits};
use agon_stats::sprt::{Hypotheses, MatchPair, Scale, Sprt, Verdict};
use alphabeta::Searcher;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// Boards in turn.
const BOARDS: [&str; 4] = ["standard-10", "square:10", "standard-10", "donut:12"];
/// Plies of an opening, by chance.
const OPENING: usize = 4;
/// The first seed of the openings; games to learn from have smaller ones.
const FIRST_SEED: u64 = 1 << 40;
/// Nobody waits longer for an answer.
const MOST_PAIRS: usize = 1000;
/// Moves looked at to fill closed regions.
const FILLING: u64 = 1_000_000;

/// The hypotheses of the test.
const HYPOTHESES: Hypotheses = Hypotheses { scale: Scale::Normalised, elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };

/// Plays until the test has an answer; `None` if none comes in time.
pub fn gate(file: &Path, new: &Network, nodes: u64) -> io::Result<Option<Verdict>> {
    let known = std::fs::read_to_string(file).unwrap_or_default();
    let mut known = known.split_inclusive('\n').map_while(|line| line.strip_suffix('\n')?.parse::<usize>().ok());
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    let mut test = Sprt::new(HYPOTHESES).map_err(io::Error::other)?;
    let all_tables = BOARDS.map(|spec| BoardTables::new(&board(spec), true));
    for number in 0..MOST_PAIRS {
        let tables = &all_tables[number % BOARDS.len()];
        let start = opening(tables, FIRST_SEED + number as u64);
        let won = match known.next() {
            Some(won) => won,
            None => {
                let won = play_pair(tables, new, &start, nodes);
                writeln!(out, "{won}")?;
                won
            }
        };
        let pair = [MatchPair::Nothing, MatchPair::Even, MatchPair::Both][won.min(2)];
        if let Some(verdict) = test.add(pair, start.hash()) {
            return Ok(Some(verdict));
        }
    }
    Ok(None)
}

fn opening(tables: &BoardTables, number: u64) -> Position {
    let mut rng = rng_from(&seed_of(number));
    let mut position = Position::start(tables);
    for _ in 0..OPENING {
        position.play_by_chance(tables, |bound| below(&mut rng, bound));
    }
    position
}

/// How many matches of a pair the new network wins.
fn play_pair(tables: &BoardTables, new: &Network, start: &Position, nodes: u64) -> usize {
    let settings = settings("");
    let won = |seat: &usize| {
        let evaluators = [Evaluator::with_network(tables, new.clone()), Evaluator::new(tables, settings.heuristic)];
        let mut searchers = evaluators.map(|evaluator| Searcher::with_evaluator(tables, evaluator, &settings));
        let mut position = start.clone();
        loop {
            let is_new = position.side() == *seat;
            let Some(mv) = choose(&mut searchers[usize::from(!is_new)], tables, &mut position, nodes) else {
                return !is_new;
            };
            position.play(tables, mv);
        }
    };
    [0, 1].iter().filter(|seat| won(seat)).count()
}

/// As the client chooses; `None` if there is no move.
fn choose(searcher: &mut Searcher, tables: &BoardTables, position: &mut Position, nodes: u64) -> Option<Move> {
    let filling = searcher.judge().regions().fill(tables, position, SearchLimits::of_nodes(FILLING));
    filling.map(|filling| filling.mv).or_else(|| {
        let found = searcher.search(tables, position, u8::MAX, SearchLimits::of_nodes(nodes));
        found.line.first().copied()
    })
}
