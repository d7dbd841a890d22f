//! Small programs in C to measure against, and a client that answers at once, compiled for the run.

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
    let ran = Command::new("cc").arg("-O2").args(flags).arg("-I").arg(folder).arg("-o").arg(&file).arg(&code).output();
    match ran {
        Ok(output) if output.status.success() => Ok(file),
        Ok(output) => Err(format!("cc refuses {}: {}", code.display(), String::from_utf8_lossy(&output.stderr))),
        Err(error) => {
            Err(format!("cc: {error}; help: install a C compiler; this bench compares with small C programs"))
        }
    }
}
