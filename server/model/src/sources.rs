//! The places from which the clients of a ladder come, and the part of a path that names one.

use crate::{ClientSpec, shell};
use std::path::{Path, PathBuf};

/// The places from which the clients of a ladder come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The folder in which paths start.
    pub folder: PathBuf,
    /// Clients that have a `[[client]]` table.
    pub named: Vec<ClientSpec>,
    /// Patterns, in the order in which they are tried.
    pub patterns: Vec<String>,
    /// Patterns of files that do not take part.
    pub exclude: Vec<String>,
    /// The part of a path that names a file found by a pattern.
    pub labels: Labels,
}

/// The option with which `agon add` and `agon build` put clients next to a ladder in this folder, after a blank; empty
/// where they do so by themselves.
pub fn out_option(folder: &Path) -> String {
    let out = folder.join("clients");
    match out.strip_prefix(".").unwrap_or(&out) {
        own if own == Path::new("clients") => String::new(),
        _ => format!(" {}", shell::option("--out", &out.to_string_lossy())),
    }
}

/// The part of a path that names a file found by a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The text that the wildcards stand for, without the file's ending: `teams/*/player.so` makes `red`,
    /// `clients/*.so` makes `mcts`.
    Auto,
    /// The file's name without its ending.
    File,
    /// The folders that wildcards stand for, or else the file's own folder.
    Folder,
}
