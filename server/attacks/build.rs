//! Compiles the attacks of `acts/` into one client, which the program carries for `agon doctor --attack`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=acts");
    println!("cargo::rerun-if-changed=attacks.c");
    println!("cargo::rerun-if-changed=../agon/tests/clients");
    println!("cargo::rerun-if-changed=../../client-api/include");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo gives OUT_DIR"))?);
    let compiler = cc::Build::new().opt_level(1).get_compiler();
    fs::write(out.join("acts.inc"), acts(Path::new("acts"), &system_calls(compiler.path())?)?)?;
    let status = Command::new(compiler.path())
        .args([
            "-O1",
            "-w",
            "-fPIC",
            "-shared",
            "-pthread",
            "-s",
            "-fno-stack-protector",
            // What an act does wrong must happen: no compiler may leave out memory that nobody reads, or trap instead.
            "-fno-builtin",
            "-fno-sanitize=undefined",
            "-I../../client-api/include",
            "-I",
        ])
        .arg(&out)
        .arg("-o")
        .arg(out.join("attacks.so"))
        .arg("attacks.c")
        .status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("attacks.c does not compile: see above")) }
}

/// The names of the system calls that the compiler knows for its architecture, as `SYS_read`.
fn system_calls(compiler: &Path) -> io::Result<HashSet<String>> {
    let told =
        Command::new(compiler).args(["-E", "-dM", "-include", "sys/syscall.h", "-x", "c", "/dev/null"]).output()?;
    let names: HashSet<String> = String::from_utf8_lossy(&told.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split_whitespace().next())
        .filter(|name| name.starts_with("SYS_"))
        .map(str::to_owned)
        .collect();
    if names.is_empty() {
        Err(io::Error::other("the C compiler lists no system call: is <sys/syscall.h> there?"))
    } else {
        Ok(names)
    }
}

/// Whether an act makes a call that this architecture lacks, and names no other way: there is nothing to try then.
fn lacks_a_call(code: &str, calls: &HashSet<String>) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut names = code.split(|letter| !is_word(letter)).filter(|word| word.starts_with("SYS_"));
    !code.contains("#if") && names.any(|name| !calls.contains(name))
}

/// The acts as C: a function each, the list of them, and what is to come of each as a text with a line an act.
fn acts(folder: &Path, calls: &HashSet<String>) -> io::Result<String> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort();
    let (mut functions, mut list, mut words) = (String::new(), String::new(), String::new());
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let code = fs::read_to_string(&file)?;
        if lacks_a_call(&code, calls) {
            continue;
        }
        let first = code.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("/* ").and_then(|rest| rest.strip_suffix(" */")).unwrap_or_default();
        let path = fs::canonicalize(&file)?;
        let _ = writeln!(functions, "UNUSED static void act_{name}(void) {{\n#include \"{}\"\n}}", path.display());
        let _ = writeln!(list, "    {{\"{name}\", act_{name}}},");
        let _ = writeln!(words, "    \"{name}\\t{expected}\\n\"");
    }
    Ok(format!(
        "{functions}\nstatic const struct {{ const char *name; void (*run)(void); }} ACTS[] = {{\n{list}}};\n\
         __attribute__((used)) const char agon_attacks[] = \"agon-attacks:\\tamazons\\tboard=square:5\\n\"\n{words};\n"
    ))
}
