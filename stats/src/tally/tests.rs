//! Sums of tables, compared with sums by hand.

use super::*;

const POINTS: Points = Points { win: 1_000, draw: 500, loss: 0, crash: Some(-10_000) };

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    Crash,
    Late,
}

impl SeatFault for Wrong {
    fn is_crash(self) -> bool {
        self == Wrong::Crash
    }
}

type Row = SeatOutcome<Wrong>;

fn row(entrant: usize, rank: u32, score: i64) -> Row {
    Row { entrant, rank, score, fault: None, notices: 0 }
}

fn start(state: u64) -> Start {
    Start { setting: 0, state }
}

fn faulted(entrant: usize, rank: u32, fault: Wrong) -> Row {
    Row { fault: Some(fault), notices: 2, ..row(entrant, rank, 0) }
}

#[test]
fn a_mean_of_scores_is_below_zero_only_where_a_score_is() {
    for (least, is_above) in [(0, true), (-1, false)] {
        let mut tally = Tally::new(2, 2, POINTS);
        for (block, score) in [least, 100].into_iter().enumerate() {
            tally.add_block(start(block as u64), &[[row(0, 1, score), row(1, 2, score)]]);
        }
        let (low, high) = tally.lines()[0].score.interval().unwrap();
        assert!((low >= 0.0) == is_above && high > 100.0, "{low} {high}");
    }
}

#[test]
fn two_seats_count_as_matches() {
    let mut tally = Tally::new(3, 2, POINTS);
    tally.add_block(start(0), &[vec![row(0, 1, 1), row(1, 2, 0)], vec![row(1, 2, 0), row(0, 1, 1)]]);
    tally.add_block(start(1), &[vec![row(0, 1, 1), row(1, 2, 0)], vec![row(1, 1, 1), row(0, 2, 0)]]);
    let lines = tally.lines();
    let first = &lines[0];
    assert_eq!((first.matches, first.blocks, first.wins, first.draws, first.losses), (4, 2, 3, 0, 1));
    // Block means 1 and 1/2: mean 3/4, error |1 - 1/2| / 2.
    assert_eq!((first.points.mean, first.points.error), (0.75, Some(0.25)));
    assert_eq!(lines[1].points.mean, 0.25);
    assert_eq!((lines[2].matches, lines[2].points.mean, lines[2].points.error), (0, 0.0, None));
    assert_eq!(tally.seats()[0], SeatLine { wins: 3, shared: 0, matches: 4 });
    assert_eq!(tally.seats()[1], SeatLine { wins: 1, shared: 0, matches: 4 });
    assert_eq!((tally.blocks(), tally.matches()), (2, 4));
}

#[test]
fn more_seats_count_as_pairs() {
    let mut tally = Tally::new(4, 4, POINTS);
    tally.add_block(start(0), &[vec![row(0, 1, 3), row(1, 2, 7), row(2, 2, 7), row(3, 4, 20)]]);
    let lines = tally.lines();
    assert_eq!((lines[1].wins, lines[1].draws, lines[1].losses), (1, 1, 1));
    assert_eq!(lines.iter().map(|line| line.points.mean).collect::<Vec<_>>(), [1.0, 0.5, 0.5, 0.0]);
    assert_eq!((lines[3].rank.mean, lines[3].score.mean), (4.0, 20.0));
    assert_eq!(tally.seats()[0].wins, 1);
}

#[test]
fn an_entrant_in_several_seats_has_them_all() {
    let mut tally = Tally::new(2, 3, POINTS);
    tally.add_block(start(0), &[vec![row(0, 1, 4), row(0, 3, 6), row(1, 2, 5)]]);
    let lines = tally.lines();
    assert_eq!((lines[0].matches, lines[0].wins, lines[0].losses), (2, 2, 2));
    assert_eq!((lines[0].points.mean, lines[0].rank.mean, lines[0].score.mean), (0.5, 2.0, 5.0));
}

#[test]
fn a_crash_costs_what_the_ladder_says() {
    let mut tally = Tally::new(2, 2, POINTS);
    tally.add_block(
        start(0),
        &[[row(0, 1, 1), faulted(1, 2, Wrong::Crash)], [faulted(1, 2, Wrong::Late), row(0, 1, 1)]],
    );
    let line = &tally.lines()[1];
    assert_eq!(line.points.mean, -5.0);
    assert_eq!(line.faults, BTreeMap::from([(Wrong::Crash, 1), (Wrong::Late, 1)]));
    assert_eq!(line.notices, 4);
    let mut tally = Tally::new(2, 2, Points { crash: None, ..POINTS });
    tally.add_block(start(0), &[[row(0, 1, 1), faulted(1, 2, Wrong::Crash)]]);
    assert_eq!(tally.lines()[1].points.mean, 0.0);
}

#[test]
fn a_shared_first_place_is_nobodys_win() {
    let mut tally = Tally::new(2, 2, POINTS);
    tally.add_block(start(0), &[[row(0, 1, 0), row(1, 1, 0)]]);
    assert_eq!(tally.lines()[0].draws, 1);
    assert_eq!(tally.seats()[0], SeatLine { wins: 0, shared: 1, matches: 1 });
}

#[test]
fn any_order_gives_the_same_bytes() {
    // A fixed sequence of results (a linear congruential generator), in order and in two others.
    let mut state = 1u64;
    let mut draw = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % bound
    };
    let mut rows = || {
        let mut rows = Vec::new();
        for entrant in 0..4 {
            rows.push(row(entrant, 1 + draw(4) as u32, draw(90) as i64 - 7));
        }
        rows
    };
    let blocks: Vec<Vec<Vec<Row>>> = (0..50).map(|size| (0..1 + size % 4).map(|_| rows()).collect()).collect();
    let table = |blocks: &[Vec<Vec<Row>>]| {
        let mut tally = Tally::new(4, 4, POINTS);
        blocks.iter().for_each(|block| tally.add_block(start(block.len() as u64), block));
        format!("{:?}", tally.lines())
    };
    let mut shuffled = blocks.clone();
    shuffled.reverse();
    shuffled.iter_mut().for_each(|block| block.reverse());
    assert_eq!(table(&blocks), table(&shuffled));
    shuffled.sort_by_key(|block| (block.len(), block[0][0].score));
    assert_eq!(table(&blocks), table(&shuffled));
}
