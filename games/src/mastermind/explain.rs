//! Explains in words what a client of Mastermind logged.

use crate::Explained;

/// How many codes are left, and into how many parts the guess divides them.
pub(super) fn explain(said: &Explained) -> Vec<String> {
    let (choice, language) = (said.choice, said.language);
    let number = |key: &str| (said.logged)(key).and_then(|text| text.parse::<u64>().ok());
    let (Some(left), Some(parts), Some(largest)) = (number("left"), number("parts"), number("largest")) else {
        return Vec::new();
    };
    let count = match left {
        1 => language.pick("One code is possible".to_owned(), "Une seule combinaison est possible".to_owned()),
        _ => language.pick(format!("{left} codes are possible"), format!("{left} combinaisons sont possibles")),
    };
    let first = language.pick(
        format!("{count}. The reply to {choice} parts them into {parts} groups, the largest of {largest}."),
        format!("{count}. La réponse à {choice} les répartit en {parts} groupes, dont le plus grand en a {largest}."),
    );
    let all = (said.logged)("partition").map(|text| {
        language
            .pick(
                "Right and in place + right elsewhere, and how many codes then stay: ",
                "Bien placées + mal placées, et combien de combinaisons restent : ",
            )
            .to_owned()
            + text
    });
    std::iter::once(first).chain(all).collect()
}
