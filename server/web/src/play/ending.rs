//! The end of a match on a board: the result, and the ways on.

use super::PlayPage;
use crate::replay::seat;
use crate::text::clean;
use maud::{Markup, html};

/// The end of a match.
#[derive(Clone, Debug)]
pub struct Finished<'a> {
    /// The sentence that says who won; there is none where nobody wins.
    pub outcome: Option<&'a str>,
    /// The result of each seat.
    pub places: Vec<Place<'a>>,
    /// Sentences about the match as a whole.
    pub remarks: Vec<&'a str>,
    /// The seats that resigned.
    pub resigned: Vec<usize>,
    /// The seats of the person who reads the page.
    pub own: &'a [usize],
}

/// The result of a seat.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The rank, from 1.
    pub rank: u32,
    /// The score of the game.
    pub score: i64,
    /// The fault of the client there.
    pub fault: Option<&'a str>,
}

impl PlayPage<'_> {
    pub(super) fn end(&self, result: &Finished<'_>) -> Markup {
        html! {
            div #result {
                @for seat in &result.resigned { p { (self.resigned(*seat, result.own)) } "\n" }
                (self.places(result))
                p.soft { @for remark in &result.remarks { (sentence(&clean(remark))) " " } }
            }
            p.choices {
                @if !self.is_to_watch {
                    button.main type="button" data-do="again" { (self.pick("Another match", "Une autre partie")) }
                }
                @if let Some(page) = self.begun_from { a href=(page) { (self.pick("Change seats", "Changer les places")) } }
                a href="replay.html" download="agon-replay.html" {
                    (self.pick("Save the match as a file", "Enregistrer la partie dans un fichier"))
                }
            }
        }
    }

    /// Why a match ended that its rules had not decided.
    fn resigned(&self, seat: usize, own: &[usize]) -> String {
        if own.contains(&seat) {
            return self.pick("You resigned.", "Vous avez abandonné.").to_owned();
        }
        let name = self.players.get(seat).map_or("", String::as_str);
        let seat = seat + 1;
        self.language.pick(format!("Seat {seat} ({name}) resigned."), format!("La place {seat} ({name}) a abandonné."))
    }

    /// The seats by their ranks.
    fn places(&self, result: &Finished<'_>) -> Markup {
        let mut order: Vec<usize> = (0..result.places.len()).collect();
        order.sort_by_key(|seat| result.places[*seat].rank);
        html! { table.places-of-match {
            thead { tr {
                th.r { (self.pick("Rank", "Rang")) } th { (self.pick("Player", "Joueur")) } th.r { "Score" }
            } }
            tbody { @for number in order {
                @let place = &result.places[number];
                @let name = self.players.get(number).map_or("", String::as_str);
                tr.you[result.own.contains(&number)] {
                    td.r { (place.rank) } " "
                    td { (seat(number)) " " bdi { (clean(name)) }
                        @if let Some(fault) = place.fault { span.fault { (clean(fault)) } } } " "
                    td.r { (place.score) }
                } "\n"
            } }
        } }
    }
}

/// A sentence begins with a large letter and ends with a point.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::{Language, Scene};

    #[test]
    fn the_reader_is_found_by_the_seat_and_not_by_a_name() {
        let place = |rank, fault| Place { rank, score: 0, fault };
        let result = Finished {
            outcome: Some("seat 1 (x): rank 1"),
            places: vec![place(2, Some("crash: rank 1")), place(1, None)],
            remarks: vec!["nothing is recorded"],
            resigned: vec![0],
            own: &[1],
        };
        let page = PlayPage {
            language: Language::English,
            title: "",
            rules: "",
            players: vec!["you".to_owned(), "b".to_owned()],
            scene: Scene::default(),
            at: 0,
            turn: None,
            note: String::new(),
            moves: &[],
            is_to_watch: false,
            can_undo: false,
            adviser: String::new(),
            advice: None,
            starting: Vec::new(),
            begun_from: None,
            invitations: Vec::new(),
            result: None,
        };
        let shown = page.end(&result).into_string();
        assert!(shown.contains("Seat 1 (you) resigned."), "{shown}");
        assert!(
            shown.contains("<tr class=\"you\"><td class=\"r\">1</td>") && shown.matches("class=\"you\"").count() == 1,
            "{shown}"
        );
        assert!(shown.contains("<span class=\"fault\">crash: rank 1</span>"), "{shown}");
    }

    #[test]
    fn a_remark_is_a_sentence() {
        assert_eq!(sentence("rien n'est enregistré"), "Rien n'est enregistré.");
    }
}
