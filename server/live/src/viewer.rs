//! Who looks at the pages of a record.

use crate::team_links::Team;

/// Whoever runs it, or one team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Whoever has the link that was printed; without links of teams, everybody who may look at all.
    Anybody,
    /// Whoever has the private link of a team: it sees results of all, and outputs of its own.
    Team(Team),
}

impl Viewer {
    /// The team, if it is one.
    pub fn team(&self) -> Option<&Team> {
        match self {
            Viewer::Anybody => None,
            Viewer::Team(team) => Some(team),
        }
    }
}
