//! The options of a client, as lines of text, and those that it never read.

use crate::Declined;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

/// The options of a client, from `options` in `ladder.toml`: lines `key = value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options<'a>(
    /// The lines of the text.
    pub &'a str,
);

impl<'a> Options<'a> {
    /// The value of an option; `None` if it is not given.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.contains(key) {
            read.insert(key.to_owned());
        }
        self.pairs().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let split = |line: &'a str| line.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        self.0.lines().filter_map(split)
    }

    /// The whole number of an option; `None` if it is not given.
    ///
    /// # Errors
    /// The value is not a whole number in the range; the text names the option, its value and the range.
    pub fn number(&self, key: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Declined> {
        let Some(text) = self.get(key) else { return Ok(None) };
        match text.parse().ok().filter(|value| range.contains(value)) {
            Some(value) => Ok(Some(value)),
            None => {
                Err(format!("{key} = \"{text}\" is not a whole number from {} to {}", range.start(), range.end())
                    .into())
            }
        }
    }

    /// The number of threads in the option `threads`; 1 if it is not given.
    ///
    /// # Errors
    /// The value is not a whole number, or more than the cores that the client may use.
    pub fn threads(&self, cores: u32) -> Result<u32, Declined> {
        let threads = self.number("threads", 1..=u64::from(cores.max(1)));
        let threads =
            threads.map_err(|Declined(why)| Declined(format!("{why}, the cores that [limits] threads allows")))?;
        Ok(threads.unwrap_or(1) as u32)
    }
}

/// The keys that were read since `forget_read`.
static READ: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Forgets the keys that were read.
pub(crate) fn forget_read() {
    READ.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Declines options that were not read: they are mistyped, or another client's.
pub(crate) fn check_read(options: Options<'_>) -> Result<(), Declined> {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let is_for_clients = |key: &&str| *key != NOTE && !key.starts_with(DATA);
    let unread = options.pairs().map(|(key, _)| key).filter(is_for_clients).find(|key| !read.contains(*key));
    let Some(unread) = unread else { return Ok(()) };
    let known: Vec<_> = read.iter().map(String::as_str).collect();
    Err(if known.is_empty() {
        format!("the option {unread} is not known: this client has none").into()
    } else {
        format!("it has no option {unread}, only {}", known.join(", ")).into()
    })
}

/// Distinguishes two entries of one file, and has no meaning for a client.
const NOTE: &str = "note";
/// The beginning of options that the server adds.
const DATA: &str = "data.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_by_their_whole_key() {
        let options = Options("depths = 1\n depth =  2 \nnote = a = b\n\nlast=");
        assert_eq!(options.get("depth"), Some("2"));
        assert_eq!(options.get("note"), Some("a = b"));
        assert_eq!(options.number("depth", 0..=2), Ok(Some(2)));
        assert_eq!(options.number("missing", 0..=2), Ok(None));
        assert!(
            options.number("depth", 3..=9).unwrap_err().0.starts_with("depth = \"2\" is not a whole number from 3")
        );
        assert_eq!((options.get("last"), options.get("dep"), options.get("")), (Some(""), None, None));
    }
}
