//! Reads the symbols that a library exports, lacks and needs from its own tables, before any of its code runs.

use crate::refusal::Refusal;
use agon_abi::{Cause, MARKER_SYMBOL, SYMBOL};
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, SectionHeader, SectionTable, Sym};
use object::{Endianness, SectionIndex};
use std::path::Path;

/// The functions that an author defines.
const FUNCTIONS: [(&str, &str); 4] = [
    ("get_player_name", "const char *get_player_name(void)"),
    ("initialize", "int initialize(const GAME_setup *setup)"),
    ("play", "GAME_move play(const GAME_turn *turn)"),
    ("finalize", "void finalize(void)"),
];

/// Compilers' libraries that watch a whole program from its first instruction on, and the flag that adds them.
const SANITIZERS: [(&str, &str); 5] = [
    ("libasan.", "address"),
    ("libclang_rt.asan", "address"),
    ("libhwasan.", "hwaddress"),
    ("libtsan.", "thread"),
    ("liblsan.", "leak"),
];

/// The bytes of a name to read: enough for all names that matter here, and for a person.
const LONGEST_NAME: usize = 255;
/// The most symbols of a table; libraries of a hundred megabytes have a tenth of it.
const MOST_SYMBOLS: usize = 1 << 21;
/// The most libraries that a client may need.
const MOST_NEEDED: usize = 256;

/// The symbols of a library that matter here.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The language: `c` or `rust`.
    pub language: &'static str,
    pub needed: Vec<String>,
    /// The folders in which it looks for them first, written by -rpath.
    folders: Vec<String>,
    /// The exported symbols that matter.
    exported: Vec<String>,
    /// The undefined symbols that matter.
    undefined: Vec<String>,
    /// The hidden symbols that matter.
    hidden: Vec<String>,
    /// Whether it has a table of dynamic symbols that is not empty.
    has_any: bool,
}

/// Reads the symbols. A library without tables of sections shows none, and is left to the loader.
pub fn read(bytes: &[u8]) -> Result<Symbols, Refusal> {
    let malformed = |what: String| Refusal::new(Cause::Malformed, format!("malformed: {what}"), "build it again");
    let symbols = read_tables(bytes).map_err(|error| malformed(error.to_string()))?;
    if symbols.needed.len() > MOST_NEEDED || symbols.needed.iter().any(|name| name.len() > LONGEST_NAME) {
        return Err(malformed(format!("it needs more than {MOST_NEEDED} libraries, or one whose name is too long")));
    }
    Ok(symbols)
}

fn read_tables(bytes: &[u8]) -> object::Result<Symbols> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let mut symbols = Symbols { language: language(&sections, endian, bytes), ..Symbols::default() };
    if let Some((entries, strings)) = sections.dynamic(endian, bytes)? {
        let strings = Names::of(&sections, strings, endian, bytes)?;
        let needed = entries.iter().filter(|entry| entry.d_tag(endian) == elf::DT_NEEDED).take(MOST_NEEDED + 1);
        symbols.needed = needed.map(|entry| strings.text(entry.d_val(endian))).collect();
        let paths = entries.iter().filter(|entry| matches!(entry.d_tag(endian), elf::DT_RPATH | elf::DT_RUNPATH));
        let paths: Vec<String> = paths.take(2).map(|entry| strings.text(entry.d_val(endian))).collect();
        symbols.folders = paths.iter().flat_map(|path| path.split(':')).map(str::to_owned).collect();
    }
    let dynamic = sections.symbols(endian, bytes, elf::SHT_DYNSYM)?;
    let names = Names::of(&sections, dynamic.string_section(), endian, bytes)?;
    symbols.has_any = dynamic.iter().next().is_some();
    for symbol in dynamic.iter().take(MOST_SYMBOLS) {
        let Some(name) = names.that_matters(symbol.st_name(endian).into()) else { continue };
        if symbol.is_undefined(endian) { keep(&mut symbols.undefined, name) } else { keep(&mut symbols.exported, name) }
    }
    let all = sections.symbols(endian, bytes, elf::SHT_SYMTAB)?;
    let names = Names::of(&sections, all.string_section(), endian, bytes)?;
    for symbol in all.iter().take(MOST_SYMBOLS).filter(|symbol| !symbol.is_undefined(endian)) {
        names.that_matters(symbol.st_name(endian).into()).into_iter().for_each(|name| keep(&mut symbols.hidden, name));
    }
    Ok(symbols)
}

/// Keeps a name once, however often a table has it.
fn keep(names: &mut Vec<String>, name: &str) {
    if names.len() < MOST_NEEDED && !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// A table of NUL-ended names. It is read without a search for the end of each, because many symbols may share one
/// endless name.
struct Names<'a>(&'a [u8]);

impl<'a> Names<'a> {
    fn of(
        sections: &SectionTable<'a, FileHeader64<Endianness>>,
        index: SectionIndex,
        endian: Endianness,
        bytes: &'a [u8],
    ) -> object::Result<Names<'a>> {
        // A missing table of symbols names no table of names either.
        match index.0 {
            0 => Ok(Names(&[])),
            _ => Ok(Names(sections.section(index)?.data(endian, bytes)?)),
        }
    }

    /// The beginning of a name; one byte more than needed shows that it is too long.
    fn start(&self, at: u64) -> &'a [u8] {
        let from = usize::try_from(at).ok().and_then(|at| self.0.get(at..)).unwrap_or_default();
        let start = &from[..from.len().min(LONGEST_NAME + 1)];
        &start[..start.iter().position(|byte| *byte == 0).unwrap_or(start.len())]
    }

    fn text(&self, at: u64) -> String {
        String::from_utf8_lossy(self.start(at)).into_owned()
    }

    /// The name, if it helps to decide whether this is a client.
    fn that_matters(&self, at: u64) -> Option<&'a str> {
        let name = std::str::from_utf8(self.start(at)).ok().filter(|name| name.len() <= LONGEST_NAME)?;
        let is_named = |function: &str| name == function || is_mangled(name, function) || is_nested(name, function);
        let is_function = || FUNCTIONS.iter().any(|(function, _)| is_named(function));
        (name == SYMBOL || name == MARKER_SYMBOL || is_function()).then_some(name)
    }
}

/// Whether this is the C++ symbol of a function with that name.
fn is_mangled(symbol: &str, function: &str) -> bool {
    let rest = symbol.strip_prefix("_Z").map(|rest| rest.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    rest.is_some_and(|rest| rest.starts_with(function))
        && symbol.starts_with(&format!("_Z{}{function}", function.len()))
}

/// Whether this is the C++ symbol of a function with that name in a namespace or class.
fn is_nested(symbol: &str, function: &str) -> bool {
    symbol.starts_with("_ZN") && symbol.contains(&format!("{}{function}E", function.len()))
}

/// Finds the language: compilers sign their work in a section of its own.
fn language(sections: &SectionTable<'_, FileHeader64<Endianness>>, endian: Endianness, bytes: &[u8]) -> &'static str {
    let comment =
        sections.section_by_name(endian, b".comment").and_then(|(_, section)| section.data(endian, bytes).ok());
    if comment.is_some_and(|text| text.windows(5).any(|word| word == b"rustc")) { "rust" } else { "c" }
}

impl Symbols {
    fn exports(&self, name: &str) -> bool {
        self.exported.iter().any(|symbol| symbol == name)
    }

    /// Whether this can be a client, judged by names.
    pub fn check(&self) -> Result<(), Refusal> {
        self.all_are_there(|name| self.undefined.iter().any(|undefined| undefined == name))?;
        if let Some((_, flag)) =
            SANITIZERS.iter().find(|(start, _)| self.needed.iter().any(|name| name.starts_with(start)))
        {
            let message = format!("built with -fsanitize={flag}, which needs files that the sandbox hides");
            let help = "build it without that flag to play; agon check --valgrind FILE finds the same kind of errors";
            return Err(Refusal::new(Cause::Sanitizer, message, help));
        }
        if !self.has_any || self.exports(SYMBOL) {
            return Ok(());
        }
        if self.hidden.iter().any(|symbol| symbol == SYMBOL) {
            let message = format!("{SYMBOL} is in the library but hidden");
            return Err(Refusal::new(Cause::Hidden, message, "do not strip it or hide it with a version script"));
        }
        if self.exports(MARKER_SYMBOL) {
            self.all_are_there(|name| !self.exports(name) && !self.hidden.iter().any(|hidden| hidden == name))?;
            let help = "add the line AGON_CLIENT(GAME), with the name of your game, at the end of one of your .c files";
            return Err(Refusal::new(Cause::NoMacro, "agon.h is included, but AGON_CLIENT is missing", help));
        }
        if FUNCTIONS.iter().all(|(name, _)| self.exports(name)) {
            let message = "a client of the original course (no descriptor)";
            let help = "it needs the adapter libclassic.so next to agon-host; build the whole workspace";
            return Err(Refusal::new(Cause::Classic, message, help));
        }
        if let Some((name, mangled)) = FUNCTIONS.iter().find_map(|(name, _)| Some((name, self.mangled(name)?))) {
            return Err(refuse_mangled(name, mangled));
        }
        let help =
            "include the header of your game and end one .c file with AGON_CLIENT(game); in Rust, use export_client!";
        Err(Refusal::new(Cause::NoDescriptor, "a shared library, but not a client of agon", help))
    }

    fn all_are_there(&self, lacks: impl Fn(&str) -> bool) -> Result<(), Refusal> {
        let missing: Vec<_> = FUNCTIONS.iter().filter(|(name, _)| lacks(name)).collect();
        let Some((first, _)) = missing.first() else { return Ok(()) };
        if let Some(mangled) = self.mangled(first) {
            return Err(refuse_mangled(first, mangled));
        }
        let names: Vec<_> = missing.iter().map(|(name, _)| *name).collect();
        let shapes: Vec<_> = missing.iter().map(|(_, shape)| *shape).collect();
        let message = format!("your client does not define {}", names.join(", "));
        Err(Refusal::new(Cause::MissingFunction, message, format!("add {}", shapes.join("; "))))
    }

    /// The C++ symbol of a function with this name; otherwise that of one in a namespace or class.
    fn mangled(&self, name: &str) -> Option<&str> {
        let symbols = || self.exported.iter().chain(&self.hidden).map(String::as_str);
        symbols().find(|symbol| is_mangled(symbol, name)).or_else(|| symbols().find(|symbol| is_nested(symbol, name)))
    }
}

fn refuse_mangled(name: &str, mangled: &str) -> Refusal {
    if is_nested(mangled, name) {
        let message = format!("{name} is in a namespace or class ({mangled}), where AGON_CLIENT does not see it");
        let help = "move the four functions out of it, behind the header of your game; they may call what is in it";
        return Refusal::new(Cause::Mangled, message, help);
    }
    let message = format!("{name} is defined as a C++ function ({mangled}), which the macro does not see");
    Refusal::new(
        Cause::Mangled,
        message,
        "include the header of your game before you define it, or write extern \"C\" before it",
    )
}

/// Explains the loader's message to the author.
pub fn explain_loader(text: &str, symbols: &Symbols) -> Refusal {
    if OF_THE_MACHINE.iter().any(|words| text.ends_with(words)) {
        let help = "this is not a fault of the file: give this machine memory and descriptors (ulimit -n), and run the same command again";
        return Refusal::new(Cause::Machine, format!("this machine could not open it: {text}"), help);
    }
    let is_missing = ["No such file or directory", "Permission denied"].iter().any(|words| text.ends_with(words));
    let library = symbols.needed.iter().find(|library| text.starts_with(&format!("{library}: ")));
    if let Some(library) = library.filter(|_| is_missing) {
        // For a library in a closed folder, the loader only reports that it is not found, and the sandbox cannot know
        // more.
        let is_there = |folder: &&String| {
            folder.starts_with('/') && !matches!(Path::new(folder).join(library).try_exists(), Ok(false))
        };
        if let Some(folder) = symbols.folders.iter().find(is_there) {
            let message = format!("needs {library}, and looks for it in {folder}, which is closed to clients");
            let help = format!(
                "build it without -Wl,-rpath, so that the library of the system is found; or, where a teacher trusts the \
                 folder, name it in the ladder: [run] libraries = [\"{folder}\"]"
            );
            return Refusal::new(Cause::MissingLibrary, message, help);
        }
        let help = help_for_missing(library, symbols);
        return Refusal::new(Cause::MissingLibrary, format!("needs {library}, which is not on this computer"), help);
    }
    if let Some((_, symbol)) = text.split_once("undefined symbol: ") {
        let help = help_for_undefined(symbol);
        return Refusal::new(Cause::UndefinedSymbol, format!("needs {symbol}, which nothing defines"), help);
    }
    Refusal::new(Cause::NotLoadable, format!("the loader refuses it: {text}"), "build it again, and copy it whole")
}

/// Advice about a missing library. One next to the client is not copied with it.
fn help_for_missing(library: &str, symbols: &Symbols) -> String {
    let package = library.split(".so").next().unwrap_or(library);
    let is_beside =
        library.contains('/') || symbols.folders.iter().any(|folder| !folder.starts_with('/') && !folder.is_empty());
    if is_beside {
        let own = package.rsplit('/').next().unwrap_or(package);
        return format!(
            "a client is one file, and nothing next to it is found: compile the sources of {own} into it, or link {own}.a instead"
        );
    }
    format!("install the package that has it ({package} or a similar name), or build without it")
}

/// Advice about an undefined name: C++ names show what is missing.
fn help_for_undefined(symbol: &str) -> &'static str {
    const OF_CPP: [&str; 9] =
        ["__cxa_", "__gxx_personality", "_ZTI", "_ZTV", "_ZTS", "_ZNSt", "_ZNKSt", "_ZSt", "_ZN10__cxxabiv1"];
    let is_operator = ["_Znw", "_Zna", "_Zdl", "_Zda"].iter().any(|start| symbol.starts_with(start));
    if is_operator || OF_CPP.iter().any(|start| symbol.starts_with(start)) {
        return "it is part of C++: link with g++ instead of gcc, cc or ld (in a Makefile: $(CXX) instead of $(CC))";
    }
    if symbol.starts_with("_Z") {
        return "it is a C++ function that no source defines: define it, or name its .cpp file when you link with g++; of a function in C, include its header within extern \"C\" { }";
    }
    if symbol.starts_with("__gcov") || symbol.starts_with("llvm_gcov") {
        return "it was compiled with --coverage: build without that flag";
    }
    if symbol.starts_with("__asan") || symbol.starts_with("__ubsan") || symbol.starts_with("__tsan") {
        return "it was compiled with -fsanitize: build without that flag, and delete the old .o files";
    }
    "define it, name the .c file that has it, or link its library: -lm for mathematics, -lgsl for GSL"
}

/// Endings of the loader's messages if the machine lacks something.
const OF_THE_MACHINE: [&str; 5] = [
    "Too many open files",
    "Too many open files in system",
    "Cannot allocate memory",
    "Input/output error",
    "Resource temporarily unavailable",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_defines_leads_to_what_is_missing() {
        for (symbol, help) in [
            ("_ZTIi", "link with g++"),
            ("__gxx_personality_v0", "link with g++"),
            ("_ZNSt6vectorIiE", "link with g++"),
            ("_Znwm", "link with g++"),
            ("_Z6searchi", "that no source defines"),
            ("__gcov_init", "--coverage"),
            ("sqrt", "-lm"),
        ] {
            let refusal = explain_loader(&format!("client.so: undefined symbol: {symbol}"), &Symbols::default());
            assert!(refusal.help.contains(help), "{symbol}: {refusal:?}");
        }
    }

    #[test]
    fn a_library_beside_the_client_is_no_package() {
        let missing = |run_path: &str, library: &str| {
            let symbols = Symbols {
                needed: vec![library.to_owned()],
                folders: run_path.split(':').map(str::to_owned).collect(),
                ..Symbols::default()
            };
            let text = format!("{library}: cannot open shared object file: No such file or directory");
            explain_loader(&text, &symbols).help
        };
        assert!(missing("$ORIGIN", "libmine.so").contains("a client is one file"));
        assert!(missing("", "./libmine.so").contains("a client is one file"));
        assert!(missing("", "libgsl.so.27").contains("install the package that has it (libgsl"));
        assert!(missing("/opt/gsl/lib", "libgsl.so.27").contains("install the package"));
    }
}
