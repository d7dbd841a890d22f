//! Stores steps of matches in fewer bytes: all first bytes of the steps, then all second ones and so on, because
//! neighbours are alike then; and deflated. The database's own compression reaches only half the size, and costs more.

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use std::io::Read;

/// The bytes of a step.
const STEP: usize = 48;
/// More bytes than any match has: a larger claim is damage.
const MOST_BYTES: usize = 1 << 28;

/// Shrinks steps; `grow` restores them.
pub fn shrink(steps: &[u8]) -> Vec<u8> {
    let mut shrunk = Vec::with_capacity(steps.len() / 3);
    let columns = transposed(steps, STEP);
    // Reads and writes in memory do not fail; if they did, the digest of the block would show it.
    let _ = ZlibEncoder::new(&columns[..], Compression::fast()).read_to_end(&mut shrunk);
    shrunk
}

/// Restores steps of this number of bytes; `None` if the result has another size.
pub fn grow(shrunk: &[u8], length: usize) -> Option<Vec<u8>> {
    if length > MOST_BYTES || !length.is_multiple_of(STEP) {
        return None;
    }
    let mut columns = Vec::with_capacity(length);
    ZlibDecoder::new(shrunk).take(length as u64 + 1).read_to_end(&mut columns).ok()?;
    (columns.len() == length).then(|| transposed(&columns, length / STEP))
}

/// Turns rows of this width into columns.
fn transposed(rows: &[u8], width: usize) -> Vec<u8> {
    (0..width).flat_map(|column| rows.iter().skip(column).step_by(width)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shrunk_grows_to_what_it_was() {
        for count in [0, 1, 2, 75, 2000] {
            let steps: Vec<u8> = (0..count * STEP as u32).map(|at| (at.wrapping_mul(at) / 7) as u8).collect();
            let shrunk = shrink(&steps);
            assert_eq!(grow(&shrunk, steps.len()).as_ref(), Some(&steps));
            assert_eq!(grow(&shrunk, steps.len() + STEP), None);
            assert_eq!(grow(&shrunk[..shrunk.len() / 2], steps.len() + STEP), None);
        }
        assert_eq!(grow(&shrink(&[7; 96]), 48), None, "it is longer");
        assert_eq!((grow(b"no stream", 48), grow(&[], usize::MAX)), (None, None));
    }
}
