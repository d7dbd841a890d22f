//! Where a continuous ladder stands: the ranking from the top, each with a rating that followed its meetings one after
//! another.

use super::{PairedStages, Standings};
use crate::grid::text_table;
use crate::ratings::tidy;
use agon_model::documents::RankedPlayer;
use agon_model::visible::escape;
use agon_model::{EntrantId, counted, pairing};
use agon_stats::continuous::{FollowedStrength, Pace, follow};
use agon_stats::plackett_luce::RankedSeat;

/// This many deviations either way hold with 95 %.
const INTERVAL: f64 = 1.96;

impl PairedStages {
    /// Every meeting that was played, with a rank for each who was there; what one of them did not play, the others
    /// have won.
    fn meetings(&self) -> Vec<Vec<RankedSeat>> {
        let all = self.played.iter().flat_map(|played| played.stage.meetings.iter().zip(&played.scores));
        let ranked = all.filter(|(players, _)| players.len() > 1).map(|(players, scores)| {
            let seat = |(player, score): (&EntrantId, &i64)| {
                let rank = 1 + scores.iter().filter(|other| *other > score).count() as u32;
                Some(RankedSeat { entrant: self.index(*player)? as u32, rank })
            };
            players.iter().zip(scores).map(seat).collect::<Option<Vec<RankedSeat>>>()
        });
        ranked.flatten().collect()
    }
}

impl Standings {
    /// The ranking from the top.
    pub(super) fn places(&self, paired: &PairedStages) -> Vec<RankedPlayer> {
        let meetings = paired.meetings();
        let ratings = follow(&meetings, paired.ids.len(), &Pace::default()).unwrap_or_default();
        let place = |player: EntrantId| {
            let index = paired.index(player)?;
            let FollowedStrength { elo, deviation } = *ratings.get(index)?;
            let has_met = |meeting: &&Vec<RankedSeat>| meeting.iter().any(|seat| seat.entrant as usize == index);
            let meetings = meetings.iter().filter(has_met).count() as u64;
            Some(RankedPlayer { client: self.player(paired, player).to_owned(), meetings, elo, deviation })
        };
        pairing::ranking(&paired.played).into_iter().filter_map(place).collect()
    }

    pub(super) fn ranking(&self, paired: &PairedStages) -> String {
        let places = self.places(paired);
        let rows = places.iter().zip(1..).map(|(place, number): (_, usize)| {
            vec![
                number.to_string(),
                escape(&place.client, 40),
                place.meetings.to_string(),
                format!("{:+.0}", tidy(place.elo)),
                format!("{:.0}", INTERVAL * place.deviation),
            ]
        });
        let stages = counted(paired.played.len() as u64, "stage", "stages");
        let titles = [">#", "client", ">meetings", ">Elo", ">\u{b1}"];
        format!(
            "the ranking after {stages}, from the top; Elo follows the meetings one after another, from 0:\n{}",
            text_table(&titles, rows)
        )
    }
}
