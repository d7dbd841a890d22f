//! The options of 6 qui prend, worked out: rule set, limit, the effect of a low card, size of hands and deck.

use super::abi::{CHEAPEST, CHOOSES, COURSE, COURSE_EXACT, OFFICIAL};
use super::rows::{CAPACITY, MAX_CARD, ROWS};
use crate::{BadOption, OptionFact, Options};

/// The options worked out; see [`OPTIONS`]. The values are those of `Setup`.
#[derive(Clone, Copy, Debug)]
pub struct Prepared {
    pub(super) rules: u8,
    pub(super) low_card: u8,
    pub(super) limit: u16,
    pub(super) hand_size: u8,
    pub(super) deck_max: u8,
}

/// The options of the game.
pub(super) const OPTIONS: &[OptionFact] = &[
    OptionFact {
        key: "rules",
        default: "official",
        help: "rule set: official, course (one round, the cheapest row for a low card), \
               or course-exact (as course, with the row search of the course program and ranks without ties)",
        example: "rules=course",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "limit",
        default: "auto",
        help: "the match ends after the round in which somebody has this many heads, 1 to 999; 0 = one round; \
               auto = 66 in official, 0 otherwise",
        example: "limit=0",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "low_card",
        default: "auto",
        help: "who plays a card below all rows chooses a row (chooses) or takes the one with fewest heads (cheapest); \
               auto = chooses in official, cheapest otherwise",
        example: "low_card=cheapest",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "deck",
        default: "all",
        help: "all = the cards 1 to 104; players = only as many as are dealt, 1 to players * hand + 4",
        example: "deck=players",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "hand",
        default: "10",
        help: "cards dealt to each player, 1 to 10; fewer than 10 makes a small game for tests",
        example: "limit=0 hand=2",
        ..OptionFact::BASE
    },
];

/// The rule sets, by their names in options.
const RULES: [(&str, u8); 3] = [("official", OFFICIAL), ("course", COURSE), ("course-exact", COURSE_EXACT)];

impl Prepared {
    /// The rule set's name in options.
    pub(super) fn rules_name(&self) -> &'static str {
        RULES.iter().find(|(_, rules)| *rules == self.rules).map_or("", |(name, _)| name)
    }

    pub(super) fn from_options(options: &Options, seats: usize) -> Result<Prepared, BadOption> {
        let rules = options.choice("rules", &RULES)?;
        let auto = if rules == OFFICIAL { CHOOSES } else { CHEAPEST };
        let low_card = options.choice("low_card", &[("auto", auto), ("chooses", CHOOSES), ("cheapest", CHEAPEST)])?;
        if (rules, low_card) == (COURSE_EXACT, CHOOSES) {
            return Err(BadOption::new(
                "low_card",
                "the rules course-exact know no choice of a row; leave it \"auto\"",
            ));
        }
        let limit = match options.get("limit") {
            Some("auto") if rules == OFFICIAL => 66,
            Some("auto") => 0,
            _ => options.number("limit", 0..=999)?,
        };
        let hand_size = options.number("hand", 1..=10)?;
        let dealt = seats * hand_size as usize;
        // Otherwise no player would ever have to take a card, and the match might have no end.
        if limit > 0 && dealt + ROWS <= ROWS * CAPACITY {
            return Err(BadOption::new(
                "hand",
                format!("{dealt} cards in all fit into the rows; only limit = 0 allows that"),
            ));
        }
        let few = (dealt + ROWS) as u8;
        let deck_max = options.choice("deck", &[("all", MAX_CARD), ("players", few)])?;
        Ok(Prepared { rules, low_card, limit: limit as u16, hand_size: hand_size as u8, deck_max })
    }
}
