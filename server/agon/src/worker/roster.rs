//! `agon worker invite|drain|ban|void|pardon NAME`: which workers may come to a record, and which must go.

use super::list::{WhichRecord, show};
use agon_command::output::say;
use agon_command::{Failure, status};
use agon_live::address::{PublicUrl, public};
use agon_model::{counted, shell};
use agon_record::database::Invitation;
use agon_record::over_http::WORKER_PATH;
use clap::Args;

/// The arguments that all five commands share.
#[derive(Args, Debug)]
pub struct NameArgs {
    /// The name of the worker, or of a group of workers that share one line.
    name: String,
    #[command(flatten)]
    which: WhichRecord,
}

/// Of `agon worker invite`.
#[derive(Args, Debug)]
pub struct InviteArgs {
    #[command(flatten)]
    named: NameArgs,
    /// The public address of agon serve or agon ladder --serve, by which the workers come: https://NAME.
    #[arg(long, value_name = "URL", value_parser = public)]
    url: Option<PublicUrl>,
}

/// Prints the line with which workers of this name come.
pub fn invite(args: &InviteArgs) -> Result<u8, Failure> {
    if args.url.as_ref().is_some_and(|public| !public.is_encrypted()) {
        let what =
            "--url: workers would show their key to everybody on the way; help: https://NAME, by a proxy that does TLS";
        return Err(Failure::new(status::USAGE, what));
    }
    let invitation = args.named.which.open()?.0.invite(&args.named.name)?;
    if let Some(public) = &args.url {
        let line = format!("{}{}#{}", public.base(), &WORKER_PATH[1..], invitation.key);
        println!("agon worker run {}", shell::word(&line));
        return Ok(status::DONE);
    }
    let Invitation { url, is_local, .. } = invitation;
    println!("agon worker run {}", shell::word(&url));
    if is_local {
        say("this address leads here from this machine only: give --record with the name that others know it by");
    }
    Ok(status::DONE)
}

/// Tells workers to end when their blocks are played.
pub fn drain(args: &NameArgs) -> Result<u8, Failure> {
    let record = args.which.open()?.0;
    if record.drain(&args.name)? == 0 {
        return Err(unknown(format!("no worker {} is there that plays", args.name)));
    }
    show(&*record)
}

/// Keeps workers from playing.
pub fn ban(args: &NameArgs) -> Result<u8, Failure> {
    let (record, name) = (args.which.open()?.0, &args.name);
    let banned = record.ban(name)?;
    let again = shell::operand(name);
    say(&format!(
        "{name} is banned, {banned} of its workers were known; agon worker invite {again} lets it come again"
    ));
    show(&*record)
}

/// Takes what workers played out of the record.
pub fn void(args: &NameArgs) -> Result<u8, Failure> {
    let (record, name) = (args.which.open()?.0, &args.name);
    let Some(taken) = record.void(name)? else {
        return Err(unknown(format!("no worker {name} is known")));
    };
    if taken.is_empty() {
        say(&format!("nothing that {name} played is in the record"));
    }
    for (ladder, blocks) in taken {
        say(&format!(
            "{} of ladder {ladder} that {name} played out of the record; agon ladder again has them played by others",
            counted(blocks, "block is", "blocks are")
        ));
    }
    show(&*record)
}

/// Forgets refusals and bans.
pub fn pardon(args: &NameArgs) -> Result<u8, Failure> {
    let record = args.which.open()?.0;
    if record.pardon(&args.name)? == 0 {
        return Err(unknown(format!("nothing stands against a worker {}", args.name)));
    }
    show(&*record)
}

fn unknown(what: String) -> Failure {
    Failure::new(status::USAGE, format!("{what}; help: agon worker list shows all"))
}
