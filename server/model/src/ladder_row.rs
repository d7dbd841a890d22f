//! A ladder as a record has it.

use crate::{LadderId, LadderTerms, RulesVersion};
use agon_games::{Facts, Options};
use std::collections::BTreeMap;

/// The facts about a ladder that are fixed when it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderRow {
    /// Its number in the record.
    pub id: LadderId,
    pub name: String,
    pub game: String,
    /// The number of seats of a match.
    pub seats: usize,
    /// The seed, given or drawn.
    pub seed: u64,
    /// Whether the seed was drawn.
    pub seed_drawn: bool,
    /// Everything that makes results comparable.
    pub terms: LadderTerms,
    /// Name and complete options of each setting.
    pub settings: Vec<(String, BTreeMap<String, String>)>,
}

impl LadderRow {
    /// The options of a setting in the form of the rules; `None` if the ladder has no such setting.
    pub fn options(&self, setting: usize) -> Option<Options> {
        let (_, given) = self.settings.get(setting)?;
        let mut options = Options::default();
        given.iter().for_each(|(key, value)| options.set(key, value));
        Some(options)
    }

    /// Whether its blocks vary the order of moves. They do not if seats do not move in turns, or if there are two.
    pub fn balances_turns(&self) -> bool {
        self.terms.turn_order.is_some()
    }

    /// Whether it uses exactly these rules, and not another version of them.
    pub fn is_by(&self, facts: &Facts) -> bool {
        facts.name == self.game && self.terms.rules.as_ref() == Some(&RulesVersion::of(facts))
    }

    /// The options of all settings, in order.
    pub fn all_options(&self) -> impl Iterator<Item = Options> + '_ {
        (0..self.settings.len()).filter_map(|setting| self.options(setting))
    }
}
