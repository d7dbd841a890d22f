//! The programs that belong to agon, beside it or where an installation puts them.

use crate::Failure;
use agon_model::Paths;
use std::path::{Path, PathBuf};

/// The file of the client that plays for files without a descriptor.
pub const ADAPTER: &str = "libclassic.so";

/// Where the host, the admission program and the adapter are: beside this program, or where an installation puts them.
pub fn find_places(out: &Path) -> Result<Paths, Failure> {
    let (host, admit) = (find_program("agon-host")?, find_program("agon-admit")?);
    let adapter = Some(host.with_file_name(ADAPTER)).filter(|path| path.is_file());
    Ok(Paths { out: out.to_owned(), host, admit, adapter })
}

fn find_program(name: &str) -> Result<PathBuf, Failure> {
    if let Some(folder) = std::env::var_os("AGON_LIBEXEC") {
        return Ok(PathBuf::from(folder).join(name));
    }
    let me = std::env::current_exe().map_err(|error| Failure::new(1, error))?;
    let folder = me.parent().unwrap_or(Path::new("/"));
    let candidates = [folder.join(name), folder.join("../libexec/agon").join(name)];
    candidates.iter().find(|path| path.is_file()).cloned().ok_or_else(|| {
        let folder = folder.display();
        let help = "build the whole workspace (cargo build --release), or set AGON_LIBEXEC to its folder";
        Failure::new(1, format!("{name} is neither in {folder} nor in {folder}/../libexec/agon; help: {help}"))
    })
}
