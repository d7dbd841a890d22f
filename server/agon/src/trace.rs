//! The program's own log: warnings and errors to stderr, more by -v or AGON_LOG, everything as JSON to a file.

use agon_command::{Failure, paint};
use std::path::Path;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins it; to be called once.
///
/// # Errors
/// The file cannot be made, or AGON_LOG is no filter.
pub fn begin(verbose: u8, file: Option<&Path>) -> Result<(), Failure> {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let filter = match std::env::var("AGON_LOG") {
        Ok(text) => text.parse::<Targets>().map_err(|error| {
            let help = "help: write a level, or modules with levels: agon_arena::referee=debug,warn";
            Failure::new(2, format!("AGON_LOG is \"{text}\": {error}; {help}"))
        })?,
        Err(_) => Targets::new().with_default(level),
    };
    let screen = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time().with_target(false);
    let screen = screen.with_ansi(paint::may_colour(&std::io::stderr()));
    let json = match file {
        None => None,
        Some(path) => {
            let file = std::fs::File::create(path)
                .map_err(|error| Failure::new(1, format!("--log-json {}: {error}", path.display())))?;
            let layer = tracing_subscriber::fmt::layer().json().with_span_events(FmtSpan::CLOSE);
            Some(layer.with_writer(std::sync::Mutex::new(file)))
        }
    };
    tracing_subscriber::registry().with(filter).with(screen).with(json).init();
    Ok(())
}
