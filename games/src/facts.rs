//! The facts about a game that hold before it is played.

use crate::{BadOption, DataFile, Export, InWords, Level, Options, ResultTable, Said, Scene, Speed, Study};
use agon_abi::Shape;

/// The shape of a struct that is not declared yet.
const NO_SHAPE: Shape = Shape { name: "", size: 0, fields: &[] };

/// The facts of a game.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The name in `ladder.toml` and in descriptors: `six_qui_prend`. It has only lower case and `_`, because it is
    /// part of C names.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// The rules in two lines, and how to write a move: the summary for a person at the board.
    pub summary: Said,
    /// The page of its rules: options, notation, what a client gets, and why a move is refused.
    pub page: Said,
    /// A number that grows with every change of the rules that changes a match.
    pub rules_version: u32,
    /// The fewest and the most seats.
    pub seats: (usize, usize),
    /// Whether several seats may move at once.
    pub simultaneous: bool,
    /// Whether the seed matters, at least with some options.
    pub chance: bool,
    /// Whether a seat may know what another does not.
    pub hidden: bool,
    /// The value of a match to its seats.
    pub worth: Worth,
    /// The information that a turn gives its seat.
    pub tells: Tells,
    /// The part of a seat's setup and turn that is its own although nothing is hidden: `its side`. It is empty if all
    /// seats get the same.
    pub own: &'static str,
    /// The structs of the C header.
    pub setup: Shape,
    /// See `setup`.
    pub turn: Shape,
    /// See `setup`.
    pub mv: Shape,
    /// The numbers in its reserved fields, for readers that get everything by name.
    pub later_fields: &'static [LaterField],
    /// The C header `agon/<name>.h`.
    pub header: &'static str,
    /// The C header `agon/<name>_kit.h`: functions with which a client may begin.
    pub kit: Option<&'static str>,
    /// The clients with which an author begins.
    pub starter: Option<Starter>,
    /// Every option, with its default.
    pub options: &'static [OptionFact],
    /// The short words of the command line for options.
    pub shorthand: Option<Shorthand>,
    /// An option with a value that lets matches begin differently; see [`crate::Varied`].
    pub varied: Option<(&'static str, &'static str)>,
    /// Options of small games, as `key=value` pairs separated by spaces, for tests that play them exhaustively.
    pub small: &'static [&'static str],
    /// The game's own commands.
    pub tools: &'static [Tool],
    /// Players for people, from the weakest; empty if agon ships no client.
    pub levels: &'static [Level],
    /// Explains the lines that its clients log.
    pub in_words: Option<InWords>,
    /// Files that agon makes for clients of this game.
    pub files: &'static [DataFile],
    /// The game's own formats in which a match can be exported.
    pub exports: &'static [Export],
    /// The game's own tables over the matches of a ladder.
    pub tables: &'static [ResultTable],
    /// The game's own studies.
    pub studies: &'static [Study],
    /// The game's own speeds, for `agon bench`.
    pub speeds: &'static [Speed],
}

/// Whole clients for an author to begin with, which play legally as they are.
#[derive(Clone, Copy, Debug)]
pub struct Starter {
    /// The client in C99 that is C++17 too; its name is `first-c`.
    pub c: &'static str,
    /// The client in Rust; its name is `first-rust`.
    pub rust: &'static str,
    /// The client in Zig; its name is `first-zig`.
    pub zig: &'static str,
    /// The client in Go, without the conversation with agon, which is the same for all games; its name is `first-go`.
    pub go: &'static str,
    /// The client in Python, without the conversation with agon at its end, which is the same for all games.
    pub python: &'static str,
    /// Clients of agon to play against, the weakest first: files without `lib` and `.so`, with options as in `agon
    /// match`.
    pub opponents: &'static [&'static str],
}

/// The possible scores of a match at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// One of two seats wins, or the match is drawn.
    Outcome {
        /// The score of the winner.
        win: i64,
        /// The score of the loser.
        loss: i64,
        /// The score of both in a draw; `None` in a game without draws.
        draw: Option<i64>,
    },
    /// The scores of all seats together have this sum.
    Sum(i64),
    /// Each seat scores for itself: the unit, and why the sum is not constant.
    Points(&'static str),
}

/// The information that a turn gives the seat, in a game that hides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// The position: with the setup, it distinguishes every state from every other.
    Position,
    /// The events since the seat's last turn: with the setup, the earlier turns and the seat's own moves, they do the
    /// same.
    Events,
}

/// A number that came after the structs: it stands in a reserved field, so that clients compiled before still fit.
#[derive(Clone, Copy, Debug)]
pub struct LaterField {
    /// The reserved field that contains it: `grundy_setup.reserved`.
    pub field: &'static str,
    /// The index in that field.
    pub index: usize,
    /// The name of the number.
    pub name: &'static str,
}

/// One option of a game.
#[derive(Clone, Copy, Debug)]
pub struct OptionFact {
    /// The key in `[options]`.
    pub key: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// Its effect and its values.
    pub help: &'static str,
    /// Options as in [`Facts::small`] that include this one, with a value that makes other matches than its default:
    /// `size=4`.
    pub example: &'static str,
    /// Whether a value may name a file, whose text then takes its place.
    pub may_be_file: bool,
    /// Whether the option is newer than existing ladders: it is not part of their terms unless it is given.
    pub came_later: bool,
    /// The question to a person who begins a match without it: `How many sticks`.
    pub asked: Option<Said>,
}

/// Words of the command line for options of a game: `-m 12 -t d`, which together mean one option, and `--from
/// POSITION`, which is one.
#[derive(Clone, Copy)]
pub struct Shorthand {
    /// The words with letters.
    pub words: &'static [ShortWord],
    /// Turns the given letters with their values into an option.
    pub expand: Expand,
    /// Keys of options that are words themselves after `--`, each with the name of its value.
    pub keys: &'static [(&'static str, &'static str)],
}

/// A short word of the command line.
#[derive(Clone, Copy, Debug)]
pub struct ShortWord {
    /// The letter after `-`.
    pub letter: char,
    /// The word after `--`.
    pub long: &'static str,
    /// The placeholder of its value in help.
    pub value: &'static str,
    /// Its meaning and its values.
    pub help: &'static str,
}

/// The option that short words mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The option's key.
    pub key: &'static str,
    /// Its value.
    pub value: String,
}

impl std::fmt::Debug for Shorthand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shorthand").field("words", &self.words).field("keys", &self.keys).finish()
    }
}

/// A command of one game, such as `agon perft`: a plain function from arguments to text.
#[derive(Clone, Copy)]
pub struct Tool {
    /// The word after `agon`.
    pub name: &'static str,
    /// The line for `agon --help`.
    pub about: &'static str,
    /// The text of `agon NAME --help`.
    pub usage: &'static str,
    /// Runs the command. The second argument reads a text file by its path; an error is a message for the user.
    pub run: fn(&[String], &ReadFile) -> Result<String, String>,
    /// Draws the same as a picture for `--svg`; not every command has one.
    pub picture: Option<Picture>,
}

/// Draws the result of a command.
pub type Picture = fn(&[String], &ReadFile) -> Result<Scene, String>;

/// Turns short words, each with its value, into an option.
pub type Expand = fn(&[(char, &str)]) -> Result<Meant, BadOption>;

/// Reads a text file by its path, for rules that must not know files.
pub type ReadFile<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl OptionFact {
    /// The defaults of an option.
    pub const BASE: OptionFact =
        OptionFact { key: "", default: "", help: "", example: "", may_be_file: false, came_later: false, asked: None };
}

impl Facts {
    /// The defaults of a game: two seats in turns, one winner, nothing hidden, no chance, and no commands of its own.
    /// Each game sets its name, title, summary, shapes, header and options.
    pub const BASE: Facts = Facts {
        name: "",
        title: "",
        summary: Said::new("", ""),
        page: Said::new("", ""),
        rules_version: 1,
        seats: (2, 2),
        simultaneous: false,
        chance: false,
        hidden: false,
        worth: Worth::Outcome { win: 1, loss: 0, draw: None },
        tells: Tells::Position,
        own: "",
        setup: NO_SHAPE,
        turn: NO_SHAPE,
        mv: NO_SHAPE,
        later_fields: &[],
        header: "",
        kit: None,
        starter: None,
        options: &[],
        shorthand: None,
        varied: None,
        small: &[],
        tools: &[],
        levels: &[],
        in_words: None,
        files: &[],
        exports: &[],
        tables: &[],
        studies: &[],
        speeds: &[],
    };

    /// Completes the options of `given` by the defaults, except for options newer than existing ladders.
    ///
    /// # Errors
    /// The error names a key that this game does not have.
    pub fn complete(&self, given: &Options) -> Result<Options, BadOption> {
        if let Some(key) = given.keys().find(|key| self.options.iter().all(|option| option.key != *key)) {
            return Err(BadOption::unknown(key, self));
        }
        let mut all = given.clone();
        for option in self.options.iter().filter(|option| !option.came_later) {
            if all.get(option.key).is_none() {
                all.set(option.key, option.default);
            }
        }
        Ok(all)
    }

    /// The small options, each completed by the defaults.
    pub fn small_options(&self) -> Vec<Options> {
        self.small.iter().filter_map(|text| self.complete(&Options::from_pairs(text)).ok()).collect()
    }
}
