//! `agon new`: a folder with a client that is legal and compiles at once, what builds, tests and plays it, and
//! opponents that come with agon.

mod files;
mod forge;
mod zig;

use crate::header::write_headers;
use agon_command::{Failure, find_paths, status};
use agon_games::{AnyGame, Starter};
use agon_model::{find_game, is_shortage, nearest};
use clap::Args;
use files::{LANGUAGE_NAMES, LANGUAGES, SourceLanguage, StarterPlan};
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments of `agon new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The language (c, cpp, rust, zig, go or python), the game (agon rules lists all) and the folder, in any order.
    #[arg(value_name = "LANGUAGE GAME DIR")]
    words: Vec<String>,
    /// The folder client-api of agon's source, for clients in Rust. Needed only if agon does not find that
    /// folder itself.
    #[arg(long, value_name = "DIR")]
    api: Option<PathBuf>,
    /// Also writes .github/workflows/agon.yml: it checks the client at every push. For a pull request the new client
    /// plays the old one.
    #[arg(long)]
    ci: bool,
}

/// The meaning of the words on the command line.
struct NewClientChoice {
    language: SourceLanguage,
    game: String,
    folder: PathBuf,
}

/// Makes the folder, and says what comes next.
pub fn new(args: &NewArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let wish = wish(&args.words, games)?;
    let facts = find_game(games, &wish.game)?.facts();
    let starter = facts.starter.ok_or_else(|| {
        let help = format!("agon header {} writes what a client needs", facts.name);
        Failure::usage(format!("{} has no client to begin with; help: {help}", facts.name))
    })?;
    let folder = &wish.folder;
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        let what = format!("{} is there and has something in it", folder.display());
        return Err(Failure::usage(format!("{what}; help: name another folder")));
    }
    let name = client_name(folder)?;
    let api = (wish.language == SourceLanguage::Rust).then(|| find_api(args.api.as_deref())).transpose()?;
    let plan = StarterPlan {
        name: &name,
        facts,
        starter: &starter,
        language: wish.language,
        agon: &agon_word(),
        api,
        has_workflow: args.ci,
    };
    let was_there = folder.exists();
    fill(folder, &plan).inspect_err(|_| {
        // Half a folder would refuse the next try.
        if !was_there {
            let _ = fs::remove_dir_all(folder);
        }
    })?;
    println!("made folder {}/: a client of {} in {}", folder.display(), facts.title, wish.language.title());
    println!("{}", plan.next_steps(folder));
    let make = ("make", "apt-get install make, or what your system has");
    for (program, origin) in std::iter::once(wish.language.toolchain()).chain(plan.is_compiled().then_some(make)) {
        if !is_in_path(program) {
            println!("this needs {program}, which is not on this machine: {origin}");
        }
    }
    Ok(status::DONE)
}

/// Writes all files of a new client.
fn fill(folder: &Path, plan: &StarterPlan) -> Result<(), Failure> {
    let bundled = find_paths(folder)?.host.parent().map(Path::to_owned).unwrap_or_default();
    fs::create_dir_all(folder.join("clients")).map_err(|error| not_made(folder, &error))?;
    for (path, text) in plan.files() {
        let path = folder.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| trouble(&path, &error))?;
        fs::write(&path, text).map_err(|error| trouble(&path, &error))?;
    }
    if plan.language.has_headers() {
        write_headers(&[plan.facts], &folder.join("include"))?;
    }
    copy_opponents(plan.starter, &bundled, &folder.join("clients"))
}

/// Whether a shell would find a program.
fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn not_made(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::trouble(format!("{} cannot be made: {error}; help: {}", folder.display(), way_out(error)))
}

fn trouble(path: &Path, error: &std::io::Error) -> Failure {
    Failure::trouble(format!("{}: {error}; help: {}", path.display(), way_out(error)))
}

fn way_out(error: &std::io::Error) -> &'static str {
    if is_shortage(error) {
        "free space there, and try again"
    } else {
        "name a folder where you may write: agon new LANGUAGE GAME DIR"
    }
}

/// Sorts the words: languages and games are known, and any other word is the folder.
fn wish(words: &[String], games: &[&dyn AnyGame]) -> Result<NewClientChoice, Failure> {
    let wrong = |message: String| Err(Failure::usage(message));
    let (mut language, mut game, mut folder) = (None, None, None);
    for word in words {
        let plain = word.to_lowercase().replace('-', "_");
        let plain = begun_game(&plain, games).map_or(plain, str::to_owned);
        if let Some(meant) = mistyped(&plain, games) {
            let help = format!("did you mean \"{meant}\"? For a folder of that name, write ./{word}");
            return wrong(format!("\"{word}\" is neither a language nor a game; help: {help}"));
        }
        if OTHER_LANGUAGES.contains(&plain.as_str()) {
            let what = format!("agon new makes no client in {word}: languages are {LANGUAGES}");
            let help = format!(
                "agon help programs shows how a client in any language plays; for a folder of that name, write ./{word}"
            );
            return wrong(format!("{what}; help: {help}"));
        }
        let before = if let Some(known) = SourceLanguage::named(&plain) {
            language.replace(known).map(|_| format!("\"{word}\" is a second language"))
        } else if games.iter().any(|known| known.facts().name == plain) {
            game.replace(plain).map(|_| format!("\"{word}\" is a second game"))
        } else {
            let other = folder.replace(PathBuf::from(word));
            other.map(|other| format!("neither \"{}\" nor \"{word}\" is a language or a game", other.display()))
        };
        if let Some(what) = before {
            let names: Vec<&str> = games.iter().map(|game| game.facts().name).collect();
            let help =
                format!("languages are {LANGUAGES}; games are {}; one other word is the folder", names.join(", "));
            return wrong(format!("{what}; help: {help}"));
        }
    }
    let first = games.first().map_or("", |game| game.facts().name).to_owned();
    Ok(NewClientChoice {
        language: language.unwrap_or(SourceLanguage::C),
        game: game.unwrap_or(first),
        folder: folder.unwrap_or_else(|| PathBuf::from("mybot")),
    })
}

/// The only game whose name begins with this word.
fn begun_game(word: &str, games: &[&dyn AnyGame]) -> Option<&'static str> {
    let mut begun = games.iter().map(|game| game.facts().name).filter(|name| word.len() >= 3 && name.starts_with(word));
    begun.next().filter(|_| begun.next().is_none())
}

/// The language or game that a word nearly is: by one letter, or two of a longer word. One that holds its name, as `rusty` does, is meant as it stands.
fn mistyped(word: &str, games: &[&dyn AnyGame]) -> Option<&'static str> {
    let known = LANGUAGE_NAMES.into_iter().chain(games.iter().map(|game| game.facts().name));
    let meant = nearest(word, known.filter(|name| name.len() >= SHORTEST))?;
    let is_near = strsim::osa_distance(word, meant) <= if word.len() < LONG { 1 } else { 2 };
    (word.len() >= SHORTEST && is_near && !word.contains('/') && !word.contains(meant)).then_some(meant)
}

/// Languages without a starter, which nobody means as a folder.
const OTHER_LANGUAGES: [&str; 28] = [
    "ada",
    "assembly",
    "bash",
    "basic",
    "c#",
    "clojure",
    "cobol",
    "csharp",
    "d",
    "dart",
    "elixir",
    "erlang",
    "f#",
    "fortran",
    "haskell",
    "java",
    "javascript",
    "js",
    "julia",
    "kotlin",
    "lua",
    "ocaml",
    "perl",
    "php",
    "ruby",
    "scala",
    "swift",
    "typescript",
];

/// Words of fewer letters are near to everything.
const SHORTEST: usize = 4;
/// From this number of letters on, two of them may be wrong.
const LONG: usize = 6;

/// The client is called as its folder: a name that files, makefiles and packages can have.
fn client_name(folder: &Path) -> Result<String, Failure> {
    let last = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let begins = last.starts_with(|c: char| c.is_ascii_alphabetic());
    if begins && last.len() <= 32 && last.chars().all(fits) {
        return Ok(last);
    }
    let help = "take letters, digits, - and _, a letter first, at most 32";
    Err(Failure::usage(format!("\"{last}\" cannot be the name of a client; help: {help}")))
}

/// How agon is called from there: by its name where a shell finds it, else by its path.
fn agon_word() -> String {
    let Ok(me) = std::env::current_exe() else { return "agon".to_owned() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_me = |folder: PathBuf| folder.join("agon").canonicalize().is_ok_and(|found| found == me);
    if std::env::split_paths(&path).any(is_me) { "agon".to_owned() } else { me.display().to_string() }
}

/// The package for clients in Rust, in the source that this program was built from.
fn find_api(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let me = std::env::current_exe().unwrap_or_default();
    let above = me.ancestors().skip(1).map(|folder| folder.join("client-api"));
    let found = given.map(Path::to_owned).into_iter().chain(above).find(|folder| folder.join("Cargo.toml").is_file());
    let found = found.and_then(|folder| folder.canonicalize().ok());
    found.ok_or_else(|| {
        let help = "name the folder client-api of agon's source by --api DIR";
        Failure::usage(format!("the package agon-client-api is not next to this program; help: {help}"))
    })
}

/// Copies clients that lie next to this program; one that is missing is left out as an opponent.
fn copy_opponents(starter: &Starter, folder: &Path, to: &Path) -> Result<(), Failure> {
    for opponent in starter.opponents {
        let stem = opponent.split(':').next().unwrap_or(opponent);
        let (from, to) = (folder.join(format!("lib{stem}.so")), to.join(format!("{stem}.so")));
        if from.is_file() && !to.exists() {
            // A copy keeps the bundled client from being written over.
            fs::copy(&from, &to).map_err(|error| trouble(&to, &error))?;
        }
    }
    Ok(())
}
