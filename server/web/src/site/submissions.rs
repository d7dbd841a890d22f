//! The page of submissions: who submitted what and when, what admission said, versions, files that are alike, and the
//! last fault of each with what to do.

use super::matches;
use super::moments::written;
use super::view::View;
use crate::text::clean;
use agon_model::StatusKind;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// One version of a client, as it was submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedVersion {
    /// The name in tables.
    pub label: String,
    /// The name that all versions of the client share.
    pub team: String,
    /// From 1.
    pub version: u32,
    /// Name of the file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// When its contents were seen first here: date and time of this machine.
    pub seen: Option<String>,
    /// Whether it plays; `None` if it waits for the ladder.
    pub status: Option<StatusKind>,
    /// Why not, with what to do.
    pub why: Option<String>,
    /// Digest of its code.
    pub code: Option<String>,
    /// Matches and faults.
    pub counts: [u64; 2],
    /// The last match that it lost by a fault, and that fault explained.
    pub last_fault: Option<(String, String)>,
}

/// The whole page.
pub(super) fn page(model: &View<'_>, submissions: &[SubmittedVersion]) -> String {
    let teams: BTreeMap<&str, Vec<&SubmittedVersion>> = submissions.iter().fold(BTreeMap::new(), |mut teams, one| {
        teams.entry(&one.team).or_insert_with(Vec::new).push(one);
        teams
    });
    let refused = submissions.iter().filter(|one| one.status == Some(StatusKind::Refused)).count();
    let has_alike = !same(submissions, |one| Some(&one.sha256)).is_empty() || !same_code(submissions).is_empty();
    let body = html! {
        p { (model.counted(teams.len() as u64, ["team", "teams"], ["équipe", "équipes"])) ", " (model.counted(submissions.len() as u64, ["file", "files"], ["fichier", "fichiers"])) (model.t("; refused by admission: ", "\u{a0}; refusés à l’admission\u{a0}: ")) (refused) (model.t(". “Seen” is when agon first saw these contents here; a file that is changed is a new version.", ". «\u{a0}Vu\u{a0}» dit quand agon a vu ce contenu ici pour la première fois\u{a0}; un fichier changé est une nouvelle version.")) }
        (alike(model.t("The same file", "Le même fichier"), &same(submissions, |one| Some(&one.sha256)), model.t("These files are equal, byte for byte.", "Ces fichiers sont égaux, octet par octet.")))
        (alike(model.t("The same code", "Le même code"), &same_code(submissions),
            model.t("Files that differ, with the same machine code once names, texts and addresses are left out: copies of one source, or of one starter. It is a reason to look, and no proof.", "Des fichiers différents au même code machine, noms, textes et adresses mis à part\u{a0}: copies d’une source, ou d’un modèle. C’est une raison de regarder, pas une preuve.")))
        // Below a list of files that are alike the table needs a title of its own.
        @if has_alike { h2 { (model.t("All files", "Tous les fichiers")) } }
        div.many tabindex="0" role="region" aria-label=(model.t("Submissions", "Travaux rendus")) { table.submissions.cards.c1 {
            (titles(model))
            tbody { @for versions in teams.values() { @for (place, one) in versions.iter().rev().enumerate() {
                (row(model, one, place == 0, ""))
            } } }
        } }
        (faults(model, &teams))
    };
    super::frame(model, model.t("Submissions", "Travaux rendus"), Some(""), body)
}

/// The titles of the columns.
pub(super) fn titles(model: &View<'_>) -> Markup {
    html! {
        thead { tr { th { (model.t("Team", "Équipe")) } th { (model.t("File", "Fichier")) } th { (model.t("Seen", "Vu")) } th { (model.t("Status", "État")) } th.r { (model.t("Matches", "Parties")) } th.r { (model.t("Faults", "Fautes")) } th { "SHA-256" } } }
    }
}

/// A reason, with the way out in a line of its own.
fn help_apart(why: &str) -> Markup {
    html! { @match why.split_once("; help: ") {
        Some((why, help)) => { (why) span.help { (help) } },
        None => (why),
    } }
}

/// A version; the newest of a team says whose it is.
pub(super) fn row(model: &View<'_>, one: &SubmittedVersion, is_newest: bool, up: &str) -> Markup {
    html! { tr class=[is_newest.then_some("first")] {
        td { @if is_newest { b { (super::home::name(model, &one.label, up)) } } @else { span.of { bdi { (clean(&one.team)) } ", " } "version " (one.version) } }
        td { (clean(&one.file)) }
        td.r { @if let Some(seen) = &one.seen { (written(seen)) } }
        td { @if one.status == Some(StatusKind::Refused) { strong { (model.status(one.status)) } } @else { (model.status(one.status)) }
            @if let Some(why) = &one.why { (model.colon()) (help_apart(&clean(why))) } }
        td.r { (one.counts[0]) } td.r.faults[one.counts[1] > 0] { (one.counts[1]) }
        td { code { (clean(one.sha256.get(..12).unwrap_or(&one.sha256))) } }
    } }
}

/// Labels of those who share something, by teams: one team's versions are its own affair.
fn same<'a>(
    submissions: &'a [SubmittedVersion],
    what: impl Fn(&'a SubmittedVersion) -> Option<&'a String>,
) -> Vec<Vec<&'a str>> {
    let mut groups: BTreeMap<&str, Vec<&SubmittedVersion>> = BTreeMap::new();
    for one in submissions {
        if let Some(key) = what(one).filter(|key| !key.is_empty()) {
            groups.entry(key).or_default().push(one);
        }
    }
    let of_many = |group: &Vec<&SubmittedVersion>| group.iter().any(|one| one.team != group[0].team);
    groups.into_values().filter(of_many).map(|group| group.iter().map(|one| one.label.as_str()).collect()).collect()
}

/// Those with the same code whose files are not the same anyway.
fn same_code(submissions: &[SubmittedVersion]) -> Vec<Vec<&str>> {
    let known = same(submissions, |one| Some(&one.sha256));
    let mut groups = same(submissions, |one| one.code.as_ref());
    groups.retain(|group| !known.contains(group));
    groups
}

fn alike(title: &str, groups: &[Vec<&str>], means: &str) -> Markup {
    html! { @if !groups.is_empty() {
        h2 { (title) }
        p { (means) }
        ul { @for group in groups { li { @for (index, label) in group.iter().enumerate() {
            @if index > 0 { ", " } bdi { (clean(label)) }
        } } } }
    } }
}

/// The last fault of each team's newest version that has one.
fn faults(model: &View<'_>, teams: &BTreeMap<&str, Vec<&SubmittedVersion>>) -> Markup {
    let newest = |versions: &Vec<&SubmittedVersion>| versions.last().is_some_and(|one| one.last_fault.is_some());
    html! { @if teams.values().any(newest) {
        h2 { (model.t("Last faults", "Dernières fautes")) }
        p { (model.t("Of the newest file of each.", "Du fichier le plus récent de chacun.")) }
        dl { @for one in teams.values().filter_map(|versions| versions.last()) { @if let Some((id, what)) = &one.last_fault {
            dt { bdi { (clean(&one.label)) } (model.colon()) (matches::against(model, (id, &one.label), "")) }
            dd { (clean(what)) }
        } } }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(team: &str, version: u32, sha256: &str, code: Option<&str>) -> SubmittedVersion {
        let (team, label) = (team.to_owned(), format!("{team}@{version}"));
        SubmittedVersion {
            team,
            label,
            version,
            sha256: sha256.to_owned(),
            code: code.map(str::to_owned),
            ..SubmittedVersion::default()
        }
    }

    #[test]
    fn only_files_of_different_teams_are_alike() {
        let all = [
            one("red", 1, "a", Some("x")),
            one("red", 2, "b", Some("x")),
            one("blue", 1, "c", Some("y")),
            one("green", 1, "c", Some("y")),
            one("gold", 1, "d", Some("x")),
            one("grey", 1, "e", None),
            one("pink", 1, "f", None),
        ];
        assert_eq!(same(&all, |one| Some(&one.sha256)), [["blue@1", "green@1"]]);
        assert_eq!(same_code(&all), [["red@1", "red@2", "gold@1"]], "the others are the same anyway");
    }
}
