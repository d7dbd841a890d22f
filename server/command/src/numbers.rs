//! Numbers of the command line, each with its range.

/// Reads a speed, relative to the reference machine.
pub fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed @ 0.001..1000.0) => Ok(speed),
        _ => Err("write a number from 0.001, such as 1.25".to_owned()),
    }
}

/// Reads a number that is at least one.
pub fn count(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(count @ 1..) => Ok(count),
        _ => Err("write a whole number from 1".to_owned()),
    }
}

/// Reads the number of matches at once.
pub fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs @ 1..) => Ok(jobs),
        _ => Err("write a whole number from 1".to_owned()),
    }
}

/// A number of jobs that may be 0, where others play.
pub fn jobs_or_none(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a whole number from 0".to_owned())
}
