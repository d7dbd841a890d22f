//! Whether a client plays, and if not, why: one word and one sentence, the same in all tables.

use agon_model::SuspensionKind;
use agon_model::visible::escape;
use agon_record::Member;

/// How a client stands to its ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// `playing`, `refused`, `benched`, `withdrawn`, `replaced`, `file gone` or `forgotten`.
    pub word: &'static str,
    /// A sentence with what to do, where it does not play.
    pub why: Option<String>,
}

/// The status of each member of a roster, in the same order.
pub fn statuses(members: &[Member]) -> Vec<Status> {
    members.iter().map(|member| status(member, members)).collect()
}

fn status(member: &Member, members: &[Member]) -> Status {
    let newer = members.iter().find(|other| other.team == member.team && other.present);
    match (&member.aside, member.present, newer) {
        (Some(aside), true, _) => {
            let who = if aside.by_hand { "by hand" } else { "by disable_after" };
            let from = if aside.since > 0 { format!(", from block {} on", aside.since) } else { String::new() };
            let (name, why) = (escape(&member.team, 60), escape(&aside.why, 400));
            let back = format!("agon clients --let-back {name} lets it play again");
            let all = if aside.kind == SuspensionKind::Withdrawn { " with all its versions" } else { "" };
            Status { word: aside.kind.name(), why: Some(format!("{who}{all}{from}: {why}; {back}")) }
        }
        (_, true, _) => match &member.entrant.refused {
            Some(why) => Status { word: "refused", why: Some(escape(why, 400)) },
            None => Status { word: "playing", why: None },
        },
        _ if is_forgotten(member) => {
            let why = "by agon forget; what others achieved against it stays".to_owned();
            Status { word: "forgotten", why: Some(why) }
        }
        (_, false, Some(newer)) => {
            let why = format!("by {}; its results stay", escape(&newer.entrant.label, 60));
            Status { word: "replaced", why: Some(why) }
        }
        (_, false, None) => {
            let why = "no pattern finds it any more; its results stay, and it plays again when it is back".to_owned();
            Status { word: "file gone", why: Some(why) }
        }
    }
}

/// Whether nothing is known of it any more, here or where it was exported.
fn is_forgotten(member: &Member) -> bool {
    let hash = &member.entrant.hash;
    hash.strip_prefix("anonymous:").unwrap_or(hash).starts_with("forgotten-")
}
