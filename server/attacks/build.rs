//! Compiles the attacks of `acts/` and `calls.txt` into one client, which the program carries for `agon doctor --attack`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=acts");
    println!("cargo::rerun-if-changed=attacks.c");
    println!("cargo::rerun-if-changed=calls.txt");
    println!("cargo::rerun-if-changed=../agon/tests/clients");
    println!("cargo::rerun-if-changed=../../client-api/include");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo gives OUT_DIR"))?);
    let compiler = cc::Build::new().opt_level(1).get_compiler();
    let calls = system_calls(compiler.path())?;
    let acts = [of_files(Path::new("acts"))?, of_calls(&fs::read_to_string("calls.txt")?)].concat();
    let (mut acts, lacking): (Vec<Act>, Vec<Act>) = acts.into_iter().partition(|act| !lacks_a_call(&act.code, &calls));
    acts.sort_by(|a, b| a.name.cmp(&b.name));
    fs::write(out.join("acts.inc"), included(&acts))?;
    // The tests count all.
    fs::write(out.join("lacking"), lacking.len().to_string())?;
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

/// One act, to be written as a function in C.
#[derive(Clone)]
struct Act {
    name: String,
    /// The expected outcome, in words.
    expected: String,
    code: String,
    /// The body of the function: the code, or the line that includes it.
    body: String,
}

/// The acts of a folder, a file each.
fn of_files(folder: &Path) -> io::Result<Vec<Act>> {
    let act = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let code = fs::read_to_string(&file)?;
        let first = code.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("/* ").and_then(|rest| rest.strip_suffix(" */")).unwrap_or_default();
        let body = format!("#include \"{}\"", fs::canonicalize(&file)?.display());
        Ok(Act { name, expected: expected.to_owned(), code, body })
    };
    fs::read_dir(folder)?.map(|entry| act(entry?.path())).collect()
}

/// The act `call_NAME` for each line: a system call that the filter refuses whatever its arguments are.
fn of_calls(names: &str) -> Vec<Act> {
    let act = |name: &str| {
        let code = format!("must_refuse(SYS_{name});");
        Act { name: format!("call_{name}"), expected: "plays on; held by seccomp".to_owned(), body: code.clone(), code }
    };
    names.lines().map(act).collect()
}

/// The acts as C: a function each, the list of them, and what is to come of each as a text with a line an act.
fn included(acts: &[Act]) -> String {
    let (mut functions, mut list, mut words) = (String::new(), String::new(), String::new());
    for Act { name, expected, body, .. } in acts {
        let _ = writeln!(functions, "UNUSED static void act_{name}(void) {{\n{body}\n}}");
        let _ = writeln!(list, "    {{\"{name}\", act_{name}}},");
        let _ = writeln!(words, "    \"{name}\\t{expected}\\n\"");
    }
    format!(
        "{functions}\nstatic const struct {{ const char *name; void (*run)(void); }} ACTS[] = {{\n{list}}};\n\
         __attribute__((used)) const char agon_attacks[] = \"agon-attacks:\\tamazons\\tboard=square:5\\n\"\n{words};\n"
    )
}
