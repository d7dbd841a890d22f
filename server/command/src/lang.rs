//! The languages of the command line.

use agon_games::Language;
use clap::ValueEnum;

/// A language of the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum Lang {
    /// English.
    En,
    /// French.
    Fr,
}

impl Lang {
    /// The language of the texts.
    pub fn language(self) -> Language {
        match self {
            Lang::En => Language::English,
            Lang::Fr => Language::French,
        }
    }
}
