//! The languages of texts for people at the board. Records, exports and messages to authors of clients are in English.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, the language of everything else.
    #[default]
    English,
    /// French, the language of the courses from which most of the games come.
    French,
}

impl Language {
    /// The text in this language.
    pub fn pick<T>(self, english: T, french: T) -> T {
        match self {
            Language::English => english,
            Language::French => french,
        }
    }

    /// A colon, with the space before it that French has.
    pub fn colon(self) -> &'static str {
        self.pick(":", " :")
    }

    /// Writes a text whose only dots are those of numbers, with the decimal sign of this language.
    pub fn numbers(self, text: impl std::fmt::Display) -> String {
        let text = text.to_string();
        self.pick(text.clone(), text.replace('.', ","))
    }
}

/// A text in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    english: &'static str,
    french: &'static str,
}

impl Said {
    /// A text in English and in French.
    pub const fn new(english: &'static str, french: &'static str) -> Said {
        Said { english, french }
    }

    /// The text in this language.
    pub fn in_language(self, language: Language) -> &'static str {
        language.pick(self.english, self.french)
    }
}
