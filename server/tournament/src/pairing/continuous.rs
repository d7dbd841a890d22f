//! The continuous ladder, king of the hill: each challenges the neighbour above and takes its place by winning. All pairs of
//! neighbours that can meet at once do, those from the first place and those from the second in turn. Newcomers find their place by
//! bisection before the challenges go on; who leaves makes room, and is a newcomer when it is back.

use super::Rules;
use agon_model::{PlayedStage, Player, Stage, StageKind};

/// A newcomer, and between which places of the hill it belongs.
#[derive(Clone, Copy)]
struct Newcomer {
    player: Player,
    from: usize,
    to: usize,
}

pub(super) fn next(rules: &Rules, blocks: u64, field: &[Player], played: &[PlayedStage]) -> Option<Stage> {
    let left = rules.meetings_left(blocks, played.iter().map(|played| &played.stage)) as usize;
    let (mut hill, mut newcomers) = replay(played);
    if newcomers.is_empty() {
        hill.retain(|player| field.contains(player));
    }
    if hill.is_empty() {
        hill = field.to_vec();
    }
    let known = |player: &Player| hill.contains(player) || newcomers.iter().any(|newcomer| newcomer.player == *player);
    let unknown: Vec<Player> = field.iter().filter(|player| !known(player)).copied().collect();
    newcomers.extend(unknown.into_iter().map(|player| Newcomer { player, from: 0, to: hill.len() }));
    newcomers.retain(|newcomer| field.contains(&newcomer.player));
    let looking = newcomers.iter().filter(|newcomer| newcomer.from < newcomer.to);
    let mut meetings: Vec<Vec<Player>> =
        looking.map(|newcomer| vec![newcomer.player, hill[newcomer.middle()]]).collect();
    let mut kind = StageKind::Placement;
    if meetings.is_empty() {
        hill = insert(hill, newcomers);
        hill.retain(|player| field.contains(player));
        (meetings, kind) = (challenges(&hill, count(StageKind::Challenges, played)), StageKind::Challenges);
    }
    meetings.truncate(left);
    let stage = rules.stage(kind, count(kind, played) + 1, hill, played);
    (!meetings.is_empty()).then_some(Stage { meetings, ..stage })
}

/// The players from the first place to the last, after everything that was played; who is still looking for a place is not there.
pub fn hill(played: &[PlayedStage]) -> Vec<Player> {
    let (hill, newcomers) = replay(played);
    let is_placed = newcomers.iter().all(|newcomer| newcomer.from == newcomer.to);
    if is_placed { insert(hill, newcomers) } else { hill }
}

fn count(kind: StageKind, played: &[PlayedStage]) -> u32 {
    played.iter().filter(|played| played.stage.kind == kind).count() as u32
}

/// The hill after the last challenges, and those who have looked for their places on it since.
fn replay(played: &[PlayedStage]) -> (Vec<Player>, Vec<Newcomer>) {
    let Some(last) = played.last() else { return (Vec::new(), Vec::new()) };
    let mut hill = last.stage.order.clone();
    if last.stage.kind == StageKind::Challenges {
        for (meeting, scores) in last.stage.meetings.iter().zip(&last.scores) {
            let place = hill.iter().position(|player| *player == meeting[0]);
            if let Some(place) = place.filter(|_| scores[1] > scores[0]) {
                hill.swap(place, place + 1);
            }
        }
        return (hill, Vec::new());
    }
    let since = played.iter().rposition(|played| played.stage.kind != StageKind::Placement).map_or(0, |at| at + 1);
    let mut newcomers: Vec<Newcomer> = Vec::new();
    for PlayedStage { stage, scores } in &played[since..] {
        for (meeting, scores) in stage.meetings.iter().zip(scores) {
            let player = meeting[0];
            let at = newcomers.iter().position(|newcomer| newcomer.player == player).unwrap_or_else(|| {
                newcomers.push(Newcomer { player, from: 0, to: hill.len() });
                newcomers.len() - 1
            });
            let middle = newcomers[at].middle();
            if scores[0] > scores[1] { newcomers[at].to = middle } else { newcomers[at].from = middle + 1 }
        }
    }
    (hill, newcomers)
}

impl Newcomer {
    fn middle(&self) -> usize {
        (self.from + self.to) / 2
    }
}

/// Newcomers go to their places; those of one place in the order in which they came.
fn insert(hill: Vec<Player>, newcomers: Vec<Newcomer>) -> Vec<Player> {
    let at = |place: usize| newcomers.iter().filter(move |newcomer| newcomer.from == place);
    let places = (0..=hill.len()).flat_map(|place| {
        at(place).map(|newcomer| newcomer.player).chain(hill.get(place).copied()).collect::<Vec<_>>()
    });
    places.collect()
}

/// Each of every second pair of neighbours against the other, the upper one first.
fn challenges(hill: &[Player], before: u32) -> Vec<Vec<Player>> {
    let from = if hill.len() > 2 { before as usize % 2 } else { 0 };
    hill[from.min(hill.len())..].chunks_exact(2).map(<[Player]>::to_vec).collect()
}
