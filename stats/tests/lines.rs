//! Sequential tests over books of few and of many lines, between clients that play a line much alike each time.
//!
//! All of it: `cargo test --release -p agon-stats lines:: -- --include-ignored --nocapture` (some minutes)

use crate::simulator::{Chance, chances, draw};
use agon_stats::sprt::{Hypotheses, MatchPair, Scale, Sprt, Verdict, llr};

const BOOKS: [u64; 4] = [2, 10, 100, 1000];
/// Parts of a pair's variance that come back with its line.
const ALIKE: [f64; 5] = [0.0, 0.05, 0.2, 0.5, 0.9];
/// The most pairs that are played.
const MOST: u64 = 100_000;

fn hypotheses(elo1: f64) -> Hypotheses {
    Hypotheses { scale: Scale::Normalised, elo0: 0.0, elo1, alpha: 0.05, beta: 0.05 }
}

/// A book and two clients: each line has a result of its own, which a pair on it has again with the chance
/// sqrt(`alike`) and is drawn anew otherwise. So two pairs of one line have the correlation `alike`, and over all lines
/// there could be the difference is `elo`.
#[derive(Clone, Copy, Debug)]
struct World {
    book: u64,
    alike: f64,
    elo: f64,
    elo1: f64,
    /// Whether the test is told of the lines; otherwise it takes all pairs as independent.
    is_told: bool,
}

/// The outcomes of many tests, as parts of all.
#[derive(Debug, Default)]
struct Runs {
    passed: f64,
    failed: f64,
    too_few: f64,
    pairs: f64,
    needed: f64,
}

impl World {
    fn run(&self, runs: u64) -> Runs {
        let chances = chances(Scale::Normalised, self.elo);
        let (mut all, one) = (Runs::default(), 1.0 / runs as f64);
        for seed in 0..runs {
            let report = self.test(&mut Chance::new(seed), &chances).report();
            match report.verdict {
                Some(Verdict::H1) => all.passed += one,
                Some(Verdict::H0) => all.failed += one,
                Some(Verdict::TooFewLines) => all.too_few += one,
                None => {}
            }
            all.pairs += report.counts.iter().sum::<u64>() as f64 * one;
            all.needed += report.lines_needed as f64 * one;
        }
        all
    }

    fn test(&self, chance: &mut Chance, chances: &[f64; 5]) -> Sprt {
        let lines: Vec<MatchPair> = (0..self.book).map(|_| draw(chance, chances)).collect();
        let mut test = Sprt::new(hypotheses(self.elo1)).unwrap();
        for pair in 0..MOST {
            let line = pair % self.book;
            let result = if chance.unit() < self.alike.sqrt() { lines[line as usize] } else { draw(chance, chances) };
            if test.add(result, if self.is_told { line } else { pair }).is_some() {
                break;
            }
        }
        test
    }
}

/// Equal clients pass at most as often as asked, over each book and however much alike pairs of one line are.
fn assert_equal_clients_pass_rarely(runs: u64) {
    let error = (0.05 * 0.95 / runs as f64).sqrt();
    println!("book alike | passed failed too few pairs lines needed | passed when pairs are taken as independent");
    for book in BOOKS {
        for alike in ALIKE {
            let world = World { book, alike, elo: 0.0, elo1: 20.0, is_told: true };
            let found = world.run(runs);
            let Runs { passed, failed, too_few, pairs, needed } = found;
            let before = World { is_told: false, ..world }.run(runs).passed;
            println!("{book:4} {alike:.2} | {passed:.3} {failed:.3} {too_few:.3} {pairs:.0} {needed:.0} | {before:.3}");
            assert!(passed <= 0.05 + 3.0 * error, "{world:?}: {passed}");
            // Of so few lines nothing is said, ever.
            assert!(book >= 20 || too_few > 0.999, "{world:?}: {too_few}");
            // That is no matter of course: lines that were taken for independent pairs lead astray.
            assert!(book > 100 || alike < 0.5 || before > 0.15, "{world:?}: {before}");
        }
    }
}

#[test]
fn equal_clients_pass_rarely_over_any_book() {
    assert_equal_clients_pass_rarely(100);
}

#[test]
#[ignore = "some minutes"]
fn equal_clients_pass_rarely_over_any_book_in_a_thousand_tests() {
    assert_equal_clients_pass_rarely(1000);
}

/// The cost of caution: pairs at +10 normalised Elo over 1,000 lines, compared with a test that takes them as
/// independent.
#[test]
#[ignore = "some minutes"]
fn many_lines_cost_few_pairs() {
    for (elo1, alike) in [(5.0, 0.0), (10.0, 0.0), (20.0, 0.0), (20.0, 0.05), (10.0, 0.02), (10.0, 0.05), (10.0, 0.2)] {
        let world = World { book: 1000, alike, elo: 10.0, elo1, is_told: true };
        let (found, before) = (world.run(1000), World { is_told: false, ..world }.run(1000));
        let growth = found.pairs / before.pairs;
        println!("bounds 0 to {elo1}, alike {alike}: {growth:.3} times the pairs; {found:?}; before {before:?}");
        assert!(alike > 0.0 || growth < 1.1, "{growth}");
    }
}

#[test]
fn so_many_lines_as_are_said_to_do_would_do() {
    for alike in [0.2, 0.9] {
        let small = World { book: 30, alike, elo: 0.0, elo1: 20.0, is_told: true };
        let needed = small.run(50).needed as u64;
        let found = World { book: needed, ..small }.run(50);
        println!("{needed} lines: {found:?}");
        assert!(found.passed + found.failed >= 0.9 && needed > 200, "{needed} lines: {found:?}");
    }
}

#[test]
fn where_no_line_comes_twice_nothing_changes() {
    let mut chance = Chance::new(5);
    let chances = chances(Scale::Normalised, 3.0);
    for scale in [Scale::Normalised, Scale::Logistic] {
        let hypotheses = Hypotheses { scale, ..hypotheses(20.0) };
        let mut test = Sprt::new(hypotheses).unwrap();
        let mut line = 0;
        while test.add(draw(&mut chance, &chances), line).is_none() {
            let report = test.report();
            assert_eq!(report.llr.to_bits(), llr(&hypotheses, report.counts).to_bits());
            assert_eq!(report.design.effect, 1.0);
            line += 1;
        }
        assert!(line > 100 && test.verdict() != Some(Verdict::TooFewLines));
    }
}

#[test]
fn pairs_that_are_all_alike_count_as_one_a_line() {
    let add = |book: u64, pairs: u64| {
        let mut test = Sprt::new(Hypotheses { elo0: -1.0, ..hypotheses(1.0) }).unwrap();
        (0..pairs).for_each(|pair| {
            _ = test.add(if (pair % book).is_multiple_of(3) { MatchPair::Even } else { MatchPair::Both }, pair % book)
        });
        test.report()
    };
    let (once, often) = (add(60, 60), add(60, 1200));
    // A twentieth of the pairs' ratio, and less for the tails of 60 lines.
    assert!(often.llr < once.llr && often.llr > 0.85 * once.llr, "{} {}", often.llr, once.llr);
    assert!((often.design.correlation - 1.0).abs() < 1e-9 && often.design.effective_lines == 60.0);
    let (once, often) = (once.logistic.unwrap(), often.logistic.unwrap());
    assert!(
        (often.high.unwrap() - often.low.unwrap()) > (once.high.unwrap() - once.low.unwrap()),
        "{often:?} {once:?}"
    );
}

/// Over a book of 100 lines that pairs repeat strongly, no number of pairs brings an answer: that is reported once the
/// design effect shows it, and not some ten thousand pairs later.
#[test]
fn a_hopeless_book_is_reported_soon() {
    for (alike, elo1, elo, most) in [
        (0.2, 5.0, 0.0, 4_000),
        (0.5, 5.0, 0.0, 1_000),
        (0.5, 20.0, 40.0, 4_000),
        (0.9, 5.0, 20.0, 400),
        (0.9, 20.0, 0.0, 1_000),
        (0.9, 20.0, 80.0, 1_000),
    ] {
        let world = World { book: 100, alike, elo, elo1, is_told: true };
        let chances = chances(Scale::Normalised, elo);
        let mut pairs: Vec<u64> =
            (0..20).map(|seed| world.test(&mut Chance::new(seed), &chances).report().counts.iter().sum()).collect();
        pairs.sort_unstable();
        println!("{world:?}: {pairs:?}");
        assert!(*pairs.last().unwrap() <= most, "{world:?}: {pairs:?}");
    }
}
