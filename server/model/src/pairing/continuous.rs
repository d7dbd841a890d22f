//! The continuous ladder, king of the hill: each player challenges the neighbour above and takes its place by winning.
//! All pairs of neighbours that can meet at once do, alternately those from the first place and those from the second.
//! Newcomers find their place by bisection before the challenges go on. A player that leaves makes room, and is a
//! newcomer when it returns.

use super::PairingRules;
use crate::{EntrantId, PlayedStage, Stage, StageKind};

/// A newcomer, and the places of the ranking between which it belongs.
#[derive(Clone, Copy)]
struct Newcomer {
    player: EntrantId,
    from: usize,
    to: usize,
}

pub(super) fn next(rules: &PairingRules, blocks: u64, field: &[EntrantId], played: &[PlayedStage]) -> Option<Stage> {
    let left = rules.meetings_left(blocks, played.iter().map(|played| &played.stage)) as usize;
    let (mut ranking, mut newcomers) = replay(played);
    if newcomers.is_empty() {
        ranking.retain(|player| field.contains(player));
    }
    if ranking.is_empty() {
        ranking = field.to_vec();
    }
    let known =
        |player: &EntrantId| ranking.contains(player) || newcomers.iter().any(|newcomer| newcomer.player == *player);
    let unknown: Vec<EntrantId> = field.iter().filter(|player| !known(player)).copied().collect();
    newcomers.extend(unknown.into_iter().map(|player| Newcomer { player, from: 0, to: ranking.len() }));
    newcomers.retain(|newcomer| field.contains(&newcomer.player));
    let looking = newcomers.iter().filter(|newcomer| newcomer.from < newcomer.to);
    let mut meetings: Vec<Vec<EntrantId>> =
        looking.map(|newcomer| vec![newcomer.player, ranking[newcomer.middle()]]).collect();
    let mut kind = StageKind::Placement;
    if meetings.is_empty() {
        ranking = insert(ranking, newcomers);
        ranking.retain(|player| field.contains(player));
        (meetings, kind) = (challenges(&ranking, count(StageKind::Challenges, played)), StageKind::Challenges);
    }
    meetings.truncate(left);
    let stage = rules.stage(kind, count(kind, played) + 1, ranking, played);
    (!meetings.is_empty()).then_some(Stage { meetings, ..stage })
}

/// The players from the first place to the last, after all results. Players still looking for a place are missing.
pub fn ranking(played: &[PlayedStage]) -> Vec<EntrantId> {
    let (ranking, newcomers) = replay(played);
    let is_placed = newcomers.iter().all(|newcomer| newcomer.from == newcomer.to);
    if is_placed { insert(ranking, newcomers) } else { ranking }
}

fn count(kind: StageKind, played: &[PlayedStage]) -> u32 {
    played.iter().filter(|played| played.stage.kind == kind).count() as u32
}

/// The ranking after the last challenges, and the players that have looked for their places since.
fn replay(played: &[PlayedStage]) -> (Vec<EntrantId>, Vec<Newcomer>) {
    let Some(last) = played.last() else { return (Vec::new(), Vec::new()) };
    let mut ranking = last.stage.order.clone();
    if last.stage.kind == StageKind::Challenges {
        for (meeting, scores) in last.stage.meetings.iter().zip(&last.scores) {
            let place = ranking.iter().position(|player| *player == meeting[0]);
            if let Some(place) = place.filter(|_| scores[1] > scores[0]) {
                ranking.swap(place, place + 1);
            }
        }
        return (ranking, Vec::new());
    }
    let since = played.iter().rposition(|played| played.stage.kind != StageKind::Placement).map_or(0, |at| at + 1);
    let mut newcomers: Vec<Newcomer> = Vec::new();
    for PlayedStage { stage, scores } in &played[since..] {
        for (meeting, scores) in stage.meetings.iter().zip(scores) {
            let player = meeting[0];
            let at = newcomers.iter().position(|newcomer| newcomer.player == player).unwrap_or_else(|| {
                newcomers.push(Newcomer { player, from: 0, to: ranking.len() });
                newcomers.len() - 1
            });
            let middle = newcomers[at].middle();
            if scores[0] > scores[1] { newcomers[at].to = middle } else { newcomers[at].from = middle + 1 }
        }
    }
    (ranking, newcomers)
}

impl Newcomer {
    fn middle(&self) -> usize {
        (self.from + self.to) / 2
    }
}

/// Puts newcomers in their places; those of one place stay in order of arrival.
fn insert(ranking: Vec<EntrantId>, newcomers: Vec<Newcomer>) -> Vec<EntrantId> {
    let at = |place: usize| newcomers.iter().filter(move |newcomer| newcomer.from == place);
    let places = (0..=ranking.len()).flat_map(|place| {
        at(place).map(|newcomer| newcomer.player).chain(ranking.get(place).copied()).collect::<Vec<_>>()
    });
    places.collect()
}

/// Pairs every second pair of neighbours, the upper player first.
fn challenges(ranking: &[EntrantId], before: u32) -> Vec<Vec<EntrantId>> {
    let from = if ranking.len() > 2 { before as usize % 2 } else { 0 };
    ranking[from.min(ranking.len())..].chunks_exact(2).map(<[EntrantId]>::to_vec).collect()
}
