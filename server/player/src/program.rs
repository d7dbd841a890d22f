//! A client that is a program: a file whose first line, `#!INTERPRETER WORDS`, names its interpreter, or an executable.
//! This file finds it, and the host starts it.

mod first_line;
mod runtimes;

use agon_files::{Regular, Unreadable};
use agon_model::visible::escape;
use first_line::FirstLine;
use object::elf::{self, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, ReadRef};
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The word for it among the layers of a seat: the sandbox of programs.
pub(crate) const LAYER: &str = "program";
/// The machine for which this agon was built; executables for others get the same messages as libraries for others.
const HERE: elf::Machine = if cfg!(target_arch = "x86_64") {
    elf::EM_X86_64
} else if cfg!(target_arch = "aarch64") {
    elf::EM_AARCH64
} else {
    elf::EM_NONE
};

/// The interpreter of a file, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The interpreter, or the file itself if it is an executable.
    interpreter: PathBuf,
    words: Vec<String>,
    is_executable: bool,
}

/// Whether a file is a script, or an executable for this machine, and not a library.
pub fn is_program(file: &Path) -> bool {
    match first_bytes(file) {
        Ok(bytes) if bytes.starts_with(b"\x7fELF") => is_elf_executable(file),
        Ok(bytes) => bytes.starts_with(b"#!"),
        Err(_) => false,
    }
}

/// Executables have the same type as libraries today; their linker marks them.
fn is_elf_executable(file: &Path) -> bool {
    File::open(file).is_ok_and(|file| what_it_is(&ReadCache::new(file)).is_ok_and(|elf| elf == Elf::Executable))
}

/// The kind of an ELF file for the kernel of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elf {
    Executable,
    /// It is a library, or an executable whose linker did not mark it.
    Unmarked,
    /// It is not for this machine.
    Other,
}

fn what_it_is<'data>(bytes: impl ReadRef<'data>) -> object::Result<Elf> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    if header.e_machine(endian) != HERE {
        return Ok(Elf::Other);
    }
    match header.e_type(endian) {
        elf::ET_EXEC => Ok(Elf::Executable),
        elf::ET_DYN => {
            let segments = header.program_headers(endian, bytes)?;
            let entries = segments.iter().filter_map(|segment| segment.dynamic(endian, bytes).ok().flatten()).flatten();
            let mut flags = entries.filter(|entry| entry.d_tag(endian) == elf::DT_FLAGS_1);
            let is_marked = flags.any(|entry| entry.d_val(endian) & elf::DF_1_PIE.0 != 0);
            Ok(if is_marked { Elf::Executable } else { Elf::Unmarked })
        }
        _ => Ok(Elf::Other),
    }
}

/// Reads a regular file only: opening a pipe would wait for its other end.
fn first_bytes(file: &Path) -> Result<Vec<u8>, Unreadable> {
    Regular::open(file, u64::MAX)?.beginning(first_line::LONGEST_FIRST_LINE as u64 + 1)
}

/// Why a program should be a library: one linked without `-shared` has the symbol of a client.
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

/// The message includes what to do.
const LINKED_AS_PROGRAM: &str = "a program that has what AGON_CLIENT makes, so it was to be a library; help: build it \
                                 with -shared: cc -O2 -g -shared -fPIC -I include -o client.so client.c";

impl Interpreter {
    /// Reads the interpreter from a file's first line, or takes an executable itself. Interpreters are the system's, or
    /// lie in a folder that is `opened`.
    ///
    /// # Errors
    /// The line cannot be understood, or this machine has no such interpreter; the text says what to do.
    pub fn of(file: &Path, opened: &[PathBuf]) -> Result<Interpreter, String> {
        let bytes =
            first_bytes(file).map_err(|unreadable| format!("{}; help: {}", unreadable.what, unreadable.help))?;
        if bytes.starts_with(b"\x7fELF") {
            let interpreter = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
            return Ok(Interpreter { interpreter, words: Vec::new(), is_executable: true });
        }
        let FirstLine { name, words, quoted } = first_line::read(&bytes)?;
        let interpreter = find(&name, opened).map_err(|Unfit { what, help }| {
            format!("its first line, {quoted}, names {}, {what}; help: {help}", escape(&name, 80))
        })?;
        Ok(Interpreter { interpreter, words, is_executable: false })
    }

    /// The name of the interpreter; `None` for an executable.
    pub fn interpreter(&self) -> Option<String> {
        let name = || self.interpreter.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (!self.is_executable).then(name)
    }

    /// The program in the form that a host takes.
    pub(crate) fn of_host(&self) -> agon_host::program::Program {
        let words = self.words.iter().map(OsString::from).collect();
        agon_host::program::Program { interpreter: self.interpreter.clone(), words }
    }

    /// The files and folders that it may read; its own file is this copy.
    pub(crate) fn readable(&self, copy: &Path) -> Vec<PathBuf> {
        runtimes::readable(copy)
    }
}

/// Why a file cannot run a script, and what to do.
struct Unfit {
    what: String,
    help: String,
}

impl Unfit {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Unfit {
        Unfit { what: what.into(), help: help.into() }
    }
}

const NAME_ANOTHER: &str = "name another program in the first line, as #!/usr/bin/env python3";

/// Finds the file itself behind links. An unfit file on the `PATH` is skipped, such as a script that chooses among
/// versions: it would start other programs, which the sandbox forbids.
fn find(name: &str, opened: &[PathBuf]) -> Result<PathBuf, Unfit> {
    if name.contains('/') {
        return if Path::new(name).is_absolute() {
            fit(Path::new(name), opened)
        } else {
            Err(Unfit::new("a path from nowhere", "begin its path with /, or write #!/usr/bin/env and its name"))
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from));
    let mut unfit = None;
    for file in folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)) {
        match fit(&file, opened) {
            Ok(interpreter) => return Ok(interpreter),
            // Of several unfit files, the first existing one gives the reason.
            Err(why) => unfit = unfit.or_else(|| file.exists().then_some(why)),
        }
    }
    Err(unfit.unwrap_or_else(|| missing(name)))
}

fn missing(name: &str) -> Unfit {
    let help = format!("install {}, or {NAME_ANOTHER}", escape(name, 80));
    Unfit::new("and there is no such program on this machine", help)
}

/// This file behind all links, if it can run a program.
fn fit(given: &Path, opened: &[PathBuf]) -> Result<PathBuf, Unfit> {
    use std::os::unix::fs::PermissionsExt;
    let Ok(path) = given.canonicalize() else { return Err(missing(&given.to_string_lossy())) };
    let seen = path.metadata().map_err(|error| Unfit::new(error.to_string(), NAME_ANOTHER))?;
    if !seen.is_file() {
        return Err(Unfit::new("which is not a file", NAME_ANOTHER));
    }
    if !runtimes::has_interpreter(&path) && !opened.iter().any(|folder| path.starts_with(folder)) {
        let target = if path == given { String::new() } else { format!(" {},", escape(&path.to_string_lossy(), 160)) };
        let what = format!("which is{target} outside of what programs may read");
        return Err(Unfit::new(
            what,
            format!("install it in {}; or name its folder in the ladder: [run] runtimes", runtimes::IN_WORDS),
        ));
    }
    if seen.permissions().mode() & 0o111 == 0 {
        return Err(Unfit::new("which is not executable", format!("chmod +x it, or {NAME_ANOTHER}")));
    }
    let what = match first_bytes(&path) {
        Ok(bytes) if bytes.starts_with(b"#!") => "which is a script itself",
        Ok(_) => match File::open(&path).map(|file| what_it_is(&ReadCache::new(file))) {
            Ok(Ok(Elf::Executable | Elf::Unmarked)) => return Ok(path),
            _ => "which is not an executable for this machine",
        },
        // A file that may be run and not read.
        Err(_) => return Ok(path),
    };
    Err(Unfit::new(what, NAME_ANOTHER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_interpreter() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.py");
        let of = |line: &str| {
            std::fs::write(&file, format!("{line}\nrest")).unwrap();
            Interpreter::of(&file, &[])
        };
        let shell = Path::new("/bin/sh").canonicalize().unwrap();
        for line in
            ["#!/bin/sh -e", "#! /usr/bin/env -S sh -e", "#!/usr/bin/../bin/sh -e", "#!/proc/self/root/bin/sh -e"]
        {
            let found = of(line).unwrap();
            assert_eq!((&found.interpreter, found.words.as_slice()), (&shell, &["-e".to_owned()][..]), "{line}");
        }
        let why = |line: &str| of(line).unwrap_err();
        assert!(
            why("#!/usr/bin/env nosuchprogram").contains("there is no such program on this machine; help: install")
        );
        assert!(why("#!./sh").contains("a path from nowhere"));
        assert!(why("#!/usr/bin").contains("which is not a file"));
        let link = folder.path().join("link");
        symlink(&shell, &link).unwrap();
        assert_eq!(of(&format!("#!{}", link.display())).unwrap().interpreter, shell);
        // A private copy of it, reached by its path, by a link, and by an open descriptor of this process.
        let (own, bin) = (folder.path().join("bin/sh"), folder.path().join("bin"));
        std::fs::create_dir(&bin).unwrap();
        std::fs::copy(&shell, &own).unwrap();
        std::fs::set_permissions(&own, PermissionsExt::from_mode(0o755)).unwrap();
        std::fs::remove_file(&link).unwrap();
        symlink(&own, &link).unwrap();
        for name in [own.to_str().unwrap(), link.to_str().unwrap(), "/proc/self/exe"] {
            let why = why(&format!("#!{name}"));
            assert!(why.contains("outside of what programs may read; help: install it in /usr/bin"), "{why}");
            assert!(why.contains("[run] runtimes"), "{why}");
        }
        // A folder that the ladder opens has interpreters, too; by their places behind all links.
        std::fs::write(&file, format!("#!{}\n", link.display())).unwrap();
        let opened = [folder.path().canonicalize().unwrap().join("bin")];
        assert_eq!(Interpreter::of(&file, &opened).unwrap().interpreter, opened[0].join("sh"));
    }

    #[test]
    fn an_executable_starts_by_itself_and_a_library_does_not() {
        let me = env::current_exe().unwrap();
        assert!(is_program(&me));
        let program = Interpreter::of(&me, &[]).unwrap();
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
