//! Tests the promises of pairings in whole tournaments between players of random strength, some of whom leave and come.

use super::*;
use crate::{EntrantId, PlayedStage};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const WIN: i64 = 1000;

fn rules(system: System) -> PairingRules {
    PairingRules { system, openings: 1, settings: 1 }
}

fn players(numbers: &[i64]) -> Vec<EntrantId> {
    numbers.iter().copied().map(EntrantId).collect()
}

/// Plays a stage in which `draw` decides each meeting: 0 = the first wins, 1 = the second, else a draw.
fn play(stage: Stage, draw: &mut dyn FnMut(&[EntrantId]) -> u32) -> PlayedStage {
    let score = |meeting: &Vec<EntrantId>| match (meeting.len(), draw(meeting)) {
        (1, _) => vec![WIN],
        (_, 0) => vec![WIN, 0],
        (_, 1) => vec![0, WIN],
        _ => vec![WIN / 2, WIN / 2],
    };
    PlayedStage { scores: stage.meetings.iter().map(score).collect(), stage }
}

/// All ways to pair these players; one that is left over has a bye.
fn pairings(left: &[EntrantId]) -> Vec<Vec<Vec<EntrantId>>> {
    let Some((&first, others)) = left.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for at in 0..others.len() {
        let mut rest = others.to_vec();
        let second = rest.remove(at);
        all.extend(pairings(&rest).into_iter().map(|tail| [vec![vec![first, second]], tail].concat()));
    }
    if left.len() % 2 == 1 {
        all.extend(pairings(others).into_iter().map(|tail| [vec![vec![first]], tail].concat()));
    }
    all
}

/// The faults of a round: repeated byes, rematches, place of the bye from below, squares of the distance of groups.
fn badness(meetings: &[Vec<EntrantId>], standings: &[Standing]) -> [u32; 4] {
    let place = |player| standings.iter().position(|standing| standing.player == player).unwrap();
    let mut points: Vec<i64> = standings.iter().map(|standing| standing.points).collect();
    points.dedup();
    let mut bad = [0; 4];
    for meeting in meetings {
        let first = &standings[place(meeting[0])];
        let group = |standing: &Standing| points.iter().position(|&points| points == standing.points).unwrap() as u32;
        match meeting.get(1) {
            None => {
                bad[0] += first.byes;
                bad[2] += (standings.len() - 1 - place(meeting[0])) as u32;
            }
            Some(&second) => {
                bad[1] += first.met.get(&second).copied().unwrap_or(0);
                bad[3] += group(first).abs_diff(group(&standings[place(second)])).pow(2);
            }
        }
    }
    bad
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_swiss_round_is_the_best_there_is(
        players in 2i64..9, rounds in 1u32..10, draws in proptest::collection::vec(0u32..3, 64), leaves in 0u32..12,
    ) {
        let rules = rules(System::Swiss { rounds: Some(rounds) });
        let (mut played, mut at) = (Vec::new(), 0);
        let mut field: Vec<EntrantId> = (0..players).map(EntrantId).collect();
        while let Some(stage) = rules.next(&field, &played) {
            let standings = standings(&field, &played);
            let chosen = badness(&stage.meetings, &standings);
            let best = pairings(&field).iter().map(|meetings| badness(meetings, &standings)).min().unwrap();
            prop_assert_eq!(chosen, best, "round {}: {:?}", stage.round, stage.meetings);
            prop_assert_eq!(rematches(&stage, &played).count() > 0, best[1] > 0);
            let everybody: BTreeSet<EntrantId> = stage.meetings.concat().into_iter().collect();
            prop_assert_eq!(everybody, field.iter().copied().collect::<BTreeSet<_>>());
            prop_assert_eq!(stage.opening, played.len() as u64);
            // A player that leaves and one that comes late change the order of byes; until then nobody has two before
            // all had one.
            if played.len() < leaves as usize {
                let byes: Vec<u32> = standings.iter().map(|standing| standing.byes).collect();
                prop_assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1);
            }
            played.push(play(stage, &mut |_| { at += 1; draws[at % 64] }));
            if played.len() == leaves as usize {
                field.remove(0);
                field.push(EntrantId(99));
            }
        }
        prop_assert_eq!(played.len() as u32, if field.len() < 2 { 0 } else { rounds });
    }

    #[test]
    fn a_knockout_has_one_winner_and_as_many_meetings_as_losers(
        players in 2usize..40, playoffs in 0u32..3, draws in proptest::collection::vec(0u32..3, 64),
    ) {
        let rules = rules(System::Knockout { playoffs });
        let field: Vec<EntrantId> = (0..players as i64).map(EntrantId).collect();
        let (mut played, mut at) = (Vec::<PlayedStage>::new(), 0);
        let mut alive: BTreeSet<EntrantId> = field.iter().copied().collect();
        let mut meetings = 0;
        while let Some(stage) = rules.next(&field, &played) {
            if stage.kind == StageKind::Round {
                alive = stage.meetings.concat().into_iter().collect();
                prop_assert_eq!(stage.byes().count(), if stage.round == 1 { players.next_power_of_two() - players } else { 0 });
                prop_assert!(stage.byes().all(|player| player.0 < (players.next_power_of_two() - players) as i64));
                let before: Vec<&Stage> = played.iter().map(|played| &played.stage).collect();
                prop_assert_eq!(rules.meetings_to_come(players, &before), (players - 1) as u64 - meetings);
                meetings += stage.played_meetings();
            } else {
                prop_assert!(stage.meetings.iter().all(|meeting| meeting.iter().all(|player| alive.contains(player))));
                prop_assert_eq!(stage.openings, 1);
            }
            played.push(play(stage, &mut |_| { at += 1; draws[at % 64] }));
        }
        prop_assert_eq!(meetings, (players - 1) as u64);
        prop_assert_eq!(alive.len(), 2);
        let playing = played.iter().filter(|played| played.stage.kind == StageKind::Playoff).count();
        prop_assert!(playing as u32 <= playoffs * players.next_power_of_two().trailing_zeros());
    }

    #[test]
    fn the_strongest_become_the_kings_of_the_hill(players in 3usize..12, late in 0usize..6, strengths in any::<u64>()) {
        let rules = rules(System::Continuous { blocks: 2_000 });
        let all: Vec<EntrantId> = (0..(players + late) as i64).map(EntrantId).collect();
        let strength = |player: EntrantId| (strengths.rotate_left(7 * player.0 as u32) ^ player.0 as u64) % 1_000 * 100 + player.0 as u64;
        let mut played = Vec::new();
        let (mut meetings, mut challenged) = (0, BTreeMap::new());
        // A player leaves after a while, and returns later.
        let field = |stages: usize| match stages {
            ..10 => all[..players].to_vec(),
            10..30 => all[1..].to_vec(),
            _ => all.clone(),
        };
        while let Some(stage) = rules.next(&field(played.len()), &played) {
            meetings += stage.played_meetings();
            let seen: Vec<EntrantId> = if stage.kind == StageKind::Placement { Vec::new() } else { stage.meetings.concat() };
            prop_assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "nobody plays twice at once");
            seen.iter().for_each(|player| *challenged.entry(*player).or_insert(0) += 1);
            played.push(play(stage, &mut |meeting| u32::from(strength(meeting[0]) < strength(meeting[1]))));
        }
        prop_assert_eq!(meetings, 2_000);
        let mut sorted = field(played.len());
        sorted.sort_by_key(|player| std::cmp::Reverse(strength(*player)));
        prop_assert_eq!(ranking(&played), sorted);
    }
}

#[test]
fn the_first_round_of_a_swiss_pairs_the_upper_half_with_the_lower() {
    let rules = rules(System::Swiss { rounds: None });
    let stage = rules.next(&[1, 2, 3, 4, 5, 6, 7].map(EntrantId), &[]).unwrap();
    assert_eq!(stage.meetings, [players(&[1, 4]), players(&[2, 5]), players(&[3, 6]), players(&[7])]);
    assert_eq!((stage.opening, stage.openings, stage.round), (0, 1, 1));
    assert_eq!(rules.meetings_to_come(7, &[]), 9, "three rounds of three meetings");
}

#[test]
fn a_swiss_of_two_hundred_players_is_drawn_in_time() {
    let rules = rules(System::Swiss { rounds: Some(9) });
    let field: Vec<EntrantId> = (0..201).map(EntrantId).collect();
    let mut played = Vec::new();
    let began = std::time::Instant::now();
    while let Some(stage) = rules.next(&field, &played) {
        assert_eq!(rematches(&stage, &played).count(), 0);
        played.push(play(stage, &mut |meeting| (meeting.iter().map(|player| player.0).sum::<i64>() * 7 % 5) as u32));
    }
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn the_first_two_of_a_bracket_meet_last() {
    let rules = rules(System::Knockout { playoffs: 1 });
    let stage = rules.next(&[1, 2, 3, 4, 5, 6].map(EntrantId), &[]).unwrap();
    assert_eq!(stage.meetings, [players(&[1]), players(&[4, 5]), players(&[2]), players(&[3, 6])]);
    let first = play(stage, &mut |_| 2);
    let playoff = rules.next(&[], std::slice::from_ref(&first)).unwrap();
    assert_eq!(
        (playoff.kind, playoff.opening, &playoff.meetings[..]),
        (StageKind::Playoff, 1, &[players(&[4, 5]), players(&[3, 6])][..])
    );
    let second = play(playoff, &mut |meeting| if meeting[0] == EntrantId(4) { 1 } else { 2 });
    let next = rules.next(&[], &[first, second]).unwrap();
    assert_eq!(next.meetings, [players(&[1, 5]), players(&[2, 3])], "a tie goes to the one higher in the seeding");
    assert_eq!((next.round, next.opening), (2, 2));
}
