//! Whether the record has this ladder already, and under the same settings: one table must not mix what cannot be
//! compared.

use super::{Beginning, Prepared, RunError, RunEvent};
use agon_config::{self as config, System};
use agon_model::WALL_FACTOR;
use agon_record::{LadderRow, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Finds the ladder in the record or begins it. Changed settings are refused: one table must not mix what cannot be
/// compared.
pub(super) fn check_compatible(
    prepared: &Prepared,
    store: &mut dyn Record,
    beginning: Beginning,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<LadderRow, RunError> {
    let ladder = prepared.ladder;
    let mut comparable = ladder.comparable(prepared.game.facts());
    if let Some(row) = store.ladder(&ladder.name)? {
        if beginning == Beginning::Fresh {
            let aside = store.set_aside(&row)?;
            tell(RunEvent::SetAside(aside));
        } else {
            // What was begun when line-ups kept one cyclic order, or clients slept as long as they liked, goes on so.
            comparable.retain(|(key, value)| match key.as_str() {
                config::TURN_ORDER => row.balances_turns(),
                config::WALL_TIME => row.says(config::WALL_TIME) || !is_as_before(value),
                _ => true,
            });
            let seed = ladder.seed.filter(|seed| *seed != row.seed);
            let differences = differences(&row, &comparable, seed);
            if !differences.is_empty() {
                return Err(RunError::Config(refuse_change(&ladder.name, &differences)));
            }
            store.touch_ladder(row.id)?;
            return Ok(row);
        }
    }
    Ok(store.begin_ladder(&prepared.new_row())?)
}

/// Whether somebody who changed nothing says so of how long moves may take.
fn is_as_before(wall_factor: &str) -> bool {
    wall_factor == WALL_FACTOR.to_string() || wall_factor == "0"
}

fn differences(row: &LadderRow, now: &[(String, String)], seed: Option<u64>) -> Vec<String> {
    let then: BTreeMap<_, _> = row.comparable.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let now: BTreeMap<_, _> = now.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let keys: BTreeSet<_> = then.keys().chain(now.keys()).collect();
    let short = |key: &str, value: Option<&&str>| match value {
        Some(value) => value.lines().next().unwrap_or("").to_owned(),
        None if key == "ladder.pairing" => System::RoundRobin.name().to_owned(),
        None if key == config::WALL_TIME => "0".to_owned(),
        None => "none".to_owned(),
    };
    let changed = keys.into_iter().filter(|key| then.get(**key) != now.get(**key));
    let mut lines: Vec<String> = changed
        .map(|key| format!("{key}: was {}, is now {}", short(key, then.get(key)), short(key, now.get(key))))
        .collect();
    lines.extend(seed.map(|seed| format!("ladder.seed: was {}, is now {seed}", row.seed)));
    lines
}

fn refuse_change(name: &str, differences: &[String]) -> String {
    let list: String = differences.iter().map(|line| format!("  {line}\n")).collect();
    format!(
        "the record has results of ladder {name} under other settings:\n{list}\
         help: undo the change; or begin anew by --fresh (the old results stay in the record under another name);\n      \
         or give this ladder another name"
    )
}
