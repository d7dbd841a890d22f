//! Where a Swiss, a knockout or a continuous ladder stands: from what was paired and closed, byes and walkovers
//! included.

mod continuous;

use super::Standings;
use crate::grid::text_table;
use agon_model::documents::{self, PairedStage, SwissPlace};
use agon_model::visible::escape;
use agon_model::{EntrantId, PlayedStage, Stage, SystemKind, counted, pairing};
use agon_record::{Member, StoredStage};

/// Everything that was paired in a ladder.
#[derive(Debug)]
pub(super) struct PairedStages {
    /// Numbers in the record, in the order of `Standings::entrants`.
    ids: Vec<EntrantId>,
    played: Vec<PlayedStage>,
    /// The stage that is being played.
    open: Option<Stage>,
}

impl PairedStages {
    pub(super) fn new(members: &[Member], stages: Vec<StoredStage>) -> Option<PairedStages> {
        let mut paired =
            PairedStages { ids: members.iter().map(|member| member.id).collect(), played: Vec::new(), open: None };
        for (stage, scores) in stages {
            match scores {
                Some(scores) => paired.played.push(PlayedStage { stage, scores }),
                None => paired.open = Some(stage),
            }
        }
        (!paired.played.is_empty() || paired.open.is_some()).then_some(paired)
    }

    /// Where an entrant stands among them all.
    fn index(&self, player: EntrantId) -> Option<usize> {
        self.ids.iter().position(|id| *id == player)
    }

    /// Everybody who was there in some stage, in the order of the last one, then who had left before.
    fn players(&self) -> Vec<EntrantId> {
        let stages = self.played.iter().rev().map(|played| &played.stage);
        let all = self.open.iter().chain(stages).flat_map(|stage| stage.order.iter().copied());
        let mut players = Vec::new();
        all.for_each(|player| {
            if !players.contains(&player) {
                players.push(player)
            }
        });
        players
    }
}

impl Standings {
    fn player(&self, paired: &PairedStages, player: EntrantId) -> &str {
        paired.index(player).and_then(|index| self.entrants.get(index)).map_or("?", |entrant| &entrant.label)
    }

    /// The tournament's own table, below the one of all matches.
    pub(super) fn paired_text(&self) -> String {
        let Some(paired) = &self.paired else { return String::new() };
        let text = match self.ladder.terms.pairing.system {
            Some(SystemKind::Swiss) => self.swiss(paired),
            Some(SystemKind::Knockout) => self.knockout(paired),
            _ => self.ranking(paired),
        };
        let open = paired.open.as_ref().map_or(String::new(), |stage| {
            let meetings = counted(stage.played_meetings(), "meeting", "meetings");
            format!("{} {} is being played: {meetings}\n", stage.kind.name(), stage.round)
        });
        format!("\n{text}{open}")
    }

    fn swiss(&self, paired: &PairedStages) -> String {
        let standings = pairing::standings(&paired.players(), &paired.played);
        let rows = standings.iter().enumerate().map(|(place, standing)| {
            let meetings = paired.played.iter().map(|played| self.meeting(paired, played, standing.player));
            vec![
                (place + 1).to_string(),
                escape(self.player(paired, standing.player), 40),
                show_points(standing.points),
                show_points(standing.opponents),
                meetings.collect::<Vec<_>>().join(", "),
            ]
        });
        let titles = [">#", "client", ">points", ">opponents'", "rounds (a bye counts as a meeting won)"];
        let rounds = counted(paired.played.len() as u64, "round", "rounds");
        format!("swiss after {rounds}:\n{}", text_table(&titles, rows))
    }

    /// `p2 3:1`, `bye 4`, `-`.
    fn meeting(&self, paired: &PairedStages, played: &PlayedStage, player: EntrantId) -> String {
        let Some(at) = played.stage.meetings.iter().position(|meeting| meeting.contains(&player)) else {
            return "-".to_owned();
        };
        let seats = played.stage.meetings[at].iter().zip(&played.scores[at]);
        let (own, others): (Vec<_>, Vec<_>) = seats.partition(|(other, _)| **other == player);
        let own = own.first().map_or(0, |(_, score)| **score);
        match others.first() {
            Some((other, score)) => {
                let label = escape(self.player(paired, **other), 40);
                format!("{label} {}:{}", show_points(own), show_points(**score))
            }
            None => format!("bye {}", show_points(own)),
        }
    }

    fn knockout(&self, paired: &PairedStages) -> String {
        let mut text = String::new();
        for PlayedStage { stage, scores } in &paired.played {
            text += &format!("knockout, {} {}:\n", stage.kind.name(), stage.round);
            for (meeting, scores) in stage.meetings.iter().zip(scores) {
                let names: Vec<String> =
                    meeting.iter().map(|player| escape(self.player(paired, *player), 40)).collect();
                text += &match (names.as_slice(), scores.as_slice()) {
                    ([a, b], [of_a, of_b]) => format!("  {a} {}:{} {b}\n", show_points(*of_a), show_points(*of_b)),
                    _ => format!("  {} has a bye\n", names.concat()),
                };
            }
        }
        let winner = self.winner(paired).map(|player| escape(self.player(paired, player), 40));
        text + &winner.map_or(String::new(), |winner| {
            format!("{winner} wins; a tie that playoffs leave goes to the one higher in the seeding\n")
        })
    }

    fn winner(&self, paired: &PairedStages) -> Option<EntrantId> {
        if paired.open.is_some() { None } else { pairing::winner(&paired.played) }
    }

    /// The same for programs.
    pub(super) fn paired_document(&self) -> Option<documents::PairedStages> {
        let paired = self.paired.as_ref()?;
        let (mut ranking, mut table) = (Vec::new(), Vec::new());
        let order = match self.ladder.terms.pairing.system {
            Some(SystemKind::Swiss) => {
                let standings = pairing::standings(&paired.players(), &paired.played);
                table.extend(standings.iter().map(|standing| SwissPlace {
                    client: self.player(paired, standing.player).to_owned(),
                    points: whole_points(standing.points),
                    opponents: whole_points(standing.opponents),
                }));
                standings.into_iter().map(|standing| standing.player).collect()
            }
            Some(SystemKind::Knockout) => self.winner(paired).into_iter().collect(),
            _ => {
                ranking = self.places(paired);
                pairing::ranking(&paired.played)
            }
        };
        let closed = paired.played.iter().map(|played| (&played.stage, Some(&played.scores)));
        let stages = closed.chain(paired.open.iter().map(|stage| (stage, None)));
        Some(documents::PairedStages {
            system: self.ladder.terms.pairing.system.map_or("", SystemKind::name).to_owned(),
            order: order.into_iter().map(|player| self.player(paired, player).to_owned()).collect(),
            ranking,
            table,
            stages: stages.map(|(stage, scores)| self.stage_document(paired, stage, scores)).collect(),
        })
    }

    fn stage_document(&self, paired: &PairedStages, stage: &Stage, scores: Option<&Vec<Vec<i64>>>) -> PairedStage {
        let name = |player: &EntrantId| self.player(paired, *player).to_owned();
        let points = |scores: &Vec<i64>| scores.iter().copied().map(whole_points).collect();
        PairedStage {
            kind: stage.kind.name().to_owned(),
            round: stage.round,
            opening: stage.opening,
            openings: stage.openings,
            meetings: stage.meetings.iter().map(|meeting| meeting.iter().map(name).collect()).collect(),
            points: scores.map(|scores| scores.iter().map(points).collect()),
        }
    }
}

/// Points of thousandths.
fn whole_points(points: i64) -> f64 {
    points as f64 / 1000.0
}

/// Thousandths of a point, with no more places than they need.
fn show_points(points: i64) -> String {
    let text = format!("{:.3}", points as f64 / 1000.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
