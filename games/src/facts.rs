//! What is known of a game before it is played.

use crate::{BadOption, DataFile, Export, InWords, Level, Options, Said, Scene, Speed, Study, Table};
use agon_abi::Shape;

/// Of a struct that is not declared yet.
const NO_SHAPE: Shape = Shape { name: "", size: 0, fields: &[] };

/// The facts of a game.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// As in `ladder.toml` and in descriptors: `six_qui_prend`. Lower case and `_` only, since it is part of C names.
    pub name: &'static str,
    /// As people write it.
    pub title: &'static str,
    /// The rules in two lines, and how a move is written: what a person at the board needs.
    pub summary: Said,
    /// The page of its rules: options, notation, what a client gets, and why a move is refused.
    pub page: Said,
    /// Grows with every change of the rules that changes a match.
    pub rules_version: u32,
    /// Fewest and most seats.
    pub seats: (usize, usize),
    /// Whether several seats may move at once.
    pub simultaneous: bool,
    /// Whether the seed matters, at least with some options.
    pub chance: bool,
    /// Whether a seat may know what another does not.
    pub hidden: bool,
    /// What a match is worth to its seats.
    pub worth: Worth,
    /// What a turn tells its seat.
    pub tells: Tells,
    /// What of a seat's setup and turn is its own though nothing is hidden: `its side`. Empty where all seats are shown
    /// the same.
    pub own: &'static str,
    /// The structs of the C header.
    pub setup: Shape,
    /// See `setup`.
    pub turn: Shape,
    /// See `setup`.
    pub mv: Shape,
    /// What stands in its reserved fields, for those that are told everything by name.
    pub later_fields: &'static [LaterField],
    /// The C header `agon/<name>.h`.
    pub header: &'static str,
    /// The C header `agon/<name>_kit.h`: functions that a client may begin with.
    pub kit: Option<&'static str>,
    /// What the author of a client begins with.
    pub starter: Option<Starter>,
    /// Every option, with its default.
    pub options: &'static [OptionFact],
    /// Words of the command line for options.
    pub shorthand: Option<Shorthand>,
    /// Options of small games, as `key=value` pairs parted by spaces, small enough to be played exhaustively in tests.
    pub small: &'static [&'static str],
    /// Commands of this game's own.
    pub tools: &'static [Tool],
    /// Players for people, from the weakest; empty where no client comes with agon.
    pub levels: &'static [Level],
    /// What its clients mean by what they log.
    pub in_words: Option<InWords>,
    /// Files that agon makes for clients of this game.
    pub files: &'static [DataFile],
    /// Formats of this game's own in which a match can be had.
    pub exports: &'static [Export],
    /// Tables of this game's own over the matches of a ladder.
    pub tables: &'static [Table],
    /// Studies of this game's own.
    pub studies: &'static [Study],
    /// Speeds of this game's own, for `agon bench`.
    pub speeds: &'static [Speed],
}

/// Whole clients for an author to begin with, which are legal as they are.
#[derive(Clone, Copy, Debug)]
pub struct Starter {
    /// In C99 that is C++17 too; it calls itself `first-c`.
    pub c: &'static str,
    /// In Rust; it calls itself `first-rust`.
    pub rust: &'static str,
    /// In Zig; it calls itself `first-zig`.
    pub zig: &'static str,
    /// In Go, without the talk with agon, which is the same for all games; it calls itself `first-go`.
    pub go: &'static str,
    /// In Python, without the talk with agon that ends it, which is the same for all games.
    pub python: &'static str,
    /// Clients that come with agon to play against, the weakest first: files without `lib` and `.so`, with options as
    /// in `agon match`.
    pub opponents: &'static [&'static str],
}

/// What the scores of a match can be at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// One of two seats wins, or nobody does.
    Outcome {
        /// What the winner scores.
        win: i64,
        /// What the loser scores.
        loss: i64,
        /// What both score when nobody has won; `None` in a game without draws.
        draw: Option<i64>,
    },
    /// The scores of all seats together are this.
    Sum(i64),
    /// Each seat scores for itself: what is counted, and why it has no constant sum.
    Points(&'static str),
}

/// What a turn tells the seat that is asked, in a game that hides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// The position: with the setup it tells every state from every other.
    Position,
    /// What has happened since the seat's last turn: with the setup, the earlier turns and the seat's own moves it does
    /// the same.
    Events,
}

/// A number that came after the structs: it stands in a reserved field, so that clients compiled before still fit.
#[derive(Clone, Copy, Debug)]
pub struct LaterField {
    /// The field that it stands in: `grundy_setup.reserved`.
    pub field: &'static str,
    /// Which number of that field.
    pub index: usize,
    /// What it is.
    pub name: &'static str,
}

/// One option of a game.
#[derive(Clone, Copy, Debug)]
pub struct OptionFact {
    /// The key in `[options]`.
    pub key: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// What it does, and which values it takes.
    pub help: &'static str,
    /// Options as in [`Facts::small`], this one with a value that makes other matches than its default among them:
    /// `size=4`.
    pub example: &'static str,
    /// Whether a value may name a file, whose text then takes its place.
    pub may_be_file: bool,
    /// Whether ladders were played before there was this option: it is no part of their terms where it is not given.
    pub came_later: bool,
    /// Asked of a person who begins a match without it: `How many sticks`.
    pub asked: Option<Said>,
}

/// Words of the command line for options of a game: `-m 12 -t d`, which together mean one, and `--from POSITION`, which
/// is one.
#[derive(Clone, Copy)]
pub struct Shorthand {
    /// The words with letters.
    pub words: &'static [ShortWord],
    /// What those that were given mean: letters with values.
    pub expand: Expand,
    /// Keys of options that are words themselves after `--`, each with what its value is called.
    pub keys: &'static [(&'static str, &'static str)],
}

/// One of these words.
#[derive(Clone, Copy, Debug)]
pub struct ShortWord {
    /// The letter after `-`.
    pub letter: char,
    /// The word after `--`.
    pub long: &'static str,
    /// What it is, and which values it takes.
    pub help: &'static str,
}

/// What short words mean.
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

/// A command of one game's own, such as `agon perft`: a plain function from arguments to text.
#[derive(Clone, Copy)]
pub struct Tool {
    /// The word after `agon`.
    pub name: &'static str,
    /// One line for `agon --help`.
    pub about: &'static str,
    /// What `agon NAME --help` shows.
    pub usage: &'static str,
    /// Runs it. The second argument reads a text file by its path; an error is a message for the user.
    pub run: fn(&[String], &ReadFile) -> Result<String, String>,
    /// The same as a picture, which is asked for by `--svg`; not every command has one.
    pub picture: Option<Picture>,
}

/// Draws what a command shows.
pub type Picture = fn(&[String], &ReadFile) -> Result<Scene, String>;

/// From short words, each with its value, to what they mean.
pub type Expand = fn(&[(char, &str)]) -> Result<Meant, BadOption>;

/// Reads a text file by its path, for rules that must not know files.
pub type ReadFile<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl OptionFact {
    /// What an option has that does not say otherwise.
    pub const BASE: OptionFact =
        OptionFact { key: "", default: "", help: "", example: "", may_be_file: false, came_later: false, asked: None };
}

impl Facts {
    /// What a game has that does not say otherwise: two seats in turns, one of which wins, nothing hidden, no chance,
    /// and nothing of its own for the command line. Name, title, summary, shapes, header and options are for each game
    /// to say.
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

    /// The options of `given` completed by the defaults, but for those that came later than ladders with the others.
    ///
    /// # Errors
    /// A key that this game does not have.
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
