//! The frame of every page: what it may load, its title and its style.

use crate::text::clean;
use agon_games::Language;
use maud::{DOCTYPE, Markup, html};

/// The parts of a page.
pub(crate) struct Page<'a> {
    pub language: Language,
    pub title: &'a str,
    /// The text that a shared link shows below the title; may be empty.
    pub description: &'a str,
    /// Everything that the page may load and run.
    pub policy: &'a str,
    /// The style itself, or a link to it.
    pub style: Markup,
    pub body: Markup,
    /// Data and script, below the body.
    pub script: Markup,
}

impl Page<'_> {
    /// The whole text.
    pub fn into_text(self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang=(self.language.pick("en", "fr")) {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(self.policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (clean(self.title)) }
                    @if !self.description.is_empty() {
                        meta property="og:title" content=(clean(self.title));
                        meta property="og:description" name="description" content=(clean(self.description));
                    }
                    link rel="icon" href="data:,";
                    (self.style)
                }
                body { (self.body) }
                (self.script)
            }
        };
        page.into_string() + "\n"
    }
}
