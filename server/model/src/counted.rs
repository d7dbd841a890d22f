//! Numbers as people read them: with the noun that is counted, or the unit.

/// `1 match`, `2 matches`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Microseconds in three digits at most: `412 us`, `41.2 ms`, `1.37 s`.
pub fn time_text(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} us"),
        1_000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}
