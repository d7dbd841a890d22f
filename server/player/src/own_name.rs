//! What is said of a client names its own file, and not the copy that is played, which its author has never seen.

use agon_model::shell;

/// How a host, which knows no name at all, begins the command that tells the line of a crash.
const UNNAMED_FILE: &str = "addr2line -fe FILE ";

/// A text with the file's own name instead of its copy's path.
pub fn with_own_name(text: &str, copy: &str, name: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    text.replace(copy, name).replace(UNNAMED_FILE, &format!("addr2line -fe {} ", shell::file(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_only_names_that_are_one_word() {
        let of = |name| with_own_name("in /x/ab.so: addr2line -fe FILE 0x1", "/x/ab.so", name);
        assert_eq!(of("émile-2.so"), "in émile-2.so: addr2line -fe émile-2.so 0x1");
        for (hostile, word) in [
            ("a.so;id", "'a.so;id'"),
            ("$(id).so", "'$(id).so'"),
            ("-e.so", "./-e.so"),
            ("a\nb.so", "\"$(printf 'a\\012b.so')\""),
        ] {
            assert_eq!(of(hostile), format!("in {hostile}: addr2line -fe {word} 0x1"));
        }
        assert_eq!(of(""), "in /x/ab.so: addr2line -fe FILE 0x1");
    }
}
