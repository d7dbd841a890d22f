//! A sequential test: its answer in one sentence, the difference in Elo, how its pairs ended, and how far the
//! likelihood ratio has gone from one bound to the other.

use super::home::name;
use super::scores::bar;
use super::view::View;
use crate::svg::{Svg, Units};
use crate::text::clean;
use agon_model::documents::{EloInterval, SequentialTest};
use maud::{Markup, PreEscaped, html};

/// Width and height of the bar.
const BAR: [f64; 2] = [400.0, 24.0];
/// The points of the new version in a pair.
const WORTH: [&str; 5] = ["0", "½", "1", "1½", "2"];

/// One sentence, and how large the difference is.
pub(super) fn headline(model: &View<'_>, test: &SequentialTest, up: &str) -> Markup {
    let pairs = model.counted(test.pairs, ["pair", "pairs"], ["paire", "paires"]);
    let [new, base] = [&test.new, &test.base].map(|label| name(model, label, up));
    // A bound below 0 asks whether the new version is at least not much worse.
    let asked = if test.elo0 < 0.0 {
        model.t("not worse than", "au moins aussi bon que")
    } else {
        model.t("better than", "meilleur que")
    };
    html! {
        @match test.verdict.as_deref() {
            Some("H1") => { strong { (new) } (model.t(" is ", " est ")) (asked) " " (base) (model.t(": H1 is accepted after ", "\u{a0}: H1 est acceptée après ")) (pairs) "." },
            Some("H0") => { (new) (model.t(" has not been shown to be ", "\u{a0}: rien ne montre qu’il est ")) (asked) " " strong { (base) } (model.t(": H0 is accepted after ", "\u{a0}: H0 est acceptée après ")) (pairs) "." },
            Some(_) => { (model.t("The test cannot tell whether ", "Le test ne peut pas dire si ")) (new) (model.t(" is ", " est ")) (asked) " " (base) (model.t(": after ", "\u{a0}: après ")) (pairs) (model.t(", too few openings differ.", ", trop peu d’ouvertures diffèrent.")) },
            None if test.is_over => { (model.t("The test ended undecided after ", "Le test a fini sans décision après ")) (pairs) (model.t(": it is open whether ", "\u{a0}: on ne sait pas si ")) (new) (model.t(" is ", " est ")) (asked) " " (base) "." },
            None => { (model.t("Undecided so far, after ", "Pas encore de décision, après ")) (pairs) (model.t(": it is open whether ", "\u{a0}: on ne sait pas si ")) (new) (model.t(" is ", " est ")) (asked) " " (base) "." },
        }
        @if let Some(elo) = &test.logistic_elo_as_counted { (model.t(" The difference is ", " L’écart est de ")) (difference(model, elo)) "." }
    }
}

/// `+443 Elo [+371, +513]`; where every pair was won, only what it is at least.
fn difference(model: &View<'_>, elo: &EloInterval) -> String {
    let whole = |value: f64| format!("{:+.0}", value.round() + 0.0);
    let end = |end: Option<f64>| end.map_or(model.open().to_owned(), whole);
    let difference = elo.elo.map_or(String::new(), |elo| whole(elo) + " ");
    format!("{difference}Elo [{}, {}]", end(elo.low), end(elo.high))
}

/// The counts behind the answer.
pub(super) fn section(model: &View<'_>, test: &SequentialTest) -> Markup {
    let scale = match test.scale.as_str() {
        "normalised Elo" => model.t("normalised Elo", "Elo normalisé").to_owned(),
        "logistic Elo" => model.t("logistic Elo", "Elo logistique").to_owned(),
        other => clean(other),
    };
    html! {
        h2 #result { (model.t("Sequential test", "Test séquentiel")) }
        (way(model, test))
        div.many tabindex="0" role="region" aria-labelledby="result" { table {
            thead { tr { th.r { (model.t("Points of a pair", "Points d’une paire")) } th { (model.t("Pairs", "Paires")) } } }
            @let most = test.pentanomial.iter().copied().max().unwrap_or_default();
            tbody { @for (worth, count) in WORTH.iter().zip(test.pentanomial) { tr { td.r { (worth) } td { (bar(count, most)) } } } }
        } }
        p.soft { "H0 " (model.n(format!("{:+}", test.elo0))) ", H1 " (model.n(format!("{:+}", test.elo1))) " " (scale) ", alpha " (model.n(test.alpha))
            (model.t(", beta ", ", bêta ")) (model.n(test.beta)) (model.t(". The log likelihood ratio is ", ". Le logarithme du rapport de vraisemblance vaut ")) (model.n(format!("{:.3}", test.llr))) (model.t("; the bounds are ", "\u{a0}; les bornes sont "))
            (model.n(format!("{:.3}{}{:.3}", test.lower, model.t(" and ", " et "), test.upper))) "."
            @if test.logistic_elo_as_counted.is_some() { (model.t(" Elo is as counted, with a 95\u{a0}% interval; a test that stops early makes it a little too large.", " L’Elo est tel que compté, avec intervalle à 95\u{a0}%\u{a0}; un test qui s’arrête tôt l’exagère un peu.")) } }
    }
}

/// The likelihood ratio between its bounds; the sentence below has the same numbers.
fn way(model: &View<'_>, test: &SequentialTest) -> Markup {
    let x = |value: f64| {
        let share = (value - test.lower) / (test.upper - test.lower).max(1e-9);
        6.0 + share.clamp(0.0, 1.0) * (BAR[0] - 12.0)
    };
    let mut svg = Svg::default();
    let ends: [(&str, &dyn std::fmt::Display); 5] =
        [("class", &"axis"), ("x1", &"6"), ("x2", &Units(BAR[0] - 6.0)), ("y1", &"12"), ("y2", &"12")];
    svg.element("line", &ends);
    let marks = format!("M{0},4v16M{1},4v16M{2},8v8", Units(x(test.lower)), Units(x(test.upper)), Units(x(0.0)));
    svg.element("path", &[("class", &"whisker"), ("d", &marks)]);
    svg.element("circle", &[("class", &"value"), ("cx", &Units(x(test.llr))), ("cy", &"12"), ("r", &"5")]);
    html! {
        p.way { "H0 " svg.bar width=(BAR[0]) height=(BAR[1]) viewBox=(format!("0 0 {} {}", BAR[0], BAR[1])) role="img"
            aria-label=(model.t("the log likelihood ratio between its bounds", "le logarithme du rapport de vraisemblance entre ses bornes")) { (PreEscaped(svg.as_str())) } " H1" }
    }
}
