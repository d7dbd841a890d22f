//! The options of the client.

use crate::greedy::{Strategy, depth2, level1, naive};
use crate::search::Allowed;
use crate::several::Others;
use agon_client_api::{Declined, Options};

/// What a turn may take, unless told otherwise: 0.1 to 0.2 seconds for an estimate, and 1 to 2 for an exact value,
/// mostly far less. It is fixed so that a match can be played again; the clock only cuts it shorter.
pub const DEFAULT: Allowed = Allowed { estimate: 1_000_000, solve: 20_000_000 };
/// Positions of the levels below the highest: at the lowest no more than the best reply to each card is seen.
const LEVELS: [u64; 2] = [1, 1_000];

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

/// The name and the way of playing that the options ask for.
///
/// # Errors
/// An option has no meaning: which one, and what it may be.
pub fn read(options: Options) -> Result<(&'static str, Kind), Declined> {
    let search = Kind::Search(allowed(options)?, others(options)?);
    match options.get("strategy") {
        None | Some("search") => Ok(("tirs-search", search)),
        Some("level1") => Ok(("tirs-level1", Kind::Greedy(level1))),
        Some("naive") => Ok(("tirs-naive", Kind::Greedy(naive))),
        Some("depth2") => Ok(("tirs-depth2", Kind::Greedy(depth2))),
        Some("random") => Ok(("tirs-random", Kind::Random)),
        Some(other) => {
            let right = r#""search", "naive", "level1", "depth2", "random""#;
            Err(format!("strategy = \"{other}\" is not one of {right}").into())
        }
    }
}

/// The options `nodes` and `level`.
fn allowed(options: Options) -> Result<Allowed, Declined> {
    let nodes = options.number("nodes", 0..=u64::MAX)?;
    let level = options.number("level", 1..=1 + LEVELS.len() as u64)?;
    if nodes.is_some() && level.is_some() {
        return Err("nodes and level both say how many positions are searched: give one of them".into());
    }
    let lower = level.and_then(|level| LEVELS.get(level as usize - 1).copied());
    Ok(match nodes.or(lower) {
        None => DEFAULT,
        Some(0) => Allowed { estimate: u64::MAX, solve: u64::MAX },
        Some(nodes) => Allowed { estimate: nodes, solve: nodes },
    })
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
            Ok(("tirs-search", Kind::Search(allowed, _))) => (allowed.estimate, allowed.solve),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(allowed(""), (1_000_000, 20_000_000));
        assert_eq!(allowed("level=3"), allowed("strategy=search"));
        assert_eq!((allowed("level=1"), allowed("level=2")), ((1, 1), (1_000, 1_000)));
        assert_eq!((allowed("nodes=7"), allowed("nodes=0").0), ((7, 7), u64::MAX));
    }

    #[test]
    fn options_without_meaning_are_refused() {
        let why = |text| read(Options(text)).unwrap_err().0;
        assert!(why("strategy=best").contains("\"depth2\""));
        assert!(why("level=4").contains("from 1 to 3"));
        assert!(why("nodes=many").contains("nodes = \"many\""));
        assert!(why("level=1\nnodes=5").contains("give one of them"));
        assert!(why("others=kind").contains("\"hostile\""));
    }
}
