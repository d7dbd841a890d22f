//! A match outside the record that a person ended, in the form that readers of recorded matches use.

use super::{AdHocMatch, SeatedClient};
use agon_games::{AnyState, Seat, Seats};
use agon_model::{Ending, Entrant, LadderId, LadderRow, LadderTerms, Match, StoredMatch, rank};
use std::collections::BTreeMap;

impl AdHocMatch {
    /// Ends the match because the person on `seat` gave up in this state, with the scores of a seat that is out.
    pub fn resign(played: &mut Match, state: &dyn AnyState, seat: Seat) {
        let scores = state.forfeit(Seats::one(seat));
        let ranks = rank(&scores, &vec![None; played.seats.len()]);
        for ((result, rank), score) in played.seats.iter_mut().zip(ranks).zip(scores.values) {
            (result.rank, result.score) = (rank, score);
        }
        played.ending = Ending::Over;
    }

    /// Makes a match of this kind look like one of the record; `called` has the names of people, seat by seat.
    pub fn recorded(&self, mut played: Match, called: &[String]) -> StoredMatch {
        let nobody = |seat: usize| Entrant {
            label: called.get(seat).cloned().unwrap_or_default(),
            file: String::new(),
            hash: String::new(),
            options: BTreeMap::new(),
            refused: None,
        };
        let entrant = |(seat, client): (usize, &Option<SeatedClient>)| {
            client.as_ref().map_or_else(|| nobody(seat), |client| client.entrant.clone())
        };
        let entrants = self.seats.iter().enumerate().map(entrant).collect();
        played.seats.iter_mut().enumerate().for_each(|(seat, result)| result.entrant = seat);
        let options = self.options.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let mut terms = LadderTerms::default();
        terms.time = Some(self.time.clone());
        let ladder = LadderRow {
            id: LadderId(0),
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
