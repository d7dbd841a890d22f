//! Clients that play by a time of their own, which is not the ladder's.

use super::Standings;
use agon_model::documents::OwnTime;
use agon_model::visible::escape;
use agon_model::{StatusKind, TIME_OPTION, TimeWords};

impl Standings {
    /// Those whose results count.
    pub(super) fn own_times(&self) -> Vec<OwnTime> {
        let common = self.ladder.terms.time.as_ref().map(|time| TimeWords::from(time).to_string());
        let counts = |index| self.status(index) != StatusKind::Replaced;
        let entrants = self.entrants.iter().enumerate().filter(|(index, _)| counts(*index));
        let own = entrants.filter(|(_, entrant)| entrant.own_time().is_some());
        let own = own.filter_map(|(_, entrant)| Some((entrant, entrant.options.get(TIME_OPTION)?)));
        let differing = own.filter(|(_, time)| Some(*time) != common.as_ref());
        differing.map(|(entrant, time)| OwnTime { client: entrant.label.clone(), time: time.clone() }).collect()
    }

    /// A line that names them, below the table.
    pub(super) fn time_line(&self) -> String {
        let own = self.own_times();
        if own.is_empty() {
            return String::new();
        }
        let own: Vec<String> =
            own.iter().map(|own| format!("{} has {}", escape(&own.client, 40), escape(&own.time, 40))).collect();
        let common = self.ladder.terms.time.as_ref();
        let common = common.map_or(String::new(), |time| format!("; all others have {}", TimeWords::from(time)));
        format!("time: {}{common}\n", own.join(", "))
    }
}
