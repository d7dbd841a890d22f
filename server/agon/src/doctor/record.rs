//! Whether everything in the record is as it was written.

use super::{Finding, State};
use agon_command::Failure;
use agon_command::place::RecordPlace;
use agon_model::counted;
use agon_record::Checked;

const HELP: &str = "it is not repaired in silence; help: restore it from a backup, and look at the disk and the memory of this machine";

/// A line for each damage, or one for the whole record.
pub(super) fn look(place: &RecordPlace) -> Result<Vec<Finding>, Failure> {
    let Checked { blocks, damage } = place.open_existing()?.check()?;
    if !damage.is_empty() {
        return Ok(damage.into_iter().map(|found| Finding::new("record", State::Bad, found, "", HELP)).collect());
    }
    let means = "every block, ladder and client in it is as it was written";
    Ok(vec![Finding::new("record", State::Good, counted(blocks, "block", "blocks"), means, "")])
}
