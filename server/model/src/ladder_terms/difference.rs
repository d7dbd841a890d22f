//! Compares the terms of a ladder in the record with those of its file.

use super::LadderTerms;
use super::text::{SCALE, SYSTEM};
use crate::{SystemKind, TimeScale};
use std::collections::{BTreeMap, BTreeSet};

impl LadderTerms {
    /// A line for each term that differs, by its key, with what it was and is now; none = results are comparable.
    pub fn differences(&self, now: &LadderTerms) -> Vec<String> {
        let (then, now) = (BTreeMap::from_iter(self.texts()), BTreeMap::from_iter(now.texts()));
        let keys: BTreeSet<_> = then.keys().chain(now.keys()).collect();
        let short = |key: &str, texts: &BTreeMap<String, String>| match texts.get(key) {
            Some(text) => text.lines().next().unwrap_or("").to_owned(),
            None => unsaid(key).to_owned(),
        };
        let changed = keys.into_iter().filter(|key| then.get(*key) != now.get(*key));
        changed.map(|key| format!("{key}: was {}, is now {}", short(key, &then), short(key, &now))).collect()
    }
}

/// The meaning of a term that is not stored.
fn unsaid(key: &str) -> &'static str {
    match key {
        SYSTEM => SystemKind::RoundRobin.name(),
        SCALE => TimeScale::Off.into(),
        _ => "none",
    }
}
