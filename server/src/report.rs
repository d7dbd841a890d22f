//! What people and their programs read: standings, lists of matches, one match explained, logs. Pure functions of records: the
//! same record gives the same text.

use crate::record::{Entrant, Match};
use crate::store::{LadderRow, Stored};

mod analysis;
mod bayeselo;
mod caution;
mod clients;
mod crosstable;
mod elo;
mod export;
mod film;
mod followers;
mod frame;
mod live;
mod log;
mod matches;
mod own_table;
mod picture;
mod rated;
mod ratings;
mod replay;
mod show;
mod sprt;
mod standings;
mod status;
mod table;

pub use analysis::{Analysis, Said};
pub use bayeselo::BayesTable;
pub use clients::Clients;
pub use crosstable::Crosstable;
pub use elo::EloReport;
pub use export::export;
pub use film::{Film, Frame, Made};
pub use followers::Followers;
pub use frame::{Pane, Size, View, film_text, frame};
pub use live::Live;
pub use log::log_lines;
pub use matches::{matches, matches_json};
pub use own_table::own_table;
pub use picture::{Charset, Ink, Line, picture};
pub use rated::RatedResults;
pub use ratings::RatingTable;
pub use replay::{replay, replay_from};
pub use show::{show, show_json};
pub use sprt::{SprtReport, sprt_line};
pub use standings::{AddMatch, SortKey, Standings};
pub use table::Form;

/// A match with what is needed to explain or replay it.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Its ladder.
    pub ladder: &'a LadderRow,
    /// The entrants of the ladder; `SeatResult::entrant` is an index into it.
    pub entrants: &'a [Entrant],
    /// Which setting of the ladder.
    pub setting: usize,
    /// Number of the opening.
    pub opening: u64,
    /// The match.
    pub played: &'a Match,
}

impl<'a> From<&'a Stored> for Shown<'a> {
    fn from(stored: &'a Stored) -> Shown<'a> {
        let Stored { ladder, entrants, setting, opening, played } = stored;
        Shown { ladder, entrants, setting: *setting, opening: *opening, played }
    }
}

impl<'a> Shown<'a> {
    /// The label of the client on a seat.
    fn label(&self, seat: usize) -> &'a str {
        let entrant = self.played.seats.get(seat).and_then(|result| self.entrants.get(result.entrant));
        entrant.map_or("?", |entrant| &entrant.label)
    }

    /// How many turns were played, by all seats.
    fn plies(&self) -> u32 {
        self.played.steps.last().map_or(0, |step| step.ply + 1)
    }

    fn setting_name(&self) -> &'a str {
        self.ladder.settings.get(self.setting).map_or("?", |(name, _)| name)
    }
}
