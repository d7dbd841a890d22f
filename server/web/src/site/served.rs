//! The pages that only a server has: the ladders of a record, and what it says where there is nothing to show.

use super::moments::{moment, written};
use super::view::View;
use super::{PageKind, Ways, outline, result};
use crate::page::Page;
use crate::panel::PEGS;
use crate::text::clean;
use agon_games::Language;
use agon_model::LadderId;
use maud::{Markup, html};

/// A ladder of a record.
#[derive(Clone, Debug)]
pub struct ServedLadder {
    /// Its number.
    pub id: LadderId,
    /// Its name.
    pub name: String,
    /// The name of its game.
    pub game: String,
    /// Blocks that are played.
    pub blocks: u64,
    /// While it is played here: the matches so far, and in all.
    pub playing: Option<[u64; 2]>,
    /// How it stands; nothing where that takes long to find.
    pub headline: Option<Headline>,
}

/// How a ladder stands, in the list of all.
#[derive(Clone, Debug)]
pub struct Headline {
    /// The leader, with a link.
    leader: Markup,
    clients: usize,
    matches: u64,
    played: Option<[u64; 2]>,
    has_ended: bool,
}

impl Headline {
    pub(super) fn of(model: &View<'_>, up: &str) -> Headline {
        Headline {
            leader: result::leader(model, up),
            clients: model.published.standings.clients.len(),
            matches: model.published.standings.matches,
            played: model.published.played,
            has_ended: model.published.has_ended,
        }
    }
}

/// A ladder that has not begun: what its file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AwaitedLadder {
    /// Its name.
    pub name: String,
    /// The name of its game, if the file says it.
    pub game: Option<String>,
    /// When files are frozen, if there is such a time.
    pub closing: Option<String>,
    /// The teams that have a link.
    pub teams: Vec<String>,
    /// The files that cannot play: of which client or team, and why.
    pub refused: Vec<(String, String)>,
}

/// The list of ladders, the one worked on last first; before there is one, what is known of the ladder to come.
pub fn ladders_page(
    ladders: &[ServedLadder],
    awaited: Option<&AwaitedLadder>,
    has_teams: bool,
    language: Language,
) -> String {
    let t = |english, french| language.pick(english, french);
    let body = html! {
        @if let Some(awaited) = awaited { (to_come(awaited, language)) }
        @else if ladders.is_empty() { p { (t("There is nothing yet. What begins is shown here.", "Il n’y a encore rien. Ce qui commence apparaît ici.")) } }
        @if !ladders.is_empty() {
            p { (t("The ladders of this record, the one worked on last first.", "Les tournois de cet enregistrement, le dernier actif en premier.")) }
            div.many tabindex="0" role="region" aria-label=(t("Ladders", "Tournois")) { table.cards.c1.ladders.finished[ladders.iter().all(has_ended)] {
                thead { tr { th { (t("Ladder", "Tournoi")) } th { (t("Game", "Jeu")) } th { (t("Result", "Résultat")) } th.r { (t("Clients", "Clients")) } th.r { (t("Matches", "Parties")) } th { (t("State", "État")) } th { (t("Played", "Joué")) } } }
                tbody { @for ladder in ladders { tr {
                    td { a href=(format!("/ladder/{}/index.html", ladder.id)) { bdi { (clean(&ladder.name)) } } }
                    td { (clean(&ladder.game)) }
                    td.stands { @if let Some(stands) = &ladder.headline { (stands.leader) } }
                    td.r { @if let Some(stands) = &ladder.headline { (stands.clients) } }
                    td.r { @if let Some(stands) = &ladder.headline { (stands.matches) } }
                    td.done[has_ended(ladder)] { (state(ladder, language)) }
                    td { @if let Some([_, last]) = ladder.headline.as_ref().and_then(|stands| stands.played) { (moment(last)) } }
                } } }
            } }
        }
    };
    let way = Ways { is_served: true, has_teams, ..Ways::default() };
    outline((PageKind::Server, language), t("Ladders", "Tournois"), "/", way.row(language, "Ladders"), body)
}

fn has_ended(ladder: &ServedLadder) -> bool {
    ladder.playing.is_none() && ladder.headline.as_ref().is_some_and(|stands| stands.has_ended)
}

/// Whether a ladder is played, and how far it is.
fn state(ladder: &ServedLadder, language: Language) -> Markup {
    let t = |english, french| language.pick(english, french);
    html! { @match ladder.playing {
        Some([done, matches]) => {
            strong { (t("being played", "en cours")) } " "
            span.soft { (done) (t(" of ", " sur ")) (matches) }
            progress max=(matches.max(1)) value=(done) aria-label=(t("matches played", "parties jouées")) {}
        }
        None if ladder.blocks == 0 => (t("not begun", "pas commencé")),
        None if has_ended(ladder) => (t("finished", "terminé")),
        None => (t("not running", "à l’arrêt")),
    } }
}

/// A ladder without a match, for those who come early.
fn to_come(awaited: &AwaitedLadder, language: Language) -> Markup {
    let t = |english, french| language.pick(english, french);
    html! {
        h2 { bdi { (clean(&awaited.name)) } }
        p { (t("This ladder has not begun. Its first results appear here by themselves.", "Ce tournoi n’a pas commencé. Ses premiers résultats apparaîtront ici d’eux-mêmes.")) }
        dl {
            @if let Some(game) = &awaited.game { dt { (t("Game", "Jeu")) } dd { (clean(game)) } }
            @if let Some(closing) = &awaited.closing { dt { (t("Closing time", "Heure limite")) } dd { (written(closing)) } }
            @if !awaited.teams.is_empty() { dt { (t("Teams with a link", "Équipes avec un lien")) } dd { ul { @for team in &awaited.teams { li { bdi { (clean(team)) } } } } } }
        }
        @if !awaited.refused.is_empty() {
            h3 { (t("Refused so far", "Refusés jusqu’ici")) }
            p { (t("These files cannot play. A better file in the same place takes part.", "Ces fichiers ne peuvent pas jouer. Un meilleur fichier au même endroit participe.")) }
            dl { @for (client, why) in &awaited.refused { dt { bdi { (clean(client)) } } dd { (clean(why)) } } }
        }
    }
}

/// A page with one sentence: why there is nothing else, and what to do; `home` is where it leads, if anywhere.
pub fn message_page(language: Language, title: &str, text: &str, home: Option<&str>) -> String {
    // Below a ladder its own row of links leads on.
    let ladder = home.filter(|home| home.starts_with("/ladder/")).and_then(|home| home.strip_suffix("index.html"));
    let way = Ways { ladder, is_served: true, has_list: true, ..Ways::default() };
    let page = Page {
        language,
        title,
        description: "",
        policy: SCRIPTED,
        style: html! { link rel="stylesheet" href="/agon.css"; },
        body: html! {
            nav aria-label="pages" { @if home.is_some() { (way.row(language, "")) } @else { span.brand { "agon" } } }
            main.alone data-served {
                h1 { (clean(title)) }
                div.result { @for part in text.lines() { p { (sentence(part)) } }
                    @if let Some(home) = home {
                        @let leads = if home == "/team" { language.pick("Stay with the team that is open here", "Rester avec l’équipe ouverte ici") }
                            else if ladder.is_some() { language.pick("To the standings of this ladder", "Au classement de ce tournoi") }
                            else { language.pick("To the ladders", "Aux tournois") };
                        p { a href=(home) { (leads) } }
                    }
                }
            }
        },
        script: html! { script src="/site.js" {} },
    };
    page.into_text()
}

/// The text of a message as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let begin = letters.next().map_or(String::new(), |first| first.to_uppercase().collect());
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    clean(&format!("{begin}{}{end}", letters.as_str()))
}

/// Everything that a page without scripts may do.
const ALONE: &str = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

/// The same with the script of all pages.
const SCRIPTED: &str =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

/// A page that leads on by itself: what follows comes from this server, and brings the cookie that came with it.
pub fn entry_page(path: &str) -> String {
    let page = Page {
        language: Language::English,
        title: "agon",
        description: "",
        policy: ALONE,
        style: html! { link rel="stylesheet" href="/agon.css"; meta http-equiv="refresh" content=(format!("0; url={path}")); },
        body: html! { main { p { a href=(path) { "Go on" } } } },
        script: html! {},
    };
    page.into_text()
}

/// How a page becomes a newer one.
const BECOME: &str = include_str!("../../assets/become.js");

/// The colours of pegs that are pressed: those of the pictures.
fn peg_colours() -> String {
    let rule = |(peg, colour): (usize, &&str)| format!(".g{peg}, .g{peg}:hover {{ background: {colour}; }}\n");
    PEGS.iter().enumerate().map(rule).collect()
}

/// A file that all served pages use, by its path.
pub fn asset(path: &str) -> Option<String> {
    match path {
        "/agon.css" => Some(super::stylesheet()),
        "/live.js" => Some([BECOME, include_str!("../../assets/live.js")].concat()),
        "/site.js" => Some(super::SITE.to_owned()),
        "/play.css" => Some(include_str!("../../assets/play.css").to_owned() + &peg_colours()),
        "/play.js" => Some([BECOME, include_str!("../../assets/play.js")].concat()),
        "/take.js" => Some(include_str!("../../assets/take.js").to_owned()),
        "/again.js" => Some([BECOME, include_str!("../../assets/again.js")].concat()),
        "/begin.js" => Some(include_str!("../../assets/begin.js").to_owned()),
        "/submission.js" => Some(include_str!("../../assets/submission.js").to_owned()),
        "/events.js" => Some(include_str!("../../assets/events.js").to_owned()),
        _ => None,
    }
}
