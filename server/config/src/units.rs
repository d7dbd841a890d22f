//! Times, sizes and decimals as people write them: `100ms`, `512MiB`, `0.5`.

/// Units of time, in microseconds.
const TIMES: [(&str, u64); 6] =
    [("us", 1), ("ms", 1_000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000)];

/// Units of size, in bytes.
const SIZES: [(&str, u64); 7] = [
    ("B", 1),
    ("kB", 1_000),
    ("KiB", 1 << 10),
    ("MB", 1_000_000),
    ("MiB", 1 << 20),
    ("GB", 1_000_000_000),
    ("GiB", 1 << 30),
];

/// Microseconds of `1s`, `100ms`, `50us`, `2min`, `1.5h`.
///
/// # Errors
/// What is wrong with the text.
pub fn duration(text: &str) -> Result<u64, String> {
    quantity(text, &TIMES, "1s")
}

/// Bytes of `512MiB`, `64KiB`, `1GB`.
///
/// # Errors
/// What is wrong with the text.
pub fn size(text: &str) -> Result<u64, String> {
    quantity(text, &SIZES, "512MiB")
}

/// What `10+0.1`, `40/60`, `60` or `st=1` gives a client, microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeWords {
    /// For all moves of a match, or of a period.
    pub total: Option<u64>,
    /// After each move.
    pub increment: Option<u64>,
    /// After so many moves the total is given again.
    pub period: Option<u32>,
    /// For each move.
    pub per_move: Option<u64>,
}

/// The longest period, moves.
pub const LONGEST_PERIOD: u32 = 1_000_000;

/// Time as other programs for matches write it, in seconds: `10+0.1` and `tc=60` for all moves, `40/60` for forty and
/// the next forty, `st=1` for each.
///
/// # Errors
/// What is wrong with the text, and what to write.
pub fn time_words(text: &str) -> Result<TimeWords, String> {
    let text = text.trim();
    if let Some(each) = text.strip_prefix("st=") {
        return Ok(TimeWords { per_move: Some(seconds(each, 1)?), ..TimeWords::default() });
    }
    let text = text.strip_prefix("tc=").unwrap_or(text);
    let (period, text) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves_of_period(moves)?), rest),
        None => (None, text),
    };
    let (total, increment) = text.split_once('+').map_or((text, None), |(total, more)| (total, Some(more)));
    Ok(TimeWords {
        total: Some(seconds(total, 1)?),
        increment: increment.map(|more| seconds(more, 0)).transpose()?,
        period,
        per_move: None,
    })
}

const TIME_FORM: &str = "write 10+0.1 (seconds for all moves and after each), 40/60 (for each 40 moves), 60 (for all \
                         moves) or st=1 (for each)";

fn moves_of_period(text: &str) -> Result<u32, String> {
    let moves = text.trim().parse().ok().filter(|moves| (1..=LONGEST_PERIOD).contains(moves));
    moves.ok_or_else(|| TIME_FORM.to_owned())
}

/// A number of seconds, with an `s` or without; at most a week.
fn seconds(text: &str, fewest: u64) -> Result<u64, String> {
    let number = text.strip_suffix('s').unwrap_or(text).trim();
    // `5m` and an `s` would be milliseconds.
    let is_number = number.ends_with(|c: char| c.is_ascii_digit());
    match duration(&format!("{number}s")) {
        Ok(us) if is_number && (fewest..=604_800_000_000).contains(&us) => Ok(us),
        _ => Err(in_seconds(text).unwrap_or_else(|| TIME_FORM.to_owned())),
    }
}

/// What to write instead of a time with a unit: `5m`, which is meant as minutes, `500ms`.
fn in_seconds(text: &str) -> Option<String> {
    let text = text.trim();
    let minutes = text.strip_suffix('m').map(|number| format!("{number}min"));
    let us = duration(minutes.as_deref().unwrap_or(text)).ok().filter(|us| (1..=604_800_000_000).contains(us))?;
    Some(format!("write seconds without a unit: {} instead of {text}", us as f64 / 1e6))
}

fn quantity(text: &str, units: &[(&str, u64)], example: &str) -> Result<u64, String> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
    let names = || units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if number.is_empty() {
        return Err(format!("write a number and a unit, such as \"{example}\""));
    }
    if unit.is_empty() {
        let number = if number.trim_matches(['0', '.']).is_empty() { "1" } else { number };
        return Err(format!("write a unit: \"{number}{}\" (there are {})", units[units.len() / 3].0, names()));
    }
    let Some((_, factor)) = units.iter().find(|(name, _)| *name == unit.trim_start()) else {
        return Err(format!("there is no unit \"{}\", only {}", unit.trim_start(), names()));
    };
    let scaled =
        scale(number, u128::from(*factor)).ok_or_else(|| format!("\"{text}\" is no whole number of {}", units[0].0))?;
    u64::try_from(scaled).map_err(|_| format!("\"{text}\" is far too much"))
}

/// `number * factor`, if that is whole; no floating point, so that `0.1s` is exactly 100 ms.
fn scale(number: &str, factor: u128) -> Option<u128> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || (part.is_empty() && number.contains('.')) || part.contains('.') || part.len() > 12 {
        return None;
    }
    let digits: u128 = format!("{whole}{part}").parse().ok()?;
    let power = 10u128.pow(part.len() as u32);
    let product = digits.checked_mul(factor)?;
    (product % power == 0).then_some(product / power)
}

/// Thousandths of `1`, `0.5`, `-10`: at most three places.
pub fn thousandths(text: &str) -> Option<i64> {
    let (sign, number) = match text.strip_prefix('-') {
        Some(number) => (-1, number),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let scaled = scale(number, 1000)?;
    Some(sign * i64::try_from(scaled).ok()?)
}

/// The shortest exact way to write microseconds: `1s`, `100ms`.
pub fn show_duration(us: u64) -> String {
    show(us, &TIMES[..3])
}

/// Seconds as people say them: `40 s`, `17 min`, `5.2 h`, `3.1 days`.
pub fn about_duration(seconds: f64) -> String {
    match seconds {
        ..120.0 => format!("{seconds:.0} s"),
        ..7_200.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// The shortest exact way to write bytes: `512MiB`, `1kB`.
pub fn show_size(bytes: u64) -> String {
    show(bytes, &SIZES)
}

/// Bytes in two or three digits, for people: `4.1 kB`, `52 GB`.
pub fn about_size(bytes: u64) -> String {
    let (mut value, mut unit) = (bytes as f64, 0);
    let units = ["B", "kB", "MB", "GB", "TB", "PB"];
    while value >= 999.5 && unit + 1 < units.len() {
        (value, unit) = (value / 1e3, unit + 1);
    }
    if unit > 0 && value < 9.95 { format!("{value:.1} {}", units[unit]) } else { format!("{value:.0} {}", units[unit]) }
}

fn show(value: u64, units: &[(&str, u64)]) -> String {
    let fitting = units.iter().rev().find(|(_, factor)| value != 0 && value.is_multiple_of(*factor));
    let (name, factor) = fitting.unwrap_or(&units[0]);
    format!("{}{name}", value / factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_exact() {
        assert_eq!(duration("1s"), Ok(1_000_000));
        assert_eq!(duration("0.1s"), Ok(100_000));
        assert_eq!(duration("1.5 min"), Ok(90_000_000));
        assert_eq!(duration("50us"), Ok(50));
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("1GB"), Ok(1_000_000_000));
    }

    #[test]
    fn long_times_are_said_in_hours_and_days() {
        let said = [0.4, 119.0, 130.0, 48_384.0, 400_000.0].map(about_duration);
        assert_eq!(said, ["0 s", "119 s", "2 min", "13.4 h", "4.6 days"]);
    }

    #[test]
    fn bad_ones_say_what_to_write() {
        assert_eq!(duration("1").unwrap_err(), "write a unit: \"1s\" (there are us, ms, s, min, h, d)");
        assert_eq!(duration("").unwrap_err(), "write a number and a unit, such as \"1s\"");
        assert_eq!(duration("-1s").unwrap_err(), "write a number and a unit, such as \"1s\"");
        assert_eq!(duration("1sec").unwrap_err(), "there is no unit \"sec\", only us, ms, s, min, h, d");
        assert_eq!(duration("0.5us").unwrap_err(), "\"0.5us\" is no whole number of us");
        assert_eq!(size("99999999999999GiB").unwrap_err(), "\"99999999999999GiB\" is far too much");
        for text in ["1.", ".5s", "1..2s", "1.2.3s", "5é"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_of_other_programs_are_read() {
        let words = |total, increment, per_move| Ok(TimeWords { total, increment, per_move, period: None });
        assert_eq!(time_words("10+0.1"), words(Some(10_000_000), Some(100_000), None));
        assert_eq!(time_words("tc=60"), words(Some(60_000_000), None, None));
        assert_eq!(time_words(" st=0.5s "), words(None, None, Some(500_000)));
        let periods = |period, increment| {
            Ok(TimeWords { total: Some(60_000_000), increment, period: Some(period), per_move: None })
        };
        assert_eq!(time_words("40/60"), periods(40, None));
        assert_eq!(time_words("tc=1/60+0.5"), periods(1, Some(500_000)));
        let odd =
            ["", "+", "10+", "st=", "0", "1/0", "0/60", "a/b", "-1", "10+0.1+1", "inf", "9999999", "1/2/3", "5ss"];
        for text in odd.into_iter().chain(["40/", "/60", "1000001/60", "1.5/60", "-4/60"]) {
            let error = time_words(text).unwrap_err();
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
            assert_eq!(time_words(text).unwrap_err(), format!("write seconds without a unit: {seconds}"), "{text}");
        }
    }

    #[test]
    fn decimals_have_at_most_three_places() {
        assert_eq!(thousandths("0.5"), Some(500));
        assert_eq!(thousandths("-10"), Some(-10_000));
        assert_eq!(thousandths("0.125"), Some(125));
        assert_eq!(thousandths("0.1250"), Some(125));
        assert_eq!(thousandths("0.1255"), None);
        assert_eq!(thousandths("1e3"), None);
        assert_eq!(thousandths("inf"), None);
    }

    #[test]
    fn what_is_shown_reads_back() {
        for us in [0, 1, 1_000, 1_500, 1_000_000, 90_000_000] {
            assert_eq!(duration(&show_duration(us)), Ok(us));
        }
        assert_eq!(show_duration(1_000_000), "1s");
        assert_eq!(show_size(512 << 20), "512MiB");
        assert_eq!(show_size(1_000_000_000), "1GB");
        assert_eq!(show_size(0), "0B");
        let about = [0, 999, 1_000, 9_949, 9_951, 999_499, 999_500, 52_000_000_000].map(about_size);
        assert_eq!(about, ["0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "52 GB"]);
    }
}
