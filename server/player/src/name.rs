//! The name that a client gives: hostile bytes that are shown on a terminal.

/// Reads the name; `status` is a `NameFlaw`.
///
/// # Errors
/// The text says what is wrong, and what to do.
pub fn read_name(status: i32, bytes: &[u8]) -> Result<String, String> {
    read(status, bytes).map_err(|flaw| {
        format!(
            "get_player_name {flaw}; the file's name is shown; help: return at most 32 bytes of UTF-8, ended by NUL"
        )
    })
}

fn read(status: i32, bytes: &[u8]) -> Result<String, &'static str> {
    match status {
        1 => return Err("returned NULL"),
        2 => return Err("returned an address that cannot be read"),
        3 => return Err("returned more than 32 bytes, or no NUL at their end"),
        _ => {}
    }
    let name = std::str::from_utf8(bytes).map_err(|_| "returned bytes that are no UTF-8")?.trim();
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err("returned an empty name, or one with control characters");
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_hostile() {
        assert_eq!(read_name(0, "Carte random".as_bytes()).unwrap(), "Carte random");
        assert!(read_name(0, b"\xff").unwrap_err().contains("UTF-8"));
        assert!(read_name(0, b"").is_err());
        assert!(read_name(0, b"a\x1b[2J").is_err());
        assert!(read_name(1, b"").unwrap_err().contains("NULL"));
    }
}
