//! Text that a client gave, made safe to print: it could move the cursor, change colours or turn the line round.

/// At most `longest` characters of a text on one line, with control characters as `\x1b` and invisible ones as `\u{200b}`.
pub fn escape(text: &str, longest: usize) -> String {
    let mut out = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == longest {
            out.push_str("...");
            break;
        }
        match c {
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            // Marks of direction and of no width, line and paragraph separators, the byte order mark.
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(escape("a\x1b[31m\n\u{202e}é", 99), "a\\x1b[31m\\x0a\\u{202e}é");
        assert_eq!(escape("\u{85}", 9), "\\x85");
        assert_eq!(escape("abcdef", 3), "abc...");
        assert_eq!(escape("abc", 3), "abc");
    }
}
