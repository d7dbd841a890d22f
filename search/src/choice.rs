//! The options that choose a heuristic, the same for all searching clients. `heuristic` is network (default), full,
//! territory or mobility; `own` and `other` are the weights of mobility. `weights`, for tuning, are those of the full
//! heuristic, which is the default if they are given. `lanes` are the processor's instructions for evaluation.

use crate::board_tables::BoardTables;
use crate::evaluator::{Evaluator, Path};
use crate::processor::Avx2;
use crate::value::{Heuristic, Knot, Weights};

/// A weight beyond that says nothing that a smaller one does not, and could overflow.
const LARGEST: i32 = 10_000;

impl Heuristic {
    /// Reads the heuristic from the options; `get` gives the value of an option, if it is set.
    ///
    /// # Errors
    /// An option is wrong; the text gives its name, its value and the possible values.
    pub fn from_options<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Result<Heuristic, String> {
        let weight = |key: &str| match get(key) {
            None => Ok(1),
            Some(text) => text
                .parse()
                .ok()
                .filter(|weight| (0..=1000).contains(weight))
                .ok_or_else(|| format!("{key} = \"{text}\" is not a whole number from 0 to 1000")),
        };
        match get("heuristic") {
            None if get("weights").is_none() => Ok(Heuristic::Network),
            Some("network") => Ok(Heuristic::Network),
            None | Some("full") => Ok(Heuristic::Full(get("weights").map_or(Ok(Weights::default()), weights)?)),
            Some("territory") => Ok(Heuristic::Territory),
            Some("mobility") => Ok(Heuristic::Mobility { own: weight("own")?, other: weight("other")? }),
            Some(other) => Err(format!("heuristic = \"{other}\": not network, full, territory or mobility")),
        }
    }
}

/// Four knots, each of six numbers parted by `:`, parted by `/`: the contested fraction in 1/256, and the weights of
/// t1, c1, c2, t2 and mobility in thousandths.
fn weights(text: &str) -> Result<Weights, String> {
    let knot = |text: &str| {
        let numbers: Option<Vec<i32>> = text.split(':').map(|number| number.trim().parse().ok()).collect();
        let [at, weights @ ..] = <[i32; 6]>::try_from(numbers?).ok()?;
        let is_small = (0..=256).contains(&at) && weights.iter().all(|weight| (-LARGEST..=LARGEST).contains(weight));
        is_small.then_some(Knot { at, weights })
    };
    let knots: Option<Vec<Knot>> = text.split('/').map(knot).collect();
    let knots: Option<[Knot; 4]> = knots.and_then(|knots| knots.try_into().ok());
    let ascend = |knots: &[Knot; 4]| knots.is_sorted_by(|low, high| low.at < high.at);
    knots.filter(ascend).map(Weights).ok_or_else(|| {
        format!(
            "weights = \"{text}\": not four knots AT:T1:C1:C2:T2:M parted by /, AT from 0 to 256 and ascending, \
             the weights from -{LARGEST} to {LARGEST}"
        )
    })
}

/// Which instructions of the processor evaluate. The numbers are the same, and so are the moves for the same nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lanes {
    /// The fastest that the processor has.
    #[default]
    Auto,
    /// Those that every processor has.
    Portable,
    Avx2,
}

impl Lanes {
    /// From the option `lanes`: auto (default), portable or avx2.
    ///
    /// # Errors
    /// It is none of them, or this processor does not have it.
    pub fn from_option(text: Option<&str>) -> Result<Lanes, String> {
        match text {
            None | Some("auto") => Ok(Lanes::Auto),
            Some("portable") => Ok(Lanes::Portable),
            Some("avx2") if Avx2::detect().is_some() => Ok(Lanes::Avx2),
            Some("avx2") => Err("lanes = \"avx2\": this processor does not have it; auto takes the fastest".to_owned()),
            Some(other) => Err(format!("lanes = \"{other}\": not auto, portable or avx2")),
        }
    }

    /// The evaluator of a board by these instructions.
    pub fn evaluator(self, tables: &BoardTables, heuristic: Heuristic) -> Evaluator {
        match self {
            Lanes::Auto => Evaluator::new(tables, heuristic),
            Lanes::Portable => Evaluator::on_path(tables, heuristic, Path::Portable),
            Lanes::Avx2 => Evaluator::on_path(tables, heuristic, Path::Avx2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &'static str) -> Result<Heuristic, String> {
        Heuristic::from_options(|key| {
            options.lines().filter_map(|line| line.split_once('=')).find(|pair| pair.0 == key).map(|pair| pair.1)
        })
    }

    #[test]
    fn heuristics_are_read() {
        assert!([read(""), read("heuristic=network")].iter().all(|read| *read == Ok(Heuristic::Network)));
        assert_eq!(read("heuristic=full"), Ok(Heuristic::Full(Weights::default())));
        assert_eq!(read("heuristic=territory"), Ok(Heuristic::Territory));
        assert_eq!(read("heuristic=mobility\nown=3"), Ok(Heuristic::Mobility { own: 3, other: 1 }));
        let knots = "0:900:0:0:0:0/38:1:2:3:4:5/90:0:0:0:0:-9/154:0:0:0:0:10000";
        let Ok(Heuristic::Full(weights)) = read(format!("weights={knots}").leak()) else { panic!() };
        assert_eq!((weights.0[1].at, weights.0[2].weights[4]), (38, -9));
    }

    #[test]
    fn wrong_options_are_named() {
        let knots = |last: &str| format!("weights=0:0:0:0:0:0/1:0:0:0:0:0/2:0:0:0:0:0/{last}").leak() as &str;
        for (options, key) in [
            ("heuristic=best", "heuristic"),
            ("heuristic=mobility\nown=-1", "own"),
            ("weights=1,2", "weights"),
            (knots("2:0:0:0:0:0"), "weights"),
            (knots("257:0:0:0:0:0"), "weights"),
            (knots("3:0:0:10001:0:0"), "weights"),
        ] {
            assert!(read(options).unwrap_err().starts_with(key), "{options}");
        }
    }
}
