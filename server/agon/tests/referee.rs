//! The rules of the competition with players that do as they are told: who is charged, who ranks where, what nobody may
//! see.

mod fake;
use crate::nim;

use agon_games::Game;
use agon_games::six_qui_prend::SixQuiPrend;
use agon_model::*;
use fake::{Deed, Heard, Variant, play, play_under, time};

/// All seats move in each of ten turns.
const SIX: Variant = (&Game::<SixQuiPrend>::ENTRY, &[("rules", "course")]);
/// Two seats move in turns.
const NIM: Variant = (&Game::<nim::Nim>::ENTRY, &[]);

fn ranks(played: &Match) -> Vec<u32> {
    played.seats.iter().map(|seat| seat.rank).collect()
}

fn scores(played: &Match) -> Vec<i64> {
    played.seats.iter().map(|seat| seat.score).collect()
}

fn faults(played: &Match) -> Vec<Option<(FaultKind, u32)>> {
    played.seats.iter().map(|seat| seat.fault.as_ref().map(|fault| (fault.kind, fault.ply))).collect()
}

#[test]
fn all_who_are_at_fault_in_one_turn_are_charged() {
    let deeds = [Deed::Well, Deed::IllegalAt(2), Deed::Well, Deed::CrashAt(2), Deed::GoneBefore(2)];
    let (played, _) = play(SIX, &deeds);
    let crash = Some((FaultKind::Crash, 2));
    assert_eq!(faults(&played), [None, Some((FaultKind::IllegalMove, 2)), None, crash, crash]);
    assert_eq!(played.ending, Ending::Over);
    assert_eq!(ranks(&played)[1..], [3, ranks(&played)[2], 3, 3], "the same turn, the same rank");
    assert!(ranks(&played)[0] <= 2 && ranks(&played)[2] <= 2);
}

#[test]
fn the_earlier_fault_ranks_lower_and_the_others_rank_among_themselves() {
    let deeds = [Deed::CrashAt(1), Deed::CrashAt(4), Deed::IllegalAt(4), Deed::CrashAtStart, Deed::Well, Deed::Well];
    let (played, _) = play(SIX, &deeds);
    assert_eq!(ranks(&played)[..4], [5, 3, 3, 6]);
    let scores = scores(&played);
    let (a, b) = (ranks(&played)[4], ranks(&played)[5]);
    assert_eq!(a.cmp(&b), scores[4].cmp(&scores[5]), "fewest heads win: {scores:?}");
    assert_eq!(a.min(b), 1);
}

#[test]
fn where_all_move_at_once_the_rules_move_for_the_absent() {
    let (played, heard) = play(SIX, &[Deed::Well, Deed::CrashAt(3), Deed::Well]);
    for step in &played.steps {
        assert_eq!(step.by_client, step.seat != 1 || step.ply < 3, "{step:?}");
    }
    assert!(!heard.iter().any(|(seat, what)| *seat == 1 && matches!(what, Heard::Turn(ply, _) if *ply > 3)));
    assert_eq!(played.ending, Ending::Over);
}

#[test]
fn a_match_ends_even_when_everybody_is_out() {
    let (played, _) = play(SIX, &[Deed::CrashAtStart, Deed::CrashAt(0)]);
    assert_eq!((ranks(&played), &played.ending), (vec![2, 1], &Ending::Over));
    assert!(!played.steps.is_empty() && played.steps.iter().all(|step| !step.by_client));
}

#[test]
fn in_a_game_of_turns_a_fault_ends_the_match() {
    let (played, heard) = play(NIM, &[Deed::Well, Deed::IllegalAt(3)]);
    assert_eq!((ranks(&played), &played.ending), (vec![1, 2], &Ending::Fault));
    assert_eq!(scores(&played), [1, 0], "the winner scores what the rules page says");
    assert_eq!(played.steps.len(), 3);
    let fault = played.seats[1].fault.as_ref().unwrap();
    assert_eq!((fault.phase, fault.raw.as_str()), (Phase::Play, "ffffffff"));
    let dismissed: Vec<_> = heard.iter().filter(|(_, what)| matches!(what, Heard::Dismissed(_))).collect();
    assert_eq!(dismissed, [&(0, Heard::Dismissed(true)), &(1, Heard::Dismissed(false))], "no finalize for who is out");
}

#[test]
fn whoever_fails_to_start_loses_before_the_first_turn() {
    for (deeds, expected) in [([Deed::Well, Deed::CrashAtStart], [1, 2]), ([Deed::CrashAtStart, Deed::Well], [2, 1])] {
        let (played, heard) = play(NIM, &deeds);
        assert_eq!((ranks(&played), played.steps.len()), (expected.to_vec(), 0));
        assert_eq!(scores(&played), expected.map(|rank| 2 - i64::from(rank)));
        assert!(!heard.iter().any(|(_, what)| matches!(what, Heard::Turn(..))));
    }
    let (played, _) = play(NIM, &[Deed::CrashAtStart, Deed::CrashAtStart]);
    assert_eq!((ranks(&played), scores(&played)), (vec![1, 1], vec![0, 0]), "at the same time: a rank, and no point");
}

#[test]
fn our_own_trouble_is_nobodys_fault() {
    for deed in [Deed::VoidAtStart, Deed::VoidAt(2)] {
        let (played, heard) = play(SIX, &[Deed::Well, deed, Deed::Well]);
        assert_eq!(played.ending, Ending::Void("seat 2 (player 2): the host fell ill".to_owned()));
        assert_eq!(faults(&played), [None, None, None]);
        assert_eq!(heard.iter().filter(|(_, what)| *what == Heard::Dismissed(false)).count(), 3, "all are dismissed");
    }
}

#[test]
fn a_late_answer_is_no_answer() {
    let slow = Deed::Spends { cpu_us: 700, wall_us: 20 };
    let (played, _) = play_under(NIM, &[Deed::Well, slow], &time(ClockKind::Cpu, Some(500), None));
    assert_eq!((faults(&played), played.steps.len()), (vec![None, Some((FaultKind::CpuTime, 1))], 1));
    let message = &played.seats[1].fault.as_ref().unwrap().message;
    assert!(message.contains("700 us") && message.contains("500 us allowed"), "{message}");

    let (played, _) = play_under(NIM, &[Deed::Well, slow], &time(ClockKind::Wall, Some(500), None));
    assert_eq!((faults(&played), &played.ending), (vec![None, None], &Ending::Over), "20 us on the wall are in time");
    let waits = Deed::Spends { cpu_us: 20, wall_us: 700 };
    let (played, _) = play_under(NIM, &[Deed::Well, waits], &time(ClockKind::Wall, Some(500), None));
    assert_eq!(faults(&played), [None, Some((FaultKind::WallTime, 1))]);
}

#[test]
fn a_budget_for_all_moves_runs_out() {
    let steady = Deed::Spends { cpu_us: 40, wall_us: 40 };
    let (played, _) = play_under(NIM, &[Deed::Well, steady], &time(ClockKind::Cpu, None, Some(100)));
    assert_eq!(faults(&played), [None, Some((FaultKind::CpuTime, 5))], "40 and 40 leave 20 for the third move");
}

#[test]
fn nobody_sees_what_another_has_chosen_before_all_have() {
    let (_, first) = play(SIX, &[Deed::Well; 3]);
    let (_, second) = play(SIX, &[Deed::Well, Deed::HighestAt(2), Deed::Well]);
    let turns = |heard: &[(usize, Heard)], seat: usize| -> Vec<Vec<u8>> {
        let turn = |(of, what): &(usize, Heard)| match what {
            Heard::Turn(_, bytes) if *of == seat => Some(bytes.clone()),
            _ => None,
        };
        heard.iter().filter_map(turn).collect()
    };
    for seat in [0, 2] {
        assert_eq!(
            turns(&first, seat)[..3],
            turns(&second, seat)[..3],
            "turn 2 is the same whatever seat 1 plays in it"
        );
        assert_ne!(turns(&first, seat)[3], turns(&second, seat)[3], "turn 3 tells it");
    }
    let order: Vec<&Heard> =
        first.iter().map(|(_, what)| what).filter(|what| !matches!(what, Heard::Started)).collect();
    let (asked, answered) = order.split_at(3);
    assert!(asked.iter().all(|what| matches!(what, Heard::Turn(0, _))), "all are asked before anybody answers");
    assert!(answered[..3].iter().all(|what| matches!(what, Heard::Answered)));
}
