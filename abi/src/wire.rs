//! Messages between the server and a host: requests with a payload in one direction, and one reply of 64 bytes for each
//! in the other. The server treats every byte of a reply as hostile, because host and client share one address space.

use crate::{Blob, Field, Shape, bytes_of, pod};

/// Bytes of a request's head and of a whole reply.
pub const HEAD: usize = 64;
/// Bytes of a reply's body.
pub const BODY: usize = 48;
/// The bytes of a player's name that are kept.
pub const NAME_CAP: usize = 32;
const _: () = assert!(NAME_CAP <= BODY);
/// The most bytes a request's payload may have.
pub const MAX_PAYLOAD: usize = 16 << 20;
/// The most links a request may have.
pub const MAX_LINKS: usize = 1 << 16;

/// The kind of a request; its reply names the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum RequestKind {
    /// The host sends this unasked, after it has sandboxed itself: `status` = the `Layers` that hold.
    Hello = 0,
    /// Open the library and compare its descriptor with the payload (an `Expected`); `status` = an `OpenStatus`.
    Open = 1,
    /// Call `initialize` with the payload; `status` = its result.
    Initialize = 2,
    /// Call `get_player_name`; `body` = the name's first bytes, `status` = a `NameFlaw`.
    Name = 3,
    /// Call `play` with the payload; `body` = the move's bytes.
    Play = 4,
    /// Call `finalize`.
    Finalize = 5,
}

impl RequestKind {
    /// The kind with this number.
    pub fn from_number(number: u32) -> Option<RequestKind> {
        [
            RequestKind::Hello,
            RequestKind::Open,
            RequestKind::Initialize,
            RequestKind::Name,
            RequestKind::Play,
            RequestKind::Finalize,
        ]
        .into_iter()
        .find(|kind| *kind as u32 == number)
    }
}

pod! {
    /// The head of a request; the payload's bytes and then its links follow.
    pub struct Request = "request" {
        /// The number of the request to one host, from 1; the reply repeats it.
        pub sequence: u32,
        /// The `RequestKind` of the request.
        pub kind: u32,
        /// The bytes of the payload, a multiple of 8.
        pub payload: u32,
        /// The number of links (8 bytes each) after the payload.
        pub links: u32,
        /// Zero.
        pub reserved: [u64; 6],
    }
}

pod! {
    /// The reply to a request.
    pub struct Reply = "reply" {
        /// The sequence of the request; 0 in `RequestKind::Hello`.
        pub sequence: u32,
        /// The `RequestKind` of the request.
        pub kind: u32,
        /// The status, whose meaning depends on the kind.
        pub status: i32,
        /// The number of used bytes in `body`.
        pub length: u32,
        /// The body, whose meaning depends on the kind.
        pub body: [u8; BODY],
    }
}

impl Request {
    /// Writes a whole request for `blob` into `out`, over the old contents.
    pub fn write(sequence: u32, kind: RequestKind, blob: &Blob, out: &mut Vec<u8>) {
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

/// The result of opening a library: `status` of the reply to `RequestKind::Open`. The log explains it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum OpenStatus {
    /// The client is ready for `RequestKind::Initialize`.
    Ready = 0,
    /// The loader refused the file.
    NotLoadable = 1,
    /// There is no descriptor, and no trace of `agon.h`.
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

impl OpenStatus {
    /// The result with this number.
    pub fn from_status(status: i32) -> Option<OpenStatus> {
        use OpenStatus::*;
        [Ready, NotLoadable, NoDescriptor, NoMacro, OtherAbi, OtherGame, OtherLayout]
            .into_iter()
            .find(|opened| *opened as i32 == status)
    }
}

/// The fault of a name: `status` of the reply to `RequestKind::Name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum NameFlaw {
    /// The name has no fault.
    None = 0,
    /// `get_player_name` returned NULL.
    Null = 1,
    /// It returned an address that cannot be read.
    Wild = 2,
    /// There is no NUL within `NAME_CAP` bytes; the body has the first ones.
    Endless = 3,
}

/// One layer of the sandbox; the numbers are bits of `Layers` and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Layer {
    /// Resource limits: file size, descriptors, core dumps, and address space as a distant backstop.
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
    /// The empty set, for debuggers.
    pub const NONE: Layers = Layers(0);
    /// Every layer.
    pub const ALL: Layers = Layers(15);

    /// Whether the set contains the layer.
    pub fn has(self, layer: Layer) -> bool {
        self.0 & layer as u32 != 0
    }

    /// The set with one more layer.
    pub fn with(self, layer: Layer) -> Layers {
        Layers(self.0 | layer as u32)
    }

    /// The set without a layer.
    pub fn without(self, layer: Layer) -> Layers {
        Layers(self.0 & !(layer as u32))
    }

    /// The layers in the order in which they are entered.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |layer| self.has(*layer))
    }
}

/// The server's expectations of a client's descriptor: the payload of `RequestKind::Open`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The name of the game.
    pub game: String,
    /// Bytes of setup, turn and move.
    pub sizes: [u32; 3],
    /// Name, offset and size of every field of heads, setup, turn and move.
    pub fields: Vec<(String, u32, u32)>,
}

impl Expected {
    /// Makes it from the shapes of a game's setup, turn and move, and adds the heads' fields.
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

    /// Writes it as a payload: lines of text, one for the game and sizes, then one for each field.
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

    /// Reads a payload; `None` if `to_blob` did not make it.
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
