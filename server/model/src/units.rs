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

/// Reads microseconds: `1s`, `100ms`, `50us`, `2min`, `1.5h`.
///
/// # Errors
/// The text says what is wrong.
pub fn duration(text: &str) -> Result<u64, String> {
    quantity(text, &TIMES, "1s")
}

/// Reads bytes: `512MiB`, `64KiB`, `1GB`.
///
/// # Errors
/// The text says what is wrong.
pub fn size(text: &str) -> Result<u64, String> {
    quantity(text, &SIZES, "512MiB")
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
    let scaled = scale(number, u128::from(*factor))
        .ok_or_else(|| format!("\"{text}\" is not a whole number of {}", units[0].0))?;
    u64::try_from(scaled).map_err(|_| format!("\"{text}\" is far too much"))
}

/// The product `number * factor`, if it is whole; without floating point, so that `0.1s` is exactly 100 ms.
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

/// Reads thousandths: `1`, `0.5`, `-10`, with at most three places.
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
    in_largest_unit(us, &TIMES[..3])
}

/// Writes seconds for people: `40 s`, `17 min`, `5.2 h`, `3.1 days`.
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
    in_largest_unit(bytes, &SIZES)
}

/// Writes bytes in two or three digits, for people: `4.1 kB`, `52 GB`.
pub fn about_size(bytes: u64) -> String {
    let (mut value, mut unit) = (bytes as f64, 0);
    let units = ["B", "kB", "MB", "GB", "TB", "PB"];
    while value >= 999.5 && unit + 1 < units.len() {
        (value, unit) = (value / 1e3, unit + 1);
    }
    if unit > 0 && value < 9.95 { format!("{value:.1} {}", units[unit]) } else { format!("{value:.0} {}", units[unit]) }
}

fn in_largest_unit(value: u64, units: &[(&str, u64)]) -> String {
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
        assert_eq!(duration("0.5us").unwrap_err(), "\"0.5us\" is not a whole number of us");
        assert_eq!(size("99999999999999GiB").unwrap_err(), "\"99999999999999GiB\" is far too much");
        for text in ["1.", ".5s", "1..2s", "1.2.3s", "5é"] {
            assert!(duration(text).is_err(), "{text}");
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
