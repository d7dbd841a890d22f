//! The standings for programs: `agon.standings/1`. Keys keep their order; a change of meaning gets a new number.

use super::drawn::DrawnDocument;
use super::lineups::Lineup;
use super::times::OwnTime;
use super::{Refused, Standings, Suspended};
use crate::adjudications::Adjudications;
use crate::ratings::mean;
use agon_model::documents::Mean;
use agon_model::visible::json_document;
use agon_model::{Entrant, StatusKind, Tally, TallyRow, Weakness};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    game: &'a str,
    seats: usize,
    /// Text, since not every reader of JSON has whole numbers of 64 bits; `null` while it is kept back.
    seed: Option<String>,
    seed_drawn: bool,
    matches: u64,
    blocks: u64,
    /// The value that decides places where each plays alone; absent if it is points.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranked_by: Option<&'static str>,
    clients: Vec<Client<'a>>,
    refused: Vec<RefusedClient<'a>>,
    /// The clients that do not play any more; absent if all do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<SuspendedClient<'a>>,
    /// The clients that play by a time of their own; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    own_times: Vec<OwnTime<'a>>,
    by_seat: Vec<Seat>,
    by_setting: Vec<Setting<'a>>,
    /// Absent unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_lineup: Option<Vec<Lineup<'a>>>,
    void: Vec<Void<'a>>,
    /// A warning if the order of moves is not balanced; absent if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<&'a str>,
    /// How the ladder asks for less than the full sandbox; absent where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    weaker_sandbox: Option<String>,
    /// The effects of matches that clients may end; absent if they may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    adjudication: Option<&'a Adjudications>,
    /// The drawn rounds; absent if pairings do not follow from results.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<DrawnDocument<'a>>,
}

#[derive(Serialize)]
struct Client<'a> {
    /// `null`: it is one that others are measured by.
    place: Option<usize>,
    client: Cow<'a, str>,
    /// Its author's name, which all its versions share.
    team: &'a str,
    status: &'static str,
    file: &'a str,
    sha256: &'a str,
    options: &'a BTreeMap<String, String>,
    matches: u64,
    blocks: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: Mean,
    rank: Mean,
    score: Mean,
    faults: BTreeMap<&'static str, u64>,
    notices: u64,
    /// The first fault in the whole ladder; absent if one setting is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_fault: Option<Option<&'a str>>,
    /// Matches that were void for its sake; likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    voids: Option<u32>,
    /// Likewise; absent where it gets none.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<&'a str>,
}

#[derive(Serialize)]
struct RefusedClient<'a> {
    client: &'a str,
    team: &'a str,
    file: &'a str,
    sha256: &'a str,
    status: StatusKind,
    why: &'a str,
    /// Absent where there are no grades.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<&'a str>,
}

#[derive(Serialize)]
struct SuspendedClient<'a> {
    client: Cow<'a, str>,
    team: &'a str,
    status: StatusKind,
    why: &'a str,
    /// Absent where it gets none.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<&'a str>,
    /// Its results, if they count for nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<Apart>,
}

#[derive(Serialize)]
struct Apart {
    matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: Mean,
}

#[derive(Serialize)]
struct Seat {
    matches: u64,
    wins: u64,
    shared: u64,
}

#[derive(Serialize)]
struct Setting<'a> {
    setting: &'a str,
    options: &'a BTreeMap<String, String>,
    matches: u64,
    blocks: u64,
    clients: Vec<Client<'a>>,
}

#[derive(Serialize)]
struct Void<'a> {
    block: &'a str,
    cause: &'a str,
    tries: u32,
}

/// How an entrant is called.
type Label<'f> = dyn for<'a> Fn(usize, &'a Entrant) -> Cow<'a, str> + 'f;

impl Standings {
    /// One JSON document, ended by a newline.
    pub fn json(&self) -> String {
        self.json_with(&|index, entrant| self.full_label(index, entrant))
    }

    /// The same for pages, which know clients by the labels of the record.
    pub fn json_for_pages(&self) -> String {
        self.json_with(&|_, entrant| entrant.label.as_str().into())
    }

    fn json_with(&self, label: &Label<'_>) -> String {
        let ladder = &self.ladder;
        let document = Document {
            schema: "agon.standings/1",
            ladder: &ladder.name,
            game: &ladder.game,
            seats: ladder.seats,
            seed: (!self.keeps_seed).then(|| ladder.seed.to_string()),
            seed_drawn: ladder.seed_drawn,
            matches: self.all.matches(),
            blocks: self.all.blocks(),
            ranked_by: self.alone.map(|is_higher_better| if is_higher_better { "high score" } else { "low score" }),
            clients: self.clients(&self.all, true, label),
            refused: self.refused().map(|refused| self.refused_client(refused)).collect(),
            set_aside: self.suspended().map(|client| self.suspended_client(client)).collect(),
            own_times: self.own_times(),
            by_seat: self.all.seats().iter().map(seat).collect(),
            by_setting: self.settings(label),
            by_lineup: self.by_lineup.is_some().then(|| self.lineups()),
            void: self.voids.iter().map(|(block, cause, tries)| Void { block, cause, tries: *tries }).collect(),
            weaker_sandbox: ladder
                .terms
                .weakness()
                .filter(Weakness::is_for_debugging)
                .map(|weakness| weakness.to_string()),
            adjudication: self.adjudications.as_ref(),
            turns: Some(self.turns.trim_end()).filter(|turns| !turns.is_empty()),
            drawn: self.drawn_document(),
        };
        json_document(&document)
    }

    fn clients(&self, tally: &Tally, of_all: bool, label: &Label<'_>) -> Vec<Client<'_>> {
        let mut clients = Vec::new();
        for (place, line, entrant) in self.ranked(tally) {
            clients.push(Client {
                place: Some(place).filter(|place| *place > 0),
                client: label(line.entrant, entrant),
                team: entrant.team(),
                status: self.status_of(line.entrant, entrant),
                file: &entrant.file,
                sha256: &entrant.hash,
                options: &entrant.options,
                matches: line.matches,
                blocks: line.blocks,
                wins: line.wins,
                draws: line.draws,
                losses: line.losses,
                points: mean(&line.points),
                rank: mean(&line.rank),
                score: mean(&line.score),
                faults: super::by_name(&line.faults),
                notices: line.notices,
                first_fault: of_all.then(|| self.first_fault[line.entrant].as_deref()),
                voids: of_all.then(|| self.excused(line.entrant)),
                grade: self.given_grade(line.entrant).filter(|_| of_all),
            });
        }
        clients
    }

    fn refused_client<'a>(&'a self, refused: Refused<'a>) -> RefusedClient<'a> {
        let Refused { index, entrant, kind, why } = refused;
        RefusedClient {
            client: &entrant.label,
            team: entrant.team(),
            file: &entrant.file,
            sha256: &entrant.hash,
            status: kind,
            why,
            grade: self.given_grade(index),
        }
    }

    fn suspended_client<'a>(&'a self, suspended: Suspended<'a>) -> SuspendedClient<'a> {
        let Suspended { index, entrant, status, why, former } = suspended;
        let apart = former.map(|TallyRow { matches, wins, draws, losses, points, .. }| Apart {
            matches,
            wins,
            draws,
            losses,
            points: mean(&points),
        });
        let (client, team) = (self.full_label(index, entrant), entrant.team());
        SuspendedClient { client, team, status: status.kind, why, grade: self.given_grade(index), apart }
    }

    fn given_grade(&self, client: usize) -> Option<&str> {
        self.grade_of(client).and_then(|grade| grade.as_deref().ok())
    }

    fn settings(&self, label: &Label<'_>) -> Vec<Setting<'_>> {
        let mut settings = Vec::new();
        for ((setting, options), tally) in self.ladder.settings.iter().zip(&self.by_setting) {
            let (matches, blocks) = (tally.matches(), tally.blocks());
            settings.push(Setting { setting, options, matches, blocks, clients: self.clients(tally, false, label) });
        }
        settings
    }
}

fn seat(line: &agon_stats::SeatLine) -> Seat {
    Seat { matches: line.matches, wins: line.wins, shared: line.shared }
}
