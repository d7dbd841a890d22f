//! A struct with pointers in the form that crosses a pipe: 8-byte words, and links that name each pointer and its
//! target.

use crate::{Pod, bytes_of, bytes_of_slice};

/// The word at byte `at` points to byte `target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Offset of the pointer, a multiple of 8.
    pub at: u32,
    /// Offset of its target.
    pub target: u32,
}

/// The place of a slice's elements; the pointer to them defines their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of the first element.
    pub start: u32,
    /// Bytes of all elements.
    pub size: u32,
}

/// A message under construction. Everything pushed begins at a multiple of 8 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blob {
    bytes: Vec<u8>,
    links: Vec<Link>,
    pieces: Vec<Piece>,
}

/// A link that does not fit its blob: the word or the target lies outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken(
    /// The link.
    pub Link,
);

impl Blob {
    /// An empty message.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the contents and keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.links.clear();
        self.pieces.clear();
    }

    /// Appends a value and returns its offset.
    pub fn push<T: Pod>(&mut self, value: &T) -> usize {
        self.push_bytes(bytes_of(value))
    }

    /// Appends the elements of a slice and returns their offset.
    pub fn push_slice<T: Pod>(&mut self, values: &[T]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes_of_slice(values));
        self.end_piece(start);
        start
    }

    /// Records the number of bytes pushed since `start`, and pads them.
    #[inline]
    fn end_piece(&mut self, start: usize) {
        self.pieces.push(Piece { start: start as u32, size: (self.bytes.len() - start) as u32 });
        self.pad();
    }

    /// Appends another message and returns its offset.
    pub fn push_blob(&mut self, other: &Blob) -> usize {
        let start = self.push_bytes(&other.bytes);
        for link in &other.links {
            self.link(start + link.at as usize, start + link.target as usize);
        }
        let moved = |piece: &Piece| Piece { start: piece.start + start as u32, ..*piece };
        self.pieces.extend(other.pieces.iter().map(moved));
        start
    }

    /// Appends text and the NUL that ends it, and returns its offset.
    pub fn push_text(&mut self, text: &str) -> usize {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(0);
        self.end_piece(start);
        start
    }

    /// Appends bytes and returns their offset.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.pad();
        start
    }

    /// Makes the pointer at byte `at` point to byte `target`.
    #[inline]
    pub fn link(&mut self, at: usize, target: usize) {
        self.bytes[at..at + 8].copy_from_slice(&(target as u64).to_le_bytes());
        self.links.push(Link { at: at as u32, target: target as u32 });
    }

    /// Writes a value over the bytes at byte `at`.
    pub fn put<T: Pod>(&mut self, at: usize, value: &T) {
        self.bytes[at..at + size_of::<T>()].copy_from_slice(bytes_of(value));
    }

    /// The bytes to send: a whole number of words.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The pointers among the words.
    #[inline]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The slices and texts among the bytes, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    #[inline]
    fn pad(&mut self) {
        let missing = self.bytes.len().next_multiple_of(8) - self.bytes.len();
        self.bytes.extend_from_slice(&[0; 8][..missing]);
    }
}

/// Turns offsets into addresses: each linked word becomes the address of its target among `words`.
///
/// # Errors
/// The first link whose word or target lies outside, or whose word is not aligned; words before it are already changed.
pub fn relocate(words: &mut [u64], links: &[Link]) -> Result<(), Broken> {
    let base = words.as_ptr().addr();
    let size = size_of_val(words);
    for &link in links {
        if !link.at.is_multiple_of(8) || link.target as usize >= size {
            return Err(Broken(link));
        }
        let word = words.get_mut(link.at as usize / 8).ok_or(Broken(link))?;
        *word = (base + link.target as usize) as u64;
    }
    // This comes last, because a later borrow would take away the right to follow these addresses.
    let _ = words.as_mut_ptr().expose_provenance();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_addresses_within_the_words() {
        let mut blob = Blob::new();
        let head = blob.push(&[0u64, 7]);
        let text = blob.push_text("seven");
        blob.link(head, text);
        let mut words: Vec<u64> = blob.bytes().chunks(8).map(|c| crate::read(c).unwrap()).collect();
        relocate(&mut words, blob.links()).unwrap();
        assert_eq!(words[0], words.as_ptr() as u64 + 16);
        assert_eq!(words[1], 7);
    }

    #[test]
    fn a_link_outside_is_refused() {
        let mut words = [0u64; 2];
        for link in [Link { at: 16, target: 0 }, Link { at: 4, target: 0 }, Link { at: 0, target: 16 }] {
            assert_eq!(relocate(&mut words, &[link]), Err(Broken(link)));
        }
    }
}
