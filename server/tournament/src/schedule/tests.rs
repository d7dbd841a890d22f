//! Tests the promises of the schedule: everybody meets, sits everywhere, and moves after everybody else; ids never
//! change.

use super::*;
use agon_model::{client_seed, opening};
use std::collections::BTreeMap;

fn entrants(count: usize) -> Vec<Entrant> {
    let entrant = |index: usize| Entrant {
        label: format!("client {index}"),
        file: String::new(),
        hash: format!("{index:064}"),
        options: BTreeMap::new(),
        refused: None,
    };
    (0..count).map(entrant).collect()
}

fn schedule(entrants: &[Entrant], seats: usize) -> Schedule {
    let terms = vec![("game".to_owned(), "chess".to_owned())].into();
    let settings = [("board = a".to_owned(), seats), ("board = b".to_owned(), seats)];
    Schedule::new(
        &Common { game: "chess 1", terms: &terms, seed: 1 },
        (entrants, &[]),
        &settings,
        Lineups::Sets { of: (0..entrants.len()).collect(), seats },
        3,
    )
}

#[test]
fn every_set_meets_on_every_setting_and_opening() {
    for seats in 1..=4 {
        let entrants = entrants(6);
        let schedule = schedule(&entrants, seats);
        let blocks: Vec<_> = schedule.blocks().collect();
        let ids: BTreeSet<_> = blocks.iter().map(|block| block.id.as_str()).collect();
        assert_eq!(blocks.len() as u64, schedule.block_count());
        assert_eq!(ids.len(), blocks.len(), "ids are all different");
        assert!(blocks.iter().enumerate().all(|(number, block)| block.number == number as u64));
    }
}

#[test]
fn enough_matches_are_the_first_of_the_schedule() {
    let entrants = entrants(4);
    let terms = vec![("game".to_owned(), "chess".to_owned())].into();
    let common = Common { game: "chess 1", terms: &terms, seed: 1 };
    let settings = [("a".to_owned(), 2), ("b".to_owned(), 3)];
    let lineups = Lineups::Sets { of: (0..4).collect(), seats: 2 };
    let schedule = Schedule::new(&common, (&entrants, &[]), &settings, lineups, 3);
    let all: Vec<_> = schedule.blocks().collect();
    assert_eq!(schedule.scheduled_match_count(), 90);
    for enough in 1..100 {
        let cut = schedule.clone().until(Some(enough));
        let blocks: Vec<_> = cut.blocks().collect();
        let matches: u64 = blocks.iter().map(|block| block.rotations as u64).sum();
        assert_eq!((blocks.len() as u64, matches), (cut.block_count(), cut.match_count()), "{enough}");
        assert_eq!(blocks, all[..blocks.len()]);
        let last = blocks.last().map_or(0, |block| block.rotations as u64);
        assert!(enough >= 90 || (matches >= enough && matches - last < enough), "{enough}: {matches}");
    }
}

#[test]
fn everyone_sits_on_every_seat_of_a_block() {
    let entrants = entrants(5);
    for block in schedule(&entrants, 3).blocks() {
        for seat in 0..3 {
            let sitters: BTreeSet<_> = block.pairings().map(|pairing| pairing.seats[seat]).collect();
            assert_eq!(sitters.len(), 3);
        }
    }
}

#[test]
fn ids_do_not_depend_on_the_order_of_clients() {
    let forward = entrants(4);
    let backward: Vec<_> = forward.iter().rev().cloned().collect();
    let ids = |entrants: &[Entrant]| schedule(entrants, 2).blocks().map(|block| block.id).collect::<BTreeSet<_>>();
    assert_eq!(ids(&forward), ids(&backward));
}

#[test]
fn two_copies_of_a_file_play_blocks_of_their_own() {
    let mut entrants = entrants(4);
    entrants[2].hash = entrants[0].hash.clone();
    let schedule = schedule(&entrants, 2);
    let ids: BTreeSet<_> = schedule.blocks().map(|block| block.id).collect();
    assert_eq!(ids.len() as u64, schedule.block_count());
}

#[test]
fn seeds_are_of_different_streams() {
    assert_ne!(opening(1, 0), opening(1, 1));
    let entrants = entrants(2);
    let block = schedule(&entrants, 2).blocks().next().unwrap();
    let seeds: BTreeSet<_> =
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(turn, seat)| client_seed(&block, turn, seat)).into();
    assert_eq!(seeds.len(), 4);
}

/// For each seat and two entrants: how often, over some blocks, the first sat there and the second moved after it.
fn followers<'a>(blocks: impl Iterator<Item = &'a Block>) -> BTreeMap<(usize, usize, usize), usize> {
    let mut found = BTreeMap::new();
    for seats in blocks.flat_map(Block::pairings).map(|pairing| pairing.seats) {
        for seat in 0..seats.len() {
            *found.entry((seat, seats[seat], seats[(seat + 1) % seats.len()])).or_default() += 1;
        }
    }
    found
}

#[test]
fn a_set_of_openings_balances_who_moves_after_whom_from_where() {
    for (seats, set) in [(3, 1), (4, 3), (5, 2), (6, 5), (7, 3), (8, 7), (9, 4), (10, 9)] {
        let entrants = entrants(seats + 1);
        let openings = 2 * set;
        let schedule = Schedule { openings, ..schedule(&entrants, seats) }.in_turns(seats);
        assert_eq!(schedule.cyclic_orders().unwrap().openings(), set);
        let blocks: Vec<Block> = schedule.blocks().collect();
        assert_eq!(blocks.iter().map(|block| block.id.as_str()).collect::<BTreeSet<_>>().len(), blocks.len());
        let matches: usize = blocks.iter().map(|block| block.rotations).sum();
        assert_eq!(matches as u64, schedule.match_count());
        let ids: BTreeSet<String> = blocks.iter().flat_map(Block::pairings).map(|pairing| pairing.id).collect();
        assert_eq!(ids.len(), matches, "each match has a letter of its own");
        let mut orders = BTreeSet::new();
        for (setting, missing) in (0..2).flat_map(|setting| (0..=seats).map(move |missing| (setting, missing))) {
            let own = |block: &&Block| block.setting == setting && !block.lineup.contains(&missing);
            for first in [0, set] {
                let within = |block: &&Block| own(block) && (first..first + set).contains(&block.opening);
                let found = followers(blocks.iter().filter(within));
                let times: BTreeSet<usize> = found.values().copied().collect();
                assert_eq!((found.len(), times.len()), (seats * seats * (seats - 1), 1), "{seats} seats: {times:?}");
                orders.insert(blocks.iter().filter(within).map(|block| block.lineup.clone()).collect::<Vec<_>>());
            }
        }
        assert!(orders.len() > 2, "each set is drawn anew");
    }
}

#[test]
fn two_seats_and_seats_that_are_not_exchanged_keep_their_order() {
    let entrants = entrants(4);
    for (seats, rotations) in [(2, 2), (3, 1), (4, 2)] {
        let terms = vec![("game".to_owned(), "chess".to_owned())].into();
        let common = Common { game: "chess 1", terms: &terms, seed: 1 };
        let lineups = Lineups::Sets { of: (0..4).collect(), seats };
        let plain = Schedule::new(&common, (&entrants, &[]), &[("a".to_owned(), rotations)], lineups, 3);
        let turned = if seats > 2 { plain.clone().in_turns(seats) } else { plain.clone() };
        assert_eq!(turned.blocks().collect::<Vec<_>>(), plain.blocks().collect::<Vec<_>>());
        assert!(turned.cyclic_orders().is_none());
    }
}

#[test]
fn a_ladder_that_ends_early_says_how_many_openings_are_whole() {
    let schedule = schedule(&entrants(4), 4).in_turns(4);
    assert_eq!((schedule.matches_an_opening(), schedule.whole_openings()), (16, 3));
    for (enough, whole) in [(15, 0), (16, 1), (47, 2), (48, 3), (1_000, 3)] {
        assert_eq!(schedule.clone().until(Some(enough)).whole_openings(), whole);
    }
}

/// A ladder goes on under the next agon: its blocks keep their ids, their seats and their clients' seeds.
#[test]
fn blocks_keep_their_ids_seats_and_seeds() {
    let found = [2, 3, 4].map(|seats| {
        let block = schedule(&entrants(5), seats).blocks().nth(7).unwrap();
        let seats: Vec<_> = block.pairings().map(|pairing| (pairing.id, pairing.seats)).collect();
        format!("{seats:?} {}", client_seed(&block, 1, 0))
    });
    assert_eq!(
        found,
        [
            r#"[("69e8fe0a62e5b497-a", [3, 4]), ("69e8fe0a62e5b497-b", [4, 3])] 14070600742517322616"#,
            "[(\"f5d3e03a26fc25a3-a\", [3, 2, 4]), (\"f5d3e03a26fc25a3-b\", [2, 4, 3]), (\"f5d3e03a26fc25a3-c\", [4, 3, 2])] \
             13808188967046749995",
            "[(\"ae384b15307b808d-a\", [2, 0, 4, 1]), (\"ae384b15307b808d-b\", [0, 4, 1, 2]), \
             (\"ae384b15307b808d-c\", [4, 1, 2, 0]), (\"ae384b15307b808d-d\", [1, 2, 0, 4])] 8690838818243266846",
        ]
    );
}

/// A record keeps its turn orders: the clients in their seats, for a set of openings and the first of the next set.
#[test]
fn turn_orders_stay() {
    let digits = |seats: &[usize]| seats.iter().map(ToString::to_string).collect::<String>();
    let fixed = [
        "120 102",
        "3120 2310 1230 0231",
        "01432 13042 13042",
        "143520 312450 235140 524310 451230 405132",
        "6302415 0643125 3261045 5263104",
        "05413627 23641057 34206517 62135407 16520347 40352167 51064237 71402653",
        "467281053 085714263 870456123 748602513 601854372",
        "4513729860 1475936280 6987213450 8629375140 9761842530 \
         3258461970 5342187690 2836594710 7194658320 8701293564",
    ];
    let found: Vec<String> = (3..=10)
        .map(|seats| {
            let set = CyclicOrders::new(seats).openings();
            let schedule = Schedule { openings: set + 1, ..schedule(&entrants(seats), seats) }.in_turns(seats);
            let blocks = schedule.blocks().filter(|block| block.setting == 0);
            blocks.map(|block| digits(&block.lineup)).collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(found, fixed);
    let block = schedule(&entrants(4), 4).in_turns(4).blocks().next().unwrap();
    let matches = block.pairings().map(|pairing| format!("{}{}", &pairing.id[17..], digits(&pairing.seats)));
    assert_eq!(matches.collect::<Vec<_>>().join(" "), "a3120 b1203 c2031 d0312 e0213 f2130 g1302 h3021");
}
