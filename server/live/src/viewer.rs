//! The readers of a record's pages.

use crate::team_links::Team;

/// The operator, or one team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Everybody with the printed link; without links of teams, everybody who may look at all.
    Anybody,
    /// Everybody with the private link of a team: it sees results of all, and outputs of its own.
    Team(Team),
    /// Somebody without a link, who sees why in the style of the pages and nothing else.
    Stranger,
}

impl Viewer {
    /// The team, if it is one.
    pub fn team(&self) -> Option<&Team> {
        match self {
            Viewer::Anybody | Viewer::Stranger => None,
            Viewer::Team(team) => Some(team),
        }
    }
}
