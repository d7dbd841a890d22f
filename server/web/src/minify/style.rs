//! Styles without the rules that no part of a page can ever match.

use super::script::{Kind, pieces};
use std::collections::BTreeSet;

/// The names that may be found in a page: its elements, classes and ids, now or once its script has run.
pub(crate) struct Vocabulary<'a>(BTreeSet<&'a str>);

impl<'a> Vocabulary<'a> {
    /// Of a page's markup, with what its script puts there, and of the script.
    pub fn of(markup: &[&'a str], script: &'a str) -> Vocabulary<'a> {
        let mut names = BTreeSet::from(["html", "body"]);
        for text in markup {
            let after = |begin: &'static str| text.split(begin).skip(1);
            names.extend(after("<").filter_map(|rest| words(rest).next().filter(|name| rest.starts_with(name))));
            for value in after("class=").chain(after("id=")) {
                // In JSON quotes have a stroke before them.
                let value = value.trim_start_matches('\\').trim_start_matches('"');
                names.extend(words(value.split(['"', '\\', '>']).next().unwrap_or_default()));
            }
        }
        // A letter by itself is a key, and no class.
        let strings = pieces(script).into_iter().filter(|(kind, piece)| *kind == Kind::Literal && piece.len() > 3);
        names.extend(strings.flat_map(|(_, piece)| words(piece)));
        Vocabulary(names)
    }

    /// Whether something may match a selector: what is in brackets is not looked at.
    fn may_match(&self, selector: &str) -> bool {
        let (mut plain, mut depth) = (String::new(), 0_usize);
        for c in selector.chars() {
            depth = if "([".contains(c) { depth + 1 } else { depth };
            plain.push(if depth > 0 { ' ' } else { c });
            depth = if ")]".contains(c) { depth.saturating_sub(1) } else { depth };
        }
        // A name after a colon is no element but a state.
        let states = plain.split(':').skip(1).map(|rest| words(rest).next().unwrap_or_default());
        let states: BTreeSet<&str> = states.collect();
        words(&plain).all(|name| states.contains(name) || self.0.contains(name))
    }
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').filter(|word| !word.is_empty())
}

/// The rules that may match something.
pub(crate) fn used(css: &str, vocabulary: &Vocabulary<'_>) -> String {
    let (mut out, mut rest) = (String::with_capacity(css.len()), css);
    while let Some((selectors, body, after)) = rule(rest) {
        rest = after;
        let selectors = selectors.trim();
        if selectors.starts_with("@media") {
            let inner = used(body, vocabulary);
            if !inner.is_empty() {
                out.extend([selectors, "{", &inner, "}"]);
            }
            continue;
        }
        let is_kept = |selector: &&str| selectors.starts_with('@') || vocabulary.may_match(selector);
        let kept: Vec<&str> = listed(selectors).into_iter().filter(is_kept).collect();
        if !kept.is_empty() {
            out.extend([&kept.join(","), "{", body, "}"]);
        }
    }
    out + rest.trim()
}

/// What stands before the first brackets, what in them, and what behind.
fn rule(css: &str) -> Option<(&str, &str, &str)> {
    let begin = css.find('{')?;
    let mut depth = 0;
    for (at, c) in css.char_indices().skip_while(|(at, _)| *at < begin) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&css[..begin], &css[begin + 1..at], &css[at + 1..]));
        }
    }
    None
}

/// The selectors of a list; commas in brackets part none.
fn listed(selectors: &str) -> Vec<&str> {
    let (mut found, mut begin, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, c) in selectors.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&selectors[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&selectors[begin..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stay_that_may_match() {
        let data = r#"{"d":["<b class=\"late\">"]}"#;
        let markup = "<main class=\"one two\"><p id=\"said\">four</p></main>";
        let vocabulary = Vocabulary::of(&[markup, data], "for (const five of all('.six')) five.className = \"on\"");
        for (css, expected) in [
            (".one{a:b}.four{a:b}", ".one{a:b}"),
            (".late{a:b}.on p{a:b}.six{a:b}.five{a:b}", ".late{a:b}.on p{a:b}.six{a:b}"),
            ("main:not(.four):hover>p,nav a{a:b}", "main:not(.four):hover>p{a:b}"),
            (
                ":root{a:b}*{a:b}#said::after{content:\"x\"}[aria-sort] p{a:b}",
                ":root{a:b}*{a:b}#said::after{content:\"x\"}[aria-sort] p{a:b}",
            ),
            ("@media print{.four{a:b}}@media(a){.one{a:b}.x{a:b}}", "@media(a){.one{a:b}}"),
            ("nav:is(.one,.two),p:is(a,b){a:b}", "p:is(a,b){a:b}"),
            ("@page{a:b}", "@page{a:b}"),
            ("p{a:b", "p{a:b"),
        ] {
            assert_eq!(used(css, &vocabulary), expected);
        }
    }

    #[test]
    fn names_in_pictures_are_never_cut() {
        // Looks that differ in numbers are told once, cut where the numbers stand.
        let css = include_str!("../../assets/picture.css");
        let selectors = css.split('}').filter_map(|rule| rule.split('{').next());
        assert!(selectors.flat_map(words).all(|name| !name.contains(|c: char| c.is_ascii_digit())));
    }
}
