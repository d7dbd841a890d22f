//! A small integer network that corrects the value of the hand-made evaluation. It reads a census from either side by
//! the same hidden units, and weighs their output by how contested the board is.

use crate::census::{Census, INPUTS};
use crate::value::Weights;

/// Units of the hidden layer.
pub const HIDDEN: usize = 16;
/// The largest output of a hidden unit.
pub const ONE: i32 = 1 << 12;
/// Sums and differences of both sides go in two by two.
pub(crate) const STEPS: usize = INPUTS.div_ceil(2);

/// The network that the clients play with: `tools/train` makes it.
const TRAINED: &str = include_str!("network.txt");
/// Larger weights of inputs, and of outputs, could pass 32 bits on the way.
const LARGEST_INPUT: i16 = 4_096;
const LARGEST_OUTPUT: i16 = 15_000;

/// Weights of the hidden units for two inputs, those of each unit next to one another.
pub(crate) type Step = [i16; 2 * HIDDEN];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The weights of the sums of both sides' inputs, and of their differences.
    pub(crate) sums: [Step; STEPS],
    pub(crate) differences: [Step; STEPS],
    pub(crate) bias: [i32; HIDDEN],
    /// At each contested fraction: of the units that see the side to move first, and of those that see the other first;
    /// thousandths of a vertex.
    output: [[[i16; HIDDEN]; 2]; KNOTS],
    /// The value of the turn there, thousandths of a vertex.
    turn: [i32; KNOTS],
}

const KNOTS: usize = Weights::TUNED.0.len();

/// The outputs of the hidden units, seen from side 0 and from side 1; from 0 to [`ONE`].
pub(crate) type Hidden = [[i16; HIDDEN]; 2];

impl Network {
    /// The one that the clients play with.
    pub(crate) fn trained() -> Network {
        Network::parse(TRAINED).unwrap_or_else(Network::zero)
    }

    /// One that says nothing.
    fn zero() -> Network {
        Network {
            sums: [[0; 2 * HIDDEN]; STEPS],
            differences: [[0; 2 * HIDDEN]; STEPS],
            bias: [0; HIDDEN],
            output: [[[0; HIDDEN]; 2]; KNOTS],
            turn: [0; KNOTS],
        }
    }

    /// Reads rows of numbers as the trainer writes them. For each input, these are the weights of its sum and then of
    /// its difference in each unit; then the bias of each unit; for each knot, the weights of the units of either view,
    /// and the turn. `None` if numbers are missing, too many or too large.
    pub fn parse(text: &str) -> Option<Network> {
        let mut words = text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        let mut next = |largest: i16| {
            let number: i16 = words.next()?.parse().ok()?;
            (-largest..=largest).contains(&number).then_some(number)
        };
        let mut network = Network::zero();
        for input in 0..INPUTS {
            for steps in [&mut network.sums, &mut network.differences] {
                for unit in 0..HIDDEN {
                    steps[input / 2][2 * unit + input % 2] = next(LARGEST_INPUT)?;
                }
            }
        }
        for bias in &mut network.bias {
            *bias = next(i16::MAX)?.into();
        }
        for (views, turn) in network.output.iter_mut().zip(&mut network.turn) {
            for weight in views.iter_mut().flatten() {
                *weight = next(LARGEST_OUTPUT)?;
            }
            *turn = next(LARGEST_OUTPUT)?.into();
        }
        words.next().is_none().then_some(network)
    }

    /// The hidden units of a census.
    pub(crate) fn hidden(&self, census: &Census) -> Hidden {
        let [a, b] = &census.0;
        let mut sums = self.bias;
        let mut differences = [0; HIDDEN];
        for (input, (a, b)) in a.iter().zip(b).enumerate().take(INPUTS) {
            add(&mut sums, &self.sums[input / 2], input % 2, a + b);
            add(&mut differences, &self.differences[input / 2], input % 2, a - b);
        }
        let clip = |unit: i32| unit.clamp(0, ONE) as i16;
        [
            std::array::from_fn(|unit| clip(sums[unit] + differences[unit])),
            std::array::from_fn(|unit| clip(sums[unit] - differences[unit])),
        ]
    }

    /// The correction of the value for a side, thousandths of a vertex.
    #[inline]
    pub(crate) fn correction(&self, hidden: &Hidden, side: usize, fraction: i32) -> i32 {
        let (own, other) = (&hidden[side], &hidden[1 - side]);
        let at =
            |knot: usize| self.turn[knot] + weigh(own, &self.output[knot][0]) - weigh(other, &self.output[knot][1]);
        let knots = Weights::TUNED.0;
        let above = knots.iter().position(|knot| fraction <= knot.at).unwrap_or(KNOTS);
        match above {
            0 => at(0),
            KNOTS => at(KNOTS - 1),
            _ => {
                let (part, whole) = (fraction - knots[above - 1].at, knots[above].at - knots[above - 1].at);
                let low = at(above - 1);
                low + (at(above) - low) * part / whole
            }
        }
    }
}

/// Adds to each unit the first or the second input of a step times its weight.
fn add(units: &mut [i32; HIDDEN], step: &Step, place: usize, input: i32) {
    for (unit, weights) in units.iter_mut().zip(step.as_chunks::<2>().0) {
        *unit += i32::from(weights[place]) * input;
    }
}

#[inline]
fn weigh(hidden: &[i16; HIDDEN], output: &[i16; HIDDEN]) -> i32 {
    let sum: i32 = hidden.iter().zip(output).map(|(unit, weight)| i32::from(*unit) * i32::from(*weight)).sum();
    sum / ONE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trained_network_is_one() {
        assert!(Network::parse(TRAINED).is_some_and(|network| network != Network::zero()));
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let zeros = "0 ".repeat(2 * INPUTS * HIDDEN + HIDDEN + KNOTS * (2 * HIDDEN + 1));
        assert_eq!(Network::parse(&format!("# nothing\n{zeros}")), Some(Network::zero()));
        assert_eq!(Network::parse(&zeros[2..]), None);
        assert_eq!(Network::parse(&format!("{zeros} 0")), None);
        assert_eq!(Network::parse(&format!("4097 {}", &zeros[2..])), None);
        assert_eq!(Network::parse(&format!("x {}", &zeros[2..])), None);
    }

    #[test]
    fn units_are_clipped_and_weighed_between_two_knots() {
        let mut network = Network::zero();
        network.sums[0][1] = 100;
        network.differences[0][1] = 300;
        network.bias[0] = -50;
        (network.output[1][0][0], network.output[2][0][0], network.turn[1]) = (4_096, 8_192, 7);
        let mut census = Census::default();
        (census.0[0][1], census.0[1][1]) = (3, 1);
        let hidden = network.hidden(&census);
        assert_eq!((hidden[0][0], hidden[1][0]), (950, 0));
        census.0[0][1] = 50;
        assert_eq!(network.hidden(&census)[0][0], ONE as i16);
        let [_, low, high, _] = Weights::TUNED.0.map(|knot| knot.at);
        assert_eq!(network.correction(&hidden, 0, low), 950 + 7);
        assert_eq!(network.correction(&hidden, 0, high), 1_900);
        assert_eq!(network.correction(&hidden, 0, (low + high) / 2), 957 + (1_900 - 957) / 2);
        assert_eq!(network.correction(&hidden, 1, low), 7);
    }
}
