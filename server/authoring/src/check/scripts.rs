//! The name of the copy that is checked, and the message about a script that does not name its interpreter.

use agon_player::program::is_program;
use std::path::Path;

/// Languages whose files run as they are: the ending, and what runs it.
const LANGUAGES: [(&str, &str); 8] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("lua", "lua"),
    ("sh", "sh"),
    ("php", "php"),
];

/// Whether a file's name is that of a script.
pub fn is_named_so(file: &Path) -> bool {
    interpreter(file).is_some()
}

fn interpreter(file: &Path) -> Option<&'static str> {
    let ending = file.extension()?.to_str()?;
    LANGUAGES.iter().find(|(known, _)| *known == ending).map(|(_, interpreter)| *interpreter)
}

/// A script or library keeps its name, which messages show; everything else is `client.so`.
pub fn copy_name(file: &Path) -> String {
    let is_plain = |name: &&str| {
        name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-')) && !name.starts_with(['.', '-'])
    };
    let name = file.file_name().and_then(|name| name.to_str()).filter(is_plain);
    let name = name.filter(|name| is_named_so(file) || name.ends_with(".so"));
    name.unwrap_or("client.so").to_owned()
}

/// The message about a script, by its name, whose first line names no interpreter; `copy` has its bytes.
pub fn unnamed_interpreter(file: &Path, copy: &Path) -> Option<String> {
    let interpreter = interpreter(file).filter(|_| !is_program(copy))?;
    let bytes = std::fs::read(copy).ok().filter(|bytes| !bytes.is_empty() && !bytes.starts_with(b"\x7fELF"))?;
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    // An editor's byte order mark, or blanks, hide the two characters that the first line must begin with.
    let text = String::from_utf8_lossy(line);
    let is_hidden = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').starts_with("#!");
    let (what, help) = if is_hidden {
        (
            "a script with something before the #! of its first line",
            "remove it (blanks, or a byte order mark), so that the file begins with #!",
        )
    } else {
        ("a script whose first line does not say what runs it", "write as its first line, before everything else:")
    };
    let line = if is_hidden { String::new() } else { format!(" #!/usr/bin/env {interpreter}") };
    Some(format!("{what}; help: {help}{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_or_library_keeps_its_name() {
        let names =
            ["a/anna.py", "anna.so", "a:b=c.py", "no ending", "-n.py", "b.js"].map(|file| copy_name(Path::new(file)));
        assert_eq!(names, ["anna.py", "anna.so", "client.so", "client.so", "client.so", "b.js"]);
    }

    #[test]
    fn a_first_line_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let said = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            unnamed_interpreter(&file, &file)
        };
        assert!(said("a.py", "import sys\n").unwrap().ends_with("before everything else: #!/usr/bin/env python3"));
        assert!(said("a.js", "").is_none() && said("a.c", "int x;").is_none());
        assert!(said("a.py", "#!/usr/bin/env python3\n").is_none());
        for hidden in ["\u{feff}#!/usr/bin/env python3\n", " #!/usr/bin/python3\n"] {
            assert!(said("a.py", hidden).unwrap().starts_with("a script with something before the #!"), "{hidden}");
        }
    }
}
