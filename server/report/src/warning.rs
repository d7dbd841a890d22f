//! The warning above every table of a ladder whose results do not measure its clients.

use agon_model::Weakness;

/// A line, or nothing.
pub fn warning(weakness: Option<Weakness>) -> String {
    weakness.map_or(String::new(), |weakness| format!("{weakness}: good for debugging, not for a rating\n"))
}
