//! Folders that a ladder opens to its clients: of libraries, and of runtimes for programs.

use super::builder::LadderBuilder;
use super::problem::{At, Findings, Problem};
use agon_files::opened::{RECORD, behind_links, homes, open};
use agon_files::patterns::is_pattern;
use agon_model::visible::escape;
use agon_model::{ClientSpec, SandboxPolicy};
use std::path::{Path, PathBuf};

/// The policy with the folders that the keys name.
pub(super) fn resolve(
    builder: &LadderBuilder,
    (folder, clients): (&Path, &[ClientSpec]),
    policy: SandboxPolicy,
    findings: &mut Findings,
) -> SandboxPolicy {
    if builder.libraries.is_empty() && builder.runtimes.is_empty() {
        return policy;
    }
    let private = private(builder, folder, clients);
    let mut read = |key: &str, given: &[At<String>]| {
        let mut folders: Vec<PathBuf> = Vec::new();
        for text in given {
            match open(&folder.join(&text.value), &private) {
                Ok(found) => folders.push(found),
                Err(why) => {
                    let what = format!("{key} cannot open \"{}\": {why}", escape(&text.value, 200));
                    let help =
                        "name the folder of the libraries or of the runtime alone, such as \"/net/tools/gsl/lib\"";
                    findings.problems.push(Problem::new(&text.place, what, help));
                }
            }
        }
        folders.sort();
        folders.dedup();
        folders
    };
    SandboxPolicy {
        libraries: read("libraries", &builder.libraries),
        runtimes: read("runtimes", &builder.runtimes),
        ..policy
    }
}

/// The paths that no opened folder may have in it, or be: each behind all links, with its description.
fn private(builder: &LadderBuilder, folder: &Path, clients: &[ClientSpec]) -> Vec<(PathBuf, &'static str)> {
    let own = [(folder.to_owned(), "the ladder's files"), (folder.join(&builder.out), RECORD)];
    let files = clients.iter().flat_map(|client| [&client.path].into_iter().chain(client.data.values()));
    let files = files.map(|file| (file.clone(), "files of clients"));
    // Clients may still come where a pattern finds them.
    let patterns = builder.clients.iter().flatten().filter_map(|pattern| {
        let path = folder.join(&pattern.value);
        let plain = path.ancestors().skip(1).find(|path| !is_pattern(&path.to_string_lossy()));
        plain.map(|path| (path.to_owned(), "clients"))
    });
    homes().chain(own).chain(files).chain(patterns).map(behind_links).collect()
}
