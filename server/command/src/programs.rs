//! The programs that belong to agon, next to it or where an installation puts them.

use crate::{Failure, status};
use agon_config::installation;
use agon_model::Paths;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The file of the client that plays for files without a descriptor.
pub const ADAPTER: &str = "libclassic.so";

/// The paths of the host, the admission program and the adapter: next to this program, or where an installation puts
/// them.
pub fn find_paths(out: &Path) -> Result<Paths, Failure> {
    let (host, admit) = (find_program("agon-host")?, find_program("agon-admit")?);
    let adapter = Some(host.with_file_name(ADAPTER)).filter(|path| path.is_file());
    Ok(Paths { out: out.to_owned(), host, admit, adapter })
}

/// A program that a tournament does without: it is built by itself.
pub struct Extra {
    program: PathBuf,
}

impl Extra {
    /// Finds `agon-lab` for the command of this name.
    ///
    /// # Errors
    /// It is not there: the line that builds it.
    pub fn lab(command: &str) -> Result<Extra, Failure> {
        Extra::find("agon-lab", command, "-p agon-lab")
    }

    /// Finds `agon-png` for the command of this name.
    ///
    /// # Errors
    /// It is not there: the line that builds it.
    pub fn png(command: &str) -> Result<Extra, Failure> {
        Extra::find("agon-png", command, "--manifest-path tools/png/Cargo.toml --target-dir target")
    }

    fn find(name: &str, command: &str, package: &str) -> Result<Extra, Failure> {
        let missing = |folder: &Path| {
            let folder = folder.display();
            let build = format!("in agon's source folder, build it: cargo build --release {package}");
            format!("`{command}` needs {name}, which is not in {folder}; {}", how_to_get(&build))
        };
        Ok(Extra { program: find(name, missing)? })
    }

    /// Becomes that program; it returns only the reason why that failed.
    pub fn hand_over(&self, command: &str, words: &[OsString]) -> Failure {
        self.trouble(Command::new(&self.program).arg(command).args(words).exec())
    }

    /// Runs it with this text on its stdin; its exit status.
    ///
    /// # Errors
    /// It cannot be started or does not read.
    pub fn feed(&self, words: &[String], text: &str) -> Result<u8, Failure> {
        let mut child = Command::new(&self.program)
            .args(words)
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|error| self.trouble(error))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(text.as_bytes()).map_err(|error| self.trouble(error))?;
        }
        let ended = child.wait().map_err(|error| self.trouble(error))?;
        Ok(ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(status::TROUBLE))
    }

    fn trouble(&self, error: std::io::Error) -> Failure {
        Failure::trouble(format!("{}: {error}", self.program.display()))
    }
}

fn find_program(name: &str) -> Result<PathBuf, Failure> {
    find(name, |folder| {
        let folder = folder.display();
        let build = "build agon and its clients (cargo build --release), or set AGON_LIBEXEC to its folder";
        format!("{name} is not in {folder}; help: {}", how_to_get(build))
    })
}

/// The advice where a part of agon is missing: build it in a source tree or where cargo put it, or keep an installation
/// whole.
pub fn how_to_get(build: &str) -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let is_source = |folder: &Path| folder.join("client-api/Cargo.toml").is_file();
    // Cargo may build into a folder outside the sources; there it leaves more than programs.
    let is_of_cargo =
        |folder: &Path| [".fingerprint", "deps", ".cargo-lock"].iter().any(|name| folder.join(name).exists());
    if program.ancestors().skip(1).any(is_source) || program.parent().is_some_and(is_of_cargo) {
        build.to_owned()
    } else {
        "keep bin/ and libexec/ together; link to agon instead of copying it".to_owned()
    }
}

/// The program of this name next to this one, or where an installation puts it.
pub(crate) fn find(name: &str, missing: impl FnOnce(&Path) -> String) -> Result<PathBuf, Failure> {
    let folders = installation::folders();
    let found = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    let first = folders.first().map_or(Path::new("/"), PathBuf::as_path);
    found.ok_or_else(|| Failure::trouble(missing(first)))
}
