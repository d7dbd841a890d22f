//! Clock, limits and sandbox of a match that is in the record, read back from the texts of `comparable`.

use super::WALL_TIME;
use super::units::{duration, size};
use agon_model::{ClockKind, Limits, SandboxMode, SandboxPolicy, TimeControl};

/// What a recorded match was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTerms {
    /// Clock and budgets.
    pub time: TimeControl,
    /// Memory, threads, output.
    pub limits: Limits,
    /// Which rungs were asked for.
    pub sandbox: SandboxPolicy,
}

/// Reads what `Ladder::comparable` wrote.
///
/// # Errors
/// A key is missing or cannot be read: the record is of another version.
pub fn recorded_terms(comparable: &[(String, String)]) -> Result<RecordedTerms, String> {
    let text = |key: &str| {
        let found = comparable.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        found.ok_or_else(|| format!("the record does not say {key}"))
    };
    let us = |key| duration(text(key)?).map_err(|error| format!("{key}: {error}"));
    let budget = |key| if text(key)? == "none" { Ok(None) } else { us(key).map(Some) };
    let bytes = |key| size(text(key)?).map_err(|error| format!("{key}: {error}"));
    let time = TimeControl {
        clock: if text("time.clock")? == "wall" { ClockKind::Wall } else { ClockKind::Cpu },
        total_us: budget("time.total")?,
        increment_us: us("time.increment")?,
        per_move_us: budget("time.per_move")?,
        load_us: us("time.load")?,
        initialize_us: us("time.initialize")?,
        finalize_us: us("time.finalize")?,
        wall_factor: match text(WALL_TIME) {
            Ok(factor) => factor.parse().map_err(|_| format!("{WALL_TIME} is no number"))?,
            Err(_) => 0,
        },
    };
    let threads = text("limits.threads")?.parse().map_err(|_| "limits.threads is no number")?;
    let mode = match text("run.sandbox")? {
        "strict" => SandboxMode::Strict,
        "off" => SandboxMode::Off,
        _ => SandboxMode::Auto,
    };
    let without = text("run.without")?.split_whitespace().map(str::to_owned).collect();
    Ok(RecordedTerms {
        time,
        limits: Limits { memory: bytes("limits.memory")?, threads, output: bytes("limits.output")? },
        sandbox: SandboxPolicy { mode, without },
    })
}
