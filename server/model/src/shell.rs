//! Quotes words of suggested commands: a stranger chose the name in it, and somebody else types the command.

use crate::visible::escape;

/// The replacement for a name that is too long for a line, or ends in a line break, which no shell keeps.
const PLACEHOLDER: &str = "NAME";
/// The longest name that is written in full: files of a disk have at most 255 bytes.
const LONGEST_QUOTED: usize = 300;

/// A text as one word of a shell, which passes on exactly this text. It is safe to print as well: `printf` writes
/// invisible characters.
pub fn word(text: &str) -> String {
    if text.len() > LONGEST_QUOTED || text.ends_with('\n') || text.contains('\0') {
        return PLACEHOLDER.to_owned();
    }
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if escape(text, LONGEST_QUOTED) != text {
        return format!("\"$(printf '{}')\"", text.bytes().map(printed).collect::<String>());
    }
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A byte in the format of `printf`.
fn printed(byte: u8) -> String {
    match byte {
        b'%' => "%%".to_owned(),
        b'\'' | b'\\' => format!("\\{byte:03o}"),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

/// A file, in a form that no command takes for an option.
pub fn file(path: &str) -> String {
    if path.starts_with('-') { word(&format!("./{path}")) } else { word(path) }
}

/// A text on its own, as the last word of a command.
pub fn operand(text: &str) -> String {
    if text.starts_with('-') { format!("-- {}", word(text)) } else { word(text) }
}

/// An option with its value.
pub fn option(name: &str, value: &str) -> String {
    let joint = if value.starts_with('-') { '=' } else { ' ' };
    format!("{name}{joint}{}", word(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const HOSTILE: [&str; 19] = [
        "red",
        "",
        "$(touch PWN)",
        "`touch PWN`",
        "--help",
        "-x",
        "a b",
        "'",
        "a'b\"c",
        "two\nlines",
        "*",
        "~",
        "a;b",
        "$HOME",
        "esc\u{1b}[2J",
        "100% \\n\u{1b}",
        "émile",
        "p\u{430}ypal",
        "\u{202e}cba!",
    ];

    /// The words into which a shell splits a line.
    fn words(line: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new("sh")
            .args(["-c", &format!("printf '%s\\0' {line}")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "{line} wrote a file");
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    }

    #[test]
    fn a_shell_hands_on_just_the_text() {
        for text in HOSTILE {
            let written = word(text);
            assert_eq!(words(&written), [text], "{written}");
            assert_eq!(escape(&written, 4000), written, "it can be printed");
            let written = option("--let-back", text);
            let joint = text.starts_with('-');
            let expected =
                if joint { vec![format!("--let-back={text}")] } else { vec!["--let-back".into(), text.into()] };
            assert_eq!(words(&written), expected, "{written}");
            let given = words(&file(text)).remove(0);
            assert!(!given.starts_with('-') && given.trim_start_matches("./") == text, "{given}");
            assert_eq!(words(&operand(text)).last().unwrap(), text);
        }
        for unwritten in ["line\n", "\0", &"x".repeat(500)] {
            assert_eq!(word(unwritten), PLACEHOLDER);
        }
    }
}
