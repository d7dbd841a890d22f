//! Finds the part of a submission that is to be built, and the command for it.

use super::submission::OTHER_ARCHIVES;
use super::toolchain::{Toolchain, Toolchains};
use crate::check::{is_named_so, unnamed_interpreter};
use agon_games::AnyGame;
use agon_player::program::is_program;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// How deep below the folder of a submission its Makefile or its sources are looked for.
const DEEPEST: usize = 4;

/// The entries of a folder, in order, without those that systems and editors put there.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let is_litter = |path: &PathBuf| file_name(path).starts_with('.') || file_name(path) == "__MACOSX";
    let mut all: Vec<PathBuf> = listed.filter(|path| !is_litter(path)).collect();
    all.sort();
    all
}

/// Folders that hide by a dot before their name though something in them could be built.
pub fn hidden_projects(folder: &Path) -> Vec<PathBuf> {
    const TOOLS: [&str; 6] = [".git", ".svn", ".hg", ".vscode", ".idea", ".vs"];
    let listed = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let is_hidden = |path: &PathBuf| file_name(path).starts_with('.') && !TOOLS.contains(&file_name(path));
    let is_own = |file: &PathBuf| is_source(file) || ends(file, "so") || is_script(file);
    let has_work =
        |path: &PathBuf| folders(path).iter().any(|below| is_project(below)) || all_files(path).iter().any(is_own);
    let mut hidden: Vec<PathBuf> =
        listed.filter(|path| path.is_dir() && !path.is_symlink() && is_hidden(path) && has_work(path)).collect();
    hidden.sort();
    hidden
}

/// The name of a file or folder; all that was unpacked is called in UTF-8.
pub fn file_name(path: &Path) -> &str {
    path.file_name().and_then(OsStr::to_str).unwrap_or("client")
}

/// Whether a file has such an ending.
pub fn ends(path: &Path, ending: &str) -> bool {
    path.is_file() && path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

fn makefile(folder: &Path) -> Option<PathBuf> {
    ["GNUmakefile", "makefile", "Makefile"].map(|name| folder.join(name)).into_iter().find(|file| file.is_file())
}

/// Whether a file is a source in C or C++.
pub fn is_source(path: &Path) -> bool {
    ["c", "cc", "cpp", "cxx"].iter().any(|ending| ends(path, ending))
}

/// Whether a folder says itself how it is built.
pub fn is_project(folder: &Path) -> bool {
    makefile(folder).is_some() || Toolchain::of(folder).is_some()
}

/// Whether something is built at the top of a folder.
pub fn has_sources(folder: &Path) -> bool {
    is_project(folder) || entries(folder).iter().any(|path| is_source(path))
}

/// The way to build a submission.
#[derive(Debug)]
pub enum Project {
    /// Builds in this folder by this command; files there that were built elsewhere are removed. Where that makes no
    /// client, and there is a script and nothing for a compiler, the script is the client.
    Sources { folder: PathBuf, command: Vec<String>, by: &'static str, script: Option<PathBuf> },
    /// A script, or what was built elsewhere and has no sources here.
    Ready { file: PathBuf, by: &'static str },
}

/// How a script, or an executable without its sources, is said to be built.
pub const PROGRAM: &str = "program";

/// Endings of files that tell of something for a compiler.
const COMPILED: [&str; 11] = ["c", "cc", "cpp", "cxx", "h", "hpp", "hh", "s", "rs", "go", "zig"];

/// Whether a file is a client that needs no compiler. A script for the shell rather builds one.
pub fn is_script(file: &Path) -> bool {
    is_named_so(file) && !ends(file, "sh") && is_program(file)
}

/// The clients among files that need no compiler.
fn scripts(files: &[PathBuf]) -> Vec<PathBuf> {
    let scripts: Vec<PathBuf> = files.iter().filter(|file| is_script(file)).cloned().collect();
    // Beside the client, where agon new puts it, may lie what its author looks into matches with.
    let is_in_place = |file: &&PathBuf| file.parent().is_some_and(|folder| folder.ends_with("clients"));
    let in_place: Vec<PathBuf> = scripts.iter().filter(is_in_place).cloned().collect();
    if in_place.is_empty() { scripts } else { in_place }
}

/// The only file that needs no build: a script, or else a library, or else an executable.
fn ready(files: &[PathBuf]) -> Result<Option<Project>, String> {
    let of_kind = |kind: fn(&Path) -> bool| files.iter().filter(|file| kind(file)).cloned().collect();
    let executable = |file: &Path| !ends(file, "so") && !is_named_so(file) && is_program(file);
    let kinds: [(&str, &str, Vec<PathBuf>); 3] = [
        (PROGRAM, "programs", scripts(files)),
        ("library", "libraries", of_kind(|file| ends(file, "so"))),
        (PROGRAM, "programs", of_kind(executable)),
    ];
    let Some((by, kind, found)) = kinds.into_iter().find(|(_, _, found)| !found.is_empty()) else { return Ok(None) };
    match found.as_slice() {
        [one, other, ..] => {
            let (one, other) = (file_name(one), file_name(other));
            Err(format!("two {kind} were submitted, {one} and {other}; help: agon add puts one in place"))
        }
        _ => Ok(found.into_iter().next().map(|file| Project::Ready { file, by })),
    }
}

/// Why a folder without Makefile, sources and library comes to nothing.
fn why_nothing_is_built(root: &Path) -> String {
    let files = all_files(root);
    let ending = |file: &PathBuf| file.extension().and_then(OsStr::to_str).and_then(Toolchain::of_ending);
    if let Some(language) = files.iter().find_map(ending) {
        let (program, top) = language.words();
        return format!(
            "its source is in {}, without a {top}, which {program} reads, and without a Makefile; help: ask its \
             author for one",
            language.title()
        );
    }
    if let Some(file) = files.iter().find(|file| ["dll", "exe", "dylib"].iter().any(|own| ends(file, own))) {
        let system = if ends(file, "dylib") { "macOS" } else { "Windows" };
        let kind = if ends(file, "exe") { "program" } else { "library" };
        return format!(
            "{} is a {system} {kind}, which does not run on Linux; help: submit its sources, or build a .so on Linux",
            file_name(file)
        );
    }
    if let Some(file) = files.iter().find(|file| OTHER_ARCHIVES.iter().any(|own| ends(file, own))) {
        return format!(
            "{} is an archive that agon does not open; help: submit a .zip, a .tar or a .tar.gz",
            file_name(file)
        );
    }
    if let Some(why) = files.iter().find_map(|file| unnamed_interpreter(file, file)) {
        return why;
    }
    if files.is_empty() {
        return "nothing was submitted: the folder is empty".to_owned();
    }
    "it has no Makefile, no source in C or C++, no script, and no .so; help: write a Makefile that makes one, as agon \
     new does"
        .to_owned()
}

impl Project {
    /// The one that lies least deep: a Makefile, or a project or sources without one, or else what is ready. `scratch`
    /// has all that it is built of.
    ///
    /// # Errors
    /// There is none, or nobody can tell which; what to do.
    pub fn of(root: &Path, name: &str, scratch: &Path, toolchains: &Toolchains) -> Result<Project, String> {
        let folders = folders(root);
        let with_makefile = folders.iter().find(|folder| makefile(folder).is_some());
        if let Some(folder) = with_makefile.or_else(|| folders.iter().find(|folder| has_sources(folder))) {
            for stale in
                all_files(root).into_iter().filter(|file| ["so", "o", "a", "bin"].iter().any(|own| ends(file, own)))
            {
                fs::remove_file(&stale).map_err(|error| format!("{}: {error}", stale.display()))?;
            }
            let language = Toolchain::of(folder).filter(|_| makefile(folder).is_none());
            if let Some(why) = language.and_then(|language| toolchains.why_not(language)) {
                return Err(why.to_owned());
            }
            let sources: Vec<PathBuf> = entries(folder).into_iter().filter(|file| is_source(file)).collect();
            let is_empty = |file: &PathBuf| file.metadata().is_ok_and(|seen| seen.len() == 0);
            if let Some(first) = sources.first().filter(|_| makefile(folder).is_none() && sources.iter().all(is_empty))
            {
                return Err(format!(
                    "its source, {}, is empty; help: submit the file that you wrote",
                    file_name(first)
                ));
            }
            let (command, by) = match language {
                Some(language) => command_of(language, name),
                None => command(folder, name, scratch),
            };
            let files = all_files(root);
            let is_compiled = files.iter().any(|file| COMPILED.iter().any(|ending| ends(file, ending)));
            let mut scripts = scripts(&files);
            let script = if is_compiled || scripts.len() > 1 { None } else { scripts.pop() };
            return Ok(Project::Sources { folder: folder.clone(), command, by, script });
        }
        ready(&all_files(root))?.ok_or_else(|| why_nothing_is_built(root))
    }

    /// The name of the program that builds it.
    pub fn by(&self) -> &'static str {
        match self {
            Project::Sources { by, .. } | Project::Ready { by, .. } => by,
        }
    }
}

/// A folder and those below it, the least deep first.
fn folders(root: &Path) -> Vec<PathBuf> {
    let (mut all, mut level) = (Vec::new(), vec![root.to_owned()]);
    for _ in 0..=DEEPEST {
        let below = level.iter().flat_map(|folder| entries(folder)).filter(|path| path.is_dir()).collect();
        all.append(&mut std::mem::replace(&mut level, below));
    }
    all
}

fn all_files(root: &Path) -> Vec<PathBuf> {
    folders(root).iter().flat_map(|folder| entries(folder)).filter(|path| path.is_file()).collect()
}

/// The game whose header the sources in C and C++ include, if that is one.
pub fn game_of(root: &Path, games: &[&dyn AnyGame]) -> Option<String> {
    let sources = all_files(root).into_iter().filter(|file| is_source(file) && !file.is_symlink());
    let texts: Vec<String> = sources.filter_map(|source| fs::read_to_string(source).ok()).collect();
    let is_included = |game: &&str| texts.iter().any(|text| text.contains(&format!("<agon/{game}.h>")));
    let mut included = games.iter().map(|game| game.facts().name).filter(is_included);
    included.next().filter(|_| included.next().is_none()).map(str::to_owned)
}

/// The command that builds a project of this language; only packages that were submitted with it are there.
fn command_of(language: Toolchain, name: &str) -> (Vec<String>, &'static str) {
    let program = language.words().0;
    let words: &[&str] = match language {
        Toolchain::Rust => &["build", "--release", "--offline"],
        Toolchain::Go => &["build", "-buildvcs=false", "-trimpath", "-o"],
        Toolchain::Zig => &["build", "--release=fast"],
    };
    let made = (language == Toolchain::Go).then(|| format!("./{name}.bin"));
    ([program].iter().chain(words).map(|word| (*word).to_owned()).chain(made).collect(), program)
}

/// `make`, or without a Makefile the line that the documentation has for a client.
fn command(folder: &Path, name: &str, scratch: &Path) -> (Vec<String>, &'static str) {
    if makefile(folder).is_some() {
        return (vec!["make".to_owned()], "make");
    }
    let sources: Vec<PathBuf> = entries(folder).into_iter().filter(|path| is_source(path)).collect();
    // A file `X.C` is C++.
    let is_c = |source: &PathBuf| source.extension().is_some_and(|ending| ending == "c");
    let compiler = if sources.iter().all(is_c) { "cc" } else { "c++" };
    let words = [compiler, "-O2", "-g", "-Wall", "-fPIC", "-shared", "-o"].map(str::to_owned);
    // The same sources make the same file again, wherever they are built.
    let anywhere = format!("-ffile-prefix-map={}=.", scratch.display());
    // A name may begin with a dash.
    let files = sources.iter().map(|source| format!("./{}", file_name(source)));
    let command = words.into_iter().chain([format!("./{name}.so"), anywhere]).chain(files).chain(["-lm".to_owned()]);
    (command.collect(), compiler)
}
