//! A client's file, before it is opened: its ELF header and its symbols.

pub fn run(bytes: &[u8]) {
    if agon_admit::elf::check(bytes).is_ok()
        && let Ok(symbols) = agon_admit::symbols::read(bytes)
    {
        let _ = symbols.check();
        let _ = agon_admit::code::digest(bytes);
    }
}
