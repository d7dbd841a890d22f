//! The word that somebody probably meant.

use crate::some_of;
use strsim::osa_distance;

/// Words beyond this length resemble no name, and of more names than this no one is meant.
const LONGEST_WORD: usize = 80;
const MOST_COMPARED: usize = 500;

/// The one of `names` that was probably meant.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let word = word.to_lowercase();
    let most = 1 + word.chars().count() / 4;
    let is_alike = |name: &&str| name.len().abs_diff(word.len()) <= 4 * most;
    let by_distance = |name: &'a str| (osa_distance(&word, &name.to_lowercase()), name);
    let compared = names.into_iter().filter(is_alike).take(MOST_COMPARED).map(by_distance);
    let (distance, name) = compared.min_by_key(|(distance, _)| *distance)?;
    (distance <= most).then_some(name)
}

/// `did you mean "x"?`, or which names there are.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, names.clone()) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => format!("there are: {}", some_of(names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_words_are_meant() {
        assert_eq!(nearest("dount", ["square", "donut", "clover"]), Some("donut"));
        assert_eq!(nearest("zzz", ["square", "donut"]), None);
        assert_eq!(did_you_mean("x", ["abc", "def"]), "there are: abc, def");
    }
}
