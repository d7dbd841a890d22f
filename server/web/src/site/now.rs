//! What is under way while a ladder runs: how far it is, how long it still takes, what went wrong as it comes.

use super::home::match_link;
use super::model::Model;
use crate::text::clean;
use maud::{Markup, html};

/// A ladder that is being played, at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// Whether no more is played.
    pub is_over: bool,
    /// Matches that are played.
    pub done: u64,
    /// Matches in all, as far as is known.
    pub matches: u64,
    /// Matches at once.
    pub jobs: usize,
    /// Matches a second.
    pub speed: Option<f64>,
    /// The time that is left, in words.
    pub left: Option<String>,
    /// Faults of this run: the match, and what happened; the newest first.
    pub faults: Vec<(String, String)>,
    /// How many there were in all.
    pub fault_count: u64,
    /// What else is worth telling, the newest first.
    pub notes: Vec<String>,
}

/// What the first page begins with.
pub(super) fn progress(now: &Now) -> Markup {
    html! {
        p #now { (how_far(now)) }
        @if !now.is_over { progress max=(now.matches.max(1)) value=(now.done) aria-label="matches played" {} }
    }
}

/// What follows the standings: faults, and what else happened.
pub(super) fn news(model: &Model<'_>, now: &Now) -> Markup {
    html! {
        @if !now.faults.is_empty() {
            h2 #faults { "Faults as they come" }
            @if now.fault_count > now.faults.len() as u64 { p { "The newest " (now.faults.len()) " of " (now.fault_count) "." } }
            div.news tabindex="0" role="region" aria-labelledby="faults" { ul {
                @for (id, text) in &now.faults { li { (match_link(model, id, "")) " " bdi { (clean(text)) } } }
            } }
        }
        @if !now.notes.is_empty() {
            h2 #notes { "What else happened" }
            div.news tabindex="0" role="region" aria-labelledby="notes" { ul {
                @for note in &now.notes { li { bdi { (clean(note)) } } }
            } }
        }
    }
}

fn how_far(now: &Now) -> String {
    let (done, matches) = (now.done, now.matches);
    if now.is_over {
        return format!("The run has ended: {done} of {matches} matches are played.");
    }
    let speed = now.speed.map_or(String::new(), |speed| format!(", {speed:.1} a second"));
    let left = now.left.as_ref().map_or(String::new(), |left| format!(", about {left} left"));
    format!("Under way: {done} of {matches} matches{speed}{left}; {} at once.", now.jobs)
}
