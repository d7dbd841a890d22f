//! Messages between the server and a host: requests with a payload one way, one reply of 64 bytes a request the other
//! way. The server treats every byte of a reply as hostile: host and client share one address space.

use crate::{Blob, Field, Shape, bytes_of, pod};

/// Bytes of a request's head and of a whole reply.
pub const HEAD: usize = 64;
/// Bytes of a reply's body.
pub const BODY: usize = 48;
/// Bytes of a player's name that are kept.
pub const NAME_CAP: usize = 32;
/// The most bytes a request's payload may have.
pub const MAX_PAYLOAD: usize = 16 << 20;
/// The most links a request may have.
pub const MAX_LINKS: usize = 1 << 16;

/// What a request asks for; replies name the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Kind {
    /// Sent by the host unasked, once it has sandboxed itself: `status` = the `Layers` that hold.
    Hello = 0,
    /// Open the library and compare its descriptor with the payload (an `Expected`); `status` = an `Opened`.
    Open = 1,
    /// Call `initialize` with the payload; `status` = what it returned.
    Initialize = 2,
    /// Call `get_player_name`; `body` = the name's first bytes, `status` = a `NameFlaw`.
    Name = 3,
    /// Call `play` with the payload; `body` = the move's bytes.
    Play = 4,
    /// Call `finalize`.
    Finalize = 5,
}

impl Kind {
    /// The kind with this number.
    pub fn from_number(number: u32) -> Option<Kind> {
        [Kind::Hello, Kind::Open, Kind::Initialize, Kind::Name, Kind::Play, Kind::Finalize]
            .into_iter()
            .find(|kind| *kind as u32 == number)
    }
}

pod! {
    /// The head of a request; the payload's bytes and then its links follow.
    pub struct Request = "request" {
        /// Counts requests to one host, from 1; the reply repeats it.
        pub sequence: u32,
        /// A `Kind`.
        pub kind: u32,
        /// Bytes of payload, a multiple of 8.
        pub payload: u32,
        /// How many links (8 bytes each) follow the payload.
        pub links: u32,
        /// Zero.
        pub reserved: [u64; 6],
    }
}

pod! {
    /// A reply.
    pub struct Reply = "reply" {
        /// That of the request; 0 in `Kind::Hello`.
        pub sequence: u32,
        /// The `Kind` of the request.
        pub kind: u32,
        /// Depends on the kind.
        pub status: i32,
        /// How many bytes of `body` count.
        pub length: u32,
        /// Depends on the kind.
        pub body: [u8; BODY],
    }
}

impl Request {
    /// Writes a whole request for `blob` into `out`, over what stood there.
    pub fn write(sequence: u32, kind: Kind, blob: &Blob, out: &mut Vec<u8>) {
        let head = Request {
            sequence,
            kind: kind as u32,
            payload: blob.bytes().len() as u32,
            links: blob.links().len() as u32,
            reserved: [0; 6],
        };
        out.clear();
        out.extend_from_slice(bytes_of(&head));
        out.extend_from_slice(blob.bytes());
        for link in blob.links() {
            out.extend_from_slice(&link.at.to_le_bytes());
            out.extend_from_slice(&link.target.to_le_bytes());
        }
    }
}

/// How opening a library ended: `status` of the reply to `Kind::Open`. The text that explains it comes through the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Opened {
    /// Ready for `Kind::Initialize`.
    Ready = 0,
    /// The loader refused the file.
    NotLoadable = 1,
    /// No descriptor, and no trace of `agon.h`.
    NoDescriptor = 2,
    /// `agon.h` was included and `AGON_CLIENT` forgotten.
    NoMacro = 3,
    /// The descriptor has another ABI version.
    OtherAbi = 4,
    /// The client plays another game.
    OtherGame = 5,
    /// A size or a field differs.
    OtherLayout = 6,
}

impl Opened {
    /// The ending with this number.
    pub fn from_status(status: i32) -> Option<Opened> {
        use Opened::*;
        [Ready, NotLoadable, NoDescriptor, NoMacro, OtherAbi, OtherGame, OtherLayout]
            .into_iter()
            .find(|opened| *opened as i32 == status)
    }
}

/// What was wrong with a name: `status` of the reply to `Kind::Name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum NameFlaw {
    /// Nothing.
    None = 0,
    /// `get_player_name` returned NULL.
    Null = 1,
    /// It returned an address that cannot be read.
    Wild = 2,
    /// No NUL within `NAME_CAP` bytes; the body has the first ones.
    Endless = 3,
}

/// One layer of the sandbox; the numbers are bits of `Layers` and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Layer {
    /// Resource limits: file size, descriptors, core dumps, address space as a far backstop.
    Limits = 1,
    /// No new privileges, death with the server, no core, descriptors moved away.
    Privileges = 2,
    /// Landlock: no file but the library's and the system's libraries, no network, no signals to others.
    Landlock = 4,
    /// seccomp: only the system calls that computing needs.
    Seccomp = 8,
}

impl Layer {
    /// All layers, in the order in which they are entered.
    pub const ALL: [Layer; 4] = [Layer::Limits, Layer::Privileges, Layer::Landlock, Layer::Seccomp];

    /// The name that messages, records and options use.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Limits => "limits",
            Layer::Privileges => "privileges",
            Layer::Landlock => "landlock",
            Layer::Seccomp => "seccomp",
        }
    }
}

/// A set of layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layers(
    /// Bits of `Layer`.
    pub u32,
);

impl Layers {
    /// No layer: for debuggers.
    pub const NONE: Layers = Layers(0);
    /// Every layer.
    pub const ALL: Layers = Layers(15);

    /// Whether the layer is among them.
    pub fn has(self, layer: Layer) -> bool {
        self.0 & layer as u32 != 0
    }

    /// These and one more.
    pub fn with(self, layer: Layer) -> Layers {
        Layers(self.0 | layer as u32)
    }

    /// These but one.
    pub fn without(self, layer: Layer) -> Layers {
        Layers(self.0 & !(layer as u32))
    }

    /// In the order in which they are entered.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |layer| self.has(*layer))
    }
}

/// What the server expects of a client's descriptor: the payload of `Kind::Open`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Name of the game.
    pub game: String,
    /// Bytes of setup, turn and move.
    pub sizes: [u32; 3],
    /// Name, offset and size of every field of heads, setup, turn and move.
    pub fields: Vec<(String, u32, u32)>,
}

impl Expected {
    /// From the shapes of a game's setup, turn and move; the heads' fields are added.
    pub fn new(game: &str, setup: Shape, turn: Shape, mv: Shape) -> Expected {
        use crate::{Layout, SetupHead, TurnHead};
        let own = |field: &Field| (field.name.to_owned(), field.offset, field.size);
        Expected {
            game: game.to_owned(),
            sizes: [setup.size, turn.size, mv.size],
            fields: [SetupHead::SHAPE, TurnHead::SHAPE, setup, turn, mv]
                .iter()
                .flat_map(|shape| shape.fields.iter().map(own))
                .collect(),
        }
    }

    /// As a payload: lines of text, one for the game and sizes, then one a field.
    pub fn to_blob(&self) -> Blob {
        let [setup, turn, mv] = self.sizes;
        let mut text = format!("{} {setup} {turn} {mv}\n", self.game);
        for (name, offset, size) in &self.fields {
            text += &format!("{name} {offset} {size}\n");
        }
        let mut blob = Blob::new();
        blob.push_bytes(text.as_bytes());
        blob
    }

    /// From a payload; `None` if it is not one that `to_blob` made.
    pub fn from_payload(bytes: &[u8]) -> Option<Expected> {
        let text = core::str::from_utf8(bytes).ok()?.trim_end_matches('\0');
        let mut lines = text.lines();
        let mut first = lines.next()?.split(' ');
        let game = first.next()?.to_owned();
        let mut number = || first.next()?.parse().ok();
        let sizes = [number()?, number()?, number()?];
        let fields = lines
            .map(|line| {
                let mut words = line.split(' ');
                Some((words.next()?.to_owned(), words.next()?.parse().ok()?, words.next()?.parse().ok()?))
            })
            .collect::<Option<_>>()?;
        Some(Expected { game, sizes, fields })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, SetupHead, TurnHead};

    #[test]
    fn messages_have_their_sizes() {
        assert_eq!((size_of::<Request>(), size_of::<Reply>()), (HEAD, HEAD));
        assert_eq!(Layers::ALL, Layer::ALL.into_iter().fold(Layers::NONE, Layers::with));
    }

    #[test]
    fn expected_survives_the_payload() {
        let expected = Expected::new("chess", SetupHead::SHAPE, TurnHead::SHAPE, TurnHead::SHAPE);
        assert_eq!(Expected::from_payload(expected.to_blob().bytes()), Some(expected));
        assert_eq!(Expected::from_payload(b"\xff"), None);
    }
}
