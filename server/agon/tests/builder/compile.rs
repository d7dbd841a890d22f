//! Clients compiled from C or C++ on the spot.

use std::path::{Path, PathBuf};
use std::process::Command;

pub use agon_skips::{has_command, has_library, has_program};

/// Compiles a client against the public headers. `source` is text, or the path of a file below the project's root.
pub fn client(compiler: &str, file: &Path, source: &str, flags: &[&str]) -> Option<PathBuf> {
    if !has_program(compiler) {
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let is_path = !source.contains('\n') && [".c", ".cpp"].iter().any(|ending| source.ends_with(ending));
    let source = if is_path {
        root.join(source)
    } else {
        let text = file.with_extension(if compiler == "cc" { "c" } else { "cpp" });
        std::fs::write(&text, source).unwrap();
        text
    };
    let mut command = Command::new(compiler);
    command.args(["-O1", "-g", "-fPIC", "-shared", "-Wall", "-pthread", "-o"]).arg(file);
    command.arg("-I").arg(root.join("client-api/include")).arg(source).args(flags);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(file.to_owned())
}

/// The least program in C for Grundy's game that has eight sticks: it splits one off the first heap that has three.
pub const EIGHT_STICKS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"ask\":\"setup\"")) {
            puts("{\"name\": \"compiled\"}");
        } else {
            int heap = 0;
            for (char *at = strstr(line, "\"heaps\":[") + 8; atoi(at + 1) < 3; heap++) at = strchr(at + 1, ',');
            printf("{\"move\": {\"heap\": %d, \"split\": 1}}\n", heap);
        }
        fflush(stdout);
    }
    return 0;
}
"#;
