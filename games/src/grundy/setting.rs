//! The options of Grundy's game, worked out: heaps, the side that the opening favours, and the meaning of the last
//! move.

use super::draw;
use super::nimber::nimbers;
use crate::{BadOption, OptionFact, Options, Said};

/// The fewest sticks of a heap at the start, as the course asks ("must be superior to 3").
const LEAST_HEAP: u32 = 4;
/// The most heaps at the start.
const MOST_HEAPS: usize = 64;
/// The most sticks of a match that is played to its end, and of a heap with a known nimber. A match has about half as
/// many moves as sticks or more, and every turn shows all heaps.
const MOST_STICKS: u64 = 100_000;
/// The most sticks of a match that ends earlier.
pub(super) const MOST_OF_ALL: u64 = 100_000_000;
/// The most moves of a match that ends earlier.
const MOST_MOVES: u32 = 10_000;

/// The options worked out; see [`OPTIONS`].
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Least and most sticks of each heap.
    pub(super) ranges: Vec<(u32, u32)>,
    pub(super) misere: bool,
    /// A match is over once no heap has more sticks than this.
    pub(super) until: Option<u32>,
    /// A match is over after this number of moves.
    pub(super) most_moves: Option<u32>,
    /// For balanced openings: the nimbers that the heaps from each one on can have together.
    pub(super) sums: Option<Vec<draw::Sums>>,
    /// The nimber of every heap that a match can have, or, with `until`, of those with which one can end.
    pub(super) nimbers: Vec<u16>,
}

/// The options of the game.
pub(super) const OPTIONS: &[OptionFact] = &[
    OptionFact {
        key: "heaps",
        default: "8-30",
        help: "sticks of each heap, parted by commas: 8, or 5,8,13; a range such as 8-30 is drawn for each opening. \
               Up to 64 heaps of at least 4 sticks, 100000 sticks in all; 100000000 with until and moves",
        example: "heaps=8",
        asked: Some(Said::new("How many sticks (more than 3)", "Combien de bâtons (plus de 3)")),
        ..OptionFact::BASE
    },
    OptionFact {
        key: "balance",
        default: "no",
        help: "yes: openings 0, 2, 4, … are lost for the side to move, openings 1, 3, 5, … won; no: as they are drawn",
        example: "heaps=5-8,5-8 balance=yes",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "misere",
        default: "no",
        help: "no: who cannot move loses; yes: who cannot move wins",
        example: "misere=yes",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "until",
        default: "no",
        help: "a number up to 100000: the match is over as soon as no heap has more sticks; who would win from there by \
               perfect play has won. no: it is played to its end",
        example: "heaps=20-30 until=9",
        came_later: true,
        ..OptionFact::BASE
    },
    OptionFact {
        key: "moves",
        default: "no",
        help: "a number up to 10000: a match that is not over after that many moves is drawn. no: it goes on",
        example: "heaps=20-30 moves=4",
        came_later: true,
        ..OptionFact::BASE
    },
];

impl Prepared {
    pub(super) fn from_options(options: &Options) -> Result<Prepared, BadOption> {
        let yes_or_no = |key| options.choice(key, &[("no", false), ("yes", true)]);
        let text = options.get("heaps").unwrap_or_default();
        let until = number_or_no(options, "until", MOST_STICKS as u32)?;
        let most_moves = number_or_no(options, "moves", MOST_MOVES)?;
        let most_sticks = if until.is_some() && most_moves.is_some() { MOST_OF_ALL } else { MOST_STICKS };
        let ranges = parse_heaps(text, most_sticks).map_err(|why| BadOption::new("heaps", why))?;
        let (misere, balance) = (yes_or_no("misere")?, yes_or_no("balance")?);
        if let Some(until) = until {
            refuse_until(until, &ranges, misere).map_err(|why| BadOption::new("until", why))?;
        }
        if misere && balance {
            let why = "nimbers do not tell who wins when misere is \"yes\"; leave balance \"no\"";
            return Err(BadOption::new("balance", why));
        }
        let most = ranges.iter().map(|(_, most)| *most).max().unwrap_or(0);
        let is_known = u64::from(most) <= MOST_STICKS;
        if balance && !is_known {
            let why = format!("the rules know the nimbers of up to {MOST_STICKS} sticks; leave balance \"no\"");
            return Err(BadOption::new("balance", why));
        }
        let nimbers = nimbers(until.filter(|_| !is_known).unwrap_or(most) as usize);
        let sums = balance.then(|| draw::sums(&ranges, &nimbers));
        if let Some(all) = sums.as_ref().and_then(|sums| sums.first()) {
            let one_sided = match (all.has(0), all.has_other_than(0)) {
                (true, true) => None,
                (false, _) => Some("lost"),
                (true, false) => Some("won"),
            };
            if let Some(none) = one_sided {
                let why = format!("no opening within heaps = \"{text}\" is {none} for the side to move; widen a range");
                return Err(BadOption::new("balance", why));
            }
        }
        Ok(Prepared { ranges, misere, until, most_moves, sums, nimbers })
    }
}

/// A number from 1 to `most`; `None` for `no`, which turns the option off.
fn number_or_no(options: &Options, key: &str, most: u32) -> Result<Option<u32>, BadOption> {
    let text = options.get(key).unwrap_or("no");
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    match (text, number) {
        ("no", _) => Ok(None),
        (_, Some(number)) => Ok(Some(number)),
        _ => Err(BadOption::new(key, format!("\"{text}\" is neither \"no\" nor a whole number from 1 to {most}"))),
    }
}

/// Why a match cannot end when no heap has more sticks than this.
fn refuse_until(until: u32, ranges: &[(u32, u32)], misere: bool) -> Result<(), String> {
    if misere {
        return Err("nimbers do not tell who wins when misere is \"yes\"; leave until \"no\"".to_owned());
    }
    if ranges.iter().all(|(least, _)| *least <= until) {
        let why = "an opening could be over before the first move; let one heap begin with more sticks than that";
        return Err(format!("{until}: {why}"));
    }
    Ok(())
}

/// Reads `8-30, 5` as least and most of each heap.
fn parse_heaps(text: &str, most_sticks: u64) -> Result<Vec<(u32, u32)>, String> {
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > MOST_HEAPS {
        return Err(format!("{} heaps are given, and {MOST_HEAPS} are the most", parts.len()));
    }
    let ranges = parts.into_iter().map(parse_range).collect::<Result<Vec<_>, _>>()?;
    let sticks: u64 = ranges.iter().map(|(_, most)| u64::from(*most)).sum();
    if sticks > most_sticks {
        let why = match most_sticks {
            MOST_OF_ALL => "",
            _ => {
                ": a match has about half as many moves as sticks or more, and each turn shows all heaps; \
                 until = \"100000\" and moves = \"10000\" end it before, and allow 100000000"
            }
        };
        return Err(format!("up to {sticks} sticks in all, and {most_sticks} are the most{why}"));
    }
    Ok(ranges)
}

fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |part: &str| {
        let part = part.trim();
        part.parse().map_err(|_| format!("\"{part}\" is not a number of sticks; write 8, or 5,8,13, or 8-30"))
    };
    let (least, most): (u32, u32) = (number(least)?, number(most)?);
    match (least, most) {
        _ if least < LEAST_HEAP => Err(format!("a heap of {least} sticks is too small; {LEAST_HEAP} are the least")),
        _ if most < least => Err(format!("the range {least}-{most} is empty; write the smaller number first")),
        range => Ok(range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<(u32, u32)>, String> {
        parse_heaps(text, MOST_STICKS)
    }

    #[test]
    fn heaps_are_read() {
        assert_eq!(parse("8"), Ok(vec![(8, 8)]));
        assert_eq!(parse(" 5, 8 - 30 ,13"), Ok(vec![(5, 5), (8, 30), (13, 13)]));
        assert_eq!(parse("100000"), Ok(vec![(100_000, 100_000)]));
    }

    #[test]
    fn wrong_heaps_are_refused_with_the_reason() {
        let many = vec!["4"; 65].join(",");
        let cases = [
            ("", "\"\" is not a number of sticks"),
            ("8,,9", "\"\" is not a number"),
            ("-8", "\"\" is not a number"),
            ("8-9-10", "\"9-10\" is not a number"),
            ("99999999999", "is not a number of sticks"),
            ("3", "a heap of 3 sticks is too small; 4 are the least"),
            ("9-8", "the range 9-8 is empty"),
            ("50000,4-50001", "up to 100001 sticks in all, and 100000 are the most"),
            ("4294967295,4294967295", "up to 8589934590 sticks"),
            (&many, "65 heaps are given, and 64 are the most"),
        ];
        for (text, words) in cases {
            let why = parse(text).unwrap_err();
            assert!(why.contains(words), "{text}: {why}");
        }
    }
}
