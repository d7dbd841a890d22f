//! A folder of this process, in memory where the machine has such, for what can only be read as a file.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

static FOLDER: LazyLock<Option<TempDir>> = LazyLock::new(|| {
    let parent = Path::new("/dev/shm");
    let parent = if parent.is_dir() { parent.to_owned() } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("agon-fuzz-").tempdir_in(parent).ok()
});

/// A path in it, made a folder of this thread's own.
pub fn folder(name: &str) -> PathBuf {
    let base = FOLDER.as_ref().map_or_else(std::env::temp_dir, |folder| folder.path().to_owned());
    let folder = base.join(format!("{name}-{:?}", std::thread::current().id()));
    let _ = std::fs::create_dir_all(&folder);
    folder
}
