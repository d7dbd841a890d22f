//! The texts of the page of a match in two languages: sources and script ask by the English one.

use super::SCRIPT;
use agon_games::Language;
use std::collections::BTreeMap;

/// A text in this language. The tests below know that all texts of the page are in the table.
pub(super) fn text(language: Language, english: &'static str) -> &'static str {
    let french = || TEXTS.iter().find(|(text, _)| *text == english).map_or(english, |(_, french)| *french);
    if language == Language::French { french() } else { english }
}

/// The texts that the script shows, which has the English ones itself.
pub(super) fn of_script(language: Language) -> BTreeMap<&'static str, &'static str> {
    let is_asked = |english: &str| SCRIPT.contains(&format!("t(\"{english}\")"));
    let is_french = language == Language::French;
    TEXTS.iter().copied().filter(|(english, _)| is_french && is_asked(english)).collect()
}

#[rustfmt::skip]
const TEXTS: &[(&str, &str)] = &[
    // Who played whom, and ways to other pages.
    ("seats", "places"),
    ("wins", "gagne"),
    ("a draw", "partie nulle"),
    ("share the first place", "se partagent la première place"),
    ("Standings", "Classement"),
    ("Matches", "Parties"),
    ("Match before", "Partie précédente"),
    ("Next match", "Partie suivante"),
    ("Same opening, other seats: ", "Même ouverture, autres places : "),
    ("match", "partie"),
    ("wins:", "gagne :"),
    ("and", "et"),
    ("share the first place:", "partagent la première place :"),
    // The turn.
    ("Without scripts this page shows the start and all moves.", "Sans scripts, cette page montre le début et tous les coups."),
    ("the turn", "le tour"),
    ("turn 0 of ", "tour 0 sur "),
    (": ", " : "),
    ("Printed in the turn", "Écrit pendant le tour"),
    ("the board; its words follow", "le plateau ; sa description suit"),
    ("Seat", "Place"),
    ("seat", "place"),
    ("Client", "Client"),
    ("Used", "Pris"),
    ("Left", "Reste"),
    ("Rank", "Rang"),
    ("(time ", "(temps "),
    ("How it ended", "La fin de la partie"),
    ("The slowest move", "Le coup le plus lent"),
    ("Moves", "Coups"),
    ("Turn", "Tour"),
    ("Move", "Coup"),
    ("Time", "Temps"),
    ("Value", "Valeur"),
    ("Depth", "Profondeur"),
    ("Note", "Note"),
    ("by the rules", "selon les règles"),
    ("blunder", "gaffe"),
    // Charts.
    ("even", "égal"),
    ("1 wins", "1 gagne"),
    ("2 wins", "2 gagne"),
    ("How the match stood by what both logged, from the view of seat 1: up is good for seat 1, down for seat 2.", "L’état de la partie d’après les valeurs des deux, vu de la place 1 : vers le haut pour la place 1, vers le bas pour la place 2."),
    (" ?: a blunder, after which both thought worse of the mover.", " ? : une gaffe, après laquelle les deux jugent moins bien celui qui l’a jouée."),
    ("evaluation by turn", "évaluation par tour"),
    ("limit", "limite"),
    ("no limit for a single move", "pas de limite par coup"),
    ("at most", "au plus"),
    ("a move", "par coup"),
    ("Time of each move, logarithmic: the longest", "Temps de chaque coup, échelle logarithmique : le plus long"),
    (
        "Longest move of each turn, logarithmic: the longest",
        "Coup le plus long de chaque tour, échelle logarithmique : le plus long",
    ),
    ("time of each move", "temps de chaque coup"),
    ("good", "bon"),
    ("bad", "mauvais"),
    ("What each client logged as value, up is good for itself, squashed beyond", "La valeur que chaque client a consignée ; le haut lui est favorable ; comprimée au-delà de"),
    ("logged values", "valeurs consignées"),
    ("How deep each client looked, in turns as it counts them.", "La profondeur de recherche de chaque client, en tours comme il les compte."),
    ("depth by turn", "profondeur par tour"),
    ("proved", "prouvé"),
    ("Seats by their colours; the list of moves has the figures.", "Les places par leurs couleurs ; la liste des coups donne les nombres."),
    (": solid line", " : trait plein"),
    (": broken line", " : tirets"),
    (": dots", " : points"),
    (": squares", " : carrés"),
    // The script.
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
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The sources of the page and its script, without this file and without tests.
    fn sources() -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/replay");
        let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let files = files.chain([folder.with_extension("rs")]).filter(|file| !file.ends_with("texts.rs"));
        let source = |file| std::fs::read_to_string(file).unwrap().split("#[cfg(test)]").next().unwrap().to_owned();
        files.map(source).chain([SCRIPT.to_owned()]).collect()
    }

    /// The texts in quotes behind these signs.
    fn quoted_behind<'a>(sources: &'a str, signs: &str) -> Vec<&'a str> {
        sources.split(signs).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
    }

    #[test]
    fn every_text_that_is_asked_for_is_there_and_every_one_there_is_asked_for() {
        let sources = sources();
        let mut asked: BTreeSet<&str> = quoted_behind(&sources, "text(language, \"").into_iter().collect();
        asked.extend(quoted_behind(&sources, "text(playback.language, \""));
        // `t("…")`, and no other word that ends with this letter.
        for before in [" ", "(", "{", "["] {
            asked.extend(quoted_behind(&sources, &format!("{before}t(\"")));
        }
        asked.extend(quoted_behind(&sources, "t(\n            \""));
        let known: BTreeSet<&str> = TEXTS.iter().map(|(english, _)| *english).collect();
        assert_eq!(known.len(), TEXTS.len(), "a text is there twice");
        assert_eq!(asked.difference(&known).collect::<Vec<_>>(), [&""; 0], "texts without French");
        assert_eq!(known.difference(&asked).collect::<Vec<_>>(), [&""; 0], "texts that nothing asks for");
    }

    #[test]
    fn what_stands_between_tags_and_in_labels_is_asked_for() {
        let sources = sources();
        let is_text = |after: &&str| after.starts_with(|c: char| c.is_alphabetic());
        let mut left: Vec<&str> = quoted_behind(&sources, "{ \"").into_iter().filter(is_text).collect();
        left.extend(quoted_behind(&sources, "aria-label=\"").into_iter().filter(is_text));
        // The landmark's name is the same in both languages; `h3` is a piece of an outline.
        left.retain(|text| !["pages", "h3"].contains(text));
        assert_eq!(left, [""; 0]);
        let plain = SCRIPT.split('>').skip(1).filter(|after| after.starts_with(|c: char| c.is_ascii_uppercase()));
        assert_eq!(plain.collect::<Vec<_>>(), [""; 0], "words of the script between tags");
    }

    #[test]
    fn the_script_gets_its_french_and_no_english() {
        assert!(of_script(Language::English).is_empty());
        let french = of_script(Language::French);
        assert_eq!((french.get("Play"), french.get("Standings")), (Some(&"Lecture"), None));
    }
}
