//! Feedback about one client, to send to its author: where it stands, how it fared with whom, what went wrong. Markdown.

use super::Standings;
use super::text::mean_and_interval;
use crate::grid::client_label;
use agon_model::visible::{Medium, escape, visible};
use agon_model::{Entrant, MatchOutcome, TallyRow, counted};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A fault of the client, as its author is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldFault {
    /// The match.
    pub id: String,
    /// By name.
    pub kind: String,
    /// The fault, and its remedy.
    pub message: String,
}

/// Wins, draws and losses of one client against each other one.
#[derive(Clone, Debug)]
pub struct Versus {
    client: usize,
    counts: BTreeMap<usize, [u64; 3]>,
}

impl Versus {
    /// The results against this client, before the first match.
    pub fn new(client: usize) -> Versus {
        Versus { client, counts: BTreeMap::new() }
    }

    /// Counts a match, if the client took part.
    pub fn add(&mut self, outcome: &MatchOutcome) {
        for own in outcome.seats.iter().filter(|seat| seat.entrant == self.client) {
            for other in outcome.seats.iter().filter(|seat| seat.entrant != self.client) {
                let place = match own.rank.cmp(&other.rank) {
                    Ordering::Less => 0,
                    Ordering::Equal => 1,
                    Ordering::Greater => 2,
                };
                self.counts.entry(other.entrant).or_default()[place] += 1;
            }
        }
    }
}

impl Standings {
    /// The feedback about a client, by its label; `None` if there is no such client. `file` names the ladder file in
    /// commands.
    pub fn feedback(&self, label: &str, versus: &Versus, faults: &[ToldFault], file: &str) -> Option<String> {
        let entrant = self.entrants.get(versus.client).filter(|entrant| entrant.label == label)?;
        let parts = [
            format!("# {} in the ladder {}\n\n", plain(label), plain(&self.ladder.name)),
            self.place_of(versus.client, entrant),
            self.versus_table(versus),
            self.faults_of(versus.client, faults),
            if faults.is_empty() { String::new() } else { ways(faults, file) },
        ];
        Some(parts.concat())
    }

    fn place_of(&self, client: usize, entrant: &Entrant) -> String {
        let ranked = self.ranked(&self.all);
        let grade = self.grade_of(client).map_or(String::new(), |grade| match grade {
            Ok(grade) => format!(" Grade: **{}**.", plain(grade)),
            Err(why) => format!(" No grade: {}.", plain(for_author(why))),
        });
        let has_place = |place: usize, line: &TallyRow| place > 0 && line.matches > 0;
        let found = ranked.iter().find(|(place, line, _)| line.entrant == client && has_place(*place, line));
        let Some((place, line, _)) = found else {
            if self.is_staff(client) {
                return "Others are measured by this client: it has no place and no grade.\n".to_owned();
            }
            if let Some((word, why)) = self.suspension_of(client) {
                let grade = if grade.is_empty() { grade } else { format!("\n{}\n", grade.trim_start()) };
                return format!("This version is {word}: {}.\n{grade}", plain(why));
            }
            let what = if entrant.is_late() { "It came too late" } else { "It could not play" };
            let why = entrant.refused.as_deref().map(|why| format!("{what}: {}", plain(for_author(why))));
            let why = why.unwrap_or_else(|| "It has played no match yet.".to_owned());
            // What was refused ends with a command to type: nothing stands behind it.
            let grade = if grade.is_empty() { grade } else { format!("\n{}\n", grade.trim_start()) };
            return format!("{why}\n{grade}");
        };
        let [mean, low, high] = mean_and_interval(&line.points, line.matches);
        let interval =
            if line.points.interval().is_some() { format!(" (95 % interval {low} to {high})") } else { String::new() };
        let suspended =
            self.suspension_of(client).map_or(String::new(), |(word, why)| format!(" It is {word}: {}.", plain(why)));
        let count = ranked.iter().filter(|(place, line, _)| has_place(*place, line)).count();
        format!(
            "Place **{place}** of {count}, with {mean} points a match{interval} in {}: {} won, {} drawn, {} lost.{grade}{suspended}\n",
            counted(line.matches, "match", "matches"),
            line.wins,
            line.draws,
            line.losses
        )
    }

    /// Why a client does not play, if it was not refused.
    fn suspension_of(&self, client: usize) -> Option<(&'static str, &str)> {
        let status = self.statuses.get(client).filter(|status| !status.kind.is_present())?;
        Some((status.kind.name(), status.why_alone()?))
    }

    fn versus_table(&self, versus: &Versus) -> String {
        if versus.counts.is_empty() {
            return String::new();
        }
        let mut out = "\n| against | won | drawn | lost |\n| --- | ---: | ---: | ---: |\n".to_owned();
        let mut lines: Vec<(&str, &[u64; 3])> =
            versus.counts.iter().map(|(other, line)| (client_label(&self.entrants, *other), line)).collect();
        lines.sort_unstable();
        for (name, [won, drawn, lost]) in lines {
            out += &format!("| {} | {won} | {drawn} | {lost} |\n", plain(name));
        }
        out
    }

    fn faults_of(&self, client: usize, faults: &[ToldFault]) -> String {
        let own = self.former_line(client).or_else(|| self.all.lines().into_iter().nth(client));
        let all: u64 = own.map_or(0, |line| line.faults.values().sum());
        if all == 0 {
            return String::new();
        }
        let matches = counted(all, "match ended by a fault of it", "matches ended by faults of it");
        let first = if all as usize > faults.len() { format!("; the newest {}", faults.len()) } else { String::new() };
        let line = |(fault, others): &(&ToldFault, Vec<&str>)| {
            let message = escape(&fault.message, 400).replace('`', "'");
            let ids: Vec<String> = others.iter().map(|id| format!("`{id}`")).collect();
            let alike = if ids.is_empty() { String::new() } else { format!("; alike in {}", ids.join(", ")) };
            format!("- `{}`: {}: `{message}`{alike}\n", fault.id, fault.kind)
        };
        format!("\n{matches}{first}:\n\n{}", alike(faults).iter().map(line).collect::<String>())
    }
}

/// Faults that differ by no more than numbers are one, with the matches of the others.
fn alike(faults: &[ToldFault]) -> Vec<(&ToldFault, Vec<&str>)> {
    let words = |fault: &ToldFault| fault.message.replace(|c: char| c.is_ascii_digit(), "");
    let mut groups: Vec<(&ToldFault, Vec<&str>)> = Vec::new();
    for fault in faults {
        match groups.iter_mut().find(|(first, _)| first.kind == fault.kind && words(first) == words(fault)) {
            Some((_, others)) => others.push(&fault.id),
            None => groups.push((fault, Vec::new())),
        }
    }
    groups
}

/// The author's next steps.
fn ways(faults: &[ToldFault], file: &str) -> String {
    let kind = faults.first().map_or("", |fault| fault.kind.as_str());
    format!(
        "\n`agon explain {kind}` says more of such a fault; `agon check FILE.so` looks for it at home; with the record, `agon show \
         ID{file}` shows a match.\n"
    )
}

/// Why a submission was refused, without what only the teacher has: files of the build, and commands.
fn for_author(why: &str) -> &str {
    let is_teachers =
        |help: &str| ["for its author", "agon add", "--replace", "[grades]"].iter().any(|word| help.contains(word));
    match why.rsplit_once("; help: ") {
        Some((own, help)) if is_teachers(help) => own,
        _ => why,
    }
}

/// A name as Markdown takes it.
fn plain(text: &str) -> String {
    visible(text, Medium::Markdown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_read_nothing_that_only_the_teacher_has() {
        let of_build = "make ended with 1; help: builds/Bob.txt has all it said, for its author";
        assert_eq!(for_author(of_build), "make ended with 1");
        let own = "it has no .so; help: write a Makefile";
        assert_eq!(for_author(own), own);
    }

    #[test]
    fn faults_that_differ_by_numbers_are_told_once() {
        let fault = |id: &str, kind: &str, message: &str| ToldFault {
            id: id.to_owned(),
            kind: kind.to_owned(),
            message: message.to_owned(),
        };
        let faults = [
            fault("m1", "crash", "crashed in play, ply 10"),
            fault("m2", "stalled", "no answer, ply 3"),
            fault("m3", "crash", "crashed in play, ply 9"),
            fault("m4", "crash", "crashed in initialize"),
        ];
        let told: Vec<(&str, Vec<&str>)> =
            alike(&faults).into_iter().map(|(first, others)| (first.id.as_str(), others)).collect();
        assert_eq!(told, [("m1", vec!["m3"]), ("m2", vec![]), ("m4", vec![])]);
    }
}
