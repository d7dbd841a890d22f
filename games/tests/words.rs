//! The meaning of clients' logs, for people: numbers are written as in the reader's language.

use agon_games::{Explained, GAMES, Language};

/// A client's log, and a part of its explanation in English and in French.
type Logged = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const LOGGED: &[Logged] = &[
    ("amazons", &[("value", "-0.63"), ("depth", "4")], "about 0.6 squares behind", "environ 0,6 cases de retard"),
    (
        "six_qui_prend",
        &[("counts", "rank"), ("alternatives", "12:1.253 30:1.5")],
        "12 is best: 1.253 (opponents expected ahead in the end; less is better). Then come 30 (1.5).",
        "12 est le meilleur choix : 1,253 (adversaires attendus devant à la fin ; moins vaut mieux). \
         Viennent ensuite 30 (1,5).",
    ),
    (
        "tirs_croises",
        &[("value", "2.5"), ("certainty", "value"), ("alternatives", "1 2 <= 1.5, 3 4 <= -1")],
        "gains 2.5 points more than the other. Other cards: 1 2: at most 1.5, 3 4: at most -1.",
        "gagne 2,5 points de plus que l'autre à partir d'ici. Autres cartes : 1 2 : au plus 1,5 ; 3 4 : au plus -1.",
    ),
    (
        "tirs_croises",
        &[("value", "3"), ("certainty", "win")],
        "gain 3 points more than the other from here on. The match is won for certain with it",
        "3 points de plus que l'autre à partir d'ici. La partie est gagnée à coup sûr",
    ),
    (
        "tirs_croises",
        &[("value", "-3"), ("certainty", "loss")],
        "The match is lost for certain if the other plays perfectly",
        "La partie est perdue à coup sûr si l'autre joue parfaitement",
    ),
];

#[test]
fn numbers_are_written_as_in_the_language_they_are_told_in() {
    for (name, logged, english, french) in LOGGED {
        let game = GAMES.iter().find(|game| game.facts().name == *name).unwrap();
        let find = |key: &str| logged.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
        for (language, wanted) in [(Language::English, english), (Language::French, french)] {
            let said = game.facts().in_words.unwrap()(&Explained { choice: "a", logged: &find, language });
            assert!(said.join(" ").contains(wanted), "{name}: {said:?}");
        }
    }
}
