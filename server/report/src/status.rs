//! Whether a client plays, and if not, why: one word and one sentence, the same in all tables.

use agon_model::visible::escape;
use agon_model::{Entrant, StatusKind, SuspensionKind, shell};
use agon_record::Member;
use std::borrow::Cow;

/// Between a reason and the command that ends it.
const COMMAND: &str = "; agon clients ";

/// The words for matches of a client that does not play, where they count.
pub(super) const COUNT: &str = "its results count";

/// The same where they do not count, with something in brackets about them.
pub(super) fn count_for_nobody(matches: u64, more: &str) -> String {
    match matches {
        1 => format!("its match{more} counts for nobody"),
        matches => format!("its {matches} matches{more} count for nobody"),
    }
}

/// The label of one version alone. Commands take the label of a first version, without a number, for the newest one.
pub(super) fn full_label(kind: StatusKind, entrant: &Entrant) -> Cow<'_, str> {
    let is_first = kind == StatusKind::Replaced && entrant.team() == entrant.label;
    if is_first { format!("{}@1", entrant.label).into() } else { entrant.label.as_str().into() }
}

/// How a client stands to its ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// In one word.
    pub kind: StatusKind,
    /// A sentence with what to do, where it does not play.
    pub why: Option<String>,
}

impl Status {
    /// Adds what becomes of its matches to the reason, before the command that ends it.
    pub(super) fn tell(&mut self, of_matches: &str) {
        let Some(why) = self.why.as_mut().filter(|_| !self.kind.is_present()) else { return };
        let at = why.rfind(COMMAND).unwrap_or(why.len());
        why.insert_str(at, &format!("; {of_matches}"));
    }

    /// The reason without the command behind it, which is for whoever runs the ladder.
    pub(super) fn why_alone(&self) -> Option<&str> {
        self.why.as_deref().map(|why| why.rsplit_once(COMMAND).map_or(why, |(why, _)| why))
    }
}

/// The status of each member of a roster, in the same order.
pub fn statuses(members: &[Member]) -> Vec<Status> {
    members.iter().map(|member| status(member, members)).collect()
}

fn status(member: &Member, members: &[Member]) -> Status {
    let own = || members.iter().filter(|other| other.team == member.team);
    let later = || own().filter(|other| other.version > member.version).max_by_key(|other| other.version);
    let newer = own().find(|other| other.present).or_else(later);
    match (&member.suspension, member.present, newer) {
        (Some(suspension), true, _) => {
            let who = if suspension.by_hand { "by hand" } else { "by bench_after" };
            let from =
                if suspension.since > 0 { format!(", from block {} on", suspension.since) } else { String::new() };
            let (back, why) = (shell::option("--let-back", &member.team), escape(&suspension.why, 400));
            // By the name of an anonymous client nobody finds it.
            let is_named = !member.entrant.hash.is_empty();
            let back = is_named.then(|| format!("{COMMAND}{back} lets it play again"));
            let back = back.unwrap_or_default();
            let all = if suspension.kind == SuspensionKind::Withdrawn { " with all its versions" } else { "" };
            Status { kind: suspension.kind.into(), why: Some(format!("{who}{all}{from}: {why}{back}")) }
        }
        (_, true, _) => match &member.entrant.refused {
            Some(why) => {
                let kind = if member.entrant.is_late() { StatusKind::Late } else { StatusKind::Refused };
                Status { kind, why: Some(escape(why, 400)) }
            }
            None => Status { kind: StatusKind::Playing, why: None },
        },
        (_, false, None) if member.entrant.is_late() => {
            Status { kind: StatusKind::Late, why: member.entrant.refused.as_deref().map(|why| escape(why, 400)) }
        }
        _ if is_forgotten(member) => {
            Status { kind: StatusKind::Forgotten, why: Some("by agon record forget".to_owned()) }
        }
        (_, false, Some(newer)) => {
            let why = format!("by {}", escape(&newer.entrant.label, 60));
            Status { kind: StatusKind::Replaced, why: Some(why) }
        }
        (_, false, None) => {
            let why = "no pattern finds it any more; it plays again when it is back".to_owned();
            Status { kind: StatusKind::FileGone, why: Some(why) }
        }
    }
}

/// Whether nothing is known of it any more, here or where it was exported.
fn is_forgotten(member: &Member) -> bool {
    let hash = &member.entrant.hash;
    hash.strip_prefix("anonymous:").unwrap_or(hash).starts_with("forgotten-")
}
