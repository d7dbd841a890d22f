//! `agon record forget CLIENT`: somebody's client is taken out of the record: names, file, options, and everything it said.
//! Its matches stay without its name, unless they go too.

use agon_arena::journal;
use agon_command::confirm::confirmed;
use agon_command::file_set::{FileSet, listed};
use agon_command::record_location::{LocationArgs, WRITABLE};
use agon_command::{Failure, status};
use agon_live::team_links::TeamLinks;
use agon_live::test_result;
use agon_model::units::about_size;
use agon_model::visible::escape;
use agon_model::{EntrantId, copy_path, counted, data_path, is_hash, shell, some_of};
use agon_record::{Archive, Lock, name_before_archive};
use clap::Args;
use std::collections::BTreeSet;
use std::path::Path;

/// The arguments of `agon record forget`.
#[derive(Args, Debug)]
#[command(mut_arg("record", |record| record.help(WRITABLE)))]
pub struct ForgetArgs {
    /// The client, in all its versions and in all ladders of the record.
    client: String,
    /// Erases it only in this ladder.
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    /// Also deletes its matches. Their results then do not count for the opponents either.
    #[arg(long)]
    matches: bool,
    /// Does it without asking.
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    location: LocationArgs,
}

/// Says what will be forgotten, asks, forgets.
pub fn forget(args: &ForgetArgs) -> Result<u8, Failure> {
    let location = args.location.locate()?;
    location.refuse_copy()?;
    let out = location.out();
    let _locks = Lock::take_all(out)?;
    let mut record = location.open_existing()?;
    let known = record.versions_of(&args.client, args.ladder.as_deref())?;
    refuse(args, &*record, &known)?;
    announce(args, &known);
    if !confirmed(args.yes, "forget it for ever?")? {
        return Ok(status::USAGE);
    }
    let size = std::fs::metadata(out.join("record.sqlite")).map_or(0, |seen| seen.len());
    if agon_tournament::free_space(out).is_some_and(|free| free < 2 * size) {
        let why = format!("the record is written anew, which takes {} of the disk", about_size(2 * size));
        return Err(Failure::trouble(format!("{why}; nothing was changed; help: free some space")));
    }
    let ids: Vec<EntrantId> = known.iter().map(|(id, ..)| *id).collect();
    let forgotten = record.forget(&ids, args.matches)?;
    let named = record.named_files(&[])?;
    let copies = remove_copies(out, forgotten.hashes.difference(&named))?;
    let logs = remove_logs(out, &forgotten.matches)?;
    remove_locks(out, &*record, &forgotten.ladders)?;
    test_result::forget(out, &args.client, args.ladder.as_deref())?;
    let mut links = TeamLinks::read(out)?;
    if links.forget(&args.client, args.ladder.as_deref()) {
        links.write()?;
    }
    for (old, new) in &forgotten.ladders {
        println!("ladder {} is called {} from now on", escape(old, 80), escape(new, 80));
    }
    let copies = counted(copies as u64, "copy of a file", "copies of files");
    println!("forgotten; removed: {copies} and {}", counted(logs as u64, "log", "logs"));
    println!("a file in clients/, exports and backups are yours to remove; with its file in place it takes part anew");
    Ok(status::DONE)
}

/// A version of a client: its number, its ladder, and its matches there.
type Version = (EntrantId, String, u64);

/// Refuses a client that is not there, or is drawn in a round that is not over.
fn refuse(args: &ForgetArgs, record: &dyn Archive, known: &[Version]) -> Result<(), Failure> {
    let name = escape(&args.client, 60);
    if known.is_empty() {
        let help = "agon clients lists them; --ladder names another ladder, --record another record";
        return Err(Failure::usage(format!("no client of this record is called \"{name}\"; help: {help}")));
    }
    for (id, ..) in known {
        if let Some(ladder) = record.open_ladders(*id)?.first() {
            let what = format!("{name} is drawn in ladder {}, whose round is not over", escape(ladder, 64));
            let help = format!(
                "finish it with agon ladder, or take {name} out by agon clients {} and go on with it \
                 until its round is over; then forget it",
                shell::option("--withdraw", &args.client)
            );
            return Err(Failure::usage(format!("{what}; nothing was changed; help: {help}")));
        }
    }
    Ok(())
}

/// Says what will be forgotten.
fn announce(args: &ForgetArgs, known: &[Version]) {
    let ladders: BTreeSet<&str> = known.iter().map(|(_, ladder, _)| ladder.as_str()).collect();
    let list: Vec<String> = ladders.iter().map(|ladder| escape(ladder, 64)).collect();
    let versions = counted(known.len() as u64, "version", "versions");
    let ladders = if list.len() == 1 { "ladder" } else { "ladders" };
    let matches = counted(known.iter().map(|(.., matches)| matches).sum(), "match", "matches");
    let fate = if args.matches { "go" } else { "stay under another name" };
    println!("{}: {versions} in {ladders} {}, {matches}, which {fate}", escape(&args.client, 60), some_of(&list));
}

fn remove_copies<'a>(out: &Path, hashes: impl Iterator<Item = &'a String>) -> Result<usize, Failure> {
    let mut heap = FileSet::default();
    for hash in hashes.filter(|hash| is_hash(hash)) {
        // A file that was no client, or given to none, is not there.
        heap.add(copy_path(out, hash));
        heap.add(data_path(out, hash));
    }
    heap.remove()?;
    Ok(heap.files.len())
}

/// Logs, and what debuggers were given.
fn remove_logs(out: &Path, ids: &[String]) -> Result<usize, Failure> {
    let mut heap = FileSet::default();
    ids.iter().for_each(|id| heap.add(journal::path(out, id)));
    let ids: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let of_match = |name: &str| name.split_once("-seat").is_some_and(|(id, _)| ids.contains(id));
    listed(&out.join("debug")).filter(|(name, _)| of_match(name)).for_each(|(_, path)| heap.add(path));
    heap.remove()?;
    Ok(heap.files.len())
}

/// Locks of ladders that lost their names: they are called as the ladders were before these were archived.
fn remove_locks(out: &Path, record: &dyn Archive, renamed: &[(String, String)]) -> Result<(), Failure> {
    let mut heap = FileSet::default();
    for (old, _) in renamed {
        for name in [old.as_str(), name_before_archive(old)] {
            if record.ladder(name)?.is_none() {
                heap.add(Lock::path(out, name));
            }
        }
    }
    heap.remove()
}
