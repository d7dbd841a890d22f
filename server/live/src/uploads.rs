//! Files that teams upload by their pages: each is looked at like any other before it takes the place of the one
//! before, and the team is told what came of it.

use crate::content::BodyLimit;
use agon_command::redaction::redaction;
use agon_command::{Failure, ladder_file, status};
use agon_files::hash_of;
use agon_files::patterns::place_of;
use agon_games::AnyGame;
use agon_model::units::about_size;
use agon_model::{Closing, LadderLocation, SandboxPolicy, Sources, show_moment};
use agon_record::Redaction;
use agon_web::{UploadForm, UploadResult};
use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The largest file.
const LARGEST: usize = 32_000_000;
/// How long one may take to come.
const UPLOAD_LIMIT: Duration = Duration::from_secs(60);
/// The most files of a team within this time: each takes up to seconds of this machine, and becomes a version.
const MOST_AN_HOUR: usize = 20;
const WITHIN: Duration = Duration::from_secs(3600);
const ELF: &[u8] = b"\x7fELF";
const PROGRAM: &[u8] = b"#!";

/// Puts a file where that of a team is, after a look at it; what was seen of it, or why it was refused.
pub type Replace =
    fn(&Path, &Path, Option<&str>, &SandboxPolicy, &[&dyn AnyGame]) -> Result<Result<String, String>, Failure>;

/// Where files go, until when, and what came of the last one of each team.
pub struct Uploads {
    ladder: String,
    game: Option<String>,
    sources: Sources,
    closing: Option<Closing>,
    programs: bool,
    /// The folders that the ladder opens.
    sandbox: SandboxPolicy,
    /// Where files are until they were looked at.
    out: PathBuf,
    replace: Replace,
    games: &'static [&'static dyn AnyGame],
    redaction: Redaction,
    last: Mutex<BTreeMap<String, UploadResult>>,
    /// When files of each team came, the last ones.
    came: Mutex<BTreeMap<String, VecDeque<Instant>>>,
}

/// Why a file is refused; in French only where agon's own pages say it, and not the check of a file.
struct Why {
    english: String,
    french: Option<String>,
}

impl Why {
    fn both(english: &str, french: &str) -> Why {
        Why { english: english.to_owned(), french: Some(french.to_owned()) }
    }
}

impl Uploads {
    /// By what this ladder file says.
    ///
    /// # Errors
    /// It does not say where the file of a team goes, or has errors.
    pub fn of(file: &Path, games: &'static [&'static dyn AnyGame], replace: Replace) -> Result<Uploads, Failure> {
        let LadderLocation { name: ladder, game, sources, closing, programs, out, .. } =
            ladder_file::read_location(file)?;
        let sandbox = ladder_file::read_opened(file)?;
        if place_of(&sources, "team").is_none() {
            let help = "help: clients = [\"teams/*/player.so\"], where one star stands for the name of a team";
            let what = "--accept-uploads: no pattern of the ladder file says where the file of a team goes";
            return Err(Failure::new(status::CONFIGURATION, format!("{what}; {help}")));
        }
        let (redaction, last, came) = (redaction(false, &out)?, Mutex::default(), Mutex::default());
        Ok(Uploads { ladder, game, sources, closing, programs, sandbox, out, replace, games, redaction, last, came })
    }

    /// The most bytes of a file.
    pub fn most(&self) -> usize {
        LARGEST
    }

    /// The limits of a file.
    pub fn limit(&self) -> BodyLimit {
        let begins: &[&[u8]] = if self.programs { &[ELF, PROGRAM] } else { &[ELF] };
        BodyLimit { most: LARGEST, patience: UPLOAD_LIMIT, begins }
    }

    /// The form for a team of this ladder.
    pub fn form(&self, ladder: &str, team: &str) -> Option<UploadForm> {
        let form = || UploadForm {
            is_open: !self.is_closed(),
            closing: self.closing.map(|closing| closing.to_string()),
            largest: about_size(LARGEST as u64),
            last: self.last().get(team).cloned(),
        };
        (ladder == self.ladder).then(form)
    }

    /// Takes a file of a team; what came of it is on its page.
    pub fn take(&self, ladder: &str, team: &str, bytes: &[u8]) {
        let taken = match self.too_many(team, Instant::now()) {
            _ if ladder != self.ladder || self.is_closed() => {
                Err(Why::both("nothing is taken any more: the closing time is past", "l'heure limite est passée"))
            }
            Some(why) => Err(why),
            None => match self.put(team, bytes) {
                Ok(looked) => looked.map_err(|english| Why { english, french: None }),
                Err(failure) => {
                    // It may name files of this machine.
                    tracing::error!(team, "a submitted file was not taken: {}", failure.message);
                    Err(Why::both(
                        "it could not be taken, for a reason of this machine; the operator of agon sees why",
                        "pour une raison de cette machine ; l'organisateur voit laquelle",
                    ))
                }
            },
        };
        let (is_taken, text, french) = match taken {
            Ok(seen) => (true, seen, None),
            Err(why) => (false, self.redaction.text(&why.english), why.french),
        };
        let when = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let place = place_of(&self.sources, team).filter(|_| is_taken);
        let sha256 = place.and_then(|place| hash_of(&place).ok());
        self.last().insert(team.to_owned(), UploadResult { when: show_moment(when), is_taken, sha256, text, french });
    }

    /// Why no more of a team is looked at for now; if nothing is said, one more is.
    fn too_many(&self, team: &str, now: Instant) -> Option<Why> {
        let mut came = self.came.lock().unwrap_or_else(PoisonError::into_inner);
        let own = came.entry(team.to_owned()).or_default();
        own.retain(|at| now.duration_since(*at) < WITHIN);
        if let Some(first) = own.front().filter(|_| own.len() >= MOST_AN_HOUR) {
            let minutes = (WITHIN - now.duration_since(*first)).as_secs() / 60 + 1;
            return Some(Why::both(
                &format!("this team submitted {MOST_AN_HOUR} files within an hour; the next is taken in {minutes} min"),
                &format!(
                    "cette équipe a rendu {MOST_AN_HOUR} fichiers en une heure ; le prochain sera accepté dans {minutes} min"
                ),
            ));
        }
        own.push_back(now);
        None
    }

    fn put(&self, team: &str, bytes: &[u8]) -> Result<Result<String, String>, Failure> {
        let Some(place) = place_of(&self.sources, team) else {
            return Ok(Err("this team has no place for files".to_owned()));
        };
        let trouble = |error: std::io::Error| Failure::trouble(format!("{}: {error}", self.out.display()));
        std::fs::create_dir_all(&self.out).map_err(trouble)?;
        let mut file = tempfile::Builder::new().prefix(".upload-").tempfile_in(&self.out).map_err(trouble)?;
        file.write_all(bytes).and_then(|()| file.flush()).map_err(trouble)?;
        (self.replace)(file.path(), &place, self.game.as_deref(), &self.sandbox, self.games)
    }

    /// The teams whose last file was refused, each with the reason.
    pub fn refused(&self) -> Vec<(String, String)> {
        let refused = |(team, last): (&String, &UploadResult)| (team.clone(), last.text.clone());
        self.last().iter().filter(|(_, last)| !last.is_taken).map(refused).collect()
    }

    /// Whether the closing time is past.
    pub fn is_closed(&self) -> bool {
        self.closing.is_some_and(Closing::is_past)
    }

    fn last(&self) -> MutexGuard<'_, BTreeMap<String, UploadResult>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
