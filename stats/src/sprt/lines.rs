//! Corrects for pairs that begin alike, which are not independent: the value of an opening line to the new version
//! returns with each of its pairs.
//!
//! So the variance that counts is that between lines. It is estimated from the results as that of a ratio of sums over
//! lines (Cochran, Sampling Techniques, 1977, section 6.4). The result is the design effect (Kish, Survey Sampling,
//! 1965, section 5.4): how many pairs are worth one that was drawn for itself. If no line came twice, it is exactly 1.

use std::collections::BTreeMap;

/// Fewer lines than this say nothing of others: one line of seven may be unlike the rest, and all of these miss it with
/// 5 %.
pub const FEWEST_LINES: u64 = 20;

/// The part of these that they must be worth: lines that come unevenly often are worth fewer, a book at its second turn
/// nine tenths.
const WORTH: f64 = 0.8;

/// The number of standard errors by which later results may move the mean, where the end of a test is predicted.
const FAR: f64 = 3.0;

/// The pairs by the lines they began from, as exact sums; points are quarters of a pair's score.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// For each line its pairs and their points.
    of: BTreeMap<u64, (i128, i128)>,
    pairs: i128,
    points: i128,
    /// The sum of the squared points of single pairs.
    squares: i128,
    /// Over lines: pairs x pairs, pairs x points, points x points.
    crossed: [i128; 3],
    /// How many pairs there were when the newest line came.
    newest: i128,
}

/// The effect of the lines of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    pub pairs: u64,
    /// Different lines that pairs began from.
    pub lines: u64,
    /// The number of lines with equally many pairs that would show as much.
    pub effective_lines: f64,
    /// How many pairs are worth an independent one: 1 where no line came twice, and never less.
    pub effect: f64,
    /// The part of a pair's variance that comes back with its line, 0 to 1.
    pub correlation: f64,
}

impl Lines {
    pub fn add(&mut self, line: u64, points: usize) {
        let points = points as i128;
        let (pairs, sum) = self.of.entry(line).or_default();
        if *pairs == 0 {
            self.newest = self.pairs + 1;
        }
        self.crossed[0] += 2 * *pairs + 1;
        self.crossed[1] += *sum + (*pairs + 1) * points;
        self.crossed[2] += (2 * *sum + points) * points;
        (*pairs, *sum) = (*pairs + 1, *sum + points);
        self.pairs += 1;
        self.points += points;
        self.squares += points * points;
    }

    /// Whether a line came twice.
    pub fn is_repeated(&self) -> bool {
        (self.of.len() as i128) < self.pairs
    }

    /// Whether the lines seem to be all there are: none was new for as long as it took to meet them.
    pub fn has_come_round(&self) -> bool {
        self.pairs >= 2 * self.newest
    }

    /// How it stands; `level` is the normal quantile at which a test decides.
    pub fn design(&self, level: f64) -> Design {
        let lines = self.of.len() as u64;
        let (pairs, points) = (self.pairs, self.points);
        if !self.is_repeated() {
            return Design { pairs: pairs as u64, lines, effective_lines: lines as f64, effect: 1.0, correlation: 0.0 };
        }
        let [own, mixed, summed] = self.crossed;
        let effective = (pairs * pairs) as f64 / own as f64;
        let repeats = own as f64 / pairs as f64;
        let alone = (pairs * self.squares - points * points) as f64 / pairs as f64;
        let between = pairs * pairs * summed - 2 * pairs * points * mixed + points * points * own;
        let between = between as f64 / (pairs * pairs) as f64;
        let of_few = |count: f64| count / (count - 1.0);
        // If all pairs had the same result, nothing distinguishes the lines from the pairs.
        let plain = if alone > 0.0 && effective > 1.0 {
            (of_few(effective) * between) / (of_few(pairs as f64) * alone)
        } else {
            repeats
        };
        let tails = if effective > 2.0 { tails(level, effective - 1.0) } else { f64::INFINITY };
        let correlation = ((plain - 1.0) / (repeats - 1.0)).clamp(0.0, 1.0);
        let effect = (plain * tails).max(1.0);
        Design { pairs: pairs as u64, lines, effective_lines: effective, effect, correlation }
    }
}

impl Design {
    /// Whether there are lines enough to know the effect.
    pub fn is_known(&self) -> bool {
        self.effective_lines >= WORTH * FEWEST_LINES as f64 || self.effective_lines == self.pairs as f64
    }

    /// The share, from 0 to 1, of the information that these lines would give if they went on for ever.
    pub(super) fn told(&self) -> f64 {
        let repeats = self.correlation * self.pairs as f64 / self.effective_lines;
        if repeats > 0.0 { repeats / (1.0 - self.correlation + repeats) } else { 0.0 }
    }

    /// The range in which the ratio ends if the same lines go on for ever, where it moves by `pace` a pair and standard
    /// deviation of its score, from a mean of `lead` deviations above the middle of the hypotheses. `None` = anywhere.
    pub(super) fn limits(&self, pairs: f64, lead: f64, pace: f64, level: f64) -> Option<(f64, f64)> {
        let (own, repeats) = (1.0 - self.correlation, pairs / self.effective_lines);
        // The noise within lines in the sum of squares between them: alone, and times the value of the lines.
        let noise = own * (2.0 / self.effective_lines).sqrt()
            + 2.0 * (repeats * own * self.correlation / self.effective_lines).sqrt();
        let least = self.correlation - FAR * noise / (repeats - 1.0);
        if least <= 0.0 {
            return None;
        }
        let tails = tails(level, self.effective_lines - 1.0);
        let most = self.effective_lines / (least * tails);
        let error = FAR * (own / pairs).sqrt();
        Some((most * pace * (lead - error), most * pace * (lead + error)))
    }
}

/// The square of how much wider Student's distribution is than the normal one at this quantile, by the first terms of
/// Fisher and Cornish's expansion (Abramowitz and Stegun 26.7.5), within 1 % from 15 degrees of freedom on: it is asked
/// for at every pair.
fn tails(level: f64, degrees: f64) -> f64 {
    let square = level * level;
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    (1.0 + (first + (second + third / degrees) / degrees) / degrees).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::student;

    #[test]
    fn tails_are_those_of_students_distribution() {
        for degrees in [15.0, 19.0, 30.0, 99.0, 999.0] {
            for level in [1.5, 2.43, 3.0] {
                let exact = (student(level, degrees) / level).powi(2);
                assert!((tails(level, degrees) / exact - 1.0).abs() < 0.01, "{degrees} {level}: {exact}");
            }
        }
    }
}
