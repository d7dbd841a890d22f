//! The Swiss system: each round pairs players with equal points that have not met. Everybody plays every round; nobody
//! is out.

use super::matching::pair_off;
use super::{PairingRules, results};
use crate::{EntrantId, PlayedStage, Stage, StageKind};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The standing of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub player: EntrantId,
    /// Its points in thousandths, byes included.
    pub points: i64,
    /// The points of all its opponents, each as often as they met; a bye counts as an opponent with as many points as
    /// itself.
    pub opponents: i64,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Meetings with each opponent.
    pub met: BTreeMap<EntrantId, u32>,
}

/// The standings of these players, best first: by points, then by their opponents' points, then in the order given.
pub fn standings(players: &[EntrantId], played: &[PlayedStage]) -> Vec<Standing> {
    let mut points: BTreeMap<EntrantId, i64> = BTreeMap::new();
    for (meeting, scores) in results(played) {
        meeting.iter().zip(scores).for_each(|(player, score)| *points.entry(*player).or_default() += score);
    }
    let of = |player: EntrantId| points.get(&player).copied().unwrap_or(0);
    let stand = |&player: &EntrantId| {
        let mut standing = Standing { player, points: of(player), opponents: 0, byes: 0, met: BTreeMap::new() };
        for (meeting, _) in results(played).filter(|(meeting, _)| meeting.contains(&player)) {
            match meeting.iter().find(|other| **other != player) {
                Some(other) => *standing.met.entry(*other).or_default() += 1,
                None => standing.byes += 1,
            }
        }
        let met: i64 = standing.met.iter().map(|(other, times)| of(*other) * i64::from(*times)).sum();
        standing.opponents = met + standing.points * i64::from(standing.byes);
        standing
    };
    let mut standings: Vec<Standing> = players.iter().map(stand).collect();
    standings.sort_by_key(|standing| Reverse((standing.points, standing.opponents)));
    standings
}

/// The meetings of a stage between players who met before.
pub fn rematches<'a>(stage: &'a Stage, played: &'a [PlayedStage]) -> impl Iterator<Item = &'a [EntrantId]> {
    let pairs = stage.meetings.iter().map(Vec::as_slice).filter(|meeting| meeting.len() > 1);
    pairs.filter(move |pair| results(played).any(|(met, _)| pair.iter().all(|player| met.contains(player))))
}

/// The number of rounds that separate all: a player that wins every meeting is then alone.
pub(super) fn rounds_to_part(players: usize) -> u32 {
    players.max(1).next_power_of_two().trailing_zeros()
}

pub(super) fn next(
    rules: &PairingRules,
    rounds: Option<u32>,
    field: &[EntrantId],
    played: &[PlayedStage],
) -> Option<Stage> {
    let first = played.first().map_or(field.len(), |first| first.stage.order.len());
    let round = played.len() as u32 + 1;
    if round > rounds.unwrap_or_else(|| rounds_to_part(first)) || field.len() < 2 {
        return None;
    }
    let standings = standings(field, played);
    let order = standings.iter().map(|standing| standing.player).collect();
    let meetings = pair(&standings);
    Some(Stage { meetings, ..rules.stage(StageKind::Round, round, order, played) })
}

/// Pairs players in this order of standings, the best pair first, the bye last.
///
/// These rules apply, each before all that follow. Nobody has a bye twice before all had one. Rematches are as few as
/// possible. The bye goes as far down as it can. Groups of equal points stay together. Within a group the upper half
/// meets the lower half, in order.
fn pair(standings: &[Standing]) -> Vec<Vec<EntrantId>> {
    let count = standings.len();
    let groups = groups(standings);
    let mate = pair_off(count + count % 2, &|a, b| cost(standings, &groups, a.min(b), a.max(b)));
    let upper = (0..count).filter(|&place| place < mate[place]);
    let players = |place: usize| [place, mate[place]].into_iter().filter_map(|place| standings.get(place));
    let (mut meetings, mut byes) = (Vec::new(), Vec::new());
    for place in upper {
        let meeting: Vec<EntrantId> = players(place).map(|standing| standing.player).collect();
        if meeting.len() > 1 { meetings.push(meeting) } else { byes.push(meeting) }
    }
    meetings.extend(byes);
    meetings
}

/// A group of equal points: its number from above, and its size.
#[derive(Clone, Copy)]
struct Group {
    number: usize,
    size: usize,
}

/// The group of each place.
fn groups(standings: &[Standing]) -> Vec<Group> {
    let groups = standings.chunk_by(|a, b| a.points == b.points).enumerate();
    groups.flat_map(|(number, group)| vec![Group { number, size: group.len() }; group.len()]).collect()
}

/// The cost of a meeting of two places, `a` above `b`; the place after the last is the bye. Each kind of cost outweighs
/// all following kinds of a whole round.
fn cost(standings: &[Standing], groups: &[Group], a: usize, b: usize) -> i128 {
    let count = standings.len() as i128;
    let square = |number: usize| (number * number) as i128;
    // At most n / 2 meetings each have a square of places and a square of groups; and the bye has one place.
    let most = count * count * count + 1;
    let (group, bye) = (most, most * most);
    let rematch = bye * (count + 1);
    let repeat = rematch * most;
    let Some(below) = standings.get(b) else {
        return i128::from(standings[a].byes) * repeat + (count - 1 - a as i128) * bye;
    };
    let met = standings[a].met.get(&below.player).copied().unwrap_or(0);
    let (upper, lower) = (groups[a], groups[b]);
    let apart = lower.number - upper.number;
    let misplaced = if apart == 0 { (b - a).abs_diff(upper.size / 2) } else { b - a };
    // However often two have met, one meeting must not outweigh a repeated bye.
    let met = i128::from(met).min(count * count);
    met * rematch + square(apart) * group + square(misplaced)
}
