//! The options of the client.

use crate::greedy::{Strategy, depth2, level1, naive};
use crate::search::Allowed;
use crate::several::Others;
use agon_client_api::{Declined, Options};

/// The default limits of a turn: 0.1 to 0.2 seconds for an estimate, and 1 to 2 for an exact value, mostly far less.
/// They are fixed so that a match can be played again; the clock only cuts it shorter.
pub const DEFAULT: Allowed = Allowed { estimate: 1_000_000, solve: 20_000_000 };
/// How a level plays.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Positions it searches a turn.
    nodes: Allowed,
    /// The percentage of cards that it draws.
    mistakes: u64,
}

/// A level that sees no more than the best reply to each card.
const fn by_reply(mistakes: u64) -> Level {
    Level { nodes: Allowed { estimate: 1, solve: 1 }, mistakes }
}

/// From the weakest: neighbours score 0.65 to 0.80.
const LEVELS: [Level; 9] = [
    by_reply(88),
    by_reply(73),
    by_reply(60),
    by_reply(48),
    by_reply(36),
    by_reply(24),
    by_reply(12),
    Level { nodes: Allowed { estimate: 1_000, solve: 1_000 }, mistakes: 8 },
    Level { nodes: DEFAULT, mistakes: 0 },
];

/// The settings in the options.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How the client is shown.
    pub name: &'static str,
    /// How it plays.
    pub kind: Kind,
    /// The percentage of cards that its level draws.
    pub mistakes: u64,
}

/// How the client plays.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// As a player of the course.
    Greedy(Strategy),
    /// Any card.
    Random,
    /// By searching, and of more than two players with this view of the others.
    Search(Allowed, Others),
}

/// Reads the options.
///
/// # Errors
/// An option has no meaning: which one, and what it may be.
pub fn read(options: Options) -> Result<Settings, Declined> {
    let level = level(options)?;
    let search = Kind::Search(level.nodes, others(options)?);
    let (name, kind) = match options.get("strategy") {
        None | Some("search") => ("tirs-search", search),
        Some("level1") => ("tirs-level1", Kind::Greedy(level1)),
        Some("naive") => ("tirs-naive", Kind::Greedy(naive)),
        Some("depth2") => ("tirs-depth2", Kind::Greedy(depth2)),
        Some("random") => ("tirs-random", Kind::Random),
        Some(other) => {
            let right = r#""search", "naive", "level1", "depth2", "random""#;
            return Err(format!("strategy = \"{other}\" is not one of {right}").into());
        }
    };
    Ok(Settings { name, kind, mistakes: level.mistakes })
}

/// The options `level` and `nodes`.
fn level(options: Options) -> Result<Level, Declined> {
    let highest = LEVELS.len() as u64;
    let number = options.number("level", 1..=highest)?;
    let level = LEVELS[number.unwrap_or(highest) as usize - 1];
    let nodes = match options.number("nodes", 0..=u64::MAX)? {
        None => return Ok(level),
        Some(_) if number.is_some() => {
            return Err("nodes and level both say how many positions are searched: give one of them".into());
        }
        Some(0) => u64::MAX,
        Some(nodes) => nodes,
    };
    Ok(Level { nodes: Allowed { estimate: nodes, solve: nodes }, ..level })
}

/// The option `others`.
fn others(options: Options) -> Result<Others, Declined> {
    match options.get("others") {
        None | Some("selfish") => Ok(Others::Selfish),
        Some("hostile") => Ok(Others::Hostile),
        Some(other) => Err(format!("others = \"{other}\" is not one of \"selfish\", \"hostile\"").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_say_how_much_is_searched() {
        let allowed = |text| match read(Options(text)) {
            Ok(Settings { kind: Kind::Search(allowed, _), .. }) => (allowed.estimate, allowed.solve),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(allowed(""), (1_000_000, 20_000_000));
        assert_eq!(allowed("level=9"), allowed("strategy=search"));
        assert_eq!((allowed("level=1"), allowed("level=8")), ((1, 1), (1_000, 1_000)));
        assert_eq!((allowed("nodes=7"), allowed("nodes=0").0), ((7, 7), u64::MAX));
    }

    #[test]
    fn options_without_meaning_are_refused() {
        let why = |text| read(Options(text)).unwrap_err().0;
        assert!(why("strategy=best").contains("\"depth2\""));
        assert!(why("level=10").contains("from 1 to 9"));
        assert!(why("nodes=many").contains("nodes = \"many\""));
        assert!(why("level=1\nnodes=5").contains("give one of them"));
        assert!(why("others=kind").contains("\"hostile\""));
    }
}
