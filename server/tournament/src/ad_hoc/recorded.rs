//! A match outside the record, ended by a person, and as those see it who look at matches of a record.

use super::{AdHocMatch, Client};
use agon_arena::referee::rank;
use agon_config::LadderTerms;
use agon_games::{AnyState, Seat, Seats};
use agon_model::{Ending, Entrant, Match};
use agon_record::{LadderRow, StoredMatch};
use std::collections::BTreeMap;

impl AdHocMatch {
    /// The person on `seat` has given up in this state: it counts as the rules say of whoever is out.
    pub fn resign(played: &mut Match, state: &dyn AnyState, seat: Seat) {
        let scores = state.forfeit(Seats::one(seat));
        let ranks = rank(&scores, &vec![None; played.seats.len()]);
        for ((result, rank), score) in played.seats.iter_mut().zip(ranks).zip(scores.values) {
            (result.rank, result.score) = (rank, score);
        }
        played.ending = Ending::Over;
    }

    /// A match of this as one of a record; `called` is what whoever is no client is called, seat by seat.
    pub fn recorded(&self, mut played: Match, called: &[String]) -> StoredMatch {
        let nobody = |seat: usize| Entrant {
            label: called.get(seat).cloned().unwrap_or_default(),
            file: String::new(),
            hash: String::new(),
            options: BTreeMap::new(),
            refused: None,
        };
        let entrant = |(seat, client): (usize, &Option<Client>)| {
            client.as_ref().map_or_else(|| nobody(seat), |client| client.entrant.clone())
        };
        let entrants = self.seats.iter().enumerate().map(entrant).collect();
        played.seats.iter_mut().enumerate().for_each(|(seat, result)| result.entrant = seat);
        let options = self.options.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let mut terms = LadderTerms::default();
        terms.time = Some(self.time.clone());
        let ladder = LadderRow {
            id: 0,
            name: self.id.clone(),
            game: self.facts.name.to_owned(),
            seats: self.seats.len(),
            seed: self.seed,
            seed_drawn: false,
            terms,
            settings: vec![(self.name.clone(), options)],
        };
        StoredMatch { ladder, entrants, setting: 0, opening: self.opening, played }
    }
}
