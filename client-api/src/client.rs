//! Defines a client: the trait that its author implements.

use crate::Playable;

/// A client of one game. One value lives from `initialize` to `finalize` of one match; then another may be made.
///
/// A panic in any of the functions is written to the record under the key `panic` and ends the process: the client
/// crashed.
pub trait Client: Sized {
    /// The game it plays: [`crate::amazons::Amazons`], [`crate::six_qui_prend::SixQuiPrend`],
    /// [`crate::mastermind::Mastermind`], [`crate::grundy::Grundy`], [`crate::tirs_croises::TirsCroises`].
    type Game: Playable;

    /// The name shown to people, at most 32 bytes of UTF-8 without NUL.
    const NAME: &'static str;

    /// A name that depends on the options; the default is [`Client::NAME`].
    fn name(&self) -> &str {
        Self::NAME
    }

    /// Prepares for a match. The setup is borrowed for the call: copy the parts that you need later.
    ///
    /// An option that was given and never read is mistyped: then the match is declined as well.
    ///
    /// # Errors
    /// The reason why this client declines the match, which it then loses.
    fn new(setup: &<Self::Game as Playable>::Setup<'_>) -> Result<Self, Declined>;

    /// The move, in a turn where this client is to move. The turn is borrowed for the call.
    fn play(&mut self, turn: &<Self::Game as Playable>::Turn<'_>) -> <Self::Game as Playable>::Move;

    /// Ends the match for this client.
    fn finish(self) {}
}

/// Why a client does not play a match: a sentence, kept in the record under the key `declined`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declined(
    /// The sentence.
    pub String,
);

impl<T: Into<String>> From<T> for Declined {
    fn from(why: T) -> Self {
        Declined(why.into())
    }
}
