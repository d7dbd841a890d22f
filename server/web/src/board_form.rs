//! The form by which a visitor of a ladder asks for a board: who sits where, on which setting, and who may be asked.

use crate::drawing::Drawing;
use crate::page::Page;
use crate::picture::symbols;
use crate::play::POLICY;
use crate::site::Ways;
use crate::svg::Units;
use crate::text::clean;
use agon_games::{Language, Scene};
use agon_model::EntrantId;
use maud::{Markup, PreEscaped, html};

/// With more seats, a phone folds all but the first two.
const MOST_OPEN: usize = 4;
const FIRST: usize = 2;

/// The form that asks for a board.
#[derive(Clone, Debug)]
pub struct BoardForm<'a> {
    /// In which the visitor is spoken to.
    pub language: Language,
    /// The ladder's name.
    pub ladder: &'a str,
    /// The title of its game.
    pub game: &'a str,
    /// The names of its settings.
    pub settings: Vec<&'a str>,
    /// How many play.
    pub seats: usize,
    /// Numbers and labels of the clients that may play.
    pub clients: Vec<(EntrantId, String)>,
    /// The place in that list of who is on the other seats if nothing is chosen.
    pub opponent: usize,
    /// How many there are in all.
    pub of: usize,
    /// The pages that lead on from here.
    pub ways: Ways<'a>,
    /// The start of each setting that has a board to show, by the number of the setting.
    pub starts: Vec<(usize, Scene)>,
    /// A remark on the last form; may be empty.
    pub note: &'a str,
}

impl BoardForm<'_> {
    /// The whole page.
    pub fn into_text(self) -> String {
        let other = self.language.pick(("play.fr.html", "fr", "Français"), ("play.html", "en", "English"));
        let page = Page {
            language: self.language,
            title: &format!("{} – {}", self.pick("Play", "Jouer"), clean(self.game)),
            description: "",
            policy: POLICY,
            style: html! { link rel="stylesheet" href="/agon.css"; link rel="stylesheet" href="/play.css"; },
            body: html! {
                nav aria-label="pages" { (self.ways.row(self.language, "Play"))
                    a href=(other.0) lang=(other.1) hreflang=(other.1) { (other.2) } }
                main { (self.body()) }
            },
            script: html! { script src="/site.js" {} script src="/begin.js" {} },
        };
        page.into_text()
    }

    fn pick(&self, english: &'static str, french: &'static str) -> &'static str {
        self.language.pick(english, french)
    }

    fn body(&self) -> Markup {
        html! {
            h1 { (self.pick("Play ", "Jouer : ")) (clean(self.game)) }
            p { (self.pick("Ladder ", "Tournoi ")) bdi { (clean(self.ladder)) } ". "
                (self.pick(
                    "Clients play under the time limits of the ladder; you have all the time you want. Nothing is recorded.",
                    "Les clients jouent avec les limites de temps du tournoi ; vous avez tout votre temps. Rien n'est enregistré.")) }
            @if self.clients.len() < self.of { p { (self.pick("Offered are the newest ", "Sont proposés les ")) (self.clients.len())
                (self.pick(" clients of ", " clients les plus récents, sur ")) (self.of) "." } }
            form #begin {
                @if self.settings.len() > 1 { (self.setting()) }
                (self.pictures())
                @if self.seats > 2 && self.clients.len() > 1 { (self.all_others()) }
                @let open = if self.seats > MOST_OPEN { FIRST } else { self.seats };
                @for seat in 1..=open { (self.seat(seat)) }
                @if open < self.seats { details #more-seats open {
                    summary { (self.pick("Seats ", "Places ")) (open + 1) (self.pick(" to ", " à ")) (self.seats) }
                    div { @for seat in open + 1..=self.seats { (self.seat(seat)) } }
                } }
                @if !self.clients.is_empty() { (self.adviser()) }
                p { button.main type="submit" { (self.pick("Begin", "Commencer")) } }
            }
            p #note role="alert" { (clean(self.note)) }
            noscript { p { (self.pick("This page needs scripts to play.", "Cette page a besoin de scripts.")) } }
        }
    }

    fn setting(&self) -> Markup {
        html! { p {
            label for="setting" { (self.pick("Board", "Plateau")) }
            select #setting name="setting" {
                @for (number, name) in self.settings.iter().enumerate() { option value=(number) { (clean(name)) } }
            }
        } }
    }

    /// The starts of the boards, of which the script shows the chosen one.
    fn pictures(&self) -> Markup {
        html! { @for (number, scene) in &self.starts {
            @let bare = Scene { panels: if scene.cells.is_empty() { scene.panels.clone() } else { Vec::new() }, ..scene.clone() };
            @let drawing = Drawing::of([&bare].into_iter());
            @let ([width, height], drawn) = (drawing.size.map(Units), drawing.draw(&bare));
            figure.start data-setting=(number) hidden[*number > 0] {
                svg.pic viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(clean(&scene.spoken)) {
                    g aria-hidden="true" { (PreEscaped(symbols(drawn.as_str()).as_str())) (PreEscaped(drawn.as_str())) }
                }
            }
        } }
    }

    /// One choice for all seats but those of the visitor.
    fn all_others(&self) -> Markup {
        html! { p {
            label for="others" { (self.pick("All others", "Tous les autres")) }
            select #others {
                option value="" { (self.pick("each as below", "chacun comme ci-dessous")) }
                @for (number, label) in &self.clients { option value=(number) { (clean(label)) } }
            }
        } }
    }

    /// The choice for a seat: the visitor takes the first one, if nothing is chosen; the others get different clients.
    fn seat(&self, seat: usize) -> Markup {
        let id = format!("seat{seat}");
        html! { p {
            label for=(id) { (self.pick("Seat ", "Place ")) (seat) }
            select id=(id) name="seat" {
                option value="you" selected[seat == 1] { (self.pick("you", "vous")) }
                option value="guest" selected[seat > 1 && self.clients.is_empty()] {
                    (self.pick("somebody else, by a link", "une autre personne, par un lien"))
                }
                @for (place, (number, label)) in self.clients.iter().enumerate() {
                    @let default = (self.opponent + seat.saturating_sub(2)) % self.clients.len();
                    option value=(number) selected[seat > 1 && place == default] { (clean(label)) }
                }
            }
        } }
    }

    fn adviser(&self) -> Markup {
        html! { p {
            label for="adviser" { (self.pick("Advice from", "Conseils de")) }
            select #adviser name="adviser" {
                option value="" { (self.pick("nobody", "personne")) }
                @for (number, label) in &self.clients { option value=(number) { (clean(label)) } }
            }
        } }
    }
}
