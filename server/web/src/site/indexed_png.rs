//! A square picture of at most 16 colours as PNG.

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// Four bits for each dot, each a number in the palette.
const DEPTH_AND_KIND: [u8; 2] = [4, 3];

/// Writes a picture whose rows begin with whole bytes, two dots in each. The first colour of the palette is seen through.
/// `None` if the picture is empty or too large.
pub fn write(side: usize, dots: &[u8], palette: &[[u8; 3]]) -> Option<Vec<u8>> {
    let length = u32::try_from(side).ok().filter(|side| *side > 0)?.to_be_bytes();
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
    for row in dots.chunks(side.div_ceil(2)) {
        // Neighbours have nothing to do with each other: 0 is the filter that leaves them as they are.
        rows.write_all(&[0]).and_then(|()| rows.write_all(row)).ok()?;
    }
    let parts = [
        part(b"IHDR", &[&length[..], &length, &DEPTH_AND_KIND, &[0; 3]].concat()),
        part(b"PLTE", palette.as_flattened()),
        part(b"tRNS", &[0]),
        part(b"IDAT", &rows.finish().ok()?),
        part(b"IEND", &[]),
    ];
    Some([&b"\x89PNG\r\n\x1a\n"[..], &parts.concat()].concat())
}

/// A part: its length, its kind, its content, and the sum of both.
fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(content);
    [&(content.len() as u32).to_be_bytes()[..], kind, content, &sum.sum().to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    #[test]
    fn a_picture_has_its_parts() {
        let dots = [0x12, 0x30, 0x45, 0x60, 0x78, 0x90];
        let png = write(3, &dots, &[[1, 2, 3], [4, 5, 6]]).unwrap();
        assert_eq!(png[..33], *b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x03\x04\x03\0\0\0\xa4\x06\xa8\x8c");
        assert_eq!(png[33..51], *b"\0\0\0\x06PLTE\x01\x02\x03\x04\x05\x06\x95\x53\x6f\x48");
        assert_eq!(png[51..64], *b"\0\0\0\x01tRNS\0\x40\xe6\xd8\x66");
        assert!(png.ends_with(b"\0\0\0\0IEND\xaeB`\x82"));
        let mut rows = Vec::new();
        ZlibDecoder::new(&png[72..]).read_to_end(&mut rows).unwrap();
        assert_eq!(rows, [0, 0x12, 0x30, 0, 0x45, 0x60, 0, 0x78, 0x90]);
        assert_eq!(write(0, &[], &[]), None);
    }
}
