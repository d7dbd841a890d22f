//! The closing time of a ladder: a point in time, with its offset or by the clock on the wall.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time at which files are frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// Seconds since 1970.
    seconds: u64,
}

impl Closing {
    /// From `2026-12-01T18:00:00+01:00`, or from `2026-12-01 18:00` by this machine's clock.
    ///
    /// # Errors
    /// The text is not a date with a time.
    pub fn read(text: &str) -> Result<Closing, String> {
        // A date alone would be read as its first moment, which few people mean.
        if !text.contains(':') {
            return Err(format!("\"{text}\" has no time of day"));
        }
        let local = || -> Result<Timestamp, String> {
            let time: DateTime = text.parse().map_err(|_| format!("\"{text}\" is not a date and time"))?;
            let at = TimeZone::system().to_ambiguous_timestamp(time).unambiguous();
            at.map_err(|_| format!("\"{text}\" is there twice or not at all where clocks change: add the offset"))
        };
        let at = text.parse::<Timestamp>().or_else(|_| local())?;
        let seconds = u64::try_from(at.as_second()).map_err(|_| format!("\"{text}\" is before 1970"))?;
        Ok(Closing { seconds })
    }

    /// Seconds since 1970.
    pub fn seconds(self) -> u64 {
        self.seconds
    }

    /// The same time as the system's files have it.
    pub fn at(self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.seconds)
    }

    /// Whether this time is reached.
    pub fn is_past(self) -> bool {
        SystemTime::now() >= self.at()
    }
}

impl fmt::Display for Closing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show_moment(self.seconds))
    }
}

/// Seconds since 1970 by this machine's clock, with its offset.
pub fn show_moment(seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    match at {
        Some(at) => at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S %:z").to_string(),
        None => format!("{seconds} s after 1970"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_with_its_offset_is_one_moment() {
        for text in
            ["2026-12-01T18:00:00+01:00", "2026-12-01 18:00:00+01:00", "2026-12-01T17:00:00Z", "2026-12-01T17:00Z"]
        {
            assert_eq!(Closing::read(text).map(Closing::seconds), Ok(1_796_144_400), "{text}");
        }
        // The shown text reads back, whatever this machine's time zone is.
        let local = Closing::read("2026-12-01 18:00").unwrap();
        assert_eq!(Closing::read(&local.to_string().replacen(" +", "+", 1).replacen(" -", "-", 1)), Ok(local));
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for (text, why) in [
            ("2026-12-01", "has no time of day"),
            ("tomorrow at 6:00", "is not a date and time"),
            ("2026-13-01 18:00", "is not a date and time"),
            ("1969-12-31T23:59:59Z", "is before 1970"),
        ] {
            assert!(Closing::read(text).unwrap_err().ends_with(why), "{text}");
        }
    }
}
