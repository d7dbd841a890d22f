//! Digests a library's code without the parts that a name, a text or an address in it changes, to find copies of one
//! source. It is no proof: two files with the same code may come from the same starter, and a copy with changes has
//! other code.

use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use sha2::{Digest, Sha256};
use std::ops::Range;

/// Less code than this identifies nothing.
const FEWEST: usize = 128;

/// SHA-256 of the code, hex; `None` if there is hardly any, or no table of sections.
pub fn digest(bytes: &[u8]) -> Option<String> {
    let header = FileHeader64::<Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, bytes).ok()?;
    let (_, section) = sections.section_by_name(endian, b".text")?;
    let mut code = section.data(endian, bytes).ok()?.to_vec();
    if code.len() < FEWEST {
        return None;
    }
    let segments = header.program_headers(endian, bytes).ok()?;
    let end = segments.iter().map(|one| one.p_vaddr(endian).saturating_add(one.p_memsz(endian))).max()?;
    blank(&mut code, section.sh_addr(endian), 0..end);
    Some(Sha256::digest(&code).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Blanks the distances to targets outside the code: texts, tables and functions of other libraries move when something
/// else grows. It applies to x86-64 only: distances are the four bytes after an operand relative to the code's place,
/// or after a call or a jump.
fn blank(code: &mut [u8], at: u64, loaded: Range<u64>) {
    let own = at..at.saturating_add(code.len() as u64);
    let mut place = 1;
    while place + 4 <= code.len() {
        let distance = i32::from_le_bytes(std::array::from_fn(|index| code[place + index]));
        let target = at.saturating_add(place as u64 + 4).checked_add_signed(distance.into());
        let is_away = target.is_some_and(|target| loaded.contains(&target) && !own.contains(&target));
        if is_away && is_operator(code, place) {
            code[place..place + 4].fill(0);
            place += 4;
        } else {
            place += 1;
        }
    }
}

/// Whether a distance may begin here.
fn is_operator(code: &[u8], place: usize) -> bool {
    let before = code[place - 1];
    let is_far_jump = place > 1 && code[place - 2] == 0x0f && before & 0xf0 == 0x80;
    before & 0xc7 == 0x05 || matches!(before, 0xe8 | 0xe9) || is_far_jump
}
