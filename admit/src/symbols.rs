//! What a library exports, lacks and needs; from its own tables, before any of its code runs.

use crate::refusal::Refusal;
use agon_abi::{MARKER_SYMBOL, SYMBOL};
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, SectionHeader, SectionTable, Sym};

/// The functions that an author defines.
const FUNCTIONS: [(&str, &str); 4] = [
    ("get_player_name", "const char *get_player_name(void)"),
    ("initialize", "int initialize(const GAME_setup *setup)"),
    ("play", "GAME_move play(const GAME_turn *turn)"),
    ("finalize", "void finalize(void)"),
];

/// The symbols of a library that matter here.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// `c` or `rust`.
    pub language: &'static str,
    /// The libraries it needs.
    pub needed: Vec<String>,
    exported: Vec<String>,
    undefined: Vec<String>,
    hidden: Vec<String>,
}

/// Reads them. A library without tables of sections has none to show, and is left to the loader.
pub fn read(bytes: &[u8]) -> Result<Symbols, Refusal> {
    read_tables(bytes).map_err(|error| Refusal::new("malformed", format!("malformed: {error}"), "build it again"))
}

fn read_tables(bytes: &[u8]) -> object::Result<Symbols> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let mut symbols = Symbols { language: language(&sections, endian, bytes), ..Symbols::default() };
    if let Some((entries, strings)) = sections.dynamic(endian, bytes)? {
        let strings = sections.strings(endian, bytes, strings)?;
        for entry in entries.iter().filter(|entry| entry.d_tag(endian) == elf::DT_NEEDED) {
            let name = u32::try_from(entry.d_val(endian)).ok().and_then(|at| strings.get(at).ok()).unwrap_or_default();
            symbols.needed.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    let dynamic = sections.symbols(endian, bytes, elf::SHT_DYNSYM)?;
    for symbol in dynamic.iter() {
        let name = String::from_utf8_lossy(symbol.name(endian, dynamic.strings())?).into_owned();
        match symbol.is_undefined(endian) {
            true => symbols.undefined.push(name),
            false => symbols.exported.push(name),
        }
    }
    let all = sections.symbols(endian, bytes, elf::SHT_SYMTAB)?;
    for symbol in all.iter().filter(|symbol| !symbol.is_undefined(endian)) {
        symbols.hidden.push(String::from_utf8_lossy(symbol.name(endian, all.strings())?).into_owned());
    }
    Ok(symbols)
}

/// Compilers sign their work in a section of its own.
fn language(sections: &SectionTable<'_, FileHeader64<Endianness>>, endian: Endianness, bytes: &[u8]) -> &'static str {
    let comment =
        sections.section_by_name(endian, b".comment").and_then(|(_, section)| section.data(endian, bytes).ok());
    match comment.is_some_and(|text| text.windows(5).any(|word| word == b"rustc")) {
        true => "rust",
        false => "c",
    }
}

impl Symbols {
    fn exports(&self, name: &str) -> bool {
        self.exported.iter().any(|symbol| symbol == name)
    }

    /// Whether this can be a client, as far as names tell.
    pub fn check(&self) -> Result<(), Refusal> {
        let missing: Vec<_> = FUNCTIONS.iter().filter(|(name, _)| self.undefined.iter().any(|u| u == name)).collect();
        if let Some((name, _)) = missing.first() {
            return Err(self.missing(name, &missing.iter().map(|(name, shape)| (*name, *shape)).collect::<Vec<_>>()));
        }
        if (self.exported.is_empty() && self.undefined.is_empty()) || self.exports(SYMBOL) {
            return Ok(());
        }
        if self.hidden.iter().any(|symbol| symbol == SYMBOL) {
            let message = format!("{SYMBOL} is in the library but hidden");
            return Err(Refusal::new("hidden", message, "do not strip it or hide it with a version script"));
        }
        if self.exports(MARKER_SYMBOL) {
            let help = "add the line AGON_CLIENT(GAME), with the name of your game, at the end of one of your .c files";
            return Err(Refusal::new("no-macro", "agon.h is included, but AGON_CLIENT is missing", help));
        }
        if FUNCTIONS.iter().all(|(name, _)| self.exports(name)) {
            let message = "a client of the original course (no descriptor)";
            let help = "it needs the adapter libclassic.so beside agon; build the whole workspace";
            return Err(Refusal::new("classic", message, help));
        }
        if let Some((name, mangled)) = FUNCTIONS.iter().find_map(|(name, _)| Some((name, self.mangled(name)?))) {
            return Err(refuse_mangled(name, mangled));
        }
        let help =
            "include the header of your game and end one .c file with AGON_CLIENT(game); in Rust, use export_client!";
        Err(Refusal::new("no-descriptor", "a shared library, but not a client of agon", help))
    }

    fn missing(&self, first: &str, missing: &[(&str, &str)]) -> Refusal {
        if let Some(mangled) = self.mangled(first) {
            return refuse_mangled(first, mangled);
        }
        let names: Vec<_> = missing.iter().map(|(name, _)| *name).collect();
        let shapes: Vec<_> = missing.iter().map(|(_, shape)| *shape).collect();
        let message = format!("your client does not define {}", names.join(", "));
        Refusal::new("missing-function", message, format!("add {}", shapes.join("; ")))
    }

    /// The C++ symbol of a function with this name.
    fn mangled(&self, name: &str) -> Option<&str> {
        let start = format!("_Z{}{name}", name.len());
        self.exported.iter().chain(&self.hidden).find(|symbol| symbol.starts_with(&start)).map(String::as_str)
    }
}

fn refuse_mangled(name: &str, mangled: &str) -> Refusal {
    let message = format!("{name} is defined as a C++ function ({mangled}), which the macro does not see");
    Refusal::new(
        "mangled",
        message,
        "include the header of your game before you define it, or write extern \"C\" before it",
    )
}

/// What the loader's words mean for the author.
pub fn explain_loader(text: &str, symbols: &Symbols) -> Refusal {
    if let Some(library) = symbols.needed.iter().find(|library| text.starts_with(&format!("{library}: "))) {
        let package = library.split(".so").next().unwrap_or(library);
        let help = format!("install the package that has it ({package} or a similar name), or build without it");
        return Refusal::new("missing-library", format!("needs {library}, which is not on this computer"), help);
    }
    if let Some((_, symbol)) = text.split_once("undefined symbol: ") {
        let help = "define it, or link the library that has it: -lm for mathematics, -lgsl for GSL";
        return Refusal::new("undefined-symbol", format!("needs {symbol}, which nothing defines"), help);
    }
    Refusal::new("not-loadable", text, "")
}
