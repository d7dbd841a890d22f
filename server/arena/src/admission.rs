//! Turns a submitted file into an entrant: copied by its contents, examined once in the sandbox, and labelled.

mod copy;
mod look;

pub use copy::{NotCopied, copy, copy_data, copy_text, copy_to};
pub use look::{LookBounds, MEMORY, PATIENCE, look};

use agon_model::{Copied, Entrant, readable};
use std::collections::BTreeMap;
use std::path::Path;

/// Makes an entrant from the copy and the look.
pub fn entrant(
    label: String,
    file: &Path,
    copied: &Copied,
    options: BTreeMap<String, String>,
    refused: Option<String>,
) -> Entrant {
    let file = file.file_name().map_or_else(String::new, |name| readable(name).into_owned());
    Entrant { label, file, hash: copied.hash.clone(), options, refused }
}
