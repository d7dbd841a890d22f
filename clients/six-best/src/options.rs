//! The options of the client, from `options` in ladder.toml: `samples` = playouts a move, 0 = as many as half of the
//! time allows; `objective` = rank (default) or heads; `scope` = match (default) or round: what the rank is of;
//! `opponents` = watched (default) or unknown: whether what they play tells of them; `lanes` = auto (default),
//! scalar, portable or avx2; `level` = 1 to 6 (default); `mistakes` = percentage of cards that are drawn.

use crate::path::Path;
use crate::value::Objective;
use agon_client_api::{Declined, Options};

/// The options, read.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Playouts a move; `u64::MAX` without a limit.
    pub samples: u64,
    /// The value to minimise.
    pub objective: Objective,
    /// Whether ranks are those of the match, not of the round.
    pub whole_match: bool,
    /// Whether what opponents play tells of them.
    pub watches: bool,
    /// Which code plays.
    pub path: Path,
    /// Whether the path was asked for, and is told.
    pub tells_path: bool,
    /// The strength, from 1 (a beginner) to 6.
    pub level: u64,
    /// The percentage of cards that the level draws.
    pub mistakes: u64,
}

/// How a level plays, unless told otherwise.
struct Level {
    samples: u64,
    mistakes: u64,
}

/// From the weakest: neighbours score 0.65 to 0.80.
const LEVELS: [Level; 6] = [
    Level { samples: 160, mistakes: 84 },
    Level { samples: 160, mistakes: 64 },
    Level { samples: 160, mistakes: 44 },
    Level { samples: 160, mistakes: 26 },
    Level { samples: 1_000, mistakes: 10 },
    Level { samples: 20_000, mistakes: 0 },
];

const HIGHEST: u64 = LEVELS.len() as u64;

impl Settings {
    /// Reads them.
    ///
    /// # Errors
    /// An option has a value that it cannot have: its name, the value, and what is possible.
    pub fn read(options: Options) -> Result<Settings, Declined> {
        let objective = choice(options, "objective", [("rank", Objective::Rank), ("heads", Objective::Heads)])?;
        let level = options.number("level", 1..=HIGHEST)?.unwrap_or(HIGHEST);
        let usual = &LEVELS[level as usize - 1];
        let samples = options.number("samples", 0..=u64::MAX)?.unwrap_or(usual.samples);
        Ok(Settings {
            samples: if samples == 0 { u64::MAX } else { samples },
            objective,
            whole_match: choice(options, "scope", [("match", true), ("round", false)])?,
            watches: choice(options, "opponents", [("watched", level == HIGHEST), ("unknown", false)])?,
            path: Path::from_option(options.get("lanes"))?,
            tells_path: options.get("lanes").is_some_and(|lanes| lanes != "auto"),
            level,
            mistakes: usual.mistakes,
        })
    }

    /// How the client is shown.
    pub fn name(&self) -> &'static str {
        match self.level {
            1 => "six-best, level 1",
            2 => "six-best, level 2",
            3 => "six-best, level 3",
            4 => "six-best, level 4",
            5 => "six-best, level 5",
            _ => "six-best",
        }
    }
}

/// One of two values by their names, the first if nothing is said.
fn choice<T: Copy>(options: Options, key: &str, [first, second]: [(&str, T); 2]) -> Result<T, Declined> {
    match options.get(key) {
        None => Ok(first.1),
        Some(text) if text == first.0 => Ok(first.1),
        Some(text) if text == second.0 => Ok(second.1),
        Some(text) => Err(format!("{key} = \"{text}\": not {} or {}", first.0, second.0).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let settings = Settings::read(Options("objective = heads\nsamples = 0\nscope = round\nlevel = 2")).unwrap();
        assert_eq!((settings.objective, settings.samples, settings.whole_match), (Objective::Heads, u64::MAX, false));
        assert_eq!(settings.name(), "six-best, level 2");
        let default = Settings::read(Options("")).unwrap();
        assert_eq!((default.objective, default.samples, default.watches), (Objective::Rank, LEVELS[5].samples, true));
    }

    #[test]
    fn wrong_options_are_named() {
        for text in ["objective = x", "samples = -1", "scope = all", "opponents = 3", "lanes = avx512", "level = 7"] {
            let Declined(why) = Settings::read(Options(text)).unwrap_err();
            assert!(why.starts_with(text.split(' ').next().unwrap()), "{why}");
        }
    }
}
