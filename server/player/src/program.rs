//! A client that is a program: a file whose first line, `#!INTERPRETER WORDS`, says what runs it, or an executable that
//! starts by itself. Found here, started by the host.

use agon_config::{Regular, Unreadable};
use object::elf::{self, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, ReadRef};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The word for it among the layers of a seat: its sandbox is that of programs.
pub(crate) const LAYER: &str = "program";
/// The longest first line, bytes; the kernel's own limit.
const LONGEST: u64 = 256;
/// The system's part of a runtime: everybody may read it, and nothing of a person is there.
const SYSTEM: [&str; 7] = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"];

/// The machine this program was built for; executables for others are told as libraries for others are.
const HERE: elf::Machine = if cfg!(target_arch = "x86_64") {
    elf::EM_X86_64
} else if cfg!(target_arch = "aarch64") {
    elf::EM_AARCH64
} else {
    elf::EM_NONE
};

/// What runs a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file itself where it is an executable.
    interpreter: PathBuf,
    words: Vec<String>,
    is_executable: bool,
}

/// Whether a file is a script, or an executable for this machine, and no library.
pub fn is_program(file: &Path) -> bool {
    match first_bytes(file) {
        Ok(bytes) if bytes.starts_with(b"\x7fELF") => is_executable(file),
        Ok(bytes) => bytes.starts_with(b"#!"),
        Err(_) => false,
    }
}

/// Executables are of the same type as libraries today; their linker marks them.
fn is_executable(file: &Path) -> bool {
    File::open(file).is_ok_and(|file| says_executable(&ReadCache::new(file)).unwrap_or(false))
}

fn says_executable<'data>(bytes: impl ReadRef<'data>) -> object::Result<bool> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    if header.e_machine(endian) != HERE {
        return Ok(false);
    }
    match header.e_type(endian) {
        elf::ET_EXEC => Ok(true),
        elf::ET_DYN => {
            let segments = header.program_headers(endian, bytes)?;
            let entries = segments.iter().filter_map(|segment| segment.dynamic(endian, bytes).ok().flatten()).flatten();
            let mut flags = entries.filter(|entry| entry.d_tag(endian) == elf::DT_FLAGS_1);
            Ok(flags.any(|entry| entry.d_val(endian) & elf::DF_1_PIE.0 != 0))
        }
        _ => Ok(false),
    }
}

/// Of a file and nothing else: whoever opens a pipe waits for its other end.
fn first_bytes(file: &Path) -> Result<Vec<u8>, Unreadable> {
    Regular::open(file, u64::MAX)?.beginning(LONGEST)
}

/// Why a program is none: a library that was linked without `-shared` has the symbol of a client.
///
/// # Errors
/// It cannot be read.
pub fn why_library(file: &Path) -> Result<Option<&'static str>, Unreadable> {
    let mut file = Regular::open(file, u64::MAX)?;
    // Names stand between NULs; one may be cut between two pieces.
    let name = [b"\0", agon_abi::SYMBOL.as_bytes(), b"\0"].concat();
    let (mut rest, mut is_found) = (Vec::new(), false);
    file.read(|piece| {
        rest.extend_from_slice(piece);
        is_found |= rest.windows(name.len()).any(|window| window == name);
        rest.drain(..rest.len().saturating_sub(name.len() - 1));
        Ok::<(), Unreadable>(())
    })?;
    Ok(is_found.then_some(LINKED_AS_PROGRAM))
}

/// With what to do.
const LINKED_AS_PROGRAM: &str = "a program that has what AGON_CLIENT makes, so it was to be a library; help: build it \
                                 with -shared: cc -O2 -g -shared -fPIC -I include -o client.so client.c";

impl Program {
    /// What a file's first line names, or an executable itself.
    ///
    /// # Errors
    /// The line cannot be understood, or this machine has no such interpreter; with what to do.
    pub fn of(file: &Path) -> Result<Program, String> {
        let bytes =
            first_bytes(file).map_err(|unreadable| format!("{}; help: {}", unreadable.what, unreadable.help))?;
        if bytes.starts_with(b"\x7fELF") {
            let interpreter = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
            return Ok(Program { interpreter, words: Vec::new(), is_executable: true });
        }
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
        Ok(Program { interpreter, words: words.collect(), is_executable: false })
    }

    /// The name of what runs it; `None` where it starts by itself.
    pub fn interpreter(&self) -> Option<String> {
        let name = || self.interpreter.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (!self.is_executable).then(name)
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
        let bin = self.interpreter.parent().filter(|folder| !self.is_executable && folder.ends_with("bin"));
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
    let is_script = || first_bytes(&path).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    (starts && !is_script()).then_some(path)
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

    #[test]
    fn an_executable_starts_by_itself_and_a_library_does_not() {
        let me = std::env::current_exe().unwrap();
        assert!(is_program(&me));
        let program = Program::of(&me).unwrap();
        assert_eq!((program.interpreter(), program.words.len()), (None, 0));
        let folder = tempfile::tempdir().unwrap();
        let (file, mut bytes) = (folder.path().join("part"), std::fs::read(&me).unwrap());
        bytes[18..20].copy_from_slice(&[0xff, 0xff]); // another machine
        std::fs::write(&file, &bytes[..4096]).unwrap();
        assert!(!is_program(&file));
        std::fs::write(&file, b"\x7fELF").unwrap();
        assert!(!is_program(&file), "what is cut is looked at as a library");
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let library =
            maps.split_whitespace().find(|word| word.contains("/libc.so") || word.contains("/libc-")).unwrap();
        assert!(!is_program(Path::new(library)), "{library}");
    }
}
