//! Examines a client's file without opening it: its ELF header, its symbols, and the reasons to refuse it. The bytes
//! are hostile.

pub mod code;
pub mod elf;
pub mod refusal;
pub mod symbols;
