//! Writes numbers for people: with the noun that is counted, or the unit.

/// Writes `1 match`, `2 matches`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The most names that a message lists, and the longest of them.
const MOST_LISTED: usize = 20;
const LONGEST_NAME: usize = 64;

/// Writes `a, b, c … and 4,990 more`: names for a message, which must not grow with the input.
pub fn some_of<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(MOST_LISTED).map(|name| cut(name.as_ref(), LONGEST_NAME)).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} … and {} more", shown.join(", "), grouped(more as u64)),
    }
}

/// The first characters of a text, at most this many.
pub fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Writes a number as `4,990`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let group = |(index, digit): (usize, char)| {
        let separates = index > 0 && (digits.len() - index).is_multiple_of(3);
        separates.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(group).collect()
}

/// Writes microseconds in three digits at most: `412 us`, `41.2 ms`, `1.37 s`.
pub fn time_text(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} us"),
        1_000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_does_not_grow_with_its_names() {
        assert_eq!(some_of(["a", "b"]), "a, b");
        let many = some_of((0..5010).map(|_| "é".repeat(1000)));
        assert!(many.ends_with("… and 4,990 more"), "{many}");
        assert!(many.chars().count() < 20 * 68 + 20);
        for (number, text) in [(1, "1"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
