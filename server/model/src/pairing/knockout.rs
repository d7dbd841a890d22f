//! The knockout: a bracket of powers of two with byes for the first of the seeding, in which winners go on. A tie
//! continues for a stated number of openings; then the player higher in the seeding goes on.

use super::{PairingRules, results};
use crate::{EntrantId, PlayedStage, Stage, StageKind};

pub(super) fn next(rules: &PairingRules, playoffs: u32, field: &[EntrantId], played: &[PlayedStage]) -> Option<Stage> {
    let Some(last) = played.last() else {
        let stage = rules.stage(StageKind::Round, 1, field.to_vec(), played);
        return (field.len() > 1).then(|| Stage { meetings: bracket(field), ..stage });
    };
    let round = last.stage.round;
    let order = last.stage.order.clone();
    let of_round: Vec<&PlayedStage> = played.iter().filter(|played| played.stage.round == round).collect();
    let meetings = &of_round[0].stage.meetings;
    let tied: Vec<Vec<EntrantId>> = meetings.iter().filter(|meeting| is_tied(meeting, &of_round)).cloned().collect();
    if !tied.is_empty() && (of_round.len() as u32) <= playoffs {
        return Some(Stage { meetings: tied, ..rules.stage(StageKind::Playoff, round, order, played) });
    }
    let winners: Vec<EntrantId> = meetings.iter().map(|meeting| better(meeting, &of_round, &order)).collect();
    let stage = rules.stage(StageKind::Round, round + 1, order, played);
    (winners.len() > 1).then(|| Stage { meetings: winners.chunks(2).map(<[EntrantId]>::to_vec).collect(), ..stage })
}

/// The winner of the last meeting, if the last round has only one. Ties are those that remain after playoffs.
pub fn winner(played: &[PlayedStage]) -> Option<EntrantId> {
    let round = played.last()?.stage.round;
    let of_round: Vec<&PlayedStage> = played.iter().filter(|played| played.stage.round == round).collect();
    match of_round[0].stage.meetings.as_slice() {
        [meeting] => Some(better(meeting, &of_round, &of_round[0].stage.order)),
        _ => None,
    }
}

/// The first round: the first two of the seeding can meet only in the last round, and so on for all powers of two.
fn bracket(field: &[EntrantId]) -> Vec<Vec<EntrantId>> {
    let mut places = vec![0];
    while places.len() < field.len() {
        let size = 2 * places.len();
        places = places.into_iter().flat_map(|place| [place, size - 1 - place]).collect();
    }
    let meeting = |pair: &[usize]| pair.iter().filter_map(|&place| field.get(place).copied()).collect();
    places.chunks(2).map(meeting).collect()
}

fn points(player: EntrantId, of_round: &[&PlayedStage]) -> i64 {
    results(of_round.iter().copied())
        .flat_map(|(meeting, scores)| meeting.iter().zip(scores))
        .filter(|(other, _)| **other == player)
        .map(|(_, score)| score)
        .sum()
}

fn is_tied(meeting: &[EntrantId], of_round: &[&PlayedStage]) -> bool {
    meeting.len() > 1 && points(meeting[0], of_round) == points(meeting[1], of_round)
}

fn better(meeting: &[EntrantId], of_round: &[&PlayedStage], order: &[EntrantId]) -> EntrantId {
    let seed = |player: &EntrantId| order.iter().position(|other| other == player);
    let best = meeting.iter().min_by_key(|player| (-points(**player, of_round), seed(player)));
    best.copied().unwrap_or_default()
}
