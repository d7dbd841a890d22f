//! The row of links at the top of each page: always in one order, the page that is open among them and marked.

use super::play_path;
use agon_games::Language;
use maud::{Markup, html};

/// Which pages there are to go to, and from where.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways<'a> {
    /// Where the pages of the ladder are, if there is one.
    pub ladder: Option<&'a str>,
    /// Whether a server sends the pages.
    pub is_served: bool,
    /// Whether there is a list of matches.
    pub has_list: bool,
    /// Whether teams have pages of their own, which `/team` leads to.
    pub has_teams: bool,
    /// Whether visitors may play here.
    pub plays: bool,
}

impl Ways<'_> {
    /// The row, on the page with this English title.
    pub(crate) fn row(self, language: Language, open: &str) -> Markup {
        let of_ladder = |file: &str| self.ladder.map(|up| format!("{up}{file}"));
        let served = |path: &str| self.is_served.then(|| path.to_owned());
        let all = [
            ("Ladders", "Tournois", served("/ladders")),
            ("Standings", "Classement", of_ladder("index.html")),
            ("Matches", "Parties", of_ladder("matches.html").filter(|_| self.has_list)),
            ("Submissions", "Travaux rendus", served("/team").filter(|_| self.has_teams)),
            ("Play", "Jouer", of_ladder(play_path(language)).filter(|_| self.plays)),
            ("Hall", "Salle", served("/hall").filter(|_| !self.has_teams)),
        ];
        html! { @if self.is_served { span.brand { "agon" } " " } @for (title, french, path) in all { @if let Some(path) = path {
            a href=(path) aria-current=[(title == open).then_some("page")] { (language.pick(title, french)) } " "
        } } }
    }
}
