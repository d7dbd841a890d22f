//! The texts that the script of the page of a match shows, in French: the script asks by the English one, which it has
//! itself.

use agon_games::Language;
use std::collections::BTreeMap;

/// The texts of the script in this language, by the English ones; none in English.
pub(super) fn of_script(language: Language) -> BTreeMap<&'static str, &'static str> {
    language.pick(&[][..], TEXTS).iter().copied().collect()
}

#[rustfmt::skip]
const TEXTS: &[(&str, &str)] = &[
    (": ", " : "),
    ("even", "égal"),
    ("turn", "tour"),
    ("of", "sur"),
    ("nothing was printed in this turn", "rien n’a été écrit pendant ce tour"),
    ("better for seat 1", "mieux pour la place 1"),
    ("better for seat 2", "mieux pour la place 2"),
    ("evaluation: ", "évaluation : "),
    ("Play", "Lecture"),
    ("Pause", "Pause"),
    ("all turns by themselves, or stop", "faire défiler tous les tours, ou arrêter"),
    ("Start", "Début"),
    ("the start", "le début"),
    ("ten turns back", "dix tours en arrière"),
    ("Back", "Retour"),
    ("one turn back", "un tour en arrière"),
    ("Next", "Suivant"),
    ("one turn on (space too)", "un tour en avant (espace aussi)"),
    ("ten turns on", "dix tours en avant"),
    ("End", "Fin"),
    ("the end", "la fin"),
    ("Next event", "Événement suivant"),
    ("next event (fault or notice)", "événement suivant (faute ou avis)"),
    ("Event before", "Événement précédent"),
    ("previous event", "événement précédent"),
    ("Slowest", "Le plus lent"),
    ("the slowest move", "le coup le plus lent"),
    ("Output", "Sortie"),
    ("what was printed in the turn, or not", "ce qui a été écrit pendant le tour, ou non"),
    ("what is laid over the board, or not", "les repères sur le plateau, ou non"),
    ("Flip", "Retourner"),
    ("the board from the other side", "le plateau vu de l’autre côté"),
    ("Help", "Aide"),
    ("these keys", "ces touches"),
    ("Keys", "Touches"),
    ("#m=20 at the end of the address leads to turn 20. A click into a chart goes to its turn.", "#m=20 à la fin de l’adresse mène au tour 20. Un clic dans un graphique va à son tour."),
    ("Close", "Fermer"),
    ("More", "Plus"),
    ("Speed", "Vitesse"),
    ("a second", "par seconde"),
    ("Link to this turn", "Lien vers ce tour"),
    ("Address", "Adresse"),
    ("To embed", "À intégrer"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::SCRIPT;

    #[test]
    fn the_script_gets_all_texts_that_it_asks_for() {
        // `t("…", "…")`, and no other word that ends with this letter.
        let calls = SCRIPT.split("t(\"").zip(SCRIPT.split("t(\"").skip(1));
        let calls = calls.filter(|(before, _)| before.ends_with([' ', '(', '{', '[']));
        let mut asked: Vec<&str> = calls.map(|(_, rest)| rest.split('"').next().unwrap()).collect();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(of_script(Language::French).into_keys().collect::<Vec<_>>(), asked);
        assert!(of_script(Language::English).is_empty());
        let plain = SCRIPT.split('>').skip(1).filter(|after| after.starts_with(|c: char| c.is_ascii_uppercase()));
        assert_eq!(plain.collect::<Vec<_>>(), [""; 0], "words of the script between tags");
    }
}
