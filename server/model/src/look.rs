//! The result of a look at a file, as its client claims it: game, language and name, or why it cannot play.

use agon_abi::Cause;
use std::time::Duration;

/// The advice to the author of a client whose process does not end.
pub const HOW_TO_END: &str = "let initialize, destructors and atexit end soon";

/// The result of a look at a file. All texts come from the client's own process, and count only as claims about this
/// file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Look {
    /// The game that it claims to play.
    pub game: Option<String>,
    /// The language: `c` or `rust`.
    pub language: Option<String>,
    /// The name that it gives.
    pub name: Option<String>,
    /// A digest of its code, the same for copies of one source; a file that cannot play may lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether its process did not end by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lingers: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub classic: bool,
    /// Why it cannot play: the cause and a message with what to do. `None` = it can play.
    #[serde(with = "refusal")]
    pub refused: Option<(Cause, String)>,
}

impl Look {
    /// How long its process may take to end after everything was seen.
    pub const LINGERING: Duration = Duration::from_secs(1);

    /// Why it cannot play, with the names of the game's own header where the game is known.
    pub fn why_refused(&self, game: Option<&str>) -> Option<(Cause, String)> {
        let (cause, message) = self.refused.clone()?;
        let message = game.map_or_else(|| message.clone(), |game| message.replace("GAME_", &format!("{game}_")));
        Some((cause, message))
    }

    /// Whether the file has no descriptor, so that only an adapter can play for it.
    pub fn needs_adapter(&self) -> bool {
        self.refused.as_ref().is_some_and(|(cause, _)| *cause == Cause::Classic)
    }

    /// Advice to its author if its process did not end.
    pub fn notice(&self) -> Option<String> {
        self.lingers.then(|| {
            format!(
                "its process did not end within {} s after everything was seen, and was ended; help: {}",
                Look::LINGERING.as_secs(),
                HOW_TO_END
            )
        })
    }

    /// Describes a program in words.
    pub fn as_program(&self) -> String {
        match &self.language {
            Some(interpreter) => format!("a program that {interpreter} runs"),
            None => "a program that starts by itself".to_owned(),
        }
    }

    /// Whether another look would find the same; not if the machine, its libraries or its load influenced it.
    pub fn lasts(&self) -> bool {
        self.refused.as_ref().is_none_or(|(cause, _)| cause.is_of_bytes())
    }
}

/// Writes a refusal as the record keeps it: the word of the cause, and the message.
mod refusal {
    use agon_abi::Cause;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(refused: &Option<(Cause, String)>, to: S) -> Result<S::Ok, S::Error> {
        refused.as_ref().map(|(cause, message)| (cause.word(), message)).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(Cause, String)>, D::Error> {
        let refused = Option::<(String, String)>::deserialize(from)?;
        Ok(refused.map(|(word, message)| (Cause::of_word(&word), message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_bytes_decide_is_kept() {
        let refused = |cause| Look { refused: Some((cause, String::new())), ..Look::default() };
        assert!(refused(Cause::Truncated).lasts() && refused(Cause::Classic).lasts());
        for cause in [Cause::Unseen, Cause::MissingLibrary, Cause::Machine, Cause::Unreadable, Cause::of_word("new")] {
            assert!(!refused(cause).lasts(), "{cause:?}");
        }
        assert!(Look::default().lasts());
        let kept = serde_json::to_string(&refused(Cause::NotElf)).unwrap();
        assert!(kept.contains(r#""refused":["not-elf",""]"#), "{kept}");
        assert_eq!(serde_json::from_str::<Look>(&kept).unwrap(), refused(Cause::NotElf));
    }
}
