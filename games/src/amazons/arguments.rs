//! The words after a command of Amazons: a board, and flags with values.

use super::setting::{OPTIONS, Prepared};
use crate::{Options, ReadFile};

/// Flags that are options of the game.
const OPTION_FLAGS: [&str; 4] = ["placement", "diagonals", "vacated", "from"];

/// The words and the flags of a command, separated.
pub(super) struct Words {
    pub words: Vec<String>,
    flags: Vec<(String, String)>,
}

impl Words {
    /// Reads `WORD`, `--flag value` and `--flag=value`; only these flags are known.
    pub fn read(args: &[String], known: &[&str]) -> Result<Words, String> {
        let mut read = Words { words: Vec::new(), flags: Vec::new() };
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let Some(flag) = arg.strip_prefix("--") else {
                read.words.push(arg.clone());
                continue;
            };
            let (flag, value) = flag.split_once('=').map_or((flag, None), |(flag, value)| (flag, Some(value)));
            if !known.contains(&flag) {
                let known: Vec<_> = known.iter().map(|flag| format!("--{flag}")).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(format!("--{flag} is unknown here; there are {known}"));
            }
            let value =
                value.or_else(|| rest.next().map(String::as_str)).ok_or_else(|| format!("--{flag} needs a value"))?;
            read.flags.push((flag.to_owned(), value.to_owned()));
        }
        Ok(read)
    }

    /// The last value of a flag.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.flags.iter().rfind(|(flag, _)| flag == name).map(|(_, value)| value.as_str())
    }

    /// The only word there may be.
    pub fn only(&self, missing: &str) -> Result<&str, String> {
        match self.words.as_slice() {
            [word] => Ok(word),
            [] => Err(missing.to_owned()),
            [_, extra, ..] => Err(format!("\"{extra}\" is one word too many")),
        }
    }
}

/// A board with options, as the arguments name it.
pub(super) struct Wanted {
    options: Options,
    words: Words,
}

impl Wanted {
    /// Reads a board and its options, and `flags` as well.
    pub fn read(args: &[String], read: &ReadFile, flags: &[&str]) -> Result<Wanted, String> {
        let words = Words::read(args, &[&OPTION_FLAGS, flags].concat())?;
        let mut options = Options::default();
        for option in OPTIONS {
            options.set(option.key, words.flag(option.key).unwrap_or(option.default));
        }
        let board = words.only("name a board, such as standard-10; `agon boards list` lists them")?;
        options.set("board", &text_of(board, read)?);
        if let Some(file) = words.flag("from").filter(|from| *from != "start" && !from.contains('=')) {
            options.set("from", &read(file)?);
        }
        Ok(Wanted { options, words })
    }

    pub fn flag(&self, name: &str) -> Option<&str> {
        self.words.flag(name)
    }

    pub fn setting(&self) -> Result<Prepared, String> {
        Prepared::from_options(&self.options).map_err(|error| error.to_string())
    }
}

/// Replaces a path by its file's text, which the rules read as a map.
fn text_of(board: &str, read: &ReadFile) -> Result<String, String> {
    if !board.ends_with(".toml") && !board.contains('/') {
        return Ok(board.to_owned());
    }
    // A map of one line is wrong, but the error should be that of a map.
    read(board).map(|text| text + "\n")
}
