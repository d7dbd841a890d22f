//! A ladder as a folder of pages that link to each other: standings, pairs, clients, matches. The same documents give
//! the same bytes; styles and the script are files of their own, since some servers refuse what stands in a page.

mod client;
mod home;
mod model;
mod pair;

use self::model::{Listed, Model};
use super::page::Page;
use super::picture::STYLE;
use super::replay::{Place, page, style};
use super::text::clean;
use agon_model::visible::{Medium, visible};
use agon_report::Playback;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// What is published of a ladder.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// The standings, `agon.standings/1`.
    pub standings: String,
    /// The ratings, `agon.ratings/1`; `None` where there are none.
    pub ratings: Option<String>,
    /// The table as a terminal shows it.
    pub text: String,
    /// All matches, `agon.matches/1`.
    pub matches: String,
    /// The ids of those with a page of their own.
    pub replays: BTreeSet<String>,
    /// Under which terms they were played: keys and values.
    pub terms: Vec<(String, String)>,
    /// The standings of the report before, if there was one: `agon.standings/1`.
    pub before: Option<String>,
    /// Labels of clients that only set the scale.
    pub staff: BTreeSet<String>,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Its path in the folder, of our own words and numbers.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl SiteFile {
    fn new(path: impl Into<String>, text: impl Into<String>) -> SiteFile {
        SiteFile { path: path.into(), text: text.into() }
    }
}

/// All files of the folder but the pages of matches, which `match_page` makes one by one.
///
/// # Errors
/// The standings or ratings are no such document: what is wrong with them.
pub fn site(published: &Published) -> Result<Vec<SiteFile>, String> {
    let model = Model::of(published)?;
    let mut files = vec![
        SiteFile::new("index.html", home::page(&model)),
        SiteFile::new("agon.css", [&style(), STYLE.trim(), include_str!("../assets/site.css").trim(), ""].join("\n")),
        SiteFile::new("replay.js", super::replay::script() + "\n"),
        SiteFile::new("standings.json", &published.standings),
        SiteFile::new("matches.csv", matches_csv(&model.matches)),
    ];
    files.extend(published.ratings.as_ref().map(|ratings| SiteFile::new("ratings.json", ratings)));
    for number in 0..model.clients.len() {
        files.push(SiteFile::new(format!("client/{}.html", number + 1), client::page(&model, number)));
    }
    for pair in model.scores.keys().filter(|(one, other)| one < other) {
        files.push(SiteFile::new(model::pair_path(*pair), pair::page(&model, *pair)));
    }
    Ok(files)
}

/// The page of a match: the same as the file by itself, with its styles and its script beside it.
pub fn match_page(playback: &Playback) -> SiteFile {
    SiteFile::new(format!("match/{}.html", playback.id), page(playback, Place::Site))
}

/// A line a seat of each match.
fn matches_csv(matches: &[Listed]) -> String {
    let mut out = "match,setting,ending,turns,seat,client,rank,score,fault,notices\n".to_owned();
    for found in matches {
        for (seat, one) in found.seats.iter().enumerate() {
            let fields = [
                found.id.clone(),
                found.setting.clone(),
                found.ending.clone(),
                found.plies.to_string(),
                (seat + 1).to_string(),
                one.label.clone(),
                one.rank.to_string(),
                one.score.to_string(),
                one.fault.clone().unwrap_or_default(),
                one.notices.to_string(),
            ];
            let fields: Vec<String> = fields.iter().map(|field| visible(field, Medium::Csv).into_owned()).collect();
            out += &(fields.join(",") + "\n");
        }
    }
    out
}

/// A page of the folder; `up` leads from it to the top.
fn frame(title: &str, up: &str, body: Markup) -> String {
    let policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
    let page = Page {
        title,
        policy,
        style: html! { link rel="stylesheet" href=(format!("{up}agon.css")); },
        body: html! {
            @if !up.is_empty() { nav { a href=(format!("{up}index.html")) { "Standings" } } }
            main { h1 { (clean(title)) } (body) }
        },
        script: html! {},
    };
    page.into_text()
}
