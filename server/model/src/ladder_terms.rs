//! The terms of a ladder: everything that must stay the same for results to stand in one table. Differences, shown
//! texts and stored texts all follow from this one document.

mod difference;
mod text;

use crate::{
    Adjudication, Isolation, Ladder, Limits, Points, SandboxPolicy, Seeding, System, SystemKind, TimeControl, Weakness,
};
use agon_games::Facts;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The fixed part of a ladder. Clients, points and jobs may change, points only where no pairing follows from them.
///
/// Stored as texts by key, in a fixed order; the same terms give the same texts. `None` = an imported record does
/// not say it, or in a way that this agon cannot read: such texts are kept as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(String, String)>", into = "Vec<(String, String)>")]
pub struct LadderTerms {
    /// The version of the game's rules.
    pub rules: Option<RulesVersion>,
    /// The number of seats in a match.
    pub seats: Option<usize>,
    /// The clock and the budgets.
    pub time: Option<TimeControl>,
    /// Limits of memory, threads and output.
    pub limits: Option<Limits>,
    /// The layers of the sandbox that are asked for.
    pub sandbox: Option<SandboxPolicy>,
    /// The kind of process that stands between a client and the server.
    pub isolation: Option<Isolation>,
    /// The rule that ends a match which both clients call decided; `None` = never.
    pub adjudication: Option<Adjudication>,
    /// How blocks change who moves after whom; `None` = there is no order to change.
    pub turn_order: Option<TurnOrderTerm>,
    /// The terms on which pairings depend.
    pub pairing: PairingTerms,
    /// The options of the settings, in order.
    pub options: Vec<OptionTerm>,
    /// Stored texts that this agon cannot read.
    unread: text::Texts,
}

/// A game's rules, as of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesVersion {
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
}

/// The way in which blocks change who moves after whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnOrderTerm {
    /// By balanced sets of cyclic orders; the number grows where these change.
    Balanced(u32),
}

/// The terms on which pairings depend; a round robin of line-ups says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairingTerms {
    /// The system of pairing; `None` = round robin.
    pub system: Option<SystemKind>,
    /// The number of openings that each meeting plays.
    pub openings: Option<u64>,
    /// The order in which clients enter.
    pub seeding: Option<Seeding>,
    /// The worth of results.
    pub points: Option<Points>,
    /// The number of times that a tied meeting goes on.
    pub playoffs: Option<u32>,
}

/// An option of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionTerm {
    /// The number of its setting, from 0.
    pub setting: usize,
    /// The name of the option.
    pub key: String,
    /// Its value, of a file its text.
    pub value: String,
}

impl RulesVersion {
    /// The version of the rules in this agon.
    pub fn of(facts: &Facts) -> RulesVersion {
        RulesVersion { game: facts.name.to_owned(), version: facts.rules_version }
    }
}

impl fmt::Display for RulesVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rules {}", self.game, self.version)
    }
}

impl LadderTerms {
    /// The terms with which this agon begins a ladder.
    pub fn new(ladder: &Ladder, facts: &Facts) -> LadderTerms {
        let options = ladder.settings.iter().enumerate().flat_map(|(setting, each)| {
            let term =
                move |(key, value): (&str, &str)| OptionTerm { setting, key: key.to_owned(), value: value.to_owned() };
            each.options.iter().map(term)
        });
        LadderTerms {
            rules: Some(RulesVersion::of(facts)),
            seats: Some(ladder.seats),
            time: Some(ladder.time.clone()),
            limits: Some(ladder.limits.clone()),
            sandbox: Some(ladder.sandbox.clone()),
            isolation: Some(ladder.isolation),
            adjudication: ladder.adjudication,
            turn_order: facts.has_turn_order(ladder.seats).then_some(TurnOrderTerm::Balanced(1)),
            pairing: PairingTerms::new(ladder),
            options: options.collect(),
            unread: text::Texts::default(),
        }
    }

    /// The terms that the ids of all blocks share. Each block has its own setting in its id; the others do not matter to it, nor
    /// does why its clients meet.
    pub fn of_blocks(&self) -> LadderTerms {
        LadderTerms { pairing: PairingTerms::default(), options: Vec::new(), ..self.clone() }
    }

    /// How they ask for less than the full sandbox: good for debugging, not for a rating.
    pub fn weakness(&self) -> Option<Weakness> {
        Weakness::of(self.isolation, self.sandbox.as_ref())
    }
}

impl PairingTerms {
    fn new(ladder: &Ladder) -> PairingTerms {
        let kind = SystemKind::from(&ladder.system);
        let playoffs = match ladder.system {
            System::Knockout { playoffs } => Some(playoffs),
            _ => None,
        };
        PairingTerms {
            system: Some(kind).filter(|kind| *kind != SystemKind::RoundRobin),
            openings: kind.pairs_by_results().then_some(ladder.openings),
            seeding: kind.pairs_by_results().then_some(ladder.seeding),
            points: kind.pairs_by_results().then_some(ladder.points),
            playoffs,
        }
    }
}
