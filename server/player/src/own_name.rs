//! Puts the name of a client's own file into messages, because its author has never seen the copy that is played.

use agon_model::shell;

/// How a host, which knows no file name, begins the command that finds the line of a crash.
const UNNAMED_FILE: &str = "addr2line -fe FILE ";

/// Replaces the copy's path in a text by the file's own name.
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
