//! The page of an invitation to a board: whoever opens it is asked to take the seat, so that what only looks at links
//! takes none.

use crate::page::Page;
use crate::play::POLICY;
use crate::text::clean;
use agon_games::Language;
use maud::{Markup, html};

/// The page of an invitation.
#[derive(Clone, Copy, Debug)]
pub struct BoardInvitationPage<'a> {
    /// In which the guest is spoken to.
    pub language: Language,
    /// The game.
    pub title: &'a str,
    /// Which seats.
    pub seats: &'a [usize],
}

impl BoardInvitationPage<'_> {
    /// The whole page.
    pub fn into_text(self) -> String {
        let page = Page {
            language: self.language,
            title: self.title,
            description: "",
            policy: POLICY,
            style: html! { link rel="stylesheet" href="/agon.css"; link rel="stylesheet" href="/play.css"; },
            body: html! { main { (self.body()) } },
            script: html! { script src="/take.js" {} },
        };
        page.into_text()
    }

    fn pick(&self, english: &'static str, french: &'static str) -> &'static str {
        self.language.pick(english, french)
    }

    fn body(&self) -> Markup {
        html! {
            h1 { (clean(self.title)) }
            @for seat in self.seats {
                p { (self.pick("You are invited to seat ", "Vous êtes invité à la place ")) (seat + 1) "." }
            }
            form #take {
                p { button type="submit" { (self.pick("Take the seat", "Prendre la place")) } }
            }
            p { (self.pick(
                "It is yours in this browser then, and the link leads nobody else to it.",
                "Elle est alors à vous dans ce navigateur, et le lien n'y mène plus personne d'autre.")) }
            p #note role="alert" {}
            noscript { p { (self.pick("This page needs scripts to play.", "Cette page a besoin de scripts.")) } }
        }
    }
}
