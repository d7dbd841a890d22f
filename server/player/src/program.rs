//! A client that is a program: a file whose first line, `#!INTERPRETER WORDS`, says what runs it. Found here, started
//! by the host.

use agon_config::{Regular, Unreadable};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The word for it among the layers of a seat: its sandbox is that of programs.
pub(crate) const LAYER: &str = "program";
/// The longest first line, bytes; the kernel's own limit.
const LONGEST: u64 = 256;
/// The system's part of a runtime: everybody may read it, and nothing of a person is there.
const SYSTEM: [&str; 7] = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"];

/// What runs a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    interpreter: PathBuf,
    words: Vec<String>,
}

/// Whether a file begins as a program does.
pub fn is_program(file: &Path) -> bool {
    first_bytes(file).is_ok_and(|bytes| bytes.starts_with(b"#!"))
}

/// Of a file and nothing else: whoever opens a pipe waits for its other end.
fn first_bytes(file: &Path) -> Result<Vec<u8>, Unreadable> {
    Regular::open(file, u64::MAX)?.beginning(LONGEST)
}

impl Program {
    /// What a file's first line names.
    ///
    /// # Errors
    /// The line cannot be understood, or this machine has no such interpreter; with what to do.
    pub fn of(file: &Path) -> Result<Program, String> {
        let bytes =
            first_bytes(file).map_err(|unreadable| format!("{}; help: {}", unreadable.what, unreadable.help))?;
        let line = bytes.strip_prefix(b"#!").and_then(|rest| rest.split(|byte| *byte == b'\n').next());
        let line = line.and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default().trim_end_matches('\r');
        let mut words = line.split_whitespace().map(str::to_owned);
        let first = words.next().unwrap_or_default();
        let name = match first.rsplit('/').next() {
            Some("env") => words.by_ref().find(|word| !word.starts_with('-')).unwrap_or_default(),
            _ => first,
        };
        if name.is_empty() {
            let help = "begin the file with #!/usr/bin/env python3, or what else runs it";
            return Err(format!("its first line names no program that runs it; help: {help}"));
        }
        let interpreter = find(&name).ok_or_else(|| {
            let help = format!("install {name}, or name another program in the first line of the file");
            format!("there is no program {name} on this machine, which is to run it; help: {help}")
        })?;
        Ok(Program { interpreter, words: words.collect() })
    }

    /// The name of what runs it.
    pub fn name(&self) -> String {
        self.interpreter.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// What a host is told, before the file.
    pub(crate) fn args(&self) -> Vec<OsString> {
        let readable = self.readable().into_iter().flat_map(|path| ["--also".into(), path.into_os_string()]);
        let words = self.words.iter().map(OsString::from);
        let start = ["--program".into(), self.interpreter.clone().into_os_string()].into_iter();
        readable.chain(start).chain(words).chain(["--".into()]).collect()
    }

    /// The files and folders that it may read: those of the system, and of an interpreter that is elsewhere.
    fn readable(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = SYSTEM.map(PathBuf::from).to_vec();
        let bin = self.interpreter.parent().filter(|folder| folder.ends_with("bin"));
        paths.extend(bin.and_then(Path::parent).filter(|home| !home.starts_with("/usr")).map(Path::to_owned));
        // Where a runtime of Java has its settings on some systems.
        let settings = std::fs::read_dir("/etc").into_iter().flatten().flatten();
        let of_java = |name: &OsString| name.to_string_lossy().starts_with("java-");
        paths.extend(settings.filter(|entry| of_java(&entry.file_name())).map(|entry| entry.path()));
        paths
    }
}

/// The file itself behind links. One that is a script is passed over, as those that choose among versions are: it would
/// start other programs, which the sandbox does not let it.
fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Path::new(name).is_absolute().then(|| executable(Path::new(name)))?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from));
    folders.filter(|folder| folder.is_absolute()).find_map(|folder| executable(&folder.join(name)))
}

fn executable(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let path = path.canonicalize().ok()?;
    let seen = path.metadata().ok()?;
    let starts = seen.is_file() && seen.permissions().mode() & 0o111 != 0;
    (starts && !is_program(&path)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.py");
        let of = |line: &str| {
            std::fs::write(&file, format!("{line}\nrest")).unwrap();
            Program::of(&file)
        };
        let shell = Path::new("/bin/sh").canonicalize().unwrap();
        for line in ["#!/bin/sh -e", "#! /usr/bin/env -S sh -e", "#!/usr/bin/env sh -e\r", "#!sh -e"] {
            let found = of(line).unwrap();
            assert_eq!((&found.interpreter, found.words.as_slice()), (&shell, &["-e".to_owned()][..]), "{line}");
        }
        assert!(of("#!").unwrap_err().starts_with("its first line names no program"));
        assert!(of("#!/usr/bin/env nosuchprogram").unwrap_err().starts_with("there is no program nosuchprogram on"));
        let script = folder.path().join("shim");
        std::fs::copy(&file, &script).unwrap();
        assert!(of(&format!("#!{}", script.display())).is_err(), "a script runs no script");
    }
}
