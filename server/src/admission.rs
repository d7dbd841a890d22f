//! From a file that somebody dropped to an entrant: copied by its contents, looked at once in the sandbox, labelled.

use crate::record::{Entrant, Places, SandboxMode, SandboxPolicy};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the look at a file may take at most.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of what the admission program says.
const MOST: u64 = 64 << 10;
/// The largest client file.
const LARGEST: u64 = 1 << 30;

/// What was seen of a file. All texts come from the client's own process and are believed only as far as they concern it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Look {
    /// The game it says it plays.
    pub game: Option<String>,
    /// `c` or `rust`.
    pub language: Option<String>,
    /// The name it gives.
    pub name: Option<String>,
    /// Why it cannot play: a cause word and a message with what to do. `None` = it can.
    pub refused: Option<(String, String)>,
}

impl Look {
    /// Whether the file has no descriptor and only an adapter can play for it.
    pub fn needs_adapter(&self) -> bool {
        self.refused.as_ref().is_some_and(|(cause, _)| cause == "classic")
    }
}

/// SHA-256 of a file and the copy that is played from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Hex; of a file and its adapter `file+adapter`.
    pub hash: String,
    /// `files/<hash>.so`, not writable: what the host opens.
    pub path: PathBuf,
    /// The copy of the file for which an adapter, at `path`, plays.
    pub behind: Option<PathBuf>,
}

impl Copied {
    /// This file behind an adapter: together they are the entrant.
    pub fn played_by(self, adapter: Copied) -> Copied {
        Copied { hash: format!("{}+{}", self.hash, adapter.hash), path: adapter.path, behind: Some(self.path) }
    }

    /// The copies of an entrant, by the hash that the record has of it; `None` if that is no file's.
    pub fn of_record(out: &Path, hash: &str) -> Option<Copied> {
        let alone = |hash: &str| Copied { hash: hash.to_owned(), path: copy_path(out, hash), behind: None };
        names_files(hash).then(|| match hash.split_once('+') {
            Some((file, adapter)) => alone(file).played_by(alone(adapter)),
            None => alone(hash),
        })
    }
}

/// Whether a text is the SHA-256 of a file, as copies are named: 64 hex digits in lower case.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether the hash of an entrant is that of a file, or of a file and its adapter. It becomes a part of paths, and a record may have
/// come from elsewhere.
pub fn names_files(hash: &str) -> bool {
    hash.split_once('+').map_or_else(|| is_hash(hash), |(file, adapter)| is_hash(file) && is_hash(adapter))
}

/// Copies a file to `files/<hash>.so`; whatever happens to the original afterwards changes nothing.
///
/// # Errors
/// Reading or writing failed, or the file is too large: which file, why, what to do.
pub fn copy(file: &Path, out: &Path) -> Result<Copied, String> {
    let bytes = read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let path = copy_path(out, &hash);
    if !path.exists() {
        place(&bytes, &path, &hash).map_err(|error| {
            let help = "help: free some space, or choose another [output] dir; the same command then goes on";
            format!("{}: {error}; {help}", path.display())
        })?;
    }
    Ok(Copied { hash, path, behind: None })
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => Err(io::Error::other("the file has more than 1 GiB")),
        false => Ok(bytes),
    }
}

/// Writes the copy under another name first, so that it is there whole or not at all.
fn place(bytes: &[u8], path: &Path, hash: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let partial = path.with_file_name(format!("{hash}.{}.partial", std::process::id()));
    let written = write_copy(&partial, bytes).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Where the copy of a file with this hash is.
pub fn copy_path(out: &Path, hash: &str) -> PathBuf {
    out.join("files").join(format!("{hash}.so"))
}

fn write_copy(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.set_permissions(fs::Permissions::from_mode(0o555))?;
    file.sync_all()
}

/// Looks at a file in a process of its own, which is ended after `patience`.
///
/// # Errors
/// The admission program does not run: our own trouble.
pub fn look(places: &Places, file: &Path, sandbox: &SandboxPolicy, patience: Duration) -> io::Result<Look> {
    let mut command = Command::new(&places.admit);
    if sandbox.mode == SandboxMode::Off {
        command.args(["--sandbox", "off"]);
    }
    for rung in &sandbox.without {
        command.args(["--without", rung]);
    }
    command.arg(file).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // A Ctrl-C in the terminal is meant for the server.
    command.process_group(0);
    let mut child =
        command.spawn().map_err(|error| io::Error::other(format!("{}: {error}", places.admit.display())))?;
    let stdout = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before an error counts; the rest is judged by how the process ended.
        let _ = stdout.map(|stdout| stdout.take(MOST).read_to_end(&mut bytes));
        bytes
    });
    let deadline = Instant::now() + patience;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if Instant::now() > deadline => {
                child.kill()?;
                child.wait()?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let bytes = reader.join().unwrap_or_default();
    let mut look = read_look(&String::from_utf8_lossy(&bytes));
    if look.refused.is_none() && look.game.is_none() {
        let how = status
            .map_or(format!("took more than {:.1} s", patience.as_secs_f64()), |status| format!("ended with {status}"));
        let message =
            format!("looking at it {how}; help: code that runs when the library is opened must not fail or block");
        look.refused = Some(("unseen".to_owned(), message));
    }
    Ok(look)
}

/// From lines `key<TAB>value`.
fn read_look(text: &str) -> Look {
    let mut look = Look::default();
    for line in text.lines() {
        let mut words = line.splitn(4, '\t');
        match (words.next(), words.next()) {
            (Some("game"), Some(game)) if is_game_name(game) => look.game = Some(game.to_owned()),
            (Some("language"), Some(language)) => look.language = Some(language.to_owned()),
            (Some("name"), Some(name)) => look.name = Some(name.to_owned()),
            (Some("refused"), Some(cause)) => {
                let message = words.next().unwrap_or_default();
                let help = words.next().map_or(String::new(), |help| format!("; help: {help}"));
                look.refused = Some((cause.to_owned(), format!("{message}{help}")));
            }
            _ => {}
        }
    }
    look
}

/// Part of C names, and short enough to be shown.
fn is_game_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

/// A label for each of `wanted` that nobody else has: the second `player` becomes `player-2`.
pub fn distinct_labels(wanted: &[String]) -> Vec<String> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut labels: Vec<String> = Vec::with_capacity(wanted.len());
    for label in wanted {
        let count = seen.entry(label).or_insert(0);
        *count += 1;
        let mut candidate = if *count == 1 { label.clone() } else { format!("{label}-{count}") };
        while labels.contains(&candidate) {
            *count += 1;
            candidate = format!("{label}-{count}");
        }
        labels.push(candidate);
    }
    labels
}

/// An entrant made of what was copied and seen.
pub fn entrant(
    label: String,
    file: &Path,
    copied: &Copied,
    options: BTreeMap<String, String>,
    refused: Option<String>,
) -> Entrant {
    let file = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Entrant { label, file, hash: copied.hash.clone(), options, refused }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_admission_says_is_read_as_it_comes() {
        let look = read_look("game\tchess\nname\tmcts\nrefused\tlayout\tfield differs\trebuild\nnonsense\n");
        assert_eq!(look.game.as_deref(), Some("chess"));
        assert_eq!(look.refused, Some(("layout".to_owned(), "field differs; help: rebuild".to_owned())));
        assert_eq!(read_look("\u{0}\tgame"), Look::default());
        assert_eq!(read_look("game\tch\u{1b}ess"), Look::default());
    }

    #[test]
    fn nobody_shares_a_label() {
        let wanted = ["player", "player", "player-2", "player"].map(str::to_owned);
        let labels = distinct_labels(&wanted);
        assert_eq!(labels, ["player", "player-2", "player-2-2", "player-3"]);
    }

    #[test]
    fn a_copy_is_named_after_its_contents_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.so");
        fs::write(&file, b"contents").unwrap();
        let first = copy(&file, folder.path()).unwrap();
        fs::write(&file, b"changed").unwrap();
        assert_ne!(copy(&file, folder.path()).unwrap().hash, first.hash);
        assert_eq!(fs::read(&first.path).unwrap(), b"contents");
        let both = first.clone().played_by(first);
        assert_eq!(Copied::of_record(folder.path(), &both.hash), Some(both));
        assert_eq!(fs::read_dir(folder.path().join("files")).unwrap().count(), 2, "nothing partial is left");
    }

    #[test]
    fn only_hashes_lead_to_files() {
        let hash = "0a".repeat(32);
        let two = format!("{hash}+{hash}");
        for good in [&hash, &two] {
            assert!(Copied::of_record(Path::new("out"), good).is_some(), "{good}");
        }
        let upper = hash.to_uppercase();
        let three = format!("{two}+{hash}");
        let up = format!("../{}", &hash[3..]);
        for bad in ["", "/etc/passwd", "forgotten-7", "anonymous:client-1", &hash[1..], &upper, &three, &up, "+"] {
            assert_eq!(Copied::of_record(Path::new("out"), bad), None, "{bad}");
        }
    }
}
