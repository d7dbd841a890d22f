//! Checks whether the record has this ladder already under the same settings: one table must not mix incomparable
//! results.

use super::{Beginning, PreparedLadder, RunEvent};
use agon_model::{LadderRow, LadderTerms};
use agon_record::{Record, RunError};

/// Finds the ladder in the record or begins it. Changed settings are refused, because one table must not mix
/// incomparable results.
pub(super) fn check_compatible(
    prepared: &PreparedLadder,
    record: &mut dyn Record,
    beginning: Beginning,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<LadderRow, RunError> {
    let ladder = prepared.ladder;
    if let Some(row) = record.ladder(&ladder.name)? {
        if beginning == Beginning::Fresh {
            let archived = record.archive_ladder(&row)?;
            tell(RunEvent::Archived(archived));
        } else {
            let seed = ladder.seed.filter(|seed| *seed != row.seed);
            let mut differences = row.terms.differences(&LadderTerms::new(ladder, prepared.game.facts()));
            differences.extend(seed.map(|seed| format!("ladder.seed: was {}, is now {seed}", row.seed)));
            if !differences.is_empty() {
                return Err(RunError::Config(refuse_change(&ladder.name, &differences)));
            }
            record.touch_ladder(row.id)?;
            return Ok(row);
        }
    }
    Ok(record.begin_ladder(&prepared.new_row())?)
}

fn refuse_change(name: &str, differences: &[String]) -> String {
    let list: String = differences.iter().map(|line| format!("  {line}\n")).collect();
    format!(
        "the record has results of ladder {name} under other settings:\n{list}\
         help: undo the change; or begin anew by --fresh (the old results stay in the record under another name);\n      \
         or record elsewhere: --record DIR, or another name in the ladder file"
    )
}
