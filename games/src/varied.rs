//! The option with which matches of a game begin differently.

use crate::{AnyGame, Opening, Options, PreparedSetting};

/// The number of openings that are compared.
const LOOKED_AT: u64 = 20;

/// An option and a value of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    key: &'static str,
    value: &'static str,
}

impl Varied {
    /// The option that the game names for it, if matches with one of these options begin differently once it is set.
    pub fn of(game: &dyn AnyGame, settings: &[&Options], seats: usize) -> Option<Varied> {
        let (key, value) = game.facts().varied?;
        let helps = |options: &&Options| {
            let mut set = (*options).clone();
            set.set(key, value);
            set != **options && game.prepare(&set, seats).is_ok_and(|setting| varies(&*setting))
        };
        settings.iter().any(helps).then_some(Varied { key, value })
    }

    /// The option as `agon match` takes it: `-o opening=4`.
    pub fn word(&self) -> String {
        format!("-o {}={}", self.key, self.value)
    }

    /// The same as a ladder file has it: `opening = 4`.
    pub fn line(&self) -> String {
        let quote = if self.value.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { "\"" };
        format!("{} = {quote}{}{quote}", self.key, self.value)
    }
}

fn varies(setting: &dyn PreparedSetting) -> bool {
    let start = |number| setting.start(&Opening::numbered(number)).hash();
    let first = start(0);
    (1..LOOKED_AT).any(|number| start(number) != first)
}
