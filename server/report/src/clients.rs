//! The clients of a ladder: who they are, whether they play, and how often they failed.

use super::Current;
use super::grid::text_table;
use super::status::{COUNT, Status, count_for_nobody, full_label, statuses};
use agon_model::visible::{escape, json_document};
use agon_model::{FaultKind, StatusKind};
use agon_record::{EachOutcome, Member};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everybody who ever took part in a ladder, with what came of it.
#[derive(Debug)]
pub struct Clients {
    ladder: String,
    members: Vec<Member>,
    counts: Vec<Count>,
    /// The members whose results count.
    current: Current,
}

/// The results of one client's matches, in the order of the record.
#[derive(Clone, Debug, Default)]
struct Count {
    matches: u64,
    faults: u64,
    in_a_row: u64,
    /// Kind and match.
    last_fault: Option<(FaultKind, String)>,
}

impl Clients {
    /// Adds up what `each` hands over: `|add| store.each_outcome(ladder, add)`. `members` is in the order of the
    /// record.
    pub fn gather<E>(
        ladder: &str,
        members: Vec<Member>,
        current: Current,
        each: impl FnOnce(&mut EachOutcome<'_>) -> Result<(), E>,
    ) -> Result<Clients, E> {
        let mut counts = vec![Count::default(); members.len()];
        each(&mut |outcome| {
            for (entrant, fault) in outcome.appearances() {
                if let (Some(count), Some(member)) = (counts.get_mut(entrant), members.get(entrant)) {
                    count.add(&outcome.id, fault, outcome.block > member.pardoned);
                }
            }
        })?;
        Ok(Clients { ladder: ladder.to_owned(), members, counts, current })
    }

    /// Whether each plays, and if not, why, and what became of its matches.
    fn statuses(&self) -> Vec<Status> {
        let mut statuses = statuses(&self.members);
        for (index, (status, count)) in statuses.iter_mut().zip(&self.counts).enumerate() {
            match (count.matches, self.current.is_former(index)) {
                (0, _) => {}
                (matches, true) => status.tell(&count_for_nobody(matches, "")),
                (_, false) => status.tell(COUNT),
            }
        }
        statuses
    }

    /// A table by team and version, and below it why some do not play.
    pub fn text(&self) -> String {
        let statuses = self.statuses();
        let playing = statuses.iter().filter(|status| status.kind == StatusKind::Playing).count();
        let mut out = format!("{}: {playing} playing, {} known\n\n", escape(&self.ladder, 64), self.members.len());
        let titles = ["client", "file", "sha256", "status", ">matches", ">faults", ">in a row", "last fault"];
        out += &text_table(&titles, self.order().map(|index| self.row(index, &statuses[index])));
        let whys: Vec<String> = self
            .order()
            .filter_map(|index| {
                let Status { kind, why } = &statuses[index];
                let label = escape(&full_label(*kind, &self.members[index].entrant), 60);
                Some(format!("{label} {}: {}\n", kind.name(), why.as_ref()?))
            })
            .collect();
        if !whys.is_empty() {
            out += &format!("\n{}", whys.concat());
        }
        out + &self.alike()
    }

    /// Teams whose files are the same, byte for byte, and play with the same options: a line each.
    fn alike(&self) -> String {
        let mut by_file: BTreeMap<_, BTreeMap<&str, String>> = BTreeMap::new();
        // Of a file that could not be read there is no hash.
        for Member { entrant, team, .. } in self.members.iter().filter(|member| !member.entrant.hash.is_empty()) {
            let teams = by_file.entry((&entrant.hash, &entrant.options)).or_default();
            teams.insert(team, escape(&entrant.label, 40));
        }
        let several = by_file.into_values().filter(|teams| teams.len() > 1);
        let names = |teams: BTreeMap<&str, String>| teams.into_values().collect::<Vec<_>>().join(", ");
        let text: String = several.map(|teams| format!("the same file, byte for byte: {}\n", names(teams))).collect();
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    /// By team and version.
    fn order(&self) -> impl Iterator<Item = usize> {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by_key(|&index| (&self.members[index].team, self.members[index].version));
        order.into_iter()
    }

    fn row(&self, index: usize, status: &Status) -> Vec<String> {
        let (member, count) = (&self.members[index], &self.counts[index]);
        let last = count.last_fault.as_ref().map_or(String::new(), |(kind, id)| format!("{} {id}", kind.name()));
        vec![
            escape(&full_label(status.kind, &member.entrant), 40),
            escape(&member.entrant.file, 40),
            member.entrant.hash.chars().take(8).collect(),
            status.kind.name().to_owned(),
            count.matches.to_string(),
            count.faults.to_string(),
            count.in_a_row.to_string(),
            last,
        ]
    }

    /// All clients, by team and version.
    pub fn rows(&self) -> Vec<ClientRow<'_>> {
        let row = |index: usize, status: &Status| {
            let (Member { entrant, team, version, .. }, count) = (&self.members[index], &self.counts[index]);
            ClientRow {
                client: &entrant.label,
                team,
                version: *version,
                file: &entrant.file,
                sha256: &entrant.hash,
                options: &entrant.options,
                status: status.kind,
                why: status.why.clone(),
                matches: count.matches,
                faults: count.faults,
                failures_in_a_row: count.in_a_row,
                last_fault: count.last_fault.as_ref().map(|(kind, id)| LastFault { kind: *kind, id }),
            }
        };
        let statuses = self.statuses();
        self.order().map(|index| row(index, &statuses[index])).collect()
    }

    /// One JSON document, `agon.clients/1`, ended by a newline.
    pub fn json(&self) -> String {
        json_document(&Document { schema: "agon.clients/1", ladder: &self.ladder, clients: self.rows() })
    }
}

impl Count {
    fn add(&mut self, id: &str, fault: Option<FaultKind>, counts: bool) {
        self.matches += 1;
        match fault {
            Some(kind) => {
                self.faults += 1;
                self.in_a_row += u64::from(counts);
                self.last_fault = Some((kind, id.to_owned()));
            }
            None => self.in_a_row = 0,
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    clients: Vec<ClientRow<'a>>,
}

/// A client with its status, and the faults of its matches.
#[derive(Serialize)]
pub struct ClientRow<'a> {
    pub client: &'a str,
    pub team: &'a str,
    pub version: u32,
    pub file: &'a str,
    pub sha256: &'a str,
    pub options: &'a BTreeMap<String, String>,
    pub status: StatusKind,
    pub why: Option<String>,
    pub matches: u64,
    pub faults: u64,
    pub failures_in_a_row: u64,
    pub last_fault: Option<LastFault<'a>>,
}

/// The last fault of a client.
#[derive(Serialize)]
pub struct LastFault<'a> {
    pub kind: FaultKind,
    /// The id of its match.
    #[serde(rename = "match")]
    pub id: &'a str,
}
