//! Texts as they should be, in `golden/`; `AGON_BLESS=1` writes them anew.

/// The text is that of the file with this name.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = format!("{}/../agon/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("AGON_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "\n{name} is now:\n{text}");
}
