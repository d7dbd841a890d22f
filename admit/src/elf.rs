//! Checks that a file is a whole shared library for this computer; `dlopen` gives less detail, or crashes.

use crate::refusal::Refusal;
use agon_abi::Cause;
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, ProgramHeader, SectionHeader};

/// The machine for which this program was built.
const HERE: u16 = if cfg!(target_arch = "x86_64") {
    elf::EM_X86_64.0
} else if cfg!(target_arch = "aarch64") {
    elf::EM_AARCH64.0
} else {
    elf::EM_NONE.0
};
const BUILD: &str = "build it with: cc -O2 -g -shared -fPIC -I include -o client.so client.c";

/// Checks everything that needs no symbols.
pub fn check(bytes: &[u8]) -> Result<(), Refusal> {
    check_kind(bytes)?;
    let truncated = |_| truncated(bytes);
    let header = FileHeader64::<Endianness>::parse(bytes).map_err(truncated)?;
    let endian = header.endian().map_err(truncated)?;
    check_machine(header.e_machine(endian).0)?;
    check_whole(bytes, header, endian)?;
    check_type(bytes, header, endian)
}

/// Checks the first bytes: files submitted by mistake have their own messages.
fn check_kind(bytes: &[u8]) -> Result<(), Refusal> {
    let foreign = |what: &str| Err(Refusal::new(Cause::NotElf, what, format!("on Linux, {BUILD}")));
    match bytes {
        [] => Err(Refusal::new(Cause::Empty, "the file is empty", BUILD)),
        [0x7f, b'E', b'L', b'F', rest @ ..] => match rest {
            [1, ..] => Err(Refusal::new(Cause::Bits32, "built for a 32-bit machine", "build it without -m32")),
            [2, 1, ..] => Ok(()),
            [2, 2, ..] => Err(Refusal::new(Cause::OtherMachine, "built for a big-endian machine", BUILD)),
            _ => Err(truncated(bytes)),
        },
        [b'M', b'Z', ..] => foreign("a Windows program or library"),
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => foreign("a macOS program or library"),
        [b'!', b'<', b'a', b'r', b'c', b'h', b'>', ..] => {
            Err(Refusal::new(Cause::NotShared, "a static library (.a)", format!("link its objects: {BUILD}")))
        }
        [0xef, 0xbb, 0xbf, b'#', b'!', ..] => {
            let message = "a script with a byte order mark before the #! of its first line";
            Err(Refusal::new(Cause::Text, message, "save it as UTF-8 without that mark, so that it begins with #!"))
        }
        _ if is_text(bytes) => {
            let help = format!("if it is a script, begin it with the line #!/usr/bin/env python3; if it is C, {BUILD}");
            Err(Refusal::new(Cause::Text, "a text file, not a compiled library", help))
        }
        _ => Err(Refusal::new(Cause::NotElf, "not a compiled library (no ELF file)", BUILD)),
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(512)];
    start.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..))
}

fn truncated(bytes: &[u8]) -> Refusal {
    let message = format!("truncated: parts of the library lie beyond its {} bytes", bytes.len());
    Refusal::new(Cause::Truncated, message, "copy it again, whole")
}

fn check_machine(machine: u16) -> Result<(), Refusal> {
    if machine == HERE {
        return Ok(());
    }
    let message = format!("built for {}, this computer is {}", machine_name(machine), machine_name(HERE));
    Err(Refusal::new(Cause::OtherMachine, message, "build it on this computer, or for it"))
}

fn machine_name(machine: u16) -> String {
    let names = [
        (elf::EM_X86_64, "x86-64"),
        (elf::EM_AARCH64, "aarch64"),
        (elf::EM_386, "32-bit x86"),
        (elf::EM_ARM, "32-bit ARM"),
        (elf::EM_RISCV, "RISC-V"),
        (elf::EM_PPC64, "PowerPC"),
        (elf::EM_S390, "s390x"),
        (elf::EM_LOONGARCH, "LoongArch"),
    ];
    let known = names.iter().find(|name| name.0.0 == machine);
    known.map_or_else(|| format!("machine number {machine}"), |name| name.1.to_owned())
}

/// Checks that all segments and sections lie within the file: mapping one that does not would end the process.
fn check_whole(bytes: &[u8], header: &FileHeader64<Endianness>, endian: Endianness) -> Result<(), Refusal> {
    let inside = |start: u64, size: u64| start.checked_add(size).is_some_and(|end| end <= bytes.len() as u64);
    let segments = header.program_headers(endian, bytes).map_err(|_| truncated(bytes))?;
    let sections = header.section_headers(endian, bytes).map_err(|_| truncated(bytes))?;
    let whole = segments.iter().all(|s| inside(s.p_offset(endian), s.p_filesz(endian)))
        && sections.iter().filter_map(|s| s.file_range(endian)).all(|(start, size)| inside(start, size));
    if whole { Ok(()) } else { Err(truncated(bytes)) }
}

fn check_type(bytes: &[u8], header: &FileHeader64<Endianness>, endian: Endianness) -> Result<(), Refusal> {
    let refuse = |what: &str| Err(Refusal::new(Cause::NotShared, what, BUILD));
    match header.e_type(endian) {
        elf::ET_DYN if is_executable(bytes, header, endian) => refuse("a program, not a shared library"),
        elf::ET_DYN => Ok(()),
        elf::ET_EXEC => refuse("a program, not a shared library"),
        elf::ET_REL => refuse("an object file (.o), not linked yet"),
        elf::ET_CORE => refuse("a core dump"),
        _ => refuse("an ELF file of unknown type"),
    }
}

/// Programs have the same type as libraries today; their linker marks them.
fn is_executable(bytes: &[u8], header: &FileHeader64<Endianness>, endian: Endianness) -> bool {
    let Ok(segments) = header.program_headers(endian, bytes) else { return false };
    let entries = segments.iter().filter_map(|segment| segment.dynamic(endian, bytes).ok().flatten()).flatten();
    let mut flags = entries.filter(|entry| entry.d_tag(endian) == elf::DT_FLAGS_1);
    flags.any(|entry| entry.d_val(endian) & elf::DF_1_PIE.0 != 0)
}
