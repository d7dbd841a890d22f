//! The files of a ladder that differ from those by which its record knows the clients: nobody has played by them yet.

use agon_files::patterns::find_files;
use agon_files::{hash_of, refused};
use agon_model::{ClientSpec, Closing, LadderLocation, LadderRow, copy_path, distinct_labels, shell, some_of};
use agon_record::{Archive, Member, RecordError};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

/// The clients whose files differ from the record, by team.
#[derive(Debug, Default)]
pub struct Unplayed {
    /// Clients that the record does not know, or whose file was missing when it was played last.
    new: Vec<String>,
    changed: Vec<String>,
    /// Their files are missing.
    missing: Vec<String>,
    /// Their later files came after the closing time: the earlier ones play on.
    late: Vec<String>,
    closing: Option<Closing>,
}

impl Unplayed {
    /// Compares the files that a ladder file finds with the record.
    pub fn of(
        about: &LadderLocation,
        record: &dyn Archive,
        ladder: &LadderRow,
        out: &Path,
    ) -> Result<Unplayed, RecordError> {
        let mut found = Unplayed { closing: about.closing.filter(|closing| closing.is_past()), ..Unplayed::default() };
        let mut specs = find_files(&about.sources);
        if specs.is_empty() {
            return Ok(found); // The record is read apart from its clients.
        }
        let is_decided = found.closing.is_some() && record.frozen(ladder.id)? == found.closing.map(Closing::seconds);
        let members = record.members(ladder.id)?;
        let is_known = |hash: &str| members.iter().any(|member| own_hash(member) == hash);
        // A run has looked at a file that it copied: it plays another game.
        let is_foreign = |hash: &str| !is_known(hash) && copy_path(out, hash).exists();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        specs.iter().for_each(|spec| *names.entry(spec.name()).or_default() += 1);
        // A run labels its own clients, without the files of other games.
        let has_label = |spec: &ClientSpec| {
            let is_alone = spec.is_named_alone || names.get(&spec.name()) == Some(&1);
            is_alone || !hash_of(&spec.path).is_ok_and(|hash| is_foreign(&hash))
        };
        specs.retain(has_label);
        let labels = distinct_labels(&specs.iter().map(ClientSpec::name).collect::<Vec<_>>());
        for (spec, label) in specs.iter().zip(&labels).filter(|(spec, _)| !refused::is_note(&spec.path)) {
            let known = members.iter().find(|member| member.present && member.team == *label);
            let Ok(seen) = spec.path.metadata() else { continue };
            if known.is_some_and(|member| is_older_than_copy(&seen, member, out)) {
                continue;
            }
            let Ok(hash) = hash_of(&spec.path) else { continue };
            let is_late = |closing: Closing| is_decided || seen.modified().is_ok_and(|at| at > closing.at());
            match known {
                Some(member) if own_hash(member) == hash => {}
                Some(member) if member.entrant.is_late() => {}
                Some(_) if found.closing.is_some_and(is_late) => found.late.push(label.clone()),
                Some(_) => found.changed.push(label.clone()),
                None if is_foreign(&hash) => {}
                // A newcomer after the closing time takes no part.
                None if found.closing.is_some_and(is_late) => {}
                None => found.new.push(label.clone()),
            }
        }
        let is_missing = |member: &&Member| member.present && !labels.contains(&member.team);
        // After the closing time, a client plays on without its file.
        let missing = members.iter().filter(is_missing).filter(|_| found.closing.is_none());
        found.missing = missing.map(|member| member.team.clone()).collect();
        Ok(found)
    }

    /// A line for the operator, with the command that plays by these files; `file` is the ladder file, if it was named.
    pub fn note(&self, file: Option<&Path>) -> Option<String> {
        let kinds = [("new", &self.new), ("changed", &self.changed), ("missing", &self.missing)];
        let kinds = kinds.iter().filter(|(_, teams)| !teams.is_empty());
        let found: Vec<String> = kinds.map(|(kind, teams)| format!("{kind}: {}", some_of(*teams))).collect();
        let file = file.map_or(String::new(), |file| format!(" {}", shell::operand(&file.to_string_lossy())));
        let note = format!(
            "note: the files differ from those that played ({}); the next agon ladder{file} uses them",
            found.join("; ")
        );
        (!found.is_empty()).then_some(note)
    }

    /// A sentence for the author of a client whose later file came after the closing time.
    pub fn too_late(&self, team: &str) -> Option<String> {
        let closing = self.closing.filter(|_| self.late.iter().any(|late| late == team))?;
        Some(format!(
            "A later file came after the closing time, {closing}: it takes no part, and the earlier one plays on."
        ))
    }
}

/// The hash of its own file, without that of an adapter.
fn own_hash(member: &Member) -> &str {
    let hash = member.entrant.hash.as_str();
    hash.split_once('+').map_or(hash, |(own, _)| own)
}

/// Whether the copy by which a client plays was made after the last change to its file: then it need not be read.
fn is_older_than_copy(seen: &Metadata, member: &Member, out: &Path) -> bool {
    let Ok(copy) = copy_path(out, own_hash(member)).metadata() else { return false };
    let changed =
        SystemTime::UNIX_EPOCH + std::time::Duration::new(seen.ctime().max(0) as u64, seen.ctime_nsec() as u32);
    copy.len() == seen.len() && copy.modified().is_ok_and(|made| made > changed)
}
