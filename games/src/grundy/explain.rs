//! Explains in words what a client of Grundy's game logged.

use crate::Explained;

/// Whether the position is won, and the effect of the split.
pub(super) fn explain(said: &Explained) -> Vec<String> {
    let (choice, language) = (said.choice, said.language);
    let sentence = match (said.logged)("value").and_then(outlook) {
        Some(Outlook::Won) => language.pick(
            format!("The position is won: after {choice} the other side loses, whatever it splits."),
            format!("La position est gagnée : après {choice}, l'autre perd, quoi qu'il sépare."),
        ),
        Some(Outlook::Lost) => language.pick(
            format!("The position is lost against perfect play; {choice} is as good as any split."),
            format!("La position est perdue contre un jeu parfait ; {choice} vaut n'importe quelle séparation."),
        ),
        Some(Outlook::Unsure) => language.pick(
            format!("It has not looked who wins, and plays {choice} as any split."),
            format!("Il n'a pas regardé qui gagne, et joue {choice} au hasard."),
        ),
        None => return Vec::new(),
    };
    vec![sentence]
}

/// The meaning of a value for the side to move.
enum Outlook {
    Won,
    Lost,
    Unsure,
}

/// A number from 9,000 on is proved, docs/reference/abi.md.
fn outlook(value: &str) -> Option<Outlook> {
    match value.parse::<f64>().ok()? {
        number if number >= PROVED => Some(Outlook::Won),
        number if number <= -PROVED => Some(Outlook::Lost),
        _ => Some(Outlook::Unsure),
    }
}

/// See docs/reference/abi.md, section 7.
const PROVED: f64 = 9_000.0;
