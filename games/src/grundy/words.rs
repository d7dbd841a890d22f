//! What a client of Grundy's game means, in words.

use crate::Explained;

/// Whether the position is won, and what the split does.
pub(super) fn explain(said: &Explained) -> Vec<String> {
    let (choice, language) = (said.choice, said.language);
    let sentence = match (said.logged)("value") {
        Some("won") => language.pick(
            format!("The position is won: after {choice} the other side loses, whatever it splits."),
            format!("La position est gagnée : après {choice}, l'autre perd, quoi qu'il sépare."),
        ),
        Some("lost") => language.pick(
            format!("The position is lost against perfect play; {choice} is as good as any split."),
            format!("La position est perdue contre un jeu parfait ; {choice} vaut n'importe quelle séparation."),
        ),
        Some("unsure") => language.pick(
            format!("It has not looked who wins, and plays {choice} as any split."),
            format!("Il n'a pas regardé qui gagne, et joue {choice} au hasard."),
        ),
        _ => return Vec::new(),
    };
    vec![sentence]
}
