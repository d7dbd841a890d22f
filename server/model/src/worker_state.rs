//! Whether a worker on another machine plays.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

/// The state of a worker, as the operator sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum WorkerState {
    #[default]
    Active,
    /// Nothing was heard of it for longer than a lease.
    Silent,
    /// It ends when its blocks are played.
    Draining,
    /// The ladder is over, and it is told so.
    Over,
    Gone,
    Banned,
}

impl WorkerState {
    /// The word in tables, documents and the database.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
