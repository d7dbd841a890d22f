//! The options of the client, from `options` in ladder.toml: `level` = 1 to 16, from a beginner's mistakes to full
//! strength (default); `heuristic`, `own`, `other`, `weights` as `Heuristic::from_options` has them; `nodes` =
//! positions evaluated a move; `playouts` = none (default), random or mobility: how leaves get their value; for tuning,
//! in thousandths: `explore`, `widen`, `maxima`, `ahead`, `scale`, `warmth`, `trust`, `even`; and `keep`, `slides`,
//! `first`, `again`, children and slides looked at and from which visit on; `threads` = how many search at once
//! (default: 1); `lanes` = auto (default), portable or avx2: which instructions of the processor evaluate; `book` = the name
//! of the file with its openings among those that it is given (opening.book).

use agon_client_api::{Declined, Options};
use agon_search::{Heuristic, Lanes, Level};

/// How a leaf gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playouts {
    /// By its evaluation.
    None,
    /// By a game of random moves to its end.
    Random,
    /// By a game to its end in which both sides prefer mobility.
    Mobility,
}

/// The options, read.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The evaluation.
    pub heuristic: Heuristic,
    /// Which instructions evaluate.
    pub lanes: Lanes,
    /// Positions evaluated a move; `u64::MAX` without a limit.
    pub nodes: u64,
    /// The level of play.
    pub level: Level,
    /// How a leaf gets its value.
    pub playouts: Playouts,
    /// Weight of what has not been visited much.
    pub explore: f32,
    /// `widen * visits^0.5` children are looked at, and two more.
    pub widen: f32,
    /// Part of the maximum beside the average, 0 to 1.
    pub maxima: f32,
    /// Part of the best child in the value of a leaf beside its own evaluation, 0 to 1.
    pub ahead: f32,
    /// Vertices ahead at which a position is worth 0.42.
    pub scale: f32,
    /// Difference of values at which a child is e times as likely.
    pub warmth: f32,
    /// Children kept below the root.
    pub keep: usize,
    /// Slides whose arrows are all looked at, below the root, once a node is worth it.
    pub slides: usize,
    /// The same before that.
    pub first: usize,
    /// Visits from which on a node is worth it.
    pub again: u32,
    /// How far the mean of a node may fall below its best evaluation until moves that have not been visited are
    /// believed more than the mean.
    pub trust: f32,
    /// Part of the prior that all moves share evenly, 0 to 1.
    pub even: f32,
    /// How many threads search at once.
    pub threads: u32,
    /// Bytes for the tree.
    pub tree: u64,
}

/// The most memory for the tree: more is not filled in a move.
const LARGEST_TREE: u64 = 512 << 20;

impl Settings {
    /// Reads the options; `memory` is the limit of the process in bytes, 0 for none, and `cores` how many it may use.
    pub fn read(options: &Options, memory: u64, cores: u32) -> Result<Settings, Declined> {
        let playouts = match options.get("playouts") {
            None | Some("none") => Playouts::None,
            Some("random") => Playouts::Random,
            Some("mobility") => Playouts::Mobility,
            Some(other) => return Err(format!("playouts = \"{other}\": not none, random or mobility").into()),
        };
        let part = |key, default, most| {
            let thousandths = options.number(key, 0..=most)?.unwrap_or(default);
            Ok::<_, Declined>(thousandths as f32 / 1000.0)
        };
        let count = |key, default| Ok::<_, Declined>(options.number(key, 1..=4096)?.unwrap_or(default) as usize);
        let level = Level::of(options.number("level", 1..=Level::HIGHEST)?.unwrap_or(Level::HIGHEST));
        Ok(Settings {
            heuristic: Heuristic::from_options(|key| options.get(key))?,
            lanes: Lanes::from_option(options.get("lanes"))?,
            nodes: options.number("nodes", 1..=u64::MAX)?.unwrap_or(level.nodes),
            level,
            playouts,
            explore: part("explore", 1500, 100_000)?,
            widen: part("widen", 1000, 100_000)?,
            // The maximum of games played by chance says nothing.
            maxima: if playouts == Playouts::None { part("maxima", 400, 1000)? } else { 0.0 },
            ahead: part("ahead", 500, 1000)?,
            scale: part("scale", 2000, 1_000_000)?.max(0.001),
            warmth: part("warmth", 100, 1_000_000)?.max(0.001),
            keep: count("keep", 60)?,
            slides: count("slides", 16)?,
            first: count("first", 6)?,
            again: count("again", 8)? as u32,
            trust: part("trust", 700, 4000)?,
            even: part("even", 100, 1000)?,
            threads: options.threads(cores)?,
            tree: if memory == 0 { 128 << 20 } else { (memory / 2).min(LARGEST_TREE) },
        })
    }

    /// How the client is shown.
    pub fn name(&self) -> &'static str {
        match self.playouts {
            Playouts::None => "mcts",
            Playouts::Random => "mcts-random",
            Playouts::Mobility => "mcts-mobility",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let settings =
            Settings::read(&Options("playouts = random\nexplore = 250\nkeep = 7\nthreads = 3"), 1 << 20, 4).unwrap();
        assert_eq!((settings.name(), settings.explore, settings.keep), ("mcts-random", 0.25, 7));
        assert!(settings.tree <= 1 << 19 && settings.threads == 3);
    }

    #[test]
    fn wrong_options_are_named() {
        for (text, key) in [
            ("playouts = all", "playouts"),
            ("maxima = 1001", "maxima"),
            ("keep = 0", "keep"),
            ("nodes = x", "nodes"),
            ("threads = 5", "threads"),
            ("lanes = avx512", "lanes"),
        ] {
            assert!(Settings::read(&Options(text), 0, 4).unwrap_err().0.starts_with(key));
        }
    }
}
