//! Texts that a replay tells: what many have in common is told once.

use super::packed::pack;
use crate::text::clean;
use agon_playback::MadeMove;
use std::collections::BTreeMap;

/// A text in words with digits and the pieces between them.
pub(super) struct Text {
    pieces: Vec<String>,
    words: Vec<String>,
    /// How many words are the first ones of what the page shows elsewhere.
    known: usize,
}

impl Text {
    /// A text of a turn with these moves, which a table shows.
    pub fn of_turn(text: &str, moves: &[MadeMove]) -> Text {
        let made: Vec<String> = moves.iter().map(|made| format!("{} {}", made.seat + 1, clean(&made.text))).collect();
        Text::of(text, &made.join(" "))
    }

    /// A text beside which the page shows this.
    pub fn of(text: &str, shown: &str) -> Text {
        let (mut pieces, mut words, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((begin, length)) = next_word(rest) {
            pieces.push(rest[..begin].to_owned());
            words.push(rest[begin..begin + length].to_owned());
            rest = &rest[begin + length..];
        }
        pieces.push(rest.to_owned());
        let known = words_of(shown).zip(&words).take_while(|(shown, word)| shown == *word).count();
        Text { pieces, words, known }
    }
}

/// The seats and texts in what is drawn, as the script finds them.
pub(super) fn words_drawn(look: &str) -> String {
    let mut words = Vec::new();
    let mut rest = look;
    while let Some(begin) = rest.find(['#', '>']) {
        let (is_text, after) = (rest[begin..].starts_with('>'), &rest[begin + 1..]);
        if is_text {
            words.extend(after.split('<').next().filter(|text| !text.is_empty()).map(str::to_owned));
        } else if let Some(seat) =
            after.strip_prefix('s').and_then(|seat| seat.split('"').next()?.parse::<usize>().ok())
        {
            words.push((seat + 1).to_string());
        }
        rest = after;
    }
    words.join(" ")
}

/// The words of what is shown, as the script parts them.
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

/// The forms and pieces of texts.
#[derive(Default)]
pub(super) struct Forms {
    /// The pieces between words with digits, each once.
    pub pieces: Vec<String>,
    /// The forms of texts: the numbers of their pieces.
    pub forms: Vec<Vec<usize>>,
    numbers: BTreeMap<String, usize>,
    known: BTreeMap<Vec<usize>, usize>,
}

impl Forms {
    /// A text as it is told: the number of its form; after a point how many of its words are the first ones of the
    /// moves; the words besides.
    pub fn take(&mut self, text: &Text) -> String {
        let form: Vec<usize> = text.pieces.iter().map(|piece| self.number(piece)).collect();
        let number = *self.known.entry(form).or_insert_with_key(|form| {
            self.forms.push(form.clone());
            self.forms.len() - 1
        });
        let own = text.words[text.known..].iter().map(|word| format!(" {word}"));
        let known = if text.known > 0 { format!(".{}", text.known) } else { String::new() };
        format!("{number}{known}{}", own.collect::<String>())
    }

    fn number(&mut self, piece: &str) -> usize {
        *self.numbers.entry(piece.to_owned()).or_insert_with_key(|piece| {
            self.pieces.push(piece.clone());
            self.pieces.len() - 1
        })
    }

    /// The forms as `pack` writes numbers.
    pub fn packed(&self) -> Vec<String> {
        let packed = |form: &Vec<usize>| {
            let mut text = String::new();
            form.iter().for_each(|piece| pack(&mut text, *piece));
            text
        };
        self.forms.iter().map(packed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_its_words_from_what_shows_it() {
        let row = [
            "<use href=\"#s3\" x=\"15\"/>",
            "",
            "<use href=\"#k2\"/><text class=\"k\" x=\"17\">88</text>",
            "<text>5 &lt;</text>",
        ];
        let shown = row.map(words_drawn).join(" ");
        assert_eq!(shown, "4  88 5 &lt;", "what is empty is nothing");
        let mut forms = Forms::default();
        assert_eq!(forms.take(&Text::of("seat 4: 88, 5 heads, 7 left", &shown)), "0.3 7");
        assert_eq!(forms.take(&Text::of("seat 4: 88, 5 heads, 7 left", "")), "0 4 88 5 7");
    }

    #[test]
    fn texts_of_one_form_share_it_and_take_their_words_from_the_moves() {
        let made = |seat, text: &str| MadeMove { seat, text: text.to_owned(), us: None, fault: None };
        let said = [
            ("Player 1 moved from c9 to c3; 2 is next.", vec![made(0, "c9-c3")], "0.3 2"),
            ("Player 2 moved from a1 to b2; 1 is next.", vec![made(1, "a1-b9")], "0.2 b2 1"),
            ("", Vec::new(), "1"),
            ("12", vec![made(0, "12")], "2 12"),
            ("It is  over, 3 : é4", Vec::new(), "3 3 4"),
            ("log: -0.5 62-35/5.\n1", Vec::new(), "4 -0.5 62-35/5 1"),
            ("log: 7 x1.\n2", Vec::new(), "4 7 x1 2"),
            ("c3", vec![made(0, "c9")], "2 c3"),
        ];
        let mut forms = Forms::default();
        for (text, moves, told) in &said {
            assert_eq!(forms.take(&Text::of_turn(text, moves)), *told);
        }
        for (text, moves, told) in said {
            let mut words = told.split(' ');
            let (form, known) = words.next().map(|head| head.split_once('.').unwrap_or((head, "0"))).unwrap();
            let form = &forms.forms[form.parse::<usize>().unwrap()];
            let form = form.iter().map(|piece| &forms.pieces[*piece]);
            let known: usize = known.parse().unwrap();
            let made = moves.first().map_or(String::new(), |made| format!("{} {}", made.seat + 1, made.text));
            let words = words_of(&made).take(known).chain(words).chain([""]);
            let whole: String = form.zip(words).map(|(piece, word)| format!("{piece}{word}")).collect();
            assert_eq!(whole, text);
        }
    }
}
