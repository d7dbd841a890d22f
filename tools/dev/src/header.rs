//! The C header of a game from the `pod!` structs and constants of its `abi.rs`: what stands there as comments is what
//! clients read.

use crate::names::Names;
use std::fs;
use std::path::Path;

/// Longest line.
const WIDTH: usize = 120;

/// The mark of each header that is written here.
const MARK: &str = "Written by `agon-dev header";

/// Writes the header anew, unless somebody wrote the one that is there by hand.
///
/// # Errors
/// A file cannot be read or written, or a struct has what C has not.
pub fn write(root: &Path, names: &Names) -> Result<String, String> {
    let from = root.join("games/src").join(&names.code).join("abi.rs");
    let text = fs::read_to_string(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    let header = from_structs(names, &text).map_err(|why| format!("{}: {why}", from.display()))?;
    let to = root.join("client-api/include/agon").join(format!("{}.h", names.code));
    if fs::read_to_string(&to).is_ok_and(|text| !text.contains(MARK)) {
        return Err(format!("{} was written by hand and stays; remove it to have it written anew", to.display()));
    }
    fs::write(&to, header).map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(format!("{} is written from {}", to.display(), from.display()))
}

/// The text that is being read.
#[derive(Default)]
struct Reader {
    constants: Vec<String>,
    structs: Vec<Struct>,
    comment: String,
    inside: bool,
}

/// A struct: names in Rust and C, what it is, and its fields.
struct Struct {
    rust: String,
    c: String,
    comment: String,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    declared: String,
    comment: String,
}

/// The header that belongs to the structs.
pub fn from_structs(names: &Names, text: &str) -> Result<String, String> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.read(names, line.trim()).map_err(|why| format!("line {}: {why}", index + 1))?;
    }
    for suffix in ["setup", "turn", "move"] {
        let name = format!("{}_{suffix}", names.code);
        if reader.structs.iter().all(|found| found.c != name) {
            return Err(format!("there is no struct \"{name}\"; declare it by pod!"));
        }
    }
    Ok(reader.write(names))
}

impl Reader {
    fn read(&mut self, names: &Names, line: &str) -> Result<(), String> {
        if let Some(comment) = line.strip_prefix("///") {
            self.comment = format!("{} {}", self.comment, comment.trim().replace('`', "")).trim().to_owned();
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            self.add_constant(names, constant)?;
        } else if let Some(rest) = line.strip_prefix("pub struct ") {
            let (rust, c) =
                rest.split_once(" = ").ok_or("a struct without its name in C: pub struct Turn = \"…\" {")?;
            let (rust, c) = (rust.to_owned(), c.trim_end_matches(" {").trim_matches('"').to_owned());
            let comment = self.take_comment();
            self.structs.push(Struct { rust, c, comment, fields: vec![] });
            self.inside = true;
        } else if line.starts_with('}') {
            self.inside = false;
        } else if let Some((name, kind)) = line.strip_prefix("pub ").filter(|_| self.inside).and_then(parts_of_field) {
            let declared = self.declare(names, name, kind)?;
            let field = Field { name: name.to_owned(), declared, comment: self.take_comment() };
            self.structs.last_mut().ok_or("a field outside of a struct")?.fields.push(field);
        } else if !line.starts_with("#[") {
            self.comment.clear();
        }
        Ok(())
    }

    fn take_comment(&mut self) -> String {
        let comment = std::mem::take(&mut self.comment);
        comment.strip_suffix('.').map(str::to_owned).unwrap_or(comment)
    }

    /// `MAX: usize = 9;` as `#define GAME_MAX 9`.
    fn add_constant(&mut self, names: &Names, constant: &str) -> Result<(), String> {
        let (name, rest) = constant.split_once(':').ok_or("a constant without a type")?;
        let value = rest.split_once('=').and_then(|(_, value)| self.number(names, value.trim().trim_end_matches(';')));
        let number = value.ok_or_else(|| {
            format!("{name} is not made of numbers and constants above; what clients need not know is not pub here")
        })?;
        let comment = self.take_comment();
        let line = format!("#define {}_{name} {number}", names.upper);
        self.constants.push(with_comment(&line, &comment, ""));
        Ok(())
    }

    /// A number, or a term of numbers and constants above, as C has it: `(GAME_MAX * 4)`.
    fn number(&self, names: &Names, value: &str) -> Option<String> {
        let mut out = String::new();
        for part in value.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let word = part.trim_end_matches(|c| "+-*/() ".contains(c));
            let (name, digits) = (format!("{}_{word}", names.upper), word.replace('_', ""));
            let is_known = self.constants.iter().any(|line| line.starts_with(&format!("#define {name} ")));
            let is_number = digits.bytes().all(|c| c.is_ascii_digit());
            out += if is_known { &name } else { Some(&digits).filter(|_| is_number)? };
            out += &part[word.len()..];
        }
        Some(if out.contains(|c: char| !c.is_ascii_digit()) { format!("({out})") } else { out })
    }

    /// A field's type and name as C has them: `uint8_t cells[9]`.
    fn declare(&self, names: &Names, name: &str, kind: &str) -> Result<String, String> {
        if let Some((element, len)) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')?.rsplit_once(';')) {
            let len = len.trim();
            let is_number = len.bytes().all(|c| c.is_ascii_digit());
            let len = if is_number { len.to_owned() } else { format!("{}_{len}", names.upper) };
            let inner = self.declare(names, name, element.trim())?;
            // The outer length comes first in C.
            return Ok(match inner.find('[') {
                Some(at) => format!("{}[{len}]{}", &inner[..at], &inner[at..]),
                None => format!("{inner}[{len}]"),
            });
        }
        if let Some(target) = kind.strip_prefix("Pointer<").and_then(|kind| kind.strip_suffix('>')) {
            return Ok(format!("const {} *{name}", self.c_type(target)?));
        }
        Ok(format!("{} {name}", self.c_type(kind)?))
    }

    fn c_type(&self, kind: &str) -> Result<String, String> {
        if let Some(found) = self.structs.iter().find(|found| found.rust == kind) {
            return Ok(found.c.clone());
        }
        Ok(match kind {
            "SetupHead" => "agon_setup".to_owned(),
            "TurnHead" => "agon_turn".to_owned(),
            "u8" | "u16" | "u32" | "u64" => format!("uint{}_t", &kind[1..]),
            "i8" | "i16" | "i32" | "i64" => format!("int{}_t", &kind[1..]),
            other => return Err(format!("{other} is neither a number nor a struct that stands above")),
        })
    }

    fn write(&self, names: &Names) -> String {
        let mut out = names.fill(
            "/* @TITLE@ for a client of agon, in C99 or C++17. The rules: docs/rules/@PAGE@.md.\n \
             * Written by `agon-dev header @CODE@` from games/src/@CODE@/abi.rs. */\n\
             #ifndef AGON_@UPPER@_H\n#define AGON_@UPPER@_H\n\n#include \"agon.h\"\n",
        );
        if !self.constants.is_empty() {
            out += &format!("\n{}\n", self.constants.join("\n"));
        }
        for each in &self.structs {
            let fields = each
                .fields
                .iter()
                .map(|field| with_comment(&format!("    {};", field.declared), &field.comment, "    "));
            let fields: Vec<String> = fields.collect();
            out += &format!(
                "\n/* {} */\ntypedef struct {} {{\n{}\n}} {};\n",
                each.comment,
                each.c,
                fields.join("\n"),
                each.c
            );
        }
        out += &names.fill(
            "\n/* What a client defines, ended by the line AGON_CLIENT(@CODE@). */\nAGON_BEGIN\n\
             const char *get_player_name(void); /* at most 32 bytes of UTF-8; must live on; asked once */\n\
             int initialize(const @CODE@_setup *setup); /* 0 = ready */\n\
             @CODE@_move play(const @CODE@_turn *turn); /* your answer; an illegal one loses the match */\n\
             void finalize(void);\nAGON_END\n\n#define AGON_FIELDS_@CODE@(F) \\\n",
        );
        let crossing = ["setup", "turn", "move"].map(|suffix| format!("{}_{suffix}", names.code));
        let table = crossing.iter().flat_map(|name| self.structs.iter().filter(move |each| each.c == *name));
        let entries =
            table.flat_map(|each| each.fields.iter().map(|field| format!("    F({}, {})", each.c, field.name)));
        out += &entries.collect::<Vec<_>>().join(" \\\n");
        out + "\n\n#endif\n"
    }
}

/// `name: kind,`.
fn parts_of_field(line: &str) -> Option<(&str, &str)> {
    let (name, kind) = line.split_once(':')?;
    Some((name.trim(), kind.trim().trim_end_matches(',')))
}

/// A line with a comment behind it, or above it if that would be too long.
fn with_comment(line: &str, comment: &str, indent: &str) -> String {
    let one = format!("{line} /* {comment} */");
    match comment {
        "" => line.to_owned(),
        _ if one.len() <= WIDTH => one,
        _ => format!("{indent}/* {comment} */\n{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRUCTS: &str = r#"
/// Most cells.
pub const MAX_CELLS: usize = 1_6;
/// All of them.
pub const MAX_LINES: usize = (MAX_CELLS - 1) * 2;

pod! {
    /// A pair.
    pub struct Pair = "go_pair" {
        /// One.
        pub a: i16,
        /// Other.
        pub b: i16,
    }
}
pod! {
    /// Given to initialize.
    pub struct Setup = "go_setup" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// Where `pairs` are.
        pub pairs: Pointer<Pair>,
        /// By row and column.
        pub cells: [[u8; 4]; MAX_CELLS],
    }
}
pod! {
    pub struct Turn = "go_turn" {
        pub head: TurnHead,
    }
}
pod! {
    pub struct Move = "go_move" {
        pub cell: u32,
    }
}
"#;

    #[test]
    fn structs_become_c() {
        let header = from_structs(&Names::new("go").unwrap(), STRUCTS).unwrap();
        for line in [
            "#define GO_MAX_CELLS 16 /* Most cells */",
            "#define GO_MAX_LINES ((GO_MAX_CELLS - 1) * 2) /* All of them */",
            "typedef struct go_pair {",
            "    int16_t a; /* One */",
            "    agon_setup head; /* The head of all games */",
            "    const go_pair *pairs; /* Where pairs are */",
            "    uint8_t cells[GO_MAX_CELLS][4]; /* By row and column */",
            "    F(go_setup, cells) \\",
            "    F(go_move, cell)",
        ] {
            assert!(header.lines().any(|found| found == line), "{line}\n{header}");
        }
        assert!(!header.contains("F(go_pair"), "the table has setup, turn and move only\n{header}");
    }

    #[test]
    fn a_header_by_hand_stays() {
        let root = std::env::temp_dir().join(format!("agon-dev-hand-{}", std::process::id()));
        let (names, file) = (Names::new("go").unwrap(), root.join("client-api/include/agon/go.h"));
        for (path, text) in [("games/src/go/abi.rs", STRUCTS), ("client-api/include/agon/go.h", "/* by hand */")] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        assert!(write(&root, &names).unwrap_err().contains("go.h was written by hand and stays"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "/* by hand */");
        fs::remove_file(&file).unwrap();
        write(&root, &names).unwrap();
        write(&root, &names).unwrap();
        assert!(fs::read_to_string(&file).unwrap().contains(MARK));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_c_has_not_is_refused_with_its_line() {
        let names = Names::new("go").unwrap();
        let why = |text: &str| from_structs(&names, text).unwrap_err();
        assert!(why(&STRUCTS.replace("pub cell: u32", "pub cell: bool")).starts_with("line 35: bool is neither"));
        assert!(why(&STRUCTS.replace("go_turn", "go_turns")).contains("there is no struct \"go_turn\""));
        assert!(why(&STRUCTS.replace("1_6", "4 * MAX")).starts_with("line 3: MAX_CELLS is not made of"));
        assert!(why(&STRUCTS.replace("1_6", "[4]")).starts_with("line 3: MAX_CELLS is not made of"));
    }
}
