//! `agon clients`: who takes part in a ladder and who does not, and why; benches, withdraws and lets back by hand.

use agon_command::output::say;
use agon_command::which::{OpenLadder, WhichLadder, no_client};
use agon_command::{Failure, status};
use agon_model::visible::escape;
use agon_model::{LadderRow, Suspension, SuspensionKind};
use agon_record::{Archive, Member};
use agon_report::{Clients, Current};
use clap::Args;

/// The arguments of `agon clients`.
#[derive(Args, Debug)]
pub struct ClientsArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Suspends this client until you use --let-back; until then its matches count for nobody. A newer version of it still
    /// plays. NAME is the newest version, NAME@2 the second.
    #[arg(long, value_name = "NAME")]
    bench: Option<String>,
    /// Takes this client out of the ladder, with all its versions, even future ones.
    #[arg(long, value_name = "NAME", conflicts_with = "bench")]
    withdraw: Option<String>,
    /// Lets a benched or withdrawn client play again.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["bench", "withdraw"])]
    let_back: Option<String>,
}

/// Changes what the options ask for, and lists the clients.
pub fn clients(args: &ClientsArgs) -> Result<u8, Failure> {
    let opened = args.which.open().map_err(|failure| before_the_first_run(failure, args))?;
    args.which.unplayed(&opened)?.note(args.which.file()).iter().for_each(|note| say(note));
    let passed_over = opened.about.iter().flat_map(|about| agon_config::passed_over(&about.sources));
    passed_over.for_each(|sentence| say(&format!("note: {sentence}")));
    let OpenLadder { record, ladder, .. } = opened;
    let by_hand = |kind, why: &str| {
        Some(Suspension { kind, by_hand: true, why: why.to_owned(), since: 0, schedule: String::new() })
    };
    if let Some(name) = &args.bench {
        change(&*record, &ladder, name, by_hand(SuspensionKind::Benched, "it was told to sit out"))?;
    }
    if let Some(name) = &args.withdraw {
        change(&*record, &ladder, name, by_hand(SuspensionKind::Withdrawn, "it was taken out of the ladder"))?;
    }
    if let Some(name) = &args.let_back {
        change(&*record, &ladder, name, None)?;
    }
    let each = |add: &mut agon_record::EachOutcome<'_>| record.each_outcome(ladder.id, add);
    let members = record.members(ladder.id)?;
    let current = Current::of_record(&*record, ladder.id, &members)?;
    let clients = Clients::gather(&ladder.name, members, current, each)?;
    print!("{}", if args.json { clients.json() } else { clients.text() });
    Ok(status::DONE)
}

/// Names the key that leaves a client out of a ladder of which nothing is recorded yet.
fn before_the_first_run(failure: Failure, args: &ClientsArgs) -> Failure {
    let Some(name) = args.withdraw.as_ref().or(args.bench.as_ref()) else { return failure };
    let has_begun = args.which.locate().and_then(|(location, ladder)| {
        let record = location.open_existing()?;
        Ok(ladder.is_none_or(|ladder| record.ladder(&ladder).ok().flatten().is_some()))
    });
    if has_begun.is_ok_and(|has_begun| has_begun) {
        return failure;
    }
    let help = format!("before the first run, a line of [ladder] leaves it out: exclude = [\"clients/{name}.*\"]");
    Failure::new(failure.status, format!("{}; {}", failure.message, escape(&help, 400)))
}

/// Suspends one client, or lets it back; says that nothing was to do where that is so.
fn change(record: &dyn Archive, ladder: &LadderRow, name: &str, suspension: Option<Suspension>) -> Result<(), Failure> {
    let members = record.members(ladder.id)?;
    let member = Member::named(&members, name).ok_or_else(|| {
        let teams: std::collections::BTreeSet<_> = members.iter().map(|member| member.team.as_str()).collect();
        no_client((record, ladder), name, teams)
    })?;
    let label = &member.entrant.label;
    match (suspension, &member.suspension) {
        (Some(suspension), Some(already)) if already.kind == suspension.kind => {
            Err(Failure::usage(format!("{label} is {} already: {}", already.kind.name(), already.why)))
        }
        (Some(suspension), _) => Ok(record.suspend(ladder.id, member.id, &suspension)?),
        (None, _) => {
            if record.let_back(ladder.id, member)? {
                Ok(())
            } else {
                Err(Failure::usage(format!("{label} is neither benched nor withdrawn")))
            }
        }
    }
}
