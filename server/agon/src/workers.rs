//! `agon workers`: who plays for a record on PostgreSQL; invites, drains and bans.

use super::progress::say;
use super::{Failure, place, status};
use agon_postgres::{Invitation, PostgresRecord};
use agon_report::Workers;
use clap::Args;

/// Of `agon workers`.
#[derive(Args, Debug)]
pub struct WorkersArgs {
    /// The record: postgres://USER:PASSWORD@HOST/DATABASE or @FILE with that in it, as its owner.
    #[arg(long, value_name = "URL", value_parser = place::url)]
    record: String,
    /// Lets a worker come under this name, and prints the line to paste on its machine. Whoever has the line plays as
    /// that worker; a new invitation of the same name makes the old one void.
    #[arg(long, value_name = "NAME")]
    invite: Option<String>,
    /// Tells the workers of this name to end when their blocks are played.
    #[arg(long, value_name = "NAME", conflicts_with = "invite")]
    drain: Option<String>,
    /// Answers no worker of this name any more, and gives its blocks to others; what it played stays.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["invite", "drain"])]
    ban: Option<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Does what is asked, and lists the workers.
pub fn workers(args: &WorkersArgs) -> Result<u8, Failure> {
    let record = PostgresRecord::open(&args.record)?;
    if let Some(name) = &args.invite {
        let Invitation { url, is_local } = record.invite_worker(name)?;
        println!("agon worker '{url}' --name {name}");
        if is_local {
            say("this address leads here from this machine only: give --record with the name that others know it by");
        }
        return Ok(status::DONE);
    }
    if let Some(name) = &args.drain
        && record.drain_worker(name)? == 0
    {
        return Err(Failure::new(
            status::USAGE,
            format!("no worker {name} is there that plays; agon workers lists all"),
        ));
    }
    if let Some(name) = &args.ban {
        let banned = record.ban_worker(name)?;
        say(&format!("{name} is banned, {banned} of its workers were known; --invite {name} lets it come again"));
    }
    let workers = Workers(record.workers()?);
    print!("{}", if args.json { workers.json() } else { workers.text() });
    Ok(status::DONE)
}
