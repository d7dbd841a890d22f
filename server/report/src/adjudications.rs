//! Matches that ended by what both clients said; and of those that were played on all the same, whether both were
//! right.

use super::Current;
use agon_model::documents::Adjudicated;
use agon_model::{Adjudication, Ending, LadderRow, Match, SeatOutcome, counted};
use agon_playback::LoggedValues;
use agon_record::{Archive, Filter, RecordError};

/// The effects of `[adjudication]` in a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjudications {
    pub(super) counts: Adjudicated,
    terms: Adjudication,
}

impl Adjudications {
    /// Counts the matches of a ladder that count for its table; `None` if its matches end by the rules alone. Only
    /// matches that were played on are read whole.
    pub fn of(store: &dyn Archive, ladder: &LadderRow) -> Result<Option<Adjudications>, RecordError> {
        let Some(terms) = ladder.terms.adjudication else { return Ok(None) };
        let mut all = Adjudications { counts: Adjudicated::default(), terms };
        let current = Current::of_record(store, ladder.id, &store.members(ladder.id)?)?;
        let listed = store.matches(ladder, &Filter::default())?;
        let is_counted = |seats: &[SeatOutcome]| current.counts_of(seats.iter().map(|seat| seat.entrant));
        for listed in listed.into_iter().filter(|listed| is_counted(&listed.seats)) {
            match listed.ending {
                Ending::Adjudicated => all.counts.decided += 1,
                Ending::Over if terms.plays_on(&listed.id) => {
                    if let Some(stored) = store.match_of(ladder.id, &listed.id)? {
                        all.check(&stored.played);
                    }
                }
                _ => {}
            }
        }
        // Matches are listed as they came in, which hangs on who played them.
        all.counts.wrong.sort();
        Ok(Some(all))
    }

    fn check(&mut self, played: &Match) {
        let values = LoggedValues::of(played);
        let before_its_end = played.plies().saturating_sub(1);
        let moves = played.steps.iter().take_while(|step| step.ply < before_its_end);
        let said = moves.map(|step| {
            let own = values.with(step).filter(|_| step.by_client);
            (step.ply, step.seat, own.and_then(|logged| logged.thought.value))
        });
        let Some((_, winner)) = self.terms.decide(said) else { return };
        self.counts.checked += 1;
        if played.seats.get(winner).is_none_or(|seat| seat.rank != 1) {
            self.counts.wrong.push(played.id.clone());
        }
    }

    /// For people: a line or two.
    pub fn text(&self) -> String {
        const SHOWN: usize = 3;
        let Adjudications { counts: Adjudicated { decided, checked, wrong }, terms } = self;
        let value = terms.value as f64 / 1e3;
        let ended = format!(
            "adjudication: {} ended early, after {} moves in a row by which both clients named the same winner (values \
             from {value} on)\n",
            counted(*decided, "match", "matches"),
            terms.moves
        );
        let others = counted(*checked, "other", "others");
        let found = match (checked, wrong.len()) {
            (0, _) if *decided == 0 => String::new(),
            (0, _) => "not checked: no match in which they did was played on\n".to_owned(),
            (_, 0) => format!("checked: {others} in which they did, played on: as they said\n"),
            (_, many) => format!(
                "checked: {others} in which they did, played on: {many} not as they said ({}); help: raise value or moves \
                 of [adjudication]\n",
                wrong[..many.min(SHOWN)].join(", ")
            ),
        };
        ended + &found
    }
}
