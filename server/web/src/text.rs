//! Makes a stranger's text safe for a page: marks of direction, controls and the like are written out, and characters
//! with a meaning in HTML are escaped.

use agon_model::visible::{Medium, visible};

/// A text as it may stand between tags and in quotes.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text, Medium::Screen).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A text without what cannot be seen, for those who escape it: maud, and the JSON of a page.
pub(crate) fn clean(text: &str) -> String {
    visible(text, Medium::Screen).into_owned()
}

/// As on all pages: `412 µs`, `41.2 ms`, `1.37 s`.
pub(crate) fn time(us: u64) -> String {
    agon_model::time_text(us).replace("us", "µs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(shown("<b a='1'>\"&\u{202e}\x1b"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;\\u{202e}\\x1b");
    }

    proptest! {
        #[test]
        fn nothing_is_left_that_means_something(text in any::<String>(), odd in "[<>&\"'\u{202e}\u{1b}a\n]{0,9}") {
            let shown = shown(&(odd + &text));
            prop_assert!(!shown.contains(['<', '>', '"', '\'', '\u{202e}', '\u{1b}']), "{shown}");
        }
    }
}
