//! The causes why a file cannot play, of docs/reference/protocol.md: admission names them, and the server reads them.

/// Why a file cannot play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It cannot be read.
    Unreadable,
    /// It has no bytes.
    Empty,
    /// It is a text file.
    Text,
    /// It is not an ELF file.
    NotElf,
    /// It is for a 32-bit machine.
    Bits32,
    /// It is for another machine.
    OtherMachine,
    /// It is a program, an object or a static library.
    NotShared,
    /// It is cut short.
    Truncated,
    /// It is damaged.
    Malformed,
    /// It does not define one of the functions.
    MissingFunction,
    /// It defines a function under a C++ name.
    Mangled,
    /// It lacks `AGON_CLIENT`.
    NoMacro,
    /// Its descriptor is stripped or hidden.
    Hidden,
    /// It is a client of the original course, for which an adapter plays.
    Classic,
    /// It is a library, but not a client.
    NoDescriptor,
    /// It is of another version of the contract.
    OtherAbi,
    /// It is for another game than it was opened for.
    OtherGame,
    /// It is for an unknown game.
    UnknownGame,
    /// A field of it differs.
    OtherLayout,
    /// It was built to be watched by a library that must be loaded before the program.
    Sanitizer,
    /// It needs a missing library.
    MissingLibrary,
    /// It needs a symbol that nothing defines.
    UndefinedSymbol,
    /// The loader refuses it.
    NotLoadable,
    /// This machine lacked a resource.
    Machine,
    /// The look at it did not finish.
    Unseen,
    /// The word is unknown: its writer was not admission, or another version of it.
    Other,
}

impl Cause {
    /// All causes that have a word.
    pub const WORDS: [(Cause, &'static str); 25] = [
        (Cause::Unreadable, "unreadable"),
        (Cause::Empty, "empty"),
        (Cause::Text, "text"),
        (Cause::NotElf, "not-elf"),
        (Cause::Bits32, "32-bit"),
        (Cause::OtherMachine, "other-machine"),
        (Cause::NotShared, "not-shared"),
        (Cause::Truncated, "truncated"),
        (Cause::Malformed, "malformed"),
        (Cause::MissingFunction, "missing-function"),
        (Cause::Mangled, "mangled"),
        (Cause::NoMacro, "no-macro"),
        (Cause::Hidden, "hidden"),
        (Cause::Classic, "classic"),
        (Cause::NoDescriptor, "no-descriptor"),
        (Cause::OtherAbi, "other-abi"),
        (Cause::OtherGame, "other-game"),
        (Cause::UnknownGame, "unknown-game"),
        (Cause::OtherLayout, "other-layout"),
        (Cause::Sanitizer, "sanitizer"),
        (Cause::MissingLibrary, "missing-library"),
        (Cause::UndefinedSymbol, "undefined-symbol"),
        (Cause::NotLoadable, "not-loadable"),
        (Cause::Machine, "machine"),
        (Cause::Unseen, "unseen"),
    ];

    /// The word of a cause, for programs.
    pub fn word(self) -> &'static str {
        Cause::WORDS.iter().find(|(cause, _)| *cause == self).map_or("other", |(_, word)| word)
    }

    /// The cause of a word.
    pub fn of_word(word: &str) -> Cause {
        Cause::WORDS.iter().find(|(_, known)| *known == word).map_or(Cause::Other, |(cause, _)| *cause)
    }

    /// Whether it follows from the file's bytes alone, and not from the machine, its libraries or its load: another
    /// look would find the same.
    pub fn is_of_bytes(self) -> bool {
        use Cause::*;
        !matches!(self, Unreadable | MissingLibrary | UndefinedSymbol | NotLoadable | Machine | Unseen | Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_found_by_its_word_and_documented() {
        let page = include_str!("../../docs/reference/messages.md");
        for (cause, word) in Cause::WORDS {
            assert_eq!((cause.word(), Cause::of_word(word)), (word, cause));
            assert!(page.contains(&format!("`{word}`")), "{word}");
        }
        assert_eq!((Cause::of_word("Empty"), Cause::of_word("")), (Cause::Other, Cause::Other));
    }
}
