//! How a match ended.

/// The endings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game ended by its rules, perhaps after faults of some seats while the others played on.
    Over,
    /// A fault decided it.
    Fault,
    /// It ended early, because both clients named the winner; see [`Adjudication`].
    Adjudicated,
    /// The server had trouble: the match does not count, and is played again under the same id.
    Void(String),
    /// The machine lacked something that it may have later: nothing was decided, and the match is played then.
    Shortage(String),
}

impl Ending {
    /// Those of matches that count.
    pub const COUNTED: [Ending; 3] = [Ending::Over, Ending::Fault, Ending::Adjudicated];

    /// Whether the match counts.
    pub fn is_counted(&self) -> bool {
        !matches!(self, Ending::Void(_) | Ending::Shortage(_))
    }

    /// The name in tables, logs and the record.
    pub fn name(&self) -> &'static str {
        match self {
            Ending::Over => "over",
            Ending::Fault => "fault",
            Ending::Adjudicated => "adjudicated",
            Ending::Void(_) | Ending::Shortage(_) => "void",
        }
    }

    /// Finds an ending by its name; the cause of a void match is kept elsewhere.
    pub fn named(name: &str) -> Option<Ending> {
        match name {
            "over" => Some(Ending::Over),
            "fault" => Some(Ending::Fault),
            "adjudicated" => Some(Ending::Adjudicated),
            "void" => Some(Ending::Void(String::new())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_found_by_their_names() {
        for ending in [Ending::Over, Ending::Fault, Ending::Adjudicated, Ending::Void(String::new())] {
            assert_eq!(Ending::named(ending.name()), Some(ending));
        }
        assert_eq!(Ending::named("Over"), None);
    }
}
