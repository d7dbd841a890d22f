//! `agon teams`: the teams of a ladder with their private links; makes and revokes them.

use agon_command::Failure;
use agon_command::output::say;
use agon_command::record_location::{RecordLocation, WRITABLE};
use agon_command::status;
use agon_command::which::WhichLadder;
use agon_live::address;
use agon_live::team_links::{Team, TeamLinks, is_plain};
use agon_model::visible::escape;
use agon_report::{TeamRow, Teams};
use clap::Args;
use std::collections::BTreeSet;

/// The arguments of `agon teams`.
#[derive(Args, Debug)]
#[command(mut_arg("record", |record| record.help(WRITABLE)))]
pub struct TeamsArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// Makes a private link for each of these teams (NAME,NAME,...), even before they submit. Their old links stop
    /// working.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    invite: Vec<String>,
    /// Makes a link for each team of the ladder that has none.
    #[arg(long)]
    invite_all: bool,
    /// Makes the link of this team stop working.
    #[arg(long, value_name = "NAME")]
    revoke: Option<String>,
    /// The address of agon serve for teams. Links begin with it. Default: this machine's name and port 7420.
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Changes what the options ask for, and lists the teams.
pub fn teams(args: &TeamsArgs) -> Result<u8, Failure> {
    let (location, ladder) = which_ladder(&args.which)?;
    location.refuse_copy()?;
    let mut links = TeamLinks::read(location.out())?;
    let known = known_teams(&location, &ladder)?;
    change(args, &mut links, &ladder, &known)?;
    let base = args.url.clone().unwrap_or_else(|| format!("http://{}:{}", address::name(), address::PORT));
    let mut teams = known;
    teams.extend(links.of(&ladder).map(|(team, _)| team.to_owned()));
    let row = |team: String| {
        let token = links.of(&ladder).find(|(name, _)| *name == team).map(|(_, token)| token);
        let link = token.map(|token| format!("{}/team?token={token}", base.trim_end_matches('/')));
        TeamRow { team, link }
    };
    let teams = Teams { ladder: &ladder, rows: teams.into_iter().map(row).collect() };
    print!("{}", if args.json { teams.json() } else { teams.text() });
    Ok(status::DONE)
}

/// The record and the name of the ladder, which need not have begun.
fn which_ladder(which: &WhichLadder) -> Result<(RecordLocation, String), Failure> {
    let (location, named) = which.locate()?;
    let name = match named {
        Some(name) => name,
        None => which.open()?.ladder.name,
    };
    Ok((location, name))
}

/// Everybody who ever took part.
fn known_teams(location: &RecordLocation, ladder: &str) -> Result<BTreeSet<String>, Failure> {
    if !location.is_there() {
        return Ok(BTreeSet::new());
    }
    let record = location.open_existing()?;
    let Some(ladder) = record.ladder(ladder)? else { return Ok(BTreeSet::new()) };
    Ok(record.members(ladder.id)?.into_iter().map(|member| member.team).collect())
}

fn change(args: &TeamsArgs, links: &mut TeamLinks, ladder: &str, known: &BTreeSet<String>) -> Result<(), Failure> {
    let of = |team: &str| Team { ladder: ladder.to_owned(), team: team.to_owned() };
    let has_link = |links: &TeamLinks, team: &str| links.of(ladder).any(|(name, _)| name == team);
    let without: Vec<&String> = known.iter().filter(|team| args.invite_all && !has_link(links, team)).collect();
    for team in args.invite.iter().chain(without) {
        if !known.contains(team) && !is_plain(team) {
            let help = "help: letters, digits, \"_\", \"-\" and \".\" for a team that has submitted nothing yet";
            return Err(Failure::usage(format!("no team can be called \"{}\"; {help}", escape(team, 60))));
        }
        links.invite(of(team))?;
    }
    if let Some(team) = &args.revoke
        && !links.revoke(&of(team))
    {
        let what = format!("\"{}\" has no link in ladder {}", escape(team, 60), escape(ladder, 60));
        return Err(Failure::usage(format!("{what}; help: agon teams lists them")));
    }
    if !args.invite.is_empty() || args.invite_all || args.revoke.is_some() {
        links.write()?;
        say("agon serve --team-links shows each team its own pages; who has a link sees what its team may see");
    }
    Ok(())
}
