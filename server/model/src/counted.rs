//! A number with the noun that it counts.

/// `1 match`, `2 matches`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
