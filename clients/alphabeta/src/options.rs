//! The options of the client, from `options` in ladder.toml: `level` = 1 to 16, from a beginner's mistakes to full
//! strength (default); `heuristic`, `own`, `other`, `weights` as `Heuristic::from_options` has them; `depth` = a number
//! of plies, time (default: as deep as time allows), course-turn or course-time; `nodes` = positions evaluated a move;
//! `widths` = 80/40/30/20 or full; `slides` = how many slides of queens have all their arrows looked at; for tuning,
//! `few`, `early`, `margin`, `hope`, `sieve`, `probes` and `doubt`, see `Widths`; `threads` = how many search at once
//! (default: 1); `lanes` = auto (default), portable or avx2: which instructions of the processor evaluate; `book` = the name
//! of the file with its openings among those that it is given (opening.book).

use agon_client_api::{Declined, Options};
use agon_search::{Heuristic, Lanes, Level};

/// How deep to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// At most this many plies; 255 for as deep as there is time.
    Plies(u8),
    /// The course's rule by turn.
    CourseTurn,
    /// The course's rule by time.
    CourseTime,
}

/// How many moves are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Moves kept at the root, one ply below, and so on; the last holds for all deeper ones.
    pub moves: Vec<usize>,
    /// Slides of queens whose arrows are all looked at, below the root.
    pub slides: usize,
    /// Positions with so many legal moves have all of them looked at.
    pub few: u64,
    /// This number of moves of a position are searched as deep as it is; later ones less deep, unless they turn out
    /// better.
    pub early: usize,
    /// Thousandths of a vertex that an arrow is trusted to gain at most; slides that need more are left out.
    pub margin: i32,
    /// The same that a move of one's own is trusted to gain when the other side has replied.
    pub hope: i32,
    /// Evaluates this multiple of the children that are searched: those that are expected to be best.
    pub sieve: usize,
    /// By how many eighths of the mean error better than expected a move is trusted to be.
    pub doubt: i32,
    /// Moves evaluated before those that look too good are searched.
    pub probes: usize,
}

impl Widths {
    /// Every move.
    pub fn full() -> Widths {
        let (margin, hope) = (i32::MAX, i32::MAX);
        Widths {
            moves: vec![usize::MAX],
            slides: usize::MAX,
            few: u64::MAX,
            early: usize::MAX,
            margin,
            hope,
            sieve: usize::MAX,
            doubt: 0,
            probes: usize::MAX,
        }
    }

    /// This number of moves at the root, one ply below, and so on; nothing else is left out.
    pub fn of(moves: &[usize], slides: usize) -> Widths {
        Widths { moves: moves.to_vec(), slides, few: 0, ..Widths::full() }
    }

    /// Moves kept so many plies below the root.
    pub fn at(&self, ply: usize) -> usize {
        self.moves[ply.min(self.moves.len() - 1)]
    }
}

/// The options, read.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The evaluation.
    pub heuristic: Heuristic,
    /// Which instructions evaluate.
    pub lanes: Lanes,
    /// How deep to search.
    pub depth: Depth,
    /// Positions evaluated a move; `u64::MAX` without a limit.
    pub nodes: u64,
    /// The level of play.
    pub level: Level,
    /// How many moves are looked at.
    pub widths: Widths,
    /// Bytes for the tables.
    pub table: u64,
    /// How many threads search at once.
    pub threads: u32,
    /// How the client is shown.
    pub name: &'static str,
}

/// The most memory for tables: more is not filled in a move.
const LARGEST_TABLE: u64 = 256 << 20;

impl Settings {
    /// Reads the options; `memory` is the limit of the process in bytes, 0 for none, and `cores` how many it may use.
    pub fn read(options: &Options, memory: u64, cores: u32) -> Result<Settings, Declined> {
        let heuristic = Heuristic::from_options(|key| options.get(key))?;
        let name = match heuristic {
            Heuristic::Full(_) | Heuristic::Network => "alphabeta",
            Heuristic::Territory => "alphabeta-territory",
            Heuristic::Mobility { .. } => "alphabeta-mobility",
        };
        let level = Level::of(options.number("level", 1..=Level::HIGHEST)?.unwrap_or(Level::HIGHEST));
        Ok(Settings {
            heuristic,
            lanes: Lanes::from_option(options.get("lanes"))?,
            depth: depth(options)?,
            nodes: options.number("nodes", 1..=u64::MAX)?.unwrap_or(level.nodes),
            level,
            widths: widths(options)?,
            table: if memory == 0 { 64 << 20 } else { (memory / 4).min(LARGEST_TABLE) },
            threads: options.threads(cores)?,
            name,
        })
    }
}

fn depth(options: &Options) -> Result<Depth, Declined> {
    match options.get("depth") {
        None | Some("time") => Ok(Depth::Plies(u8::MAX)),
        Some("course-turn") => Ok(Depth::CourseTurn),
        Some("course-time") => Ok(Depth::CourseTime),
        Some(_) => Ok(Depth::Plies(options.number("depth", 1..=254)?.unwrap_or(1) as u8)),
    }
}

fn widths(options: &Options) -> Result<Widths, Declined> {
    let text = options.get("widths").unwrap_or("80/40/30/20");
    if text == "full" {
        return Ok(Widths::full());
    }
    let moves: Option<Vec<usize>> = text.split('/').map(|width| width.trim().parse().ok()).collect();
    match moves.filter(|moves| moves.iter().all(|width| *width > 0)) {
        Some(moves) => Ok(Widths {
            moves,
            slides: options.number("slides", 1..=4096)?.unwrap_or(24) as usize,
            few: options.number("few", 0..=1_000_000)?.unwrap_or(100),
            early: options.number("early", 1..=1_000_000)?.unwrap_or(8) as usize,
            margin: options.number("margin", 0..=1_000_000)?.unwrap_or(300) as i32,
            hope: options.number("hope", 0..=1_000_000)?.unwrap_or(0) as i32,
            sieve: options.number("sieve", 1..=1_000_000)?.unwrap_or(8) as usize,
            probes: options.number("probes", 1..=1_000_000)?.unwrap_or(24) as usize,
            doubt: options.number("doubt", 0..=1000)?.unwrap_or(16) as i32,
        }),
        None => Err(format!("widths = \"{text}\": not full and no numbers such as 80/40/30/20").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let settings =
            Settings::read(&Options("depth = 3\nwidths = 9/8\nheuristic = mobility\nown = 3\nthreads = 2"), 8, 2)
                .unwrap();
        assert_eq!((settings.depth, settings.threads), (Depth::Plies(3), 2));
        assert_eq!((settings.widths.at(0), settings.widths.at(5), settings.table), (9, 8, 2));
        assert_eq!(settings.heuristic, Heuristic::Mobility { own: 3, other: 1 });
        assert_eq!(Settings::read(&Options("depth = course-turn"), 0, 1).unwrap().depth, Depth::CourseTurn);
    }

    #[test]
    fn wrong_options_are_named() {
        for (text, key) in [
            ("heuristic = best", "heuristic"),
            ("depth = 0", "depth"),
            ("widths = 0/2", "widths"),
            ("threads = 2", "threads"),
            ("lanes = avx512", "lanes"),
        ] {
            assert!(Settings::read(&Options(text), 0, 1).unwrap_err().0.starts_with(key));
        }
    }
}
