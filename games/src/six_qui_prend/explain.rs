//! Explains in words what a client of 6 qui prend logged.

use crate::Explained;

/// The most alternatives to show.
const TOLD: usize = 3;

/// The expected result of the card or the row, and of the next best ones.
pub(super) fn explain(said: &Explained) -> Vec<String> {
    let language = said.language;
    let of = match (said.logged)("counts") {
        Some("rank") => language.pick("opponents expected ahead in the end", "adversaires attendus devant à la fin"),
        Some("heads") => language.pick("heads that are expected", "têtes attendues"),
        _ => return Vec::new(),
    };
    let all: Vec<(&str, &str)> =
        (said.logged)("alternatives").unwrap_or_default().split(' ').filter_map(|one| one.split_once(':')).collect();
    let Some(((choice, value), others)) = all.split_first() else { return Vec::new() };
    let value = language.numbers(value);
    let best = language.pick(
        format!("{choice} is best: {value} ({of}; less is better)."),
        format!("{choice} est le meilleur choix : {value} ({of} ; moins vaut mieux)."),
    );
    let told = others.iter().take(TOLD).map(|(choice, value)| format!("{choice} ({})", language.numbers(value)));
    let told: Vec<String> = told.collect();
    let then = language.pick("Then come ", "Viennent ensuite ").to_owned() + &told.join(", ") + ".";
    std::iter::once(best).chain((!told.is_empty()).then_some(then)).collect()
}
