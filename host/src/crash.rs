//! Tells the server in plain words why a client crashed, and then lets it die of that same signal.
#![expect(unsafe_code)]

use crate::line::Line;
use crate::registers::Registers;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes of the stack on which handlers run, because the client's own stack may be exhausted.
const STACK: usize = 64 << 10;
/// How close to the top of the stack an access still looks like a stack overflow.
const NEAR: u64 = 64 << 10;

/// First and last address of the client's library; zero until that is known.
static LIBRARY: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Unbuffers the client's standard output, makes writes to a closed pipe or a file fail with an error, and installs the
/// handlers.
pub fn prepare() {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    // SAFETY: the C library's own stream, before anything was written to it; the signal's action is a constant.
    unsafe {
        libc::setvbuf(stdout, ptr::null_mut(), libc::_IONBF, 0);
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    give_stack();
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT] {
        install(signal, on_crash, libc::SA_RESETHAND);
    }
}

/// Makes `handler` the action of a signal, on its own stack.
pub(crate) fn install(signal: c_int, handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void), flags: c_int) {
    // SAFETY: an action of zeroes is valid, and the handler has the type that SA_SIGINFO asks for.
    unsafe {
        let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | flags;
        libc::sigaction(signal, &action, ptr::null_mut());
    }
}

/// Remembers the library that contains this symbol, so that a crash can name its place in the file.
pub(crate) fn remember_library(symbol: *const c_void) {
    // SAFETY: the callback has the type that is asked for, and passes the symbol's address on as a number.
    unsafe { libc::dl_iterate_phdr(Some(compare_library), symbol.cast_mut()) };
}

unsafe extern "C" fn compare_library(info: *mut libc::dl_phdr_info, _: usize, symbol: *mut c_void) -> c_int {
    // SAFETY: the loader passes a library with its table of segments, valid during the call.
    let (base, segments) = unsafe {
        let info = &*info;
        (info.dlpi_addr, std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()))
    };
    let loaded = segments.iter().filter(|segment| segment.p_type == libc::PT_LOAD);
    let end = base + loaded.map(|segment| segment.p_vaddr + segment.p_memsz).max().unwrap_or(0);
    if !(base..end).contains(&(symbol.addr() as u64)) {
        return 0;
    }
    LIBRARY[0].store(base, Relaxed);
    LIBRARY[1].store(end, Relaxed);
    1
}

/// Adds the place of the crash in the client's file, if it is known. An address in memory would help nobody.
fn place(line: Line, instruction: u64) -> Line {
    match [LIBRARY[0].load(Relaxed), LIBRARY[1].load(Relaxed)] {
        [_, 0] => line,
        [start, end] if (start..end).contains(&instruction) => {
            let offset = instruction - start;
            let line =
                line.text(", at byte ").address(offset).text(" of the library: built with -g, addr2line -fe FILE ");
            line.address(offset).text(" tells the source line")
        }
        _ => line.text(", in a library function that was called"),
    }
}

fn give_stack() {
    // SAFETY: a fresh mapping that is never unmapped.
    unsafe {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let start = libc::mmap(ptr::null_mut(), STACK, access, kind, -1, 0);
        if start != libc::MAP_FAILED {
            libc::sigaltstack(&libc::stack_t { ss_sp: start, ss_flags: 0, ss_size: STACK }, ptr::null_mut());
        }
    }
}

/// Does only what is safe in a handler: no memory, no locks. The default action is back already; the signal is sent
/// again, and arrives when this function returns.
extern "C" fn on_crash(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes both, valid while the handler runs; si_addr is meaningful for these signals.
    let (registers, code, address) =
        unsafe { (Registers::of(context), (*info).si_code, (*info).si_addr().addr() as u64) };
    let line = Line::new("agon.crash");
    if code <= 0 {
        line.text(sent(signal)).send();
    } else {
        place(cause(line, signal, &registers, code, address), registers.instruction()).send();
    }
    // SAFETY: raise is async-signal-safe.
    unsafe { libc::raise(signal) };
}

fn cause(line: Line, signal: c_int, registers: &Registers, code: c_int, address: u64) -> Line {
    match signal {
        libc::SIGSEGV => fault(line, registers, code, address),
        libc::SIGBUS => line.text("the memory at ").address(address).text(" has no contents: its file is cut short"),
        libc::SIGFPE => line.text("integer division by zero, or of the smallest number by -1"),
        libc::SIGILL => line.text("illegal instruction: a trap of the compiler, or built for a newer processor"),
        _ => line.text("signal ").number(signal as u64),
    }
}

fn sent(signal: c_int) -> &'static str {
    match signal {
        libc::SIGABRT => {
            "abort was called: a failed assert, an uncaught C++ exception, a Rust panic, or the C library found its memory \
             corrupted"
        }
        _ => "the client sent itself a signal",
    }
}

fn fault(line: Line, registers: &Registers, code: c_int, address: u64) -> Line {
    /// The processor itself refused an address that no memory can have; the kernel does not know which.
    const SI_KERNEL: c_int = 0x80;
    if code == SI_KERNEL {
        return line.text("read or write at an address that no memory can have");
    }
    if address.abs_diff(registers.stack()) < NEAR {
        return line.text("stack overflow: recursion without end, or large local arrays");
    }
    let line = line.text(registers.access()).text(" at address ").address(address);
    match address {
        0..4096 => line.text(" (a null pointer)"),
        _ => line,
    }
}
