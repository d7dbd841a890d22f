//! The steps of a check, from the file to a match: their names, what came of each, as text and as JSON.

use agon_model::visible::{Medium, escape, visible};
use serde::Serialize;

/// The steps of a check, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::VariantArray, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StepName {
    /// A regular file with a whole shared library, or a program.
    File,
    /// The interpreter that runs a program.
    Interpreter,
    /// The file was built for this computer.
    Computer,
    /// The library has the four functions.
    Functions,
    /// The descriptor that `AGON_CLIENT` makes.
    Descriptor,
    /// The libraries and symbols that it needs.
    Libraries,
    /// The library opens, and its constructors run.
    Opening,
    /// The headers that it was built with.
    Contract,
    /// The client has a name.
    Name,
    /// The client's `initialize` returns 0.
    Initialize,
    /// The first move is legal.
    FirstMove,
    /// Whole matches end without a fault.
    Matches,
    /// No move takes too long.
    Time,
    /// The memory stays below its limit.
    Memory,
    /// The sandbox refused nothing, and the output stayed within bounds.
    Manners,
    /// The same seed gives the same match.
    SameAgain,
    /// Errors with memory that valgrind finds.
    Valgrind,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum StepOutcome {
    /// The step found nothing wrong.
    Ok {
        /// A sentence about what was seen.
        what: String,
    },
    /// No fault, but worth a thought.
    Note {
        /// A sentence about what was seen.
        what: String,
        /// The way out, in a sentence.
        help: String,
    },
    /// The client loses matches by it, or plays none.
    Failed {
        /// A sentence about what was seen.
        what: String,
        /// The way out, in a sentence.
        help: String,
    },
    /// The step was not taken.
    Skipped {
        /// The reason why it was not taken.
        what: String,
    },
}

impl StepOutcome {
    /// A step that found nothing wrong.
    pub fn ok(what: impl Into<String>) -> StepOutcome {
        StepOutcome::Ok { what: what.into() }
    }

    /// A failure from a message that ends with what to do.
    pub fn failed(message: &str) -> StepOutcome {
        let (what, help) = parted(message);
        StepOutcome::Failed { what, help }
    }

    /// A step behind one that could not be taken.
    pub fn not_looked_at() -> StepOutcome {
        StepOutcome::Skipped { what: "not looked at".to_owned() }
    }

    /// A remark from a message that ends with what to do.
    pub fn note(message: &str) -> StepOutcome {
        let (what, help) = parted(message);
        StepOutcome::Note { what, help }
    }
}

/// `what; help: what to do`.
fn parted(message: &str) -> (String, String) {
    let (what, help) = message.split_once("; help: ").unwrap_or((message, ""));
    (what.to_owned(), help.to_owned())
}

/// A step and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckStep {
    /// The name of the step.
    pub step: StepName,
    /// The result of the step.
    #[serde(flatten)]
    pub outcome: StepOutcome,
}

/// Everything that was seen of one client.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// The file as it was named.
    pub file: String,
    /// The game that the file names.
    pub game: Option<String>,
    /// The steps that were taken, in order.
    pub steps: Vec<CheckStep>,
    /// More about a failure: the position, what the client printed; a line each.
    pub details: Vec<String>,
    /// Whether it was to play, and this machine let it play no match.
    #[serde(skip)]
    pub is_unplayed: bool,
}

impl CheckReport {
    /// Adds a step and its result.
    pub fn add(&mut self, step: StepName, outcome: StepOutcome) {
        self.steps.push(CheckStep { step, outcome });
    }

    /// The first step that failed.
    pub fn failed(&self) -> Option<StepName> {
        let is_failed = |step: &&CheckStep| matches!(step.outcome, StepOutcome::Failed { .. });
        self.steps.iter().find(is_failed).map(|step| step.step)
    }

    /// The report as text for people.
    pub fn text(&self) -> String {
        let game = self.game.as_ref().map_or(String::new(), |game| format!(", a client of {}", escape(game, 64)));
        let mut out = format!("{}{game}\n", visible(&self.file, Medium::Line));
        for (number, step) in self.steps.iter().enumerate() {
            let name: &str = step.step.into();
            let (word, what, help) = match &step.outcome {
                StepOutcome::Ok { what } => ("ok", what, ""),
                StepOutcome::Note { what, help } => ("note", what, help.as_str()),
                StepOutcome::Failed { what, help } => ("FAILED", what, help.as_str()),
                StepOutcome::Skipped { what } => ("-", what, ""),
            };
            out += &format!("  {:>2} {name:<11} {word:<6}  {}\n", number + 1, escape(what, 600));
            if !help.is_empty() {
                out += &format!("{:24}help: {}\n", "", escape(help, 600));
            }
        }
        for line in &self.details {
            out += &format!("     {}\n", visible(line, Medium::Line));
        }
        out + &self.sum() + "\n"
    }

    fn sum(&self) -> String {
        let count = |test: fn(&StepOutcome) -> bool| self.steps.iter().filter(|step| test(&step.outcome)).count();
        let notes = match count(|outcome| matches!(outcome, StepOutcome::Note { .. })) {
            0 => String::new(),
            1 => ", 1 note".to_owned(),
            notes => format!(", {notes} notes"),
        };
        match self.failed() {
            None if self.is_unplayed => {
                format!(
                    "no match was played, so nothing is known of its play{notes}; agon doctor looks at this machine"
                )
            }
            None => format!("it can play{notes}"),
            Some(step) => format!("it fails at {}{notes}", <&str>::from(step)),
        }
    }
}
