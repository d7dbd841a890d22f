//! Whether everything in the record is as it was written.

use super::{Finding, State};
use agon_command::Failure;
use agon_command::place::Place;
use agon_model::counted;
use agon_record::Checked;

const HELP: &str = "it is not repaired in silence; help: restore it from a backup, and look at the disk and the memory of this machine";

/// A line for each damage, or one for the whole record. Rows without digests, from an older agon, get digests of their
/// present contents, unless something is damaged or the record is read-only.
pub(super) fn look(place: &Place) -> Result<Vec<Finding>, Failure> {
    let mut store = place.open_existing()?;
    let Checked { blocks, undigested, damage } = store.check()?;
    if !damage.is_empty() {
        return Ok(damage.into_iter().map(|found| Finding::new("record", State::Bad, found, "", HELP)).collect());
    }
    let means = "every block, ladder and client in it is as it was written";
    let mut findings = vec![Finding::new("record", State::Good, counted(blocks, "block", "blocks"), means, "")];
    if undigested > 0 {
        let found = format!("{undigested} blocks and rows of an older agon had no digest");
        let help = match store.add_digests() {
            Ok(_) => "they have those of what is there now: damage from now on is seen, earlier damage is not",
            Err(_) => {
                "damage in them is not seen; help: run this where the record may be written, and they get digests"
            }
        };
        findings.push(Finding::new("digests", State::Note, found, "", help));
    }
    Ok(findings)
}
