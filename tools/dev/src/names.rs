//! One game's name as each kind of file writes it.

/// Words that are no names in Rust, and the one that all headers begin with.
const RESERVED: &str = "abstract agon as async await become box break const continue crate do dyn else enum extern \
    false final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self static \
    struct super trait true try type typeof unsafe unsized use virtual where while yield";

/// The forms of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// In code and C: `connect_four`.
    pub code: String,
    /// The name of pages and ladders: `connect-four`.
    pub page: String,
    /// The name of the type in Rust: `ConnectFour`.
    pub type_name: String,
    /// The name of constants in C: `CONNECT_FOUR`.
    pub upper: String,
    /// As people write it: `Connect four`.
    pub title: String,
}

impl Names {
    /// From the name in code.
    ///
    /// # Errors
    /// It is no name of a game.
    pub fn new(code: &str) -> Result<Names, String> {
        let parts: Vec<&str> = code.split('_').collect();
        let is_part =
            |part: &&str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if !parts.iter().all(is_part) || code.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(format!(
                "\"{code}\" is no name of a game: lower case and digits, parted by _, as connect_four"
            ));
        }
        if RESERVED.split_whitespace().any(|word| word == code) {
            return Err(format!("\"{code}\" is a word of Rust or agon's own; choose another name, as {code}_game"));
        }
        Ok(Names {
            code: code.to_owned(),
            page: code.replace('_', "-"),
            type_name: parts.iter().map(|part| capitalize(part)).collect(),
            upper: code.to_ascii_uppercase(),
            title: capitalize(&code.replace('_', " ")),
        })
    }

    /// A template with the names in it.
    pub fn fill(&self, template: &str) -> String {
        let pairs = [
            ("@CODE@", &self.code),
            ("@PAGE@", &self.page),
            ("@TYPE@", &self.type_name),
            ("@UPPER@", &self.upper),
            ("@TITLE@", &self.title),
        ];
        pairs.iter().fold(template.to_owned(), |text, (mark, name)| text.replace(mark, name))
    }
}

fn capitalize(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_form_in_each_kind_of_file() {
        let names = Names::new("dots_and_boxes2").unwrap();
        assert_eq!(names.fill("@CODE@ @PAGE@ @TYPE@"), "dots_and_boxes2 dots-and-boxes2 DotsAndBoxes2");
        assert_eq!(names.fill("@UPPER@ @TITLE@"), "DOTS_AND_BOXES2 Dots and boxes2");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for wrong in ["", "Chess", "dots-and-boxes", "_go", "go_", "4row", "../go", "é", "loop", "agon"] {
            assert!(Names::new(wrong).is_err(), "{wrong}");
        }
    }
}
