//! Tests of formulas: their values against a slow plain reference, and the messages about wrong ones.

use super::*;
use agon_model::formula::{FormulaInput, NoValue};
use proptest::prelude::*;

fn value(text: &str) -> Result<f64, NoValue> {
    let against = vec![Some(0.75), None];
    parse(text).unwrap().value(&FormulaInput { points: 0.625, share: 0.5, rank: 3.0, against })
}

#[test]
fn arithmetic_is_as_in_school() {
    for (text, expected) in [
        ("min(20, 10 + 10 * (points - 0.5))", 11.25),
        ("1 / 2", 0.5),
        ("min(6, max(1, points))", 1.0),
        ("2 + 3 * 4 - 6 / 2", 11.0),
        ("10 - 4 - 3", 3.0),
        ("16 / 4 / 2", 2.0),
        ("-2 * -(3 - 5)", -4.0),
        ("--1", 1.0),
        ("round(2 * 4.74) / 2", 4.5),
        ("floor(-0.5) + ceil(0.5)", 0.0),
        ("20 * share + 1 / rank", 10.0 + 1.0 / 3.0),
        ("max(1,2,3)+min(5)", 8.0),
        ("10 * against(\"random\")", 7.5),
        ("10 * against('random')", 7.5),
    ] {
        assert_eq!(value(text), Ok(expected), "{text}");
    }
}

#[test]
fn what_has_no_value_says_why() {
    assert_eq!(value("1 / (points - 0.625)"), Err(NoValue::DivisionByZero));
    assert_eq!(value("min(1, 1 / 0)"), Err(NoValue::DivisionByZero));
    assert_eq!(value("against('random') + against('greedy')"), Err(NoValue::NotMet("greedy".to_owned())));
    let huge = ["999999999"; 40].join("*");
    assert_eq!(value(&huge), Err(NoValue::TooLarge));
    assert_eq!(NoValue::NotMet("greedy".to_owned()).to_string(), "no match against greedy");
}

#[test]
fn names_are_listed_once() {
    let formula = parse("against('a') + against(\"b\") - against('a')").unwrap();
    assert_eq!(formula.places(), [("a".to_owned(), 8..11), ("b".to_owned(), 23..26)]);
}

#[test]
fn what_is_wrong_is_told_where_it_stands() {
    for (text, at, what) in [
        ("", 0..0, "the formula ends too early"),
        ("10 +", 4..4, "the formula ends too early"),
        ("10 + poinst", 5..11, "a formula knows no \"poinst\""),
        ("10 20", 3..5, "20 cannot stand here"),
        ("(1", 2..2, "the formula ends too early"),
        ("1)", 1..2, ") cannot stand here"),
        ("min()", 4..5, ") cannot stand here"),
        ("min 3", 4..5, "3 cannot stand here"),
        ("round(1, 2)", 0..5, "round takes one number"),
        ("against(random)", 8..14, "random cannot stand here"),
        ("against(\"random)", 8..16, "a name that does not end"),
        ("2 ^ 3", 2..3, "^ cannot stand in a formula"),
        ("1,5", 1..2, ", cannot stand here"),
        ("1.2.3", 0..5, "1.2.3 is not a number"),
        ("1.", 0..2, "1. is not a number"),
        ("10000000000", 0..11, "10000000000 is too large"),
        ("5 × 3", 2..4, "× cannot stand in a formula"),
    ] {
        let flaw = parse(text).unwrap_err();
        assert_eq!((flaw.at, flaw.what.as_str()), (at, what), "{text}");
    }
    assert_eq!(parse("poinst").unwrap_err().help, "did you mean \"points\"?");
}

#[test]
fn depth_and_length_are_bounded() {
    for (open, close) in [("(", ")"), ("-", ""), ("min(", ")")] {
        let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(parse(&nested(50)).is_ok(), "{open}");
        assert!(parse(&nested(51)).unwrap_err().what.starts_with("more than 50"), "{open}");
    }
    assert!(parse(&"1+".repeat(501)).unwrap_err().what.ends_with("1002 bytes"));
    let long = format!("{}1", "1+".repeat(499));
    assert_eq!(value(&long), Ok(500.0));
}

/// A formula as text, with what it comes to.
fn formulas() -> impl Strategy<Value = (String, Option<f64>)> {
    let leaf = prop_oneof![
        (0u32..100).prop_map(|number| (number.to_string(), Some(f64::from(number)))),
        Just(("points".to_owned(), Some(0.625))),
        Just(("rank".to_owned(), Some(3.0))),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), 0usize..4).prop_map(|(((a, x), (b, y)), which)| {
                let both = x.zip(y);
                let result = match which {
                    0 => both.map(|(x, y)| x + y),
                    1 => both.map(|(x, y)| x - y),
                    2 => both.map(|(x, y)| x * y),
                    _ => both.filter(|(_, y)| *y != 0.0).map(|(x, y)| x / y),
                };
                (format!("({a}) {} ({b})", ["+", "-", "*", "/"][which]), result)
            }),
            pair.prop_map(|((a, x), (b, y))| (format!("max({a},{b})"), x.zip(y).map(|(x, y)| x.max(y)))),
            inner.prop_map(|(a, x)| (format!("-({a})"), x.map(|x| -x))),
        ]
    })
}

proptest! {
    #[test]
    fn formulas_come_to_what_a_tree_of_them_does((text, expected) in formulas()) {
        let formula = parse(&text);
        prop_assume!(text.len() <= LONGEST_FORMULA);
        prop_assert_eq!(value_of(&formula.unwrap()), expected.filter(|value| value.is_finite()));
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place_within(text in "[-+*/(), a-z0-9.\"é]{0,60}") {
        if let Err(flaw) = parse(&text) {
            prop_assert!(flaw.at.start <= flaw.at.end && text.get(flaw.at).is_some());
        }
    }
}

fn value_of(formula: &Formula) -> Option<f64> {
    let standing = FormulaInput { points: 0.625, share: 0.5, rank: 3.0, against: vec![None; 9] };
    formula.value(&standing).ok()
}
