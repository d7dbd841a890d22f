//! Turns a submitted file into an entrant: copied by its contents, examined once in the sandbox, and labelled.

mod copy;
mod look;

pub use copy::{LARGEST, NotCopied, copy, copy_data, copy_text, copy_to, hash};
pub use look::{Bounds, MEMORY, PATIENCE, look};

use agon_model::{Copied, Entrant, readable};
use std::collections::BTreeMap;
use std::path::Path;

/// Gives each of `wanted` a label of its own: the second `player` becomes `player-2`.
pub fn distinct_labels(wanted: &[String]) -> Vec<String> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut labels: Vec<String> = Vec::with_capacity(wanted.len());
    for label in wanted {
        let count = seen.entry(label).or_insert(0);
        *count += 1;
        let mut candidate = if *count == 1 { label.clone() } else { format!("{label}-{count}") };
        while labels.contains(&candidate) {
            *count += 1;
            candidate = format!("{label}-{count}");
        }
        labels.push(candidate);
    }
    labels
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_shares_a_label() {
        let wanted = ["player", "player", "player-2", "player"].map(str::to_owned);
        let labels = distinct_labels(&wanted);
        assert_eq!(labels, ["player", "player-2", "player-2-2", "player-3"]);
    }
}
