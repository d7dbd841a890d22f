//! A table of nimbers as a file for clients: `agon grundy table` writes it once, and clients map it.
//!
//! The head of 32 bytes contains 16 that name the format, the number of heaps, and a check of the checks. A check for
//! each block of 65,536 heaps follows, and then the nimbers of the heaps from 0 on, two bytes each. All numbers are
//! little-endian. A reader checks the head first, which takes no time, and each block at the first read in it.

use super::nimber::Sequence;
use crate::mix::Mix;
use std::io::{self, Write};

/// The first bytes of such a file.
const MAGIC: &[u8; 16] = b"agon nimbers v1\n";
/// The bytes before the checks.
const HEAD: usize = 32;
/// The heaps of a block.
const BLOCK: usize = 1 << 16;
/// The number of splits to compare before each test whether one was right, which saves a branch for each.
const CHUNK: usize = 64;

/// A table whose bytes the caller has mapped or read.
#[derive(Clone, Debug)]
pub struct NimberTable<'a> {
    /// The check of each block, eight bytes.
    checks: &'a [u8],
    /// The nimber of each heap, two bytes.
    nimbers: &'a [u8],
    /// Whether each block was found unchanged.
    checked: Vec<bool>,
}

/// Why bytes are not a table, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTable(String);

impl BadTable {
    fn new(what: impl std::fmt::Display) -> BadTable {
        BadTable(format!("{what}; help: make it anew with `agon grundy table FILE`, or copy it again"))
    }
}

impl std::fmt::Display for BadTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadTable {}

impl<'a> NimberTable<'a> {
    /// Checks only the head and the length.
    ///
    /// # Errors
    /// The bytes are not a table, or cut off, or too long, or the head is damaged.
    pub fn open(bytes: &'a [u8]) -> Result<NimberTable<'a>, BadTable> {
        let head = bytes.get(..HEAD).filter(|head| head.starts_with(MAGIC));
        let head = head.ok_or_else(|| BadTable::new("this is not a table of nimbers"))?;
        let rest = &bytes[HEAD..];
        let room = |count: u64| {
            let count = usize::try_from(count).ok()?;
            Some((count.div_ceil(BLOCK).checked_mul(8)?, count.checked_mul(2)?))
        };
        let count = word(&head[16..]);
        let sizes = room(count).filter(|(checks, nimbers)| checks.checked_add(*nimbers) == Some(rest.len()));
        let Some((checks, _)) = sizes.filter(|_| count > 0) else {
            let what = format!("the table says that it has {count} heaps, and its {} bytes are not those", bytes.len());
            return Err(BadTable::new(what));
        };
        let (checks, nimbers) = rest.split_at(checks);
        if check(checks) != word(&head[24..]) {
            return Err(BadTable::new("the table is damaged in its head"));
        }
        Ok(NimberTable { checks, nimbers, checked: vec![false; checks.len() / 8] })
    }

    /// The most sticks of a heap in the table.
    pub fn most(&self) -> u32 {
        (self.nimbers.len() / 2 - 1) as u32
    }

    /// The nimber of a heap in the table.
    ///
    /// # Errors
    /// The table is damaged at this place.
    pub fn nimber(&mut self, sticks: u32) -> Result<u16, BadTable> {
        let sticks = sticks as usize;
        self.check(sticks, sticks)?;
        Ok(u16::from_le_bytes([self.nimbers[2 * sticks], self.nimbers[2 * sticks + 1]]))
    }

    /// The most even split of a heap whose parts together have this nimber, among the `most_tried` most even ones.
    /// Returns the smaller part.
    ///
    /// # Errors
    /// The table is damaged at a place that was read.
    pub fn find_split(&mut self, sticks: u32, nimber: u16, most_tried: u32) -> Result<Option<u32>, BadTable> {
        let sticks = sticks as usize;
        let mut end = sticks.div_ceil(2);
        let least = end.saturating_sub(most_tried as usize).max(1);
        while end > least {
            let start = end.saturating_sub(CHUNK).max(least);
            self.check(start, end - 1)?;
            self.check(sticks - end + 1, sticks - start)?;
            let parts = &self.nimbers[2 * start..2 * end];
            let rests = &self.nimbers[2 * (sticks - end + 1)..2 * (sticks - start + 1)];
            let sums = || pairs(parts).zip(pairs(rests).rev()).map(|(part, rest)| part ^ rest);
            if sums().fold(false, |found, sum| found | (sum == nimber)) {
                return Ok(sums().rposition(|sum| sum == nimber).map(|at| (start + at) as u32));
            }
            end = start;
        }
        Ok(None)
    }

    /// All nimbers.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn all(&mut self) -> Result<impl ExactSizeIterator<Item = u16> + Clone + use<'a>, BadTable> {
        self.check(0, self.most() as usize)?;
        Ok(pairs(self.nimbers))
    }

    /// Whether the blocks of the heaps from `first` to `last` are unchanged.
    fn check(&mut self, first: usize, last: usize) -> Result<(), BadTable> {
        for block in first / BLOCK..=last / BLOCK {
            if self.checked[block] {
                continue;
            }
            let from = 2 * BLOCK * block;
            let bytes = &self.nimbers[from..self.nimbers.len().min(from + 2 * BLOCK)];
            if check(bytes) != word(&self.checks[8 * block..]) {
                let (first, last) = (BLOCK * block, BLOCK * block + bytes.len() / 2 - 1);
                return Err(BadTable::new(format!("the table is damaged among the heaps {first} to {last}")));
            }
            self.checked[block] = true;
        }
        Ok(())
    }
}

fn pairs(bytes: &[u8]) -> impl DoubleEndedIterator<Item = u16> + ExactSizeIterator + Clone + use<'_> {
    bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]))
}

fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
}

fn check(bytes: &[u8]) -> u64 {
    let mut mix = Mix::new(bytes.len() as u64);
    mix.bytes(bytes);
    mix.end()
}

/// Computes and writes the table of the heaps of 0 to `most` sticks; `tell` receives the number of known heaps.
///
/// # Errors
/// The table cannot be written.
pub(super) fn write(most: u32, out: &mut dyn Write, tell: &mut dyn FnMut(u64)) -> io::Result<Sequence> {
    let mut sequence = Sequence::default();
    for heap in 0..=u64::from(most) {
        sequence.grow();
        if heap.is_multiple_of(BLOCK as u64) {
            tell(heap);
        }
    }
    let block = |nimbers: &[u16]| nimbers.iter().flat_map(|nimber| nimber.to_le_bytes()).collect::<Vec<u8>>();
    let checks: Vec<u8> =
        sequence.nimbers().chunks(BLOCK).flat_map(|nimbers| check(&block(nimbers)).to_le_bytes()).collect();
    out.write_all(MAGIC)?;
    out.write_all(&(u64::from(most) + 1).to_le_bytes())?;
    out.write_all(&check(&checks).to_le_bytes())?;
    out.write_all(&checks)?;
    sequence.nimbers().chunks(BLOCK).try_for_each(|nimbers| out.write_all(&block(nimbers)))?;
    Ok(sequence)
}

#[cfg(test)]
mod tests {
    use super::super::nimbers;
    use super::*;

    const MOST: u32 = 70_000;

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(MOST, &mut bytes, &mut |_| {}).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = written();
        let mut table = NimberTable::open(&bytes).unwrap();
        assert_eq!(table.most(), MOST);
        assert_eq!(table.all().unwrap().collect::<Vec<_>>(), nimbers(MOST as usize));
        assert_eq!([3, 50, 65_536, 70_000].map(|heap| table.nimber(heap).unwrap()), {
            let all = nimbers(MOST as usize);
            [3, 50, 65_536, 70_000].map(|heap| all[heap])
        });
    }

    #[test]
    fn the_most_even_split_is_found_that_a_plain_search_finds() {
        let (bytes, all) = (written(), nimbers(MOST as usize));
        let mut table = NimberTable::open(&bytes).unwrap();
        for sticks in (1..300usize).chain([1_000, 4_097, 65_535, 69_999]) {
            for nimber in [0, 1, 2, 5, 9, 40, 300] {
                let plain = (1..sticks.div_ceil(2)).rev().find(|part| all[*part] ^ all[sticks - part] == nimber);
                let found = table.find_split(sticks as u32, nimber, u32::MAX).unwrap();
                assert_eq!(found.map(|part| part as usize), plain, "{sticks} sticks, nimber {nimber}");
            }
        }
        assert_eq!(table.find_split(1_000, 300, 10), Ok(None));
    }

    #[test]
    fn what_is_damaged_is_refused_with_what_to_do() {
        let whole = written();
        let why = |bytes: &[u8]| NimberTable::open(bytes).unwrap_err().to_string();
        let longer = [&whole[..], b"more"].concat();
        for (bytes, words) in [
            (&b""[..], "this is not a table of nimbers; help: make it anew with `agon grundy table FILE`"),
            (b"agon nimbers v2\nxxxxxxxxxxxxxxxx", "this is not a table"),
            (&whole[..whole.len() - 2], "says that it has 70001 heaps, and its 140048 bytes are not those"),
            (&longer, "are not those"),
            (&[&MAGIC[..], &[0xff; 16]].concat(), "heaps"),
            (&[&MAGIC[..], &[0; 16]].concat(), "has 0 heaps"),
        ] {
            assert!(why(bytes).contains(words), "{}", why(bytes));
        }
        let mut damaged = whole.clone();
        damaged[HEAD + 1] ^= 1;
        assert!(why(&damaged).contains("damaged in its head"));
        let mut damaged = whole;
        *damaged.last_mut().unwrap() ^= 1;
        let mut table = NimberTable::open(&damaged).unwrap();
        assert_eq!(table.nimber(65_535), Ok(nimbers(65_535)[65_535]));
        let why = table.nimber(65_536).unwrap_err().to_string();
        assert!(why.starts_with("the table is damaged among the heaps 65536 to 70000; help: make it anew"), "{why}");
        assert!(table.all().is_err() && table.find_split(70_000, 300, u32::MAX).is_err());
    }
}
