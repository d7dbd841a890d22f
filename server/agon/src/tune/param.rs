//! An option of a client that is tuned: its range, where it begins, and how values are written.

use serde::{Deserialize, Serialize};

/// An option to tune, written as `KEY=FROM..TO:START`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// The name by which the client asks for it.
    pub key: String,
    /// The least value of the option.
    pub from: f64,
    /// The greatest value of the option.
    pub to: f64,
    /// The value at which tuning begins.
    pub start: f64,
    /// Whether it takes whole numbers only.
    pub whole: bool,
}

impl Param {
    /// `weight=0..100`, `weight=0.5..2.5:1`; without a start it begins in the middle, and without a point all are
    /// whole.
    pub fn read(text: &str) -> Result<Param, String> {
        let wrong = || {
            format!(
                "{text:?} is not an option with a range; write KEY=FROM..TO or KEY=FROM..TO:START, as weight=0..100:20"
            )
        };
        let (key, range) = text.split_once('=').ok_or_else(wrong)?;
        let (from, rest) = range.split_once("..").ok_or_else(wrong)?;
        let (to, start) = rest.split_once(':').map_or((rest, None), |(to, start)| (to, Some(start)));
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        let (from, to) = (number(from)?, number(to)?);
        let whole = !range.replace("..", " ").contains('.');
        let start = start.map_or(Ok((from + to) / 2.0), number)?;
        let start = if whole { start.round() } else { start };
        if from >= to || !(from..=to).contains(&start) {
            return Err(format!("{text:?}: the range begins below its end, and the start lies within"));
        }
        Ok(Param { key: key.to_owned(), from, to, start, whole })
    }

    /// The share of a value, from 0 at the least to 1 at the greatest.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// The value at a share of the range, as it is given to the client.
    pub fn value(&self, share: f64) -> f64 {
        let value = self.from + share * (self.to - self.from);
        if self.whole { value.round() } else { (value * 1e6).round() / 1e6 }
    }

    /// The least change of a share that makes a difference.
    pub fn least(&self) -> f64 {
        if self.whole { 0.5 / (self.to - self.from) } else { 0.0 }
    }
}

/// A client with these options behind those that it has.
pub fn named(client: &str, params: &[Param], at: &[f64]) -> String {
    let options: Vec<String> =
        params.iter().zip(at).map(|(param, at)| format!("{}={}", param.key, param.value(*at))).collect();
    let has_options = client.split_once(':').is_some_and(|(_, options)| options.contains('='));
    format!("{client}{}{}", if has_options { ',' } else { ':' }, options.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_their_ranges() {
        let read = |text: &str| Param::read(text).map(|param| (param.from, param.to, param.start, param.whole));
        assert_eq!(read("a=0..100:20"), Ok((0.0, 100.0, 20.0, true)));
        assert_eq!(read("a=-4..5"), Ok((-4.0, 5.0, 1.0, true)));
        assert_eq!(read("a=0.5..2:1"), Ok((0.5, 2.0, 1.0, false)));
        for wrong in ["a", "a=1", "a=1..x", "a=5..1", "a=0..1:2", "a=0..inf"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn clients_are_named_with_their_values() {
        let params = [Param::read("a=0..10").unwrap(), Param::read("b=0.0..1.0").unwrap()];
        assert_eq!(named("mine", &params, &[0.26, 0.5]), "mine:a=3,b=0.5");
        assert_eq!(named("mine:level=2", &params[..1], &[1.0]), "mine:level=2,a=10");
    }
}
