//! What every table says of a ladder whose results are no measure of its clients.

use agon_model::Weakness;

/// A line, or nothing.
pub fn warning(weakness: Option<Weakness>) -> String {
    weakness.map_or(String::new(), |weakness| format!("{weakness}: good for debugging, not for a rating\n"))
}
