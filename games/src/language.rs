//! The languages in which people at the board are spoken to. Records, exports and messages to authors of clients are in
//! English.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// As everything else is.
    #[default]
    English,
    /// As the courses are, from which most of the games come.
    French,
}

impl Language {
    /// The text that is in this language.
    pub fn pick<T>(self, english: T, french: T) -> T {
        match self {
            Language::English => english,
            Language::French => french,
        }
    }

    /// A text whose only dots are those of numbers, with the decimal sign of this language.
    pub fn numbers(self, text: impl std::fmt::Display) -> String {
        let text = text.to_string();
        self.pick(text.clone(), text.replace('.', ","))
    }
}

/// The same in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    english: &'static str,
    french: &'static str,
}

impl Said {
    /// In English and in French.
    pub const fn new(english: &'static str, french: &'static str) -> Said {
        Said { english, french }
    }

    /// In this language.
    pub fn in_language(self, language: Language) -> &'static str {
        language.pick(self.english, self.french)
    }
}
