//! Where the programs and clients of this agon lie: next to the program, or in `libexec/agon` next to its folder.

use std::path::PathBuf;

/// The folders in the order in which they are searched. `AGON_LIBEXEC` names the only one, if it is set and not empty.
pub fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("AGON_LIBEXEC").filter(|folder| !folder.is_empty()) {
        return vec![PathBuf::from(folder)];
    }
    let program = std::env::current_exe().unwrap_or_default();
    let Some(folder) = program.parent() else { return Vec::new() };
    vec![folder.to_owned(), folder.join("../libexec/agon")]
}
