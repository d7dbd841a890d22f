//! Every exit status of `agon`, for scripts. docs/reference/exit-status.md has the same in a table, and a test compares
//! them.

/// The command is done.
pub const DONE: u8 = 0;
/// Trouble of agon's own or of the machine's; also of a run that left void matches.
pub const TROUBLE: u8 = 1;
/// The same status as [`TROUBLE`].
pub const VOID: u8 = TROUBLE;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// A ladder file, map, position or option is wrong.
pub const CONFIGURATION: u8 = 3;
/// A client's file was refused: by `add`, by `build`, by `check`, or one that `match`, `sprt` or `play` names.
pub const REFUSED: u8 = 4;
/// The inspected thing is not as it should be: `rerun --verify`, `doctor`, and `analyse` and `check` where the client
/// is at fault.
pub const DIFFERS: u8 = 5;
/// No client can play.
pub const NO_CLIENT: u8 = 6;
/// `sprt`, and `tune` by its test: the new version is not better.
pub const NOT_BETTER: u8 = 7;
/// `sprt`, and `tune` by its test: it ended undecided.
pub const UNDECIDED: u8 = 8;
/// Interrupted; the same command goes on.
pub const INTERRUPTED: u8 = 130;
