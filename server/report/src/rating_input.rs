//! The results of a ladder, as small as ratings are fitted to them.

use agon_model::{BlockRow, Entrant, MatchOutcome, SeatOutcome};
use agon_stats::bradley_terry::{Duel, DuelOutcome};
use agon_stats::plackett_luce::{RankedSeat, Ranking};
use std::cmp::Ordering;

/// The results that ratings are fitted to, as small as they are taken there.
#[derive(Clone, Debug)]
pub struct RatingInput {
    seats: usize,
    /// How many were added, those that are not rated included.
    matches: usize,
    /// The block of the last one, and whether any had two.
    block: Option<BlockRow>,
    is_rotated: bool,
    /// For each entrant, by index, whether it has played.
    played: Vec<bool>,
    /// Where two sit at the table.
    duels: Vec<Duel>,
    /// Where more do.
    rankings: Vec<Ranking>,
}

/// Results whose clients are numbered by their places among those who played.
#[derive(Debug)]
pub(super) struct Placed {
    /// The label of each rated client.
    pub labels: Vec<String>,
    /// Whether seats were changed.
    pub is_rotated: bool,
    /// How many there are, those that are not rated included.
    pub matches: usize,
    /// At a table.
    pub seats: usize,
    /// Where two sit there.
    pub duels: Vec<Duel>,
    /// Where more do.
    pub rankings: Vec<Ranking>,
}

impl RatingInput {
    /// None yet, of a ladder with so many seats.
    pub fn new(seats: usize) -> RatingInput {
        let (matches, block, is_rotated) = (0, None, false);
        RatingInput { seats, matches, block, is_rotated, played: Vec::new(), duels: Vec::new(), rankings: Vec::new() }
    }

    /// Adds a match, block by block: `|outcome| results.add(outcome)` for `SqliteRecord::each_outcome`.
    pub fn add(&mut self, found: &MatchOutcome) {
        self.matches += 1;
        self.is_rotated |= self.block.replace(found.block) == Some(found.block);
        for seat in &found.seats {
            // What is no entrant has the greatest number there is.
            if seat.entrant >= self.played.len() && seat.entrant < u32::MAX as usize {
                self.played.resize(seat.entrant + 1, false);
            }
            if let Some(played) = self.played.get_mut(seat.entrant) {
                *played = true;
            }
        }
        let who = |seat: &SeatOutcome| u32::try_from(seat.entrant).unwrap_or(u32::MAX);
        let (start, game, block) = (found.start(), found.moves_hash, found.block.0 as u64);
        let (setting, opening) = (start.setting as u64, start.state);
        match (self.seats, found.seats.as_slice()) {
            // A client that sits on both seats of a match tells nothing by beating itself.
            (2, [first, second]) if first.entrant == second.entrant => {}
            (2, [first, second]) => {
                let outcome = match first.rank.cmp(&second.rank) {
                    Ordering::Less => DuelOutcome::First,
                    Ordering::Equal => DuelOutcome::Draw,
                    Ordering::Greater => DuelOutcome::Second,
                };
                let (first, second) = (who(first), who(second));
                self.duels.push(Duel { first, second, setting, opening, game, outcome, block });
            }
            _ => {
                let seats = found.seats.iter().map(|seat| RankedSeat { entrant: who(seat), rank: seat.rank }).collect();
                self.rankings.push(Ranking { seats, setting, opening, game, block });
            }
        }
    }

    /// Numbers the clients.
    ///
    /// # Errors
    /// Fewer than two have met: a message with what to do.
    pub(super) fn place(self, entrants: &[Entrant]) -> Result<Placed, String> {
        let RatingInput { seats, matches, played, is_rotated, mut duels, mut rankings, .. } = self;
        let mut played: Vec<usize> =
            (0..entrants.len()).filter(|entrant| played.get(*entrant) == Some(&true)).collect();
        // In an order that is not that in which they came into the record, as sums depend on it.
        let key = |entrant: &usize| (entrants[*entrant].team(), &entrants[*entrant].hash, &entrants[*entrant].label);
        played.sort_by(|a, b| key(a).cmp(&key(b)));
        if seats < 2 || played.len() < 2 {
            return Err("ratings compare clients, and fewer than two have met; help: run the ladder first".to_owned());
        }
        // Only those who played are rated, by their places among them.
        let mut places = vec![u32::MAX; entrants.len()];
        (0..).zip(&played).for_each(|(place, entrant)| places[*entrant] = place);
        let place = |entrant: &mut u32| *entrant = places.get(*entrant as usize).copied().unwrap_or(u32::MAX);
        duels.iter_mut().for_each(|duel| [&mut duel.first, &mut duel.second].into_iter().for_each(place));
        rankings.iter_mut().flat_map(|ranking| &mut ranking.seats).for_each(|seat| place(&mut seat.entrant));
        let labels = played.iter().map(|entrant| entrants[*entrant].label.clone()).collect();
        Ok(Placed { labels, is_rotated, matches, seats, duels, rankings })
    }
}
