//! `[grades]`: what a teacher gives for points, by steps or by a formula.

mod formula;
mod lexer;

use super::problem::{At, Findings, Location, Problem};
use super::value::Value;
use agon_model::{GradeRule, Grades, units};
use std::ops::Range;

/// The keys as they are written.
#[derive(Debug, Default)]
pub(super) struct GradesBuilder {
    pub steps: Option<At<Vec<(i64, String)>>>,
    pub formula: Option<At<String>>,
    pub otherwise: String,
}

impl GradesBuilder {
    /// The rule, and the clients that it names with their places; `text` is that of the ladder file.
    pub fn resolve(&self, text: &str, findings: &mut Findings) -> (Grades, Vec<At<String>>) {
        let mut grades = Grades { rule: None, otherwise: self.otherwise.clone() };
        let mut references = Vec::new();
        if let Some(formula) = &self.formula {
            let place = |at: &Range<usize>| within(text, &formula.place, at);
            match formula::parse(&formula.value) {
                Ok(read) => {
                    let named = read.places().iter();
                    references = named.map(|(name, at)| At { value: name.clone(), place: place(at) }).collect();
                    grades.rule = Some(GradeRule::Formula(read));
                }
                Err(flaw) => findings.problems.push(Problem::new(&place(&flaw.at), flaw.what, flaw.help)),
            }
        }
        if let Some(steps) = &self.steps {
            if let Some(formula) = &self.formula {
                let what = "[grades] has steps and a formula";
                findings.problems.push(Problem::new(&formula.place, what, "choose one").and(&steps.place));
            }
            grades.rule = Some(GradeRule::Steps(steps.value.clone())).filter(|_| !steps.value.is_empty());
        }
        (grades, references)
    }
}

/// The place of a part of a text in quotes: in those that know escapes, some of its characters are written by several.
fn within(source: &str, place: &Location, part: &Range<usize>) -> Location {
    let Location::Span(span) = place else { return place.clone() };
    let written = source.get(span.clone()).unwrap_or_default();
    let quotes = written.len() - written.trim_start_matches(['"', '\'']).len();
    let opening = if quotes >= 6 {
        quotes
    } else if quotes >= 3 {
        3
    } else {
        1
    };
    let has_escapes = written.starts_with('"');
    let at = |wanted: usize| {
        let (mut decoded, mut chars) = (0, written.char_indices().skip(opening));
        while let Some((at, c)) = chars.next() {
            if decoded >= wanted {
                return at;
            }
            decoded += match c {
                '\\' if has_escapes => escaped(&mut chars.by_ref().map(|(_, c)| c)),
                c => c.len_utf8(),
            };
        }
        written.len()
    };
    let (start, end) = (span.start + at(part.start), span.start + at(part.end));
    // Where a formula ends too early, the caret stands behind its last character.
    Location::Span(start..end.min(span.end))
}

/// Bytes of the character behind a backslash, which is passed over.
fn escaped(chars: &mut dyn Iterator<Item = char>) -> usize {
    let digits = match chars.next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        _ => return 1,
    };
    let code = chars.take(digits).fold(0, |code, digit| code * 16 + digit.to_digit(16).unwrap_or(0));
    char::from_u32(code).map_or(1, char::len_utf8)
}

/// `["6: 0.8", "5: 0.6"]`.
pub(super) fn steps(value: &Value) -> Result<Vec<(i64, String)>, Problem> {
    const HELP: &str = "write \"6: 0.8\", the grade and the points a match from which it is given";
    let step = |item: &Value| {
        let text = item.text()?.value;
        let parted = text.rsplit_once(':').map(|(grade, from)| (grade.trim(), units::thousandths(from.trim())));
        match parted {
            Some((grade, Some(from))) if !grade.is_empty() => Ok((from, grade.to_owned())),
            _ => Err(item.problem(format!("\"{text}\" is not a grade with points"), HELP)),
        }
    };
    let items = value.list()?;
    let mut steps: Vec<(i64, String)> = items.iter().map(step).collect::<Result<_, Problem>>()?;
    let rises = steps.len() > 1 && steps[0].0 < steps[1].0;
    let breaks = |two: &[(i64, String)]| if rises { two[0].0 >= two[1].0 } else { two[0].0 <= two[1].0 };
    if let Some(before) = steps.windows(2).position(breaks) {
        let what = format!("the step of grade {} is not in order with those before it", steps[before + 1].1);
        let help = "list the steps from the best grade to the worst, or the other way round";
        return Err(items[before + 1].problem(what, help));
    }
    if rises {
        steps.reverse();
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ValueKind;

    #[test]
    fn steps_are_in_order() {
        let word = |text: &&str| Value::from_word(ValueKind::Text((*text).to_owned()), text);
        let list = |words: &[&str]| Value::from_word(ValueKind::List(words.iter().map(word).collect()), "steps");
        let read = |words: &[&str]| steps(&list(words)).map_err(|problem| problem.what);
        assert_eq!(read(&["6: 0.8", "4: 0.4"]), read(&["4: 0.4", "6: 0.8"]));
        for bad in [&["6: 0.8", "5: 0.9", "4: 0.4"][..], &["6: 0.8", "5: 0.8"], &["4: 0.4", "6: 0.8", "5: 0.6"]] {
            assert!(read(bad).unwrap_err().contains("not in order"), "{bad:?}");
        }
    }

    #[test]
    fn a_part_of_a_text_is_found_in_its_file() {
        let found = |source: &str, part: Range<usize>| {
            let Location::Span(span) = within(source, &Location::Span(4..source.len()), &part) else { unreachable!() };
            source.get(span).unwrap().to_owned()
        };
        assert_eq!(found("f = \"1 + x\"", 4..5), "x");
        assert_eq!(found("f = '1 + x'", 4..5), "x");
        assert_eq!(found("f = \"\"\"1 + x\"\"\"", 4..5), "x");
        assert_eq!(found(r#"f = "a(\"b\") + x""#, 9..10), "x");
        assert_eq!(found(r#"f = "a(\"b\") + x""#, 2..5), r#"\"b\""#);
        assert_eq!(found(r#"f = "\u0061\U00000062 x""#, 3..4), "x");
        assert_eq!(found(r"f = 'a\u0061 x'", 8..9), "x");
        assert_eq!(found("f = \"1 +\"", 3..3), "");
    }
}
