//! Versions, and what the authors of clients need: a compiler, and for clients of the original course GSL.

use super::{Finding, State};
use std::path::Path;
use std::process::{Command, Stdio};

pub(super) fn look() -> Vec<Finding> {
    vec![version(), user(), compiler(), gsl()]
}

fn version() -> Finding {
    let found = format!("{}, contract with clients {}", env!("CARGO_PKG_VERSION"), agon_abi::ABI_VERSION);
    Finding::new("agon", State::Good, found, "clients built for this contract or an earlier one play", "")
}

fn user() -> Finding {
    let is_root = rustix::process::geteuid().is_root();
    let (state, found) = if is_root { (State::Note, "root") } else { (State::Good, "an ordinary user") };
    let help = "if the sandbox has a bug, a client can do more harm to root; help: run tournaments as an ordinary user";
    Finding::new("user", state, found, "clients can do nothing that you cannot", help)
}

fn compiler() -> Finding {
    let output = Command::new("cc").arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
    let words = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let line = words.and_then(|words| Some(String::from_utf8_lossy(&words).lines().next()?.to_owned()));
    let state = if line.is_some() { State::Good } else { State::Note };
    let help = "compiled clients play all the same; help: install gcc or clang to compile clients in C here";
    let means = "clients in C can be compiled here: agon header, then cc";
    Finding::new("C compiler", state, line.unwrap_or_else(|| "there is no cc".to_owned()), means, help)
}

/// Where the loader looks, and one level below for the folders named after a machine.
fn gsl() -> Finding {
    let roots = ["/usr/local/lib", "/usr/lib", "/usr/lib64", "/lib", "/lib64"].map(Path::new);
    let below = roots.iter().flat_map(|root| folders(root));
    let found = roots.iter().map(|root| root.to_path_buf()).chain(below).find_map(|folder| library(&folder));
    let state = if found.is_some() { State::Good } else { State::Note };
    let means = "clients that use GSL find it";
    let help = "clients that are linked with it are refused; help: install libgsl (Debian 11, 12, 13: libgsl25, libgsl27, libgsl28)";
    Finding::new("GSL", state, found.unwrap_or_else(|| "not installed".to_owned()), means, help)
}

fn folders(root: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains("-linux-")).collect()
}

fn library(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("libgsl.so"))
        .collect();
    names.sort();
    names.last().map(|name| folder.join(name).display().to_string())
}
