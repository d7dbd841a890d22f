//! Small programs in C and C++ to measure against, and a client that answers at once, compiled for the run.

use agon_games::Facts;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Ends at once.
pub const EMPTY: &str = "int main(void) { return 0; }\n";

/// Sends back what it is sent, 64 bytes at a time.
pub const ECHO: &str = "#include <unistd.h>
int main(void) { char b[64]; while (read(3, b, 64) == 64) if (write(4, b, 64) != 64) return 1; return 0; }\n";

/// A client of a game that answers with a move of zeros.
pub fn client(facts: &Facts) -> String {
    let name = facts.name;
    format!(
        "#include <agon/{name}.h>
const char *get_player_name(void) {{ return \"zero\"; }}
int initialize(const {name}_setup *setup) {{ return setup == 0; }}
{name}_move play(const {name}_turn *turn) {{ {name}_move mv; (void)turn; memset(&mv, 0, sizeof mv); return mv; }}
void finalize(void) {{}}
AGON_CLIENT({name})\n"
    )
}

/// Compiles a source; the folder also gets the headers.
///
/// # Errors
/// There is no C compiler, or it does not like the source.
pub fn compile(folder: &Path, name: &str, source: &str, facts: &Facts, flags: &[&str]) -> Result<PathBuf, String> {
    let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
    let include = folder.join("agon");
    std::fs::create_dir_all(&include).map_err(trouble)?;
    std::fs::write(include.join("agon.h"), agon_abi::HEADER).map_err(trouble)?;
    std::fs::write(include.join(format!("{}.h", facts.name)), facts.header).map_err(trouble)?;
    let (file, code) = (folder.join(name), folder.join(format!("{name}.c")));
    std::fs::write(&code, source).map_err(trouble)?;
    let mut compiler = Command::new("cc");
    run(compiler.arg("-O2").args(flags).arg("-I").arg(folder).arg("-o").arg(&file).arg(&code), &code)?;
    Ok(file)
}

/// Whether there is a C++ compiler.
pub fn has_cpp() -> bool {
    Command::new("c++").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles a whole program in C++17 with `-O2`.
///
/// # Errors
/// The compiler does not like the source.
pub fn compile_cpp(folder: &Path, name: &str, source: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let (file, code) = (folder.join(name), folder.join(format!("{name}.cpp")));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&code, source));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut compiler = Command::new("c++");
    run(compiler.args(["-std=c++17", "-O2", "-w"]).args(flags).arg("-o").arg(&file).arg(&code), &code)?;
    Ok(file)
}

fn run(compiler: &mut Command, code: &Path) -> Result<(), String> {
    let name = compiler.get_program().to_string_lossy().into_owned();
    match compiler.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{name} refuses {}: {}", code.display(), String::from_utf8_lossy(&output.stderr))),
        Err(error) => {
            Err(format!("{name}: {error}; help: install a compiler; this bench compares with small programs in C"))
        }
    }
}
