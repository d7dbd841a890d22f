//! Explains in words what a client of Amazons logged.

use crate::{Explained, Language};

/// The side that is ahead, and by how many squares.
pub(super) fn explain(said: &Explained) -> Vec<String> {
    if let Some(lines) = (said.logged)("book") {
        return vec![said.language.pick(
            format!("It plays from its opening book: lines that go on so: {lines}."),
            format!("Il joue d'après son livre d'ouvertures : les suites continuent ainsi : {lines}."),
        )];
    }
    let Some(value) = (said.logged)("value").and_then(|text| text.parse::<f64>().ok()) else { return Vec::new() };
    // Without a depth, the value is the share of wins in a tree of playouts.
    if (said.logged)("depth").is_none() {
        return Vec::new();
    }
    let (choice, language) = (said.choice, said.language);
    let ahead = ahead(value, language);
    let line = (said.logged)("line")
        .map(|line| language.pick(format!("It expects: {line}."), format!("Il s'attend à : {line}.")));
    let first = language
        .pick(format!("After {choice} the mover is {ahead}."), format!("Après {choice}, celui qui joue a {ahead}."));
    std::iter::once(first).chain(line).collect()
}

fn ahead(value: f64, language: Language) -> String {
    let squares = language.numbers(format_args!("{:.1}", value.abs()));
    if value >= 0.0 {
        language.pick(format!("about {squares} squares ahead"), format!("environ {squares} cases d'avance"))
    } else {
        language.pick(format!("about {squares} squares behind"), format!("environ {squares} cases de retard"))
    }
}
