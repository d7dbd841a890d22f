//! `agon record clean`: lists files of an output folder and its record that can be deleted, and their sizes; `--yes`
//! deletes them. It touches only files whose names the server gives.

use agon_command::file_set::{FileSet, listed};
use agon_command::record_location::{LocationArgs, WRITABLE};
use agon_command::{Failure, status};
use agon_model::units::about_size;
use agon_model::visible::escape;
use agon_model::{LadderId, is_hash};
use agon_record::{Archive, ArchivedLadder, Leftovers};
use clap::{Args, ValueEnum};
use std::path::Path;

/// The arguments of `agon record clean`.
#[derive(Args, Debug)]
#[command(mut_arg("record", |record| record.help(WRITABLE)))]
pub struct CleanArgs {
    /// Also lists logs of matches to delete. With `--logs faults`, logs of matches with a fault stay; by default none
    /// stays. agon show ID --jsonl rebuilds a log.
    #[arg(long, value_name = "KEEP", num_args = 0..=1, default_missing_value = "none")]
    logs: Option<Stay>,
    /// Also lists old results: those that --fresh set aside, and those of all agon match commands but the last. Their
    /// names end in ~ and a number.
    #[arg(long = "aside")]
    archived: bool,
    /// Deletes everything that is listed.
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    location: LocationArgs,
}

/// Which logs stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stay {
    None,
    Faults,
}

/// The files and ladders that can be deleted.
#[derive(Default)]
struct Rubbish {
    logs: FileSet,
    /// Logs of matches that no ladder has: cut off, or archived with their ladder.
    orphans: FileSet,
    copies: FileSet,
    partial: FileSet,
    /// Copies that are in the database itself: how many, and their bytes.
    stored: (u64, u64),
    archived: Vec<ArchivedLadder>,
}

/// Lists what can be deleted, and deletes it on request.
pub fn clean(args: &CleanArgs) -> Result<u8, Failure> {
    let location = args.location.locate()?;
    location.refuse_copy()?;
    let out = location.out();
    let mut record = location.open_existing()?;
    // Logs of matches under way look like those of matches that were cut off.
    let _locks = if args.yes { record.lock_all()? } else { Vec::new() };
    let rubbish = Rubbish::find(&*record, out, args)?;
    print!("{}", rubbish.text());
    if rubbish.is_empty() {
        println!("nothing to remove");
        return Ok(status::DONE);
    }
    if !args.yes {
        println!("nothing is removed yet; the same options and --yes remove it");
        return Ok(status::DONE);
    }
    if !rubbish.archived.is_empty() || rubbish.stored.0 > 0 {
        let ladders: Vec<LadderId> = rubbish.archived.iter().map(|ladder| ladder.id).collect();
        record.drop_ladders(&ladders)?;
    }
    for heap in [&rubbish.logs, &rubbish.orphans, &rubbish.copies, &rubbish.partial] {
        heap.remove()?;
    }
    println!("removed");
    Ok(status::DONE)
}

impl Rubbish {
    fn find(record: &dyn Archive, out: &Path, args: &CleanArgs) -> Result<Rubbish, Failure> {
        let archived = if args.archived { record.archived_ladders()? } else { Vec::new() };
        let without: Vec<LadderId> = archived.iter().map(|ladder| ladder.id).collect();
        let mut rubbish = Rubbish { archived, stored: record.unnamed_files(&without)?, ..Rubbish::default() };
        for (name, path) in listed(&out.join("matches")) {
            let Some(id) = name.strip_suffix(".jsonl") else { continue };
            match (record.leftovers(id, &without)?, args.logs) {
                (Leftovers::Nothing, _) => rubbish.orphans.add(path),
                (_, Some(Stay::None)) | (Leftovers::Sound, Some(Stay::Faults)) => rubbish.logs.add(path),
                _ => {}
            }
        }
        let named = record.named_files(&without)?;
        for (name, path) in listed(&out.join("files")) {
            match name.strip_suffix(".so").or_else(|| name.strip_suffix(".data")) {
                Some(hash) if is_hash(hash) && !named.contains(hash) => rubbish.copies.add(path),
                None if name.ends_with(".partial") => rubbish.partial.add(path),
                _ => {}
            }
        }
        rubbish.add_requests(out);
        Ok(rubbish)
    }

    /// Adds the files that debuggers were given.
    fn add_requests(&mut self, out: &Path) {
        let folder = out.join("debug");
        let requests = listed(&folder).filter(|(name, _)| name.ends_with(".requests"));
        requests.for_each(|(_, path)| self.partial.add(path));
    }

    fn is_empty(&self) -> bool {
        self.archived.is_empty()
            && self.stored.0 == 0
            && [&self.logs, &self.orphans, &self.copies, &self.partial].iter().all(|heap| heap.files.is_empty())
    }

    fn text(&self) -> String {
        let line = |(what, count, bytes): (&str, u64, u64)| match count {
            0 => String::new(),
            count => format!("{count:>8} files {:>8}  {what}\n", about_size(bytes)),
        };
        let heap = |(what, heap): (&'static str, &FileSet)| (what, heap.files.len() as u64, heap.bytes);
        let (stored, bytes) = self.stored;
        let stored = ("copies of clients' files in the database that no ladder names", stored, bytes);
        let heaps = [
            ("logs of matches", &self.logs),
            ("logs of matches that no ladder has", &self.orphans),
            ("copies of clients' files that no ladder names", &self.copies),
            ("half copies, and requests for debuggers", &self.partial),
        ];
        let archived = |ladder: &ArchivedLadder| {
            format!("{:>8} matches         ladder {}, set aside\n", ladder.matches, escape(&ladder.name, 80))
        };
        heaps.map(heap).into_iter().chain([stored]).map(line).chain(self.archived.iter().map(archived)).collect()
    }
}
