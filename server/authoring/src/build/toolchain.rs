//! Compilers of languages other than C and C++: their places on this machine, and what a build may use of them.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The toolchain of a language whose sources are built by a command of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolchain {
    Rust,
    Go,
    Zig,
}

/// The compilers that builds may use.
#[derive(Clone, Debug, Default)]
pub struct Toolchains {
    found: Vec<(Toolchain, PathBuf)>,
    /// Why others are of no use.
    missing: Vec<(Toolchain, String)>,
}

/// The system's own programs, which every build may start.
const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin";

impl Toolchain {
    const ALL: [Toolchain; 3] = [Toolchain::Rust, Toolchain::Go, Toolchain::Zig];

    /// The language as people write it.
    pub fn title(self) -> &'static str {
        match self {
            Toolchain::Rust => "Rust",
            Toolchain::Go => "Go",
            Toolchain::Zig => "Zig",
        }
    }

    /// The program that starts its compiler, and the file at the top of its projects.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Toolchain::Rust => ("cargo", "Cargo.toml"),
            Toolchain::Go => ("go", "go.mod"),
            Toolchain::Zig => ("zig", "build.zig"),
        }
    }

    /// The ending of its sources.
    pub fn ending(self) -> &'static str {
        match self {
            Toolchain::Rust => "rs",
            Toolchain::Go => "go",
            Toolchain::Zig => "zig",
        }
    }

    /// The language of a project at the top of this folder.
    pub fn of(folder: &Path) -> Option<Toolchain> {
        Toolchain::ALL.into_iter().find(|language| folder.join(language.words().1).is_file())
    }

    /// The language of sources with this ending.
    pub fn of_ending(ending: &str) -> Option<Toolchain> {
        Toolchain::ALL.into_iter().find(|language| language.ending() == ending)
    }

    /// The folder of its compiler, as that tells itself: behind what chooses among versions.
    fn home(self) -> Option<PathBuf> {
        match self {
            Toolchain::Rust => said("rustc", &["--print", "sysroot"]),
            Toolchain::Go => said("go", &["env", "GOROOT"]),
            Toolchain::Zig => path_of("zig")?.parent().map(Path::to_owned),
        }
    }

    /// The files of it that a build reads and starts. Zig lies where somebody unpacked it, perhaps in a home folder: of
    /// that folder a build gets only Zig's own files.
    fn tools(self, home: &Path) -> Vec<PathBuf> {
        match self {
            Toolchain::Zig if home.join("lib/std/std.zig").is_file() => vec![home.join("zig"), home.join("lib")],
            Toolchain::Zig => Vec::new(),
            Toolchain::Rust | Toolchain::Go => vec![home.to_owned()],
        }
    }

    /// The folder of the programs below it.
    fn programs(self, home: &Path) -> PathBuf {
        if self == Toolchain::Zig { home.to_owned() } else { home.join("bin") }
    }
}

impl Toolchains {
    /// Those of this machine; `is_other` where builds run as another user than this one, who reads what all may read.
    pub fn find(is_other: bool) -> Toolchains {
        let mut all = Toolchains::default();
        for language in Toolchain::ALL {
            let (program, _) = language.words();
            match language.home() {
                Some(home) if !is_other || is_open_to_all(&home) => all.found.push((language, home)),
                Some(home) => all.missing.push((
                    language,
                    format!(
                        "its source is in {}, and {program} is in {}, which the user that builds run as cannot read; \
                         help: install it below /usr/local, or run agon build as an ordinary user",
                        language.title(),
                        home.display()
                    ),
                )),
                None => all.missing.push((
                    language,
                    format!(
                        "its source is in {0}, and there is no {program} on this machine; help: install {0}, or ask \
                         for the built file and put it in place by agon add FILE",
                        language.title()
                    ),
                )),
            }
        }
        all
    }

    /// Why nothing can be built in this language.
    pub fn why_not(&self, language: Toolchain) -> Option<&str> {
        self.missing.iter().find(|(missing, _)| *missing == language).map(|(_, why)| why.as_str())
    }

    /// The folders in which they are.
    pub fn tools(&self) -> impl Iterator<Item = PathBuf> {
        self.found.iter().flat_map(|(language, home)| language.tools(home))
    }

    /// The `PATH` of a build.
    pub fn path(&self) -> OsString {
        let own = self.found.iter().map(|(language, home)| language.programs(home).into_os_string());
        let all: Vec<OsString> = own.chain([SYSTEM.into()]).collect();
        all.join(":".as_ref())
    }

    /// The settings that keep their files in one folder, and keep them from asking for a network.
    pub fn settings(temporary: &Path) -> Vec<(&'static str, OsString)> {
        let below = |name: &str| temporary.join(name).into_os_string();
        vec![
            ("CARGO_HOME", below("cargo")),
            ("CARGO_NET_OFFLINE", "true".into()),
            ("GOCACHE", below("go-build")),
            ("GOPATH", below("go")),
            ("GOPROXY", "off".into()),
            ("GOTOOLCHAIN", "local".into()),
            ("CGO_ENABLED", "0".into()),
            ("ZIG_GLOBAL_CACHE_DIR", below("zig")),
            ("ZIG_LOCAL_CACHE_DIR", below("zig-local")),
        ]
    }
}

/// The folder that a trusted program prints.
fn said(program: &str, words: &[&str]) -> Option<PathBuf> {
    let output = Command::new(program).args(words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    PathBuf::from(text.trim()).canonicalize().ok().filter(|folder| folder.is_dir())
}

fn path_of(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .find_map(|folder| folder.join(program).canonicalize().ok().filter(|file| file.is_file()))
}

/// Whether everybody may enter a folder and all above it.
fn is_open_to_all(folder: &Path) -> bool {
    let is_open = |folder: &Path| fs::metadata(folder).is_ok_and(|seen| seen.permissions().mode() & 0o005 == 0o005);
    is_open(folder)
        && folder
            .ancestors()
            .skip(1)
            .all(|above| fs::metadata(above).is_ok_and(|seen| seen.permissions().mode() & 0o001 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_not_all_may_read_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        mode(folder.path(), 0o755);
        mode(&inner, 0o755);
        assert!(is_open_to_all(&inner));
        mode(folder.path(), 0o700);
        assert!(!is_open_to_all(&inner));
        mode(folder.path(), 0o711);
        assert!(is_open_to_all(&inner) && !is_open_to_all(folder.path()));
    }

    #[test]
    fn of_the_folder_of_zig_nothing_else_is_read() {
        let home = tempfile::tempdir().unwrap();
        for file in ["zig", "diary.txt"] {
            fs::write(home.path().join(file), "").unwrap();
        }
        assert_eq!(Toolchain::Zig.tools(home.path()), Vec::<PathBuf>::new());
        fs::create_dir_all(home.path().join("lib/std")).unwrap();
        fs::write(home.path().join("lib/std/std.zig"), "").unwrap();
        assert_eq!(Toolchain::Zig.tools(home.path()), ["zig", "lib"].map(|own| home.path().join(own)));
    }

    #[test]
    fn a_project_is_known_by_what_stands_at_its_top() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Toolchain::of(folder.path()), None);
        fs::write(folder.path().join("go.mod"), "").unwrap();
        assert_eq!(Toolchain::of(folder.path()), Some(Toolchain::Go));
    }
}
