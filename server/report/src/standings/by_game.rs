//! The parts of a table that depend on the game: whether scores count, and how matches can begin differently.

use super::Standings;
use agon_games::{AnyGame, Options, Varied};
use agon_model::MATCH;
use agon_model::visible::escape;

impl Standings {
    /// The option with which matches begin differently, where all of a setting began from one position.
    pub fn option_to_vary(&self, game: &dyn AnyGame) -> Option<Varied> {
        let (fixed, _) = self.all.settings_of_one_start();
        let options: Vec<Options> = fixed.iter().filter_map(|setting| self.ladder.options(*setting)).collect();
        Varied::of(game, &options.iter().collect::<Vec<_>>(), self.ladder.seats)
    }

    /// The line that names settings in which all blocks began from one position, which the intervals describe alone.
    pub(super) fn one_start(&self) -> String {
        const SHOWN: usize = 4;
        let (fixed, all) = self.all.settings_of_one_start();
        match fixed.len() {
            0 => String::new(),
            1 if all == 1 => {
                "all openings are the same position: the intervals describe only that position\n".to_owned()
            }
            number if number == all => {
                "in each setting, all openings are the same position: the intervals describe only these\n".to_owned()
            }
            number => {
                let name = |setting: &usize| self.ladder.settings.get(*setting).map(|(name, _)| escape(name, 24));
                let names: Vec<String> = fixed.iter().filter_map(name).take(SHOWN).collect();
                let more = if number > SHOWN { ", …" } else { "" };
                format!(
                    "in each of these settings, all openings are the same position; the intervals describe only that: {}{more}\n",
                    names.join(", ")
                )
            }
        }
    }

    /// The way to more openings and, where all matches began from one position, to different ones.
    pub(super) fn more_openings(&self) -> String {
        let is_match = self.ladder.name == MATCH;
        match (is_match, &self.varied) {
            (true, Some(varied)) => format!("--openings 10 {}", varied.word()),
            (true, None) => "--openings 10".to_owned(),
            (false, Some(varied)) => format!("openings = 10 below [ladder], and {} below [options]", varied.line()),
            (false, None) => "openings = 10 below [ladder]".to_owned(),
        }
    }
}
