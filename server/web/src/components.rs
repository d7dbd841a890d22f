//! A page with every component of all pages, made by what makes the pages: to look at one change everywhere at once.

mod samples;

use crate::page::Page;
use crate::replay::{self, SCRIPT, policy, seat};
use crate::site;
use agon_games::Language;
use maud::{Markup, PreEscaped, html};

/// Colours by their names in the style.
const COLOURS: [&str; 10] = ["paper", "raised", "tint", "line", "soft", "ink", "link", "picked", "good", "bad"];

/// The whole file, which needs nothing else.
pub fn components_page() -> String {
    let style = site::whole_style() + &swatches();
    let script = format!("{SCRIPT}\n{}", site::SITE);
    let (played, data) = replay::part(&samples::playback());
    let policy = policy(&style, &script, replay::ReplayPlace::Alone);
    let body = html! {
        nav aria-label="pages" { a href="#tables" { "Tables" } a href="#choose" { "Play" } a href="#replay" { "Replay" } }
        main {
            h1 { "Components of agon's pages" }
            p { "Each is made by the function that makes it on a page. The disc at the top changes the colours." }
            (colours())
            (controls())
            h2 #tables { "Results" }
            (site::components(samples::published()))
            h2 #choose { "Choosing a move" }
            div.play { @for page in samples::turns() { (page.part()) } }
            h2 #replay { "Replay" }
            (played)
        }
    };
    let page = Page {
        language: Language::English,
        title: "Components",
        description: "",
        policy: &policy,
        style: html! { style { (PreEscaped(&style)) } },
        body,
        script: html! {
            script type="text/plain" id="data" { (PreEscaped(&data)) }
            script { (PreEscaped(&script)) }
        },
    };
    page.into_text()
}

/// A class for each colour of the system.
fn swatches() -> String {
    let classes = COLOURS.map(|name| format!(".swatch.{name} {{ background: var(--{name}); }}\n"));
    ".swatches { display: flex; flex-wrap: wrap; gap: .5rem; }\n\
     .swatch { width: 6rem; height: 2.5rem; border: 1px solid var(--rim); border-radius: var(--round); }\n"
        .to_owned()
        + &classes.concat()
}

fn colours() -> Markup {
    html! {
        h2 { "Colours, seats, type" }
        div.swatches { @for name in COLOURS { figure { div class=(format!("swatch {name}")) {} figcaption { (name) } } } }
        p { @for number in 0..10 { (seat(number)) " " } }
        p.headline { "A headline: the answer comes first." }
        h3 { "A small title" }
        p { "Text, " a href="#tables" { "a link" } ", " code { "code" } ", " kbd { "Esc" } " and " strong { "what matters" } "." }
        p.soft { "What may be left unread." }
    }
}

fn controls() -> Markup {
    html! {
        h2 { "Controls and notices" }
        form.filters.open data-up="" aria-label="which matches" {
            button.fold type="button" aria-expanded="true" { "Filter" }
            label { "Client" select name="client" { option { "all" } option { "mcts" } } }
            button type="button" { "Show" }
        }
        form #submission { label for="file" { "A new version" } input #file type="file"; button type="button" { "Submit" } }
        p #last.refused { "Refused: the file has no function play." }
        p #note { "not allowed: a queen stands there" }
        details { summary { "What is folded" } pre tabindex="0" { "1 log: value 0.25" } }
        progress max="20" value="13" aria-label="matches played" {}
    }
}
