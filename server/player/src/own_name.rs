//! What is said of a client names its own file, and not the copy that is played, which its author has never seen.

/// How a host, which knows no name at all, begins the command that tells the line of a crash.
const UNNAMED_FILE: &str = "addr2line -fe FILE ";

/// A text with the file's own name instead of its copy's path.
pub fn with_own_name(text: &str, copy: &str, name: &str) -> String {
    if name.is_empty() {
        return text.to_owned();
    }
    let text = text.replace(copy, name);
    match is_one_word(name) {
        true => text.replace(UNNAMED_FILE, &format!("addr2line -fe {name} ")),
        false => text,
    }
}

/// Whether a shell takes a name for one word and nothing else: whoever hands in a file chose it, and somebody else
/// types the command.
fn is_one_word(name: &str) -> bool {
    !name.starts_with('-') && name.chars().all(|character| character.is_alphanumeric() || "._-+/".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_only_names_that_are_one_word() {
        let of = |name| with_own_name("in /x/ab.so: addr2line -fe FILE 0x1", "/x/ab.so", name);
        assert_eq!(of("émile-2.so"), "in émile-2.so: addr2line -fe émile-2.so 0x1");
        for hostile in ["a.so;id", "$(id).so", "a b.so", "-e.so", "`id`", "a\nb.so"] {
            assert_eq!(of(hostile), format!("in {hostile}: addr2line -fe FILE 0x1"));
        }
        assert_eq!(of(""), "in /x/ab.so: addr2line -fe FILE 0x1");
    }
}
