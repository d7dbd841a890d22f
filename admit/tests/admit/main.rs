//! Findings of `agon-admit` about files: good clients, and each mistake that people make.
#![allow(clippy::unwrap_used)] // a failed test may panic

mod damaged;

use agon_skips::has_program;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const CLIENT: &str = r#"
#include <agon/amazons.h>
#include <stdio.h>
const char *get_player_name(void) { return "Anna"; }
int initialize(const amazons_setup *setup) { printf("noise"); return setup->num_queens == 0; }
amazons_move play(const amazons_turn *turn) { (void)turn; amazons_move none = {0, 0, 0}; return none; }
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// A folder for one file, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = format!("agon-admit-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self) -> PathBuf {
        self.0.join("client.so")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn build(folder: &Folder, compiler: &str, source: &str, options: &[&str]) {
    let code = folder.0.join(if compiler == "c++" { "client.cpp" } else { "client.c" });
    std::fs::write(&code, source).unwrap();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client-api/include");
    let mut cc = Command::new(compiler);
    cc.arg("-I").arg(include).arg("-o").arg(folder.file()).arg(code).args(options);
    assert!(cc.status().unwrap().success());
}

fn run(file: &Path) -> Output {
    let mut admit = Command::new(env!("CARGO_BIN_EXE_agon-admit"));
    admit.arg(file).env_clear().stdin(Stdio::null()).output().unwrap()
}

/// The findings about a file, without the layers that hold and the digest of its code.
fn look(file: &Path) -> String {
    let said = String::from_utf8(run(file).stdout).unwrap();
    said.split_inclusive('\n').filter(|line| !line.starts_with("code\t") && !line.starts_with("layers\t")).collect()
}

fn look_at_source(source: &str, options: &[&str]) -> String {
    let folder = Folder::new();
    build(&folder, "cc", source, options);
    look(&folder.file())
}

fn look_at_bytes(bytes: &[u8]) -> String {
    let folder = Folder::new();
    std::fs::write(folder.file(), bytes).unwrap();
    look(&folder.file())
}

/// The cause word and the rest of the refusal.
fn refusal(said: &str) -> (&str, &str) {
    let line = said.lines().find_map(|line| line.strip_prefix("refused\t"));
    line.and_then(|line| line.split_once('\t')).unwrap_or_else(|| panic!("not refused: {said}"))
}

#[test]
fn a_good_client_is_admitted_with_its_name() {
    if !has_program("cc") {
        return;
    }
    for options in [&["-shared", "-fPIC"][..], &["-shared", "-fPIC", "-fvisibility=hidden", "-O2", "-s"]] {
        let said = look_at_source(CLIENT, options);
        assert_eq!(said, "language\tc\nneeded\tlibc.so.6\nopens\nabi\t1\ngame\tamazons\nok\nname\tAnna\n");
    }
}

#[test]
fn what_a_client_prints_is_not_mixed_in() {
    if !has_program("cc") {
        return;
    }
    let folder = Folder::new();
    build(&folder, "cc", CLIENT, &["-shared", "-fPIC"]);
    assert_eq!(run(&folder.file()).stderr, b"noise");
}

#[test]
fn trouble_with_the_name_is_no_refusal() {
    if !has_program("cc") {
        return;
    }
    let known = "language\tc\nneeded\tlibc.so.6\nopens\nabi\t1\ngame\tamazons\nok\n";
    for (from, to, more) in [
        ("\"Anna\"", "(char *)0", ""),
        ("\"Anna\"", "(char *)16", ""),
        ("\"Anna\"", "(__builtin_trap(), \"\")", "agon.crash\t"),
        ("return setup->num_queens == 0", "return 1", ""),
        ("\"Anna\"", "\"A\\tn\\nna\"", "name\tA n na\n"),
    ] {
        let said = look_at_source(&CLIENT.replace(from, to), &["-shared", "-fPIC"]);
        assert!(said.starts_with(known) && said[known.len()..].starts_with(more), "{to}: {said}");
    }
}

#[test]
fn files_that_are_no_library_have_their_own_words() {
    for (bytes, cause, words) in [
        (&b""[..], "empty", "empty"),
        (b"#include <stdio.h>\nint main() {}\n", "text", "a text file"),
        (b"\x01\x02\x03\x00garbage", "not-elf", "no ELF file"),
        (b"MZ\x90\x00", "not-elf", "Windows"),
        (b"\xcf\xfa\xed\xfe\x07", "not-elf", "macOS"),
        (b"!<arch>\n", "not-shared", "static library"),
        (b"\x7fELF", "truncated", "truncated"),
        (b"\x7fELF\x02\x01\x01\x00", "truncated", "truncated"),
    ] {
        let said = look_at_bytes(bytes);
        let (word, rest) = refusal(&said);
        assert!(word == cause && rest.contains(words), "{said}");
    }
    assert_eq!(refusal(&look(Path::new("/nowhere/client.so"))).0, "unreadable");
}

#[test]
fn objects_and_programs_are_not_libraries() {
    if !has_program("cc") {
        return;
    }
    let said = look_at_source(CLIENT, &["-c"]);
    assert!(refusal(&said).1.contains("object file"), "{said}");
    for options in [&["-pie", "-fPIE"][..], &["-no-pie"]] {
        let said = look_at_source(&format!("{CLIENT}\nint main(void) {{ return 0; }}"), options);
        assert!(refusal(&said).1.starts_with("a program"), "{said}");
    }
}

#[test]
fn a_forgotten_line_or_function_is_named() {
    if !has_program("cc") {
        return;
    }
    let shared = &["-shared", "-fPIC"];
    let said = look_at_source(&CLIENT.replace("AGON_CLIENT(amazons)", ""), shared);
    assert!(refusal(&said).0 == "no-macro" && said.contains("AGON_CLIENT(GAME)"), "{said}");
    let said = look_at_source(&CLIENT.replace("void finalize(void) {}", ""), shared);
    assert_eq!(refusal(&said), ("missing-function", "your client does not define finalize\tadd void finalize(void)"));
    let said = look_at_source("int answer(void) { return 42; }", shared);
    assert_eq!(refusal(&said).0, "no-descriptor");
    let folder = Folder::new();
    let script = folder.0.join("hide.map");
    std::fs::write(&script, "{ global: play; local: *; };").unwrap();
    build(&folder, "cc", CLIENT, &["-shared", "-fPIC", &format!("-Wl,--version-script={}", script.display())]);
    assert_eq!(refusal(&look(&folder.file())).0, "hidden");
}

#[test]
fn classic_clients_are_known() {
    if !has_program("cc") {
        return;
    }
    let source =
        "char const *get_player_name() { return \"x\"; } void initialize() {} void play() {} void finalize() {}";
    let said = look_at_source(source, &["-shared", "-fPIC"]);
    assert!(refusal(&said).0 == "classic" && said.contains("a client of the original course"), "{said}");
}

#[test]
fn cpp_names_are_recognised() {
    if !has_program("cc") || !has_program("c++") {
        return;
    }
    let folder = Folder::new();
    build(&folder, "c++", CLIENT, &["-shared", "-fPIC"]);
    assert!(look(&folder.file()).ends_with("game\tamazons\nok\nname\tAnna\n"));
    let other =
        CLIENT.replace("void finalize(void) {}", "namespace mine { void finalize(int) {} } void finalize(int) {}");
    build(&folder, "c++", &other, &["-shared", "-fPIC"]);
    let said = look(&folder.file());
    assert!(refusal(&said).0 == "mangled" && said.contains("_Z8finalizei"), "{said}");
}

#[test]
fn what_the_loader_finds_is_explained() {
    if !has_program("cc") {
        return;
    }
    let said = look_at_source(
        &CLIENT.replace("\"Anna\"", "nope()").replace("const char", "char *nope(void);\nconst char"),
        &["-shared", "-fPIC"],
    );
    assert!(refusal(&said).0 == "undefined-symbol" && said.contains("needs nope"), "{said}");
    // The host has no library of mathematics: what looks for it must have none either.
    let said = look_at_source(
        &CLIENT
            .replace("\"Anna\"", "pow(getpid(), 2) > 0 ? \"Anna\" : 0")
            .replace("const char", "double pow(double, double); int getpid(void);\nconst char"),
        &["-shared", "-fPIC"],
    );
    assert!(refusal(&said).0 == "undefined-symbol" && said.contains("needs pow") && said.contains("-lm"), "{said}");
    let folder = Folder::new();
    build(&folder, "cc", "int depth(void) { return 3; }", &["-shared", "-fPIC", "-Wl,-soname,libdepth.so.7"]);
    let library = folder.0.join("libdepth.so");
    std::fs::rename(folder.file(), &library).unwrap();
    let client = CLIENT.replace("return setup", "int depth(void); return depth() == 0 && setup");
    build(&folder, "cc", &client, &["-shared", "-fPIC", library.to_str().unwrap()]);
    let said = look(&folder.file());
    assert!(refusal(&said).0 == "missing-library" && said.contains("needs libdepth.so.7"), "{said}");
}

#[test]
fn the_contract_is_compared() {
    if !has_program("cc") {
        return;
    }
    let descriptor = |abi: u32, game: &str, sizes: &str| {
        let source = format!(
            "#include <agon/agon.h>\nextern AGON_EXPORT const agon_descriptor agon_client;\n\
             const agon_descriptor agon_client = {{{abi}, sizeof(agon_descriptor), \"{game}\", {sizes}, 0, 0, 0, 0, 0, 0}};"
        );
        look_at_source(&source, &["-shared", "-fPIC"])
    };
    assert_eq!(refusal(&descriptor(2, "amazons", "1, 1, 1")).0, "other-abi");
    let said = descriptor(1, "chess", "1, 1, 1");
    assert!(refusal(&said).0 == "unknown-game" && said.contains("amazons"), "{said}");
    let said = descriptor(1, "amazons", "1, 1, 1");
    assert!(refusal(&said).0 == "other-layout" && said.contains("agon_setup.size is missing"), "{said}");
}

#[test]
fn the_look_happens_in_the_sandbox() {
    if !has_program("cc") {
        return;
    }
    let hostile =
        format!("#include <sys/socket.h>\n{CLIENT}\n__attribute__((constructor)) void s(void) {{ socket(2, 1, 0); }}");
    let said = look_at_source(&hostile, &["-shared", "-fPIC"]);
    assert!(said.starts_with("language\tc\nneeded\tlibc.so.6\nopens\nagon.syscall\tsocket ("), "{said}");
}

/// A client of this name that searches a little, so that there is code to compare.
fn named(name: &str, depth: u32) -> String {
    let search = "static int search(int n, const char **said) { int best = 0; for (int i = 0; i < n; i++) { \
                  int value = (i * 7919) % 104729; if (value > best) { best = value; *said = i % 2 ? \"odd\" : \"even\"; } } \
                  return best; }\n";
    let play = format!("fprintf(stderr, \"{name}: %d %s\\n\", search({depth} + calls++, &said), said);");
    let client =
        CLIENT.replace("(void)turn;", &format!("(void)turn; static int calls; const char *said = \"{name}\"; {play}"));
    let (head, rest) = client.split_once("const char *get").unwrap();
    format!("{head}{search}const char *get{}", rest.replace("Anna", name))
}

#[test]
fn copies_of_one_source_have_the_same_code_whatever_they_are_called() {
    if !has_program("cc") {
        return;
    }
    let folder = Folder::new();
    let code = |source: &str| {
        build(&folder, "cc", source, &["-shared", "-fPIC", "-O2"]);
        let seen = String::from_utf8(run(&folder.file()).stdout).unwrap();
        seen.lines().find_map(|line| line.strip_prefix("code\t")).unwrap_or_else(|| panic!("{seen}")).to_owned()
    };
    let first = code(&named("red", 9));
    assert_eq!(first.len(), 64, "{first}");
    assert_eq!(code(&named("a much longer name than that of the first one", 9)), first);
    assert_ne!(code(&named("red", 10)), first, "another number in it is another client");
}
