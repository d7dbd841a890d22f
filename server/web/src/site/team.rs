//! The page of a team: what it handed in, what went wrong and what to do, and its matches with what its client printed.
//! Nothing of it is of another team but names and results.

use super::client;
use super::matches;
use super::moments::{moment, written};
use super::settings::setting_name;
use super::submissions::{self, SubmittedVersion};
use super::view::View;
use super::{PageKind, Site, Ways, outline};
use crate::text::clean;
use agon_games::Language;
use agon_model::LadderId;
use agon_model::documents::{ListedMatch, ListedSeat};
use agon_playback::kind_text;
use maud::{Markup, html};

/// The number of listed matches.
const SHOWN: usize = 100;

/// Where a team hands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadForm {
    /// Whether files are taken now.
    pub is_open: bool,
    /// Until when, if there is an end.
    pub closing: Option<String>,
    /// The largest file, in words.
    pub largest: String,
    /// The last file that came this way, as long as this server runs.
    pub last: Option<UploadResult>,
}

/// The result of a submitted file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadResult {
    /// When it came.
    pub when: String,
    /// Whether it is in its place now.
    pub is_taken: bool,
    /// The SHA-256 of a file that is in its place.
    pub sha256: Option<String>,
    /// The findings about it, or the reason for its refusal.
    pub text: String,
    /// The same in French, where it has French.
    pub french: Option<String>,
}

/// The whole page; `played` is the ladder by its number, once it has begun.
pub fn team_page(
    ladder: &str,
    team: &str,
    played: Option<(LadderId, &Site)>,
    wanted: Option<&UploadForm>,
    language: Language,
) -> String {
    let t = |english, french| language.pick(english, french);
    let up = played.map(|(id, _)| format!("/ladder/{id}/"));
    let plays = played.is_some_and(|(_, site)| site.model.published.plays);
    // The list of ladders would lead a team to this page.
    let way = Ways { ladder: up.as_deref(), has_list: true, plays, ..Ways::default() }.row(language, "");
    let own = played.map(|(id, site)| {
        let submissions = site.model.published.submissions.iter().flatten().filter(|one| one.team == team);
        (
            TeamPage { model: site.view(language), up: format!("/ladder/{id}/") },
            submissions.collect::<Vec<&SubmittedVersion>>(),
        )
    });
    let has_taken = wanted.and_then(|wanted| wanted.last.as_ref()).is_some_and(|last| last.is_taken);
    let body = html! {
        @if let Some((own, versions)) = &own { (own.outcome(versions)) }
        p.soft { (t("Ladder ", "Tournoi ")) bdi { (clean(ladder)) } (t(". This page is for your team alone: whoever has its link sees what your client printed. Others see your results, and why you lost only as a word.", ". Cette page est pour votre équipe seule\u{a0}: qui a son lien voit ce que votre client a écrit. Les autres voient vos résultats, et un seul mot sur la cause de vos défaites.")) }
        @if let Some(wanted) = wanted { (form(wanted, language)) }
        @match &own {
            Some((own, versions)) if !versions.is_empty() => (own.all(versions, wanted.and_then(|wanted| wanted.last.as_ref()))),
            // A file that was taken a moment ago may not have been read yet.
            _ if has_taken => p { (t("The ladder has not read this file yet. It will appear here by itself.", "Le tournoi n’a pas encore lu ce fichier. Il apparaîtra ici de lui-même.")) },
            _ => p { (t("This team has not submitted anything yet. Its files will appear here by themselves.", "Cette équipe n’a encore rien rendu. Ses fichiers apparaîtront ici d’eux-mêmes.")) },
        }
    };
    let place = if wanted.is_some() { PageKind::Upload } else { PageKind::Server };
    outline((place, language), &format!("{} {team}", t("Team", "Équipe")), "/", way, body)
}

fn form(wanted: &UploadForm, language: Language) -> Markup {
    let t = |english, french| language.pick(english, french);
    let colon = language.pick(": ", "\u{a0}: ");
    html! {
        h2 { (t("Submit", "Rendre")) }
        @if wanted.is_open {
            form #submission {
                label for="file" { (t("A compiled client, at most ", "Un client compilé, au plus ")) (wanted.largest) @if let Some(closing) = &wanted.closing { ", " (t("until", "jusqu’au")) " " (deadline(closing)) } }
                input #file type="file" required;
                button { (t("Submit", "Rendre")) }
            }
            p #answer role="status" {}
            noscript { p { (t("This takes scripts.", "Il faut activer les scripts du navigateur.")) } }
            p { (t("It is looked at first. If it is refused, the one before stays; if it is taken, it plays as a new version.", "Il est d’abord examiné. S’il est refusé, le précédent reste\u{a0}; s’il est accepté, il joue comme nouvelle version.")) }
        } @else { p { (t("Nothing is taken any more", "Plus aucun fichier n’est accepté")) @if let Some(closing) = &wanted.closing { (t(": the closing time was ", "\u{a0}: l’heure limite était ")) (written(closing)) } "." } }
        @if let Some(last) = &wanted.last {
            p #last role="status" class=[(!last.is_taken).then_some("refused")] {
                (written(&last.when)) (colon) b { @if last.is_taken { (t("taken", "accepté")) } @else { (t("refused", "refusé")) } } (colon) (advice(language.pick(&last.text, last.french.as_ref().unwrap_or(&last.text)))) }
        }
    }
}

/// A moment until which there is time: the script says how much.
fn deadline(closing: &str) -> Markup {
    html! { span.deadline { (written(closing)) } }
}

/// Why, and on a line of its own what to do.
fn advice(text: &str) -> Markup {
    let (why, help) = text.split_once("; help: ").map_or((text, None), |(why, help)| (why, Some(help)));
    html! { (clean(why)) @if let Some(help) = help { "." br; b { (clean(help)) } } }
}

/// The sources of the page.
struct TeamPage<'a> {
    model: View<'a>,
    /// Where pages of the ladder are.
    up: String,
}

impl TeamPage<'_> {
    /// How its newest client does, and what went wrong last: the first questions of its authors.
    fn outcome(&self, versions: &[&SubmittedVersion]) -> Markup {
        let number = versions.last().and_then(|newest| self.model.number(&newest.label));
        html! {
            @if let Some(line) = number.and_then(|number| self.model.line(number)) { (client::all(&self.model, line, &self.up)) }
            (self.fault(versions))
        }
    }

    fn all(&self, versions: &[&SubmittedVersion], last: Option<&UploadResult>) -> Markup {
        let labels: Vec<&str> = versions.iter().map(|one| one.label.as_str()).collect();
        let is_own = |seat: &ListedSeat| labels.contains(&seat.label.as_str());
        let has_own = |found: &&ListedMatch| found.seats.iter().any(is_own);
        let matches: Vec<&ListedMatch> = self.model.published.matches.iter().filter(has_own).collect();
        html! {
            (self.files(versions, last))
            (self.matches(&matches, &is_own))
        }
    }

    /// The files, and before them one that the ladder has not read yet.
    fn files(&self, versions: &[&SubmittedVersion], last: Option<&UploadResult>) -> Markup {
        let next = last.filter(|last| last.is_taken).and_then(|last| {
            let sha256 = last.sha256.clone()?;
            let version = versions.last().map_or(0, |newest| newest.version) + 1;
            let (seen, status) = (Some(last.when.clone()), None);
            let is_new = versions.iter().all(|known| known.sha256 != sha256);
            is_new.then(|| SubmittedVersion { version, seen, status, sha256, ..SubmittedVersion::default() })
        });
        html! {
            h2 #files { (self.model.t("Submitted", "Rendu")) }
            div.many tabindex="0" role="region" aria-labelledby="files" { table.submissions.cards.c1 {
                (submissions::titles(&self.model))
                tbody { @if let Some(next) = &next { (submissions::row(&self.model, next, false, &self.up)) }
                    @for (place, one) in versions.iter().rev().enumerate() { (submissions::row(&self.model, one, place == 0, &self.up)) } }
            } }
        }
    }

    /// The last fault of the newest file, or of the newest that has one.
    fn fault(&self, versions: &[&SubmittedVersion]) -> Markup {
        let last = versions.iter().rev().find_map(|one| Some((one, one.last_fault.as_ref()?)));
        html! { @if let Some((one, (id, what))) = last {
            h2 { (self.model.t("What went wrong last", "La dernière faute")) }
            dl { dt { bdi { (clean(&one.label)) } (self.model.colon()) (matches::against(&self.model, (id, &one.label), &self.up)) } dd { (advice(what)) } }
        } }
    }

    fn matches(&self, matches: &[&ListedMatch], is_own: &dyn Fn(&ListedSeat) -> bool) -> Markup {
        let shown = &matches[matches.len().saturating_sub(SHOWN)..];
        html! {
            h2 #matches { (self.model.t("Matches", "Parties")) }
            (super::newest(&self.model))
            @if shown.len() < matches.len() { p { (self.model.t("The newest ", "Les plus récentes\u{a0}: ")) (shown.len()) (self.model.t(" of ", " sur ")) (matches.len()) (self.model.t(", the last one first.", ", la dernière en premier.")) } }
            @if shown.is_empty() { p { (self.model.t("None yet.", "Aucune pour l’instant.")) } } @else {
                div.many tabindex="0" role="region" aria-labelledby="matches" { table.cards.c1.matches {
                    thead { tr { th { (self.model.t("Match, ✓ marks winners", "Partie, ✓ marque les vainqueurs")) } th { (self.model.t("Result", "Résultat")) } @if self.model.has_own_scores() { th.r { (self.model.t("Score", "Score")) } }
                        th { (self.model.t("Setting", "Réglage")) } th.r { (self.model.t("Turns", "Tours")) } th { (self.model.t("Fault", "Faute")) } th { (self.model.t("Played", "Joué")) } th { (self.model.t("Output", "Sortie")) } } }
                    tbody { @for found in shown.iter().rev() { (self.line(found, is_own)) } }
                } }
            }
        }
    }

    fn line(&self, found: &ListedMatch, is_own: &dyn Fn(&ListedSeat) -> bool) -> Markup {
        let own = found.seats.iter().find(|seat| is_own(seat));
        let model = &self.model;
        html! { tr {
            td.seats { (matches::seats_link(model, found, &self.up, is_own)) }
            td { @if let Some(own) = own { (self.result(found, own)) } }
            @if model.has_own_scores() { td.r { @if let Some(own) = own { (own.score) } } }
            td { (setting_name(&found.setting)) }
            td.r { (found.plies) }
            td.faults { @if let Some(fault) = own.and_then(|own| own.fault.as_ref()) { (clean(&kind_text(fault, model.language))) } }
            td { (moment(found.started)) }
            td { a href=(format!("{}match/{}.txt", self.up, found.id)) aria-label=(format!("{} {}", model.t("output in", "sortie de la partie"), found.id)) { (model.t("output", "sortie")) } }
        } }
    }

    /// Won, drawn or lost; among many the rank.
    fn result(&self, found: &ListedMatch, own: &ListedSeat) -> Markup {
        let model = &self.model;
        let [best, worst] = [true, false].map(|is_best| {
            let ranks = found.seats.iter().map(|seat| seat.rank);
            if is_best { ranks.min() } else { ranks.max() }
        });
        html! { @match found.seats.len() {
            2 if best == worst => (model.t("draw", "nulle")),
            2 if Some(own.rank) == best => strong { (model.t("won", "gagnée")) },
            2 => (model.t("lost", "perdue")),
            _ if Some(own.rank) == best => strong { (matches::place(model, found, own)) },
            _ => (matches::place(model, found, own)),
        } }
    }
}
