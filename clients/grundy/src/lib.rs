//! Grundy's game, as the course's program came to play it: option `version` = `0` to `6`, each with one more idea for
//! the question whether a position is lost, or `random`. All play a winning split where there is one, else any split.
#![forbid(unsafe_code)]

mod lists;
mod nimbers;
mod plain;
mod splits;
mod tabled;

use agon_client_api::chance::{Rng, rng};
use agon_client_api::grundy::{Grundy, Move, NimberTable, Setup, Turn};
use agon_client_api::{Client, Declined, Mistakes, data, export_client, log};
use lists::Lists;
use nimbers::Nimbers;
use plain::Plain;
use splits::random_split;
use tabled::Tabled;

/// Most sticks for the versions that search. Far beyond their reach, and so few that the recursion fits the stack.
const MOST_SEARCHED: u32 = 500;

/// The percentage of splits that each level draws; the highest plays as without a level.
const MISTAKES: [u64; 3] = [75, 30, 0];

/// Most sticks of a heap for the version that computes nimbers: some seconds.
const MOST_COMPUTED: u32 = 1_000_000;

/// The logged value of a position that is proved to be won, docs/reference/abi.md; a lost one has its negative.
const PROVED: i32 = 9_000;

/// The file that a ladder gives to version 6, if its option `table` does not name another.
const TABLE: &str = "grundy.table";

/// A version of the program.
trait Version {
    /// A winning split: of all versions but the last the first one, heap by heap and from one stick on; `None` in a
    /// lost position.
    fn winning_split(&mut self, heaps: &[u32]) -> Option<Move>;

    /// How many positions it has examined so far.
    fn calls(&self) -> u64;
}

/// How to choose a split; `None`: any.
type Choice = Option<Box<dyn Version>>;

struct Course {
    name: &'static str,
    version: Choice,
    mistakes: Mistakes,
    rng: Rng,
}

impl Course {
    fn by_name(version: &str, misere: bool) -> Result<(&'static str, Choice), Declined> {
        let lists = |ideas| -> Choice { Some(Box::new(Lists::new(ideas, misere))) };
        Ok(match version {
            "0" => ("Grundy V0", Some(Box::new(Plain::new(misere)))),
            "1" => ("Grundy V1", lists(1)),
            "2" => ("Grundy V2", lists(2)),
            "3" | "4" | "5" | "6" if misere => {
                return Err(format!(
                    "version = \"{version}\" rests on nimbers, which do not tell who wins when misere is \"yes\"; \
                     versions 0, 1 and 2 search by the rule alone"
                )
                .into());
            }
            "3" => ("Grundy V3", lists(3)),
            "4" => ("Grundy V4", lists(4)),
            "5" => ("Grundy V5", Some(Box::new(Nimbers::new()))),
            "random" => ("Grundy random", None),
            other => {
                return Err(format!("version = \"{other}\" is not one of 0, 1, 2, 3, 4, 5, 6, random").into());
            }
        })
    }

    /// Version 6 with the table of this name, for heaps of up to `most` sticks.
    fn by_table(name: &str, most: u32) -> Result<(&'static str, Choice), Declined> {
        let Some(bytes) = data(name) else {
            return Err(format!(
                "version = \"6\" needs its table: make one with `agon grundy table {name}`, and give it by \
                 data = [\"{name}\"] beside the options"
            )
            .into());
        };
        let table = NimberTable::open(bytes).map_err(|bad| format!("{name}: {bad}"))?;
        if table.most() < most {
            let known = table.most();
            return Err(format!(
                "{name} knows heaps of up to {known} sticks, and there is one of {most}; help: make a larger one with \
                 `agon grundy table FILE --to {most}`"
            )
            .into());
        }
        Ok(("Grundy V6", Some(Box::new(Tabled::new(table)))))
    }
}

impl Client for Course {
    type Game = Grundy;
    const NAME: &'static str = "Grundy";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let level = setup.options.number("level", 1..=MISTAKES.len() as u64)?;
        let usual = level.map_or(0, |level| MISTAKES[level as usize - 1]);
        let mistakes = Mistakes::read(setup.options, usual, setup.facts.head.seed)?;
        let table = setup.options.get("table").unwrap_or(TABLE);
        let default = match setup.misere() {
            true => "2",
            false if data(table).is_some() => "6",
            false => "5",
        };
        let chosen = setup.options.get("version").unwrap_or(default);
        let most = setup.heaps.iter().copied().max().unwrap_or(0);
        let (name, version) = match (chosen, setup.misere()) {
            ("6", false) => Course::by_table(table, most)?,
            ("5", false) if most > MOST_COMPUTED => {
                return Err(format!(
                    "version = \"5\" computes the nimbers of up to {MOST_COMPUTED} sticks, and a heap has {most}; \
                     version 6 has them from a table"
                )
                .into());
            }
            (chosen, misere) => Course::by_name(chosen, misere)?,
        };
        let sticks: u32 = setup.heaps.iter().sum();
        if sticks > MOST_SEARCHED && !["5", "6", "random"].contains(&chosen) {
            return Err(format!(
                "version = \"{chosen}\" searches at most {MOST_SEARCHED} sticks, and there are {sticks}; \
                 version 5 takes any number"
            )
            .into());
        }
        let name = match level {
            Some(1) => "Grundy, level 1",
            Some(2) => "Grundy, level 2",
            _ => name,
        };
        Ok(Course { name, version, mistakes, rng: rng(setup.facts.head.seed) })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let is_mistake = self.mistakes.this_turn().is_some();
        let version = self.version.as_mut().filter(|_| !is_mistake);
        if version.is_none() {
            log("value", 0);
        }
        let found = version.and_then(|version| {
            let before = version.calls();
            let found = version.winning_split(turn.heaps);
            log("calls", version.calls() - before);
            log("value", if found.is_some() { PROVED } else { -PROVED });
            found
        });
        found.unwrap_or_else(|| random_split(turn.heaps, &mut self.rng))
    }
}

export_client!(Course);

#[cfg(test)]
mod tests {
    use super::*;
    use agon_client_api::chance::below;

    const VERSIONS: [&str; 6] = ["0", "1", "2", "3", "4", "5"];

    fn version(name: &str, misere: bool) -> Box<dyn Version> {
        Course::by_name(name, misere).unwrap().1.unwrap()
    }

    /// How many positions a version examines for the first move.
    fn calls(name: &str, sticks: u32) -> u64 {
        let mut version = version(name, false);
        version.winning_split(&[sticks]);
        version.calls()
    }

    #[test]
    fn the_calls_of_the_plain_version_are_those_of_the_course() {
        assert_eq!([8, 9, 19].map(|sticks| calls("0", sticks)), [19, 39, 422_885]);
    }

    #[test]
    #[ignore = "takes about 15 s"]
    fn the_calls_of_the_plain_version_are_those_of_the_course_for_26_sticks() {
        assert_eq!(calls("0", 26), 1_180_286_628);
    }

    /// The program of the course counts positions that are not in its lists; the first with no heap left is one of
    /// them.
    #[test]
    fn the_calls_with_a_list_of_losing_positions_are_those_of_the_course() {
        let misses = [10, 11, 2_542];
        assert_eq!([8, 9, 19].map(|sticks| calls("1", sticks)), misses.map(|misses| misses + 1));
    }

    #[test]
    fn the_calls_with_both_lists_are_those_of_the_course() {
        let misses = [7, 8, 154, 1_537, 11_809];
        assert_eq!([8, 9, 19, 30, 41].map(|sticks| calls("2", sticks)), misses.map(|misses| misses + 1));
    }

    /// No figures of the course: it does not say exactly which heaps it removes when. These are our own, to see
    /// changes.
    #[test]
    fn the_calls_of_the_versions_that_simplify_stay_as_they_are() {
        assert_eq!([8, 9, 19, 30, 41].map(|sticks| calls("3", sticks)), [6, 7, 44, 189, 830]);
        assert_eq!([8, 9, 19, 30, 41, 64].map(|sticks| calls("4", sticks)), [1, 2, 20, 68, 246, 1_276]);
    }

    /// Plays like the course's first sample: the unique winning split first, then the first in order.
    #[test]
    fn every_version_plays_the_sample_match() {
        for name in VERSIONS {
            let mut version = version(name, false);
            let mut plays = |heaps: &[u32]| version.winning_split(heaps).map(|mv| (mv.heap, mv.split));
            assert_eq!(plays(&[8]), Some((0, 1)), "version {name}");
            assert_eq!(plays(&[7, 1]), None, "version {name}");
            assert_eq!(plays(&[4, 1, 3]), Some((0, 1)), "version {name}");
            assert_eq!(plays(&[2, 1, 3, 1, 1]), Some((2, 1)), "version {name}");
            assert_eq!(plays(&[2, 1, 2, 1, 1, 1]), None, "version {name}");
        }
    }

    #[test]
    fn all_versions_find_the_same_split_of_one_heap() {
        for sticks in 1..=60 {
            let expected = version("5", false).winning_split(&[sticks]);
            let reach = [25, 25, 40, 50, 60].into_iter().zip(VERSIONS).filter(|(most, _)| sticks <= *most);
            for (_, name) in reach {
                assert_eq!(version(name, false).winning_split(&[sticks]), expected, "version {name}, {sticks} sticks");
            }
        }
    }

    #[test]
    fn all_versions_find_the_same_split_of_random_heaps() {
        let mut rng = rng(1);
        let mut versions = VERSIONS.map(|name| version(name, false));
        for _ in 0..200 {
            let heaps: Vec<u32> = (0..=below(&mut rng, 4)).map(|_| 1 + below(&mut rng, 6) as u32).collect();
            let found = versions.each_mut().map(|version| version.winning_split(&heaps));
            assert!(found.iter().all(|split| *split == found[5]), "{heaps:?}: {found:?}");
        }
    }

    #[test]
    fn in_misere_the_searching_versions_agree() {
        let mut rng = rng(2);
        let mut versions = ["0", "1", "2"].map(|name| version(name, true));
        assert_eq!(versions[0].winning_split(&[3]), None);
        assert_eq!(versions[0].winning_split(&[4]), Some(Move { heap: 0, split: 1 }));
        for _ in 0..200 {
            let heaps: Vec<u32> = (0..=below(&mut rng, 4)).map(|_| 1 + below(&mut rng, 6) as u32).collect();
            let found = versions.each_mut().map(|version| version.winning_split(&heaps));
            assert!(found.iter().all(|split| *split == found[0]), "{heaps:?}: {found:?}");
        }
    }

    #[test]
    fn what_cannot_be_is_declined_with_the_reason() {
        let why = |name, misere| Course::by_name(name, misere).err().unwrap().0;
        assert_eq!(why("7", false), "version = \"7\" is not one of 0, 1, 2, 3, 4, 5, 6, random");
        assert!(why("5", true).contains("versions 0, 1 and 2 search"));
    }
}
