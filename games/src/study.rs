//! A study of one game: the work of a client's versions for the first move as the game grows. The server runs it with
//! real clients; the game's entry lists what varies.

/// A study.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// The word after `agon bench`.
    pub name: &'static str,
    /// A line on what it shows.
    pub about: &'static str,
    /// The client to study, as in `clients/NAME.so`.
    pub client: &'static str,
    /// Its options for each version, as `key=value` pairs separated by spaces, after the version's name.
    pub versions: &'static [(&'static str, &'static str)],
    /// The game's option that grows.
    pub grows: &'static str,
    /// The unit of its values: `sticks`.
    pub unit: &'static str,
    /// Its least and its largest value.
    pub values: (u64, u64),
    /// The key under which the client logs its amount of work.
    pub counted: &'static str,
}
