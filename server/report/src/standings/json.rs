//! The standings as the document `agon.standings/1`.

use super::{Refused, Standings, Suspended};
use crate::ratings::mean;
use agon_model::documents::{self, Excluded, OnSeat, OnSetting, StandingsRow, UncountedResults, VoidBlock};
use agon_model::{Entrant, Tally, TallyRow, Weakness};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How an entrant is called.
type Label<'f> = dyn for<'a> Fn(usize, &'a Entrant) -> Cow<'a, str> + 'f;

impl Standings {
    /// One JSON document, ended by a newline.
    pub fn json(&self) -> String {
        self.document_with(&|index, entrant| self.full_label(index, entrant)).json()
    }

    /// The document for pages, which know clients by the labels of the record.
    pub fn document(&self) -> documents::Standings {
        self.document_with(&|_, entrant| entrant.label.as_str().into())
    }

    fn document_with(&self, label: &Label<'_>) -> documents::Standings {
        let ladder = &self.ladder;
        let weakness = ladder.terms.weakness().filter(Weakness::is_for_debugging);
        let void = |(block, cause, tries): &(String, String, u32)| VoidBlock {
            block: block.clone(),
            cause: cause.clone(),
            tries: *tries,
        };
        documents::Standings {
            ladder: ladder.name.clone(),
            game: ladder.game.clone(),
            seats: ladder.seats,
            seed: (!self.keeps_seed).then(|| ladder.seed.to_string()),
            seed_drawn: ladder.seed_drawn,
            matches: self.all.matches(),
            blocks: self.all.blocks(),
            ranked_by: self
                .alone
                .map(|is_higher_better| if is_higher_better { "high score" } else { "low score" }.into()),
            clients: self.clients(&self.all, true, label),
            refused: self.refused().map(|refused| self.refused_client(refused)).collect(),
            set_aside: self.suspended().map(|client| self.suspended_client(client)).collect(),
            own_times: self.own_times(),
            by_seat: self.all.seats().iter().map(seat).collect(),
            by_setting: self.settings(label),
            by_lineup: self.by_lineup.as_ref().map(|by_lineup| self.lineups(by_lineup)),
            void: self.voids.iter().map(void).collect(),
            turns: Some(self.turns.trim_end().to_owned()).filter(|turns| !turns.is_empty()),
            weaker_sandbox: weakness.map(|weakness| weakness.to_string()),
            adjudication: self.adjudications.as_ref().map(|adjudications| adjudications.counts.clone()),
            pairing: self.paired_document(),
        }
    }

    fn clients(&self, tally: &Tally, of_all: bool, label: &Label<'_>) -> Vec<StandingsRow> {
        let mut clients = Vec::new();
        for (place, line, entrant) in self.ranked(tally) {
            clients.push(StandingsRow {
                place: Some(place).filter(|place| *place > 0),
                client: label(line.entrant, entrant).into_owned(),
                team: entrant.team().to_owned(),
                status: self.status_of(line.entrant, entrant).to_owned(),
                file: entrant.file.clone(),
                sha256: entrant.hash.clone(),
                options: entrant.options.clone(),
                matches: line.matches,
                blocks: line.blocks,
                wins: line.wins,
                draws: line.draws,
                losses: line.losses,
                points: mean(&line.points),
                rank: mean(&line.rank),
                score: mean(&line.score),
                faults: line.faults.iter().map(|(kind, count)| (kind.name().to_owned(), *count)).collect(),
                notices: line.notices,
                first_fault: of_all.then(|| self.first_fault[line.entrant].clone()),
                voids: of_all.then(|| self.excused(line.entrant)),
                grade: self.given_grade(line.entrant).filter(|_| of_all),
            });
        }
        clients
    }

    fn refused_client(&self, Refused { index, entrant, kind, why }: Refused<'_>) -> Excluded {
        Excluded {
            client: entrant.label.clone(),
            team: entrant.team().to_owned(),
            file: Some(entrant.file.clone()),
            sha256: Some(entrant.hash.clone()),
            status: kind.name().to_owned(),
            why: why.to_owned(),
            grade: self.given_grade(index),
            apart: None,
        }
    }

    fn suspended_client(&self, suspended: Suspended<'_>) -> Excluded {
        let Suspended { index, entrant, status, why, former } = suspended;
        let apart = former.map(|TallyRow { matches, wins, draws, losses, points, .. }| UncountedResults {
            matches,
            wins,
            draws,
            losses,
            points: mean(&points),
        });
        Excluded {
            client: self.full_label(index, entrant).into_owned(),
            team: entrant.team().to_owned(),
            status: status.kind.name().to_owned(),
            why: why.to_owned(),
            grade: self.given_grade(index),
            apart,
            ..Excluded::default()
        }
    }

    fn given_grade(&self, client: usize) -> Option<String> {
        self.grade_of(client).and_then(|grade| grade.clone().ok())
    }

    fn settings(&self, label: &Label<'_>) -> Vec<OnSetting> {
        let settings = self.ladder.settings.iter().zip(&self.by_setting);
        let on = |((setting, options), tally): (&(String, BTreeMap<String, String>), &Tally)| OnSetting {
            setting: setting.clone(),
            options: options.clone(),
            matches: tally.matches(),
            blocks: tally.blocks(),
            clients: self.clients(tally, false, label),
        };
        settings.map(on).collect()
    }
}

fn seat(line: &agon_stats::SeatLine) -> OnSeat {
    OnSeat { matches: line.matches, wins: line.wins, shared: line.shared }
}
