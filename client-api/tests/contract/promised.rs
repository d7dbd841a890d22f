//! The files in `tests/golden/` list all that clients rely on, line by line. A line that is there stays for ever.

use super::built;
use agon_abi::{ABI_VERSION, Clock, Descriptor, Expected, FieldEntry, Services, Shape, Type};
use agon_games::{GAMES, amazons};
use std::collections::BTreeSet;
use std::mem::offset_of;

/// Holds the law: each line of the golden file is still among the lines. New ones belong into the file as well;
/// `AGON_BLESS=1` adds them.
fn stay(name: &str, lines: &[String]) {
    let file = built::here().join("tests/golden").join(name);
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    let now: BTreeSet<&str> = lines.iter().map(String::as_str).collect();
    let gone: Vec<&str> = golden.lines().filter(|line| !now.contains(line)).collect();
    assert!(gone.is_empty(), "{name}: later versions keep these lines, and they are gone:\n{}", gone.join("\n"));
    let text = lines.join("\n") + "\n";
    if std::env::var_os("AGON_BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(golden == text, "{name}: there are new lines; AGON_BLESS=1 adds them");
}

#[test]
fn all_that_the_headers_declare_stays() {
    let folder = built::here().join("include/agon");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let declared = declared(&std::fs::read_to_string(&file).unwrap());
        lines.extend(declared.into_iter().map(|line| format!("{name}: {line}")));
    }
    stay("headers.txt", &lines);
}

/// Lists the declarations of a header: macros with values, functions without bodies, types, structs field by field.
fn declared(header: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut code = String::new();
    for line in without_comments(header).replace("\\\n", " ").lines() {
        match line.trim_start().strip_prefix('#') {
            Some(directive) => found.extend(of_directive(&joined(directive))),
            None => code = code + line + "\n",
        }
    }
    let mut rest = code.as_str();
    while let Some(end) = rest.find([';', '{']) {
        let head = joined(rest[..end].split(" = ").next().unwrap());
        let head = head.trim_start_matches("AGON_BEGIN ").trim_start_matches("AGON_END ");
        let after = &rest[end..];
        let is_struct = head.starts_with("typedef struct");
        let body = if after.starts_with('{') { &after[1..closing(after)] } else { "" };
        let after = if body.is_empty() { after } else { &after[body.len() + 2..] };
        let to_semicolon = if is_struct || body.is_empty() { after.find(';').unwrap() + 1 } else { 0 };
        if is_struct {
            let name = joined(&after[..to_semicolon - 1]);
            found.push(format!("{head} {name}"));
            let fields = body.split(';').map(joined).filter(|field| !field.is_empty());
            found.extend(fields.enumerate().map(|(place, field)| format!("{name} {place}: {field}")));
        } else {
            found.push(head.to_owned());
        }
        rest = &after[to_semicolon..];
    }
    assert!(["", "AGON_END"].contains(&joined(rest).as_str()), "{rest} is not read");
    found
}

/// Reads a line with `#`: an included file or a macro. A macro with parameters stays by its name and these.
fn of_directive(directive: &str) -> Option<String> {
    let is_guard = |macro_: &str| macro_.ends_with("_H") && !macro_.contains(' ');
    match directive.strip_prefix("define ") {
        Some(guard) if is_guard(guard) => None,
        Some(value) => {
            let name = value.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            let has_parameters = value[name.len()..].starts_with('(');
            let end = if has_parameters { value.find(')').unwrap() + 1 } else { value.len() };
            Some(format!("#define {}", &value[..end]))
        }
        None => directive.starts_with("include").then(|| format!("#{directive}")),
    }
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out += &rest[..start];
        rest = &rest[start..];
        rest = &rest[rest.find("*/").unwrap() + 2..];
    }
    out + rest
}

/// The place of the brace that closes the one at the start.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let closes = |(_, c): &(usize, char)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        depth == 0
    };
    text.char_indices().find(closes).unwrap().0
}

/// The words of a text, one blank between them.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn all_that_lies_in_memory_stays_in_its_place() {
    let mut lines = vec![
        format!("ABI_VERSION {ABI_VERSION}"),
        format!("clock cpu {} wall {}", Clock::Cpu as u32, Clock::Wall as u32),
        format!("agon_field {} bytes", size_of::<FieldEntry>()),
        format!("amazons_setup.flags grid {} one-way {}", amazons::IS_GRID, amazons::HAS_ONE_WAY),
    ];
    macro_rules! places {
        ($name:literal: $kind:ty { $($field:ident),* }) => {
            $(lines.push(format!("{}.{} at {}", $name, stringify!($field), offset_of!($kind, $field)));)*
        };
    }
    places!("agon_services": Services { size, cpu_us, log, data });
    places!("agon_field": FieldEntry { name, offset, size });
    places!("agon_descriptor": Descriptor {
        abi, size, game, setup_size, turn_size, move_size, num_fields, fields, name, initialize, play, finalize
    });
    for game in GAMES.iter().map(|game| game.facts()) {
        let expected = Expected::new(game.name, game.setup, game.turn, game.mv);
        lines.push(format!("{} {:?} bytes of setup, turn and move", game.name, expected.sizes));
        for shape in [game.setup, game.turn, game.mv] {
            of_shape(&shape, &mut lines);
        }
    }
    stay("layout.txt", &lines);
}

/// A struct and all structs in it, field by field; one that is already there is passed over.
fn of_shape(shape: &Shape, lines: &mut Vec<String>) {
    let head = format!("{} {} bytes", shape.name, shape.size);
    if lines.contains(&head) {
        return;
    }
    lines.push(head);
    for field in shape.fields {
        lines.push(format!("{} at {}: {}", field.name, field.offset, of_type(field.kind)));
    }
    for field in shape.fields {
        let mut kind = field.kind;
        while let Type::Pointer(of) | Type::Array(of, _) = kind {
            kind = *of;
        }
        if let Type::Struct(inner) = kind {
            of_shape(inner, lines);
        }
    }
}

fn of_type(kind: Type) -> String {
    match kind {
        Type::Unsigned(size) => format!("u{}", 8 * size),
        Type::Signed(size) => format!("i{}", 8 * size),
        Type::Array(of, count) => format!("[{}; {count}]", of_type(*of)),
        Type::Struct(shape) => shape.name.to_owned(),
        Type::Pointer(of) => format!("*{}", of_type(*of)),
        Type::Opaque => "opaque".to_owned(),
    }
}
