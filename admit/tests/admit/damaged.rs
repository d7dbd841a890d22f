//! Damaged and malicious libraries are refused, and cost neither time nor a crash.

use super::{CLIENT, Folder, build, look_at_bytes, refusal, run};
use agon_skips::has_program;
use std::process::{Command, Stdio};

#[test]
fn damaged_libraries_are_told_apart() {
    if !has_program("cc") {
        return;
    }
    let folder = Folder::new();
    build(&folder, "cc", CLIENT, &["-shared", "-fPIC"]);
    let whole = std::fs::read(folder.file()).unwrap();
    for size in [20, 64, 700, 4200, whole.len() / 2, whole.len() - 1] {
        assert_eq!(refusal(&look_at_bytes(&whole[..size])).0, "truncated", "{size} bytes");
    }
    let patched = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        look_at_bytes(&bytes)
    };
    assert_eq!(refusal(&patched(4, 1)).0, "32-bit");
    let said = patched(18, if cfg!(target_arch = "x86_64") { 183 } else { 62 });
    let (cause, rest) = refusal(&said);
    assert!(cause == "other-machine" && rest.starts_with("built for "), "{said}");
}

#[test]
fn any_changed_byte_is_survived() {
    if !has_program("cc") {
        return;
    }
    let folder = Folder::new();
    build(&folder, "cc", CLIENT, &["-shared", "-fPIC", "-s"]);
    let whole = std::fs::read(folder.file()).unwrap();
    for at in (0..64).chain((64..whole.len()).step_by(whole.len() / 40)) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        std::fs::remove_file(folder.file()).unwrap();
        std::fs::write(folder.file(), &bytes).unwrap();
        let output = run(&folder.file());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.code() == Some(0) || said.contains("language\t"), "byte {at}: {output:?}");
    }
}

/// Where a section of a library lies: its first byte and its length.
fn section(bytes: &[u8], name: &str) -> (usize, usize) {
    use object::{Object, ObjectSection};
    let file = object::File::parse(bytes).unwrap();
    let (at, size) = file.section_by_name(name).unwrap().file_range().unwrap();
    (at as usize, size as usize)
}

#[test]
fn symbols_that_share_an_endless_name_cost_nothing() {
    if !has_program("cc") {
        return;
    }
    const LONG: usize = 1 << 20;
    let numbers: String = (0..60_000).map(|number| format!("char s{number};\n")).collect();
    let long = "x".repeat(LONG);
    let folder = Folder::new();
    build(&folder, "cc", &format!("{CLIENT}\n{numbers}\nchar {long};\n"), &["-shared", "-fPIC"]);
    let mut bytes = std::fs::read(folder.file()).unwrap();
    let ((symbols, size), (names, length)) = (section(&bytes, ".dynsym"), section(&bytes, ".dynstr"));
    let text = &bytes[names..names + length];
    let shared = text.windows(LONG).position(|window| window == long.as_bytes()).unwrap() as u32;
    let matters = |at: u32| text[at as usize..].first() != Some(&b's');
    let at = |index: usize| symbols + index * 24;
    let name = |bytes: &[u8], index| u32::from_le_bytes(bytes[at(index)..at(index) + 4].try_into().unwrap());
    let patched: Vec<usize> = (0..size / 24).filter(|index| !matters(name(&bytes, *index))).collect();
    assert!(patched.len() >= 60_000);
    patched.iter().for_each(|index| bytes[at(*index)..at(*index) + 4].copy_from_slice(&shared.to_le_bytes()));
    std::fs::write(folder.file(), &bytes).unwrap();
    // As it was, this took the length of the name for each symbol: 60 GB.
    let script = format!("ulimit -v 3000000 -t 5; exec {} \"$1\"", env!("CARGO_BIN_EXE_agon-admit"));
    let output =
        Command::new("sh").args(["-c", &script, "sh"]).arg(folder.file()).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("\nok\n"), "{output:?}");
}

#[test]
fn hundreds_of_damaged_files_are_survived() {
    if !has_program("cc") {
        return;
    }
    let folder = Folder::new();
    build(&folder, "cc", CLIENT, &["-shared", "-fPIC"]);
    let whole = std::fs::read(folder.file()).unwrap();
    let (header, dynamic) = (0..64 + 56 * 12, section(&whole, ".dynamic"));
    let (symbols, names) = (section(&whole, ".dynsym"), section(&whole, ".dynstr"));
    let tables =
        [header, dynamic.0..dynamic.0 + dynamic.1, symbols.0..symbols.0 + symbols.1, names.0..names.0 + names.1];
    let mut random = 1_u64;
    let mut draw = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    for number in 0..300 {
        let mut bytes = whole.clone();
        match number % 3 {
            0 => bytes.truncate(draw(whole.len())),
            // A field of a table becomes the largest number, zero, or a number that leads somewhere else.
            1 => {
                let table = &tables[draw(tables.len())];
                let at = (table.start + draw(table.len())) & !7;
                let value = [u64::MAX, 0, whole.len() as u64 - 1, 1 << 40, 0x7fff_ffff][draw(5)];
                bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            _ => (0..1 + draw(20)).for_each(|_| bytes[draw(whole.len())] ^= 1 << draw(8)),
        }
        std::fs::remove_file(folder.file()).unwrap();
        std::fs::write(folder.file(), &bytes).unwrap();
        let script = format!("ulimit -t 5; exec {} \"$1\"", env!("CARGO_BIN_EXE_agon-admit"));
        let looked =
            Command::new("sh").args(["-c", &script, "sh"]).arg(folder.file()).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&looked.stdout);
        // Before the loader has it, nothing may end the look but a refusal; from there on the file may do what it
        // likes.
        let is_told = said.contains("refused\t") || said.contains("opens\n");
        assert!(is_told, "number {number}: {looked:?}");
    }
}
