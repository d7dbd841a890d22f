//! Prepares a worker for some terms: the rules, the settings, and the clients' files, fetched by their hashes and
//! examined in its own sandbox. It trusts nothing of them, because a record may be in anybody's hands.

use super::terms::RemoteTerms;
use agon_abi::Cause;
use agon_arena::admission::{self, LookBounds};
use agon_files::{Regular, opened};
use agon_games::{AnyGame, Options, PreparedSetting};
use agon_model::visible::escape;
use agon_model::{Copied, EntrantId, Paths, SandboxPolicy, Weakness, copy_path, is_hash};
use agon_record::exchange::{LinkError, WorkerLink};
use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The time after which an unused copy of a client's file is deleted.
const USELESS: Duration = Duration::from_secs(30 * 86_400);

/// Why a worker does not play by some terms.
pub enum NotReady {
    /// It never can, for the reason in this sentence.
    Declined(String),
    Away(String),
    /// This machine lacks something that it may have later.
    Lacking(String),
}

/// Everything needed to play.
pub struct Workshop<'a> {
    pub terms: RemoteTerms,
    pub game: &'a dyn AnyGame,
    /// The settings, worked out.
    pub settings: Vec<Box<dyn PreparedSetting>>,
    pub files: Vec<Copied>,
    /// The entrants that cannot be opened here, by their numbers in the record, each with the reason.
    pub lacking: Lacking,
}

impl From<LinkError> for NotReady {
    fn from(error: LinkError) -> NotReady {
        match error {
            LinkError::Away(why) => NotReady::Away(why),
            LinkError::Refused(why) | LinkError::Over(why) => NotReady::Declined(why),
        }
    }
}

impl<'a> Workshop<'a> {
    /// Prepares the terms with this number. `looked` has the results of earlier looks at files; `allows_weaker` accepts
    /// terms that require less than the full sandbox.
    pub fn make_ready(
        number: i64,
        (games, paths): (&[&'a dyn AnyGame], &Paths),
        link: &mut dyn WorkerLink,
        looked: &mut Looked,
        allows_weaker: bool,
    ) -> Result<Workshop<'a>, NotReady> {
        let (terms, game, settings) = read_terms(&link.terms(number)?, games)?;
        let weakness = Weakness::of(Some(terms.isolation), Some(&terms.sandbox));
        if let Some(weakness) = weakness.filter(|_| !allows_weaker) {
            let help = "help: only for clients that you trust, start the worker with --allow-weaker-sandbox";
            return Err(NotReady::Declined(format!("it asks for less than the full sandbox: {weakness}; {help}")));
        }
        if terms.ids.len() != terms.entrants.len() {
            return Err(NotReady::Declined("its terms do not fit together".to_owned()));
        }
        judge_opened(&terms.sandbox, &paths.out)?;
        let (files, lacking) = fetch_all((number, &terms), paths, link, looked)?;
        Ok(Workshop { terms, game, settings, files, lacking })
    }
}

/// Judges the folders that the terms open: a client may need any of them, so a worker waits for one that is away.
fn judge_opened(policy: &SandboxPolicy, cache: &Path) -> Result<(), NotReady> {
    for folder in policy.folders() {
        let shown = escape(&folder.to_string_lossy(), 200);
        match opened::is_here(folder, cache) {
            Ok(true) => {}
            Ok(false) => {
                let help = "help: mount it on this machine, or play elsewhere";
                return Err(NotReady::Lacking(format!("the folder {shown} that the ladder opens is not here; {help}")));
            }
            Err(why) => {
                return Err(NotReady::Declined(format!("this machine does not open {shown} to clients: {why}")));
            }
        }
    }
    Ok(())
}

/// The terms of the record, with the game and its settings, worked out.
pub type ReadTerms<'a> = (RemoteTerms, &'a dyn AnyGame, Vec<Box<dyn PreparedSetting>>);

/// Reads the terms of a ladder from a record's text.
pub fn read_terms<'a>(text: &str, games: &[&'a dyn AnyGame]) -> Result<ReadTerms<'a>, NotReady> {
    let terms: RemoteTerms = serde_json::from_str(text).map_err(|error| {
        let help = "help: use the same agon on both machines";
        NotReady::Declined(format!("its terms cannot be read: {error}; {help}"))
    })?;
    let game = games.iter().copied().find(|game| game.facts().name == terms.game);
    let game = game.ok_or_else(|| NotReady::Declined(format!("this agon has no game {}", terms.game)))?;
    let (fewest, most) = game.facts().seats;
    if !(fewest..=most).contains(&terms.seats) || !terms.limits.may_be() {
        return Err(NotReady::Declined("its terms have seats or limits that no ladder can have".to_owned()));
    }
    let settings = terms.settings.iter().map(|(_, given)| {
        let mut options = Options::default();
        given.iter().for_each(|(key, value)| options.set(key, value));
        game.prepare(&options, terms.seats)
    });
    let settings = settings.collect::<Result<_, _>>().map_err(|bad| NotReady::Declined(bad.to_string()))?;
    Ok((terms, game, settings))
}

/// The files that were fetched and passed a look, each by the number of the terms, which have a policy.
pub type Looked = BTreeSet<(i64, PathBuf)>;

/// The numbers of clients that cannot be opened here, and the reasons.
pub type Lacking = Vec<(EntrantId, String)>;

/// Fetches the files of all entrants and lists those that cannot be opened here. Refused files are not needed.
fn fetch_all(
    (terms_number, terms): (i64, &RemoteTerms),
    paths: &Paths,
    link: &mut dyn WorkerLink,
    looked: &mut Looked,
) -> Result<(Vec<Copied>, Lacking), NotReady> {
    let (mut files, mut lacking) = (Vec::new(), Vec::new());
    for (entrant, number) in terms.entrants.iter().zip(&terms.ids) {
        let copied = Copied::of_record(&paths.out, entrant);
        let copied = copied
            .ok_or_else(|| NotReady::Declined(format!("client {} has a file that has no hash", entrant.label)))?;
        if entrant.refused.is_none() {
            let key = |path: &PathBuf| (terms_number, path.clone());
            for path in copied.files.all().filter(|path| !looked.contains(&key(path))) {
                fetch(path, link)?;
            }
            let is_known = looked.contains(&key(&copied.files.library));
            match if is_known { Ok(()) } else { look(terms, &entrant.label, paths, &copied.files.library) } {
                Ok(()) => looked.extend(copied.files.all().map(key)),
                Err(NotReady::Declined(why)) => lacking.push((*number, why)),
                Err(error) => return Err(error),
            }
        }
        files.push(copied);
    }
    Ok((files, lacking))
}

/// Fetches a file, which is named after its hash, unless its whole copy is there.
fn fetch(path: &Path, link: &mut dyn WorkerLink) -> Result<(), NotReady> {
    let hash = &*path.file_stem().unwrap_or_default().to_string_lossy();
    let is_whole = |path: &Path| {
        let source = Regular::open(path, agon_files::LARGEST);
        source.ok().and_then(|mut source| agon_files::hash(&mut source).ok()).is_some_and(|found| found == hash)
    };
    if is_whole(path) {
        // It is still in use; if that cannot be noted, it is fetched again one day.
        let _ = fs::File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
        return Ok(());
    }
    let bytes = link.file(hash)?;
    let trouble = |error: std::io::Error| {
        NotReady::Lacking(format!("{}: {error}; help: free some space, or choose another --cache", path.display()))
    };
    path.parent().map_or(Ok(()), create_private).map_err(trouble)?;
    let partial = path.with_file_name(format!("{hash}.{}.partial", std::process::id()));
    fs::write(&partial, bytes).map_err(trouble)?;
    if !is_whole(&partial) {
        let _ = fs::remove_file(&partial);
        return Err(NotReady::Declined(format!("what the record has under {hash} is another file")));
    }
    // The owner of the file perhaps let nobody else read it.
    fs::set_permissions(&partial, Permissions::from_mode(0o500)).map_err(trouble)?;
    fs::rename(&partial, path).map_err(trouble)
}

/// Removes copies that were unused for a month: a worker that needs them again fetches them again.
pub fn remove_old_copies(paths: &Paths) {
    let is_old = |path: &Path| {
        let modified = fs::metadata(path).and_then(|found| found.modified());
        modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > USELESS))
    };
    let folder = copy_path(&paths.out, "");
    for file in folder.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
        let path = file.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if is_hash(stem.split('.').next().unwrap_or_default()) && is_old(&path) {
            // A copy that cannot be removed only takes space.
            let _ = fs::remove_file(path);
        }
    }
}

/// Makes a folder that no other user can read.
fn create_private(folder: &Path) -> std::io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Looks at a file as a ladder does: one that cannot be opened here would lose only here.
fn look(terms: &RemoteTerms, label: &str, paths: &Paths, file: &Path) -> Result<(), NotReady> {
    let bounds = LookBounds { patience: admission::PATIENCE, memory: terms.limits.memory };
    let look = admission::look(paths, file, &terms.sandbox, bounds)
        .map_err(|error| NotReady::Declined(format!("looking at client {label}: {error}")))?;
    match look.refused {
        Some((cause, why)) if !matches!(cause, Cause::Unseen | Cause::UnknownGame) => {
            Err(NotReady::Declined(format!("client {label} cannot be opened on this machine: {why}")))
        }
        _ => Ok(()),
    }
}
