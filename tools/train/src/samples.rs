//! Positions to learn from: what the network is told of each, and what came of it, by the searches of the moves that
//! followed and the result (the lambda-return of Sutton 1988).

use crate::games::{Game, Step};
use crate::start::board;
use agon_search::{BoardTables, CERTAIN, Evaluator, Heuristic, INPUTS, Position, VERTEX, Weights};
use std::collections::BTreeMap;

/// The weight of the later course of the game; the rest is the search of the position itself.
const LATER: f64 = 0.7;
/// Turns the value of a search into log-odds, a vertex.
const LOG_ODDS: f64 = 0.33;
/// The divisors of numbers of vertices, and of the measure of trapped queens.
const DIVISORS: [f32; 2] = [8.0, 32.0];
/// One game in so many is kept apart to test on.
const TEST: usize = 5;
/// Numbers that the network gets, both sides together.
pub const WIDTH: usize = 2 * INPUTS;
/// Contested fractions.
pub const KNOTS: usize = Weights::TUNED.0.len();

/// Positions as rows of numbers.
#[derive(Default)]
pub struct Samples {
    /// The inputs of the side to move, then of the other side; and the other way round.
    pub own: Vec<f32>,
    pub other: Vec<f32>,
    /// How near the contested fraction is to each knot.
    pub knots: Vec<f32>,
    /// The hand-made evaluation, log-odds.
    pub by_hand: Vec<f32>,
    /// How likely the side to move wins.
    pub target: Vec<f32>,
}

/// The samples to fit, and those to test on.
pub fn read(games: &[Game]) -> [Samples; 2] {
    let mut boards: BTreeMap<&str, (BoardTables, Evaluator)> = BTreeMap::new();
    let mut samples = [Samples::default(), Samples::default()];
    for (number, game) in games.iter().enumerate() {
        let (tables, evaluator) = boards.entry(&game.board).or_insert_with(|| {
            let tables = BoardTables::new(&board(&game.board), true);
            let evaluator = Evaluator::new(&tables, Heuristic::Full(Weights::TUNED));
            (tables, evaluator)
        });
        let mut position = Position::start(tables);
        for (step, target) in game.steps.iter().zip(targets(game, position.side())) {
            if let Some(target) = target.filter(|_| step.value.is_some_and(|value| value.abs() < CERTAIN)) {
                samples[usize::from(number % TEST == 0)].add(tables, evaluator, &position, target);
            }
            position.play(tables, step.mv);
        }
    }
    samples
}

/// How likely the side to move wins in each position whose move was searched; `first` moves first.
fn targets(game: &Game, first: usize) -> Vec<Option<f64>> {
    let mut targets = vec![None; game.steps.len()];
    let winner_moves_next = (first + game.steps.len()) % 2 == game.winner;
    let mut next = Some(f64::from(u8::from(winner_moves_next)));
    for (target, Step { value, .. }) in targets.iter_mut().zip(&game.steps).rev() {
        *target = value.map(|value| {
            let now = chance(value);
            next.map_or(now, |next| (1.0 - LATER) * now + LATER * (1.0 - next))
        });
        next = *target;
    }
    targets
}

/// How likely a value of a search wins.
fn chance(value: i32) -> f64 {
    match value {
        CERTAIN.. => 1.0,
        value if value <= -CERTAIN => 0.0,
        value => 1.0 / (1.0 + (-f64::from(log_odds(value))).exp()),
    }
}

fn log_odds(value: i32) -> f32 {
    (LOG_ODDS * f64::from(value) / f64::from(VERTEX)) as f32
}

/// A value of log-odds one, thousandths of a vertex.
pub fn unit() -> f64 {
    f64::from(VERTEX) / LOG_ODDS
}

/// The divisor of an input.
pub fn divisor(input: usize) -> f32 {
    DIVISORS[usize::from(input + 1 == INPUTS)]
}

impl Samples {
    fn add(&mut self, tables: &BoardTables, evaluator: &Evaluator, position: &Position, target: f64) {
        let features = evaluator.features(tables, position, true);
        if features.terms.contested == 0 {
            return;
        }
        let census = evaluator.census(tables, position).0;
        let row = |side: usize| (0..INPUTS).map(move |input| census[side][input] as f32 / divisor(input));
        let (own, other) = (position.side(), 1 - position.side());
        self.own.extend(row(own).chain(row(other)));
        self.other.extend(row(other).chain(row(own)));
        self.knots.extend(knots(features.fraction()));
        self.by_hand.push(log_odds(evaluator.value(tables, position).value));
        self.target.push(target as f32);
    }

    pub fn rows(&self) -> usize {
        self.target.len()
    }
}

/// How much of each knot a contested fraction has.
fn knots(fraction: i32) -> [f32; KNOTS] {
    let at = Weights::TUNED.0.map(|knot| knot.at);
    let mut parts = [0.0; KNOTS];
    match at.iter().position(|at| fraction <= *at) {
        Some(0) => parts[0] = 1.0,
        None => parts[KNOTS - 1] = 1.0,
        Some(above) => {
            parts[above] = (fraction - at[above - 1]) as f32 / (at[above] - at[above - 1]) as f32;
            parts[above - 1] = 1.0 - parts[above];
        }
    }
    parts
}
