//! How often exact intervals of 95 % lie wholly on the wrong side of zero: seldom, but not never. Its own formulas.

/// The standard normal distribution (Abramowitz and Stegun 1964, 26.2.17, to 1e-7).
fn below(z: f64) -> f64 {
    if z > 0.0 {
        return 1.0 - below(-z);
    }
    let k = 1.0 / (1.0 - 0.231_641_9 * z);
    let series =
        k * (0.319_381_530 + k * (-0.356_563_782 + k * (1.781_477_937 + k * (-1.821_255_978 + k * 1.330_274_429))));
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series
}

/// The place where a falling function passes a value.
fn where_it_is(value: f64, falling: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-50.0, 50.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if falling(middle) > value { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// Intervals whose errors are estimated with some degrees of freedom.
pub struct Exact {
    /// Estimated errors as shares of the true one, each as likely (Wilson and Hilferty 1931).
    errors: Vec<f64>,
    /// Half the length of an interval, in estimated errors.
    reach: f64,
}

impl Exact {
    pub fn new(degrees: f64) -> Exact {
        let part = 2.0 / (9.0 * degrees);
        let error = |step: usize| {
            let z = where_it_is((step as f64 + 0.5) / 200.0, |z| below(-z));
            (1.0 - part - z * part.sqrt()).max(0.0).powf(1.5)
        };
        let errors: Vec<f64> = (0..200).map(error).collect();
        let mut exact = Exact { errors, reach: 0.0 };
        exact.reach = where_it_is(0.025, |reach| Exact { errors: exact.errors.clone(), reach }.is_reversed(0.0));
        exact
    }

    /// The chance that an interval lies on the other side of zero than the truth, so many true errors away.
    pub fn is_reversed(&self, truth: f64) -> f64 {
        self.errors.iter().map(|error| below(-self.reach * error - truth)).sum::<f64>() / self.errors.len() as f64
    }
}

/// The chance of at least so many events where so many are expected.
pub fn at_least(events: usize, expected: f64) -> f64 {
    let mut term = (-expected).exp();
    let mut fewer = 0.0;
    for number in 0..events {
        fewer += term;
        term *= expected / (number + 1) as f64;
    }
    1.0 - fewer
}
