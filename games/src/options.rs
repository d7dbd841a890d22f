//! The options of a match: keys and values as text, in the order of their keys.

use crate::Facts;
use std::collections::BTreeMap;

/// Options by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Options(BTreeMap<String, String>);

/// An option that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOption {
    /// The key of the option.
    pub key: String,
    /// The mistake and its correction, one sentence each.
    pub why: String,
    /// Line and column, from 1, if the value is the text of a file.
    pub place: Option<(usize, usize)>,
}

impl Options {
    /// Reads `key=value` pairs separated by spaces.
    pub fn from_pairs(text: &str) -> Options {
        let pairs = text.split_whitespace().filter_map(|pair| pair.split_once('='));
        Options(pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    /// The value of an option.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Gives an option a value.
    pub fn set(&mut self, key: &str, value: &str) {
        self.0.insert(key.to_owned(), value.to_owned());
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The options in order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The value of an option read as one of `choices`.
    ///
    /// # Errors
    /// The value is not one of them.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, BadOption> {
        let value = self.get(key).unwrap_or_default();
        choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            BadOption::new(key, format!("\"{value}\" is not one of {}", names.join(", ")))
        })
    }

    /// The value of an option read as a whole number within bounds.
    ///
    /// # Errors
    /// The value is not such a number.
    pub fn number(&self, key: &str, bounds: std::ops::RangeInclusive<i64>) -> Result<i64, BadOption> {
        let value = self.get(key).unwrap_or_default();
        value.parse().ok().filter(|number| bounds.contains(number)).ok_or_else(|| {
            let (low, high) = (bounds.start(), bounds.end());
            BadOption::new(key, format!("\"{value}\" is not a whole number from {low} to {high}"))
        })
    }
}

impl BadOption {
    /// An error without a place.
    pub fn new(key: &str, why: impl Into<String>) -> BadOption {
        BadOption { key: key.to_owned(), why: why.into(), place: None }
    }

    /// The error for a key that the game does not have.
    pub fn unknown(key: &str, facts: &Facts) -> BadOption {
        let keys: Vec<_> = facts.options.iter().map(|option| option.key).collect();
        BadOption::new(key, format!("{} has no such option; it has: {}", facts.name, keys.join(", ")))
    }
}

impl std::fmt::Display for BadOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "option {}: ", self.key)?;
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for BadOption {}
