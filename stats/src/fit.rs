//! Finds the greatest penalised likelihood by Newton's method, and the covariance of the result by the model.

use crate::clusters::Cluster;
use crate::matrix::{Cholesky, Matrix};
use crate::options::{RatingOptions, Unfit};
use crate::reach::Reach;

/// A concave log-likelihood of parameters, of which the first are the entrants' strengths in log odds.
pub(crate) trait Likelihood {
    /// Its value; its gradient and its information (minus the second derivatives; lower triangle) are added to the
    /// other two.
    fn evaluate(&self, at: &[f64], gradient: &mut [f64], information: &mut Matrix) -> f64;

    /// The score and the information of each cluster. A result of weight w has the root of w as weight of its score, so
    /// that the squares of the shares of a game, which is in several clusters, add up to that of the game.
    fn clusters(&self, at: &[f64]) -> impl Iterator<Item = Cluster>;
}

/// The data that the search needs in addition to the likelihood.
pub(crate) struct Frame<'a> {
    size: usize,
    /// The penalty is half of this times the sum of squares of the means of components, each weighted by its number of
    /// members. It does not affect parameters that results bound by themselves.
    ridge: f64,
    /// All parameters: strengths by sets within which results lead both ways, each other one by itself.
    components: Vec<Vec<usize>>,
    /// Sets of strengths of which only differences matter.
    groups: &'a [Vec<usize>],
}

impl<'a> Frame<'a> {
    /// A frame of this number of parameters, the first of which are the strengths of the entrants.
    pub fn new(size: usize, entrants: usize, options: &RatingOptions, reach: &Reach, groups: &'a [Vec<usize>]) -> Self {
        let mut components = reach.components(&(0..entrants).collect::<Vec<usize>>());
        components.extend((entrants..size).map(|place| vec![place]));
        Frame { size, ridge: options.ridge(), components, groups }
    }
}

/// The parameters found, and their covariance.
pub(crate) struct Fit {
    pub at: Vec<f64>,
    /// The inverse of the information.
    pub covariance: Matrix,
}

/// Steps of less than this, in log odds, end the search; the next one would be about its square.
const SMALL: f64 = 1e-7;
/// Newton's method on these functions takes some ten steps; beyond this number there is no greatest value.
const MOST_STEPS: usize = 200;

/// Finds the parameters and their covariance.
pub(crate) fn fit(likelihood: &impl Likelihood, frame: &Frame) -> Result<Fit, Unfit> {
    let (at, factor) = climb(likelihood, frame)?;
    Ok(Fit { at, covariance: factor.inverse() })
}

/// Newton's method from zero, with steps halved where the value would fall.
fn climb(likelihood: &impl Likelihood, frame: &Frame) -> Result<(Vec<f64>, Cholesky), Unfit> {
    let mut information = Matrix::zero(frame.size);
    let mut gradient = vec![0.0; frame.size];
    let mut at = vec![0.0; frame.size];
    let mut value = evaluate(likelihood, frame, &at, &mut gradient, &mut information);
    for _ in 0..MOST_STEPS {
        let factor = information.clone().cholesky().ok_or(Unfit::Singular)?;
        let mut step = factor.solve(&gradient);
        if step.iter().all(|part| part.abs() < SMALL) {
            return Ok((at, factor));
        }
        loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + step).collect();
            let found = evaluate(likelihood, frame, &next, &mut gradient, &mut information);
            // Near the top the value changes by less than its rounding.
            if found >= value - 1e-12 * value.abs() || step.iter().all(|part| part.abs() < SMALL) {
                (at, value) = (next, found);
                break;
            }
            step.iter_mut().for_each(|part| *part /= 2.0);
        }
    }
    Err(Unfit::Singular)
}

fn evaluate(
    likelihood: &impl Likelihood,
    frame: &Frame,
    at: &[f64],
    gradient: &mut [f64],
    information: &mut Matrix,
) -> f64 {
    gradient.fill(0.0);
    information.clear();
    let value = likelihood.evaluate(at, gradient, information);
    let mut squares = 0.0;
    for component in &frame.components {
        let share = 1.0 / component.len() as f64;
        let mean = share * component.iter().map(|place| at[*place]).sum::<f64>();
        squares += mean * mean / share;
        for (count, row) in component.iter().enumerate() {
            gradient[*row] -= frame.ridge * mean;
            component[..=count].iter().for_each(|column| information.add(*row, *column, share * frame.ridge));
        }
    }
    // The mean of a group is not in the results; holding it at zero, where the search began, makes the information
    // regular.
    for group in frame.groups {
        for (count, row) in group.iter().enumerate() {
            group[..=count].iter().for_each(|column| information.add(*row, *column, 1.0));
        }
    }
    value - 0.5 * frame.ridge * squares
}
