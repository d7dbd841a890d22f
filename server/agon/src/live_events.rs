//! Passes the events of a run on to its live pages.

use agon_live::feed::Teller;
use agon_tournament::RunEvent;

/// Tells them what happens.
pub fn tell(teller: &mut Teller<'_>, event: &RunEvent) {
    match event {
        RunEvent::Ready { matches, done, jobs, ladder, .. } => teller.ready(*matches, *done, *jobs, ladder.id),
        RunEvent::Played(played, entrants) => teller.played(played, entrants),
        RunEvent::Skipped(matches) => teller.skipped(*matches),
        RunEvent::Drawn(text, matches) => teller.drawn(text, *matches),
        RunEvent::Warning(text) => teller.note(&format!("warning: {text}")),
        RunEvent::Note(text) | RunEvent::Benched(text) => teller.note(text),
        RunEvent::Void(cause) => teller.note(&format!("void, not counted: {cause}")),
        RunEvent::DiskEstimate(_) | RunEvent::Archived(_) | RunEvent::Waiting => teller.show(),
    }
}
