//! The end of a match on a board: the result, and the ways on.

use super::PlayPage;
use crate::replay::seat;
use crate::text::clean;
use agon_games::Language;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The end of a match.
#[derive(Clone, Debug)]
pub struct Finished<'a> {
    /// The result in words: perhaps a sentence, a line a seat with its faults below, remarks.
    pub words: &'a str,
    /// The rank and the score of each seat.
    pub places: Vec<(u32, i64)>,
    /// The seats that resigned.
    pub resigned: Vec<usize>,
}

/// The parts of a result in words.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parts<'a> {
    /// The sentence that says who won; empty where nobody wins.
    outcome: &'a str,
    /// The faults of each seat.
    faults: BTreeMap<usize, Vec<&'a str>>,
    remarks: Vec<&'a str>,
}

fn parts(result: &str, language: Language) -> Parts<'_> {
    let (mut parts, mut last) = (Parts::default(), None);
    for (number, line) in result.lines().enumerate() {
        let rest = line.strip_prefix(language.pick("seat ", "place ")).and_then(|rest| rest.split_once(' '));
        if let Some(seat) = rest.and_then(|(seat, _)| seat.parse::<usize>().ok()?.checked_sub(1)) {
            last = Some(seat);
        } else if let (Some(seat), Some(fault)) = (last, line.strip_prefix("  ")) {
            parts.faults.entry(seat).or_default().push(fault);
        } else if number == 0 && result.lines().count() > 1 {
            parts.outcome = line;
        } else {
            parts.remarks.push(line);
        }
    }
    parts
}

impl PlayPage<'_> {
    pub(super) fn end(&self, result: &Finished<'_>) -> Markup {
        let parts = parts(result.words, self.language);
        html! {
            div #result {
                @if !parts.outcome.is_empty() { p.outcome { (clean(parts.outcome)) } "\n" }
                @for seat in &result.resigned { p { (self.resigned(*seat)) } "\n" }
                (self.places(result, &parts))
                p.soft { @for remark in &parts.remarks { (sentence(&clean(remark))) " " } }
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
    fn resigned(&self, seat: usize) -> String {
        let name = self.players.get(seat).map_or("", String::as_str);
        if name == self.pick("you", "vous") {
            return self.pick("You resigned.", "Vous avez abandonné.").to_owned();
        }
        let seat = seat + 1;
        self.language.pick(format!("Seat {seat} ({name}) resigned."), format!("La place {seat} ({name}) a abandonné."))
    }

    /// The seats by their ranks.
    fn places(&self, result: &Finished<'_>, parts: &Parts<'_>) -> Markup {
        let mut order: Vec<usize> = (0..result.places.len()).collect();
        order.sort_by_key(|seat| result.places[*seat].0);
        html! { table.places-of-match {
            thead { tr {
                th.r { (self.pick("Rank", "Rang")) } th { (self.pick("Player", "Joueur")) } th.r { "Score" }
            } }
            tbody { @for number in order {
                @let (rank, score) = result.places[number];
                @let name = self.players.get(number).map_or("", String::as_str);
                tr.you[name == self.pick("you", "vous")] {
                    td.r { (rank) } " "
                    td { (seat(number)) " " bdi { (clean(name)) }
                        @for fault in parts.faults.get(&number).into_iter().flatten() { span.fault { (clean(fault)) } } } " "
                    td.r { (score) }
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

    #[test]
    fn the_outcome_the_faults_and_the_remarks_stand_apart() {
        let lines = "seat 1 (a person): rank 2, score 0\nseat 2 (b): rank 1, score 1\n  crash: by SIGSEGV\n";
        let found = format!("you have lost\n{lines}nothing is recorded");
        let found = parts(&found, Language::English);
        assert_eq!((found.outcome, found.remarks), ("you have lost", vec!["nothing is recorded"]));
        assert_eq!(found.faults, BTreeMap::from([(1, vec!["crash: by SIGSEGV"])]));
        let alone = parts("place 1 (b) : rang 1\n", Language::French);
        assert_eq!(alone, Parts::default());
    }

    #[test]
    fn a_remark_is_a_sentence() {
        assert_eq!(sentence("rien n'est enregistré"), "Rien n'est enregistré.");
    }
}
