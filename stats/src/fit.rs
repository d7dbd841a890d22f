//! The greatest penalised likelihood by Newton's method, and the covariance of what is found: by the model, and robust by block.

use crate::matrix::{Cholesky, Matrix};
use crate::reach::Reach;
use crate::rows::{Options, Unfit};

/// The parts of a gradient that are not zero, with their places.
pub(crate) type Score = [(usize, f64)];

/// A concave log-likelihood of parameters, of which the first are the entrants' strengths in log odds.
pub(crate) trait Likelihood {
    /// Its value; its gradient and its information (minus the second derivatives; lower triangle) are added to the other two.
    fn evaluate(&self, at: &[f64], gradient: &mut [f64], information: &mut Matrix) -> f64;

    /// Visits the gradient of each block, in which a result of weight w has the weight sqrt(w).
    ///
    /// The sum of the squares then counts a result of weight 1/1000, which came a thousand times, once.
    fn visit_scores(&self, at: &[f64], visit: impl FnMut(&Score));
}

/// What the search must know beside the likelihood.
pub(crate) struct Frame<'a> {
    /// How many parameters.
    size: usize,
    /// The penalty is half of this times the sum of squares of the means of components, each as often as it has members. What results
    /// bound by themselves, it does not pull at.
    ridge: f64,
    /// All parameters: strengths by sets within which results lead both ways, each other one by itself.
    components: Vec<Vec<usize>>,
    /// Sets of strengths of which only differences matter.
    groups: &'a [Vec<usize>],
    /// How many blocks.
    blocks: f64,
}

impl<'a> Frame<'a> {
    /// Of so many parameters, the first of which are the strengths of the entrants.
    pub fn new(
        size: usize,
        entrants: usize,
        options: &Options,
        reach: &Reach,
        groups: &'a [Vec<usize>],
        blocks: f64,
    ) -> Self {
        let mut components = reach.components(&(0..entrants).collect::<Vec<usize>>());
        components.extend((entrants..size).map(|place| vec![place]));
        Frame { size, ridge: options.ridge(), components, groups, blocks }
    }
}

/// The parameters found, and their covariances.
pub(crate) struct Fit {
    pub at: Vec<f64>,
    /// The inverse of the information.
    pub model: Matrix,
    /// The sandwich with blocks as clusters (White 1982; Liang and Zeger 1986); `None` with too few of them.
    pub robust: Option<Matrix>,
}

/// Steps of less than this, in log odds, end the search; the next one would be about its square.
const SMALL: f64 = 1e-7;
/// Newton's method on these functions takes some ten steps; beyond this there is no greatest value.
const MOST_STEPS: usize = 200;
/// So many blocks more than parameters make the sandwich usable.
const SPARE_BLOCKS: f64 = 5.0;

/// Finds the parameters and their covariances.
pub(crate) fn fit(likelihood: &impl Likelihood, frame: &Frame) -> Result<Fit, Unfit> {
    let (at, factor) = climb(likelihood, frame)?;
    let model = factor.inverse();
    let parameters = (frame.size - frame.groups.len()) as f64;
    let spare = frame.blocks - parameters;
    let robust = (spare >= SPARE_BLOCKS).then(|| {
        let mut middle = Matrix::zero(frame.size);
        // Residuals are smaller than errors by what the parameters took up.
        let factor = frame.blocks / spare;
        likelihood.visit_scores(&at, |score| middle.add_outer(factor, score));
        middle.mirror();
        model.sandwich(&middle)
    });
    Ok(Fit { at, model, robust })
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
    // The mean of a group is not in the results; holding it at zero, where the search began, makes the information regular.
    for group in frame.groups {
        for (count, row) in group.iter().enumerate() {
            group[..=count].iter().for_each(|column| information.add(*row, *column, 1.0));
        }
    }
    value - 0.5 * frame.ridge * squares
}
