//! Texts told by what they have in common: pieces that many share, and the words between them.

use crate::text::clean;
use agon_playback::Made;
use std::collections::BTreeMap;

/// A text in words with digits and the pieces between them.
pub(super) struct Text {
    whole: String,
    pieces: Vec<String>,
    words: Vec<String>,
    /// How many words are the first ones of the turn's moves.
    known: usize,
}

impl Text {
    pub(super) fn of(text: &str, moves: &[Made]) -> Text {
        let (mut pieces, mut words, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((begin, length)) = next_word(rest) {
            pieces.push(rest[..begin].to_owned());
            words.push(rest[begin..begin + length].to_owned());
            rest = &rest[begin + length..];
        }
        pieces.push(rest.to_owned());
        let made: Vec<String> = moves.iter().map(|made| format!("{} {}", made.seat + 1, clean(&made.text))).collect();
        let known = words_of(&made.join(" ")).zip(&words).take_while(|(made, word)| made == *word).count();
        Text { whole: text.to_owned(), pieces, words, known }
    }
}

/// The words of moves, as the script parts them.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Where the next word with a digit begins, and its length; signs of numbers and of moves belong to it.
fn next_word(text: &str) -> Option<(usize, usize)> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || "_-+./".contains(c);
    let mut from = 0;
    loop {
        let begin = from + text[from..].find(is_of_word)?;
        let length = text[begin..].find(|c| !is_of_word(c)).unwrap_or(text.len() - begin);
        let word = text[begin..begin + length].trim_end_matches('.');
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return Some((begin, word.len()));
        }
        from = begin + length;
    }
}

/// What texts have in common, and each of them told by it; one that is like no other is told whole.
pub(super) fn share(texts: Vec<Text>) -> (Vec<Vec<String>>, Vec<String>) {
    let mut uses: BTreeMap<&[String], usize> = BTreeMap::new();
    texts.iter().for_each(|text| *uses.entry(&text.pieces).or_default() += 1);
    let (mut all, mut numbers) = (Vec::new(), BTreeMap::new());
    let mut told = Vec::new();
    for text in &texts {
        let is_shared = uses[text.pieces.as_slice()] > 1;
        let pieces = if is_shared { text.pieces.clone() } else { vec![text.whole.clone()] };
        let number = *numbers.entry(pieces).or_insert_with_key(|pieces| {
            all.push(pieces.clone());
            all.len() - 1
        });
        let known = if is_shared { text.known } else { 0 };
        let own = text.words[known..].iter().filter(|_| is_shared).map(|word| format!(" {word}"));
        told.push(format!("{number} {known}{}", own.collect::<String>()));
    }
    (all, told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_one_form_share_it_and_take_their_words_from_the_moves() {
        let made = |seat, text: &str| Made { seat, text: text.to_owned(), us: None };
        let said = [
            ("Player 1 moved from c9 to c3; 2 is next.", vec![made(0, "c9-c3")], "0 3 2"),
            ("Player 2 moved from a1 to b2; 1 is next.", vec![made(1, "a1-b9")], "0 2 b2 1"),
            ("", Vec::new(), "1 0"),
            ("12", vec![made(0, "12")], "2 0 12"),
            ("It is  over, 3 : é4", Vec::new(), "3 0"),
            ("log: -0.5 62-35/5.\n1", Vec::new(), "4 0 -0.5 62-35/5 1"),
            ("log: 7 x1.\n2", Vec::new(), "4 0 7 x1 2"),
            ("c3", vec![made(0, "c9")], "2 0 c3"),
        ];
        let (pieces, told) = share(said.iter().map(|(text, moves, _)| Text::of(text, moves)).collect());
        assert_eq!(told, said.iter().map(|(.., told)| *told).collect::<Vec<_>>());
        for (text, moves, told) in said {
            let mut words = told.split(' ');
            let form = &pieces[words.next().unwrap().parse::<usize>().unwrap()];
            let known: usize = words.next().unwrap().parse().unwrap();
            let made = moves.first().map_or(String::new(), |made| format!("{} {}", made.seat + 1, made.text));
            let words = words_of(&made).take(known).chain(words).chain([""]);
            let whole: String = form.iter().zip(words).map(|(piece, word)| format!("{piece}{word}")).collect();
            assert_eq!(whole, text);
        }
    }
}
