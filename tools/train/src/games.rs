//! Games of the client against itself, a line each: the board, the side that won, and the moves with what a search said
//! of the position before each. They are written as they end, so that a run goes on where another stopped.

use crate::start::{board, settings};
use agon_games::{Rng, below, rng_from, seed_of};
use agon_search::{BoardTables, Move, Position, Regions, SearchLimits};
use alphabeta::{Searcher, Settings};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// The boards in turn; those on which strength is measured most come more than once.
const BOARDS: [&str; 8] =
    ["standard-10", "square:10", "standard-10", "donut:12", "standard-10", "eight:12", "clover:15", "square:10"];
/// One move in so many is drawn by chance, so that positions are seen which nobody would seek.
const BLUNDER: u64 = 12;
/// Plies by chance at the beginning: so many at least, and fewer than so many more.
const OPENING: (u64, u64) = (2, 8);
/// Moves looked at in regions to tell whether a game is decided.
const FILLING: u64 = 500;

/// A move, and the value for its mover that a search found; none if it was drawn by chance.
pub struct Step {
    pub mv: Move,
    pub value: Option<i32>,
}

/// A game until it was decided.
pub struct Game {
    pub board: String,
    pub winner: usize,
    pub steps: Vec<Step>,
}

/// Plays on until the file has so many games, by searches of so many positions.
pub fn generate(path: &Path, games: usize, nodes: u64) -> io::Result<()> {
    let done = keep_whole_lines(path)?;
    let all_tables: Vec<BoardTables> = BOARDS.iter().map(|spec| BoardTables::new(&board(spec), true)).collect();
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    for number in done..games {
        let place = number % BOARDS.len();
        let game = play(BOARDS[place], &all_tables[place], nodes, rng_from(&seed_of(number as u64)));
        file.write_all(format!("{}\n", game.line()).as_bytes())?;
    }
    Ok(())
}

/// How many games a file has; what a run that was stopped left of a line is cut off.
fn keep_whole_lines(path: &Path) -> io::Result<usize> {
    let Ok(bytes) = std::fs::read(path) else { return Ok(0) };
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
    Ok(bytes[..whole].iter().filter(|byte| **byte == b'\n').count())
}

/// The first games of a file.
pub fn read(path: &Path, games: usize) -> io::Result<Vec<Game>> {
    let lines = BufReader::new(File::open(path)?).lines();
    let game = |(index, line): (usize, io::Result<String>)| {
        let wrong = || io::Error::other(format!("{}, line {}: no game", path.display(), index + 1));
        Game::parse(&line?).ok_or_else(wrong)
    };
    lines.take(games).enumerate().map(game).collect()
}

fn play(spec: &str, tables: &BoardTables, nodes: u64, mut rng: Rng) -> Game {
    let settings = Settings { table: 1 << 22, ..settings("") };
    let (mut searcher, mut regions) = (Searcher::new(tables, &settings), Regions::new(tables));
    let mut position = Position::start(tables);
    let mut steps = Vec::new();
    for _ in 0..OPENING.0 + below(&mut rng, OPENING.1) {
        let mv = position.play_by_chance(tables, |bound| below(&mut rng, bound));
        steps.extend(mv.map(|mv| Step { mv, value: None }));
    }
    let winner = loop {
        if let Some(winner) = decided(tables, &mut regions, &mut position) {
            break winner;
        }
        let mut after = position.clone();
        let by_chance = below(&mut rng, BLUNDER) == 0;
        let drawn = by_chance.then(|| after.play_by_chance(tables, |bound| below(&mut rng, bound))).flatten();
        let step = drawn.map_or_else(
            || {
                let found = searcher.search(tables, &mut position, u8::MAX, SearchLimits::of_nodes(nodes));
                Step { mv: found.line[0], value: Some(found.value) }
            },
            |mv| Step { mv, value: None },
        );
        position.play(tables, step.mv);
        steps.push(step);
    };
    Game { board: spec.to_owned(), winner, steps }
}

/// The winner, once it is certain.
fn decided(tables: &BoardTables, regions: &mut Regions, position: &mut Position) -> Option<usize> {
    if !position.has_move(tables) {
        return Some(1 - position.side());
    }
    regions.decide(tables, position, FILLING).map(|(winner, _)| winner)
}

impl Game {
    fn line(&self) -> String {
        let step = |step: &Step| {
            let Move { from, to, arrow } = step.mv;
            let value = step.value.map_or(String::new(), |value| format!(":{value}"));
            format!(" {from}-{to}/{arrow}{value}")
        };
        format!("{} {}{}", self.board, self.winner, self.steps.iter().map(step).collect::<String>())
    }

    fn parse(line: &str) -> Option<Game> {
        let mut words = line.split(' ');
        let (board, winner) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
        let step = |word: &str| {
            let (mv, value) = word.split_once(':').map_or((word, None), |(mv, value)| (mv, Some(value)));
            let (from, rest) = mv.split_once('-')?;
            let (to, arrow) = rest.split_once('/')?;
            let mv = Move { from: from.parse().ok()?, to: to.parse().ok()?, arrow: arrow.parse().ok()? };
            Some(Step { mv, value: value.map(str::parse).transpose().ok()? })
        };
        Some(Game { board, winner, steps: words.map(step).collect::<Option<_>>()? })
    }
}
