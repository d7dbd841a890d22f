//! The options of the client, from `options` in ladder.toml:
//! `heuristic` = full (default), territory, mobility, with `own` and `other`, its weights; `depth` = a number of plies, time (default:
//! as deep as time allows), course-turn or course-time; `nodes` = positions evaluated a move; `widths` = 80/40/30/20 or full;
//! `slides` = how many slides of queens have all their arrows looked at; `weights`, for tuning, those of the full heuristic.

use agon_client_api::{Declined, Options};
use agon_search::{Heuristic, Knot, Weights};

/// How deep to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// So many plies at most, 255 for as deep as there is time.
    Plies(u8),
    /// The course's rule by turn.
    CourseTurn,
    /// The course's rule by time.
    CourseTime,
}

/// How many moves are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Moves kept at the root, one ply below, and so on; the last holds for all deeper ones.
    pub moves: Vec<usize>,
    /// Slides of queens whose arrows are all looked at, below the root.
    pub slides: usize,
}

impl Widths {
    /// Every move.
    pub fn full() -> Widths {
        Widths { moves: vec![usize::MAX], slides: usize::MAX }
    }

    /// Moves kept so many plies below the root.
    pub fn at(&self, ply: usize) -> usize {
        self.moves[ply.min(self.moves.len() - 1)]
    }
}

/// The options, read.
#[derive(Clone, Debug)]
pub struct Settings {
    pub heuristic: Heuristic,
    pub depth: Depth,
    /// Positions evaluated a move; `u64::MAX` without a limit.
    pub nodes: u64,
    pub widths: Widths,
    /// Bytes for the tables.
    pub table: u64,
    /// How the client is shown.
    pub name: &'static str,
}

/// The most memory for tables: more is not filled in a move.
const LARGEST_TABLE: u64 = 256 << 20;
/// The largest weight of a term, thousandths, either way: sums of them stay numbers of 32 bits.
const LARGEST_WEIGHT: i32 = 10_000;

impl Settings {
    /// Reads the options; `memory` is the limit of the process in bytes, 0 for none.
    pub fn read(options: &Options, memory: u64) -> Result<Settings, Declined> {
        let (heuristic, name) = heuristic(options)?;
        let slides = number(options, "slides", 1..=4096)?.unwrap_or(24) as usize;
        Ok(Settings {
            heuristic,
            depth: depth(options)?,
            nodes: number(options, "nodes", 1..=u64::MAX)?.unwrap_or(u64::MAX),
            widths: widths(options, slides)?,
            table: if memory == 0 { 64 << 20 } else { (memory / 4).min(LARGEST_TABLE) },
            name,
        })
    }
}

fn heuristic(options: &Options) -> Result<(Heuristic, &'static str), Declined> {
    match options.get("heuristic") {
        None | Some("full") => Ok((Heuristic::Full(weights(options)?), "alphabeta")),
        Some("territory") => Ok((Heuristic::Territory, "alphabeta-territory")),
        Some("mobility") => {
            let weight = |key| Ok::<_, Declined>(number(options, key, 0..=1000)?.unwrap_or(1) as i32);
            Ok((Heuristic::Mobility { own: weight("own")?, other: weight("other")? }, "alphabeta-mobility"))
        }
        Some(other) => Err(format!("heuristic = \"{other}\": not full, territory or mobility").into()),
    }
}

/// Four knots parted by `/`: the contested fraction in 1/256, and the weights of t1, c1, c2, t2 and mobility in thousandths.
fn weights(options: &Options) -> Result<Weights, Declined> {
    let Some(text) = options.get("weights") else { return Ok(Weights::default()) };
    let knot = |text: &str| {
        let numbers: Option<Vec<i32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        let numbers: [i32; 6] = numbers?.try_into().ok()?;
        let [at, weights @ ..] = numbers;
        let is_bounded =
            (0..=256).contains(&at) && weights.iter().all(|weight| (-LARGEST_WEIGHT..=LARGEST_WEIGHT).contains(weight));
        is_bounded.then_some(Knot { at, weights })
    };
    let knots: Option<Vec<Knot>> = text.split('/').map(knot).collect();
    let knots: Option<[Knot; 4]> = knots.and_then(|knots| knots.try_into().ok());
    let ascend = |knots: &[Knot; 4]| knots.is_sorted_by(|low, high| low.at < high.at);
    let wrong = || {
        format!(
            "weights = \"{text}\": not four knots AT,T1,C1,C2,T2,M parted by /, AT ascending from 0 to 256, \
             the others from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}"
        )
        .into()
    };
    knots.filter(ascend).map(Weights).ok_or_else(wrong)
}

fn depth(options: &Options) -> Result<Depth, Declined> {
    match options.get("depth") {
        None | Some("time") => Ok(Depth::Plies(u8::MAX)),
        Some("course-turn") => Ok(Depth::CourseTurn),
        Some("course-time") => Ok(Depth::CourseTime),
        Some(_) => Ok(Depth::Plies(number(options, "depth", 1..=254)?.unwrap_or(1) as u8)),
    }
}

fn widths(options: &Options, slides: usize) -> Result<Widths, Declined> {
    let text = options.get("widths").unwrap_or("80/40/30/20");
    if text == "full" {
        return Ok(Widths::full());
    }
    let moves: Option<Vec<usize>> = text.split('/').map(|width| width.trim().parse().ok()).collect();
    match moves.filter(|moves| moves.iter().all(|width| *width > 0)) {
        Some(moves) => Ok(Widths { moves, slides }),
        None => Err(format!("widths = \"{text}\": not full and no numbers such as 80/40/30/20").into()),
    }
}

fn number(options: &Options, key: &str, range: std::ops::RangeInclusive<u64>) -> Result<Option<u64>, Declined> {
    let Some(text) = options.get(key) else { return Ok(None) };
    match text.parse().ok().filter(|value| range.contains(value)) {
        Some(value) => Ok(Some(value)),
        None => Err(format!("{key} = \"{text}\": no whole number from {} to {}", range.start(), range.end()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let settings = Settings::read(&Options("depth = 3\nwidths = 9/8\nheuristic = mobility\nown = 3"), 8).unwrap();
        assert_eq!(settings.depth, Depth::Plies(3));
        assert_eq!((settings.widths.at(0), settings.widths.at(5), settings.table), (9, 8, 2));
        assert_eq!(settings.heuristic, Heuristic::Mobility { own: 3, other: 1 });
        assert_eq!(Settings::read(&Options("depth = course-turn"), 0).unwrap().depth, Depth::CourseTurn);
    }

    #[test]
    fn weights_are_read_within_their_bounds() {
        let text = "weights = 0,10000,-10000,0,0,0/1,1,2,3,4,5/255,0,0,0,0,0/256,0,0,0,0,0";
        let Heuristic::Full(Weights(knots)) = Settings::read(&Options(text), 0).unwrap().heuristic else { panic!() };
        assert_eq!(knots.map(|knot| knot.at), [0, 1, 255, 256]);
        assert_eq!([knots[0].weights, knots[1].weights], [[10_000, -10_000, 0, 0, 0], [1, 2, 3, 4, 5]]);
    }

    #[test]
    fn wrong_options_are_named() {
        for (text, key) in [
            ("heuristic = best", "heuristic"),
            ("depth = 0", "depth"),
            ("weights = 1,2", "weights"),
            ("weights = 0,1,1,1,1,0/1,1,1,1,1,0/2,1,1,1,1,0/3,1,1,1,1,10001", "weights"),
            ("weights = 0,1,1,1,1,0/1,1,1,1,-2147483648,0/2,1,1,1,1,0/3,1,1,1,1,0", "weights"),
            ("weights = 0,1,1,1,1,0/1,1,1,1,1,0/2,1,1,1,1,0/257,1,1,1,1,0", "weights"),
            ("weights = -1,1,1,1,1,0/1,1,1,1,1,0/2,1,1,1,1,0/3,1,1,1,1,0", "weights"),
            ("widths = 0/2", "widths"),
        ] {
            assert!(Settings::read(&Options(text), 0).unwrap_err().0.starts_with(key));
        }
    }
}
