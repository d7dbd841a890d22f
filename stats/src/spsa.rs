//! Simultaneous perturbation (SPSA, Spall 1992) improves parameters by comparisons alone. It moves all parameters at
//! once by random signs, compares both directions, and moves a little towards the winner.

/// How far the first step looks, as a share of each range; later ones look less far.
const FIRST_REACH: f64 = 0.15;
/// How reach and learning shrink (Spall 1998).
const OF_REACH: f64 = 0.101;
const OF_LEARNING: f64 = 0.602;
/// The part of all steps in which learning hardly shrinks.
const STABLE: f64 = 0.1;

/// A search with this number of steps. Parameters are between 0 and 1.
#[derive(Clone, Copy, Debug)]
pub struct Spsa {
    /// How many steps there are.
    pub steps: u64,
}

impl Spsa {
    /// How far a step looks, at least `least`.
    fn reach(self, step: u64, least: f64) -> f64 {
        (FIRST_REACH / libm::pow(step as f64 + 1.0, OF_REACH)).max(least)
    }

    /// The two that a step compares: each parameter moved by its sign, and against it. `least` is how far each must be
    /// moved to make a difference.
    pub fn probe(self, at: &[f64], least: &[f64], signs: &[bool], step: u64) -> [Vec<f64>; 2] {
        [1.0, -1.0].map(|way| {
            let moved = at.iter().zip(least).zip(signs).map(|((at, least), sign)| {
                let sign = if *sign { way } else { -way };
                (at + sign * self.reach(step, *least)).clamp(0.0, 1.0)
            });
            moved.collect()
        })
    }

    /// Follows the winner of a step: `score` is 1 where the first of the two won everything, and -1 where the second
    /// did.
    pub fn learn(self, at: &mut [f64], signs: &[bool], step: u64, score: f64) {
        let stable = STABLE * self.steps as f64 + 1.0;
        let gain = libm::pow(stable / (stable + step as f64), OF_LEARNING);
        for (at, sign) in at.iter_mut().zip(signs) {
            let sign = if *sign { 1.0 } else { -1.0 };
            *at = (*at + sign * gain * self.reach(step, 0.0) * score).clamp(0.0, 1.0);
        }
    }
}

/// The result of a course of steps: the mean of its last quarter, in which chance cancels.
pub fn settled(course: &[Vec<f64>]) -> Vec<f64> {
    let last = &course[course.len() - course.len().div_ceil(4)..];
    let mean = |parameter: usize| last.iter().map(|at| at[parameter]).sum::<f64>() / last.len() as f64;
    (0..course.first().map_or(0, Vec::len)).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in which no pattern matters here (SplitMix64).
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as f64 / u64::MAX as f64
    }

    /// The side nearer to the best wins a match more often; a step plays eight.
    fn course(best: &[f64], start: &[f64], steps: u64, seed: u64) -> Vec<Vec<f64>> {
        let (spsa, mut state) = (Spsa { steps }, seed);
        let distance = |at: &[f64]| at.iter().zip(best).map(|(at, best)| (at - best).powi(2)).sum::<f64>();
        let mut course = vec![start.to_vec()];
        for step in 0..steps {
            let mut at = course.last().unwrap().clone();
            let signs: Vec<bool> = at.iter().map(|_| random(&mut state) < 0.5).collect();
            let [one, other] = spsa.probe(&at, &vec![0.0; at.len()], &signs, step);
            let wins = 0.5 + (distance(&other) - distance(&one)).clamp(-0.5, 0.5);
            let score = (0..8).map(|_| if random(&mut state) < wins { 1.0 } else { -1.0 }).sum::<f64>() / 8.0;
            spsa.learn(&mut at, &signs, step, score);
            course.push(at);
        }
        course
    }

    #[test]
    fn it_finds_what_is_best() {
        for seed in 0..20 {
            let found = settled(&course(&[0.7, 0.2], &[0.1, 0.9], 300, seed));
            assert!((found[0] - 0.7).abs() < 0.12 && (found[1] - 0.2).abs() < 0.12, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn it_stays_within_bounds_and_looks_as_far_as_makes_a_difference() {
        let found = course(&[1.0], &[0.95], 50, 3);
        assert!(found.iter().all(|at| (0.0..=1.0).contains(&at[0])) && settled(&found)[0] > 0.85, "{found:?}");
        let [one, other] = Spsa { steps: 10 }.probe(&[0.5, 0.5], &[0.4, 0.0], &[true, false], 9);
        assert_eq!((one[0], other[0]), (0.9, 0.09999999999999998));
        assert!(one[1] < 0.5 && other[1] > 0.5, "the signs are of each by itself");
    }
}
