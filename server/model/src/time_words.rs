//! Time controls in the notation of other match programs: `10+0.1`, `40/1:30+3`, `60`, `0+1`, `st=1`.

use crate::TimeControl;
use crate::units::duration;
use std::fmt;

/// The times that the text of a time control gives a client, microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeWords {
    /// The time for all moves of a match, or of a period.
    pub total: Option<u64>,
    /// The time added after each move.
    pub increment: Option<u64>,
    /// The number of moves after which the total is given again.
    pub period: Option<u32>,
    pub per_move: Option<u64>,
}

/// The longest period, moves.
pub const LONGEST_PERIOD: u32 = 1_000_000;

/// The longest total: seven days.
const LONGEST_TOTAL: u64 = 604_800_000_000;

const FORM: &str = "write 10+0.1 (seconds for all moves and after each), 40/60 (for each 40 moves), 40/1:30+3 (1:30 is \
                    90 s), 60 (for all moves), 0+1 (1 s at first and after each move) or st=1 (for each move)";

impl TimeWords {
    /// Reads a text, in seconds: `10+0.1` and `tc=60` for all moves, `40/60` for each forty moves, `1:30` with minutes,
    /// `st=1` for each move. `0+1` begins with the increment, so that there is time for a first move.
    ///
    /// # Errors
    /// The text says what is wrong, and what to write.
    pub fn read(text: &str) -> Result<TimeWords, String> {
        let text = text.trim();
        if let Some(each) = text.strip_prefix("st=") {
            return Ok(TimeWords { per_move: Some(seconds(each, 1)?), ..TimeWords::default() });
        }
        let text = text.strip_prefix("tc=").unwrap_or(text);
        let (period, text) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves_of_period(moves)?), rest),
            None => (None, text),
        };
        let (total, increment) = match text.split_once('+') {
            Some((total, more)) => (clock(total)?, Some(seconds(more, 0)?)),
            None => (clock(text)?, None),
        };
        let total = match (total, increment, period) {
            (0, Some(increment), None) if increment > 0 => increment,
            (0, ..) => return Err(FORM.to_owned()),
            (total, ..) => total,
        };
        Ok(TimeWords { total: Some(total), increment, period, per_move: None })
    }

    /// A time control that differs from this one only by these budgets.
    #[must_use]
    pub fn over(&self, common: &TimeControl) -> TimeControl {
        TimeControl {
            total_us: self.total,
            increment_us: self.increment.unwrap_or(0),
            period: self.period,
            per_move_us: self.per_move,
            ..common.clone()
        }
    }
}

impl From<&TimeControl> for TimeWords {
    fn from(time: &TimeControl) -> TimeWords {
        TimeWords {
            total: time.total_us,
            increment: Some(time.increment_us).filter(|us| *us > 0),
            period: time.period,
            per_move: time.per_move_us,
        }
    }
}

impl fmt::Display for TimeWords {
    /// Writes the text that reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(total) = self.total else {
            return match self.per_move {
                Some(each) => write!(f, "st={}", in_seconds(each)),
                None => f.write_str("no limit"),
            };
        };
        if let Some(period) = self.period {
            write!(f, "{period}/")?;
        }
        f.write_str(&in_seconds(total))?;
        match self.increment {
            Some(increment) if increment > 0 => write!(f, "+{}", in_seconds(increment)),
            _ => Ok(()),
        }
    }
}

/// Writes the exact value, as short as possible.
fn in_seconds(us: u64) -> String {
    let text = format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn moves_of_period(text: &str) -> Result<u32, String> {
    let moves = text.trim().parse().ok().filter(|moves| (1..=LONGEST_PERIOD).contains(moves));
    moves.ok_or_else(|| FORM.to_owned())
}

/// Reads seconds, or minutes and seconds: `90`, `1:30`.
fn clock(text: &str) -> Result<u64, String> {
    let Some((minutes, rest)) = text.split_once(':') else { return seconds(text, 0) };
    let is_number = !minutes.is_empty() && minutes.bytes().all(|byte| byte.is_ascii_digit());
    let minutes: u64 = minutes.parse().ok().filter(|_| is_number).ok_or_else(|| FORM.to_owned())?;
    let rest = seconds(rest, 0).ok().filter(|us| *us < 60_000_000).ok_or_else(|| FORM.to_owned())?;
    let us = minutes.checked_mul(60_000_000).and_then(|us| us.checked_add(rest)).filter(|us| *us <= LONGEST_TOTAL);
    us.ok_or_else(|| FORM.to_owned())
}

/// Reads a number of seconds, with or without an `s`; at most a week.
fn seconds(text: &str, fewest: u64) -> Result<u64, String> {
    let number = text.strip_suffix('s').unwrap_or(text).trim();
    // `5m` with an `s` would mean milliseconds.
    let is_number = number.ends_with(|c: char| c.is_ascii_digit());
    match duration(&format!("{number}s")) {
        Ok(us) if is_number && (fewest..=LONGEST_TOTAL).contains(&us) => Ok(us),
        _ => Err(without_unit(text).unwrap_or_else(|| FORM.to_owned())),
    }
}

/// The text to write instead of a time with a unit: `5m`, which is meant as minutes, `500ms`.
fn without_unit(text: &str) -> Option<String> {
    let text = text.trim();
    let minutes = text.strip_suffix('m').map(|number| format!("{number}min"));
    let us = duration(minutes.as_deref().unwrap_or(text)).ok().filter(|us| (1..=LONGEST_TOTAL).contains(us))?;
    Some(format!("write seconds without a unit: {} instead of {text}", in_seconds(us)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(total: u64, increment: Option<u64>, period: Option<u32>) -> Result<TimeWords, String> {
        Ok(TimeWords { total: Some(total), increment, period, per_move: None })
    }

    #[test]
    fn a_text_that_is_no_time_control_changes_no_time() {
        let client = |time: &str| {
            let options = [(crate::TIME_OPTION.to_owned(), time.to_owned())].into();
            crate::Entrant { label: "a".to_owned(), file: String::new(), hash: String::new(), options, refused: None }
        };
        assert_eq!(["fast", "5ss", ""].map(|time| client(time).own_time()), [None; 3]);
        assert_eq!(client("10+0.1").own_time(), words(10_000_000, Some(100_000), None).ok());
    }

    #[test]
    fn times_of_other_programs_are_read() {
        assert_eq!(TimeWords::read("10+0.1"), words(10_000_000, Some(100_000), None));
        assert_eq!(TimeWords::read("tc=60"), words(60_000_000, None, None));
        assert_eq!(TimeWords::read(" st=0.5s "), Ok(TimeWords { per_move: Some(500_000), ..TimeWords::default() }));
        assert_eq!(TimeWords::read("40/60"), words(60_000_000, None, Some(40)));
        assert_eq!(TimeWords::read("tc=1/60+0.5"), words(60_000_000, Some(500_000), Some(1)));
        assert_eq!(TimeWords::read("40/1:30+3"), words(90_000_000, Some(3_000_000), Some(40)));
        assert_eq!(TimeWords::read("2:00"), words(120_000_000, None, None));
        assert_eq!(TimeWords::read("0:30.5+0"), words(30_500_000, Some(0), None));
        assert_eq!(TimeWords::read("0+1"), words(1_000_000, Some(1_000_000), None));
        let odd =
            ["", "+", "10+", "st=", "0", "1/0", "0/60", "a/b", "-1", "10+0.1+1", "inf", "9999999", "1/2/3", "5ss"];
        let odd = odd.into_iter().chain(["40/", "/60", "1000001/60", "1.5/60", "-4/60", "0+0", "40/0+1", "0:00"]);
        for text in odd.chain(["1:60", ":30", "1:", "1:2:3", "1.5:00", "+1:00", "10+1:00", "st=1:30", "99999999:00"]) {
            let error = TimeWords::read(text).unwrap_err();
            assert!(error.starts_with("write 10+0.1") && error.contains("40/60"), "{text}: {error}");
        }
    }

    #[test]
    fn times_with_a_unit_are_told_in_seconds() {
        for (text, seconds) in [
            ("5m", "300 instead of 5m"),
            ("5min", "300 instead of 5min"),
            ("40/1.5m", "90 instead of 1.5m"),
            ("st=100ms", "0.1 instead of 100ms"),
            ("1h+10", "3600 instead of 1h"),
            ("60+500ms", "0.5 instead of 500ms"),
        ] {
            let help = format!("write seconds without a unit: {seconds}");
            assert_eq!(TimeWords::read(text).unwrap_err(), help, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_time_is_written_so_that_it_reads_back(
            total in 1..=LONGEST_TOTAL,
            increment in proptest::option::of(1..=LONGEST_TOTAL),
            period in proptest::option::of(1..=LONGEST_PERIOD),
        ) {
            let given = TimeWords { total: Some(total), increment, period, per_move: None };
            assert_eq!(TimeWords::read(&given.to_string()), Ok(given));
            let each = TimeWords { per_move: Some(total), ..TimeWords::default() };
            assert_eq!(TimeWords::read(&each.to_string()), Ok(each));
            let moves = period.map_or(String::new(), |moves| format!("{moves}/"));
            let more = increment.map_or(String::new(), |us| format!("+{}", in_seconds(us)));
            let clock = format!("{}:{}", total / 60_000_000, in_seconds(total % 60_000_000));
            assert_eq!(TimeWords::read(&format!("tc={moves}{clock}{more}")), Ok(given), "{clock}");
        }

        #[test]
        fn whatever_is_read_can_be_written(text in "[0-9:/+.st=m ]{0,14}") {
            if let Ok(read) = TimeWords::read(&text) {
                let again = TimeWords::read(&read.to_string()).unwrap();
                assert_eq!((again.total, again.period, again.per_move), (read.total, read.period, read.per_move));
                assert_eq!(again.increment.unwrap_or(0), read.increment.unwrap_or(0));
            }
        }
    }
}
