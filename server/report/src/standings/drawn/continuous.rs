//! Where a continuous ladder stands: the ranking from the top, each with a rating that followed its meetings one after
//! another.

use super::{Drawn, Standings};
use crate::grid::text_table;
use crate::ratings::tidy;
use agon_model::documents::RankedPlayer;
use agon_model::visible::escape;
use agon_model::{EntrantId, counted, pairing};
use agon_stats::continuous::{FollowedStrength, Pace, follow};
use agon_stats::plackett_luce::RankedSeat;

/// This many deviations either way hold with 95 %.
const INTERVAL: f64 = 1.96;

impl Drawn {
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
    pub(super) fn places(&self, drawn: &Drawn) -> Vec<RankedPlayer> {
        let meetings = drawn.meetings();
        let ratings = follow(&meetings, drawn.ids.len(), &Pace::default()).unwrap_or_default();
        let place = |player: EntrantId| {
            let index = drawn.index(player)?;
            let FollowedStrength { elo, deviation } = *ratings.get(index)?;
            let has_met = |meeting: &&Vec<RankedSeat>| meeting.iter().any(|seat| seat.entrant as usize == index);
            let meetings = meetings.iter().filter(has_met).count() as u64;
            Some(RankedPlayer { client: self.player(drawn, player).to_owned(), meetings, elo, deviation })
        };
        pairing::ranking(&drawn.played).into_iter().filter_map(place).collect()
    }

    pub(super) fn ranking(&self, drawn: &Drawn) -> String {
        let places = self.places(drawn);
        let rows = places.iter().zip(1..).map(|(place, number): (_, usize)| {
            vec![
                number.to_string(),
                escape(&place.client, 40),
                place.meetings.to_string(),
                format!("{:+.0}", tidy(place.elo)),
                format!("{:.0}", INTERVAL * place.deviation),
            ]
        });
        let stages = counted(drawn.played.len() as u64, "stage", "stages");
        let titles = [">#", "client", ">meetings", ">Elo", ">\u{b1}"];
        format!(
            "the ranking after {stages}, from the top; Elo follows the meetings one after another, from 0:\n{}",
            text_table(&titles, rows)
        )
    }
}
