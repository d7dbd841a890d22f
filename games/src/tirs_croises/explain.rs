//! Explains in words what a client of Tirs Croisés logged.

use crate::{Explained, Language};

/// The points by which the side to move will be ahead of the present scores, and the values of other cards.
pub(super) fn explain(said: &Explained) -> Vec<String> {
    let Some(value) = (said.logged)("value").and_then(|text| text.parse::<f64>().ok()) else { return Vec::new() };
    let (choice, language) = (said.choice, said.language);
    let (is_exact, points) = ((said.logged)("certainty") == Some("value"), gain(value, language));
    let best = if is_exact {
        language.pick(
            format!("{choice} is best: with perfect play from here on its taker gains {points}."),
            format!(
                "{choice} est le meilleur coup : en jouant parfaitement, celui qui joue gagne {points} à partir d'ici."
            ),
        )
    } else {
        language.pick(
            format!("{choice} looks best: its taker is expected to gain {points} from here on."),
            format!("{choice} semble le meilleur coup : celui qui joue devrait gagner {points} à partir d'ici."),
        )
    };
    let others = (said.logged)("alternatives").map(|text| {
        let tell = |one: &str| language.numbers(one.replace(" <= ", language.pick(": at most ", " : au plus ")));
        let told: Vec<String> = text.split(", ").map(tell).collect();
        language.pick("Other cards: ", "Autres cartes : ").to_owned() + &told.join(language.pick(", ", " ; ")) + "."
    });
    let decided = match (said.logged)("certainty") {
        Some("win") => Some(language.pick(
            "The match is won for certain with it; it may even be by more.",
            "La partie est gagnée à coup sûr avec ce coup ; l'écart peut même être plus grand.",
        )),
        Some("loss") => Some(language.pick(
            "The match is lost for certain if the other plays perfectly; by how much is an estimate.",
            "La partie est perdue à coup sûr si l'autre joue parfaitement ; l'écart n'est qu'estimé.",
        )),
        _ => None,
    };
    std::iter::once(best).chain(decided.map(str::to_owned)).chain(others).collect()
}

/// `5 points on the other`, with its sign in words.
fn gain(value: f64, language: Language) -> String {
    let shown = language.numbers(value.abs());
    match value {
        _ if value < 0.0 => {
            language.pick(format!("{shown} points less than the other"), format!("{shown} points de moins que l'autre"))
        }
        _ if value > 0.0 => {
            language.pick(format!("{shown} points more than the other"), format!("{shown} points de plus que l'autre"))
        }
        _ => language.pick("as many points as the other", "autant de points que l'autre").to_owned(),
    }
}
