//! A study of one game's own: how much work versions of a client do for the first move as the game grows. The server
//! runs it with real clients; what is to be varied hangs on the game's entry.

/// A study.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// The word after `agon bench`.
    pub name: &'static str,
    /// One line: what it shows.
    pub about: &'static str,
    /// The client that is studied, as in `clients/NAME.so`.
    pub client: &'static str,
    /// Its options for each version, as `key=value` pairs parted by spaces, with the version's name before them.
    pub versions: &'static [(&'static str, &'static str)],
    /// The game's option that grows.
    pub grows: &'static str,
    /// What its values count: `sticks`.
    pub unit: &'static str,
    /// Its least and its largest value.
    pub values: (u64, u64),
    /// The key under which the client logs how much it has done.
    pub counted: &'static str,
}
