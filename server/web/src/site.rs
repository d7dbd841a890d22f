//! A ladder as pages that link to each other, in a folder or sent by a server: standings, pairs, clients, matches. The
//! same documents give the same bytes; styles and the scripts are files of their own, since some servers refuse what
//! stands in a page.

mod client;
mod crosstable;
mod dots;
mod follow;
mod hall;
mod history;
mod home;
mod indexed_png;
mod invite;
mod list;
mod matches;
mod model;
mod moments;
mod now;
mod pair;
mod ratings;
mod result;
mod scores;
mod sequential;
mod served;
mod settings;
mod standings;
mod submissions;
mod team;
mod view;
mod ways;
mod workers;

use self::model::Model;
use self::view::View;
use super::page::Page;
use super::replay::{Neighbours, ReplayPlace, page, style};
use super::text::clean;
use agon_games::Language;
use agon_model::documents::{self, ListedMatch};
use agon_model::visible::{Medium, visible};
use agon_playback::Playback;
use maud::{Markup, html};
use std::collections::BTreeSet;

pub use follow::{FollowedAt, follow_page};
pub use invite::HallAddress;
pub use list::{FilterChoice, MatchListPage, list_page};
pub use now::{Now, NowBoard, NowFault};
pub use served::{AwaitedLadder, Headline, ServedLadder, asset, entry_page, ladders_page, message_page};
pub use settings::{ShownSetting, StartPicture};
pub use submissions::SubmittedVersion;
pub use team::{UploadForm, UploadResult, team_page};
pub use ways::Ways;
pub use workers::workers_page;

/// Where a page is: in a folder, or sent by a server; then it follows what happens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PageKind {
    Site,
    Server,
    /// A server's page with a form for files.
    Upload,
    /// A server's page with forms for its operator.
    Operator,
}

/// The published state of a ladder.
#[derive(Clone, Debug, Default)]
pub struct Published {
    pub standings: documents::Standings,
    /// The ratings; `None` where there are none.
    pub ratings: Option<documents::Ratings>,
    /// The table as a terminal shows it.
    pub text: String,
    /// How the table came about; `None` where that is not known.
    pub history: Option<documents::History>,
    /// The labels of all who took part.
    pub labels: Vec<String>,
    /// Wins, draws and losses of each against each that it met in all matches, by their places among these.
    pub scores: Vec<((usize, usize), [u64; 3])>,
    /// The matches that are listed.
    pub matches: Vec<ListedMatch>,
    /// The ids of those with a page of their own.
    pub replays: BTreeSet<String>,
    /// Under which terms they were played: keys and values.
    pub terms: Vec<(String, String)>,
    /// On which settings.
    pub settings: Vec<ShownSetting>,
    /// The answer of a sequential test; `None` where the ladder is none or it is not known.
    pub test: Option<documents::SequentialTest>,
    /// The standings of the report before, if there was one.
    pub before: Option<documents::Standings>,
    /// Labels of clients that only set the scale.
    pub staff: BTreeSet<String>,
    /// Whether a server sends the pages, and they follow what happens.
    pub is_served: bool,
    /// Where not all matches are there but so many, the newest.
    pub newest: Option<usize>,
    /// All files that were handed in, by team and version, where they have a page.
    pub submissions: Option<Vec<SubmittedVersion>>,
    /// Whether teams have pages of their own, which `/team` leads to.
    pub has_teams: bool,
    /// Whether visitors may play here.
    pub plays: bool,
    /// When the first and the last match began, in seconds since 1970.
    pub played: Option<[u64; 2]>,
    /// Whether all of it was played.
    pub has_ended: bool,
    /// Whether names are numbers: then no list is of one client.
    pub is_anonymous: bool,
    /// Whether there are only the standings yet, and the rest follows.
    pub rest_follows: bool,
}

/// The most matches of a block that its pages lead to.
const MOST_OF_A_BLOCK: usize = 12;

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Its path in the folder, of our own words and numbers.
    pub path: String,
    pub text: String,
}

/// The pages of a ladder, each made when it is asked for.
pub struct Site {
    model: Model,
}

impl Site {
    /// The pages of these data.
    pub fn new(published: Published) -> Site {
        Site { model: Model::of(published) }
    }

    /// All files of the folder in a language, but the pages of matches, which `match_page` makes one by one.
    pub fn files(&self, language: Language) -> Vec<SiteFile> {
        let file = |path: String| Some(SiteFile { text: self.page(&path, None, language)?, path });
        self.paths().into_iter().filter_map(file).collect()
    }

    /// The paths of all of them, but those of matches.
    pub fn paths(&self) -> Vec<String> {
        let mut paths = ["index.html", "agon.css", "site.js", "replay.js", "standings.json", "matches.csv"]
            .map(String::from)
            .to_vec();
        paths.extend((!self.model.published.is_served).then(|| "matches.html".to_owned()));
        paths.extend(self.model.published.history.is_some().then(|| "history.json".to_owned()));
        paths.extend(self.model.published.ratings.is_some().then(|| "ratings.json".to_owned()));
        paths.extend(self.model.published.submissions.is_some().then(|| "submissions.html".to_owned()));
        paths.extend(home::has_own_ratings(&self.model).then(|| "ratings.html".to_owned()));
        paths.extend(home::has_dots(&self.model).then(|| "crosstable.html".to_owned()));
        paths.extend((1..=self.model.clients.len()).map(client_path));
        let pairs = self.model.scores.keys().filter(|(one, other)| one < other && self.model.has_pair_pages());
        paths.extend(pairs.map(|pair| model::pair_path(*pair)));
        paths
    }

    /// The text of one page, in this language; on the first page also the matches under way.
    pub fn page(&self, path: &str, now: Option<&Now>, language: Language) -> Option<String> {
        let (model, published) = (&self.view(language), &self.model.published);
        match path {
            "index.html" => Some(home::page(model, now)),
            "matches.html" if !published.is_served => Some(list::page_of_folder(model)),
            "submissions.html" => published.submissions.as_ref().map(|all| submissions::page(model, all)),
            "ratings.html" => ratings::page(model),
            "crosstable.html" => Some(dots::page(model)),
            "agon.css" => Some(stylesheet()),
            "site.js" => Some(SITE.to_owned()),
            "replay.js" => Some(super::replay::SCRIPT.to_owned()),
            "standings.json" => Some(published.standings.json()),
            "matches.csv" => Some(matches_csv(&model.published.matches)),
            "history.json" => published.history.as_ref().map(documents::History::json),
            "ratings.json" => published.ratings.as_ref().map(documents::Ratings::json),
            _ => self.numbered(path, language),
        }
    }

    /// The page for the wall of a hall; `ladder` is where the others are, and `address` is for those who see the wall.
    pub fn hall(&self, now: Option<&Now>, ladder: &str, address: &HallAddress, language: Language) -> String {
        hall::page(&self.view(language), now, ladder, address)
    }

    /// The result in one sentence, for a page of several ladders; `up` leads to the pages of this one.
    pub fn headline(&self, up: &str, language: Language) -> Headline {
        Headline::of(&self.view(language), up)
    }

    fn view(&self, language: Language) -> View<'_> {
        View { model: &self.model, language }
    }

    /// The surroundings of a match on its page.
    pub fn around(&self, id: &str) -> Neighbours {
        let model = &self.model;
        let is_served = model.published.is_served;
        let Some(at) = model.published.matches.iter().position(|found| found.id == id) else {
            return Neighbours { is_served, ..Neighbours::default() };
        };
        let has_page = |found: &&ListedMatch| model.published.replays.contains(&found.id);
        let block = agon_model::block_of(id);
        // Matches of a block are recorded together.
        let near = at.saturating_sub(MOST_OF_A_BLOCK)..model.published.matches.len().min(at + MOST_OF_A_BLOCK);
        let others = model.published.matches[near]
            .iter()
            .filter(|found| found.id != id && agon_model::block_of(&found.id) == block);
        Neighbours {
            clients: model.published.matches[at]
                .seats
                .iter()
                .map(|seat| Some(model.number(&seat.label)? + 1))
                .collect(),
            previous: model.published.matches[..at].iter().rev().find(has_page).map(|found| found.id.clone()),
            next: model.published.matches[at + 1..].iter().find(has_page).map(|found| found.id.clone()),
            block: others.filter(has_page).take(MOST_OF_A_BLOCK).map(|found| found.id.clone()).collect(),
            is_served,
        }
    }

    /// The page of a client or of two.
    fn numbered(&self, path: &str, language: Language) -> Option<String> {
        let (folder, name) = path.split_once('/')?;
        let mut numbers = name.strip_suffix(".html")?.split('-').map(number_from_1);
        let (one, other) = (numbers.next()??, numbers.next());
        match (folder, other, numbers.next()) {
            ("client", None, None) => (one < self.model.clients.len()).then(|| client::page(&self.view(language), one)),
            ("vs", Some(Some(other)), None) if one < other && self.model.scores.contains_key(&(one, other)) => {
                Some(pair::page(&self.view(language), (one, other)))
            }
            _ => None,
        }
    }
}

/// A number as our own links write it, from 0.
fn number_from_1(text: &str) -> Option<usize> {
    let number = text.parse::<usize>().ok()?;
    // `+1` and `01` are numbers too, and a page has one address.
    (number.to_string() == text).then_some(number)?.checked_sub(1)
}

/// The script of all pages of a ladder.
pub(crate) const SITE: &str = include_str!("../assets/site.js");

/// How all pages look.
fn stylesheet() -> String {
    let parts =
        [include_str!("../assets/nav.css"), include_str!("../assets/site.css"), include_str!("../assets/live.css")];
    [&style(), &parts.map(str::trim).join("\n"), ""].join("\n")
}

/// All that any page has.
pub(crate) fn whole_style() -> String {
    [&stylesheet(), include_str!("../assets/play.css").trim(), ""].join("\n")
}

/// The parts of a ladder's first page, and a board of a match under way.
pub(crate) fn components(published: Published) -> Markup {
    home::parts(&Site::new(published).view(Language::English))
}

/// The page of a client, by its number from 1.
fn client_path(number: usize) -> String {
    format!("client/{number}.html")
}

/// The page of a match: the same as the file by itself, with its styles and its script beside it.
pub fn match_page(playback: &Playback, around: &Neighbours) -> SiteFile {
    SiteFile { path: format!("match/{}.html", playback.id), text: page(playback, ReplayPlace::Site, around) }
}

/// A line a seat of each match.
fn matches_csv(matches: &[ListedMatch]) -> String {
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

/// A page of a ladder; `top` leads from it to the first page, if it is another one.
fn frame(model: &View<'_>, title: &str, top: Option<&str>, body: Markup) -> String {
    let up = top.unwrap_or_default();
    let is_served = model.published.is_served;
    let place = if is_served { PageKind::Server } else { PageKind::Site };
    let (has_teams, plays) = (model.published.has_teams, model.published.plays);
    let open = match top {
        None => "Standings",
        Some("") if title == model.t("Submissions", "Travaux rendus") => "Submissions",
        Some("") if title.starts_with(model.t("Matches of", "Parties de")) => "Matches",
        _ => "",
    };
    let way = Ways { ladder: Some(up), is_served, has_list: true, has_teams, plays }.row(model.language, open);
    outline((place, model.language), title, up, way, body)
}

/// The page where visitors begin to play, in the language of the page that leads there.
fn play_path(language: Language) -> &'static str {
    language.pick("play.html", "play.fr.html")
}

/// A remark above a list that does not contain all matches.
fn newest(model: &View<'_>) -> Markup {
    html! { @if let Some(most) = model.published.newest { p { (model.t("Matches are listed of the newest ", "Sont listées les parties les plus récentes\u{a0}: ")) (most) (model.t(" of this ladder.", " de ce tournoi.")) } } }
}

/// The frame of every page. A served page shows there when its server does not answer any more.
fn outline(kind: (PageKind, Language), title: &str, up: &str, way: Markup, body: Markup) -> String {
    headed(kind, (title, html! { h1 { (clean(title)) } }), up, way, body)
}

/// The sources that a page of this kind may use, and where its forms go.
fn policy(place: PageKind) -> &'static str {
    match place {
        PageKind::Server | PageKind::Upload => {
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'"
        }
        // A browser says from which page a form came.
        PageKind::Operator => {
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
             base-uri 'none'; form-action 'self'"
        }
        PageKind::Site => {
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
        }
    }
}

/// The same below a heading of its own.
fn headed(
    (place, language): (PageKind, Language),
    (title, heading): (&str, Markup),
    up: &str,
    way: Markup,
    body: Markup,
) -> String {
    let is_served = place != PageKind::Site;
    let page = Page {
        language,
        title,
        description: "",
        policy: policy(place),
        style: html! {
            link rel="stylesheet" href=(format!("{up}agon.css"));
            @if place == PageKind::Operator { meta name="referrer" content="same-origin"; }
        },
        body: html! {
            nav aria-label="pages" { (way) }
            main { (heading) (body) }
            @if is_served { footer { p #link role="status" {} } }
        },
        script: html! {
            script src=(format!("{up}site.js")) {}
            @if is_served && place != PageKind::Operator { script src="/live.js" {} }
            @if place == PageKind::Operator { script src="/again.js" {} }
            @if place == PageKind::Upload { script src="/submission.js" {} }
        },
    };
    page.into_text()
}
