//! Statements about sources if all are alike, and if one is not: simulated.

use crate::simulator::Chance;
use agon_stats::sources::{Played, beyond_chance, residuals};

/// Blocks of two matches between 4 players on 10 sources; at source 0 player 3 wins so much more often.
fn simulated(seed: u64, blocks: usize, more: f64) -> Vec<Played> {
    let mut chance = Chance::new(seed);
    let mut played = Vec::new();
    for block in 0..blocks {
        let (one, other) = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][block % 6];
        let source = (10.0 * chance.unit()) as usize;
        let bias = if source == 0 && other == 3 { more } else { 0.0 };
        let expected = 0.5 + 0.1 * (other as f64 - one as f64) + bias;
        let points = (0..2).filter(|_| chance.unit() < expected).count() as f64 / 2.0;
        played.push(Played { meeting: block % 6, source, player: other, points });
        played.push(Played { meeting: block % 6, source, player: one, points: 1.0 - points });
    }
    played
}

#[test]
fn where_all_are_alike_hardly_anything_is_said() {
    let said = (0..200).filter(|&seed| !beyond_chance(&residuals(&simulated(seed, 3000, 0.0))).is_empty()).count();
    assert!(said <= 2, "{said} of 200");
    let z: Vec<f64> = (0..50).flat_map(|seed| residuals(&simulated(seed, 3000, 0.0))).map(|one| one.z).collect();
    let spread = (z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64).sqrt();
    assert!((0.95..1.05).contains(&spread), "a standard error is one: {spread}");
}

#[test]
fn who_wins_more_at_one_source_is_seen_there_with_how_much() {
    for seed in 0..20 {
        let found = beyond_chance(&residuals(&simulated(seed, 6000, 0.2)));
        let worst = found.iter().max_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
        assert_eq!((worst.source, worst.player), (0, 3));
        assert!((0.1..0.3).contains(&worst.more) && worst.blocks > 200, "{worst:?}");
        assert!(found.iter().all(|one| one.source == 0), "{found:?}");
    }
}

#[test]
fn what_nobody_else_played_or_what_always_ends_alike_says_nothing() {
    let one = |source, points| Played { meeting: 0, source, player: 0, points };
    assert_eq!(residuals(&[one(0, 1.0), one(0, 0.0)]), []);
    assert_eq!(residuals(&[one(0, 1.0), one(1, 1.0)]), []);
    assert_eq!(residuals(&[]), []);
}
