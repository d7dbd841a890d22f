//! What every table says of a ladder whose results are no measure of its clients.

use agon_record::LadderRow;

/// A line, or nothing.
pub fn warning(ladder: &LadderRow) -> &'static str {
    match ladder.terms.is_unsandboxed() {
        true => "the sandbox was off: good for debugging, not for a rating\n",
        false => "",
    }
}
