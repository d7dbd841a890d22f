//! The board that a person plays on, as a page: the picture with what may be pointed at, choices as buttons, a field to
//! type in. It knows nothing of games but scenes and notation.

mod advice;
mod ending;
mod hand;
mod heap;
mod pegs;
mod table;

pub use self::advice::Advice;
pub use self::ending::{Finished, Place};
use self::hand::Card;
use self::heap::Heap;
use crate::drawing::{Drawing, Role};
use crate::named::{name_owners, name_seats};
use crate::page::Page;
use crate::replay::{score, seat, words};
use crate::text::clean;
use agon_games::{Language, Scene};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that the page may do; the page that asks for a board has the same.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// The page of one person.
#[derive(Clone, Debug)]
pub struct PlayPage<'a> {
    /// In which the person is spoken to.
    pub language: Language,
    /// The game.
    pub title: &'a str,
    /// Its rules in short.
    pub rules: &'a str,
    /// The names of the players, seat by seat.
    pub players: Vec<String>,
    /// The position as this person may see it.
    pub scene: Scene,
    /// Which position it is.
    pub at: u64,
    /// The person's choices, if it is to move.
    pub turn: Option<TurnChoices>,
    /// A message to the person; may be empty.
    pub note: String,
    /// The moves that all may know: turn, seat and move.
    pub moves: &'a [(u32, usize, String)],
    /// Whether the person only watches.
    pub is_to_watch: bool,
    /// Whether the last move can be taken back.
    pub can_undo: bool,
    /// The client that can be asked for advice; empty without one.
    pub adviser: String,
    /// The move that the asked client would play, until something changes.
    pub advice: Option<Advice>,
    /// Clients that are starting while a person waits to move.
    pub starting: Vec<String>,
    /// The page from which this person began the board, if it did.
    pub begun_from: Option<&'a str>,
    /// The people whom the person may invite.
    pub invitations: Vec<Invited>,
    /// The end of the match, when it is over.
    pub result: Option<Finished<'a>>,
}

/// An invitation that a person may pass on.
#[derive(Clone, Debug)]
pub struct Invited {
    /// To which seats; to none where they only watch.
    pub seats: Vec<usize>,
    /// Where the link leads from here; nothing where it is taken.
    pub path: Option<String>,
}

/// The choices of a person who is to move.
#[derive(Clone, Debug, Default)]
pub struct TurnChoices {
    /// For which seat.
    pub seat: usize,
    /// The begun move, as a question; may be empty.
    pub asks: String,
    /// The parts that are chosen.
    pub begun: String,
    /// The next parts, each once.
    pub parts: Vec<String>,
    /// The rest of each move, if there are few.
    pub wholes: Vec<String>,
    /// The rest of each move.
    pub all: Vec<String>,
    /// Whole moves as people write them in their language.
    pub labels: BTreeMap<String, String>,
}

impl TurnChoices {
    /// The names of all next steps.
    fn targets(&self) -> BTreeSet<&str> {
        self.parts.iter().chain(&self.all).map(String::as_str).collect()
    }

    /// The choices with a button: those that nothing else on the page stands for.
    fn buttons(&self, names: &BTreeSet<String>) -> Vec<&str> {
        if self.all.iter().all(|rest| names.contains(rest)) {
            return Vec::new();
        }
        let choices = if self.wholes.is_empty() { &self.parts } else { &self.wholes };
        choices.iter().map(String::as_str).filter(|choice| !names.contains(*choice)).collect()
    }

    /// Whether a cell is among the parts that are chosen.
    fn has_begun(&self, name: &str) -> bool {
        self.begun.split(|c: char| !c.is_alphanumeric()).any(|part| part == name)
    }
}

impl PlayPage<'_> {
    /// The whole page.
    pub fn into_text(self) -> String {
        let page = Page {
            language: self.language,
            title: self.title,
            description: "",
            policy: POLICY,
            style: html! { link rel="stylesheet" href="/agon.css"; link rel="stylesheet" href="/play.css"; },
            body: self.body(),
            script: html! { script src="/site.js" {} script src="/play.js" {} },
        };
        page.into_text()
    }

    fn pick(&self, english: &'static str, french: &'static str) -> &'static str {
        self.language.pick(english, french)
    }

    fn body(&self) -> Markup {
        let (hand, heaps) = (hand::cards(&self.scene), heap::heaps(&self.scene));
        let mut scene = self.drawn_scene();
        let told = Drawing::of([&scene].into_iter()).narrowed();
        let words = self.words(&told, &scene);
        heap::leave_out(&mut scene);
        name_owners(&mut scene, &self.players);
        let drawing = Drawing::of([&scene].into_iter());
        let spots = drawing.spots(&scene);
        // Beside heaps there are only words, which the status has as well.
        let is_drawn = !scene.panels.is_empty() && heaps.is_empty() || !scene.cells.is_empty();
        let pieces = if is_drawn { drawing.pieces() } else { Vec::new() };
        let names = spots.iter().map(|spot| spot.name.clone()).chain(hand.iter().map(|card| card.name.clone()));
        let names: BTreeSet<String> = names.chain(heaps.iter().flat_map(Heap::moves)).collect();
        html! {
            @if let Some(page) = self.begun_from { nav { a href=(page) { (self.pick("Other boards and clients", "Autres plateaux et clients")) } } }
            main.match.play data-at=(self.at) {
                h1.wide { (clean(self.title)) }
                section {
                    (self.heaps(&heaps))
                    @for piece in pieces.iter().filter(|piece| piece.role == Role::Score) { (score((&self.players, &drawing), piece, &scene)) }
                    (self.table("board", Role::Table, (&drawing, &pieces), &scene))
                    (self.hand(&hand))
                    (self.palette(&names))
                    (self.table("aside", Role::Aside, (&drawing, &pieces), &scene)) (words)
                }
                section aria-label=(self.pick("your turn", "à vous")) {
                    p #said role="status" tabindex="-1" { (self.status()) }
                    p #note role="alert" { (clean(&self.note)) }
                    (self.advised())
                    (self.invitations())
                    @if let Some(result) = &self.result { (self.end(result)) } @else if !self.is_to_watch { (self.controls(&names)) }
                    (self.aids())
                    (self.about())
                }
            }
            (self.link_lost())
            noscript { p { (self.pick("This page needs scripts to play.", "Cette page a besoin de scripts.")) } }
        }
    }

    /// The place for news about the server.
    fn link_lost(&self) -> Markup {
        html! { footer { p #link role="status" data-lost=(self.pick(
        "The server is not heard of; it goes on when it is back.",
        "Le serveur ne répond pas ; la partie continue quand il est de retour."))
        data-gone=(self.pick("This board is cleared.", "Ce plateau a été retiré.")) {} } }
    }

    /// The seat to move, and the question to the person.
    fn status(&self) -> Markup {
        let (seen, heard) = self.scene.halves();
        if let Some(result) = &self.result {
            let over = self.pick("The match is over.", "La partie est finie.");
            return html! { strong.outcome { (clean(result.outcome.unwrap_or(over))) } };
        }
        let whose = match &self.turn {
            Some(turn) if !turn.asks.is_empty() => return html! { strong { (clean(&turn.asks)) } },
            Some(turn) => {
                let seat = turn.seat + 1;
                self.language.pick(format!("Seat {seat}, your move."), format!("Place {seat}, à vous."))
            }
            None if !self.starting.is_empty() => {
                let names = self.starting.join(", ");
                self.language.pick(format!("Starting: {names}…"), format!("Démarrage : {names}…"))
            }
            None if self.is_to_watch => self.pick("You are watching.", "Vous regardez.").to_owned(),
            None => self.pick("The others are to move.", "Aux autres de jouer.").to_owned(),
        };
        html! { @if !whose.is_empty() { strong { (whose) } " " } span.spoken { (clean(&seen)) } span.hear { " " (clean(heard)) } }
    }

    /// The person's choices, as a part of a page that shows other things as well.
    pub(crate) fn part(&self) -> Markup {
        let hand = hand::cards(&self.scene);
        let drawing = Drawing::of([&self.scene].into_iter());
        html! {
            @if !self.scene.cells.is_empty() { @for piece in drawing.pieces().iter().filter(|piece| piece.panel.is_none()) {
                (self.piece(&drawing, piece, (&self.scene, true)))
            } }
            (self.hand(&hand))
            (self.heaps(&heap::heaps(&self.scene)))
            @if let Some(turn) = &self.turn { @if self.scene.has_pegs { (self.begun_pegs(turn)) (self.choices(&turn.buttons(&BTreeSet::new()))) } }
            @if let Some(result) = &self.result { (self.end(result)) }
        }
    }

    fn choices(&self, buttons: &[&str]) -> Markup {
        html! { div #choices.choices role="group" aria-label=(self.pick("choices", "choix")) {
            @for choice in buttons {
                @let label = self.turn.as_ref().and_then(|turn| turn.labels.get(*choice)).map_or(*choice, String::as_str);
                button type="button" data-choose=(clean(choice)) class=[self.peg(choice)] { (clean(label)) }
            }
        } }
    }

    /// The part of the puzzle that is shown on request alone.
    fn aids(&self) -> Markup {
        let aids: Vec<&agon_games::Panel> = self.scene.panels.iter().filter(|panel| panel.is_aid).collect();
        html! { @if !aids.is_empty() { details #aid { summary { (self.pick("Show what is still possible", "Montrer ce qui reste possible")) }
            @for panel in aids { h3 { (clean(&panel.title)) } @for line in &panel.lines { p { (clean(line)) } } }
        } } }
    }

    fn words(&self, drawing: &Drawing, scene: &Scene) -> Markup {
        html! { div #words.hear { (words(drawing, scene, self.language)) } }
    }

    /// The cards that the person holds, as large as a thumb.
    fn hand(&self, cards: &[Card]) -> Markup {
        let targets = self.turn.as_ref().map(TurnChoices::targets).unwrap_or_default();
        let name = self.pick("your hand", "votre main");
        html! { @if !cards.is_empty() {
            div #hand.choices role="group" aria-label=(name) { @for card in cards { (card.button(targets.contains(card.name.as_str()))) } }
        } }
    }

    /// The heaps that the person parts.
    fn heaps(&self, heaps: &[Heap]) -> Markup {
        let targets = self.turn.as_ref().map(TurnChoices::targets).unwrap_or_default();
        html! { @if !heaps.is_empty() {
            div #heaps.choices.heaps role="group" aria-label=(self.pick("heaps", "tas")) {
                (heap::rows(heaps, &targets, self.language))
            }
        } }
    }

    /// The links that others need to come to the board.
    fn invitations(&self) -> Markup {
        html! { @if !self.invitations.is_empty() { details #invite open[self.invitations.iter().any(|one| !one.seats.is_empty())] {
            summary { (self.pick("Links for the others", "Liens pour les autres")) }
            @for invited in &self.invitations { @for seat in &invited.seats {
                @match &invited.path {
                    Some(path) => p { label { (self.pick("Seat ", "Place ")) (seat + 1) " "
                        input.link type="text" readonly data-path=(path) value=(path); } }
                    None => p { (self.pick("Seat ", "Place ")) (seat + 1) (self.pick(": taken", " : prise")) }
                }
            } }
            @for path in self.invitations.iter().filter(|one| one.seats.is_empty()).filter_map(|one| one.path.as_ref()) {
                p { label { (self.pick("To watch", "Pour regarder")) " "
                    input.link type="text" readonly data-path=(path) value=(path); } }
            }
            @if self.invitations.iter().any(|one| !one.seats.is_empty()) {
                p { (self.pick("A link to a seat is for the first who takes it, in one browser.",
                    "Un lien vers une place est pour le premier qui la prend, dans un seul navigateur.")) }
            }
        } } }
    }

    /// Whether a part of the move is chosen.
    fn has_begun(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| !turn.begun.is_empty())
    }

    fn controls(&self, names: &BTreeSet<String>) -> Markup {
        let is_mover = self.turn.is_some();
        html! {
            @if let Some(turn) = &self.turn {
                @let buttons = turn.buttons(names);
                @if !buttons.is_empty() && !self.scene.has_pegs { (self.choices(&buttons)) }
                details #by-hand { summary { (self.pick("Type a move", "Taper un coup")) } form #typed {
                    label for="move" { (self.pick("Move", "Coup")) }
                    input #move name="move" type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
                        maxlength="100" placeholder=(clean(&turn.begun));
                    button type="submit" { (self.pick("Play", "Jouer")) }
                } }
            }
            div.choices role="group" aria-label=(self.pick("what else you may do", "autres actions")) {
                @if !self.scene.has_pegs { (self.clear()) }
                @if self.can_undo { button type="button" data-do="undo" { (self.pick("Undo", "Reprendre")) } }
                @if is_mover && !self.adviser.is_empty() { button type="button" data-do="hint" {
                    (self.pick("What would ", "Que jouerait ")) bdi { (clean(&self.adviser)) }
                    (self.pick(" play?", " ?"))
                } }
                @if is_mover { details #resign { summary { (self.pick("Resign…", "Abandonner…")) }
                    button type="button" data-do="resign" { (self.pick("Yes, I resign", "Oui, j'abandonne")) }
                } }
            }
        }
    }

    /// Whether the picture names the players.
    fn has_named_seats(&self) -> bool {
        let mut scene = self.scene.clone();
        name_seats(&mut scene, &self.players);
        scene.panels != self.scene.panels
    }

    fn about(&self) -> Markup {
        html! {
            // The table of the result has them, and a picture of points as well.
            @if self.result.is_none() && !self.has_named_seats() {
                h2 { (self.pick("Players", "Joueurs")) }
                ul.players { @for (number, player) in self.players.iter().enumerate() {
                    li { (seat(number)) " " bdi { (clean(player)) } }
                } }
            }
            @if !self.moves.is_empty() {
                h2 #list { (self.pick("Moves", "Coups")) }
                div.news tabindex="0" role="region" aria-labelledby="list" {
                    ul { @for (turn, mover, mv) in self.moves.iter().rev() { li { span.soft { (turn) } " " (seat(*mover)) " " (clean(mv)) } } }
                }
            }
            details #rules { summary { (self.pick("Rules and keys", "Règles et touches")) }
                p { (clean(&self.rules.replace('\n', " "))) }
                p { (self.pick(
                    "Click what you choose, type it, or go by Tab and arrows to it and press Enter or space. \
                     Esc clears what you have chosen of the move.",
                    "Cliquez sur votre choix, tapez-le, ou allez-y par Tab et les flèches, puis Entrée ou espace. \
                     Échap efface ce que vous avez choisi du coup.")) }
            }
        }
    }
}
