//! Fits the weights of the full heuristic: games of the client against itself on boards of all shapes, then a logistic
//! regression of who won on what the heuristic weighs. Prints the weights as the option `weights` takes them. `cargo
//! run --release -p client-alphabeta --example fit [GAMES A BOARD [NODES A MOVE]]`
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod start;

use agon_games::{Rng, below, rng_from, seed_of};
use agon_search::{BoardTables, Evaluator, Position, Regions, SearchLimits};
use agon_stats::matrix::Matrix;
use alphabeta::{Searcher, Settings, Widths};
use start::{board, settings};

const BOARDS: [&str; 8] =
    ["standard-10", "standard-8", "square:7", "square:10", "donut:12", "clover:10", "eight:12", "square:12"];
/// Where the weights are fitted, in 1/256 of the contested fraction.
const KNOTS: [i32; 4] = [0, 38, 90, 154];
/// Weights of a knot: t1, c1, c2, t2, mobility, and the turn itself, which is not among the weights of the heuristic.
const WEIGHTS: usize = 6;
/// The place of mobility among them.
const MOBILITY: usize = 4;
const COUNT: usize = KNOTS.len() * WEIGHTS;
/// The prior that keeps weights small: one over the variance.
const PRIOR: f64 = 0.5;
/// One game in so many is kept apart to test on.
const TEST: usize = 5;

struct Sample {
    features: [f64; COUNT],
    default: f64,
    won: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a whole number"));
    let (games, nodes) = (arguments.next().unwrap_or(200) as usize, arguments.next().unwrap_or(2_000));
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for spec in BOARDS {
        let tables = BoardTables::new(&board(spec), true);
        for game in 0..games {
            let samples = play(&tables, nodes, rng_from(&seed_of(game as u64)));
            if game % TEST == 0 { &mut test } else { &mut train }.extend(samples);
        }
        eprintln!("{spec}: {games} games, {} positions so far", train.len() + test.len());
    }
    println!("{} positions to fit, {} to test; loss in bits a position:", train.len(), test.len());
    let scale = scale_of_default(&train);
    println!("as they are, scaled: {:.5}", loss(&test, |sample| sample.default * scale));
    print("fitted", &fit(&train), &test);
    for sample in train.iter_mut().chain(&mut test) {
        sample.features.iter_mut().skip(MOBILITY).step_by(WEIGHTS).for_each(|factor| *factor = 0.0);
    }
    print("fitted without mobility", &fit(&train), &test);
}

/// Weights as an option, in a unit in which one vertex more on a board that is nearly filled is worth 0.9.
fn print(what: &str, weights: &[f64], test: &[Sample]) {
    println!("{what}: {:.5}", loss(test, |sample| dot(&sample.features, weights)));
    let unit = 900.0 / weights[0];
    let knot = |(at, weights): (&i32, &[f64])| {
        let numbers: Vec<String> =
            weights[..WEIGHTS - 1].iter().map(|weight| format!("{:.0}", weight * unit)).collect();
        format!("{at}:{}", numbers.join(":"))
    };
    let knots: Vec<String> = KNOTS.iter().zip(weights.chunks(WEIGHTS)).map(knot).collect();
    println!("    weights={}", knots.join("/"));
    let turn = weights.chunks(WEIGHTS).map(|knot| format!("{:.2}", knot[WEIGHTS - 1] * unit / 1000.0));
    println!("    the turn is worth {} vertices", turn.collect::<Vec<_>>().join(", "));
    println!("    a value of 1 is {:.3} in log-odds", 1000.0 / unit);
}

/// One game from a random opening, as samples of its contested positions.
fn play(tables: &BoardTables, nodes: u64, mut rng: Rng) -> Vec<Sample> {
    let settings =
        Settings { widths: Widths::of(&[80, 40, 30, 20], 24), table: 1 << 20, ..settings("heuristic = full") };
    let mut searchers = [(); 2].map(|()| Searcher::new(tables, &settings));
    let evaluator = Evaluator::new(tables, settings.heuristic);
    let mut regions = Regions::new(tables);
    let mut position = Position::start(tables);
    let mut sides = Vec::new();
    let mut samples = Vec::new();
    let opening = 2 + below(&mut rng, 10);
    let mut plies = 0;
    let winner = loop {
        if let Some(winner) = decided(tables, &mut regions, &mut position) {
            break winner;
        }
        let mv = if plies < opening {
            let mut moves = Vec::new();
            position.moves(tables, &mut moves);
            moves[below(&mut rng, moves.len() as u64) as usize]
        } else {
            let features = evaluator.features(tables, &position, true);
            if features.terms.contested > 0 {
                let default = f64::from(evaluator.value(tables, &position).value) / 1000.0;
                samples.push(Sample { features: spread(features.fraction(), features.factors()), default, won: 0.0 });
                sides.push(position.side());
            }
            searchers[position.side()].search(tables, &mut position, u8::MAX, SearchLimits::of_nodes(nodes)).line[0]
        };
        position.play(tables, mv);
        plies += 1;
    };
    for (sample, side) in samples.iter_mut().zip(sides) {
        sample.won = f64::from(u8::from(side == winner));
    }
    samples
}

/// The winner, once it is certain.
fn decided(tables: &BoardTables, regions: &mut Regions, position: &mut Position) -> Option<usize> {
    let side = position.side();
    if !position.has_move(tables) {
        return Some(1 - side);
    }
    regions.decide(tables, position, 500).map(|(winner, _)| winner)
}

/// The factors, parted among the two knots next to the contested fraction.
fn spread(fraction: i32, factors: [f64; 5]) -> [f64; COUNT] {
    let mut all = [0.0; COUNT];
    let above = KNOTS.iter().position(|at| *at >= fraction).unwrap_or(KNOTS.len());
    let parts = match above {
        0 => [(0, 1.0), (0, 0.0)],
        above if above == KNOTS.len() => [(above - 1, 1.0), (0, 0.0)],
        above => {
            let part = f64::from(fraction - KNOTS[above - 1]) / f64::from(KNOTS[above] - KNOTS[above - 1]);
            [(above - 1, 1.0 - part), (above, part)]
        }
    };
    for (knot, part) in parts {
        for (index, factor) in factors.into_iter().chain([1.0]).enumerate() {
            all[knot * WEIGHTS + index] += part * factor;
        }
    }
    all
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Bits by which the outcomes surprise.
fn loss(samples: &[Sample], log_odds: impl Fn(&Sample) -> f64) -> f64 {
    let surprise = |sample: &Sample| {
        let chance = chance(log_odds(sample));
        -(if sample.won > 0.5 { chance } else { 1.0 - chance }).max(1e-12).log2()
    };
    samples.iter().map(surprise).sum::<f64>() / samples.len().max(1) as f64
}

/// The factor that makes log-odds of the values of the heuristic as it is, by ternary search.
fn scale_of_default(samples: &[Sample]) -> f64 {
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..40 {
        let third = (high - low) / 3.0;
        let [a, b] = [low + third, high - third].map(|scale| loss(samples, |sample| sample.default * scale));
        if a < b { high -= third } else { low += third }
    }
    (low + high) / 2.0
}

/// Logistic regression by Newton's method.
fn fit(samples: &[Sample]) -> Vec<f64> {
    let mut weights = vec![0.0; COUNT];
    for _ in 0..12 {
        let mut gradient: Vec<f64> = weights.iter().map(|weight| -PRIOR * weight).collect();
        let mut hessian = Matrix::zero(COUNT);
        (0..COUNT).for_each(|index| hessian.add(index, index, PRIOR));
        for sample in samples {
            let chance = chance(dot(&sample.features, &weights));
            let factors = sample.features.iter().copied().enumerate().filter(|(_, factor)| *factor != 0.0);
            let factors: Vec<(usize, f64)> = factors.collect();
            factors.iter().for_each(|(index, factor)| gradient[*index] += (sample.won - chance) * factor);
            hessian.add_outer(chance * (1.0 - chance), &factors);
        }
        let step = hessian.cholesky().expect("the prior makes it positive definite").solve(&gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    weights
}
