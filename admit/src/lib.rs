//! What is seen of a client's file without opening it: its ELF header, its symbols, and why it is refused. The bytes
//! are hostile.
#![forbid(unsafe_code)]

pub mod code;
pub mod elf;
pub mod refusal;
pub mod symbols;
