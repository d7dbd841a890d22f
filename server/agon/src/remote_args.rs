//! Lets workers of other machines play: `--open` and `--lease`, the location of the record, and a check that somebody
//! plays.

use agon_command::Failure;
use agon_command::output::say;
use agon_command::record_location::RecordLocation;
use agon_record::database::PublicAddress;
use clap::Args;
use std::time::Duration;

/// The arguments of commands that others may play for.
#[derive(Args, Clone, Debug)]
pub struct OthersArgs {
    /// If another machine is silent for this many seconds, others play its matches.
    #[arg(long, value_name = "SECONDS", default_value_t = LEASE, value_parser = clap::value_parser!(u64).range(2..=86400))]
    lease: u64,
    /// Lets other machines play: prints a command to type on each of them. They reach this machine at HOST[:PORT]. agon
    /// starts a PostgreSQL server for the record, with its data in the output folder, and stops it at the end.
    #[arg(long, value_name = "HOST", num_args = 0..=1, require_equals = true, default_missing_value = "",
          value_parser = PublicAddress::read)]
    open: Option<PublicAddress>,
}

/// How long workers have to hear that the ladder is over: they ask each second.
const FAREWELL: Duration = Duration::from_secs(3);
/// The usual lease, seconds.
const LEASE: u64 = 60;

impl OthersArgs {
    /// The time for which a worker may be silent.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.lease)
    }

    /// Tells the workers that came by `--open` that the ladder is over, unless it was only stopped: the server ends soon.
    ///
    /// # Errors
    /// The record does not answer.
    pub fn send_home(&self, location: &RecordLocation, is_over: bool) -> Result<(), Failure> {
        if self.open.is_some() && is_over {
            location.open_for_workers()?.send_home(FAREWELL)?;
        }
        Ok(())
    }

    /// The same for a second run of this process, which finds the server that the first one opened.
    pub fn on_the_same_server(&self) -> OthersArgs {
        OthersArgs { open: None, ..self.clone() }
    }

    /// The record that is played into: this one, or one that is opened next to it.
    ///
    /// # Errors
    /// It cannot be opened: what to do.
    pub fn locate(&self, location: RecordLocation) -> Result<RecordLocation, Failure> {
        let Some(address) = &self.open else { return Ok(location) };
        if location.is_at_an_address() {
            let help = "help: leave --open out, and invite workers: agon worker invite NAME --record URL";
            return Err(Failure::usage(format!("the record is on a PostgreSQL that is there; {help}")));
        }
        let (location, told) = RecordLocation::opened(location.out(), address)?;
        say(&told);
        Ok(location)
    }
}

/// Refuses to play with nobody.
///
/// # Errors
/// There are no jobs here, and nobody else can come.
pub fn check_jobs(jobs: Option<usize>, location: &RecordLocation) -> Result<(), Failure> {
    if jobs != Some(0) || location.is_elsewhere() {
        return Ok(());
    }
    let help = "help: leave --jobs out, or name a record that workers reach: --record postgres://...";
    Err(Failure::usage(format!("--jobs 0: nobody would play; {help}")))
}
