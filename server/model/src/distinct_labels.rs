//! Labels of which no two are alike.

use std::collections::BTreeMap;

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
