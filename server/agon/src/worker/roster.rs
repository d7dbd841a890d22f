//! `agon worker invite|drain|ban|void|pardon`: which workers may come to a record, and which must go.

use super::list::{WhichRecord, show};
use super::whom::{MeantWorkers, meant};
use agon_command::output::say;
use agon_command::{Failure, status};
use agon_live::address::{PublicUrl, public};
use agon_model::{counted, shell};
use agon_record::database::{Invitation, Target};
use agon_record::over_http::WORKER_PATH;
use clap::Args;

/// The arguments that four commands share.
#[derive(Args, Debug)]
pub struct WhomArgs {
    /// An id from agon worker list, a name that only one worker has, or line:NAME for all workers of an invitation.
    worker: String,
    #[command(flatten)]
    which: WhichRecord,
}

/// The arguments of `agon worker invite`.
#[derive(Args, Debug)]
pub struct InviteArgs {
    /// The invitation's name, for one machine or for all machines of a group.
    name: String,
    #[command(flatten)]
    which: WhichRecord,
    /// The public address of agon serve or agon ladder --serve, to which the workers connect: https://NAME.
    #[arg(long, value_name = "URL", value_parser = public)]
    url: Option<PublicUrl>,
}

/// Prints the line with which workers of this name come.
pub fn invite(args: &InviteArgs) -> Result<u8, Failure> {
    if args.url.as_ref().is_some_and(|public| !public.is_encrypted()) {
        let what =
            "--url: workers would show their key to everybody on the way; help: https://NAME, by a proxy that does TLS";
        return Err(Failure::usage(what));
    }
    let invitation = args.which.open()?.0.invite(&args.name)?;
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
pub fn drain(args: &WhomArgs) -> Result<u8, Failure> {
    let record = args.which.open()?.0;
    let MeantWorkers { target, label } = meant(&*record, "drain", &args.worker)?;
    if record.drain(&target)? == 0 {
        return Err(unknown(format!("nothing to drain: {label} does not play")));
    }
    show(&*record)
}

/// Keeps workers from playing.
pub fn ban(args: &WhomArgs) -> Result<u8, Failure> {
    let record = args.which.open()?.0;
    let MeantWorkers { target, label } = meant(&*record, "ban", &args.worker)?;
    let Some(banned) = record.ban(&target)? else {
        return Err(unknown(format!("{label} is not known")));
    };
    say(&match target {
        Target::Worker(id) => {
            format!("{label} is banned, with its machine under every name; agon worker pardon {id} lets it come again")
        }
        Target::Invitation(name) => format!(
            "{label} is banned, {banned} of its workers were known; agon worker invite {} lets it come again",
            shell::operand(&name)
        ),
    });
    show(&*record)
}

/// Takes what workers played out of the record.
pub fn void(args: &WhomArgs) -> Result<u8, Failure> {
    let record = args.which.open()?.0;
    let MeantWorkers { target, label } = meant(&*record, "void", &args.worker)?;
    let Some(taken) = record.void(&target)? else {
        return Err(unknown(format!("{label} is not known")));
    };
    if taken.is_empty() {
        say(&format!("nothing that {label} played is in the record"));
    }
    for (ladder, blocks) in taken {
        say(&format!(
            "{} of ladder {ladder} that {label} played out of the record; agon ladder again has them played by others",
            counted(blocks, "block is", "blocks are")
        ));
    }
    show(&*record)
}

/// Forgets refusals and bans.
pub fn pardon(args: &WhomArgs) -> Result<u8, Failure> {
    let record = args.which.open()?.0;
    let MeantWorkers { target, label } = meant(&*record, "pardon", &args.worker)?;
    if record.pardon(&target)? == 0 {
        return Err(unknown(format!("nothing stands against {label}")));
    }
    show(&*record)
}

fn unknown(what: String) -> Failure {
    Failure::usage(format!("{what}; help: agon worker list shows all"))
}
