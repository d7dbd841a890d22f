//! The first line of a script: the interpreter and its arguments, or a message that says what is wrong and what to
//! write.

use agon_model::visible::escape;

/// The most bytes of a first line, without its end; the kernel's own limit.
pub(super) const LONGEST_FIRST_LINE: usize = 255;
/// The most bytes of a line that a message quotes.
const QUOTED: usize = 80;
const EXAMPLE: &str = "write as the first line of the file: #!/usr/bin/env python3";

/// The contents of a first line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FirstLine {
    /// The interpreter's path, or a name to look for.
    pub name: String,
    /// The words between it and the file on its command line.
    pub words: Vec<String>,
    /// The line itself, for messages.
    pub quoted: String,
}

/// Reads the first `LONGEST_FIRST_LINE + 1` bytes of a file, or all that it has.
///
/// # Errors
/// The text says what is wrong with the line, and what to write.
pub(super) fn read(bytes: &[u8]) -> Result<FirstLine, String> {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let quoted = format!("`{}`", escape(&String::from_utf8_lossy(line), QUOTED));
    let wrong = |what: &str, help: &str| Err(format!("its first line, {quoted}, {what}; help: {help}"));
    if line.len() > LONGEST_FIRST_LINE {
        return wrong(
            &format!("has more than {LONGEST_FIRST_LINE} bytes"),
            "name the interpreter and a few words only",
        );
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.contains(&b'\r') {
        return wrong(
            "does not end: the lines of this file end with CR alone",
            "save the file with the line ends of Unix",
        );
    }
    if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        return wrong("has a control character", EXAMPLE);
    }
    let Ok(line) = std::str::from_utf8(line) else { return wrong("is not UTF-8", EXAMPLE) };
    let mut words = line.trim_start_matches("#!").split_ascii_whitespace().map(str::to_owned);
    let mut name = words.next().unwrap_or_default();
    if name.rsplit('/').next() == Some("env") {
        name = match of_env(&mut words) {
            Ok(name) => name,
            Err(word) => {
                let help = "name the program behind env, or behind env -S with words for it; its environment is fixed";
                return wrong(&format!("gives env the word {}", escape(&word, QUOTED)), help);
            }
        };
    }
    if name.is_empty() {
        return wrong("names no program that runs it", EXAMPLE);
    }
    Ok(FirstLine { name, words: words.collect(), quoted })
}

/// The program that `env` would start; an error is the argument that gives `env` another meaning.
fn of_env(words: &mut impl Iterator<Item = String>) -> Result<String, String> {
    for word in words {
        match word.strip_prefix("-S").or_else(|| word.strip_prefix("--split-string=")) {
            Some("") => {}
            Some(joined) => return Ok(joined.to_owned()),
            None if matches!(word.as_str(), "-" | "--" | "-i" | "--ignore-environment" | "--split-string") => {}
            None if word.starts_with('-') || word.contains('=') => return Err(word),
            None => return Ok(word),
        }
    }
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Result<(String, Vec<String>), String> {
        read(format!("{line}\nrest").as_bytes()).map(|line| (line.name, line.words))
    }

    #[test]
    fn the_interpreter_and_its_words_are_found() {
        for line in
            ["#!sh -e", "#! \tsh  -e", "#!/usr/bin/env sh -e\r", "#!/usr/bin/env -S sh -e", "#!/bin/env -Ssh -e"]
        {
            assert_eq!(said(line), Ok(("sh".to_owned(), vec!["-e".to_owned()])), "{line}");
        }
        let hostile = said("#!/usr/bin/python3 -- --sandbox off").unwrap();
        assert_eq!(hostile.1, ["--", "--sandbox", "off"]);
        assert_eq!(read(b"#!/bin/sh").unwrap().name, "/bin/sh", "a file may end with its first line");
    }

    #[test]
    fn each_bad_line_is_quoted_with_what_to_do() {
        for (line, what) in [
            ("#!", "names no program"),
            ("#!/usr/bin/env", "names no program"),
            ("#!/usr/bin/env -u HOME sh", "gives env the word -u"),
            ("#!/usr/bin/env A=b sh", "gives env the word A=b"),
            ("#!/bin/sh\0", "has a control character"),
            ("#!/bin/sh\rexit\r", "end with CR alone"),
            (&format!("#!/bin/sh {}", "a".repeat(LONGEST_FIRST_LINE)), "has more than 255 bytes"),
        ] {
            let why = said(line).unwrap_err();
            assert!(why.starts_with("its first line, `#!") && why.contains(what) && why.contains("; help: "), "{why}");
        }
        assert!(read(b"#!/bin/\xff\n").unwrap_err().contains("is not UTF-8"));
    }
}
