//! The packet by which a server gives settings to a host, a look at a file or a build: a fixed head, then numbers and
//! texts of known length. No text can become a setting.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// The most bytes of a packet, its head included.
pub const MOST_BYTES: usize = 256 << 10;
/// The most entries of one list in it.
const MOST_ENTRIES: u64 = 1024;
/// The first bytes of every packet of this version.
const MAGIC: [u8; 8] = *b"agonset1";
/// The bytes of the head: the magic, the kind, and the number of bytes that follow.
const HEAD: usize = 16;

/// The purpose of a packet; a reader refuses other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum PacketKind {
    /// The packet is for a host, or for a look at a new file.
    Client = 1,
    Build = 2,
}

/// Why a packet cannot be written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The packet has more than `MOST_BYTES` bytes, or a list has too many entries.
    TooLong,
    /// The packet is of another version or another kind.
    Other,
    /// The packet ends too early or too late.
    Length,
    /// A text has a NUL, or a number has no meaning in its place.
    Value,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Malformed::TooLong => "the settings are longer than a host takes",
            Malformed::Other => "the settings are of another version of agon",
            Malformed::Length => "the settings are cut short, or something follows them",
            Malformed::Value => "the settings have a value that no server writes",
        })
    }
}

impl std::error::Error for Malformed {}

#[derive(Debug)]
pub struct Packer {
    bytes: Vec<u8>,
    flaw: Option<Malformed>,
}

impl Packer {
    /// Begins an empty packet of this kind.
    pub fn new(kind: PacketKind) -> Packer {
        let bytes = [MAGIC.as_slice(), &(kind as u32).to_le_bytes(), &[0; 4]].concat();
        Packer { bytes, flaw: None }
    }

    pub fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Adds a number that may be missing.
    pub fn optional(&mut self, number: Option<u64>) {
        self.number(number.is_some().into());
        self.number(number.unwrap_or(0));
    }

    /// Adds a text, which must not contain a NUL.
    pub fn text(&mut self, text: impl AsRef<OsStr>) {
        let text = text.as_ref().as_bytes();
        if text.contains(&0) {
            self.flaw = Some(Malformed::Value);
        }
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text);
    }

    pub fn texts<T: AsRef<OsStr>>(&mut self, texts: &[T]) {
        if texts.len() as u64 > MOST_ENTRIES {
            self.flaw = Some(Malformed::TooLong);
        }
        self.number(texts.len() as u64);
        texts.iter().for_each(|text| self.text(text));
    }

    /// Returns the whole packet.
    ///
    /// # Errors
    /// The packet is longer than a host takes, or a text has a NUL.
    pub fn finish(mut self) -> Result<Vec<u8>, Malformed> {
        if self.bytes.len() > MOST_BYTES {
            return Err(Malformed::TooLong);
        }
        let length = (self.bytes.len() - HEAD) as u32;
        self.bytes[12..HEAD].copy_from_slice(&length.to_le_bytes());
        self.flaw.map_or(Ok(self.bytes), Err)
    }
}

/// Reads a packet from its first field to its last.
#[derive(Debug)]
pub struct Unpacker<'a>(&'a [u8]);

impl<'a> Unpacker<'a> {
    /// Begins to read the fields of a whole packet of this kind.
    ///
    /// # Errors
    /// The packet is not of this kind.
    pub fn new(packet: &'a [u8], kind: PacketKind) -> Result<Unpacker<'a>, Malformed> {
        let (head, fields) = packet.split_first_chunk::<HEAD>().ok_or(Malformed::Length)?;
        let its = body_length(head)?;
        if head[8..12] != (kind as u32).to_le_bytes() {
            return Err(Malformed::Other);
        }
        if its != fields.len() {
            return Err(Malformed::Length);
        }
        Ok(Unpacker(fields))
    }

    /// Reads the next number.
    ///
    /// # Errors
    /// The packet ends before it.
    pub fn number(&mut self) -> Result<u64, Malformed> {
        let (number, rest) = self.0.split_first_chunk::<8>().ok_or(Malformed::Length)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*number))
    }

    /// Reads the next number that may be missing.
    ///
    /// # Errors
    /// The packet ends before it, or has another value there.
    pub fn optional(&mut self) -> Result<Option<u64>, Malformed> {
        match (self.number()?, self.number()?) {
            (1, number) => Ok(Some(number)),
            (0, 0) => Ok(None),
            _ => Err(Malformed::Value),
        }
    }

    /// Reads the next text.
    ///
    /// # Errors
    /// The packet ends before it, or the text has a NUL.
    pub fn text(&mut self) -> Result<OsString, Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed::Length)?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(Malformed::Length)?;
        self.0 = rest;
        if text.contains(&0) { Err(Malformed::Value) } else { Ok(OsString::from_vec(text.to_vec())) }
    }

    /// Reads the number of entries of the list that follows.
    ///
    /// # Errors
    /// It is more than a packet may have.
    pub fn count(&mut self) -> Result<u64, Malformed> {
        Ok(self.number()?).and_then(|count| if count > MOST_ENTRIES { Err(Malformed::TooLong) } else { Ok(count) })
    }

    /// Reads the next list of texts.
    ///
    /// # Errors
    /// A text cannot be read, or the list is too long.
    pub fn texts<T: From<OsString>>(&mut self) -> Result<Vec<T>, Malformed> {
        (0..self.count()?).map(|_| self.text().map(T::from)).collect()
    }

    /// Checks that nothing follows.
    ///
    /// # Errors
    /// Something follows.
    pub fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed::Length) }
    }
}

/// The number of bytes that follow this head.
fn body_length(head: &[u8; HEAD]) -> Result<usize, Malformed> {
    let [.., a, b, c, d] = *head;
    match u32::from_le_bytes([a, b, c, d]) as usize {
        _ if head[..8] != MAGIC => Err(Malformed::Other),
        length if length > MOST_BYTES - HEAD => Err(Malformed::TooLong),
        length => Ok(length),
    }
}

/// Reads one packet, and no byte after it.
///
/// # Errors
/// It cannot be read, or the bytes are not a packet.
pub fn receive(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = [0; HEAD];
    source.read_exact(&mut head)?;
    let length = body_length(&head).map_err(io::Error::other)?;
    let mut packet = head.to_vec();
    packet.resize(HEAD + length, 0);
    source.read_exact(&mut packet[HEAD..])?;
    Ok(packet)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet() -> Vec<u8> {
        let mut packer = Packer::new(PacketKind::Client);
        packer.number(7);
        packer.optional(None);
        packer.texts(&["--", "--sandbox", ""]);
        packer.finish().unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let packet = packet();
        let mut fields = Unpacker::new(&packet, PacketKind::Client).unwrap();
        assert_eq!((fields.number(), fields.optional()), (Ok(7), Ok(None)));
        assert_eq!(fields.texts(), Ok(vec![OsString::from("--"), "--sandbox".into(), "".into()]));
        assert_eq!(fields.end(), Ok(()));
    }

    #[test]
    fn each_record_that_no_server_writes_is_refused() {
        let whole = packet();
        assert_eq!(Unpacker::new(&whole, PacketKind::Build).unwrap_err(), Malformed::Other);
        for length in 0..whole.len() {
            assert_eq!(Unpacker::new(&whole[..length], PacketKind::Client).unwrap_err(), Malformed::Length, "{length}");
        }
        let with = |place: usize, byte: u8| {
            let mut packet = packet();
            packet[place] = byte;
            packet
        };
        assert_eq!(Unpacker::new(&with(7, b'2'), PacketKind::Client).unwrap_err(), Malformed::Other);
        assert_eq!(Unpacker::new(&with(15, 1), PacketKind::Client).unwrap_err(), Malformed::TooLong);
        let flag = with(HEAD + 8, 2);
        let mut fields = Unpacker::new(&flag, PacketKind::Client).unwrap();
        assert_eq!((fields.number(), fields.optional()), (Ok(7), Err(Malformed::Value)));
        let count = with(HEAD + 24 + 3, 1);
        let mut fields = Unpacker(&count[HEAD + 24..]);
        assert_eq!(fields.texts::<OsString>(), Err(Malformed::TooLong));
        let mut packer = Packer::new(PacketKind::Client);
        packer.text("a\0b");
        assert_eq!(packer.finish(), Err(Malformed::Value));
        let mut packer = Packer::new(PacketKind::Client);
        packer.text("a".repeat(MOST_BYTES));
        assert_eq!(packer.finish(), Err(Malformed::TooLong));
    }
}
