//! The end of a match on a board: the result, and the ways on.

use super::PlayPage;
use crate::text::clean;
use agon_games::Language;
use maud::{Markup, html};

/// The sentence that says who won, and the lines of the seats; no sentence where nobody wins.
fn parts(result: &str, language: Language) -> (&str, &str) {
    let seat = language.pick("seat ", "place ");
    result.split_once('\n').filter(|(first, _)| !first.starts_with(seat)).unwrap_or(("", result))
}

impl PlayPage<'_> {
    pub(super) fn end(&self, result: &str) -> Markup {
        let (outcome, lines) = parts(result, self.language);
        html! {
            div #result {
                @if !outcome.is_empty() { p.outcome { (clean(outcome)) } "\n" }
                pre tabindex="0" { (clean(lines)) }
            }
            p.choices {
                @if !self.is_to_watch {
                    button.main type="button" data-do="again" { (self.pick("Another match", "Une autre partie")) }
                }
                a href="replay.html" download="agon-replay.html" {
                    (self.pick("Save the match as a file", "Enregistrer la partie dans un fichier"))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outcome_stands_apart_from_the_seats() {
        let lines = "seat 1 (a person): rank 2, score 0\nnothing is recorded";
        assert_eq!(parts(&format!("you have lost\n{lines}"), Language::English), ("you have lost", lines));
        assert_eq!(parts(lines, Language::English), ("", lines));
        assert_eq!(parts("place 1 (b) : rang 1\n", Language::French), ("", "place 1 (b) : rang 1\n"));
    }
}
